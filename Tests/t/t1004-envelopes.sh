#!/bin/bash
# Envelopes: both versions, for every kind of file, and the bounds on what they hold (FORMAT 3).
. "$(dirname "$0")/test-lib.sh"

cat >rows.py <<'END'
import subprocess
from vaultlab import *

def cat(store, key, name, *options):
    return subprocess.run(["sgit-cat-object", "--store", store, "--key-file", key, *(options or ["--raw"]), name], capture_output=True)
END

test_expect_success 'the rows of the vectors: opened, or refused with the right status (FORMAT 3.1)' - <<'END'
	lab <<-'PY'
		from rows import *
		for row in json.load(open(os.environ["VECTORS"] + "/crypto.json"))["envelopes"]["decrypt"]:
		    envelope = bytes.fromhex(row["envelope_hex"])
		    store = Store("rows", bytes.fromhex(row["key"]))
		    store.write_key_file("rows.key")
		    for width in (12, 32):
		        run = cat("rows", "rows.key", store.put(envelope, width))
		        if row["ok"]:
		            assert run.returncode == 0 and run.stdout == bytes.fromhex(row["plaintext_hex"]), (row["name"], run)
		            continue
		        # What no key could open, or what this key opened and is broken inside, is damage; else the key does not fit.
		        want = 4 if len(envelope) < 28 or row["name"].startswith("v2 authentic") else 3
		        assert run.returncode == want and not run.stdout, (row["name"], want, run)
	PY
END

test_expect_success 'documents of the JSON vectors open at both widths' - <<'END'
	lab <<-'PY'
		from rows import *
		rows = json.load(open(os.environ["VECTORS"] + "/json.json"))
		store = Store("documents", bytes.fromhex(rows["read_key"]))
		store.write_key_file("documents.key")
		for row in rows["documents"]:
		    for width in (12, 32):
		        name = store.put(bytes.fromhex(row["envelope_hex"]), width)
		        assert row.get(f"id{width}", name) == name, row
		        run = cat("documents", "documents.key", name)
		        assert run.stdout == row["plaintext"].encode() and run.returncode == 0, (row, run)
	PY
END

test_expect_success 'version 2 is accepted for every kind of file: tree, commit, tag, ref, index, key (FORMAT 3.1)' - <<'END'
	lab >names <<-'PY' &&
		store = Store("two")
		store.write_key_file("two.key")
		store.deflates_documents = True
		signer = store.signer()
		head = store.commit(store.tree([store.file("f", "text\n", deflate=True)]), signer=signer)
		store.branch("current", head)
		store.branch("local", head, kind="clone", key_id=signer.key_id, ref_id=store.local_ref)
		store.tag("v1", head, signer)
		store.index()
		for folder in os.listdir("two/bare"):
		    for name in os.listdir(f"two/bare/{folder}"):
		        assert store.stored(name).startswith(MAGIC), name
		print(head)
	PY
	use two two.key &&
	sgit-verify-commit @ >actual && test "$(cat actual)" = "$(cat names) verified" &&
	sgit-rev-list v1 >actual && cmp names actual &&
	test "$(sgit-cat-object -p @:f)" = text &&
	sgit-branch-index >actual && grep -q '^tag .* live' actual
END

test_expect_success 'bytes after the end of the zlib stream are ignored (FORMAT 3.1)' - <<'END'
	lab <<-'PY'
		from rows import *
		store = Store("after")
		store.write_key_file("after.key")
		run = cat("after", "after.key", store.put(store.seal_deflated(b"", zlib.compress(b"held") + b"more")))
		assert run.returncode == 0 and run.stdout == b"held", run
	PY
END

cat >measure.py <<'END'
"""Runs a command and writes its status and its peak memory in MiB to ./measured. This process stays small on purpose."""
import resource, subprocess, sys
run = subprocess.run(sys.argv[1:], close_fds=False)
with open("measured", "w") as file:
    print(run.returncode, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024, file=file)
END

