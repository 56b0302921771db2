#!/bin/bash
# What is left when a disk is full, when a call fails, and when a tool is killed between two calls.
# Each table is printed as it was found: the call that was hit, the how-manieth of its name, and what came of it.
. "$(dirname "$0")/test-lib.sh"

if [ "$(id -u)" -eq 0 ]; then own_mounts='unshare -m'; else own_mounts='unshare -rm'; fi

cat >trial.py <<'END'
import concurrent.futures, shutil, signal, subprocess
from vaultlab import *

MAIN, OTHER, THIRD = "current", "other", "third"
OBJECTS_ONLY = "hash-object -w", "hash-object, many", "mktree", "commit-tree"

def seed():
    """A small store: three branches at c1, which may move to c2 and c3; `seed/facts` says what is where."""
    store = Store("seed", width=12)
    store.write_key_file("s.key")
    blob = store.blob("x")
    tree = store.tree([store.file("f", "x", blob_id=blob)])
    c1 = store.commit(tree, message="1")
    c2 = store.commit(tree, [c1], message="2")
    refs = [store.main_ref, "ref-pid-muw-00000000000b", "ref-pid-muw-00000000000c"]
    for name, ref in zip((MAIN, OTHER, THIRD), refs):
        store.branch(name, c1, ref_id=ref)
    store.index()
    os.rmdir(store.bare + "/keys")
    json.dump({"blob": blob, "tree": tree, "c1": c1, "c2": c2, "refs": refs}, open("facts.json", "w"))
    open("contents", "w").write("what is stored\n" * 100)
    os.mkdir("many")
    for number in range(12):
        open(f"many/{number}", "w").write(f"number {number}\n")

def facts():
    return json.load(open("facts.json"))

def commands():
    """{name: (arguments, standard input)} of everything that writes."""
    f = facts()
    moves = "".join(f"update {name} {f['c2']} {f['c1']}\n" for name in (MAIN, OTHER, THIRD))
    return {"hash-object -w": (["sgit-hash-object", "-w", "contents", "facts.json"], ""),
            "hash-object, many": (["sgit-hash-object", "-w", "--stdin-paths"], "".join(f"many/{number}\n" for number in range(12))),
            "mktree": (["sgit-mktree"], f"blob {f['blob']}\tanother name\n"),
            "commit-tree": (["sgit-commit-tree", "-m", "told", "-p", "@", f["tree"]], ""),
            "update-ref": (["sgit-update-ref", "@", f["c2"]], ""),
            "update-ref --stdin": (["sgit-update-ref", "--stdin"], moves),
            "add-branch": (["sgit-branch-index", "add-branch", "new"], ""),
            "set-format": (["sgit-branch-index", "set-format", "2"], ""),
            "add-key": (["sgit-branch-index", "add-key", os.environ["TRASH"] + "/device.pub"], "")}

class Trial:
    """One copy of the seed at a time, in a folder of its own, and the state it is in."""

    def __init__(self, place):
        self.root = place
        os.makedirs(place, exist_ok=True)
        self.environment = {**os.environ, "SGIT_STORE": place + "/s", "SGIT_KEY_FILE": os.environ["TRASH"] + "/s.key", "XDG_RUNTIME_DIR": place}
        self.environment.pop("SGIT_KEY_FD", None)

    def fresh(self):
        shutil.rmtree(self.root + "/s", ignore_errors=True)
        shutil.copytree("seed", self.root + "/s")
        self.store = Store.at("seed", "s.key")
        self.store.bare = self.root + "/s/bare"
        self.before = self.state()

    def state(self):
        """The commit of each ref, whether and how the index has changed, and the keys; every file is read and checked."""
        heads = self.store.check()
        index = self.store.document(self.store.index_id)
        keys = os.listdir(self.store.bare + "/keys") if os.path.isdir(self.store.bare + "/keys") else []
        return [heads.get(ref) for ref in facts()["refs"]], index, sorted(k for k in keys if NAME.fullmatch(k))

    def run(self, command, given, *trace):
        run = subprocess.run([*trace, *command], input=given.encode(), capture_output=True, env=self.environment, timeout=60)
        assert run.returncode in (0, 128) or trace and run.returncode < 0, (command, trace, run)
        assert run.returncode == 0 or run.returncode < 0 or run.stderr, ("not a word", command, run)
        return run

    def outcome(self, about):
        """old, new, or how many refs of a transaction have moved; anything else is a failure."""
        now, f = self.state(), facts()
        (heads, index, keys), (old_heads, old_index, old_keys) = now, self.before
        count = sum(head == f["c2"] for head in heads)
        assert heads == [f["c2"]] * count + [f["c1"]] * (len(heads) - count), (about, "the refs that moved are no beginning of the order", heads)
        assert len(keys) <= len(old_keys) + 1
        if index != old_index:
            assert index["branches"][:3] == old_index["branches"] and index["tags"] == old_index["tags"], (about, index)
            assert (len(index["branches"]) == 4 and index["format"] == old_index["format"]) or index["format"] == 2 and index["features"] == ["ids-128"], (about, index)
        if now == self.before:
            return "old"
        return f"{count} of 3 refs" if count and about == "update-ref --stdin" else "new"

    def made(self, name):
        """Whether the change that a command makes to refs, index and keys is there as a whole."""
        word = self.outcome(name)
        return word == ("old" if name in OBJECTS_ONLY else "3 of 3 refs" if name == "update-ref --stdin" else "new")

    def printed(self, name, run):
        """What a successful command printed names objects that are there and open."""
        if name in (*OBJECTS_ONLY, "add-key"):
            for word in run.stdout.decode().split():
                self.store.read(word)

