#!/bin/bash
# The locks of a vault that somebody keeps: each kind is added and opens it elsewhere, one is changed, tested, rehearsed and printed,
# the last one stays; and changing a passphrase only wraps the key anew.
. "$(dirname "$0")/test-lib.sh"

unset SGIT_VAULT SGIT_HOME XDG_DATA_HOME XDG_CONFIG_HOME
mkdir tmp sync && export TMPDIR=$TRASH/tmp

cat >locks.py <<'PY'
from homes import *

FILE = "sync/my.sgvault"
V = ["--vault", FILE]


def header():
    return VaultFile.read(FILE).header


def lock_ids(kind=None, **members):
    return [lock["id"] for lock in header()["locks"] if kind in (None, lock["kind"]) and all(lock[name] == value for name, value in members.items())]


def the(kind, **members):
    found = lock_ids(kind, **members)
    assert len(found) == 1, (kind, members, header()["locks"])
    return found[0]


def keys():
    return keys_of(key_line())


def opens(home, *how, status=0):
    """A new device that opens the file; where it does it can read, and where it does not it is not there."""
    shutil.rmtree(home, ignore_errors=True)
    ended = vault("open", FILE, *how, home=home, status=status)
    if ended.status == 0:
        assert get("Bank", home=home) == "the value"
    else:
        assert not os.path.exists(home), os.listdir(home)
    return ended


def unchanged(work, status):
    """What is refused: the status, nothing on stdout, and no file anywhere is another."""
    before = listing("sync", "home", "tmp")
    ended = work(status)
    assert not ended.out and ended.err and not changed(before, listing("sync", "home", "tmp")), (ended, changed(before, listing("sync", "home", "tmp")))
    return ended


def saved(ended):
    """What is said after a change; and the file is right in every byte."""
    assert not ended.out and re.search(r"(?m)\bsaved [0-2][0-9]:[0-5][0-9]$", ended.err), ended
    unpacked(FILE, keys())
    assert not strangers("sync", "my.sgvault"), strangers("sync", "my.sgvault")
    return ended
PY

test_expect_success 'a vault with a passphrase and a code' - <<'END'
	lab <<-'PY'
		from locks import *
		private("my.phrase", PHRASE + "\n")
		vault("init", FILE, "--passphrase-file", "my.phrase", "--recovery-code-file", "my.code")
		add("Bank", "the value")
		unpacked(FILE, keys())
	PY
END

test_expect_success 'lock list: a line a lock, six fields, no key and no home needed; and as JSON' - <<'END'
	lab <<-'PY'
		from locks import *
		shutil.copytree("home", "no.key")
		vault("forget", "--key", home="no.key")
		for home in ("home", "no.key", "nobody"):
		    said = vault("lock", "list", *V, home=home)
		    rows = [line.split("\t") for line in said.out.splitlines()]
		    assert rows == [[lock["id"], lock["kind"], "vault", lock["created_at"], "-", lock["label"] or "-"] for lock in header()["locks"]], (home, said)
		    listed = vault("lock", "list", "--json", *V, home=home).out
		    assert [json.loads(line)["id"] for line in listed.splitlines()] == lock_ids() and all(name in listed for name in ("kind", "grants", "recovery-code", "passphrase")), listed
		assert not os.path.exists("nobody")
	PY
END

