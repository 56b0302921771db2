#!/bin/bash
# Locks made to mislead, to fill memory, to stall or to run something, and providers that do not behave.
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
	test_expect_status "$@" >out 2>err && test ! -s out && test -s err && ! grep -q -e "$passphrase" -e "$secret_hex" -e "$answer" err
}

passphrase=k3v9qj2m7x4w8r5t1y6z0abc
secret_hex=$(printf '%064d' 7)
answer=6c656e676c656e676c656e676c656e676c656e676c656e676c656e676c656e67
key_file vault.key "sgit_private_vault_$passphrase:testvault01\n"
key_file code 'VTPV-XVR0-24H3-6H2N-CSVR-H6DA-QCNT\n'
key_file secret "$secret_hex\n"
key_file typed 'correct horse\n'
key_file answer "$answer\n"
{ (umask 077 && openssl genrsa -out rsa.pem 2048 && openssl ecparam -name prime256v1 -genkey -noout -out p256.pem) &&
	openssl pkey -in rsa.pem -pubout -out rsa.pub && openssl pkey -in p256.pem -pubout -out p256.pub; } 2>/dev/null || exit 1
sgvault lock secret vault.key secret >secret.lock && sgvault lock recovery-code vault.key code >code.lock && sgvault lock passphrase vault.key typed >typed.lock &&
	sgvault lock p256 vault.key p256.pub >p256.lock && sgvault lock rsa-oaep vault.key rsa.pub >rsa.lock || exit 1
sgvault lock command vault.key answer "params={\"provider\":\"tpm\",\"challenge\":\"$secret_hex\"}" >command.lock || exit 1

# ---------------------------------------------------------------- parameters

# bounds: {parameters} OUTCOME a line. With little memory to be had, what is out of bounds is 3, and what is inside 128, for want of
# memory; so nothing is taken before the bounds are looked at, and no bound is off by one.
bounds() {
	cat >rows && twin <<-'PY'
		import resource, time
		line = read_canonical(content("typed.lock"))
		def little():
		    resource.setrlimit(resource.RLIMIT_AS, (100 << 20, 100 << 20))
		rows = open("rows", encoding="utf-8").read().split("\n")
		for row in filter(None, rows):
		    changes, want = row.rsplit(" ", 1)
		    params = {"salt": line["lock"]["params"]["salt"], **json.loads(changes)}
		    began = time.monotonic()
		    status, out, err = run("sgit-unwrap-key", secret="correct horse", stdin=lock_line({**line["lock"], "params": params}, line["vault_id"]), preexec_fn=little)
		    took = time.monotonic() - began
		    assert (str(status), out) == (want, b"") and err, (row, status, err)
		    assert want == "128" or took < 3, (row, took)
	PY
}

test_expect_success 'with so little memory a tool still opens other locks' - <<'END'
	(ulimit -v 102400 && sgit-unwrap-key --lock secret.lock --secret-file secret >out) && cmp vault.key out
END

test_expect_success 'every bound of argon2id, on both sides' - <<'END'
	bounds <<-'ROWS'
		{"kdf": "argon2id", "m_kib": 1048576, "t": 1, "p": 1} 128
		{"kdf": "argon2id", "m_kib": 1048577, "t": 1, "p": 1} 3
		{"kdf": "argon2id", "m_kib": 1048576, "t": 4, "p": 1} 128
		{"kdf": "argon2id", "m_kib": 1048576, "t": 5, "p": 1} 3
		{"kdf": "argon2id", "m_kib": 419430, "t": 10, "p": 1} 128
		{"kdf": "argon2id", "m_kib": 419431, "t": 10, "p": 1} 3
		{"kdf": "argon2id", "m_kib": 262144, "t": 10, "p": 1} 128
		{"kdf": "argon2id", "m_kib": 262144, "t": 11, "p": 1} 3
		{"kdf": "argon2id", "m_kib": 262144, "t": 0, "p": 1} 3
		{"kdf": "argon2id", "m_kib": 262144, "t": 3, "p": 0} 3
		{"kdf": "argon2id", "m_kib": 262144, "t": 3, "p": 2} 3
		{"kdf": "argon2id", "m_kib": 19455, "t": 3, "p": 1} 3
		{"kdf": "argon2id", "m_kib": 19456, "t": 1, "p": 1} 3
		{"kdf": "argon2id", "m_kib": 38911, "t": 1, "p": 1} 3
		{"kdf": "argon2id", "m_kib": 0, "t": 10, "p": 1} 3
		{"kdf": "argon2id", "m_kib": 9007199254740991, "t": 1, "p": 1} 3
		{"kdf": "argon2id", "m_kib": 9007199254740991, "t": 9007199254740991, "p": 9007199254740991} 3
		{"kdf": "argon2id", "m_kib": 4294967296, "t": 1, "p": 1} 3
		{"kdf": "argon2id", "m_kib": 4294986752, "t": 2, "p": 1} 3
		{"kdf": "argon2id", "m_kib": 262144, "t": 4294967299, "p": 1} 3
	ROWS
