#!/bin/bash
# sgit-recovery-code: new codes, what is read as a code, and the mending of one mistake with the help of a lock.
. "$(dirname "$0")/test-lib.sh"

# twin [ARGUMENT…]: runs the Python on stdin with everything of sgvault.py at hand.
twin() {
	{ echo 'from sgvault import *' && cat; } | "$PYTHON" -S - "$@"
}

# refused STATUS COMMAND…: ends with this status, prints nothing and says why
refused() {
	test_expect_status "$@" >out 2>err && test ! -s out && test -s err
}

code=VTPV-XVR0-24H3-6H2N-CSVR-H6DA-QCNT # no two neighbours are equal, so every mistake has one explanation
key_file vault.key 'golden example passphrase:testvault01\n'
key_file code "$code\n"
key_file other.code '000G-40R4-0M30-E209-185G-R38E-1W9D\n'
key_file secret "$(printf '%064d' 7)"
"$PYTHON" -S "$TEST_DIRECTORY/sgvault.py" lock recovery-code vault.key code >paper.lock &&
	"$PYTHON" -S "$TEST_DIRECTORY/sgvault.py" lock recovery-code vault.key other.code >other.lock &&
	"$PYTHON" -S "$TEST_DIRECTORY/sgvault.py" lock recovery-code vault.key code grants=read >read.lock &&
	"$PYTHON" -S "$TEST_DIRECTORY/sgvault.py" lock secret vault.key secret >secret.lock || exit 1

test_expect_success 'the twin of the tests makes every vector of the vault file to the byte' - <<'END'
	"$PYTHON" -S "$TEST_DIRECTORY/sgvault.py" self-check "$VECTORS/vault-file.json" &&
	sed 's/"c1105bd4/"d1105bd4/; s/1bc1105bd4/1bd1105bd4/' "$VECTORS/vault-file.json" >changed.json &&
	! "$PYTHON" -S "$TEST_DIRECTORY/sgvault.py" self-check changed.json
END

test_expect_success 'a new code is seven groups of four and fits its check characters' - <<'END'
	sgit-recovery-code >new 2>err && test ! -s err && test "$(wc -c <new)" -eq 35 && grep -qxE '([0-9A-HJKMNP-TV-Z]{4}-){6}[0-9A-HJKMNP-TV-Z]{4}' new &&
	sgit-recovery-code --check <new >again && cmp new again
END

test_expect_success 'new codes are all different, use every character, and are codes to the twin too' - <<'END'
	twin <<-'PY'
		codes = [run("sgit-recovery-code")[1].decode() for _ in range(40)]
		assert len(set(codes)) == 40 and all(code == code_of(secret_of(code)) + "\n" for code in codes), codes
		assert set("".join(code[:30] for code in codes)) == set(CROCKFORD + "-"), codes
		for at in (0, 1, 5, 17, 24, 28):
		    assert len({code[at if at != 24 else 25] for code in codes}) > 3, at
	PY
END

test_expect_success 'the codes of the vectors are codes, with and without their check characters' - <<'END'
	twin <<-'PY'
		for row in json.load(open(os.environ["VECTORS"] + "/vault-file.json"))["recovery_codes"]:
		    want = (0, row["code"].encode() + b"\n", "")
		    for text in (row["code"], row["code"][:-2], row["code"].lower(), row["code"].replace("-", ""), row["code"].replace("-", "")[:26]):
		        assert run("sgit-recovery-code", "--check", stdin=text.encode()) == want, text
	PY
END

test_expect_success 'a hundred codes, without their check characters, get the right ones' - <<'END'
	twin <<-'PY'
		for number in range(100):
		    secret = hashlib.sha256(b"code %d" % number).digest()[:16]
		    assert run("sgit-recovery-code", "--check", stdin=plain_code(secret)[:26].encode())[:2] == (0, code_of(secret).encode() + b"\n"), secret
	PY
END

test_expect_success 'case, separators of every kind and look-alikes do not matter' - <<'END'
	twin <<-'PY'
		plain = plain_code(bytes.fromhex("00443214c74254b635cf84653a56d7c6"))
		assert "0" in plain and "1" in plain
		rows = [plain, plain.lower(), plain.swapcase(), grouped(plain) + "\r\n", "\ufeff" + grouped(plain), plain + "\n\n\n", "\n\n" + plain, "-" + plain + "-",
		        "\n".join(plain), " ".join(plain), "\r\n".join(plain[at:at + 7] for at in range(0, 28, 7)), "\u200b".join(plain)]
		rows += [mark + plain[:4] + mark + plain[4:13] + mark * 3 + plain[13:] + mark for mark in SEPARATORS]
		rows += [plain.replace("1", one).replace("0", zero) for one in "1IiLl" for zero in "0Oo"]
		for text in rows:
		    assert normal_code(text) == plain, text
		    assert run("sgit-recovery-code", "--check", stdin=text.encode()) == (0, grouped(plain).encode() + b"\n", ""), text
	PY
