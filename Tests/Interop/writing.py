"""What our tools write, the Python sgit clones, checks, and goes on from."""
import json
import os
import re
import subprocess
import sys
import unittest

import vaults
from commands import Case, changes, hashes, head, messages, secret, sgit, tool, working_files, write

# ---------------------------------------------------------------- vaults from nothing, cloned


class Cloned(Case):
    """A vault that our tools made. `make` gives its key, the folder that holds `bare`, its files and its messages."""

    unsigned = 0
    width = 32

    @classmethod
    def setUpClass(cls):
        cls.place = cls.new_place()
        cls.files, cls.told = {}, []
        cls.key, cls.host = cls.make()
        cls.copy = os.path.join(cls.place, "copy")
        vaults.clone_from_folder(cls.key, cls.host, cls.copy)
        cls.listing = json.loads(sgit(cls.copy, "ls", "--json"))

    def test_the_working_copy_has_every_file_byte_for_byte(self):
        self.assertEqual(hashes(working_files(self.copy)), hashes(self.files))

    def test_every_message_is_in_the_log(self):
        self.assertEqual(messages(self.copy), self.told)
        text = sgit(self.copy, "history", "log")
        for message in self.told:
            self.assertIn(message.split("\n")[0], text)

    def test_fsck_and_verify_are_content(self):
        good = len(self.told) - self.unsigned
        self.assert_in_order(self.copy, good, self.unsigned)
        self.assertIn("Checked %d commit(s): %d verified, 0 bad, %d unsigned, 0 without a known key, 0 missing"
                      % (len(self.told), good, self.unsigned), sgit(self.copy, "check", "verify"))

    def test_nothing_is_changed_and_nothing_to_commit(self):
        self.assertEqual(changes(self.copy), [])

    def test_sgit_lists_every_file_with_its_size(self):
        listed = {entry["path"]: entry["size"] for entry in self.listing}
        self.assertEqual(listed, {path: len(data) for path, data in self.files.items()})

    def test_new_objects_have_the_width_of_the_format(self):
        for name in os.listdir(os.path.join(self.host, "bare", "data")):
            self.assertEqual(len(name), len("obj-cas-imm-") + self.width)

    def test_sgit_commits_on_top(self):
        copy = os.path.join(self.place, "other")
        vaults.clone_from_folder(self.key, self.host, copy)
        write(copy, "by sgit", b"sgit\n")
        sgit(copy, "commit", "on top")
        self.assertEqual(messages(copy), [*self.told, "on top"])
        self.assert_in_order(copy, len(self.told) + 1 - self.unsigned, self.unsigned)
        listed = {entry["path"] for entry in json.loads(sgit(copy, "ls", "--json"))}
        self.assertEqual(listed, {*self.files, "by sgit"})


