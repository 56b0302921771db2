#!/usr/bin/env python3
"""Canonical JSON, keys, recovery codes and locks of a vault file, written a second time: see sgvault.py.

Nothing here validates what it is told to write: the tests need what the tools must refuse. AES-GCM comes from libcrypto, Argon2id
from libsodium, RSA-OAEP from the openssl command; P-256 is done by hand.
"""
import functools
import subprocess
import unicodedata
from vaultlab import *
from vaultlab import _crypto

# ---------------------------------------------------------------- primitives

_sodium = ctypes.CDLL("libsodium.so.23")


def gcm(key, nonce, aad, text, opening=False):
    """AES-256-GCM with associated data: ciphertext and tag, or, opening, the plaintext or None."""
    deed, context, n = "Decrypt" if opening else "Encrypt", ctypes.c_void_p(_crypto.EVP_CIPHER_CTX_new()), ctypes.c_int()
    body, tag = (text[:-16], ctypes.create_string_buffer(text[-16:], 16)) if opening else (text, ctypes.create_string_buffer(16))
    out, update = ctypes.create_string_buffer(len(body) + 16), getattr(_crypto, f"EVP_{deed}Update")
    getattr(_crypto, f"EVP_{deed}Init_ex")(context, ctypes.c_void_p(_crypto.EVP_aes_256_gcm()), None, key, nonce)
    update(context, None, ctypes.byref(n), aad, len(aad))
    update(context, out, ctypes.byref(n), body, len(body))
    if opening:
        _crypto.EVP_CIPHER_CTX_ctrl(context, 0x11, 16, tag)  # EVP_CTRL_GCM_SET_TAG
    verified = getattr(_crypto, f"EVP_{deed}Final_ex")(context, ctypes.create_string_buffer(16), ctypes.byref(n)) == 1
    if not opening:
        _crypto.EVP_CIPHER_CTX_ctrl(context, 0x10, 16, tag)  # EVP_CTRL_GCM_GET_TAG
    _crypto.EVP_CIPHER_CTX_free(context)
    return (out.raw[:len(body)] if verified else None) if opening else out.raw[:len(body)] + tag.raw


def hkdf(ikm, info, salt=b""):
    """HKDF-SHA256, 32 bytes."""
    return hmac.digest(hmac.digest(salt or bytes(32), ikm, "sha256"), info.encode() + b"\x01", "sha256")


def argon2id(password, salt, m_kib, t):
    out = ctypes.create_string_buffer(32)
    failed = _sodium.crypto_pwhash(out, ctypes.c_ulonglong(32), password, ctypes.c_ulonglong(len(password)), salt,
                                   ctypes.c_ulonglong(t), ctypes.c_size_t(m_kib * 1024), 2)
    assert not failed, "argon2id: no memory"
    return out.raw


# P-256 by hand (SEC 2): slow, and nothing of it is secret.
FIELD = 0xFFFFFFFF00000001000000000000000000000000FFFFFFFFFFFFFFFFFFFFFFFF
B = 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B
BASE = (0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
        0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5)
SPKI = bytes.fromhex("3059301306072a8648ce3d020106082a8648ce3d030107034200")


def add(p, q):
    if p is None or q is None:
        return p or q
    if p[0] == q[0] and (p[1] + q[1]) % FIELD == 0:
        return None
    slope = (3 * (p[0] ** 2 - 1) * pow(2 * p[1], -1, FIELD) if p == q else (q[1] - p[1]) * pow(q[0] - p[0], -1, FIELD)) % FIELD
    x = (slope ** 2 - p[0] - q[0]) % FIELD
    return x, (slope * (p[0] - x) - p[1]) % FIELD


def multiply(scalar, point=BASE):
    out = None
    for bit in f"{scalar:b}":
        out = add(out, out)
        out = add(out, point) if bit == "1" else out
    return out


def point_bytes(point):
    return b"\x04" + point[0].to_bytes(32, "big") + point[1].to_bytes(32, "big")


def point_of(raw):
    return int.from_bytes(raw[1:33], "big"), int.from_bytes(raw[33:65], "big")


