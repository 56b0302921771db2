#!/bin/bash
# sgit-pack: the bytes are those of the twin (sgvault.py), locks and serial are carried over by rule, and no file is replaced
# whose contents are not in the one that takes its place.
. "$(dirname "$0")/test-lib.sh"

vf() {
	"$PYTHON" -S "$TEST_DIRECTORY/vaultfiles.py" "$@"
}

# pack …: sgit-pack with the vault key of the story; pack_read with its read key
pack() {
	sgit-pack --key-file "$TRASH/v.vault-key" "$@"
}
pack_read() {
	sgit-pack --key-file "$TRASH/v.key" "$@"
}

# mark FILE: what must stay where nothing is written: the file itself, its times, its mode and its bytes
mark() {
	stat -c '%d:%i %s %y %a' "$1" && sha256sum <"$1"
}

# nothing_but FOLDER NAME…: the folder holds these and nothing else, hidden or not
nothing_but() {
	local folder=$1
	shift
	find "$folder" -mindepth 1 -maxdepth 1 -printf '%f\n' | LC_ALL=C sort >found && printf '%s\n' "$@" | sed '/^$/d' | LC_ALL=C sort | diff - found
}

# refused STATUS STORE FILE [OPTION…]: nothing is written and nothing is left, and it is said
refused() {
	local status=$1 store=$2 file=$3
	shift 3
	mark "$file" >before && find "$(dirname "$file")" | sort >all-before &&
		test_expect_status "$status" pack --store "$store" -o "$file" "$@" >out 2>err &&
		test ! -s out && grep -q '^sgit-pack: ' err && mark "$file" | cmp before - && find "$(dirname "$file")" | sort | cmp all-before -
}

vf story || exit 1

# ---------------------------------------------------------------- bytes

for name in $GOLDEN; do
	test_expect_success "$name: the file is what the twin makes of the same store, and three other programs read it" - <<-'END'
		fixture "$name" && old= twin= key=$name.vault-key &&
		if test ! -e "$key"; then
			key=$name.key old="--header-from old.sgvault" twin=old=old.sgvault && vf twin "$name" "$key" old.sgvault serial=4 || return 1
		fi &&
		vf twin "$name" "$key" expected $twin &&
		sgit-pack --store "$name" --key-file "$key" $old >"$name.sgvault" 2>err && { test -n "$old" || test ! -s err; } && cmp expected "$name.sgvault" &&
		vf readable "$name.sgvault"
	END
done

test_expect_success 'so is the file of a store that our own plumbing made' - <<'END'
	key_file plumb.vault-key 'abcdefghijklmnopqrstuvwxyz:plumbing01\n' && sgit-derive-keys --key-file plumb.vault-key >plumb.key && chmod 600 plumb.key &&
	mkdir -p plumb/bare/data && use plumb plumb.key && sgit-branch-index set-format 2 && sgit-branch-index add-branch current >id &&
	sgit-branch-index add-branch empty >id && (umask 077 && openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out device.pem) && openssl pkey -in device.pem -pubout -out device.pub &&
	sgit-branch-index add-key device.pub >id && blob=$(echo hello | sgit-hash-object -w --stdin) && tree=$(printf 'blob %s\thello\n' "$blob" | sgit-mktree) &&
	sgit-update-ref @ "$(sgit-commit-tree -m one "$tree")" && unset SGIT_KEY_FD SGIT_STORE &&
	vf twin plumb plumb.vault-key expected && sgit-pack --store plumb --key-file plumb.vault-key >plumb.sgvault && cmp expected plumb.sgvault && vf readable plumb.sgvault
END

test_expect_success 'equal input gives equal bytes: other times and modes, another order in the folder, the bare folder named itself, another place, -o and stdout' - <<'END'
	pack --store s3 >one && mkdir -p copy/bare &&
	(cd s3/bare && find . -type f | sort -r) | while IFS= read -r path; do mkdir -p "copy/bare/${path%/*}" && cp "s3/bare/$path" "copy/bare/$path" && touch -d 2001-01-01 "copy/bare/$path" && chmod 400 "copy/bare/$path" || return 1; done &&
	pack --store copy/bare >two && cmp one two && pack --store copy -o three && cmp one three && pack --store copy -o - >four && cmp one four &&
	(cd copy && pack >../five) && cmp one five && SGIT_STORE=$PWD/copy pack >six && cmp one six