test_expect_success 'lock add, each kind: it opens the file on a new device, and every lock that was there still does' - <<'END'
	lab <<-'PY'
		from locks import *
		private("second.phrase", OTHER_PHRASE + "\n"), private("scrypt.phrase", "scrypt " + PHRASE), private("raw.secret", os.urandom(32)), private("hex.secret", os.urandom(32).hex() + "\n")
		for name, how in (("p256", ["EC", "-pkeyopt", "ec_paramgen_curve:P-256"]), ("rsa", ["RSA", "-pkeyopt", "rsa_keygen_bits:2048"])):
		    private(name + ".pem", openssl("genpkey", "-algorithm", *how))
		    private(name + ".pub", openssl("pkey", "-in", name + ".pem", "-pubout"))
		with open(os.open("helper", os.O_WRONLY | os.O_CREAT, 0o700), "w") as file:
		    file.write('#!/bin/sh\ncat >>"$0.asked" && printf %064d 7\n')
		os.makedirs("config/sgit/providers")
		shutil.copy("helper", "config/sgit/providers/token")
		ROWS = [("recovery-code", ["--recovery-code-file", "second.code"], ["--secret-file", "second.code"]), ("passphrase", ["--new-secret-file", "second.phrase"], ["--secret-file", "second.phrase"]),
		        ("passphrase", ["--new-secret-file", "scrypt.phrase", "--kdf", "scrypt"], ["--secret-file", "scrypt.phrase"]), ("secret", ["--new-secret-file", "raw.secret"], ["--secret-file", "raw.secret"]),
		        ("secret", ["--new-secret-file", "hex.secret"], ["--secret-file", "hex.secret"]), ("p256", ["--recipient", "p256.pub"], ["--secret-file", "p256.pem"]), ("rsa-oaep", ["--recipient", "rsa.pub"], ["--secret-file", "rsa.pem"]),
		        ("command", ["--provider", "token=" + os.path.abspath("helper")], ["--provider", "token=" + os.path.abspath("helper")])]
		for number, (kind, new, how) in enumerate(ROWS):
		    old, serial = lock_ids(), header()["serial"]
		    saved(vault("lock", "add", kind, "--label", f"number {number}", *new, *V))
		    made = the(kind, label=f"number {number}")
		    assert lock_ids() == sorted([*old, made], key=lock_ids().index) and set(lock_ids()) == {*old, made} and header()["removed_locks"] == [] and header()["serial"] > serial
		    if kind in ("p256", "rsa-oaep"):
		        # Anyone can make a vault for a public key: who did is confirmed first.
		        refused = opens("new.home", "--lock", made, *how, status=8)
		        assert fingerprint(keys()) in refused.err, refused
		        opens("new.home", "--lock", made, *how, "--fingerprint", "0" * 16, status=4)
		        how = [*how, "--fingerprint", fingerprint(keys())]
		    said = opens("new.home", "--lock", made, *how)
		    assert fingerprint(keys()) in said.err, said
		    opens("new.home", *how)
		    assert sound("new.home").vault_id == keys().vault_id
		    # A wrong secret of the same form, where the lock is named.
		    kind == "command" or opens("new.home", "--lock", made, "--secret-file", "my.phrase", status=3)
		code = content("second.code").decode()
		assert secret_of(code) and os.stat("second.code").st_mode & 0o777 == 0o600
		assert [lock["params"]["kdf"] for lock in header()["locks"] if lock["kind"] == "passphrase"].count("scrypt") == 1
		assert all(lock["params"]["m_kib"] == 262144 for lock in header()["locks"] if lock["params"].get("kdf") == "argon2id")
		opens("new.home", "--secret-file", "my.code"), opens("new.home", "--lock", lock_ids("passphrase")[0], "--secret-file", "my.phrase")
		vault("open", FILE, "--provider", "token", home="configured", XDG_CONFIG_HOME=os.path.abspath("config"))
		assert b"sgvault/v1/command\n" in content("helper.asked") and keys().passphrase.encode() not in content("helper.asked")
		# Others see the new locks with no key.
		assert len(vault("lock", "list", *V, home="nobody").out.splitlines()) == 2 + len(ROWS)
	PY
END

