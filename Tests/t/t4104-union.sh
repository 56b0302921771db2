#!/bin/bash
# sgit-union: the objects and keys of other copies come in, sound copies heal damaged ones, and nothing else is touched.
. "$(dirname "$0")/test-lib.sh"

vf() {
	"$PYTHON" -S "$TEST_DIRECTORY/vaultfiles.py" "$@"
}

# sums FOLDER: every file of a store with its hash
sums() {
	(cd "$1" && find . -type f -exec sha256sum {} + | LC_ALL=C sort -k 2)
}

# lacking STORE SOURCE: the names of objects and keys that SOURCE has and STORE lacks, as they must be printed
lacking() {
	LC_ALL=C comm -13 <(names "$1") <(names "$2")
}
names() {
	find "$1/bare/data" "$1/bare/keys" -type f -printf '%f\n' 2>/dev/null | LC_ALL=C sort
}

# spoil FILE: changes one bit of it
spoil() {
	lab "$1" <<<'flip(sys.argv[1], os.path.getsize(sys.argv[1]) // 2)'
}

vf story && vf twin s3 v.vault-key s3.sgvault && vf twin fork v.vault-key fork.sgvault && (sums s1 && sums s2 && sums s3 && sums fork) >before || exit 1

test_expect_success 'from a store: what it has and the store lacks comes in and is named, sorted; refs and index stay' - <<'END'
	cp -R s1 u && lacking u s3 >expected && test -s expected && sgit-union --store u s3 >actual 2>err && cmp expected actual && test ! -s err && sums u/bare/refs | cmp - <(sums s1/bare/refs) && sums u/bare/indexes | cmp - <(sums s1/bare/indexes) &&
	sums u/bare/data | cmp - <(sums s3/bare/data) && SGIT_STORE=u sgit-rev-list --key-file v.key "$(lab <<<'from vaultfiles import *; print(ids()["c3"])')" >out && test "$(wc -l <out)" -eq 3
END

test_expect_success 'nothing to add: 0, nothing is printed, nothing is touched' - <<'END'
	touch -d 2001-01-01 u/bare/data u/bare/keys && find u -printf '%p %i %T@\n' | sort >u.before && for source in s3 s3/bare s1 s2 s3.sgvault u; do sgit-union --store u "$source" >actual 2>err && test ! -s actual && test ! -s err || return 1; done && find u -printf '%p %i %T@\n' | sort | cmp u.before -
END

test_expect_success 'from a vault file, and from several sources at once, in any order' - <<'END'
	rm -rf u && cp -R s1 u && lacking u s3 >expected && sgit-union s3.sgvault --store u >actual && cmp expected actual && cp -R s1 w && LC_ALL=C sort -u <(lacking w s3) <(lacking w fork) <(lacking w s2) >expected && sgit-union --store w fork.sgvault s2 s3/bare >actual && cmp expected actual &&
	cp -R s1 x && sgit-union --store x s3 s2 fork >actual && cmp expected actual && sums w | cmp - <(sums x) && rm -rf w x
END

test_expect_success 'a union is the same whichever way round' - <<'END'
	cp -R s3 left && cp -R fork right && sgit-union --store left fork >one && sgit-union --store right s3 >two && test -s one && test -s two && sums left/bare/data | cmp - <(sums right/bare/data) && sums left/bare/keys | cmp - <(sums right/bare/keys)
END

test_expect_success 'keys come too, also where the store has no folder for them' - <<'END'
	vf plus s1 s1-key key && rm -rf u && cp -R s1 u && rm -r u/bare/keys && names s1-key | grep '^key-' >expected && test "$(wc -l <expected)" -eq 2 && sgit-union --store u s1-key >actual && cmp expected actual && sums u/bare/keys | cmp - <(sums s1-key/bare/keys)
END

test_expect_success 'the store may come from the variable or the folder one stands in, and no key is asked for' - <<'END'
	rm -rf u && cp -R s1 u && SGIT_STORE=u sgit-union s2 >actual && test -s actual && mkdir -p wc && cp -R s1 wc/.sg_vault && (cd wc && sgit-union ../s2 >../found-again) && cmp actual found-again && SGIT_KEY_FILE=/nonexistent sgit-union --store u s2
END

test_expect_success 'refs, indexes and what is no object or key of a source stay there' - <<'END'
	rm -rf u && cp -R s1 u && vf plus s1 s1-ref ref && echo x >s1-ref/bare/data/notes && echo x >s1-ref/bare/keys/notes && mkdir s1-ref/bare/cache && echo x >s1-ref/bare/cache/x && : >s1-ref/bare/data/.obj-cas-imm-000000000000.0123abcd.sgtmp && sgit-union --store u s1-ref >actual && test ! -s actual && sums u | cmp - <(sums s1)
