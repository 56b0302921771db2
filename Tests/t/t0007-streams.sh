#!/bin/bash
# Pipes that close, disks that fill, files one may not read, and where a store is looked for.
. "$(dirname "$0")/test-lib.sh"

fixture linear && use linear linear.key || exit 1
head=obj-cas-imm-1f9c063df47a
# A vault file, its code and its lock; and a store that lacks an object.
(umask 077 && sgit-recovery-code >code) && sgit-wrap-key --kind recovery-code --key-file linear.vault-key --secret-file code >lock 2>err &&
	sgit-pack --key-file linear.vault-key --lock lock -o linear.sgvault && cp -R linear lacking && rm "lacking/bare/data/$head" || exit 1

# One run of every tool that prints something.
speaks() {
	case $1 in
	sgit-derive-keys) sgit-derive-keys --key-fd 3 ;;
	sgit-hash-object) echo text | sgit-hash-object --stdin ;;
	sgit-mktree) sgit-mktree </dev/null ;;
	sgit-commit-tree) sgit-commit-tree -m text "$head" ;;
	sgit-update-ref) printf 'start\nabort\n' | sgit-update-ref --stdin ;;
	sgit-vault) sgit-vault log ;;
	sgit-union) cp -R lacking copy && sgit-union --store copy linear; set -- $? && rm -rf copy && return "$1" ;;
	sgit-pack) sgit-pack --key-file linear.vault-key ;;
	sgit-unpack) sgit-unpack --header linear.sgvault ;;
	sgit-wrap-key) sgit-wrap-key --kind recovery-code --secret-file code ;;
	sgit-unwrap-key) sgit-unwrap-key --lock lock --secret-file code ;;
	sgit-recovery-code) sgit-recovery-code ;;
	sgit-cat-object) sgit-cat-object -p "$head" ;;
	sgit-ls-tree) sgit-ls-tree -r @ ;;
	sgit-read-ref) sgit-read-ref --all ;;
	sgit-branch-index) sgit-branch-index ;;
	sgit-rev-list) sgit-rev-list --objects @ ;;
	sgit-diff-tree) sgit-diff-tree -r @~1 @ ;;
	sgit-verify-commit) sgit-verify-commit @ ;;
	esac
}

for tool in $TOOLS; do
	test_expect_success "$tool: a full disk never ends in 0" - <<-'END'
		test_expect_status 128 speaks "$tool" >/dev/full 2>err &&
		grep -q "^$tool: " err
	END

	test_expect_success "$tool: a closed stdout never ends in 0" - <<-'END'
		test_expect_status 128 speaks "$tool" >&- 2>err
	END

	test_expect_success "$tool: help on a full disk never ends in 0" - <<-'END'
		test_expect_status 128 "$tool" -h >/dev/full 2>err &&
		test_expect_status 128 "$tool" --version >/dev/full 2>err
	END
done

test_expect_success 'cat-object: --batch on a full disk never ends in 0' - <<'END'
	echo "$head" >in &&
	test_expect_status 128 sgit-cat-object --batch <in >/dev/full 2>err
END

test_expect_success 'a reader that leaves early ends a tool quietly, by SIGPIPE' - <<'END'
	lab <<-'PY'
		import signal, subprocess
		signal.signal(signal.SIGPIPE, signal.SIG_DFL)
		names = "obj-cas-imm-88c05c3a06e3\n" * 20
		for command, given in ((["sgit-cat-object", "--raw", "@:bin/noise.bin"], ""), (["sgit-cat-object", "--batch"], names)):
		    tool = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, pass_fds=(3,),
		                            restore_signals=True)
		    tool.stdin.write(given.encode()) and tool.stdin.flush()
		    tool.stdin.close()
		    tool.stdout.read(1)
		    tool.stdout.close()
		    assert tool.stderr.read() == b"", "said something"
		    assert tool.wait() == -signal.SIGPIPE, tool.returncode
	PY
END

test_expect_success '… | head -1 gives its line and nothing on stderr, for every tool' - <<'END'
	for tool in $TOOLS; do
		speaks "$tool" 2>err | head -n 1 >actual &&
		test -s actual && test ! -s err || return 1
	done
END

test_expect_success 'stdout is data only: a failure says nothing there' - <<'END'
	for tool in sgit-ls-tree sgit-rev-list sgit-cat-object\ -p; do
		# shellcheck disable=SC2086
		test_expect_status 6 $tool no-such-branch >out 2>err &&
		test ! -s out && grep -q "'no-such-branch'" err || return 1
	done
END

