#!/bin/bash
# sgit-branch-index: the words that change the index, and all that they must leave as it is.
. "$(dirname "$0")/test-lib.sh"

still() { # every file of a store, with all that a write would change
	find "$1/bare" -type f -printf '%P %i %m %s %T@ %C@\n' | sort
}

# refused STATUS WORD…: the edit ends with this status, says why, prints nothing and writes nothing
refused() {
	local status=$1
	shift
	still s >before && test_expect_status "$status" sgit-branch-index "$@" >out 2>err && test ! -s out && test -s err && still s >after && cmp before after
}

# refused_somehow WORD…: the same where 128 and 129 are both an answer
refused_somehow() {
	local status=0
	still s >before && { sgit-branch-index "$@" >out 2>err || status=$?; } && test "$status" -eq 128 -o "$status" -eq 129 &&
	test ! -s out && test -s err && still s >after && cmp before after
}

# unchanged WORD…: a success without a word that writes nothing
unchanged() {
	still s >before && sgit-branch-index "$@" >out 2>err && test ! -s out && test ! -s err && still s >after && cmp before after
}

fresh() {
	rm -rf s && cp -R seed s
}

# plain NAME: a new store without an index, as ./NAME, and the tools use it
plain() {
	rm -rf "$1" && mkdir -p "$1/bare/data" && key_file "$1.key" "sgit_private_read_$(printf '%064d' 7):newvault1\n" && use "$1" "$1.key"
}

cat >rows.py <<'END'
import subprocess
from vaultlab import *

def opened(root):
    store = Store.at(root, root + ".key")
    return store, store.document(store.index_id)

def kept(before, after):
    """Everything that was in the index is in it still, in its place and as it was."""
    assert list(after) == list(before), (list(before), list(after))
    for name, value in before.items():
        if name in ("branches", "features", "tags"):
            assert after[name][:len(value)] == value, (name, value, after[name])
            assert [list(v) for v in value if isinstance(v, dict)] == [list(v) for v in after[name][:len(value)] if isinstance(v, dict)]
    for name in before.keys() - {"branches", "features", "format", "min_client"}:
        assert after[name] == before[name], name
END

lab >facts <<'END' || exit 1
store = Store("seed", width=12)
store.write_key_file("s.key")
signer = store.signer()
commit = store.commit(store.tree_of({"f": b"x"}), signer=signer)
odd = {"n": 12345678901234567890, "f": 1.5, "s": "caf\u00e9 \ud83d\ude80 \u2028 \\ \" / \u0001", "a": [None, True, {"b": []}], "": 0, "z": {}, "big": 2 ** 53 + 1}
store.branch("current", commit, x_branch=odd, display_name="Ana\u2019s \U0001f680")
store.branch("other", commit, x_other=1)
store.branch("local", commit, kind="clone", key_id=signer.key_id, ref_id=store.local_ref, creator=store.branches[0]["branch_id"])
store.tag("v1", commit, signer)
store.tags[0]["x_tag"] = odd
store.tags.append({"name": "\u00fc\u00fc", "tag_id": None, "who": ["knows"]})
store.index(features=["from-the-future", "a-first"], x_top=odd, min_client="0.20.0")
for name in ("main_ref", "local_ref", "index_id"):
    print(f"{name}={getattr(store, name)}")
print(f"key={signer.key_id} commit={commit} current={store.branches[0]['branch_id']}")
END
# shellcheck disable=SC1091
. ./facts
(umask 077 && openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out p256.pem 2>.log && openssl pkey -in p256.pem -pubout -out p256.pub) || exit 1
fresh && use s s.key || exit 1

test_expect_success 'add-branch prints the ids of the branch and its ref, and the index has one branch more' - <<'END'
	date +%s%3N >early && sgit-branch-index add-branch feature-x >made 2>err && test ! -s err && date +%s%3N >late &&
	grep -Exq 'branch-named-[0-9a-f]{16} ref-pid-muw-[0-9a-f]{12}' made && lab <<-'PY'
		from rows import *
		before, after = Store.at("seed", "s.key"), opened("s")[1]
		old = before.document(before.index_id)
		kept(old, after)
		branch_id, ref_id = open("made").read().split()
		assert len(after["branches"]) == len(old["branches"]) + 1 and after["features"] == old["features"] and after["tags"] == old["tags"]
		entry = after["branches"][-1]
		assert int(open("early").read()) <= entry.pop("created_at") <= int(open("late").read())
		assert entry == {"branch_id": branch_id, "name": "feature-x", "branch_type": "named", "head_ref_id": ref_id, "public_key_id": None,
		                 "private_key_id": None, "creator_branch": None, "display_name": None}, entry
		assert not os.path.exists(f"s/bare/refs/{ref_id}")
	PY
