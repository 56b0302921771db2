#!/usr/bin/env python3
"""A second, independent reader and writer of the vault format, for the tests.

It follows docs/vault-format.md and nothing else: it shares no code with the tools and was
checked against stores that the Python sgit wrote. It is written to be read. It knows how to
make what the tools must refuse, so nothing here validates what it is told to write.

    python3 vaultlab.py --self-test FIXTURE...     decodes whole fixtures and compares vault.json

Only the standard library and libcrypto are needed; libcrypto is reached through ctypes.
"""
import base64
import ctypes
import hashlib
import hmac
import json
import os
import re
import sys
import zlib

MAGIC = b"\0sgz1"
OBJECT = "obj-cas-imm-"
ROUNDS = 600_000

# ---------------------------------------------------------------- primitives

_crypto = ctypes.CDLL("libcrypto.so.3")
for _name in ("EVP_CIPHER_CTX_new", "EVP_aes_256_gcm", "EVP_MD_CTX_new", "EVP_sha256", "BIO_new", "BIO_s_mem",
              "BIO_new_mem_buf", "PEM_read_bio_PrivateKey", "PEM_read_bio_PUBKEY", "EVP_PKEY_Q_keygen"):
    getattr(_crypto, _name).restype = ctypes.c_void_p
_SET_IV_LENGTH, _GET_TAG, _SET_TAG = 0x9, 0x10, 0x11


class AES256GCM:
    """AES-256-GCM with a 96-bit nonce, a 128-bit tag and no associated data."""

    def __init__(self, key):
        self.sealing, self.opening = (ctypes.c_void_p(_crypto.EVP_CIPHER_CTX_new()) for _ in range(2))
        cipher = ctypes.c_void_p(_crypto.EVP_aes_256_gcm())
        _crypto.EVP_EncryptInit_ex(self.sealing, cipher, None, key, None)
        _crypto.EVP_DecryptInit_ex(self.opening, cipher, None, key, None)

    def seal(self, nonce, plaintext):
        out, tag, n = ctypes.create_string_buffer(len(plaintext) + 16), ctypes.create_string_buffer(16), ctypes.c_int()
        _crypto.EVP_EncryptInit_ex(self.sealing, None, None, None, nonce)
        _crypto.EVP_EncryptUpdate(self.sealing, out, ctypes.byref(n), plaintext, len(plaintext))
        _crypto.EVP_EncryptFinal_ex(self.sealing, tag, ctypes.byref(n))
        _crypto.EVP_CIPHER_CTX_ctrl(self.sealing, _GET_TAG, 16, tag)
        return out.raw[:len(plaintext)] + tag.raw

    def open(self, nonce, sealed):
        """The plaintext, or None where the tag does not verify."""
        if len(sealed) < 16:
            return None
        body, tag = sealed[:-16], sealed[-16:]
        out, n = ctypes.create_string_buffer(len(body) + 16), ctypes.c_int()
        _crypto.EVP_DecryptInit_ex(self.opening, None, None, None, nonce)
        _crypto.EVP_DecryptUpdate(self.opening, out, ctypes.byref(n), body, len(body))
        _crypto.EVP_CIPHER_CTX_ctrl(self.opening, _SET_TAG, 16, ctypes.create_string_buffer(tag, 16))
        end = ctypes.create_string_buffer(16)
        if _crypto.EVP_DecryptFinal_ex(self.opening, end, ctypes.byref(n)) != 1:
            return None
        return out.raw[:len(body)]


def _bio_text(write, pkey, *more):
    bio = ctypes.c_void_p(_crypto.BIO_new(ctypes.c_void_p(_crypto.BIO_s_mem())))
    write(bio, pkey, *more)
    buffer = ctypes.create_string_buffer(4096)
    size = _crypto.BIO_read(bio, buffer, 4096)
    return buffer.raw[:size].decode()


