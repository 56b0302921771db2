#!/bin/bash
# What make install puts in place works without a Swift toolchain, and make uninstall takes all of it away.
. "$(dirname "$0")/test-lib.sh"

staged=$TRASH/stage prefix=/opt/sgit-tools
root=$staged$prefix
# The Makefile finds the toolchain as the person who runs the tests does; only what is installed must do without it.
test_expect_success 'make install fills an empty prefix under DESTDIR' - <<'END'
	make -C "$REPOSITORY" install DESTDIR="$staged" PREFIX="$prefix" &&
	for tool in $TOOLS; do
		test -x "$root/bin/$tool" && test -s "$root/share/man/man1/$tool.1" &&
		test -s "$root/share/bash-completion/completions/$tool" && test -s "$root/share/zsh/site-functions/_$tool" &&
		test -s "$root/share/fish/vendor_completions.d/$tool.fish" || { echo "$tool is not all there" && return 1; }
	done &&
	test -x "$root/libexec/sgit/sgit-read-archive" && test -s "$root/share/man/man1/sgit-read-archive.1" && test ! -e "$root/bin/sgit-read-archive" &&
	test -s "$root/share/man/man5/sgvault.5" && test -s "$root/share/man/man5/sgit-lock.5" &&
	test -s "$root/share/man/man7/sgit.7" && test -s "$root/share/man/man7/sgit-exit-codes.7" &&
	test -n "$(ls "$root/lib/sgit")"
END

test_expect_success 'nothing is installed outside the prefix, and no installed text names the staging folder' - <<'END'
	find "$staged" -type f ! -path "$root/*" >outside && test ! -s outside &&
	! grep -rIl "$staged" "$root"
END

test_expect_success 'a plumbing tool is at most 1 MB and the whole tree at most 25 MB' - <<'END'
	for tool in ${TOOLS% sgit-vault} ../libexec/sgit/sgit-read-archive; do test "$(stat -c %s "$root/bin/$tool")" -le 1048576 || { echo "$tool" && return 1; }; done &&
	test "$(du -s --apparent-size -k "$root" | cut -f1)" -le 25600
END

test_expect_success 'the loader finds everything in lib/sgit or in the system' - <<'END'
	swift -print-target-info >target.json &&
	"$PYTHON" -S -c 'import json; print("\n".join(json.load(open("target.json"))["paths"]["runtimeLibraryPaths"]))' >toolchain && test -s toolchain &&
	for tool in $TOOLS ../libexec/sgit/sgit-read-archive; do
		ldd "$root/bin/$tool" >loaded && ! grep 'not found' loaded && ! grep -F -f toolchain loaded && ! grep -F "$REPOSITORY/.build" loaded || return 1
	done
END

# without_toolchain COMMAND…: no Swift in PATH and its runtime libraries out of the loader's reach.
without_toolchain() {
	local user=
	[ "$(id -u)" -eq 0 ] || user='--user --map-root-user'
	# shellcheck disable=SC2086,SC2016
	unshare $user --mount bash -c '
		while read -r folder; do mount -t tmpfs none "$folder" || exit 1; done <"$1"
		shift && exec env -i HOME="$HOME" LC_ALL=C.UTF-8 "$@"' hide toolchain "$@"
}

test_expect_success 'the tools start with the toolchain out of reach' - <<'END'
	for tool in $TOOLS; do
		without_toolchain PATH="$root/bin:/usr/bin:/bin" "$tool" --version >actual && echo "$tool 0.1.0" | cmp - actual || return 1
	done
END

test_expect_success 'the program in libexec is found, and reads a zip of another program' - <<'END'
	fixture linear && (cd linear && zip -qr ../linear.zip bare) &&
	without_toolchain PATH="$root/bin:/usr/bin:/bin" sgit-unpack --no-header linear.zip -d unzipped && diff -r linear/bare unzipped/bare
END

test_expect_success "the README's example of a vault file runs as printed" - <<'END'
	awk '/<!-- example: third -->/ { near = 1 } near && /^```/ { if (on) exit; on = 1; next } on { print }' "$REPOSITORY/README.md" >example && test -s example &&
	mkdir file && without_toolchain PATH="$root/bin:/usr/bin:/bin" bash -e -o pipefail -c 'cd file && . ../example' >shown 2>said && test -s shown
END

test_expect_success "the README's first example runs as printed" - <<'END'
	awk '/<!-- example: first -->/ { near = 1 } near && /^```/ { if (on) exit; on = 1; next } on { print }' "$REPOSITORY/README.md" >example && test -s example &&
	# A checkout in which what was just installed stands where make setup puts it.
	mkdir checkout && ln -s "$REPOSITORY"/* checkout/ && ln -s "$root" checkout/.local &&
	without_toolchain PATH="$root/bin:/usr/bin:/bin" bash -e -o pipefail -c 'cd checkout && . ../example' >shown 2>said &&
	test -s shown && test ! -s said
END

test_expect_success 'man finds every page in the prefix' - <<'END'
	for page in $TOOLS sgit-read-archive sgvault sgit-lock sgit sgit-exit-codes; do
		MANPATH=$root/share/man man "$page" >text 2>err </dev/null && grep -q "$page" text || { cat err && return 1; }
	done
END

test_expect_success '--help shows the installed page' - <<'END'
	PATH=$root/bin:$PATH MANPATH=$root/share/man sgit-ls-tree --help >text </dev/null && grep -q 'SYNOPSIS' text
END

test_expect_success 'installing twice is installing once' - <<'END'
	(cd "$root" && find . | sort) >once &&
	make -C "$REPOSITORY" install DESTDIR="$staged" PREFIX="$prefix" &&
	(cd "$root" && find . | sort) | cmp once -
END

test_expect_success 'make uninstall leaves nothing, and keeps what is not its own' - <<'END'
	mkdir -p "$root/bin" && echo mine >"$root/bin/mine" && echo mine >"$root/share/man/man1/mine.1" &&
	make -C "$REPOSITORY" uninstall DESTDIR="$staged" PREFIX="$prefix" &&
	test -s "$root/bin/mine" && test -s "$root/share/man/man1/mine.1" && rm "$root/bin/mine" "$root/share/man/man1/mine.1" &&
	find "$staged" ! -type d >left && test ! -s left &&
	find "$root" -mindepth 1 -name '*sgit*' >left && test ! -s left
END

test_done