END

test_expect_success 'what the reading part prints is as before, and one line more' - <<'END'
	read -r branch ref <made && sgit-branch-index --store seed >before.txt && sgit-branch-index >after.txt &&
	grep -v "$branch" after.txt | cmp before.txt - && grep "$branch" after.txt >line && printf 'branch %s named %s - -\tfeature-x\n' "$branch" "$ref" | cmp - line
END

test_expect_success 'the members of a branch are in the order of the format, with what the options say' - <<'END'
	fresh && sgit-branch-index add-branch --type clone --ref ref-pid-snw-0123456789ab --key "$key" --creator other --display-name My_desk-2 --date 1700000000123 clone-x >made &&
	grep -Exq 'branch-clone-[0-9a-f]{16} ref-pid-snw-0123456789ab' made && lab "$key" <<-'PY'
		from rows import *
		store, after = opened("s")
		entry = after["branches"][-1]
		assert list(entry) == ["branch_id", "name", "branch_type", "head_ref_id", "public_key_id", "private_key_id", "created_at", "creator_branch", "display_name"]
		assert entry == {"branch_id": open("made").read().split()[0], "name": "clone-x", "branch_type": "clone", "head_ref_id": "ref-pid-snw-0123456789ab",
		                 "public_key_id": sys.argv[1], "private_key_id": None, "created_at": 1700000000123, "creator_branch": after["branches"][1]["branch_id"],
		                 "display_name": "My_desk-2"}, entry
	PY
END

test_expect_success 'a clone branch follows current where nothing else is said; the creator may be an id' - <<'END'
	fresh && sgit-branch-index add-branch --type clone one >out && sgit-branch-index add-branch --type clone --creator "$current" two >out && sgit-branch-index add-branch --type named three >out &&
	sgit-branch-index --json >index.json && lab "$current" <<-'PY'
		one, two, three = json.load(open("index.json"))["branches"][-3:]
		assert one["creator"] == two["creator"] == sys.argv[1] and three["creator"] is None
		assert re.fullmatch("ref-pid-snw-[0-9a-f]{12}", one["ref"]) and re.fullmatch("ref-pid-muw-[0-9a-f]{12}", three["ref"])
	PY
END

test_expect_success 'a time may be RFC 3339' - <<'END'
	fresh && sgit-branch-index add-branch --date 2026-11-30T20:43:35.123+01:00 dated >out && lab <<-'PY' &&
		from rows import *
		assert opened("s")[1]["branches"][-1]["created_at"] == 1796067815123
	PY
	for date in yesterday -1 100000000000000 2026-11-30 ''; do refused 129 add-branch --date "$date" undated || return 1; done
END

test_expect_success 'a named branch that is there already is 128; a clone branch may have the name of another' - <<'END'
	fresh && refused 128 add-branch other && refused 128 add-branch current && refused 128 add-branch --type named other &&
	sgit-branch-index add-branch --type clone local >one && sgit-branch-index add-branch --type clone local >two && ! cmp -s one two
END

test_expect_success 'a key that is not stored, and a creator that is not there, are 6' - <<'END'
	fresh && refused 6 add-branch --key key-rnd-imm-00000000000000ff x && grep -q key-rnd-imm-00000000000000ff err &&
	refused 6 add-branch --type clone --creator nothing x && refused 6 add-branch --type clone --creator branch-named-00000000000000ff x
END

test_expect_success 'names, types, refs and keys of another form are refused' - <<'END'
	fresh && for name in 'sp ace' '' a/b é a.b "$(printf '%065d' 0)" '../x' "$(printf 'a\nb')"; do
		refused_somehow add-branch "$name" || { echo "$name" && return 1; }
	done && refused 129 add-branch --type remote x && refused_somehow add-branch --ref ref-pid-muw-XYZ x && refused_somehow add-branch --ref ../../x x &&
	refused_somehow add-branch --ref idx-pid-muw-0123456789ab x && refused 129 add-branch && refused 129 add-branch x y &&
	status=0 && { sgit-branch-index add-branch --key ../../x x >out 2>err || status=$?; } && test "$status" -ne 0 && test ! -s out && still s >after && cmp before after &&
	sgit-branch-index add-branch "$(printf '%064d' 0)" >out
