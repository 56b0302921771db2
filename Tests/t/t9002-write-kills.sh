#!/bin/bash
# A writer that is killed at any system call, or is told by any of them that the disk is full or broken: every ref stays whole
# and names a commit that is there with all its objects, the head is the old one or the new one, and the next writer goes on.
. "$(dirname "$0")/test-lib.sh"

sgit-vault init --store template 2>err || { cat err && exit 1; }
(umask 077 && sgit-derive-keys --key-file template/.sg_vault/local/vault_key >template.key) || exit 1
mkdir -p files/d/e && echo a >files/a && echo b >files/d/b && echo c >files/d/e/c || exit 1
sgit-vault put --store template . files >id || exit 1
exec 3<template.key && export SGIT_KEY_FD=3

# What all of the tests below share: cases.py knows the commands, runs one under strace, and judges what is left.
cat >cases.py <<'PY'
import concurrent.futures
import shutil
import subprocess

import wholestore
from wholestore import *


def stretch(passphrase, vault_id):
    """As vaultlab's own, which takes three times as long."""
    told = subprocess.run(["sgit-derive-keys"], input=f"{passphrase}:{vault_id}\n".encode(), capture_output=True, check=True)
    return parse_key(told.stdout.decode())[1]


wholestore.stretch = stretch
NEW = b"what is new\n" * 400
COMMANDS = {"put": ["put", "d/e/new"], "rm": ["rm", "d/e/c"], "init": ["init"]}
TEMPLATE = Copy("template")
OLD, OLD_FILES = TEMPLATE.head(), TEMPLATE.files()
AFTER = {"put": {**OLD_FILES, "d/e/new": NEW}, "rm": {path: data for path, data in OLD_FILES.items() if path != "d/e/c"}}


def tool(command, place, before=()):
    """sgit-vault; (status, what it said), negative where a signal ended it. The key is the template's, else that of the place."""
    given = [*before, "sgit-vault", command[0], "--store", place, *command[1:]]
    environment = {name: value for name, value in os.environ.items() if name != "SGIT_KEY_FD" or place.startswith(("template.put", "template.rm"))}
    run = subprocess.run(given, input=NEW, capture_output=True, pass_fds=(3,), env=environment)
    return run.returncode, run.stderr.decode(errors="replace").strip()


def ready(name, place):
    """A new place to run a command in: a copy of the template, or nothing at all for init."""
    shutil.rmtree(place, ignore_errors=True)
    if name != "init":
        shutil.copytree("template", place)


def judge(name, place, killed):
    """The state a command left, `old`, `new` or `half` (only this device's ref has moved). What is not whole is an AssertionError."""
    if name == "init":
        left = set(os.listdir(place)) - {".sg_vault"} if os.path.lexists(place) else set()
        assert killed or not left, f"{left} is left"
        if not os.path.lexists(place + "/.sg_vault"):
            return "old"
    copy = Copy(place)
    copy.whole(leftovers=not killed)
    head, current = copy.head(), copy.current()
    if name == "init":
        assert copy.files() == {} and head == current and copy.store.document(head)["parents"] == []
        assert sorted(os.listdir(copy.local)) == sorted(["vault_key", "config.json", "checkout.json", copy.branch["public_key_id"] + ".pem"])
        return "new"
    for commit in {head, current} - {OLD}:
        assert copy.store.document(commit)["parents"] == [OLD], "neither the old head nor a child of it"
        assert copy.store.files_of(commit) == AFTER[name], "the new head does not hold what was written"
    assert head != OLD or current == OLD, "current has moved, and the ref of this device has not"
    return "old" if head == OLD else "new" if head == current else "half"


