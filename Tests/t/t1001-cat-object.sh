#!/bin/bash
# The forms of sgit-cat-object: what each prints, and how each ends.
. "$(dirname "$0")/test-lib.sh"

fixture linear && fixture tags && use linear linear.key || exit 1
head=obj-cas-imm-1f9c063df47a tree=obj-cas-imm-38a5cfa103a4 blob=obj-cas-imm-59c84bc2decf empty=obj-cas-imm-4bd1313d65fa
absent=obj-cas-imm-000000000000

test_expect_success 'a blob is printed as it is, with nothing added' - <<'END'
	printf '# Golden\n\nhello again\n' >expected &&
	sgit-cat-object -p "$blob" >actual &&
	cmp expected actual &&
	sgit-cat-object -p "$empty" >actual &&
	test ! -s actual
END

test_expect_success 'a megabyte of binary comes out whole' - <<'END'
	sgit-cat-object -p @:bin/noise.bin >actual &&
	test "$(wc -c <actual)" -eq 1048576 &&
	sha256sum actual | grep -q ^9dfe7edd203b
END

test_expect_success 'a tree is laid out as ls-tree -l' - <<'END'
	golden tree-lines linear "$tree" -l >expected &&
	sgit-cat-object -p "$tree" >actual &&
	cmp expected actual
END

test_expect_success '-t knows the four kinds' - <<'END'
	test "$(sgit-cat-object -t "$blob")" = blob &&
	test "$(sgit-cat-object -t "$tree")" = tree &&
	test "$(sgit-cat-object -t "$head")" = commit &&
	(use tags tags.key && test "$(sgit-cat-object -t obj-cas-imm-31133b42ba94)" = tag)
END

test_expect_success '-e says absent with 1 and prints nothing' - <<'END'
	test_expect_status 1 sgit-cat-object -e "$absent" >out 2>err &&
	test ! -s out && test ! -s err
END

test_expect_success 'every other form says absent with 6 and names the object' - <<'END'
	for form in -p -t -s --raw --json --sealed --header; do
		test_expect_status 6 sgit-cat-object "$form" "$absent" >out 2>err &&
		test ! -s out && grep -q "'$absent'" err && grep -q '^sgit-cat-object: ' err || return 1
	done
END

test_expect_success '--raw is the plaintext of any kind' - <<'END'
	lab >expected <<-PY &&
		store, _ = Store.of_fixture("linear")
		sys.stdout.buffer.write(b"".join(store.read(name) for name in ("$head", "$tree", "$blob")))
	PY
	{ sgit-cat-object --raw "$head" && sgit-cat-object --raw "$tree" && sgit-cat-object --raw "$blob"; } >actual &&
	cmp expected actual
END

test_expect_success '--sealed is the file, byte for byte, and needs no key' - <<'END'
	unset SGIT_KEY_FD &&
	sgit-cat-object --sealed "$head" >actual &&
	cmp "linear/bare/data/$head" actual &&
	sgit-cat-object --sealed 1f9c063d >actual &&
	cmp "linear/bare/data/$head" actual &&
	export SGIT_KEY_FD=3
END

test_expect_success '--header shows the layout of both versions and needs no key' - <<'END'
	lab <<-'PY' &&
		store = Store("small")
		store.write_key_file("small.key")
		for name, envelope in (("one", store.seal(b"five!", bytes(range(12)))), ("two", store.seal_deflated(b"five!" * 20))):
		    open(f"{name}.id", "w").write(store.put(envelope))
		    at = 5 if name == "two" else 0
		    open(f"{name}.header", "w").write(
		        f"version {1 + (name == 'two')}\nnonce {envelope[at:at + 12].hex()}\nciphertext {len(envelope) - at - 28}\n"
		        f"tag {envelope[-16:].hex()}\nsize {len(envelope)}\n")
	PY
	unset SGIT_KEY_FD &&
	for version in one two; do
		sgit-cat-object --store small --header "$(cat $version.id)" >actual &&
		cmp $version.header actual || return 1
	done &&
	export SGIT_KEY_FD=3
END

test_expect_success 'a branch name cannot be read without a key, also for --sealed' - <<'END'
	unset SGIT_KEY_FD &&
	test_expect_status 7 sgit-cat-object --sealed current &&
	export SGIT_KEY_FD=3
END

test_expect_success '--json of a blob and of a tree' - <<'END'
	printf '{"id":"%s","kind":"blob","size":22,"content_base64":"%s"}\n' "$blob" "$(base64 -w0 <<<$'# Golden\n\nhello again')" >expected &&
	sgit-cat-object --json "$blob" >actual &&
	golden same-json expected actual &&
	{
		printf '{"id":"%s","kind":"tree","size":%s,"entries":[' "$tree" "$(sgit-cat-object -s "$tree")" &&
		golden tree-lines linear "$tree" --json | paste -sd, | tr -d '\n' &&
		echo ']}'
	} >expected &&
	sgit-cat-object --json "$tree" >actual &&
	golden same-json expected actual &&
	test "$(wc -l <actual)" -eq 1
END

test_expect_success 'a tag is laid out with its commit and its name, as text and as JSON' - <<'END'
	use tags tags.key &&
	lab >expected.json <<-'PY' &&
		from golden import utc, as_json
		store, facts = Store.of_fixture("tags")
		tag = next(t for t in facts["tags"] if t["name"] == "v1.0")
		stored = store.document(tag["tag_id"])
		with open("expected", "w") as file:
		    file.write(f"commit {tag['commit_id']}\nname v1.0\nbranch {stored['tagger_branch']}\nkey {tag['tagger_key_id']}\n"
		               f"time {tag['timestamp_ms']}\nsignature {stored['signature']}\n\n{tag['message']}\n")
		as_json({"id": tag["tag_id"], "kind": "tag", "size": len(store.read(tag["tag_id"])), "commit": tag["commit_id"],
		         "name": "v1.0", "branch": stored["tagger_branch"], "key": tag["tagger_key_id"], "time": utc(tag["timestamp_ms"]),
		         "signature": stored["signature"], "message": tag["message"]})
	PY
	sgit-cat-object -p obj-cas-imm-31133b42ba94 >actual &&
	cmp expected actual &&
	sgit-cat-object --json obj-cas-imm-31133b42ba94 >actual &&
	golden same-json expected.json actual &&
	use linear linear.key
END

test_expect_success 'a file that imitates a commit is still given byte for byte by --raw and --batch' - <<'END'
	lab >fake.id <<-'PY' &&
		store = Store("imitation")
		store.write_key_file("imitation.key")
		text = b'{"schema": "commit_v1", "tree_id": 7}'
		open("fake", "wb").write(text)
		print(store.blob(text), end="")
	PY
	sgit-cat-object --store imitation --key-file imitation.key --raw "$(cat fake.id)" >actual &&
	cmp fake actual
END

test_done
