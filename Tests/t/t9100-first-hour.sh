#!/bin/bash
# A person's first hour and worst day, at a terminal: a vault is made, used, opened on a second device and recovered on a third, word
# for word as README shows it. Then all that can go wrong before there is a vault: nobody there, a wrong passphrase, Ctrl-C.
. "$(dirname "$0")/test-lib.sh"

unset SGIT_VAULT SGIT_HOME XDG_DATA_HOME XDG_CONFIG_HOME
export REPOSITORY
mkdir tmp && export TMPDIR=$TRASH/tmp

test_expect_success 'the first hour, in a shell at a terminal: init, add, get; open on a second device; recover on a third; word for word but for what is random' - <<'END'
	lab <<-'PY'
		from homes import *

		# What README shows, with what differs in each run; where there are two spaces or more there may be others.
		def session(name):
		    readme = open(os.environ["REPOSITORY"] + "/README.md", encoding="utf-8").read()
		    block = re.search(rf"<!-- session: {name} -->\n```console\n(.*?)\n```", readme, re.S)[1]
		    block = re.sub("(?<=Code: )" + CODE_FORM.pattern, "<wrong>", block)
		    for form, mark in ((CODE_FORM.pattern, "<code>"), ("[0-9a-f]{4}(?: [0-9a-f]{4}){3}", "<print>"), ("[0-2][0-9]:[0-5][0-9]$", "<time>"), ("(?<=should be )[0-9A-Z]", "<right>"), ("^hunter2 and more$", "<value>"),
		                       (f"(?<=none\\): {DOTS})(?= )", "<again>")):
		        block = re.sub(form, mark, block, flags=re.M)
		    return block

		SHOWN = {name: session(name) for name in ("first", "second", "third")}
		assert SHOWN["first"].count("<") == 4 and SHOWN["third"].count("<") == 3, SHOWN

		def same(shown, want, **known):
		    """Compares the beginning of a screen with what it must be; returns what stood where something differs in each run."""
		    forms = {"code": "(?P<code>[0-9A-Z]{4}(?:-[0-9A-Z]{4}){6})", "print": "(?P<print>[0-9a-f]{4}(?: [0-9a-f]{4}){3})", "time": "[0-2][0-9]:[0-5][0-9]", "value": "(?P<value>.*)",
		             "again": f"(?: {{2,}}again: {DOTS})?", **{name: re.escape(text) for name, text in known.items()}}
		    lines = [line for line in want.strip().split("\n")]
		    found = {}
		    screen = shown.split("\n")
		    for number, line in enumerate(lines):
		        form = "".join(forms[part[1:-1]] if re.fullmatch("<[a-z]+>", part) else " {2,}" if re.fullmatch(" {2,}", part) else re.escape(part) for part in re.split("(<[a-z]+>| {2,})", line.strip("\t")))
		        match = re.fullmatch(form, screen[number]) if number < len(screen) else None
		        assert match, f"line {number + 1} must be\n{line}\nand the screen is\n{shown}"
		        found.update(match.groupdict())
		    return found, "\n".join(screen[len(lines):])

		def shell(prompt, home, folder, **more):
		    os.makedirs(folder, exist_ok=True)
		    return Session("bash", "--noprofile", "--norc", "--noediting", "-i", cwd=folder, env=environment(home, PS1=prompt, TERM="dumb", HISTFILE="", **more))

		def typed(person, line):
		    person.expect(r"\$ \Z")
		    person.enter(line)

		# the first device
		with shell("$ ", "home", "first") as person:
		    typed(person, "sgit-vault init my.sgvault")
		    for question in (r"Passphrase: \Z", r"again: \Z"):
		        person.expect(question)
		        assert not person.echoes, "what is typed would be shown"
		        person.enter(PHRASE)
		    typed(person, "sgit-vault add login Bank username=ana url=https://bank.example")
		    person.expect(r"password \(Enter makes one\): \Z")
		    person.enter("hunter2 and more")
		    typed(person, "sgit-vault get Bank password")
		    typed(person, "exit")
		    person.finish()
		found, _ = same(person.screen, SHOWN["first"])
		assert found["value"] == "hunter2 and more" and PHRASE not in person.text and person.text.count("hunter2") == 1, person.screen
		code, shown = found["code"], found["print"]
		assert secret_of(code) and person.before == person.after
		first = keys_of(key_line())
		assert shown == fingerprint(first), (shown, fingerprint(first))
		assert not strangers("first", "my.sgvault"), os.listdir("first")
		assert [lock["kind"] for lock in VaultFile.read("first/my.sgvault").header["locks"]].count("passphrase") == 1
		assert sorted(lock["kind"] for lock in VaultFile.read("first/my.sgvault").header["locks"]) == ["passphrase", "recovery-code"]
		assert os.stat("first/my.sgvault").st_mode & 0o777 == 0o600

		# eleven secrets more, of all ten kinds
		values = {"Bank": ("login", "hunter2 and more")}
		for number, kind in enumerate([*KINDS, "login"]):
		    values[f"{kind} {number}"] = (kind, f"value {number} of \u00fcn\u00ef")
		    saved = add(f"{kind} {number}", values[f"{kind} {number}"][1], kind, cwd="first")
		    assert re.search(r"(?m)\bsaved [0-2][0-9]:[0-5][0-9]$", saved.err) and "value" not in saved.said, saved
		assert len(values) == 12 and set(in_file("first/my.sgvault", first)) == set(values)

		# the second device
		os.makedirs("second/Dropbox")
		shutil.copy("first/my.sgvault", "second/Dropbox/my.sgvault")
		before = listing("second")
		with shell("laptop2$ ", "home2", "second", HOME=os.path.abspath("second")) as person:
		    typed(person, "sgit-vault open ~/Dropbox/my.sgvault")
		    person.expect(r"Passphrase: \Z")
		    assert not person.echoes
		    person.enter(PHRASE)
		    typed(person, "exit")
		    person.finish()
		found, _ = same(person.screen, SHOWN["second"])
		assert found["print"] == shown and PHRASE not in person.text and person.before == person.after
		assert not changed(before, listing("second")), "opening wrote beside the file"

		# the third, which has the file and the paper, and a mistake on it
		mistyped, right = wrong(code, 14)
		os.makedirs("third")
		shutil.copy("first/my.sgvault", "third/my.sgvault")
		with shell("newbox$ ", "home3", "third") as person:
		    typed(person, "sgit-vault recover my.sgvault")
		    person.expect(r"Code: \Z")
		    assert not VaultFile.read("third/my.sgvault").header["removed_locks"]
		    person.enter(mistyped)
		    person.expect(r"New passphrase \(Enter: none\): \Z")
		    assert not person.echoes
		    person.enter(OTHER_PHRASE)
		    if "again" in person.expect(r"again: \Z|secrets are back\.")[0]:
		        person.enter(OTHER_PHRASE)
		        person.expect(r"secrets are back\.")
		    typed(person, "exit")
		    person.finish()
		_, rest = same(person.screen, SHOWN["third"], wrong=mistyped, right=right)
		assert OTHER_PHRASE not in person.text and person.before == person.after
		assert "This device keeps the key" in person.screen and f"Fingerprint {shown}" in person.screen, person.screen

		# every secret on each of them
		for home, folder in (("home", "first"), ("home2", "second/Dropbox"), ("home3", "third")):
		    for how in (dict(home=home, cwd=folder), dict(home=home)):
		        listed = vault("list", **how)
		        assert all(title in listed.out for title in values) and not any(value in listed.said for _, value in values.values()), listed
		    for title, (kind, value) in values.items():
		        assert get(title, KINDS[kind][0][0], home=home) == value, (home, title)
		    assert on_device(home).keys() == values.keys()
		    copy = sound(home)
		    assert copy.vault_id == first.vault_id
		assert len({device(home).branch["branch_id"] for home in ("home", "home2", "home3")}) == 3, "two devices are one"
		assert {device(home).branch["name"] for home in ("home", "home2", "home3")} == {"local"}

		# what the third one set opens its file, and so does the code
		private("new.phrase", OTHER_PHRASE + "\n"), private("code", code + "\n")
		vault("open", "third/my.sgvault", "--secret-file", "new.phrase", home="home4")
		assert get("Bank", home="home4") == "hunter2 and more"
		vault("open", "third/my.sgvault", "--secret-file", "code", home="home5")
		assert os.listdir("tmp") == []
	PY
