#!/bin/bash
# What a reader of commits, trees and refs tolerates and what it refuses, row by row (FORMAT 6.0 to 6.3).
. "$(dirname "$0")/test-lib.sh"

cat >rows.py <<'END'
import subprocess
from vaultlab import *

def run(*command):
    return subprocess.run([*command, "--store", "s", "--key-file", "s.key"], capture_output=True)

def fresh(width=32):
    subprocess.run(["rm", "-rf", "s"], check=True)
    store = Store("s", width=width)
    store.write_key_file("s.key")
    return store

def head_is(store, commit):
    """`current` at this commit, in an index of its own."""
    store.branches.clear()
    store.branch("current", commit)
    store.index()

def status(want, result, *about):
    assert result.returncode == want, (*about, want, result)
    if want:
        assert not result.stdout and result.stderr.startswith(b"sgit-"), (*about, result)
    return result.stdout.decode()
END

test_expect_success 'a commit is read in any order, spacing and escaping, with unknown members and another schema (FORMAT 6.0)' - <<'END'
	lab <<-'PY'
		from rows import *
		store = fresh()
		tree, parent = store.tree([store.file("f", "x")]), store.commit(store.tree(), message="root")
		plain = store.commit_document(tree, [parent], "told \u00e9", time=1_700_000_000_999)
		rows = {
		    "reversed": stored_json(dict(reversed(plain.items()))),
		    "no spaces": json.dumps(plain, separators=(",", ":")).encode(),
		    "indented, with a final newline": json.dumps(plain, indent=4).encode() + b"\n",
		    "tabs and CRLF": json.dumps(plain).replace(", ", ",\r\n\t").encode(),
		    "slashes escaped": json.dumps(plain).replace("/", "\\/").encode(),
		    "letters escaped": json.dumps(plain).replace("commit_v1", "\\u0063ommit_v1").encode(),
		    "unknown members": stored_json({"x": {"deep": [1, None, {}]}, **plain, "y": 1.5e300}),
		    "schema commit_v2": stored_json({**plain, "schema": "commit_v2"}),
		    "no schema": stored_json({k: v for k, v in plain.items() if k != "schema"}),
		    "time as a decimal string": stored_json({**plain, "timestamp_ms": "1700000000999"}),
		    "null and empty parents": stored_json({**plain, "parents": [None, parent, ""]}),
		    "a member twice, the last counts": stored_json(plain)[:-1].replace(b'"tree_id"', b'"tree_id": "obj-cas-imm-000000000000", "tree_id"') + b"}",
		    "ids in upper case and with spaces": stored_json({**plain, "tree_id": f" {tree.upper()} ", "parents": [parent.upper()]}),
		    "a branch id outside the grammar": stored_json({**plain, "branch_id": "web-ui"}),
		}
		for about, raw in rows.items():
		    head_is(store, store.put(store.seal(raw)))
		    shown = json.loads(status(0, run("sgit-rev-list", "-n", "1", "--json", "@"), about))
		    assert (shown["tree"], shown["parents"], shown["message"], shown["time"]) == (tree, [parent], "told \u00e9", "2023-11-14T22:13:20.999Z"), (about, shown)
		    assert status(0, run("sgit-ls-tree", "--name-only", "@"), about) == "f\n"
		assert shown["branch"] in (None, ""), "an ungrammatical branch id is read as none"
	PY
END

test_expect_success 'the smallest commit is a tree id, and absent members take their defaults (FORMAT 6.1)' - <<'END'
	lab <<-'PY'
		from rows import *
		store = fresh()
		tree = store.tree([store.file("f", "x")])
		for raw in (b'{"tree_id":"%s"}' % tree.encode(), stored_json({"tree_id": tree, "message_enc": None, "branch_id": None, "parents": None})):
		    name = store.put(store.seal(raw))
		    head_is(store, name)
		    assert status(0, run("sgit-rev-list", "--parents", "@")) == f"{name}\n"
		    assert status(0, run("sgit-ls-tree", "--name-only", "@")) == "f\n"
		    shown = json.loads(status(0, run("sgit-rev-list", "--json", "@")))
		    assert shown["message"] == "" and shown["parents"] == [] and shown["key"] is None, shown
	PY
