"""What the Python sgit wrote, our tools read, and say of it what sgit says."""
import base64
import json
import os
import re
import subprocess
import unittest

import vaults
from sgit_ai.crypto.PKI__Crypto import PKI__Crypto
from sgit_ai.storage.Vault__Commit import Vault__Commit
from sgit_ai.storage.Vault__Sub_Tree import Vault__Sub_Tree


def sgit(copy, *arguments):
    """What a command of sgit prints in a working copy."""
    run = subprocess.run(["sgit", *arguments], cwd=copy.folder, capture_output=True)
    if run.returncode != 0:
        raise AssertionError("sgit %s ended with %d: %s" % (arguments, run.returncode, run.stderr.decode()))
    return run.stdout


class Reading(unittest.TestCase):
    """What holds of every vault; a class for each vault says with `make` how it comes about."""

    @classmethod
    def setUpClass(cls):
        cls.vault = cls.make()
        cls.copy = cls.vault.main
        cls.key_file = os.path.join(cls.vault.place, "read-key")
        with open(os.open(cls.key_file, os.O_WRONLY | os.O_CREAT, 0o600), "wb") as file:
            file.write(subprocess.run(
                ["sgit-derive-keys"], input=cls.vault.key.encode() + b"\n", check=True, capture_output=True).stdout)
        cls.parts = cls.copy.parts()
        cls.crypto = cls.copy.sync.crypto
        log = json.loads(sgit(cls.copy, "history", "log", "--json"))
        cls.head = log["to_commit"]
        cls.log = {c["commit_id"]: c for c in log["commits"]}

    @classmethod
    def tearDownClass(cls):
        cls.vault.remove()

    def tool(self, name, *arguments, give=b"", status=0):
        environment = dict(os.environ, SGIT_STORE=self.copy.store, SGIT_KEY_FILE=self.key_file)
        run = subprocess.run([name, *arguments], input=give, env=environment, capture_output=True)
        self.assertEqual(run.returncode, status, "%s %s: %s" % (name, arguments, run.stderr.decode()))
        return run.stdout

    def json_lines(self, name, *arguments, **options):
        return [json.loads(line) for line in self.tool(name, *arguments, **options).splitlines()]

    def entries(self, commit):
        """Path to entry, of each file below a commit, as sgit reads them."""
        tree = str(self.commit_of(commit).tree_id)
        return Vault__Sub_Tree(crypto=self.crypto, obj_store=self.parts.obj_store).flatten(
            tree, self.parts.read_key)

    def commit_of(self, commit):
        return Vault__Commit(
            crypto=self.crypto, pki=PKI__Crypto(), object_store=self.parts.obj_store,
            ref_manager=self.parts.ref_manager).load_commit(commit, self.parts.read_key)

    def plaintext(self, object_id):
        return self.crypto.decrypt(self.parts.read_key, self.parts.obj_store.load(object_id))

    def index(self):
        return self.parts.branch_manager.load_branch_index(
            self.copy.folder, self.parts.branch_index_file_id, self.parts.read_key)

    def test_keys_and_derived_names_are_sgits(self):
        told = self.crypto.derive_keys_from_vault_key(self.vault.key)
        ours = dict(
            line.split(" ", 1) for line in subprocess.run(
                ["sgit-derive-keys", "--all"], input=self.vault.key.encode(), check=True, capture_output=True
            ).stdout.decode().splitlines())
        self.assertEqual(ours["vault-id"], told["vault_id"])
        self.assertEqual(ours["read-key"], told["read_key"])
        self.assertEqual(ours["write-key"], told["write_key"])
        self.assertEqual(ours["ref-id"], told["ref_file_id"])
        self.assertEqual(ours["index-id"], told["branch_index_file_id"])
        self.assertEqual(
            ours["structure-key"], self.crypto.derive_structure_key(bytes.fromhex(told["read_key"])).hex())

    def test_history_is_that_of_history_log(self):  # which follows first parents only
        ours = {c["id"]: c for c in self.json_lines("sgit-rev-list", "--first-parent", "--json", self.head)}
        self.assertEqual(set(ours), set(self.log))
        for commit, told in self.log.items():
            self.assertEqual(ours[commit]["parents"], [str(p) for p in self.commit_of(commit).parents or []])
            self.assertEqual(ours[commit]["parents"][:1], told["parent_ids"])
            self.assertEqual(ours[commit]["message"], told["message"])
            self.assertEqual(ours[commit]["branch"], told["branch_id"])
            self.assertTrue(ours[commit]["time"].startswith(told["timestamp_iso"][:19]))
        plain = self.tool("sgit-rev-list", "--first-parent", self.head).decode().split()
        self.assertEqual(plain, list(ours))
        self.assertEqual(plain, [c for c in reversed(self.log)])

    def test_verdicts_are_those_of_check_verify(self):
        told = {}
        for line in sgit(self.copy, "check", "verify", "--verbose").decode().splitlines():
            found = re.fullmatch(r"  (\S+) +(obj-cas-imm-[0-9a-f]+)", line)
            if found:
                told[found[2]] = found[1]
        ids = self.tool("sgit-rev-list", self.head)
        status = 0 if set(told.values()) == {"verified"} else 1
        ours = {}
        for line in self.tool("sgit-verify-commit", "--stdin", give=ids, status=status).decode().splitlines():
            commit, verdict = line.split()[:2]
            ours[commit] = verdict
        self.assertEqual(ours, told)

    def test_every_tree_of_every_commit_is_sgits(self):
        for commit in self.tool("sgit-rev-list", self.head).decode().split():
            told = self.entries(commit)
            ours = {e["path"]: e for e in self.json_lines("sgit-ls-tree", "-r", "--json", commit)}
            self.assertEqual(set(ours), set(told))
            for path, entry in told.items():
                found = ours[path]
                self.assertEqual(found["id"], entry["blob_id"], path)
                self.assertEqual(found["size"], entry["size"], path)
                self.assertEqual(found["content_hash"], entry["content_hash"], path)
                self.assertEqual(found["media_type"], entry["content_type"], path)
                self.assertEqual(found["large"], entry["large"], path)

    def test_nul_separated_paths_are_the_bytes_of_the_names(self):
        told = sorted(path.encode() for path in self.entries(self.head))
        ours = self.tool("sgit-ls-tree", "-r", "-z", "--name-only", self.head)
        self.assertEqual(sorted(ours.split(b"\0")[:-1]), told)

    def test_every_object_has_the_bytes_sgit_finds_in_it(self):
        for name in sorted(os.listdir(os.path.join(self.copy.store, "data"))):
            with self.subTest(name):
                told = self.plaintext(name)
                self.assertEqual(vaults.sha256(self.tool("sgit-cat-object", "--raw", name)), vaults.sha256(told))

    def test_a_batch_has_every_object_in_order_with_its_bytes(self):
        output = self.tool("sgit-cat-object", "--batch", "--batch-all-objects")
        seen, at = [], 0
        while at < len(output):
            end = output.index(b"\n", at)
            name, kind, size = output[at:end].decode().split(" ")
            contents = output[end + 1:end + 1 + int(size)]
            self.assertEqual(vaults.sha256(contents), vaults.sha256(self.plaintext(name)))
            self.assertIn(kind, ["blob", "tree", "commit", "tag"])
            at = end + 1 + int(size) + 1
            self.assertEqual(output[at - 1:at], b"\n")
            seen.append(name)
        self.assertEqual(seen, sorted(os.listdir(os.path.join(self.copy.store, "data"))))

    def test_the_files_of_the_head_are_those_of_sgit_ls_and_sgit_cat(self):
        told = json.loads(sgit(self.copy, "ls", "--json"))
        ours = {e["path"]: e for e in self.json_lines("sgit-ls-tree", "-r", "--json", self.head)}
        self.assertEqual({e["path"] for e in told}, set(ours))
        for entry in told:
            self.assertEqual(ours[entry["path"]]["id"], entry["blob_id"])
            self.assertEqual(ours[entry["path"]]["size"], entry["size"])
        for entry in told[:5]:
            path = entry["path"]
            found = self.tool("sgit-cat-object", "-p", self.head + ":" + path)
            with open(os.path.join(self.copy.folder, path), "rb") as file:
                self.assertEqual(found, file.read())
            if not path.startswith("-"):
                printed = sgit(self.copy, "cat", path)
                self.assertIn(printed, [found, found + b"\n"])

    def test_the_index_is_sgits(self):
        told, ours = self.index(), json.loads(self.tool("sgit-branch-index", "--json"))
        self.assertEqual(
            [(b["id"], b["name"], b["type"], b["ref"], b["key"] or "") for b in ours["branches"]],
            [(str(b.branch_id), str(b.name), b.branch_type.value, str(b.head_ref_id), str(b.public_key_id or ""))
             for b in told.branches])
        self.assertEqual(ours["features"], [str(f) for f in told.features or []])

    def test_every_ref_holds_what_sgit_reads(self):
        ours = {r["ref"]: r["commit"] for r in self.json_lines("sgit-read-ref", "--all", "--json")}
        folder = os.path.join(self.copy.store, "refs")
        # A ref that the index lists and the store lacks is told of too, as one without a commit.
        listed = {str(b.head_ref_id) for b in self.index().branches}
        self.assertEqual(set(ours), set(os.listdir(folder)) | listed)
        for ref, commit in ours.items():
            if not os.path.exists(os.path.join(folder, ref)):
                self.assertIsNone(commit)
                continue
            self.assertEqual(commit, self.parts.ref_manager.read_ref(ref, self.parts.read_key))

    def test_a_key_of_another_vault_does_not_fit(self):
        other = "sgit_private_read_" + "5a" * 32 + ":" + self.vault.key.rsplit(":", 1)[1]
        path = os.path.join(self.vault.place, "other-key")
        if not os.path.exists(path):
            with open(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600), "w") as file:
                file.write(other)
        for arguments in (["sgit-cat-object", "-t", self.head], ["sgit-read-ref", "current"]):
            self.tool(*arguments, "--key-file", path, status=3)


