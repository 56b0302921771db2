#!/bin/bash
# sgit-verify-commit: verdicts (FORMAT 6.7).
. "$(dirname "$0")/test-lib.sh"

for name in $GOLDEN; do
	test_expect_success "$name: every verdict of vault.json, by operand and by --stdin" - <<-'END'
		fixture "$name" && use "$name" "$name.key" &&
		golden verdicts "$name" >expected && golden commits "$name" >ids &&
		want=0 && { ! grep -qv ' verified' expected || want=1; } &&
		mapfile -t ids <ids &&
		test_expect_status "$want" sgit-verify-commit "${ids[@]}" >actual && cmp expected actual &&
		test_expect_status "$want" sgit-verify-commit --stdin <ids >actual && cmp expected actual &&
		tr '\n' '\0' <ids >ids.z && test_expect_status "$want" sgit-verify-commit --stdin -z <ids.z >actual && tr '\n' '\0' <expected | cmp - actual &&
		test_expect_status "$want" sgit-verify-commit --stdin --json <ids >actual && lab "$name" <<-'PY'
			store, facts = Store.of_fixture(sys.argv[1])
			rows = [json.loads(row, object_pairs_hook=list) for row in open("actual")]
			told = [row.rstrip("\n").split(" ", 2) for row in open("expected")]
			assert len(rows) == len(told)
			for row, words, commit in zip(rows, told, facts["commits"]):
			    assert [member for member, _ in row] == ["id", "verdict", "key", "48_bit"], row
			    row = dict(row)
			    assert (row["id"], row["verdict"], row["48_bit"]) == (words[0], words[1], len(words) == 3), row
			    assert not commit["author_key_id"] or row["key"] == commit["author_key_id"], row
		PY
	END
done

cat >signed.py <<'END'
import subprocess
from vaultlab import *

def tool(*command):
    return subprocess.run([*command, "--store", "s", "--key-file", "s.key"], capture_output=True)

def fresh(width=32):
    subprocess.run(["rm", "-rf", "s"], check=True)
    store = Store("s", width=width)
    store.write_key_file("s.key")
    signer = store.signer()
    store.tree_id = store.tree([store.file("f", "x")])
    return store, signer

def listed(store, head, signer=None):
    store.branches.clear()
    store.branch("current", head)
    store.branch("local", head, kind="clone", key_id=signer and signer.key_id, ref_id=store.local_ref, branch_id="branch-clone-00000000000000cc")
    store.index()

def verdict(name):
    run = tool("sgit-verify-commit", name)
    word = run.stdout.decode().removeprefix(name + " ").rstrip("\n")
    assert run.returncode == (0 if word.split()[:1] == ["verified"] else 1), run
    return word
END

test_expect_success 'each form of signature, and what spoils it (FORMAT 6.7)' - <<'END'
	lab <<-'PY'
		from signed import *
		store, signer = fresh()
		tree, other = store.tree_id, store.tree()
		parent = store.commit(tree, signer=signer)
		good = store.commit_document(tree, [parent], "told \u2028 \u00e9", signer=signer)
		raw = base64.b64decode(good["signature"])
		b64 = lambda b: base64.b64encode(b).decode()
		r, s = raw[:32], int.from_bytes(raw[32:], "big")
		def without(document, *members):
		    return {name: value for name, value in document.items() if name not in members}
		legacy = store.commit_document(tree, [parent], "old", signer=signer, legacy=True)
		web = store.commit_document(tree, [parent], "web", signer=signer, branch="web-ui")
		rows = {
		    "canonical": (good, "verified"), "members reversed": (dict(reversed(good.items())), "verified"),
		    "an unknown member added": ({**good, "x": 1}, "verified"), "reserved members absent": (without(good, "author_signature", "attestations"), "verified"),
		    "the other s": ({**good, "signature": b64(r + (ORDER - s).to_bytes(32, "big"))}, "verified"),
		    "parents changed": ({**good, "parents": []}, "bad"), "tree changed": ({**good, "tree_id": other}, "bad"),
		    "message changed": ({**good, "message_enc": b64(store.seal(b"told otherwise"))}, "bad"), "time changed": ({**good, "timestamp_ms": 1}, "bad"),
		    "branch changed": ({**good, "branch_id": ""}, "bad"), "schema changed": ({**good, "schema": "commit_v2"}, "bad"),
		    "attestations added": ({**good, "attestations": ["AAAA"]}, "bad"),
		    "DER": ({**good, "signature": b64(signer.sign_der(signed_bytes(good)))}, "bad"), "a byte short": ({**good, "signature": b64(raw[:63])}, "bad"),
		    "a byte long": ({**good, "signature": b64(raw + b"\0")}, "bad"), "all zero": ({**good, "signature": b64(bytes(64))}, "bad"),
		    "r and s swapped": ({**good, "signature": b64(raw[32:] + raw[:32])}, "bad"), "s = n": ({**good, "signature": b64(r + ORDER.to_bytes(32, "big"))}, "bad"),
		    "no signature": ({**good, "signature": None}, "unsigned"), "an absent signature": (without(good, "signature"), "unsigned"),
		    "a key nobody has": (store.commit_document(tree, [parent], signer=SigningKey("key-rnd-imm-00000000000000ee")), "no-key"),
		    "another's signature under this key": ({**good, "signature": b64(SigningKey("x").sign(signed_bytes(good)))}, "bad"),
		    "legacy form": (legacy, "verified"), "legacy form, members reversed": (dict(reversed(legacy.items())), "verified"),
		    "legacy form, changed": ({**legacy, "timestamp_ms": 1}, "bad"),
		    "legacy form under an author key": ({**good, "signature": b64(signer.sign(signed_bytes(good, legacy=True)))}, "bad"),
		    "canonical without an author key": (store.commit_document(tree, [parent], "c", signer=signer, author_key_id=None), "verified"),
		    "an ungrammatical branch id, signed as written": (web, "bad"),
		    "an author key id that is no name of a key file": ({**good, "author_key_id": "someone:else"}, "no-key"),
		}
		for about, (document, want) in rows.items():
		    name = store.put_json(document)
		    listed(store, name, signer)
		    assert verdict(name) == want, (about, verdict(name), want)
	PY
