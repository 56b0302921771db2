"""A vault as one file: ours in the programs for archives that people have and in sgit, sgit's in ours, and locks between machines."""
import email
import email.policy
import json
import os
import shutil
import subprocess
import tarfile
import unittest
import zipfile
from email.message import EmailMessage

import vaults
from commands import Case, changes, ended, files_below, hashes, messages, secret, sgit, tool, working_files, write
from sgit_ai.core.actions.branch.Vault__Branch_Switch import Vault__Branch_Switch


def run(*command, cwd=None, give=None):
    """A program that is neither ours nor sgit."""
    ran = subprocess.run(command, cwd=cwd, input=give, capture_output=True)
    if ran.returncode != 0:
        raise AssertionError("%s ended with %d: %s%s" % (command, ran.returncode, ran.stdout.decode(), ran.stderr.decode()))
    return ran.stdout


def read(path):
    with open(path, "rb") as file:
        return file.read()


def store_files(folder):
    """What is in the store that lies in a folder: path below `bare` to hash of the contents."""
    found = hashes(files_below(os.path.join(folder, "bare")))
    if not found:
        raise AssertionError("no store in " + folder)
    return found


def key_pair(place, name, *algorithm):
    """The paths of a private key, which its owner alone can read, and of the public one."""
    private, public = os.path.join(place, name + ".pem"), os.path.join(place, name + ".pub")
    secret(private, run("openssl", "genpkey", *algorithm))
    run("openssl", "pkey", "-in", private, "-pubout", "-out", public)
    return private, public


# ---------------------------------------------------------------- ours, in other programs and in sgit


def by_unzip(file, folder):
    run("unzip", "-q", file, "-d", folder)


def by_bsdtar(file, folder):
    os.makedirs(folder)
    run("bsdtar", "-x", "-f", file, "-C", folder)


def by_zipfile(file, folder):
    with zipfile.ZipFile(file) as archive:
        archive.extractall(folder)


class Ours(Case):
    """A vault of ours, with signed commits, as one file with one lock. `fill` makes what is in it."""

    format = "2"
    program = staticmethod(by_unzip)

    @classmethod
    def setUpClass(cls):
        cls.place = cls.new_place()
        cls.folder = os.path.join(cls.place, "made")
        cls.store = os.path.join(cls.folder, ".sg_vault")
        cls.key_file = os.path.join(cls.store, "local", "vault_key")
        cls.files, cls.told = {}, ["init"]
        tool("sgit-vault", "init", "--store", cls.folder, "--format", cls.format)
        cls.fill()
        cls.file = os.path.join(cls.place, "notes.sgvault")
        code = secret(os.path.join(cls.place, "code"), tool("sgit-recovery-code"))
        lock = tool("sgit-wrap-key", "--kind", "recovery-code", "--key-file", cls.key_file, "--secret-file", code)
        tool("sgit-pack", "--store", cls.store, "--key-file", cls.key_file, "--lock", "-", "-o", cls.file, give=lock)
        rows = [json.loads(line) for line in tool("sgit-unpack", cls.file, "--list", "--json").splitlines()]
        cls.members = {row["name"]: row["size"] for row in rows}

    @classmethod
    def put(cls, path, data, message=None):
        tool("sgit-vault", "put", "--store", cls.folder, "-m", message or "write " + path, "--", path, give=data)
        cls.files[path] = data
        cls.told.append(message or "write " + path)

    @classmethod
    def fill(cls):
        cls.put("a.txt", b"a\n")
        cls.put("d/e/f/deep.json", b"{}\n", "deep\n\nand a second paragraph: \u00fcn\u00ef \U0001f680")
        cls.put("cafe\u0301 \u65e5", b"decomposed")
        cls.put("large", vaults.noise(4_500_000, 7))
        cls.put("empty", b"")
        cls.put("zeros", bytes(300_000))
        tool("sgit-vault", "rm", "--store", cls.folder, "-m", "less", "a.txt")
        del cls.files["a.txt"]
        cls.told.append("less")

    def test_each_program_finds_it_in_order_and_lists_the_same(self):
        names = list(self.members)
        self.assertEqual(names, ["sgvault.json", *sorted(names[1:])])
        run("unzip", "-tqq", self.file)
        self.assertEqual(run("unzip", "-Z1", self.file).decode().split(), names)
        self.assertEqual(run("bsdtar", "-t", "-f", self.file).decode().split(), names)
        with zipfile.ZipFile(self.file) as archive:
            self.assertIsNone(archive.testzip())
            self.assertEqual({entry.filename: entry.file_size for entry in archive.infolist()}, self.members)
            self.assertEqual({entry.compress_type for entry in archive.infolist()}, {zipfile.ZIP_STORED})

    def test_each_program_extracts_the_store_and_the_header(self):
        for program in (by_unzip, by_bsdtar, by_zipfile):
            with self.subTest(program.__name__):
                folder = os.path.join(self.new_place(), "extracted")
                program(self.file, folder)
                self.assertEqual(store_files(folder), store_files(self.store))
                self.assertEqual(sorted(os.listdir(folder)), ["bare", "sgvault.json"])
                self.assertEqual(read(os.path.join(folder, "sgvault.json")), tool("sgit-unpack", self.file, "--header", "--json"))
                for name in self.members:
                    self.assertEqual(os.stat(os.path.join(folder, name)).st_mode & 0o700, 0o600, name)

    def test_sgit_clones_what_was_extracted(self):
        folder = os.path.join(self.new_place(), "extracted")
        self.program(self.file, folder)
        copy = vaults.clone_from_folder(read(self.key_file).decode(), folder, folder + "-clone")
        self.look(copy)
        self.assertEqual(messages(copy), self.told)
        self.assert_in_order(copy, len(self.told))
        self.assertIn("%d verified, 0 bad, 0 unsigned" % len(self.told), sgit(copy, "check", "verify"))
        self.assertEqual(changes(copy), [])

    def test_sgit_restores_it_like_a_backup_of_its_own(self):
        key = read(self.key_file).decode().strip()
        copy = os.path.join(self.new_place(), "restored")
        sgit(self.folder, "vault", "restore", self.file, copy, "--mode", "expanded", "--key", key, "--yes")
        sgit(copy, "vault", "attach", "--vault-key", key, ".")
        self.assertEqual(store_files(os.path.join(copy, ".sg_vault")), store_files(self.store))
        self.look(copy)

    def look(self, copy):
        self.assertEqual(hashes(working_files(copy)), hashes(self.files))
        self.assertEqual({entry["path"] for entry in json.loads(sgit(copy, "ls", "--json"))}, set(self.files))
        log = sgit(copy, "history", "log")
        for message in self.told:
            self.assertIn(message.split("\n")[0], log)