END

# ---------------------------------------------------------------- init

test_expect_success 'init on what is there already: 128, before anything is asked, and nothing changes' - <<'END'
	lab <<-'PY'
		from homes import *
		os.makedirs("there/folder.sgvault")
		for name in ("empty.sgvault", "full.sgvault"):
		    private("there/" + name, "something" * name.startswith("full"))
		os.symlink("nowhere", "there/dangling.sgvault"), os.symlink("full.sgvault", "there/link.sgvault"), os.symlink("loop.sgvault", "there/loop.sgvault")
		begun("there/mine.sgvault", "there.home")
		before = listing("there", "there.home")
		private("init.phrase", PHRASE)
		for name in sorted(os.listdir("there")):
		    if name == ".versions":
		        continue
		    refused = vault("init", "there/" + name, "--passphrase-file", "init.phrase", home="there.home", status=128)
		    assert name in refused.err and not refused.out, refused
		    person, questions = answered(["init", "there/" + name], home="there.home")
		    assert person.status == 128 and questions == [], (name, questions, person.err)
		vault("init", "absent/new.sgvault", "--passphrase-file", "init.phrase", home="there.home", status=6)
		vault("init", home="there.home", status=129)
		assert not changed(before, listing("there", "there.home")) and not os.path.exists("absent")
	PY
