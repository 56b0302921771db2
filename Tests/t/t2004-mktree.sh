#!/bin/bash
# sgit-mktree: from the lines of ls-tree to a tree.
. "$(dirname "$0")/test-lib.sh"

still() { # every file of a store, with all that a write would change
	find "$1/bare" -type f -printf '%P %i %m %s %T@ %C@\n' | sort
}

for name in $GOLDEN; do
	test_expect_success "$name: what ls-tree says of every tree, long or short, with LF or NUL, in any order, makes that tree again" - <<-'END'
		fixture "$name" && use "$name" "$name.key" && lab "$name" <<-'PY'
			import random, subprocess
			store, facts = Store.of_fixture(sys.argv[1])
			trees = {commit["tree_id"] for commit in facts["commits"]}
			for root in list(trees):
			    trees |= {entry["tree_id"] for _, kind, entry in store.walk(root) if kind == "tree"}
			def tool(*command, given=b""):
			    run = subprocess.run(command, input=given, capture_output=True, pass_fds=(3,))
			    twins = sys.argv[1] in ("linear", "readkey")  # of these mktree warns
			    assert run.returncode == 0 and (twins or not run.stderr), (command, given, run)
			    return run.stdout
			for tree in sorted(trees):
			    before = os.stat(store.path(tree))
			    for options in ([], ["-l"]):
			        for nul, end in ([], b"\n"), (["-z"], b"\0"):
			            lines = tool("sgit-ls-tree", *options, *nul, tree)
			            mixed = lines.split(end)[:-1]
			            random.shuffle(mixed)
			            for given in (lines, b"".join(line + end for line in mixed)):
			                made = tool("sgit-mktree", *nul, given=given)
			                # A tree of 12 digits in a store of format 2 is made again under 32.
			                assert made.endswith(end) and made[:-1].decode().startswith(tree), (tree, made, given)
			    after = os.stat(store.path(tree))
			    assert (before.st_ino, before.st_mtime_ns, before.st_ctime_ns) == (after.st_ino, after.st_mtime_ns, after.st_ctime_ns), tree
		PY
	END
done

cat >rows.py <<'END'
import subprocess
from vaultlab import *

store = Store("s", width=12)
ABSENT = "obj-cas-imm-0123456789ab"

def mktree(lines, *options):
    """Runs the tool on lines of bytes or text."""
    given = b"".join((line if isinstance(line, bytes) else line.encode("utf-8", "surrogateescape")) for line in lines)
    return subprocess.run(["sgit-mktree", *options], input=given, capture_output=True, pass_fds=(3,))

def made(lines, *options):
    """The entries of the tree that the lines make, each with its name."""
    run = mktree(lines, *options)
    assert run.returncode == 0, (lines[:3], run)
    return list(store.entries(run.stdout.decode().strip("\n\0")))

def snapshot():
    return {path: (os.stat(store.bare + "/" + path).st_ino, os.stat(store.bare + "/" + path).st_mtime_ns) for path in store.files()}

def refused(rows, status, *options):
    """Each row, a name and its input, ends with this status and leaves the store as it was."""
    before, folder = snapshot(), os.stat(store.bare + "/data").st_mtime_ns
    for about, given in rows.items():
        run = mktree([given], *options)
        assert run.returncode == status and not run.stdout and run.stderr, (about, given[:80], run)
        assert os.stat(store.bare + "/data").st_mtime_ns == folder, (about, "something was written")
    assert snapshot() == before, "something was changed"
END

test_expect_success 'no lines make the empty tree, written as the format says' - <<'END'
	lab <<-'PY' &&
		from rows import *
		store.write_key_file("s.key")
		store.branch("current", store.commit(store.tree_of({"a/b": b"x"})))
		store.index()
	PY
	use s s.key && sgit-mktree </dev/null >id 2>err && test ! -s err && sgit-mktree -z </dev/null | tr '\0' '\n' | cmp id - && lab <<-'PY'
		from rows import *
		assert store.read(open("id").read().strip()) == b'{"schema": "tree_v1", "entries": []}'
	PY
END

