#!/bin/bash
# Vault files made to mislead: every row of the two tables in docs/vault-file.md, and every bit of a small file.
# threats.tsv says for each row which sentence below shows it, or where the manual says what no tool can refuse.
. "$(dirname "$0")/test-lib.sh"

vf() {
	"$PYTHON" -S "$TEST_DIRECTORY/vaultfiles.py" "$@"
}

vf story && cat A.lock B1.lock >two.locks && vf twin s1 v.vault-key base.sgvault locks=two.locks serial=7 || exit 1

# What the tests below share: refused() tries all that reads a vault file on some bytes, and finds nothing printed, written or changed.
cat >attacks.py <<'PY'
import resource, tempfile, threading, time
from vaultfiles import *

BASE = content("base.sgvault")
MEMBERS = [(name, data) for name, data, _ in read_zip(BASE)][1:]
FIRST = MEMBERS[0][0]
KEYS = vector_keys()
NO_KEY, READ, OWNER, CODE_A = [], ["--key-file", "v.key"], ["--key-file", "v.vault-key"], ["--secret-file", "A.secret"]


def tool(*command):
    """One run, which may write 16 MiB a file and take half a minute; its status, what it said, and the memory that it took in KiB."""
    limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (16 << 20, 16 << 20))
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=err, preexec_fn=limit)
        watch = threading.Timer(30, process.kill)
        watch.start()
        _, status, usage = os.wait4(process.pid, 0)
        watch.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0), err.seek(0)
        return process.returncode, out.read(), err.read().decode(errors="replace"), usage.ru_maxrss


def refused(data, status, *openings, about="", forms=(["--list"], ["--header"], ["--locks"], ["-d", "unpacked"]), memory=120_000):
    """sgit-unpack ends with this status for each opening and form. Returns the last message."""
    with open("attack.sgvault", "wb") as file:
        file.write(data)
    for opening in openings or (NO_KEY, READ):
        # Without a key only what is written is read as a whole.
        for form in forms if opening else forms[-1:]:
            shutil.rmtree("unpacked", ignore_errors=True)
            got, out, err, used = tool("sgit-unpack", *opening, "attack.sgvault", *form)
            assert got == status, (about, opening, form, got, err)
            assert out == b"" and err.startswith("sgit-unpack: "), (about, opening, form, out[:200], err)
            assert not os.path.lexists("unpacked") or not os.listdir("unpacked"), (about, opening, form, os.listdir("unpacked"))
            assert used < memory, (about, opening, form, f"{used} KiB")
    return err


def not_replaced(data, status, about="", key=OWNER):
    """sgit-pack does not write over it. (A read key needs no derivation, but cannot judge the list of locks.)"""
    shutil.rmtree("there", ignore_errors=True)
    os.mkdir("there")
    with open("there/V.sgvault", "wb") as file:
        file.write(data)
    before = os.stat("there/V.sgvault")
    got, out, err, _ = tool("sgit-pack", *key, "--store", "s2", "-o", "there/V.sgvault")
    assert got == status and out == b"" and err, (about, got, err)
    assert os.listdir("there") == ["V.sgvault"] and content("there/V.sgvault") == data and os.stat("there/V.sgvault").st_ino == before.st_ino, about


def damaged(data, about=""):
    """What needs no key to be seen."""
    said = refused(data, 4, about=about, forms=(["--list"], ["-d", "unpacked"]))
    not_replaced(data, 4, about, READ + ["--header-from", "base.sgvault"])
    before = sorted(os.listdir("s2/bare/data"))
    got, out, err, _ = tool("sgit-union", "--store", "s2", "attack.sgvault")
    # A union believes names and no header: where the store has sound copies of all, nothing comes in and nothing is wrong.
    assert got in (0, 4) and out == b"" and sorted(os.listdir("s2/bare/data")) == before, (about, got, out, err)
    return said


def altered(data, about="", openings=(READ, OWNER)):
    """What is whole, and not what the owner wrote."""
    assert "altered" in refused(data, 4, *openings, about=about), about
    not_replaced(data, 4, about)


def forged(members=MEMBERS, change=None, keys=KEYS, inventory=True, **zip_arguments):
    """A file under right MACs; `members` may be out of order, have a name twice, or one that no file may have."""
    header = json.loads(read_zip(BASE)[0][1])
    if inventory:
        def raw(name):
            return name if isinstance(name, bytes) else name.encode()
        lines = b"".join(hashlib.sha256(data).hexdigest().encode() + b"  " + raw(name) + b"\n" for name, data in members)
        header["members"] = {"bytes": sum(len(data) for _, data in members), "count": len(members), "sha256": hashlib.sha256(lines).hexdigest()}
    change and change(header)
    if keys:
        header["locks_mac"] = keys.locks_mac(header) if keys.write else header["locks_mac"]
        header["mac"] = keys.mac(header)
    return stored_zip([(HEADER, canonical(header))] + list(members), **zip_arguments)


def with_header(bytes_of_header, members=MEMBERS):
    return stored_zip([(HEADER, bytes_of_header)] + list(members))


def entries(data):
    """[(where in the directory, offset of the local header)]"""
    end = data.rindex(b"PK\5\6")
    total, _, at = struct.unpack_from("<HII", data, end + 10)
    found = []
    for _ in range(total):
        found.append((at, struct.unpack_from("<I", data, at + 42)[0]))
        at += 46 + sum(struct.unpack_from("<HHH", data, at + 28))
    return found


def inserted(data, at, junk):
    """Junk in the middle, with every offset that lies behind it made right."""
    out, end = bytearray(data), data.rindex(b"PK\5\6")
    for place, offset in entries(data):
        if offset >= at:
            struct.pack_into("<I", out, place + 42, offset + len(junk))
    directory = struct.unpack_from("<I", data, end + 16)[0]
    struct.pack_into("<I", out, end + 16, directory + len(junk) * (directory >= at))
    return bytes(out[:at]) + junk + bytes(out[at:])
PY

test_expect_success 'what is attacked below is whole, and opens' - <<'END'
	sgit-unpack --key-file v.key base.sgvault --list >out && vf listing base.sgvault | cmp - out && sgit-unpack --secret-file A.secret base.sgvault --header | tail -n 1 | grep -qx verified && lab <<-'PY'
		from attacks import *
		assert forged() == BASE and inserted(BASE, 50, b"") == BASE and with_header(read_zip(BASE)[0][1]) == BASE
	PY
END

# ---------------------------------------------------------------- the first table

