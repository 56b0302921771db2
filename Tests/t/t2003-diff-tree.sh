#!/bin/bash
# sgit-diff-tree: which paths differ, by content.
. "$(dirname "$0")/test-lib.sh"

#	old             new
#	a      1        a      1, sealed anew: no difference
#	b      1        b      2
#	c      1        -
#	-               d      1
#	e      1        e/x    1: a file became a folder
#	f/x    1        f      1: a folder became a file
#	g/h/i  1        g/h/i  2
#	k/l    1        k/l    1, sealed anew
#	-               m/n    1
#	t      1        t      1, of another media type
lab >ids <<'END'
store = Store("s")
store.write_key_file("s.key")
def tree(files):
    return store.tree_of({path: data.encode() for path, data in files.items()})
old = tree({"a": "1", "b": "1", "c": "1", "e": "1", "f/x": "1", "g/h/i": "1", "k/l": "1"})
new = tree({"a": "1", "b": "2", "d": "1", "e/x": "1", "f": "1", "g/h/i": "2", "k/l": "1", "m/n": "1"})
head = store.commit(new, [store.commit(old)])
store.branch("current", head)
store.index()
print(old, new, store.tree([store.file("t", "1")]), store.tree([store.file("t", "1", "image/png")]), store.tree())
def paths(root):
    return {path: entry["blob_id"] or entry["tree_id"] for path, _, entry in store.walk(root)}
was, now = paths(old), paths(new)
def rows(what, z=False):
    return "".join(f"{status} {was.get(path, '-') if status != 'A' else '-'} {now.get(path, '-') if status != 'D' else '-'}\t{path}\n"
                   for status, path in what)
flat = [("M", "b"), ("D", "c"), ("A", "d"), ("T", "e"), ("T", "f"), ("M", "g"), ("A", "m")]
deep = [("M", "b"), ("D", "c"), ("A", "d"), ("D", "e"), ("A", "e/x"), ("A", "f"), ("D", "f/x"), ("M", "g/h/i"), ("A", "m/n")]
for name, what in (("flat", flat), ("deep", deep)):
    open(name, "w").write(rows(what))
    open(name + ".z", "w").write(rows(what).replace("\n", "\0"))
    open(name + ".names", "w").write("".join(f"{status}\t{path}\n" for status, path in what))
    open(name + ".names.z", "w").write("".join(f"{status}\0{path}\0" for status, path in what))
    with open(name + ".json", "w") as file:
        for row in rows(what).splitlines():
            status, before, after = row.split("\t")[0].split()
            print(json.dumps({"status": status, "old": None if before == "-" else before, "new": None if after == "-" else after,
                              "path": row.split("\t")[1]}), file=file)
END
read -r old new plain typed nothing <ids && use s s.key || exit 1

test_expect_success 'without -r a folder is one record; files that are equal by content are none' - <<'END'
	sgit-diff-tree "$old" "$new" >actual && cmp flat actual
END

test_expect_success '-r names files only, and a file that became a folder is removed and added' - <<'END'
	sgit-diff-tree -r "$old" "$new" >actual && cmp deep actual
END

test_expect_success '-z, --name-status, both, and --json, with and without -r' - <<'END'
	sgit-diff-tree -z "$old" "$new" >actual && cmp flat.z actual &&
	sgit-diff-tree -r -z "$old" "$new" >actual && cmp deep.z actual &&
	sgit-diff-tree --name-status "$old" "$new" >actual && cmp flat.names actual &&
	sgit-diff-tree -r --name-status "$old" "$new" >actual && cmp deep.names actual &&
	sgit-diff-tree -z --name-status "$old" "$new" >actual && cmp flat.names.z actual &&
	sgit-diff-tree -r -z --name-status "$old" "$new" >actual && cmp deep.names.z actual &&
	sgit-diff-tree --json "$old" "$new" >actual && golden same-json flat.json actual &&
	sgit-diff-tree -r --json "$old" "$new" >actual && golden same-json deep.json actual
END

test_expect_success 'commits stand for their trees, in any mixture' - <<'END'
	sgit-diff-tree @~1 @ >actual && cmp flat actual &&
	sgit-diff-tree "$old" current >actual && cmp flat actual &&
	sgit-diff-tree '@~1^{tree}' "$new" >actual && cmp flat actual &&
	sgit-diff-tree -r @~1:g @:g >actual && test "$(cut -f2 actual)" = h/i
END

test_expect_success 'the other way round adds become deletes' - <<'END'
	sgit-diff-tree --name-status -r "$new" "$old" >actual &&
	sed 'y/AD/DA/' deep.names >expected && cmp expected actual
