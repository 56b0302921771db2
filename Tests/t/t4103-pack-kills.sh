#!/bin/bash
# sgit-pack -o that is killed before any system call, or told by any of them that the disk is full or broken: at the path there
# is always a whole file, the old or the new one, and one more run leaves it and its past copies, each of them once.
. "$(dirname "$0")/test-lib.sh"

"$PYTHON" -S "$TEST_DIRECTORY/vaultfiles.py" story || exit 1

# What all of the tests below share: a folder with a file in it or none, one run under strace, and what is left.
cat >cases.py <<'PY'
import concurrent.futures, fcntl, signal, time
from vaultfiles import *

KEYS = vector_keys()
PAST = re.compile(r"[0-9]{8}T[0-9]{6}\.[0-9]{3}Z-[A-Za-z0-9-]{1,32}(-[0-9]+)?\.sgvault")
LOCK = [LOCKS["A"]]
OLD = packed("s1", KEYS, locks=LOCK, serial=3)
CASES = {"over": True, "new": False}
NEW = {"over": packed("s3", KEYS, olds=[OLD]).to_bytes(), "new": packed("s3", KEYS, locks=LOCK).to_bytes()}
CALLS = ("write", "pwrite64", "writev", "copy_file_range", "sendfile", "ftruncate", "fallocate", "fsync", "fdatasync", "syncfs", "rename", "renameat", "renameat2", "link", "linkat", "mkdir", "mkdirat", "openat", "unlink", "unlinkat",
         "fchmod", "fchmodat", "futimens", "utimensat")
# What every writer of a file must have called, in one spelling or another.
NEEDED = {"over": ({"write", "pwrite64", "writev"}, {"fsync", "syncfs"}, {"rename", "renameat", "renameat2"}, {"link", "linkat"}, {"mkdir", "mkdirat"}, {"openat"}),
          "new": ({"write", "pwrite64", "writev"}, {"fsync", "syncfs"}, {"rename", "renameat", "renameat2", "link", "linkat"}, {"openat"})}


def fresh(name, place):
    shutil.rmtree(place, ignore_errors=True)
    os.mkdir(place)
    if CASES[name]:
        private(place + "/V.sgvault", OLD.to_bytes())
        os.chmod(place + "/V.sgvault", 0o640)


def run(name, place, *trace):
    """sgit-pack, with the read key where the header can be copied (no derivation), else with the vault key."""
    private(place + ".old", OLD.to_bytes())
    key = ["--key-file", "v.key"] if CASES[name] else ["--key-file", "v.vault-key", "--lock", "A.lock"]
    more = ["--header-from", place + ".old"] if CASES[name] else []
    done = subprocess.run([*trace, "sgit-pack", "--store", "s3", *key, *more, "-o", place + "/V.sgvault"], stdin=subprocess.DEVNULL, capture_output=True, timeout=90)
    return done.returncode, done.stdout, done.stderr.decode(errors="replace").strip()


def state(name, place):
    """old, new or none (where there was no file). Anything else is an AssertionError."""
    path = place + "/V.sgvault"
    if not os.path.lexists(path):
        assert not CASES[name], "there is no file"
        return "none"
    assert os.path.isfile(path) and not os.path.islink(path)
    data, mode = content(path), os.stat(path).st_mode & 0o777
    assert data in (OLD.to_bytes(), NEW[name]), f"neither the old nor the new file, {len(data)} bytes"
    assert mode == (0o640 if CASES[name] else 0o600), f"mode {mode:o}"
    assert data == NEW[name] or CASES[name]
    return "new" if data == NEW[name] else "old"


def past(place):
    """The past copies, oldest first; each is whole, and none is there twice."""
    folder = place + "/.versions/V"
    if not os.path.isdir(folder):
        return []
    names = sorted(name for name in os.listdir(folder) if PAST.fullmatch(name))
    found = [content(f"{folder}/{name}") for name in names]
    assert len(set(found)) == len(found), f"a past copy is there twice: {names}"
    return found


def strangers(place):
    """What no run may leave when it has ended."""
    left = set(os.listdir(place)) - {"V.sgvault", ".versions"}
    for folder, names, files in os.walk(place + "/.versions"):
        base = os.path.relpath(folder, place)
        left.update(f"{base}/{name}" for name in names if (base, name) != (".versions", "V"))
        left.update(f"{base}/{name}" for name in files if base != ".versions/V" or not PAST.fullmatch(name))
    return left


def settled(name, place):
    """One normal run: the new file, its past copies, and nothing else."""
    status, out, said = run(name, place)
    assert status == 0 and out == b"", f"the next run: {status} {said}"
    assert state(name, place) == "new" and not strangers(place), (state(name, place), strangers(place))
    assert past(place) == ([OLD.to_bytes()] if CASES[name] else []), f"{len(past(place))} past copies"