END

test_expect_success 'every bound of scrypt, on both sides' - <<'END'
	bounds <<-'ROWS'
		{"kdf": "scrypt", "log_n": 20, "r": 8, "p": 1} 128
		{"kdf": "scrypt", "log_n": 20, "r": 8, "p": 4} 128
		{"kdf": "scrypt", "log_n": 21, "r": 8, "p": 1} 3
		{"kdf": "scrypt", "log_n": 20, "r": 8, "p": 5} 3
		{"kdf": "scrypt", "log_n": 20, "r": 8, "p": 0} 3
		{"kdf": "scrypt", "log_n": 20, "r": 7, "p": 1} 3
		{"kdf": "scrypt", "log_n": 20, "r": 9, "p": 1} 3
		{"kdf": "scrypt", "log_n": 15, "r": 8, "p": 1} 3
		{"kdf": "scrypt", "log_n": 0, "r": 8, "p": 1} 3
		{"kdf": "scrypt", "log_n": 63, "r": 8, "p": 1} 3
		{"kdf": "scrypt", "log_n": 64, "r": 8, "p": 1} 3
		{"kdf": "scrypt", "log_n": 80, "r": 8, "p": 1} 3
		{"kdf": "scrypt", "log_n": 9007199254740991, "r": 8, "p": 1} 3
		{"kdf": "scrypt", "log_n": 16, "r": 9007199254740991, "p": 1} 3
	ROWS
END

test_expect_success 'the least that is allowed opens' - <<'END'
	twin <<-'PY'
		keys = Keys.of_file("vault.key")
		for kdf in ({"kdf": "argon2id", "m_kib": 19456, "t": 2, "p": 1}, {"kdf": "argon2id", "m_kib": 38912, "t": 1, "p": 1}, {"kdf": "argon2id", "m_kib": 19457, "t": 10, "p": 1},
		            {"kdf": "scrypt", "log_n": 16, "r": 8, "p": 1}, {"kdf": "scrypt", "log_n": 16, "r": 8, "p": 4}):
		    line = lock_line(seal_lock("passphrase", "correct horse", keys.credential("vault"), keys.vault_id, kdf=kdf), keys.vault_id)
		    assert run("sgit-unwrap-key", secret="correct horse", stdin=line) == (0, content("vault.key"), ""), kdf
	PY
END

test_expect_success 'parameters of another type, or that are not there, open nothing' - <<'END'
	twin <<-'PY'
		for path, secret in (("typed.lock", "typed"), ("p256.lock", "p256.pem"), ("rsa.lock", "rsa.pem"), ("secret.lock", "secret")):
		    line = read_canonical(content(path))
		    lock = line["lock"]
		    for name in lock["params"]:
		        for value in (None, True, "", "1", [], {}, -1, 1.5, "00" * 15, "00" * 17, "zz" * 16, "00" * 5000, ...):
		            params = {n: v for n, v in {**lock["params"], name: value}.items() if v is not ...}
		            status, out, err = run("sgit-unwrap-key", secret=content(secret), stdin=lock_line({**lock, "params": params}, line["vault_id"]), timeout=20)
		            allowed = (3, 4, 8) if name == "kdf" else (3, 4)
		            assert status in allowed and not out and err, (path, name, value, status, out)
	PY
