#!/bin/bash
# A store that is gone, read-only, full, a dangling link, a stick that is not there, another file: it is said, the file that is there is
# not touched, the secret is safe on the device, and it is in the file after the next change once the trouble is over.
. "$(dirname "$0")/test-lib.sh"

unset SGIT_VAULT SGIT_HOME XDG_DATA_HOME XDG_CONFIG_HOME
mkdir tmp && export TMPDIR=$TRASH/tmp
if [ "$(id -u)" -eq 0 ]; then own_mounts='unshare --mount'; else own_mounts='unshare --user --map-root-user --mount'; fi

cat >trouble.py <<'PY'
from homes import *

FILE = "sync/my.sgvault"
KEYS = keys_of(key_line("kept.home")) if os.path.isdir("kept.home") else None


def fresh():
    """The vault as it was made, at the place that its device knows."""
    for place in ("home", "sync", "real", "their"):
        shutil.rmtree(place, ignore_errors=True) if not os.path.islink(place) else os.remove(place)
    shutil.copytree("kept.home", "home"), shutil.copytree("kept.sync", "sync")


def trouble(about, statuses, old=FILE, said=NOT_SAVED):
    """A secret is added while there is trouble. `old`: the path of what must stay as it is, link or file, if anything is there."""
    before = content(old) if old and os.path.isfile(old) else None
    private("value", "value of " + about)
    ended = vault("add", "login", about, "--field-file", "password=value", status=statuses)
    assert not ended.out and said.search(ended.err), (about, "it is not said", ended)
    assert "value of" not in ended.err, ended
    assert before is None or content(old) == before, (about, "the file was touched")
    assert get(about) == "value of " + about, about
    assert on_device().keys() >= {"Bank", about}
    sound()
    return ended


def over(*titles, file=FILE):
    """The trouble is over: the next change brings all of it into the file."""
    ended = vault("set", "Bank", f"username=after {titles[-1]}")
    assert re.search(r"(?m)\bsaved [0-2][0-9]:[0-5][0-9]$", ended.err), ended
    held = in_file(file, KEYS)
    assert held.keys() == on_device().keys() and held.keys() >= {"Bank", *titles} and held["Bank"]["fields"]["username"] == f"after {titles[-1]}", held.keys()
    assert not strangers(os.path.dirname(os.path.realpath(file)), os.path.basename(os.path.realpath(file)))
    sound()
PY

test_expect_success 'a vault in a folder' - <<'END'
	mkdir sync && lab <<-'PY'
		from homes import *
		begun("sync/my.sgvault", code="my.code")
		add("Bank", "the value")
		os.rename("home", "kept.home"), os.rename("sync", "kept.sync")
	PY
END

test_expect_success 'a folder that is not there: said, 0, and saved when it is there again' - <<'END'
	lab <<-'PY'
		from trouble import *
		fresh()
		os.rename("sync", "away")
		trouble("gone", 0, old="away/my.sgvault"), trouble("still gone", 0, old="away/my.sgvault")
		assert not os.path.exists("sync"), "a folder was made"
		# What only reads goes on without a word of failure.
		assert "gone" in vault("list").out and vault("history", "gone").out
		os.rename("away", "sync")
		over("gone", "still gone")
	PY
END

test_expect_success 'a stick that is not mounted, its folder empty: nothing is written there; when it is back, all is saved' - <<'END'
	lab <<-'PY'
		from trouble import *
		fresh()
		os.rename("sync", "stick"), os.mkdir("sync")
		ended = trouble("unmounted", (0, 6), old="stick/my.sgvault")
		assert os.listdir("sync") == [], os.listdir("sync")
		trouble("unmounted still", (0, 6), old="stick/my.sgvault")
		os.rmdir("sync"), os.rename("stick", "sync")
		over("unmounted", "unmounted still")
	PY
END