class ByPlumbing(Cloned):
    """Objects, trees, commits, refs and the index, each written by its own tool."""

    deflate = False

    @classmethod
    def run_tool(cls, *command, give=b"", **more):
        return tool(*command, give=give, SGIT_STORE=cls.host, SGIT_KEY_FILE=cls.key_file, **more)

    @classmethod
    def one(cls, *command, give=b""):
        return cls.run_tool(*command, give=give).decode().strip("\n\0")

    @classmethod
    def make(cls):
        cls.host = os.path.join(cls.place, "host")
        os.makedirs(os.path.join(cls.host, "bare", "data"))
        key = "plumbing alone, format %d:plumbed%d" % (cls.width, cls.width)
        cls.key_file = secret(os.path.join(cls.place, "key"), key.encode() + b"\n")
        cls.begin()
        cls.fill()
        return key, cls.host

    @classmethod
    def begin(cls):
        cls.signing = os.path.join(cls.place, "signing.pem")
        public = os.path.join(cls.place, "public.pem")
        old = os.umask(0o077)
        subprocess.run(["openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", cls.signing],
                       check=True, capture_output=True)
        subprocess.run(["openssl", "pkey", "-in", cls.signing, "-pubout", "-out", public], check=True, capture_output=True)
        os.umask(old)
        cls.key_id = cls.one("sgit-branch-index", "add-key", public)
        cls.one("sgit-branch-index", "add-branch", "current")
        cls.one("sgit-branch-index", "add-branch", "--type", "clone", "--key", cls.key_id, "--creator", "current", "local")
        if cls.width == 32:
            cls.one("sgit-branch-index", "set-format", "2")
        if cls.deflate:
            cls.one("sgit-branch-index", "set-min-client", "0.24.0")
            cls.one("sgit-branch-index", "add-feature", "blob-deflate")

    @classmethod
    def blobs(cls, files):
        """Stores files; path to blob id."""
        work = os.path.join(cls.place, "work")
        paths = sorted(files)
        for path in paths:
            write(work, path, files[path])
        ids = cls.run_tool("sgit-hash-object", "-w", "-z", "--stdin-paths",
                           give=b"".join(os.path.join(work, path).encode() + b"\0" for path in paths))
        return dict(zip(paths, ids.decode().replace("\0", "\n").split()))

    @classmethod
    def tree(cls, blobs):
        """A tree, made from the leaves up, from {path: blob id}."""
        lines, below = [], {}
        for path, blob in blobs.items():
            first, _, rest = path.partition("/")
            if rest:
                below.setdefault(first, {})[rest] = blob
            else:
                lines.append("blob %s\t%s\0" % (blob, first))
        lines += ["tree %s\t%s\0" % (cls.tree(inner), name) for name, inner in below.items()]
        return cls.one("sgit-mktree", "-z", give="".join(reversed(lines)).encode())

    @classmethod
    def commit(cls, tree, message, signed=True):
        parents = ["-p", "local"] if cls.told else []
        signing = ["--sign-key-file", cls.signing, "--branch", "local"] if signed else []
        commit = cls.one("sgit-commit-tree", *parents, "-F", "-", *signing, tree, give=message.encode())
        if cls.told:
            cls.run_tool("sgit-update-ref", "--stdin", give=("update local %s\nupdate current %s\n" % (commit, commit)).encode())
        else:
            cls.run_tool("sgit-update-ref", "local", commit, "0" * 40)
            cls.run_tool("sgit-update-ref", "current", commit, "0" * 40)
        cls.told.append(message)
        return commit

    @classmethod
    def fill(cls):
        cls.commit(cls.one("sgit-mktree"), "init", signed=not cls.unsigned)
        cls.files = {
            "a.txt": b"a\n", "caf\u00e9.txt": b"composed\n", "cafe\u0301.txt": b"decomposed\n", "empty": b"",
            "big.bin": vaults.noise(4_500_000, 5), "zeros": bytes(300_000), "d/e/f/deep.json": b"{}\n",
            "d/e/beside": b"beside\n", "d/z": b"z", "\u65e5\u672c\u8a9e/\u8aac\u660e.md": "\u8aac\u660e\n".encode(),
            "two words/and more": b"1\n", 'quote".txt': b'"\n', "tab\tinside": b"\t", "line\nend": b"\n",
            "\U0001f680": b"rocket\n", "B": b"B", "a": b"no extension", "a b/1": b"1", "a-b/1": b"1", "goes": b"goes\n"}
        cls.commit(cls.tree(cls.blobs(cls.files)), "many files\n\nand a second paragraph: \u00fcn\u00ef \U0001f680")
        # The next root is the last one's listing, with a line changed, one taken out and one added.
        lines = cls.run_tool("sgit-ls-tree", "-l", "-z", "@").decode().split("\0")[:-1]
        lines = [line for line in lines if line.split("\t", 1)[1] not in ("goes", "a.txt")]
        changed = cls.blobs({"a.txt": b"changed\n", "comes": b"comes\n"})
        lines += ["blob %s\t%s" % (blob, path) for path, blob in changed.items()]
        cls.commit(cls.one("sgit-mktree", "-z", give="".join(line + "\0" for line in lines).encode()), "an edit")
        del cls.files["goes"]
        cls.files.update({"a.txt": b"changed\n", "comes": b"comes\n"})

    def test_what_is_larger_than_4_mib_is_large(self):
        large = {entry["path"] for entry in self.listing if entry["large"]}
        self.assertEqual(large, {path for path, data in self.files.items() if len(data) > 4_194_304})

    def test_blobs_are_deflated_only_with_the_feature(self):
        kinds = set()
        for name in os.listdir(os.path.join(self.host, "bare", "data")):
            with open(os.path.join(self.host, "bare", "data", name), "rb") as file:
                kinds.add(file.read(5) == b"\0sgz1")
        self.assertEqual(kinds, {True, False} if self.deflate else {False})


