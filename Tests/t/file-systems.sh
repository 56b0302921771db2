#!/bin/bash
# sgit-pack -o where the file system has no links and no modes, is full, may not be written, or is reached through a link.
# An exFAT stick is a file that is mounted: that needs root, a loop device and /dev/fuse. Without them the tests fail.
. "$(dirname "$0")/test-lib.sh"

vf() {
	"$PYTHON" -S "$TEST_DIRECTORY/vaultfiles.py" "$@"
}

if [ "$(id -u)" -eq 0 ]; then own_mounts='unshare --mount'; else own_mounts='unshare --user --map-root-user --mount'; fi

vf story && vf twin s1 v.vault-key s1.sgvault serial=3 && vf twin s3 v.vault-key s3.sgvault old=s1.sgvault && vf twin s3 v.vault-key new.sgvault || exit 1

# nothing_but FOLDER NAME…
nothing_but() {
	local folder=$1
	shift
	find "$folder" -mindepth 1 -maxdepth 1 -printf '%f\n' | LC_ALL=C sort >found && printf '%s\n' "$@" | sed '/^$/d' | LC_ALL=C sort | diff - found
}

# ---------------------------------------------------------------- exFAT

cat >stick.sh <<'END'
# on a stick COMMAND…: runs it where ./stick is a new exFAT file system that nobody else sees
set -u
truncate -s 64M stick.image && mkfs.exfat stick.image >mkfs.log || { cat mkfs.log && exit 1; }
device=$(losetup --find --show stick.image) || { echo 'no loop device: this test needs root' && exit 1; }
trap 'umount stick 2>/dev/null; losetup --detach "$device"' EXIT
mkdir -p stick && mount.exfat-fuse "$device" stick >mount.log 2>&1 || { cat mount.log && echo 'exFAT cannot be mounted here: /dev/fuse and root are needed' && exit 1; }
# It is what this test is about: no second names and no modes.
: >stick/probe && chmod 600 stick/probe && ! ln stick/probe stick/second 2>/dev/null && test "$(stat -c %a stick/probe)" != 600 && rm stick/probe || { echo 'this exFAT has links or modes' && exit 1; }
"$@"
END
on_a_stick() {
	unshare --mount bash stick.sh "$@"
}

test_expect_success 'an exFAT stick: a new file, the same again, one that is replaced and one that is not; the past copy is a copy' - <<'END'
	cat >deeds.sh <<-'SH' && on_a_stick bash deeds.sh
		set -eu
		pack() { sgit-pack --key-file v.vault-key "$@"; }
		vf() { "$PYTHON" -S "$PYTHONPATH/vaultfiles.py" "$@"; }
		pack --store s1 --serial 3 -o stick/V.sgvault >out 2>err && test ! -s out && cmp s1.sgvault stick/V.sgvault && test "$(ls -A stick)" = V.sgvault
		inode=$(stat -c '%i %Y' stick/V.sgvault) && pack --store s1 -o stick/V.sgvault && test "$(stat -c '%i %Y' stick/V.sgvault)" = "$inode" && test "$(ls -A stick)" = V.sgvault
		pack --store s3 -o stick/V.sgvault >out 2>err && test ! -s out && test -s err && cmp s3.sgvault stick/V.sgvault && test "$(ls -A stick | sort | tr '\n' ' ')" = '.versions V.sgvault '
		past=$(ls stick/.versions/V) && echo "$past" | grep -Eqx '[0-9]{8}T[0-9]{6}\.[0-9]{3}Z-[A-Za-z0-9-]{1,32}\.sgvault' && cmp s1.sgvault "stick/.versions/V/$past"
		status=0 && pack --store s1 -o stick/V.sgvault 2>err || status=$? && test "$status" -eq 5 && cmp s3.sgvault stick/V.sgvault
		sgit-unpack --key-file v.key stick/V.sgvault -d stick/out && diff -r s3/bare stick/out/bare && pack --store stick/out >again && sgit-unpack --key-file v.key again --list >/dev/null
		sgit-union --store stick/out fork >added && test -s added && rm -rf stick/out
	SH
END

