#!/usr/bin/env python3
"""What the tools must say about a store, worked out by the lab and by vault.json.

    golden.py WHAT [ARGUMENT...]     one of the functions below, `_` written `-`

Expected output goes to stdout, for `cmp`; a comparison that fails says what differed and ends with 1.
"""
import datetime
import hashlib
import json
import re
import sys

from vaultlab import OBJECT, Absent, Store, quote

out = sys.stdout.buffer


def line(*words, end="\n"):
    out.write((" ".join(str(word) for word in words) + end).encode())


def utc(ms):
    moment = datetime.datetime.fromtimestamp(ms // 1000, datetime.timezone.utc)
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{ms % 1000:03d}Z"


def walked(store, facts):
    """{id: (kind, first path)} of everything the branches reach."""
    found = {}
    for commit in facts["commits"]:
        found[commit["id"]] = ("commit", "")
    for commit in facts["commits"]:
        found.setdefault(commit["tree_id"], ("tree", ""))
        for path, kind, entry in store.walk(commit["tree_id"]):
            found.setdefault(entry["blob_id"] or entry["tree_id"], (kind, path))
    return found


# ---------------------------------------------------------------- objects

def commits(root):
    for commit in Store.of_fixture(root)[1]["commits"]:
        line(commit["id"])


def objects(root, *, contents=False):
    store, facts = Store.of_fixture(root)
    for name, (kind, _) in sorted(walked(store, facts).items()):
        plaintext = store.read(name)
        line(name, kind, len(plaintext), *([hashlib.sha256(plaintext).hexdigest()] if contents else []))


def contents(root):
    objects(root, contents=True)


def records():
    """The records of `cat-object --batch` on stdin, with a hash in place of the contents."""
    stream = sys.stdin.buffer
    for header in iter(stream.readline, b""):
        name, kind, *size = header.decode().split()
        if not size:
            line(name, kind)
            continue
        plaintext = stream.read(int(size[0]))
        assert len(plaintext) == int(size[0]) and stream.read(1) == b"\n", f"a short record: {header}"
        line(name, kind, size[0], hashlib.sha256(plaintext).hexdigest())


def head_files(root):
    """`id size hash media type sha256 path` of the head, from vault.json alone."""
    for file in Store.of_fixture(root)[1]["files"]:
        line(file["blob_id"], file["size"], file["content_hash"], file["content_type"], file["sha256"], file["path"])


def pretty(root, name):
    store, facts = Store.of_fixture(root)
    commit = next(c for c in facts["commits"] if c["id"] == name)
    signature = store.document(name).get("signature")
    line("tree", commit["tree_id"])
    for parent in commit["parents"]:
        line("parent", parent)
    for label, value in (("branch", commit["branch_id"]), ("key", commit["author_key_id"]),
                         ("time", commit["timestamp_ms"]), ("signature", signature)):
        if value:
            line(label, value)
    line()
    line(commit["message"])


def commit_json(root, *names):
    """The JSON of `cat-object --json`, less the size, for every commit named."""
    store, facts = Store.of_fixture(root)
    for commit in facts["commits"]:
        if names and commit["id"] not in names:
            continue
        as_json({"id": commit["id"], "kind": "commit", "size": len(store.read(commit["id"])), "tree": commit["tree_id"],
                 "parents": commit["parents"], "branch": commit["branch_id"] or None, "key": commit["author_key_id"] or None,
                 "time": utc(commit["timestamp_ms"]), "signature": store.document(commit["id"]).get("signature"),
                 "message": commit["message"]})


def as_json(value):
    out.write(json.dumps(value, ensure_ascii=False).encode() + b"\n")


def same_json(expected, actual):
    """Two files of JSON lines: equal values, and members in the same order."""
    def lines(path):
        with open(path, "rb") as file:
            return [json.loads(text, object_pairs_hook=lambda pairs: pairs) for text in file.read().splitlines()]
    for number, (want, got) in enumerate(zip(lines(expected), lines(actual)), 1):
        assert want == got, f"line {number}:\nexpected {want}\n     got {got}"
    assert len(lines(expected)) == len(lines(actual)), "not as many lines as expected"


# ---------------------------------------------------------------- trees

def entry_fields(store, entry):
    if entry["blob_id"]:
        values = [store.opened_field(entry[f]) for f in ("size_enc", "content_hash_enc", "content_type_enc")]
        return "blob", entry["blob_id"], [value or "-" for value in values]
    return "tree", entry["tree_id"], ["-", "-", "-"]


def tree_lines(root, tree, *options):
    """`ls-tree` with any of -r -t -d -l -z, or --json."""
    store = Store.of_fixture(root)[0]
    for path, kind, entry in store.walk(tree):
        deep = "/" in path
        if deep and "-r" not in options:
            continue
        if "-d" in options and kind == "blob":
            continue
        if "-r" in options and kind == "tree" and "-t" not in options and "-d" not in options:
            continue
        kind, name, details = entry_fields(store, entry)
        if "--json" in options:
            size, content_hash, media_type = (None if d == "-" else d for d in details)
            as_json({"kind": kind, "id": name, "size": None if size is None else int(size), "content_hash": content_hash,
                     "media_type": media_type, "large": entry["large"] if kind == "blob" else None, "path": path})
            continue
        shown, end = (path, "\0") if "-z" in options else (quote(path), "\n")
        line(kind, name, *(details if "-l" in options else []), end="\t" + shown + end)


# ---------------------------------------------------------------- refs and index

def refs(root):
    store = Store.of_fixture(root)[0]
    names = {b["head_ref_id"]: b["name"] for b in store.document(store.index_id)["branches"]}
    for ref in sorted(names):
        line(store.head(ref) or "-", ref, end=f"\t{names[ref]}\n")


def index(root):
    store, facts = Store.of_fixture(root)
    line("format", facts["format"])
    if facts["min_client"]:
        line("min-client", facts["min_client"])
    for feature in facts["features"]:
        line("feature", feature)
    for b in facts["branches"]:
        line("branch", b["branch_id"], b["type"], b["head_ref_id"], b["public_key_id"] or "-", b["creator_branch"] or "-",
             end=f"\t{b['name']}\n")
    for tag in store.document(store.index_id)["tags"]:
        line("tag", tag["tag_id"], "deleted" if tag["deleted"] else "live", end=f"\t{tag['name']}\n")


def index_json(root):
    store, facts = Store.of_fixture(root)
    as_json({"format": facts["format"], "min_client": facts["min_client"] or None, "features": facts["features"],
             "branches": [{"id": b["branch_id"], "name": b["name"], "type": b["type"], "ref": b["head_ref_id"],
                           "key": b["public_key_id"] or None, "created_at": utc(b["created_at"]),
                           "creator": b["creator_branch"] or None, "display_name": None} for b in facts["branches"]],
             "tags": [{"name": t["name"], "id": t["tag_id"], "deleted": t["deleted"], "time": utc(t["timestamp_ms"])}
                      for t in store.document(store.index_id)["tags"]]})


def refs_json(root):
    for text in captured(refs, root).splitlines():
        commit, ref, branch = re.split("[ \t]", text)
        as_json({"ref": ref, "commit": None if commit == "-" else commit, "branch": branch})


def captured(function, *arguments):
    global out
    import io
    kept, out = out, io.BytesIO()
    try:
        function(*arguments)
        return out.getvalue().decode()
    finally:
        out = kept


# ---------------------------------------------------------------- history

def narrow(store, commit):
    """Whether an id that the commit reaches has 12 hex digits: its parents', its tree's and those below."""
    def short(name):
        return len(name) == len(OBJECT) + 12
    document = store.document(commit)
    if any(map(short, document.get("parents", []))) or short(document["tree_id"]):
        return True
    return any(short(entry["blob_id"] or entry["tree_id"]) for _, _, entry in store.walk(document["tree_id"]))


def verdicts(root):
    store, facts = Store.of_fixture(root)
    for commit in facts["commits"]:
        mark = " 48-bit" if narrow(store, commit["id"]) else ""
        line(commit["id"], commit["signature_status"] + mark)


def parents(root):
    for commit in Store.of_fixture(root)[1]["commits"]:
        line(commit["id"], *commit["parents"])


def history_json(root):
    """The JSON lines of `rev-list --all --json`."""
    for commit in Store.of_fixture(root)[1]["commits"]:
        as_json({"id": commit["id"], "tree": commit["tree_id"], "parents": commit["parents"], "branch": commit["branch_id"] or None,
                 "key": commit["author_key_id"] or None, "time": utc(commit["timestamp_ms"]), "message": commit["message"]})


def reached(root):
    """Every object `rev-list --all --objects` must name, sorted."""
    store, facts = Store.of_fixture(root)
    for name in sorted(walked(store, facts)):
        line(name)


def check_objects(root, listing):
    """Order and paths of a `rev-list --objects` listing: commits first, each tree before what it holds, once each."""
    store, facts = Store.of_fixture(root)
    with open(listing, encoding="utf-8") as file:
        rows = [text.rstrip("\n").split("\t") for text in file]
    kinds = {name: kind for name, (kind, _) in walked(store, facts).items()}
    number = sum(len(row) == 1 for row in rows)
    assert all(kinds[row[0]] == "commit" for row in rows[:number]), "commits come first and have no path"
    assert all(kinds[row[0]] != "commit" for row in rows[number:]), "a commit stands after the objects"
    at = {row[0]: position for position, row in enumerate(rows)}
    assert len(at) == len(rows), "an object is named twice"
    assert set(at) == set(kinds), "not everything reachable is named"
    paths = {}
    for commit in facts["commits"]:
        paths.setdefault(commit["tree_id"], set()).add("")
        for path, _, entry in store.walk(commit["tree_id"]):
            paths.setdefault(entry["blob_id"] or entry["tree_id"], set()).add(quote(path))
    held_by = {}
    for name, kind in kinds.items():
        for entry, _ in store.entries(name) if kind == "tree" else ():
            held_by.setdefault(entry["blob_id"] or entry["tree_id"], []).append(at[name])
    for name, path in rows[number:]:
        assert path in paths[name], f"{name} is not at {path}"
        assert name not in held_by or min(held_by[name]) < at[name], f"{name} stands before every tree that holds it"


if __name__ == "__main__":
    what = globals().get(sys.argv[1].replace("-", "_")) if len(sys.argv) > 1 else None
    if not callable(what) or what.__module__ != __name__:
        sys.exit(__doc__)
    what(*sys.argv[2:])