END

test_expect_success 'the sources are only read' - <<'END'
	(sums s1 && sums s2 && sums s3 && sums fork) | cmp before -
END

# ---------------------------------------------------------------- damage

test_expect_success 'a damaged copy of a source yields to a sound one of another, and is said' - <<'END'
	cp -R s3 bad && name=$(lacking s1 s3 | grep '^obj-' | head -n 1) && spoil "bad/bare/data/$name" && rm -rf u && cp -R s1 u && lacking u s3 >expected && sgit-union --store u bad s3 >actual 2>err && cmp expected actual && grep -q "$name" err && grep -q '^sgit-union: ' err && sums u/bare/data | cmp - <(sums s3/bare/data) &&
	rm -rf u && cp -R s1 u && sgit-union --store u s3.sgvault bad >actual 2>err && cmp expected actual && sums u/bare/data | cmp - <(sums s3/bare/data)
END

test_expect_success 'the store'"'"'s own damaged copy is replaced by a sound one, from a store and from a vault file; also an empty one and one cut short' - <<'END'
	for source in s3 s3.sgvault; do
		for harm in spoil truncate empty; do
			rm -rf u && cp -R s3 u && name=$(names s1 | grep '^obj-' | tail -n 1) && case $harm in spoil) spoil "u/bare/data/$name" ;; truncate) truncate -s -1 "u/bare/data/$name" ;; empty) : >"u/bare/data/$name" ;; esac &&
			sgit-union --store u "$source" >actual 2>err && grep -q "$name" err && { test ! -s actual || test "$(cat actual)" = "$name"; } && sums u | cmp - <(sums s3) || return 1
		done
	done
END

test_expect_success 'no sound copy anywhere: it is named, the rest is added, and then 4' - <<'END'
	rm -rf u && cp -R s1 u && name=$(lacking s1 s3 | grep '^obj-' | head -n 1) && lacking u s3 | grep -v -x "$name" >expected && test_expect_status 4 sgit-union --store u bad >actual 2>err && cmp expected actual && grep -q "$name" err && test ! -e "u/bare/data/$name" &&
	spoiled=$(sha256sum <"bad/bare/data/$name") && rm -rf u && cp -R bad u && test_expect_status 4 sgit-union --store u bad fork >actual 2>err && lacking s3 fork | cmp - actual && grep -q "$name" err && test "$(sha256sum <"u/bare/data/$name")" = "$spoiled"
END

test_expect_success 'two sound copies that differ: 4, both are named, and neither store is changed' - <<'END'
	lab <<-'PY' &&
		# Found by search: SHA-256 begins with the same 48 bits.
		for store, number in (("s1", "02682256"), ("s2", "07215043")):
		    data = f"one of two that share 48 bits: {number}".encode()
		    shared = object_id(data)
		    import shutil
		    shutil.copytree(store, store + "-twin")
		    with open(f"{store}-twin/bare/data/{shared}", "wb") as file:
		        file.write(data)
		assert shared == OBJECT + "0ff3250f8b64"
	PY
	sums s1-twin >one && sums s2-twin >two && test_expect_status 4 sgit-union --store s1-twin s2-twin >actual 2>err && test ! -s actual && grep -q obj-cas-imm-0ff3250f8b64 err && grep -q s1-twin err && grep -q s2-twin err && sums s1-twin | cmp one - && sums s2-twin | cmp two - &&
	rm -rf u && cp -R s1 u && sums u >before.u && test_expect_status 4 sgit-union --store u s2-twin s1-twin >actual 2>err && test ! -s actual && sums u | cmp before.u - && vf twin s2-twin v.vault-key twin.sgvault && test_expect_status 4 sgit-union --store s1-twin twin.sgvault >actual && test ! -s actual && sums s1-twin | cmp one -
END

test_expect_success 'of two that differ by name alone, 32 digits tell them apart' - <<'END'
	lab <<-'PY' &&
		import shutil
		for number in ("02682256", "07215043"):
		    data = f"one of two that share 48 bits: {number}".encode()
		    shutil.copytree("s1", "wide-" + number)
		    with open(f"wide-{number}/bare/data/{object_id(data, 32)}", "wb") as file:
		        file.write(data)
	PY
	sgit-union --store wide-02682256 wide-07215043 >actual && test "$(cat actual)" = "$(names wide-07215043 | grep -E -x 'obj-cas-imm-.{32}')"
END

test_expect_success 'two keys of one name and other bytes: 4, both are named, nothing is changed' - <<'END'
	rm -rf u other && cp -R s1 u && cp -R s2 other && key=$(ls u/bare/keys) && spoil "other/bare/keys/$key" && sums u >before.u && test_expect_status 4 sgit-union --store u other >actual 2>err && test ! -s actual && grep -q "$key" err && sums u | cmp before.u -