class SigningKey:
    """A P-256 key pair; signatures are raw r || s, 32 bytes each."""

    def __init__(self, key_id, curve=b"P-256", pem=None):
        self.key_id = key_id
        if pem:
            self.pkey = ctypes.c_void_p(_crypto.PEM_read_bio_PrivateKey(_bio(pem), None, None, None))
        else:
            self.pkey = ctypes.c_void_p(_crypto.EVP_PKEY_Q_keygen(None, None, ctypes.c_char_p(b"EC"), ctypes.c_char_p(curve)))

    def public_pem(self):
        return _bio_text(_crypto.PEM_write_bio_PUBKEY, self.pkey)

    def private_pem(self):
        return _bio_text(_crypto.PEM_write_bio_PrivateKey, self.pkey, None, None, 0, None, None)

    def sign_der(self, message):
        context, size = ctypes.c_void_p(_crypto.EVP_MD_CTX_new()), ctypes.c_size_t(256)
        out = ctypes.create_string_buffer(256)
        sha256 = ctypes.c_void_p(_crypto.EVP_sha256())
        _crypto.EVP_DigestSignInit(context, None, sha256, None, self.pkey)
        assert _crypto.EVP_DigestSign(context, out, ctypes.byref(size), message, ctypes.c_size_t(len(message))) == 1
        return out.raw[:size.value]

    def sign(self, message):
        return der_to_raw(self.sign_der(message))


ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551  # of P-256, SEC 2


def _bio(pem):
    data = pem.encode()
    _kept.append(data)
    return ctypes.c_void_p(_crypto.BIO_new_mem_buf(data, len(data)))


_kept = []  # BIO_new_mem_buf does not copy


def der_to_raw(der):
    """SEQUENCE { INTEGER r, INTEGER s } as two 32-byte numbers."""
    at, numbers = 2, []
    for _ in range(2):
        length = der[at + 1]
        numbers.append(int.from_bytes(der[at + 2:at + 2 + length], "big"))
        at += 2 + length
    return numbers[0].to_bytes(32, "big") + numbers[1].to_bytes(32, "big")


def raw_to_der(raw):
    def integer(b):
        b = b.lstrip(b"\0") or b"\0"
        b = b"\0" + b if b[0] & 0x80 else b
        return b"\x02" + bytes([len(b)]) + b
    body = integer(raw[:32]) + integer(raw[32:])
    return b"\x30" + bytes([len(body)]) + body


def verifies(public_pem, message, raw):
    pkey = _crypto.PEM_read_bio_PUBKEY(_bio(public_pem), None, None, None)
    if not pkey or len(raw) != 64:
        return False
    der, context = raw_to_der(raw), ctypes.c_void_p(_crypto.EVP_MD_CTX_new())
    _crypto.EVP_DigestVerifyInit(context, None, ctypes.c_void_p(_crypto.EVP_sha256()), None, ctypes.c_void_p(pkey))
    return _crypto.EVP_DigestVerify(context, der, ctypes.c_size_t(len(der)), message, ctypes.c_size_t(len(message))) == 1


# ---------------------------------------------------------------- keys and derived names

PREFIXES = {"sgit_private_vault_": "vault", "sgit_private_read_": "read", "sgit_public_read_": "read",
            "sgit_vk1_": "vault", "sgit_rk1_": "read"}


def parse_key(text):
    """("read", key bytes, id) or ("vault", passphrase, id); None where the string is no key."""
    text, declared = text.strip(), None
    for prefix, kind in PREFIXES.items():
        if text.startswith(prefix):
            text, declared = text[len(prefix):], kind
            break
    head, _, tail = text.partition(":")
    routed_to_read = re.fullmatch("[0-9a-f]{64}", head) and re.fullmatch("[A-Za-z0-9_-]+", tail)
    if declared != "vault" and routed_to_read:
        return ("read", bytes.fromhex(head), tail) if re.fullmatch("[a-z0-9]{4,24}", tail) else None
    if declared == "read":
        return None
    passphrase, _, vault_id = text.rpartition(":")
    if passphrase and re.fullmatch("[a-z0-9]{4,24}", vault_id):
        return "vault", passphrase, vault_id
    return None


def stretch(passphrase, vault_id, purpose=""):
    return hashlib.pbkdf2_hmac("sha256", passphrase.encode(), f"sg-vault-v1:{purpose}{vault_id}".encode(), ROUNDS)