class ByPlumbingFormat1(ByPlumbing):
    width = 12


class ByPlumbingDeflated(ByPlumbing):
    deflate = True


class ByPlumbingUnsignedRoot(ByPlumbing):
    unsigned = 1
    width = 12


class ByPlumbingAtItsLimits(ByPlumbing):
    """The longest message, and names as long as a file system takes."""

    @classmethod
    def fill(cls):
        cls.files = {"x" * 255: b"1", "\u00e9" * 127 + "y": b"2", "/".join("%d" % n * 255 for n in range(3)): b"3"}
        cls.commit(cls.one("sgit-mktree"), "init")
        cls.commit(cls.tree(cls.blobs(cls.files)), "\u00e9" * 370)

    def test_the_message_is_one_of_740_bytes(self):
        self.assertEqual(len(messages(self.copy)[-1].encode()), 740)

    test_what_is_larger_than_4_mib_is_large = None


class ByVault(Cloned):
    """The same from the tool that does all of it."""

    @classmethod
    def make(cls):
        folder = os.path.join(cls.place, "made")
        tool("sgit-vault", "init", "--store", folder, "--format", "2" if cls.width == 32 else "1")
        cls.told.append("init")

        def put(path, data, message=None):
            tool("sgit-vault", "put", "--store", folder, *(["-m", message] if message else []), "--", path, give=data)
            cls.files[path] = data
            cls.told.append(message or "write " + path)

        put("a.txt", b"a\n")
        put("d/e/f/deep.json", b"{}\n", "deep\n\nand a second paragraph: \u00fcn\u00ef \U0001f680")
        put("caf\u00e9", b"composed")
        put("cafe\u0301", b"decomposed")
        put("x" * 255, b"", "\u00e9" * 370)
        put("a.txt", b"changed\n")
        many = {"sub/%d" % n: b"%d\n" % n for n in range(20)}
        many["big"] = vaults.noise(4_500_000, 6)
        for path, data in many.items():
            write(os.path.join(cls.place, "many"), path, data)
        tool("sgit-vault", "put", "--store", folder, "-m", "many", "many", os.path.join(cls.place, "many"))
        cls.told.append("many")
        cls.files.update({"many/" + path: data for path, data in many.items()})
        tool("sgit-vault", "rm", "--store", folder, "-m", "less", "many/sub/3", "d/e/f/deep.json")
        cls.told.append("less")
        del cls.files["many/sub/3"], cls.files["d/e/f/deep.json"]
        with open(os.path.join(folder, ".sg_vault", "local", "vault_key"), encoding="utf-8") as file:
            return file.read().strip(), os.path.join(folder, ".sg_vault")


class ByVaultFormat1(ByVault):
    width = 12


# ---------------------------------------------------------------- sgit and ours in one folder


