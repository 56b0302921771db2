#!/bin/bash
# How an object is named: ids, prefixes, branches, tags, @, and what may follow them.
. "$(dirname "$0")/test-lib.sh"

fixture linear && fixture merge && fixture tags && use linear linear.key || exit 1
head=obj-cas-imm-1f9c063df47a

# names NAME ID: sgit-cat-object takes NAME for the object ID.
names() {
	local record
	record=$(printf '%s\n' "$1" | sgit-cat-object --batch-check --format='%(objectname)') &&
	test "$record" = "$2" && return
	echo "'$1' is $record, not $2" >&7
	return 1
}

test_expect_success 'a full id, a prefix of four digits or more with and without obj-cas-imm-, a branch, @' - <<'END'
	names "$head" "$head" &&
	names 1f9c "$head" && names 1f9c063df "$head" && names 1f9c063df47a "$head" &&
	names obj-cas-imm-1f9c "$head" &&
	names current "$head" && names @ "$head" &&
	names local obj-cas-imm-e89fe874b821
END

test_expect_success 'three digits are no prefix, and upper case is none' - <<'END'
	test_expect_status 6 sgit-cat-object -t 1f9 &&
	test_expect_status 6 sgit-cat-object -t obj-cas-imm-1f9 &&
	test_expect_status 6 sgit-cat-object -t 1F9C063D
END

test_expect_success 'an ambiguous prefix is 128 and names what it could be; more digits settle it' - <<'END'
	lab >twins.ids <<-'PY' &&
		store, seen = Store("twins"), {}
		store.write_key_file("twins.key")
		while True:
		    name = store.blob(os.urandom(8))
		    prefix = name[len(OBJECT):][:4]
		    if prefix in seen:
		        break
		    seen[prefix] = name
		print(prefix, name, seen[prefix])
	PY
	read -r prefix one other <twins.ids && use twins twins.key &&
	for name in "$prefix" "obj-cas-imm-$prefix"; do
		test_expect_status 128 sgit-cat-object -t "$name" 2>err && grep -q "'$name'" err || return 1
	done &&
	names "${one#obj-cas-imm-}" "$one" && names "${other#obj-cas-imm-}" "$other" &&
	use linear linear.key
END

test_expect_success 'a full id of twelve digits is that object, though a longer id begins with it' - <<'END'
	lab >pair.ids <<-'PY' &&
		store = Store("pair")
		store.write_key_file("pair.key")
		envelope = store.seal(b"both")
		print(store.put(envelope, 12), store.put(envelope, 32))
	PY
	read -r short long <pair.ids && use pair pair.key &&
	names "$short" "$short" && names "$long" "$long" &&
	use linear linear.key
END

test_expect_success '~ and ^ walk the parents; alone they mean one, and ^0 is the commit itself' - <<'END'
	use merge merge.key &&
	golden parents merge >graph && read -r top first second <graph &&
	names @~ "$first" && names @^ "$first" && names @^1 "$first" && names @~1 "$first" && names @^2 "$second" &&
	names @^0 "$top" && names @~0 "$top" &&
	names @^2~1 "$(grep "^$second" graph | cut -d' ' -f2)" &&
	names @^^ "$(grep "^$first" graph | cut -d' ' -f2)" && names @~2 "$(grep "^$first" graph | cut -d' ' -f2)" &&
	names "${top#obj-cas-imm-}^2" "$second" &&
	use linear linear.key && names @~5 "$(golden commits linear | tail -n 1)"
END

test_expect_success 'a parent that is not there is 6' - <<'END'
	for name in @~6 @^2 @~5^ @~4000000000; do
		test_expect_status 6 sgit-cat-object -t "$name" 2>err && grep -q "'$name'" err || return 1
	done
END

test_expect_success '^{tree} is the tree, of a commit and of a tree' - <<'END'
	names '@^{tree}' obj-cas-imm-38a5cfa103a4 && names '@~1^{tree}' obj-cas-imm-13e9e2a2f354 &&
	names '@^{tree}^{tree}' obj-cas-imm-38a5cfa103a4
END

