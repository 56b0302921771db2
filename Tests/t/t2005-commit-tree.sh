#!/bin/bash
# sgit-commit-tree: messages, parents, times, branches, and signatures with keys that the openssl program made.
. "$(dirname "$0")/test-lib.sh"

still() { # every file of a store, with all that a write would change
	find "$1/bare" -type f -printf '%P %i %m %s %T@ %C@\n' | sort
}

# refused STATUS COMMAND…: ends with this status, says why, prints nothing and writes nothing
refused() {
	still s >before && test_expect_status "$@" >out 2>err && test ! -s out && test -s err && still s >after && cmp before after
}

# told COMMIT: its message, byte for byte, as the lab opens it
told() {
	lab "$@" <<-'PY'
		store = Store.at("s", "s.key")
		sys.stdout.write(store.opened_field(store.document(sys.argv[1])["message_enc"]))
	PY
}

lab >ids <<'END' || exit 1
store = Store("s", width=12)
store.write_key_file("s.key")
blob = store.blob("x")
tree = store.tree_of({"docs/a.txt": b"a", "b": b"b"})
one = store.commit(tree, message="one")
two = store.commit(tree, [one], message="two")
store.branch("current", two)
store.branch("other", one)
store.branch("local", two, kind="clone", ref_id=store.local_ref)
store.index()
print(blob, tree, one, two)
END
read -r blob tree one two <ids
use s s.key || exit 1
absent=obj-cas-imm-0123456789ab

umask 077
openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out pkcs8.pem 2>.log &&
	openssl ecparam -genkey -name prime256v1 -out sec1.pem 2>.log &&
	openssl ecparam -genkey -name prime256v1 -noout -out bare-sec1.pem 2>.log &&
	openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out stranger.pem 2>.log || exit 1
umask 022
for name in pkcs8 sec1 bare-sec1 stranger; do
	openssl pkey -in "$name.pem" -pubout -out "$name.pub" || exit 1
done
lab <<'END' || exit 1
store = Store.at("s", "s.key")
for number, name in enumerate(("pkcs8", "sec1", "bare-sec1"), 1):
    pem = open(name + ".pub").read()
    store.write(f"key-rnd-imm-{number:016x}", store.seal_document(stored_json({"type": "public", "pem": pem})))
END

test_expect_success 'the smallest commit has all members, in the form that sgit writes' - <<'END'
	sgit-commit-tree -m told "$tree" >id 2>err && test ! -s err && grep -Exq 'obj-cas-imm-[0-9a-f]{12}' id &&
	date +%s%3N >now && lab "$(cat id)" "$tree" <<-'PY'
		store = Store.at("s", "s.key")
		raw = store.read(sys.argv[1])
		document = json.loads(raw)
		assert raw == stored_json(document) and list(document) == list(COMMIT_DEFAULTS), raw
		now = int(open("now").read())
		assert now - 60_000 < document.pop("timestamp_ms") <= now
		assert store.opened_field(document.pop("message_enc")) == "told"
		assert document == {"schema": "commit_v1", "tree_id": sys.argv[2], "branch_id": "", "signature": None, "author_key_id": None,
		                    "author_signature": None, "parents": [], "attestations": []}, document
	PY
END

test_expect_success 'the message has a nonce of its own: two equal commits have two ids' - <<'END'
	sgit-commit-tree -m told --date 0 "$tree" >one && sgit-commit-tree -m told --date 0 "$tree" >two && ! cmp -s one two && lab <<-'PY'
		store = Store.at("s", "s.key")
		sealed = [base64.b64decode(store.document(open(name).read().strip())["message_enc"]) for name in ("one", "two")]
		assert sealed[0] != sealed[1] and {len(text) for text in sealed} == {28 + len("told")}
	PY
END

test_expect_success 'each -m is a paragraph' - <<'END'
	told "$(sgit-commit-tree -m first -m 'second
line' -m third "$tree")" >actual && printf 'first\n\nsecond\nline\n\nthird' >expected && cmp expected actual
END