test_expect_success 'a short line is filled in: size, content hash and media type, by the whole table' - <<'END'
	lab <<-'PY'
		from rows import *
		vectors = json.load(open(os.environ["VECTORS"] + "/crypto.json"))
		names = [row["name"] for row in vectors["content_types"]] + ["x" + extension for extension in vectors["content_type_table"]]
		names += ["A.TXT", "B.Csv", "b.csv.gz", "b.tar.bz2", "b.tar.xz", "b.txt.Z", "b.c.br", "b.gz", "b.tbz2", "b.svg.gz", "b.C", "b.x.TXT", ".gz", ".b.txt", "gz", "b.gz.txt",
		          "b.GZ", "b.txt.GZ", "caf\u00e9.txt", "sp ace.json"]
		for row in vectors["content_types"]:
		    assert media_type(row["name"]) == row["content_type"]
		names = sorted(set(names), key=str.encode)
		blobs = {name: store.blob(f"in {name}") for name in names}
		plain = stored_json({"schema": "tree_v1", "entries": [
		    {"blob_id": blobs[name], "tree_id": None, "name_enc": store.field(name), "size_enc": store.field(str(len(f"in {name}".encode()))),
		     "content_hash_enc": store.field(hashlib.sha256(f"in {name}".encode()).hexdigest()[:12]), "content_type_enc": store.field(media_type(name)),
		     "large": False} for name in names]})
		found = {name: store.opened_field(entry["content_type_enc"]) for entry, name in made([f"blob {blobs[name]}\t{quote(name)}\n" for name in reversed(names)])}
		wrong = {name: (found[name], media_type(name)) for name in names if found[name] != media_type(name)}
		assert not wrong, wrong
		run = mktree([f"blob {blobs[name]}\t{name}\0" for name in names], "-z")
		assert run.stdout.decode() == object_id(store.seal_same(plain)) + "\0", run
		assert store.read(run.stdout.decode()[:-1]) == plain
	PY
END

test_expect_success 'an empty blob and a deflated one have the size of what is in them' - <<'END'
	lab <<-'PY'
		from rows import *
		empty, deflated = store.blob(b""), store.blob(b"a" * 5000, deflate=True)
		entries = {name: entry for entry, name in made([f"blob {empty}\te\n", f"blob {deflated}\td\n"])}
		assert store.opened_field(entries["e"]["size_enc"]) == "0" and store.opened_field(entries["d"]["size_enc"]) == "5000"
		assert store.opened_field(entries["d"]["content_hash_enc"]) == hashlib.sha256(b"a" * 5000).hexdigest()[:12]
	PY
END

test_expect_success 'a long line is taken as it is, and - is an empty field' - <<'END'
	lab <<-'PY'
		from rows import *
		blob = store.blob("x")
		rows = {"a": ("77", "0123456789ab", "x/y"), "b": ("0", "-", "-"), "c": ("99999999999", "ba9876543210", "text/html"), "d.txt": ("1", "-", "image/png")}
		lines = [f"blob {blob} {' '.join(fields)}\t{name}\n" for name, fields in rows.items()]
		for entry, name in made(lines):
		    fields = [store.opened_field(entry[member]) for member in ("size_enc", "content_hash_enc", "content_type_enc")]
		    assert fields == ["" if field == "-" else field for field in rows[name]], (name, fields)
		tree = mktree(lines).stdout.decode().strip()
		again = subprocess.run(["sgit-ls-tree", "-l", tree], capture_output=True, pass_fds=(3,), check=True).stdout
		assert again == "".join(lines).encode() and mktree([again]).stdout.decode().strip() == tree
	PY
END

test_expect_success 'a media type with white space comes back as it was' - <<'END'
	lab >trees <<-'PY' &&
		from rows import *
		print(store.tree([store.file("f", "x", "text/html; charset=utf-8"), store.file("g", "x", "")]))
		print(store.tree([store.file("f", "x", "a\tb\nc \"d\" \\e \u00e9"), store.file("g", "x", "-x")]))
	PY
	{ read -r space && read -r worse; } <trees &&
	for tree in "$space" "$worse"; do
		sgit-ls-tree -l "$tree" >lines && sgit-mktree <lines >id && test "$(cat id)" = "$tree" || return 1
	done && sgit-ls-tree -l -z "$space" >lines && sgit-mktree -z <lines | tr '\0' '\n' >id && test "$(cat id)" = "$space"