test_expect_success 'an edited header: heads, locks, labels, serial, times, unknown members' - <<'END'
	lab <<-'PY'
		from attacks import *
		def edits():
		    yield "serial", lambda h: h.update(serial=h["serial"] + 1)
		    yield "head", lambda h: h["heads"].update({next(iter(h["heads"])): OBJECT + "0" * 12})
		    yield "head gone", lambda h: h["heads"].clear()
		    yield "head emptied", lambda h: h["heads"].update({next(iter(h["heads"])): ""})
		    yield "label", lambda h: h["locks"][0].update(label="another")
		    yield "created_at", lambda h: h["locks"][0].update(created_at="2026-11-30T11:59:59Z")
		    yield "written_at", lambda h: h.update(written_at="2026-11-30T12:00:01Z")
		    yield "written_by", lambda h: h.update(written_by="me")
		    yield "new member", lambda h: h.update(x=1)
		    yield "removed lock", lambda h: h.update(removed_locks=["0000000000000001"])
		    yield "locks_mac", lambda h: h.update(locks_mac="00" * 32)
		    yield "mac", lambda h: h.update(mac="00" * 32)
		    yield "inventory", lambda h: h["members"].update(count=1)
		for about, change in edits():
		    data = forged(change=change, keys=None)
		    if about == "inventory":
		        damaged(data, about)
		    else:
		        altered(data, about)
		altered(forged(change=lambda h: h["locks"][0].update(label="another"), keys=None), "label", [CODE_A])
		# The form of the header comes first: what is not C(header), or has a member of another form, is damage.
		plain = read_zip(BASE)[0][1]
		for about, header in (("a space", plain.replace(b'"serial":7', b'"serial": 7')), ("no line feed", plain[:-1]), ("two line feeds", plain + b"\n"), ("a name twice", plain.replace(b'"serial":7', b'"serial":7,"serial":7')),
		                      ("7.0", plain.replace(b'"serial":7', b'"serial":7.0')), ("07", plain.replace(b'"serial":7', b'"serial":07')), ("-7", plain.replace(b'"serial":7', b'"serial":-7')), ("0", plain.replace(b'"serial":7', b'"serial":0')),
		                      ("2**53", plain.replace(b'"serial":7', b'"serial":9007199254740992')), ("a string", plain.replace(b'"serial":7', b'"serial":"7"')), ("an escape", plain.replace(b"sgit-tools", b"\\u0073git-tools")),
		                      ("a byte order mark", b"\xef\xbb\xbf" + plain), ("empty", b""), ("an array", b"[]\n"), ("an object", b"{}\n"), ("not UTF-8", plain.replace(b"sgit-tools", b"sgit\xfftools")), ("a control character", plain.replace(b"sgit-tools", b"sgit\xc2\x9btools")),
		                      ("another format", plain.replace(b'"format":"sgvault"', b'"format":"sgvaulT"')), ("a capital name", canonical({**json.loads(plain), "X": 1})), ("another vault id", plain.replace(b'"vault_id":"testvault01"', b'"vault_id":"Testvault01"')),
		                      ("no heads", canonical({k: v for k, v in json.loads(plain).items() if k != "heads"})), ("too deep", canonical({**json.loads(plain), "x": [[[[[[[[1]]]]]]]]})), ("very deep", plain.replace(b'"serial":7', b'"serial":' + b"[" * 200_000)),
		                      ("a ref of another form", canonical({**json.loads(plain), "heads": {"ref": ""}})), ("locks out of order", canonical({**json.loads(plain), "locks": json.loads(plain)["locks"][::-1]})),
		                      ("a lock twice", canonical({**json.loads(plain), "locks": json.loads(plain)["locks"][:1] * 2})), ("a lock in both lists", canonical({**json.loads(plain), "removed_locks": [LOCKS["A"]["id"]]})),
		                      ("removed locks out of order", canonical({**json.loads(plain), "removed_locks": ["0000000000000002", "0000000000000001"]}))):
		    refused(with_header(header), 3 if about == "another vault id" else 4, READ, about=about, forms=(["--list"], ["-d", "unpacked"]))
	PY
END

test_expect_success 'edited parameters of a lock: its secret does not open it' - <<'END'
	lab <<-'PY'
		from attacks import *
		B1 = ["--secret-file", "B1.secret", "--lock", LOCKS["B1"]["id"]]
		def lock(number, **changes):
		    def change(header):
		        lock = header["locks"][number]
		        lock["params"].update(changes.pop("params", {}))
		        lock.update(changes)
		    return forged(change=change)
		for about, data, opening in (("salt", lock(0, params={"salt": "00" * 16}), CODE_A), ("a parameter more", lock(0, params={"x": 1}), CODE_A), ("grants", lock(0, grants="read"), CODE_A), ("id", lock(0, id="0011223344556678"), CODE_A),
		                             ("t", lock(1, params={"t": 2}), B1), ("m_kib", lock(1, params={"m_kib": 65537}), B1), ("kdf", lock(1, params={"kdf": "scrypt", "log_n": 16, "r": 8}), B1)):
		    refused(data, 3, opening, about=about, memory=300_000)
		altered(forged(change=lambda h: h["locks"][0]["params"].update(salt="00" * 16), keys=None), "salt, with the key")
		moved = forged(change=lambda h: h.update(vault_id="testvault02"))
		refused(moved, 3, CODE_A, about="vault id")
		refused(moved, 3, READ, about="vault id")
		kinds = forged(change=lambda h: h["locks"][0].update(kind="secret"))
		refused(kinds, 3, CODE_A, about="kind")
	PY
END

test_expect_success 'a KDF bomb: no memory is taken for parameters out of bounds, and nothing of the header may be too large' - <<'END'
	lab <<-'PY'
		from attacks import *
		passphrase = ["--secret-file", "B1.secret", "--lock", "00000000000000ff"]
		def bomb(kind, **params):
		    lock = {"created_at": "2026-11-30T13:00:00Z", "grants": "vault", "id": "00000000000000ff", "kind": kind, "label": "", "params": {"salt": "00" * 16, **params}, "sealed": "00" * 92}
		    return forged(change=lambda h: h["locks"].append(lock))
		argon, scrypt = dict(kdf="argon2id", m_kib=65536, t=3, p=1), dict(kdf="scrypt", log_n=17, r=8, p=1)
		for good, name, values in ((argon, "m_kib", (0, 8, 19455, 1048577, 1 << 31, 1 << 32, (1 << 53) - 1)), (argon, "t", (0, 11, 1 << 32)), (argon, "p", (0, 2, 1 << 24)), ({**argon, "m_kib": 19456}, "t", (1,)), ({**argon, "m_kib": 1048576}, "t", (5,)),
		                           (scrypt, "log_n", (0, 1, 15, 21, 31, 63, 64, 1 << 40)), (scrypt, "r", (0, 1, 7, 9, 1 << 30)), (scrypt, "p", (0, 5, 1 << 30))):
		    for value in values:
		        began = time.monotonic()
		        refused(bomb("passphrase", **{**good, name: value}), 3, passphrase, about=(name, value), forms=(["--list"],), memory=40_000)
		        assert time.monotonic() - began < 3, (name, value)
		for value in ("65536", None, True, [65536], {"a": 1}):
		    refused(bomb("passphrase", **{**argon, "m_kib": value}), 3, passphrase, about=value, forms=(["--list"],), memory=40_000)
		refused(bomb("rsa-oaep", recipient="00" * 32, enc="00" * 1025), 3, ["--secret-file", "P256.secret", "--lock", "00000000000000ff"], about="enc", forms=(["--list"],))
		base = LOCKS["A"]
		for about, change in (("65 locks", lambda h: h.update(locks=[{**base, "id": f"{n:016x}"} for n in range(65)])), ("4097 removed", lambda h: h.update(removed_locks=[f"{n:016x}" for n in range(4097)])),
		                      ("more than 1 MiB", lambda h: h.update({f"x{n}": "y" * 1000 for n in range(1050)}))):
		    refused(forged(change=change), 4, READ, about=about, forms=(["--list"], ["-d", "unpacked"]))
		    not_replaced(forged(change=change), 4, about)
		allowed = forged(change=lambda h: h.update(locks=[{**base, "id": f"{n:016x}"} for n in range(64)], removed_locks=[f"f{n:015x}" for n in range(4096)]))
		open("allowed.sgvault", "wb").write(allowed)
		assert tool("sgit-unpack", *OWNER, "allowed.sgvault", "--header")[0] == 0, "as many as may be are too many"
	PY