test_expect_success 'a message comes from a file, or from standard input, with and without -F -, less one final LF' - <<'END'
	printf 'from a\nfile' >message && told "$(sgit-commit-tree -F message "$tree")" >actual && cmp message actual &&
	for option in '' '-F -'; do
		for text in 'in' 'in\n' '\n\nin \n more' ' \n' 'caf\303\251 \360\237\232\200'; do
			# shellcheck disable=SC2059
			printf "$text" >expected && printf "$text\n" >message &&
			# shellcheck disable=SC2086
			told "$(sgit-commit-tree $option "$tree" <message)" >actual && cmp expected actual || return 1
		done
	done && printf 'no end' >message && told "$(sgit-commit-tree "$tree" <message)" >actual && cmp message actual
END

test_expect_success 'an empty message is stored as null' - <<'END'
	printf '\n' >feed && sgit-commit-tree -m '' "$tree" >ids && sgit-commit-tree "$tree" </dev/null >>ids && sgit-commit-tree "$tree" <feed >>ids &&
	sgit-commit-tree -F /dev/null "$tree" >>ids && test "$(wc -l <ids)" -eq 4 && lab <<-'PY'
		store = Store.at("s", "s.key")
		for name in open("ids").read().split():
		    assert store.document(name)["message_enc"] is None, name
	PY
END

test_expect_success '-m and -F together are a usage error' - <<'END'
	refused 129 sgit-commit-tree -m told -F message "$tree" && refused 129 sgit-commit-tree -F message -m told "$tree"
END

test_expect_success '740 bytes of message are taken from everywhere, 741 from nowhere' - <<'END'
	lab <<-'PY' &&
		texts = {"fits": "x" * 740, "fits2": "\u00e9" * 370, "fits3": "\u65e5" * 246 + "xy", "fits4": "\U0001f680" * 185,
		         "past": "x" * 741, "past2": "\u00e9" * 370 + "x", "past3": "\u65e5" * 247, "past4": "\U0001f680" * 185 + "x"}
		for name, text in texts.items():
		    open(name, "w").write(text)
	PY
	for name in fits fits2 fits3 fits4; do
		told "$(sgit-commit-tree -m "$(cat $name)" "$tree")" >actual && cmp $name actual &&
		told "$(sgit-commit-tree -F $name "$tree")" >actual && cmp $name actual &&
		{ cat $name && echo; } >in && told "$(sgit-commit-tree "$tree" <in)" >actual && cmp $name actual || return 1
	done &&
	for name in past past2 past3 past4; do
		refused 129 sgit-commit-tree -m "$(cat $name)" "$tree" && refused 129 sgit-commit-tree -F $name "$tree" &&
		refused 129 sgit-commit-tree "$tree" <$name || return 1
	done &&
	refused 129 sgit-commit-tree -m "$(cat fits)" -m x "$tree" && head -c 100000000 /dev/zero | tr '\0' x >huge &&
	refused 129 sgit-commit-tree -F huge "$tree" && rm huge
END

test_expect_success 'a message that is not UTF-8 is 129' - <<'END'
	refused 129 sgit-commit-tree -m "$(printf 'caf\351')" "$tree" && printf '\377' >latin && refused 129 sgit-commit-tree -F latin "$tree" &&
	refused 129 sgit-commit-tree "$tree" <latin
END

test_expect_success 'a file of a message that is not there is no success' - <<'END'
	still s >before && status=0 && { sgit-commit-tree -F no/such "$tree" >out 2>err || status=$?; } && test "$status" -eq 6 -o "$status" -eq 128 &&
	grep -q "'no/such'" err && still s >after && cmp before after
END

test_expect_success 'parents keep their order, by every kind of name' - <<'END'
	three=$(sgit-commit-tree -m three -p "$two" "$tree") && prefix=${three%????} &&
	sgit-commit-tree -m merge -p @ -p "$prefix" -p @~1 "$tree" >id 2>err && test ! -s err &&
	lab "$(cat id)" "$two" "$three" "$one" <<-'PY'
		assert Store.at("s", "s.key").document(sys.argv[1])["parents"] == sys.argv[2:]
	PY
END