END

test_expect_success 'a commit with more than two parents keeps them all, in order (FORMAT 6.1)' - <<'END'
	lab <<-'PY'
		from rows import *
		store = fresh()
		tree = store.tree()
		parents = [store.commit(tree, message=str(n)) for n in range(5)]
		head = store.commit(tree, parents)
		head_is(store, head)
		assert status(0, run("sgit-rev-list", "-n", "1", "--parents", "@")) == " ".join([head, *parents]) + "\n"
		assert status(0, run("sgit-rev-list", "@^5")).strip() == parents[4]
	PY
END

test_expect_success 'what makes a commit unusable is damage: 4 (FORMAT 6.0, 6.1)' - <<'END'
	lab <<-'PY'
		from rows import *
		store = fresh()
		tree = store.tree()
		plain = store.commit_document(tree, message="m")
		rows = {
		    "tree_id null": {**plain, "tree_id": None}, "tree_id absent": {k: v for k, v in plain.items() if k != "tree_id"},
		    "tree_id no object id": {**plain, "tree_id": "obj-cas-imm-xyz"}, "tree_id a path": {**plain, "tree_id": "../../x"},
		    "tree_id a number": {**plain, "tree_id": 7}, "a parent that is no id": {**plain, "parents": ["HEAD"]},
		    "a parent that is a number": {**plain, "parents": [1]}, "parents a string": {**plain, "parents": tree},
		    "a time below 0": {**plain, "timestamp_ms": -1}, "a time past 99999999999999": {**plain, "timestamp_ms": 100_000_000_000_000},
		    "a time past 64 bits": {**plain, "timestamp_ms": 10 ** 30}, "a time that is a word": {**plain, "timestamp_ms": "soon"},
		    "a message that is not base64": {**plain, "message_enc": "%%%"}, "a message that does not open": {**plain, "message_enc": base64.b64encode(bytes(40)).decode()},
		    "a message too short for an envelope": {**plain, "message_enc": "AAAA"},
		    "an array": [plain], "a string": "commit", "nothing": None,
		}
		raws = {about: stored_json(document) for about, document in rows.items()}
		raws |= {"empty": b"", "cut short": stored_json(plain)[:-1], "two documents": stored_json(plain) * 2, "a trailing comma": stored_json(plain)[:-1] + b",}",
		         "not UTF-8": stored_json(plain).replace(b"commit_v1", b"commit\xff"),
		         "a raw control character": stored_json(plain).replace(b"commit_v1", b"commit\n"), "100,000 brackets": b"[" * 100_000,
		         "deep inside an unknown member": stored_json(plain)[:-1] + b', "x": ' + b'[' * 100_000 + b"]" * 100_000 + b"}"}
		for about, raw in raws.items():
		    name = store.put(store.seal(raw))
		    head_is(store, name)
		    # Asked for its message too: that is where some of these are broken.
		    result = run("sgit-rev-list", "--json", "@")
		    status(4, result, about)
		    assert name.encode() in result.stderr, (about, result)
		for time in (0, 99_999_999_999_999):
		    head_is(store, store.put_json({**plain, "timestamp_ms": time}))
		    status(0, run("sgit-rev-list", "--json", "@"), time)
	PY
END

