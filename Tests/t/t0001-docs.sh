#!/bin/bash
# What is written about the tools is what the tools say of themselves.
. "$(dirname "$0")/test-lib.sh"

# Every tool that was built, so that a new one cannot come without its page.
built=$(cd "$SGIT_BIN" && for tool in sgit-*; do case $tool in *.*) ;; *) [ ! -f "$tool" ] || [ ! -x "$tool" ] || echo "$tool" ;; esac; done)

test_expect_success 'every tool is built' - <<'END'
	for tool in $TOOLS; do echo "$built" | grep -qx "$tool" || { echo "no $tool" && return 1; }; done
END

for tool in $built; do
	page=$REPOSITORY/man/man1/$tool.1

	test_expect_success "$tool: the generated blocks of its page are what it generates" - <<-'END'
		test -s "$page" && "$tool" --generate=mdoc >generated && test -s generated &&
		awk '/^\.\\" generated: begin/ { on = 1 } on { print } /^\.\\" generated: end/ { on = 0 }' "$page" >written &&
		grep -c '^\.\\" generated: begin' generated >begun && grep -c '^\.\\" generated: end' generated | cmp begun - &&
		diff written generated
	END

	test_expect_success "$tool: its page has every section, and mandoc finds nothing to say" - <<-'END'
		for section in NAME SYNOPSIS DESCRIPTION OPTIONS 'EXIT STATUS' EXAMPLES 'SEE ALSO'; do
			grep -q "^\.Sh $section" "$page" || { echo "no $section" && return 1; }
		done &&
		mandoc -Tlint -W warning "$page" >lint && test ! -s lint
	END

	test_expect_success "$tool: completions for bash, zsh and fish are what it generates" - <<-'END'
		"$tool" --generate=bash | diff "$REPOSITORY/completions/bash/$tool" - &&
		"$tool" --generate=zsh | diff "$REPOSITORY/completions/zsh/_$tool" - &&
		"$tool" --generate=fish | diff "$REPOSITORY/completions/fish/$tool.fish" -
	END

	test_expect_success "$tool: every option of the page is in -h, and the reverse" - <<-'END'
		mandoc -T utf8 "$page" | sed 's/.\x08//g' >text && "$tool" -h >help &&
		"$PYTHON" -S "$TEST_DIRECTORY/completions.py" help "$tool" >options && test -s options &&
		"$PYTHON" -S "$TEST_DIRECTORY/completions.py" help "$tool" '*' >commands &&
		while read -r command; do
			"$PYTHON" -S "$TEST_DIRECTORY/completions.py" help "$tool" "$command" >>options || return 1
		done <commands &&
		while read -r option; do
			grep -q -e "$option\([^-a-z0-9]\|$\)" text || { echo "not in the page: $option" && return 1; }
		done <options &&
		sed -n '/^OPTIONS/,/^[A-Z]/p' text | grep -o -E '^ {2,8}-[^ ]*(, -[^ ]*)*' | grep -o -E -e '--?[a-zA-Z0-9][-a-zA-Z0-9]*' >in-page && test -s in-page &&
		while read -r option; do
			grep -qx -e "$option" options || { echo "not in -h: $option" && return 1; }
		done <in-page
	END

	test_expect_success "$tool: an unknown thing to generate is a usage error" - <<-'END'
		test_expect_status 129 "$tool" --generate=nonsense >out && test ! -s out
	END
done

test_expect_success 'sgit(7) lists every tool and sgit-exit-codes(7) every status, and mandoc finds nothing to say' - <<'END'
	for page in sgit sgit-exit-codes; do
		mandoc -Tlint -W warning "$REPOSITORY/man/man7/$page.7" >lint && test ! -s lint || return 1
	done &&
	for tool in $built; do grep -q "$tool" "$REPOSITORY/man/man7/sgit.7" || { echo "no $tool" && return 1; }; done &&
	for status in 0 1 3 4 5 6 7 8 128 129; do
		grep -q -E "^\.It (Sy |Ic |Li )?$status( |$)" "$REPOSITORY/man/man7/sgit-exit-codes.7" || { echo "no $status" && return 1; }
	done
END

test_expect_success 'there is no page and no completion for a tool that is not there' - <<'END'
	for file in "$REPOSITORY"/man/man1/* "$REPOSITORY"/completions/*/*; do
		tool=${file##*/} && tool=${tool#_} && tool=${tool%.1} && tool=${tool%.fish} &&
		echo "$built" | grep -qx "$tool" || { echo "$file" && return 1; }
	done
END

test_done
