#!/bin/bash
# No passphrase, code, value or key is where it was not asked for: not in the arguments or the environment of any process, on stderr, in
# what is written to any descriptor, in a core, in a temporary file, in a home or beside the vault; nor on the screen.
. "$(dirname "$0")/test-lib.sh"

unset SGIT_VAULT SGIT_HOME XDG_DATA_HOME XDG_CONFIG_HOME
mkdir tmp sync && export TMPDIR=$TRASH/tmp

cat >leaks.py <<'PY'
import signal
import threading
from homes import *

FILE = "sync/my.sgvault"
VALUE, OTHER_VALUE = "a value nobody sees 5512", "another value unseen 7731"


class Secrets:
    """{name: every form in which a secret could lie about, as bytes}"""

    def __init__(self):
        self.forms = {}
        for name, text in (("the passphrase", PHRASE), ("the new passphrase", OTHER_PHRASE), ("the value", VALUE), ("the other value", OTHER_VALUE)):
            self.text(name, text)

    def text(self, name, text):
        raw = text.encode()
        self.forms.setdefault(name, set()).update({raw, base64.b64encode(raw)[:-4], raw.hex().encode(), text.encode("utf-16-le")})

    def code(self, name, code):
        plain = code.replace("-", "")
        self.forms.setdefault(name, set()).update({code.encode(), plain.encode(), code.lower().encode(), plain.lower().encode(), code.replace("-", " ").encode(), secret_of(code), secret_of(code).hex().encode()})

    def key(self, line):
        keys = keys_of(line)
        self.text("the vault key", keys.passphrase)
        for name, raw in (("the read key", keys.read), ("the write key", keys.write)):
            self.forms[name] = {raw, raw.hex().encode(), base64.b64encode(raw)[:-2]}

    def found(self, data, *but):
        """The names of the secrets that are in some bytes."""
        data = data.encode() if isinstance(data, str) else data
        return sorted(name for name, forms in self.forms.items() if name not in but and any(form in data for form in forms))


class Watch:
    """Looks at the arguments and the environment of every process, again and again, until it is told to end."""

    def __init__(self, secrets):
        self.secrets, self.ended, self.looks, self.leaks = secrets, threading.Event(), 0, set()
        self.thread = threading.Thread(target=self.run)

    def look(self):
        for pid in filter(str.isdigit, os.listdir("/proc")):
            for name in ("cmdline", "environ", "comm"):
                try:
                    leaked = self.secrets.found(content(f"/proc/{pid}/{name}"))
                except OSError:
                    continue
                if leaked:
                    self.leaks.add((name, *leaked))
        self.looks += 1

    def run(self):
        while not self.ended.is_set():
            self.look()

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.ended.set()
        self.thread.join()


def lying_about(secrets, *folders):
    """[(path, secrets)] of all that lies below some folders but what is allowed to: the key that is kept, and the code that a test kept."""
    return [(path, leaked) for path, found in listing(*folders).items() for data in [found if isinstance(found, str) else found[1]] if data is not None
            for leaked in [secrets.found(data, *(("the vault key",) if path.endswith("/.sg_vault/local/vault_key") else ()))] if leaked or secrets.found(path)]


