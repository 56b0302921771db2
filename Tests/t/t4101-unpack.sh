#!/bin/bash
# sgit-unpack: what it says of a file, with which keys and secrets it opens one, and that it leaves a whole store or nothing.
. "$(dirname "$0")/test-lib.sh"

vf() {
	"$PYTHON" -S "$TEST_DIRECTORY/vaultfiles.py" "$@"
}
twin() {
	"$PYTHON" -S "$TEST_DIRECTORY/sgvault.py" "$@"
}
# changed OLD NEW STATEMENT: an edited file under right MACs
changed() {
	vf changed "$1" v.vault-key "$2" "$3"
}
# nothing_in FOLDER: it is empty, or not there at all
nothing_in() {
	test -z "$(find "$1" -mindepth 1 2>/dev/null)"
}
# refused STATUS FILE OPTION…: for every form of the command; nothing on stdout, a message, and nothing left
refused() {
	local status=$1 file=$2 form
	shift 2
	# Without a key only what is written is read as a whole.
	for form in ${1+--list --header --heads --locks '--list --json' '--header --json'} '-d out'; do
		rm -rf out
		# shellcheck disable=SC2086
		test_expect_status "$status" sgit-unpack "$@" "$file" $form >said 2>err && test ! -s said && grep -q '^sgit-unpack: ' err && nothing_in out && continue
		echo "$form" && return 1
	done
}

vf story && vf vector vector.sgvault || exit 1
(umask 077 && openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out rsa.secret 2>.log && head -c 32 /dev/urandom >command.secret && od -An -tx1 -v <command.secret | tr -d ' \n' >command.hex) &&
	openssl pkey -in rsa.secret -pubout -out rsa.pub && twin lock rsa-oaep v.vault-key rsa.pub id=00000000000000b0 label='r "s" a' >rsa.lock &&
	twin lock command v.vault-key command.secret id=00000000000000c0 "params={\"provider\":\"told\",\"challenge\":\"$(printf '%064d' 7)\"}" >command.lock &&
	cat A.lock B1.lock B2.lock C.lock P256.lock rsa.lock command.lock >all.locks && vf twin s3 v.vault-key f.sgvault locks=all.locks serial=7 || exit 1
cat >provider <<'END'
#!/bin/sh
cat >"$TRASH/asked"
cat "$TRASH/command.hex"
END
chmod +x provider

# ---------------------------------------------------------------- what a file says

for name in $GOLDEN; do
	test_expect_success "$name: list, heads, header and the store itself are what the twin packed" - <<-'END'
		fixture "$name" && key=$name.vault-key && { test -e "$key" || key=$name.key; } && vf twin "$name" "$key" "$name.sgvault" && sgit-unpack "$name.sgvault" --list >actual && vf listing "$name.sgvault" | cmp - actual &&
		sgit-unpack --list --json "$name.sgvault" >actual && vf listing "$name.sgvault" json | cmp - actual && sgit-unpack "$name.sgvault" --heads >actual && vf heads "$name.sgvault" | cmp - actual &&
		sgit-unpack "$name.sgvault" --heads --json >actual && vf heads "$name.sgvault" json | cmp - actual && sgit-unpack --header "$name.sgvault" >actual && vf header "$name.sgvault" actual 'not verified' &&
		sgit-unpack --header --key-file "$name.key" "$name.sgvault" >actual && vf header "$name.sgvault" actual verified && sgit-unpack --header --json "$name.sgvault" >actual && vf header-json "$name.sgvault" | cmp - actual &&
		rm -rf out && sgit-unpack --key-file "$name.key" "$name.sgvault" -d out >said 2>err && test ! -s said && test ! -s err && vf extracted "$name.sgvault" out && diff -r "$name/bare" out/bare && test "$(find out -mindepth 1 -maxdepth 1)" = out/bare
	END
done