def scalar_of(pem):
    """The private scalar of a P-256 key, PKCS#8 or SEC1: ECPrivateKey { version 1, OCTET STRING 32 bytes }."""
    der = pem_body(pem)
    at = der.index(b"\x02\x01\x01\x04\x20") + 5
    return int.from_bytes(der[at:at + 32], "big")


def pem_body(pem):
    return base64.b64decode("".join(line for line in pem.splitlines() if "-----" not in line))


def openssl(*arguments, stdin=b""):
    return subprocess.run(["openssl", *arguments], input=stdin, stdout=subprocess.PIPE, check=True).stdout


OAEP = ["-pkeyopt", "rsa_padding_mode:oaep", "-pkeyopt", "rsa_oaep_md:sha256", "-pkeyopt", "rsa_mgf1_md:sha256"]


def pkeyutl(deed, pem, data):
    descriptor = os.memfd_create("key", 0)  # not close-on-exec: openssl reads it by its path
    os.write(descriptor, pem.encode())
    try:
        return subprocess.run(["openssl", "pkeyutl", *deed, "-inkey", f"/proc/self/fd/{descriptor}", *OAEP], input=data,
                              stdout=subprocess.PIPE, check=True, pass_fds=[descriptor]).stdout
    finally:
        os.close(descriptor)


# ---------------------------------------------------------------- canonical JSON and keys

def canonical(value):
    """C(x)."""
    return canonical_json(value) + b"\n"


def read_canonical(data):
    value = json.loads(data)
    if canonical(value) != data:
        raise Broken("not canonical")
    return value


class Keys:
    """What a key line gives; `write` is None for a read key."""

    def __init__(self, line):
        self.kind, key, self.vault_id = parse_key(line)
        self.read = key if self.kind == "read" else cached_stretch(key, self.vault_id)
        self.write = None if self.kind == "read" else cached_stretch(key, self.vault_id, "write:")
        self.passphrase = None if self.kind == "read" else key
        self.fingerprint = hkdf(self.read, "sgvault/v1/fingerprint")
        self.mac_key = hkdf(self.read, "sgvault/v1/header-mac")
        self.owner_key = self.write and hkdf(self.read + self.write, "sgvault/v1/owner-mac")

    @classmethod
    def of_file(cls, path):
        with open(path, encoding="utf-8") as file:
            return cls(file.read())

    def credential(self, grants):
        """What a lock with these grants holds."""
        return f"{self.passphrase if grants == 'vault' else self.read.hex()}:{self.vault_id}"

    def mac(self, header):
        return hmac.digest(self.mac_key, canonical({k: v for k, v in header.items() if k != "mac"}), "sha256").hex()

    def locks_mac(self, header):
        signed = {name: header.get(name, []) for name in ("locks", "removed_locks")}
        return hmac.digest(self.owner_key, canonical({**signed, "vault_id": header["vault_id"], "version": 1}), "sha256").hex()


cached_stretch = functools.cache(stretch)

# ---------------------------------------------------------------- recovery codes

CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
SEPARATORS = " \t\r\n-\ufeff\u00a0\u00ad\u200b\u2010\u2011\u2012\u2013\u2014\u2212"


def crockford(number, width):
    return "".join(CROCKFORD[number >> 5 * at & 31] for at in reversed(range(width)))


def check_characters(secret):
    digest = hashlib.sha256(b"sgvault/v1/recovery-code\n" + secret).digest()
    return crockford(int.from_bytes(digest[:2], "big") >> 6, 2)


def plain_code(secret):
    """28 characters without hyphens."""
    return crockford(int.from_bytes(secret, "big") << 2, 26) + check_characters(secret)


def grouped(text):
    return "-".join(text[at:at + 4] for at in range(0, len(text), 4))


def code_of(secret):
    return grouped(plain_code(secret))


def normal_code(text):
    """The characters that count; what is no character of a code stays as it is."""
    kept = "".join(c.upper() if c.isascii() else c for c in text if c not in SEPARATORS)
    return kept.translate(str.maketrans("ILO", "110"))


def secret_of(text):
    """The 16 bytes of a code, or None."""
    code = normal_code(text)
    if len(code) not in (26, 28) or any(c not in CROCKFORD for c in code):
        return None
    number = functools.reduce(lambda sum, c: sum << 5 | CROCKFORD.index(c), code[:26], 0)
    secret = (number >> 2).to_bytes(16, "big")
    return None if number & 3 or code[26:] not in ("", check_characters(secret)) else secret