def go_on(name, place, state, once=True):
    """The next writer works, on top of what is there. For init that is another init, and once also put."""
    if name == "init" and state == "old":
        status, said = tool(["init"], place)
        assert status == 0, f"the next init ended with {status}: {said}"
        if not once:
            return
    files = Copy(place).files()
    status, said = tool(["put", "next"], place)
    assert status == 0, f"the next put ended with {status}: {said}"
    copy = Copy(place)
    copy.whole(leftovers=False)
    assert copy.files() == {**files, "next": NEW} and copy.head() == copy.current(), "the next put did not work"
    assert not [left for left in copy.store.leftovers() if left.startswith("refs/")], "what was left beside the refs stayed"


def attempt(what, *steps):
    """None, or what was wrong."""
    try:
        for step in steps:
            step()
    except Exception as trouble:
        return f"{what}: {type(trouble).__name__} {trouble}"


def together(work, rows):
    """Rows are independent of each other: as many at a time as there are processors."""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return [result for results in pool.map(lambda row: list(work(*row)), rows) for result in results]


def report(rows, troubles):
    """The table that the test shows; and all that was wrong, at once."""
    with open("table", "w") as table:
        table.writelines(f"{row[0]:5}{row[1]:10}{row[2]!s:>7} {row[3]!s:6} {row[4]!s:>6} {row[5]}\n" for row in rows)
    assert not troubles, f"{len(troubles)} of {len(rows)} were wrong:\n" + "\n".join(troubles)
PY

test_expect_success 'killed at any write, fsync, rename or link: old or new, and the next writer goes on' - <<'END'
	lab <<-'PY'
		from cases import *

		troubles = []

		def kills(name, call):
		    place, k, state = f"template.{name}.{call}", 0, "wrong"
		    while True:
		        k += 1
		        ready(name, place)
		        status, said = tool(COMMANDS[name], place, ["strace", "-f", "-qq", "-o", place + ".log", "-e", f"trace={call}", "-e", "signal=none",
		                                                    "-e", f"inject={call}:signal=KILL:when={k}"])
		        assert status in (0, -9), f"{name} {call} {k}: {status} {said}"
		        def look():
		            nonlocal state
		            state = "wrong"
		            state = judge(name, place, killed=status != 0)
		            assert status or state == "new", f"ended with 0, and the head is {state}"
		            go_on(name, place, state, once=k % 8 == 1)
		        wrong = attempt(f"{name}, killed at {call} number {k}", look)
		        wrong and troubles.append(wrong)
		        yield name, call, k, "killed" if status else "done", "head", state
		        if status == 0:
		            return
		        assert k < 400, "no end"

		calls = ("write", "fsync", "rename", "renameat", "renameat2", "linkat")
		rows = together(kills, [(name, call) for name in COMMANDS for call in calls])
		report(rows, troubles)
		for name in COMMANDS:
		    killed = [row for row in rows if row[0] == name and row[3] == "killed"]
		    assert {"old", "new"} <= {row[5] for row in killed}, f"{name} was never killed before, or never after it had written"
		    assert {row[1] for row in killed} & {"rename", "renameat", "renameat2"} and any(row[1] == "fsync" for row in killed), name
	PY
END
sed 's/^/# /' table && rm table