test_expect_success 'a zlib bomb is refused with 4 before it takes its memory' - <<'END'
	lab >bomb.id <<-'PY' &&
		# Zeros, deflated: each mebibyte ends in a full flush, so the blocks can be repeated; 16 GiB in 16 MB.
		packer = zlib.compressobj(9, zlib.DEFLATED, -15)
		first = packer.compress(bytes(1 << 20)) + packer.flush(zlib.Z_FULL_FLUSH)
		count = 1 << 14
		adler = ((count << 20) % 65521) << 16 | 1
		stream = b"\x78\xda" + first * count + b"\x03\x00" + adler.to_bytes(4, "big")
		store = Store("bomb")
		store.write_key_file("bomb.key")
		name = store.put(store.seal_deflated(b"", stream))
		store.branch("current", store.commit(name))
		store.index()
		print(name)
	PY
	use bomb bomb.key &&
	size=$(($(wc -c <"bomb/bare/data/$(cat bomb.id)") >> 20)) &&
	for command in 'sgit-cat-object -s' sgit-ls-tree; do
		# shellcheck disable=SC2086
		"$PYTHON" -S measure.py $command "$(cat bomb.id)" >out && test ! -s out && read -r status peak <measured &&
		echo "$command: status $status, $peak MiB for an envelope of $size MiB" &&
		test "$status" -eq 4 && test "$peak" -le $((3 * size + 64)) || return 1
	done &&
	rm -r bomb
END

test_expect_success 'an honest, highly compressible blob of 64 MiB comes out whole' - <<'END'
	lab >zeros.id <<-'PY' &&
		store = Store("zeros")
		store.write_key_file("zeros.key")
		print(store.blob(bytes(64 << 20), deflate=True))
	PY
	sgit-cat-object --store zeros --key-file zeros.key --raw "$(cat zeros.id)" | sha256sum >actual &&
	head -c $((64 << 20)) /dev/zero | sha256sum >expected &&
	cmp expected actual
END

test_expect_success 'a tree of 1,000,000 entries takes at most three times its plaintext' - <<'END'
	lab >million.id <<-'PY' &&
		# Under one nonce AES-GCM is affine over GF(2): the envelope of p+s is E(p+0) ^ E(0+s) ^ E(0+0), so two
		# thousand encryptions make a million names. The format lets a reader take any nonce.
		store, nonce = Store("million"), bytes(12)
		store.write_key_file("million.key")
		def number(name):
		    return int.from_bytes(store.seal(name.encode(), nonce), "big")
		zero = number("000000")
		front = [number(f"{i:03d}000") for i in range(1000)]
		back = [number(f"000{i:03d}") ^ zero for i in range(1000)]
		def sealed_name(f, b):
		    return base64.b64encode((f ^ b).to_bytes(12 + 6 + 16, "big")).decode()
		assert store.opened_field(sealed_name(front[123], back[456])) == "123456"
		row = '{"blob_id": "obj-cas-imm-' + "0" * 32 + '", "name_enc": "%s"}'
		rows = ", ".join(row % sealed_name(f, b) for f in front for b in back)
		text = '{"schema": "tree_v1", "entries": [' + rows + "]}"
		print(store.put(store.seal(text.encode())), len(text) >> 20)
	PY
	read -r tree size <million.id && use million million.key &&
	for command in 'sgit-cat-object -p' 'sgit-ls-tree --name-only'; do
		# shellcheck disable=SC2086
		"$PYTHON" -S measure.py $command "$tree" >names && read -r status peak <measured &&
		echo "$command: status $status, $peak MiB for $size MiB" &&
		test "$status" -eq 0 && test "$peak" -le $((3 * size)) || return 1
	done &&
	seq -f %06.0f 0 999999 | cmp - names &&
	rm -r million names
END

test_expect_success 'folders nested 1,000 deep are listed, and 12,000 deep end no tool by a signal' - <<'END'
	lab >deep.ids <<-'PY' &&
		store = Store("deep")
		store.write_key_file("deep.key")
		tree = store.tree([store.file("leaf", "at the bottom\n")])
		for depth in range(1, 12_001):
		    tree = store.tree([store.folder("d", tree)])
		    if depth in (1_000, 12_000):
		        print(tree)
	PY
	{ read -r deep && read -r deeper; } <deep.ids && use deep deep.key &&
	sgit-ls-tree -r --name-only "$deep" >actual && printf 'd/%.0s' {1..1000} >expected && echo leaf >>expected && cmp expected actual &&
	sgit-cat-object -p "$deep:$(cat expected)" >actual && test "$(cat actual)" = 'at the bottom' &&
	sgit-rev-list --objects "$(lab <<<"print(Store('deep').commit('$deep'))")" >actual && test "$(wc -l <actual)" -eq 1003 &&
	for command in 'sgit-ls-tree -r' 'sgit-diff-tree -r '"$deep"; do
		# shellcheck disable=SC2086
		status=0 && { $command "$deeper" >out 2>err || status=$?; } && test "$status" -eq 0 -o "$status" -eq 4 || return 1
	done &&
	rm -r deep
END

test_done