END

test_expect_success 'a lock less, and a lock more whose secret the attacker knows' - <<'END'
	lab <<-'PY'
		from attacks import *
		altered(forged(change=lambda h: h["locks"].pop(), keys=None), "a lock less", [READ, OWNER, CODE_A])
		mine = seal_lock("secret", bytes(32), "what an attacker chose:testvault01", "testvault01", id="ffffffffffffffff", created_at="2026-11-30T13:00:00Z")
		private("mine.secret", bytes(32))
		more = forged(change=lambda h: h["locks"].append(mine), keys=None)
		altered(more, "a lock more", [READ, OWNER, CODE_A])
		altered(more, "a lock more, opened by it", [["--secret-file", "mine.secret"]])
		# Around a vault of the attacker's own, whole in itself: under the owner's key it is another vault's.
		theirs = Keys("sgit_private_vault_what an attacker chose:testvault01")
		whole = forged(change=lambda h: h.update(locks=[mine]), keys=theirs)
		refused(whole, 4, READ, OWNER)
		not_replaced(whole, 4)
	PY
END

test_expect_success 'a list of locks that a holder of a read lock wrote is not taken' - <<'END'
	lab <<-'PY'
		from attacks import *
		reader = keys_in("v.key")
		for about, change in (("all removed", lambda h: h.update(locks=[], removed_locks=sorted(lock["id"] for lock in h["locks"]))), ("all gone", lambda h: h.update(locks=[])), ("label", lambda h: h["locks"][0].update(label="x"))):
		    data = forged(change=change, keys=reader)
		    altered(data, about, [OWNER])
		data = forged(change=lambda h: h["locks"].pop(), keys=reader)
		altered(data, "opened by its lock", [CODE_A])
	PY
END

test_expect_success 'a header that was taken off is no silent way around it' - <<'END'
	lab <<-'PY'
		from attacks import *
		stripped = stored_zip(MEMBERS)
		assert "--no-header" in refused(stripped, 4, NO_KEY, READ, OWNER, CODE_A)
		not_replaced(stripped, 4)
		for first in (("sgvault.jso", b"{}\n"), ("SGVAULT.JSON", read_zip(BASE)[0][1]), ("a", read_zip(BASE)[0][1])):
		    refused(stored_zip([first] + MEMBERS), 4)
		got, out, err, _ = tool("sgit-pack", *READ, "--store", "s1", "--header-from", "attack.sgvault", "-o", "new.sgvault")
		assert got == 4 and not os.path.exists("new.sgvault"), (got, err)
	PY
END

test_expect_success 'removed locks stay removed: what --header-from and the file itself have removed is not brought back by an old copy' - <<'END'
	cp base.sgvault old.sgvault && vf changed base.sgvault v.vault-key new.sgvault 'header["removed_locks"] = ["0011223344556677"]; header["locks"] = header["locks"][1:]' && mkdir replay && cp old.sgvault replay/V.sgvault &&
	sgit-pack --key-file v.vault-key --store s1 --header-from new.sgvault -o replay/V.sgvault && test "$(vf lock-ids replay/V.sgvault)" = 8899aabbccddeeff && cp new.sgvault replay/V.sgvault && test_expect_status 8 sgit-pack --key-file v.vault-key --store s2 --header-from old.sgvault --lock A.lock -o replay/V.sgvault && cmp new.sgvault replay/V.sgvault &&
	sgit-pack --key-file v.vault-key --store s2 --header-from old.sgvault -o replay/V.sgvault &&
	test "$(vf lock-ids replay/V.sgvault)" = 8899aabbccddeeff && test "$(vf member replay/V.sgvault removed_locks)" = '["0011223344556677"]'
END

test_expect_success 'one ciphertext for many secrets: the length of sealed is exact, and what is sealed must be a credential of this vault' - <<'END'
	lab <<-'PY'
		from attacks import *
		private("mine.secret", bytes(32))
		opening = ["--secret-file", "mine.secret", "--lock", "ffffffffffffffff"]
		def sealed(plaintext, grants="vault"):
		    lock = seal_lock("secret", bytes(32), "", "testvault01", id="ffffffffffffffff", created_at="2026-11-30T13:00:00Z", plaintext=plaintext, grants=grants)
		    return forged(change=lambda h: h["locks"].append(lock))
		good = CREDENTIAL.encode()
		read = f"{VECTOR['read_key']}:testvault01".encode()
		open("attack.sgvault", "wb").write(sealed(good + bytes(-len(good) % 64)))
		assert tool("sgit-unpack", *opening, "attack.sgvault", "--list")[0] == 0
		open("attack.sgvault", "wb").write(sealed(read + bytes(-len(read) % 64), "read"))
		assert tool("sgit-unpack", *opening, "attack.sgvault", "--list")[0] == 0
		said = set()
		for about, plaintext, grants in (("empty", b"", "vault"), ("only zeros", bytes(64), "vault"), ("not padded", good, "vault"), ("padded by a byte", good + bytes(65 - len(good)), "vault"), ("16 blocks", good + bytes(1024 - len(good)), "vault"),
		                                 ("a zero within", good[:5] + b"\0" + good[5:] + bytes(63 - len(good)), "vault"), ("padded with ones", good + b"\1" * (64 - len(good)), "vault"), ("another vault", b"abcdefgh:othervault01".ljust(64, b"\0"), "vault"),
		                                 ("no colon", b"abcdefgh".ljust(64, b"\0"), "vault"), ("no passphrase", b":testvault01".ljust(64, b"\0"), "vault"), ("a line feed", (good + b"\n").ljust(64, b"\0"), "vault"),
		                                 ("a vault key for a read lock", good.ljust(64, b"\0"), "read"), ("capital digits", read.upper().replace(b"TESTVAULT01", b"testvault01").ljust(128, b"\0"), "read"), ("63 digits", read[1:].ljust(128, b"\0"), "read"), ("not UTF-8", b"\xff\xfe:testvault01".ljust(64, b"\0"), "vault")):
		    err = refused(sealed(plaintext, grants), 3, opening, about=about, forms=(["--list"], ["-d", "unpacked"]))
		    said.add(err)
		wrong = seal_lock("secret", bytes([1]) * 32, CREDENTIAL, "testvault01", id="ffffffffffffffff", created_at="2026-11-30T13:00:00Z")
		said.add(refused(forged(change=lambda h: h["locks"].append(wrong)), 3, opening, about="a wrong secret", forms=(["--list"], ["-d", "unpacked"])))
		assert len(said) == 1, f"the failures of a lock do not read alike: {said}"
	PY