class OursFormat1(Ours):
    format = "1"
    program = staticmethod(by_bsdtar)


class OursDeflated(Ours):
    program = staticmethod(by_zipfile)

    @classmethod
    def fill(cls):
        options = ["--store", cls.store, "--key-file", cls.key_file]
        tool("sgit-branch-index", "set-min-client", *options, "0.24.0")
        tool("sgit-branch-index", "add-feature", *options, "blob-deflate")
        super().fill()

    def test_one_object_at_least_is_deflated(self):
        data = os.path.join(self.store, "bare", "data")
        self.assertIn(b"\0sgz1", {read(os.path.join(data, name))[:5] for name in os.listdir(data)})


class OursEmpty(Ours):
    program = staticmethod(by_bsdtar)

    @classmethod
    def fill(cls):
        pass


class OursEmptyFormat1(OursEmpty):
    format = "1"
    program = staticmethod(by_zipfile)


# ---------------------------------------------------------------- sgit's, as a vault file


class Theirs(Case):
    """A working copy that sgit made, packed with a lock of each kind that a secret opens. A subclass says with `make` which."""

    @classmethod
    def setUpClass(cls):
        cls.vault = cls.make()
        cls.addClassCleanup(cls.vault.remove)
        cls.store = os.path.join(cls.vault.main.folder, ".sg_vault")
        cls.before = cls.state()
        cls.place = cls.new_place()
        cls.key_file = secret(os.path.join(cls.place, "key"), cls.vault.key.encode() + b"\n")
        cls.secrets, locks, cls.warned = {}, [], []
        for kind, text in (("recovery-code", tool("sgit-recovery-code")), ("passphrase", "a phrase of \u00fcn\u00ef words\n".encode())):
            cls.secrets[kind] = secret(os.path.join(cls.place, kind), text)
            wrap = ended("sgit-wrap-key", "--kind", kind, "--label", kind, "--key-file", cls.key_file, "--secret-file", cls.secrets[kind])
            locks.append(wrap.stdout)
            cls.warned.append(wrap.stderr.decode())
        cls.file = os.path.join(cls.place, "theirs.sgvault")
        lines = secret(os.path.join(cls.place, "phrase.lock"), locks[1])
        cls.pack(cls.store, cls.file, "--lock", "-", "--lock", lines, give=locks[0])

    @classmethod
    def pack(cls, store, file, *options, **more):
        return ended("sgit-pack", "--store", store, "--key-file", cls.key_file, *options, "-o", file, **more)

    @classmethod
    def state(cls):
        """The whole of the working copy, and what sgit says of it."""
        folder = cls.vault.main.folder
        return sgit(folder, "status"), hashes(files_below(os.path.join(folder, ".sg_vault", "bare"))), hashes(working_files(folder))

    def unpacked(self, file, kind="recovery-code"):
        folder = os.path.join(self.new_place(), "unpacked")
        tool("sgit-unpack", "--secret-file", self.secrets[kind], file, "-d", folder)
        return folder

    def test_the_working_copy_is_as_it_was(self):
        self.assertEqual(self.state(), self.before)

    def test_it_is_said_that_a_person_made_the_key(self):
        for text in self.warned:
            self.assertIn("no machine made this vault key", text)

    def test_every_lock_opens_it_and_the_store_comes_out_equal(self):
        locks = {json.loads(line)["lock"]["kind"]: json.loads(line)["lock"] for line in tool("sgit-unpack", self.file, "--locks").splitlines()}
        self.assertEqual(set(locks), set(self.secrets))
        for kind, path in self.secrets.items():
            for more in ([], ["--lock", locks[kind]["id"]]):
                header = tool("sgit-unpack", "--secret-file", path, *more, self.file, "--header").decode().splitlines()
                self.assertEqual(header[-1], "verified")
            self.assertEqual(store_files(self.unpacked(self.file, kind)), store_files(self.store))
        folder = os.path.join(self.new_place(), "unpacked")
        tool("sgit-unpack", "--key-file", self.key_file, self.file, "-d", folder)
        self.assertEqual(store_files(folder), store_files(self.store))
        other = next(kind for kind in self.secrets if kind != "passphrase")
        tool("sgit-unpack", "--secret-file", self.secrets["passphrase"], "--lock", locks[other]["id"], self.file, "--header", status=3)

    def test_its_heads_are_those_that_sgit_reads(self):
        parts = self.vault.main.parts()
        told = {ref: parts.ref_manager.read_ref(ref, parts.read_key) for ref in os.listdir(os.path.join(self.store, "bare", "refs"))}
        rows = [json.loads(line) for line in tool("sgit-unpack", "--key-file", self.key_file, self.file, "--heads", "--json").splitlines()]
        self.assertEqual({row["ref"]: row["commit"] for row in rows}, told)

    def test_sgit_says_of_the_unpacked_store_what_it_says_of_the_original(self):
        said = []
        for host in (self.store, self.unpacked(self.file)):
            copy = vaults.clone_from_folder(self.vault.key, host, os.path.join(self.new_place(), "clone"))
            fsck = sgit(copy, "check", "fsck")
            self.assertIn("Vault OK.", fsck)
            own = json.loads(read(os.path.join(copy, ".sg_vault", "local", "config.json")))["my_branch_id"]
            said.append((fsck, sgit(copy, "check", "verify", "--verbose"), messages(copy), json.loads(sgit(copy, "ls", "--json")),
                         sgit(copy, "status").replace(own, ""), sgit(copy, "branch", "list").replace(own, ""),
                         sgit(copy, "vault", "tag", "list"), hashes(working_files(copy))))
        self.assertEqual(said[0], said[1])

    def test_packed_once_more_it_is_not_written(self):
        before = os.stat(self.file)
        self.pack(self.store, self.file)
        after = os.stat(self.file)
        self.assertEqual((before.st_ino, before.st_mtime_ns), (after.st_ino, after.st_mtime_ns))

    def test_equal_stores_make_equal_files(self):
        again = os.path.join(self.new_place(), "again.sgvault")
        self.pack(self.unpacked(self.file), again, "--header-from", self.file, "--serial", "1")
        self.assertEqual(vaults.sha256(read(again)), vaults.sha256(read(self.file)))


