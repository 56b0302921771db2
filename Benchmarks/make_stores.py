"""Makes the stores that `run` measures on: an independent writer of docs/vault-format.md.

    python make_stores.py FOLDER NAME…

NAME is small, batch, big, large, objects-COUNT, history-COUNT or files-COUNT. Each but the last becomes FOLDER/NAME:

    bare/…        the vault, as sgit would have written it: signed commits, 32-hex ids
    facts.json    what a right answer about it is
    git/…         for small and history-COUNT: a git repository of the same shape
    sgit/…        for history-COUNT: a read-only working copy of the vault

FOLDER/files-COUNT/files holds that many plain files, in folders of a hundred if there are more than
1,000: what the rows that write begin with. FOLDER/keys holds the one vault key and read key of them
all. It shares no code with the tools, so that a wrong idea of the format shows as a wrong answer
here. Needs the package `cryptography`.
"""

import base64
import hashlib
import hmac
import json
import os
import random
import shutil
import subprocess
import sys

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

PASSPHRASE = "twenty-four-benchmark-01"
VAULT_ID = "bench001"
ROUNDS = 600_000
EPOCH_MS = 1_700_000_000_000
MINUTE_MS = 60_000

SMALL_TEXT = b"The quick brown fox jumps over the lazy dog.\n"
BATCH_COUNT = 20_000
BATCH_FOLDER = 100
BIG_SIZE = 1 << 30
BIG_STEP = 1 << 20
LARGE_COUNT, LARGE_SIZE = 400, 250_000


def derive_read_key():
    salt = f"sg-vault-v1:{VAULT_ID}".encode()
    return hashlib.pbkdf2_hmac("sha256", PASSPHRASE.encode(), salt, ROUNDS)


READ_KEY = derive_read_key()


def mac(message):
    return hmac.digest(READ_KEY, message, "sha256")


def file_id(domain):
    return mac(f"sg-vault-v1:file-id:{domain}".encode()).hex()[:12]


def content_hash(plaintext):
    return hashlib.sha256(plaintext).hexdigest()[:12]


def dumps(document):
    """Stored JSON: `", "` and `": "`, non-ASCII escaped, members in the order given."""
    return json.dumps(document).encode()


def canonical(document):
    """Signed JSON: members sorted by name, no white space (RFC 8785 for these documents)."""
    return json.dumps(
        document, sort_keys=True, separators=(",", ":"), ensure_ascii=False
    ).encode()