test_expect_success 'a parent given twice counts once, with a warning' - <<'END'
	sgit-commit-tree -m merge -p "$two" -p other -p @ -p @~1 "$tree" >id 2>err && test -s err &&
	lab "$(cat id)" "$two" "$one" <<-'PY'
		assert Store.at("s", "s.key").document(sys.argv[1])["parents"] == sys.argv[2:]
	PY
END

test_expect_success 'a tag that verifies is a parent by its commit' - <<'END'
	fixture tags && use tags tags.key && tag=$(sgit-branch-index | sed -n 's/^tag [^ ]* live	//p' | head -n 1) && commit=$(sgit-rev-list -n 1 "$tag") &&
	sgit-commit-tree -m x -p "$tag" '@^{tree}' >id && sgit-cat-object -p "$(cat id)" >shown && grep -qx "parent $commit" shown && use s s.key
END

test_expect_success 'fifty parents are kept' - <<'END'
	lab >fifty <<-'PY' &&
		store = Store.at("s", "s.key")
		for number in range(50):
		    print(store.commit(store.tree(), message=str(number)))
	PY
	mapfile -t ids <fifty && sgit-commit-tree -m many "${ids[@]/#/-p}" "$tree" >id && sgit-cat-object -p "$(cat id)" | sed -n 's/^parent //p' >actual && cmp fifty actual
END

test_expect_success 'the tree may be named through a commit, and may be a folder of another' - <<'END'
	for name in '@^{tree}' @ @~1 current; do
		sgit-commit-tree -m x "$name" >id && sgit-cat-object -p "$(cat id)" >shown && grep -qx "tree $tree" shown || return 1
	done &&
	folder=$(sgit-ls-tree -d --format='%(objectname)' @) && sgit-commit-tree -m x @:docs >id && sgit-cat-object -p "$(cat id)" >shown && grep -qx "tree $folder" shown
END

test_expect_success 'what is absent is 6, what is of another kind 128, what is damaged 4' - <<'END'
	refused 6 sgit-commit-tree -m x "$absent" && grep -q "$absent" err && refused 6 sgit-commit-tree -m x -p "$absent" "$tree" && grep -q "$absent" err &&
	refused 6 sgit-commit-tree -m x no-such-branch && refused 6 sgit-commit-tree -m x -p no-such-branch "$tree" &&
	refused 128 sgit-commit-tree -m x "$blob" && refused 128 sgit-commit-tree -m x @:docs/a.txt &&
	refused 128 sgit-commit-tree -m x -p "$blob" "$tree" && refused 128 sgit-commit-tree -m x -p "$tree" "$tree" &&
	id=$(sgit-commit-tree -m x "$tree") && lab <<<"flip('s/bare/data/$id', 30)" && refused 4 sgit-commit-tree -m x -p "$id" "$tree" &&
	grep -q "$id" err && rm "s/bare/data/$id"
END

test_expect_success 'a time is milliseconds, or RFC 3339 with its zone' - <<'END'
	while read -r text want; do
		id=$(sgit-commit-tree -m x --date "$text" "$tree") && lab "$id" "$want" <<-'PY' || { echo "$text" && return 1; }
			time = Store.at("s", "s.key").document(sys.argv[1])["timestamp_ms"]
			assert time == int(sys.argv[2]), time
		PY
	done <<-'ROWS'
		0 0
		1 1
		1700000000123 1700000000123
		99999999999999 99999999999999
		1970-01-01T00:00:00Z 0
		2026-11-30T19:43:35Z 1796067815000
		2026-11-30T19:43:35.123Z 1796067815123
		2026-11-30T19:43:35.5Z 1796067815500
		2026-11-30T20:43:35.123+01:00 1796067815123
		2026-11-30T14:13:35-05:30 1796067815000
		1970-01-01T01:00:00+01:00 0
		2024-02-29T23:59:59.999Z 1709251199999
		2000-02-29T00:00:00Z 951782400000
	ROWS
END