class TheirsOddNames(Theirs):
    make = staticmethod(vaults.odd_names)


class TheirsTags(Theirs):
    make = staticmethod(vaults.tags)


class TheirsMerged(Theirs):
    make = staticmethod(vaults.merged)


class TheirsUnsigned(Theirs):
    make = staticmethod(vaults.unsigned)


class TheirsAllAtOnce(Theirs):
    """And the other clone, which has a commit that was not pushed, beside it."""

    make = staticmethod(vaults.all_at_once)

    def test_what_only_the_other_clone_has_is_never_replaced(self):
        place = self.new_place()
        other = os.path.join(self.vault.other.folder, ".sg_vault")
        file = os.path.join(place, "shared.sgvault")
        self.pack(other, file)
        before = read(file)
        refused = self.pack(self.store, file, status=5)
        self.assertIn("which the store lacks", refused.stderr.decode())
        self.assertEqual(read(file), before)
        self.assertEqual(os.listdir(place), ["shared.sgvault"])

    def test_a_union_of_both_is_in_order_in_either(self):
        copies = []
        for copy in (self.vault.main, self.vault.other):  # as they are now, to leave them so
            copies.append(os.path.join(self.new_place(), "copy"))
            shutil.copytree(copy.folder, copies[-1])
        main, other = copies
        told = [(sgit(copy, "status"), sgit(copy, "check", "fsck"), messages(copy)) for copy in copies]
        late = messages(other)[-1]
        self.assertEqual(late, "late")
        file = os.path.join(self.new_place(), "other.sgvault")
        self.pack(os.path.join(other, ".sg_vault"), file)
        added = tool("sgit-union", "--store", os.path.join(main, ".sg_vault"), file).decode().split()
        self.assertIn(json.loads(sgit(other, "history", "log", "--json"))["to_commit"], added)
        tool("sgit-union", "--store", os.path.join(other, ".sg_vault"), os.path.join(main, ".sg_vault"))
        for folder in ("data", "keys"):
            self.assertEqual(*(sorted(os.listdir(os.path.join(copy, ".sg_vault", "bare", folder))) for copy in copies))
        self.assertEqual([(sgit(copy, "status"), sgit(copy, "check", "fsck"), messages(copy)) for copy in copies], told)
        self.assertEqual(tool("sgit-union", "--store", os.path.join(main, ".sg_vault"), file), b"")