test_expect_success 'what a tree may lack or hold besides (FORMAT 6.2)' - <<'END'
	lab <<-'PY'
		from rows import *
		store = fresh()
		f, empty = store.file("f", "four"), store.tree()
		blob, n = f["blob_id"], store.field
		def listed(entries, members=None, *options):
		    name = store.put_json({"schema": "tree_v1", "entries": entries} if members is None else members)
		    return status(0, run("sgit-ls-tree", "-l", *options, name), entries)
		whole = f"blob {blob} 4 04efaf080f5a text/plain\tf\n"
		assert listed([f]) == whole
		assert listed([]) == ""
		assert listed(None, {"schema": "tree_v9", "entries": [f]}) == whole
		assert listed([{**f, "tree_id": ""}]) == whole
		assert listed([{k: v for k, v in f.items() if k not in ("tree_id", "large")}]) == whole
		assert listed([{**f, "unknown": [1]}]) == whole
		assert listed([dict(reversed(f.items()))]) == whole
		assert listed([{**f, "tree_id": empty}]) == whole, "both ids: it is a file"
		assert listed([{**f, "blob_id": None}, f]) == whole, "neither id: skipped"
		for nameless in ({**f, "name_enc": None}, {**f, "name_enc": n("")}, {k: v for k, v in f.items() if k != "name_enc"}, {**f, "name_enc": ""}):
		    assert listed([nameless, f]) == whole, "no name: skipped"
		assert listed([{"blob_id": blob, "name_enc": n("f")}]) == f"blob {blob} 0 - -\tf\n", "absent size, hash and type"
		assert listed([{**f, "content_type_enc": n("")}]) == whole.replace("text/plain", "-")
		assert listed([{**f, "content_hash_enc": n("000000000000")}]) == whole.replace("04efaf080f5a", "000000000000"), "a wrong hash is not detected"
		assert listed([store.folder("d", empty)]) == f"tree {empty} - - -\td\n", "an empty folder"
		assert listed([store.folder("d", empty)], None, "-r") == ""
		odd = [store.folder("z", empty), store.file("b", "b"), store.file("a", "a")]
		assert [row.split("\t")[1] for row in listed(odd[1:]).splitlines()] == ["b", "a"], "any order is read, and shown as it is stored"
		assert sorted(row.split("\t")[1] for row in listed(odd).splitlines()) == ["a", "b", "z"]
		twice = [store.file("f", "first"), f]
		assert listed(twice).endswith(whole), "a name that stands twice"
		head_is(store, store.commit(store.tree(twice)))
		assert status(0, run("sgit-cat-object", "-p", "@:f")) == "four", "of a name that stands twice the last entry wins"
		nfc, nfd = store.file("\u00e9", "1"), store.file("e\u0301", "2")
		assert len(listed([nfd, nfc], None, "-z").split("\0")) == 3, "composed and decomposed spellings are two files"
		assert listed([store.file("w", "12", width=12), f]).count("\n") == 2, "both widths in one tree"
		assert listed([{**f, "large": True}], None) == whole
	PY
END

test_expect_success 'what makes the whole tree unreadable is damage: 4 (FORMAT 6.2)' - <<'END'
	lab <<-'PY'
		from rows import *
		store = fresh()
		f, n = store.file("f", "x"), store.field
		rows = {
		    "entries absent": {"schema": "tree_v1"}, "entries null": {"schema": "tree_v1", "entries": None},
		    "entries an object": {"schema": "tree_v1", "entries": {}}, "an entry that is a string": {"schema": "tree_v1", "entries": ["x"]},
		}
		for about, entry in {
		    "a blob id in upper case": {**f, "blob_id": f["blob_id"].upper()}, "a blob id of 13 digits": {**f, "blob_id": OBJECT + "0" * 13},
		    "a blob id with a space": {**f, "blob_id": f["blob_id"] + " "}, "a blob id with a newline": {**f, "blob_id": f["blob_id"] + "\n"},
		    "a blob id that climbs": {**f, "blob_id": "../../keys/x"}, "a tree id that is none": {**f, "blob_id": None, "tree_id": "x"},
		    "a bad tree id beside a good blob id": {**f, "tree_id": "x"}, "a blob id that is a number": {**f, "blob_id": 1},
		    "a size that is no number": {**f, "size_enc": n("many")}, "a size below 0": {**f, "size_enc": n("-1")},
		    "a size past 64 bits": {**f, "size_enc": n("9" * 30)}, "a name that does not open": {**f, "name_enc": base64.b64encode(bytes(40)).decode()},
		    "a name that is not base64": {**f, "name_enc": "*"}, "a name of bytes that are not UTF-8": {**f, "name_enc": n(b"\xff\xfe")},
		}.items():
		    rows[about] = {"schema": "tree_v1", "entries": [store.file("good", "x"), entry]}
		for about, document in rows.items():
		    name = store.put_json(document)
		    result = run("sgit-ls-tree", "-l", name)
		    status(4, result, about)
		    assert name.encode() in result.stderr, (about, result)
	PY