END

test_expect_success 'a seal of another length than 28 and 64 times 1 to 15 is refused, though it opens' - <<'END'
	twin <<-'PY'
		keys, secret = Keys.of_file("vault.key"), bytes.fromhex(content("secret").decode())
		def sealed(plaintext):
		    return lock_line(seal_lock("secret", secret, "", keys.vault_id, plaintext=plaintext), keys.vault_id)
		text = keys.credential("vault").encode()
		assert run("sgit-unwrap-key", secret=content("secret"), stdin=sealed(text.ljust(64, b"\0")))[0] == 0
		for plaintext in (text, text + b"\0", text.ljust(63, b"\0"), text.ljust(65, b"\0"), text.ljust(1024, b"\0"), text.ljust(64 * 100, b"\0"), b""):
		    assert run("sgit-unwrap-key", secret=content("secret"), stdin=sealed(plaintext))[:2] == (3, b""), len(plaintext)
		for size in (0, 1, 11, 12, 27, 28, 29):
		    line = read_canonical(content("secret.lock"))
		    line["lock"]["sealed"] = line["lock"]["sealed"][:2 * size]
		    status, out, _ = run("sgit-unwrap-key", secret=content("secret"), stdin=canonical(line))
		    assert status in (3, 4) and not out, (size, status)
	PY
END

# ---------------------------------------------------------------- what is inside

test_expect_success 'a lock that opens to something that is no key of its vault is 3' - <<'END'
	twin <<-'PY'
		keys, secret = Keys.of_file("vault.key"), bytes.fromhex(content("secret").decode())
		key = keys.read.hex()
		bad = [("vault", text) for text in (b"", b"\0" * 64, b"x", b"x:", b":testvault01", b"x:testvault02", b"x:testvault01 ", b"x:testvault01\n", b"x:Testvault01", b"x:testvault01:", b"a\0b:testvault01",
		                                    b"\0x:testvault01", b"\xff:testvault01", b"\xed\xa0\x80:testvault01", b"x:testvault01\0\0y", b"x:abc", b"line\nfeed:testvault01", b"carriage\rreturn:testvault01")]
		bad += [("read", text) for text in (b"x:testvault01", f"{key}:testvault02".encode(), f"{key.upper()}:testvault01".encode(), f"{key[1:]}:testvault01".encode(), f"{key}0:testvault01".encode(),
		                                    f"{key}:testvault01\n".encode(), f" {key}:testvault01".encode(), f"sgit_private_read_{key}:testvault01".encode(), f"{key} testvault01".encode())]
		taken = []
		for grants, text in bad:
		    padded = text + bytes(-len(text) % 64) or bytes(64)
		    line = lock_line(seal_lock("secret", secret, "", keys.vault_id, grants=grants, plaintext=padded), keys.vault_id)
		    status, out, err = run("sgit-unwrap-key", secret=content("secret"), stdin=line)
		    if (status, out) != (3, b"") or "does not open" not in err:
		        taken.append((grants, text, status, out, err))
		assert not taken, "\n".join(map(str, taken))
	PY
END

test_expect_success 'more padding than is needed is no padding' - <<'END'
	twin <<-'PY'
		keys, secret = Keys.of_file("vault.key"), bytes.fromhex(content("secret").decode())
		line = lock_line(seal_lock("secret", secret, "", keys.vault_id, plaintext=keys.credential("vault").encode().ljust(128, b"\0")), keys.vault_id)
		assert run("sgit-unwrap-key", secret=content("secret"), stdin=line)[:2] == (3, b"")
	PY
END

test_expect_success 'a key that looks like another, or like a prefix, comes out as it went in' - <<'END'
	twin <<-'PY'
		keys, secret = Keys.of_file("vault.key"), bytes.fromhex(content("secret").decode())
		for phrase in ("sgit_private_read_x", "sgit_vk1_", "a:b:c", " x ", "cre\u0300me", "\u202ex", "ab" * 32):
		    line = lock_line(seal_lock("secret", secret, f"{phrase}:testvault01", keys.vault_id), keys.vault_id)
		    assert run("sgit-unwrap-key", secret=content("secret"), stdin=line) == (0, f"sgit_private_vault_{phrase}:testvault01\n".encode(), ""), phrase
	PY
