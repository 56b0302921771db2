#!/usr/bin/env python3
"""A second, independent reader and writer of the vault file and its locks, for the tests.

It follows docs/vault-file-format.md and shares no code with the tools. It is written to be read. It knows how to make
what the tools must refuse, so nothing here validates what it is told to write.

    sgvault.py self-check VECTORS.json              recomputes vault-file.json to the byte
    sgvault.py code HEX                             a recovery code in groups
    sgvault.py lock KIND KEYFILE SECRETFILE [NAME=JSON...]   a lock line; NAME: an argument of seal_lock
    sgvault.py open LOCKFILE SECRETFILE             the credential of a lock line
    sgvault.py pack ROOT KEYFILE OUT [NAME=JSON...] a vault file of ROOT/bare; NAME: a member of the header
    sgvault.py edit FILE OUT [--key KEYFILE] [--keep crc,inventory,mac,locks_mac] STATEMENT...
                                                    runs Python on `vault` (a VaultFile), `header` and `members`, and
                                                    makes right what is not kept; without a key both MACs are kept

A module as well: Tests/t is in PYTHONPATH. What lockslab.py and vaultlab.py have comes with it.
"""
import struct
from lockslab import *

# ---------------------------------------------------------------- the zip

HEADER = "sgvault.json"
BIG, MANY = 0xFFFFFFFF, 0xFFFF


def stored_zip(members, local=None, central=None, end=None):
    """The zip of [(name, data)]. `local` and `central`: {name or number: {field: value}} written in place of what is right;
    `end`: {field: value}, among them `comment`. A value a field cannot hold goes to ZIP64."""
    out, directory = bytearray(), bytearray()
    for number, (name, data) in enumerate(members):
        raw, size, offset = name.encode() if isinstance(name, str) else name, len(data), len(out)
        wide = [value for value in (size, size, offset) if value >= BIG]
        shared = dict(needed=45 if wide else 10, flags=0, method=0, time=0, date=0x21, crc=zlib.crc32(data), packed=size, size=size, name=raw)
        here = {**shared, "extra": struct.pack("<HHQQ", 1, 16, size, size) if size >= BIG else b"", **_changes(local, number, name)}
        out += struct.pack("<4sHHHHHIIIHH", b"PK\3\4", *_shared(here), len(here["name"]), len(here["extra"])) + here["name"] + here["extra"] + data
        extra = struct.pack(f"<HH{len(wide)}Q", 1, 8 * len(wide), *wide) if wide else b""
        there = {**shared, "made": 20, "extra": extra, "comment": b"", "disk": 0, "internal": 0, "external": 0, "offset": offset,
                 **_changes(central, number, name)}
        directory += struct.pack("<4sHHHHHHIIIHHHHHII", b"PK\1\2", there["made"], *_shared(there), len(there["name"]), len(there["extra"]),
                                 len(there["comment"]), there["disk"], there["internal"], there["external"], min(there["offset"], BIG))
        directory += there["name"] + there["extra"] + there["comment"]
    last = {**dict(disk=0, start_disk=0, here=len(members), total=len(members), size=len(directory), offset=len(out), comment=b""), **(end or {})}
    tail64 = b""
    if last["total"] >= MANY or last["size"] >= BIG or last["offset"] >= BIG:
        tail64 = struct.pack("<4sQHHIIQQQQ", b"PK\6\6", 44, 45, 45, 0, 0, last["here"], last["total"], last["size"], last["offset"])
        tail64 += struct.pack("<4sIQI", b"PK\6\7", 0, len(out) + len(directory), 1)
    final = struct.pack("<4sHHHHIIH", b"PK\5\6", last["disk"], last["start_disk"], min(last["here"], MANY), min(last["total"], MANY),
                        min(last["size"], BIG), min(last["offset"], BIG), len(last["comment"])) + last["comment"]
    return bytes(out + directory) + tail64 + final


def _changes(table, number, name):
    return {**(table or {}).get(name, {}), **(table or {}).get(number, {})}


def _shared(f):
    return f["needed"], f["flags"], f["method"], f["time"], f["date"], f["crc"], min(f["packed"], BIG), min(f["size"], BIG)


def read_zip(data):
    """[(name, data, crc as stored)] of a zip written like ours, from its directory; nothing is checked."""
    end = data.rindex(b"PK\5\6")
    total, _, at = struct.unpack_from("<HII", data, end + 10)
    if total == MANY and data[end - 20:end - 16] == b"PK\6\7":
        record = struct.unpack_from("<Q", data, end - 12)[0]
        total, _, at = struct.unpack_from("<QQQ", data, record + 32)
    found = []
    for _ in range(total):
        crc, _, size, name_size, extra, comment = struct.unpack_from("<IIIHHH", data, at + 16)
        offset, name = struct.unpack_from("<I", data, at + 42)[0], data[at + 46:at + 46 + name_size].decode()
        begin = offset + 30 + sum(struct.unpack_from("<HH", data, offset + 26))
        found.append((name, data[begin:begin + size], crc))
        at += 46 + name_size + extra + comment
    return found


# ---------------------------------------------------------------- the vault file