class InPlace(Case):
    """A folder that `sgit-vault init` made, in which sgit works too. Its own files are not checked out."""

    format = "2"

    def setUp(self):
        self.folder = os.path.join(self.new_place(), "folder")
        tool("sgit-vault", "init", "--store", self.folder, "--format", self.format)

    def put(self, path, data):
        return tool("sgit-vault", "put", "--store", self.folder, path, give=data).decode().strip()

    def listed(self):
        return sorted(tool("sgit-vault", "ls", "-r", "-z", "--store", self.folder).decode().split("\0")[:-1])

    def parents(self, commit):
        key = os.path.join(self.folder, ".sg_vault", "local", "vault_key")
        line = tool("sgit-rev-list", "--parents", "-n", "1", commit, SGIT_STORE=os.path.join(self.folder, ".sg_vault"), SGIT_KEY_FILE=key)
        return line.decode().split()[1:]

    def assert_all_agree(self, paths):
        """Ours, the plumbing and sgit see these files in the head, and nothing is changed."""
        self.assertEqual(self.listed(), sorted(paths))
        key = os.path.join(self.folder, ".sg_vault", "local", "vault_key")
        plumbing = tool("sgit-ls-tree", "-r", "-z", "--name-only", "local", SGIT_STORE=os.path.join(self.folder, ".sg_vault"), SGIT_KEY_FILE=key)
        self.assertEqual(sorted(plumbing.decode().split("\0")[:-1]), sorted(paths))
        self.assertEqual(sorted(e["path"] for e in json.loads(sgit(self.folder, "ls", "--json"))), sorted(paths))
        self.assertEqual(changes(self.folder), [])
        self.assert_in_order(self.folder)

    def test_an_empty_one(self):
        self.assertEqual(changes(self.folder), [])
        self.assertEqual(messages(self.folder), ["init"])
        self.assert_in_order(self.folder, verified=1)

    def test_the_name_of_the_host_does_not_matter(self):
        folder = os.path.join(self.new_place(), "named")
        subprocess.run([*vaults.unshare("--uts"), sys.executable, "-c",
                        "import os, socket; socket.sethostname('a host.of.example'); os.execvp('sgit-vault', %r)"
                        % (["sgit-vault", "init", "--store", folder],)], check=True, capture_output=True)
        self.assertEqual(changes(folder), [])
        self.assert_in_order(folder, verified=1)

    def test_sgit_commits_in_an_empty_one(self):
        write(self.folder, "first", b"1\n")
        self.assertEqual(changes(self.folder), ["first"])
        sgit(self.folder, "commit", "by sgit")
        self.assertEqual(messages(self.folder), ["init", "by sgit"])
        self.assert_all_agree(["first"])

    def test_sgit_commits_after_ours_and_ours_after_sgit(self):
        self.put("a", b"a\n")
        self.put("d/e", b"e\n")
        self.assertEqual(changes(self.folder), [])
        write(self.folder, "n/new", b"new\n")
        self.assertEqual(changes(self.folder), ["n/new"])
        sgit(self.folder, "commit", "by sgit")
        theirs = head(self.folder)
        self.assertEqual(messages(self.folder), ["init", "write a", "write d/e", "by sgit"])
        self.assert_all_agree(["a", "d/e", "n/new"])
        ours = self.put("after", b"after\n")
        self.assertEqual(self.parents(ours), [theirs])
        self.assertEqual(messages(self.folder)[-1], "write after")
        self.assert_all_agree(["a", "after", "d/e", "n/new"])
        write(self.folder, "last", b"last\n")
        sgit(self.folder, "commit", "by sgit again")
        self.assert_all_agree(["a", "after", "d/e", "last", "n/new"])

    def test_what_sgit_has_checked_out_stays_in_step(self):
        """sgit notes what it committed from disk: were such a file absent or old there, its next commit would undo ours."""
        write(self.folder, "f", b"1\n")
        sgit(self.folder, "commit", "by sgit")
        self.put("f", b"2\n")
        self.assert_all_agree(["f"])
        self.assertEqual(working_files(self.folder), {"f": b"2\n"})
        tool("sgit-vault", "rm", "--store", self.folder, "f")
        self.assert_all_agree([])
        self.put("f", b"3\n")
        self.assert_all_agree(["f"])
        write(self.folder, "g", b"g\n")
        sgit(self.folder, "commit", "by sgit again")
        self.assert_all_agree(["f", "g"])
        self.assertEqual(tool("sgit-vault", "cat", "--store", self.folder, "f"), b"3\n")


class InPlaceFormat1(InPlace):
    format = "1"
    test_the_name_of_the_host_does_not_matter = test_what_sgit_has_checked_out_stays_in_step = test_an_empty_one = None


