#!/bin/bash
# sgit-unpack --no-header: archives of a store that other programs made, and archives made to harm.
. "$(dirname "$0")/test-lib.sh"

vf() {
	"$PYTHON" -S "$TEST_DIRECTORY/vaultfiles.py" "$@"
}

# taken ARCHIVE: it is read without its header, and the store s2 comes out, alone
taken() {
	rm -rf out
	if ! sgit-unpack --no-header "$1" -d out >said 2>err; then cat err && return 1; fi
	test ! -s said && diff -r s2/bare out/bare && test "$(find out -mindepth 1 -maxdepth 1)" = out/bare
}

# refused STATUS ARCHIVE: at once, in little memory, with words, and nothing is left
refused() {
	lab "$@" <<-'PY'
		import resource, shutil, subprocess, time
		status, path = int(sys.argv[1]), sys.argv[2]
		shutil.rmtree("out", ignore_errors=True)
		began = time.monotonic()
		run = subprocess.run(["sgit-unpack", "--no-header", path, "-d", "out"], stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
		took, used = time.monotonic() - began, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
		assert run.returncode == status, run
		assert run.stdout == b"" and run.stderr.startswith(b"sgit-unpack: "), run
		left = [os.path.join(folder, name) for folder, _, names in os.walk("out") for name in names]
		assert not left and not (os.path.isdir("out") and os.listdir("out")), left
		assert took < 20 and used < 250_000, (took, used)
	PY
}

vf story && vf twin s2 v.vault-key s2.sgvault || exit 1
first=$(find s2/bare/data -type f -printf '%f\n' | LC_ALL=C sort | head -n 1)

# ---------------------------------------------------------------- what other programs make

test_expect_success 'zip -r, with folders, deflated and stored' - <<'END'
	(cd s2 && zip -qr ../a.zip bare && zip -qr0 ../b.zip bare && zip -qrD ../c.zip bare && zip -qrX9 ../d.zip bare) && for zip in a b c d; do taken $zip.zip || return 1; done
END

test_expect_success 'zip through a pipe, with data descriptors' - <<'END'
	(cd s2 && zip -qr - bare) | cat >piped.zip && taken piped.zip
END

test_expect_success 'Python'"'"'s zipfile, deflated, stored and with ZIP64 fields' - <<'END'
	lab <<-'PY' &&
		import zipfile
		for method, name in ((zipfile.ZIP_DEFLATED, "p.zip"), (zipfile.ZIP_STORED, "q.zip")):
		    with zipfile.ZipFile(name, "w", method) as file:
		        for folder, _, names in os.walk("s2/bare"):
		            for each in names:
		                path = os.path.join(folder, each)
		                file.write(path, os.path.relpath(path, "s2"))
		with zipfile.ZipFile("r.zip", "w", zipfile.ZIP_DEFLATED) as file:
		    for folder, _, names in os.walk("s2/bare"):
		        for each in names:
		            path = os.path.join(folder, each)
		            with file.open(os.path.relpath(path, "s2"), "w", force_zip64=True) as member, open(path, "rb") as stored:
		                member.write(stored.read())
	PY
	for zip in p q r; do taken $zip.zip || return 1; done
END

test_expect_success 'bsdtar: zip, and tar in its forms, packed or not' - <<'END'
	bsdtar -a -C s2 -cf b.zip bare && taken b.zip && bsdtar -C s2 --format ustar -cf u.tar bare && taken u.tar && bsdtar -C s2 --format pax -cf p.tar bare && taken p.tar && bsdtar -C s2 -czf t.tar.gz bare && taken t.tar.gz
END

test_expect_success 'tar, as GNU makes it, with and without gzip' - <<'END'
	tar -C s2 -cf g.tar bare && taken g.tar && tar -C s2 -czf g.tgz bare && taken g.tgz && tar -C s2 -cf dot.tar ./bare && taken dot.tar
END

test_expect_success 'a folder around it, and that of a working copy' - <<'END'
	mkdir -p notes .sg_vault/ && cp -R s2/bare notes/ && cp -R s2/bare .sg_vault/ && zip -qr around.zip notes && taken around.zip && tar -cf around.tar notes && taken around.tar && zip -qr wc.zip .sg_vault && taken wc.zip && tar -czf wc.tgz .sg_vault && taken wc.tgz
END

test_expect_success 'sgit'"'"'s own backup: manifest and local are left out and named, VAULT-KEY is warned of and its contents are not shown' - <<'END'
	mkdir -p backup/local && cp -R s2/bare backup/ && echo '{"schema":"backup_v1"}' >backup/manifest.json && echo '{}' >backup/local/config.json && (cd backup && zip -qr0 ../testvault01__20261130T120000Z__label.zip bare local manifest.json) && taken testvault01__20261130T120000Z__label.zip && grep -q manifest.json err && grep -q local/config.json err && { ! grep -q VAULT-KEY err; } &&
	cp v.vault-key backup/VAULT-KEY && (cd backup && zip -qr0 ../keyed.zip VAULT-KEY bare local manifest.json) && taken keyed.zip && grep VAULT-KEY err >line && test -s line && { ! grep -q golden err; } && test ! -e out/VAULT-KEY
END

test_expect_success 'what Finder adds is left out' - <<'END'
	mkdir -p finder/__MACOSX/bare/data && cp -R s2/bare finder/ && echo x >finder/.DS_Store && echo x >finder/bare/.DS_Store && echo x >finder/bare/data/.DS_Store && echo x >"finder/bare/data/._$first" && echo x >"finder/__MACOSX/bare/data/._$first" && echo x >finder/__MACOSX/._bare && (cd finder && zip -qr ../finder.zip bare __MACOSX .DS_Store) && taken finder.zip &&
	mkdir around && cp -R finder around/Vault && (cd around && zip -qr ../finder2.zip Vault && mv Vault/__MACOSX . && zip -qr ../finder3.zip Vault __MACOSX) && taken finder2.zip && taken finder3.zip
END

test_expect_success 'names outside bare/ in any alphabet and form are named and left out, and steer no terminal' - <<'END'
	mkdir odd && cp -R s2/bare odd/ && lab <<-'PY' &&
		for name in ("caf\u00e9.txt", "cafe\u0301.txt", "\u65e5\u672c", "\U0001f680", "two\nlines", "esc\x1b[31m", "bidi\u202e"):
		    open("odd/" + name, "w").write("x")
		open(b"odd/latin-\xe9", "w").write("x")
	PY
	(cd odd && zip -qr ../odd.zip .) && taken odd.zip && test "$(LC_ALL=C tr -cd '\000-\011\013-\037\177' <err | wc -c)" -eq 0 && { ! grep -q -e "$(printf '\u202e')" -e "$(printf '\u009b')" err; } && test "$(wc -l <err)" -ge 8 && tar -C odd -cf odd.tar . && taken odd.tar && grep -q caf err
END

test_expect_success 'a vault file whose header is not to be believed gives its store; the header is left out' - <<'END'
	taken s2.sgvault && "$PYTHON" -S "$TEST_DIRECTORY/sgvault.py" edit s2.sgvault forged.sgvault 'header["heads"] = {}' && taken forged.sgvault && "$PYTHON" -S "$TEST_DIRECTORY/sgvault.py" edit s2.sgvault broken.sgvault 'vault.header_bytes = b"{"' && taken broken.sgvault
END

test_expect_success 'without --no-header each of these is 4, and the option is named; with it no key is asked for or used' - <<'END'
	for archive in a.zip p.zip g.tar g.tgz keyed.zip finder.zip; do rm -rf out && test_expect_status 4 sgit-unpack "$archive" -d out >said 2>err && test ! -s said && test ! -e out/bare && grep -q -e --no-header err || return 1; done &&
	rm -rf out && sgit-unpack --no-header a.zip -d out && diff -r s2/bare out/bare
END

# ---------------------------------------------------------------- what is wrong in them

# zipped NAME: makes NAME.zip of s2 with what the Python on stdin puts into `extra`, [(ZipInfo or name, bytes)], before or behind the store
zipped() {
	{ cat <<-'PY' && cat && cat <<-'PY2'; } | "$PYTHON" -S - "$@"
		from vaultfiles import *
		def info(name, mode=None, **fields):
		    made = zipfile.ZipInfo(name)
		    if mode is not None:
		        made.create_system, made.external_attr = 3, mode << 16
		    for field, value in fields.items():
		        setattr(made, field, value)
		    return made
		STORE = [(os.path.relpath(os.path.join(folder, name), "s2"), content(os.path.join(folder, name))) for folder, _, names in os.walk("s2/bare") for name in sorted(names)]
		members, extra = list(STORE), []
	PY
		import warnings
		warnings.simplefilter("ignore")
		for place, order in (("", members + extra), (".first", extra + members)):
		    with zipfile.ZipFile(sys.argv[1] + place + ".zip", "w", zipfile.ZIP_DEFLATED) as file:
		        for name, data in order:
		            file.writestr(name, data)
	PY2
}

test_expect_success 'an object that is not what its name says: 4, it is named, and nothing is kept' - <<'END'
	zipped hit <<<'open("name", "w").write(os.path.basename(next(n for n, _ in members if "obj-" in n))); members = [(n, d[:-1] + bytes([d[-1] ^ 1])) if n == next(n for n, _ in STORE if "obj-" in n) else (n, d) for n, d in STORE]' &&
	refused 4 hit.zip && test_expect_status 4 sgit-unpack --no-header hit.zip -d out 2>err && grep -q "$(cat name)" err && test ! -e out/bare && refused 4 hit.first.zip
END

test_expect_success 'names under bare/ that no vault file can hold: 4' - <<'END'
	for name in bare/data/UPPER bare/README bare/data/.hidden bare/a/b/c/d/deep 'bare/data/a b' 'bare/data/café' bare/Data/x "bare/data/$(printf '%0129d' 0)"; do zipped bad <<<"extra = [('$name', b'x')]" && refused 4 bad.zip && refused 4 bad.first.zip || { echo "$name" && return 1; }; done
END

test_expect_success 'links, devices, names that lead elsewhere and names twice refuse the archive' - <<'END'
	for name in ../x bare/../../x /etc/x /bare/data/x bare/data/../../../x x/../../y ..; do zipped bad <<<"extra = [('$name', b'x')]" && refused 4 bad.zip && refused 4 bad.first.zip && test ! -e x && test ! -e y || { echo "$name" && return 1; }; done &&
	for mode in 0o120777 0o060600 0o020600 0o140600; do zipped bad <<<"extra = [(info('bare/data/odd', $mode), b'/etc/passwd')]" && refused 4 bad.zip && zipped bad <<<"extra = [(info('outside', $mode), b'/etc/passwd')]" && refused 4 bad.zip || { echo "$mode" && return 1; }; done &&
	zipped bad <<<'extra = [(STORE[0][0], b"another")]' && refused 4 bad.zip && refused 4 bad.first.zip &&
	lab <<-'PY' &&
		import io, tarfile
		def tar(path, *more):
		    with tarfile.open(path, "w") as file:
		        file.add("s2/bare", "bare")
		        for name, fields in more:
		            info = tarfile.TarInfo(name)
		            for field, value in fields.items():
		                setattr(info, field, value)
		            file.addfile(info, io.BytesIO(b"x" * info.size))
		first = "bare/data/" + os.listdir("s2/bare/data")[0]
		kinds = {"symbolic": dict(type=tarfile.SYMTYPE, linkname="/etc/passwd"), "hard": dict(type=tarfile.LNKTYPE, linkname=first), "out": dict(type=tarfile.LNKTYPE, linkname="/etc/passwd"), "device": dict(type=tarfile.CHRTYPE, devmajor=1, devminor=3), "block": dict(type=tarfile.BLKTYPE, devmajor=7), "pipe": dict(type=tarfile.FIFOTYPE)}
		for kind, fields in kinds.items():
		    tar(f"in.{kind}.tar", ("bare/data/odd", fields))
		    tar(f"out.{kind}.tar", ("odd", fields))
		tar("up.tar", ("../x", dict(size=1)))
		tar("root.tar", ("/x", dict(size=1)))
		tar("twice.tar", (first, dict(size=1)))
		tar("swap.tar", ("bare/refs", dict(type=tarfile.SYMTYPE, linkname="/tmp")), ("bare/refs/evil", dict(size=1)))
	PY
	for tar in in.*.tar out.*.tar up.tar root.tar twice.tar swap.tar; do refused 4 "$tar" || { echo "$tar" && return 1; }; done && test ! -e /tmp/evil
END

test_expect_success 'no bare/ in it, two of them, nothing in it, or no archive at all: 4' - <<'END'
	mkdir none && echo x >none/x && (cd none && zip -qr ../none.zip x) && refused 4 none.zip && mkdir two && cp -R s1 s2 two/ && (cd two && zip -qr ../two.zip s1 s2) && refused 4 two.zip && zipped empty <<<'members = []' && refused 4 empty.zip && : >nothing && refused 4 nothing && head -c 5000 /dev/urandom >noise && refused 4 noise && head -c 1000000 /dev/zero >zeros && refused 4 zeros &&
	tar -cf empty.tar -T /dev/null && refused 4 empty.tar && echo hello >text && refused 4 text
END

test_expect_success 'other forms than zip and tar are not read: 4' - <<'END'
	bsdtar -C s2 --format cpio -cf c.cpio bare && refused 4 c.cpio && bsdtar -C s2 --format 7zip -cf s.7z bare && refused 4 s.7z && bsdtar -C s2 --format mtree -cf m.mtree bare && refused 4 m.mtree && bsdtar -C s2 --format iso9660 -cf i.iso bare && refused 4 i.iso && bsdtar -C s2 --format shar -cf s.shar bare && refused 4 s.shar
END

test_expect_success 'an encrypted zip: 4' - <<'END'
	(cd s2 && zip -qr -P secret ../locked.zip bare) && refused 4 locked.zip
END

test_expect_success 'cut short anywhere, or with a byte changed in what is packed: 4' - <<'END'
	for archive in a.zip q.zip g.tar t.tar.gz; do
		size=$(stat -c %s "$archive") && for part in 1 2 3 5; do head -c $((size * part / 10)) "$archive" >cut && refused 4 cut || { echo "$archive $part" && return 1; }; done
	done && head -c -1 a.zip >cut && refused 4 cut && for part in 2 3 5 8; do cp p.zip hit.zip && lab "$part" <<<'flip("hit.zip", os.path.getsize("hit.zip") * int(sys.argv[1]) // 16)' && refused 4 hit.zip || return 1; done
END

test_expect_success 'a bomb of somebody else: 4, at once, in little memory, and nothing is left' - <<'END'
	lab <<-'PY' &&
		from vaultfiles import *
		import bz2, gzip, lzma, tarfile
		store = [(name, data) for name, data, _ in read_zip(content("s2.sgvault"))[1:]]
		packer = zlib.compressobj(9, zlib.DEFLATED, -15)
		part = packer.compress(bytes(16 << 20)) + packer.flush(zlib.Z_FULL_FLUSH)
		last = packer.flush()
		size, stream = 640 * (16 << 20), part * 640 + last  # 10 GiB
		def crc_of_zeros(length):
		    value, block = 0, bytes(16 << 20)
		    for _ in range(length >> 24):
		        value = zlib.crc32(block, value)
		    return value
		def bomb(path, name, stream, size, method=8, crc=0):
		    members = sorted(store + [(name, stream)])
		    field = {"method": method, "packed": len(stream), "size": min(size, BIG), "crc": crc, "needed": 45, "extra": struct.pack("<HHQQ", 1, 16, size, len(stream)) if size >= BIG else b""}
		    if size >= BIG:
		        field["packed"] = BIG
		    with open(path, "wb") as file:
		        file.write(stored_zip(members, local={name: field}, central={name: field}))
		bomb("ten.zip", "bare/data/zzz", stream, size)
		bomb("outside.zip", "zzz", stream, size)
		small = part * 2 + last
		bomb("lies.zip", "bare/data/zzz", small, 100)
		bomb("kilo.zip", "bare/data/zzz", bytes(1024), size)
		bomb("stored.zip", "bare/data/zzz", bytes(1024), size, method=0)
		bomb("ratio.zip", "bare/data/zzz", small, 32 << 20, crc=zlib.crc32(bytes(32 << 20)))
		class Zeros:
		    def read(self, length=-1):
		        return bytes(length if length > 0 else 1 << 20)
		def tar_of_zeros(write, length):
		    info = tarfile.TarInfo("bare/data/zzz")
		    info.size, info.type = length, tarfile.REGTYPE
		    write(info.tobuf(tarfile.GNU_FORMAT))
		    for _ in range(length >> 24):
		        write(bytes(16 << 20))
		    write(bytes(1024))
		# A gzip of 10 GiB, by the same repetition: header, stream and a check sum that nobody reaches.
		head = tarfile.TarInfo("bare/data/zzz")
		head.size = size
		one = zlib.compressobj(9, zlib.DEFLATED, -15)
		begin = one.compress(head.tobuf(tarfile.GNU_FORMAT)) + one.flush(zlib.Z_FULL_FLUSH)
		ten = b"\x1f\x8b\x08\0\0\0\0\0\0\x03" + begin + part * 640 + last + bytes(8)
		open("ten.tar.gz", "wb").write(ten)
		open("twice.tar.gz.gz", "wb").write(gzip.compress(ten, 9))
		open("thrice.gz", "wb").write(gzip.compress(gzip.compress(ten, 9), 9))
		assert os.path.getsize("twice.tar.gz.gz") < 100_000, os.path.getsize("twice.tar.gz.gz")
		with open("many.zip", "wb") as file:
		    file.write(stored_zip([(f"x/{n}", b"") for n in range(200_000)]))
	PY
	for bomb in ten.zip outside.zip lies.zip kilo.zip stored.zip ratio.zip ten.tar.gz twice.tar.gz.gz thrice.gz; do refused 4 $bomb || { echo $bomb && return 1; }; done && refused 4 many.zip
END

test_expect_success 'a file system that is too small for what is in the archive: 128, and nothing is left' - <<'END'
	zipped wide <<<'data = os.urandom(3_000_000); extra = [("bare/data/" + object_id(data), data)]' && mkdir -p small && if [ "$(id -u)" -eq 0 ]; then user=; else user='--user --map-root-user'; fi &&
	unshare $user --mount bash -c 'mount -t tmpfs -o size=1m none small && mkdir small/d && { sgit-unpack --no-header wide.zip -d small/d; echo $?; find small/d -mindepth 1; }' >said 2>err && test "$(cat said)" = 128
END

# ---------------------------------------------------------------- the program that reads

test_expect_success 'sgit-read-archive takes standard input only where it is a regular file, and holds no key' - <<'END'
	reader=$(find "$SGIT_BIN" "$SGIT_BIN/../libexec" -name sgit-read-archive -type f 2>/dev/null | head -n 1) && test -x "$reader" && "$reader" <a.zip | cat >stream && test -s stream && test_expect_status 128 "$reader" < <(cat a.zip) >out.stream 2>err && test ! -s out.stream && test_expect_status 129 "$reader" operand <a.zip >out.stream
END

test_expect_success 'sgit-read-archive can write no file, and its child of an unpack is given no key' - <<'END'
	SGIT_KEY_FILE=$PWD/v.key strace -f -qq -o trace -e trace=execve,openat,prlimit64,setrlimit,open -v -s 4000 sgit-unpack --no-header a.zip -d traced 2>err &&
	grep -q 'execve("[^"]*/sgit-read-archive"' trace && { ! grep 'execve("[^"]*/sgit-read-archive"' trace | grep -q -e 'SGIT_KEY_F[ID]' -e golden; } && grep -q RLIMIT_FSIZE trace && diff -r s2/bare traced/bare
END

test_done