END

test_expect_success 'without an author key the key is the one of the branch in the index; without either there is none (FORMAT 6.7)' - <<'END'
	lab <<-'PY'
		from signed import *
		store, signer = fresh()
		name = store.commit(store.tree_id, signer=signer, legacy=True)
		listed(store, name, signer)
		assert verdict(name) == "verified"
		listed(store, name, None)
		assert verdict(name) == "no-key", "the branch has no key"
		store.branches.pop()
		store.index()
		assert verdict(name) == "no-key", "the branch is not listed"
		os.remove(store.path(store.index_id))
		assert verdict(name) == "no-key", "there is no index"
	PY
END

test_expect_success 'a key that cannot be loaded is no key: another curve, no PEM, a private key, none at all (FORMAT 6.4, 6.7)' - <<'END'
	lab <<-'PY'
		from signed import *
		store, signer = fresh()
		name = store.commit(store.tree_id, signer=signer)
		listed(store, name, signer)
		def key(document):
		    store.write(signer.key_id, store.seal(document if isinstance(document, bytes) else stored_json(document)))
		    return verdict(name)
		pem = signer.public_pem()
		assert key({"pem": pem}) == "verified", "the type is optional"
		assert key({"pem": pem, "type": "public", "x": 1}) == "verified"
		for about, document in {"another curve": {"type": "public", "pem": SigningKey("x", b"P-384").public_pem()}, "no PEM": {"type": "public"},
		                        "a word": {"type": "public", "pem": "key"}, "a private key": {"type": "public", "pem": signer.private_pem()},
		                        "cut": {"type": "public", "pem": pem[:90]}}.items():
		    assert key(document) == "no-key", about
		os.remove(store.path(signer.key_id))
		assert verdict(name) == "no-key", "no file"
	PY
END

test_expect_success 'a commit that is absent is missing, 1; the others are still told' - <<'END'
	use linear linear.key &&
	absent=obj-cas-imm-00000000000000000000000000000000 &&
	test_expect_status 1 sgit-verify-commit "$absent" @ >actual &&
	printf "$absent missing\nobj-cas-imm-1f9c063df47a verified 48-bit\n" | cmp - actual
END

test_expect_success 'a name that leads nowhere is 6' - <<'END'
	test_expect_status 6 sgit-verify-commit no-such-branch && test_expect_status 6 sgit-verify-commit @~99
END

test_expect_success 'a commit object that is damaged is 4 and named' - <<'END'
	cp -R linear harmed && lab <<<'flip("harmed/bare/data/obj-cas-imm-1f9c063df47a", 9)' &&
	test_expect_status 4 sgit-verify-commit --store harmed obj-cas-imm-1f9c063df47a 2>err && grep -q obj-cas-imm-1f9c063df47a err
END

test_expect_success '48-bit is said where an id that the commit reaches has 12 digits, however deep' - <<'END'
	lab <<-'PY'
		from signed import *
		store, signer = fresh()
		wide = store.tree([store.file("f", "x"), store.folder("d", store.tree([store.file("g", "y")]))])
		deep_blob = store.tree([store.folder("d", store.tree([store.folder("e", store.tree([store.file("g", "y", width=12)]))]))])
		deep_tree = store.tree([store.folder("d", store.tree([store.folder("e", store.tree([], width=12))]))])
		root = store.commit(wide, signer=signer)
		narrow_parent = store.put_json(store.commit_document(wide, signer=signer), width=12)
		rows = {root: "verified", store.commit(wide, [root], signer=signer): "verified",
		        store.commit(deep_blob, [root], signer=signer): "verified 48-bit", store.commit(deep_tree, [root], signer=signer): "verified 48-bit",
		        store.commit(store.tree([], width=12), [root], signer=signer): "verified 48-bit",
		        store.commit(wide, [narrow_parent], signer=signer): "verified 48-bit", store.commit(wide, [root, narrow_parent], signer=signer): "verified 48-bit",
		        store.commit(deep_blob, [root]): "unsigned 48-bit"}
		listed(store, root, signer)
		for name, want in rows.items():
		    assert verdict(name) == want, (name, verdict(name), want)
	PY
END

test_done
