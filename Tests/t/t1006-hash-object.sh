#!/bin/bash
# sgit-hash-object: what is sealed, what it is called, what is stored, and what is never overwritten.
. "$(dirname "$0")/test-lib.sh"

for name in $GOLDEN; do
	fixture "$name" || exit 1
done
use linear linear.key && printf 'hello\n' >hello || exit 1

still() { # every file of a store, with all that a write would change
	find "$1/bare" -type f -printf '%P %i %m %s %T@ %C@\n' | sort
}

# opened STORE ID: the plaintext, as the lab opens it
opened() {
	lab "$@" <<-'PY'
		store = Store.at(sys.argv[1], sys.argv[1] + ".key")
		sys.stdout.buffer.write(store.read(sys.argv[2]))
	PY
}

test_expect_success 'without -w an id is printed, another one each time, and nothing is stored' - <<'END'
	still linear >before &&
	sgit-hash-object hello >one 2>err && test ! -s err && sgit-hash-object hello >two &&
	grep -Exq 'obj-cas-imm-[0-9a-f]{12}' one && test "$(wc -l <one)" -eq 1 && ! cmp -s one two &&
	still linear >after && cmp before after
END

test_expect_success 'with -w the blob is stored: the lab opens it and the reading tools show it' - <<'END'
	sgit-hash-object -w hello >id 2>err && test ! -s err && id=$(cat id) &&
	opened linear "$id" >actual && cmp hello actual &&
	sgit-cat-object --raw "$id" >actual && cmp hello actual && test "$(sgit-cat-object -t "$id")" = blob
END

test_expect_success 'an empty file is an envelope of 28 bytes, and five MiB come back' - <<'END'
	: >empty && sgit-hash-object -w empty >id && test "$(stat -c %s "linear/bare/data/$(cat id)")" -eq 28 &&
	head -c 5242880 /dev/urandom >large && sgit-hash-object -w large >id && opened linear "$(cat id)" | cmp large -
END

test_expect_success 'standard input comes first, then the files in order' - <<'END'
	echo one >1 && echo two >2 && echo in >0 &&
	sgit-hash-object -w --stdin 1 2 1 <0 >ids && test "$(wc -l <ids)" -eq 4 && test "$(sort -u ids | wc -l)" -eq 4 &&
	while read -r id; do sgit-cat-object --raw "$id" || return 1; done <ids >actual &&
	printf 'in\none\ntwo\none\n' >expected && cmp expected actual
END

test_expect_success '-z ends ids with NUL' - <<'END'
	sgit-hash-object -w -z 1 2 >ids && test "$(tr -dc '\0' <ids | wc -c)" -eq 2 && test "$(tr -dc '\n' <ids | wc -c)" -eq 0 &&
	tr '\0' '\n' <ids | sgit-cat-object --batch-check >actual && test "$(grep -c ' blob 4$' actual)" -eq 2
END

test_expect_success 'a commit and a tag are sealed with a nonce of their own each time, and read as what they are' - <<'END'
	sgit-cat-object --raw @ >commit.json &&
	sgit-hash-object -w -t commit commit.json >one && sgit-hash-object -w -t commit commit.json >two && ! cmp -s one two &&
	opened linear "$(cat one)" | cmp commit.json - && test "$(sgit-cat-object -t "$(cat two)")" = commit &&
	sgit-cat-object -p @ >expected && sgit-cat-object -p "$(cat one)" >actual && cmp expected actual &&
	use tags tags.key && tag=$(sgit-branch-index | sed -n 's/^tag \(obj[^ ]*\) live.*/\1/p' | head -n 1) &&
	sgit-cat-object --raw "$tag" >tag.json && sgit-hash-object -w -t tag tag.json >id &&
	opened tags "$(cat id)" | cmp tag.json - && test "$(sgit-cat-object -t "$(cat id)")" = tag && use linear linear.key
END