END

test_expect_success 'init where nobody can be asked: 7, and nothing is made' - <<'END'
	lab <<-'PY'
		from homes import *
		alone = vault("init", "nobody.sgvault", home="lonely", status=7)
		assert not alone.out and alone.err and not os.path.exists("nobody.sgvault") and not os.path.exists("lonely") and not os.path.exists(".versions")
	PY
END

test_expect_success 'init with two answers that differ asks again, three times, and then makes nothing' - <<'END'
	lab <<-'PY'
		from homes import *
		person, questions = answered(["init", "unequal.sgvault"], *["one passphrase", "another passphrase"] * 3, home="unequal")
		assert person.status not in (0, None) and person.status > 0 and len(questions) == 6, (person.status, questions, person.text)
		assert not os.path.exists("unequal.sgvault") and not os.path.exists("unequal") and "one passphrase" not in person.text
		person, questions = answered(["init", "unequal.sgvault"], "one", "two", PHRASE, PHRASE, home="unequal")
		assert person.status == 0 and len(questions) == 4 and person.out == b"", (person.status, questions)
		assert re.search(r"Recovery code \(shown once\): ([0-9A-Z]{4}-){6}[0-9A-Z]{4}\b", person.text), person.text
		assert not CODE_FORM.search(person.err.decode()), "the code is on stderr"
		private("phrase", PHRASE)
		assert vault("lock", "test", "--secret-file", "phrase", "--vault", "unequal.sgvault", home="unequal").status == 0
	PY
END

test_expect_success 'init without locks: nothing is asked, only the vault key opens it, and it is said' - <<'END'
	lab <<-'PY'
		from homes import *
		made = vault("init", "bare.sgvault", "--no-locks", home="bare")
		assert made.out == "" and VaultFile.read("bare.sgvault").header["locks"] == []
		keys = keys_of(key_line("bare"))
		assert fingerprint(keys) in made.err, made
		assert re.fullmatch("[a-z0-9]{26}", keys.passphrase) and re.fullmatch("[a-z0-9]{12}", keys.vault_id), "the key is not in the form of a new one"
		assert keys.passphrase not in made.said
		add("One", "first value", home="bare")
		vault("open", "bare.sgvault", home="bare2", status=7)
		assert not os.path.exists("bare2")
		person, questions = answered(["open", "bare.sgvault"], key_line("bare").strip(), home="bare2")
		assert person.status == 0 and [question.strip() for question in questions] == ["Vault key:"], (person.status, questions)
		assert keys.passphrase not in person.text and get("One", home="bare2") == "first value"
		private("bare.key", key_line("bare"))
		vault("open", "bare.sgvault", "--key-file", "bare.key", home="bare3")
		assert get("One", home="bare3") == "first value"
		# The key that is kept is the only way in.
		refused = vault("forget", "--key", home="bare", status=8)
		assert refused.err and get("One", home="bare") == "first value"
		vault("status", home="bare")
	PY
END