END

test_expect_success 'equal trees differ in nothing, and --exit-code says so' - <<'END'
	sgit-diff-tree -r --exit-code "$new" "$new" >actual && test ! -s actual &&
	test_expect_status 1 sgit-diff-tree --exit-code "$old" "$new" >actual && cmp flat actual &&
	sgit-diff-tree "$old" "$new" >actual
END

test_expect_success 'two blobs of equal content are no difference, in a folder too, and --exit-code is 0' - <<'END'
	sgit-diff-tree -r --exit-code @~1:k @:k >actual && test ! -s actual
END

test_expect_success 'content alone counts: another media type is no difference' - <<'END'
	sgit-diff-tree --exit-code "$plain" "$typed" >actual && test ! -s actual
END

test_expect_success 'content is compared, not what the entries claim about it' - <<'END'
	lab >claims <<-'PY' &&
		store = Store("s")
		claim = {"content_hash_enc": store.field("000000000000"), "size_enc": store.field("1")}
		print(store.tree([store.file("x", "1", **claim)]), store.tree([store.file("x", "2", **claim)]), store.tree([store.file("x", "1")]))
	PY
	read -r one two honest <claims &&
	test_expect_status 1 sgit-diff-tree --exit-code --name-status "$one" "$two" >actual && printf 'M\tx\n' | cmp - actual &&
	sgit-diff-tree --exit-code "$one" "$honest" >actual && test ! -s actual
END

test_expect_success 'against the empty tree everything is added or removed' - <<'END'
	sgit-diff-tree -r --name-status "$nothing" "$old" >actual &&
	printf 'A\t%s\n' a b c e f/x g/h/i k/l >expected && cmp expected actual &&
	sgit-diff-tree -r --name-status "$old" "$nothing" >actual && sed 's/A/D/' expected | cmp - actual
END

test_expect_success 'paths are sorted by byte, whatever the order of files and folders in a tree' - <<'END'
	lab >sorted.ids <<-'PY' &&
		store = Store("s")
		print(store.tree_of({path: b"1" for path in ("a-b/x", "a b/x", "a/x", "a.txt", "B", "z/z", "\u00e9", "b")}))
	PY
	sgit-diff-tree -r --name-status -z "$nothing" "$(cat sorted.ids)" | tr '\0' '\n' | grep -v '^A$' >actual &&
	LC_ALL=C sort actual >expected && cmp expected actual && test "$(wc -l <actual)" -eq 8
END

test_expect_success 'odd names are quoted' - <<'END'
	lab >odd.id <<<'print(Store("s").tree([Store("s").file("tab\t\u00e9", "1")]))' &&
	sgit-diff-tree --name-status "$nothing" "$(cat odd.id)" >actual && printf 'A\t"tab\\t\\303\\251"\n' | cmp - actual
END

test_expect_success 'an absent folder that differs is 6 and named; equal ids are not entered' - <<'END'
	lab >gone <<-'PY' &&
		store = Store("s")
		gone = store.tree([store.file("deep", "1")])
		same = [store.folder("d", gone)]
		print(gone, store.tree([store.file("x", "1"), *same]), store.tree([store.file("x", "2"), *same]), store.tree())
		os.remove(store.path(gone))
	PY
	read -r gone one two none <gone &&
	sgit-diff-tree -r --name-status "$one" "$two" >actual && printf 'M\tx\n' | cmp - actual &&
	test_expect_status 6 sgit-diff-tree -r "$one" "$none" 2>err && grep -q "$gone" err
END

test_expect_success 'the golden stores: what differs between a commit and its parents is what vault.json says' - <<'END'
	for name in $GOLDEN; do
		fixture "$name" && use "$name" "$name.key" && lab "$name" <<-'PY' || return 1
			import subprocess
			store, facts = Store.of_fixture(sys.argv[1])
			commits = {commit["id"]: commit for commit in facts["commits"]}
			for commit in facts["commits"]:
			    for parent in commit["parents"]:
			        was, now = commits[parent]["files"], commit["files"]
			        want = [(("A" if p not in was else "D" if p not in now else "M"), p) for p in sorted(was | now, key=str.encode)
			                if was.get(p) != now.get(p) and not (p in was and p in now and store.read(was[p]) == store.read(now[p]))]
			        run = subprocess.run(["sgit-diff-tree", "-r", "-z", "--name-status", parent, commit["id"]], capture_output=True, check=True, pass_fds=(3,))
			        words = run.stdout.decode().split("\0")[:-1]
			        assert list(zip(words[::2], words[1::2])) == want, (parent, commit["id"], words)
		PY
	done
END

test_done