END

test_expect_success 'a character that no code has is 1, told with its place among those that count' - <<'END'
	twin <<-'PY'
		plain = "VTPVXVR024H36H2NCSVRH6DAQCNT"
		wrong = ["U", "u", "!", "_", ".", "=", "\0", "\x0b", "\x0c", "\x1b", "\u00a1", "\u00c0", "\u0130", "\u0131", "\u017f", "\u212a", "\u0410", "\uff10",
		         "\u0660", "\u2015", "\u200a", "\u200c", "\u2028", "\u2060", "\u3000", "\U0001f511"]
		for number, letter in enumerate(wrong):
		    for at in {0, 27, number % 28}:
		        for size in (26, 28):
		            if at < size:
		                text = plain[:at] + letter + plain[at + 1:size]
		                for form in (text, "- ".join(text)):
		                    status, out, err = run("sgit-recovery-code", "--check", stdin=form.encode())
		                    assert (status, out) == (1, b"") and re.search(rf"\b{at + 1}\b", err), (text, status, out, err)
		                    assert err.isprintable() or set(err) - set("\n") == set(filter(str.isprintable, err)), err
	PY
END

test_expect_success 'the first of several wrong characters is told' - <<'END'
	echo VTPV-XUR0-24U3-6H2N-CSVR-H6DA-QCNT | refused 1 sgit-recovery-code --check && grep -qw 6 err
END

test_expect_success 'any other length is 1, told with the number of characters' - <<'END'
	twin <<-'PY'
		text = (plain_code(bytes(range(16))) * 4)
		for size in [*range(1, 26), 27, *range(29, 40), 52, 56, 112]:
		    status, out, err = run("sgit-recovery-code", "--check", stdin=grouped(text[:size]).encode())
		    assert (status, out) == (1, b"") and re.search(rf"\b{size}\b", err), (size, status, out, err)
	PY
END

test_expect_success 'no character at all is no code' - <<'END'
	for text in '' '\n' '-- -\r\n' '\357\273\277'; do
		# shellcheck disable=SC2059
		printf -- "$text" >in && refused 1 sgit-recovery-code --check <in || return 1
	done
END

test_expect_success 'bytes that are no UTF-8 are no code' - <<'END'
	for bytes in '\377' '\300\255' '\355\240\200' '\342\200'; do
		# shellcheck disable=SC2059
		printf "VTPVXVR024H36H2NCSVRH6DAQC$bytes" >in && refused 1 sgit-recovery-code --check <in || return 1
	done
END

test_expect_success 'check characters that do not fit are 1' - <<'END'
	twin <<-'PY'
		plain = "VTPVXVR024H36H2NCSVRH6DAQCNT"
		for at in (26, 27):
		    for letter in CROCKFORD:
		        text = plain[:at] + letter + plain[at + 1:]
		        status, out, err = run("sgit-recovery-code", "--check", stdin=text.encode())
		        assert (status, out == b"") == ((0, False) if text == plain else (1, True)), (text, status)
		        assert text == plain or "check" in err, err
		for at in range(26):
		    text = plain[:at] + CROCKFORD[(CROCKFORD.index(plain[at]) + 1 + at) % 32] + plain[at + 1:]
		    assert (run("sgit-recovery-code", "--check", stdin=text.encode())[0] == 0) == (secret_of(text) is not None), text
	PY
END

test_expect_success 'a last character with bits that no code has is 1, also without check characters' - <<'END'
	twin <<-'PY'
		plain = "VTPVXVR024H36H2NCSVRH6DAQC"
		for letter in CROCKFORD:
		    want = 0 if letter in "048CGMRW" else 1
		    assert run("sgit-recovery-code", "--check", stdin=(plain[:25] + letter).encode())[0] == want, letter
	PY
END

test_expect_success 'the code comes from --secret-file, --secret-fd or standard input' - <<'END'
	echo "$code" >want && sgit-recovery-code --check --secret-file code >actual && cmp want actual &&
	sgit-recovery-code --check --secret-fd 5 5<code >actual && cmp want actual && sgit-recovery-code --secret-fd=0 --check <code >actual && cmp want actual &&
	sgit-recovery-code --check --secret-file code <other.code >actual && cmp want actual
END

test_expect_success 'a file with a code that others can read is 8 unless insisted on; one that is not there is 128' - <<'END'
	cp code open.code && for mode in 640 604 602; do
		chmod $mode open.code && refused 8 sgit-recovery-code --check --secret-file open.code && grep -q "'open.code'" err && grep -q -e --insecure-secret-file err &&
		sgit-recovery-code --check --insecure-secret-file --secret-file open.code >actual && echo "$code" | cmp - actual || return 1
	done &&
	refused 128 sgit-recovery-code --check --secret-file no/such && grep -q "'no/such'" err && refused 128 sgit-recovery-code --check --secret-fd 9 9<&-