def shown(rows, path):
    with open(path, "w") as file:
        for row in rows:
            print("  ".join(f"{str(cell):<{width}}" for cell, width in zip(row, (20, 12, 8, 60))).rstrip(), file=file)

def calls(trial, command, given, log):
    """How often each call is made once the store has been opened, and how often `openat` before that (by the loader)."""
    trial.fresh()
    assert trial.run(command, given, "strace", "-f", "-qq", "-o", log).returncode == 0
    counts, opened, early = {}, False, 0
    for line in open(log, errors="replace"):
        name = re.match(r"(?:\d+ +)?(\w+)\(", line)
        if name:
            opened = opened or "/bare" in line
            early += name[1] == "openat" and not opened
            counts[name[1]] = counts.get(name[1], 0) + 1
    return counts, early
END
(umask 077 && openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out device.pem 2>.log) && openssl pkey -in device.pem -pubout -out device.pub &&
	lab <<<'from trial import *; seed()' || exit 1

# The wait for a hold that nobody gives back takes half a minute, and so goes on beside the rest. The hold is this test's own.
cp -R seed held && lab >waited 2>&1 <<'END' &
import fcntl, subprocess, time
from trial import facts
c2, at = facts()["c2"], ["--store", "held", "--key-file", "s.key"]
folder = os.open("held/bare", os.O_RDONLY)
fcntl.flock(folder, fcntl.LOCK_EX)
began = time.monotonic()
waiting = [subprocess.Popen([*command, *at], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
           for command in (["sgit-update-ref", "@", c2], ["sgit-branch-index", "add-branch", "new"])]
readers = [subprocess.run([*command, *at], capture_output=True, timeout=20).returncode
           for command in (["sgit-read-ref", "@"], ["sgit-rev-list", "--all"], ["sgit-branch-index"])]
said = [tool.communicate(timeout=60) for tool in waiting]
took = time.monotonic() - began
assert readers == [0, 0, 0], readers
assert [tool.returncode for tool in waiting] == [128, 128] and all(out == b"" and err for out, err in said), (said, waiting)
assert 25 < took < 40, took
patient = subprocess.Popen(["sgit-update-ref", "@", c2, *at])
time.sleep(0.3)
assert patient.poll() is None, "it did not wait"
fcntl.flock(folder, fcntl.LOCK_UN)
assert patient.wait(20) == 0
assert Store.at("held", "s.key").check() and not Store.at("held", "s.key").strangers()
print("as promised")
END
waiter=$!

# table FILE: prints what a driver has found
table() {
	[ ! -f "$1" ] || sed 's/^/# /' "$1"
}

cat >full.py <<'END'
from trial import *
rows, place = [], sys.argv[1]
trial = Trial(place)

def fill(pages):
    """Fills the disk but for so many pages; a file that grows by pages until nothing fits, and is cut."""
    with open(place + "/filler", "wb", buffering=0) as file:
        size = 0
        try:
            while True:
                size += file.write(bytes(4096))
        except OSError:
            pass
        file.truncate(max(0, (size - size % 4096) - 4096 * pages))

for name, (command, given) in commands().items():
    for pages in range(40):
        if os.path.exists(place + "/filler"):
            os.remove(place + "/filler")
        trial.fresh()
        fill(pages)
        run = trial.run(command, given)
        word = trial.outcome(name)
        rows.append((name, f"{pages} pages", run.returncode, word))
        if run.returncode == 0:
            assert trial.made(name), (name, pages, word)
            trial.printed(name, run)
            assert pages > 0, f"{name} did something on a full disk, and ended with 0"
            break
        assert word == "old", (name, pages, word)
        assert not trial.store.strangers(), (name, pages, trial.store.strangers())
        os.remove(place + "/filler")
        assert trial.run(command, given).returncode == 0, f"{name}: with room again it works"
        assert trial.made(name)
    else:
        raise AssertionError(f"{name} never succeeds")
shown(rows, "full.table")
END

test_expect_success 'on a full disk nothing ends in 0 and nothing changes; with room again everything works' - <<'END'
	mkdir small && $own_mounts bash -c 'mount -t tmpfs -o size=512k tmpfs small && "$PYTHON" -S full.py "$PWD/small"'
END
table full.table

test_expect_success 'so it is on a disk that has room but no more files' - <<'END'
	cat >inodes.py <<-'PY' &&
		from trial import *
		place = sys.argv[1]
		trial = Trial(place)
		for name, (command, given) in commands().items():
		    for free in range(20):
		        trial.fresh()
		        os.makedirs(place + "/more")
		        try:
		            for number in range(10_000):
		                open(f"{place}/more/{number}", "w").close()
		        except OSError:
		            pass
		        for number in range(free):
		            os.remove(f"{place}/more/{number}")
		        run = trial.run(command, given)
		        word = trial.outcome(name)
		        shutil.rmtree(place + "/more")
		        if run.returncode == 0:
		            assert free > 0 and trial.made(name), (name, free, word)
		            trial.printed(name, run)
		            break
		        assert word == "old" and not trial.store.strangers(), (name, free, word, trial.store.strangers())
		    else:
		        raise AssertionError(f"{name} never succeeds")
	PY
	mkdir -p small && $own_mounts bash -c 'mount -t tmpfs -o size=2m,nr_inodes=60 tmpfs small && "$PYTHON" -S inodes.py "$PWD/small"'
END

cat >fail.py <<'END'
from trial import *
NAMES = ["write", "fsync", "syncfs", "openat", "rename", "renameat", "renameat2", "linkat", "mkdirat"]

def tried(name, error):
    command, given = commands()[name]
    trial, rows = Trial(f"{os.environ['TRASH']}/fail/{name.replace(' ', '-')}-{error}"), []
    log = trial.root + "/log"
    counts, early = calls(trial, command, given, log)
    for call in NAMES:
        if not counts.get(call):
            rows.append((name, call, error, "never called"))
            continue
        words, first = [], early + 1 if call == "openat" else 1
        for k in range(first, first + 200):
            trial.fresh()
            run = trial.run(command, given, "strace", "-f", "-qq", "-o", log, "-e", f"trace={call}", "-e", f"inject={call}:error={error}:when={k}")
            if "(INJECTED)" not in open(log, errors="replace").read():
                assert run.returncode == 0 and trial.made(name), (name, call, error, k, run)
                break
            about = (name, call, error, k, run, open(log, errors="replace").read()[-600:])
            assert run.returncode >= 0, ("a crash", about)
            word = trial.outcome(name)
            if run.returncode == 0:
                assert call not in ("write", "fsync", "syncfs", "mkdirat"), ("the failure is not told", about)
                assert trial.made(name), ("half done and called done", word, about)
                trial.printed(name, run)
            elif call not in ("write", "fsync"):
                assert word == "old" or name == "update-ref --stdin" and call.startswith("rename"), ("refused, and changed", word, about)
            assert not [path for path in trial.store.strangers() if not path.startswith("data/")], ("left over", trial.store.strangers(), about)
            words.append(f"{run.returncode}/{word}")
        else:
            raise AssertionError((name, call, "does not end"))
        rows.append((name, call, error, " ".join(f"{first + n}:{word}" for n, word in enumerate(words))))
    return rows

jobs = [(name, error) for name in commands() for error in ("ENOSPC", "EIO")]
with concurrent.futures.ThreadPoolExecutor(2) as pool:
    results = [pool.submit(tried, *job) for job in jobs]
failures = []
rows = []
for job, result in zip(jobs, results):
    try:
        rows += result.result()
    except Exception as problem:
        rows.append((*job, "", "FAILED"))
        failures.append((job, problem))
shown(rows, "fail.table")
for job, problem in failures:
    print(job, problem, "\n")
sys.exit(bool(failures))
END

test_expect_success 'whatever call fails, a tool ends with 128 and never by a signal; refs and index are as before or as they should become' - <<'END'
	"$PYTHON" -S fail.py
END
table fail.table

cat >kill.py <<'END'
from trial import *
NAMES = ["write", "fsync", "syncfs", "rename", "renameat", "renameat2", "linkat"]
CHANGES = ["update-ref --stdin", "add-branch", "hash-object -w", "hash-object, many"]

def tried(name, call):
    command, given = commands()[name]
    trial, rows = Trial(f"{os.environ['TRASH']}/kill/{name.replace(' ', '-')}-{call}"), []
    log, f = trial.root + "/log", facts()
    for k in range(1, 200):
        trial.fresh()
        run = trial.run(command, given, "strace", "-f", "-qq", "-o", log, "-e", f"trace={call}", "-e", f"inject={call}:signal=KILL:when={k}")
        word = trial.outcome(name)
        if run.returncode == 0:
            assert trial.made(name), (name, call, k, word)
            trial.printed(name, run)
            rows.append((name, call, k, "ends in 0, " + (f"{word}" if k > 1 else "never called")))
            return rows
        assert run.returncode == -signal.SIGKILL, (name, call, k, run)
        left = trial.store.strangers()
        again = given if name != "update-ref --stdin" else "".join(f"update {branch} {f['c2']}\n" for branch in (MAIN, OTHER, THIRD))
        if name == "add-branch" and word == "new":
            command_again = ["sgit-branch-index", "add-branch", "newer"]
        else:
            command_again = command
        then = trial.run(command_again, again)
        assert then.returncode == 0, ("the next command", name, call, k, then)
        if name == "add-branch":
            assert [b["name"] for b in trial.state()[1]["branches"]][3:] in (["new"], ["new", "newer"]), (name, call, k)
        else:
            assert trial.made(name), (name, call, k, trial.outcome(name))
            trial.printed(name, then)
        after = trial.store.strangers()
        assert not [path for path in after if path.startswith("refs/")], ("left in refs after the next command", name, call, k, after)
        rows.append((name, call, k, f"killed, {word}, {len(left)} left over, {len(after)} after the next command"))
    raise AssertionError((name, call, "does not end"))

jobs = [(name, call) for name in CHANGES for call in NAMES]
with concurrent.futures.ThreadPoolExecutor(2) as pool:
    results = [pool.submit(tried, *job) for job in jobs]
rows, failures = [], []
for job, result in zip(jobs, results):
    try:
        rows += result.result()
    except Exception as problem:
        rows.append((*job, "", "FAILED"))
        failures.append((job, problem))
shown(rows, "kill.table")
for job, problem in failures:
    print(job, problem, "\n")
sys.exit(bool(failures))
END

test_expect_success 'killed before any call, a tool leaves whole refs, a beginning of the moves in order, and a store that the next command goes on with' - <<'END'
	"$PYTHON" -S kill.py
END
table kill.table

test_expect_success 'the kills have hit: at least one before each rename of a transaction and before the link of an object' - <<'END'
	grep -q '^update-ref --stdin .*killed, 1 of 3 refs' kill.table && grep -q '^update-ref --stdin .*killed, 2 of 3 refs' kill.table &&
	grep -q '^update-ref --stdin .*killed, old' kill.table && grep -q '^hash-object -w .*killed' kill.table && grep -q '^add-branch .*killed, old' kill.table
END

test_expect_success 'what is new is on the disk before it has its name, and every name before the tool ends' - <<'END'
	lab <<-'PY'
		from trial import *
		trial = Trial(os.environ["TRASH"] + "/order")
		for name, (command, given) in commands().items():
		    calls(trial, command, given, trial.root + "/log")
		    made = [row[1] for row in re.findall(r"^(\d+ +)?(\w+)\(.*\) += 0", open(trial.root + "/log", errors="replace").read(), re.M)]
		    named = [at for at, call in enumerate(made) if call in ("linkat", "renameat", "renameat2", "rename")]
		    moved = [at for at, call in enumerate(made) if call.startswith("rename")] or named
		    flushed = [at for at, call in enumerate(made) if call in ("fsync", "fdatasync", "syncfs")]
		    assert named and flushed and flushed[-1] > named[-1], (name, made)
		    before = [made[at] for at in flushed if at < moved[0]]
		    assert "syncfs" in before or len(before) >= {"update-ref --stdin": 3, "hash-object -w": 2}.get(name, 1), (name, made)
	PY
END

test_expect_success 'what a killed writer left among the refs is cleared away by the next, and what is no such thing stays' - <<'END'
	rm -rf s && cp -R seed s && use s s.key && head=$(lab <<<'from trial import *; print(facts()["c2"])') && ref=$(basename s/bare/refs/ref-pid-muw-00000000000b) &&
	: >"s/bare/refs/.$ref.0123abcd.sgtmp" && : >s/bare/refs/README && : >s/bare/refs/.hidden && sgit-update-ref @ "$head" &&
	test ! -e "s/bare/refs/.$ref.0123abcd.sgtmp" && test -e s/bare/refs/README && test -e s/bare/refs/.hidden
END

test_expect_success 'a hold that is not given back is waited for half a minute, and then it is 128; readers do not wait' - <<'END'
	wait "$waiter" && { test "$(cat waited)" = 'as promised' || { cat waited && return 1; }; }
END

test_done
