"""Reads a whole store with vaultlab and fails at whatever is not whole: for tests of what writes.

    copy = Copy("folder")     a folder with .sg_vault in it, its key taken from local/vault_key
    copy.whole()              every file of the store is read; an AssertionError says what is wrong
"""
from vaultlab import *

GRAMMAR = {"data": "obj-cas-imm-([0-9a-f]{12}|[0-9a-f]{32})", "refs": "ref-pid-(muw|snw)-[0-9a-f]{12}",
           "indexes": "idx-pid-muw-[0-9a-f]{12}", "keys": "key-rnd-imm-[0-9a-f]{8,64}"}
_stretched = {}


def read_key_of(line):
    """(read key, vault id) of a line with a key; a vault key is stretched once only."""
    kind, secret, vault_id = parse_key(line)
    if kind == "read":
        return secret, vault_id
    if (secret, vault_id) not in _stretched:
        _stretched[secret, vault_id] = stretch(secret, vault_id)
    return _stretched[secret, vault_id], vault_id


def contents(folder):
    """Every file below a folder with its bytes, and every folder with None: to see that nothing changed."""
    found = {}
    for place, folders, files in os.walk(folder):
        found.update((os.path.relpath(os.path.join(place, name), folder), None) for name in folders)
        for name in files:
            with open(os.path.join(place, name), "rb") as file:
                found[os.path.relpath(os.path.join(place, name), folder)] = file.read()
    return found


class Whole(Store):
    """A store that is read and never written: no folder is made."""

    def __init__(self, root, read_key, vault_id):
        there = {name for name in GRAMMAR if os.path.isdir(os.path.join(root, "bare", name))}
        assert {"data", "refs", "indexes"} <= there, f"{root}: only {there} are there"
        super().__init__(root, read_key, vault_id)
        self.listing = self.document(self.index_id)
        self.width = 32 if self.listing.get("format") == 2 else 12
        self.read_blobs = {}

    def names(self, folder):
        place = os.path.join(self.bare, folder)
        return sorted(os.listdir(place)) if os.path.isdir(place) else []

    def leftovers(self):
        """What stands in the store's folders and is nothing of a store's."""
        return [f"{folder}/{name}" for folder, form in GRAMMAR.items() for name in self.names(folder)
                if not re.fullmatch(form, name)]

    def ref_of(self, name, kind="named"):
        found = [b for b in self.listing["branches"] if (b["name"], b["branch_type"]) == (name, kind)]
        assert len(found) == 1, f"{len(found)} branches are called {name}"
        return found[0]["head_ref_id"]

    def commits(self, head):
        """Every commit that a head reaches, {id: document}, a parent after its child where it was first met."""
        found, waiting = {}, [head]
        while waiting:
            commit = waiting.pop()
            if commit not in found:
                found[commit] = self.document(commit)
                waiting += reversed(found[commit].get("parents") or [])
        return found

    def message(self, commit):
        return self.opened_field(self.document(commit)["message_enc"])

    def files_of(self, commit):
        """{path: contents} of a commit."""
        return {path: self.contents_of(entry) for path, kind, entry in self.walk(self.document(commit)["tree_id"])
                if kind == "blob"}

    def contents_of(self, entry):
        """A blob's bytes; they must be what its entry says of them."""
        blob = entry["blob_id"]
        if blob not in self.read_blobs:
            self.read_blobs[blob] = self.read(blob), len(self.stored(blob))
        data, stored = self.read_blobs[blob]
        assert self.opened_field(entry["size_enc"]) == str(len(data)), blob
        assert self.opened_field(entry["content_hash_enc"]) == hashlib.sha256(data).hexdigest()[:12], blob
        assert entry["large"] is (stored > 4_194_304), blob
        return data

    def check_tree(self, tree, seen):
        if tree in seen:
            return
        seen.add(tree)
        document, kinds = self.document(tree), {False: [], True: []}
        assert self.stored(tree) == self.seal_same(stored_json(document)), f"{tree} has not the stored form of a tree"
        for entry in document["entries"]:
            name, folder = self.opened_field(entry["name_enc"]), entry["blob_id"] is None
            assert list(entry) == ["blob_id", "tree_id", "name_enc", "size_enc", "content_hash_enc", "content_type_enc", "large"]
            assert name and "/" not in name, f"{tree} has the name {name!r}"
            kinds[folder].append(name.encode())
            if folder:
                self.check_tree(entry["tree_id"], seen)
            else:
                self.contents_of(entry)
        in_order = sorted(kinds[False]) + sorted(kinds[True])
        assert [self.opened_field(e["name_enc"]).encode() for e in document["entries"]] == in_order, f"{tree} is not in order"
        assert len(set(in_order)) == len(in_order), f"{tree} has a name twice"

    def check_commit(self, commit, seen, verdicts=("verified",)):
        document = self.document(commit)
        assert list(document) == list(COMMIT_DEFAULTS) and self.read(commit) == stored_json(document), f"{commit} is not in the stored form"
        assert self.verdict(commit) in verdicts, f"{commit}: {self.verdict(commit)}"
        self.check_tree(document["tree_id"], seen)

    def check_all(self, verdicts=("verified",), leftovers=True):
        """The whole store. Returns {ref: commit}."""
        assert not leftovers or not self.leftovers(), self.leftovers()
        for name in self.names("data"):
            if re.fullmatch(GRAMMAR["data"], name):
                self.read(name)  # its hash is its name, and it opens
        held, seen, met = {}, set(), set()
        for ref in self.names("refs"):
            if re.fullmatch(GRAMMAR["refs"], ref):
                held[ref] = self.document(ref)["commit_id"]
                for commit in self.commits(held[ref]):
                    if commit not in met:
                        met.add(commit)
                        self.check_commit(commit, seen, verdicts)
        for key in self.names("keys"):
            if re.fullmatch(GRAMMAR["keys"], key):
                assert self.document(key)["pem"].startswith("-----BEGIN PUBLIC KEY-----\n")
        return held

    def made_commits(self):
        """The ids of all objects that are commits, also of those that nothing reaches."""
        found = set()
        for name in self.names("data"):
            if re.fullmatch(GRAMMAR["data"], name) and self.read(name).startswith(b'{"schema": "commit_v1"'):
                found.add(name)
        return found


class Copy:
    """A folder with .sg_vault in it, as the program on this machine uses it."""

    def __init__(self, folder):
        self.folder = folder
        self.local = os.path.join(folder, ".sg_vault", "local")
        self.key_text = self.secret("vault_key")
        self.read_key, self.vault_id = read_key_of(self.key_text)
        self.store = Whole(os.path.join(folder, ".sg_vault"), self.read_key, self.vault_id)
        self.config = json.loads(self.secret("config.json"))
        mine = [b for b in self.store.listing["branches"] if b["branch_id"] == self.config["my_branch_id"]]
        assert len(mine) == 1, "config.json names no branch of the index"
        self.branch, self.ref = mine[0], mine[0]["head_ref_id"]

    def secret(self, name):
        with open(os.path.join(self.local, name), encoding="utf-8") as file:
            return file.read()

    def head(self):
        return self.store.head(self.ref)

    def current(self):
        return self.store.head(self.store.ref_of("current"))

    def signer(self):
        key = self.branch["public_key_id"]
        return SigningKey(key, pem=self.secret(key + ".pem"))

    def whole(self, leftovers=True):
        held = self.store.check_all(leftovers=leftovers)
        assert self.ref in held, "the ref of this device is not there"
        return held

    def files(self):
        return self.store.files_of(self.head())