END

test_expect_success 'folders that are not there, or empty, are nothing to say' - <<'END'
	cp -R s1 bald && rm -r bald/bare/keys && vf twin bald v.vault-key expected && mkdir -p bald/bare/pending && pack --store bald >actual && cmp expected actual
END

test_expect_success 'written_at is the greatest commit time among the heads, or SOURCE_DATE_EPOCH' - <<'END'
	pack --store s3 >one && test "$(vf member one written_at)" = '"2023-11-14T22:15:20Z"' &&
	SOURCE_DATE_EPOCH=86399 pack --store s3 >two && test "$(vf member two written_at)" = '"1970-01-01T23:59:59Z"' && vf twin s3 v.vault-key expected epoch=86399 && cmp expected two
END

test_expect_success 'files whose names no vault file can hold are named and left out' - <<'END'
	cp -R s1 odd && : >odd/bare/data/.obj-cas-imm-000000000000.0123abcd.sgtmp && : >odd/bare/README && : >odd/bare/data/UPPER && mkdir -p odd/bare/a/b/c/d && : >odd/bare/a/b/c/d/deep && : >"odd/bare/refs/new
line" && pack --store odd >actual 2>err && pack --store s1 | cmp - actual && for name in README UPPER a/b/c/d; do grep -q "$name" err || return 1; done &&
	test "$(LC_ALL=C tr -d '[:print:]\n' <err | wc -c)" -eq 0
END

test_expect_success 'what is no file of sgit but has a good name comes along' - <<'END'
	cp -R s1 extra && mkdir -p extra/bare/cache/v1 && echo '{}' >extra/bare/cache/v1/index.json && vf twin extra v.vault-key expected && pack --store extra >actual && cmp expected actual
END

# ---------------------------------------------------------------- header

test_expect_success 'serial: --serial, else one more than the greatest of the old header and the replaced file, else 1' - <<'END'
	pack --store s1 >f && test "$(vf member f serial)" = 1 && pack --store s1 --serial 9007199254740991 >f && test "$(vf member f serial)" = 9007199254740991 &&
	vf twin s1 v.vault-key old serial=9 && vf twin s1 v.vault-key there serial=12 &&
	pack --store s1 --header-from old >f && test "$(vf member f serial)" = 10 && cp there f && pack --store s2 -o f && test "$(vf member f serial)" = 13 &&
	cp there f && pack --store s2 --header-from old -o f && test "$(vf member f serial)" = 13 && cp old f && pack --store s2 --header-from there -o f && test "$(vf member f serial)" = 13 &&
	cp there f && pack --store s2 --serial 5 -o f && test "$(vf member f serial)" = 5
END

test_expect_success 'a serial that is none is a usage error' - <<'END'
	for serial in 0 -1 x '' 1.5 9007199254740992 99999999999999999999; do test_expect_status 129 pack --store s1 --serial "$serial" >out 2>err && test ! -s out || return 1; done
END

test_expect_success '--lock: lines from files and from stdin, ordered by time and id; the file is still the twin'"'s" - <<'END'
	cat B1.lock P256.lock >two.locks && cat A.lock B1.lock P256.lock C.lock B2.lock >all.locks && vf twin s1 v.vault-key expected locks=all.locks &&
	pack --store s1 --lock two.locks --lock - --lock C.lock --lock B2.lock <A.lock >actual && cmp expected actual &&
	test "$(vf lock-ids actual)" = '00000000000000a5 0011223344556677 0123456789abcdef 8899aabbccddeeff fedcba9876543210'
END

test_expect_success 'one lock given twice is there once' - <<'END'
	vf twin s1 v.vault-key expected locks=A.lock && pack --store s1 --lock A.lock --lock - <A.lock >actual && cmp expected actual
END

