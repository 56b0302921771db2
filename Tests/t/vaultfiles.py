#!/usr/bin/env python3
"""What sgit-pack and sgit-unpack must make and say, worked out by the twin (see sgvault.py), and the stores they are tried on.

    vaultfiles.py WHAT [ARGUMENT...]     one of the functions named in COMMANDS, `_` written `-`

What was expected goes to stdout, for `cmp`; a comparison that fails says what differed and ends with 1.
"""
import datetime
import shutil
import zipfile
from sgvault import *

MEMBER = re.compile("bare/([a-z0-9][a-z0-9._-]{0,127}/){1,3}[a-z0-9][a-z0-9._-]{0,127}")
CREDENTIAL = "golden example passphrase:testvault01"
with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Vectors", "vault-file.json"), encoding="utf-8") as _file:
    VECTOR = json.load(_file)
LOCKS = {row["name"]: row["lock"] for row in VECTOR["locks"]}
CODE = VECTOR["recovery_codes"][0]["code"]


def vector_keys():
    """The keys of testvault01 without a derivation: they are in the vectors."""
    keys = Keys(f"sgit_private_read_{VECTOR['read_key']}:testvault01")
    keys.kind, keys.passphrase, keys.write = "vault", CREDENTIAL.rpartition(":")[0], bytes.fromhex(VECTOR["write_key"])
    keys.owner_key = hkdf(keys.read + keys.write, "sgvault/v1/owner-mac")
    return keys


def keys_in(path):
    line = content(path).decode().strip()
    return vector_keys() if line.removeprefix("sgit_private_vault_") == CREDENTIAL else Keys(line)


def private(path, data):
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(data.encode() if isinstance(data, str) else data)


# ---------------------------------------------------------------- stores

def at(root):
    """A store of testvault01."""
    return Store(root, bytes.fromhex(VECTOR["read_key"]), "testvault01", 12)


def grown(root, new, commit=None, **refs):
    """A copy of a store under a new name, whose main ref was moved."""
    shutil.copytree(root, new)
    store = at(new)
    if commit:
        store.ref(store.main_ref, commit)
    return store


def story():
    """Stores of one vault: s1, s2, s3 in a line; fork, from s1; merged, of s2 and fork; again, which is s3 with a ref and an
    index sealed anew. v.key and v.vault-key are its keys; ids names the commits."""
    keys = vector_keys()
    private("v.key", f"sgit_private_read_{VECTOR['read_key']}:testvault01\n")
    private("v.vault-key", f"sgit_private_vault_{CREDENTIAL}\n")
    private("other.vault-key", "sgit_private_vault_abcdefghijklmnopqrstuvwxyz:othervault01\n")
    ids, time = {}, 1_700_000_000_123
    store = at("s1")
    key = store.signer()

    def commit(store, name, parents, files, minutes):
        ids[name] = store.commit(store.tree_of(files), [ids[p] for p in parents], name, signer=key, time=time + 60_000 * minutes)
        return ids[name]
    store.branch("current", commit(store, "c1", [], {"a": b"a\n", "d/b": b"b\n"}, 0), key_id=key.key_id)
    store.index()
    for root, new, name, parents, files in (("s1", "s2", "c2", ["c1"], {"a": b"a\n", "d/b": b"2\n"}),
                                            ("s2", "s3", "c3", ["c2"], {"a": b"3\n", "d/b": b"2\n"}),
                                            ("s1", "fork", "d2", ["c1"], {"a": b"f\n", "d/b": b"b\n"})):
        next = grown(root, new)
        next.ref(next.main_ref, commit(next, name, parents, files, len(ids)))
    merged = grown("s2", "merged")
    for name in os.listdir("fork/bare/data"):
        shutil.copy("fork/bare/data/" + name, "merged/bare/data/")
    merged.ref(merged.main_ref, commit(merged, "m", ["c2", "d2"], {"a": b"f\n", "d/b": b"2\n"}, 9))
    ids["n"] = merged.commit(merged.document(ids["m"])["tree_id"], [ids["d2"], ids["c2"]], "n", signer=key, time=time + 600_000)
    again = grown("s3", "again", ids["c3"])
    again.index(again.document(again.index_id))
    with open("ids", "w", encoding="utf-8") as file:
        json.dump(ids, file)
    for name, lock in LOCKS.items():
        with open(f"{name}.lock", "wb") as file:
            file.write(lock_line(lock, "testvault01"))
    secrets()
    assert keys.mac_key.hex() == VECTOR["header_mac_key"]


def secrets():
    """The secrets of the vectors' locks, as files: A.secret and so on."""
    for row in VECTOR["locks"]:
        kind = row["lock"]["kind"]
        private(row["name"] + ".secret", {"recovery-code": CODE + "\n", "p256": row.get("recipient_private_pem"), "secret": bytes.fromhex(row.get("secret") or ""),
                                          "passphrase": bytes.fromhex(row.get("typed_utf8") or row.get("nfc_utf8") or "") + b"\n"}[kind])


