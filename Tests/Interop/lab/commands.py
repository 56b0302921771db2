"""Running the tools and the command `sgit`, and what the tests ask of a folder in which sgit works."""
import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest

import vaults
from vaults import offline

CHANGE = re.compile(r"^  [+~-] (.*)$", re.MULTILINE)


def sgit(folder, *arguments, give=None, status=0):
    """What a command of sgit prints in a folder. It has no network: what it asks of a server, it does not get."""
    run = subprocess.run([*offline(), "sgit", *arguments], cwd=folder, capture_output=True, input=give)
    if run.returncode != status:
        raise AssertionError("sgit %s ended with %d: %s%s" % (
            arguments, run.returncode, run.stdout.decode(), run.stderr.decode()))
    return run.stdout.decode()


def ended(*command, give=b"", status=0, **environment):
    """One of our tools, once it has ended with this status."""
    run = subprocess.run(command, input=give, env={**os.environ, **environment}, capture_output=True)
    if run.returncode != status:
        raise AssertionError("%s ended with %d: %s" % (command, run.returncode, run.stderr.decode()))
    return run


def tool(*command, **options):
    """What one of our tools prints."""
    return ended(*command, **options).stdout


def secret(path, data):
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(data)
    return path


def write(folder, path, data):
    path = os.path.join(folder, path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(data)


def files_below(folder, but=None):
    """Path to contents of each file below a folder, but for those in the folder that is named."""
    found = {}
    for place, folders, files in os.walk(folder):
        if but in folders:
            folders.remove(but)
        for name in files:
            with open(os.path.join(place, name), "rb") as file:
                found[os.path.relpath(os.path.join(place, name), folder)] = file.read()
    return found


def working_files(folder):
    return files_below(folder, but=".sg_vault")


def hashes(files):
    return {path: vaults.sha256(data) for path, data in files.items()}


def changes(folder):
    """The changed paths that `sgit status` tells of."""
    return sorted(CHANGE.findall(sgit(folder, "status")))


def messages(folder):
    """The messages of the head's history, oldest first."""
    return [commit["message"] for commit in json.loads(sgit(folder, "history", "log", "--json"))["commits"]]


def head(folder):
    return json.loads(sgit(folder, "history", "log", "--json"))["to_commit"]


class Case(unittest.TestCase):
    maxDiff = 4000

    def assert_in_order(self, folder, verified=None, unsigned=0):
        """fsck finds nothing; so many commits are unsigned, and all others verify."""
        said = sgit(folder, "check", "fsck")
        self.assertIn("Vault OK.", said)
        self.assertNotRegex(said, "(?i)missing|corrupt|damaged|error")
        verdicts = re.search(r"Signatures: (\d+) verified, (\d+) bad, (\d+) unsigned, (\d+) without a known key", said)
        self.assertIsNotNone(verdicts, said)
        good, *rest = map(int, verdicts.groups())
        self.assertEqual(rest, [0, unsigned, 0])
        self.assertIn("Checked %d commits" % (good + unsigned), said)
        if verified is not None:
            self.assertEqual(good, verified)

    @classmethod
    def new_place(cls):
        place = tempfile.mkdtemp(prefix="interop-")
        cls.addClassCleanup(shutil.rmtree, place)
        return place