class InAClone(Case):
    """A clone that sgit made: a commit of ours is clean in it, and sgit goes on from there."""

    def setUp(self):
        self.place = self.new_place()
        made = os.path.join(self.place, "made")
        tool("sgit-vault", "init", "--store", made)
        for path in ("a", "d/b", "d/c"):
            tool("sgit-vault", "put", "--store", made, path, give=path.encode())
        with open(os.path.join(made, ".sg_vault", "local", "vault_key"), encoding="utf-8") as file:
            self.key = file.read().strip()
        self.copy = os.path.join(self.place, "copy")
        vaults.clone_from_folder(self.key, os.path.join(made, ".sg_vault"), self.copy)
        self.local = os.path.join(self.copy, ".sg_vault", "local")
        self.surroundings = {"SGIT_STORE": os.path.join(self.copy, ".sg_vault"), "SGIT_KEY_FILE": os.path.join(self.local, "vault_key")}
        with open(os.path.join(self.local, "config.json"), encoding="utf-8") as file:
            self.branch = json.load(file)["my_branch_id"]
        self.told = ["init", "write a", "write d/b", "write d/c"]

    def plumbing(self, *command, give=b""):
        return tool(*command, give=give, **self.surroundings).decode()

    def assert_state(self, files):
        self.assertEqual(changes(self.copy), [])
        self.assertEqual(working_files(self.copy), files)
        self.assertEqual(messages(self.copy), self.told)
        listed = tool("sgit-vault", "ls", "-r", "-z", "--store", self.copy).decode().split("\0")[:-1]
        self.assertEqual(sorted(listed), sorted(files))
        self.assertEqual(sorted(e["path"] for e in json.loads(sgit(self.copy, "ls", "--json"))), sorted(files))
        self.assert_in_order(self.copy, verified=len(self.told))

    def sgit_goes_on(self, files):
        files = {**files, "theirs/new": b"by sgit\n"}
        write(self.copy, "theirs/new", b"by sgit\n")
        self.assertEqual(changes(self.copy), ["theirs/new"])
        sgit(self.copy, "commit", "by sgit")
        self.told.append("by sgit")
        self.assert_state(files)
        return files

    def test_a_commit_of_sgit_vault(self):
        files = {"a": b"a", "d/b": b"d/b", "d/c": b"d/c"}
        self.assert_state(files)
        for path, data in (("new/file", b"new\n"), ("d/b", b"changed\n")):
            tool("sgit-vault", "put", "--store", self.copy, path, give=data)
            files[path] = data
            self.told.append("write " + path)
            self.assert_state(files)
        tool("sgit-vault", "rm", "--store", self.copy, "-m", "gone", "d/c")
        del files["d/c"]
        self.told.append("gone")
        self.assert_state(files)
        files = self.sgit_goes_on(files)
        tool("sgit-vault", "put", "--store", self.copy, "after", give=b"after\n")
        self.told.append("write after")
        self.assert_state({**files, "after": b"after\n"})

    def test_only_the_ref_of_the_clone_moves(self):
        before = self.plumbing("sgit-read-ref", "current")
        tool("sgit-vault", "put", "--store", self.copy, "a", give=b"changed\n")
        self.assertEqual(self.plumbing("sgit-read-ref", "current"), before)
        self.assertEqual(self.plumbing("sgit-read-ref", self.branch).strip(), head(self.copy))
        self.assertIn("1 commit ahead", sgit(self.copy, "status"))
        self.assertNotEqual(self.plumbing("sgit-read-ref", self.branch), before)

    def test_a_commit_of_the_plumbing(self):
        write(self.copy, "d/b", b"changed\n")
        write(self.copy, "new", b"new\n")
        blobs = self.plumbing("sgit-hash-object", "-w", os.path.join(self.copy, "d/b"), os.path.join(self.copy, "new")).split()
        old = self.plumbing("sgit-read-ref", self.branch).strip()
        kept = [line for line in self.plumbing("sgit-ls-tree", "-l", old + ":d").splitlines(True) if not line.endswith("\tb\n")]
        folder = self.plumbing("sgit-mktree", give=("".join(kept) + "blob %s\tb\n" % blobs[0]).encode()).strip()
        kept = [line for line in self.plumbing("sgit-ls-tree", "-l", old).splitlines(True) if not line.endswith("\td\n")]
        root = self.plumbing("sgit-mktree", give=("".join(kept) + "tree %s\td\nblob %s\tnew\n" % (folder, blobs[1])).encode()).strip()
        signing = [name for name in os.listdir(self.local) if name.endswith(".pem")]
        self.assertEqual(len(signing), 1)
        commit = self.plumbing("sgit-commit-tree", "-p", old, "-m", "by plumbing", "--sign-key-file", os.path.join(self.local, signing[0]), root).strip()
        self.plumbing("sgit-update-ref", self.branch, commit, old)
        self.told.append("by plumbing")
        files = {"a": b"a", "d/b": b"changed\n", "d/c": b"d/c", "new": b"new\n"}
        self.assert_state(files)
        shown = json.loads(self.plumbing("sgit-rev-list", "--json", "-n", "1", commit))
        self.assertEqual(shown["branch"], self.branch)
        self.sgit_goes_on(files)


# ---------------------------------------------------------------- sgit's vaults, read by sgit-vault