END

test_expect_success 'files come first and then folders, each by the bytes of the name, whatever the order of the lines' - <<'END'
	lab <<-'PY'
		from rows import *
		names = ["B", "a", "a b", "a-b", "a.txt", "a0", "z", "\u00e9", "\uff5e", "\U0001f680", "~", "1", "10", "2"]
		blob, tree = store.blob("x"), store.tree()
		files = [name + "f" for name in names]
		lines = [f"tree {tree}\t{name}\n" for name in names] + [f"blob {blob}\t{name}\n" for name in files]
		want = sorted(files, key=str.encode) + sorted(names, key=str.encode)
		for given in (lines, lines[::-1], lines[::2] + lines[1::2]):
		    entries = made(given)
		    assert [name for _, name in entries] == want, entries
		    for entry, name in entries:
		        assert list(entry) == ["blob_id", "tree_id", "name_enc", "size_enc", "content_hash_enc", "content_type_enc", "large"], entry
		        if name in names:
		            assert entry == store.folder(name, tree), entry
	PY
END

test_expect_success 'a folder may be given in short and in long, with the same tree' - <<'END'
	lab <<-'PY'
		from rows import *
		tree = store.tree()
		assert mktree([f"tree {tree}\tf\n"]).stdout == mktree([f"tree {tree} - - -\tf\n"]).stdout != b""
	PY
END

test_expect_success 'any name that can be is taken, quoted or as it is, and ls-tree shows it again' - <<'END'
	lab <<-'PY'
		from rows import *
		blob = store.blob("x")
		names = ["plain", "sp ace", " lead", "trail ", "tab\t", "\ttab", "new\nline", 'quo"te', '"lead', "back\\slash", "\x01\x07\x08\x0b\x0c\r\x1f", "\x7f", "caf\u00e9",
		         "\U0001f680", "'", "#", "*?", "-", "--", "n" * 740, "\u00e9" * 370, "\u65e5" * 246 + "ab", "...", "..a", "a:b", "con", ".hidden", ".github", ".gitignore"]
		for given, options in (([f"blob {blob}\t{quote(name)}\n" for name in names], ()), ([f"blob {blob}\t{name}\0" for name in names], ("-z",))):
		    assert sorted(name for _, name in made(given, *options)) == sorted(names)
		raw = [name for name in names if not name.startswith('"') and "\n" not in name and "\t" not in name]
		assert sorted(name for _, name in made([f"blob {blob}\t{name}\n" for name in raw])) == sorted(raw), "not quoted though it may be"
		tree = mktree([f"blob {blob}\t{quote(name)}\n" for name in names]).stdout.decode().strip()
		shown = subprocess.run(["sgit-ls-tree", "-z", "--name-only", tree], capture_output=True, pass_fds=(3,), check=True).stdout.decode()
		assert shown == "".join(name + "\0" for name in sorted(names, key=str.encode))
	PY
END

test_expect_success 'a name that the path guard protects is 128; one that only looks like it is taken (FORMAT path guard)' - <<'END'
	lab <<-'PY'
		from rows import *
		blob, tree = store.blob("x"), store.tree()
		rows = [row for row in json.load(open(os.environ["VECTORS"] + "/crypto.json"))["path_guard"] if "/" not in row["path"] and row["path"] not in ("", ".", "..")]
		protected = {row["path"]: f"blob {blob}\t{row['path']}\0".encode() for row in rows if row["protected"]}
		assert len(protected) > 20
		refused(protected, 128, "-z")
		refused({path: f"blob {blob}\t{quote(path)}\n".encode() for path in protected}, 128)
		refused({path: f"tree {tree} - - -\t{quote(path)}\n".encode() for path in protected}, 128)
		for row in rows:
		    if row["writable"]:
		        assert [name for _, name in made([f"blob {blob}\t{row['path']}\0"], "-z")] == [row["path"]], row
	PY
END