class GoesOn(Case):
    """A vault that sgit writes, packed to the same file time and again."""

    def test_a_file_follows_what_sgit_commits_and_pushes(self):
        vault = vaults.branches()
        self.addCleanup(vault.remove)
        place = self.new_place()
        key = secret(os.path.join(place, "key"), vault.key.encode())
        code = secret(os.path.join(place, "code"), tool("sgit-recovery-code"))
        lock = ended("sgit-wrap-key", "--kind", "recovery-code", "--key-file", key, "--secret-file", code).stdout
        file = os.path.join(place, "f.sgvault")
        pack = ["sgit-pack", "--store", os.path.join(vault.main.folder, ".sg_vault"), "--key-file", key, "-o", file]
        tool(*pack, "--lock", "-", give=lock)
        for step in (lambda: vault.main.commit("on", {"f": "3\n"}), vault.main.push,
                     lambda: Vault__Branch_Switch(crypto=vault.main.sync.crypto).branch_new(vault.main.folder, "third"),
                     lambda: vault.main.commit("on the third", {"third": "3\n"}), vault.main.push,
                     lambda: vault.main.sync.switch_branch(vault.main.folder, "current")):
            step()
            tool(*pack)
            self.assertEqual(tool("sgit-unpack", file, "--locks"), lock)
            out = os.path.join(self.new_place(), "out")
            tool("sgit-unpack", "--secret-file", code, file, "-d", out)
            self.assertEqual(*(self.meaning(store, key) for store in (out, os.path.join(vault.main.folder, ".sg_vault"))))
        copy = vaults.clone_from_folder(vault.key, out, os.path.join(place, "clone"))
        self.assert_in_order(copy)
        self.assertEqual(read(os.path.join(copy, "f")), b"3\n")

    def meaning(self, store, key):
        """What is in a store: of refs and the index, which sgit seals anew without a change, what they say."""
        options = ["--json", "--store", store, "--key-file", key]
        named = {path: found for path, found in store_files(store).items() if path.split("/")[0] in ("data", "keys")}
        return named, tool("sgit-read-ref", "--all", *options), json.loads(tool("sgit-branch-index", *options))


# ---------------------------------------------------------------- archives that other programs made


def zipped(compression):
    def make(copy, file):
        with zipfile.ZipFile(file, "w", compression) as archive:
            for path in sorted(files_below(os.path.join(copy, ".sg_vault", "bare"))):
                archive.write(os.path.join(copy, ".sg_vault", "bare", path), "bare/" + path)
    return make


def tarred(mode, form):
    def make(copy, file):
        with tarfile.open(file, mode, format=form) as archive:
            archive.add(os.path.join(copy, ".sg_vault", "bare"), "bare")
    return make


def packed_by(*command, within=".sg_vault"):
    """By a command that is run in a folder of the working copy, its `FILE` the archive."""
    def make(copy, file):
        run(*(file if word == "FILE" else word for word in command), cwd=os.path.join(copy, within))
    return make


