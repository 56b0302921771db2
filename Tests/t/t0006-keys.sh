#!/bin/bash
# How a key arrives, which strings are keys, and what is derived from them.
. "$(dirname "$0")/test-lib.sh"

fixture linear && fixture readkey && export SGIT_STORE="$PWD/linear" || exit 1
head=obj-cas-imm-1f9c063df47a
line=$(cat linear.key)

reads() { # the head of the store comes out, with the environment and options given
	"$@" >actual && test "$(cat actual)" = "$head"
}

test_expect_success 'the key comes from --key-file, --key-fd, SGIT_KEY_FILE or SGIT_KEY_FD' - <<'END'
	reads sgit-read-ref --key-file linear.key current &&
	reads sgit-read-ref --key-fd 5 current 5<linear.key &&
	reads env SGIT_KEY_FILE=linear.key sgit-read-ref current &&
	reads env SGIT_KEY_FD=6 sgit-read-ref current 6<linear.key
END

test_expect_success 'a vault key does as well as a read key' - <<'END'
	reads sgit-read-ref --key-file linear.vault-key current
END

test_expect_success 'options win over the environment' - <<'END'
	reads env SGIT_KEY_FILE=readkey.key sgit-read-ref --key-file linear.key current &&
	reads env SGIT_KEY_FILE=readkey.key sgit-read-ref --key-fd 5 current 5<linear.key &&
	reads env SGIT_KEY_FD=6 sgit-read-ref --key-file linear.key current 6<readkey.key
END

test_expect_success '--key-file with --key-fd is a usage error' - <<'END'
	test_expect_status 129 sgit-read-ref --key-file linear.key --key-fd 5 current 5<linear.key
END

test_expect_success 'a pipe serves as --key-fd' - <<'END'
	cat linear.key | reads sgit-read-ref --key-fd 0 current
END

test_expect_success 'a regular file is read from its start, however far its descriptor has been read' - <<'END'
	exec 5<linear.key &&
	cat <&5 >read-to-the-end &&
	reads sgit-read-ref --key-fd 5 current &&
	reads sgit-read-ref --key-fd 5 current &&
	exec 5<&-
END

test_expect_success 'many processes of one pipeline share descriptor 3' - <<'END'
	exec 3<linear.key && export SGIT_KEY_FD=3 &&
	sgit-read-ref current | sgit-rev-list --stdin | sgit-cat-object --batch-check --format='%(objectname)' |
		sgit-verify-commit --stdin | cut -d' ' -f1 | sgit-rev-list --stdin | sgit-cat-object --batch-check | wc -l >actual &&
	test "$(cat actual)" -eq 6 &&
	unset SGIT_KEY_FD && exec 3<&-
END

test_expect_success 'no key anywhere is 7, at once' - <<'END'
	for tool in sgit-cat-object\ -p sgit-ls-tree sgit-read-ref sgit-rev-list sgit-verify-commit; do
		# shellcheck disable=SC2086
		test_expect_status 7 $tool "$head" >out 2>err &&
		test ! -s out && grep -q 'key' err || return 1
	done &&
	test_expect_status 7 sgit-branch-index
END

test_expect_success 'a key file that is not there is 128 and is named' - <<'END'
	test_expect_status 128 sgit-read-ref --key-file no/such.key current 2>err &&
	grep -q "'no/such.key'" err
END

test_expect_success 'a descriptor that is not open is 128' - <<'END'
	test_expect_status 128 sgit-read-ref --key-fd 9 current 9<&-
END

test_expect_success 'a key file that group or others can read is refused with 8 unless insisted on' - <<'END'
	cp linear.key open.key &&
	for mode in 640 604 644 660 602; do
		chmod "$mode" open.key &&
		test_expect_status 8 sgit-read-ref --key-file open.key current 2>err &&
		grep -q -e --insecure-key-file err && grep -q "'open.key'" err &&
		test_expect_status 8 env SGIT_KEY_FILE=open.key sgit-read-ref current &&
		reads sgit-read-ref --insecure-key-file --key-file open.key current || return 1
	done &&
	chmod 400 open.key &&
	reads sgit-read-ref --key-file open.key current
END

test_expect_success 'one final LF or CRLF is taken off' - <<'END'
	key_file bare.key "$line" && reads sgit-read-ref --key-file bare.key current &&
	key_file lf.key "$line\n" && reads sgit-read-ref --key-file lf.key current &&
	key_file crlf.key "$line\r\n" && reads sgit-read-ref --key-file crlf.key current
END