test_expect_success 'a lock of another vault: 3; a line that is no lock line, or not in its one form: 4; nothing is written' - <<'END'
	cat A.lock >mixed && "$PYTHON" -S "$TEST_DIRECTORY/sgvault.py" lock recovery-code other.vault-key A.secret id=0000000000000001 >>mixed &&
	test_expect_status 3 pack --store s1 --lock mixed -o new >out 2>err && grep -q '^sgit-pack: ' err && sed 's/^{/{ /' A.lock >spaced && echo '{}' >empty && tr -d '\n' <A.lock >cut &&
	for lock in spaced empty; do test_expect_status 4 pack --store s1 --lock $lock -o new >out 2>err && test ! -s out && grep -q '^sgit-pack: ' err || return 1; done &&
	sed 's/"version":1/"version":2/' A.lock >later && test_expect_status 8 pack --store s1 --lock later -o new && test ! -e new
END

test_expect_success '--header-from: locks, removed locks and unknown members are carried over' - <<'END'
	cat A.lock B1.lock >two.locks && vf twin s1 v.vault-key plain locks=two.locks serial=3 &&
	vf changed plain v.vault-key old 'header.update(removed_locks=["0000000000000001", "fedcba9876543210"], x_future={"kept": True, "n": None}, label="\u00e9"); header["locks"][0]["x"] = [1]' &&
	vf twin s3 v.vault-key expected old=old && pack --store s3 --header-from old >actual && cmp expected actual && test "$(vf member actual x_future)" = '{"kept": true, "n": null}'
END

test_expect_success 'a lock that the old header has removed does not come back' - <<'END'
	vf twin s1 v.vault-key plain && vf changed plain v.vault-key old 'header["removed_locks"] = ["0011223344556677"]' &&
	test_expect_status 8 pack --store s1 --header-from old --lock A.lock --lock B1.lock >actual && test ! -s actual &&
	pack --store s1 --header-from old --lock B1.lock >actual && test "$(vf lock-ids actual)" = 8899aabbccddeeff && test "$(vf member actual removed_locks)" = '["0011223344556677"]'
END

test_expect_success 'an old header of another vault: 3; altered or damaged: 4; of a later version or with a feature we do not know: 8' - <<'END'
	fixture linear && vf twin linear linear.vault-key other.sgvault && vf twin s1 v.vault-key plain locks=A.lock &&
	"$PYTHON" -S "$TEST_DIRECTORY/sgvault.py" edit plain altered 'header["locks"][0]["label"] = "x"' &&
	"$PYTHON" -S "$TEST_DIRECTORY/sgvault.py" edit plain damaged --keep crc 'members[next(iter(members))] = b"x" * len(members[next(iter(members))])' &&
	vf changed plain v.vault-key later 'header["version"] = 2' && vf changed plain v.vault-key feature 'header["requires"] = ["x-new"]' &&
	test_expect_status 3 pack --store s1 --header-from other.sgvault -o new && test_expect_status 4 pack --store s1 --header-from altered -o new && test_expect_status 4 pack --store s1 --header-from damaged -o new &&
	test_expect_status 4 pack --store s1 --header-from A.lock -o new && test_expect_status 8 pack --store s1 --header-from later -o new && test_expect_status 8 pack --store s1 --header-from feature -o new && test ! -e new
END

test_expect_success 'a read key needs --header-from and takes no --lock: 8; with it the lock list and its MAC are copied as they are' - <<'END'
	test_expect_status 8 pack_read --store s1 -o new >out 2>err && grep -q '^sgit-pack: ' err && vf twin s1 v.vault-key old locks=A.lock && test_expect_status 8 pack_read --store s1 --header-from old --lock B1.lock -o new && test ! -e new &&
	vf twin s3 v.key expected old=old && pack_read --store s3 --header-from old >actual && cmp expected actual && test "$(vf member actual locks_mac)" = "$(vf member old locks_mac)"
END

# ---------------------------------------------------------------- what is wrong with the store or the key