# ---------------------------------------------------------------- locks

def composed(text):
    return unicodedata.normalize("NFC", text).encode()


def slow(params, typed):
    password, salt = composed(typed) if isinstance(typed, str) else typed, bytes.fromhex(params["salt"])
    if params["kdf"] == "argon2id":
        return argon2id(password, salt, params["m_kib"], params["t"])
    n, r, p = 1 << params["log_n"], params["r"], params["p"]
    return hashlib.scrypt(password, salt=salt, n=n, r=r, p=p, maxmem=128 * r * (n + p + 2) + (1 << 20), dklen=32)


def wrap_key(kind, ikm, params):
    return hkdf(ikm, "sgvault/v1/lock/" + kind, bytes.fromhex(params["salt"]))


def lock_aad(lock, vault_id):
    bound = {name: lock[name] for name in ("grants", "id", "kind", "params")}
    return canonical({"format": "sgvault", "lock": bound, "version": 1, "vault_id": vault_id})


def seal_lock(kind, secret, credential, vault_id, *, grants="vault", id=None, label="", created_at="2026-11-30T12:00:00Z",
              salt=None, nonce=None, params=None, kdf=None, ephemeral=None, plaintext=None, **members):
    """A lock. `secret`: 16 or 32 bytes, the text of a passphrase, or the recipient's public PEM."""
    params = {"salt": salt or os.urandom(16).hex(), **(params or {})}
    if kind == "passphrase":
        params.update(kdf or {"kdf": "argon2id", "m_kib": 19456, "t": 2, "p": 1})
        secret = slow(params, secret)
    elif kind == "p256":
        ephemeral = ephemeral or 1 + int.from_bytes(os.urandom(31), "big")
        params.setdefault("recipient", hashlib.sha256(pem_body(secret)).hexdigest())
        params.setdefault("epk", point_bytes(multiply(ephemeral)).hex())
        secret = multiply(ephemeral, point_of(pem_body(secret)[-65:]))[0].to_bytes(32, "big")
    elif kind == "rsa-oaep":
        chosen = os.urandom(32)
        params.setdefault("recipient", hashlib.sha256(pem_body(secret)).hexdigest())
        params.setdefault("enc", pkeyutl(["-encrypt", "-pubin"], secret, chosen).hex())
        secret = chosen
    lock = {"created_at": created_at, "grants": grants, "id": id or os.urandom(8).hex(), "kind": kind, "label": label,
            "params": params, **members}
    if plaintext is None:
        plaintext = credential.encode() + bytes(-len(credential.encode()) % 64)
    nonce = bytes.fromhex(nonce) if nonce else os.urandom(12)
    lock["sealed"] = (nonce + gcm(wrap_key(kind, secret, params), nonce, lock_aad(lock, vault_id), plaintext)).hex()
    return lock


def unseal(lock, vault_id, secret):
    """The credential of a lock, or None. `secret` as for seal_lock, but the private PEM."""
    params, kind, sealed = lock["params"], lock["kind"], bytes.fromhex(lock["sealed"])
    if kind == "passphrase":
        secret = slow(params, secret)
    elif kind == "p256":
        secret = multiply(scalar_of(secret), point_of(bytes.fromhex(params["epk"])))[0].to_bytes(32, "big")
    elif kind == "rsa-oaep":
        secret = pkeyutl(["-decrypt"], secret, bytes.fromhex(params["enc"]))
    plaintext = gcm(wrap_key(kind, secret, params), sealed[:12], lock_aad(lock, vault_id), sealed[12:], opening=True)
    return plaintext and plaintext.rstrip(b"\0").decode()


def lock_line(lock, vault_id, **members):
    return canonical({"format": "sgvault", "lock": lock, "vault_id": vault_id, "version": 1, **members})


def secret_in(kind, data):
    """The secret of a kind from the bytes of a file."""
    if kind == "recovery-code":
        return secret_of(data.decode())
    if kind in ("secret", "command"):
        return data if len(data) == 32 else bytes.fromhex(data.decode())
    text = data.decode()
    return re.sub("\r?\n$", "", text) if kind == "passphrase" else text