def tail(read_key, domain):
    return hmac.digest(read_key, f"sg-vault-v1:file-id:{domain}".encode(), "sha256").hex()[:12]


def structure_key(read_key):
    extracted = hmac.digest(bytes(32), read_key, "sha256")
    return hmac.digest(extracted, b"sg-vault-v1:structure-key\x01", "sha256")


# ---------------------------------------------------------------- documents

def stored_json(document):
    return json.dumps(document).encode()  # ", " and ": ", non-ASCII escaped: the reference's own form


def canonical_json(document):
    return json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


COMMIT_DEFAULTS = {"schema": "commit_v1", "tree_id": None, "message_enc": None, "branch_id": "", "signature": None,
                   "author_key_id": None, "author_signature": None, "parents": [], "timestamp_ms": 0, "attestations": []}
TAG_DEFAULTS = {"schema": "tag_v1", "name": "", "commit_id": "", "message": "", "tagger_branch": "",
                "tagger_key_id": None, "signature": None, "timestamp_ms": 0}


def signed_bytes(document, defaults=None, legacy=False):
    defaults = defaults or COMMIT_DEFAULTS
    known = {name: document.get(name, default) for name, default in defaults.items()}
    if legacy:
        known["signature"] = None
        return stored_json(known)
    del known["signature"]
    return canonical_json(known)


def quote(path):
    """git's core.quotePath=true."""
    raw, out = (path.encode() if isinstance(path, str) else path), ""
    named = {7: "a", 8: "b", 9: "t", 10: "n", 11: "v", 12: "f", 13: "r", 34: '"', 92: "\\"}
    for byte in raw:
        if byte in named:
            out += "\\" + named[byte]
        elif byte < 0x20 or byte >= 0x7F:
            out += f"\\{byte:03o}"
        else:
            out += chr(byte)
    return f'"{out}"' if out != raw.decode("latin-1") else out


def media_type(name):
    """What the table of the vectors says of a name: the last extension, or the one before a suffix of compression."""
    with open(os.path.join(os.environ["VECTORS"], "crypto.json"), encoding="utf-8") as file:
        vectors = json.load(file)
    base, extension = os.path.splitext(name)
    if extension in vectors["content_type_suffixes"]:
        base, extension = os.path.splitext(base + vectors["content_type_suffixes"][extension])
    if extension in vectors["content_encodings"]:
        extension = os.path.splitext(base)[1]
    table = vectors["content_type_table"]
    return table.get(extension) or table.get(extension.lower()) or "application/octet-stream"


NAME = re.compile("obj-cas-imm-([0-9a-f]{12}|[0-9a-f]{32})|ref-pid-(muw|snw)-[0-9a-f]{12}|idx-pid-muw-[0-9a-f]{12}|key-rnd-imm-[0-9a-f]{8,64}")


def object_id(envelope, width=12):
    return OBJECT + hashlib.sha256(envelope).hexdigest()[:width]


class Absent(Exception):
    pass


class Broken(Exception):
    pass