class Vault:
    """A bare store that is being written."""

    def __init__(self, folder):
        self.bare = os.path.join(folder, "bare")
        for name in ("data", "refs", "indexes", "keys"):
            os.makedirs(os.path.join(self.bare, name))
        self.cipher = AESGCM(READ_KEY)
        self.random = random.Random(folder.rsplit("/", 1)[-1])
        self.signer = ec.generate_private_key(ec.SECP256R1())
        self.signer_id = "key-rnd-imm-" + self.random.randbytes(8).hex()
        self.named = "branch-named-" + self.random.randbytes(8).hex()
        self.clone = "branch-clone-" + self.random.randbytes(8).hex()

    def write(self, path, content):
        with open(os.path.join(self.bare, path), "xb") as file:
            file.write(content)

    def seal(self, plaintext, nonce=None):
        nonce = nonce or self.random.randbytes(12)
        return nonce + self.cipher.encrypt(nonce, plaintext, None)

    def seal_same(self, plaintext):
        """Seals with the nonce that equal plaintexts share: trees and the fields in them."""
        return self.seal(plaintext, mac(plaintext)[:12])

    def field(self, text):
        return base64.b64encode(self.seal_same(text.encode())).decode()

    def put(self, envelope):
        name = "obj-cas-imm-" + hashlib.sha256(envelope).hexdigest()[:32]
        self.write("data/" + name, envelope)
        return name

    def blob(self, plaintext):
        return self.put(self.seal(plaintext))

    def file_entry(self, name, blob_id, size, hash_hex, media_type):
        return {
            "blob_id": blob_id,
            "tree_id": None,
            "name_enc": self.field(name),
            "size_enc": self.field(str(size)),
            "content_hash_enc": self.field(hash_hex),
            "content_type_enc": self.field(media_type),
            "large": size + 28 > 4_194_304,
        }

    def folder_entry(self, name, tree_id):
        return {
            "blob_id": None,
            "tree_id": tree_id,
            "name_enc": self.field(name),
            "size_enc": None,
            "content_hash_enc": None,
            "content_type_enc": None,
            "large": False,
        }

    def tree(self, entries):
        return self.put(self.seal_same(dumps({"schema": "tree_v1", "entries": entries})))

    def commit(self, tree_id, parents, message, time_ms):
        document = {
            "schema": "commit_v1",
            "tree_id": tree_id,
            "message_enc": base64.b64encode(self.seal(message.encode())).decode(),
            "branch_id": self.clone,
            "signature": None,
            "author_key_id": self.signer_id,
            "author_signature": None,
            "parents": parents,
            "timestamp_ms": time_ms,
            "attestations": [],
        }
        signed = {name: value for name, value in document.items() if name != "signature"}
        r, s = decode_dss_signature(
            self.signer.sign(canonical(signed), ec.ECDSA(hashes.SHA256()))
        )
        document["signature"] = base64.b64encode(
            r.to_bytes(32, "big") + s.to_bytes(32, "big")
        ).decode()
        return self.put(self.seal(dumps(document)))

    def finish(self, head):
        """Writes what names the head: the refs, the branch index and the public keys; returns what the refs say."""
        current = "ref-pid-muw-" + file_id(f"ref:{VAULT_ID}")
        local = "ref-pid-snw-" + file_id(f"branch-ref:{VAULT_ID}:local")
        for ref in (current, local):
            self.write("refs/" + ref, self.seal(dumps({"commit_id": head})))

        named_key = "key-rnd-imm-" + self.random.randbytes(8).hex()
        unused = ec.generate_private_key(ec.SECP256R1())
        for key_id, key in ((self.signer_id, self.signer), (named_key, unused)):
            pem = key.public_key().public_bytes(
                serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
            )
            document = {"type": "public", "pem": pem.decode()}
            self.write("keys/" + key_id, self.seal(dumps(document)))

        def branch(branch_id, name, kind, ref, key_id, creator):
            return {
                "branch_id": branch_id,
                "name": name,
                "branch_type": kind,
                "head_ref_id": ref,
                "public_key_id": key_id,
                "private_key_id": None,
                "created_at": EPOCH_MS,
                "creator_branch": creator,
                "display_name": None,
            }

        index = {
            "schema": "branch_index_v1",
            "format": 2,
            "min_client": None,
            "branches": [
                branch(self.named, "current", "named", current, named_key, None),
                branch(self.clone, "local", "clone", local, self.signer_id, self.named),
            ],
            "features": ["ids-128"],
            "tags": [],
        }
        name = "idx-pid-muw-" + file_id(f"branch-index:{VAULT_ID}")
        self.write("indexes/" + name, self.seal(dumps(index)))
        return {ref: head for ref in (current, local)}


def git(folder, *arguments, stdin=b""):
    done = subprocess.run(
        ["git", "-C", folder, *arguments], input=stdin, stdout=subprocess.PIPE, check=True
    )
    return done.stdout.decode().strip()


def init_git(folder):
    path = os.path.join(folder, "git")
    os.makedirs(path)
    git(path, "init", "-q", "--bare", "--initial-branch=main", ".")
    return path


def make_small(folder):
    """One commit with one small file; the same file as a loose object of git."""
    vault = Vault(folder)
    blob_id = vault.blob(SMALL_TEXT)
    size, digest = len(SMALL_TEXT), content_hash(SMALL_TEXT)
    root = vault.tree([vault.file_entry("fox.txt", blob_id, size, digest, "text/plain")])
    heads = vault.finish(vault.commit(root, [], "A fox", EPOCH_MS))
    repository = init_git(folder)
    git_id = git(repository, "hash-object", "-w", "--stdin", stdin=SMALL_TEXT)
    return {"object": blob_id, "git_object": git_id, "text": SMALL_TEXT.decode(), "heads": heads}