test_expect_success 'any other CR or LF is refused with 3, and the key is not shown' - <<'END'
	for text in "$line\n\n" "\n$line" "$line\r" "$line\r\n\r\n" "$line\n\r" "$line\nmore\n" "\r\n" "\n" ""; do
		key_file odd.key "$text" &&
		test_expect_status 3 sgit-read-ref --key-file odd.key current >out 2>err &&
		test ! -s out && ! grep -q "${line#*read_}" err || return 1
	done
END

test_expect_success 'a key longer than any key can be is refused' - <<'END'
	(umask 077 && head -c 3000000 /dev/zero | tr '\0' a >long.key) &&
	test_expect_status 3 sgit-read-ref --key-file long.key current
END

test_expect_success 'a passphrase that is not UTF-8, or holds a NUL, is answered without a crash' - <<'END'
	for text in '\377\376:abcd1234' 'a\0b:abcd1234'; do
		key_file bytes.key "$text" &&
		status=0 && { sgit-derive-keys <bytes.key >out 2>err || status=$?; } &&
		test "$status" -eq 0 -o "$status" -eq 3 || return 1
	done
END

test_expect_success 'every spelling of a key is taken or refused as the format says (FORMAT 1.1 to 1.3, 1.5)' - <<'END'
	lab <<-'PY'
		import functools, subprocess
		stretched = functools.cache(stretch)
		rows = [row["input"] for row in json.load(open(os.environ["VECTORS"] + "/crypto.json"))["key_strings"]]
		rows += ["blue-fox-1234", "sgit_rk1_" + "AB" * 32 + ":abcd1234", "sgit_private_vault_:abcd1234", "\u00a0pass:abcd1234\u2003"]
		for text in rows:
		    want = parse_key(text)
		    run = subprocess.run(["sgit-derive-keys"], input=text.encode(), capture_output=True)
		    if want is None:
		        assert run.returncode == 3 and not run.stdout and run.stderr, (text, run)
		        continue
		    kind, key, vault_id = want
		    key = key if kind == "read" else stretched(key, vault_id)
		    assert run.returncode == 0 and run.stdout.decode() == f"sgit_private_read_{key.hex()}:{vault_id}\n", (text, run)
	PY
END

test_expect_success 'sgit-derive-keys --all gives every value of the vectors, composed and decomposed spellings apart (FORMAT 1.4, 2)' - <<'END'
	lab <<-'PY'
		import subprocess
		for row in json.load(open(os.environ["VECTORS"] + "/crypto.json"))["keys"]:
		    text = f"sgit_private_vault_{row['passphrase']}:{row['vault_id']}\n"
		    names = [("vault-id", row["vault_id"]), ("read-key", row["read_key"]), ("write-key", row["write_key"]),
		             ("structure-key", row["structure_key"]), ("ref-id", row["ref_file_id"]), ("index-id", row["branch_index_file_id"]),
		             ("local-ref-id", row["initial_clone_ref_id"]), ("fallback-branch-id", row["fallback_branch_id"])]
		    run = subprocess.run(["sgit-derive-keys", "--all"], input=text.encode(), capture_output=True, check=True)
		    assert run.stdout.decode() == "".join(f"{name} {value}\n" for name, value in names), (row, run.stdout)
		    read = subprocess.run(["sgit-derive-keys", "--all"], input=f"{row['read_key']}:{row['vault_id']}".encode(),
		                          capture_output=True, check=True)
		    assert read.stdout.decode() == "".join(f"{name} {value}\n" for name, value in names if name != "write-key")
		as_json = subprocess.run(["sgit-derive-keys", "--json"], input=text.encode(), capture_output=True, check=True).stdout
		assert json.loads(as_json, object_pairs_hook=list) == [(name.replace("-", "_"), value) for name, value in names]
		as_json = subprocess.run(["sgit-derive-keys", "--json"], input=f"{row['read_key']}:{row['vault_id']}".encode(),
		                         capture_output=True, check=True).stdout
		assert json.loads(as_json)["write_key"] is None
	PY
END

test_expect_success 'sgit-derive-keys takes the key options first and stdin otherwise, and its output is a key' - <<'END'
	sgit-derive-keys --key-file linear.vault-key </dev/null >derived &&
	cmp linear.key derived &&
	sgit-derive-keys <linear.vault-key >derived &&
	cmp linear.key derived &&
	SGIT_KEY_FILE=linear.vault-key sgit-derive-keys </dev/null >derived &&
	cmp linear.key derived &&
	sgit-derive-keys <linear.vault-key | sgit-derive-keys | reads sgit-read-ref --key-fd 0 current
END

test_expect_success 'the read-only key of a golden store reads it' - <<'END'
	sed -n 's/.*"read_only_key": "\(.*\)".*/\1/p' readkey/vault.json >plain.key && chmod 600 plain.key &&
	sgit-read-ref --store readkey --key-file plain.key current >actual &&
	test -s actual
END

test_done