test_expect_success 'the file of the vectors lists and shows its header, though its members are no real objects' - <<'END'
	sgit-unpack vector.sgvault --list >actual && vf listing vector.sgvault | cmp - actual && sgit-unpack vector.sgvault --header >actual && vf header vector.sgvault actual 'not verified' &&
	sgit-unpack vector.sgvault --header --json | cmp - <(vf header-json vector.sgvault) && sgit-unpack vector.sgvault --heads >actual && vf heads vector.sgvault | cmp - actual && sgit-unpack vector.sgvault --locks >actual && vf locks vector.sgvault | cmp - actual
END

test_expect_success 'with a key its refs are opened too, and are none: 4' - <<'END'
	refused 4 vector.sgvault --key-file v.key
END

test_expect_success 'every lock, every label and every parameter is shown; a control character does not reach a terminal' - <<'END'
	changed f.sgvault g.sgvault 'header["locks"][0]["label"] = "a\u202eb \u00e9"; header["removed_locks"] = ["0000000000000001", "ffffffffffffffff"]; header["heads"]["ref-pid-snw-000000000000"] = ""; header["x"] = 1; members["bare/refs/ref-pid-snw-000000000000"] = b"x" * 40' &&
	sgit-unpack g.sgvault --header >actual && vf header g.sgvault actual 'not verified' && test "$(LC_ALL=C tr -d '[:print:]\n' <actual | wc -c)" -eq 0 && grep -c '^removed ' actual >count && test "$(cat count)" -eq 2 && grep -qx 'head ref-pid-snw-000000000000 -' actual &&
	sgit-unpack g.sgvault --heads --json >actual && vf heads g.sgvault json | cmp - actual && sgit-unpack g.sgvault --locks >actual && vf locks g.sgvault | cmp - actual && sgit-unpack g.sgvault --locks --json | cmp - actual
END

test_expect_success 'a lock of a kind that nobody knows yet is listed and passed on as it is' - <<'END'
	changed f.sgvault g.sgvault 'header["locks"] = [dict(header["locks"][0], kind="x-new", id="0000000000000000", params={"salt": "00" * 16, "n": 1, "deep": {"a": [None]}})] + header["locks"]' &&
	sgit-unpack g.sgvault --locks >actual && vf locks g.sgvault | cmp - actual && sgit-unpack --key-file v.key g.sgvault --header >actual && vf header g.sgvault actual verified && sgit-unpack --secret-file A.secret g.sgvault --header >actual && tail -n 1 actual | grep -qx verified
END

test_expect_success 'one lock of a file opens the vault: sgit-unpack --locks | grep | sgit-unwrap-key' - <<'END'
	sgit-unpack vector.sgvault --locks | grep '"kind":"recovery-code"' | sgit-unwrap-key --secret-file A.secret >key && cmp v.vault-key key &&
	sgit-unpack f.sgvault --locks | grep '"id":"fedcba9876543210"' | sgit-unwrap-key --secret-file C.secret >key && cmp v.key key &&
	sgit-unpack f.sgvault --locks | grep '"kind":"p256"' >lock && sgit-unwrap-key --lock lock --secret-file P256.secret | cmp - v.vault-key
END

# ---------------------------------------------------------------- opening

test_expect_success 'a vault key and a read key open, by option, descriptor and environment' - <<'END'
	for how in '--key-file v.vault-key' '--key-file v.key' '--key-fd 4'; do
		# shellcheck disable=SC2086
		sgit-unpack $how f.sgvault --header >actual 4<v.key && vf header f.sgvault actual verified || return 1
	done && SGIT_KEY_FILE=v.key sgit-unpack f.sgvault --header >actual && tail -n 1 actual | grep -qx verified && SGIT_KEY_FD=4 sgit-unpack f.sgvault --header >actual 4<v.vault-key && tail -n 1 actual | grep -qx verified
END

for name in A B1 B2 C P256 rsa; do
	test_expect_success "the secret of lock $name opens, with --lock and without, from a file and a descriptor" - <<-'END'
		id=$(grep -o '"id":"[0-9a-f]*"' "$name.lock" | cut -d'"' -f4) && rm -rf out && sgit-unpack --secret-file "$name.secret" --lock "$id" f.sgvault --header >actual && vf header f.sgvault actual verified &&
		sgit-unpack --secret-fd 5 f.sgvault --header >actual 5<"$name.secret" && vf header f.sgvault actual verified && sgit-unpack --secret-file "$name.secret" f.sgvault -d out && vf extracted f.sgvault out
	END