def conversation(secrets, home, pipes):
    """(session, names of secrets that its screen may show) of all that somebody does at a terminal in an hour."""
    def talk(arguments, *answers, shown=(), status=0):
        person, questions = answered(arguments, *answers, home=home, pipes=pipes)
        assert person.status == status, (arguments, person.status, questions, person.text, person.err)
        return person, shown
    V = ["--vault", FILE]
    person, _ = talk(["init", FILE], PHRASE, PHRASE)
    code = CODE_FORM.search(person.text)[0]
    secrets.code("the code", code), secrets.key(key_line(home))
    yield person, ("the code",)
    yield talk(["add", "login", "Bank", "username=ana", *V], VALUE)
    yield talk(["add", "login", "Made", *V], "")
    yield talk(["list", *V])
    yield talk(["get", "Bank", *V])
    yield talk(["get", "Bank", "password", *V], shown=("the value",))
    yield talk(["set", "Bank", "password", *V], OTHER_VALUE)
    yield talk(["history", "Bank", *V])
    yield talk(["status", *V])
    yield talk(["lock", "list", *V])
    yield talk(["lock", "test", *V], *[lambda question: PHRASE if "assphrase" in question else ""] * 3)
    yield talk(["lock", "rehearse", *V], code, shown=("the code",))
    yield talk(["lock", "print", *V], code, shown=("the code",))
    yield talk(["lock", "change", "passphrase", *V], OTHER_PHRASE, OTHER_PHRASE)
    yield talk(["forget", "--key", *V])
    yield talk(["get", "Bank", "password", *V], OTHER_PHRASE, shown=("the other value",))
    yield talk(["get", "Bank", "password", *V], PHRASE, PHRASE, PHRASE, status=3)
    shutil.move(home, home + ".lost")
    yield talk(["open", FILE], OTHER_PHRASE)
    shutil.move(home, home + ".lost.too")
    yield talk(["open", FILE], PHRASE, VALUE, OTHER_VALUE, status=3)
    text, _ = wrong(code, 14)
    yield talk(["recover", FILE], text, *[PHRASE] * 2)
    yield talk(["remove", "Bank", *V])
PY

test_expect_success 'a secret in the arguments, in the environment, in a file or on a screen is seen by what looks for it' - <<'END'
	lab <<-'PY'
		from leaks import *
		secrets = Secrets()
		for command, more in ((["bash", "-c", "read -r x", PHRASE], {}), (["bash", "-c", "read -r x"], {"A_SECRET": VALUE})):
		    process = subprocess.Popen(command, stdin=subprocess.PIPE, env={**os.environ, **more})
		    with Watch(secrets) as watch:
		        until = time.monotonic() + 20
		        while not watch.leaks and time.monotonic() < until:
		            time.sleep(0.01)
		    process.kill(), process.communicate()
		    assert {leak[0] for leak in watch.leaks} == {"environ" if more else "cmdline"}, watch.leaks
		os.makedirs("shown")
		for name, data in (("a", PHRASE), ("b", base64.b64encode(b"xyz" + VALUE.encode())), ("c", VALUE.encode("utf-16-le"))):
		    private("shown/" + name, b"..." + (data.encode() if isinstance(data, str) else data))
		assert {path for path, _ in lying_about(secrets, "shown")} == {"shown/a", "shown/b", "shown/c"}
		with Session("bash", "-c", "read -r -p 'Word: ' x") as person:
		    person.prompt()
		    person.enter(PHRASE)
		    person.finish()
		assert secrets.found(person.raw) == ["the passphrase"]
	PY
END

for pipes in '' yes; do
	export pipes
	test_expect_success "an hour at a terminal$([ -z "$pipes" ] || echo ', with stdout and stderr elsewhere'): what is typed hidden is never shown, a code only where it is made, typed or printed; and nothing lies about" - <<-'END'
		rm -rf sync home* && mkdir sync && lab <<-'PY'
			from leaks import *
			secrets, sessions = Secrets(), []
			with Watch(secrets) as watch:
			    for person, shown in conversation(secrets, "home", bool(os.environ["pipes"])):
			        about = " ".join(person.command[:4])
			        sessions.append(about)
			        leaked = secrets.found(person.raw, *shown)
			        assert not leaked, (about, "the screen shows", leaked, person.text)
			        assert person.before == person.after, (about, "the terminal was left otherwise")
			        if os.environ["pipes"]:
			            assert not secrets.found(person.err), (about, "stderr tells", secrets.found(person.err), person.err)
			            assert not secrets.found(person.out, *(name for name in shown if "value" in name)), (about, "stdout tells", person.out)
			            if "get" in person.command and person.status == 0 and "password" in person.command:
			                assert not secrets.found(person.raw), "the value is on the terminal too"
			assert len(sessions) == 21 and watch.looks > 20, (len(sessions), watch.looks)
			assert not watch.leaks, watch.leaks
			places = [name for name in os.listdir(".") if name.startswith("home")]
			assert len(places) == 3
			lies = lying_about(secrets, "sync", "tmp", *places)
			assert not lies, lies
			assert os.listdir("tmp") == []
			kept = [path for path in listing(*places) if path.endswith("/vault_key")]
			assert len(kept) == 2 and all(os.stat(path).st_mode & 0o777 == 0o600 for path in kept), kept
			print(f"{len(sessions)} commands, {watch.looks} looks at every process")
		PY
	END
