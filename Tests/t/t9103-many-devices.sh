#!/bin/bash
# Two and four processes that write one vault file at the same time, of one device and of several: every commit is in the file at the end.
# With the hold switched off the same writers lose some, or end with an error. Devices that have settled write nothing more.
. "$(dirname "$0")/test-lib.sh"

unset SGIT_VAULT SGIT_HOME XDG_DATA_HOME XDG_CONFIG_HOME
mkdir tmp sync && export TMPDIR=$TRASH/tmp

cat >writers.py <<'PY'
import sys
import threading
from homes import *

TRIES = 12


class Writers:
    """So many processes at a time, each of which writes so often; with several homes each has its own."""

    def __init__(self, name, processes, rounds, several, **more):
        self.name, self.processes, self.rounds, self.more = name, processes, rounds, more
        self.folder = f"sync/{name}"
        self.file, self.code = f"{self.folder}/V.sgvault", f"{name}.code"
        self.homes = [f"{name}.home{number if several else 0}" for number in range(processes)]
        os.mkdir(self.folder)
        begun(self.file, self.homes[0], code=self.code)
        private("first.value", "0")
        vault("add", "login", "Shared", "--field-file", "password=first.value", home=self.homes[0])
        for home in sorted(set(self.homes[1:]) - {self.homes[0]}):
            vault("open", self.file, "--secret-file", self.code, home=home)
        self.keys = keys_of(key_line(self.homes[0]))
        self.ended, self.again, self.failed = [], 0, []

    def write(self, number):
        """One process: in turn a secret of its own, and a value of the one that is shared. What ends with 5 is tried again, as 5 says."""
        for turn in range(self.rounds):
            value = f"{number}.{turn}"
            command = ["add", "login", f"of {value}", "--field-file", f"password={self.name}.{value}", f"username={value}"] if turn % 2 else ["set", "Shared", f"username={value}"]
            private(f"{self.name}.{value}", value)
            for _ in range(TRIES):
                ended = vault(*command, home=self.homes[number], status=None, **self.more)
                if ended.status != 5:
                    break
                self.again += 1
            if ended.status:
                self.failed.append(ended)
            else:
                self.ended.append((number, turn))

    def run(self):
        began = time.monotonic()
        threads = [threading.Thread(target=self.write, args=(number,)) for number in range(self.processes)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.took = time.monotonic() - began
        return self

    def missing(self):
        """What is not in the file: commits that a device made, and values that a process wrote and was told to be saved."""
        header, store = unpacked(self.file, self.keys, history=True)
        made = set()
        for home in set(self.homes):
            made |= device(home, self.keys.vault_id).store.made_commits()
        lost = [f"commit {commit}" for commit in sorted(made - store.commit_ids)]
        values = {document["fields"].get("username") for files in store.past_contents for document in documents(files).values()}
        now = documents(store.file_contents)
        for number, turn in self.ended:
            value = f"{number}.{turn}"
            if value not in values:
                lost.append(f"value {value}")
            if turn % 2 and now.get(f"of {value}", {"fields": {}})["fields"].get("password") != value:
                lost.append(f"secret {value}")
        return lost

    def plumbing(self):
        """The commits that `current` reaches in the file, as sgit-unpack and sgit-rev-list find them."""
        place = tempfile.mkdtemp(dir=".", prefix="plumbing.")
        private(place + "/key", f"sgit_private_read_{self.keys.read.hex()}:{self.keys.vault_id}\n")
        how = ["--key-file", place + "/key"]
        subprocess.run(["sgit-unpack", *how, self.file, "-d", place], check=True)
        store = ["--store", place + "/bare", *how]
        listed = subprocess.run(["sgit-rev-list", *store, "current"], check=True, capture_output=True).stdout.decode().split()
        verdicts = subprocess.run(["sgit-verify-commit", *store, "--stdin"], input="\n".join(listed).encode(), capture_output=True)
        assert verdicts.returncode == 0, verdicts
        shutil.rmtree(place)
        return set(listed)

    def judge(self):
        """Nothing is lost, nothing failed, and nothing lies about."""
        assert not self.failed, self.failed[:2]
        lost = self.missing()
        assert not lost, f"{len(lost)} lost: {lost[:10]}"
        assert len(self.ended) == self.processes * self.rounds
        listed, made = self.plumbing(), set()
        for home in sorted(set(self.homes)):
            copy = device(home, self.keys.vault_id)
            copy.whole(leftovers=False)
            made |= copy.store.made_commits()
        # One for the vault, one for the shared secret, and one a round.
        assert made <= listed and len(listed) >= 2 + len(self.ended), (len(made), len(listed), len(self.ended))
        assert not strangers(self.folder, "V.sgvault"), strangers(self.folder, "V.sgvault")
        assert len(past(self.file)) <= 5, past(self.file)
        print(f"{self.name}: {self.processes} processes, {len(set(self.homes))} device(s), {len(self.ended)} rounds in {self.took:.1f} s, {self.again} tried again")
PY

for row in 'two-one 2 25 0' 'four-one 4 12 0' 'two-several 2 25 1' 'four-several 4 13 1'; do
	read -r name processes rounds several <<<"$row"
	export name processes rounds several
	test_expect_success "$processes processes, $([ "$several" -eq 1 ] && echo as many devices || echo one device), $rounds writes each: every commit is in the file, and nothing lies about" - <<-'END'
		lab >>counted <<-'PY'
			from writers import *
			Writers(os.environ["name"], int(os.environ["processes"]), int(os.environ["rounds"]), os.environ["several"] == "1").run().judge()
		PY
	END
done
[ ! -f counted ] || sed 's/^/# /' counted

# The same writers with a library that makes them slow where it matters: before a file gets its name. With NO_HOLD flock says yes at once.
cat >hold.c <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/syscall.h>
#include <unistd.h>

#define SLOW(name, declared, given)                                                                                    \
	int name declared                                                                                              \
	{                                                                                                              \
		int(*next) declared = (int(*) declared)dlsym(RTLD_NEXT, #name);                                        \
		usleep(25000);                                                                                         \
		return next given;                                                                                     \
	}
SLOW(rename, (const char *a, const char *b), (a, b))
SLOW(renameat, (int d, const char *a, int e, const char *b), (d, a, e, b))
SLOW(renameat2, (int d, const char *a, int e, const char *b, unsigned f), (d, a, e, b, f))
SLOW(linkat, (int d, const char *a, int e, const char *b, int f), (d, a, e, b, f))

long syscall(long number, ...)
{
	va_list list;
	long a[6];
	long (*next)(long, ...) = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");

	va_start(list, number);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(list, long);
	va_end(list);
	if (number == SYS_renameat2 || number == SYS_linkat)
		usleep(25000);
	return next(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

int flock(int descriptor, int operation)
{
	return getenv("NO_HOLD") ? 0 : (int)syscall(SYS_flock, descriptor, operation);
}
C

test_expect_success 'the library for the control run is built, and does what it says' - <<'END'
	gcc -Wall -Wextra -shared -fPIC -O1 -o hold.so hold.c -ldl && : >held && exec 8<held && flock -x 8 && exec 9<held &&
	LD_PRELOAD=$PWD/hold.so test_expect_status 1 flock -n -x 9 && NO_HOLD=1 LD_PRELOAD=$PWD/hold.so flock -n -x 9 && exec 8<&- 9<&-
END

test_expect_success 'slow where it matters, and with the hold: nothing is lost, with one device and with several' - <<'END'
	lab <<-'PY'
		from writers import *
		again = {}
		for several in (False, True):
		    writers = Writers(f"slow-{several}", 3, 4, several, LD_PRELOAD=os.path.abspath("hold.so")).run()
		    writers.judge()
		    again[str(several)] = writers.again
		private("with.hold", json.dumps(again))
	PY
END

test_expect_success 'the same with the hold switched off: commits or values are lost, or a writer ends with an error' - <<'END'
	lab >control <<-'PY'
		from writers import *

		def harm(several):
		    writers = Writers(f"control-{several}", 4, 6, several, LD_PRELOAD=os.path.abspath("hold.so"), NO_HOLD="1")
		    writers.run()
		    try:
		        lost = writers.missing()
		    except Exception as trouble:  # what is left need not be whole
		        lost = [f"{type(trouble).__name__}: {trouble}"]
		    print(f"{writers.name}: {len(lost)} lost, {len(writers.failed)} failed, {writers.again} tried again")
		    # To try again is an error too, but for what the same slow writers do with a hold.
		    return len(lost) + len(writers.failed) + max(0, writers.again - json.loads(content("with.hold"))[str(several)])

		harmed = {several: harm(several) for several in (False, True)}
		assert harmed[False] and harmed[True], f"without a hold all went well: {harmed}, so the tests above show nothing"
	PY
END
[ ! -f control ] || sed 's/^/# /' control

test_expect_success 'two devices that have settled: ten more writes of what is there write nothing' - <<'END'
	lab <<-'PY'
		from writers import *
		os.mkdir("sync/settled")
		file = "sync/settled/V.sgvault"
		begun(file, "settled.one", code="settled.code")
		add("Bank", "the value", home="settled.one")
		vault("open", file, "--secret-file", "settled.code", home="settled.two")
		opened = content(file)
		vault("list", home="settled.two"), vault("status", home="settled.two")
		assert content(file) == opened and len(past(file)) == 1, "opening and reading wrote"
		vault("set", "Bank", "username=ana", home="settled.two"), vault("set", "Bank", "url=https://bank.example", home="settled.one")
		for home in ("settled.two", "settled.one") * 2:
		    vault("set", "Bank", "username=ana", home=home)
		before, facts = listing("sync/settled"), os.stat(file)
		commits = {home: device(home).store.made_commits() for home in ("settled.one", "settled.two")}
		private("same", "the value")
		for turn in range(10):
		    home = ("settled.one", "settled.two")[turn % 2]
		    said = vault(*(["set", "Bank", "username=ana"], ["set", "Bank", "--field-file", "password=same"])[turn // 2 % 2], home=home)
		    now = os.stat(file)
		    assert not changed(before, listing("sync/settled")) and (now.st_ino, now.st_mtime_ns) == (facts.st_ino, facts.st_mtime_ns), (turn, said)
		    assert {home: device(home).store.made_commits() for home in commits} == commits, (turn, said)
		for home in commits:
		    vault("list", home=home), vault("get", "Bank", home=home), vault("status", home=home)
		assert not changed(before, listing("sync/settled"))
		# And a write of something is written once.
		vault("set", "Bank", "username=bea", home="settled.two")
		assert len(past(file)) == len([path for path in before if PAST.fullmatch(os.path.basename(path))]) + 1 and get("Bank", "username", home="settled.one") == "bea"
	PY
END

test_expect_success 'heads that diverged while the devices were apart: 5, the file as it was, and the secret safe where it was written' - <<'END'
	lab <<-'PY'
		from writers import *
		os.mkdir("sync/apart")
		file = "sync/apart/V.sgvault"
		begun(file, "apart.one", code="apart.code")
		add("Bank", "the value", home="apart.one")
		vault("open", file, "--secret-file", "apart.code", home="apart.two")
		add("From two", "2", home="apart.two")
		shutil.copy(file, "their.sgvault")
		os.rename("sync/apart", "sync/gone")
		os.mkdir("sync/apart"), shutil.copy(past("sync/gone/V.sgvault")[-1], file)
		# The first device has not seen what the second one wrote, and writes on top of the older file.
		add("From one", "1", home="apart.one")
		shutil.copy("their.sgvault", file)
		before = listing("sync/apart")
		refused = add("From one again", "1", home="apart.one", status=5)
		assert refused.err and not changed(before, listing("sync/apart")), refused
		assert get("From one", home="apart.one", status=(0, 5)) == "1"
		vault("get", "From two", "password", home="apart.two")
		keys = keys_of(key_line("apart.one"))
		assert {"Bank", "From two"} == in_file(file, keys).keys() and "From one" in on_device("apart.one")
	PY
END

test_done