test_expect_success 'a link that leads nowhere, or round and round: 128, and it stays; a link to the file is followed and stays' - <<'END'
	lab <<-'PY'
		from trouble import *
		for about, target in (("dangling", "nowhere.sgvault"), ("looping", "my.sgvault"), ("far", "../absent/my.sgvault")):
		    fresh()
		    os.rename(FILE, "old.sgvault"), os.symlink(target, FILE)
		    there = sorted(os.listdir("sync"))
		    trouble(about, 128, old="old.sgvault")
		    assert os.readlink(FILE) == target and sorted(os.listdir("sync")) == there and not os.path.exists("absent"), os.listdir("sync")
		    os.remove(FILE), os.rename("old.sgvault", FILE)
		    over(about)
		fresh()
		os.mkdir("real"), os.rename(FILE, "real/true.sgvault"), shutil.rmtree("sync/.versions"), os.symlink("../real/true.sgvault", FILE)
		private("value", "through a link")
		saved = vault("add", "login", "Linked", "--field-file", "password=value")
		assert re.search(r"\bsaved ", saved.err) and os.readlink(FILE) == "../real/true.sgvault" and not os.path.islink("real/true.sgvault")
		assert "Linked" in in_file("real/true.sgvault", KEYS) and os.listdir("sync") == ["my.sgvault"] and not strangers("real", "true.sgvault") and len(past("real/true.sgvault")) == 1
	PY
END

test_expect_success 'a folder that is read only by its mount: 128, as it was; then writable: saved' - <<'END'
	cat >fixed.py <<-'PY' && $own_mounts "$PYTHON" -S fixed.py
		from trouble import *
		fresh()
		for command in (["mount", "--bind", "sync", "sync"], ["mount", "-o", "remount,bind,ro", "sync"]):
		    subprocess.run(command, check=True)
		there = listing("sync")
		trouble("read only", 128)
		assert not changed(there, listing("sync"))
		assert "read only" in vault("list").out
		subprocess.run(["umount", "sync"], check=True)
		over("read only")
	PY
END

test_expect_success 'a folder, a .versions or a file that its owner may not write or read: 128, as it was; then all is saved' - <<'END'
	cat >modes.py <<-'PY' && chmod 711 . && "$PYTHON" -S modes.py
		from trouble import *
		# Root may write anywhere: so another user does it, to whom a folder of this kind belongs.
		if os.getuid() == 0:
		    os.makedirs("person/tmp")
		    for name in ("kept.home", "kept.sync"):
		        shutil.copytree(name, "person/" + name)
		    subprocess.run(["chown", "-R", "65534:65534", "person"], check=True)
		    os.chdir("person")
		    os.setgroups([]), os.setgid(65534), os.setuid(65534)
		    os.environ.update(HOME=os.getcwd(), TMPDIR=os.getcwd() + "/tmp")
		assert os.getuid() != 0
		# The device knows the file where it was made; here it is another path, so it is opened here.
		private("key", key_line("kept.home"))
		shutil.rmtree("kept.home"), os.rename("kept.sync", "sync")
		vault("open", "sync/my.sgvault", "--key-file", "key", home="kept.home")
		shutil.copytree("sync", "kept.sync")
		def modes(about, path, mode):
		    fresh()
		    trouble("before", 0, old=None, said=re.compile("saved"))
		    was = os.stat(path).st_mode & 0o777
		    before = listing("sync")
		    os.chmod(path, mode)
		    try:
		        trouble(about, 128, old=FILE if mode else None)
		    finally:
		        os.chmod(path, was)
		    assert not changed(before, listing("sync")), (about, changed(before, listing("sync")))
		    over("before", about)
		modes("a fixed folder", "sync", 0o555)
		modes("a fixed .versions", "sync/.versions/my", 0o555)
		modes("a file that cannot be read", FILE, 0)
		modes("a folder that cannot be entered", "sync", 0)
	PY
END