END

test_expect_success 'the parts of two valid files, mixed' - <<'END'
	vf twin s2 v.vault-key later.sgvault locks=two.locks serial=8 && lab <<-'PY'
		from attacks import *
		later = read_zip(content("later.sgvault"))
		newer = {name: data for name, data, _ in later[1:]}
		damaged(with_header(later[0][1]), "the newer header")
		damaged(with_header(read_zip(BASE)[0][1], [(name, data) for name, data in newer.items()]), "the newer members")
		ref = next(name for name, _ in MEMBERS if name.startswith("bare/refs/"))
		mixed = [(name, newer[name] if name == ref else data) for name, data in MEMBERS]
		damaged(with_header(read_zip(BASE)[0][1], mixed), "the newer ref")
		header = json.loads(read_zip(BASE)[0][1])
		for about, members in (("the newer ref, with an inventory", mixed), ("an object less", MEMBERS[1:])):
		    vault = VaultFile(dict(header), dict(members))
		    altered(vault.made_right(None).to_bytes(), about)
		for other in ("mac", "serial", "heads"):
		    altered(forged(change=lambda h: h.update({other: json.loads(later[0][1])[other]}), keys=None), other)
	PY
END

test_expect_success 'a vault that someone else sealed to your public key does not pass for yours' - <<'END'
	lab <<-'PY'
		from attacks import *
		theirs = Keys("sgit_private_vault_what an attacker chose:testvault01")
		public = "-----BEGIN PUBLIC KEY-----\n" + base64.encodebytes(SPKI + point_bytes(multiply(scalar_of(content("P256.secret").decode())))).decode() + "-----END PUBLIC KEY-----\n"
		lock = seal_lock("p256", public, theirs.credential("vault"), "testvault01", id="00000000000000a6")
		store = Store("theirs", theirs.read, "testvault01", 12)
		store.branch("current", store.commit(store.tree()))
		store.index()
		data = packed("theirs", theirs, locks=[lock]).to_bytes()
		open("attack.sgvault", "wb").write(data)
		assert tool("sgit-unpack", "--secret-file", "P256.secret", "attack.sgvault", "--list")[0] == 0, "whole in itself"
		shutil.rmtree("there", ignore_errors=True)
		os.mkdir("there")
		open("there/V.sgvault", "wb").write(data)
		got, out, err, _ = tool("sgit-pack", *OWNER, "--store", "s2", "-o", "there/V.sgvault")
		assert got in (3, 4) and content("there/V.sgvault") == data and os.listdir("there") == ["V.sgvault"], (got, err)
		assert tool("sgit-unpack", *READ, "attack.sgvault", "--list")[0] in (3, 4)
	PY
END

test_expect_success 'a command lock runs nothing that the user has not named' - <<'END'
	mkdir -p config/sgit/providers && printf '#!/bin/sh\ntouch "$TRASH/ran"\nprintf %%064d 0\n' >evil && chmod +x evil && cp evil config/sgit/providers/told && lab <<-'PY'
		from attacks import *
		os.environ["XDG_CONFIG_HOME"] = os.path.abspath("config")
		for provider in ("told", "../../evil", os.path.abspath("evil"), "evil", "./evil", "told;touch ran", "$(touch ran)", "told x", "", "T" * 33):
		    lock = seal_lock("command", bytes(32), KEYS.credential("vault"), "testvault01", id="ffffffffffffffff", created_at="2026-11-30T13:00:00Z", params={"provider": provider, "challenge": "00" * 32})
		    open("attack.sgvault", "wb").write(forged(change=lambda h: h["locks"].append(lock)))
		    for opening in (READ, CODE_A, ["--secret-file", "C.secret"], ["--provider", "other"], NO_KEY):
		        for form in (["--list"], ["--header"]):
		            tool("sgit-unpack", *opening, "attack.sgvault", *form)
		            assert not os.path.exists("ran"), (provider, opening, form)
		    if provider != "told":
		        got, out, err, _ = tool("sgit-unpack", "--provider", provider, "attack.sgvault", "--list")
		        assert got != 0 and out == b"" and not os.path.exists("ran"), (provider, got)
		lock = seal_lock("command", bytes(32), KEYS.credential("vault"), "testvault01", id="ffffffffffffffff", created_at="2026-11-30T13:00:00Z", params={"provider": "told", "challenge": "00" * 32})
		open("attack.sgvault", "wb").write(forged(change=lambda h: h["locks"].append(lock)))
		assert tool("sgit-unpack", "--provider", "told", "attack.sgvault", "--list")[0] == 0 and os.path.exists("ran"), "the one that was named is run"
	PY
END

test_expect_success 'what is in clear is what the manual says: nothing of contents, names or messages' - <<'END'
	lab <<-'PY' &&
		from attacks import *
		told = b"".join(data for _, data, _ in read_zip(BASE))
		for secret in (VECTOR["read_key"].encode(), VECTOR["write_key"].encode(), b"golden example", bytes.fromhex(VECTOR["read_key"]), b"branch-named", b"current", b"tree_v1", b"commit_v1", CODE.encode()):
		    assert secret not in told, secret
		assert sorted(json.loads(read_zip(BASE)[0][1])) == ["format", "heads", "locks", "locks_mac", "mac", "members", "removed_locks", "requires", "serial", "vault_id", "version", "written_at", "written_by"]
	PY
	sgit-pack --key-file v.vault-key --store s1 >clear.sgvault && unzip -p clear.sgvault sgvault.json >clear && for name in format heads locks locks_mac mac members removed_locks requires serial vault_id version written_at written_by; do grep -q "\"$name\":" clear || return 1; done &&
	{ ! LC_ALL=C grep -a -q -e golden -e "$(cut -c19-82 v.key)" -e tree_v1 -e branch-named clear.sgvault; } && sgit-wrap-key --kind recovery-code --key-file v.vault-key --secret-file A.secret | grep -q '"label":""'