test_expect_success 'init with a passphrase or a code from files: exactly these locks, a code file of its own, nothing on stdout' - <<'END'
	lab <<-'PY'
		from homes import *
		private("p", PHRASE + "\n")
		cases = {"p": (["--passphrase-file", "p"], ["passphrase"]), "c": (["--recovery-code-file", "c.code"], ["recovery-code"]),
		         "pc": (["--passphrase-file", "p", "--recovery-code-file", "pc.code"], ["passphrase", "recovery-code"])}
		for name, (options, kinds) in cases.items():
		    made = vault("init", f"{name}.sgvault", *options, home=f"{name}.home")
		    header = VaultFile.read(f"{name}.sgvault").header
		    assert made.out == "" and sorted(lock["kind"] for lock in header["locks"]) == kinds and all(lock["grants"] == "vault" for lock in header["locks"]), (made, header)
		    assert re.search(rf"{name}\.sgvault opens with: {', '.join(kind.replace('-', ' ') for kind in kinds)}\.", made.err), made
		    assert "This device keeps the key" in made.err and PHRASE not in made.said and not CODE_FORM.search(made.said), made
		    for secret in [text for text in options if not text.startswith("--")]:
		        assert os.stat(secret).st_mode & 0o777 == 0o600
		        vault("open", f"{name}.sgvault", "--secret-file", secret, home=f"{name}.{secret}")
		    sound(f"{name}.home")
		code = content("c.code").decode()
		assert re.fullmatch("([0-9A-Z]{4}-){6}[0-9A-Z]{4}\n", code) and secret_of(code) and code != content("pc.code").decode()
		# A code file that is there is not written over, and no vault is made then.
		refused = vault("init", "again.sgvault", "--recovery-code-file", "c.code", home="again", status=128)
		assert "c.code" in refused.err and content("c.code").decode() == code and not os.path.exists("again.sgvault") and not os.path.exists("again")
		vault("init", "again.sgvault", "--recovery-code-file", "absent/c.code", home="again", status=6)
		vault("init", "again.sgvault", "--passphrase-file", "absent", home="again", status=(6, 128))
		private("empty", "")
		vault("init", "again.sgvault", "--passphrase-file", "empty", home="again", status=3)
		assert not os.path.exists("again.sgvault") and not os.path.exists("again")
		# From a descriptor, and --format 1.
		with open("p", "rb") as file:
		    vault("init", "again.sgvault", "--passphrase-fd", str(file.fileno()), "--format", "1", "--device", "an old one", home="again", fds=(file.fileno(),))
		copy = sound("again")
		assert copy.store.width == 12 and copy.branch["display_name"] == "an old one", copy.branch
	PY
END

# ---------------------------------------------------------------- open, and what is asked

test_expect_success 'a vault to be asked about' - <<'END'
	lab <<-'PY'
		from homes import *
		private("my.phrase", PHRASE + "\n")
		shutil.rmtree("home", ignore_errors=True)
		os.mkdir("sync")
		vault("init", "sync/my.sgvault", "--passphrase-file", "my.phrase", "--recovery-code-file", "my.code", "--device", "desk")
		add("Bank", "the value"), add("Wi-Fi", "the air", "wifi")
		begun("sync/codes.sgvault", "codes.home")
		add("Bank", "of codes", home="codes.home")
		shutil.copytree("home", "home.kept")
	PY
END

test_expect_success 'open with a wrong passphrase three times: 3, and nothing is made; right the second time: open' - <<'END'
	lab <<-'PY'
		from homes import *
		before = listing("sync")
		person, questions = answered(["open", "sync/my.sgvault"], "zebra", "zebra crossing", "zebra zebra", home="open.home")
		assert person.status == 3 and len(questions) == 3 and set(map(str.strip, questions)) == {"Passphrase:"}, (person.status, questions, person.err)
		assert person.before == person.after and not os.path.exists("open.home") and "zebra" not in person.text + person.err.decode(), person.text
		assert not changed(before, listing("sync"))
		person, questions = answered(["open", "sync/my.sgvault", "--device", "second"], "wrong", PHRASE, home="open.home")
		assert person.status == 0 and len(questions) == 2 and person.out == b"" and get("Bank", home="open.home") == "the value"
		assert sound("open.home").branch["display_name"] == "second" and not changed(before, listing("sync"))
		# A secret from a file that opens nothing is 3 at once.
		private("no.phrase", "no\n")
		vault("open", "sync/my.sgvault", "--secret-file", "no.phrase", home="open2.home", status=3)
		vault("open", "sync/my.sgvault", home="open2.home", status=7)
		vault("open", "sync/absent.sgvault", "--secret-file", "no.phrase", home="open2.home", status=(6, 128))
		vault("recover", "sync/my.sgvault", home="open2.home", status=7)
		assert not os.path.exists("open2.home")
	PY