test_expect_success 'a damaged object: 4, it is named, and nothing is written' - <<'END'
	for name in $(cd s1/bare/data && ls); do
		rm -rf bad && cp -R s1 bad && lab "bad/bare/data/$name" <<<'flip(sys.argv[1], -1 + os.path.getsize(sys.argv[1]))' &&
		test_expect_status 4 pack --store bad >out 2>err && test ! -s out && grep -q "$name" err && test_expect_status 4 pack --store bad -o new && test ! -e new || return 1
	done && rm -rf bad && cp -R s1 bad && : >"bad/bare/data/$name" && test_expect_status 4 pack --store bad >out && test ! -s out
END

test_expect_success 'a ref that does not open: 4; a ref file that is empty: 4' - <<'END'
	rm -rf bad && cp -R s1 bad && ref=$(ls bad/bare/refs) && lab "bad/bare/refs/$ref" <<<'flip(sys.argv[1], 20)' && test_expect_status 4 pack --store bad >out && test ! -s out &&
	: >"bad/bare/refs/$ref" && test_expect_status 4 pack --store bad >out && test ! -s out
END

test_expect_success 'the key of another vault: 3; no key: 7; a store that is not there: 6 or 128' - <<'END'
	test_expect_status 3 sgit-pack --store s1 --key-file other.vault-key >out && test ! -s out && test_expect_status 7 sgit-pack --store s1 >out && test ! -s out &&
	status=0 && { pack --store absent >out 2>err || status=$?; } && case $status in 6 | 128) ;; *) return 1 ;; esac && test ! -s out
END

# ---------------------------------------------------------------- -o over a file

test_expect_success 'a new file is 0600 whatever the umask, and is all that there is' - <<'END'
	for mask in 000 022 077 777; do rm -rf new && mkdir new && (umask $mask && pack --store s1 -o new/V.sgvault >out 2>err) && test ! -s out && test ! -s err && test "$(stat -c %a new/V.sgvault)" = 600 && nothing_but new V.sgvault || return 1; done &&
	vf twin s1 v.vault-key expected && cmp expected new/V.sgvault
END

test_expect_success 'nothing to say: the file is not touched, whatever its serial, time and author, nor for a ref and index sealed anew' - <<'END'
	mkdir same && cat A.lock B1.lock >two.locks && vf twin s3 v.vault-key f serial=40 epoch=5 locks=two.locks && vf changed f v.vault-key same/V.sgvault 'header["written_by"] = "another program"' && touch -d 2001-01-01 same/V.sgvault && mark same/V.sgvault >before &&
	for store in s3 again; do
		pack --store $store -o same/V.sgvault >out 2>err && test ! -s out && pack --store $store --lock A.lock -o same/V.sgvault && pack_read --store $store --header-from f -o same/V.sgvault || return 1
	done && mark same/V.sgvault | cmp before - && nothing_but same V.sgvault
END

test_expect_success 'covered: it is replaced, and what stood there is the past copy, the same file' - <<'END'
	mkdir covered && pack --store s1 --lock A.lock -o covered/my.sgvault && cp covered/my.sgvault old && inode=$(stat -c %i covered/my.sgvault) && pack --store s3 --lock B1.lock -o covered/my.sgvault >out 2>err && test ! -s out &&
	nothing_but covered my.sgvault .versions && nothing_but covered/.versions my && past=$(ls covered/.versions/my) && echo "$past" | grep -Eqx '[0-9]{8}T[0-9]{6}\.[0-9]{3}Z-[A-Za-z0-9-]{1,32}\.sgvault' &&
	cmp old "covered/.versions/my/$past" && test "$(stat -c %i "covered/.versions/my/$past")" = "$inode" &&
	cat A.lock B1.lock >two.locks && vf twin s3 v.vault-key expected locks=two.locks serial=2 && cmp expected covered/my.sgvault
END

test_expect_success 'locks of the file and of the caller are joined; a lock alone is something to say' - <<'END'
	mkdir joined && pack --store s1 --lock A.lock -o joined/V.sgvault && pack --store s1 --lock B1.lock -o joined/V.sgvault && test "$(vf lock-ids joined/V.sgvault)" = '0011223344556677 8899aabbccddeeff' && test "$(vf member joined/V.sgvault serial)" = 2 &&
	mark joined/V.sgvault >before && pack --store s1 --lock A.lock -o joined/V.sgvault && mark joined/V.sgvault | cmp before -