def backup(*options):
    def make(copy, file):
        folder = file + ".d"
        os.mkdir(folder)
        sgit(copy, "vault", "backup", "--output-dir", folder, "--yes", *options)
        found = [name for name in os.listdir(folder) if name.endswith(".zip")]
        os.rename(os.path.join(folder, *found), file)
    return make


class Foreign(Case):
    """A store that sgit made, in an archive of every kind that people make; with each, whether it has the vault key in it."""

    WAYS = {
        "zip -r bare": (packed_by("zip", "-qr", "FILE", "bare"), False),
        "zip -r .sg_vault": (packed_by("zip", "-qr", "FILE", ".sg_vault", within="."), True),
        "zip -r of the working copy": (packed_by("zip", "-qr", "FILE", "main", within=".."), True),
        "zipfile, stored": (zipped(zipfile.ZIP_STORED), False),
        "zipfile, deflated": (zipped(zipfile.ZIP_DEFLATED), False),
        "bsdtar, zip": (packed_by("bsdtar", "-c", "--format", "zip", "-f", "FILE", "bare"), False),
        "bsdtar, zip, stored": (packed_by("bsdtar", "-c", "--format", "zip", "--options", "compression=store", "-f", "FILE", "bare"), False),
        "bsdtar, tar.gz": (packed_by("bsdtar", "-cz", "-f", "FILE", "bare"), False),
        "tar": (packed_by("tar", "-cf", "FILE", "bare"), False),
        "tar of ./bare": (packed_by("tar", "-cf", "FILE", "./bare"), False),
        "tar.gz": (packed_by("tar", "-czf", "FILE", "bare"), False),
        "tar.gz of .sg_vault": (packed_by("tar", "-czf", "FILE", ".sg_vault", within="."), True),
        "tarfile, ustar": (tarred("w", tarfile.USTAR_FORMAT), False),
        "tarfile, pax, gzip": (tarred("w:gz", tarfile.PAX_FORMAT), False),
        "a backup of sgit": (backup(), False),
        "a backup of sgit with its key": (backup("--include-key"), True),
    }

    @classmethod
    def setUpClass(cls):
        cls.vault = vaults.all_at_once()
        cls.addClassCleanup(cls.vault.remove)
        cls.copy = cls.vault.main.folder
        cls.place = cls.new_place()
        cls.key_file = secret(os.path.join(cls.place, "key"), cls.vault.key.encode() + b"\n")
        cls.read_key = secret(os.path.join(cls.place, "read-key"), tool("sgit-derive-keys", "--key-file", cls.key_file))
        cls.archives = {}
        for number, (way, (make, _)) in enumerate(cls.WAYS.items()):
            # The name says nothing of what is in it. To one without a dot `zip` appends .zip.
            cls.archives[way] = os.path.join(cls.place, "archive%d.bin" % number)
            make(cls.copy, cls.archives[way])

    def unpacked(self, way):
        folder = os.path.join(self.new_place(), "out")
        ran = ended("sgit-unpack", "--no-header", self.archives[way], "-d", folder)
        return folder, ran.stderr.decode()

    def test_the_store_comes_out_equal_and_a_key_in_the_clear_is_told_of(self):
        for way, (_, has_key) in self.WAYS.items():
            with self.subTest(way):
                folder, said = self.unpacked(way)
                self.assertEqual(store_files(folder), store_files(os.path.join(self.copy, ".sg_vault")))
                self.assertEqual(os.listdir(folder), ["bare"])
                self.assertEqual("the vault key lies in clear" in said, has_key, said)
                self.assertNotIn(self.vault.key.split(":")[0], said)
                if way.startswith("a backup"):
                    self.assertEqual("left out 'VAULT-KEY': the vault key lies in clear" in said, has_key, said)
                    self.assertIn("manifest.json", said)

    def test_without_the_option_it_is_refused_and_the_option_is_named(self):
        for way, file in self.archives.items():
            with self.subTest(way):
                folder = os.path.join(self.new_place(), "out")
                for form in (["-d", folder], ["--list"], ["--header"], ["--heads", "--key-file", self.key_file]):
                    refused = ended("sgit-unpack", file, *form, status=4)
                    self.assertEqual(refused.stdout, b"")
                    self.assertIn("--no-header", refused.stderr.decode())
                self.assertFalse(os.path.exists(folder))

    def test_the_tools_work_on_the_store(self):
        for way in self.WAYS:
            with self.subTest(way):
                folder, _ = self.unpacked(way)
                options = ["--store", folder, "--key-file", self.read_key]
                # Every object that a ref leads to is there. A ref that the index lists need not be.
                rows = [json.loads(line) for line in tool("sgit-read-ref", "--all", "--json", *options).splitlines()]
                refs = [row["commit"] for row in rows if row["commit"]]
                self.assertGreater(len(refs), 2)
                reached = {line.split()[0] for line in tool("sgit-rev-list", "--objects", *options, *refs).decode().splitlines()}
                self.assertLessEqual(reached, set(os.listdir(os.path.join(folder, "bare", "data"))))
                tool("sgit-verify-commit", *options, *tool("sgit-rev-list", *options, *refs).decode().split())
                paths = tool("sgit-ls-tree", "-r", "-z", "--name-only", "@", *options).decode().split("\0")[:-1]
                self.assertEqual(sorted(paths), sorted(working_files(self.copy)))
                for path in paths:
                    self.assertEqual(tool("sgit-cat-object", *options, "-p", "@:" + path), read(os.path.join(self.copy, path)))

    def test_of_a_backup_comes_what_sgit_restores(self):
        for way in ("a backup of sgit", "a backup of sgit with its key"):
            theirs = os.path.join(self.new_place(), "restored")
            sgit(self.copy, "vault", "restore", self.archives[way], theirs, "--mode", "bare", "--yes")
            ours, _ = self.unpacked(way)
            self.assertEqual(store_files(ours), store_files(os.path.join(theirs, ".sg_vault")))
            copy = vaults.clone_from_folder(self.vault.key, ours, os.path.join(self.new_place(), "clone"))
            self.assertEqual(working_files(copy), working_files(self.copy))
            self.assert_in_order(copy)

    def test_what_came_out_is_packed_and_opened_like_any_store(self):
        folder, _ = self.unpacked("zip -r bare")
        file = os.path.join(self.new_place(), "f.sgvault")
        tool("sgit-pack", "--store", folder, "--key-file", self.key_file, "-o", file)
        direct = os.path.join(self.new_place(), "f.sgvault")
        tool("sgit-pack", "--store", os.path.join(self.copy, ".sg_vault"), "--key-file", self.key_file, "-o", direct)
        self.assertEqual(vaults.sha256(read(file)), vaults.sha256(read(direct)))
        again = os.path.join(self.new_place(), "out")
        said = ended("sgit-unpack", "--no-header", file, "-d", again).stderr.decode()
        self.assertIn("sgvault.json", said)
        self.assertEqual(store_files(again), store_files(folder))