def ids():
    with open("ids", encoding="utf-8") as file:
        return json.load(file)


def moved(root, new, name):
    """A copy of a store of the story whose head is one of its commits."""
    grown(root, new, ids()[name])


def plus(root, new, what):
    """A copy of a store of the story that holds one thing more: an object, a key, a ref, a branch or a tag."""
    store = grown(root, new)
    index = store.document(store.index_id)
    head = store.head(store.main_ref)
    if what == "object":
        store.blob("nothing names this")
    elif what == "key":
        store.signer(77)
    elif what == "ref":
        store.ref("ref-pid-muw-000000000077", head)
    elif what == "branch":
        store.branches = index["branches"]
        store.branch("more", None, ref_id=store.main_ref)
        store.index({**index, "branches": store.branches})
    elif what == "tag":
        tag = {"name": "v1", "tag_id": head, "deleted": False, "timestamp_ms": 1}
        store.index({**index, "tags": [tag]})
    else:
        raise ValueError(what)


# ---------------------------------------------------------------- what sgit-pack writes

def packed(root, keys, serial=None, locks=(), olds=(), epoch=None):
    """`olds`: the file of --header-from and the one that is replaced, read already."""
    store = Store(root, keys.read, keys.vault_id)
    files = {"bare/" + path: content(os.path.join(store.bare, path)) for path in store.files()}
    members = {name: data for name, data in files.items() if MEMBER.fullmatch(name)}
    heads = {name: store.document(name).get("commit_id") or "" for name in os.listdir(store.bare + "/refs") if NAME.fullmatch(name)}
    if epoch is None:
        epoch = max([store.document(commit)["timestamp_ms"] // 1000 for commit in heads.values() if commit] or [0])
    known = {"format", "heads", "locks", "locks_mac", "mac", "members", "removed_locks", "requires", "serial", "vault_id", "version", "written_at", "written_by"}
    removed = sorted({lock for old in olds for lock in old.header.get("removed_locks", [])})
    every = {lock["id"]: lock for lock in [lock for old in olds for lock in old.header["locks"]] + list(locks)}
    header = {"format": "sgvault", "heads": heads, "requires": sorted({text for old in olds for text in old.header["requires"]}), "vault_id": keys.vault_id, "version": 1,
              "locks": sorted((lock for lock in every.values() if lock["id"] not in removed), key=lambda lock: (lock["created_at"], lock["id"])),
              "removed_locks": removed, "serial": serial or 1 + max([old.header["serial"] for old in olds] or [0]),
              "written_at": f"{datetime.datetime.fromtimestamp(int(epoch), datetime.timezone.utc):%Y-%m-%dT%H:%M:%SZ}", "written_by": "sgit-tools 0.1.0",
              "locks_mac": olds[0].header["locks_mac"] if olds else "00" * 32}
    for old in olds:
        header.update({name: value for name, value in old.header.items() if name not in known})
    return VaultFile(header, members).made_right(keys)


def twin(root, key, out, *more):
    """What sgit-pack must write of a store. NAME=VALUE: serial, epoch, old (a file, more than once), locks (a file of lock lines)."""
    how = {"olds": [], "locks": []}
    for name, _, value in (text.partition("=") for text in more):
        if name == "old":
            how["olds"].append(VaultFile.read(value))
        elif name == "locks":
            how["locks"] += [json.loads(line)["lock"] for line in content(value).splitlines()]
        else:
            how[name] = int(value)
    packed(root, keys_in(key), **how).write(out)


def changed(path, key, out, statement):
    """`edit` of sgvault.py, for the keys of the vectors too."""
    edit(path, out, [statement], keys_in(key))


# ---------------------------------------------------------------- what a file says

def member(path, name):
    """One member of the header, as JSON."""
    print(json.dumps(VaultFile.read(path).header[name], ensure_ascii=False, sort_keys=True))


def lock_ids(path):
    print(*[lock["id"] for lock in VaultFile.read(path).header["locks"]])


def listing(path, form="text"):
    for name, data, _ in read_zip(content(path)):
        print(json.dumps({"name": name, "size": len(data)}, separators=(",", ":")) if form == "json" else f"{len(data)} {name}")


def heads(path, form="text"):
    for ref, commit in sorted(VaultFile.read(path).header["heads"].items()):
        print(json.dumps({"ref": ref, "commit": commit or None}, separators=(",", ":")) if form == "json" else f"{ref} {commit or '-'}")


def locks(path):
    header = VaultFile.read(path).header
    for lock in header["locks"]:
        sys.stdout.write(lock_line(lock, header["vault_id"]).decode())


def header_json(path):
    sys.stdout.buffer.write(read_zip(content(path))[0][1])


def header(path, said, state):
    """Compares what --header said. An empty label may be nothing or two quotes; a lock's parameters may follow it or all locks."""
    facts, m = VaultFile.read(path).header, VaultFile.read(path).header["members"]
    want = [f"vault {facts['vault_id']}", f"version {facts['version']}", f"serial {facts['serial']}", f"written-at {facts['written_at']}",
            f"written-by {facts['written_by']}"] + [f"requires {text}" for text in facts["requires"]]
    want += [f"head {ref} {commit or '-'}" for ref, commit in sorted(facts["heads"].items())]
    for lock in facts["locks"]:
        label = quote(lock["label"])
        want.append(f"lock {lock['id']} {lock['kind']} {lock['grants']} {lock['created_at']} {label}".rstrip())
        want.append(f"lock-params {lock['id']} {canonical_json(lock['params']).decode()}")
    want += [f"removed {lock}" for lock in facts["removed_locks"]] + [f"members {m['count']} {m['bytes']} {m['sha256']}", state]
    got = [re.sub('^(lock .*Z)( "")?$', r"\1", line.rstrip(" ")) for line in content(said).decode().split("\n")]
    assert got.pop() == "", "no line feed at the end"

    def flat(lines):
        kinds = [line.split()[0] for line in lines]
        order = sorted(set(kinds), key=kinds.index)
        order = [kind for kind in order if kind != "lock-params"]
        return order, [line for line in lines if not line.startswith("lock-params")], [line for line in lines if line.startswith("lock-params")]
    for a, b in zip(flat(want), flat(got)):
        assert a == b, f"\nexpected {a}\n     got {b}"


def readable(path):
    """unzip, bsdtar and Python's zipfile list, test and extract a file, and all find the same."""
    want = {name: data for name, data, _ in read_zip(content(path))}

    def run(*command):
        return subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout.decode().splitlines()
    assert run("unzip", "-Z1", path) == list(want) and run("bsdtar", "-tf", path) == list(want)
    run("unzip", "-tqq", path)
    for number, command in enumerate((["unzip", "-q", path, "-d"], ["bsdtar", "-xf", path, "-C"])):
        place = f"{path}.extracted.{number}"
        shutil.rmtree(place, ignore_errors=True)
        os.mkdir(place)
        run(*command, place)
        found = {os.path.relpath(os.path.join(folder, name), place) for folder, _, names in os.walk(place) for name in names}
        assert found == set(want), (command, len(found), len(want))
        for name, data in want.items():
            assert content(os.path.join(place, name)) == data, (command, name)
        shutil.rmtree(place)
    with zipfile.ZipFile(path) as file:
        assert file.namelist() == list(want) and file.testzip() is None
        for name, data in want.items():
            assert file.read(name) == data, name


def whole(path, key=None):
    """A file by the twin's reading: inventory, MACs with a key, heads against refs. Returns it."""
    vault = VaultFile.read(path)
    assert vault.to_bytes() == content(path), f"{path} is not in the form of a vault file"
    m = vault.header["members"]
    assert (m["count"], m["bytes"]) == (len(vault.members), sum(map(len, vault.members.values())))
    assert m["sha256"] == hashlib.sha256(vault.inventory().encode()).hexdigest()
    for name, data in vault.members.items():
        base = os.path.basename(name)
        assert not base.startswith(OBJECT) or object_id(data, len(base) - len(OBJECT)) == base, base
    if key:
        assert vault.header["mac"] == key.mac(vault.header)
        assert not key.write or vault.header["locks_mac"] == key.locks_mac(vault.header)
        aead = AES256GCM(key.read)
        for name, data in vault.members.items():
            if name.startswith("bare/refs/"):
                plain = json.loads(aead.open(data[:12], data[12:]))
                assert vault.header["heads"][os.path.basename(name)] == (plain["commit_id"] or "")
    return vault


def vector(path):
    """The file of the vectors."""
    with open(path, "wb") as file:
        file.write(base64.b64decode(VECTOR["file"]["zip_base64"]))


def extracted(path, place):
    """Compares an unpacked store with the members of the file it came from: the same files, the same bytes."""
    want = {name: data for name, data, _ in read_zip(content(path))[1:]}
    same_files(want, place)


def same_files(want, place):
    found = {os.path.relpath(os.path.join(folder, name), place): content(os.path.join(folder, name)) for folder, _, names in os.walk(place) for name in names}
    assert found.keys() == want.keys(), sorted(found.keys() ^ want.keys())
    assert found == want, [name for name in want if found[name] != want[name]]


COMMANDS = story, moved, plus, twin, changed, member, lock_ids, listing, heads, locks, header_json, header, readable, vector, extracted, secrets

if __name__ == "__main__":
    what = {function.__name__: function for function in COMMANDS}.get(sys.argv[1].replace("-", "_")) if len(sys.argv) > 1 else None
    if not what:
        sys.exit(__doc__)
    what(*sys.argv[2:])
