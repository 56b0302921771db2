#!/bin/bash
# sgit-unwrap-key: locks of every kind opened, by --exec too, and how each failure ends.
. "$(dirname "$0")/test-lib.sh"

# twin: runs the Python on stdin with everything of sgvault.py at hand.
twin() {
	{ echo 'from sgvault import *' && cat; } | "$PYTHON" -S -
}

# sgvault COMMAND…: the twin as a command
sgvault() {
	"$PYTHON" -S "$TEST_DIRECTORY/sgvault.py" "$@"
}

# refused STATUS COMMAND…: ends with this status, prints nothing, says why, and tells no secret
refused() {
	test_expect_status "$@" >out 2>err && test ! -s out && test -s err && ! grep -q -e "$passphrase" -e "$read_hex" -e "$typed" -e VTPV -e "$secret_hex" err
}

# gives KEYFILE COMMAND…: prints this key and nothing else
gives() {
	local key=$1
	shift
	"$@" >out 2>err && cmp "$key" out && test ! -s err
}

passphrase=k3v9qj2m7x4w8r5t1y6z0abc typed='correct horse'
secret_hex=$(printf '%064d' 7)
key_file vault.key "sgit_private_vault_$passphrase:testvault01\n"
sgit-derive-keys <vault.key >read.key && chmod 600 read.key && read_hex=$(sed 's/.*read_//; s/:.*//' read.key) || exit 1
key_file code 'VTPV-XVR0-24H3-6H2N-CSVR-H6DA-QCNT\n'
key_file typed "$typed\n"
key_file secret "$secret_hex\n"
key_file other.secret "$(printf '%064d' 8)\n"
{ (umask 077 && openssl genrsa -out rsa.pem 2048 && openssl genrsa -out rsa2.pem 2048 && openssl ecparam -name prime256v1 -genkey -noout -out p256.pem &&
	openssl ecparam -name prime256v1 -genkey -noout -out p256b.pem && openssl rsa -traditional -in rsa.pem -out rsa.pkcs1.pem &&
	openssl pkey -in p256.pem -out p256.pkcs8.pem && openssl pkey -in p256.pem -aes-256-cbc -passout pass:x -out p256.encrypted.pem) &&
	openssl pkey -in rsa.pem -pubout -out rsa.pub && openssl pkey -in p256.pem -pubout -out p256.pub; } >/dev/null 2>&1 || exit 1
for kind in recovery-code:code passphrase:typed secret:secret rsa-oaep:rsa.pub p256:p256.pub; do
	for grants in vault read; do
		sgvault lock "${kind%:*}" vault.key "${kind#*:}" grants=$grants >"${kind%:*}.$grants" || exit 1
	done
done
lock=secret.vault

test_expect_success 'the locks of the vectors open and give the key of the vectors' - <<'END'
	twin <<-'PY'
		facts = json.load(open(os.environ["VECTORS"] + "/vault-file.json"))
		codes = {row["secret"]: row["code"] for row in facts["recovery_codes"]}
		opened = []
		for row in facts["locks"]:
		    lock = row["lock"]
		    for secret in filter(None, (codes.get(row.get("secret")), row.get("recipient_private_pem"), row.get("secret") if lock["kind"] == "secret" else None,
		                                *(bytes.fromhex(row.get(name, "")).decode() for name in ("typed_utf8", "nfc_utf8")))):
		        want = f"sgit_private_vault_{facts['credential']}\n" if lock["grants"] == "vault" else f"sgit_private_read_{facts['read_key']}:testvault01\n"
		        assert run("sgit-unwrap-key", secret=secret, stdin=lock_line(lock, "testvault01")) == (0, want.encode(), ""), row["name"]
		        opened.append(row["name"])
		assert opened == ["A", "B1", "B1", "B2", "C", "P256"], opened
		for line in facts["lock_lines"]:
		    assert run("sgit-unwrap-key", secret=codes["000102030405060708090a0b0c0d0e0f"], stdin=line.encode())[0] == 0
	PY
