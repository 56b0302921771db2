#!/bin/bash
# Many writers of one store at the same time: none is lost, none overwrites another, and nobody who reads sees half of it.
. "$(dirname "$0")/test-lib.sh"

sgit-vault init --store v 2>err || { cat err && exit 1; }
(umask 077 && sgit-derive-keys --key-file v/.sg_vault/local/vault_key >v.key) || exit 1
use v/.sg_vault v.key

test_expect_success 'two hundred writers, all of them there before the first may write' - <<'END'
	{ lab >counted <<-'PY' || { cat said && return 1; } } && grep -qx 'alive before the first may write: 200' counted
		import subprocess, time
		MANY = 200
		said = open("said", "wb")

		def line(process):
		    with open(f"/proc/{process.pid}/stat") as file:
		        text = file.read()
		    name, rest = text[text.index("(") + 1:text.rindex(")")], text[text.rindex(")") + 2:].split()
		    return name, rest[0], int(rest[11]) + int(rest[12])  # its name, its state, the time it has had

		def asleep(process):
		    name, state, spent = line(process)
		    return name.startswith("sgit-vault") and state == "S" and spent

		writers = []
		for n in range(MANY):
		    with open(f"out.{n}", "wb") as out:
		        writers.append(subprocess.Popen(["sgit-vault", "put", "-m", f"writer {n}", f"shelf{n % 7}/file {n}"],
		                                        stdin=subprocess.PIPE, stdout=out, stderr=said, pass_fds=(3,)))
		# Each has come as far as it can without its content: it sleeps, and did nothing since it was last looked at.
		before, until = None, time.monotonic() + 120
		while True:
		    time.sleep(0.5)
		    now = [asleep(writer) for writer in writers]
		    assert all(writer.poll() is None for writer in writers), "a writer ended before it had its content"
		    if all(spent is not False for spent in now) and now == before:
		        break
		    before = now
		    assert time.monotonic() < until, "they never came to rest"
		alive = sum(writer.poll() is None and line(writer)[0].startswith("sgit-vault") for writer in writers)
		print("alive before the first may write:", alive)
		assert alive == MANY

		begun = time.monotonic()
		for n, writer in enumerate(writers):
		    writer.stdin.write(f"what writer {n} says\n".encode() * (n % 5))
		for writer in writers:
		    writer.stdin.close()
		ended = [writer.wait(timeout=300) for writer in writers]
		print(f"they took {time.monotonic() - begun:.1f} s")
		assert ended == [0] * MANY, {n: status for n, status in enumerate(ended) if status}
	PY
END
sed 's/^/# /' counted

test_expect_success 'every one of their commits is in the history, one after the other' - <<'END'
	sgit-rev-list --parents @ >history && wc -l <history >lines && test "$(cat lines)" -eq 201 &&
	lab <<-'PY'
		from wholestore import *
		rows = [line.split() for line in open("history")]
		assert [len(row) for row in rows] == [2] * 200 + [1], "a commit that has not one parent"
		assert all(row[1] == above[0] for row, above in zip(rows, rows[1:])), "the history is no line"
		told = [open(f"out.{n}").read() for n in range(200)]
		assert all(re.fullmatch("obj-cas-imm-[0-9a-f]{32}\n", text) for text in told)
		assert {text.strip() for text in told} == {row[0] for row in rows[:-1]}, "what they said and what is there differ"
		store = Copy("v").store
		assert sorted(store.message(row[0]) for row in rows) == sorted(["init"] + [f"writer {n}" for n in range(200)])
		for n in range(200):
		    assert store.message(told[n].strip()) == f"writer {n}", "a writer said the commit of another"
	PY
END

test_expect_success 'every file is there with what its writer said' - <<'END'
	sgit-rev-list @ | sgit-verify-commit --stdin >verdict && sgit-vault ls -r -z >listed && lab <<-'PY'
		from wholestore import *
		files = Copy("v").files()
		assert files == {f"shelf{n % 7}/file {n}": f"what writer {n} says\n".encode() * (n % 5) for n in range(200)}
		assert sorted(open("listed").read().split("\0")[:-1]) == sorted(files)
	PY
END

test_expect_success 'every object and ref is whole, and nothing else lies about' - <<'END'
	lab <<-'PY'
		from wholestore import *
		copy = Copy("v")
		held = copy.whole()
		assert len(set(held.values())) == 1 and len(held) == 2, held
		assert len(os.listdir(copy.local)) == 4, os.listdir(copy.local)
		assert sorted(os.listdir("v/.sg_vault")) == ["bare", "local"], os.listdir("v/.sg_vault")
		assert not [name for place, _, names in os.walk("v") for name in names if ".sgtmp" in name or name.endswith((".lock", ".tmp"))]
		assert not [name for name in os.listdir(copy.store.bare) if not os.path.isdir(os.path.join(copy.store.bare, name))], os.listdir(copy.store.bare)
	PY
END

test_expect_success 'twenty writers that come one after another, and readers that never see half of it' - <<'END'
	echo base >base && sgit-vault put base base >id &&
	{ lab >counted <<-'PY' || { cat said && return 1; } } && sgit-rev-list @ >history && wc -l <history >lines && test "$(cat lines)" -eq 282
		import subprocess, threading
		said, failures, ended, looks = open("said", "wb"), [], threading.Event(), []

		def writer(n):
		    for turn in range(4):
		        put = subprocess.run(["sgit-vault", "put", "-m", f"{n} {turn}", f"w/{n}"], input=f"{turn}\n".encode() * (n + 1),
		                             stdout=subprocess.DEVNULL, stderr=said, pass_fds=(3,))
		        if put.returncode:
		            failures.append(("put", put.returncode))

		def reader(command, right):
		    while not ended.is_set():
		        look = subprocess.run(command, capture_output=True, pass_fds=(3,))
		        looks.append(command[1])
		        if look.returncode or look.stderr or not right(look.stdout):
		            failures.append((command, look.returncode, look.stderr, look.stdout[:300]))

		def listed(text):
		    return b"base\0" in text and text.count(b"shelf") == 200

		readers = [threading.Thread(target=reader, args=given) for given in (
		    (["sgit-vault", "cat", "base"], lambda text: text == b"base\n"),
		    (["sgit-vault", "cat", "base", "--at", "@"], lambda text: text == b"base\n"),
		    (["sgit-vault", "ls", "-r", "-z"], listed),
		    (["sgit-vault", "log", "--oneline"], lambda text: text.count(b"\n") >= 202),
		    (["sgit-rev-list", "--objects", "@"], lambda text: text.count(b"obj-cas-imm-") > 400),
		    (["sgit-branch-index"], lambda text: b"current" in text))]
		writers = [threading.Thread(target=writer, args=(n,)) for n in range(20)]
		for thread in readers + writers:
		    thread.start()
		for thread in writers:
		    thread.join()
		ended.set()
		for thread in readers:
		    thread.join()
		print(len(looks), "looks")
		assert not failures, failures[:5]
		assert len(looks) >= 30 and len(set(looks)) >= 4, looks
	PY
END
sed 's/^/# /' counted

test_expect_success 'and after that all is whole' - <<'END'
	lab <<-'PY'
		from wholestore import *
		copy = Copy("v")
		copy.whole()
		files = copy.files()
		assert all(files[f"w/{n}"] == b"3\n" * (n + 1) for n in range(20)), "an older turn came last"
		assert len(files) == 221
	PY
END

test_done