class OddNames(Reading):
    make = staticmethod(vaults.odd_names)

    def test_json_holds_the_contents_of_a_blob(self):
        found = json.loads(self.tool("sgit-cat-object", "--json", self.head + ":empty"))
        self.assertEqual(base64.b64decode(found["content_base64"]), b"")


class Branches(Reading):
    make = staticmethod(vaults.branches)

    def test_each_named_branch_leads_to_its_head(self):
        for branch in self.index().branches:
            if branch.branch_type.value == "named":
                told = self.parts.ref_manager.read_ref(str(branch.head_ref_id), self.parts.read_key)
                self.assertEqual(self.tool("sgit-read-ref", str(branch.name)).decode(), told + "\n")
                self.assertEqual(
                    self.tool("sgit-rev-list", "-n", "1", str(branch.name)).decode(), told + "\n")


class Tags(Reading):
    make = staticmethod(vaults.tags)

    def test_each_tag_leads_to_its_commit(self):
        for name, commit in self.vault.tags.items():
            self.assertEqual(self.tool("sgit-rev-list", "-n", "1", name).decode(), commit + "\n")

    def test_a_deleted_tag_leads_nowhere(self):
        for name in self.vault.deleted_tags:
            self.tool("sgit-rev-list", name, status=6)

    def test_live_and_deleted_tags_are_told_apart(self):
        ours = json.loads(self.tool("sgit-branch-index", "--json"))["tags"]
        live = {t["name"] for t in ours if not t["deleted"]}
        self.assertEqual(live, set(self.vault.tags))