END

test_expect_success 'locks that the twin made open, of every kind and with both grants' - <<'END'
	for grants in vault read; do
		gives $grants.key sgit-unwrap-key --lock recovery-code.$grants --secret-file code &&
		gives $grants.key sgit-unwrap-key --lock passphrase.$grants --secret-file typed &&
		gives $grants.key sgit-unwrap-key --lock secret.$grants --secret-file secret &&
		gives $grants.key sgit-unwrap-key --lock rsa-oaep.$grants --secret-file rsa.pem &&
		gives $grants.key sgit-unwrap-key --lock p256.$grants --secret-file p256.pem || return 1
	done
END

test_expect_success 'locks that sgit-wrap-key made open, of every kind and with both grants' - <<'END'
	for grants in vault read; do
		wrap="sgit-wrap-key --key-file vault.key --grants $grants --label x --kind" &&
		$wrap recovery-code --secret-file code >l && gives $grants.key sgit-unwrap-key --lock l --secret-file code &&
		$wrap secret --secret-file secret >l && gives $grants.key sgit-unwrap-key --lock l --secret-file secret &&
		$wrap passphrase --kdf argon2id --secret-file typed >l && gives $grants.key sgit-unwrap-key --lock l --secret-file typed &&
		$wrap passphrase --kdf scrypt --secret-file typed >l && gives $grants.key sgit-unwrap-key --lock l --secret-file typed &&
		$wrap rsa-oaep --recipient rsa.pub >l && gives $grants.key sgit-unwrap-key --lock l --secret-file rsa.pem &&
		$wrap p256 --recipient p256.pub >l && gives $grants.key sgit-unwrap-key --lock l --secret-file p256.pem || return 1
	done
END

test_expect_success 'a new code opens the lock that was made with it, and what comes out is the key of the store' - <<'END'
	fixture linear && (umask 077 && sgit-recovery-code >new.code) && sgit-wrap-key --kind recovery-code --key-file linear.vault-key --secret-file new.code >l 2>/dev/null &&
	(umask 077 && sgit-unwrap-key --lock l --secret-file new.code >out.key) && sgit-read-ref --store linear --key-file linear.key current >want &&
	sgit-read-ref --store linear --key-file out.key current >actual && cmp want actual
END

test_expect_success 'lock and secret: one from standard input, in every arrangement' - <<'END'
	gives vault.key sgit-unwrap-key --secret-file secret <$lock && gives vault.key sgit-unwrap-key --lock - --secret-file secret <$lock &&
	gives vault.key sgit-unwrap-key --secret-fd 5 <$lock 5<secret && gives vault.key sgit-unwrap-key --lock $lock <secret &&
	gives vault.key sgit-unwrap-key --lock $lock --secret-fd 0 <secret && cat secret | gives vault.key sgit-unwrap-key --lock $lock &&
	cat $lock | gives vault.key sgit-unwrap-key --secret-file secret && gives vault.key sgit-unwrap-key --secret-file=secret --lock=$lock </dev/null
END

test_expect_success 'a descriptor with a secret that is a file is read from its start, however far it has been read' - <<'END'
	exec 5<secret && cat <&5 >read-to-the-end && gives vault.key sgit-unwrap-key --lock $lock --secret-fd 5 && gives vault.key sgit-unwrap-key --lock $lock --secret-fd 5 && exec 5<&-
END

test_expect_success 'without a secret it is 7, at once, and nobody is asked' - <<'END'
	refused 7 setsid sgit-unwrap-key <$lock && refused 7 setsid sgit-unwrap-key --lock - <$lock && refused 7 setsid sgit-unwrap-key <passphrase.vault &&
	refused 7 setsid sgit-unwrap-key --exec true <$lock
END

test_expect_success 'a key of the environment is no secret' - <<'END'
	refused 7 env SGIT_KEY_FILE="$PWD/secret" sgit-unwrap-key <$lock && SGIT_KEY_FILE=$PWD/no/such gives vault.key sgit-unwrap-key --lock $lock --secret-file secret