test_expect_success 'an exFAT stick: killed before any rename, write, flush or opening, there is a whole file, and one more run cleans up' - <<'END'
	cat >kills.py <<-'PY' && on_a_stick "$PYTHON" -S kills.py
		from vaultfiles import *
		import signal
		old, new, killed = content("s1.sgvault"), content("s3.sgvault"), {}
		for call in ("rename", "renameat", "renameat2", "write", "pwrite64", "fsync", "openat", "mkdirat", "copy_file_range"):
		    early = 0
		    for k in range(1, 600):
		        for path in ("stick/V.sgvault", "stick/.versions"):
		            shutil.rmtree(path, ignore_errors=True) if os.path.isdir(path) else os.path.exists(path) and os.remove(path)
		        for path in os.listdir("stick"):
		            os.remove("stick/" + path)
		        with open("stick/V.sgvault", "wb") as file:
		            file.write(old)
		        command = ["sgit-pack", "--store", "s3", "--key-file", "v.key", "--header-from", "s1.sgvault", "-o", "stick/V.sgvault"]
		        run = subprocess.run(["strace", "-f", "-qq", "-o", "log", "-e", f"trace={call}", "-e", "signal=none", "-e", f"inject={call}:signal=KILL:when={k}", *command], capture_output=True, stdin=subprocess.DEVNULL)
		        assert run.returncode in (0, -signal.SIGKILL), (call, k, run)
		        now = content("stick/V.sgvault")
		        assert now in (old, new), (call, k, len(now))
		        again = subprocess.run(command, capture_output=True, stdin=subprocess.DEVNULL)
		        assert again.returncode == 0 and content("stick/V.sgvault") == new, (call, k, again)
		        assert sorted(os.listdir("stick")) == [".versions", "V.sgvault"] and os.listdir("stick/.versions") == ["V"], (call, k, os.listdir("stick"), os.listdir("stick/.versions"))
		        past = [content("stick/.versions/V/" + name) for name in os.listdir("stick/.versions/V")]
		        assert past == [old], (call, k, os.listdir("stick/.versions/V"))
		        if run.returncode == 0:
		            break
		        killed.setdefault(call, set()).add("old" if now == old else "new")
		assert {"openat"} <= set(killed) and set(killed) & {"rename", "renameat", "renameat2"} and set(killed) & {"write", "pwrite64", "copy_file_range"} and "fsync" in killed, killed
		assert {"old", "new"} <= set.union(*killed.values()), killed
		print(killed)
	PY
END

test_expect_success 'an exFAT stick that is full: 128, the file stays, nothing is left; with room again it is replaced' - <<'END'
	cat >full-stick.py <<-'PY' && on_a_stick "$PYTHON" -S full-stick.py
		from vaultfiles import *
		old, new = content("s1.sgvault"), content("s3.sgvault")
		command = ["sgit-pack", "--store", "s3", "--key-file", "v.key", "--header-from", "s1.sgvault", "-o", "stick/V.sgvault"]
		with open("stick/V.sgvault", "wb") as file:
		    file.write(old)
		with open("stick/filler", "wb", buffering=0) as file:
		    try:
		        while file.write(bytes(4096)):
		            pass
		    except OSError:
		        pass
		run = subprocess.run(command, capture_output=True)
		assert run.returncode == 128 and run.stderr.startswith(b"sgit-pack: ") and content("stick/V.sgvault") == old, run
		assert sorted(set(os.listdir("stick")) - {".versions"}) == ["V.sgvault", "filler"], os.listdir("stick")
		os.remove("stick/filler")
		run = subprocess.run(command, capture_output=True)
		assert run.returncode == 0 and content("stick/V.sgvault") == new, run
	PY
END

# ---------------------------------------------------------------- a full disk