END

test_expect_success 'an input without end is refused, not read' - <<'END'
	yes -- - | head -c 60000 >dashes && { cat dashes && echo "$code"; } | sgit-recovery-code --check >actual && echo "$code" | cmp - actual &&
	yes VTPV | { timeout 20 sgit-recovery-code --check >out 2>err; echo $? >status; } && test ! -s out && test -s err && test "$(cat status)" -lt 124
END

test_expect_success 'calls of another form are 129' - <<'END'
	refused 129 sgit-recovery-code "$code" && refused 129 sgit-recovery-code --check "$code" && refused 129 sgit-recovery-code --lock paper.lock &&
	refused 129 sgit-recovery-code --secret-file code && refused 129 sgit-recovery-code --check --secret-file code --secret-fd 5 5<code &&
	refused 129 sgit-recovery-code --check --frobnicate && refused 129 sgit-recovery-code --check --key-file vault.key
END

test_expect_success 'a code that opens the lock is printed in normal form' - <<'END'
	echo "$code" >want && for lock in paper.lock read.lock; do
		for text in "$code" VTPVXVR024H36H2NCSVRH6DAQC vtpv-xvro-24h3-6h2n-csvr-h6da-qcnt; do
			echo "$text" | sgit-recovery-code --check --lock $lock >actual 2>err && cmp want actual && test ! -s err || return 1
		done
	done &&
	sgit-recovery-code --check --lock - --secret-file code <paper.lock >actual && cmp want actual &&
	sgit-recovery-code --check --lock - --secret-fd 5 <paper.lock 5<code >actual && cmp want actual
END

# mends KIND: the mistakes of one kind, each mended with --lock, whatever is typed of the check characters.
mends() {
	twin "$1" <<-'PY'
		plain = "VTPVXVR024H36H2NCSVRH6DAQCNT"
		lock = ("--lock", "paper.lock")
		def mends(typed, *said):
		    assert secret_of(typed) is None or code_of(secret_of(typed)) != grouped(plain), f"{typed} is no mistake"
		    status, out, err = run("sgit-recovery-code", "--check", *lock, stdin=typed.encode())
		    assert (status, out.decode()) == (0, grouped(plain) + "\n"), (typed, status, out, err)
		    assert any(re.search(rf"\b{re.escape(text)}$", err, re.M) for text in said), (typed, said, err)
		    assert not any(plain[at:at + 4] in err for at in range(25)), err
		def both(typed, *said):
		    """with the check characters and without: 27 characters may also be 28 with one missing"""
		    mends(typed, *said)
		    mends(typed[:-2], *said, *(["character 26 is missing: it is C"] if len(typed) == 29 and typed[:25] == plain[:25] else []))
		kind = sys.argv[1]
		for at in range(26):
		    place, right = at + 1, plain[at]
		    if kind == "wrong":
		        for step in (1 + at % 7, 11 + at % 5, 29):
		            letter = CROCKFORD[(CROCKFORD.index(right) + step) % 32]
		            both(plain[:at] + letter + plain[at + 1:], f"character {place} should be {right}")
		    if kind == "impossible":
		        both(plain[:at] + "Uu*\u00e9"[at % 4] + plain[at + 1:], f"character {place} should be {right}")
		    if kind == "missing":
		        both(plain[:at] + plain[at + 1:], f"character {place} is missing: it is {right}")
		    if kind == "doubled":
		        both(plain[:at] + right + plain[at:], f"character {place} is one too many", f"character {place + 1} is one too many",
		             *(["the check characters are wrong"] if place == 26 else []))  # the first 26 are right
		    if kind == "added":
		        letter = next(c for c in CROCKFORD[at:] + CROCKFORD if c not in plain[max(at - 1, 0):at + 1])
		        both(plain[:at] + letter + plain[at:], f"character {place} is one too many")
		    if kind == "swapped" and at < 25:
		        both(plain[:at] + plain[at + 1] + plain[at] + plain[at + 2:], f"characters {place} and {place + 1} are swapped")
		if kind == "check":
		    for letter in "V0Z":
		        mends(plain[:26] + letter + plain[27], "the check characters are wrong")
		        mends(plain[:27] + letter, "the check characters are wrong")
		    mends(plain[:26] + "TN", "the check characters are wrong")
		    mends(plain[:26] + "00", "the check characters are wrong")
	PY
}