def small_plaintext(number, source):
    """What small objects are in such vaults: a secret's document or, every other time, any bytes."""
    if number % 2:
        return source.randbytes(source.randrange(200, 800))
    document = {
        "schema": "sgit.ai/secret/v1",
        "id": source.randbytes(8).hex(),
        "kind": "login",
        "title": f"Account {number}",
        "created_at": "2026-11-30T12:00:00Z",
        "updated_at": "2026-11-30T12:00:00Z",
        "fields": {
            "username": f"person{number}@example.org",
            "password": source.randbytes(12).hex(),
            "url": f"https://service-{number}.example.org/login",
        },
        "tags": ["work", "shared"],
        "notes": "x" * source.randrange(0, 400),
    }
    return dumps(document)


def small_files(vault, count):
    """That many small blobs in folders of a hundred; their plaintexts by id, and the root."""
    source = random.Random("small objects")
    records, folders, files = {}, [], []
    for number in range(count):
        plaintext = small_plaintext(number, source)
        blob_id = vault.blob(plaintext)
        records[blob_id] = plaintext
        name, kind = (
            (f"{number:05}.bin", "application/octet-stream")
            if number % 2
            else (f"{number:05}.json", "application/json")
        )
        size, digest = len(plaintext), content_hash(plaintext)
        files.append(vault.file_entry(name, blob_id, size, digest, kind))
        if len(files) == BATCH_FOLDER:
            folders.append(vault.folder_entry(f"{len(folders):03}", vault.tree(files)))
            files = []
    return records, vault.tree(folders), source


def make_batch(folder):
    """20,000 small blobs in folders of a hundred, and the list of their ids in random order."""
    vault = Vault(folder)
    records, root, source = small_files(vault, BATCH_COUNT)
    vault.finish(vault.commit(root, [], "Many files", EPOCH_MS))

    ids = list(records)
    source.shuffle(ids)
    with open(os.path.join(folder, "ids"), "w", encoding="ascii") as file:
        file.write("".join(f"{name}\n" for name in ids))
    answer = hashlib.sha256()
    for name in ids:
        answer.update(f"{name} blob {len(records[name])}\n".encode())
        answer.update(records[name] + b"\n")
    return {
        "count": BATCH_COUNT,
        "bytes": sum(map(len, records.values())),
        "answer_sha256": answer.hexdigest(),
    }


def make_objects(folder, count):
    """A vault of that many small blobs, to be packed."""
    vault = Vault(folder)
    _, root, _ = small_files(vault, count)
    return {"heads": vault.finish(vault.commit(root, [], "Many files", EPOCH_MS))}


def make_large(folder):
    """A vault of 400 blobs of 250,000 random bytes, to be packed."""
    vault = Vault(folder)
    source = random.Random("large objects")
    files = []
    for number in range(LARGE_COUNT):
        plaintext = source.randbytes(LARGE_SIZE)
        facts = vault.blob(plaintext), LARGE_SIZE, content_hash(plaintext)
        files.append(vault.file_entry(f"{number:03}.bin", *facts, "application/octet-stream"))
    return {"heads": vault.finish(vault.commit(vault.tree(files), [], "Large files", EPOCH_MS))}


def make_files(folder, count):
    """Small files on the disk, no vault."""
    source = random.Random("small files")
    for number in range(count):
        below = f"{number // BATCH_FOLDER:03}" if count > 1_000 else "."
        path = os.path.join(folder, "files", below, f"{number:05}" + (".bin" if number % 2 else ".json"))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "xb") as file:
            file.write(small_plaintext(number, source))
    return {"count": count}