# ---------------------------------------------------------------- locks, between machines


class Machine:
    """A home and a folder of its own, an environment with nothing in it but the path, and no network."""

    def __init__(self, place, name):
        self.folder = os.path.join(place, name)
        os.makedirs(os.path.join(self.folder, "tmp"), mode=0o700)

    def run(self, *command, give=b"", status=0, **environment):
        ran = subprocess.run(
            [*vaults.offline(), *command], cwd=self.folder, input=give, capture_output=True,
            env={"HOME": self.folder, "TMPDIR": os.path.join(self.folder, "tmp"), "PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", **environment})
        if ran.returncode != status:
            raise AssertionError("%s ended with %d: %s%s" % (command, ran.returncode, ran.stdout.decode(), ran.stderr.decode()))
        return ran.stdout

    def sh(self, script, **options):
        """A script as a person types it."""
        return self.run("bash", "-e", "-o", "pipefail", "-c", script, **options)

    def keep(self, name, data):
        return secret(os.path.join(self.folder, name), data)

    def names(self):
        return sorted(files_below(self.folder))


def mailed(line, how):
    """A lock after a mail: as it was attached, or as the text of the mail, with the line ends of mail on the way."""
    letter = EmailMessage(policy=email.policy.SMTP)
    letter["From"], letter["To"], letter["Subject"] = "a@example.org", "b@example.org", "a lock"
    letter.set_content("Here it is.\n" if how == "attached" else line.decode())
    if how == "attached":
        letter.add_attachment(line, "application", "octet-stream", filename="paper.lock")
    sent = letter.as_bytes()
    if b"\r\n" not in sent or max(map(len, sent.split(b"\r\n"))) > 998:
        raise AssertionError("no mail: %r" % sent)
    came = email.message_from_bytes(sent, policy=email.policy.default)
    if how == "attached":
        return next(came.iter_attachments()).get_content()
    return came.get_content().replace("\r\n", "\n").encode()  # saved as a text file here