done

test_expect_success 'a command lock: the provider is run without a shell, told what it may know, and only if it was named' - <<'END'
	sgit-unpack --provider told="$PWD/provider" --lock 00000000000000c0 f.sgvault --header >actual && vf header f.sgvault actual verified && printf '%s\n' sgvault/v1/command testvault01 00000000000000c0 "$(printf '%064d' 7)" | cmp - asked &&
	rm asked && sgit-unpack f.sgvault --header >actual && vf header f.sgvault actual 'not verified' && test ! -e asked && { sgit-unpack --provider other="$PWD/provider" --lock 00000000000000c0 f.sgvault --list >said && return 1; test ! -e asked && test ! -s said; }
END

test_expect_success 'a secret in other clothes: grouped, small letters, no check characters; 64 hex digits' - <<'END'
	key_file code '000g40r4-0M3O e209-185g\nr38e-1w9d\n' && sgit-unpack --secret-file code f.sgvault --header | tail -n 1 | grep -qx verified && key_file code '000G40R40M30E209185GR38E1W\n' && sgit-unpack --secret-file code f.sgvault --header | tail -n 1 | grep -qx verified &&
	(umask 077 && od -An -tx1 -v <C.secret | tr -d ' \n' >hex) && sgit-unpack --secret-file hex f.sgvault --header | tail -n 1 | grep -qx verified
END

test_expect_success 'the key of another vault, and a secret that opens no lock: 3, and nothing is said or left' - <<'END'
	refused 3 f.sgvault --key-file other.vault-key && key_file wrong 'ZZZZ-ZZZZ-ZZZZ-ZZZZ-ZZZZ-ZZZZ-ZWJN\n' && refused 3 f.sgvault --secret-file wrong --lock 0011223344556677 && refused 3 f.sgvault --secret-file A.secret --lock fedcba9876543210 &&
	{ ! grep -q -e ZZZZ -e 000G err; } && key_file wrong.key "sgit_private_read_$(printf '%064d' 0):testvault01\n" && refused 3 f.sgvault --key-file wrong.key
END

test_expect_success 'a read lock opens, and shows what it can prove' - <<'END'
	vf twin s1 v.vault-key read.sgvault locks=C.lock && sgit-unpack --secret-file C.secret read.sgvault --header >actual && vf header read.sgvault actual verified
END

test_expect_success 'a lock list that the owner did not make: with a key that can tell it is 4; with a read key the file is whole' - <<'END'
	vf changed f.sgvault v.key g.sgvault 'header["locks"] = [lock for lock in header["locks"] if lock["kind"] == "recovery-code"]' && refused 4 g.sgvault --key-file v.vault-key && refused 4 g.sgvault --secret-file A.secret && sgit-unpack --key-file v.key g.sgvault --header >actual && vf header g.sgvault actual verified
END

test_expect_success 'of six passphrase locks at most four are tried; the others are counted, and --lock reaches them' - <<'END'
	for number in 1 2 3 4 5; do key_file other "not this $number\n" && twin lock passphrase v.vault-key other "id=000000000000000$number" || return 1; done >five.locks && key_file sixth 'the sixth\n' && twin lock passphrase v.vault-key sixth id=0000000000000006 >six.lock &&
	cat five.locks six.lock >six.locks && vf twin s1 v.vault-key six.sgvault locks=six.locks && test_expect_status 3 sgit-unpack --secret-file sixth six.sgvault --list >said 2>err && test ! -s said && grep -q 2 err &&
	sgit-unpack --secret-file sixth --lock 0000000000000006 six.sgvault --list >said && vf listing six.sgvault | cmp - said
END

