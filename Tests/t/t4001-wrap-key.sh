#!/bin/bash
# sgit-wrap-key: locks of every kind, what goes into them, and what is refused.
. "$(dirname "$0")/test-lib.sh"

# twin [ARGUMENT…]: runs the Python on stdin with everything of sgvault.py at hand.
twin() {
	{ echo 'from sgvault import *' && cat; } | "$PYTHON" -S - "$@"
}

# refused STATUS COMMAND…: ends with this status, prints nothing, says why, and tells no secret
refused() {
	test_expect_status "$@" >out 2>err && test ! -s out && test -s err && ! grep -q -e "$passphrase" -e "$read_hex" -e "$typed" -e VTPV -e "$secret_hex" err
}

# wrap ARGUMENT…: a lock of the vault key
wrap() {
	sgit-wrap-key --key-file vault.key "$@"
}

passphrase=k3v9qj2m7x4w8r5t1y6z0abc typed='correct horse'
secret_hex=$(printf '%064d' 7)
key_file vault.key "sgit_private_vault_$passphrase:testvault01\n"
sgit-derive-keys <vault.key >read.key && chmod 600 read.key && read_hex=$(sed 's/.*read_//; s/:.*//' read.key) || exit 1
key_file code 'VTPV-XVR0-24H3-6H2N-CSVR-H6DA-QCNT\n'
key_file typed "$typed\n"
key_file secret "$secret_hex\n"
{ openssl genrsa -out rsa.pem 2048 && openssl pkey -in rsa.pem -pubout -out rsa.pub &&
	openssl genrsa -traditional -out rsa3.pem 3072 && openssl pkey -in rsa3.pem -pubout -out rsa3.pub &&
	openssl genrsa -out rsa1.pem 1024 && openssl pkey -in rsa1.pem -pubout -out rsa1.pub &&
	openssl ecparam -name prime256v1 -genkey -noout -out p256.pem && openssl pkey -in p256.pem -pubout -out p256.pub &&
	openssl ecparam -name secp384r1 -genkey -noout | openssl pkey -pubout -out p384.pub &&
	openssl ecparam -name secp256k1 -genkey -noout | openssl pkey -pubout -out k256.pub &&
	openssl genpkey -algorithm ED25519 | openssl pkey -pubout -out ed25519.pub; } 2>/dev/null || exit 1
cat >provider <<'END'
#!/bin/sh
cat >"$TRASH/asked"
tr '\0' '\n' </proc/self/environ >"$TRASH/environment"
printf '%s\n' "$0" "$@" >"$TRASH/arguments"
echo 6c656e676c656e676c656e676c656e676c656e676c656e676c656e676c656e67
END
chmod +x provider

# opened LOCK KIND GRANTS SECRETFILE [NAME…]: the lock is one canonical line with just the members and parameters of its kind, and
# the twin opens it with this secret
opened() {
	twin "$@" <<-'PY'
		path, kind, grants, secret, *names = sys.argv[1:]
		line = read_canonical(content(path))
		lock, keys = line["lock"], Keys.of_file("vault.key")
		assert set(line) == {"format", "lock", "vault_id", "version"} and (line["format"], line["version"], line["vault_id"]) == ("sgvault", 1, keys.vault_id), line
		assert set(lock) == {"created_at", "grants", "id", "kind", "label", "params", "sealed"}, lock
		assert (lock["kind"], lock["grants"]) == (kind, grants) and re.fullmatch("[0-9a-f]{16}", lock["id"]), lock
		assert set(lock["params"]) == {"salt", *names} and re.fullmatch("[0-9a-f]{32}", lock["params"]["salt"]), lock
		assert re.fullmatch("[0-9a-f]+", lock["sealed"]) and len(lock["sealed"]) // 2 == 28 + -(-len(keys.credential(grants)) // 64) * 64, lock
		assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", lock["created_at"]), lock
		if kind == "p256":
		    assert re.fullmatch("04[0-9a-f]{128}", lock["params"]["epk"])
		    x, y = point_of(bytes.fromhex(lock["params"]["epk"]))
		    assert (y * y - x ** 3 + 3 * x - B) % FIELD == 0, "not on the curve"
		assert unseal(lock, keys.vault_id, secret_in(kind, content(secret))) == keys.credential(grants), lock
	PY
}