END

test_expect_success 'an object more in the store is something to say' - <<'END'
	vf plus s1 s1-object object && mkdir more && vf twin s1 v.vault-key more/V.sgvault && pack --store s1-object -o more/V.sgvault && vf twin s1-object v.vault-key expected serial=2 && cmp expected more/V.sgvault
END

for what in object key ref branch tag; do
	test_expect_success "the file holds a thing that the store lacks ($what): 5, and it stays" - <<-'END'
		mkdir "lacks-$what" && vf plus s2 "s2-$what" "$what" && vf twin "s2-$what" v.vault-key "lacks-$what/V.sgvault" &&
		refused 5 s2 "lacks-$what/V.sgvault" && refused 5 s2 "lacks-$what/V.sgvault" --serial 9 && grep -q '^hint: ' err && case $what in object | key) grep -q '^hint: .*sgit-union' err ;; esac &&
		pack --store "s2-$what" -o "lacks-$what/V.sgvault" && nothing_but "lacks-$what" V.sgvault
	END
done

test_expect_success 'the file'"'"'s heads are not covered: 5, and it stays; also where the store has its objects' - <<'END'
	mkdir uncovered && for pair in s1:s2 s2:s3 fork:s2 s2:fork s2:merged; do
		rm -f uncovered/* && vf twin "${pair#*:}" v.vault-key uncovered/V.sgvault && refused 5 "${pair%:*}" uncovered/V.sgvault && grep -q '^hint: .*sgit-union' err || return 1
	done && vf moved merged behind c2 && vf twin merged v.vault-key uncovered/V.sgvault && refused 5 behind uncovered/V.sgvault &&
	vf moved merged at-fork d2 && rm uncovered/V.sgvault && vf twin behind v.vault-key uncovered/V.sgvault && refused 5 at-fork uncovered/V.sgvault
END

test_expect_success 'covered also means: another merge of the same commits with the same tree' - <<'END'
	vf moved merged merged-n n && mkdir lockstep && vf twin merged-n v.vault-key lockstep/V.sgvault && pack --store merged -o lockstep/V.sgvault && vf twin merged v.vault-key expected serial=2 && cmp expected lockstep/V.sgvault
END

test_expect_success 'a file of another vault: 3; garbage, an altered or damaged one, an empty one, a foreign zip: 4; each stays' - <<'END'
	fixture branches && mkdir stays && vf twin branches branches.vault-key stays/V.sgvault && refused 3 s1 stays/V.sgvault && vf twin s1 v.vault-key whole locks=A.lock &&
	: >stays/V.sgvault && refused 4 s2 stays/V.sgvault && head -c 5000 /dev/urandom >stays/V.sgvault && refused 4 s2 stays/V.sgvault && (cd s1 && zip -qr ../foreign.zip bare) && mv foreign.zip stays/V.sgvault && refused 4 s2 stays/V.sgvault &&
	head -c -1 whole >stays/V.sgvault && refused 4 s2 stays/V.sgvault && cp whole stays/V.sgvault && lab <<<'flip("stays/V.sgvault", -200 + os.path.getsize("stays/V.sgvault"))' && refused 4 s2 stays/V.sgvault &&
	"$PYTHON" -S "$TEST_DIRECTORY/sgvault.py" edit whole stays/V.sgvault 'header["serial"] = 2' && refused 4 s2 stays/V.sgvault &&
	vf changed whole v.key stays/V.sgvault 'header["locks"] = []' && refused 4 s2 stays/V.sgvault && vf changed whole v.vault-key stays/V.sgvault 'header["version"] = 2' && refused 8 s2 stays/V.sgvault
END

test_expect_success 'a header with a read lock holder'"'"'s serial, and an object under a wrong name in the file: 4' - <<'END'
	vf changed whole v.vault-key stays/V.sgvault 'members["bare/data/obj-cas-imm-000000000000"] = b"x" * 40' && refused 4 s2 stays/V.sgvault
END

test_expect_success 'a folder, a device or a pipe at the path: 128' - <<'END'
	mkdir kinds kinds/V.sgvault && test_expect_status 128 pack --store s1 -o kinds/V.sgvault && nothing_but kinds V.sgvault && mkfifo kinds/pipe &&
	test_expect_status 128 timeout 20 sgit-pack --key-file v.vault-key --store s1 -o kinds/pipe && test -p kinds/pipe && status=0 && { pack --store s1 -o absent/V.sgvault || status=$?; } && case $status in 6 | 128) ;; *) return 1 ;; esac && test ! -e absent
END

test_expect_success 'a mode stays a mode' - <<'END'
	mkdir modes && for mode in 640 444 600 664; do rm -rf modes/* modes/.versions && vf twin s1 v.vault-key modes/V.sgvault && chmod $mode modes/V.sgvault && pack --store s2 -o modes/V.sgvault && test "$(stat -c %a modes/V.sgvault)" = $mode && test "$(vf member modes/V.sgvault serial)" = 2 || return 1; done
END

test_expect_success 'a symbolic link is followed and stays one; what is beside the file is in its folder' - <<'END'
	mkdir real here && vf twin s1 v.vault-key real/V.sgvault && ln -s ../real/V.sgvault here/link && ln -s link here/again.sgvault && pack --store s2 -o here/again.sgvault && test -L here/again.sgvault && test "$(readlink here/link)" = ../real/V.sgvault &&
	nothing_but here link again.sgvault && nothing_but real V.sgvault .versions && nothing_but real/.versions V && vf twin s2 v.vault-key expected serial=2 && cmp expected real/V.sgvault
END

test_expect_success 'a link that leads nowhere or in a circle: 128, and it stays' - <<'END'
	mkdir links && ln -s nowhere links/dangling && ln -s circle links/circle && for link in dangling circle; do test_expect_status 128 pack --store s1 -o links/$link >out 2>err && grep -q '^sgit-pack: ' err && test -L links/$link || return 1; done && nothing_but links dangling circle
END

test_expect_success 'in a working copy, or anywhere below one: 8, nothing is written; also through a link' - <<'END'
	mkdir -p wc/.sg_vault/bare wc/sub/deep && ln -s wc/sub outside && for file in wc/V.sgvault wc/sub/deep/V.sgvault wc/.sg_vault/V.sgvault wc/.sg_vault/bare/V.sgvault outside/V.sgvault; do
		test_expect_status 8 pack --store s1 -o $file >out 2>err && grep -q '^sgit-pack: ' err && test ! -e $file || return 1
	done && (cd wc/sub && test_expect_status 8 pack --store ../../s1 -o V.sgvault) && ln -s ../wc/sub/V.sgvault links/into && vf twin s1 v.vault-key wc/sub/V.sgvault && refused 8 s2 links/into && mkdir beside.sg_vault && pack --store s1 -o beside.sg_vault/V.sgvault
END

test_expect_success 'five past copies are kept, the newest five' - <<'END'
	mkdir past && lab <<-'PY' &&
		from vaultfiles import *
		store, head = grown("s3", "line"), ids()["c3"]
		for number in range(9):
		    head = store.commit(store.document(head)["tree_id"], [head], f"{number}", time=1_700_000_900_000 + number)
		    moved = grown("line", f"line{number}", head)
	PY
	for number in 0 1 2 3 4 5 6 7 8; do pack --store line$number -o past/V.sgvault || return 1; done && nothing_but past V.sgvault .versions && test "$(ls past/.versions/V | wc -l)" -eq 5 && ls past/.versions/V | LC_ALL=C sort -c &&
	for past in past/.versions/V/*; do vf member "$past" serial; done | tr '\n' ' ' >serials && test "$(cat serials)" = '4 5 6 7 8 '
END

test_expect_success 'a past copy whose heads are not covered is never removed, nor a file that is none' - <<'END'
	vf twin fork v.vault-key past/.versions/V/20200101T000000.000Z-elsewhere.sgvault && cp past/.versions/V/20200101T000000.000Z-elsewhere.sgvault kept && echo mine >past/.versions/V/notes && echo mine >past/.versions/other &&
	vf moved line8 line9 c3 && vf plus line8 line8-object object && pack --store line8-object -o past/V.sgvault && vf plus line8-object line8-key key && pack --store line8-key -o past/V.sgvault &&
	cmp kept past/.versions/V/20200101T000000.000Z-elsewhere.sgvault && test -f past/.versions/V/notes && test -f past/.versions/other && test "$(ls past/.versions/V/*.sgvault | wc -l)" -ge 5
END

test_expect_success 'leftovers of a writer that was killed go; what is no leftover stays' - <<'END'
	mkdir left && : >left/.V.sgvault.0123abcd.sgtmp && : >left/.V.sgvault.xyz.sgtmp && : >left/.W.sgvault.0123abcd.sgtmp && : >left/.hidden && pack --store s1 -o left/V.sgvault && nothing_but left V.sgvault .V.sgvault.xyz.sgtmp .W.sgvault.0123abcd.sgtmp .hidden
END

# ---------------------------------------------------------------- streams and options

test_expect_success 'a full disk and a closed stdout: 128; a reader that leaves early: quietly, by SIGPIPE; a terminal: 129' - <<'END'
	test_expect_status 128 pack --store s1 >/dev/full 2>err && grep -q '^sgit-pack: ' err && test_expect_status 128 pack --store s1 >&- 2>err && lab <<-'PY'
		import pty, signal, subprocess
		command = ["sgit-pack", "--key-file", "v.vault-key", "--store"]
		lab_store = Store("wide", bytes.fromhex("00" * 32))
		from vaultfiles import grown
		store = grown("s1", "large")
		store.blob(os.urandom(3_000_000))
		tool = subprocess.Popen([*command, "large"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
		tool.stdout.read(1)
		tool.stdout.close()
		assert tool.stderr.read() == b"", "said something"
		assert tool.wait() == -signal.SIGPIPE, tool.returncode
		parent, child = pty.openpty()
		for more in ([], ["-o", "-"]):
		    run = subprocess.run([*command, "s1", *more], stdout=child, stderr=subprocess.PIPE)
		    assert run.returncode == 129 and run.stderr, run
		os.set_blocking(parent, False)
		try:
		    assert not os.read(parent, 1)
		except BlockingIOError:
		    pass
	PY
END

test_expect_success 'wrong calls: 129 and nothing on stdout' - <<'END'
	for call in 'operand' '--unknown' '-o' '--lock' '--header-from' '--serial 1 --serial'; do
		# shellcheck disable=SC2086
		test_expect_status 129 pack --store s1 $call >out 2>err </dev/null && test ! -s out && test -s err || return 1
	done
END

test_expect_success 'options may stand anywhere, and nothing is written to the store' - <<'END'
	find s3 -type f -exec sha256sum {} + | sort >before && sgit-pack -o any.sgvault --store s3 --key-file v.vault-key && vf twin s3 v.vault-key expected && cmp expected any.sgvault && find s3 -type f -exec sha256sum {} + | sort | cmp before -
END

# ---------------------------------------------------------------- size

test_expect_success '70,000 members: the file of the twin, and three other programs read it' - <<'END'
	cp -R s1 many && lab <<-'PY' &&
		for number in range(70_000):
		    data = b"%028d" % number
		    with open("many/bare/data/" + object_id(data), "xb") as file:
		        file.write(data)
	PY
	vf twin many v.vault-key expected && pack --store many -o many.sgvault && cmp expected many.sgvault && rm expected && vf readable many.sgvault && sgit-unpack --key-file v.key many.sgvault --list | wc -l >count && test "$(cat count)" -gt 70000
END
rm -rf many many.sgvault expected

test_expect_success 'past 4 GiB: offsets of 64 bits where they are needed, and three other programs read it' - <<'END'
	cp -R s1 big && lab >sum <<-'PY' &&
		from vaultfiles import *
		big, small, size = {}, at("s1"), 1 << 30
		zeros, state = bytes(1 << 20), None
		for extra in range(4):
		    length = size + extra
		    state = hashlib.sha256()
		    for _ in range(1024):
		        state.update(zeros)
		    state.update(bytes(extra))
		    name = OBJECT + state.hexdigest()[:12]
		    with open("big/bare/data/" + name, "xb") as file:
		        file.truncate(length)
		    big["bare/data/" + name] = length, state.hexdigest()
		# The twin's own layout of the whole, written here member by member: 4 GiB do not go through memory.
		class Zeros:
		    def __init__(self, length):
		        self.length = length
		    def parts(self):
		        for begin in range(0, self.length, 1 << 20):
		            yield zeros[:min(1 << 20, self.length - begin)]
		vault = packed("s1", vector_keys())
		rows = {name: hashlib.sha256(data).hexdigest() for name, data in vault.members.items()}
		rows.update({name: digest for name, (_, digest) in big.items()})
		text = "".join(f"{rows[name]}  {name}\n" for name in sorted(rows))
		total = sum(map(len, vault.members.values())) + sum(length for length, _ in big.values())
		vault.header["members"] = {"bytes": total, "count": len(rows), "sha256": hashlib.sha256(text.encode()).hexdigest()}
		vault.made_right(vector_keys(), keep=("inventory",))
		members = [(HEADER, canonical(vault.header))] + [(name, vault.members.get(name)) for name in sorted(rows)]
		whole, offset, directory = hashlib.sha256(), 0, b""
		for name, data in members:
		    pieces = [data] if data is not None else Zeros(big[name][0]).parts()
		    length = len(data) if data is not None else big[name][0]
		    crc = zlib.crc32(data) if data is not None else 0
		    if data is None:
		        for piece in Zeros(length).parts():
		            crc = zlib.crc32(piece, crc)
		    wide = offset >= BIG
		    needed, raw = (45 if wide else 10), name.encode()
		    local = struct.pack("<4sHHHHHIIIHH", b"PK\3\4", needed, 0, 0, 0, 0x21, crc, length, length, len(raw), 0) + raw
		    whole.update(local)
		    for piece in pieces:
		        whole.update(piece)
		    extra = struct.pack("<HHQ", 1, 8, offset) if wide else b""
		    directory += struct.pack("<4sHHHHHHIIIHHHHHII", b"PK\1\2", 20, needed, 0, 0, 0, 0x21, crc, length, length, len(raw), len(extra), 0, 0, 0, 0, min(offset, BIG)) + raw + extra
		    offset += len(local) + length
		whole.update(directory)
		whole.update(struct.pack("<4sQHHIIQQQQ", b"PK\6\6", 44, 45, 45, 0, 0, len(members), len(members), len(directory), offset))
		whole.update(struct.pack("<4sIQI", b"PK\6\7", 0, offset + len(directory), 1))
		whole.update(struct.pack("<4sHHHHIIH", b"PK\5\6", 0, 0, len(members), len(members), len(directory), BIG, 0))
		assert offset > BIG
		print(whole.hexdigest() + "  -")
		print(*[name for name, _ in members], sep="\n", file=open("names", "w"))
	PY
	pack --store big -o big.sgvault && sha256sum <big.sgvault | diff sum - && unzip -tqq big.sgvault && unzip -Z1 big.sgvault | cmp names - && bsdtar -tf big.sgvault | cmp names - && lab <<-'PY' &&
		import zipfile
		with zipfile.ZipFile("big.sgvault") as file:
		    assert file.namelist() == open("names").read().split()
		    assert max(info.header_offset for info in file.infolist()) > 1 << 32
		    for info in file.infolist()[-2:]:
		        with open("big/" + info.filename, "rb") as stored:
		            assert file.read(info) == stored.read(), info.filename
	PY
	sgit-unpack big.sgvault --list | sed 's/^[0-9]* //' | cmp names -
END
rm -rf big big.sgvault

test_done