END

test_expect_success 'a passphrase opens however its accents are composed, and only with its spaces' - <<'END'
	twin <<-'PY'
		keys = Keys.of_file("vault.key")
		rows = [  # sealed, what opens it, what does not
		    ("cr\u00e8me br\u00fbl\u00e9e", ["cre\u0300me bru\u0302le\u0301e", "cr\u00e8me br\u00fbl\u00e9e\n", "cr\u00e8me br\u00fble\u0301e\r\n"], ["creme brulee", "Cr\u00e8me br\u00fbl\u00e9e"]),
		    ("c\u0153ur", ["c\u0153ur"], ["coeur"]),
		    ("\ufb01sh \u2460", ["\ufb01sh \u2460"], ["fish 1", "\ufb01sh 1", "fish \u2460"]),
		    ("\u212b\u2126", ["\u00c5\u03a9", "A\u030a\u03a9"], ["A\u03a9"]),
		    ("\uac00", ["\u1100\u1161"], ["\u1100"]),
		    ("a\u0323\u0307", ["\u1ea1\u0307", "a\u0307\u0323"], ["\u1ea1"]),
		    ("\U0001f468\u200d\U0001f469\u200d\U0001f467\ufe0f", ["\U0001f468\u200d\U0001f469\u200d\U0001f467\ufe0f"], ["\U0001f468\U0001f469\U0001f467\ufe0f", "\U0001f468\u200d\U0001f469\u200d\U0001f467"]),
		    (" trailing ", [" trailing \n"], [" trailing", "trailing ", "trailing", " trailing  "]),
		    ("\ufefftext", ["\ufefftext"], ["text"]),
		    ("tab\tand\0nul", ["tab\tand\0nul"], ["tab\tand"]),
		    ("a", ["a", "a\n", "a\r\n"], ["A", "aa"]),
		]
		for sealed, opens, others in rows:
		    line = lock_line(seal_lock("passphrase", sealed, keys.credential("vault"), keys.vault_id), keys.vault_id)
		    for text in opens:
		        assert run("sgit-unwrap-key", secret=text, stdin=line) == (0, content("vault.key"), ""), (sealed, text)
		    for text in others:
		        assert run("sgit-unwrap-key", secret=text, stdin=line)[:2] == (3, b""), (sealed, text)
	PY
END

test_expect_success 'a secret that has not the form of its kind is 3' - <<'END'
	twin <<-'PY'
		for text in ("", "\n", "a\nb", "a\rb", "a\n\n", "a\r", "a" * 1025, b"\xff", b"\xc0\xaf", "a\u0378", "\uffff"):
		    assert run("sgit-unwrap-key", secret=text, stdin=content("passphrase.vault"))[:2] == (3, b""), text
		for text in ("", "7", "0" * 63, "0" * 65, "A" * 64, b"x" * 31, b"x" * 33, "x" * 70000, " " + "0" * 63):
		    assert run("sgit-unwrap-key", secret=text, stdin=content("secret.vault"))[:2] == (3, b""), text
		for text in ("", "VTPV", "VTPV-XVR0-24H3-6H2N-CSVR-H6DA-QCNN", "UTPV-XVR0-24H3-6H2N-CSVR-H6DA-QCNT"):
		    assert run("sgit-unwrap-key", secret=text, stdin=content("recovery-code.vault"))[:2] == (3, b""), text
		for kind in ("p256", "rsa-oaep"):
		    for text in ("", "nonsense", content("p256.pub"), content("rsa.pub"), "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n", "x" * 70000):
		        status, out, err = run("sgit-unwrap-key", secret=text, stdin=content(kind + ".vault"))
		        assert (status, out) == (3, b"") and err, (kind, text[:30], status, err)
	PY
END

