#!/bin/bash
# init, add and lock change that are killed at a write, a flush, a rename or a link, or are told there that the disk is full or broken:
# the file is the old one or the new one and opens, the device's vault is sound, and the next command works and tidies up.
. "$(dirname "$0")/test-lib.sh"

unset SGIT_VAULT SGIT_HOME XDG_DATA_HOME XDG_CONFIG_HOME
mkdir tmp template && export TMPDIR=$TRASH/tmp

cat >cases.py <<'PY'
import concurrent.futures
import signal
from homes import *

CALLS = ("write", "pwrite64", "writev", "copy_file_range", "fsync", "fdatasync", "syncfs", "rename", "renameat", "renameat2", "link", "linkat")
COMMANDS = {"init": ["init", "my.sgvault", "--recovery-code-file", "new.code"], "add": ["add", "login", "New", "--field-file", "password=value", "--vault", "my.sgvault"],
            "lock": ["lock", "change", "recovery-code", "--recovery-code-file", "new.code", "--vault", "my.sgvault"]}
FEW = {"init": 5, "add": 9, "lock": 8}  # so many of the places of one call are tried, first and last among them; SGIT_KILLS=all tries each
KEYS = keys_of(key_line("template/home")) if os.path.isdir("template/home") else None
OLD = content("template/sync/my.sgvault") if KEYS else None
OLD_LOCK = VaultFile.read("template/sync/my.sgvault").header["locks"][0]["id"] if KEYS else None


def ready(name, place):
    """A folder with `home` and `sync`; the vault in it is where its device knows it."""
    shutil.rmtree(place, ignore_errors=True)
    if name == "init":
        os.makedirs(place + "/sync")
    else:
        shutil.copytree("template", place)
        # The device was made at another path: the store is the file that is named, so it is opened here once.
        shutil.rmtree(place + "/home")
        vault("open", place + "/sync/my.sgvault", "--secret-file", "old.code", home=place + "/home")
    private(place + "/sync.value", "the new value")


def kept(name, place):
    """ready, from a copy that was made once."""
    model = f"{place}.model"
    if not os.path.isdir(model):
        ready(name, place)
        shutil.copytree(place, model)
    else:
        shutil.rmtree(place), shutil.copytree(model, place)


def run(name, place, *before, command=None, code="new.code"):
    """(status, what it said) of the command, whose files are named where it runs, in `sync`."""
    given = [{"new.code": f"../{code}", "password=value": "password=../sync.value"}.get(text, text) for text in command or COMMANDS[name]]
    ended = vault(*given, home=place + "/home", cwd=place + "/sync", before=before, status=None)
    assert not ended.out, ended
    return ended.status, ended.err.strip()


def opened_with(path, code):
    """Whether a code opens a file."""
    return os.path.exists(code) and subprocess.run(["sgit-unpack", "--secret-file", code, path, "--header"], capture_output=True).returncode == 0


def state(name, place, killed):
    """old, new or none: what is at the path; whatever it is, it is whole and somebody can open it. `safe`: the file is the old one, and the device has more."""
    path = place + "/sync/my.sgvault"
    if not os.path.lexists(path):
        assert name == "init", "there is no file"
        return "none"
    assert os.path.isfile(path) and os.stat(path).st_mode & 0o777 == 0o600
    if name == "init":
        # A vault is never there before the code that opens it.
        assert opened_with(path, place + "/new.code"), "there is a vault, and no code opens it"
        return "new"
    if content(path) == OLD:
        found = "old"
        if name == "add" and "New" in on_device(place + "/home"):
            found = "safe"
    else:
        header, store = unpacked(path, KEYS)
        if name == "add":
            assert documents(store.file_contents).keys() == {"Bank", "New"} and documents(store.file_contents)["New"]["fields"]["password"] == "the new value"
        else:
            assert header["removed_locks"] == [OLD_LOCK] and len(header["locks"]) == 1 and documents(store.file_contents).keys() == {"Bank"}
        found = "new"
    codes = {name: opened_with(path, name) for name in ("old.code", place + "/new.code")}
    assert any(codes.values()), f"no code opens the file that is there: {codes}"
    assert name != "lock" or codes == {"old.code": found == "old", place + "/new.code": found == "new"}, (found, codes)
    return found


def devices(place):
    """The vaults in the home; each of them is whole."""
    home = place + "/home"
    found = [name for name in (os.listdir(home) if os.path.isdir(home) else []) if re.fullmatch("[a-z0-9]{4,24}", name)]
    for name in found:
        if os.path.isdir(f"{home}/{name}/.sg_vault"):
            device(home, name).whole(leftovers=False)
    return found


def go_on(name, place, was):
    """The next command works, on top of what is there; then nothing lies about."""
    path = place + "/sync/my.sgvault"
    if was == "none":
        status, said = run(name, place, code="next.code")
        assert status == 0 and opened_with(path, place + "/next.code"), f"the next init: {status} {said}"
    elif name == "init" and not devices(place):
        vault("open", path, "--secret-file", place + "/new.code", home=place + "/home")
    private(place + "/sync.value", "the next value")
    status, said = run(name, place, command=["add", "login", "Next", "--field-file", "password=value", "--vault", "my.sgvault"])
    assert status == 0 and re.search(r"\bsaved ", said), f"the next add: {status} {said}"
    vault_id = id_of(path)
    keys = KEYS if name != "init" else keys_of(key_line(place + "/home", vault_id))
    held = in_file(path, keys)
    assert held["Next"]["fields"]["password"] == "the next value" and held == on_device(place + "/home", vault_id), held.keys()
    assert name != "lock" or any(opened_with(path, code) for code in ("old.code", place + "/new.code")), "no code opens what the next command wrote"
    assert name != "add" or ("New" in held) == (was in ("new", "safe")), (was, held.keys())
    assert not strangers(place + "/sync", "my.sgvault"), f"left over: {strangers(place + '/sync', 'my.sgvault')}"
    sound(place + "/home", vault_id)
    left = [where for where in listing(place + "/home") if "sgtmp" in where]
    assert not left, f"left over: {left}"


