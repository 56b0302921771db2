#!/bin/bash
# What an onlooker finds in the memory of a tool that is stopped in the middle of its work.
. "$(dirname "$0")/test-lib.sh"

fixture linear && use linear linear.key || exit 1

cat >look.py <<'END'
"""Stops a tool after its first record, reads all of its memory, and counts the secrets in it."""
import json, os, signal, subprocess, sys

facts = json.load(open("linear/vault.json", encoding="utf-8"))
head, mode, *key_options = sys.argv[1:]
tool = subprocess.Popen(["sgit-cat-object", mode, *key_options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, pass_fds=(3,))
tool.stdin.write(f"{head}\n".encode())
tool.stdin.flush()
header = tool.stdout.readline().split()
assert header[1] == b"commit", header
if mode == "--batch":
    tool.stdout.read(int(header[2]) + 1)
tool.send_signal(signal.SIGSTOP)
os.waitpid(tool.pid, os.WUNTRACED)
with open(f"/proc/{tool.pid}/limits") as limits:
    assert any(row.split()[:6] == ["Max", "core", "file", "size", "0", "0"] for row in limits), "core dumps are possible"
secrets = {"passphrase": facts["passphrase"].encode(), "key in hex": facts["read_key"].encode(),
           "read key": bytes.fromhex(facts["read_key"]), "write key": bytes.fromhex(facts["write_key"])}
found, seen = dict.fromkeys(secrets, 0), 0
with open(f"/proc/{tool.pid}/maps") as maps, open(f"/proc/{tool.pid}/mem", "rb", 0) as memory:
    for row in maps:
        start, end = (int(text, 16) for text in row.split()[0].split("-"))
        if row.split()[1][0] != "r" or row.split()[-1] in ("[vvar]", "[vsyscall]", "[vvar_vclock]"):
            continue
        memory.seek(start)
        region = memory.read(end - start)
        seen += len(region)
        for name, value in secrets.items():
            found[name] += region.count(value)
            # A string the tool held as UTF-16 or spread by base64 would be a copy too; raw bytes are what it has read.
tool.kill()
tool.wait()
assert seen > 1 << 20, "that was not the memory of a process"
assert found["read key"] >= 1, "the key is in there: not finding it means looking in the wrong place"
assert found["read key"] <= 2, f"the read key {found['read key']} times: it and its expanded form are two"
assert found["passphrase"] == found["key in hex"] == found["write key"] == 0, found
END

look() {
	# A tool that holds a key is not dumpable: only who may trace everything in its user namespace can look.
	if [ "$(id -u)" -eq 0 ]; then
		"$PYTHON" -S look.py "$@"
	else
		unshare --user --map-root-user "$PYTHON" -S look.py "$@"
	fi
}

for mode in --batch --batch-check --batch-command; do
	ask=obj-cas-imm-1f9c063df47a
	[ "$mode" != --batch-command ] || ask="info $ask"

	test_expect_success "$mode with a vault key: the passphrase never, the read key at most twice" - <<-'END'
		look "$ask" "$mode" --key-file linear.vault-key
	END

	test_expect_success "$mode with a read key: its hex never, the key at most twice" - <<-'END'
		look "$ask" "$mode" --key-file linear.key &&
		look "$ask" "$mode"
	END
done

test_expect_success 'a key that came through a pipe leaves no more behind' - <<'END'
	look obj-cas-imm-1f9c063df47a --batch --key-fd 3 3< <(cat linear.vault-key) &&
	look obj-cas-imm-1f9c063df47a --batch --key-fd 3 3< <(cat linear.key)
END

test_expect_success 'a process of another user cannot look, even a tool of the same user cannot' - <<'END'
	lab <<-'PY'
		import subprocess
		run = ["setpriv", "--reuid=nobody", "--clear-groups"] if os.getuid() == 0 else []
		if run:
		    os.chmod(os.environ["TRASH"], 0o755)
		    subprocess.run(["chown", "-R", "nobody", "linear.key"], check=True)
		tool = subprocess.Popen([*run, "sgit-cat-object", "--batch-check", "--store", "linear", "--key-file", "linear.key"],
		                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)
		tool.stdin.write(b"current\n")
		tool.stdin.flush()
		assert b" commit " in tool.stdout.readline()
		peek = subprocess.run([*run, "head", "-c1", f"/proc/{tool.pid}/environ"], capture_output=True)
		tool.stdin.close()
		tool.wait()
		assert peek.returncode != 0 and not peek.stdout, peek
	PY
END

test_done
