#!/bin/bash
# The bad day: a vault file and a code, an empty home, nothing in the environment. Both scripts give back every file, byte for byte;
# a wrong code, damage and a missing part are told apart, and what is sound comes back.
. "$(dirname "$0")/test-lib.sh"

scripts=$REPOSITORY/recovery
export SGIT_HOME=$TRASH/home
key_file pw 'correct horse battery staple\n'
for seed in 1 2 3; do head -c $((seed * 700001)) /dev/urandom >random.$seed; done

python=$("$PYTHON" -S -c 'import sys; print(sys.executable)')
bash=$(command -v bash)
traced=()
# bare_machine NAME FILE FOLDER: a script of recovery/ where nothing of ours is set; only the first has our tools on its path.
mkdir empty tools
for program in env mktemp rm cat mkdir; do ln -s "$(command -v "$program")" "tools/$program"; done
for tool in $TOOLS; do ln -s "$SGIT_BIN/$tool" "tools/$tool"; done
bare_machine() {
	case $1 in
	with-tools) env -i PATH="$TRASH/tools" HOME="$TRASH/empty" "${traced[@]}" "$bash" "${SCRIPT:-$scripts/$1}" "$2" "$3" ;;
	without-tools) env -i PATH=/nowhere HOME="$TRASH/empty" "${traced[@]}" "$python" -I "${SCRIPT:-$scripts/$1}" "$2" "$3" ;;
	esac
}

# filled FILE CODE [OPTION…]: a vault with folders, names of all kinds, empty and binary files, and secrets; what is in it is in ./want.
filled() {
	local file=$1 code=$2
	shift 2
	sgit-vault init "$file" --recovery-code-file "$code" --passphrase-file pw "$@" && rm -rf want && mkdir want &&
	mkdir -p 'want/a/b/ü ñ' 'want/-x' && : >want/empty && cp random.1 'want/a/b/ü ñ/sp ace' && cp random.2 want/-x/-y && cp random.3 "want/a/it's \"quoted\"\\n" &&
	printf 'no line end' >want/a/text && sgit-vault put --vault "$file" . want >/dev/null && printf '%s' 'hunter 2' >value &&
	sgit-vault add --vault "$file" login Bank username=ana --field-file password=value &&
	sgit-vault remove --vault "$file" Bank && sgit-vault add --vault "$file" note 'https://x/' --field-file text=value &&
	mkdir -p want/secrets && sgit-vault cat --vault "$file" secrets/https-x.json >want/secrets/https-x.json
}

test_expect_success 'vaults of both formats' - <<'END'
	filled one.sgvault one.code --format 1 && mv want want.1 && filled two.sgvault two.code && mv want want.2
END

