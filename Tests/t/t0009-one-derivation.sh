#!/bin/bash
# How often the slow key derivation runs: once a pipeline.
. "$(dirname "$0")/test-lib.sh"

fixture linear && use linear linear.key || exit 1
one=1200000 # 600,000 rounds of two SHA-256 blocks

# derivations N command…: the command runs and all its processes together derive N keys.
derivations() {
	local expected=$1 blocks=no
	shift
	head -c 8 /dev/zero >count &&
	LD_PRELOAD=$PWD/count-kdf.so KDF_LOG=$PWD/count "$@" &&
	blocks=$(od -An -td8 count | tr -d ' ') &&
	# The first and last blocks of a derivation, and the odd HMAC, may go another way.
	test "$blocks" -ge $((expected * (one - 100))) -a "$blocks" -le $((expected * one + 1000)) && return
	echo "$blocks blocks, not $expected derivations" >&7
	return 1
}

test_expect_success 'there is a C compiler for the counter' - <<'END'
	compiler=$(command -v cc || command -v gcc || command -v clang) &&
	"$compiler" -O2 -Wall -Werror -shared -fPIC -o count-kdf.so "$TEST_DIRECTORY/count-kdf.c" -ldl
END

test_expect_success 'the counter counts: a vault key costs one derivation, --all two, a read key none' - <<'END'
	derivations 1 sgit-derive-keys --key-file linear.vault-key >read.key && cmp linear.key read.key &&
	derivations 2 sgit-derive-keys --all --key-file linear.vault-key >all &&
	derivations 0 sgit-derive-keys --all --key-file linear.key >all
END

test_expect_success 'a tool that is given a vault key derives once, whatever it reads' - <<'END'
	derivations 1 sgit-rev-list --key-file linear.vault-key --objects @ >objects &&
	derivations 1 sgit-verify-commit --key-file linear.vault-key @ @~1 @~2 >verdicts &&
	derivations 1 sgit-ls-tree -r --key-file linear.vault-key @ >files
END

test_expect_success 'a tool that needs no key derives nothing' - <<'END'
	derivations 0 sgit-cat-object --key-file linear.vault-key --sealed obj-cas-imm-1f9c063df47a >sealed &&
	derivations 0 sgit-cat-object --version >version
END

cat >pipeline <<'END'
set -o pipefail
umask 077
sgit-derive-keys --key-file linear.vault-key >derived.key && exec 3<derived.key && export SGIT_KEY_FD=3 || exit 1
names='%(objectname)'
sgit-read-ref current |
	sgit-rev-list --stdin |
	sgit-cat-object --batch-check --format="$names" | sgit-cat-object --batch-check --format="$names" |
	sgit-verify-commit --stdin | cut -d' ' -f1 |
	sgit-rev-list --stdin -n 4 | sgit-rev-list --stdin -n 3 | sgit-rev-list --stdin -n 2 | sgit-rev-list --stdin -n 1 |
	sgit-cat-object --batch-check --format="$names" | sgit-rev-list --stdin --objects | cut -f1 |
	sgit-cat-object --batch-check --format="$names" | sgit-cat-object --batch-check --format="$names" |
	sgit-cat-object --batch-check --format="$names" | sgit-cat-object --batch-check --format="$names" |
	sgit-cat-object --batch-check --format="$names" | sgit-cat-object --batch-check --format="$names" |
	sgit-cat-object --batch-check --format="$names" | sgit-cat-object --batch >objects
END

test_expect_success 'a reading pipeline of twenty steps runs one derivation in all' - <<'END'
	test "$(grep -o 'sgit-[a-z-]* ' pipeline | wc -l)" -eq 20 &&
	derivations 1 bash pipeline &&
	golden records <objects | sort >actual &&
	golden contents linear | sort >expected &&
	cmp expected actual
END

test_done