test_expect_success 'a secret file that others can read: 8, unless insisted; no lock at all: 3' - <<'END'
	cp A.secret open.secret && chmod 644 open.secret && refused 8 f.sgvault --secret-file open.secret && sgit-unpack --secret-file open.secret --insecure-secret-file f.sgvault --list >said && vf twin s1 v.vault-key none.sgvault && refused 3 none.sgvault --secret-file A.secret
END

# ---------------------------------------------------------------- what is not as it should be

test_expect_success 'no such file: 6; a folder: 128 or 4; not ours: 4 and the way around is named' - <<'END'
	refused 6 absent.sgvault && status=0 && { sgit-unpack s1 --list >said 2>err || status=$?; } && case $status in 4 | 128) ;; *) return 1 ;; esac && head -c 3000 /dev/urandom >noise && refused 4 noise && : >empty && refused 4 empty &&
	(cd s1 && zip -qr ../foreign.zip bare) && refused 4 foreign.zip && grep -q -e --no-header err && refused 4 foreign.zip --key-file v.key && grep -q -e --no-header err
END

test_expect_success 'the header was altered: without a key it cannot be seen; with one it is 4 in every form' - <<'END'
	for change in 'header["serial"] += 1' 'header["locks"][0]["label"] = "x"' 'header["written_at"] = "2026-11-30T12:00:01Z"' 'header["heads"][next(iter(header["heads"]))] = ""' 'header["x"] = 1' 'header["locks"].pop()'; do
		twin edit f.sgvault g.sgvault "$change" && sgit-unpack g.sgvault --header >actual && vf header g.sgvault actual 'not verified' && refused 4 g.sgvault --key-file v.key && grep -q altered err || return 1
	done
END

test_expect_success 'members that are not those of the inventory, refs that are not those of the heads: 4' - <<'END'
	first='sorted(members)[0]' && for change in "members.pop($first)" 'members["bare/data/obj-cas-imm-000000000000"] = b"x" * 40' 'members["bare/refs/ref-pid-muw-000000000000"] = b"x" * 40'; do
		twin edit f.sgvault g.sgvault --key v.key --keep inventory "$change" && refused 4 g.sgvault --key-file v.key && refused 4 g.sgvault || return 1
	done && for change in 'header["heads"][next(iter(header["heads"]))] = "obj-cas-imm-000000000000"' 'header["heads"] = {}' 'header["heads"]["ref-pid-muw-000000000000"] = ""' "members['bare/refs/ref-pid-muw-000000000000'] = members[sorted(members)[-1]]"; do
		changed f.sgvault g.sgvault "$change" && refused 4 g.sgvault --key-file v.key || return 1
	done
END

test_expect_success 'an object that is not what its name says: 4 with a key, though CRC, inventory and MAC are right' - <<'END'
	changed f.sgvault g.sgvault 'n = sorted(members)[0]; members[n] = members[n][:-1] + b"x"' && refused 4 g.sgvault --key-file v.key
END

test_expect_success 'a later version: 8; a feature that nobody knows: 8 under the right MAC, 4 under a wrong one' - <<'END'
	changed f.sgvault g.sgvault 'header["version"] = 2' && refused 8 g.sgvault --key-file v.key && refused 8 g.sgvault --secret-file A.secret && changed f.sgvault g.sgvault 'header["requires"] = ["x-new"]' && refused 8 g.sgvault --key-file v.key && grep -q x-new err &&
	sgit-unpack g.sgvault --header >actual && grep -qx 'requires x-new' actual && twin edit f.sgvault g.sgvault 'header["requires"] = ["x-new"]' && refused 4 g.sgvault --key-file v.key
END

test_expect_success 'DIR/bare that is there, as a folder or as a link: 128, and it stays' - <<'END'
	rm -rf out && mkdir -p out/bare && echo mine >out/bare/file && test_expect_status 128 sgit-unpack --key-file v.key f.sgvault -d out 2>err && test "$(find out -type f)" = out/bare/file && test "$(cat out/bare/file)" = mine && rm -rf out && mkdir out && ln -s ../elsewhere out/bare && test_expect_status 128 sgit-unpack --key-file v.key f.sgvault -d out 2>err && test ! -e elsewhere