test_expect_success 'another secret of the right form is 3, and the lock is named' - <<'END'
	echo 000G-40R4-0M30-E209-185G-R38E-1W9D | refused 3 sgit-unwrap-key --lock recovery-code.vault &&
	for row in secret:other.secret passphrase:other.secret rsa-oaep:rsa2.pem p256:p256b.pem rsa-oaep:p256.pem p256:rsa.pem; do
		id=$(sed 's/.*"id":"\([0-9a-f]*\)".*/\1/' "${row%:*}.vault") && refused 3 sgit-unwrap-key --lock "${row%:*}.vault" --secret-file "${row#*:}" &&
		case $row in *:*rsa.pem | *-oaep:p256.pem) ;; *) grep -qF "this secret does not open the lock '$id'" err ;; esac || { echo "$row" && return 1; }
	done
END

test_expect_success 'a private key may be PKCS#8, SEC1 or PKCS#1; an encrypted one is 3 and asks nobody' - <<'END'
	grep -q 'BEGIN EC PRIVATE' p256.pem && grep -q 'BEGIN PRIVATE' p256.pkcs8.pem && grep -q 'BEGIN RSA PRIVATE' rsa.pkcs1.pem && grep -q 'BEGIN PRIVATE' rsa.pem &&
	gives vault.key sgit-unwrap-key --lock p256.vault --secret-file p256.pkcs8.pem && gives vault.key sgit-unwrap-key --lock p256.vault --secret-file p256.pem &&
	gives vault.key sgit-unwrap-key --lock rsa-oaep.vault --secret-file rsa.pkcs1.pem && gives read.key sgit-unwrap-key --lock rsa-oaep.read <rsa.pem &&
	sed 's/$/\r/' p256.pkcs8.pem | gives vault.key sgit-unwrap-key --lock p256.vault &&
	refused 3 setsid timeout 10 sgit-unwrap-key --lock p256.vault --secret-file p256.encrypted.pem
END

test_expect_success 'what openssl sealed to an RSA key opens' - <<'END'
	twin <<-'PY'
		chosen = os.urandom(32)
		encrypted = openssl("pkeyutl", "-encrypt", "-pubin", "-inkey", "rsa.pub", "-pkeyopt", "rsa_padding_mode:oaep", "-pkeyopt", "rsa_oaep_md:sha256", stdin=chosen)
		keys = Keys.of_file("vault.key")
		lock = seal_lock("rsa-oaep", content("rsa.pub").decode(), keys.credential("vault"), keys.vault_id, params={"enc": encrypted.hex()})
		params = lock["params"]
		nonce = os.urandom(12)  # the twin drew another secret of its own: seal under the one openssl encrypted
		plaintext = keys.credential("vault").encode().ljust(64, b"\0")
		lock["sealed"] = (nonce + gcm(wrap_key("rsa-oaep", chosen, params), nonce, lock_aad(lock, keys.vault_id), plaintext)).hex()
		assert run("sgit-unwrap-key", secret=content("rsa.pem"), stdin=lock_line(lock, keys.vault_id)) == (0, content("vault.key"), "")
	PY
END

test_expect_success 'a lock can be renamed without its secret, and members that nobody knows do no harm' - <<'END'
	twin <<-'PY'
		line = read_canonical(content("secret.vault"))
		lock = line["lock"]
		for changes in ({"label": "anything \u202e \u2028"}, {"label": "\u00e9" * 64}, {"created_at": "1999-01-01T00:00:00Z"}, {"rehearsed_at": "2026-12-01T00:00:00Z"},
		                {"x_future": {"kept": True, "n": None}}, {"x": [1, 2, 3]}):
		    assert run("sgit-unwrap-key", secret=content("secret"), stdin=lock_line({**lock, **changes}, line["vault_id"])) == (0, content("vault.key"), ""), changes
		assert run("sgit-unwrap-key", secret=content("secret"), stdin=lock_line(lock, line["vault_id"], x_future=[]))[0] == 0
		keys = Keys.of_file("vault.key")
		hinted = seal_lock("secret", bytes.fromhex(content("secret").decode()), keys.credential("vault"), keys.vault_id,
		                   params={"source": "webauthn-prf", "rp_id": "secrets.sgit.ai", "prf_input": "60" * 32, "x-new": 1})
		assert run("sgit-unwrap-key", secret=content("secret"), stdin=lock_line(hinted, keys.vault_id)) == (0, content("vault.key"), "")
	PY