def places(name, call, part=1):
    """Which of the places where a command makes a call are tried."""
    place = f"count.{name}.{call}"
    kept(name, place)
    status, said = run(name, place, "strace", "-f", "-qq", "-o", os.path.abspath(place + ".log"), "-e", f"trace={call}", "-e", "signal=none")
    assert status == 0, said
    number = sum(f"{call}(" in line for line in open(place + ".log", errors="replace"))
    few = number if os.environ.get("SGIT_KILLS") == "all" else max(3, FEW[name] // part)
    return sorted({1 + round(at * (number - 1) / max(1, few - 1)) for at in range(few)}) if number else []


def attempt(about, troubles, look):
    try:
        return look()
    except Exception as trouble:
        troubles.append(f"{about}: {type(trouble).__name__} {trouble}"[:3000])
        return "wrong"


def together(work):
    rows = [(name, call) for name in COMMANDS for call in CALLS]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return [result for results in pool.map(lambda row: list(work(*row)), rows) for result in results]


def report(rows, troubles, seen):
    with open("table", "w") as table:
        table.writelines(f"{row[0]:5}{row[1]:16}{row[2]:>7} {row[3]:>4} {row[4]!s:>7} {row[5]}\n" for row in rows)
    assert not troubles, f"{len(troubles)} of {len(rows)} were wrong:\n" + "\n".join(troubles)
    for name in COMMANDS:
        hit = {row[1] for row in rows if row[0] == name and row[4] != 0}
        for spellings in ({"write", "pwrite64", "writev"}, {"fsync", "fdatasync", "syncfs"}, {"rename", "renameat", "renameat2", "link", "linkat"}):
            assert spellings & hit, f"{name}: none of {sorted(spellings)} was ever hit"
        states = {row[5] for row in rows if row[0] == name and row[4] != 0}
        assert seen[name] <= states, f"{name}: only {states} were seen"
PY

test_expect_success 'a vault to be tried on' - <<'END'
	lab <<-'PY'
		from homes import *
		os.mkdir("template/sync")
		begun("template/sync/my.sgvault", "template/home", code="old.code")
		add("Bank", "the value", home="template/home")
	PY
END

test_expect_success 'killed at a call: the old file or the new one, a sound device, and the next command works and tidies up' - <<'END'
	lab <<-'PY'
		from cases import *
		troubles = []

		def kills(name, call):
		    place = f"kill.{name}.{call}"
		    for k in places(name, call):
		        kept(name, place)
		        status, said = run(name, place, "strace", "-f", "-qq", "-o", os.path.abspath(place + ".log"), "-e", f"trace={call}", "-e", "signal=none", "-e", f"inject={call}:signal=KILL:when={k}")
		        def look():
		            assert status in (0, -signal.SIGKILL), f"{status} {said}"
		            now = state(name, place, True)
		            assert status or now == "new", f"ended with 0, and the file is {now}"
		            devices(place)
		            go_on(name, place, now)
		            return now
		        yield name, call, "KILL", k, "killed" if status else 0, attempt(f"{name}, killed at {call} number {k}", troubles, look)

		report(together(kills), troubles, {"init": {"none"}, "add": {"old", "new"}, "lock": {"old", "new"}})
		assert os.listdir("tmp") == []
	PY
END
[ ! -f table ] || sed 's/^/# /' table
rm -f table

test_expect_success 'EIO and ENOSPC from a call: never a signal, 0 only with the new file, and nothing is left over' - <<'END'
	lab <<-'PY'
		from cases import *
		troubles = []

		def errors(name, call):
		    place = f"fail.{name}.{call}"
		    for k in places(name, call, 2):
		        error = ("ENOSPC", "EIO")[k % 2]
		        kept(name, place)
		        log = os.path.abspath(place + ".log")
		        status, said = run(name, place, "strace", "-f", "-qq", "-o", log, "-e", f"trace={call}", "-e", "signal=none", "-e", f"inject={call}:error={error}:when={k}")
		        injected = [line for line in open(log, errors="replace") if "(INJECTED)" in line]
		        if not injected:
		            continue
		        telling = any(f"{call}(2, " in line for line in injected)
		        def look():
		            assert status in (0, 128), f"status {status}"
		            assert status == 0 or said or telling, "not a word"
		            now = state(name, place, False)
		            assert status or now == "new", f"ended with 0, and the file is {now}"
		            assert not strangers(place + "/sync", "my.sgvault"), f"left over: {strangers(place + '/sync', 'my.sgvault')}"
		            assert now != "none" or not devices(place), "there is a device, and no vault"
		            assert now != "none" or not os.path.exists(place + "/new.code"), "there is a code, and no vault"
		            go_on(name, place, now)
		            return now
		        yield name, call, error, k, status, attempt(f"{name}, {error} from {call} number {k} ({status} {said})", troubles, look)

		report(together(errors), troubles, {"init": {"none"}, "add": {"old"}, "lock": {"old"}})
		assert os.listdir("tmp") == []
	PY
END
[ ! -f table ] || sed 's/^/# /' table
rm -f table

test_done