END

test_expect_success 'names that no writer may make are never shown as something else' - <<'END'
	lab <<-'PY'
		from rows import *
		store = fresh()
		for name in ("a/b", "..", ".", "/etc/passwd", "nul\0byte"):
		    result = run("sgit-ls-tree", "--name-only", "-z", store.tree([store.file(name, "x")]))
		    assert result.returncode in (0, 4) and result.stdout in (b"", name.encode() + b"\0"), (name, result)
	PY
END

test_expect_success 'a ref takes extra members; without a commit it is a branch with none: 1 (FORMAT 6.3)' - <<'END'
	lab <<-'PY'
		from rows import *
		store = fresh()
		commit = store.commit(store.tree())
		head_is(store, commit)
		def ref(raw, sealed=True):
		    store.write(store.main_ref, store.seal(raw) if sealed else raw)
		    return run("sgit-read-ref", "current")
		assert status(0, ref(stored_json({"x": 1, "commit_id": commit, "y": None}))) == commit + "\n"
		assert status(0, ref(stored_json({"commit_id": f" {commit.upper()} "}))) == commit + "\n"
		for raw in (b'{"commit_id": ""}', b'{"commit_id": null}', b"{}"):
		    result = ref(raw)
		    assert result.returncode == 1 and not result.stdout, (raw, result)
		for raw in (b'{"commit_id": "x"}', b'{"commit_id": 1}', b"[]", b"", b"{", b'{"commit_id": "../x"}'):
		    status(4, ref(raw), raw)
		status(4, ref(stored_json({"commit_id": commit}), sealed=False), "a ref in plain text")
		status(4, ref(bytes(27), sealed=False), "a ref too short for an envelope")
	PY
END

test_expect_success 'a ref that names an absent commit is read, and following it is 6 (FORMAT 6.3)' - <<'END'
	lab <<-'PY'
		from rows import *
		store = fresh()
		absent = OBJECT + "0" * 32
		head_is(store, absent)
		assert status(0, run("sgit-read-ref", "current")) == absent + "\n"
		for command in (["sgit-rev-list", "@"], ["sgit-ls-tree", "@"], ["sgit-cat-object", "-p", "current"], ["sgit-diff-tree", "@", "@"]):
		    result = run(*command)
		    status(6, result, command)
		    assert absent.encode() in result.stderr, result
	PY
END

test_expect_success 'an object of another kind than its place asks for is 4' - <<'END'
	lab <<-'PY'
		from rows import *
		store = fresh()
		blob, tree = store.blob(b"no document"), store.tree()
		for wrong in (store.commit(blob), store.commit(store.commit(tree))):
		    head_is(store, wrong)
		    status(4, run("sgit-ls-tree", "@"), wrong)
		head_is(store, store.commit(tree, [tree]))
		assert run("sgit-rev-list", "@").returncode == 4, "what was sound may be out before"
		head_is(store, tree)
		status(4, run("sgit-rev-list", "@"))
		assert run("sgit-ls-tree", blob).returncode in (4, 128)
	PY
END

test_expect_success 'objects of another width than the store writes are read (FORMAT 4)' - <<'END'
	lab <<-'PY'
		from rows import *
		store = fresh(width=12)
		tree = store.tree([store.file("wide", "w", width=32), store.file("narrow", "n", width=12)], width=32)
		head_is(store, store.commit(tree))
		assert status(0, run("sgit-branch-index")).startswith("format 1\n"), "and the format says 12"
		assert status(0, run("sgit-ls-tree", "--name-only", "@")) == "wide\nnarrow\n"
		assert status(0, run("sgit-cat-object", "-p", "@:wide")) == "w"
	PY
END

test_done
