#!/bin/bash
# The rules of the option parser, which every tool shares.
. "$(dirname "$0")/test-lib.sh"

fixture linear && use linear linear.key || exit 1
blob=obj-cas-imm-59c84bc2decf

test_expect_success '-h is help on stdout with status 0, for every tool' - <<'END'
	for tool in $TOOLS; do
		"$tool" -h >out 2>err &&
		test -s out && test ! -s err && grep -q "$tool" out || return 1
	done
END

test_expect_success '--version is one line with status 0, for every tool' - <<'END'
	for tool in $TOOLS; do
		"$tool" --version >out 2>err &&
		echo "$tool 0.1.0" >expected &&
		cmp expected out && test ! -s err || return 1
	done
END

test_expect_success '-h and --version need neither store nor key' - <<'END'
	for tool in $TOOLS; do
		env -u SGIT_STORE -u SGIT_KEY_FD "$tool" -h >out 3<&- &&
		env -u SGIT_STORE -u SGIT_KEY_FD "$tool" --version >out 3<&- || return 1
	done
END

test_expect_success '--help opens the manual page of the tool' - <<'END'
	mkdir -p manual && printf '#!/bin/sh\necho "man $*"\n' >manual/man && chmod +x manual/man &&
	for tool in $TOOLS; do
		PATH=$PWD/manual:$PATH "$tool" --help >out &&
		test "$(cat out)" = "man $tool" || return 1
	done
END

test_expect_success 'an unknown option is 129 with a message, a hint, and nothing on stdout, for every tool' - <<'END'
	for tool in $TOOLS; do
		for bad in --no-such-option -Q --no-such-option=value; do
			test_expect_status 129 "$tool" $bad >out 2>err &&
			test ! -s out && grep -q "^$tool: " err && grep -q '^hint: ' err || return 1
		done
	done
END

test_expect_success 'an abbreviation is refused' - <<'END'
	test_expect_status 129 sgit-ls-tree --name @ &&
	test_expect_status 129 sgit-ls-tree --jso @ &&
	test_expect_status 129 sgit-cat-object --batch-c </dev/null
END

test_expect_success 'options may stand after operands' - <<'END'
	sgit-ls-tree -r --name-only @ >expected &&
	sgit-ls-tree @ --name-only -r >actual &&
	cmp expected actual
END

test_expect_success 'after -- everything is an operand' - <<'END'
	sgit-cat-object -t -- "$blob" >actual &&
	test "$(cat actual)" = blob &&
	test_expect_status 6 sgit-cat-object -t -- -p 2>err &&
	test_expect_status 129 sgit-cat-object -t -- "$blob" --raw
END

test_expect_success 'short flags may be joined' - <<'END'
	sgit-ls-tree -r -t -l @ >expected &&
	sgit-ls-tree -rtl @ >actual &&
	cmp expected actual
END

test_expect_success 'a short option takes its value joined or apart, also at the end of joined flags' - <<'END'
	sgit-rev-list -n 2 @ >expected &&
	test "$(wc -l <expected)" -eq 2 &&
	sgit-rev-list -n2 @ >actual &&
	cmp expected actual
END

test_expect_success 'a long option takes its value after = or apart' - <<'END'
	sgit-ls-tree --format='%(objectname)' @ >expected &&
	sgit-ls-tree --format '%(objectname)' @ >actual &&
	cmp expected actual &&
	env -u SGIT_STORE sgit-ls-tree --store=linear --format '%(objectname)' @ >actual &&
	cmp expected actual
END

test_expect_success 'an empty value after = is a value' - <<'END'
	sgit-ls-tree --format= @ >actual &&
	test -z "$(tr -d '\n' <actual)"
END

test_expect_success 'of a repeated option the last one wins' - <<'END'
	sgit-rev-list -n 1 -n 3 @ >actual &&
	test "$(wc -l <actual)" -eq 3 &&
	sgit-read-ref --store nowhere --store linear current >actual &&
	test -s actual
END

test_expect_success 'a flag takes no value' - <<'END'
	test_expect_status 129 sgit-ls-tree --json=yes @ &&
	test_expect_status 129 sgit-read-ref --all=1
END

test_expect_success 'an option without its value is refused' - <<'END'
	test_expect_status 129 sgit-rev-list @ -n &&
	test_expect_status 129 sgit-ls-tree @ --format &&
	test_expect_status 129 sgit-read-ref current --store
END

test_expect_success 'a value of the wrong form is refused' - <<'END'
	test_expect_status 129 sgit-rev-list -n many @ &&
	test_expect_status 129 sgit-rev-list -n -1 @ &&
	test_expect_status 129 sgit-rev-list -n 99999999999999999999 @ &&
	test_expect_status 129 sgit-read-ref --key-fd three current &&
	test_expect_status 129 sgit-rev-list --missing=maybe @
END

test_expect_success 'modes that exclude each other are refused together' - <<'END'
	test_expect_status 129 sgit-cat-object -p -t "$blob" &&
	test_expect_status 129 sgit-cat-object -e --raw "$blob" &&
	test_expect_status 129 sgit-cat-object --batch --batch-check </dev/null &&
	test_expect_status 129 sgit-cat-object --batch -p "$blob" </dev/null &&
	test_expect_status 129 sgit-ls-tree --name-only --json @ &&
	test_expect_status 129 sgit-diff-tree --name-status --json @ @ &&
	test_expect_status 129 sgit-read-ref --all current
END

test_expect_success 'too few and too many operands are refused' - <<'END'
	test_expect_status 129 sgit-cat-object -p &&
	test_expect_status 129 sgit-cat-object &&
	test_expect_status 129 sgit-cat-object "$blob" &&
	test_expect_status 129 sgit-cat-object -p "$blob" "$blob" &&
	test_expect_status 129 sgit-ls-tree &&
	test_expect_status 129 sgit-ls-tree @ @ &&
	test_expect_status 129 sgit-read-ref &&
	test_expect_status 129 sgit-rev-list &&
	test_expect_status 129 sgit-diff-tree @ &&
	test_expect_status 129 sgit-verify-commit &&
	test_expect_status 129 sgit-derive-keys operand
END

test_expect_success 'an empty argument is an operand, not nothing' - <<'END'
	test_expect_status 129 sgit-ls-tree @ ''
END

test_done