test_expect_success ':path is what stands there, with the root for an empty path' - <<'END'
	names @:README.md obj-cas-imm-59c84bc2decf && names @~2:README.md obj-cas-imm-fa5c9cfe853b &&
	names @:docs obj-cas-imm-ac921bbd27b4 && names '@:docs/日本語' obj-cas-imm-173d428fc37c &&
	names '@:docs/日本語/説明.md' obj-cas-imm-91101750d3b1 && names '@^{tree}:a b/x' obj-cas-imm-b55b7a7b6b97 &&
	names obj-cas-imm-ac921bbd27b4:日本語 obj-cas-imm-173d428fc37c && names @: obj-cas-imm-38a5cfa103a4
END

test_expect_success 'paths are bytes: the composed and the decomposed spelling are not the same file' - <<'END'
	names "$(printf '@:docs/na\151\314\210ve.txt')" obj-cas-imm-8fbb7e09bbd6 &&
	test_expect_status 6 sgit-cat-object -t "$(printf '@:docs/na\303\257ve.txt')"
END

test_expect_success ':path comes last: what follows the colon is all path' - <<'END'
	lab >ids <<-'PY' &&
		store = Store("odd")
		store.write_key_file("odd.key")
		entries = [store.file(name, "x") for name in ("a:b", "a~1", "a^{tree}")]
		store.branch("current", store.commit(store.tree(entries)))
		store.index()
		print(*(entry["blob_id"] for entry in entries), sep="\n")
	PY
	use odd odd.key && { read -r colon && read -r tilde && read -r tree; } <ids &&
	names @:a:b "$colon" && names @:a~1 "$tilde" && names '@:a^{tree}' "$tree" &&
	use linear linear.key
END

test_expect_success 'a path that is not in the tree is 6' - <<'END'
	for name in @:nothing @:docs/nothing @:README.md/below @:/README.md @:docs//x @:./README.md @:docs/../README.md; do
		test_expect_status 6 sgit-cat-object -t "$name" 2>err && grep -q "'$name'" err || return 1
	done
END

test_expect_success 'suffixes on what has no parents or no tree do not crash' - <<'END'
	for name in '@:README.md^{tree}' obj-cas-imm-59c84bc2decf~1 'obj-cas-imm-59c84bc2decf^{tree}' obj-cas-imm-59c84bc2decf:x '@^{tree}~1' '@^{tree' '@^{blob}' '@~x' '@^-1' '~1' '^' ':x' '@@' '@{1}' '@~99999999999999999999' '@^99999999999999999999'; do
		status=0 && { sgit-cat-object -t "$name" >out 2>err || status=$?; } &&
		test ! -s out && case $status in 4 | 6 | 128 | 129) ;; *) echo "$name: $status" && return 1 ;; esac || return 1
	done
END

test_expect_success 'a tag that verifies names its commit, also with what follows' - <<'END'
	use tags tags.key &&
	sgit-rev-list -n 1 v1.0 >actual && test "$(cat actual)" = obj-cas-imm-34eb830a02b6 &&
	sgit-rev-list -n 1 release/2.0 >actual && test "$(cat actual)" = obj-cas-imm-8b0b10d71257 &&
	sgit-rev-list -n 1 moved >actual && test "$(cat actual)" = obj-cas-imm-8b0b10d71257 &&
	names v1.0~1 obj-cas-imm-0e1136ce441e && names 'v1.0^{tree}' obj-cas-imm-11a1170c2906 && names v1.0:f.txt obj-cas-imm-b7bd3ba2315b &&
	sgit-ls-tree release/2.0 >actual && sgit-ls-tree @ >expected && cmp expected actual
END

test_expect_success 'a deleted tag is not there: 6' - <<'END'
	test_expect_status 6 sgit-rev-list doomed 2>err && grep -q "'doomed'" err
END

cat >tagged.py <<'END'
import subprocess
from vaultlab import *

def tagged(width=32):
    """A store with two commits and a signer, in which a test makes its tags."""
    subprocess.run(["rm", "-rf", "t"], check=True)
    store = Store("t", width=width)
    store.write_key_file("t.key")
    signer = store.signer()
    root = store.commit(store.tree(), signer=signer)
    head = store.commit(store.tree(), [root], signer=signer)
    store.branch("current", head)
    store.branch("local", head, kind="clone", key_id=signer.key_id, ref_id=store.local_ref)
    return store, signer, root, head

def rev(name):
    return subprocess.run(["sgit-rev-list", "-n", "1", "--store", "t", "--key-file", "t.key", name], capture_output=True)
END