done

test_expect_success 'with files and descriptors instead: no secret in the arguments and environment of any program that is run, in what is written but to stdout, or in what is made' - <<'END'
	rm -rf sync home* && mkdir sync && lab <<-'PY'
		from leaks import *
		secrets = Secrets()
		for name, text in (("phrase", PHRASE), ("other", OTHER_PHRASE), ("value", VALUE)):
		    private(name, text)
		V, traces = ["--vault", FILE], []

		def traced(*command, status=0, fds=(), may=()):
		    """Runs it under strace: all programs with arguments and environment, all that is written, all files that are made."""
		    log = f"trace.{len(traces)}"
		    traces.append((log, may))
		    ended = vault(*command, status=status, fds=fds, before=["strace", "-f", "-y", "-v", "-qq", "-xx", "-s", "10000000", "-o", log, "-e", "signal=none", "-e", "trace=execve,execveat,write,writev,pwrite64,pwritev,sendto,sendmsg,openat,open,creat,mkdir,mkdirat,linkat,memfd_create"])
		    assert not secrets.found(ended.err), (command, ended.err)
		    assert not secrets.found(ended.out, *may), (command, ended.out)
		    return ended

		traced("init", FILE, "--passphrase-file", "phrase", "--recovery-code-file", "code")
		secrets.code("the code", content("code").decode().strip()), secrets.key(key_line())
		traced("add", "login", "Bank", "--field-file", "password=value", *V)
		with open("value", "rb") as file:
		    traced("add", "login", "Bank 2", "--field-fd", f"password={file.fileno()}", *V, fds=(file.fileno(),))
		    file.seek(0)
		    traced("set", "Bank 2", "--field-fd", f"password={file.fileno()}", *V, fds=(file.fileno(),))
		traced("get", "Bank", *V), traced("get", "Bank", "password", *V, may=("the value",)), traced("get", "Bank", "--json", *V), traced("list", "--json", *V), traced("history", "Bank", "--json", *V), traced("status", "--json", *V)
		traced("lock", "add", "passphrase", "--label", "two", "--new-secret-file", "other", *V), traced("lock", "test", "--secret-file", "code", *V), traced("lock", "rehearse", "--secret-file", "code", *V)
		traced("lock", "test", "--secret-file", "value", *V, status=3), traced("lock", "remove", "two", *V)
		os.rename("home", "home.lost")
		traced("recover", FILE, "--secret-file", "code", "--new-passphrase-file", "other"), traced("open", FILE, "--secret-file", "code")
		# A hidden field in an argument is refused, and its value is not repeated.
		refused = vault("add", "login", "Bad", "password=" + VALUE, *V, status=129)
		assert not secrets.found(refused.said), refused

		for log, may in traces:
		    programs = 0
		    for line in open(log, errors="replace"):
		        call = re.match(r"(?:\d+ +)?(\w+)\((.*)", line)
		        if not call:
		            continue
		        name, arguments = call.groups()
		        data = b"".join(bytes.fromhex(text.replace("\\x", "")) for text in re.findall(r'"((?:\\x[0-9a-f]{2})*)"', arguments)) + arguments.encode()
		        programs += name.startswith("execve")
		        first = re.match(r"(\d+)<([^>]*)>", arguments)
		        path = bytes.fromhex(first[2].replace("\\x", "")).decode(errors="replace") if first and first[2].startswith("\\x") else first[2] if first else ""
		        if name.startswith(("write", "pwrite", "send")) and first:
		            # The key that the device keeps, the code in the file that was asked for, and the value that was asked for have their places.
		            if "/local/" in path and path.startswith(os.path.abspath("home") + "/"):
		                leaked = secrets.found(data, "the vault key")
		            elif os.path.dirname(path) == os.getcwd():
		                leaked = secrets.found(data, "the code")
		            else:
		                leaked = secrets.found(data, *(may if first[1] == "1" else ()))
		        else:
		            leaked = secrets.found(data)
		        assert not leaked, (log, name, path, leaked)
		        if name in ("open", "openat", "creat") and "O_CREAT" in arguments and "ENOENT" not in line:
		            made = [bytes.fromhex(text.replace("\\x", "")).decode(errors="replace") for text in re.findall(r'"((?:\\x[0-9a-f]{2})*)"', arguments)]
		            outside = [path for path in made if path.startswith(("/tmp/", "/var/", "/dev/shm/")) and not path.startswith(os.getcwd() + "/")]
		            assert not outside, (log, outside)
		    assert programs == 1, (log, programs, "programs were run")
		lies = lying_about(secrets, "sync", "tmp", "home", "home.lost")
		assert not lies and os.listdir("tmp") == [], lies
		print(f"{len(traces)} commands traced")
	PY
