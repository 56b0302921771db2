# shellcheck shell=bash
# Sourced by every tNNNN-*.sh: TAP output for prove, a private trash folder, and the tools first in PATH.
#
#	SGIT_BIN=DIR       the tools under test (default: .build/release of this repository)
#	SGIT_TEST_KEEP=1   keep the trash folder, and say where it is
#
# A test that cannot run on this machine fails; nothing is skipped.

set -u
TEST_DIRECTORY=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
REPOSITORY=$(cd "$TEST_DIRECTORY/../.." && pwd -P)
FIXTURES=$REPOSITORY/Tests/Fixtures
VECTORS=$REPOSITORY/Tests/Vectors
TOOLS='sgit-derive-keys sgit-hash-object sgit-cat-object sgit-mktree sgit-ls-tree sgit-commit-tree sgit-verify-commit sgit-update-ref sgit-read-ref sgit-branch-index sgit-rev-list sgit-diff-tree sgit-union sgit-pack sgit-unpack sgit-wrap-key sgit-unwrap-key sgit-recovery-code sgit-vault'
GOLDEN='branches deflate format2 linear merge readkey signatures tags'

# What the person who runs the tests has set must not decide what the tests say.
unset SGIT_STORE SGIT_KEY_FILE SGIT_KEY_FD SGIT_OPENSSL_CONF MANPATH
SGIT_BIN=$(cd "${SGIT_BIN:-$REPOSITORY/.build/release}" 2>/dev/null && pwd -P)
[ -x "$SGIT_BIN/sgit-cat-object" ] || { echo 'Bail out! no tools: build them, or set SGIT_BIN'; exit 1; }
# A version manager's shim starts a shell each time; the interpreter behind it does not. It is run with -S: what a site adds to
# every start is not needed and can take half a second.
PYTHON=$(python3 -c 'import sys; print(sys.executable)') || { echo 'Bail out! no python3'; exit 1; }
TRASH=$(mktemp -d "${TMPDIR:-/tmp}/sgit-t.XXXXXX") || exit 1
PATH=$SGIT_BIN:$PATH HOME=$TRASH LC_ALL=C.UTF-8 TZ=UTC
PYTHONPATH=$TEST_DIRECTORY PYTHONUTF8=1 PYTHONPYCACHEPREFIX=$REPOSITORY/.build/pycache SWIFT_BACKTRACE=enable=no
export SGIT_BIN PYTHON PATH HOME LC_ALL TZ PYTHONPATH PYTHONUTF8 PYTHONPYCACHEPREFIX SWIFT_BACKTRACE FIXTURES VECTORS TRASH TOOLS GOLDEN
cd "$TRASH" || exit 1

test_count=0 test_failed=0 test_ended=
# Nothing that a test started outlives it, and a script that ends before test_done says why.
trap 'jobs -p | xargs -r kill 2>/dev/null
	[ -n "$test_ended" ] || sed "s/^/# /" .log
	[ -n "${SGIT_TEST_KEEP-}" ] || { chmod -R u+rwx "$TRASH"; rm -rf "$TRASH"; }' EXIT

run_body() { # a function of its own, so that `return 1` in a loop ends the commands and nothing else
	eval "$1"
}

# test_expect_success 'a sentence' 'commands && commands'; the commands are read from stdin where they are '-'.
test_expect_success() {
	local sentence=$1 body=$2 status
	[ "$body" != - ] || body=$(cat)
	test_count=$((test_count + 1))
	# One missing && would let a failure pass: with a failing first command nothing else may decide the status.
	run_body "(exit 117) && $body" >"$TRASH/.chain" 2>&1 </dev/null
	if [ $? -ne 117 ]; then
		echo 'this test has a broken && chain' >"$TRASH/.log"
		status=1
	else
		run_body "$body" >"$TRASH/.log" 2>&1 7>&1 </dev/null
		status=$?
	fi
	if [ "$status" -eq 0 ]; then
		echo "ok $test_count - $sentence"
	else
		test_failed=$((test_failed + 1))
		echo "not ok $test_count - $sentence"
		# To stderr, as TAP has it: prove shows it also where it shows no more than a line a script.
		{ echo "not ok $test_count - $sentence" && echo "$body" && head -c 20000 "$TRASH/.log"; } | sed 's/^/# /' >&2
	fi
	cd "$TRASH" || exit 1
}

# test_expect_status N command…: the command ends with exactly this status. What it says goes where it would go anyway.
test_expect_status() {
	local expected=$1 status=0
	shift
	"$@" || status=$?
	[ "$status" -eq "$expected" ] && return 0
	echo "status $status, not $expected: $*" >&7
	return 1
}

test_done() {
	echo "1..$test_count"
	test_ended=yes
	[ -z "${SGIT_TEST_KEEP-}" ] || echo "# kept: $TRASH"
	[ "$test_failed" -eq 0 ]
	exit
}

# key_file NAME TEXT: a file only its owner can read that holds TEXT (a printf format), and no more than that.
key_file() {
	# shellcheck disable=SC2059
	(umask 077 && printf "$2" >"$1")
}

# fixture NAME: a private copy of a golden store as ./NAME, with NAME.key (its read key) and, where known, NAME.vault-key.
fixture() {
	cp -R "$FIXTURES/$1" . && chmod -R u+w "$1" &&
	(umask 077 && "$PYTHON" -S - "$1" <<-'PY')
		import json, sys
		facts = json.load(open(sys.argv[1] + "/vault.json", encoding="utf-8"))
		open(sys.argv[1] + ".key", "w").write(f"sgit_private_read_{facts['read_key']}:{facts['vault_id']}\n")
		"vault_key" in facts and open(sys.argv[1] + ".vault-key", "w").write(facts["vault_key"] + "\n")
	PY
}

# use STORE KEYFILE: the store and the key of every tool that follows; the key is on descriptor 3.
use() {
	exec 3<"$2" && export SGIT_STORE="$PWD/$1" SGIT_KEY_FD=3
}

# lab [ARGUMENT…]: runs the Python on stdin with everything of vaultlab.py at hand.
lab() {
	{ echo 'from vaultlab import *' && cat; } | "$PYTHON" -S - "$@"
}

# golden WHAT [ARGUMENT…]: what a golden store must give, from its vault.json and the lab's own reading; see golden.py.
golden() {
	"$PYTHON" -S "$TEST_DIRECTORY/golden.py" "$@"
}