class Session(Case):
    """A code is made and locked where the key is; the lock goes by mail; the file is packed elsewhere, and opened where there is but the code."""

    @classmethod
    def setUpClass(cls):
        cls.place = cls.new_place()
        cls.desk, cls.server = Machine(cls.place, "desk"), Machine(cls.place, "server")
        cls.desk.run("sgit-vault", "init", "--store", "notes")
        for path, data in (("shopping.txt", b"Buy flour.\n"), ("d/large", vaults.noise(5_000_000, 8))):
            cls.desk.run("sgit-vault", "put", "--store", "notes", path, give=data)
        cls.vault_key = read(os.path.join(cls.desk.folder, "notes/.sg_vault/local/vault_key")).strip()
        # The server has the store, and a key, as a vault that was cloned there has.
        shutil.copytree(os.path.join(cls.desk.folder, "notes/.sg_vault/bare"), os.path.join(cls.server.folder, "store/bare"))
        cls.server.keep("key", cls.vault_key + b"\n")
        cls.desk.keep("code", cls.desk.run("sgit-recovery-code"))
        cls.lock = cls.desk.sh("sgit-wrap-key --kind recovery-code --label 'paper in the safe' "
                               "--key-file notes/.sg_vault/local/vault_key --secret-file code")

    def other_machine(self, file, **secrets):
        machine = Machine(self.new_place(), "other")
        shutil.copy(file, os.path.join(machine.folder, "F"))
        for name, data in secrets.items():
            machine.keep(name, data)
        return machine

    def test_from_the_desk_by_mail_to_the_server_and_to_a_machine_with_but_the_paper(self):
        for how in ("attached", "as text"):
            with self.subTest(how):
                name = how.replace(" ", "-")
                self.server.run("sgit-pack", "--store", "store", "--key-file", "key", "--lock", "-", "-o", name, give=mailed(self.lock, how))
                file = os.path.join(self.server.folder, name)
                other = self.other_machine(file, code=read(os.path.join(self.desk.folder, "code")))
                self.assertEqual(other.sh("sgit-unpack --locks F"), self.lock)
                self.assertEqual(other.sh("sgit-unpack --locks F | sgit-unwrap-key --secret-file code"), self.prefixed())
                other.sh("sgit-unpack --secret-file code F -d copy")
                self.assertEqual(store_files(os.path.join(other.folder, "copy")), store_files(os.path.join(self.desk.folder, "notes/.sg_vault")))
                before = other.names()
                said = other.sh("sgit-unpack --locks F | sgit-unwrap-key --secret-file code --exec sgit-cat-object --store copy -p @:shopping.txt")
                self.assertEqual(said, b"Buy flour.\n")
                self.assertEqual(other.names(), before)
                for path, data in files_below(other.folder).items():
                    self.assertNotIn(self.passphrase(), data, path)

    def passphrase(self):
        return self.vault_key.removeprefix(b"sgit_private_vault_").split(b":")[0]

    def prefixed(self):
        return b"sgit_private_vault_" + self.vault_key.removeprefix(b"sgit_private_vault_") + b"\n"

    def packed(self, lock, name):
        self.server.run("sgit-pack", "--store", "store", "--key-file", "key", "--lock", "-", "-o", name, give=lock)
        return os.path.join(self.server.folder, name)

    def test_the_python_sgit_clones_with_the_key_that_came_out(self):
        other = self.other_machine(self.packed(self.lock, "for-sgit"), code=read(os.path.join(self.desk.folder, "code")))
        other.sh("sgit-unpack --secret-file code F -d copy; "
                 "sgit-unpack --locks F | sgit-unwrap-key --secret-file code | sgit clone --transport local --base-url \"$PWD/copy\" - clone")
        clone = os.path.join(other.folder, "clone")
        self.assertEqual(read(os.path.join(clone, "shopping.txt")), b"Buy flour.\n")
        self.assert_in_order(clone, 3)

    def test_with_a_read_key_sgit_clones_to_read(self):
        lock = self.desk.sh("sgit-wrap-key --kind recovery-code --grants read "
                            "--key-file notes/.sg_vault/local/vault_key --secret-file code")
        other = self.other_machine(self.packed(lock, "for-reading"), code=read(os.path.join(self.desk.folder, "code")))
        key = other.sh("sgit-unpack --locks F | sgit-unwrap-key --secret-file code")
        self.assertEqual(key, tool("sgit-derive-keys", give=self.vault_key))
        other.sh("sgit-unpack --secret-file code F -d copy; "
                 "sgit-unpack --locks F | sgit-unwrap-key --secret-file code | sgit clone --transport local --base-url \"$PWD/copy\" - clone")
        self.assertEqual(read(os.path.join(other.folder, "clone", "shopping.txt")), b"Buy flour.\n")

    def test_the_code_is_taken_as_people_type_it(self):
        code = read(os.path.join(self.desk.folder, "code")).decode()
        file = self.packed(self.lock, "typed")
        for typed in (code.lower(), code.replace("-", " "), code.replace("-", ""), code.replace("-", "\r\n"), "  " + code.strip()):
            other = self.other_machine(file, code=typed.encode())
            self.assertEqual(other.sh("sgit-unpack --locks F | sgit-unwrap-key --secret-file code"), self.prefixed())
            self.assertEqual(other.sh("sgit-unpack F --header --secret-file code").splitlines()[-1], b"verified")

    def test_a_code_of_another_paper_does_not_open_it(self):
        other = self.other_machine(self.packed(self.lock, "wrong"), code=tool("sgit-recovery-code"))
        other.sh("sgit-unpack --locks F | sgit-unwrap-key --secret-file code", status=3)
        other.sh("sgit-unpack --locks F | sgit-unwrap-key --secret-file code --exec touch ran", status=3)
        other.sh("sgit-unpack --secret-file code F -d copy", status=3)
        self.assertEqual(other.names(), ["F", "code"])

    def test_a_lock_with_the_line_ends_of_mail_is_refused_and_the_file_not_made(self):
        self.server.run("sgit-pack", "--store", "store", "--key-file", "key", "--lock", "-", "-o", "crlf",
                        give=self.lock.replace(b"\n", b"\r\n"), status=4)
        self.assertFalse(os.path.exists(os.path.join(self.server.folder, "crlf")))

    def test_a_key_pair_opens_what_was_locked_with_its_public_half(self):
        kinds = {"rsa-oaep": ["-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"],
                 "p256": ["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"]}
        for kind, algorithm in kinds.items():
            with self.subTest(kind):
                private, public = key_pair(self.new_place(), kind, *algorithm)
                lock = self.desk.run("sgit-wrap-key", "--kind", kind, "--recipient", public, "--key-file", "notes/.sg_vault/local/vault_key")
                self.opened(self.packed(mailed(lock, "as text"), kind), read(private))

    def opened(self, file, private):
        other = self.other_machine(file, private=private)
        self.assertEqual(other.sh("sgit-unpack --locks F | sgit-unwrap-key --secret-file private"), self.prefixed())
        other.sh("sgit-unpack --secret-file private F -d copy")
        said = other.sh("sgit-unpack --locks F | sgit-unwrap-key --secret-file private --exec sgit-cat-object --store copy -p @:shopping.txt")
        self.assertEqual(said, b"Buy flour.\n")

    def test_the_key_pairs_of_sgit_pki_open_it(self):
        """What `sgit pki export` prints locks; the private halves open once openssl has taken their passphrase off."""
        owner = Machine(self.new_place(), "owner")
        owner.run("sgit", "pki", "keygen", "--label", "me", SG_SEND_PASSPHRASE="of the pair")
        keys = os.path.join(owner.folder, ".sg-send", "keys")
        folder, = os.listdir(keys)
        bundle = json.loads(owner.run("sgit", "pki", "export", folder.replace("_", ":")))
        for kind, member, file in (("rsa-oaep", "encrypt", "private_key.pem"), ("p256", "sign", "signing_private.pem")):
            with self.subTest(kind):
                write(self.desk.folder, kind + ".pub", bundle[member].encode())
                lock = self.desk.run("sgit-wrap-key", "--kind", kind, "--recipient", kind + ".pub", "--key-file", "notes/.sg_vault/local/vault_key")
                packed = self.packed(lock, "pki-" + kind)
                sealed = os.path.join(keys, folder, file)
                self.other_machine(packed, private=read(sealed)).sh("sgit-unpack --locks F | sgit-unwrap-key --secret-file private", status=3)
                self.opened(packed, owner.run("openssl", "pkey", "-in", sealed, "-passin", "env:PASS", PASS="of the pair"))


CASES = (Ours, OursFormat1, OursDeflated, OursEmpty, OursEmptyFormat1, TheirsOddNames, TheirsTags, TheirsMerged, TheirsUnsigned,
         TheirsAllAtOnce, GoesOn, Foreign, Session)


def load_tests(loader, tests, pattern):
    suite = unittest.TestSuite()
    for case in CASES:
        suite.addTests(loader.loadTestsFromTestCase(case))
    return suite


if __name__ == "__main__":
    unittest.main()