END

test_expect_success 'a kind or a KDF that this version does not know is 8, whatever is offered' - <<'END'
	twin <<-'PY'
		line = read_canonical(content("passphrase.vault"))
		lock, params = line["lock"], line["lock"]["params"]
		rows = [{"kind": "x-new"}, {"kind": "shares", "params": {"salt": params["salt"], "k": 2}}, {"kind": "Passphrase"},
		        {"params": {**params, "kdf": "argon2d"}}, {"params": {**params, "kdf": "pbkdf2", "rounds": 1}}]
		for changes in rows:
		    status, out, err = run("sgit-unwrap-key", secret=content("typed"), stdin=lock_line({**lock, **changes}, line["vault_id"]))
		    assert (status, out) == (8, b"") and "cannot be used by this version" in err, (changes, status, err)
	PY
END

test_expect_success 'another version is 8' - <<'END'
	for version in 0 2 9007199254740991; do
		sed "s/\"version\":1}/\"version\":$version}/" $lock | refused 8 sgit-unwrap-key --secret-file secret || return 1
	done
END

test_expect_success 'what is no lock line is 4' - <<'END'
	twin <<-'PY'
		good = content("secret.vault")
		line = json.loads(good)
		lock, vault_id = line["lock"], line["vault_id"]
		def without(table, name):
		    return {n: value for n, value in table.items() if n != name}
		def changed(**members):
		    return lock_line({**lock, **members}, vault_id)
		bad = [b"", b"\n", b"{}\n", b"[]\n", b"null\n", b"nonsense\n", b"\xff\n", good + b"\n", b"\n" + good, good + good, good + content("recovery-code.vault"), good[:-1],
		       good[:-1] + b"\r\n", good[:-1] + b" \n", b" " + good, b"\xef\xbb\xbf" + good, good.replace(b",", b", "), good.replace(b'":', b'": '), good[:-2] + b"\n", good + b"\0",
		       json.dumps(line, indent=1).encode(), good.replace(b'"label":""', b'"label":"\\u0061"'), good.replace(b'"version":1', b'"version":1.0'),
		       good.replace(b'"version":1', b'"version":1e0'), good.replace(b'"version":1', b'"version":01'), good.replace(b'"version":1', b'"version":1,"version":1'),
		       good.replace(b'"label":""', b'"label":"","label":""'), good.replace(b'{"format":"sgvault","lock"', b'{"lock"'), canonical(lock), canonical([line]),
		       good.replace(b'"label":""', b'"label":"\\/"'), good.replace(b'"label":""', b'"label":"\x7f"'), good.replace(b'"label":""', b'"label":"\xc2\x85"'),
		       good.replace(b'"label":""', b'"label":"\t"'), good.replace(b'"label":""', b'"label":"\xed\xa0\x80"'), good.replace(b'"label":""', b'"Label":"","label":""'),
		       good.replace(b'"label":""', b'"label":"","n":-1'), good.replace(b'"label":""', b'"label":"","n":9007199254740992'), good.replace(b'"label":""', b'"label":"","n":1.5'),
		       good.replace(b'"sgvault"', b'"sgvaulT"'), changed(label="a" * 65), changed(label=None), changed(label=1), changed(grants="both"), changed(grants=1), changed(id="00"),
		       changed(id=lock["id"].upper() + "A"), changed(id=1), changed(kind=1), changed(kind=None), changed(params=[]), changed(params=None), changed(sealed=1), changed(sealed="xyz"),
		       changed(sealed=lock["sealed"].upper()), changed(sealed=lock["sealed"][:-1]), changed(created_at=1), changed(created_at="yesterday"), changed(created_at=""),
		       lock_line(lock, "X"), lock_line(lock, "abc"), lock_line(lock, "a" * 25), lock_line(lock, 1), lock_line([lock], vault_id), lock_line(None, vault_id),
		       lock_line(lock, vault_id, version="1"), lock_line(lock, vault_id, version=True)]
		bad += [lock_line(without(lock, name), vault_id) for name in lock] + [canonical(without(line, name)) for name in line]
		answers = [(data, *run("sgit-unwrap-key", secret=content("secret"), stdin=data)) for data in bad]
		taken = [answer for answer in answers if answer[1] != 4 or answer[2] or not answer[3]]
		assert not taken, "\n".join(map(str, taken))
	PY