def calls(name, place):
    """{call: how often}, and the number of `openat` that the loader makes."""
    fresh(name, place)
    log = place + ".log"
    status, _, said = run(name, place, "strace", "-f", "-qq", "-o", log)
    assert status == 0, said
    counts, early, begun = {}, 0, False
    for line in open(log, errors="replace"):
        call = re.match(r"(?:\d+ +)?(\w+)\(", line)
        if call:
            begun = begun or call[1] != "execve" and ("v.key" in line or "v.vault-key" in line or "/s3" in line or '"s3' in line)
            counts[call[1]] = counts.get(call[1], 0) + 1
            early += call[1] == "openat" and not begun
    return counts, early


def attempt(about, troubles, look):
    try:
        return look()
    except Exception as trouble:
        troubles.append(f"{about}: {type(trouble).__name__} {trouble}")
        return "wrong"


def together(work, rows):
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return [result for results in pool.map(lambda row: list(work(*row)), rows) for result in results]


def report(rows, troubles):
    with open("table", "w") as table:
        table.writelines(f"{row[0]:5}{row[1]:16}{row[2]!s:>7} {row[3]!s:>4} {row[4]!s:>7} {' '.join(map(str, row[5:]))}\n" for row in rows)
    assert not troubles, f"{len(troubles)} of {len(rows)} were wrong:\n" + "\n".join(troubles)
    for name in CASES:
        for spellings in NEEDED[name]:
            assert spellings & {row[1] for row in rows if row[0] == name}, f"{name}: none of {sorted(spellings)} was ever hit"
        seen = {row[5] for row in rows if row[0] == name and row[4] != 0}
        assert {"old" if CASES[name] else "none", "new"} <= seen, f"{name}: only {seen} were seen"
PY

# A hold that is not given back is waited for half a minute, beside all the rest.
mkdir held && cp v.key held.key && lab >waited 2>&1 <<'END' &
from cases import *
folder = os.open("held", os.O_RDONLY)
fcntl.flock(folder, fcntl.LOCK_EX)
command = ["sgit-pack", "--key-file", "v.vault-key", "--store", "s1", "-o", "held/V.sgvault"]
began = time.monotonic()
waiting = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
out, err = waiting.communicate(timeout=60)
took = time.monotonic() - began
assert waiting.returncode == 128 and out == b"" and err and os.listdir("held") == [], (waiting.returncode, err, os.listdir("held"))
assert 25 < took < 40, took
patient = subprocess.Popen(command)
time.sleep(1)
assert patient.poll() is None, "it did not wait"
fcntl.flock(folder, fcntl.LOCK_UN)
assert patient.wait(20) == 0 and os.listdir("held") == ["V.sgvault"], os.listdir("held")
print("as promised")
END
waiter=$!

test_expect_success 'killed before any call of each name: the old file or the new one is there, and one more run leaves nothing else and no past copy twice' - <<'END'
	lab <<-'PY'
		from cases import *
		troubles = []

		def kills(name, call):
		    place = f"kill.{name}.{call}"
		    counts, early = calls(name, place)
		    if not counts.get(call):
		        return
		    first = early + 1 if call == "openat" else 1
		    for k in range(first, first + 2000):
		        fresh(name, place)
		        status, _, said = run(name, place, "strace", "-f", "-qq", "-o", place + ".log", "-e", f"trace={call}", "-e", "signal=none", "-e", f"inject={call}:signal=KILL:when={k}")
		        def look():
		            assert status in (0, -signal.SIGKILL), f"{status} {said}"
		            now, left = state(name, place), len(strangers(place))
		            assert status or now == "new" and not left, f"ended with 0: {now}, {strangers(place)}"
		            past(place)
		            settled(name, place)
		            return now, f"{left} left over"
		        found = attempt(f"{name}, killed at {call} number {k}", troubles, look)
		        yield name, call, "KILL", k, "killed" if status else 0, *(found if isinstance(found, tuple) else (found,))
		        if status == 0:
		            return
		    troubles.append(f"{name}, {call}: no end")

		report(together(kills, [(name, call) for name in CASES for call in CALLS]), troubles)
	PY
END
[ ! -f table ] || sed 's/^/# /' table
rm -f table

test_expect_success 'EIO and ENOSPC from any call of each name: never a signal; 0 only with the new file, and else 128 and a whole file; nothing is left over' - <<'END'
	lab <<-'PY'
		from cases import *
		troubles = []

		def errors(name, call, error):
		    place = f"fail.{name}.{call}.{error}"
		    counts, early = calls(name, place)
		    if not counts.get(call):
		        return
		    first = early + 1 if call == "openat" else 1
		    for k in range(first, first + 2000):
		        fresh(name, place)
		        status, out, said = run(name, place, "strace", "-f", "-qq", "-o", place + ".log", "-e", f"trace={call}", "-e", "signal=none", "-e", f"inject={call}:error={error}:when={k}")
		        with open(place + ".log", errors="replace") as log:
		            injected = [line for line in log if "(INJECTED)" in line]
		        hit, note = bool(injected), any("write(2, " in line for line in injected)
		        def look():
		            assert status in (0, 128), f"status {status}, {said}"
		            assert status == 0 or said.startswith("sgit-pack: "), "not a word"
		            assert status or not out
		            now = state(name, place)
		            assert status or now == "new", f"ended with 0: {now}"
		            assert not hit or note or status or call not in ("write", "pwrite64", "writev", "fsync", "syncfs"), "the failure is not told"
		            past(place)
		            if call not in ("unlink", "unlinkat"):
		                assert not strangers(place), f"left over: {strangers(place)}"
		            settled(name, place)
		            return now
		        yield name, call, error, k, status, attempt(f"{name}, {error} from {call} number {k} ({status} {said})", troubles, look)
		        if not hit:
		            return
		    troubles.append(f"{name}, {call}: no end")

		told = [call for call in CALLS if call not in ("fchmod", "fchmodat")]  # a file system without modes is served
		report(together(errors, [(name, call, error) for name in CASES for call in told for error in ("ENOSPC", "EIO")]), troubles)
	PY