class Theirs(Case):
    """What `sgit init` and `sgit commit` made, as sgit-vault shows it."""

    def test_every_kind_of_vault(self):
        for make in vaults.MAKERS:
            with self.subTest(make.__name__):
                vault = make()
                self.addCleanup(vault.remove)
                self.look(vault.main)

    def look(self, copy):
        told = {entry["path"]: entry for entry in json.loads(sgit(copy.folder, "ls", "--json"))}
        listed = tool("sgit-vault", "ls", "-r", "-z", "--store", copy.folder).decode().split("\0")[:-1]
        self.assertEqual(sorted(listed), sorted(told))
        for path in list(told)[:12]:
            with open(os.path.join(copy.folder, path), "rb") as file:
                self.assertEqual(tool("sgit-vault", "cat", "--store", copy.folder, "--", path), file.read(), path)
        rows = [json.loads(line) for line in tool("sgit-vault", "ls", "-r", "--json", "--store", copy.folder).splitlines()]
        self.assertEqual({row["path"]: (row["id"], row["size"]) for row in rows}, {p: (e["blob_id"], e["size"]) for p, e in told.items()})
        log = json.loads(sgit(copy.folder, "history", "log", "--json"))
        ours = re.findall("^commit (.*)$", tool("sgit-vault", "log", "--store", copy.folder).decode(), re.MULTILINE)
        self.assertEqual(ours[0], log["to_commit"])
        self.assertLessEqual({commit["commit_id"] for commit in log["commits"]}, set(ours))
        rows = [json.loads(line) for line in tool("sgit-vault", "log", "--json", "--store", copy.folder).splitlines()]
        told = {commit["commit_id"]: commit["message"] for commit in log["commits"]}
        self.assertEqual({row["id"]: row["message"] for row in rows if row["id"] in told}, told)


# ---------------------------------------------------------------- a disk that is full


class FullDisk(Case):
    def test_what_a_put_leaves_on_a_full_disk_is_in_order(self):
        place = self.new_place()
        run = subprocess.run(
            [*vaults.unshare("--mount"), "bash", "-c", 'mount -t tmpfs -o size=1m none "$1" && exec "${@:2}"', "full", place,
             sys.executable, os.path.abspath(__file__), "--full-disk", place], capture_output=True)
        self.assertEqual(run.returncode, 0, run.stdout.decode() + run.stderr.decode())
        self.assertEqual(json.loads(run.stdout), {"failed": True, "worked": True})


def full_disk(place):
    """Runs where `place` is a small file system of its own."""
    folder, fill = os.path.join(place, "v"), os.path.join(place, "fill")
    tool("sgit-vault", "init", "--store", folder)
    tool("sgit-vault", "put", "--store", folder, "kept", give=b"kept\n")
    case, statuses, commits = Case(), [], 2
    for free in range(0, 65536, 8192):
        with open(fill, "wb", buffering=0) as file:
            try:
                while file.write(bytes(4096)):
                    pass
            except OSError:
                pass
            file.truncate(file.tell() - free)
        run = subprocess.run(["sgit-vault", "put", "--store", folder, "d/%d" % free], input=vaults.noise(20_000, free), capture_output=True)
        os.remove(fill)
        case.assertIn(run.returncode, (0, 128), run.stderr.decode())
        statuses.append(run.returncode)
        commits += run.returncode == 0
        case.assert_in_order(folder, verified=commits)
        case.assertEqual(len(messages(folder)), commits)
        case.assertEqual(tool("sgit-vault", "cat", "--store", folder, "kept"), b"kept\n")
        if len(statuses) > 3 and statuses[-1] == statuses[-2] == 0:
            break
    tool("sgit-vault", "put", "--store", folder, "after", give=b"after\n")
    case.assert_in_order(folder, verified=commits + 1)
    print(json.dumps({"failed": 128 in statuses, "worked": 0 in statuses}))


CASES = (ByPlumbing, ByPlumbingFormat1, ByPlumbingDeflated, ByPlumbingUnsignedRoot, ByPlumbingAtItsLimits, ByVault, ByVaultFormat1,
         InPlace, InPlaceFormat1, InAClone, Theirs, FullDisk)


def load_tests(loader, tests, pattern):
    suite = unittest.TestSuite()
    for case in CASES:
        suite.addTests(loader.loadTestsFromTestCase(case))
    return suite


if __name__ == "__main__":
    if sys.argv[1:2] == ["--full-disk"]:
        full_disk(sys.argv[2])
    else:
        unittest.main()