END

test_expect_success 'no secret and no key in an error, and none from a file that others can read' - <<'END'
	key_file wrong.code 'VTPV-XVR0-24H3-6H2N-CSVR-H6DA-QCNT\n' && key_file wrong.key 'sgit_private_vault_hunter2hunter2hunter2:testvault01\n' && key_file wrong.text 'correct horse battery staple\n' &&
	for how in '--secret-file wrong.code' '--secret-file wrong.text' '--key-file wrong.key' '--key-file wrong.code' '--secret-file wrong.key'; do
		# shellcheck disable=SC2086
		test_expect_status 3 sgit-unpack $how base.sgvault --list >out 2>err && test ! -s out && { ! grep -q -i -e VTPV -e hunter2 -e horse -e 000G -e golden err; } || return 1
	done && chmod 640 wrong.code && test_expect_status 8 sgit-unpack --secret-file wrong.code base.sgvault --list >out && test_expect_status 129 sgit-unpack --secret VTPV-XVR0-24H3-6H2N-CSVR-H6DA-QCNT base.sgvault --list >out 2>err
END

# ---------------------------------------------------------------- the second table

test_expect_success 'names that lead elsewhere, or that no file may have, refuse the file' - <<'END'
	lab <<-'PY'
		from attacks import *
		for name in (b"bare/../x", b"../bare/data/x", b"bare/data/../../x", b"/bare/data/x", b"/etc/passwd", b"bare\\data\\x", b"c:/bare/data/x", b"c:x", b"bare/data/x\0y", b"bare//data/x", b"bare/./x", b"bare/data/.", b"bare/data/..", b"bare/.x", b"bare/data/.x", b"./bare/data/x", b"bare/x", b"bare", b"bare/a/b/c/d/e",
		             b"bare/" + b"a" * 129 + b"/x", b"bare/data/" + b"a" * 129, b"bare/data/x ", b"bare/data/x y", b"bare/data/x\n", b"bare/data/-x", b"bare/-data/x", b"bare/data/_x", b"", b"x", b"barex/data/x", b"bare/data/con:", b"bare/data/x*", b"bare/data/\x7f", b"bare/data/x;y"):
		    damaged(forged(sorted(MEMBERS + [(name, b"x")], key=lambda m: m[0] if isinstance(m[0], bytes) else m[0].encode())), name)
		assert not os.path.lexists("x") and not os.path.lexists("there/x")
	PY
END

test_expect_success 'names that fall together where case or form is ignored cannot exist' - <<'END'
	lab <<-'PY'
		from attacks import *
		for name in (FIRST.upper().encode(), FIRST.replace("obj", "OBJ").encode(), FIRST.replace("data", "Data").encode(), "bare/data/\u00e9".encode(), "bare/data/e\u0301".encode(), "bare/data/\u212a".encode(), "bare/data/ob\u0237".encode(), b"bare/data/\xe9", "bare/d\u0430ta/x".encode()):
		    damaged(forged(sorted(MEMBERS + [(name, b"x")], key=lambda m: m[0] if isinstance(m[0], bytes) else m[0].encode())), name)
	PY
END

test_expect_success 'a name twice, two ends, junk at any place, members that overlap or are out of order' - <<'END'
	lab <<-'PY'
		from attacks import *
		damaged(forged([MEMBERS[0]] + MEMBERS), "a name twice")
		damaged(forged([(FIRST, b"another")] + MEMBERS), "a name twice, other bytes")
		damaged(forged(MEMBERS[::-1]), "out of order")
		damaged(forged([MEMBERS[1], MEMBERS[0]] + MEMBERS[2:]), "two out of order")
		header = (HEADER, read_zip(BASE)[0][1])
		damaged(stored_zip([header, header] + MEMBERS), "two headers")
		damaged(stored_zip(MEMBERS + [header]), "the header last")
		damaged(stored_zip([MEMBERS[0], header] + MEMBERS[1:]), "the header second")
		end = BASE.rindex(b"PK\5\6")
		damaged(BASE + BASE[end:], "two ends")
		damaged(BASE[:end] + BASE[end:] [:-2] + struct.pack("<H", 22) + BASE[end:], "an end in the comment of the end")
		damaged(BASE[:-2] + b"\1\0x", "a comment")
		damaged(BASE[:-2] + b"\1\0", "a comment that is not there")
		empty = struct.pack("<4sHHHHIIH", b"PK\5\6", 0, 0, 0, 0, 0, 0, 0)
		damaged(BASE[:-2] + struct.pack("<H", 22) + empty, "an end of nothing behind it")
		damaged(BASE + stored_zip([header] + MEMBERS), "two files")
		damaged(b"junk" + BASE, "junk in front")
		damaged(b"#!/bin/sh\n" + BASE, "a script in front")
		for place, offset in entries(BASE):
		    damaged(inserted(BASE, offset, b"junk"), f"junk before a member, at {offset}")
		directory = entries(BASE)[0][0]
		damaged(inserted(BASE, directory, b"junk"), "junk before the directory")
		damaged(inserted(BASE, directory, stored_zip([("bare/data/hidden", b"x")])[:-22 - 46 - 16]), "a member that the directory has not")
		damaged(BASE[:end] + b"junk" + BASE[end:], "junk before the end")
		# One member inside another: the directory names both.
		inner = stored_zip([("bare/data/zzz", b"inner")])[:30 + 13 + 5]
		outer = sorted(MEMBERS + [("bare/data/yyy", inner)])
		both = sorted(outer + [("bare/data/zzz", b"inner")])
		data = forged(both)
		offset = data.index(b"PK\3\4", data.index(b"bare/data/yyy"))
		damaged(forged(both, central={"bare/data/zzz": {"offset": offset}}), "overlap")
		damaged(forged(central={2: {"offset": 0}}), "an offset to the header")
		damaged(forged(central={2: {"offset": len(BASE) + 5}}), "an offset past the end")
		for total in (0, 1, len(MEMBERS), len(MEMBERS) + 2, 65534, 65535):
		    damaged(forged(end={"here": total, "total": total}) if total < 65535 else BASE[:end + 8] + b"\xff\xff\xff\xff" + BASE[end + 12:], f"{total} members")
		for change in ({"offset": 0}, {"offset": directory - 1}, {"offset": directory + 1}, {"size": 0}, {"size": 1}, {"offset": 0xfffffffe}, {"size": 0xfffffffe}):
		    damaged(forged(end=change), change)
	PY