test_expect_success 'a time that is none, or out of range, is 129' - <<'END'
	while IFS= read -r text; do
		refused 129 sgit-commit-tree -m x --date "$text" "$tree" || { echo "$text" && return 1; }
	done <<-'ROWS'

		yesterday
		now
		-1
		+5
		1e3
		0x10
		1.5
		100000000000000
		99999999999999999999999
		2026-11-30
		2026-11-30T19:43:35
		2026-11-30 19:43:35
		2026-11-30T19:43Z
		2026-13-01T00:00:00Z
		2026-00-01T00:00:00Z
		2026-02-30T00:00:00Z
		2100-02-29T00:00:00Z
		2026-11-30T24:00:00Z
		2026-11-30T19:60:00Z
		2026-11-30T19:43:35.Z
		2026-11-30T19:43:35+25:00
		2026-11-30T19:43:35+01:60
		2026-11-30T19:43:35Z and more
		1969-12-31T23:59:59Z
		1970-01-01T00:00:00+01:00
		9999-12-31T23:59:59Z
		26-11-30T19:43:35Z
	ROWS
END

for key in pkcs8 sec1 bare-sec1; do
	test_expect_success "$key: the commit verifies, by sgit-verify-commit and by the lab, and names the stored key" - <<-'END'
		sgit-commit-tree -m 'signed é' -p @ --sign-key-file "$key.pem" "$tree" >id 2>err && test ! -s err && id=$(cat id) &&
		sgit-verify-commit "$id" >actual && grep -q "^$id verified" actual && lab "$id" "$key" <<-'PY'
			store = Store.at("s", "s.key")
			document = store.document(sys.argv[1])
			assert store.read(sys.argv[1]) == stored_json(document) and list(document) == list(COMMIT_DEFAULTS)
			want = f"key-rnd-imm-{('pkcs8', 'sec1', 'bare-sec1').index(sys.argv[2]) + 1:016x}"
			assert document["author_key_id"] == want and len(document["signature"]) == 88, document
			assert store.verdict(sys.argv[1]) == "verified"
			assert verifies(open(sys.argv[2] + ".pub").read(), signed_bytes(document), base64.b64decode(document["signature"]))
			assert document["branch_id"] == "" and store.opened_field(document["message_enc"]) == "signed \u00e9"
		PY
	END
done

test_expect_success 'an empty message, merges, odd times and the smallest of everything verify when signed' - <<'END'
	for options in '--date 0' '--date 99999999999999 -p @ -p other'; do
		# shellcheck disable=SC2086
		id=$(sgit-commit-tree $options --sign-key-file pkcs8.pem "$tree" </dev/null) && sgit-verify-commit "$id" >out && lab "$id" <<-'PY' || return 1
			assert Store.at("s", "s.key").verdict(sys.argv[1]) == "verified"
		PY
	done
END

test_expect_success 'signatures verify again and again: no r or s of fewer bytes is cut short' - <<'END'
	for number in $(seq 40); do sgit-commit-tree -m "$number" --sign-key-file sec1.pem "$tree" || return 1; done >many &&
	sgit-verify-commit --stdin <many >actual && test "$(grep -c ' verified' actual)" -eq 40
END

test_expect_success 'a key whose public half is not stored is 6, with a hint how to store it' - <<'END'
	refused 6 sgit-commit-tree -m x --sign-key-file stranger.pem "$tree" && grep -q '^hint: .*add-key' err
END

test_expect_success 'what is no P-256 private key is 3, without a question' - <<'END'
	umask 077 && openssl pkcs8 -topk8 -v2 aes256 -passout pass:x -in pkcs8.pem -out locked.pem &&
	openssl ec -aes256 -passout pass:x -in sec1.pem -out locked-sec1.pem 2>err &&
	openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-384 -out p384.pem && openssl ecparam -genkey -name secp384r1 -out p384-sec1.pem &&
	openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:secp256k1 -out k256.pem && openssl genpkey -algorithm ED25519 -out ed.pem &&
	openssl genrsa -out rsa.pem 2048 2>err && openssl genrsa -traditional -out rsa1.pem 2048 2>err && : >empty.pem && echo hello >junk.pem && cp pkcs8.pub public.pem && chmod 600 public.pem &&
	head -n 2 pkcs8.pem >cut.pem && head -c 300 /dev/zero >zeros.pem && sed 's/^MI/AA/' pkcs8.pem >altered.pem && openssl pkey -in pkcs8.pem -outform DER -out der.pem && umask 022 &&
	for name in locked locked-sec1 p384 p384-sec1 k256 ed rsa rsa1 empty junk public cut zeros altered der; do
		refused 3 setsid sgit-commit-tree -m x --sign-key-file $name.pem "$tree" </dev/null || { echo "$name" && return 1; }
	done