test_expect_success 'a name that no entry may have is 128, and nothing is written' - <<'END'
	lab <<-'PY'
		from rows import *
		blob = store.blob("x").encode()
		names = {"empty": b"", "dot": b".", "dots": b"..", "slash": b"a/b", "lead": b"/a", "end": b"a/", "only": b"/", "latin": b"caf\xe9", "cut": b"\xe6\x97", "high": b"\xff",
		         "surrogate": b"\xed\xa0\x80", "overlong": b"\xc0\xaf", "741 bytes": b"n" * 741, "741 in two": "\u00e9".encode() * 370 + b"x", "741 in three": "\u65e5".encode() * 247}
		refused({about: b"blob " + blob + b"\t" + name + b"\0" for about, name in names.items()}, 128, "-z")
		refused({about: b"blob " + blob + b"\t" + name + b"\n" for about, name in names.items()}, 128)
		refused({about: b"blob " + blob + b'\t"' + b"".join(b"\\%03o" % byte for byte in name) + b'"\n' for about, name in names.items()}, 128)
		refused({"NUL": b"blob " + blob + b"\ta\0b\n", "quoted NUL": b"blob " + blob + b'\t"a\\000b"\n'}, 128)
		for text in (b'"a', b'"a"b', b'"a" ', b'"\\q"', b'"\\1"', b'"\\400"', b'"\\"', b'"'):
		    refused({"badly quoted": b"blob " + blob + b"\t" + text + b"\n"}, 128)
	PY
END

test_expect_success 'two entries of one name are 128, of whatever kinds' - <<'END'
	lab <<-'PY'
		from rows import *
		blob, other, tree = store.blob("x"), store.blob("y"), store.tree()
		b, o, t = (f"blob {blob}\tn\n", f"blob {other}\tn\n", f"tree {tree}\tn\n")
		refused({about: (lines + f"blob {blob}\tlast\n").encode() for about, lines in
		         {"twice": b + b, "two blobs": b + o, "two trees": t + t, "both kinds": b + t, "the other way": t + b, "apart": b + f"blob {blob}\tm\n" + o,
		          "in two spellings of the line": b + f'blob {blob}\t"n"\n', "quoted": b + f'blob {blob}\t"\\156"\n'}.items()}, 128)
	PY
END

test_expect_success 'a line of another form is 128, and nothing is written' - <<'END'
	lab <<-'PY'
		from rows import *
		blob, tree = store.blob("x"), store.tree()
		digits = blob.removeprefix(OBJECT)
		lines = ["", " ", "blob", f"blob {blob}", f"blob {blob} n", f"{blob}\tn", f"\tn", f"blob\tn", f"blob \tn", f"blob  {blob}\tn", f" blob {blob}\tn", f"blob {blob} \tn",
		         f"blob {blob} 1\tn", f"blob {blob} 1 0123456789ab\tn", f"blob {blob} - 0123456789ab text/plain\tn", f"blob {blob} - - -\tn", f"blob {blob} x 0123456789ab text/plain\tn",
		         f"blob {blob} -1 0123456789ab text/plain\tn", f"blob {blob} +1 0123456789ab text/plain\tn", f"blob {blob} 1.5 0123456789ab text/plain\tn",
		         f"blob {blob} 0x1 0123456789ab text/plain\tn", f"blob {blob} 99999999999999999999999 0123456789ab text/plain\tn", f"blob {blob} \u0661 0123456789ab text/plain\tn",
		         f"blob {blob.upper()}\tn", f"blob {digits}\tn", f"blob {blob[:-1]}\tn", f"blob {blob}0\tn", f"blob {OBJECT}{digits.upper()}\tn", f"blob {OBJECT}../{digits[3:]}\tn", "blob @\tn",
		         f"commit {blob}\tn", f"tag {blob}\tn", f"Blob {blob}\tn", f"100644 blob {blob}\tn", f"file {blob}\tn",
		         f"tree {tree} 0 - -\tn", f"tree {tree} - 0123456789ab -\tn", f"tree {tree} - - text/plain\tn", f"tree {tree} -\tn", f"tree {tree} - -\tn"]
		good = f"blob {blob}\tgood"
		for options, end in (((), "\n"), (("-z",), "\0")):
		    refused({line: (line + end).encode() for line in lines}, 128, *options)
		    refused({line: (good + end + line + end + f"blob {blob}\tlater" + end).encode() for line in lines[:12]}, 128, *options)
	PY