END

test_expect_success 'a local header that is not as the directory says, in each field, on either side and on both' - <<'END'
	lab <<-'PY'
		from attacks import *
		size = len(MEMBERS[1][1])
		fields = {"needed": 20, "flags": 1, "method": 8, "time": 1, "date": 0x22, "crc": 7, "packed": size - 1, "size": size + 1, "name": b"bare/data/obj-cas-imm-000000000000", "extra": struct.pack("<HH", 0xcafe, 0)}
		for field, value in fields.items():
		    damaged(forged(local={2: {field: value}}), ("local", field))
		    damaged(forged(central={2: {field: value}}), ("central", field))
		    if field != "name":
		        damaged(forged(local={2: {field: value}}, central={2: {field: value}}), ("both", field))
		    damaged(forged(local={0: {field: value}}), ("local of the header", field))
		for field, value in {"made": 0x314, "comment": b"x", "disk": 1, "internal": 1, "external": 0o100644 << 16}.items():
		    damaged(forged(central={2: {field: value}}), ("central", field))
		    damaged(forged(central={0: {field: value}}), ("central of the header", field))
	PY
END

test_expect_success 'data descriptors, encryption, every flag, extra fields, more than one disk, ZIP64 where it is not needed' - <<'END'
	lab <<-'PY'
		from attacks import *
		for bit in range(16):
		    damaged(forged(local={1: {"flags": 1 << bit}}, central={1: {"flags": 1 << bit}}), f"flag {bit}")
		descriptor = {"flags": 8, "crc": 0, "packed": 0, "size": 0}
		damaged(forged(local={1: descriptor}, central={1: {"flags": 8}}), "data descriptor")
		size = len(MEMBERS[0][1])
		for extra in (struct.pack("<HHQ", 1, 8, size), struct.pack("<HHQQ", 1, 16, size, size), struct.pack("<HHI", 0x5455, 4, 0), struct.pack("<HHB", 0x7075, 1, 1), b"\0", b"\1\0\4\0"):
		    damaged(forged(local={1: {"extra": extra}}), "extra, local")
		    damaged(forged(central={1: {"extra": extra}}), "extra, central")
		    damaged(forged(local={1: {"extra": extra}}, central={1: {"extra": extra}}), "extra, both")
		wide = struct.pack("<HHQQ", 1, 16, size, size)
		damaged(forged(local={1: {"size": BIG, "packed": BIG, "extra": wide, "needed": 45}}, central={1: {"size": BIG, "packed": BIG, "extra": wide, "needed": 45}}), "ZIP64 sizes that fit without")
		for change in ({"disk": 1}, {"start_disk": 1}, {"here": 1}, {"disk": 0xffff, "start_disk": 0xffff}):
		    damaged(forged(end=change), change)
		end, directory = BASE.rindex(b"PK\5\6"), entries(BASE)[0][0]
		record = struct.pack("<4sQHHIIQQQQ", b"PK\6\6", 44, 45, 45, 0, 0, len(MEMBERS) + 1, len(MEMBERS) + 1, end - directory, directory) + struct.pack("<4sIQI", b"PK\6\7", 0, end, 1)
		damaged(BASE[:end] + record + BASE[end:], "ZIP64 end where none is needed")
		damaged(BASE[:end] + record + BASE[end:end + 8] + b"\xff" * 4 + BASE[end + 12:], "ZIP64 end for few members")
		damaged(BASE[:end] + record[56:] + BASE[end:], "a locator alone")
	PY
END

test_expect_success 'a compression bomb: nothing is ever inflated in a file of ours' - <<'END'
	lab <<-'PY'
		from attacks import *
		packer = zlib.compressobj(9, zlib.DEFLATED, -15)
		packed_zeros = packer.compress(bytes(50_000_000)) + packer.flush()
		for method, size in ((8, 50_000_000), (9, 50_000_000), (12, 50_000_000), (14, 1 << 31), (93, 1 << 31), (0, 50_000_000), (8, len(packed_zeros))):
		    field = {"method": method, "packed": len(packed_zeros), "size": size, "crc": zlib.crc32(bytes(50_000_000))}
		    damaged(forged(sorted(MEMBERS + [("bare/data/bomb", packed_zeros)]), local={"bare/data/bomb": field}, central={"bare/data/bomb": field}), (method, size))
		    field = {"method": method, "size": size}
		    damaged(forged(local={0: field}, central={0: field}), ("the header", method, size))
	PY
END

test_expect_success 'links, devices and folders: attributes are 0, and no member is a folder' - <<'END'
	lab <<-'PY'
		from attacks import *
		for mode in (0o120777, 0o040755, 0o060600, 0o020600, 0o010600, 0o140600, 0o100755, 0o104755):
		    damaged(forged(sorted(MEMBERS + [("bare/data/odd", b"/etc/passwd")]), central={"bare/data/odd": {"made": 0x314, "external": mode << 16}}), oct(mode))
		    damaged(forged(sorted(MEMBERS + [("bare/data/odd", b"/etc/passwd")]), central={"bare/data/odd": {"external": mode << 16}}), oct(mode))
		for bit in (0x10, 1, 0x20):
		    damaged(forged(central={1: {"external": bit}}), bit)
		for name in ("bare/", "bare/data/", "bare/data/x/"):
		    damaged(forged(sorted(MEMBERS + [(name, b"")])), name)
	PY
END

test_expect_success 'a link where the store should be written is not followed' - <<'END'
	mkdir trap inside && ln -s "$TRASH/trap" inside/bare && test_expect_status 128 sgit-unpack --key-file v.key base.sgvault -d inside 2>err && test -z "$(ls trap)" && test -L inside/bare
END

test_expect_success 'members beside the inventory, and less than it has' - <<'END'
	lab <<-'PY'
		from attacks import *
		for name in ("bare/data/obj-cas-imm-000000000000", "bare/zzz/zzz", "bare/aaa/aaa", "evil.sh", "a", "zzz", ".DS_Store", "__MACOSX/x", "sgvault.json.bak"):
		    data = forged(sorted(MEMBERS + [(name, b"x")]), inventory=False)
		    damaged(data, name)
		damaged(forged(MEMBERS[1:], inventory=False), "one less")
		damaged(forged(MEMBERS[:-1], inventory=False), "one less")
		damaged(forged([], inventory=False), "none")
		for about, change in (("count", lambda h: h["members"].update(count=h["members"]["count"] + 1)), ("bytes", lambda h: h["members"].update(bytes=h["members"]["bytes"] + 1)), ("sha256", lambda h: h["members"].update(sha256="00" * 32))):
		    damaged(forged(change=change), about)
	PY
END