test_expect_success 'a lock of each kind opens with the twin' - <<'END'
	wrap --kind recovery-code --secret-file code >lock 2>err && test ! -s err && opened lock recovery-code vault code &&
	wrap --kind secret --secret-file secret >lock 2>err && test ! -s err && opened lock secret vault secret &&
	wrap --kind passphrase --secret-file typed >lock 2>err && test ! -s err && opened lock passphrase vault typed kdf m_kib t p &&
	grep -q '"kdf":"argon2id","m_kib":262144,"p":1,' lock && grep -q '"t":3}' lock &&
	wrap --kind passphrase --kdf argon2id --secret-file typed >lock && grep -q '"kdf":"argon2id","m_kib":262144,"p":1,' lock &&
	wrap --kind passphrase --kdf scrypt --secret-file typed >lock 2>err && test ! -s err && opened lock passphrase vault typed kdf log_n r p &&
	grep -q '"kdf":"scrypt","log_n":17,"p":1,"r":8,' lock &&
	wrap --kind rsa-oaep --recipient rsa.pub >lock 2>err && test ! -s err && opened lock rsa-oaep vault rsa.pem recipient enc &&
	wrap --kind rsa-oaep --recipient rsa3.pub >lock && opened lock rsa-oaep vault rsa3.pem recipient enc &&
	wrap --kind p256 --recipient p256.pub >lock 2>err && test ! -s err && opened lock p256 vault p256.pem recipient epk &&
	wrap --kind command --provider "tpm=$PWD/provider" >lock 2>err && test ! -s err &&
	key_file answer 6c656e676c656e676c656e676c656e676c656e676c656e676c656e676c656e67 && opened lock command vault answer provider challenge
END

test_expect_success 'a read key, and a vault key with --grants read, give a lock on the read key' - <<'END'
	wrap --grants read --kind recovery-code --secret-file code >lock && opened lock recovery-code read code &&
	sgit-wrap-key --key-file read.key --kind recovery-code --secret-file code >lock && opened lock recovery-code read code &&
	sgit-wrap-key --key-file read.key --grants read --kind secret --secret-file secret >lock && opened lock secret read secret &&
	wrap --grants read --kind passphrase --kdf scrypt --secret-file typed >lock && opened lock passphrase read typed kdf log_n r p &&
	wrap --grants read --kind rsa-oaep --recipient rsa.pub >lock && opened lock rsa-oaep read rsa.pem recipient enc &&
	wrap --grants read --kind p256 --recipient p256.pub >lock && opened lock p256 read p256.pem recipient epk &&
	wrap --grants vault --kind secret --secret-file secret >lock && opened lock secret vault secret
END

test_expect_success 'a read key grants no vault: 8, with every kind' - <<'END'
	refused 8 sgit-wrap-key --key-file read.key --grants vault --kind recovery-code --secret-file code &&
	refused 8 sgit-wrap-key --key-file read.key --grants vault --kind passphrase --secret-file typed &&
	refused 8 sgit-wrap-key --key-file read.key --grants vault --kind p256 --recipient p256.pub
END