END

test_expect_success 'what is in DIR stays there' - <<'END'
	rm -rf out && mkdir out && echo mine >out/note && sgit-unpack f.sgvault -d out && test "$(cat out/note)" = mine && rm out/note && vf extracted f.sgvault out
END

# ---------------------------------------------------------------- there and back

for name in branches deflate format2 linear merge signatures tags; do
	test_expect_success "$name: pack | unpack | pack gives the same bytes, with its locks" - <<-'END'
		sgit-pack --store "$name" --key-file "$name.vault-key" -o "$name.1" && rm -rf back && sgit-unpack --key-file "$name.key" "$name.1" -d back && sgit-pack --store back --key-file "$name.vault-key" -o "$name.2" && cmp "$name.1" "$name.2"
	END
done

test_expect_success 'also with locks of every kind, and under a read key' - <<'END'
	rm -rf back && sgit-unpack --secret-file A.secret f.sgvault -d back && sgit-pack --store back --key-file v.vault-key --header-from f.sgvault --serial 7 >again.sgvault && cmp f.sgvault again.sgvault && sgit-pack --store back --key-file v.key --header-from f.sgvault --serial 7 >again.sgvault && cmp f.sgvault again.sgvault &&
	SGIT_STORE=back sgit-rev-list --key-file v.key --all >actual && test "$(wc -l <actual)" -eq 3
END

# ---------------------------------------------------------------- salvage

test_expect_success '--salvage of a whole file gives all of it, and 0' - <<'END'
	rm -rf out && sgit-unpack f.sgvault -d out --salvage && vf extracted f.sgvault out
END

test_expect_success '--salvage of a damaged file: the damaged object is named, everything else is there, 4' - <<'END'
	lab >name <<-'PY' &&
		from vaultfiles import *
		data = bytearray(content("f.sgvault"))
		name, body, _ = read_zip(bytes(data))[2]
		data[data.index(body) + 15] ^= 4
		open("damaged.sgvault", "wb").write(data)
		print(name)
	PY
	rm -rf out && refused 4 damaged.sgvault && grep -q "$(basename "$(cat name)")" err && test_expect_status 4 sgit-unpack damaged.sgvault -d out --salvage 2>err && grep -q "$(basename "$(cat name)")" err && lab "$(cat name)" <<-'PY'
		from vaultfiles import *
		same_files({name: data for name, data, _ in read_zip(content("f.sgvault"))[1:] if name != sys.argv[1]}, "out")
	PY
END

# ---------------------------------------------------------------- streams and options

test_expect_success 'a full disk: 128; a reader that leaves early: quietly' - <<'END'
	for form in --list --header --heads --locks '--header --json'; do
		# shellcheck disable=SC2086
		test_expect_status 128 sgit-unpack f.sgvault $form >/dev/full 2>err && grep -q '^sgit-unpack: ' err && sgit-unpack f.sgvault $form 2>err | head -n 1 >actual && test -s actual && test ! -s err || return 1
	done
END

test_expect_success 'wrong calls: 129, nothing on stdout, nothing left' - <<'END'
	rm -rf out && for call in '' f.sgvault 'f.sgvault --list --heads' 'f.sgvault --list -d out' 'f.sgvault --salvage' 'f.sgvault --salvage --list' 'f.sgvault --salvage -d out --key-file v.key' 'f.sgvault f.sgvault --list' 'f.sgvault -d' '--no-header f.sgvault' '--no-header f.sgvault --list' 'f.sgvault -d out --json' 'f.sgvault --unknown' '--secret-file A.secret --secret-fd 4 f.sgvault --list'; do
		# shellcheck disable=SC2086
		test_expect_status 129 sgit-unpack $call >said 2>err </dev/null && test ! -s said && test -s err && test ! -e out || { echo "$call" && return 1; }
	done
END

test_expect_success 'a file whose name begins with a hyphen comes after --' - <<'END'
	cp f.sgvault ./-f && sgit-unpack --list -- -f >actual && vf listing f.sgvault | cmp - actual
END

test_done