test_expect_success 'a file system that is full, of bytes or of files: 128 and as before, or 0 and all is there' - <<'END'
	cat >full.py <<-'PY' && mkdir -p small && $own_mounts bash -c 'mount -t tmpfs -o size=256k,nr_inodes=60 none small && exec "$PYTHON" -S full.py'
		from vaultfiles import *
		old, over, new = content("s1.sgvault"), content("s3.sgvault"), content("new.sgvault")

		def fill(free):
		    with open("small/fill", "wb", buffering=0) as file:
		        try:
		            while file.write(bytes(4096)):
		                pass
		        except OSError:
		            pass
		        file.truncate(max(0, file.tell() // 4096 * 4096 - free * 4096))

		def crowd(free):
		    os.mkdir("small/fill")
		    count = 0
		    try:
		        while True:
		            open(f"small/fill/{count}", "x").close()
		            count += 1
		    except OSError:
		        pass
		    for number in range(free):
		        os.remove(f"small/fill/{number}")

		def listing():
		    return sorted(os.path.relpath(os.path.join(folder, name), "small/d") for folder, folders, files in os.walk("small/d") for name in files)

		seen = {}
		for case in ("over", "new", "link"):
		    for take in (fill, crowd):
		        for free in range(60):
		            subprocess.run("rm -rf small/* link.sgvault", shell=True, check=True)
		            os.mkdir("small/d")
		            path = "small/d/V.sgvault"
		            if case != "new":
		                with open(path, "wb") as file:
		                    file.write(old)
		            if case == "link":
		                os.symlink(path, "link.sgvault")
		            take(free)
		            key = ["--key-file", "v.vault-key"] if case == "new" else ["--key-file", "v.key", "--header-from", "s1.sgvault"]
		            command = ["sgit-pack", "--store", "s3", *key, "-o", "link.sgvault" if case == "link" else path]
		            run = subprocess.run(command, capture_output=True, stdin=subprocess.DEVNULL)
		            about = (case, take.__name__, free, run, listing())
		            assert run.returncode in (0, 128) and (run.returncode == 0 or run.stderr.startswith(b"sgit-pack: ")) and not run.stdout, about
		            if run.returncode:
		                assert (content(path) == old) if case != "new" else not os.path.exists(path), about
		                assert [name for name in listing() if not name.startswith(".versions/V/") or name.endswith(".sgtmp")] == (["V.sgvault"] if case != "new" else []), about
		                for name in listing():
		                    assert content("small/d/" + name) == old, ("a past copy that is not whole", about)
		                subprocess.run("rm -rf small/fill", shell=True, check=True)
		                again = subprocess.run(command, capture_output=True, stdin=subprocess.DEVNULL)
		                assert again.returncode == 0, (about, again)
		            assert content(path) == (new if case == "new" else over), about
		            assert len(listing()) == (1 if case == "new" else 2), about
		            assert case != "link" or os.path.islink("link.sgvault")
		            seen.setdefault((case, take.__name__), set()).add(run.returncode)
		            if run.returncode == 0:
		                break
		assert all(statuses == {0, 128} for statuses in seen.values()) and len(seen) == 6, seen
	PY
END

test_expect_success 'unpack on a file system that is full: 128, and nothing is left' - <<'END'
	cat >unpack.sh <<-'SH' && mkdir -p small && $own_mounts bash unpack.sh
		set -u
		mount -t tmpfs -o size=256k,nr_inodes=200 none small && mkdir small/d && head -c 253952 /dev/zero >small/filler
		status=0
		sgit-unpack --key-file v.key s3.sgvault -d small/d 2>err || status=$?
		[ "$status" -eq 128 ] && grep -q '^sgit-unpack: ' err && [ -z "$(ls -A small/d)" ] && rm small/filler && sgit-unpack --key-file v.key s3.sgvault -d small/d && diff -r s3/bare small/d/bare
	SH
END

# ---------------------------------------------------------------- what may not be written

# as_nobody COMMAND…: root may write anywhere, so this is run as another user, who owns what is in ./nobody
mkdir nobody && cp -R s1 s3 s1.sgvault v.key nobody/ && chmod 711 "$TRASH"
if [ "$(id -u)" -eq 0 ]; then
	chown -R 65534:65534 nobody
	as_nobody() {
		(cd nobody && HOME=$TRASH/nobody setpriv --reuid=65534 --regid=65534 --clear-groups "$@")
	}
else
	as_nobody() {
		(cd nobody && "$@")
	}
fi
pack_as_nobody() {
	as_nobody sgit-pack --key-file v.key --store s3 --header-from s1.sgvault "$@"
}

test_expect_success 'in its own folder another user packs as well' - <<'END'
	as_nobody mkdir good && pack_as_nobody -o good/V.sgvault && cmp s3.sgvault nobody/good/V.sgvault && as_nobody cp s1.sgvault good/V.sgvault && pack_as_nobody -o good/V.sgvault && cmp s3.sgvault nobody/good/V.sgvault && nothing_but nobody/good V.sgvault .versions
END

test_expect_success 'a folder that may not be written: 128, with and without a file, and the file stays' - <<'END'
	as_nobody mkdir fixed && as_nobody cp s1.sgvault fixed/V.sgvault && as_nobody chmod 555 fixed && stat -c '%i %y %a' nobody/fixed/V.sgvault >before && test_expect_status 128 pack_as_nobody -o fixed/V.sgvault 2>err && grep -q '^sgit-pack: ' err && test_expect_status 128 pack_as_nobody -o fixed/new.sgvault 2>err &&
	stat -c '%i %y %a' nobody/fixed/V.sgvault | cmp before - && cmp s1.sgvault nobody/fixed/V.sgvault && nothing_but nobody/fixed V.sgvault && test_expect_status 128 as_nobody sgit-unpack --key-file v.key s1.sgvault -d fixed 2>err && nothing_but nobody/fixed V.sgvault
END

test_expect_success 'nothing to say in a folder that may not be written is 0' - <<'END'
	as_nobody sgit-pack --key-file v.key --store s1 --header-from s1.sgvault -o fixed/V.sgvault && nothing_but nobody/fixed V.sgvault
END

test_expect_success 'a link from a good folder into one that may not be written, and the other way round' - <<'END'
	as_nobody ln -s ../fixed/V.sgvault good/link.sgvault && test_expect_status 128 pack_as_nobody -o good/link.sgvault 2>err && cmp s1.sgvault nobody/fixed/V.sgvault && test -L nobody/good/link.sgvault && as_nobody chmod 755 fixed && as_nobody cp s1.sgvault good/W.sgvault && as_nobody ln -s ../good/W.sgvault fixed/link.sgvault && as_nobody chmod 555 fixed &&
	pack_as_nobody -o fixed/link.sgvault && cmp s3.sgvault nobody/good/W.sgvault && test -L nobody/fixed/link.sgvault
END

test_expect_success 'a .versions that may not be written, or is a file: 128, and the file stays' - <<'END'
	for kind in fixed file; do
		as_nobody mkdir "v.$kind" && as_nobody cp s1.sgvault "v.$kind/V.sgvault" && case $kind in fixed) as_nobody mkdir -m 555 v.fixed/.versions ;; file) as_nobody touch v.file/.versions ;; esac &&
		test_expect_status 128 pack_as_nobody -o "v.$kind/V.sgvault" 2>err && cmp s1.sgvault "nobody/v.$kind/V.sgvault" && nothing_but "nobody/v.$kind" V.sgvault .versions || { echo "$kind" && return 1; }
	done
