"""Vaults on several devices, for the tests of sgit-vault: a home is a folder that is $SGIT_HOME, so each home is a device.

The tools are run without a terminal, unless a test gives them one (see session.py). What they made is judged by the lab's own
reading of stores and vault files (wholestore.py, sgvault.py).
"""
import shutil
import tempfile
import time
import wholestore
from sgvault import *
from session import HANG_UP, NotSeen, Session

PHRASE, OTHER_PHRASE = "correct horse battery 42", "a staple nobody knows 17"
PAST = re.compile(r"[0-9]{8}T[0-9]{6}\.[0-9]{3}Z-[A-Za-z0-9-]{1,32}(-[0-9]+)?\.sgvault")
CODE_FORM = re.compile("[0-9A-Z]{4}(?:-[0-9A-Z]{4}){6}")
NOT_SAVED = re.compile("not saved|last saved")
DOTS = "\u00b7" * 8
# Kind: its hidden fields, and one that is not. Of a field of several words only the form matters here.
KINDS = {"login": (["password"], "username"), "device-passcode": (["passcode"], "device"), "wifi": (["password"], "ssid"),
         "card": (["number", "cvc", "pin"], "holder"), "note": (["text"], None), "token": (["token"], "service"), "vault-key": (["vault_key"], "vault_id"),
         "read-key": (["read_key"], "vault_id"), "access-key": (["secret"], "service"), "recovery-codes": (["codes"], "service")}


def private(path, data):
    """A file that only its owner can read."""
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(data.encode() if isinstance(data, str) else data)
    return path


def environment(home, **more):
    return {**os.environ, "SGIT_HOME": os.path.abspath(home), **more}


class Ended:
    def __init__(self, command, run):
        self.command, self.status, self.out, self.err = command, run.returncode, run.stdout.decode(errors="replace"), run.stderr.decode(errors="replace")

    @property
    def said(self):
        return self.out + self.err

    def __repr__(self):
        return f"{self.command} ended with {self.status}\nstdout: {self.out[:2000]}\nstderr: {self.err[:2000]}"


def vault(*arguments, home="home", status=0, give=b"", before=(), fds=(), cwd=None, timeout=90, **more):
    """sgit-vault without a terminal. `status`: the one, or those, that it may end with."""
    command = [*before, "sgit-vault", *arguments]
    run = subprocess.run(command, input=give, capture_output=True, env=environment(home, **more), pass_fds=fds, cwd=cwd, timeout=timeout, start_new_session=True)
    ended = Ended(command, run)
    allowed = (status,) if isinstance(status, int) else status
    assert status is None or run.returncode in allowed, f"{allowed} was expected: {ended!r}"
    return ended


def at_terminal(*arguments, home="home", cwd=None, pipes=True, before=(), fds=(), **more):
    """sgit-vault at a terminal, which with `pipes` is /dev/tty alone."""
    return Session(*before, "sgit-vault", *arguments, env=environment(home, **more), cwd=cwd, pipes=pipes, fds=fds)


def answered(*answers, home="home", **how):
    """at_terminal of the first argument, a list, with the answers to its questions in order; returns the session that ended, and the questions."""
    arguments, *answers = answers
    questions = []
    with at_terminal(*arguments, home=home, **how) as person:
        while True:
            question = person.prompt(60)
            if question is None:
                break
            questions.append(question)
            assert len(questions) <= len(answers), f"a question too many, {question!r}:\n{person.text}"
            answer = answers[len(questions) - 1]
            person.enter(answer(question) if callable(answer) else answer)
        person.finish()
    return person, questions


# ---------------------------------------------------------------- vaults and what is in them

def begun(file, home="home", *options, code=None):
    """A vault whose one lock is a recovery code, which is returned; it is kept in the file `code`."""
    code = code or file.replace("/", "_") + ".code"
    vault("init", file, "--recovery-code-file", code, *options, home=home)
    return content(code).decode().strip()


def add(title, value, kind="login", home="home", **how):
    """A secret; all its hidden fields have the value."""
    hidden, shown = KINDS[kind]
    with tempfile.NamedTemporaryFile(dir=".", prefix="field.") as file:
        file.write(value.encode())
        file.flush()
        given = [text for name in hidden for text in ("--field-file", f"{name}={os.path.abspath(file.name)}")]
        return vault("add", kind, title, *([f"{shown}=of {title}"] if shown else []), *given, home=home, **how)


def get(title, field="password", home="home", **how):
    """The value of one field."""
    said = vault("get", title, field, home=home, **how)
    assert said.out.endswith("\n"), said
    return said.out[:-1]


def id_of(file):
    return VaultFile.read(file).header["vault_id"]


def only_id(home="home"):
    found = [name for name in os.listdir(home) if re.fullmatch("[a-z0-9]{4,24}", name)]
    assert len(found) == 1, os.listdir(home)
    return found[0]


def key_line(home="home", vault_id=None):
    return content(os.path.join(home, vault_id or only_id(home), ".sg_vault/local/vault_key")).decode()


_derived = {}


def keys_of(line):
    """The keys of a line with a vault key; one derivation by sgit-derive-keys, and one of the write key here."""
    line = line.strip()
    if line not in _derived:
        _derived[line] = Keys(line)
        wholestore._stretched[_derived[line].passphrase, _derived[line].vault_id] = _derived[line].read
    return _derived[line]