class Store:
    """One bare store under `root`/bare. `width` is the number of hex digits of the ids it writes."""

    def __init__(self, root, read_key=None, vault_id="lab00001", width=32):
        self.bare = os.path.join(root, "bare")
        self.width, self.vault_id = width, vault_id
        self.read_key = read_key or hashlib.sha256(root.encode()).digest()  # no PBKDF2: the tests have little time
        self.aead = AES256GCM(self.read_key)
        self.main_ref = "ref-pid-muw-" + tail(self.read_key, f"ref:{vault_id}")
        self.local_ref = "ref-pid-snw-" + tail(self.read_key, f"branch-ref:{vault_id}:local")
        self.index_id = "idx-pid-muw-" + tail(self.read_key, f"branch-index:{vault_id}")
        self.branches, self.tags = [], []
        self.deflates_documents = False  # no writer does, every reader must take it
        for folder in ("data", "refs", "indexes", "keys"):
            os.makedirs(os.path.join(self.bare, folder), exist_ok=True)

    @classmethod
    def of_fixture(cls, root):
        with open(os.path.join(root, "vault.json"), encoding="utf-8") as file:
            facts = json.load(file)
        return cls(root, bytes.fromhex(facts["read_key"]), facts["vault_id"], 32 if facts["format"] == 2 else 12), facts

    @classmethod
    def at(cls, root, key_file, width=12):
        """A store that somebody else writes, under the read key of a file."""
        with open(key_file, encoding="utf-8") as file:
            _, read_key, vault_id = parse_key(file.read())
        return cls(root, read_key, vault_id, width)

    def path(self, name):
        kind = name.split("-")[0]
        return os.path.join(self.bare, {"obj": "data", "ref": "refs", "idx": "indexes", "key": "keys"}[kind], name)

    def key_line(self):
        return f"sgit_private_read_{self.read_key.hex()}:{self.vault_id}\n"

    def write_key_file(self, path):
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            file.write(self.key_line())

    # envelopes ---------------------------------------------------------------

    def seal(self, plaintext, nonce=None):
        nonce = nonce or os.urandom(12)
        return nonce + self.aead.seal(nonce, plaintext)

    def seal_same(self, plaintext):
        """The deterministic form: trees and the fields of their entries."""
        return self.seal(plaintext, hmac.digest(self.read_key, plaintext, "sha256")[:12])

    def seal_deflated(self, plaintext, stream=None):
        return MAGIC + self.seal(zlib.compress(plaintext, 6) if stream is None else stream)

    def seal_document(self, plaintext):
        return self.seal_deflated(plaintext) if self.deflates_documents else self.seal(plaintext)

    def open(self, envelope):
        if envelope[:5] == MAGIC and len(envelope) > 17:
            inner = self.aead.open(envelope[5:17], envelope[17:])
            if inner is not None:
                return zlib.decompressobj().decompress(inner)
        plaintext = self.aead.open(envelope[:12], envelope[12:])
        if plaintext is None:
            raise Broken("the seal does not fit")
        return plaintext

    # files -------------------------------------------------------------------

    def write(self, name, envelope):
        with open(self.path(name), "wb") as file:
            file.write(envelope)
        return name

    def stored(self, name):
        try:
            with open(self.path(name), "rb") as file:
                return file.read()
        except FileNotFoundError:
            raise Absent(name) from None

    def put(self, envelope, width=None):
        return self.write(object_id(envelope, width or self.width), envelope)

    def read(self, name):
        envelope = self.stored(name)
        if name.startswith(OBJECT) and object_id(envelope, len(name) - len(OBJECT)) != name:
            raise Broken(name)
        return self.open(envelope)

    def document(self, name):
        return json.loads(self.read(name))

    # objects -----------------------------------------------------------------

    def field(self, text):
        return base64.b64encode(self.seal_same(text.encode() if isinstance(text, str) else text)).decode()

    def opened_field(self, text):
        return self.open(base64.b64decode(text)).decode() if text else ""

    def blob(self, data, deflate=False, width=None):
        data = data.encode() if isinstance(data, str) else data
        return self.put(self.seal_deflated(data) if deflate else self.seal(data), width)

    def file(self, name, data, media_type="text/plain", deflate=False, width=None, **members):
        """A tree entry for a file, whose blob is written."""
        data = data.encode() if isinstance(data, str) else data
        entry = {"blob_id": self.blob(data, deflate, width), "tree_id": None, "name_enc": self.field(name),
                 "size_enc": self.field(str(len(data))), "content_hash_enc": self.field(hashlib.sha256(data).hexdigest()[:12]),
                 "content_type_enc": self.field(media_type), "large": False}
        return {**entry, **members}

    def folder(self, name, tree, **members):
        entry = {"blob_id": None, "tree_id": tree, "name_enc": self.field(name), "size_enc": None,
                 "content_hash_enc": None, "content_type_enc": None, "large": False}
        return {**entry, **members}

    def tree(self, entries=(), width=None):
        plaintext = stored_json({"schema": "tree_v1", "entries": list(entries)})
        return self.put(self.seal_deflated(plaintext) if self.deflates_documents else self.seal_same(plaintext), width)

    def tree_of(self, files):
        """A tree from {"path/with/folders": bytes}: nested, files first, sorted by byte."""
        here, below = {}, {}
        for path, data in files.items():
            first, _, rest = path.partition("/")
            if rest:
                below.setdefault(first, {})[rest] = data
            else:
                here[first] = data
        entries = [self.file(name, here[name]) for name in sorted(here, key=str.encode)]
        entries += [self.folder(name, self.tree_of(below[name])) for name in sorted(below, key=str.encode)]
        return self.tree(entries)

    def commit_document(self, tree, parents=(), message="", signer=None, branch="branch-clone-00000000000000cc",
                        time=1_700_000_000_123, legacy=False, **members):
        document = dict(COMMIT_DEFAULTS, tree_id=tree, parents=list(parents), branch_id=branch, timestamp_ms=time)
        if message:
            document["message_enc"] = base64.b64encode(self.seal(message.encode())).decode()
        if signer and not legacy:
            document["author_key_id"] = signer.key_id
        document.update(members)
        if signer:
            signature = signer.sign(signed_bytes(document, legacy=legacy))
            document["signature"] = base64.b64encode(signature).decode()
        return document

    def commit(self, tree, parents=(), message="", **how):
        return self.put(self.seal_document(stored_json(self.commit_document(tree, parents, message, **how))))

    def put_json(self, document, width=None):
        return self.put(self.seal_document(stored_json(document)), width)

    def tag(self, name, commit, signer, message="", indexed_name=None, time=1_700_000_000_500, deleted=False, **members):
        """A tag object and its index entry. Members given here change the object after it was signed."""
        document = dict(TAG_DEFAULTS, name=name, commit_id=commit, message=message, timestamp_ms=time,
                        tagger_branch="branch-clone-00000000000000cc", tagger_key_id=signer.key_id)
        document["signature"] = base64.b64encode(signer.sign(signed_bytes(document, TAG_DEFAULTS))).decode()
        document.update(members)
        tag_id = self.put_json(document)
        self.tags.append({"name": indexed_name or name, "tag_id": tag_id, "deleted": deleted, "timestamp_ms": time})
        return tag_id

    # refs, index, keys -------------------------------------------------------

    def ref(self, ref_id, commit):
        return self.write(ref_id, self.seal_document(stored_json({"commit_id": commit})))

    def public_key(self, signer):
        return self.write(signer.key_id, self.seal_document(stored_json({"type": "public", "pem": signer.public_pem()})))

    def signer(self, number=1):
        """A new signing key whose public half is in the store."""
        key = SigningKey(f"key-rnd-imm-{number:016x}")
        self.public_key(key)
        return key

    def branch(self, name, commit, ref_id=None, kind="named", key_id=None, creator=None, **members):
        number = len(self.branches) + 1
        ref_id = ref_id or (self.main_ref if name == "current" else f"ref-pid-muw-{number:012x}")
        entry = {"branch_id": f"branch-{kind}-{number:016x}", "name": name, "branch_type": kind, "head_ref_id": ref_id,
                 "public_key_id": key_id, "private_key_id": None, "created_at": 1_700_000_000_000 + number,
                 "creator_branch": creator, "display_name": None}
        self.branches.append({**entry, **members})
        if commit is not None:
            self.ref(ref_id, commit)
        return self.branches[-1]

    def index(self, document=None, **members):
        """Writes the branch index: what was collected, or exactly `document`."""
        if document is None:
            document = {"schema": "branch_index_v1", "format": 2 if self.width == 32 else None, "min_client": None,
                        "branches": self.branches, "features": ["ids-128"] if self.width == 32 else [], "tags": self.tags}
            document.update(members)
        raw = document if isinstance(document, bytes) else stored_json(document)
        return self.write(self.index_id, self.seal_document(raw))

    # reading -----------------------------------------------------------------

    def head(self, ref_id):
        """The commit a ref holds; None for a branch with no commits, which may have no ref file at all."""
        try:
            return self.document(ref_id).get("commit_id") or None
        except Absent:
            return None

    def entries(self, tree):
        for entry in self.document(tree)["entries"]:
            yield (entry, self.opened_field(entry["name_enc"]))

    def walk(self, tree, under=""):
        """(path, kind, entry) of everything below a tree, in the order `ls-tree -r -t` prints."""
        for entry, name in self.entries(tree):
            path = f"{under}{name}"
            if entry["blob_id"]:
                yield path, "blob", entry
            else:
                yield path, "tree", entry
                yield from self.walk(entry["tree_id"], path + "/")

    def files(self):
        """Everything below `bare` but the folders."""
        return sorted(os.path.relpath(os.path.join(folder, name), self.bare)
                      for folder, _, names in os.walk(self.bare) for name in names)

    def strangers(self):
        """The files below `bare` that no store has: what a tool has left behind."""
        return [path for path in self.files() if not NAME.fullmatch(os.path.basename(path))]

    def check(self):
        """Every file is what its name says and opens, and every ref names a commit that is there. {ref: commit}"""
        heads = {}
        for name in filter(NAME.fullmatch, map(os.path.basename, self.files())):
            plaintext = self.read(name)
            if name.startswith("ref-"):
                heads[name] = json.loads(plaintext).get("commit_id") or None
                assert heads[name] is None or "tree_id" in self.document(heads[name]), f"{name} names no commit"
        return heads

    def verdict(self, commit):
        try:
            document = self.document(commit)
        except Absent:
            return "missing"
        if not document.get("signature"):
            return "unsigned"
        key_id = document.get("author_key_id")
        if not key_id:
            listed = [b for b in self.document(self.index_id)["branches"] if b["branch_id"] == document.get("branch_id")]
            key_id = listed[0]["public_key_id"] if listed else None
        try:
            pem = self.document(key_id)["pem"]
        except (Absent, TypeError, AttributeError):
            return "no-key"
        raw = base64.b64decode(document["signature"])
        forms = [signed_bytes(document)]
        if not document.get("author_key_id"):
            forms.append(signed_bytes(document, legacy=True))
        return "verified" if any(verifies(pem, form, raw) for form in forms) else "bad"