test_expect_success 'ENOSPC and EIO from any call: never a signal, never 0 unless all is written, old or new' - <<'END'
	lab <<-'PY'
		from cases import *

		troubles = []

		def traced(name, call, place, inject):
		    ready(name, place)
		    log = place + ".log"
		    status, said = tool(COMMANDS[name], place, ["strace", "-f", "-y", "-qq", "-o", log, "-e", "signal=none", "-e", f"trace={call}", *inject])
		    with open(log, errors="replace") as file:
		        return status, said, [line for line in file if f" {call}(" in line]

		def errors(name, call):
		    place = f"template.{name}.{call}"
		    status, said, lines = traced(name, call, place, [])
		    assert status == 0, said
		    # Opening the libraries is not what is tried here.
		    for k in [k for k, line in enumerate(lines, 1) if call != "openat" or place in line]:
		        for error in ("ENOSPC", "EIO") if call != "openat" else (("ENOSPC", "EIO")[k % 2],):
		            status, said, lines = traced(name, call, place, ["-e", f"inject={call}:error={error}:when={k}"])
		            if not any("(INJECTED)" in line for line in lines):
		                continue
		            state = "wrong"
		            def look():
		                nonlocal state
		                assert status in (0, 128), f"status {status}"
		                assert status == 0 or said, "not a word"
		                state = judge(name, place, killed=False)
		                assert status or state == "new", f"ended with 0, and the head is {state}"
		            wrong = attempt(f"{name}, {error} from {call} number {k} ({said})", look)
		            wrong and troubles.append(wrong)
		            yield name, call, error, k, status, state

		calls = ("write", "fsync", "syncfs", "openat", "linkat", "renameat", "renameat2", "mkdirat")
		rows = together(errors, [(name, call) for name in COMMANDS for call in calls])
		report(rows, troubles)
		for name in COMMANDS:
		    seen = {row[1] for row in rows if row[0] == name and row[4] == 128}
		    assert {"write", "openat"} <= seen and seen & {"fsync", "syncfs"}, f"{name}: only {seen} ever failed"
	PY
END
sed 's/^/# /' table && rm table

# in_full COMMAND…: runs it where ./full is a small file system that nobody else sees, of 400 KiB and 200 files.
in_full() {
	local user=
	[ "$(id -u)" -eq 0 ] || user='--user --map-root-user'
	mkdir -p full
	# shellcheck disable=SC2086
	unshare $user --mount bash -c 'mount -t tmpfs -o size=400k,nr_inodes=200 none full && exec "$@"' full "$@"
}

test_expect_success 'a file system that is really full: 128 and as before, or 0 and all is there' - <<'END'
	cat >full.py <<-'PY' && in_full "$PYTHON" -S full.py
		from cases import *

		def fill(free):
		    """Takes all bytes but `free`."""
		    with open("full/fill", "wb", buffering=0) as file:
		        try:
		            while file.write(bytes(4096)):
		                pass
		        except OSError:
		            pass
		        file.truncate(max(0, file.tell() - free))

		def crowd(free):
		    """Takes all files but `free`."""
		    os.mkdir("full/crowd")
		    count = 0
		    try:
		        while True:
		            open(f"full/crowd/{count}", "x").close()
		            count += 1
		    except OSError:
		        pass
		    for n in range(free):
		        os.remove(f"full/crowd/{n}")

		rows, troubles = [], []
		for name in COMMANDS:
		    for take, amounts in ((fill, range(0, 81920, 4096)), (crowd, range(0, 40, 3))):
		        for free in amounts:
		            subprocess.run("rm -rf full/*", shell=True, check=True)
		            place = "full/v"
		            if name != "init":
		                shutil.copytree("template", place)
		            take(free)
		            before = contents(place + "/.sg_vault/bare/refs")
		            status, said = tool(COMMANDS[name], place)
		            shutil.rmtree("full/crowd", ignore_errors=True)
		            os.path.exists("full/fill") and os.remove("full/fill")
		            state = "wrong"
		            def look():
		                global state
		                assert status in (0, 128), f"status {status}"
		                assert status == 0 or said, "not a word"
		                state = judge(name, place, killed=False)
		                assert state == ("old" if status else "new"), f"status {status}, and the head is {state}"
		                assert status == 0 or contents(place + "/.sg_vault/bare/refs") == before
		                go_on(name, place, state)
		            wrong = attempt(f"{name}, {take.__name__} but {free} ({said})", look)
		            wrong and troubles.append(wrong)
		            rows.append((name, take.__name__, "but", free, status, state))
		            if status == 0:
		                break
		report(rows, troubles)
		for name in COMMANDS:
		    for take in ("fill", "crowd"):
		        assert {row[4] for row in rows if row[:2] == (name, take)} == {0, 128}, f"{name}, {take}: never both"
	PY
END
sed 's/^/# /' table && rm table

test_done