test_expect_success 'a tree has one id however often it is sealed' - <<'END'
	sgit-cat-object --raw '@^{tree}' >tree.json && sgit-hash-object -t tree tree.json >one &&
	sgit-hash-object -t tree --stdin <tree.json >two && cmp one two && sgit-ls-tree -d -r --format='%(objectname)' @ >ids &&
	printf '{"schema": "tree_v1", "entries": []}' >empty.json && sgit-hash-object -w -t tree empty.json >id &&
	lab <<-'PY'
		store = Store.at("linear", "linear.key")
		assert open("id").read() == object_id(store.seal_same(open("empty.json", "rb").read())) + "\n"
	PY
END

for name in $GOLDEN; do
	test_expect_success "$name: every tree, opened and sealed again, is the tree that is there, and no file is touched" - <<-'END'
		use "$name" "$name.key" && sgit-rev-list --all --objects | cut -f1 | sgit-cat-object --batch-check >objects &&
		sed -n 's/ tree .*//p' objects >trees && test -s trees &&
		while read -r tree; do
			sgit-cat-object --raw "$tree" >plain && still "$name" | grep "$tree" >before &&
			sgit-hash-object -t tree --stdin -w <plain >id && id=$(cat id) &&
			case $id in "$tree"*) ;; *) echo "$tree is $id" && return 1 ;; esac &&
			still "$name" | grep "$tree" | head -n 1 | cmp before - || return 1
		done <trees && use linear linear.key
	END
done

test_expect_success 'an id has the width that the format asks for' - <<'END'
	mkdir -p new/bare/data && key_file new.key "sgit_private_read_$(printf '%064d' 7):newvault1\n" &&
	sgit-hash-object -w --store new --key-file new.key hello >id && grep -Exq 'obj-cas-imm-[0-9a-f]{12}' id &&
	sgit-hash-object -w --store format2 --key-file format2.key hello >id && grep -Exq 'obj-cas-imm-[0-9a-f]{32}' id &&
	opened format2 "$(cat id)" | cmp hello -
END

test_expect_success 'folders below bare are made where they are missing, a store is not' - <<'END'
	mkdir -p bare-refs/bare/refs && cp new.key bare-refs.key &&
	sgit-hash-object -w --store bare-refs --key-file new.key hello >id && opened bare-refs "$(cat id)" | cmp hello - &&
	test_expect_status 128 sgit-hash-object -w --store nowhere --key-file new.key hello >out 2>err && test ! -s out && test ! -e nowhere &&
	mkdir -p hollow && test_expect_status 128 sgit-hash-object -w --store hollow --key-file new.key hello && test ! -e hollow/bare &&
	mkdir hollow/bare && test_expect_status 128 sgit-hash-object -w --store hollow --key-file new.key hello && test ! -e hollow/bare/data
END

test_expect_success 'a blob is deflated with the feature blob-deflate alone, and where that makes it shorter' - <<'END'
	use deflate deflate.key && seq 1000 >digits && head -c 100 /dev/urandom >noise &&
	version() { sgit-cat-object --header "$1" | sed -n 's/^version //p'; } &&
	sgit-hash-object -w digits noise empty >ids && { read -r digits && read -r noise && read -r empty; } <ids &&
	test "$(version "$digits")" = 2 && test "$(version "$noise")" = 1 && test "$(version "$empty")" = 1 &&
	test "$(stat -c %s "deflate/bare/data/$digits")" -lt "$(stat -c %s digits)" &&
	opened deflate "$digits" | cmp digits - && opened deflate "$noise" | cmp noise - &&
	sgit-cat-object --raw '@^{tree}' >plain && sgit-hash-object -w -t tree plain >id && test "$(version "$(cat id)")" = 1 &&
	sgit-cat-object --raw @ >plain && sgit-hash-object -w -t commit plain >id && test "$(version "$(cat id)")" = 1 &&
	use linear linear.key && sgit-hash-object -w digits >id && test "$(version "$(cat id)")" = 1
END

test_expect_success 'deflated or not is decided by the byte: the mark counts' - <<'END'
	lab <<-'PY' &&
		want = {5: "even", 6: "shorter"}
		for zeros in range(2000):
		    plain = bytes(range(256)) + bytes(zeros % 40) + hashlib.sha256(str(zeros).encode()).digest()
		    gain = len(plain) - len(zlib.compress(plain, 6))
		    if gain in want:
		        open(want.pop(gain), "wb").write(plain)
		assert not want
	PY
	sgit-hash-object -w --store deflate --key-file deflate.key even shorter >ids && { read -r even && read -r shorter; } <ids &&
	sgit-cat-object --store deflate --header "$even" | grep -qx 'version 1' &&
	sgit-cat-object --store deflate --header "$shorter" | grep -qx 'version 2' &&
	opened deflate "$shorter" | cmp shorter -