test_expect_success 'id, salt, nonce, and what a kind draws, are new each time' - <<'END'
	twin <<-'PY'
		for arguments in (["--kind", "secret", "--secret-file", "secret"], ["--kind", "p256", "--recipient", "p256.pub"],
		                  ["--kind", "rsa-oaep", "--recipient", "rsa.pub"], ["--kind", "command", "--provider", f"tpm={os.getcwd()}/provider"]):
		    locks = [json.loads(run("sgit-wrap-key", "--key-file", "vault.key", *arguments)[1])["lock"] for _ in range(4)]
		    drawn = [(lock["id"], lock["params"]["salt"], lock["sealed"][:24], *(lock["params"].get(n) for n in ("epk", "enc", "challenge"))) for lock in locks]
		    for values in zip(*drawn):
		        assert len(set(values)) == (4 if values[0] else 1), values
	PY
END

test_expect_success 'the lock tells when it was made' - <<'END'
	before=$(date -u +%FT%TZ) && wrap --kind secret --secret-file secret >lock && after=$(date -u +%FT%TZ) &&
	made=$(sed 's/.*"created_at":"\([^"]*\)".*/\1/' lock) && test ! "$made" \< "$before" && test ! "$made" \> "$after"
END

test_expect_success 'a recipient is named by the full hash of its public key' - <<'END'
	for kind in rsa-oaep:rsa p256:p256; do
		wrap --kind ${kind%:*} --recipient ${kind#*:}.pub >lock &&
		grep -q "\"recipient\":\"$(openssl pkey -pubin -in ${kind#*:}.pub -outform DER | sha256sum | cut -d' ' -f1)\"" lock || return 1
	done
END

test_expect_success 'openssl pkeyutl opens what is sealed to an RSA key: 32 bytes, SHA-256 in both places, no label' - <<'END'
	for name in rsa rsa3; do
		wrap --kind rsa-oaep --recipient $name.pub >lock && sed 's/.*"enc":"\([0-9a-f]*\)".*/\1/' lock | "$PYTHON" -S -c 'import sys; sys.stdout.buffer.write(bytes.fromhex(sys.stdin.read()))' >enc &&
		openssl pkeyutl -decrypt -inkey $name.pem -pkeyopt rsa_padding_mode:oaep -pkeyopt rsa_oaep_md:sha256 -in enc >chosen && test "$(wc -c <chosen)" -eq 32 || return 1
	done
END

test_expect_success 'a label stands in the lock, in NFC, and may have 64 characters' - <<'END'
	twin <<-'PY'
		def label(text):
		    status, out, err = run("sgit-wrap-key", "--key-file", "vault.key", "--kind", "secret", "--secret-file", "secret", "--label", text)
		    assert status in (0, 129) and (status or not err), (status, err)
		    return json.loads(out)["lock"]["label"] if status == 0 else None
		for text in ("", "paper in the safe", "a \"quoted\" \\ / label", "cafe\u0301", "\u212b", "\uf900", "a" * 64, "\u00e9" * 64, "\U0001f511" * 64, "e\u0301" * 64, "--label", "\u202e"):
		    assert label(text) == unicodedata.normalize("NFC", text), text
		for text in ("a" * 65, "\U0001f511" * 65, "e\u0301" * 65, "x" * 5000, "tab\there", "line\nfeed", "\r", "\x1b[31m", "\x7f", "\u0085", "\u009b1m"):
		    assert label(text) is None, text
		for text in (b"\xff", b"\xed\xa0\x80"):
		    status, out, _ = run("sgit-wrap-key", "--key-file", "vault.key", "--kind", "secret", "--secret-file", "secret", "--label", text)
		    assert status == 129 and not out, (text, status)
	PY
END

test_expect_success 'a passphrase is sealed in NFC, with its spaces and without one final line end' - <<'END'
	twin <<-'PY'
		keys = Keys.of_file("vault.key")
		rows = [("cre\u0300me bru\u0302le\u0301e 42", "cr\u00e8me br\u00fbl\u00e9e 42"), (" c\u0153ur \r\n", " c\u0153ur "), ("\U0001f468\u200d\U0001f469\u200d\U0001f467\n", "\U0001f468\u200d\U0001f469\u200d\U0001f467"),
		        ("a\0b\t", "a\0b\t")]
		for typed, want in rows:
		    status, out, err = run("sgit-wrap-key", "--kind", "passphrase", "--kdf", "scrypt", key=content("vault.key"), secret=typed)
		    assert status == 0, (typed, err)
		    assert unseal(json.loads(out)["lock"], keys.vault_id, want.encode()) == keys.credential("vault"), typed
	PY
END

test_expect_success 'a passphrase of another form is 3, before any slow work' - <<'END'
	twin <<-'PY'
		bad = ["", "\n", "\r\n", "a\nb", "a\rb", "a\n\n", "\na", "a\r", "a\n\r", "a\r\n\r\n", "a" * 1025, "\u00e9" * 513, "e\u0301" * 513, "a" * 100000, b"\xff", b"\xc0\xaf", b"caf\xe9",
		       b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"a\xe2\x82", "a\u0378", "\u0378", "\uffff", "\ufdd0", "\U0003fffe", "\U000e0080", "\u1fff"]
		for text in bad:
		    status, out, err = run("sgit-wrap-key", "--kind", "passphrase", key=content("vault.key"), secret=text, timeout=20)
		    assert (status, out) == (3, b"") and err, (text[:20], status, err)
		    assert not (text if isinstance(text, str) else "caf").strip() or len(text) < 9 or text[:9] not in err, err
	PY
END

test_expect_success 'the bound of a passphrase is 1024 bytes after NFC' - <<'END'
	twin <<-'PY'
		keys = Keys.of_file("vault.key")
		for typed in ("a" * 1024, "\u00e9" * 512, "e\u0301" * 512 + "\r\n"):
		    status, out, err = run("sgit-wrap-key", "--kind", "passphrase", "--kdf", "scrypt", key=content("vault.key"), secret=typed)
		    assert status == 0 and unseal(json.loads(out)["lock"], keys.vault_id, typed.rstrip()) == keys.credential("vault"), (typed[:3], err)
	PY
END

test_expect_success 'a secret is 32 bytes as they are, or 64 small hex digits' - <<'END'
	twin <<-'PY'
		keys = Keys.of_file("vault.key")
		raw = bytes(range(200, 231)) + b"\n"
		good = [(raw, raw), (b"\n" * 32, b"\n" * 32), (bytes(32), bytes(32)), (b"0123456789abcdef" * 2, b"0123456789abcdef" * 2)]
		good += [(raw.hex().encode() + end, raw) for end in (b"", b"\n", b"\r\n")]
		for given, want in good:
		    status, out, err = run("sgit-wrap-key", "--kind", "secret", key=content("vault.key"), secret=given)
		    assert status == 0 and unseal(json.loads(out)["lock"], keys.vault_id, want) == keys.credential("vault"), (given, err)
		digits = raw.hex().encode()
		for given in (b"", b"\n", raw[:31], raw + b"\n", raw + b"\r\n", raw + b"x", raw * 2, digits[:-1], digits + b"0", digits.upper(), digits[:-1] + b"g", digits + b"\n\n",
		              b" " + digits, digits + b" ", digits[:32] + b"\n" + digits[32:], b"0x" + digits, digits[:62], b"x" * 70000):
		    status, out, err = run("sgit-wrap-key", "--kind", "secret", key=content("vault.key"), secret=given)
		    assert (status, out) == (3, b"") and err and digits.decode()[:20] not in err, (given[:70], status, err)
	PY
END

test_expect_success 'what is no code is 3, and is not repeated' - <<'END'
	for text in '' VTPV-XVR0-24H3-6H2N-CSVR-H6DA-QCNN VTPV-XVR0-24H3-6H2N-CSVR-H6DA-Q VTPU-XVR0-24H3-6H2N-CSVR-H6DA-QCNT; do
		key_file wrong.code "$text" && refused 3 wrap --kind recovery-code --secret-file wrong.code || return 1
	done &&
	key_file short.code 'vtpv xvro 24h3 6h2n csvr h6da qc\r\n' && wrap --kind recovery-code --secret-file short.code >lock && opened lock recovery-code vault code
END

test_expect_success 'a recipient that is no public key of the kind, or out of bounds, is refused' - <<'END'
	echo garbage >garbage.pub && : >empty.pub && sed 's/^M/N/' rsa.pub >broken.pub && head -n 3 rsa.pub >cut.pub &&
	for row in rsa-oaep:rsa1 rsa-oaep:p256 rsa-oaep:ed25519 rsa-oaep:garbage rsa-oaep:empty rsa-oaep:broken rsa-oaep:cut p256:rsa p256:p384 p256:k256 p256:ed25519 p256:garbage p256:empty; do
		status=0 && { wrap --kind "${row%:*}" --recipient "${row#*:}.pub" >out 2>err || status=$?; } && test ! -s out && test -s err &&
		case $status in 3 | 128) ;; *) echo "$row: $status" && return 1 ;; esac || return 1
	done && refused 6 wrap --kind p256 --recipient no/such.pub && grep -q "'no/such.pub'" err