END

test_expect_success 'a last line without an end is a line' - <<'END'
	lab <<-'PY'
		from rows import *
		blob = store.blob("x")
		for options in ((), ("-z",)):
		    assert [name for _, name in made([f"blob {blob}\tn"], *options)] == ["n"]
	PY
END

test_expect_success 'an object that is absent is 6, by name' - <<'END'
	lab <<-'PY'
		from rows import *
		refused({"short": f"blob {ABSENT}\tn\n".encode(), "long": f"blob {ABSENT} 1 0123456789ab text/plain\tn\n".encode(), "tree": f"tree {ABSENT}\tn\n".encode(),
		         "long tree": f"tree {ABSENT} - - -\tn\n".encode()}, 6)
		assert ABSENT.encode() in mktree([f"blob {ABSENT}\tn\n"]).stderr
	PY
END

test_expect_success '--missing takes long lines of what is absent; a short line of an absent blob is 6 even so' - <<'END'
	lab <<-'PY'
		from rows import *
		(entry, name), (folder, other) = made([f"tree {ABSENT} - - -\td\n", f"blob {ABSENT} 5 0123456789ab text/plain\tn\n"], "--missing")
		assert (entry["blob_id"], name, store.opened_field(entry["size_enc"]), entry["large"]) == (ABSENT, "n", "5", False), entry
		assert folder == store.folder("d", ABSENT), folder
		assert [entry["large"] for entry, _ in made([f"blob {ABSENT} 5000000 0123456789ab x/y\tn\n"], "--missing")] == [True]
		refused({"short": f"blob {ABSENT}\tn\n".encode()}, 6, "--missing")
	PY
END

test_expect_success 'a tree line whose object is no tree is 128' - <<'END'
	lab <<-'PY'
		from rows import *
		blob, commit = store.blob("no tree"), store.commit(store.tree())
		refused({f"{kind}, {fields}": f"tree {name}{fields}\tn\n".encode() for kind, name in (("blob", blob), ("commit", commit)) for fields in ("", " - - -")}, 128)
	PY
END

test_expect_success 'a damaged object is 4 where it must be opened, and is named' - <<'END'
	lab <<-'PY'
		from rows import *
		blob, tree = store.blob("harmed"), store.tree([store.file("f", "x")])
		for name in (blob, tree):
		    sound = store.stored(name)
		    flip(store.path(name), 20)
		    run = mktree([f"{'tree' if name == tree else 'blob'} {name}\tn\n"])
		    assert run.returncode == 4 and not run.stdout and name.encode() in run.stderr, run
		    store.write(name, sound)
	PY
END

test_expect_success 'names that differ in case or in the spelling of an accent are taken, with a warning' - <<'END'
	lab <<-'PY'
		from rows import *
		blob, tree = store.blob("x"), store.tree()
		for one, two in (("readme", "README"), ("caf\u00e9", "cafe\u0301"), ("\u00c9", "e\u0301"), ("\u03c3", "\u03a3")):
		    for kind, name in (("blob", blob), ("tree", tree)):
		        run = mktree([f"blob {blob}\t{one}\n", f"{kind} {name}\t{two}\n"])
		        assert run.returncode == 0 and run.stderr, (one, two, run)
		        assert {n for _, n in store.entries(run.stdout.decode().strip())} == {one, two}
		assert not mktree([f"blob {blob}\ta\n", f"blob {blob}\tb\n", f"blob {blob}\taa\n"]).stderr, "no twins, no warning"
	PY
END

test_expect_success 'large is told by the envelope that is stored: 4194304 bytes are not, 4194305 are' - <<'END'
	lab >ids <<-'PY' &&
		from rows import *
		for size in (4_194_304, 4_194_305):
		    print(store.blob(bytes(size - 28)))
		print(store.blob(bytes(5_000_000), deflate=True))
	PY
	{ read -r below && read -r above && read -r deflated; } <ids &&
	printf 'blob %s\tbelow\nblob %s\tabove\nblob %s\tdeflated\n' "$below" "$above" "$deflated" >lines && id=$(sgit-mktree <lines) &&
	sgit-ls-tree --format='%(path) %(large) %(objectsize)' "$id" >actual &&
	printf 'above true 4194277\nbelow false 4194276\ndeflated false 5000000\n' >expected && cmp expected actual &&
	sgit-ls-tree -l "$id" >long && test "$(sgit-mktree <long)" = "$id"