test_expect_success 'lock add that cannot be done: nobody to ask, a file that is there, no such kind, bad secrets; nothing changes' - <<'END'
	lab <<-'PY'
		from locks import *
		private("short.secret", b"x" * 31), private("no.phrase", "")
		def refused(status, *arguments):
		    return unchanged(lambda status: vault("lock", "add", *arguments, *V, status=status), status)
		refused(7, "passphrase")
		refused(129, "secret")
		refused(128, "recovery-code", "--recovery-code-file", "my.code")
		refused(129, "x-unknown")
		refused(129)
		refused(129, "secret", "--new-secret-file", "raw.secret", "--grants", "everything")
		refused(129, "passphrase", "--new-secret-file", "second.phrase", "--kdf", "md5")
		refused(3, "secret", "--new-secret-file", "short.secret")
		refused(3, "passphrase", "--new-secret-file", "no.phrase")
		refused((6, 128), "passphrase", "--new-secret-file", "absent")
		refused((3, 128, 129), "p256", "--recipient", "rsa.pub")
		refused(129, "p256")
		refused((128, 129), "command", "--provider", "absent")
		assert secret_of(content("my.code").decode())
	PY
END

test_expect_success 'a lock that grants read: another device reads all, and every write there is 8' - <<'END'
	lab <<-'PY'
		from locks import *
		private("reader.secret", os.urandom(32))
		saved(vault("lock", "add", "secret", "--grants", "read", "--label", "a reader", "--new-secret-file", "reader.secret", *V))
		reader = the("secret", label="a reader")
		assert f"{reader}\tsecret\tread\t" in vault("lock", "list", *V).out
		said = opens("reader.home", "--secret-file", "reader.secret", "--lock", reader)
		assert "Bank" in vault("list", home="reader.home").out and vault("cat", "secrets/bank.json", home="reader.home").out
		held = b"".join(data for _, data in listing("reader.home").values() if data and not isinstance(data, str))
		assert keys().passphrase.encode() not in held, "the reader has the vault key"
		assert os.path.exists(f"reader.home/{keys().vault_id}/.sg_vault/local/clone_mode.json")
		before = listing("sync", "reader.home")
		private("value", "x")
		for command in (["add", "login", "New", "--field-file", "password=value"], ["set", "Bank", "username=x"], ["remove", "Bank"], ["lock", "add", "passphrase", "--new-secret-file", "second.phrase"],
		                ["lock", "remove", reader], ["lock", "change", reader, "--new-secret-file", "raw.secret"], ["put", "file"]):
		    refused = vault(*command, home="reader.home", status=8)
		    assert refused.err and not refused.out and not changed(before, listing("sync", "reader.home")), (command, refused)
		# What is written elsewhere comes to it.
		add("Later", "later value")
		assert get("Later", home="reader.home") == "later value"
	PY
END

test_expect_success 'lock test says which lock a secret opens, and 3 where it opens none' - <<'END'
	lab <<-'PY'
		from locks import *
		before = listing("sync", "home")
		for secret, lock in (("my.code", the("recovery-code", label="")), ("second.code", the("recovery-code", label="number 0")), ("raw.secret", the("secret", label="number 3")), ("second.phrase", the("passphrase", label="number 1"))):
		    said = vault("lock", "test", "--secret-file", secret, *V)
		    kind = next(entry["kind"] for entry in header()["locks"] if entry["id"] == lock)
		    assert lock in said.said or kind.replace("-", " ") in said.said.replace("-", " "), (lock, said)
		    assert vault("lock", "test", lock, "--secret-file", secret, *V).status == 0
		private("wrong.phrase", "nothing fits"), private("wrong.secret", bytes(32)), private("wrong.code", code_of(bytes(16)) + "\n")
		for secret in ("wrong.phrase", "wrong.secret", "wrong.code"):
		    said = vault("lock", "test", "--secret-file", secret, *V, status=3)
		    assert content(secret).decode().strip() not in said.said, said
		vault("lock", "test", the("secret", label="number 3"), "--secret-file", "reader.secret", *V, status=3)
		vault("lock", "test", *V, status=7)
		vault("lock", "test", "0123456789abcdef", "--secret-file", "my.code", *V, status=(1, 6, 128, 129))
		assert not changed(before, listing("sync", "home"))
	PY
END

