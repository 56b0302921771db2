#!/bin/bash
# Stores made to mislead, to stall or to fill memory, by someone who holds the read key or the folder.
# What each attack did before it was refused is told in its sentence.

. "$(dirname "$0")/test-lib.sh"

test_expect_success 'a key object that claims to be encrypted never makes a tool ask for a passphrase, nor read its input' - <<'END'
	openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -aes-256-cbc -pass pass:x -out encrypted.pem &&
	lab <<-'PY' &&
		store = Store("asks")
		store.write_key_file("asks.key")
		signer = store.signer()
		pem = open("encrypted.pem").read()
		store.write(signer.key_id, store.seal_document(stored_json({"type": "public", "pem": pem})))
		store.branch("current", store.commit(store.tree(), signer=signer))
		store.index()
	PY
	use asks asks.key && echo @ >in &&
	test_expect_status 1 setsid sgit-verify-commit --stdin <in >actual 2>err && test ! -s err &&
	test "$(cut -d' ' -f2 actual)" = no-key
END

test_expect_success 'a key on standard input is not read again as a name and shown' - <<'END'
	fixture linear && use linear linear.key && unset SGIT_KEY_FD &&
	for command in 'sgit-cat-object --batch-check' 'sgit-cat-object --batch-command' 'sgit-rev-list --stdin' 'sgit-verify-commit --stdin'; do
		test_expect_status 129 $command --key-fd 0 <linear.key >out 2>err || return 1
		test ! -s out && ! grep -q golden err || return 1
	done &&
	exec 4<linear.key && test_expect_status 129 sgit-cat-object --batch-check --key-fd 4 <&4 >out 2>err && exec 4<&-
END

test_expect_success 'folders that meet at more paths than can be walked are compared and listed at once' - <<'END'
	lab <<-'PY' &&
		store = Store("dag")
		store.write_key_file("dag.key")
		def levels(tree):
		    for _ in range(60):
		        tree = store.tree([store.folder("a", tree), store.folder("b", tree)])
		    return store.commit(tree)
		store.branch("current", levels(store.tree([store.file("f", "same")])))
		store.branch("again", levels(store.tree([store.file("f", "same")])))
		store.branch("hollow", levels(store.tree([])))
		store.index()
	PY
	use dag dag.key &&
	test "$(sgit-rev-list --objects @ | wc -l)" -eq 63 &&
	sgit-diff-tree -r --exit-code @ again >out && test ! -s out && sgit-diff-tree --exit-code @ again &&
	sgit-ls-tree -r hollow >out && test ! -s out &&
	test_expect_status 1 sgit-diff-tree --exit-code @ hollow >out && test "$(cut -c1 out | tr -d '\n')" = MM &&
	test_expect_status 1 sgit-verify-commit @ >out && test "$(cut -d' ' -f2 out)" = unsigned
END

test_expect_success 'ids chosen to share their first digits do not slow a walk down' - <<'END'
	lab <<-'PY' &&
		store = Store("flood")
		store.write_key_file("flood.key")
		parents = [f"obj-cas-imm-{'0' * 16}{number:016x}" for number in range(60_000)]
		store.branch("current", store.commit(store.tree(), parents))
		store.index()
	PY
	use flood flood.key && test "$(sgit-rev-list -n 1 @ | wc -l)" -eq 1 && test "$(sgit-rev-list --missing=allow-any --count @)" -eq 1
END

test_expect_success 'what a vault says cannot steer a terminal through a message' - <<'END'
	lab <<-'PY' &&
		store = Store("esc")
		store.write_key_file("esc.key")
		store.branch("current", store.commit(store.tree()))
		store.index(min_client="99.0.0\x1b]0;owned\x07\n\x1b[31m\u009b1m\u202e")
	PY
	use esc esc.key && test_expect_status 8 sgit-read-ref current 2>err &&
	test "$(LC_ALL=C tr -d '[:print:]\n' <err | wc -c)" -eq 0 &&
	test "$(wc -l <err)" -eq 2 && grep -q '99.0.0' err
END

test_expect_success 'a name with NUL, and a media type with a line feed, forge no record' - <<'END'
	lab >ids <<-'PY' &&
		store = Store("forge")
		store.write_key_file("forge.key")
		f = store.file("f", "1")
		print(store.tree([{**f, "name_enc": store.field("ok\0blob obj-cas-imm-000000000000\tforged")}]))
		print(store.tree([{**f, "content_type_enc": store.field("text/plain f\nblob forged")}]))
	PY
	{ read -r nul && read -r feed; } <ids && use forge forge.key &&
	test_expect_status 4 sgit-ls-tree -z "$nul" >out && test ! -s out &&
	sgit-ls-tree --format '%(objecttype) %(mediatype) %(path)' "$feed" >out && test "$(wc -l <out)" -eq 1 &&
	sgit-ls-tree -l "$feed" >out && test "$(wc -l <out)" -eq 1
END

test_expect_success 'a blob that carries the id of a tree hides nothing from --objects' - <<'END'
	lab >id <<-'PY' &&
		store = Store("mix")
		store.write_key_file("mix.key")
		inner = store.tree([store.file("secret", "x")])
		print(store.commit(store.tree([{**store.file("aaa", "y"), "blob_id": inner}, store.folder("real", inner)])))
	PY
	use mix mix.key && sgit-rev-list --objects "$(cat id)" | cut -f2 >actual && grep -qx real/secret actual
END

test_expect_success 'a small index that is large in memory is refused' - <<'END'
	lab <<-'PY' &&
		store = Store("wide")
		store.write_key_file("wide.key")
		store.branch("current", store.commit(store.tree()))
		store.index(b'{"branches": [], "tags": [' + b"{}," * 1_500_000 + b"{}]}")
	PY
	use wide wide.key && test_expect_status 4 sgit-branch-index 2>err && grep -q 'too many values' err
END

test_expect_success 'a file where a folder of the store should be is no absence' - <<'END'
	for folder in data refs indexes; do
		rm -rf linear && fixture linear && use linear linear.key &&
		rm -r "linear/bare/$folder" && : >"linear/bare/$folder" &&
		test_expect_status 128 sgit-rev-list --all >out 2>err && test ! -s out || return 1
	done
END

test_expect_success 'a ref of another name is not what the key is judged by' - <<'END'
	rm -rf linear && fixture linear && use linear linear.key && rm -r linear/bare/indexes &&
	head -c 69 /dev/urandom >linear/bare/refs/ref-pid-muw-000000000000 &&
	test_expect_status 4 sgit-read-ref --all >out 2>err && grep -q ref-pid-muw-000000000000 err
END

test_expect_success 'a file size limit ends in 128, with words' - <<'END'
	rm -rf linear && fixture linear && use linear linear.key &&
	test_expect_status 128 bash -c 'ulimit -f 0 && exec sgit-cat-object -t @ >limited 2>/dev/null' && test ! -s limited
END

test_expect_success 'a libcrypto whose configuration leaves it without AES ends in 128, with words' - <<'END'
	rm -rf linear && fixture linear && use linear linear.key &&
	printf '%s\n' 'openssl_conf = c' '[c]' 'providers = p' '[p]' 'base = b' '[b]' 'activate = 1' >bare.cnf &&
	test_expect_status 128 env SGIT_OPENSSL_CONF=1 OPENSSL_CONF="$PWD/bare.cnf" sgit-cat-object -t @ >out 2>err &&
	test ! -s out && grep -q AES-256-GCM err &&
	OPENSSL_CONF="$PWD/bare.cnf" sgit-cat-object -t @ >out
END

test_done