END

test_expect_success 'a signing key that others can read is 8, unless insisted on' - <<'END'
	for mode in 640 604 644 660 602; do
		cp pkcs8.pem open.pem && chmod $mode open.pem && refused 8 sgit-commit-tree -m x --sign-key-file open.pem "$tree" &&
		grep -q -e --insecure-key-file err && sgit-commit-tree -m x --insecure-key-file --sign-key-file open.pem "$tree" >id &&
		sgit-verify-commit "$(cat id)" >actual || return 1
	done && chmod 400 open.pem && sgit-commit-tree -m x --sign-key-file open.pem "$tree" >id
END

test_expect_success 'a signing key that is not there is no success, and it is named' - <<'END'
	still s >before && status=0 && { sgit-commit-tree -m x --sign-key-file no/such.pem "$tree" >out 2>err || status=$?; } &&
	test "$status" -eq 6 -o "$status" -eq 128 && test ! -s out && grep -q "'no/such.pem'" err && still s >after && cmp before after
END

test_expect_success 'the key is never shown: not in what is printed, nor in the store' - <<'END'
	cat pkcs8.pem sec1.pem stranger.pem locked.pem p384.pem cut.pem altered.pem | grep -v -e '^--' -e '^$' | tr -cd 'A-Za-z0-9+/=\n' | cut -c1-40 | grep -E '.{20}' >secrets && test -s secrets &&
	for name in pkcs8 sec1 stranger locked p384 cut altered; do
		sgit-commit-tree -m x --sign-key-file $name.pem "$tree" >>said 2>&1 || :
	done && openssl pkey -in pkcs8.pub -pubin | grep -v '^--' | cut -c1-40 >public && grep -v -F -f public secrets >private && test -s private && test -s said &&
	! grep -q -F -f private said && ! grep -q -r -F -f private s
END

test_expect_success '--branch names the branch of the commit, by name or by id; an unknown one is 6' - <<'END'
	while IFS='	' read -r words name; do
		# shellcheck disable=SC2086
		set -- $words && for given in "$name" "$2"; do
			sgit-cat-object -p "$(sgit-commit-tree -m x --branch "$given" "$tree")" >shown && grep -qx "branch $2" shown || return 1
		done
	done < <(sgit-branch-index | grep '^branch') &&
	sgit-branch-index | grep -c '^branch' >number && test "$(cat number)" -eq 3 &&
	refused 6 sgit-commit-tree -m x --branch nothing "$tree" && refused 6 sgit-commit-tree -m x --branch branch-named-00000000000000ff "$tree"
END

test_expect_success 'without it, it is the branch whose key signs; and it is part of what is signed' - <<'END'
	lab <<-'PY' &&
		store = Store.at("s", "s.key")
		document = store.document(store.index_id)
		document["branches"][2]["public_key_id"] = "key-rnd-imm-0000000000000002"
		store.index(document)
	PY
	clone=$(sgit-branch-index --branch local | cut -d' ' -f2) && named=$(sgit-branch-index --branch other | cut -d' ' -f2) &&
	id=$(sgit-commit-tree -m x --sign-key-file sec1.pem "$tree") && sgit-cat-object -p "$id" >shown && grep -qx "branch $clone" shown && sgit-verify-commit "$id" >out &&
	id=$(sgit-commit-tree -m x --sign-key-file sec1.pem --branch other "$tree") && sgit-cat-object -p "$id" >shown && grep -qx "branch $named" shown && sgit-verify-commit "$id" >out &&
	id=$(sgit-commit-tree -m x --sign-key-file pkcs8.pem "$tree") && sgit-cat-object -p "$id" >shown && ! grep -q '^branch ' shown &&
	id=$(sgit-commit-tree -m x "$tree") && sgit-cat-object -p "$id" >shown && ! grep -q '^branch ' shown