END

test_expect_success 'a P-256 point that is not on the curve is no recipient' - <<'END'
	twin <<-'PY'
		x, y = multiply(12345)
		for point in ((x, y + 1), (0, 0), (FIELD - 1, y), (x + FIELD if x + FIELD < 1 << 256 else x, y ^ 2)):
		    body = base64.encodebytes(SPKI + point_bytes(point)).decode()
		    open("off.pub", "w").write(f"-----BEGIN PUBLIC KEY-----\n{body}-----END PUBLIC KEY-----\n")
		    status, out, err = run("sgit-wrap-key", "--kind", "p256", "--recipient", "off.pub", key=content("vault.key"))
		    assert status in (3, 128) and not out and err, (point, status, out)
	PY
END

test_expect_success 'options that do not go with the kind, or are of another form, are 129' - <<'END'
	while read -r arguments; do
		# shellcheck disable=SC2086
		refused 129 wrap $arguments || { echo "$arguments" && return 1; }
	done <<-'ROWS'
		--secret-file secret
		--kind
		--kind nonsense --secret-file secret
		--kind Secret --secret-file secret
		--kind secret --secret-file secret --kdf scrypt
		--kind recovery-code --secret-file code --kdf argon2id
		--kind passphrase --secret-file typed --kdf pbkdf2
		--kind passphrase --secret-file typed --kdf Scrypt
		--kind passphrase --secret-file typed --recipient rsa.pub
		--kind secret --secret-file secret --recipient p256.pub
		--kind secret --secret-file secret --provider tpm
		--kind secret --secret-file secret --grants both
		--kind secret --secret-file secret --grants none
		--kind secret --secret-file secret --secret-fd 5
		--kind secret --secret-file secret operand
		--kind rsa-oaep
		--kind p256
		--kind rsa-oaep --recipient rsa.pub --secret-file secret
		--kind p256 --recipient p256.pub --secret-file p256.pem
		--kind p256 --recipient p256.pub --provider tpm
		--kind rsa-oaep --recipient rsa.pub --kdf scrypt
		--kind command --provider tpm --secret-file secret
		--kind command --provider tpm --recipient rsa.pub
		--kind command --provider Tpm
		--kind command --provider ../tpm
		--kind command --provider a_b
		--kind command --provider =/bin/true
		--kind command --provider abcdefghijklmnopqrstuvwxyz0123456
		--kind secret --secret-file secret --key-fd 5
	ROWS