class VaultFile:
    """A vault file as a header and {name: bytes}; what is set beside them is written as it stands.

    header_bytes: in place of C(header); order: the names in another order or more than once; local, central, end: see stored_zip."""

    def __init__(self, header, members):
        self.header, self.members = header, dict(members)
        self.header_bytes = self.order = None
        self.local, self.central, self.end = {}, {}, {}

    @classmethod
    def read(cls, path, keep_crc=False):
        with open(path, "rb") as file:
            found = read_zip(file.read())
        vault = cls(json.loads(found[0][1]), [(name, data) for name, data, _ in found[1:]])
        if keep_crc:
            vault.local = {name: {"crc": crc} for name, _, crc in found}
            vault.central = {name: {"crc": crc} for name, _, crc in found}
        return vault

    @classmethod
    def pack(cls, root, keys, **header):
        """What sgit-pack writes of root/bare, but for the order of locks, which is as given."""
        store = Store(root, keys.read, keys.vault_id)
        members = {"bare/" + path: store.stored(os.path.basename(path)) for path in store.files() if NAME.fullmatch(os.path.basename(path))}
        heads = {name: store.document(name).get("commit_id") or "" for name in map(os.path.basename, members) if name.startswith("ref-")}
        vault = cls({"format": "sgvault", "heads": heads, "locks": [], "removed_locks": [], "requires": [], "serial": 1,
                     "vault_id": keys.vault_id, "version": 1, "written_at": "2026-11-30T12:00:00Z", "written_by": "sgvault.py", **header}, members)
        return vault.made_right(keys)

    def inventory(self):
        return "".join(f"{hashlib.sha256(self.members[name]).hexdigest()}  {name}\n" for name in sorted(self.members))

    def made_right(self, keys=None, keep=()):
        """Inventory and MACs made anew, but those in `keep`, and those that `keys` cannot make."""
        if "inventory" not in keep:
            self.header["members"] = {"bytes": sum(map(len, self.members.values())), "count": len(self.members),
                                      "sha256": hashlib.sha256(self.inventory().encode()).hexdigest()}
        if keys and keys.write and "locks_mac" not in keep:
            self.header["locks_mac"] = keys.locks_mac(self.header)
        if keys and "mac" not in keep:
            self.header["mac"] = keys.mac(self.header)
        return self

    def to_bytes(self):
        first = canonical(self.header) if self.header_bytes is None else self.header_bytes
        names = sorted(self.members) if self.order is None else self.order
        return stored_zip([(HEADER, first)] + [(name, self.members[name]) for name in names], self.local, self.central, self.end)

    def write(self, path):
        with open(path, "wb") as file:
            file.write(self.to_bytes())


def edit(path, out, statements, keys=None, keep=()):
    vault = VaultFile.read(path, "crc" in keep)
    names = {**globals(), "vault": vault, "header": vault.header, "members": vault.members}
    for statement in statements:
        exec(statement, names)
    vault.made_right(keys, keep).write(out)


# ---------------------------------------------------------------- the tools, run

def run(tool, *arguments, stdin=b"", secret=None, key=None, **more):
    """(status, stdout, stderr) of a tool. `secret` and `key` come to it on descriptors of their own."""
    options, descriptors = [], []
    for option, value in (("--secret-fd", secret), ("--key-fd", key)):
        if value is not None:
            descriptors.append(os.memfd_create(option, 0))
            os.pwrite(descriptors[-1], value.encode() if isinstance(value, str) else value, 0)
            options += [option, str(descriptors[-1])]
    done = subprocess.run([tool, *options, *arguments], input=stdin, capture_output=True, pass_fds=descriptors, **more)
    for descriptor in descriptors:
        os.close(descriptor)
    assert done.returncode >= 0, f"{tool} was ended by signal {-done.returncode}: {done.stderr}"
    return done.returncode, done.stdout, done.stderr.decode()


# ---------------------------------------------------------------- as a command