test_expect_success 'a store is the bare folder or the folder that holds it' - <<'END'
	sgit-read-ref --store linear current >actual && test "$(cat actual)" = "$head" &&
	sgit-read-ref --store linear/bare current >actual && test "$(cat actual)" = "$head" &&
	sgit-read-ref --store linear/bare/ current >actual && test "$(cat actual)" = "$head"
END

test_expect_success '--store wins over SGIT_STORE' - <<'END'
	SGIT_STORE=nowhere sgit-read-ref --store linear current >actual && test "$(cat actual)" = "$head"
END

test_expect_success 'without either, the nearest .sg_vault/bare upward is the store' - <<'END'
	mkdir -p copy/.sg_vault copy/a/b &&
	cp -R linear/bare copy/.sg_vault/bare &&
	(unset SGIT_STORE && cd copy/a/b && sgit-read-ref current >actual && test "$(cat actual)" = "$head")
END

test_expect_success 'and where there is none, ./bare is' - <<'END'
	(unset SGIT_STORE && cd linear && sgit-read-ref current >../actual) && test "$(cat actual)" = "$head"
END

test_expect_success 'a store that is not there is 128, and what was tried is named' - <<'END'
	test_expect_status 128 sgit-read-ref --store nowhere current 2>err && grep -q 'nowhere' err &&
	mkdir -p empty &&
	test_expect_status 128 sgit-read-ref --store empty current 2>err && grep -q 'empty' err &&
	test_expect_status 128 sgit-read-ref --store linear.key current 2>err && grep -q 'linear.key' err &&
	(unset SGIT_STORE && cd empty && test_expect_status 128 sgit-read-ref current 2>err && grep -q 'bare' err)
END

# Root may read everything, so these run as nobody; whoever is not root runs them as they are.
as_nobody() {
	if [ "$(id -u)" -eq 0 ]; then
		setpriv --reuid=nobody --clear-groups "$@"
	else
		"$@"
	fi
}

test_expect_success 'nobody can read what nobody owns' - <<'END'
	cp -R linear theirs && cp linear.key theirs.key && chmod 755 "$TRASH" &&
	{ test "$(id -u)" -ne 0 || chown -R nobody theirs theirs.key; } &&
	as_nobody sgit-read-ref --store theirs --key-file theirs.key current >actual &&
	test "$(cat actual)" = "$head"
END

test_expect_success 'an object one may not read is 128 and named, neither missing nor damaged' - <<'END'
	chmod 000 "theirs/bare/data/$head" &&
	test_expect_status 128 as_nobody sgit-cat-object --store theirs --key-file theirs.key -p "$head" 2>err &&
	grep -q "$head" err &&
	chmod 644 "theirs/bare/data/$head"
END

test_expect_success 'folders one may not enter are 128' - <<'END'
	for folder in bare/data bare/refs bare/indexes bare; do
		chmod 000 "theirs/$folder" &&
		test_expect_status 128 as_nobody sgit-rev-list --store theirs --key-file theirs.key current 2>err &&
		test -s err && chmod 755 "theirs/$folder" || return 1
	done
END

test_expect_success 'a key file one may not read is 128' - <<'END'
	chmod 000 theirs.key &&
	test_expect_status 128 as_nobody sgit-read-ref --store theirs --key-file theirs.key current 2>err &&
	grep -q 'theirs.key' err && chmod 600 theirs.key
END

test_expect_success 'reading writes nothing: a store on which nobody may write reads the same' - <<'END'
	find theirs -exec ls -ld --time-style=full-iso {} + >before &&
	chmod -R a-w theirs && as_nobody sgit-rev-list --store theirs --key-file theirs.key --objects current >actual &&
	sgit-rev-list --objects current >expected && cmp expected actual && chmod -R u+w theirs &&
	find theirs -exec ls -ld --time-style=full-iso {} + >after && cmp before after
END

test_expect_success 'an object that is a folder, a fifo or a dangling link is refused, and the tool does not wait' - <<'END'
	cp -R linear odd &&
	mkdir odd/bare/data/obj-cas-imm-000000000001 && mkfifo odd/bare/data/obj-cas-imm-000000000002 &&
	ln -s /nowhere odd/bare/data/obj-cas-imm-000000000003 &&
	for id in obj-cas-imm-000000000001 obj-cas-imm-000000000002 obj-cas-imm-000000000003; do
		status=0 && { timeout 20 sgit-cat-object --store odd -p "$id" >out 2>err || status=$?; } &&
		test ! -s out && case $status in 4 | 6 | 128) ;; *) echo "$id: $status" && return 1 ;; esac || return 1
	done
END

test_done