END

test_expect_success 'what the seal covers cannot be changed, nor can a seal be carried to another vault, lock or kind' - <<'END'
	twin <<-'PY'
		line = read_canonical(content("secret.lock"))
		lock = line["lock"]
		for changes in ({"grants": "read"}, {"id": "0" * 16}, {"params": {**lock["params"], "salt": "0" * 32}}, {"params": {**lock["params"], "x": 1}}, {"kind": "recovery-code"}):
		    secret = content("code" if "kind" in changes else "secret")
		    assert run("sgit-unwrap-key", secret=secret, stdin=lock_line({**lock, **changes}, line["vault_id"]))[:2] == (3, b""), changes
		assert run("sgit-unwrap-key", secret=content("secret"), stdin=lock_line(lock, "testvault02"))[:2] == (3, b"")
		line = read_canonical(content("typed.lock"))
		line["lock"]["params"]["t"] = 3
		assert run("sgit-unwrap-key", secret=content("typed"), stdin=canonical(line))[:2] == (3, b"")
	PY
END

test_expect_success 'one bit of a line changed, anywhere: never another key, and the status says what it can' - <<'END'
	twin <<-'PY'
		bound = ("grants", "id", "kind", "params", "sealed")
		for path, secret in (("secret.lock", "secret"), ("p256.lock", "p256.pem"), ("code.lock", "code")):
		    good = content(path)
		    line = json.loads(good)
		    for at in range(0, len(good), 1 if path == "secret.lock" else 3):
		        data = bytearray(good)
		        data[at] ^= 1 << (at * 5 + len(path)) % 8
		        try:
		            changed = read_canonical(bytes(data))
		            lock = changed["lock"]
		            allowed = (3, 4, 8)
		            if changed["version"] != 1:
		                allowed = (8,)
		            elif set(lock) >= set(line["lock"]) and all(lock[n] == line["lock"][n] for n in bound) and {**changed, "lock": 0} == {**line, "lock": 0}:
		                allowed = (0, 4) if lock["created_at"] != line["lock"]["created_at"] else (0,)
		        except (ValueError, KeyError, TypeError, Broken):
		            allowed = (4,)
		        status, out, err = run("sgit-unwrap-key", secret=content(secret), stdin=bytes(data))
		        assert status in allowed, (path, at, bytes(data[at - 9:at + 9]), status, allowed, err)
		        assert out == (content("vault.key") if status == 0 else b""), (at, status, out)
	PY
END