test_expect_success 'a member that would fill the disk: sizes are compared with the file before anything is written' - <<'END'
	lab <<-'PY'
		from attacks import *
		began = time.monotonic()
		for size in (1 << 20, 1 << 30, 0xfffffffe):
		    field = {"packed": size, "size": size}
		    for number in (0, 1, len(MEMBERS)):
		        damaged(forged(local={number: field}, central={number: field}), (size, number))
		for size in (1 << 32, 1 << 40, (1 << 63) - 1, 1 << 63, (1 << 64) - 1):
		    wide = {"packed": BIG, "size": BIG, "needed": 45, "extra": struct.pack("<HHQQ", 1, 16, size, size)}
		    for number in (0, 1):
		        damaged(forged(local={number: wide}, central={number: wide}), (size, number))
		every = {number: {"packed": 0xfffffffe, "size": 0xfffffffe} for number in range(len(MEMBERS) + 1)}
		damaged(forged(local=every, central=every), "the sum")
		assert time.monotonic() - began < 30
	PY
END

# ---------------------------------------------------------------- every bit

# tried: runs sgit-unpack -d on the bytes of many variants, as fast as processes start, two at a time, and compares the statuses.
cat >flips.py <<'PY'
from attacks import *

TOOL = shutil.which("sgit-unpack")
SILENT = [(os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0), (os.POSIX_SPAWN_OPEN, 2, "/dev/null", os.O_WRONLY, 0), (os.POSIX_SPAWN_OPEN, 0, "/dev/null", os.O_RDONLY, 0)]


def tried(variants, *opening):
    """`variants` yields (what, bytes, the statuses that are right). Returns how many there were."""
    lock, wrong, count = threading.Lock(), [], [0]
    source = iter(variants)

    def work(number):
        path, place = f"flip.{number}", f"flip.out.{number}"
        while True:
            with lock:
                item = next(source, None)
                if item is None:
                    return
                count[0] += 1
            about, data, right = item
            with open(path, "wb") as file:
                file.write(data)
            pid = os.posix_spawn(TOOL, ["sgit-unpack", *opening, path, "-d", place], os.environ, file_actions=SILENT)
            status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
            if status not in right or os.path.lexists(place) and os.listdir(place):
                wrong.append((about, status, right, os.path.lexists(place) and os.listdir(place)))
                shutil.rmtree(place, ignore_errors=True)
    threads = [threading.Thread(target=work, args=(number,)) for number in range(max(2, os.cpu_count()))]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert not wrong, f"{len(wrong)} of {count[0]}: {wrong[:20]}"
    return count[0]


def flipped(data, at, bit):
    return data[:at] + bytes([data[at] ^ 1 << bit]) + data[at + 1:]


def bodies(data):
    """The ranges of the members' contents, the header's first."""
    found = []
    for _, offset in entries(data):
        size, name, extra = struct.unpack_from("<I", data, offset + 22)[0], *struct.unpack_from("<HH", data, offset + 26)
        found.append(range(offset + 30 + name + extra, offset + 30 + name + extra + size))
    return found


def is_canonical(header):
    try:
        return b"\x7f" not in header and canonical(json.loads(header)) == header
    except (ValueError, UnicodeDecodeError):
        return False
PY