def device(home="home", vault_id=None):
    """A device's vault, by the lab's reading."""
    keys_of(key_line(home, vault_id))
    return wholestore.Copy(os.path.join(home, vault_id or only_id(home)))


def sound(home="home", vault_id=None, leftovers=False):
    """A device's vault in which all is whole, whose own branch is where `current` is."""
    copy = device(home, vault_id)
    copy.whole(leftovers=leftovers)
    assert copy.head() == copy.current(), "the branch of the device is not where `current` is"
    assert copy.config["sparse"] is True, copy.config
    paths = json.loads(copy.secret("checkout.json"))
    assert paths == {"version": 1, "paths": []}, paths
    assert oct(os.stat(os.path.join(copy.local, "vault_key")).st_mode & 0o777) == "0o600"
    kept = [os.path.join(place, name) for place, _, names in os.walk(copy.folder) for name in names if name == "device.json"]
    assert len(kept) == 1 and isinstance(json.loads(content(kept[0])), dict), kept
    return copy


def unpacked(file, keys, history=False):
    """The store that a vault file holds, checked from the first byte to the last: (header, store). The store has `file_contents`, of the
    head of `current`; the ids of all commits that it reaches, `commit_ids`; and with `history` the files of each, `past_contents`."""
    held = VaultFile.read(file)
    assert held.to_bytes() == content(file), f"{file} is not in the form of a vault file"
    members = held.header["members"]
    assert (members["count"], members["bytes"], members["sha256"]) == (len(held.members), sum(map(len, held.members.values())), hashlib.sha256(held.inventory().encode()).hexdigest())
    assert held.header["mac"] == keys.mac(held.header) and held.header["locks_mac"] == keys.locks_mac(held.header), f"{file} has a MAC that is not right"
    place = tempfile.mkdtemp(dir=".", prefix="unpacked.")
    try:
        for name, data in held.members.items():
            os.makedirs(os.path.join(place, os.path.dirname(name)), exist_ok=True)
            with open(os.path.join(place, name), "wb") as out:
                out.write(data)
        os.makedirs(place + "/bare/keys", exist_ok=True)
        store = wholestore.Whole(place, keys.read, keys.vault_id)
        heads = {ref: commit or "" for ref, commit in store.check_all().items()}
        assert heads == held.header["heads"], (heads, held.header["heads"])
        head = store.head(store.ref_of("current"))
        store.commit_ids = set(store.commits(head))
        store.file_contents = store.files_of(head)
        store.past_contents = [store.files_of(commit) for commit in store.commit_ids] if history else []
        return held.header, store
    finally:
        shutil.rmtree(place)


def documents(files):
    """{title: document} of the secrets among the files of a commit."""
    found = {}
    for path, data in files.items():
        if path.startswith("secrets/") and path.endswith(".json"):
            document = json.loads(data)
            assert document["schema"] == "sgit.ai/secret/v1" and re.fullmatch("[0-9a-f]{16}", document["id"]), document
            assert document["title"] not in found, f"{document['title']} is there twice"
            found[document["title"]] = document
    return found


def in_file(file, keys):
    """{title: document} of the secrets in a vault file."""
    return documents(unpacked(file, keys)[1].file_contents)


def on_device(home="home", vault_id=None):
    """{title: document} of the secrets in a device's vault."""
    return documents(device(home, vault_id).files())


# ---------------------------------------------------------------- what lies about

def listing(*folders):
    """Every path below some folders, with the mode and the content of a file: to see that nothing changed."""
    found = {}
    for folder in folders:
        for place, names, files in os.walk(folder):
            for name in names + files:
                path = os.path.join(place, name)
                mode = os.lstat(path).st_mode
                found[path] = os.readlink(path) if os.path.islink(path) else (mode, content(path) if os.path.isfile(path) else None)
    return found


def changed(before, after):
    """The paths in which two listings differ."""
    return sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))


def strangers(folder, *names):
    """What lies in a synced folder beside the files that are named and past copies of these."""
    left = set(os.listdir(folder)) - {*names, ".versions"}
    stems = {name.removesuffix(".sgvault") for name in names}
    for place, folders, files in os.walk(os.path.join(folder, ".versions")):
        base = os.path.relpath(place, folder)
        left.update(f"{base}/{name}" for name in folders if base != ".versions" or name not in stems)
        left.update(f"{base}/{name}" for name in files if os.path.dirname(base) != ".versions" or not PAST.fullmatch(name))
    return left


def past(file):
    """The paths of a vault file's past copies, oldest first."""
    folder = os.path.join(os.path.dirname(file), ".versions", os.path.basename(file).removesuffix(".sgvault"))
    return [os.path.join(folder, name) for name in sorted(os.listdir(folder))] if os.path.isdir(folder) else []


def fingerprint(keys):
    """As it is shown."""
    text = keys.fingerprint.hex()[:16]
    return " ".join(text[at:at + 4] for at in range(0, 16, 4))


def wrong(code, at, step=1):
    """A code with another character at a place, counted from 1 and without hyphens; and the right one there."""
    plain = code.replace("-", "")
    right = plain[at - 1]
    other = CROCKFORD[(CROCKFORD.index(right) + step) % 32]
    return grouped(plain[:at - 1] + other + plain[at:]), right