END

test_expect_success 'a command lock needs a provider that the user names' - <<'END'
	status=0 && { wrap --kind command >out 2>err || status=$?; } && test ! -s out && test -s err && test "$status" -eq 7 -o "$status" -eq 129
END

test_expect_success 'key and secret: one from standard input, where the other has its own source' - <<'END'
	sgit-wrap-key --kind secret --secret-file secret <vault.key >lock && opened lock secret vault secret &&
	sgit-wrap-key --kind p256 --recipient p256.pub <vault.key >lock && opened lock p256 vault p256.pem recipient epk &&
	wrap --kind secret <secret >lock && opened lock secret vault secret && wrap --kind recovery-code <code >lock && opened lock recovery-code vault code &&
	SGIT_KEY_FILE=$PWD/vault.key sgit-wrap-key --kind secret <secret >lock && opened lock secret vault secret &&
	SGIT_KEY_FD=6 sgit-wrap-key --kind secret --secret-fd 5 5<secret 6<vault.key >lock && opened lock secret vault secret &&
	sgit-wrap-key --kind secret --secret-fd 5 --key-fd 0 5<secret <vault.key >lock && opened lock secret vault secret &&
	sgit-wrap-key --kind secret --secret-fd 0 --key-fd 6 6<vault.key <secret >lock && opened lock secret vault secret