END

test_expect_success 'a core is never written, whatever ends the program while it holds a secret; and nobody else may look into it' - <<'END'
	rm -rf sync home* core* code && mkdir sync && lab <<-'PY'
		from leaks import *
		private("phrase", PHRASE)
		pattern = content("/proc/sys/kernel/core_pattern").decode().strip()
		unlimited = ["bash", "-c", 'ulimit -c unlimited; exec "$@"', "-"]
		cores = lambda: [name for name in os.listdir(".") if name.startswith("core")]
		# A program that does not care leaves one, where cores are files in the current folder.
		process = subprocess.Popen([*unlimited, "sleep", "60"])
		while b"sleep" not in content(f"/proc/{process.pid}/cmdline")[:5]:
		    time.sleep(0.01)
		process.send_signal(signal.SIGABRT), process.wait()
		here = not pattern.startswith(("|", "/"))
		assert not here or cores(), "no program leaves a core here"
		print(f"cores are files here: {here} ({pattern!r})")
		for name in cores():
		    os.remove(name)
		vault("init", FILE, "--passphrase-file", "phrase", "--recovery-code-file", "code")
		code = content("code").decode().strip()
		for number in (signal.SIGABRT, signal.SIGSEGV, signal.SIGQUIT):
		    # Each at a question that comes when something secret is in memory already.
		    for command, answers in ((["init", "core.sgvault"], [PHRASE]), (["add", "login", "Bank", "--vault", FILE], []), (["recover", FILE], [code]), (["lock", "add", "passphrase", "--vault", FILE], [PHRASE])):
		        home = "home" if "--vault" in command else "core.home"
		        with at_terminal(*command, home=home, before=unlimited) as person:
		            for answer in [*answers, None]:
		                assert person.prompt(60), (command, person.text)
		                answer is None or person.enter(answer)
		            limits = content(f"/proc/{person.pid}/limits").decode()
		            assert re.search(r"Max core file size +0 +0 ", limits), (command, limits)
		            assert os.stat(f"/proc/{person.pid}/environ").st_uid == 0, "it may be looked into"
		            person.signal(number)
		            person.finish()
		        assert person.status in (-number, 128 + number), (command, number, person.status)
		        assert [name for name in cores() if name not in ("core.home", "core.sgvault")] == [], (command, number, cores())
		        assert not os.path.exists("core.home") and not os.path.exists("core.sgvault"), (command, number)
	PY
END

test_done