END

test_expect_success 'ids of both widths may stand in one tree, and its own has the width of the format' - <<'END'
	use format2 format2.key && lab <<-'PY'
		import subprocess
		store, _ = Store.of_fixture("format2")
		short, long = store.blob("short", width=12), store.blob("long", width=32)
		run = subprocess.run(["sgit-mktree"], input=f"blob {long}\tl\nblob {short}\ts\n".encode(), capture_output=True, pass_fds=(3,), check=True)
		name = run.stdout.decode().strip()
		assert re.fullmatch("obj-cas-imm-[0-9a-f]{32}", name) and [e["blob_id"] for e, _ in store.entries(name)] == [long, short]
	PY
END

test_expect_success 'other bytes under the name of the tree-to-be are never overwritten: 4; the same are left alone' - <<'END'
	use s s.key && lab >row <<-'PY' &&
		from rows import *
		blob = store.blob("planted")
		plain = stored_json({"schema": "tree_v1", "entries": [store.file("p", "planted", "application/octet-stream", blob_id=blob)]})
		print(object_id(store.seal_same(plain)), blob)
	PY
	read -r id blob <row && printf 'blob %s\tp\n' "$blob" >line && printf planted >"s/bare/data/$id" && still s >before &&
	test_expect_status 4 sgit-mktree <line >out 2>err && test ! -s out && grep -q "$id" err && still s >after && cmp before after &&
	rm "s/bare/data/$id" && test "$(sgit-mktree <line)" = "$id" && still s >before && test "$(sgit-mktree <line)" = "$id" &&
	still s >after && cmp before after
END

test_expect_success 'three thousand entries are one tree' - <<'END'
	lab <<-'PY'
		from rows import *
		names = [f"{number:x}" for number in range(3000)]
		lines = [f"blob {OBJECT}{number:012x} 1 0123456789ab text/plain\t{name}\n" for number, name in enumerate(names)]
		entries = made(lines, "--missing")
		assert [name for _, name in entries] == sorted(names)
	PY
END

test_expect_success 'a store that needs a newer tool is 8, the key of another vault 3: and nothing is written' - <<'END'
	lab <<-'PY' &&
		store = Store("late", width=12)
		store.write_key_file("late.key")
		store.branch("current", store.commit(store.tree_of({"a": b"x"})))
		store.index(min_client="0.27.0")
	PY
	still late >before && test_expect_status 8 sgit-mktree --store late --key-file late.key </dev/null >out && test ! -s out &&
	test_expect_status 3 sgit-mktree --store late --key-file s.key </dev/null >out && test ! -s out && still late >after && cmp before after
END

test_expect_success 'an operand is a usage error' - <<'END'
	test_expect_status 129 sgit-mktree operand </dev/null && test_expect_status 129 sgit-mktree -l </dev/null
END

test_expect_success 'nothing is left over in any store' - <<'END'
	lab s late $GOLDEN <<-'PY'
		for root in sys.argv[1:]:
		    store = Store.at(root, root + ".key")
		    assert not store.strangers(), (root, store.strangers())
		    assert store.check()
	PY
END

test_expect_success 'a long line whose size cannot be that of its object is taken, with a warning' - <<'END'
	blob=$(echo hello | sgit-hash-object -w --stdin) && printf 'blob %s 6 5891b5b522d5 text/plain\tf\n' "$blob" >right && sgit-mktree <right >out 2>err && test ! -s err &&
	sed 's/ 6 / 7 /' right >more && sgit-mktree <more >out 2>err && test -s out && grep -q "'f'" err && sgit-ls-tree -l "$(cat out)" | cmp - more &&
	sed 's/ 6 / 5 /' right >less && sgit-mktree <less >out 2>err && grep -q "'f'" err
END

test_done