def flip(path, position, bit=1):
    """Changes one bit of a file in place."""
    with open(path, "r+b") as file:
        file.seek(position)
        byte = file.read(1)[0]
        file.seek(position)
        file.write(bytes([byte ^ bit]))


def self_test(root):
    """Decodes a fixture with the code above and compares every fact of its vault.json."""
    store, facts = Store.of_fixture(root)
    assert structure_key(store.read_key).hex() == facts["structure_key"]
    assert store.main_ref == facts["ref_file_id"] and store.index_id == facts["branch_index_file_id"]
    if "passphrase" in facts:
        assert stretch(facts["passphrase"], facts["vault_id"]).hex() == facts["read_key"]
    for branch in facts["branches"]:
        assert store.head(branch["head_ref_id"]) == branch["head"], branch
    for commit in facts["commits"]:
        document = store.document(commit["id"])
        assert document["tree_id"] == commit["tree_id"] and document.get("parents", []) == commit["parents"]
        assert store.opened_field(document["message_enc"]) == commit["message"]
        assert store.verdict(commit["id"]) == commit["signature_status"], commit["id"]
        found = list(store.walk(commit["tree_id"]))
        assert {p: e["blob_id"] for p, k, e in found if k == "blob"} == commit["files"]
        assert {p: e["tree_id"] for p, k, e in found if k == "tree"} == {p: t for p, t in commit["trees"].items() if p}
    for file in facts["files"]:
        assert hashlib.sha256(store.read(file["blob_id"])).hexdigest() == file["sha256"]
    rebuilt = [store.document(commit["tree_id"])["entries"] for commit in facts["commits"]]
    for commit, entries in zip(facts["commits"], rebuilt):
        width = len(commit["tree_id"]) - len(OBJECT)
        assert object_id(store.seal_same(stored_json({"schema": "tree_v1", "entries": entries})), width) == commit["tree_id"]
    print(f"{facts['fixture']}: {len(facts['commits'])} commits, {len(facts['files'])} files as vault.json says")


if __name__ == "__main__":
    if len(sys.argv) < 3 or sys.argv[1] != "--self-test":
        sys.exit(__doc__)
    for fixture in sys.argv[2:]:
        self_test(fixture)