test_expect_success 'a bit of the ciphertext, the tag or the nonce changed is 3' - <<'END'
	twin <<-'PY'
		line = read_canonical(content("secret.lock"))
		sealed = bytes.fromhex(line["lock"]["sealed"])
		for bit in range(0, 8 * len(sealed), 5):
		    changed = bytearray(sealed)
		    changed[bit // 8] ^= 1 << bit % 8
		    line["lock"]["sealed"] = changed.hex()
		    status, out, err = run("sgit-unwrap-key", secret=content("secret"), stdin=canonical(line))
		    assert (status, out) == (3, b"") and f"this secret does not open the lock '{line['lock']['id']}'" in err, (bit, status, err)
	PY
END

# ---------------------------------------------------------------- public keys

test_expect_success 'a point that is not on the curve is refused, though with it the seal would open' - <<'END'
	twin <<-'PY'
		keys, pem, private = Keys.of_file("vault.key"), content("p256.pub").decode(), content("p256.pem").decode()
		params = {"salt": "00" * 16, "recipient": hashlib.sha256(pem_body(pem)).hexdigest()}
		def attempt(epk, shared):
		    made = {**params, "epk": epk.hex()}
		    lock = {"created_at": "2026-11-30T12:00:00Z", "grants": "vault", "id": "00" * 8, "kind": "p256", "label": "", "params": made}
		    nonce, plaintext = bytes(12), keys.credential("vault").encode().ljust(64, b"\0")
		    lock["sealed"] = (nonce + gcm(wrap_key("p256", shared.to_bytes(32, "big"), made), nonce, lock_aad(lock, keys.vault_id), plaintext)).hex()
		    return run("sgit-unwrap-key", secret=private, stdin=lock_line(lock, keys.vault_id))[:2]
		good = multiply(987654321)
		assert attempt(point_bytes(good), multiply(scalar_of(private), good)[0]) == (0, content("vault.key"))
		for x, y in ((5, 1), (good[0], good[1] + 1), (0, 0), (0, 1)):
		    shared = multiply(scalar_of(private), (x, y)) or (0, 0)
		    status, out = attempt(point_bytes((x, y)), shared[0])
		    assert status in (3, 4) and not out, (x, y, status)
		x, y = good
		shared = multiply(scalar_of(private), good)[0]
		for epk in (bytes([2 + y % 2]) + x.to_bytes(32, "big"), bytes([6 + y % 2]) + point_bytes(good)[1:], b"\0", point_bytes(good)[1:], point_bytes(good) + b"\0", b"\4" + b"\xff" * 64,
		            b"\0" + point_bytes(good)[1:]):
		    status, out = attempt(epk, shared)
		    assert status in (3, 4) and not out, (epk.hex(), status)
		for value in (0, 1 << 255):
		    status, out = attempt(b"\0" * 65, value)
		    assert status in (3, 4) and not out
	PY
END

test_expect_success 'a coordinate past the field is refused, though it is congruent to a good one' - <<'END'
	twin <<-'PY'
		x = next(x for x in range(200) if pow((x ** 3 - 3 * x + B) % FIELD, (FIELD - 1) // 2, FIELD) == 1)  # so that x + FIELD has 32 bytes
		y = pow((x ** 3 - 3 * x + B) % FIELD, (FIELD + 1) // 4, FIELD)
		keys, pem, private = Keys.of_file("vault.key"), content("p256.pub").decode(), content("p256.pem").decode()
		for numbers, want in (((x, y), (0,)), ((x + FIELD, y), (3, 4))):
		    params = {"salt": "00" * 16, "recipient": hashlib.sha256(pem_body(pem)).hexdigest(), "epk": point_bytes(numbers).hex()}
		    lock = {"created_at": "2026-11-30T12:00:00Z", "grants": "vault", "id": "00" * 8, "kind": "p256", "label": "", "params": params}
		    shared = multiply(scalar_of(private), (x, y))[0].to_bytes(32, "big")
		    lock["sealed"] = (bytes(12) + gcm(wrap_key("p256", shared, params), bytes(12), lock_aad(lock, keys.vault_id), keys.credential("vault").encode().ljust(64, b"\0"))).hex()
		    assert run("sgit-unwrap-key", secret=private, stdin=lock_line(lock, keys.vault_id))[0] in want, numbers
	PY
END

test_expect_success 'an RSA part of another padding, hash, length or content is refused' - <<'END'
	twin <<-'PY'
		keys, pem, private = Keys.of_file("vault.key"), content("rsa.pub").decode(), content("rsa.pem")
		recipient = hashlib.sha256(pem_body(pem)).hexdigest()
		def attempt(enc, secret):
		    lock = seal_lock("secret", b"", keys.credential("vault"), keys.vault_id, salt="00" * 16)
		    lock.update(kind="rsa-oaep", params={"salt": "00" * 16, "recipient": recipient, "enc": enc.hex()})
		    lock["sealed"] = (bytes(12) + gcm(wrap_key("rsa-oaep", secret, lock["params"]), bytes(12), lock_aad(lock, keys.vault_id), keys.credential("vault").encode().ljust(64, b"\0"))).hex()
		    return run("sgit-unwrap-key", secret=private, stdin=lock_line(lock, keys.vault_id))[:2]
		def encrypted(secret, *options):
		    return openssl("pkeyutl", "-encrypt", "-pubin", "-inkey", "rsa.pub", *(word for option in options for word in ("-pkeyopt", option)), stdin=secret)
		oaep, secret = ("rsa_padding_mode:oaep", "rsa_oaep_md:sha256"), bytes(range(32))
		good = encrypted(secret, *oaep)
		assert attempt(good, secret) == (0, content("vault.key"))
		rows = [(encrypted(secret, "rsa_padding_mode:pkcs1"), secret), (encrypted(secret, "rsa_padding_mode:oaep", "rsa_oaep_md:sha1"), secret), (encrypted(secret, *oaep, "rsa_mgf1_md:sha1"), secret),
		        (encrypted(secret, *oaep, "rsa_oaep_label:6162"), secret), (b"\0" + good, secret), (good + b"\0", secret), (good[:-1], secret), (good * 5, secret), (b"", b""), (bytes(256), b""),
		        (b"\xff" * 256, secret)]
		rows += [(encrypted(short, *oaep), short) for short in (secret[:31], secret + b"\0", secret[:16], b"x", secret.hex().encode())]
		for enc, opener in rows:
		    status, out = attempt(enc, opener)
		    assert status in (3, 4) and not out, (enc[:8], len(enc), opener, status)
	PY
END

# ---------------------------------------------------------------- messages

test_expect_success 'what a lock says cannot steer a terminal through a message' - <<'END'
	twin <<-'PY'
		line = read_canonical(content("typed.lock"))
		for changes in ({"kind": "x\u202e\u2028\u200b\U000e0001"}, {"kind": "x" * 10_000}, {"kind": "\u00e9'\u2066"}, {"params": {**line["lock"]["params"], "kdf": "y\u202e\u2029"}},
		                {"params": {**line["lock"]["params"], "\u202e": 1}}, {"label": "\u202e\u2028", "params": {**line["lock"]["params"], "t": 11}}):
		    status, out, err = run("sgit-unwrap-key", secret=content("typed"), stdin=lock_line({**line["lock"], **changes}, line["vault_id"]))
		    assert status in (3, 4, 8) and not out and not any(unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp", "Cn") for c in err.replace("\n", "")), (changes, status, err)
		    assert len(err) < 2000 and err.count("\n") <= 2, (changes, err[:200])
	PY
END

# ---------------------------------------------------------------- providers

# provider NAME: an executable from standard input, ready to be named in --provider
provider() {
	cat >"$1" && chmod +x "$1"
}

# asks STATUS PROGRAM: the lock is opened with this program behind its provider
asks() {
	refused "$1" timeout 100 sgit-unwrap-key --lock command.lock --provider "tpm=$PWD/$2"
}

provider good <<'END'
#!/bin/sh
cat >"$TRASH/asked"
tr '\0' '\n' </proc/self/environ >"$TRASH/environment"
printf '%s\n' "$0" "$@" >"$TRASH/arguments"
echo 6c656e676c656e676c656e676c656e676c656e676c656e676c656e676c656e67
END

test_expect_success 'a command lock opens with the program that the user names, which is asked in four lines' - <<'END'
	rm -f asked && sgit-unwrap-key --lock command.lock --provider "tpm=$PWD/good" >out 2>err && cmp vault.key out && test ! -s err &&
	printf 'sgvault/v1/command\ntestvault01\n%s\n%s\n' "$(sed 's/.*"id":"\([0-9a-f]*\)".*/\1/' command.lock)" "$secret_hex" | cmp - asked && test "$(wc -l <arguments)" -eq 1 &&
	sgit-unwrap-key --provider "tpm=./good" <command.lock >out && cmp vault.key out && sgit-unwrap-key --provider tpm="$PWD/good" --exec true <command.lock
END

test_expect_success 'what sgit-wrap-key makes with a provider opens with it' - <<'END'
	sgit-wrap-key --kind command --key-file vault.key --provider "my-tpm=$PWD/good" >l && sgit-unwrap-key --lock l --provider "my-tpm=$PWD/good" >out && cmp vault.key out
END

test_expect_success 'a provider by name is an executable in the configuration of the user, or in ~/.config' - <<'END'
	mkdir -p config/sgit/providers .config/sgit/providers && cp good config/sgit/providers/tpm && XDG_CONFIG_HOME=$PWD/config sgit-unwrap-key --lock command.lock --provider tpm >out && cmp vault.key out &&
	rm config/sgit/providers/tpm && mv good .config/sgit/providers/tpm && env -u XDG_CONFIG_HOME sgit-unwrap-key --lock command.lock --provider tpm >out && cmp vault.key out && mv .config/sgit/providers/tpm good
END

test_expect_success 'a provider that is not there, or cannot be run, is said, and nothing else of that name is run' - <<'END'
	mkdir -p config/sgit/providers bin && cp good bin/tpm && rm -f asked && refused 128 env XDG_CONFIG_HOME="$PWD/config" PATH="$PWD/bin:$PATH" sgit-unwrap-key --lock command.lock --provider tpm &&
	refused 128 sgit-unwrap-key --lock command.lock --provider "tpm=$PWD/no-such" && (cd bin && refused 128 env PATH="$PWD:$PATH" sgit-unwrap-key --lock ../command.lock --provider tpm=other) &&
	cp good plain && chmod 644 plain && asks 128 plain && refused 128 sgit-unwrap-key --lock command.lock --provider "tpm=$PWD" && test ! -e asked
END

test_expect_success 'without --provider nothing is run, and it is 7: the user has named nobody' - <<'END'
	mkdir -p .config/sgit/providers && cp good .config/sgit/providers/tpm && rm -f asked && refused 7 env -u XDG_CONFIG_HOME setsid sgit-unwrap-key --lock command.lock &&
	refused 7 env -u XDG_CONFIG_HOME setsid sgit-unwrap-key <command.lock && test ! -e asked && rm .config/sgit/providers/tpm
END

test_expect_success 'a provider of another name than the lock has is not run' - <<'END'
	rm -f asked && status=0 && { sgit-unwrap-key --lock command.lock --provider "other=$PWD/good" >out 2>err || status=$?; } && test ! -s out && test -s err &&
	test "$status" -eq 7 -o "$status" -eq 3 && test ! -e asked
END

test_expect_success 'a lock never names a program, a path or an argument' - <<'END'
	mkdir -p config/sgit/providers && cp good config/sgit/good && cp good config/sgit/providers/tpm && export XDG_CONFIG_HOME=$PWD/config && rm -f asked && twin <<-'PY' &&
		keys = Keys.of_file("vault.key")
		secret = bytes.fromhex(content("answer").decode())
		here = os.getcwd()
		for name in ("../good", here + "/good", "tpm=" + here + "/good", "./tpm", "tpm/", "TPM", "tpm ", "", ".", "..", "tpm\u202e", "a" * 33, 1, None, ["tpm"]):
		    line = lock_line(seal_lock("command", secret, keys.credential("vault"), keys.vault_id, params={"provider": name, "challenge": "00" * 32}), keys.vault_id)
		    for option in (["--provider", "tpm"], []):
		        status, out, err = run("sgit-unwrap-key", *option, stdin=line)
		        assert status in (3, 4, 7) and not out and err, (name, option, status, out)
		        assert not os.path.exists("asked"), name
		for more in ({"program": here + "/good"}, {"command": [here + "/good"]}, {"path": here}, {"args": ["x"]}):
		    line = lock_line(seal_lock("command", secret, keys.credential("vault"), keys.vault_id, params={"provider": "other", "challenge": "00" * 32, **more}), keys.vault_id)
		    assert run("sgit-unwrap-key", "--provider", "tpm", stdin=line)[1] == b"" and not os.path.exists("asked"), more
		for challenge in ("", "00" * 31, "00" * 33, "x" * 64, "AB" * 32, "00" * 31 + "\n\n", 1, None):
		    line = lock_line(seal_lock("command", secret, keys.credential("vault"), keys.vault_id, params={"provider": "tpm", "challenge": challenge}), keys.vault_id)
		    status, out, err = run("sgit-unwrap-key", "--provider", "tpm", stdin=line)
		    assert status in (3, 4) and not out and not os.path.exists("asked"), (challenge, status, out)
	PY
	unset XDG_CONFIG_HOME
END

test_expect_success 'a provider answers 64 small hex digits, with or without a line feed, and nothing else' - <<'END'
	for ending in '' '\n'; do
		printf '#!/bin/sh\nprintf "%%s%s" %s\n' "$ending" $answer | provider ends && sgit-unwrap-key --lock command.lock --provider "tpm=$PWD/ends" >out && cmp vault.key out || return 1
	done &&
	for text in "${answer%?}" "${answer}0" " $answer" "$answer " "${answer^^}" "$answer\\\\n\\\\n" "$answer\\\\n$answer\\\\n" "0x$answer" 'lenglenglenglenglenglenglenglen' "${answer%??}zz" '\\\\n'; do
		printf '#!/bin/sh\nprintf "%s"\n' "$text" | provider wrong && refused 3 sgit-unwrap-key --lock command.lock --provider "tpm=$PWD/wrong" || { echo "$text" && return 1; }
	done
END

test_expect_success 'an answer that is right in form and wrong is 3, and the lock is named' - <<'END'
	printf '#!/bin/sh\nprintf %%064d 1\n' | provider false-answer && asks 3 false-answer && grep -q 'does not open the lock' err
END

test_expect_success 'a provider that is silent, fails, or is ended by a signal gives no key, whatever it printed' - <<'END'
	printf '#!/bin/sh\n' | provider silent && printf '#!/bin/sh\necho %s\nexit 1\n' $answer | provider fails && printf '#!/bin/sh\necho %s\nkill -KILL $$\n' $answer | provider dies &&
	for name in silent fails dies; do
		status=0 && { sgit-unwrap-key --lock command.lock --provider "tpm=$PWD/$name" >out 2>err || status=$?; } && test ! -s out && test -s err && ! grep -q "$answer" err &&
		case $status in 3 | 128) ;; *) echo "$name: $status" && return 1 ;; esac || return 1
	done
END

test_expect_success 'a provider that does not read its input is none the worse, and one that prints without end is stopped' - <<'END'
	printf '#!/bin/sh\nexec <&-\necho %s\n' $answer | provider deaf && for _ in 1 2 3 4 5; do
		sgit-unwrap-key --lock command.lock --provider "tpm=$PWD/deaf" >out && cmp vault.key out || return 1
	done && printf '#!/bin/sh\necho $$ >"$TRASH/pid"\nexec yes %s\n' $answer | provider endless &&
	status=0 && { timeout 30 sgit-unwrap-key --lock command.lock --provider "tpm=$PWD/endless" >out 2>err || status=$?; } && test ! -s out && case $status in 3 | 128) ;; *) false ;; esac &&
	! kill -0 "$(cat pid)" 2>/dev/null
END

test_expect_success 'a provider that hangs is stopped' - <<'END'
	printf '#!/bin/sh\necho $$ >"$TRASH/pid"\nexec sleep 1000\n' | provider hangs &&
	status=0 && { timeout 100 sgit-unwrap-key --lock command.lock --provider "tpm=$PWD/hangs" >out 2>err || status=$?; } && test ! -s out && test -s err && test "$status" -ne 0 -a "$status" -ne 124 &&
	! kill -0 "$(cat pid)" 2>/dev/null
END

test_expect_success 'a provider is run without a shell, without arguments, and with no key or secret in its environment' - <<'END'
	mkdir -p 'a b;touch touched' && mv good 'a b;touch touched/good' && sgit-unwrap-key --lock command.lock --provider "tpm=$PWD/a b;touch touched/good" >out && cmp vault.key out && test ! -e touched &&
	mv 'a b;touch touched/good' good && test "$(wc -l <arguments)" -eq 1 && ! grep -q -e "$passphrase" -e "$answer" environment arguments
END

test_expect_success 'what a provider says on standard error is its own, and a secret there is not repeated' - <<'END'
	printf '#!/bin/sh\necho touch the key >&2\necho %s\n' $answer | provider talks && sgit-unwrap-key --lock command.lock --provider "tpm=$PWD/talks" >out 2>err && cmp vault.key out && echo 'touch the key' | cmp - err
END

test_expect_success 'a secret does not open a command lock, and a provider is not run for another' - <<'END'
	status=0 && { setsid sgit-unwrap-key --lock command.lock --secret-file answer >out 2>err || status=$?; } && test ! -s out && test -s err && case $status in 7 | 129) ;; *) false ;; esac &&
	rm -f asked && sgit-unwrap-key --lock secret.lock --secret-file secret --provider "tpm=$PWD/good" >out && cmp vault.key out && test ! -e asked
END

test_done
