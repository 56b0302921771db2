#!/bin/bash
# A recovery code as people type it: in any case, with any dashes and spaces, with what looks alike, over two lines, out of a file that
# an editor made. What cannot be a code is located; one mistake is found with the lock; a code of another vault is told so.
. "$(dirname "$0")/test-lib.sh"

unset SGIT_VAULT SGIT_HOME XDG_DATA_HOME XDG_CONFIG_HOME
mkdir tmp sync && export TMPDIR=$TRASH/tmp

cat >codes.py <<'PY'
import random
from homes import *

FILE = "sync/my.sgvault"
CODE = content("my.code").decode().strip() if os.path.exists("my.code") else None
PLAIN = CODE and CODE.replace("-", "")


def recovered(text, status=0, home="new.home", file=FILE):
    """recover, with the code in a file."""
    shutil.rmtree(home, ignore_errors=True)
    private("typed", text)
    ended = vault("recover", file, "--secret-file", "typed", home=home, status=status)
    assert not ended.out and CODE not in ended.err and PLAIN not in ended.err, ("the code is told", ended)
    if ended.status == 0:
        assert get("Bank", home=home) == "the value" and "secret" in ended.err, ended
    else:
        assert not os.path.exists(home), "half made"
    return ended


def typed(*answers, home="new.home", passphrase=""):
    """recover, with the code at the terminal; each answer is followed by Enter, and more of them where nothing is said to the last."""
    shutil.rmtree(home, ignore_errors=True)
    with at_terminal("recover", FILE, home=home, pipes=False) as person:
        assert person.prompt().strip() == "Code:"
        for answer in answers:
            person.enter(answer)
        at = person.at
        try:
            person.expect("New passphrase|character|Code:", 3)
        except NotSeen:
            person.enter()  # that was all
            person.expect("New passphrase|character|Code:")
        person.at = at
        while not person.ended:
            question = person.prompt(60)
            if question is None:
                break
            if "assphrase" not in question:
                person.control("C")
                break
            person.enter(passphrase)
        person.finish()
    assert person.before == person.after
    if person.status == 0:
        assert get("Bank", home=home) == "the value"
    else:
        assert not os.path.exists(home), "half made"
    return person
PY

test_expect_success 'a vault with a code, and another vault' - <<'END'
	lab <<-'PY'
		from codes import *
		# A code that holds 0 and 1, so that what looks like them can be typed.
		for _ in range(40):
		    code = begun(FILE, code="my.code")
		    if "0" in code and "1" in code and len(set(code)) > 12:
		        break
		    shutil.rmtree("home"), os.remove(FILE), os.remove("my.code")
		assert "0" in code and "1" in code, code
		add("Bank", "the value")
		begun("sync/other.sgvault", "other.home", code="other.code")
		add("Bank", "of the other", home="other.home")
	PY
END

test_expect_success 'accepted out of a file: lower case, O, I and l, spaces, every dash, invisible characters, CRLF, a BOM, many lines, no check' - <<'END'
	lab <<-'PY'
		from codes import *
		ways = {"lower case": CODE.lower(), "no dashes": PLAIN, "O for 0": CODE.replace("0", "O"), "o for 0": CODE.replace("0", "o"), "I for 1": CODE.replace("1", "I"), "i for 1": CODE.replace("1", "i"), "l for 1": CODE.replace("1", "l"),
		        "L for 1, lower": CODE.lower().replace("1", "L"), "spaces": CODE.replace("-", " "), "one by one": " ".join(PLAIN), "tabs": CODE.replace("-", "\t"), "a line end": CODE + "\n", "CRLF": CODE + "\r\n", "CR": CODE + "\r",
		        "BOM": "\ufeff" + CODE + "\r\n", "two lines": PLAIN[:14] + "\n" + PLAIN[14:] + "\n", "a line a group": CODE.replace("-", "\r\n") + "\r\n\r\n", "no check": PLAIN[:26], "all of it": "\ufeff  " + CODE.lower().replace("0", "o").replace("1", "l").replace("-", " \u2013 ") + " \r\n"}
		for dash in "\u2010\u2011\u2012\u2013\u2014\u2212":
		    ways[f"dash {ord(dash):04x}"] = CODE.replace("-", dash)
		ways["between"] = CODE.replace("-", "\u00a0\u00ad\u200b")
		for name, text in ways.items():
		    ended = recovered(text)
		    assert "should be" not in ended.err, (name, ended)
	PY
END

test_expect_success 'accepted at the terminal: lower case, O and l, spaces, dashes, over two lines, and what a paste brings with it' - <<'END'
	lab <<-'PY'
		from codes import *
		for answers in ((CODE.lower(),), (CODE.replace("0", "O").replace("1", "l"),), (CODE.replace("-", " "),), (CODE.replace("-", "\u2011"),), (CODE.replace("-", "\u2013") + "\u00a0",), (PLAIN,), ("\ufeff" + CODE,),
		                (CODE[:19], CODE[20:]), (PLAIN[:13], PLAIN[13:]), ("  " + CODE.lower()[:20], "\t" + CODE[20:])):
		    person = typed(*answers)
		    assert person.status == 0 and "should be" not in person.text, (answers, person.text)
		    assert person.text.count("Code:") == 1, person.text
		# What was typed is corrected with the keys of the terminal.
		person = typed("\x15".join(["no", CODE[:-1] + "ZZ\x7f\x7f" + CODE[-1]]))
		assert person.status == 0, person.text
	PY
END

