"""Vaults made by the Python sgit, in a temporary folder, each new in every run.

sgit is driven as a library, with a server that lives in memory; what is looked at afterwards is the working
copy on disk, whose `.sg_vault/bare` is a store, and in which the command `sgit` works too.
"""
import hashlib
import os
import random
import shutil
import subprocess
import tempfile

from sgit_ai.core.Vault__Sync import Vault__Sync
from sgit_ai.core.actions.branch.Vault__Branch_Switch import Vault__Branch_Switch
from sgit_ai.crypto.Vault__Crypto import Vault__Crypto
from sgit_ai.network.api.Vault__API__In_Memory import Vault__API__In_Memory

ODD_NAMES = [
    "plain.txt", "two words", "tab\tinside", "line\nend", 'quote".txt', "apostrophe's", "back\\slash", '"', "~",
    "#", "-rf", "*", "%41", "semi;colon", "ends in space ", "ends in dot.", ".hidden", "bell\x07", "delete\x7f",
    "caf\u00e9", "cafe\u0301", "\u65e5\u672c\u8a9e/\u8aac\u660e.md", "\U0001f680.txt", "\u2028", "\ufb01",
    "x" * 200, "\u00e9" * 120, "a", "a.txt", "a b/1", "a-b/1", "B", "/".join("d%d" % n for n in range(30)),
]