END

# ---------------------------------------------------------------- what cannot be used

test_expect_success 'no source: 129; one that is not there: 6; one that is nothing of ours: refused; nothing is changed' - <<'END'
	rm -rf u && cp -R s1 u && sums u >before.u && test_expect_status 129 sgit-union --store u >actual && test ! -s actual && test_expect_status 6 sgit-union --store u absent >actual && test_expect_status 6 sgit-union --store u s3 absent.sgvault >actual && test ! -s actual &&
	head -c 4000 /dev/urandom >noise.sgvault && test_expect_status 4 sgit-union --store u s3 noise.sgvault >actual 2>err && test ! -s actual && mkdir -p hollow && status=0 && { sgit-union --store u hollow >actual 2>err || status=$?; } && test "$status" -ge 4 && test ! -s actual && sums u | cmp before.u -
END

test_expect_success 'a vault file that is cut: 4, and nothing of it comes in' - <<'END'
	head -c -1 s3.sgvault >cut.sgvault && sums u >before.u && test_expect_status 4 sgit-union --store u cut.sgvault >actual && test ! -s actual && sums u | cmp before.u -
END

test_expect_success 'a damaged member of a vault file yields to the own sound copy, and is said' - <<'END'
	rm -rf u && cp -R s3 u && sums u >before.u && cp s3.sgvault bad.sgvault && spoil bad.sgvault && sgit-union --store u bad.sgvault >actual 2>err && test ! -s actual && grep -q 'damaged' err && sums u | cmp before.u -
END

test_expect_success 'an object under a wrong name in a vault file that is whole does not come in: it is named, and 4' - <<'END'
	vf changed s3.sgvault v.vault-key wrong.sgvault 'members["bare/data/obj-cas-imm-000000000000"] = b"x" * 40' && lacking u s3 >expected && test_expect_status 4 sgit-union --store u wrong.sgvault >actual 2>err && grep -q obj-cas-imm-000000000000 err && test ! -e u/bare/data/obj-cas-imm-000000000000
END

test_expect_success 'links, pipes and folders in a source are no objects' - <<'END'
	rm -rf u odd && cp -R s1 u && cp -R s1 odd && echo secret >outside && name=$(lab <<<'print(object_id(b"secret\n"))') && ln -s ../../../outside "odd/bare/data/$name" && mkfifo odd/bare/data/obj-cas-imm-111111111111 && mkdir odd/bare/data/obj-cas-imm-222222222222 &&
	{ timeout 20 sgit-union --store u odd >actual 2>err; test $? -ne 124; } && test ! -p u/bare/data/obj-cas-imm-111111111111 && test ! -d u/bare/data/obj-cas-imm-222222222222 && test ! -L "u/bare/data/$name"
END

test_expect_success 'a full disk: 128 and what came in is whole; a closed stdout is told' - <<'END'
	rm -rf u && cp -R s1 u && test_expect_status 128 sgit-union --store u s3 >/dev/full 2>err && grep -q '^sgit-union: ' err && lab <<-'PY' && sgit-union --store u s3 && sums u/bare/data | cmp - <(sums s3/bare/data)
		from vaultfiles import *
		at("u").check()
		assert not at("u").strangers(), at("u").strangers()
	PY
END

test_expect_success 'killed before any write, link, rename or flush: every object that is there is whole, and the next union brings the rest' - <<'END'
	lab <<-'PY'
		from vaultfiles import *
		import signal
		killed = set()
		for call in ("write", "fsync", "syncfs", "linkat", "renameat", "renameat2", "rename", "openat"):
		    for k in range(1, 400):
		        shutil.rmtree("k", ignore_errors=True)
		        shutil.copytree("s1", "k")
		        status = subprocess.run(["strace", "-f", "-qq", "-o", "k.log", "-e", f"trace={call}", "-e", "signal=none", "-e", f"inject={call}:signal=KILL:when={k}", "sgit-union", "--store", "k", "s3"], capture_output=True).returncode
		        assert status in (0, -signal.SIGKILL), (call, k, status)
		        at("k").check()
		        if status == 0:
		            break
		        killed.add(call)
		        if k % 3 == 1:
		            assert subprocess.run(["sgit-union", "--store", "k", "s3"], capture_output=True).returncode == 0, (call, k)
		            assert sorted(name for name in os.listdir("k/bare/data") if NAME.fullmatch(name)) == sorted(os.listdir("s3/bare/data"))
		assert {"openat"} < killed and killed & {"linkat", "rename", "renameat", "renameat2"} and killed & {"fsync", "syncfs"}, killed
	PY
END

test_done