END

test_expect_success 'the first branches of a new store get the refs that the key gives, and the index is made as the format says' - <<'END'
	plain new && sgit-branch-index add-branch current >named && sgit-branch-index add-branch --type clone local >first && sgit-branch-index add-branch --type clone local >second &&
	sgit-branch-index add-branch other >other && lab <<-'PY'
		from rows import *
		store, index = opened("new")
		assert store.read(store.index_id) == stored_json(index) and list(index) == ["schema", "format", "min_client", "branches", "features", "tags"], index
		assert index["schema"] == "branch_index_v1" and index["format"] in (None, 1) and index["min_client"] is None and index["features"] == index["tags"] == []
		ids = [open(name).read().split() for name in ("named", "first", "second", "other")]
		assert [[b["branch_id"], b["head_ref_id"]] for b in index["branches"]] == ids
		assert ids[0][1] == store.main_ref and ids[1][1] == store.local_ref and ids[2][1] != store.local_ref and ids[3][1] != store.main_ref
		assert [b["creator_branch"] for b in index["branches"]] == [None, ids[0][0], ids[0][0], None]
	PY
END

test_expect_success 'a clone branch has no creator where current is not listed; local alone gets its ref, whenever it comes' - <<'END'
	plain new && sgit-branch-index add-branch --type clone elsewhere >one && sgit-branch-index add-branch --type clone local >two && lab <<-'PY'
		from rows import *
		store, index = opened("new")
		assert [b["creator_branch"] for b in index["branches"]] == [None, None]
		assert [b["head_ref_id"] == store.local_ref for b in index["branches"]] == [False, True]
	PY
END

test_expect_success 'every word makes an index where there is none' - <<'END'
	for words in 'set-format 2' 'set-format 1' 'set-min-client 0.20.0' 'add-feature blob-deflate' 'add-branch current'; do
		# shellcheck disable=SC2086
		plain new && sgit-branch-index $words >out 2>err && test ! -s err && { sgit-branch-index >out || test "$words" = 'set-format 1'; } || return 1
	done && test "$(find new/bare -name 'idx-*' | wc -l)" -eq 1 && use s s.key
END

test_expect_success 'add-key stores a public key once, and prints its id' - <<'END'
	fresh && sgit-branch-index add-key p256.pub >id 2>err && test ! -s err && grep -Exq 'key-rnd-imm-[0-9a-f]{16}' id && still s >before &&
	sgit-branch-index add-key p256.pub | cmp id - && sgit-branch-index add-key - <p256.pub | cmp id - && still s >after && cmp before after &&
	cmp "seed/bare/indexes/$index_id" "s/bare/indexes/$index_id" && lab <<-'PY'
		from rows import *
		store = Store.at("s", "s.key")
		name = open("id").read().strip()
		assert store.read(name) == stored_json({"type": "public", "pem": open("p256.pub").read()})
		signer = SigningKey(name, pem=open("p256.pem").read())
		assert store.verdict(store.commit(store.tree(), signer=signer)) == "verified"
	PY
END

test_expect_success 'a key that another program stored is found too' - <<'END'
	fresh && lab >theirs.pub <<-PY &&
		print(Store.at("s", "s.key").document("$key")["pem"], end="")
	PY
	still s >before && sgit-branch-index add-key theirs.pub >id && test "$(cat id)" = "$key" && still s >after && cmp before after
END

test_expect_success 'what is no public key of P-256 is 128' - <<'END'
	fresh && (umask 077 && openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-384 -out p384.pem && openssl genrsa -out rsa.pem 2048 2>/dev/null && openssl genpkey -algorithm ED25519 -out ed.pem) &&
	for name in p384 rsa ed; do openssl pkey -in $name.pem -pubout -out $name.pub || return 1; done &&
	: >empty && echo hello >junk && head -n 2 p256.pub >cut && openssl pkey -in p256.pem -pubout -outform DER -out der && head -c 100000 /dev/zero >zeros &&
	for name in p384.pub rsa.pub ed.pub p256.pem empty junk cut der zeros; do refused 128 add-key $name || { echo "$name" && return 1; }; done &&
	refused 128 add-key - && status=0 && { sgit-branch-index add-key no/such >out 2>err || status=$?; } && test "$status" -eq 6 -o "$status" -eq 128 && grep -q "'no/such'" err