def make_big(folder):
    """One blob of 1 GiB, sealed piece by piece so that making it needs little memory."""
    vault = Vault(folder)
    nonce = vault.random.randbytes(12)
    sealer = Cipher(algorithms.AES(READ_KEY), modes.GCM(nonce)).encryptor()
    plain_hash, envelope_hash = hashlib.sha256(), hashlib.sha256(nonce)
    temporary = os.path.join(folder, "blob")
    with open(temporary, "xb") as file:
        file.write(nonce)
        for _ in range(BIG_SIZE // BIG_STEP):
            piece = vault.random.randbytes(BIG_STEP)
            plain_hash.update(piece)
            sealed = sealer.update(piece)
            envelope_hash.update(sealed)
            file.write(sealed)
        end = sealer.finalize() + sealer.tag
        envelope_hash.update(end)
        file.write(end)
    blob_id = "obj-cas-imm-" + envelope_hash.hexdigest()[:32]
    os.rename(temporary, os.path.join(vault.bare, "data", blob_id))
    digest = plain_hash.hexdigest()
    entry = vault.file_entry("big.bin", blob_id, BIG_SIZE, digest[:12], "application/octet-stream")
    vault.finish(vault.commit(vault.tree([entry]), [], "A big file", EPOCH_MS))
    return {"object": blob_id, "size": BIG_SIZE, "plain_sha256": digest}


def make_history(folder, count):
    """A line of that many commits on one tree, the same packed by git, and a working copy for sgit.

    It is a line because `sgit history log` follows first parents only: so all three list the same.
    """
    vault = Vault(folder)
    blob_id = vault.blob(SMALL_TEXT)
    size, digest = len(SMALL_TEXT), content_hash(SMALL_TEXT)
    root = vault.tree([vault.file_entry("fox.txt", blob_id, size, digest, "text/plain")])
    ids, stream = [], [f"blob\nmark :1\ndata {size}\n{SMALL_TEXT.decode()}\n"]
    for number in range(count):
        message, time_ms = f"Change number {number}", EPOCH_MS + number * MINUTE_MS
        ids.append(vault.commit(root, ids[-1:], message, time_ms))
        stream.append(
            f"commit refs/heads/main\nmark :{number + 2}\n"
            f"committer Bench <bench@example.org> {time_ms // 1000} +0000\n"
            f"data {len(message)}\n{message}\n"
            + ("M 100644 :1 fox.txt\n" if number == 0 else f"from :{number + 1}\n")
        )
    vault.finish(ids[-1])

    repository = init_git(folder)
    git(repository, "fast-import", "--quiet", stdin="".join(stream).encode())
    git(repository, "-c", "repack.writeBitmaps=false", "repack", "-a", "-d", "-q")
    make_working_copy(folder)
    ids.reverse()
    with open(os.path.join(folder, "ids"), "w", encoding="ascii") as file:
        file.write("".join(f"{name}\n" for name in ids))
    return {"count": count, "head": ids[0]}


def make_working_copy(folder):
    """What `sgit clone` makes of a store and its read key, with the store itself in place of a copy."""
    hidden = os.path.join(folder, "sgit", ".sg_vault")
    os.makedirs(os.path.join(hidden, "local"))
    os.symlink("../../bare", os.path.join(hidden, "bare"))
    mode = {
        "mode": "read-only",
        "vault_id": VAULT_ID,
        "read_key": READ_KEY.hex(),
        "branch_name": "current",
    }
    config = {"my_branch_id": None, "mode": "read_only"}
    for name, document in (("clone_mode.json", mode), ("config.json", config)):
        with open(os.path.join(hidden, "local", name), "w", encoding="ascii") as file:
            json.dump(document, file, indent=2)


def make_keys(folder):
    os.makedirs(folder)
    lines = {
        "vault": f"sgit_private_vault_{PASSPHRASE}:{VAULT_ID}\n",
        "read": f"sgit_private_read_{READ_KEY.hex()}:{VAULT_ID}\n",
    }
    for name, line in lines.items():
        with open(os.open(os.path.join(folder, name), os.O_WRONLY | os.O_CREAT, 0o600), "w") as file:
            file.write(line)
    return {"passphrase": PASSPHRASE, "vault_id": VAULT_ID, "read_key": READ_KEY.hex()}


def make(folder, name):
    """Makes one store beside its place and moves it there, so that a broken run leaves none."""
    new = os.path.join(folder, name + ".new")
    shutil.rmtree(new, ignore_errors=True)
    if name == "keys":
        facts = make_keys(new)
    else:
        os.makedirs(new)
        kind, _, count = name.partition("-")
        if kind == "history":
            facts = make_history(new, int(count))
        elif kind == "files":
            facts = make_files(new, int(count))
        elif kind == "objects":
            facts = make_objects(new, int(count))
        else:
            makers = {"small": make_small, "batch": make_batch, "big": make_big, "large": make_large}
            facts = makers[kind](new)
    with open(os.path.join(new, "facts.json"), "w", encoding="utf-8") as file:
        json.dump(facts, file, indent=2)
    done = os.path.join(folder, name)
    shutil.rmtree(done, ignore_errors=True)
    os.rename(new, done)


if __name__ == "__main__":
    for wanted in sys.argv[2:]:
        make(sys.argv[1], wanted)