END

test_expect_success 'a line that is deep, long or without end is refused and not read on' - <<'END'
	twin <<-'PY' &&
		line = read_canonical(content("secret.vault"))
		deep = {"x": 1}
		for _ in range(20):
		    deep = {"x": deep}
		for data in (lock_line({**line["lock"], "x": deep}, line["vault_id"]), b"[" * 200_000 + b"\n", b'{"a":' * 100_000, lock_line({**line["lock"], "x": "y" * (2 << 20)}, line["vault_id"])):
		    answer = run("sgit-unwrap-key", secret=content("secret"), stdin=data, timeout=20)
		    assert answer[:2] == (4, b""), (data[:40], answer)
	PY
	yes '{"format":"sgvault"' | { timeout 20 sgit-unwrap-key --secret-file secret >out 2>err; echo $? >status; } && test "$(cat status)" -eq 4 && test ! -s out
END

test_expect_success 'files: others can read the secret 8, absent 128, an absent lock 6; the lock is public' - <<'END'
	cp secret open.secret && chmod 644 open.secret && refused 8 sgit-unwrap-key --lock $lock --secret-file open.secret && grep -q "'open.secret'" err && grep -q -e --insecure-secret-file err &&
	gives vault.key sgit-unwrap-key --lock $lock --insecure-secret-file --secret-file open.secret && chmod 644 $lock && gives vault.key sgit-unwrap-key --lock $lock --secret-file secret &&
	refused 6 sgit-unwrap-key --lock no/such --secret-file secret && grep -q "'no/such'" err && refused 128 sgit-unwrap-key --lock $lock --secret-file no/such &&
	refused 128 sgit-unwrap-key --lock $lock --secret-fd 9 9<&- && refused 128 sgit-unwrap-key --lock . --secret-file secret
END

test_expect_success 'calls of another form are 129' - <<'END'
	refused 129 sgit-unwrap-key operand && refused 129 sgit-unwrap-key --lock $lock --secret-file secret --secret-fd 5 5<secret && refused 129 sgit-unwrap-key --lock $lock --key-file secret &&
	refused 129 sgit-unwrap-key --lock && refused 129 sgit-unwrap-key --lock $lock --secret-file secret --exec && refused 129 sgit-unwrap-key --lock $lock --secret-file secret --exec -- &&
	refused 129 sgit-unwrap-key --lock $lock --provider ../x --secret-file secret && refused 129 sgit-unwrap-key --frobnicate <$lock
END

test_expect_success 'lock and secret cannot both be standard input' - <<'END'
	for arguments in '--secret-fd 0' '--lock - --secret-fd 0'; do
		# shellcheck disable=SC2086
		refused 129 sgit-unwrap-key $arguments <$lock || return 1
	done
END

test_expect_success 'a closed pipe ends it without a word, a full disk with 128, and neither shows the key' - <<'END'
	"$PYTHON" -S -c 'import os, signal, subprocess; r, w = os.pipe(); os.close(r); p = subprocess.run("sgit-unwrap-key --lock secret.vault --secret-file secret".split(), stdout=w, stderr=subprocess.PIPE); assert (p.returncode, p.stderr) == (-signal.SIGPIPE, b""), p' &&
	test_expect_status 128 sgit-unwrap-key --lock $lock --secret-file secret >/dev/full 2>err && test -s err && ! grep -q "$passphrase" err &&
	test_expect_status 128 sgit-unwrap-key --lock $lock --secret-file secret >&- 2>err && ! grep -q "$passphrase" err