END

test_expect_success 'a file or an object that may not be read: 128, and everything stays' - <<'END'
	as_nobody mkdir shut && as_nobody cp s1.sgvault shut/V.sgvault && as_nobody chmod 000 shut/V.sgvault && test_expect_status 128 pack_as_nobody -o shut/V.sgvault 2>err && as_nobody chmod 600 shut/V.sgvault && cmp s1.sgvault nobody/shut/V.sgvault && nothing_but nobody/shut V.sgvault &&
	object=$(find nobody/s3/bare/data -type f -printf '%f\n' | head -n 1) && as_nobody chmod 000 "s3/bare/data/$object" && test_expect_status 128 pack_as_nobody -o shut/V.sgvault 2>err && as_nobody chmod 600 "s3/bare/data/$object" && cmp s1.sgvault nobody/shut/V.sgvault && nothing_but nobody/shut V.sgvault
END

test_expect_success 'a file system that is mounted to be read only: 128, and the file stays' - <<'END'
	mkdir -p small && $own_mounts bash -c 'mount -t tmpfs none small && cp s1.sgvault small/V.sgvault && mount -o remount,ro small && { sgit-pack --key-file v.vault-key --store s3 -o small/V.sgvault 2>err; echo $?; sgit-pack --key-file v.vault-key --store s3 -o small/new.sgvault 2>>err; echo $?; cmp s1.sgvault small/V.sgvault && ls -A small; }' >said &&
	printf '128\n128\nV.sgvault\n' | cmp - said && grep -q '^sgit-pack: ' err
END

test_done