test_expect_success 'lock change: the new secret opens, the old id is among the removed, and older copies still open with the old secret, which is said' - <<'END'
	lab <<-'PY'
		from locks import *
		private("third.phrase", "a third one 99\n")
		old = the("passphrase", label="number 1")
		shutil.copytree("sync", "older")
		said = saved(vault("lock", "change", "number 1", "--new-secret-file", "third.phrase", *V))
		assert re.search("[Oo]lder cop", said.err), said
		assert header()["removed_locks"] == [old] and old not in lock_ids()
		new = the("passphrase", label="number 1")
		opens("new.home", "--secret-file", "third.phrase", "--lock", new), opens("new.home", "--secret-file", "second.phrase", status=3)
		for copy in ("older/my.sgvault", past(FILE)[-1]):
		    shutil.rmtree("old.home", ignore_errors=True)
		    vault("open", copy, "--lock", old, "--secret-file", "second.phrase", home="old.home")
		    assert get("Bank", home="old.home") == "the value"
		# A code, by its id; the file for the new one must not be there.
		first = the("recovery-code", label="")
		unchanged(lambda status: vault("lock", "change", first, "--recovery-code-file", "my.code", *V, status=status), 128)
		saved(vault("lock", "change", first, "--recovery-code-file", "changed.code", *V))
		assert header()["removed_locks"] == sorted([old, first]) and secret_of(content("changed.code").decode())
		opens("new.home", "--secret-file", "changed.code"), opens("new.home", "--secret-file", "my.code", status=3)
		os.rename("changed.code", "my.code")
		# Parameters are this program's, never those of the file.
		weak = VaultFile.read(FILE)
		weak.header["locks"] = sorted(weak.header["locks"] + [seal_lock("passphrase", "weak", keys().credential("vault"), keys().vault_id, label="weak")], key=lambda lock: (lock["created_at"], lock["id"]))
		weak.header["serial"] += 1
		weak.made_right(keys()).write("weak.sgvault")
		os.rename("weak.sgvault", FILE)
		saved(vault("lock", "change", "weak", "--new-secret-file", "second.phrase", *V))
		changed_lock = next(lock for lock in header()["locks"] if lock["label"] == "weak")
		assert (changed_lock["params"]["m_kib"], changed_lock["params"]["t"]) == (262144, 3), changed_lock
		unchanged(lambda status: vault("lock", "change", "weak", *V, status=status), 7)
		saved(vault("lock", "remove", "weak", *V))
	PY
END

test_expect_success 'lock rehearse: what the code opens is the file itself, and the date is in the lock for all to see' - <<'END'
	lab <<-'PY'
		from locks import *
		code = the("recovery-code", label="")
		unchanged(lambda status: vault("lock", "rehearse", "--secret-file", "wrong.code", *V, status=status), 3)
		unchanged(lambda status: vault("lock", "rehearse", *V, status=status), 7)
		# Without the file, and with one in which the lock is broken, nothing is proved, whatever this device remembers.
		os.rename("sync", "away")
		before = listing("home")
		for make in (lambda: None, lambda: os.mkdir("sync")):
		    make()
		    refused = vault("lock", "rehearse", "--secret-file", "my.code", "--vault", keys().vault_id, status=(3, 4, 6, 128))
		    assert refused.err and not changed(before, listing("home")), refused
		broken = VaultFile.read("away/my.sgvault")
		lock = next(lock for lock in broken.header["locks"] if lock["id"] == code)
		lock["sealed"] = lock["sealed"][:-2] + f"{int(lock['sealed'][-2:], 16) ^ 1:02x}"
		broken.made_right(keys()).write(FILE)
		refused = vault("lock", "rehearse", "--secret-file", "my.code", *V, status=(3, 4))
		assert "rehearsed_at" not in json.dumps(VaultFile.read("away/my.sgvault").header)
		shutil.rmtree("sync"), os.rename("away", "sync")
		began = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
		said = vault("lock", "rehearse", "--secret-file", "my.code", *V)
		unpacked(FILE, keys())
		date = next(lock for lock in header()["locks"] if lock["id"] == code)["rehearsed_at"]
		assert began <= date <= time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), (began, date)
		assert [lock["id"] for lock in header()["locks"] if "rehearsed_at" in lock] == [code]
		rows = [line.split("\t") for line in vault("lock", "list", *V, home="nobody").out.splitlines()]
		assert {row[0]: row[4] for row in rows} == {lock["id"]: lock.get("rehearsed_at", "-") for lock in header()["locks"]}, rows
		opens("new.home", "--secret-file", "my.code")
		assert content("my.code").decode().strip() not in said.said
	PY