END

test_expect_success 'an empty answer goes to the next kind; where there are only codes a code is asked, and shown as it is typed' - <<'END'
	lab <<-'PY'
		from homes import *
		code = content("my.code").decode().strip()
		person, questions = answered(["open", "sync/my.sgvault"], "", code, home="kinds.home")
		assert person.status == 0 and [question.strip() for question in questions] == ["Passphrase:", "Code:"], (person.status, questions, person.err)
		assert get("Bank", home="kinds.home") == "the value"
		code = content("sync_codes.sgvault.code").decode().strip()
		person, questions = answered(["open", "sync/codes.sgvault"], code, home="kinds.home")
		assert person.status == 0 and [question.strip() for question in questions] == ["Code:"], (person.status, questions, person.err)
		assert get("Bank", home="kinds.home", SGIT_VAULT=id_of("sync/codes.sgvault")) == "of codes"
	PY
END

test_expect_success 'a terminal that closes, or ends the input: the command ends, and nothing is made' - <<'END'
	lab <<-'PY'
		from homes import *
		before = listing("sync", "home")
		for command in (["init", "closed.sgvault"], ["open", "sync/my.sgvault"], ["recover", "sync/my.sgvault"]):
		    for ignored in (False, True):
		        shell = ["bash", "-c", "trap '' HUP; exec \"$@\"", "-"] if ignored else []
		        for pipes in (False, True):
		            with at_terminal(*command, home="closed.home", pipes=pipes, before=shell) as person:
		                assert person.prompt()
		                person.hang_up()
		                status = person.finish(20)
		            assert status == 7 if ignored else status in (-1, 7, 129), (command, ignored, pipes, status)
		            assert not os.path.exists("closed.home") and not os.path.exists("closed.sgvault"), command
		    with at_terminal(*command, home="closed.home") as person:
		        assert person.prompt()
		        person.control("D")
		        while person.prompt():  # where it is asked again
		            person.control("D")
		        person.finish()
		    assert person.status in (3, 7) and person.before == person.after, (command, person.status)
		    assert not os.path.exists("closed.home") and not os.path.exists("closed.sgvault"), command
		# Halfway through a second question.
		with at_terminal("init", "closed.sgvault", home="closed.home") as person:
		    person.prompt()
		    person.enter(PHRASE)
		    person.prompt()
		    person.send("half of the answ")
		    person.hang_up()
		    assert person.finish(20) != 0
		assert not os.path.exists("closed.home") and not os.path.exists("closed.sgvault") and not changed(before, listing("sync", "home"))
	PY
END