END

test_expect_success 'a key of another curve among the stored ones, or a file that is no key, does not stand in the way' - <<'END'
	lab <<-'PY' &&
		store = Store.at("s", "s.key")
		store.public_key(SigningKey("key-rnd-imm-0000000000000000", curve=b"P-384"))
		open(store.bare + "/keys/README", "w").write("x")
	PY
	sgit-commit-tree -m x --sign-key-file pkcs8.pem "$tree" >id && sgit-verify-commit "$(cat id)" >out && rm s/bare/keys/README
END

test_expect_success 'in a vault of format 2 a commit has 32 digits, also over a parent of 12' - <<'END'
	fixture format2 && use format2 format2.key && lab >ids <<-'PY' &&
		store, _ = Store.of_fixture("format2")
		print(store.tree(), store.put(store.seal(stored_json(store.commit_document(store.tree()))), 12))
	PY
	read -r empty parent <ids && sgit-commit-tree -m x -p "$parent" -p @ "$empty" >id && grep -Exq 'obj-cas-imm-[0-9a-f]{32}' id &&
	sgit-cat-object -p "$(cat id)" >shown && grep -qx "parent $parent" shown && grep -qx "tree $empty" shown && use s s.key
END

test_expect_success 'standard input is not read where it is not needed' - <<'END'
	lab "$tree" <<-'PY'
		import subprocess
		never, kept_open = os.pipe()
		for options in (["-m", "x"], ["-F", "message"]):
		    subprocess.run(["sgit-commit-tree", *options, sys.argv[1]], stdin=never, check=True, timeout=20, pass_fds=(3,))
	PY
END

test_expect_success 'a store that needs a newer tool is 8, the key of another vault 3, and nothing is written' - <<'END'
	lab >id <<-'PY' &&
		store = Store("late", width=12)
		store.write_key_file("late.key")
		print(store.tree())
		store.branch("current", store.commit(store.tree()))
		store.index(min_client="0.27.0")
	PY
	still late >before && test_expect_status 8 sgit-commit-tree --store late --key-file late.key -m x "$(cat id)" >out && test ! -s out &&
	test_expect_status 3 sgit-commit-tree --store late --key-file s.key -m x "$(cat id)" >out && test ! -s out && still late >after && cmp before after
END

test_expect_success 'a call of another form is a usage error' - <<'END'
	refused 129 sgit-commit-tree -m x && refused 129 sgit-commit-tree -m x "$tree" "$tree" && refused 129 sgit-commit-tree "$tree" -m && refused 129 sgit-commit-tree -m x "$tree" -p
END

test_expect_success 'output that cannot be written is 128' - <<'END'
	test_expect_status 128 sgit-commit-tree -m x "$tree" >/dev/full 2>err && grep -q '^sgit-commit-tree: ' err
END

test_expect_success 'refs and index are as they were, and nothing is left over' - <<'END'
	sgit-read-ref current >actual && test "$(cat actual)" = "$two" && lab <<-'PY'
		for root in ("s", "late", "format2", "tags"):
		    store = Store.at(root, root + ".key")
		    assert not store.strangers() and store.check(), store.strangers()
	PY
END

test_expect_success 'a key that comes on standard input is never taken for the message: 129, nothing written' - <<'END'
	ls "$SGIT_STORE"/bare/data >before && for given in '--key-fd 0' '--key-fd 0 -F -'; do
		# shellcheck disable=SC2086
		test_expect_status 129 sgit-commit-tree $given @ <s.key >out 2>err && test ! -s out && test -s err &&
		! grep -q "$(cut -c20-40 s.key)" err || return 1
	done && cat s.key | test_expect_status 129 sgit-commit-tree --key-fd 0 @ >out 2>err && ls "$SGIT_STORE"/bare/data >after && cmp before after
END

test_done