END

test_expect_success 'lock print: it asks for the code, proves it, and prints on the terminal or to a file of its own' - <<'END'
	lab <<-'PY'
		from locks import *
		import socket
		code = content("my.code").decode().strip()
		lock = the("recovery-code", label="")
		before = listing("sync", "home")

		def page(text):
		    plain = re.sub(r"<[^>]*>", "", text)
		    groups = re.sub(r"\s+", " ", plain)
		    assert all(group in groups for group in code.split("-")), "the code is not on the page"
		    assert keys().vault_id in groups and lock in groups and fingerprint(keys()) in groups and re.search("20[0-9]{2}-[0-9]{2}-[0-9]{2}", groups), groups
		    assert "sync/my" not in groups and os.getcwd() not in text and keys().passphrase not in text

		person, questions = answered(["lock", "print", *V], code)
		assert person.status == 0 and person.out == b"" and len(questions) == 1, (person.status, questions, person.err)
		page(person.text)
		for name, options in (("page.txt", []), ("page.html", ["--html"]), ("letter.html", ["--html", "--paper", "letter"])):
		    person, _ = answered(["lock", "print", "-o", name, *options, *V], code)
		    assert person.status == 0 and person.out == b"" and os.stat(name).st_mode & 0o777 == 0o600, (person.status, person.err)
		    page(content(name).decode())
		    taken = content(name)
		    person, questions = answered(["lock", "print", "-o", name, *options, *V], code)
		    assert person.status == 128 and content(name) == taken, (person.status, person.err)
		person, _ = answered(["lock", "print", "-o", "wrong.txt", *V], *["0000-0000-0000-0000-0000-0000-00PC"] * 3)
		assert person.status == 3 and not os.path.exists("wrong.txt"), (person.status, person.err)
		vault("lock", "print", *V, status=7), vault("lock", "print", "-o", "nobody.txt", *V, status=7)
		assert not os.path.exists("nobody.txt") and not changed(before, listing("sync", "home"))
	PY
END

test_expect_success 'lock remove: by id, by label, by a kind that stands once; what is not told apart is refused; older copies are spoken of' - <<'END'
	lab <<-'PY'
		from locks import *
		def refused(status, *arguments):
		    return unchanged(lambda status: vault("lock", "remove", *arguments, *V, status=status), status)
		refused((1, 128, 129), "passphrase"), refused((1, 128, 129), "recovery-code"), refused((1, 6, 128, 129), "no such label"), refused((1, 6, 128, 129), "0123456789abcdef"), refused(129)
		for lock, kind in (("number 0", "recovery-code"), (the("secret", label="number 3"), "secret"), ("p256", "p256"), ("rsa-oaep", "rsa-oaep"), ("command", "command"), ("number 4", "secret"), ("number 2", "passphrase")):
		    gone = lock if lock in lock_ids() else next(entry["id"] for entry in header()["locks"] if lock in (entry["label"], entry["kind"]))
		    said = saved(vault("lock", "remove", lock, *V))
		    assert re.search("[Oo]lder cop", said.err), said
		    assert gone not in lock_ids() and gone in header()["removed_locks"] and gone not in vault("lock", "list", *V).out
		opens("new.home", "--secret-file", "raw.secret", status=3), opens("new.home", "--secret-file", "p256.pem", status=3), opens("new.home", "--secret-file", "my.code")
		# What was removed does not come back with an older copy of the file.
		removed = set(header()["removed_locks"])
		shutil.copy("older/my.sgvault", FILE)
		add("After that", "x")
		assert removed <= set(header()["removed_locks"]) and not removed & set(lock_ids()), header()
	PY