def self_check(path):
    """Every value of vault-file.json, made again from the secrets and the random bytes it names."""
    with open(path, encoding="utf-8") as file:
        facts = json.load(file)

    def same(want, got, what):
        assert want == got, f"{what}:\nexpected {want}\n     got {got}"
    keys = Keys("sgit_private_vault_" + facts["credential"])
    for name, value in (("read_key", keys.read), ("write_key", keys.write), ("header_mac_key", keys.mac_key),
                        ("owner_mac_key", keys.owner_key), ("fingerprint", keys.fingerprint)):
        same(facts[name], value.hex(), name)
    for row in facts["recovery_codes"]:
        same(row["code"], code_of(bytes.fromhex(row["secret"])), "a recovery code")
        same(row["secret"], secret_of(row["code"]).hex(), "a recovery code read")
    recipient = int.from_bytes(hashlib.sha256(b"sgvault vector recipient").digest(), "big")
    public = base64.encodebytes(SPKI + point_bytes(multiply(recipient))).decode()
    locks = {}
    for row in facts["locks"]:
        lock, params, what = row["lock"], row["lock"]["params"], f"lock {row['name']}"
        kdf = {k: v for k, v in params.items() if k not in ("salt", "epk", "recipient")} or None
        typed = bytes.fromhex(row.get("typed_utf8") or row.get("nfc_utf8") or "").decode()
        secret = {"passphrase": typed, "p256": public}.get(lock["kind"]) or bytes.fromhex(row["secret"])
        made = seal_lock(lock["kind"], secret, keys.credential(lock["grants"]), keys.vault_id, grants=lock["grants"], id=lock["id"],
                         label=lock["label"], salt=params["salt"], kdf=kdf, nonce=lock["sealed"][:24], created_at=lock["created_at"],
                         ephemeral=int.from_bytes(hashlib.sha256(b"sgvault vector ephemeral").digest(), "big"))
        same(lock, made, what)
        same(row["aad"], lock_aad(lock, keys.vault_id).decode(), what + ", aad")
        if lock["kind"] == "passphrase":
            same(row["nfc_utf8"], composed(typed).hex(), what + ", NFC")
            secret = slow(params, typed)
            same(row["kdf_output"], secret.hex(), what + ", KDF")
        if lock["kind"] == "p256":
            same(recipient, scalar_of(row["recipient_private_pem"]), what + ", recipient")
            secret = multiply(recipient, point_of(bytes.fromhex(params["epk"])))[0].to_bytes(32, "big")
            same(row["shared_x"], secret.hex(), what + ", shared x")
        same(row["wrap_key"], wrap_key(lock["kind"], secret, params).hex(), what + ", wrap key")
        opener = row["recipient_private_pem"] if lock["kind"] == "p256" else typed if lock["kind"] == "passphrase" else secret
        same(keys.credential(lock["grants"]), unseal(lock, keys.vault_id, opener), what + ", opened")
        locks[row["name"]] = made
    same(facts["lock_lines"], [lock_line(locks["A"], keys.vault_id).decode()], "a lock line")
    whole = facts["file"]
    vault = VaultFile({"format": "sgvault", "heads": json.loads(whole["header"])["heads"], "locks": [locks["A"], locks["B1"]], "removed_locks": [],
                       "requires": [], "serial": 7, "vault_id": keys.vault_id, "version": 1, "written_at": "2026-11-30T12:00:00Z",
                       "written_by": "example 1.0"}, {name: text.encode() for name, text in whole["members"].items()}).made_right(keys)
    same(whole["inventory"], vault.inventory(), "inventory")
    same(whole["header"], canonical(vault.header).decode(), "header")
    same(base64.b64decode(whole["zip_base64"]), vault.to_bytes(), "zip")
    same((whole["zip_bytes"], whole["zip_sha256"]), (len(vault.to_bytes()), hashlib.sha256(vault.to_bytes()).hexdigest()), "zip hash")
    for number in (int(n) for n in facts["zip64"] if n.isdigit()):
        many = [(HEADER, canonical(vault.header))] + [(f"bare/data/{OBJECT}{n:012x}", b"\1") for n in range(number - 1)]
        same(facts["zip64"][str(number)], hashlib.sha256(stored_zip(many)).hexdigest(), f"zip of {number}")
    vault.header.update(heads={**vault.header["heads"], "ref-pid-snw-000000000000": ""}, removed_locks=["0000000000000001", "ffffffffffffffff"], x_future={"kept": True, "n": None})
    same(facts["header_with_removed_locks"], canonical(vault.made_right(keys).header).decode(), "header with removed locks")
    print(f"{len(locks)} locks, {len(facts['recovery_codes'])} codes, the headers and the zips as {os.path.basename(path)} says")


def named(arguments):
    """{name: value} of NAME=JSON arguments; what is no JSON is a string."""
    def value(text):
        try:
            return json.loads(text)
        except ValueError:
            return text
    return {name: value(text) for name, _, text in (argument.partition("=") for argument in arguments)}


def content(path):
    with open(path, "rb") as file:
        return file.read()


def main(command, *arguments):
    out = sys.stdout.buffer
    if command == "self-check":
        self_check(*arguments)
    elif command == "code":
        print(code_of(bytes.fromhex(arguments[0])))
    elif command == "lock":
        kind, key, secret = arguments[:3]
        keys, more = Keys.of_file(key), named(arguments[3:])
        grants = more.setdefault("grants", keys.kind)
        out.write(lock_line(seal_lock(kind, secret_in(kind, content(secret)), keys.credential(grants), keys.vault_id, **more), keys.vault_id))
    elif command == "open":
        line = read_canonical(content(arguments[0]))
        credential = unseal(line["lock"], line["vault_id"], secret_in(line["lock"]["kind"], content(arguments[1])))
        print(credential if credential is not None else sys.exit("the secret does not fit"))
    elif command == "pack":
        root, key, path = arguments[:3]
        VaultFile.pack(root, Keys.of_file(key), **named(arguments[3:])).write(path)
    elif command == "edit":
        (path, to), rest, options = arguments[:2], list(arguments[2:]), {"--key": None, "--keep": ""}
        while rest and rest[0] in options:
            options[rest[0]], rest = rest[1], rest[2:]
        edit(path, to, rest, options["--key"] and Keys.of_file(options["--key"]), options["--keep"].split(","))
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(*(sys.argv[1:] or [""]))
