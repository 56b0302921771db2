"""Devices that share a vault file: what sgit says of the file's store, and that each device's folder is a working copy of sgit's own."""
import json
import os
import shutil
import unittest

import vaults
from commands import Case, changes, files_below, head, messages, secret, sgit, tool, working_files, write


class Devices(Case):
    """Two devices and one file: the first made it and wrote three times, the second opened it and wrote once. A subclass has another format."""

    format = "2"

    @classmethod
    def setUpClass(cls):
        cls.place = cls.new_place()
        cls.file = os.path.join(cls.place, "synced", "my.sgvault")
        os.mkdir(os.path.dirname(cls.file))
        cls.code = os.path.join(cls.place, "code")
        cls.homes = [os.path.join(cls.place, name) for name in ("first", "second")]
        cls.value = secret(os.path.join(cls.place, "value"), "a value of \u00fcn\u00ef".encode())
        cls.vault(0, "init", cls.file, "--format", cls.format, "--device", "desk", "--recovery-code-file", cls.code)
        cls.add(0, "Bank")
        cls.add(0, "Caf\u00e9 / Wi-Fi")
        cls.vault(0, "set", "Bank", "username=ana")
        cls.before = cls.read(cls.file)
        cls.vault(1, "open", cls.file, "--device", "laptop", "--secret-file", cls.code)
        cls.opened = cls.read(cls.file)
        cls.add(1, "By the second")
        cls.id = json.loads(tool("sgit-unpack", cls.file, "--header", "--json"))["vault_id"]
        cls.folders = [os.path.join(home, cls.id) for home in cls.homes]
        cls.key = cls.read(os.path.join(cls.folders[0], ".sg_vault", "local", "vault_key")).decode().strip()

    @staticmethod
    def read(path):
        with open(path, "rb") as file:
            return file.read()

    @classmethod
    def vault(cls, device, *arguments, **more):
        return tool("sgit-vault", *arguments, SGIT_HOME=cls.homes[device], **more)

    @classmethod
    def add(cls, device, title):
        cls.vault(device, "add", "login", title, "username=of " + title, "--field-file", "password=" + cls.value)

    def cloned(self):
        """What sgit clones from the store that the file holds."""
        folder = os.path.join(self.new_place(), "unpacked")
        tool("sgit-unpack", "--secret-file", self.code, self.file, "-d", folder)
        return vaults.clone_from_folder(self.key, folder, folder + "-clone")

    def copies(self):
        """Both devices' folders as they are now, in other places, so that these stay as they are."""
        found = []
        for folder in self.folders:
            found.append(os.path.join(self.new_place(), self.id))
            shutil.copytree(folder, found[-1])
        return found

    def secrets(self, copy):
        return {path for path in (entry["path"] for entry in json.loads(sgit(copy, "ls", "--json"))) if path.startswith("secrets/")}

    def test_opening_wrote_no_store_and_the_first_write_did(self):
        self.assertEqual(self.before, self.opened)
        self.assertNotEqual(self.before, self.read(self.file))

    def test_every_commit_of_both_verifies_in_a_clone_of_the_file(self):
        copy = self.cloned()
        told = messages(copy)
        said = sgit(copy, "check", "verify")
        self.assertIn("%d verified, 0 bad, 0 unsigned" % len(told), said)
        self.assertGreaterEqual(len(told), 5)
        self.assert_in_order(copy, verified=len(told))
        log = json.loads(sgit(copy, "history", "log", "--json"))["commits"]
        self.assertEqual(len({commit["branch_id"] for commit in log}), 2, "two devices, two branches")
        verdicts = dict(reversed(line.split()) for line in sgit(copy, "check", "verify", "--verbose").splitlines() if "obj-cas-imm-" in line)
        self.assertEqual({verdicts[commit["commit_id"]] for commit in log}, {"verified"})

    def test_the_clone_has_every_secret(self):
        copy = self.cloned()
        documents = [json.loads(data) for path, data in working_files(copy).items() if path.startswith("secrets/")]
        self.assertEqual({document["title"] for document in documents}, {"Bank", "Caf\u00e9 / Wi-Fi", "By the second"})
        for document in documents:
            self.assertEqual((document["schema"], document["fields"]["password"]), ("sgit.ai/secret/v1", "a value of \u00fcn\u00ef"))
        self.assertEqual(changes(copy), [])

    def test_in_both_folders_sgit_finds_nothing_to_do(self):
        for copy in self.copies():
            self.assertEqual(changes(copy), [])
            # The first one may not have read yet what the other one wrote last.
            self.assertIn(len(self.secrets(copy)), (2, 3))

    def test_in_both_folders_a_commit_of_sgit_leaves_every_file_in_the_head(self):
        for copy in self.copies():
            before, old = self.secrets(copy), head(copy)
            self.assertGreaterEqual(len(before), 2)
            self.assertIn("Nothing to commit", sgit(copy, "commit", "nothing new"))
            self.assertEqual(head(copy), old)
            self.assertEqual(self.secrets(copy), before)
            self.assertEqual(changes(copy), [])
            write(copy, "by sgit.txt", b"sgit was here\n")
            sgit(copy, "commit", "by sgit")
            self.assertNotEqual(head(copy), old)
            self.assertEqual(self.secrets(copy), before)
            listed = {entry["path"] for entry in json.loads(sgit(copy, "ls", "--json"))}
            self.assertEqual(listed - before, {"by sgit.txt"})
            self.assert_in_order(copy)

    def test_what_a_device_keeps_for_itself_is_nothing_that_sgit_would_commit(self):
        """Paths of stores and the whole header stand in it."""
        for copy in self.copies():
            self.assertTrue([path for path in files_below(copy) if os.path.basename(path) == "device.json"])
            self.assertNotIn("device.json", sgit(copy, "status"))

    def test_a_commit_that_sgit_made_in_a_device_comes_into_the_file(self):
        """What only the branch of a device holds is carried, and nothing is undone by the next write of ours."""
        place = self.new_place()
        file, code, home = os.path.join(place, "one.sgvault"), os.path.join(place, "code"), os.path.join(place, "home")
        tool("sgit-vault", "init", file, "--recovery-code-file", code, SGIT_HOME=home)
        tool("sgit-vault", "add", "login", "Ours", "--field-file", "password=" + self.value, SGIT_HOME=home)
        folder = os.path.join(home, os.listdir(home)[0])
        write(folder, "by sgit.txt", b"sgit was here\n")
        sgit(folder, "commit", "by sgit")
        os.remove(os.path.join(folder, "by sgit.txt"))
        tool("sgit-vault", "add", "login", "Ours too", "--field-file", "password=" + self.value, SGIT_HOME=home)
        unpacked = os.path.join(place, "unpacked")
        tool("sgit-unpack", "--secret-file", code, file, "-d", unpacked)
        key = self.read(os.path.join(folder, ".sg_vault", "local", "vault_key")).decode().strip()
        copy = vaults.clone_from_folder(key, unpacked, os.path.join(place, "clone"))
        found = working_files(copy)
        self.assertEqual(found["by sgit.txt"], b"sgit was here\n")
        self.assertEqual({json.loads(data)["title"] for path, data in found.items() if path.startswith("secrets/")}, {"Ours", "Ours too"})
        self.assert_in_order(copy)

    def test_both_devices_hold_what_the_clone_holds_once_they_have_read(self):
        copy = self.cloned()
        for device in range(2):
            self.vault(device, "set", "Bank", "username=ana")
        for folder in self.copies():
            store = os.path.join(folder, ".sg_vault")
            listed = tool("sgit-ls-tree", "-r", "-z", "--name-only", "@", "--store", store, "--key-file", os.path.join(store, "local", "vault_key")).decode().split("\0")[:-1]
            self.assertEqual(set(listed), set(working_files(copy)))


class DevicesFormat1(Devices):
    format = "1"


if __name__ == "__main__":
    unittest.main()