END

test_expect_success '--stdin-paths takes a path a line, quoted where it begins with a quote, and with -z any path' - <<'END'
	lab <<-'PY' &&
		os.mkdir("odd")
		names = [b"plain", b"sp ace ", b"tab\t", b"new\nline", b'in"side', b'"lead', b"back\\slash", "caf\u00e9".encode(), "\U0001f680".encode(), b"\x01"]
		paths = [b"odd/" + name for name in names] + [b'"top']
		for path in paths:
		    open(path, "wb").write(b"in " + path)
		def quoted(path):
		    text = quote(path)
		    return text.encode() if text.startswith('"') else path
		open("paths", "wb").write(b"".join(quoted(path) + b"\n" for path in paths))
		open("raw", "wb").write(b"".join(path + b"\n" for path in paths if b"\n" not in path and not path.startswith(b'"')))
		open("paths.z", "wb").write(b"".join(path + b"\0" for path in paths))
		open("expected", "wb").write(b"".join(b"in " + path + b"\n" for path in paths))
		open("expected.raw", "wb").write(b"".join(b"in " + path + b"\n" for path in paths if b"\n" not in path and not path.startswith(b'"')))
	PY
	contents() { while read -r id; do sgit-cat-object --raw "$id" && echo || return 1; done; } &&
	sgit-hash-object -w --stdin-paths <paths >ids && contents <ids >actual && cmp expected actual &&
	sgit-hash-object -w --stdin-paths <raw >ids && contents <ids >actual && cmp expected.raw actual &&
	sgit-hash-object -w --stdin-paths -z <paths.z >ids.z && tr '\0' '\n' <ids.z >ids && contents <ids >actual && cmp expected actual &&
	printf hello >in && sgit-hash-object -w --stdin-paths <in >ids && contents <ids >actual && printf 'hello\n\n' | cmp - actual &&
	sgit-hash-object --stdin-paths </dev/null >ids && test ! -s ids
END

test_expect_success 'a path need not be UTF-8: with -z, quoted, and as it is' - <<'END'
	name=$(printf 'odd/\377\376') && printf latin >"$name" && printf '"odd/\\377\\376"\n' >paths && printf '%s\0' "$name" >paths.z && printf '%s\n' "$name" >raw &&
	sgit-hash-object -w --stdin-paths -z <paths.z >id && opened linear "$(tr -d '\0' <id)" | cmp "$name" - &&
	sgit-hash-object -w --stdin-paths <raw >id && opened linear "$(cat id)" | cmp "$name" - &&
	sgit-hash-object -w --stdin-paths <paths >id && opened linear "$(cat id)" | cmp "$name" -
END

test_expect_success 'a path that is quoted badly is 128, with nothing printed and nothing stored' - <<'END'
	still linear >before &&
	for path in '"hello' '"hel"lo' '"hello" ' '"\q"' '"\1"' '"\400"' '"'; do
		printf '%s\n' "$path" >in && test_expect_status 128 sgit-hash-object -w --stdin-paths <in >out && test ! -s out || return 1
	done && still linear >after && cmp before after
END

test_expect_success 'a file that is not there is 6, a folder 128; both are named' - <<'END'
	still linear >before && mkdir -p folder &&
	test_expect_status 6 sgit-hash-object -w no/such >out 2>err && test ! -s out && grep -q "'no/such'" err &&
	test_expect_status 128 sgit-hash-object -w folder >out 2>err && test ! -s out && grep -q "'folder'" err &&
	test_expect_status 6 sgit-hash-object no/such && test_expect_status 128 sgit-hash-object folder &&
	echo folder >in && test_expect_status 128 sgit-hash-object -w --stdin-paths <in &&
	still linear >after && cmp before after
END