class Format2(Reading):
    make = staticmethod(vaults.format_2)

    def test_the_index_says_format_2(self):
        self.assertEqual(json.loads(self.tool("sgit-branch-index", "--json"))["format"], 2)
        self.assertRegex(self.tool("sgit-read-ref", "current").decode(), "^obj-cas-imm-[0-9a-f]{32}\n$")


class Deflate(Reading):
    make = staticmethod(vaults.deflate)

    def test_both_envelopes_occur(self):
        found = set()
        for name in os.listdir(os.path.join(self.copy.store, "data")):
            found.add(self.tool("sgit-cat-object", "--header", name).decode().splitlines()[0])
        self.assertEqual(found, {"version 1", "version 2"})


class Merged(Reading):
    make = staticmethod(vaults.merged)

    def test_the_merge_commit_has_two_parents(self):
        rows = [line.split() for line in self.tool("sgit-rev-list", "--parents", self.head).decode().splitlines()]
        self.assertEqual(max(len(row) for row in rows), 3)


class Unsigned(Reading):
    make = staticmethod(vaults.unsigned)

    def test_the_last_commit_is_unsigned(self):
        verdict = self.tool("sgit-verify-commit", self.head, status=1).decode().split()[1]
        self.assertEqual(verdict, "unsigned")


def load_tests(loader, tests, pattern):
    suite = unittest.TestSuite()
    for case in (OddNames, Branches, Tags, Format2, Deflate, Merged, Unsigned):
        suite.addTests(loader.loadTestsFromTestCase(case))
    return suite


if __name__ == "__main__":
    unittest.main()