test_expect_success 'a disk that is full, of bytes or of files: 128, as it was, nothing left over; with room again: saved' - <<'END'
	cat >full.py <<-'PY' && $own_mounts "$PYTHON" -S full.py
		from trouble import *
		fresh()
		shutil.rmtree("sync"), os.mkdir("sync")
		subprocess.run(["mount", "-t", "tmpfs", "-o", "size=512k,nr_inodes=40", "none", "sync"], check=True)
		for name in os.listdir("kept.sync"):
		    (shutil.copytree if os.path.isdir("kept.sync/" + name) else shutil.copy)("kept.sync/" + name, "sync/" + name)
		def fill():
		    with open("sync/filler", "wb", buffering=0) as file:
		        try:
		            while file.write(bytes(1024)):
		                pass
		        except OSError:
		            pass
		def crowd():
		    os.mkdir("sync/filler")
		    try:
		        for number in range(100):
		            open(f"sync/filler/{number}", "x").close()
		    except OSError:
		        return
		    raise AssertionError("it is not full")
		for take in (fill, crowd):
		    take()
		    before = {path: data for path, data in listing("sync").items() if "filler" not in path}
		    trouble(take.__name__, 128)
		    after = {path: data for path, data in listing("sync").items() if "filler" not in path}
		    # A past copy may have been made before the disk was full; it is whole then.
		    new = changed(before, after)
		    assert all(PAST.fullmatch(os.path.basename(path)) and content(path) == content(FILE) for path in new), new
		    shutil.rmtree("sync/filler") if os.path.isdir("sync/filler") else os.remove("sync/filler")
		    over(take.__name__)
		subprocess.run(["umount", "sync"], check=True)
	PY
END

test_expect_success 'a file that was altered, cut off, emptied, or is something else: 4 and untouched; when the good one is back: saved' - <<'END'
	lab <<-'PY'
		from trouble import *
		good = content("kept.sync/my.sgvault")
		held = VaultFile.read("kept.sync/my.sgvault")
		middle = good.index(b"bare/data/obj-cas-imm-") + 200
		held.header["heads"] = {ref: commit[:-1] + ("0" if commit[-1] != "0" else "1") for ref, commit in held.header["heads"].items()}
		held.write("heads.sgvault")
		label = VaultFile.read("kept.sync/my.sgvault")
		label.header["locks"][0]["label"] = "not by the owner"
		label.write("label.sgvault")
		headless = stored_zip([(name, data) for name, data, _ in read_zip(good)[1:]])
		for about, data, statuses in (("a flipped bit", good[:middle] + bytes([good[middle] ^ 1]) + good[middle + 1:], 4), ("cut off", good[:-100], 4), ("longer", good + b"x", 4), ("other heads", content("heads.sgvault"), 4),
		                              ("another label", content("label.sgvault"), 4), ("no header", headless, 4), ("a text", b"this is no vault\n" * 50, 4), ("empty", b"", (4, 6))):
		    fresh()
		    with open(FILE, "wb") as file:
		        file.write(data)
		    before = listing("sync")
		    trouble(about, statuses)
		    assert not changed(before, listing("sync")), changed(before, listing("sync"))
		    assert "Bank" in vault("list", status=(0, 4, 6)).out
		    with open(FILE, "wb") as file:
		        file.write(good)
		    over(about)
	PY
END

test_expect_success 'another vault under the name of the file, and one forged with its id: refused and untouched' - <<'END'
	lab <<-'PY'
		from trouble import *
		os.makedirs("others", exist_ok=True)
		begun("others/my.sgvault", "others.home", code="others.code")
		# The same vault id under another key: what somebody could make who has seen the file.
		forged = Keys("sgit_private_vault_abcdefghijklmnopqrstuvwxyz:" + KEYS.vault_id)
		store = Store("forged", forged.read, forged.vault_id)
		key = store.signer()
		store.branch("current", store.commit(store.tree_of({"a": b"a"}), [], "one", signer=key), key_id=key.key_id)
		store.index()
		VaultFile.pack("forged", forged, serial=99).write("forged.sgvault")
		for about, path, statuses in (("another vault", "others/my.sgvault", (3, 4, 8)), ("a forged one", "forged.sgvault", (3, 4, 8))):
		    fresh()
		    shutil.copy(path, FILE)
		    before = listing("sync")
		    trouble(about, statuses)
		    assert not changed(before, listing("sync")), changed(before, listing("sync"))
		    shutil.copy("kept.sync/my.sgvault", FILE)
		    over(about)
	PY
END