END
[ ! -f table ] || sed 's/^/# /' table
rm -f table

test_expect_success 'what is new is on the disk before it has its name, the old file has its second name before that, and the folder is flushed last' - <<'END'
	lab <<-'PY'
		from cases import *
		for name in CASES:
		    place = "order." + name
		    calls(name, place)
		    made = re.findall(r"^(?:\d+ +)?(\w+)\((.*)\) += (?!-1|\?)", open(place + ".log", errors="replace").read(), re.M)
		    order = [call for call, _ in made]
		    flushed = [at for at, call in enumerate(order) if call in ("fsync", "fdatasync", "syncfs")]
		    named = [at for at, (call, text) in enumerate(made) if call.startswith(("rename", "link")) and "V.sgvault" in text and ".versions" not in text and "Z-" not in text.rpartition("V.sgvault")[0]]
		    assert named and flushed and flushed[0] < named[-1] < flushed[-1], (name, order)
		    kept = [at for at, (call, text) in enumerate(made) if call.startswith("link") and re.search(r"T\d{6}\.\d{3}Z-", text)]
		    assert bool(kept) == CASES[name] and (not kept or kept[-1] < named[-1]), (name, made)
	PY
END

test_expect_success 'a file that is replaced by another while it is packed over: 5, or packed again; the other one'"'"'s commits are not lost' - <<'END'
	lab <<-'PY'
		from cases import *
		other = packed("fork", KEYS, locks=LOCK, serial=9).to_bytes()
		hit = 0
		for call in ("fsync", "linkat", "mkdirat", "syncfs"):
		    place = "race." + call
		    counts, _ = calls("over", place)
		    for k in range(1, counts.get(call, 0) + 1):
		        fresh("over", place)
		        private(place + ".other", other)
		        log = place + ".log"
		        # strace stops the tool on its way into the call; meanwhile the other file takes the place of the old one.
		        process = subprocess.Popen(["strace", "-f", "-qq", "-o", log, "-e", f"trace={call}", "-e", f"inject={call}:delay_enter=1500000:when={k}", "sgit-pack", "--store", "s3", "--key-file", "v.key", "--header-from", place + ".old",
		                                    "-o", place + "/V.sgvault"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
		        time.sleep(0.7)
		        before = content(place + "/V.sgvault")
		        os.rename(place + ".other", place + "/V.sgvault")
		        out, err = process.communicate(timeout=60)
		        now = content(place + "/V.sgvault")
		        if before == OLD.to_bytes():
		            hit += process.returncode == 5
		            kept = now == other or other in past(place)
		            assert kept, f"{call} {k}: the other file is gone ({process.returncode} {err})"
		            assert process.returncode in (0, 5, 128), (call, k, process.returncode, err)
		            assert process.returncode == 0 or now == other, (call, k)
		            assert not strangers(place), (call, k, strangers(place))
		assert hit, "it was never noticed"
	PY
END

test_expect_success 'many at a time over one file: every one ends in 0 or 5, and one whole file with all of the history is left' - <<'END'
	mkdir many && for round in 1 2 3; do
		for store in s1 s2 s3 s3 again; do sgit-pack --store $store --key-file v.vault-key --lock A.lock -o many/V.sgvault 2>"err.$store.$round" & done
		for job in $(jobs -p); do [ "$job" = "$waiter" ] && continue; status=0; wait "$job" || status=$?; case $status in 0 | 5) ;; *) cat err.* && return 1 ;; esac; done
	done && sgit-pack --store s3 --key-file v.vault-key -o many/V.sgvault && sgit-unpack --key-file v.key many/V.sgvault --heads >actual && grep -q "$(lab <<<'from vaultfiles import *; print(ids()["c3"])')" actual && test "$(find many -mindepth 1 -maxdepth 1 ! -name .versions -printf '%f\n')" = V.sgvault &&
	lab <<<'from cases import *; past("many"); assert not strangers("many")'
END

test_expect_success 'a hold that is not given back is waited for half a minute, and then it is 128' - <<'END'
	wait "$waiter" && { test "$(cat waited)" = 'as promised' || { cat waited && return 1; }; }
END

test_done