END

test_expect_success 'the last lock that grants the vault stays, unless --no-locks says so' - <<'END'
	lab <<-'PY'
		from locks import *
		while len([lock for lock in header()["locks"] if lock["grants"] == "vault"]) > 1:
		    saved(vault("lock", "remove", next(lock["id"] for lock in header()["locks"] if lock["grants"] == "vault" and (lock["kind"] != "recovery-code")), *V))
		assert [(lock["kind"], lock["grants"]) for lock in header()["locks"]].count(("secret", "read")) == 1, header()["locks"]
		last = the("recovery-code")
		for name in (last, "recovery-code"):
		    unchanged(lambda status: vault("lock", "remove", name, *V, status=status), 8)
		# A change of it is no removal.
		saved(vault("lock", "change", last, "--recovery-code-file", "last.code", *V))
		opens("new.home", "--secret-file", "last.code")
		saved(vault("lock", "remove", "recovery-code", "--no-locks", *V))
		assert {lock["grants"] for lock in header()["locks"]} <= {"read"}
		opens("new.home", "--secret-file", "last.code", status=3)
		# The key that this device keeps is the only way in.
		unchanged(lambda status: vault("forget", "--key", *V, status=status), 8)
		private("kept.key", key_line())
		vault("open", FILE, "--key-file", "kept.key", home="by.key")
		saved(vault("lock", "add", "recovery-code", "--recovery-code-file", "new.code", *V))
		opens("new.home", "--secret-file", "new.code")
		vault("forget", "--key", *V)
	PY
END

test_expect_success 'changing a passphrase only wraps anew: no object of the device is opened, and no more than three times the file is read' - <<'END'
	mkdir big.sync && lab <<-'PY'
		from locks import *
		private("big.phrase", PHRASE + "\n"), private("new.phrase", OTHER_PHRASE + "\n")
		big = "big.sync/big.sgvault"
		vault("init", big, "--passphrase-file", "big.phrase", home="big.home")
		for number in range(5):
		    vault("put", f"file {number}", "--vault", big, give=os.urandom(4 << 20), home="big.home")
		size, old = os.stat(big).st_size, VaultFile.read(big).header
		assert size > 20 << 20, size
		vault("lock", "change", "passphrase", "--new-secret-file", "new.phrase", "--vault", big, home="big.home",
		      before=["strace", "-f", "-y", "-qq", "-s", "0", "-o", "big.log", "-e", "signal=none", "-e", "trace=openat,open,openat2,read,pread64,readv,preadv,preadv2,mmap,copy_file_range,sendfile,splice"])
		opened, count = [], 0
		for line in open("big.log", errors="replace"):
		    call = re.match(r"(?:\d+ +)?(\w+)\((.*)\) = (-?\d+|0x[0-9a-f]+)", line)
		    if not call:
		        continue
		    name, arguments, result = call.groups()
		    if name.startswith("open"):
		        if "obj-" in line and not line.rstrip().endswith("ENOENT (No such file or directory)"):
		            opened.append(line)
		    elif name == "mmap":
		        if "sgvault" in arguments or "/data/" in arguments:
		            count += int(arguments.split(", ")[1], 0)
		    elif not result.startswith("-") and not re.search(r"/usr/|/lib/|/proc/", arguments.split(",")[0]):
		        count += int(result)
		assert not opened, opened[:5]
		print(f"{count} bytes read of a file of {size}: {count / size:.2f} times")
		assert size / 2 < count <= 3 * size, (count, size)
		new = VaultFile.read(big).header
		assert new["heads"] == old["heads"] and new["members"] == old["members"] and new["removed_locks"] == [lock["id"] for lock in old["locks"]]
		unpacked(big, keys_of(key_line("big.home")))
		vault("open", big, "--secret-file", "new.phrase", home="big.two"), vault("open", big, "--secret-file", "big.phrase", home="big.three", status=3)
	PY
END

test_done