END

test_expect_success 'a key is stored in a new store, whose folder of keys is made' - <<'END'
	plain new && sgit-branch-index add-key p256.pub >id && test -f "new/bare/keys/$(cat id)" && sgit-branch-index add-branch --type clone --key "$(cat id)" local >out &&
	sgit-branch-index | grep -q " $(cat id) " && use s s.key
END

test_expect_success 'set-format 2 sets the format and its feature, and from then on ids have 32 digits' - <<'END'
	fresh && sgit-branch-index set-format 2 >out 2>err && test ! -s out && test ! -s err && lab <<-'PY' &&
		from rows import *
		before, after = Store.at("seed", "s.key"), opened("s")[1]
		old = before.document(before.index_id)
		kept(old, after)
		assert after["format"] == 2 and sorted(after["features"]) == sorted(old["features"] + ["ids-128"]) and after["branches"] == old["branches"]
		assert after["min_client"] == old["min_client"]
	PY
	unchanged set-format 2 && sgit-mktree </dev/null >id && grep -Exq 'obj-cas-imm-[0-9a-f]{32}' id
END

test_expect_success 'the format never goes down: 8' - <<'END'
	refused 8 set-format 1 && fresh && unchanged set-format 1 && refused_somehow set-format 3 && refused_somehow set-format 0 && refused_somehow set-format x && refused 129 set-format && refused 129 set-format 1 2
END

test_expect_success 'set-min-client goes up and never down, compared by number, and not above 0.26.0' - <<'END'
	fresh && unchanged set-min-client 0.20.0 && refused 8 set-min-client 0.19.9 && refused 8 set-min-client 0.3.0 && sgit-branch-index set-min-client 0.20.1 >out 2>err && test ! -s out && test ! -s err &&
	sgit-branch-index | grep -qx 'min-client 0.20.1' && refused 8 set-min-client 0.20.0 && refused 8 set-min-client 0.9.0 && refused 8 set-min-client 0.26.1 &&
	refused 8 set-min-client 1.0.0 && refused 8 set-min-client 0.100.0 && sgit-branch-index set-min-client 0.26.0 && refused 8 set-min-client 0.25.99 && unchanged set-min-client 0.26.0 &&
	for text in 0.26 26 '' x 0.26.0.1 -1.0.0 0.26.x; do refused_somehow set-min-client "$text" || return 1; done
END

test_expect_success 'set-min-client and set-format leave all else as it was' - <<'END'
	lab <<-'PY'
		from rows import *
		before, after = Store.at("seed", "s.key"), opened("s")[1]
		old = before.document(before.index_id)
		kept(old, after)
		assert after["min_client"] == "0.26.0" and after["features"] == old["features"] and after["format"] == old["format"]
	PY
END

test_expect_success 'add-feature adds a feature once, of the form that features have; packs is 8' - <<'END'
	fresh && unchanged add-feature a-first && sgit-branch-index add-feature blob-deflate >out 2>err && test ! -s out && test ! -s err && unchanged add-feature blob-deflate &&
	sgit-branch-index add-feature x >out && sgit-branch-index add-feature "$(printf '%040d' 0)" >out && refused 8 add-feature packs &&
	for feature in '' -x A 'sp ace' a_b é "$(printf '%041d' 0)" a/b; do refused_somehow add-feature -- "$feature" || { echo "$feature" && return 1; }; done && lab <<-'PY'
		from rows import *
		before, after = Store.at("seed", "s.key"), opened("s")[1]
		old = before.document(before.index_id)
		assert set(after["features"]) == {*old["features"], "blob-deflate", "x", "0" * 40} and len(after["features"]) == 5
		assert {**after, "features": 0} == {**old, "features": 0}
	PY
END

test_expect_success 'a word must come first, and an unknown one is a usage error' - <<'END'
	fresh && refused 129 --store s add-branch x && refused 129 --json add-branch x && refused 129 frobnicate && refused 129 add-branch --json x && refused 129 remove-branch other &&
	sgit-branch-index add-branch --store s x >out && sgit-branch-index add-branch y --type clone >out
END