END

test_expect_success 'no key or no secret is 7, at once, and nobody is asked' - <<'END'
	refused 7 setsid sgit-wrap-key --kind secret && refused 7 setsid sgit-wrap-key --kind recovery-code <code
END

test_expect_success 'one descriptor cannot be both key and secret' - <<'END'
	status=0 && { sgit-wrap-key --kind passphrase --key-fd 0 --secret-fd 0 <vault.key >out 2>err || status=$?; } && test ! -s out && test -s err && case $status in 128 | 129) ;; *) false ;; esac
END

test_expect_success 'a key that is none is 3, files that others can read are 8, and are taken when that is insisted on' - <<'END'
	key_file no.key 'nonsense\n' && refused 3 sgit-wrap-key --key-file no.key --kind secret --secret-file secret &&
	for name in vault.key secret; do
		cp $name open.$name && chmod 644 open.$name || return 1
	done && refused 8 sgit-wrap-key --key-file open.vault.key --kind secret --secret-file secret && grep -q -e --insecure-key-file err &&
	refused 8 wrap --kind secret --secret-file open.secret && grep -q -e --insecure-secret-file err &&
	refused 8 sgit-wrap-key --key-file open.vault.key --kind secret --secret-file secret --insecure-secret-file &&
	refused 8 wrap --kind secret --secret-file open.secret --insecure-key-file &&
	sgit-wrap-key --insecure-key-file --key-file open.vault.key --kind secret --insecure-secret-file --secret-file open.secret >lock && opened lock secret vault secret &&
	refused 128 wrap --kind secret --secret-file no/such && refused 128 wrap --kind secret --secret-fd 9 9<&-
END

test_expect_success 'a vault key that a person may have chosen is warned about, and locked all the same' - <<'END'
	for weak in 'golden example passphrase' abcdefghijklmnopqrstuvw K3v9qj2m7x4w8r5t1y6z0abc k3v9qj2m7x4w8r5t1y6z0ab- 'k3v9qj2m7x4w8r5t1y6z0ab d' pàssk3v9qj2m7x4w8r5t1y6z0abc; do
		key_file weak.key "sgit_private_vault_$weak:testvault01\n" &&
		sgit-wrap-key --key-file weak.key --kind secret --secret-file secret >lock 2>err && grep -q '^sgit-wrap-key: ' err && ! grep -q "$weak" err &&
		grep -q '"grants":"vault"' lock || { echo "$weak" && return 1; }
	done
END

test_expect_success 'a machine-made vault key, and a read key, are not' - <<'END'
	for key in vault read; do
		sgit-wrap-key --key-file $key.key --kind secret --secret-file secret >lock 2>err && test ! -s err && opened lock secret $key secret || return 1
	done
END