test_expect_success 'a character that no code has is found with the lock, or told where it is; and so a length that none has, 3' - <<'END'
	lab <<-'PY'
		from codes import *
		# One is a mistake like others, and the lock knows what it should be; where there is another mistake it is told as what it is.
		for at, bad in ((1, "U"), (7, "u"), (14, "!"), (28, "\u00e9"), (20, "\u0660"), (9, "*")):
		    text = PLAIN[:at - 1] + bad + PLAIN[at:]
		    assert at > 26 or f"character {at} should be {PLAIN[at - 1]}." in recovered(text).err, (at, text)
		    if at > 26:
		        continue
		    ended = recovered(wrong(text, 26)[0], status=3)
		    assert re.search(rf"character {at}\b", ended.err), (at, ended)
		# Dashes, and where the lines end, do not count.
		ended = recovered(wrong(CODE[:5] + "U" + CODE[6:], 26)[0], status=3)
		assert re.search(r"character 5\b", ended.err), ended
		for text in (PLAIN[:20], PLAIN[:1], PLAIN + "00000", PLAIN * 2):
		    ended = recovered(text, status=3)
		    assert re.search("26|28", ended.err) and str(len(text)) in ended.err, ended
		for text in ("", "\n", "- -\r\n"):
		    recovered(text, status=3)
		person = typed(CODE[:16] + "U" + CODE[17:])
		assert person.status == 0 and f"character 14 should be {PLAIN[13]}. It opens the recovery code lock." in person.text, person.text
	PY
END

test_expect_success 'one wrong character, at any place: which it is, and what it should be' - <<'END'
	lab <<-'PY'
		from codes import *
		numbers = random.Random(20261130)
		for at in sorted(numbers.sample(range(1, 26), 9)) + [26]:
		    text, right = wrong(CODE, at, numbers.randrange(1, 32))
		    ended = recovered(text)
		    assert f"character {at} should be {right}. It opens the recovery code lock." in ended.err, (at, right, text, ended)
		    assert text not in ended.err
		# In the check itself.
		for at in (27, 28):
		    text, right = wrong(CODE, at, numbers.randrange(1, 32))
		    assert "It opens the recovery code lock." in recovered(text).err
		# With the check left out, the lock alone tells.
		text, right = wrong(CODE, 11)
		assert f"character 11 should be {right}." in recovered(text.replace("-", "")[:26]).err
		text, right = wrong(CODE, 14)
		person = typed(text)
		assert person.status == 0 and f"character 14 should be {right}. It opens the recovery code lock." in person.text, person.text
	PY
END

test_expect_success 'one character missing, doubled, or swapped with its neighbour: found with the lock' - <<'END'
	lab <<-'PY'
		from codes import *
		numbers, tried = random.Random(5), []
		for at in sorted(numbers.sample(range(1, 26), 4)) + [26]:
		    tried.append(PLAIN[:at - 1] + PLAIN[at:])
		    tried.append(PLAIN[:at] + PLAIN[at - 1:])
		pairs = [at for at in range(25) if PLAIN[at] != PLAIN[at + 1]]
		for at in numbers.sample(pairs, 5):
		    tried.append(PLAIN[:at] + PLAIN[at + 1] + PLAIN[at] + PLAIN[at + 2:])
		for text in tried:
		    ended = recovered(text)
		    assert "It opens the recovery code lock." in ended.err, (text, ended)
		for text in tried[:2] + tried[-1:]:
		    assert typed(text).status == 0, text
	PY
END

test_expect_success 'two mistakes are 3, and nothing is made; lock test and open find one mistake as well' - <<'END'
	lab <<-'PY'
		from codes import *
		text, _ = wrong(wrong(CODE, 3)[0], 17, 5)
		ended = recovered(text, status=3)
		assert text not in ended.err
		recovered(PLAIN[:4] + PLAIN[5:12] + PLAIN[13:], status=3)
		recovered(code_of(bytes(range(16))), status=3)
		text, right = wrong(CODE, 14)
		private("typed", text)
		said = vault("lock", "test", "--secret-file", "typed", "--vault", FILE)
		assert f"character 14 should be {right}" in said.said, said
		# At the terminal it is asked three times.
		answers = [code_of(bytes([number]) * 16) for number in (1, 2, 3)]
		person, questions = answered(["recover", FILE], *answers, home="new.home", pipes=False)
		assert person.status == 3 and len(questions) == 3 and not os.path.exists("new.home"), (person.status, questions, person.text)
		assert CODE not in person.text and person.before == person.after
	PY
END

test_expect_success 'a right code of another vault that this device knows: 3, naming that vault' - <<'END'
	lab <<-'PY'
		from codes import *
		other, mine = id_of("sync/other.sgvault"), id_of(FILE)
		shutil.copytree("other.home", "knows")
		before = listing("knows", "sync")
		ended = vault("recover", FILE, "--secret-file", "other.code", home="knows", status=3)
		assert other in ended.err and re.search(r"\bother\b", ended.err), ended
		assert not changed(before, listing("knows", "sync"))
		# One mistake does not hide it, and what is not known is not named.
		text, _ = wrong(content("other.code").decode().strip(), 5)
		private("typed", text)
		vault("recover", FILE, "--secret-file", "typed", home="knows", status=3)
		stranger = recovered(content("other.code"), status=3)
		assert other not in stranger.err, stranger
		person, questions = answered(["recover", FILE], *[content("other.code").decode().strip()] * 3, home="knows", pipes=False)
		assert person.status == 3 and other in person.text, person.text
		# A device that knows both opens each with its own.
		vault("recover", FILE, "--secret-file", "my.code", home="knows")
		assert vault("get", "Bank", "password", "--vault", mine, home="knows").out == "the value\n" and vault("get", "Bank", "password", "--vault", other, home="knows").out == "of the other\n"
		ended = vault("lock", "test", "--secret-file", "my.code", "--vault", other, home="knows", status=3)
		assert mine in ended.err, ended
	PY
END

test_done