test_expect_success 'what was done before an error is stored and printed' - <<'END'
	test_expect_status 6 sgit-hash-object -w 1 2 no/such hello >ids 2>err && test "$(wc -l <ids)" -eq 2 &&
	{ read -r one && read -r two; } <ids && opened linear "$one" | cmp 1 - && opened linear "$two" | cmp 2 - &&
	printf '1\nno/such\n2\n' >in && test_expect_status 6 sgit-hash-object -w --stdin-paths <in >ids 2>err &&
	test "$(wc -l <ids)" -eq 1 && opened linear "$(cat ids)" | cmp 1 -
END

test_expect_success 'what does not decode as the kind that is asked for is 128, and nothing is stored' - <<'END'
	still linear >before && lab <<-'PY' && still linear >after && cmp before after
		import subprocess
		entry = {"blob_id": "obj-cas-imm-000000000000", "tree_id": None, "name_enc": "AAAA", "size_enc": None, "content_hash_enc": None,
		         "content_type_enc": None, "large": False}
		tree = lambda **members: stored_json({"schema": "tree_v1", "entries": [{**entry, **members}]})
		rows = {"tree": [b"", b"hello", b"[]", b"{}", b'{"entries": {}}', b'{"schema": "tree_v1", "entries": [', tree(blob_id="obj-cas-imm-00000000000"),
		                 tree(blob_id="../../x"), tree(blob_id="OBJ-CAS-IMM-000000000000"), b'{"entries": []} x', b"\xff\xfe", b"[" * 100],
		        "commit": [b"", b"hello", b"[]", b"{}", b'{"tree_id": null}', b'{"tree_id": "x"}', b'{"tree_id": ',
		                   b'{"tree_id": "obj-cas-imm-000000000000", "timestamp_ms": -1}'],
		        "tag": [b"", b"hello", b"[]", b'{"name": ']}
		for kind, texts in rows.items():
		    for text in texts:
		        run = subprocess.run(["sgit-hash-object", "-w", "-t", kind, "--stdin"], input=text, capture_output=True, pass_fds=(3,))
		        assert run.returncode == 128 and not run.stdout and run.stderr, (kind, text, run)
	PY
END

test_expect_success 'the smallest documents that can be read can be stored' - <<'END'
	printf '{"tree_id": "obj-cas-imm-000000000000"}' >in && sgit-hash-object -w -t commit in >id && opened linear "$(cat id)" | cmp in - &&
	printf '{"entries": []}' >in && sgit-hash-object -w -t tree in >id && opened linear "$(cat id)" | cmp in -
END

test_expect_success 'other bytes under the name of a tree are never overwritten: 4, by name' - <<'END'
	printf '{"schema": "tree_v1", "entries": [] }' >in && id=$(sgit-hash-object -t tree in) && file=linear/bare/data/$id && test ! -e "$file" &&
	for other in 'something else' ''; do
		printf '%s' "$other" >"$file" && still linear >before &&
		test_expect_status 4 sgit-hash-object -w -t tree in >out 2>err && test ! -s out && grep -q "$id" err &&
		still linear >after && cmp before after || return 1
	done && rm "$file" && sgit-hash-object -w -t tree in >out && test "$(cat out)" = "$id" && opened linear "$id" | cmp in -
END

test_expect_success 'the same bytes are left alone' - <<'END'
	still linear >before && sgit-hash-object -w -t tree in >out && test "$(cat out)" = "$id" && still linear >after && cmp before after
END

test_expect_success 'a file of the store has mode 0644 less the umask' - <<'END'
	for pair in 000:644 022:644 027:640 077:600; do
		(umask "${pair%:*}" && sgit-hash-object -w hello >id) && test "$(stat -c %a "linear/bare/data/$(cat id)")" = "${pair#*:}" || return 1
	done
END

test_expect_success 'a store that needs a newer tool is 8, and nothing is written' - <<'END'
	lab <<-'PY' &&
		for root, gate in (("late", {"min_client": "99.0.0"}), ("newer", {"format": 3})):
		    store = Store(root, width=12)
		    store.write_key_file(root + ".key")
		    store.branch("current", store.commit(store.tree()))
		    store.index(**gate)
	PY
	for root in late newer; do
		still "$root" >before && test_expect_status 8 sgit-hash-object -w --store "$root" --key-file "$root.key" hello >out &&
		test ! -s out && still "$root" >after && cmp before after || return 1
	done