test_expect_success 'a wrong character is found, at every place, with and without check characters' 'mends wrong'
test_expect_success 'so is one that no code has' 'mends impossible'
test_expect_success 'a missing character is found and named' 'mends missing'
test_expect_success 'a doubled character is found' 'mends doubled'
test_expect_success 'a character that was added is found' 'mends added'
test_expect_success 'neighbours that changed places are found' 'mends swapped'
test_expect_success 'the mistake may be in the check characters' 'mends check'

test_expect_success 'a mistake across the seam of code and check characters is mended too' - <<'END'
	echo "$code" >want && for typed in VTPVXVR024H36H2NCSVRH6DAQNCT VTPVXVR024H36H2NCSVRH6DAQCN VTPVXVR024H36H2NCSVRH6DAQCT VTPVXVR024H36H2NCSVRH6DAQCNTT; do
		echo $typed | sgit-recovery-code --check --lock paper.lock >actual 2>err && cmp want actual && test -s err || { echo $typed && return 1; }
	done
END

test_expect_success 'small letters, look-alikes and groups are no mistake when another is mended' - <<'END'
	echo vtpv xvro-24h3 6h2n-csvr h6da-qmnt | sgit-recovery-code --check --lock paper.lock >actual 2>err && echo "$code" | cmp - actual &&
	grep -q 'character 26 should be C$' err
END

test_expect_success 'two mistakes are too many: 3, and nothing is printed' - <<'END'
	for typed in WTPWXVR024H36H2NCSVRH6DAQCNT WTPVXVR024H36H2NCSVRH6DAQ TVPVVXR024H36H2NCSVRH6DAQCNT VTPVXVR024H36H2NCSVRH6D UUPVXVR024H36H2NCSVRH6DAQCNT \
		V VTPVXVR0 VTPVXVR024H36H2NCSVRH6DAQCNTVTPVXVR024H36H2NCSVRH6DAQCNT; do
		echo $typed | refused 3 sgit-recovery-code --check --lock paper.lock || { echo $typed && return 1; }
	done
END

test_expect_success 'a code of another lock is 3, at once, and the code is not in the message' - <<'END'
	refused 3 timeout 10 sgit-recovery-code --check --lock other.lock <code && ! grep -q -e VTPV -e vtpv err &&
	refused 3 timeout 10 sgit-recovery-code --check --lock paper.lock <other.code && ! grep -q 000G err
END

test_expect_success 'a lock that was changed opens with no code, mended or not' - <<'END'
	sed 's/"grants":"vault"/"grants":"read"/' paper.lock >regranted.lock && refused 3 sgit-recovery-code --check --lock regranted.lock <code &&
	sed 's/testvault01/testvault02/' paper.lock >moved.lock && refused 3 sgit-recovery-code --check --lock moved.lock <code
END

test_expect_success 'a lock of another kind is 128 and its kind is told' - <<'END'
	refused 128 sgit-recovery-code --check --lock secret.lock <code && grep -q "'secret'" err &&
	sed 's/recovery-code/recovery-coda/' paper.lock >coda.lock && refused 128 sgit-recovery-code --check --lock coda.lock <code
END

test_expect_success 'what is no lock line is 4, another version 8, a file that is not there 6' - <<'END'
	echo '{}' >no.lock && refused 4 sgit-recovery-code --check --lock no.lock <code && : >empty.lock && refused 4 sgit-recovery-code --check --lock empty.lock <code &&
	cat paper.lock other.lock >two.lock && refused 4 sgit-recovery-code --check --lock two.lock <code &&
	sed 's/"version":1/"version":2/' paper.lock >new.lock && refused 8 sgit-recovery-code --check --lock new.lock <code &&
	refused 6 sgit-recovery-code --check --lock no/such.lock <code
END

test_expect_success 'lock and code cannot both come from standard input' - <<'END'
	status=0 && { sgit-recovery-code --check --lock - <paper.lock >out 2>err || status=$?; } && test "$status" -eq 7 -o "$status" -eq 129 && test ! -s out && test -s err
END

test_expect_success 'a closed pipe ends it without a word, a full disk with 128' - <<'END'
	{ { sgit-recovery-code 2>err; echo $? >status; } | :; } && case $(cat status) in 0 | 141) ;; *) false ;; esac && test ! -s err &&
	"$PYTHON" -S -c 'import os, signal, subprocess; r, w = os.pipe(); os.close(r); p = subprocess.run(["sgit-recovery-code"], stdout=w, stderr=subprocess.PIPE, restore_signals=True); assert (p.returncode, p.stderr) == (-signal.SIGPIPE, b""), p' &&
	test_expect_status 128 sgit-recovery-code >/dev/full 2>err && test -s err && ! grep -qE '([0-9A-Z]{4}-){6}' err &&
	test_expect_status 128 sgit-recovery-code --check <code >/dev/full 2>err && ! grep -q VTPV err &&
	test_expect_status 128 sgit-recovery-code >&-
END

test_done