END

# with_key COMMAND…: the command with the key of the lock
with_key() {
	sgit-unwrap-key --lock "$lock" --secret-file secret --exec "$@"
}

test_expect_success '--exec runs a command with the key on a descriptor, and prints nothing itself' - <<'END'
	with_key sh -c 'cat "/proc/self/fd/$SGIT_KEY_FD"' >out 2>err && cmp vault.key out && test ! -s err && with_key true >out 2>err && test ! -s out && test ! -s err &&
	sgit-unwrap-key --lock secret.read --secret-file secret --exec sh -c 'cat "/proc/self/fd/$SGIT_KEY_FD"' >out && cmp read.key out
END

test_expect_success 'several children share the descriptor, and the tools take it' - <<'END'
	with_key sh -c 'sgit-derive-keys --key-fd "$SGIT_KEY_FD"; sgit-derive-keys --key-fd "$SGIT_KEY_FD" | cat' >out && cat read.key read.key | cmp - out &&
	fixture linear && sgvault lock secret linear.vault-key secret >linear.lock && sgit-read-ref --store linear --key-file linear.key current >want &&
	sgit-unwrap-key --lock linear.lock --secret-file secret --exec sh -c 'sgit-read-ref --store linear current; sgit-read-ref --store linear current | sgit-rev-list --store linear --stdin | tail -n 1' >out &&
	head -n 1 out | cmp - want && test "$(wc -l <out)" -eq 2
END

test_expect_success 'the descriptor is sealed memory: it cannot be written, grown, shrunk or unsealed, and has no name' - <<'END'
	with_key "$PYTHON" -S -c '
import fcntl, mmap, os
fd = int(os.environ["SGIT_KEY_FD"])
assert fd > 2 and os.readlink(f"/proc/self/fd/{fd}").startswith("/memfd:"), os.readlink(f"/proc/self/fd/{fd}")
assert fcntl.fcntl(fd, 1034) & 15 == 15, fcntl.fcntl(fd, 1034)  # F_GET_SEALS: seal, shrink, grow, write
def refused(deed):
    try:
        deed()
    except (OSError, ValueError):
        return
    raise AssertionError("the memory could be changed")
refused(lambda: os.pwrite(fd, b"x", 0))
refused(lambda: os.ftruncate(fd, 0))
refused(lambda: os.ftruncate(fd, 4096))
refused(lambda: mmap.mmap(fd, 0))
refused(lambda: os.pwrite(os.open(f"/proc/self/fd/{fd}", os.O_RDWR), b"x", 0))
print(os.pread(fd, 4096, 0).decode(), end="")' >out && cmp vault.key out
END

test_expect_success 'the key is in no argument and no variable; nothing else changes in the environment' - <<'END'
	with_key cat /proc/self/environ /proc/self/cmdline >seen && ! grep -q -a -e "$passphrase" -e "$secret_hex" seen &&
	env | grep -v -e '^_=' -e '^SGIT_KEY_F' | sort >want && with_key env | grep -v -e '^_=' -e '^SGIT_KEY_F' | sort >actual && cmp want actual &&
	SGIT_KEY_FILE=$PWD/secret SGIT_KEY_FD=99 with_key env >actual && ! grep -q ^SGIT_KEY_FILE actual && test "$(grep -c '^SGIT_KEY_FD=' actual)" -eq 1 && ! grep -q '^SGIT_KEY_FD=99$' actual
END