test_expect_success 'Ctrl-C, Ctrl-\ and TERM at every question of every command: the terminal is as it was, and nothing is half made' - <<'END'
	lab >table <<-'PY'
		from homes import *
		import signal
		code, key = content("my.code").decode().strip(), key_line().strip()
		V = ["--vault", os.path.abspath("sync/my.sgvault")]
		# Each command with the answers to its questions, the home that it is run with (which may know the vault, and keep its key), and what may be asked at least.
		COMMANDS = [(["init", "new.sgvault"], [PHRASE, PHRASE], None, 2), (["open", "sync/my.sgvault"], ["", code], None, 2), (["open", "sync/my.sgvault"], [PHRASE], None, 1),
		            (["recover", "sync/my.sgvault"], [code, OTHER_PHRASE, OTHER_PHRASE], None, 2), (["add", "login", "New", *V], ["a value"], "home", 1), (["set", "Bank", "password", *V], ["another value"], "home", 1),
		            (["get", "Bank", "password", *V], [PHRASE], "asked", 1), (["add", "login", "New", *V], [PHRASE, "a value"], "asked", 2), (["lock", "add", "passphrase", *V], [OTHER_PHRASE, OTHER_PHRASE], "home", 2),
		            (["lock", "change", "passphrase", *V], [OTHER_PHRASE, OTHER_PHRASE], "home", 2), (["lock", "test", *V], [PHRASE], "home", 1), (["lock", "rehearse", *V], [code], "home", 1), (["lock", "print", *V], [code], "home", 1)]
		vault("forget", "--key", home="home")
		os.rename("home", "asked")
		shutil.copytree("home.kept", "home")
		shutil.rmtree(".versions", ignore_errors=True)
		PLACES = ("sync", "home", "asked")
		for place in PLACES:
		    shutil.copytree(place, "pristine/" + place)
		before = listing("tmp", "none", *PLACES)

		def tried(command, answers, home, number, end):
		    """Ends a command at its question of this number; False where it has no such question."""
		    with at_terminal(*command, home=home or "none") as person:
		        for at in range(number + 1):
		            question = person.prompt(60)
		            if question is None:
		                person.finish()
		                return None
		            if at < number:
		                person.enter(answers[min(at, len(answers) - 1)])
		        person.send("half an answ")
		        end(person)
		        person.finish(20)
		    return person, question

		ENDS = {"Ctrl-C": (lambda person: person.control("C"), {-signal.SIGINT, 128 + signal.SIGINT}), "Ctrl-\\": (lambda person: person.send(b"\x1c"), {-signal.SIGQUIT, 128 + signal.SIGQUIT}),
		        "TERM": (lambda person: person.signal(signal.SIGTERM), {-signal.SIGTERM, 128 + signal.SIGTERM})}
		for command, answers, home, least in COMMANDS:
		    names = [text for text in command if text not in V]
		    number = 0
		    while True:
		        # Each way at the first question, one of them in turn at the others.
		        for way in ENDS if number == 0 and command[0] in ("init", "get") else (list(ENDS)[number % 2 and 2],):
		            found = tried(command, answers, home, number, ENDS[way][0])
		            if found is None:
		                break
		            person, question = found
		            print(f"{' '.join(names)}: {way} at {question.strip()!r}: {person.status}")
		            assert person.status in ENDS[way][1], (names, question, way, person.status, person.text, person.err)
		            assert person.before == person.after, (names, question, way, "the terminal was left otherwise")
		            # What a device saw of a file that was put back is noted before anything is asked.
		            different = [path for path in changed(before, listing("tmp", "none", *PLACES)) if not path.endswith("/device.json")]
		            assert not different and not os.path.exists("new.sgvault") and not os.path.exists(".versions"), (names, question, way, different)
		            assert not [name for name in os.listdir(".") if name.startswith(".new") or "sgtmp" in name or name.startswith("core")], os.listdir(".")
		        if found is None:
		            break
		        number += 1
		        assert number < 6, (names, "no end of questions")
		    assert number >= least, f"{names} asked {number} questions, not {least}"
		    # Asked to the end it did its work: all is put back.
		    for place in (*PLACES, "none", "new.sgvault", ".versions"):
		        shutil.rmtree(place, ignore_errors=True) if os.path.isdir(place) else os.path.exists(place) and os.remove(place)
		    for place in PLACES:
		        shutil.copytree("pristine/" + place, place)
	PY
END
[ ! -f table ] || sed 's/^/# /' table

# ---------------------------------------------------------------- status, forget, and which vault

test_expect_success 'status says how the vault opens, in words and as JSON, with no key and no terminal' - <<'END'
	lab <<-'PY'
		from homes import *
		keys, shown = keys_of(key_line()), fingerprint(keys_of(key_line()))
		for home in ("home", "asked"):
		    said = vault("status", "--vault", "sync/my.sgvault", home=home)
		    assert re.search(r"This vault opens with: passphrase, recovery code\.", said.said) and keys.vault_id in said.said and "desk" in said.said, said
		    assert f"Fingerprint {shown}" in said.said and re.search(r"(?m)\bmy\s+saved [0-2][0-9]:[0-5][0-9]", said.said), said
		    whole = json.loads(vault("status", "--json", "--vault", "sync/my.sgvault", home=home).out)
		    text = json.dumps(whole)
		    assert isinstance(whole, dict) and keys.vault_id in text and shown.replace(" ", "") in text.replace(" ", "") and "passphrase" in text and "recovery-code" in text and "desk" in text and "my" in text, whole
		    assert keys.passphrase not in text and keys.read.hex() not in text
		assert re.search(r"\b2\b", vault("status", "--vault", "sync/my.sgvault").said), "two secrets are not counted"
	PY
END