test_expect_success 'a tag that does not verify names nothing: 4, or 6 where the key is absent (FORMAT 6.6)' - <<'END'
	lab <<-'PY'
		from tagged import *
		store, signer, root, head = tagged()
		stranger = SigningKey("key-rnd-imm-00000000000000ee")
		store.tag("good", root, signer)
		store.tag("re-aimed", root, signer, commit_id=head)
		store.tag("re-told", root, signer, tagger_branch="")
		store.tag("renamed", root, signer, indexed_name="other-name")
		store.tag("unsigned", root, signer, signature=None)
		store.tag("garbled", root, signer, signature="AAAA")
		impostor = SigningKey(signer.key_id)
		store.tag("forged", root, impostor)
		store.tag("of-a-stranger", root, stranger)
		store.index()
		assert rev("good").stdout.decode() == root + "\n"
		for name in ("re-aimed", "re-told", "other-name", "unsigned", "garbled", "forged"):
		    run = rev(name)
		    assert run.returncode == 4 and not run.stdout and f"'{name}'".encode() in run.stderr, (name, run)
		assert rev("renamed").returncode == 6, "the name is the one of the index"
		run = rev("of-a-stranger")
		assert run.returncode == 6 and b"'of-a-stranger'" in run.stderr, run
		batch = subprocess.run(["sgit-cat-object", "--batch-check", "--store", "t", "--key-file", "t.key"], input=b"forged\n", capture_output=True)
		assert batch.returncode == 4 and batch.stdout == b"forged damaged\n", batch
	PY
END

test_expect_success 'a tag with quotes, control characters and letters beyond ASCII in its message verifies (FORMAT 6.6, 6.7)' - <<'END'
	lab <<-'PY'
		from tagged import *
		store, signer, root, head = tagged()
		for number, message in enumerate(("line\nnext\t\"q\" \\ / \u2028 end", "r\u00e9l\u00e9ase \U0001f680", "\r\n", "e\u0301")):
		    store.tag(f"v{number}", root, signer, message)
		store.index()
		for number in range(4):
		    assert rev(f"v{number}").stdout.decode() == root + "\n", number
	PY
END

test_expect_success 'of several entries of one name the greatest counts: not in the future, time, id, deleted (FORMAT 6.5)' - <<'END'
	lab <<-'PY'
		import time
		from tagged import *
		store, signer, root, head = tagged()
		now = int(time.time() * 1000)
		store.tag("later", head, signer, time=2_000)
		store.tag("later", root, signer, time=1_000)
		store.tag("gone", root, signer, time=1_000)
		store.tag("gone", root, signer, time=2_000, deleted=True)
		store.tag("back", root, signer, time=1_000, deleted=True)
		store.tag("back", root, signer, time=2_000)
		store.tag("future", root, signer, time=now)
		store.tag("future", head, signer, time=now + 48 * 3_600_000)
		a, b = store.tag("tie", root, signer, time=5), store.tag("tie", head, signer, time=5)
		store.index()
		assert rev("later").stdout.decode().strip() == head
		assert rev("gone").returncode == 6
		assert rev("back").stdout.decode().strip() == root
		assert rev("future").stdout.decode().strip() == root, "dated beyond now + 24 h"
		assert rev("tie").stdout.decode().strip() == (root if a > b else head)
	PY
END

test_expect_success 'an entry that cannot be read is carried and unused, and hides the readable one only without a usable time (FORMAT 6.5)' - <<'END'
	lab <<-'PY'
		from tagged import *
		store, signer, root, head = tagged()
		tag_id = store.tag("kept", root, signer, time=1_000)
		store.tag("hidden", root, signer, time=1_000)
		store.tags += [{"name": "kept", "tag_id": tag_id, "deleted": False, "timestamp_ms": 500, "unknown": 1},
		               {"name": "hidden", "tag_id": tag_id, "deleted": False, "timestamp_ms": "never", "unknown": 1},
		               {"name": "sp ace", "tag_id": tag_id, "deleted": False, "timestamp_ms": 1_000},
		               {"name": "deadbeef", "tag_id": tag_id, "deleted": False, "timestamp_ms": 1_000}, 7, None]
		store.index()
		assert rev("kept").stdout.decode().strip() == root
		for name in ("hidden", "sp ace", "deadbeef"):
		    assert rev(name).returncode == 6, (name, rev(name))
		shown = subprocess.run(["sgit-branch-index", "--store", "t", "--key-file", "t.key"], capture_output=True, check=True).stdout.decode()
		assert shown.count("tag - carried\t-\n") == 6, shown
	PY
END

test_done