test_expect_success 'the command gets one more descriptor, and signals as they were' - <<'END'
	list='import os; print(*sorted(n for n in map(int, os.listdir("/proc/self/fd")) if os.path.exists(f"/proc/self/fd/{n}")))' && "$PYTHON" -S -c "$list" >plain && with_key "$PYTHON" -S -c "$list" >more &&
	test "$(wc -w <more)" -eq $(($(wc -w <plain) + 1)) && grep -E '^Sig(Blk|Ign|Cgt)' /proc/self/status >plain && with_key grep -E '^Sig(Blk|Ign|Cgt)' /proc/self/status >more && cmp plain more &&
	with_key sh -c 'yes | head -n 1' >out && echo y | cmp - out
END

test_expect_success 'the exit status is that of the command, and so is the signal that ends it' - <<'END'
	for number in 0 1 3 42 128 129 255; do
		test_expect_status $number with_key sh -c "exit $number" 2>err && test ! -s err || return 1
	done && test_expect_status 143 with_key sh -c 'kill -TERM $$' && test_expect_status 137 with_key sh -c 'kill -KILL $$'
END

test_expect_success 'a signal to the process reaches the command' - <<'END'
	mkfifo ready && { sgit-unwrap-key --lock $lock --secret-file secret --exec sh -c 'trap "exit 77" TERM; echo >ready; while :; do sleep 0.05; done' & } && child=$! && read -r _ <ready &&
	kill -TERM $child && status=0 && { wait $child || status=$?; } && test $status -eq 77
END

test_expect_success 'what follows --exec belongs to the command, but one --' - <<'END'
	with_key printf '%s\n' --lock --help -h --version -- --secret-file x --exec '' 'a b' >actual && printf '%s\n' --lock --help -h --version -- --secret-file x --exec '' 'a b' >want && cmp want actual &&
	with_key -- printf '%s\n' --provider x >actual && printf '%s\n' --provider x | cmp - actual && with_key -- printf '%s\n' -- -- >actual && printf '%s\n' -- -- | cmp - actual
END

test_expect_success 'standard input, when it is not the tool that needs it, is for the command' - <<'END'
	echo hello | with_key cat >out && echo hello | cmp - out && echo hello | sgit-unwrap-key --lock $lock --secret-fd 5 --exec cat 5<secret >out && echo hello | cmp - out
END

test_expect_success 'a command is found along PATH, and no shell is asked' - <<'END'
	mkdir -p bin && printf '#!/bin/sh\necho here "$@"\n' >bin/my-command && chmod +x bin/my-command && PATH=$PWD/bin:$PATH with_key my-command 1 >out && echo here 1 | cmp - out &&
	with_key bin/my-command >out && test -s out && : >shell.out && test_expect_status 128 with_key 'echo hi' >out 2>err && test ! -s out && test_expect_status 128 with_key ':>touched; true' 2>err && test ! -e touched
END

test_expect_success 'a command that cannot be run is 128 and named' - <<'END'
	echo x >not-executable && for command in no-such-command ./no-such ./not-executable .; do
		refused 128 with_key "$command" && grep -qF "'$command'" err || { echo "$command" && return 1; }
	done
END

test_expect_success 'no command runs without the key' - <<'END'
	rm -f touched && refused 3 sgit-unwrap-key --lock $lock --secret-file other.secret --exec touch touched && refused 4 sgit-unwrap-key --secret-file secret --exec touch touched </dev/null &&
	refused 7 sgit-unwrap-key --exec touch touched <$lock && sed 's/"kind":"secret"/"kind":"secrex"/' $lock | refused 8 sgit-unwrap-key --secret-file secret --exec touch touched && test ! -e touched
END

test_expect_success 'the secret comes to no child: its descriptor was given to the tool alone, or is not from a file of the tool' - <<'END'
	with_key "$PYTHON" -S -c 'import os
for n in os.listdir("/proc/self/fd"):
    try:
        assert os.path.basename(os.readlink(f"/proc/self/fd/{n}")) not in ("secret", "secret.vault"), n
    except FileNotFoundError:
        pass'
END

test_done