test_expect_success 'forget --key: the key is gone from the device, get asks, and without a terminal it is 7' - <<'END'
	lab <<-'PY'
		from homes import *
		key = keys_of(key_line())
		shutil.copytree("home", "forgets")
		said = vault("forget", "--key", home="forgets")
		assert not said.out
		assert not os.path.exists(f"forgets/{key.vault_id}/.sg_vault/local/vault_key") and not [path for path, (_, data) in listing("forgets").items() if data and key.passphrase.encode() in data]
		vault("forget", "--key", home="forgets")
		refused = vault("get", "Bank", "password", home="forgets", status=7)
		assert refused.out == ""
		before = listing("forgets")
		person, questions = answered(["get", "Bank", "password"], PHRASE, home="forgets")
		assert person.status == 0 and person.out == b"the value\n" and [question.strip() for question in questions] == ["Passphrase:"], (person.status, person.out, questions)
		assert not os.path.exists(f"forgets/{key.vault_id}/.sg_vault/local/vault_key") and not changed(before, listing("forgets")), "asking changed something"
		person, questions = answered(["get", "Bank", "password"], "no", "no", "no", home="forgets")
		assert person.status == 3 and person.out == b"" and len(questions) == 3
		# It writes as well, once it was told.
		person, _ = answered(["add", "login", "Asked for", "username=x"], PHRASE, "typed value", home="forgets")
		assert person.status == 0 and in_file("sync/my.sgvault", key)["Asked for"]["fields"]["password"] == "typed value"
		# Where the key was never kept it is the same.
		private("my.phrase", PHRASE + "\n")
		vault("open", "sync/my.sgvault", "--no-keep-key", "--secret-file", "my.phrase", home="never")
		assert not os.path.exists(f"never/{key.vault_id}/.sg_vault/local/vault_key")
		vault("get", "Bank", "password", home="never", status=7)
		made = vault("init", "never.sgvault", "--no-keep-key", "--passphrase-file", "my.phrase", home="never2")
		assert "keeps the key" not in made.err and not os.path.exists(f"never2/{id_of('never.sgvault')}/.sg_vault/local/vault_key")
	PY
END

test_expect_success 'which vault: by file, id, name, the environment and the folder; several are 129 with the list, none is 128 with a hint' - <<'END'
	lab <<-'PY'
		from homes import *
		os.makedirs("w/one"), os.makedirs("w/two"), os.makedirs("w/empty")
		begun("w/one/one.sgvault", "w.home"), begun("w/two/two.sgvault", "w.home")
		ids = {name: id_of(f"w/{name}/{name}.sgvault") for name in ("one", "two")}
		for name in ids:
		    add("Mine", "of " + name, home="w.home", cwd="w/" + name)
		for name, vault_id in ids.items():
		    for wanted in (f"w/{name}/{name}.sgvault", vault_id, name):
		        assert vault("get", "Mine", "password", "--vault", wanted, home="w.home").out == f"of {name}\n", wanted
		        assert vault("get", "Mine", "password", home="w.home", SGIT_VAULT=wanted).out == f"of {name}\n", wanted
		    assert get("Mine", home="w.home", cwd="w/" + name) == "of " + name
		    assert vault("get", "Mine", "password", "--vault", name, home="w.home", SGIT_VAULT="two", cwd="w/two").out == f"of {name}\n"
		several = vault("get", "Mine", "password", home="w.home", cwd="w/empty", status=129)
		assert all(vault_id in several.err and name in several.err for name, vault_id in ids.items()) and not several.out, several
		none = vault("get", "Mine", "password", home="w.none", cwd="w/empty", status=128)
		assert "init" in none.err and "open" in none.err and not none.out and not os.path.exists("w.none"), none
		assert vault("get", "Mine", "password", "--vault", "three", home="w.home", status=(6, 128, 129)).out == ""
		assert os.listdir("w/empty") == []
		# $XDG_DATA_HOME and ~/.local/share, where $SGIT_HOME is not set.
		for variables in ({"XDG_DATA_HOME": os.path.abspath("w.home") + "/share"}, {"HOME": os.path.abspath("w.home") + "/person"}):
		    where = environment("x", **variables)
		    del where["SGIT_HOME"]
		    name = "-".join(variables)
		    done = subprocess.run(["sgit-vault", "init", f"w/{name}.sgvault", "--no-locks"], env=where, stdin=subprocess.DEVNULL, capture_output=True, start_new_session=True)
		    place = (variables.get("XDG_DATA_HOME") or variables["HOME"] + "/.local/share") + "/sgit"
		    assert done.returncode == 0 and os.listdir(place) == [id_of(f"w/{name}.sgvault")], (done, place)
		    assert os.stat(place).st_mode & 0o077 == 0, "others can look into it"
	PY
END

test_done