test_expect_success 'an older copy in the place of the file: said, and what the device has is written again; no lock comes back' - <<'END'
	lab <<-'PY'
		from trouble import *
		fresh()
		private("value", "newer")
		vault("add", "login", "Newer", "--field-file", "password=value")
		shutil.copy("kept.sync/my.sgvault", FILE)
		ended = vault("add", "login", "Newest", "--field-file", "password=value")
		assert in_file(FILE, KEYS).keys() == {"Bank", "Newer", "Newest"} == on_device().keys(), ended
		assert re.search("(?i)older|went back|back in time", ended.err), ended
		vault("lock", "change", "recovery-code", "--recovery-code-file", "changed.code")
		removed = VaultFile.read(FILE).header["removed_locks"]
		shutil.copy("kept.sync/my.sgvault", FILE)
		vault("add", "login", "Last", "--field-file", "password=value")
		header = VaultFile.read(FILE).header
		assert removed and header["removed_locks"] == removed and len(header["locks"]) == 1 and header["locks"][0]["id"] not in removed, header
		over("Last")
	PY
END

test_expect_success 'a folder that another program holds: it is waited for' - <<'END'
	lab <<-'PY'
		from trouble import *
		import fcntl, threading
		fresh()
		folder = os.open("sync", os.O_RDONLY)
		fcntl.flock(folder, fcntl.LOCK_EX)
		private("value", "waited")
		found = []
		waiting = threading.Thread(target=lambda: found.append(vault("add", "login", "Waited", "--field-file", "password=value")))
		waiting.start()
		waiting.join(2)
		assert waiting.is_alive() and "Waited" not in in_file(FILE, KEYS), "it did not wait"
		fcntl.flock(folder, fcntl.LOCK_UN)
		waiting.join(20)
		assert found and "Waited" in in_file(FILE, KEYS), found
	PY
END

test_expect_success 'two stores: one line each, one of them in trouble; the other one has all, and the status is that of what failed' - <<'END'
	lab <<-'PY'
		from trouble import *
		fresh()
		os.makedirs("usb")
		shutil.copy(FILE, "usb/usb.sgvault")
		vault("open", "usb/usb.sgvault", "--secret-file", "my.code")
		private("value", "x")
		def line(name, form, ended):
		    assert re.search(rf"(?m)^{name}\s+{form}", ended.err), (name, form, ended)
		both = vault("add", "login", "Both", "--field-file", "password=value")
		line("my", "saved [0-2][0-9]:[0-5][0-9]$", both), line("usb", "saved [0-2][0-9]:[0-5][0-9]$", both)
		assert in_file(FILE, KEYS).keys() == in_file("usb/usb.sgvault", KEYS).keys() == {"Bank", "Both"}
		os.rename("usb", "unplugged")
		one = vault("add", "login", "One", "--field-file", "password=value")
		line("my", "saved ", one), line("usb", "(not saved|last saved)", one)
		os.rename("unplugged", "usb")
		good = content("usb/usb.sgvault")
		with open("usb/usb.sgvault", "wb") as file:
		    file.write(good[:-7])
		bad = vault("add", "login", "Two", "--field-file", "password=value", status=4)
		line("my", "saved ", bad), line("usb", "not saved", bad)
		assert content("usb/usb.sgvault") == good[:-7] and in_file(FILE, KEYS).keys() == {"Bank", "Both", "One", "Two"}
		said = vault("status", status=(0, 4))
		assert re.search(r"(?m)^my\s", said.said) and re.search(r"(?m)^usb\s", said.said), said
		with open("usb/usb.sgvault", "wb") as file:
		    file.write(good)
		again = vault("set", "Bank", "username=all")
		line("my", "saved ", again), line("usb", "saved ", again)
		assert in_file(FILE, KEYS) == in_file("usb/usb.sgvault", KEYS) == on_device()
		assert not strangers("sync", "my.sgvault") and not strangers("usb", "usb.sgvault")
	PY
END

test_expect_success 'a vault file inside a working copy would be committed there: refused' - <<'END'
	lab <<-'PY'
		from homes import *
		vault("init", "--store", "work", home="inside.home", status=0)
		refused = vault("init", "work/my.sgvault", "--no-locks", home="inside.home", status=(8, 128))
		assert not os.path.exists("work/my.sgvault") and not os.path.exists("inside.home"), refused
	PY
END

test_done