END

test_expect_success 'the key of another vault is 3, a damaged index 4, no key 7: and nothing is written' - <<'END'
	still linear >before && test_expect_status 3 sgit-hash-object -w --key-file tags.key hello >out && test ! -s out &&
	test_expect_status 7 env -u SGIT_KEY_FD sgit-hash-object -w hello >out && test ! -s out && still linear >after && cmp before after &&
	cp -R linear harmed && lab <<<"flip('harmed/bare/indexes/idx-pid-muw-98664118dc2f', 50)" && still harmed >before &&
	test_expect_status 4 sgit-hash-object -w --store harmed hello >out && test ! -s out && still harmed >after && cmp before after
END

test_expect_success 'a call that says nothing to do, or two things at once, is a usage error' - <<'END'
	test_expect_status 129 sgit-hash-object && test_expect_status 129 sgit-hash-object -w &&
	test_expect_status 129 sgit-hash-object -t nonsense hello && test_expect_status 129 sgit-hash-object -t &&
	test_expect_status 129 sgit-hash-object --stdin --stdin-paths && test_expect_status 129 sgit-hash-object --stdin-paths hello
END

test_expect_success 'a file past 2 GiB is 128, and is not read to the end first' - <<'END'
	truncate -s 2147483649 past && still linear >before &&
	test_expect_status 128 timeout 20 sgit-hash-object -w past >out 2>err && test ! -s out && still linear >after && cmp before after && rm past
END

test_expect_success 'output that cannot be written is 128' - <<'END'
	test_expect_status 128 sgit-hash-object -w hello >/dev/full 2>err && grep -q '^sgit-hash-object: ' err &&
	test_expect_status 128 sgit-hash-object hello >&- 2>err
END

test_expect_success 'five thousand files in one call: every one is stored, in order, and opens' - <<'END'
	lab <<-'PY' &&
		os.mkdir("many")
		with open("many.z", "wb") as paths:
		    for number in range(5000):
		        open(f"many/{number}", "w").write(f"the contents of {number}\n" * (number % 7))
		        paths.write(b"many/%d\0" % number)
	PY
	sgit-hash-object -w --stdin-paths -z <many.z >ids 2>err && test ! -s err && lab <<-'PY'
		store = Store.at("linear", "linear.key")
		ids = open("ids").read().split("\0")[:-1]
		assert len(ids) == len(set(ids)) == 5000
		for number, name in enumerate(ids):
		    assert store.read(name).decode() == f"the contents of {number}\n" * (number % 7), number
	PY
END

test_expect_success 'ids come whenever the next name would be waited for, each once its object is stored' - <<'END'
	lab <<-'PY'
		import subprocess
		store = Store.at("linear", "linear.key")
		tool = subprocess.Popen(["sgit-hash-object", "-w", "--stdin-paths"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, pass_fds=(3,), bufsize=0)
		for name in ("1", "hello", "2"):
		    tool.stdin.write(name.encode() + b"\n")
		    assert store.read(tool.stdout.readline().decode().strip()) == open(name, "rb").read()
		tool.stdin.close()
		assert tool.wait(20) == 0
	PY
END

test_expect_success 'many objects are flushed together, not one by one' - <<'END'
	head -z -n 500 many.z >some.z && strace -f -qq -o calls -e trace=fsync,fdatasync,syncfs,sync sgit-hash-object -w --stdin-paths -z <some.z >ids &&
	grep -c sync calls >number && test "$(cat number)" -ge 1 && test "$(cat number)" -le 50
END

test_expect_success 'nothing is left over in any store' - <<'END'
	lab $GOLDEN new bare-refs harmed late newer <<-'PY'
		for root in sys.argv[1:]:
		    store = Store.at(root, {"harmed": "linear.key"}.get(root, root + ".key"))
		    assert not store.strangers(), (root, store.strangers())
		    assert root in ("harmed", "linear") or store.check() is not None
	PY
END

test_done