test_expect_success 'every bit of headers, directory and end, and bits of all that is between: 4, and nothing is left' - <<'END'
	lab <<-'PY'
		from flips import *
		header, *others = bodies(BASE)
		def variants():
		    for at in range(len(BASE)):
		        if at in header:
		            bits = [at * 5 % 8]
		        elif any(at in body for body in others):
		            bits = [at // 7 % 8] if at % 7 == 0 else []
		        else:
		            bits = range(8)
		        for bit in bits:
		            yield (at, bit), flipped(BASE, at, bit), {4}
		print(tried(variants()), "flips")
	PY
END

test_expect_success 'every cut: 4, and nothing is left' - <<'END'
	lab <<-'PY'
		from flips import *
		header, *others = bodies(BASE)
		def variants():
		    for size in range(len(BASE)):
		        if not any(size in body for body in others) or size % 5 == 0:
		            yield size, BASE[:size], {4}
		print(tried(variants()), "cuts")
	PY
END

test_expect_success 'every bit of the header under a right CRC, opened with the read key: 4; another version is 8, another vault 3' - <<'END'
	lab <<-'PY'
		from flips import *
		plain = read_zip(BASE)[0][1]
		version, vault = plain.rindex(b'"version":') + 10, plain.rindex(b'"vault_id":"') + 12
		seen = set()
		def variants():
		    for at in range(len(plain)):
		        for bit in range(8):
		            header = flipped(plain, at, bit)
		            right = {4}
		            if is_canonical(header):
		                if at == version:
		                    right = {8}
		                elif at in range(vault, vault + len("testvault01")):
		                    right = {3}
		            seen.update(right)
		            yield (at, bit, header[max(0, at - 20):at + 20]), with_header(header), right
		print(tried(variants(), *READ), "flips")
		assert seen == {3, 4, 8}
	PY
END

test_expect_success 'every bit of what opens a lock, under a right CRC, opened with its secret: 3' - <<'END'
	lab <<-'PY'
		from flips import *
		plain = read_zip(BASE)[0][1]
		begin = plain.index(b'{"created_at"')
		lock = plain[begin:plain.index(b'"}', plain.index(b'"sealed"', begin))]
		spans = {}
		for name in (b"grants", b"id", b"kind", b"salt", b"sealed"):
		    at = lock.index(b'"' + name + b'":"') + len(name) + 4
		    spans[name] = range(begin + at, begin + (lock + b'"').index(b'"', at))
		at = plain.rindex(b'"vault_id":"') + 12
		spans[b"vault_id"] = range(at, at + 11)
		seen = {}
		def variants():
		    for name, span in spans.items():
		        for at in span:
		            for bit in range(8):
		                header = flipped(plain, at, bit)
		                right = {3} if is_canonical(header) else {4}
		                seen.setdefault(name, set()).update(right)
		                yield (name, at, bit, header[at - 10:at + 10]), with_header(header), right
		print(tried(variants(), *CODE_A), "flips")
		assert all(3 in right for right in seen.values()) and len(seen) == 6, seen
	PY
END

test_expect_success 'what the world does to files: line ends, two in one, more behind, more in front; 4, and what is damaged is named' - <<'END'
	lab <<-'PY'
		from attacks import *
		for about, data in (("LF to CRLF", BASE.replace(b"\n", b"\r\n")), ("CR taken away", BASE.replace(b"\r", b"")), ("two files", BASE + BASE), ("a line feed behind", BASE + b"\n"), ("zeros behind", BASE + bytes(512)), ("a byte order mark", b"\xef\xbb\xbf" + BASE),
		                    ("zeros in front", bytes(512) + BASE), ("base64", base64.encodebytes(BASE)), ("the first half", BASE[:len(BASE) // 2]), ("the second half", BASE[len(BASE) // 2:]), ("a hole", BASE[:2000] + bytes(512) + BASE[2512:]), ("a web page", b"<!doctype html><title>504</title>\n"),
		                    ("Latin-1 made UTF-8", BASE.decode("latin-1").encode()), ("all zeros", bytes(len(BASE)))):
		    if data != BASE:
		        said = damaged(data, about)
		        assert len(said) > len("sgit-unpack: attack.sgvault: \n"), (about, said)
		hit = bytearray(BASE)
		hit[BASE.index(MEMBERS[2][1]) + 3] ^= 1
		assert MEMBERS[2][0].split("/")[-1] in damaged(bytes(hit), "a bit of an object")
	PY
END

test_expect_success '--salvage brings out every sound object, and nothing that is not' - <<'END'
	lab <<-'PY'
		from attacks import *
		half = entries(BASE)[len(MEMBERS) // 2][1] + 7
		hit = bytearray(BASE)
		hit[BASE.index(MEMBERS[1][1]) + 3] ^= 1
		header = bytearray(BASE)
		header[60] ^= 1
		directory, end = entries(BASE)[0][0], BASE.rindex(b"PK\5\6")
		lost = BASE[:directory] + bytes(end - directory) + BASE[end:]
		names = bytearray(BASE)
		names[BASE.index(MEMBERS[0][0].encode()) + 3] ^= 1
		for about, data in (("a bit of an object", bytes(hit)), ("the header", bytes(header)), ("no directory", lost), ("no end", BASE[:end]), ("the first half", BASE[:half]), ("more in front", b"x" * 100 + BASE), ("more behind", BASE + b"x" * 100), ("two files", BASE + BASE), ("no header", BASE[entries(BASE)[1][1]:]), ("a hole", BASE[:2000] + bytes(700) + BASE[2700:]),
		                    ("a name in a local header", bytes(names))):
		    open("attack.sgvault", "wb").write(data)
		    shutil.rmtree("unpacked", ignore_errors=True)
		    got, out, err, _ = tool("sgit-unpack", "--salvage", "attack.sgvault", "-d", "unpacked")
		    assert got == 4 and out == b"" and err.startswith("sgit-unpack: "), (about, got, err)
		    found = {os.path.relpath(os.path.join(folder, name), "unpacked"): content(os.path.join(folder, name)) for folder, _, files in os.walk("unpacked") for name in files}
		    local = lambda name, body: stored_zip([(name, body)])[:30 + len(name) + len(body)]
		    sound = {name: body for name, body in MEMBERS if OBJECT in name and local(name, body) in data}
		    assert about == "a name in a local header" or len(sound) >= len([m for m in MEMBERS if OBJECT in m[0]]) // 3, about
		    missing = [name for name in sound if found.get(name) != sound[name]]
		    assert not missing, (about, missing, err)
		    for name, body in found.items():
		        assert dict(MEMBERS).get(name) == body, (about, "not sound", name)
		for about, data in (("nothing", b""), ("noise", os.urandom(5000)), ("line ends", BASE.replace(b"\n", b"\r\n"))):
		    open("attack.sgvault", "wb").write(data)
		    shutil.rmtree("unpacked", ignore_errors=True)
		    got, out, err, _ = tool("sgit-unpack", "--salvage", "attack.sgvault", "-d", "unpacked")
		    assert got == 4 and out == b"" and err, (about, got, err)
		    for folder, _, files in os.walk("unpacked"):
		        for name in files:
		            assert dict(MEMBERS).get(os.path.relpath(os.path.join(folder, name), "unpacked")) == content(os.path.join(folder, name)), (about, name)
	PY
END

test_expect_success '--salvage follows no name out of its folder, makes no link, and fills no disk' - <<'END'
	lab <<-'PY'
		from attacks import *
		for name in (b"bare/../../x", b"/tmp/sgit-attack", b"bare/data/../../../x", b"../x", b"bare/data/x\0y", b"BARE/data/x"):
		    open("attack.sgvault", "wb").write(forged(sorted(MEMBERS + [(name, b"x")], key=lambda m: m[0] if isinstance(m[0], bytes) else m[0].encode())))
		    shutil.rmtree("unpacked", ignore_errors=True)
		    got, out, err, _ = tool("sgit-unpack", "--salvage", "attack.sgvault", "-d", "unpacked")
		    assert got == 4, (name, got, err)
		    assert not os.path.exists("x") and not os.path.exists("/tmp/sgit-attack") and not os.path.exists("unpacked/x") and os.listdir("unpacked") == ["bare"], name
		every = {number: {"packed": 0xfffffffe, "size": 0xfffffffe} for number in range(len(MEMBERS) + 1)}
		open("attack.sgvault", "wb").write(forged(local=every, central=every))
		shutil.rmtree("unpacked", ignore_errors=True)
		got, out, err, used = tool("sgit-unpack", "--salvage", "attack.sgvault", "-d", "unpacked")
		assert got == 4 and used < 120_000, (got, err, used)
	PY
END

# ---------------------------------------------------------------- the tables

test_expect_success 'every row of the tables is shown by a sentence of these tests or said in the manual' - <<'END'
	for page in "$REPOSITORY"/man/man?/*.?; do mandoc -T utf8 "$page" | sed 's/.\x08//g' | tr -s ' \n\t' ' ' >"text.$(basename "$page")" || return 1; done && lab <<-'PY'
		place = os.environ["PYTHONPATH"]
		with open(place + "/../../docs/vault-file.md", encoding="utf-8") as file:
		    section = file.read().split("\n## Threats\n")[1].split("\n## ")[0]
		rows = [line.split("|")[1].strip() for line in section.splitlines() if line.startswith("| ")]
		rows = [row for row in rows if row not in ("Threat", "Trick")]
		assert len(rows) == len(set(rows)) >= 23, f"only {len(rows)} rows"
		with open(place + "/threats.tsv", encoding="utf-8") as file:
		    table = [line.rstrip("\n").split("\t") for line in file if not line.startswith("#")]
		wrong = [line for line in table if len(line) != 3]
		wrong += [f"not in threats.tsv: {row}" for row in rows if row not in {line[0] for line in table}]
		wrong += [f"not in docs/vault-file.md: {line[0]}" for line in table if line[0] not in rows]
		for row, where, sentence in table:
		    if where.endswith(".sh"):
		        found = os.path.exists(f"{place}/{where}") and f"test_expect_success '{sentence}'" in open(f"{place}/{where}", encoding="utf-8").read()
		    else:
		        found = os.path.exists("text." + where) and sentence in open("text." + where, encoding="utf-8").read()
		    found or wrong.append(f"{where} does not say: {sentence}")
		assert not wrong, "\n".join(map(str, wrong))
	PY
END

test_done