class Copy:
    """A working copy and the sgit that looks after it."""

    def __init__(self, vault, folder):
        self.vault = vault
        self.folder = folder
        self.sync = Vault__Sync(crypto=Vault__Crypto(), api=vault.server)

    @property
    def store(self):
        return os.path.join(self.folder, ".sg_vault", "bare")

    def write(self, path, data):
        path = os.path.join(self.folder, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(data if isinstance(data, bytes) else data.encode())

    def remove(self, path):
        os.remove(os.path.join(self.folder, path))

    def commit(self, message, files=()):
        for path, data in dict(files).items():
            self.write(path, data)
        return self.sync.commit(self.folder, message)["commit_id"]

    def push(self):
        return self.sync.push(self.folder)

    def pull(self):
        return self.sync.pull(self.folder)

    def parts(self):
        return self.sync._init_components(self.folder)


class Vault:
    """A vault with one working copy, `main`; `clone` makes others."""

    def __init__(self, key):
        self.key = key
        self.place = tempfile.mkdtemp(prefix="vault-")
        self.server = Vault__API__In_Memory().setup()
        self.main = Copy(self, os.path.join(self.place, "main"))
        self.main.sync.init(self.main.folder, vault_key=key)

    def clone(self, name):
        copy = Copy(self, os.path.join(self.place, name))
        copy.sync.clone(self.key, copy.folder)
        return copy

    def remove(self):
        shutil.rmtree(self.place)


def unshare(what):
    """The beginning of a command that runs with a kind of namespace of its own."""
    return ["unshare", what] if os.geteuid() == 0 else ["unshare", "--user", "--map-root-user", what]


def offline():
    """The beginning of a command that runs without any network."""
    return unshare("--net")


def clone_from_folder(key, host, folder):
    """`sgit clone` from the folder that holds `bare`."""
    run = subprocess.run([*offline(), "sgit", "clone", "--transport", "local", "--base-url", host, "-", folder],
                         input=key.encode() + b"\n", capture_output=True)
    if run.returncode != 0:
        raise AssertionError("sgit clone ended with %d: %s%s" % (run.returncode, run.stdout.decode(), run.stderr.decode()))
    return folder


def noise(length, seed):
    return random.Random(seed).randbytes(length)


def odd_names():
    vault = Vault("an odd passphrase: with colons :oddname1")
    copy = vault.main
    copy.commit("odd names\nand a second line: \u00fcn\u00ef", {n: "%d\n" % i for i, n in enumerate(ODD_NAMES)})
    copy.commit("an empty file and a long one", {"empty": b"", "bin/long": noise(300_000, 1)})
    copy.remove("plain.txt")
    copy.remove("a b/1")
    copy.commit("removals, and one edit", {"a": "edited\n"})
    copy.commit("two files, equal bytes", {"twin/1": "same\n", "twin/2": "same\n"})
    copy.push()
    copy.commit("not pushed", {"late": "late\n"})
    return vault


def branches():
    vault = Vault("branching:branches")
    copy = vault.main
    copy.commit("first", {"f": "1\n"})
    copy.push()
    Vault__Branch_Switch(crypto=copy.sync.crypto).branch_new(copy.folder, "side_line-2")
    copy.commit("on the side", {"side": "s\n"})
    copy.push()
    copy.sync.switch_branch(copy.folder, "current")
    copy.commit("current goes on", {"f": "2\n"})
    copy.push()
    return vault


def tags():
    vault = Vault("tagging:tagging1")
    copy = vault.main
    first = copy.commit("first", {"f": "1\n"})
    second = copy.commit("second", {"f": "2\n"})
    copy.push()
    copy.sync.tag_create(copy.folder, "v1", first, "the first \u2013 of many\nwith a second line")
    copy.sync.tag_create(copy.folder, "rel/2.0", second, "")
    copy.sync.tag_create(copy.folder, "moving", first, "here")
    copy.sync.tag_create(copy.folder, "moving", second, "there", force=True)
    copy.sync.tag_create(copy.folder, "gone", first, "to be deleted")
    copy.sync.tag_delete(copy.folder, "gone")
    vault.tags = {"v1": first, "rel/2.0": second, "moving": second}
    vault.deleted_tags = ["gone"]
    return vault


def format_2():
    vault = Vault("wide ids:format2v")
    copy = vault.main
    copy.commit("narrow", {"old": "old\n", "d/one": "1\n"})
    copy.push()
    copy.sync.set_format(copy.folder, format=2, min_client="0.20.0")
    copy.commit("wide", {"new": "new\n", "d/two": "2\n"})
    copy.commit("wide again", {"new": "newer\n"})
    copy.push()
    return vault


def deflate():
    vault = Vault("deflated:deflate1")
    copy = vault.main
    copy.commit("as they are", {"early": "x" * 5000})
    copy.push()
    copy.sync.set_format(copy.folder, min_client="0.24.0", add_features=["blob-deflate"])
    copy.commit("deflated", {
        "text": "all work and no play\n" * 400, "zeros": bytes(2_000_000), "small": "x", "none": b"",
        "noise": noise(5000, 2)})
    copy.push()
    return vault


def merged():
    vault = Vault("merging:merging1")
    ours = vault.main
    ours.commit("base", {"a": "a\n", "d/b": "b\n", "d/gone": "g\n"})
    ours.push()
    theirs = vault.clone("theirs")
    ours.commit("ours", {"a": "ours\n"})
    ours.push()
    theirs.remove("d/gone")
    theirs.commit("theirs", {"d/b": "theirs\n"})
    theirs.pull()
    theirs.push()
    ours.pull()
    return vault


def unsigned():
    """The clone's signing key is taken away before the last commit."""
    vault = Vault("unsigned:unsigned")
    copy = vault.main
    copy.commit("signed", {"f": "1\n"})
    local = os.path.join(copy.folder, ".sg_vault", "local")
    for name in os.listdir(local):
        if name.endswith(".pem"):
            os.remove(os.path.join(local, name))
    copy.commit("unsigned", {"f": "2\n"})
    copy.push()
    return vault


def all_at_once():
    """Two branches, a tag, both widths of ids, deflated and large files, and a second clone, `other`, with a commit that it has not pushed."""
    vault = Vault("all at once:allatonce")
    copy = vault.main
    first = copy.commit("first", {"f": "1\n", "d/e": "e\n", "caf\u00e9/\u65e5": "composed\n", "two words": "2\n", "empty": b""})
    copy.push()
    vault.other = vault.clone("other")
    vault.other.commit("by the other", {"theirs": "o\n"})
    vault.other.push()
    copy.pull()
    Vault__Branch_Switch(crypto=copy.sync.crypto).branch_new(copy.folder, "side")
    copy.commit("on the side", {"side": "s\n"})
    copy.push()
    copy.sync.switch_branch(copy.folder, "current")
    copy.sync.tag_create(copy.folder, "v1", first, "the first")
    copy.sync.set_format(copy.folder, format=2, min_client="0.24.0", add_features=["blob-deflate"])
    copy.commit("wide and deflated", {"large": noise(4_500_000, 3), "text": "all work and no play\n" * 400})
    copy.push()
    vault.other.pull()
    vault.other.commit("late", {"late": "late\n"})
    return vault


MAKERS = [odd_names, branches, tags, format_2, deflate, merged, unsigned, all_at_once]


def sha256(data):
    return hashlib.sha256(data).hexdigest()