test_expect_success 'the length of a key shows only in steps of 64 bytes, and ends at 960' - <<'END'
	twin <<-'PY'
		for size in (64, 65, 128, 129, 959, 960, 961, 2000):
		    phrase = "k" * (size - 12)
		    status, out, err = run("sgit-wrap-key", "--kind", "secret", key=f"{phrase}:testvault01", secret=bytes(32))
		    assert (status == 0 if size <= 960 else status in (3, 8)) and (out == b"") == (size > 960), (size, status, err)
		    if size <= 960:
		        line = read_canonical(out)
		        assert len(line["lock"]["sealed"]) == 2 * (28 + -(-size // 64) * 64), size
		        assert unseal(line["lock"], "testvault01", bytes(32)) == f"{phrase}:testvault01", size
		    assert "kkkk" not in err, err
	PY
END

test_expect_success 'a key is sealed as it is: colons, spaces, other letters, no prefix' - <<'END'
	twin <<-'PY'
		for phrase in ("a:b:c", "  two spaces ", "cre\u0300me", "\u65e5\u672c\U0001f511", "sgit_private_vault_x", "ab" * 32, "a\"b\\c"):
		    _, out, err = run("sgit-wrap-key", "--kind", "secret", key=f"sgit_private_vault_{phrase}:testvault01\n", secret=bytes(32))
		    assert unseal(read_canonical(out)["lock"], "testvault01", bytes(32)) == f"{phrase}:testvault01", (phrase, err)
	PY
END

test_expect_success 'a provider is asked in four lines, and sees no key and no argument' - <<'END'
	wrap --kind command --provider "tpm=$PWD/provider" >lock && printf 'sgvault/v1/command\ntestvault01\n%s\n%s\n' "$(sed 's/.*"id":"\([0-9a-f]*\)".*/\1/' lock)" \
		"$(sed 's/.*"challenge":"\([0-9a-f]\{64\}\)".*/\1/' lock)" | cmp - asked && test "$(wc -l <arguments)" -eq 1 &&
	! grep -q -e "$passphrase" -e "$read_hex" asked environment arguments && grep -q '"provider":"tpm"' lock && ! grep -q "$PWD" lock
END

test_expect_success 'a provider by name alone is an executable of the user' - <<'END'
	mkdir -p config/sgit/providers .config/sgit/providers && cp provider config/sgit/providers/my-tpm2 && cp provider .config/sgit/providers/at-home &&
	rm -f asked && XDG_CONFIG_HOME=$PWD/config wrap --kind command --provider my-tpm2 >lock && test -s asked && grep -q '"provider":"my-tpm2"' lock &&
	rm -f asked && env -u XDG_CONFIG_HOME sgit-wrap-key --key-file vault.key --kind command --provider at-home >lock && test -s asked &&
	status=0 && { XDG_CONFIG_HOME=$PWD/config wrap --kind command --provider nobody >out 2>err || status=$?; } && test ! -s out && grep -q nobody err && test "$status" -ne 0
END

test_expect_success 'a lock is not made where it cannot be written, and the failure shows no secret' - <<'END'
	test_expect_status 128 wrap --kind secret --secret-file secret >/dev/full 2>err && test -s err && ! grep -q -e "$passphrase" -e "$secret_hex" err &&
	"$PYTHON" -S -c 'import os, signal, subprocess; r, w = os.pipe(); os.close(r); p = subprocess.run("sgit-wrap-key --key-file vault.key --kind secret --secret-file secret".split(), stdout=w, stderr=subprocess.PIPE); assert (p.returncode, p.stderr) == (-signal.SIGPIPE, b""), p'
END

test_expect_success 'memory that the system does not give is 128, in words' - <<'END'
	for kdf in argon2id scrypt; do
		test_expect_status 128 bash -c "ulimit -v 110000 && exec sgit-wrap-key --key-file vault.key --kind passphrase --kdf $kdf --secret-file typed" >out 2>err && test ! -s out && test -s err || return 1
	done
END

test_done