test_expect_success 'an index that does not open, or is none, is 4 and stays; so is one that asks for a newer tool, with 8, and one of another key, with 3' - <<'END'
	fresh && lab <<<"flip('s/bare/indexes/$index_id', 50)" && for words in 'add-branch x' 'set-format 2' 'set-min-client 0.26.0' 'add-feature x' 'add-key p256.pub'; do
		# shellcheck disable=SC2086
		refused 4 $words && grep -q "$index_id" err || return 1
	done && for text in '' '[]' '{' '{"branches": "x"}' '{"branches": [{"branch_id": "x"}]}'; do
		fresh && lab "$text" <<<'Store.at("s", "s.key").index(sys.argv[1].encode())' && refused 4 add-branch x && refused 4 add-feature x || return 1
	done && fresh && lab <<-'PY' &&
		from rows import *
		store, index = opened("s")
		store.index({**index, "min_client": "0.26.1"})
	PY
	refused 8 add-branch x && refused 8 set-format 2 && refused 8 set-min-client 0.26.0 && refused 8 add-feature x && refused 8 add-key p256.pub &&
	fresh && key_file wrong.key "sgit_private_read_$(printf '%064d' 8):lab00001\n" && refused 3 add-branch --key-file wrong.key x && refused 3 add-key --key-file wrong.key p256.pub &&
	refused 3 set-format --key-file wrong.key 2
END

test_expect_success 'the index keeps its mode; a new one has 0644 less the umask' - <<'END'
	for mode in 600 664; do
		fresh && chmod $mode "s/bare/indexes/$index_id" && (umask 077 && sgit-branch-index add-feature x) && test "$(stat -c %a "s/bare/indexes/$index_id")" = $mode || return 1
	done && for pair in 022:644 077:600; do
		plain new && (umask "${pair%:*}" && sgit-branch-index add-feature x && sgit-branch-index add-key p256.pub >id) && test "$(stat -c %a new/bare/indexes/*)" = "${pair#*:}" &&
		test "$(stat -c %a new/bare/keys/*)" = "${pair#*:}" || return 1
	done && use s s.key
END

test_expect_success 'of a hundred branches that are added at once none is lost' - <<'END'
	fresh && lab <<-'PY'
		from rows import *
		adders = [subprocess.Popen(["sgit-branch-index", "add-branch", "--type", "clone" if n % 2 else "named", f"many-{n}"], stdout=subprocess.PIPE, pass_fds=(3,)) for n in range(100)]
		made = {f"many-{n}": adder.communicate(timeout=60)[0].decode().split() for n, adder in enumerate(adders)}
		assert [adder.returncode for adder in adders] == [0] * 100
		before, after = Store.at("seed", "s.key"), opened("s")[1]
		old = before.document(before.index_id)
		kept(old, after)
		new = after["branches"][len(old["branches"]):]
		assert {b["name"]: [b["branch_id"], b["head_ref_id"]] for b in new} == made and len(new) == 100
		assert len({b["head_ref_id"] for b in after["branches"]}) == len({b["branch_id"] for b in after["branches"]}) == len(after["branches"])
	PY
END

test_expect_success 'edits of every kind at once all arrive; of two that add one named branch one is refused' - <<'END'
	fresh && lab <<-'PY'
		from rows import *
		words = [["add-feature", f"f{n}"] for n in range(8)] + [["add-branch", f"b{n}"] for n in range(8)] + [["set-format", "2"]] * 3 + [["set-min-client", "0.26.0"]] * 3
		words += [["add-key", "p256.pub"]] * 4
		edits = [subprocess.Popen(["sgit-branch-index", *word], stdout=subprocess.PIPE, pass_fds=(3,)) for word in words]
		said = [edit.communicate(timeout=60)[0] for edit in edits]
		assert [edit.returncode for edit in edits] == [0] * len(words)
		assert len(set(said[-4:])) == 1, "one key, stored more than once"
		_, after = opened("s")
		assert {f"f{n}" for n in range(8)} | {"ids-128"} <= set(after["features"]) and {f"b{n}" for n in range(8)} <= {b["name"] for b in after["branches"]}
		assert after["format"] == 2 and after["min_client"] == "0.26.0"
		twins = [subprocess.Popen(["sgit-branch-index", "add-branch", "twin"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, pass_fds=(3,)) for _ in range(6)]
		assert sorted(twin.wait(60) for twin in twins) == [0] + [128] * 5
	PY
END

test_expect_success 'nothing is left over in any store' - <<'END'
	lab <<-'PY'
		for root in ("s", "new"):
		    store = Store.at(root, root + ".key")
		    assert not store.strangers(), store.strangers()
		    store.check()
	PY
END

test_done