for script in with-tools without-tools; do

	test_expect_success "$script: from a file and a code alone, every file comes back, byte for byte, for its owner only" - <<-'END'
		for vault in one:1 two:2; do
			want=want.${vault#*:} vault=${vault%:*} && cp $vault.sgvault before &&
			bare_machine $script $vault.sgvault out.$vault.$script <$vault.code 2>said && cat said && diff -r $want out.$vault.$script && cmp before $vault.sgvault &&
			grep -q '6 files are back' said && ! find out.$vault.$script -perm /077 | grep . || return 1
		done && ! ls -A empty | grep .
	END

	test_expect_success "$script: the code in other spellings, with one slip, and over two lines" - <<-'END'
		code=$(tr -d '\n-' <two.code) && other=$(printf %s "${code:13:1}" | tr 0-9A-Z 1-9A-HJKMNPQRSTVWXYZ0) &&
		printf '%s\n' "$(printf %s "$code" | tr 'A-Z' 'a-z' | sed 's/0/o/g;s/1/l/g;s/..../& /g')" >spelled.1 && printf '\357\273\277%s\r\n%s\r\n' "${code:0:14}" "${code:14}" >spelled.2 &&
		printf '%s' "${code:0:13}$other${code:14}" >spelled.3 && printf '%s' "${code:0:8}${code:9}" >spelled.4 && printf '%s' "${code:0:26}" >spelled.5 &&
		for number in 1 2 3 4 5; do
			bare_machine $script two.sgvault spelled <spelled.$number && diff -r want.2 spelled && rm -r spelled || { echo $number && return 1; }
		done
	END

	test_expect_success "$script: the code of another vault, and what is none, is 3; nothing is made" - <<-'END'
		for code in one.code empty.code pw; do
			: >>empty.code
			test_expect_status 3 bare_machine $script two.sgvault none <$code 2>said && test ! -e none && grep -q 'opens no lock' said || { echo $code && return 1; }
		done
	END

	test_expect_success "$script: a folder or a link that is there is 128, a file that is not is 6, another number of arguments 129" - <<-'END'
		mkdir there && test_expect_status 128 bare_machine $script two.sgvault there <two.code && ! ls -A there | grep . && rmdir there &&
		ln -s nowhere there && test_expect_status 128 bare_machine $script two.sgvault there <two.code && test ! -e nowhere && rm there &&
		test_expect_status 6 bare_machine $script absent none <two.code && test ! -e none &&
		test_expect_status 129 env -i PATH="$TRASH/tools" "$bash" -c 'case $1 in */with-tools) exec "$2" "$1" two.sgvault ;; *) exec "$3" "$1" two.sgvault ;; esac' - "$scripts/$script" "$bash" "$python" <two.code
	END

	test_expect_success "$script: a file that was cut off, and a flipped byte, is 4; nothing that is not as it was comes back" - <<-'END'
		size=$(stat -c %s two.sgvault) && head -c $((size - 100)) two.sgvault >cut && test_expect_status 4 bare_machine $script cut none <two.code && test ! -e none &&
		lab <<-'PY' &&
			from sgvault import *
			vault = VaultFile.read("two.sgvault")
			name = max(vault.members, key=lambda name: len(vault.members[name]))
			whole = vault.members[name]
			vault.members[name] = whole[:99] + bytes([whole[99] ^ 1]) + whole[100:]
			vault.write("flipped")
			del vault.members[name]
			vault.write("lacking")
		PY
		test_expect_status 4 bare_machine $script flipped some.flipped.$script <two.code
	END
done

test_expect_success 'without-tools: of a damaged file, and of one in which a part is missing, all that is sound comes back, and the rest is named' - <<'END'
	for trouble in flipped:4:damaged lacking:6:missing; do
		file=${trouble%%:*} class=${trouble##*:} status=${trouble#*:} && status=${status%:*} && rm -rf some &&
		test_expect_status $status bare_machine without-tools $file some <two.code 2>said && cat said && diff -r want.2 some >differ || test "$(wc -l <differ)" -eq 1 &&
		grep -q "not back: .*: $class: .*obj-" said && grep -q '5 files are back' said || return 1
	done
END

test_expect_success 'without-tools: a header that was altered is said, and every file comes back all the same' - <<'END'
	lab <<-'PY' &&
		from sgvault import *
		vault = VaultFile.read("two.sgvault")
		vault.header["heads"][max(vault.header["heads"])] = ""
		vault.write("altered")
	PY
	test_expect_status 4 bare_machine without-tools altered all.altered <two.code 2>said && grep -q 'header was altered' said && diff -r want.2 all.altered &&
	test_expect_status 4 bare_machine with-tools altered none <two.code && test ! -e none
END

test_expect_success 'names that lead out of the folder are refused and said, and nothing is written outside; what has a name comes back' - <<'END'
	lab >code <<-'PY' &&
		from sgvault import *
		secret = bytes(range(16))
		keys = Keys("sgit_private_vault_abcdefghijklmnopqrstuvwxyz:hostile1")
		store = Store("hostile", keys.read, keys.vault_id)
		key = store.signer()
		under = store.tree([store.file("file", b"below")])
		bad = [store.file(name, b"out") for name in ("../out", "..", "/tmp/out", "a/../../out", ".")] + [store.folder(name, under) for name in ("..", "../up", "/abs")]
		store.branch("current", store.commit(store.tree([store.file("good", b"kept"), store.folder("sub", store.tree([store.file("good", b"kept too"), *bad])), *bad]), [], "one", signer=key), key_id=key.key_id)
		store.index()
		VaultFile.pack("hostile", keys, locks=[seal_lock("recovery-code", secret, keys.credential("vault"), keys.vault_id)]).write("hostile.sgvault")
		print(code_of(secret))
	PY
	mkdir -p deep/er && for script in with-tools without-tools; do
		(cd deep/er && test_expect_status 4 bare_machine $script ../../hostile.sgvault $script.out <../../code) || return 1
		! find deep . -name out -o -name up -o -name abs | grep . || return 1
		test "$(cat deep/er/$script.out/good)" = kept && test "$(cat deep/er/$script.out/sub/good)" = 'kept too' && test "$(find deep/er/$script.out -type f | wc -l)" -eq 2 || return 1
	done &&
	test ! -e /tmp/out && test "$(ls deep/er | wc -l)" -eq 2
END

test_expect_success 'what sgit-recovery(7) prints is what is installed, and works as it is copied from the page' - <<'END'
	mandoc -T utf8 "$REPOSITORY/man/man7/sgit-recovery.7" | sed 's/.\x08//g' >page &&
	sed -n '/^ *#!.*python3/,/a part of the file/p' page | sed 's/^     //' >copied.py && cmp copied.py "$scripts/without-tools" &&
	sed -n '/^ *#!.bin.bash/,/^ *exit "\$status"/p' page | sed 's/^     //' >copied.sh && expand "$scripts/with-tools" | diff -w - copied.sh &&
	SCRIPT=copied.py bare_machine without-tools two.sgvault copied.out <two.code && diff -r want.2 copied.out &&
	SCRIPT=copied.sh bare_machine with-tools two.sgvault copied.two <two.code && diff -r want.2 copied.two &&
	grep -A1 'man 7 sgit-recovery | col' page >how && cat how
END

test_expect_success 'no code and no key is in the arguments or the environment of any program that the scripts run' - <<'END'
	code=$(cat two.code) strace=$(command -v strace) && for script in with-tools without-tools; do
		traced=("$strace" -f -v -s 100000 -e trace=execve -o "$TRASH/trace") && rm -rf traced && bare_machine $script two.sgvault traced <two.code && traced=() &&
		test -s trace && ! grep -e "$code" -e "$(echo "$code" | tr -d -)" -e sgit_private trace || return 1
	done
END

test_done
