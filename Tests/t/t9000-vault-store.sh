#!/bin/bash
# sgit-vault: each of its commands, what it leaves in the store, and what it refuses.
. "$(dirname "$0")/test-lib.sh"

# vault FOLDER COMMAND [ARGUMENT…]: the tool on a vault's folder, under the key that lies in it.
vault() {
	local folder=$1 command=$2
	shift 2
	sgit-vault "$command" --store "$folder" "$@"
}

# new_vault NAME [OPTION…]: a vault in ./NAME, and its read key in NAME.key.
new_vault() {
	local name=$1
	shift
	sgit-vault init --store "$name" "$@" 2>"$name.err" && test ! -e "$name.key" &&
	(umask 077 && sgit-derive-keys --key-file "$name/.sg_vault/local/vault_key" >"$name.key")
}

# plumbing NAME TOOL [ARGUMENT…]: another tool on the vault in ./NAME.
plumbing() {
	local name=$1
	shift
	SGIT_STORE=$TRASH/$name/.sg_vault SGIT_KEY_FILE=$TRASH/$name.key "$@"
}

head_of() {
	plumbing "$1" sgit-read-ref local
}

# picture NAME: every file and folder of a vault, with hashes; two that are equal show that nothing was written.
picture() {
	(cd "$1" && find . | LC_ALL=C sort && find . -type f -exec sha256sum {} + | LC_ALL=C sort -k 2)
}

# one_commit NAME OLD MESSAGE: the head is one commit on top of OLD, signed by this device, with this message; both refs
# hold it, no other commit was made, and the whole store is in order.
one_commit() {
	lab "$@" <<-'PY'
		from wholestore import *
		copy = Copy(sys.argv[1])
		copy.whole()
		head, store = copy.head(), copy.store
		document = store.document(head)
		assert head == copy.current(), "the two refs differ"
		assert document["parents"] == [sys.argv[2]], document["parents"]
		assert store.message(head) == sys.argv[3], store.message(head)
		assert document["branch_id"] == copy.branch["branch_id"] and document["author_key_id"] == copy.branch["public_key_id"]
		assert store.verdict(head) == "verified"
		assert store.made_commits() == set(store.commits(head)), "commits that nothing reaches"
	PY
}

# ---------------------------------------------------------------- init

test_expect_success 'init: says nothing on stdout, and on stderr where the key is kept, and not the key' - <<'END'
	mkdir plain && echo mine >plain/file &&
	(umask 022 && sgit-vault init --store plain >out 2>err) && test ! -s out &&
	grep -q 'plain/\.sg_vault/local/vault_key' err &&
	! grep -qF "$(sed 's/.*_//; s/:.*//' plain/.sg_vault/local/vault_key)" err && test "$(cat plain/file)" = mine
END

test_expect_success 'init: the folder holds a whole store and four secrets, and nothing else' - <<'END'
	lab <<-'PY'
		from wholestore import *
		assert sorted(os.listdir("plain")) == [".sg_vault", "file"], os.listdir("plain")
		assert sorted(os.listdir("plain/.sg_vault")) == ["bare", "local"]
		copy = Copy("plain")
		copy.whole()
		key = copy.branch["public_key_id"]
		assert sorted(os.listdir(copy.local)) == sorted(["vault_key", "config.json", "checkout.json", key + ".pem"]), os.listdir(copy.local)
		for name in os.listdir(copy.local):
		    assert os.stat(os.path.join(copy.local, name)).st_mode & 0o7777 == 0o600, name
		for place, folders, files in os.walk("plain/.sg_vault/bare"):
		    for name in files:
		        assert os.stat(os.path.join(place, name)).st_mode & 0o7777 == 0o644, name
		assert re.fullmatch("sgit_private_vault_[a-z0-9]{26}:[a-z0-9]{12}\n?", copy.key_text), "form of the key"
		assert copy.config["sparse"] is True and copy.config.get("mode") is None
		assert json.loads(copy.secret("checkout.json")) == {"version": 1, "paths": []}
		assert copy.secret(key + ".pem").startswith("-----BEGIN PRIVATE KEY-----\n")
		assert copy.signer().public_pem() == copy.store.document(key)["pem"]
	PY
END

test_expect_success 'init: the index, the branches and the first commit' - <<'END'
	lab <<-'PY'
		from wholestore import *
		import socket, time
		copy = Copy("plain")
		store, index, now = copy.store, copy.store.listing, time.time() * 1000
		assert list(index) == ["schema", "format", "min_client", "branches", "features", "tags"], list(index)
		assert index["schema"] == "branch_index_v1" and index["format"] == 2 and index["features"] == ["ids-128"]
		assert index["min_client"] is None and index["tags"] == []
		named, clone = index["branches"]
		assert re.fullmatch("branch-named-[0-9a-f]{16}", named["branch_id"]) and re.fullmatch("branch-clone-[0-9a-f]{16}", clone["branch_id"])
		assert (named["name"], named["branch_type"], named["head_ref_id"]) == ("current", "named", store.main_ref)
		assert (clone["name"], clone["branch_type"], clone["head_ref_id"]) == ("local", "clone", store.local_ref)
		assert clone["creator_branch"] == named["branch_id"] and clone["display_name"]
		if re.fullmatch("[A-Za-z0-9_-]{1,64}", socket.gethostname()):
		    assert clone["display_name"] == socket.gethostname()
		assert all(abs(b["created_at"] - now) < 600_000 for b in (named, clone))
		assert copy.config["my_branch_id"] == clone["branch_id"]
		head = copy.head()
		document = store.document(head)
		assert head == copy.current() and re.fullmatch("obj-cas-imm-[0-9a-f]{32}", head)
		assert document["parents"] == [] and store.message(head) == "init" and store.verdict(head) == "verified"
		assert document["branch_id"] == clone["branch_id"] and abs(document["timestamp_ms"] - now) < 600_000
		assert store.read(document["tree_id"]) == b'{"schema": "tree_v1", "entries": []}'
		assert len(store.names("data")) == 2 and len(store.names("refs")) == 2
	PY
END

test_expect_success 'init: whatever the host is called, the display name is one that sgit reads' - <<'END'
	user= && { test "$(id -u)" -eq 0 || user='--user --map-root-user'; } && for host in a.host.of.example 'two words' "$(printf 'x%.0s' {1..64})" '(none)' '...'; do
		rm -rf named && unshare $user --uts "$PYTHON" -S -c 'import os, socket, sys; socket.sethostname(sys.argv[1]); os.execvp(sys.argv[2], sys.argv[2:])' "$host" sgit-vault init --store named 2>err && lab <<-'PY' || return 1
			from wholestore import *
			name = Copy("named").branch["display_name"]
			assert name is None or re.fullmatch("[A-Za-z0-9_-]{1,64}", name), name
		PY
	done
END

test_expect_success 'init --format 1: ids of 12 digits and no feature; --format 2 is the default; 3 is a usage error' - <<'END'
	new_vault narrow --format 1 && new_vault wide --format 2 &&
	lab <<-'PY' &&
		from wholestore import *
		narrow, wide = Copy("narrow"), Copy("wide")
		narrow.whole() and wide.whole()
		assert narrow.store.listing["format"] in (None, 1) and narrow.store.listing["features"] == []
		assert all(re.fullmatch("obj-cas-imm-[0-9a-f]{12}", name) for name in narrow.store.names("data"))
		assert wide.store.listing["format"] == 2 and wide.store.listing["features"] == ["ids-128"]
		assert narrow.key_text != wide.key_text and narrow.branch["public_key_id"] != wide.branch["public_key_id"]
	PY
	test_expect_status 129 sgit-vault init --store third --format 3 2>err && test ! -e third
END

test_expect_success 'init: a vault that is there is refused with 128 and stays' - <<'END'
	picture plain >before && test_expect_status 128 sgit-vault init --store plain >out 2>err && test ! -s out && test -s err &&
	picture plain >after && cmp before after && test_expect_status 128 sgit-vault init --store plain --format 1 2>err &&
	picture plain >after && cmp before after
END

test_expect_success 'init: a folder that cannot be made is 128, and nothing is left of the attempt' - <<'END'
	echo file >in-the-way && ls -A >before &&
	test_expect_status 128 sgit-vault init --store in-the-way 2>err && test -s err &&
	test_expect_status 128 sgit-vault init --store in-the-way/below 2>err && ls -A >after && cmp before after
END

test_expect_success 'a umask of 000 does not open secrets, one of 077 closes the store' - <<'END'
	(umask 000 && new_vault open && printf x | vault open put a >id) &&
	(umask 077 && new_vault closed && printf x | vault closed put a >id) &&
	lab <<-'PY'
		import os
		def modes(folder):
		    for place, _, files in os.walk(folder):
		        for name in files:
		            yield os.path.join(place, name), os.stat(os.path.join(place, name)).st_mode & 0o7777
		for name in ("open", "closed"):
		    assert not os.stat(f"{name}/.sg_vault/local").st_mode & 0o022, f"others can put files in {name}/.sg_vault/local"
		    for path, mode in modes(f"{name}/.sg_vault/local"):
		        assert mode == 0o600, (path, oct(mode))
		assert {mode for _, mode in modes("open/.sg_vault/bare")} == {0o644}
		assert {mode for _, mode in modes("closed/.sg_vault/bare")} == {0o600}
	PY
END

test_expect_success 'a ref that is replaced keeps its mode' - <<'END'
	chmod 664 wide/.sg_vault/bare/refs/* && printf 1 | vault wide put f >id &&
	test "$(stat -c %a wide/.sg_vault/bare/refs/* | sort -u)" = 664
END

# ---------------------------------------------------------------- put

new_vault v || { cat v.err && exit 1; }

test_expect_success 'put from stdin: one signed commit on both refs, its id on stdout, nothing on stderr' - <<'END'
	old=$(head_of v) && printf 'hello\n' | vault v put notes/today.txt >out 2>err && test ! -s err &&
	head_of v | cmp - out && one_commit v "$old" 'write notes/today.txt' &&
	vault v cat notes/today.txt >actual && echo hello | cmp - actual
END

test_expect_success 'put of a file, with a message of its own' - <<'END'
	old=$(head_of v) && head -c 70000 /dev/urandom >noise && vault v put -m 'what it is' bin/noise noise >out 2>err && test ! -s err &&
	head_of v | cmp - out && one_commit v "$old" 'what it is' && vault v cat bin/noise | cmp noise -
END

test_expect_success 'put -m keeps a message of several lines, and takes it after the path too' - <<'END'
	old=$(head_of v) && message=$'one line\n\nand two more,\nin UTF-8: caf\u00e9' && printf 2 | vault v put notes/two -m "$message" >out &&
	one_commit v "$old" "$message"
END

test_expect_success 'put of what is there already: no commit, the id of the head, "unchanged" on stderr' - <<'END'
	picture v/.sg_vault/bare/refs >before && head_of v >head && echo hello | vault v put notes/today.txt >out 2>err &&
	cmp head out && grep -q unchanged err && vault v put -m again bin/noise noise >out 2>err && cmp head out && grep -q unchanged err &&
	picture v/.sg_vault/bare/refs >after && cmp before after && vault v log --oneline >log && ! grep -q again log
END

test_expect_success 'put of a folder: all files below it in one commit, with numbers in its message' - <<'END'
	mkdir -p folder/sub/deeper && echo 1 >folder/one && echo 2 >folder/sub/two && : >folder/sub/deeper/empty && echo 3 >$'folder/caf\u00e9' &&
	old=$(head_of v) && vault v put tree folder >out 2>err && test ! -s err && head_of v | cmp - out &&
	one_commit v "$old" 'Commit: 4 added, 0 modified, 0 deleted' &&
	echo changed >folder/one && echo new >folder/new && old=$(head_of v) && vault v put tree folder >out &&
	one_commit v "$old" 'Commit: 1 added, 1 modified, 0 deleted' &&
	for file in one new sub/two sub/deeper/empty $'caf\u00e9'; do vault v cat "tree/$file" | cmp - "folder/$file" || return 1; done &&
	vault v cat notes/today.txt >actual && echo hello | cmp - actual &&
	vault v put tree folder >out 2>err && head_of v | cmp - out && grep -q unchanged err
END

test_expect_success 'put of a folder as the root' - <<'END'
	old=$(head_of v) && vault v put -m 'into the root' . folder >out && one_commit v "$old" 'into the root' &&
	vault v cat sub/two >actual && echo 2 | cmp - actual && vault v cat tree/sub/two | cmp - actual && vault v cat notes/today.txt | grep -q hello
END

test_expect_success 'put of a folder skips links, pipes and protected names, with a warning, and waits for none' - <<'END'
	mkdir -p odd/.git odd/sub/.sg_vault && echo kept >odd/kept && echo x >odd/.git/config && echo x >odd/sub/.sg_vault/x && echo kept >odd/.gitignore &&
	ln -s /etc/passwd odd/link && ln -s sub odd/linked-folder && ln -s nowhere odd/dangling && mkfifo odd/pipe &&
	timeout 30 sgit-vault put --store v odd odd >out 2>err && test -s err && grep -q link err && grep -q '\.git' err &&
	vault v ls -r odd | sort >actual && printf 'odd/.gitignore\nodd/kept\n' | cmp - actual
END

test_expect_success 'a source that is not there is 6, and nothing is written' - <<'END'
	picture v >before && test_expect_status 6 vault v put x no-such-file 2>err && test -s err && picture v >after && cmp before after
END

test_expect_success 'empty input is an empty file, and bytes stay as they are' - <<'END'
	vault v put empty </dev/null >out && vault v cat empty >actual && test ! -s actual &&
	printf '\0\377\r\n\0' >bytes && vault v put bytes <bytes >out && vault v cat bytes | cmp bytes -
END

test_expect_success 'a file past 4 MiB is large, one of another kind has its media type' - <<'END'
	head -c 4194400 /dev/urandom >big && vault v put typed/big.json big >out && echo '{}' | vault v put typed/small.JSON >out &&
	echo | vault v put typed/noext >out && plumbing v sgit-ls-tree --format='%(large) %(mediatype) %(path)' @:typed | sort >actual &&
	printf '%s\n' 'false application/json small.JSON' 'false application/octet-stream noext' 'true application/json big.json' | cmp - actual
END

test_expect_success 'media types are those of the vectors, for every name there' - <<'END'
	lab <<-'PY' &&
		with open(os.path.join(os.environ["VECTORS"], "crypto.json"), encoding="utf-8") as file:
		    rows = [row for row in json.load(file)["content_types"] if "/" not in row["name"] and row["name"]]
		os.mkdir("typed")
		for row in rows:
		    open(os.path.join("typed", row["name"]), "w").write(row["name"])
		with open("types", "w") as file:
		    file.writelines(sorted(f"{row['content_type']} {quote(row['name'])}\n" for row in rows))
		assert len(rows) > 50
	PY
	new_vault types.v && vault types.v put . typed >out 2>err && test ! -s err &&
	plumbing types.v sgit-ls-tree --format='%(mediatype) %(path)' @ | sort >actual && cmp types actual
END

test_expect_success 'an entry that is not touched stays as it is, whatever it says; an unchanged file too' - <<'END'
	new_vault kept && lab <<-'PY' &&
		from wholestore import *
		copy = Copy("kept")
		store = copy.store
		tree = store.tree([store.file("a.txt", "a\n", "x-odd/type"), store.file("b.txt", "b\n", "x-odd/other")])
		commit = store.commit(tree, [copy.head()], "odd types", signer=copy.signer(), branch=copy.branch["branch_id"])
		store.ref(copy.ref, commit), store.ref(store.main_ref, commit)
	PY
	plumbing kept sgit-ls-tree @ >before && echo a | vault kept put a.txt >out 2>err && grep -q unchanged err &&
	mkdir both && echo a >both/a.txt && echo c >both/c.txt && vault kept put . both >out &&
	plumbing kept sgit-ls-tree @ >after && grep -v 'c\.txt$' after | cmp before - && wc -l <after >lines && test "$(cat lines)" -eq 3 &&
	plumbing kept sgit-ls-tree --format='%(mediatype) %(path)' @ | sort >actual &&
	printf '%s\n' 'text/plain c.txt' 'x-odd/other b.txt' 'x-odd/type a.txt' | cmp - actual
END

test_expect_success 'with the feature blob-deflate what shrinks is stored deflated' - <<'END'
	plumbing kept sgit-branch-index add-feature blob-deflate && yes aaaa | head -c 50000 >shrinks && vault kept put shrinks shrinks >out &&
	vault kept put noise noise >out && vault kept cat shrinks | cmp shrinks - && vault kept cat noise | cmp noise - &&
	plumbing kept sgit-cat-object --header @:shrinks | grep -qx 'version 2' && plumbing kept sgit-cat-object --header @:noise | grep -qx 'version 1'
END

test_expect_success 'a file is never put in the place of a folder, nor the reverse: 128, nothing written' - <<'END'
	picture v >before &&
	echo x >x && for arguments in 'notes x' 'notes/today.txt/below x' 'notes/today.txt folder' '. x'; do
		# shellcheck disable=SC2086
		{ status=0 && vault v put $arguments >out 2>err || status=$?; } && test ! -s out &&
		case $arguments in .*) test "$status" -eq 129 ;; *) test "$status" -eq 128 ;; esac || { echo "$arguments: $status" && return 1; }
	done &&
	echo x | test_expect_status 128 vault v put notes >out 2>err && picture v >after && cmp before after
END

test_expect_success 'a message of 740 bytes is taken, 741 are a usage error and write nothing' - <<'END'
	full=$(printf '\303\251%.0s' {1..370}) && old=$(head_of v) && printf 740 | vault v put long -m "$full" >out && one_commit v "$old" "$full" &&
	picture v >before && for message in "${full}x" "x$full" "$(printf '%01000d' 1)" $'\377'; do
		printf 741 | test_expect_status 129 vault v put long -m "$message" >out 2>err && test ! -s out && test -s err || return 1
		test_expect_status 129 vault v rm long -m "$message" >out 2>err && test ! -s out || return 1
	done && picture v >after && cmp before after
END

test_expect_success 'paths that the path guard refuses, and those a careful writer refuses: 129, nothing written' - <<'END'
	lab <<-'PY' &&
		with open(os.path.join(os.environ["VECTORS"], "crypto.json"), encoding="utf-8") as file:
		    bad = [row["path"] for row in json.load(file)["path_guard"] if not row["writable"]]
		assert len(bad) > 40
		bad += [".", "./a", "a/.", "x/./y", "a//b", "a/", "//a", "new\nline", "a/b\tc", "\x01", "a\x1f", "\x7f", "x" * 256, "a/" + "\u00e9" * 128, "x" * 300 + "/a"]
		with open("bad", "wb") as file:
		    file.write(b"".join(path.encode() + b"\0" for path in bad))
	PY
	picture v >before && while IFS= read -r -d '' path; do
		printf x | test_expect_status 129 vault v put -- "$path" >out 2>err && test ! -s out && test -s err || { echo "path: <$path>" && cat err && return 1; }
		test_expect_status 129 vault v put -- "$path" x >out 2>err </dev/null && test ! -s out || { echo "path: <$path>" && return 1; }
	done <bad && picture v >after && cmp before after
END

test_expect_success 'paths that the path guard lets pass are put, and read again' - <<'END'
	lab <<-'PY' &&
		with open(os.path.join(os.environ["VECTORS"], "crypto.json"), encoding="utf-8") as file:
		    good = [row["path"] for row in json.load(file)["path_guard"] if row["writable"]]
		good = [path for path in good if not any(ord(c) < 32 for c in path) and not {"", "."} & set(path.split("/"))]
		good += ["x" * 255, "\u00e9" * 127 + "x", "-dash", "caf\u00e9.txt", "cafe\u0301.txt"]
		assert len(good) > 25
		with open("good", "wb") as file:
		    file.write(b"".join(path.encode() + b"\0" for path in good if path not in ("a", "a/b.txt")))
	PY
	new_vault guard && while IFS= read -r -d '' path; do
		printf '%s' "$path" | vault guard put -- "$path" >out 2>>err || { echo "path: <$path>" && cat err && return 1; }
	done <good && while IFS= read -r -d '' path; do
		vault guard cat -- "$path" >actual </dev/null && printf '%s' "$path" | cmp - actual || return 1
	done <good && vault guard ls -r -z | sort -z >actual && sort -z good | cmp - actual
END

test_expect_success 'the key may be given as everywhere, and the store be found as everywhere' - <<'END'
	sgit-vault cat --store v --key-file v.key notes/today.txt >actual && echo hello | cmp - actual &&
	SGIT_STORE=v SGIT_KEY_FILE=v.key sgit-vault cat notes/today.txt | cmp - actual &&
	SGIT_KEY_FD=5 sgit-vault cat --store v notes/today.txt 5<v.key | cmp - actual &&
	sgit-vault cat --store v/.sg_vault notes/today.txt | cmp - actual && sgit-vault cat --store v/.sg_vault/bare notes/today.txt | cmp - actual &&
	mkdir -p v/inside && (cd v/inside && sgit-vault cat notes/today.txt | cmp - ../../actual) && rmdir v/inside &&
	echo more | sgit-vault put --store v --key-file v.key more >out && vault v cat more | grep -q more
END

# ---------------------------------------------------------------- cat, ls, rm

test_expect_success 'cat: several files one after the other; absent is 6, a folder 128' - <<'END'
	vault v cat notes/today.txt tree/one notes/today.txt >actual && printf 'hello\nchanged\nhello\n' | cmp - actual &&
	test_expect_status 6 vault v cat nothing >out 2>err && test ! -s out && grep -q nothing err &&
	test_expect_status 6 vault v cat notes/today.txt/below 2>err && test_expect_status 128 vault v cat notes >out 2>err && test ! -s out
END

test_expect_success 'cat and ls --at: any name of a commit' - <<'END'
	old=$(head_of v) && echo later | vault v put notes/today.txt >out && vault v cat notes/today.txt >actual && echo later | cmp - actual &&
	for at in "$old" @~1 local~1 current~; do
		vault v cat --at "$at" notes/today.txt >actual && echo hello | cmp - actual || return 1
	done && vault v ls --at "$(plumbing v sgit-rev-list @ | tail -n 1)" >actual && test ! -s actual &&
	test_expect_status 6 vault v cat --at no-such-name notes/today.txt 2>err
END

test_expect_success 'ls: names of the folder, folders with a slash; -r paths of files; -z raw and NUL' - <<'END'
	vault v ls tree | sort >actual && printf '%s\n' '"caf\303\251"' new one sub/ | sort | cmp - actual &&
	vault v ls -z tree | sort -z >actual && printf '%s\0' $'caf\u00e9' new one sub/ | sort -z | cmp - actual &&
	vault v ls -r -z tree | sort -z >actual && printf '%s\0' $'tree/caf\u00e9' tree/new tree/one tree/sub/deeper/empty tree/sub/two | sort -z | cmp - actual &&
	vault v ls >actual && grep -qx notes/ actual && grep -qx one actual && ! grep -q today actual &&
	plumbing v sgit-ls-tree -r -z --name-only @ | sort -z >expected && vault v ls -r -z | sort -z | cmp expected - &&
	vault v ls tree/ | sort >actual && vault v ls tree | sort | cmp - actual &&
	vault v ls tree/one >actual && wc -l <actual >lines && test "$(cat lines)" -eq 1 && grep -q one actual && test_expect_status 6 vault v ls tree/none >out 2>err && test ! -s out
END

test_expect_success 'ls -l: size, media type and name' - <<'END'
	vault v ls -l typed >actual && wc -l <actual >lines && test "$(cat lines)" -eq 3 &&
	grep -Eq '(^|[[:space:]])4194400[[:space:]]+application/json[[:space:]]+big\.json$' actual &&
	grep -Eq '(^|[[:space:]])3[[:space:]]+application/json[[:space:]]+small\.JSON$' actual &&
	grep -Eq '(^|[[:space:]])1[[:space:]]+application/octet-stream[[:space:]]+noext$' actual &&
	vault v ls -l >actual && grep -Eq '[[:space:]]typed/$' actual
END

test_expect_success 'ls --json: an object for each' - <<'END'
	vault v ls -r --json typed >actual && lab <<-'PY'
		rows = [json.loads(line) for line in open("actual", encoding="utf-8")]
		assert sorted(row["path"] for row in rows) == ["typed/big.json", "typed/noext", "typed/small.JSON"], rows
		assert {row["size"] for row in rows} == {4194400, 1, 3} and {row["media_type"] for row in rows} == {"application/json", "application/octet-stream"}
	PY
END

test_expect_success 'rm: a file, several, and a folder with -r; one commit each, the new head on stdout' - <<'END'
	old=$(head_of v) && vault v rm -m 'no more' notes/two >out 2>err && test ! -s err && head_of v | cmp - out && one_commit v "$old" 'no more' &&
	test_expect_status 6 vault v cat notes/two 2>err && vault v cat notes/today.txt | grep -q later &&
	old=$(head_of v) && vault v rm -m 'two files' one new >out && one_commit v "$old" 'two files' && vault v ls >actual && ! grep -qxE 'one|new' actual &&
	old=$(head_of v) && vault v rm -r -m 'a folder' tree odd >out && one_commit v "$old" 'a folder' && vault v ls >actual && ! grep -qE '^(tree|odd)' actual &&
	vault v cat --at "$old" tree/one | grep -q changed
END

test_expect_success 'rm without -m has a message all the same' - <<'END'
	old=$(head_of v) && vault v rm bytes >out && lab <<-'PY'
		from wholestore import *
		copy = Copy("v")
		assert copy.store.message(copy.head()) and copy.store.verdict(copy.head()) == "verified"
	PY
END

test_expect_success 'rm: absent 6, a folder without -r 128, and then nothing at all is removed' - <<'END'
	picture v >before && test_expect_status 6 vault v rm nothing >out 2>err && test ! -s out && grep -q nothing err &&
	test_expect_status 6 vault v rm notes/today.txt nothing 2>err && test_expect_status 128 vault v rm notes 2>err &&
	test_expect_status 128 vault v rm empty notes 2>err && picture v >after && cmp before after
END

test_expect_success 'rm: a folder that is left empty disappears, up to the root' - <<'END'
	new_vault bare-bones && echo x | vault bare-bones put a/b/c/d >out && echo y | vault bare-bones put a/y >out &&
	vault bare-bones rm a/b/c/d >out && vault bare-bones ls a >actual && echo y | cmp - actual &&
	vault bare-bones rm a/y >out && vault bare-bones ls >actual && test ! -s actual &&
	plumbing bare-bones sgit-cat-object --raw '@^{tree}' >actual && printf '{"schema": "tree_v1", "entries": []}' | cmp - actual &&
	echo z | vault bare-bones put again >out && vault bare-bones ls >actual && echo again | cmp - actual
END

# ---------------------------------------------------------------- log, show, diff

test_expect_success 'log: every commit, newest first, with its branch, its date and its message' - <<'END'
	plumbing v sgit-rev-list @ >expected && vault v log >log && sed -n 's/^commit //p' log | cmp expected - &&
	grep -c '^Branch: .' log >branches && grep -c '^Date: .' log >dates && wc -l <expected >count && tr -d ' ' <count | cmp - branches && cmp branches dates &&
	grep -qx '    one line' log && grep -qx '    in UTF-8: café' log && grep -qx '    init' log &&
	lab "$(tail -n 1 expected)" <<-'PY' &&
		import time
		lines = open("log", encoding="utf-8").read().split("\n")
		at = lines.index("commit " + sys.argv[1])
		assert lines[at + 1].startswith("Branch: ") and lines[at + 2].startswith("Date: "), lines[at:at + 5]
		assert lines[at + 3] == "" and lines[at + 4] == "    init", lines[at:at + 5]
		assert time.strftime("%Y", time.gmtime()) in lines[at + 2]
	PY
	vault v log -n 2 >log && sed -n 's/^commit //p' log >actual && head -n 2 expected | cmp - actual &&
	vault v log @~3 >log && sed -n 's/^commit //p' log >actual && tail -n +4 expected | cmp - actual
END

test_expect_success 'log: the date is the local time' - <<'END'
	TZ=UTC vault v log -n 1 >utc && TZ=XYZ-12:34 vault v log -n 1 >own &&
	! cmp -s utc own && grep -v '^Date: ' utc >a && grep -v '^Date: ' own | cmp a -
END

test_expect_success 'log --oneline and --json: one line a commit' - <<'END'
	vault v log --oneline >log && plumbing v sgit-rev-list @ >expected && lab <<-'PY' &&
		ids, lines = open("expected").read().split(), open("log", encoding="utf-8").read().splitlines()
		assert len(lines) == len(ids)
		for commit, line in zip(ids, lines):
		    word = line.split(" ")[0]
		    assert len(word) >= 7 and (commit.startswith(word) or commit[len(OBJECT):].startswith(word)), line
		assert lines[-1].endswith(" init") and any(line.endswith(" one line") for line in lines)
	PY
	vault v log --json >log && lab <<-'PY'
		ids, rows = open("expected").read().split(), [json.loads(line) for line in open("log", encoding="utf-8")]
		assert [row["id"] for row in rows] == ids and rows[-1]["message"] == "init"
	PY
END

test_expect_success 'show: a commit and what it changed' - <<'END'
	new_vault shown && mkdir three && echo 1 >three/changes && echo 2 >three/goes && echo 3 >three/stays && vault shown put d three >out &&
	vault shown rm d/goes >out && mkdir next && echo changed >next/changes && echo new >next/comes && vault shown put -m 'the last' d next >out &&
	vault shown show >actual && head -n 1 actual >first && head_of shown | sed 's/^/commit /' | cmp - first &&
	grep -qx '    the last' actual && grep -P '^[AMDT]\t' actual | sort >rows && printf 'A\td/comes\nM\td/changes\n' | cmp - rows &&
	vault shown show @~1 >actual && grep -P '^[AMDT]\t' actual >rows && printf 'D\td/goes\n' | cmp - rows &&
	vault shown show @~3 >actual && ! grep -qP '^[AMDT]\t' actual && vault shown show --json >actual && head_of shown >id &&
	lab <<-'PY'
		told = json.loads(open("actual", encoding="utf-8").read())
		assert told["id"] + "\n" == open("id").read() and told["message"] == "the last"
	PY
END

test_expect_success 'diff: patch turns the old files into the new ones' - <<'END'
	lab <<-'PY' &&
		import random
		numbers = random.Random(9)
		words = ["a", "b", "c", "", "    x", "--- a/x", "+++ b/y", "@@ -1 +1 @@", "\\ No newline at end of file", "caf\u00e9"]
		def text(count, end="\n"):
		    return "\n".join(f"{numbers.choice(words)}{numbers.randrange(9)}" for _ in range(count)) + end
		def edited(old):
		    lines = old.split("\n")
		    for _ in range(numbers.randrange(1, 8)):
		        at = numbers.randrange(len(lines))
		        lines[at:at + numbers.randrange(3)] = [numbers.choice(words)] * numbers.randrange(3)
		    return "\n".join(lines) or "x"
		old = {f"random/{n}": text(numbers.randrange(1, 80), numbers.choice(["", "\n"])) for n in range(30)}
		new = {path: edited(data) for path, data in old.items()}
		old["long"] = text(3000)
		new["long"] = edited(old["long"])
		for name in ("two words.txt", "caf\u00e9.txt", "cafe\u0301.txt", 'quo"te', "-dash"):
		    old[name], new[name] = "1\n2\n3\n", "1\ntwo\n3\n"
		old["gets an end"], new["gets an end"] = "a\nb", "a\nb\n"
		old["loses its end"], new["loses its end"] = "a\nb\n", "a\nb"
		old["without"], new["without"] = "a\nb", "a\nc"
		old["crlf"], new["crlf"] = "a\r\nb\r\n", "a\r\nc\r\n"
		old["filled"], new["filled"] = "", "now\n"
		old["stays"] = new["stays"] = "stays\n"
		old["deleted"], old["gone/with/its/folder"], old["deleted without end"] = "x\ny\n", "z\n", "x"
		new["added"], new["a/new/folder"], new["added without end"] = "x\ny\n", "z\n", "x"
		for place, files in (("old", old), ("new", new)):
		    for path, data in files.items():
		        path = os.path.join(place, path)
		        os.makedirs(os.path.dirname(path), exist_ok=True)
		        open(path, "w", encoding="utf-8", newline="").write(data)
	PY
	new_vault differs && vault differs put . old >out && old=$(cat out) && vault differs rm deleted gone/with/its/folder 'deleted without end' >out &&
	vault differs put . new >out && new=$(cat out) && vault differs diff "$old" "$new" >change 2>err && test ! -s err &&
	cp -R old patched && { patch -p1 --force --fuzz=0 -d patched <change >said || { cat said && return 1; }; } &&
	find patched -type d -empty -delete && diff -r new patched && test -z "$(find patched -name '*.orig' -o -name '*.rej')" &&
	vault differs diff "$new" "$old" >back && cp -R new unpatched && patch -p1 --force --fuzz=0 -d unpatched <back >said && find unpatched -type d -empty -delete && diff -r old unpatched &&
	vault differs diff "$old" | cmp change - && vault differs diff "$new" "$new" >none && test ! -s none
END

test_expect_success 'diff: an empty file comes and goes, and a file is emptied' - <<'END'
	mkdir -p old.e new.e && : >old.e/goes && echo x >old.e/emptied && : >new.e/comes && : >new.e/emptied && new_vault empties &&
	vault empties put . old.e >out && old=$(cat out) && vault empties rm goes >out && vault empties put . new.e >out &&
	vault empties diff "$old" >change && cp -R old.e patched.e && patch -p1 --force -d patched.e <change >said && diff -r new.e patched.e
END

test_expect_success 'diff: binary files are named, without OLD it is the head against its first parent' - <<'END'
	printf '1\0002\n' | vault differs put binary >out && vault differs diff >change && grep -Eqx 'Binary files .*binary.* differ' change &&
	printf '1\0003\n' | vault differs put binary >out && vault differs diff >change && grep -Eqx 'Binary files .*binary.* differ' change &&
	test "$(grep -c . change)" -le 3 && vault differs rm binary >out && vault differs diff >change && grep -Eqx 'Binary files .*binary.* differ' change &&
	echo text | vault differs put added >out && vault differs diff >change && grep -qx -- '+text' change && ! grep -q Binary change
END

test_expect_success 'diff --name-status and --exit-code' - <<'END'
	vault shown diff --name-status >actual && sort actual >rows && printf 'A\td/comes\nM\td/changes\n' | cmp - rows &&
	vault shown diff --name-status @~2 @~1 >actual && printf 'D\td/goes\n' | cmp - actual &&
	vault shown diff >out && test_expect_status 1 vault shown diff --exit-code >actual && cmp out actual && vault shown diff --exit-code @ @ >actual && test ! -s actual &&
	test_expect_status 1 vault shown diff --exit-code --name-status @~2 >actual && test_expect_status 6 vault shown diff no-such-name 2>err
END

test_expect_success 'diff --json names the paths' - <<'END'
	vault shown diff --json >actual && lab <<-'PY'
		rows = [json.loads(line) for line in open("actual", encoding="utf-8")]
		assert sorted(row["path"] for row in rows) == ["d/changes", "d/comes"], rows
	PY
END

# ---------------------------------------------------------------- what is refused

test_expect_success 'a store that needs a newer tool: 8 for put and rm, nothing written' - <<'END'
	for members in '"format": 3' '"min_client": "0.26.1"' '"min_client": "1.0.0"' '"format": 3, "min_client": null'; do
		rm -rf newer && cp -R shown newer && lab "{$members}" <<-'PY' && picture newer >before || return 1
			from wholestore import *
			store = Copy("newer").store
			store.index({**store.listing, **json.loads(sys.argv[1])})
		PY
		echo x | test_expect_status 8 vault newer put x >out 2>err && test ! -s out && test -s err || return 1
		test_expect_status 8 vault newer rm d/comes >out 2>err && picture newer >after && cmp before after || return 1
	done
END

test_expect_success 'a read-only copy: reading works, writing is 8' - <<'END'
	cp -R shown guest && rm guest/.sg_vault/local/* && lab <<-'PY' &&
		from wholestore import *
		key, vault_id = read_key_of(open("shown.key").read())
		for name, told in (("clone_mode.json", {"mode": "read-only", "vault_id": vault_id, "read_key": key.hex(), "branch_name": "current"}),
		                   ("config.json", {"my_branch_id": None, "mode": "read_only"})):
		    with open(os.open("guest/.sg_vault/local/" + name, os.O_WRONLY | os.O_CREAT, 0o600), "w") as file:
		        json.dump(told, file, indent=2)
	PY
	picture guest >before && sgit-vault cat --store guest --key-file shown.key d/comes >actual && echo new | cmp - actual &&
	echo x | test_expect_status 8 sgit-vault put --store guest --key-file shown.key x >out 2>err && test ! -s out &&
	test_expect_status 8 sgit-vault rm --store guest --key-file shown.key d/comes 2>err && picture guest >after && cmp before after
END

test_expect_success 'a bare store: reading works with a key, without one it is 7, writing is 8' - <<'END'
	mkdir host && cp -R shown/.sg_vault/bare host/bare && picture host >before && vault shown ls -r >expected &&
	sgit-vault ls -r --store host --key-file shown.key >actual && cmp expected actual &&
	sgit-vault cat --store host --key-file shown.key d/comes | grep -q new && vault shown log >expected &&
	sgit-vault log --store host --key-file shown.key >actual && cmp expected actual &&
	test_expect_status 7 sgit-vault ls --store host 2>err &&
	echo x | test_expect_status 8 sgit-vault put --store host --key-file shown.key x >out 2>err && test ! -s out && test -s err &&
	test_expect_status 8 sgit-vault rm --store host --key-file shown.key d/comes 2>err && picture host >after && cmp before after
END

test_expect_success "this device's head and current gone apart: 5, nothing moved; reading goes on" - <<'END'
	cp -R shown apart && lab <<-'PY' && picture apart/.sg_vault/bare/refs >before &&
		from wholestore import *
		copy = Copy("apart")
		store = copy.store
		parent = store.document(copy.head())["parents"][0]
		store.ref(store.main_ref, store.commit(store.tree_of({"theirs": b"x"}), [parent], "theirs", signer=copy.signer()))
	PY
	echo x | test_expect_status 5 vault apart put x >out 2>err && test ! -s out && test -s err &&
	test_expect_status 5 vault apart rm d/comes >out 2>err && picture apart/.sg_vault/bare/refs >after && cmp before after &&
	vault apart cat d/comes | grep -q new && vault apart cat --at current theirs | grep -q x
END

test_expect_success 'a key of another vault: 3, nothing written' - <<'END'
	picture shown >before && for command in 'cat d/comes' ls log show diff 'rm d/comes' 'put x x'; do
		# shellcheck disable=SC2086
		test_expect_status 3 vault shown $command --key-file v.key >out 2>err && test ! -s out && test -s err || return 1
	done && cp -R shown rekeyed && cp v/.sg_vault/local/vault_key rekeyed/.sg_vault/local/ &&
	test_expect_status 3 vault rekeyed ls 2>err && test_expect_status 3 vault rekeyed put x x 2>err && picture shown >after && cmp before after
END

test_expect_success 'a key file that others can read is refused: 8' - <<'END'
	cp -R shown readable && chmod 644 readable/.sg_vault/local/vault_key && test_expect_status 8 vault readable ls 2>err && grep -q vault_key err
END

test_expect_success 'damage is 4, what is missing is 6, and no ref moves' - <<'END'
	tree=$(plumbing shown sgit-cat-object -p @ | sed -n 's/^tree //p') && blob=$(plumbing shown sgit-ls-tree @:d | sed -n 's/^blob \([^\t ]*\).*comes$/\1/p') && test -n "$blob" &&
	for file in "data/$tree" "data/$(head_of shown)" refs/* indexes/*; do
		rm -rf hurt && cp -R shown hurt && lab "hurt/.sg_vault/bare/$file" <<-'PY' && picture hurt/.sg_vault/bare/refs >before || return 1
			import glob
			for path in glob.glob(sys.argv[1]):
			    flip(path, 20)
		PY
		echo x | test_expect_status 4 vault hurt put x >out 2>err && test ! -s out && test -s err || return 1
		test_expect_status 4 vault hurt cat d/comes 2>err && picture hurt/.sg_vault/bare/refs >after && cmp before after || return 1
	done &&
	rm -rf hurt && cp -R shown hurt && lab "hurt/.sg_vault/bare/data/$blob" <<<'flip(sys.argv[1], 20)' && test_expect_status 4 vault hurt cat d/comes >out 2>err && test ! -s out &&
	rm "hurt/.sg_vault/bare/data/$blob" && test_expect_status 6 vault hurt cat d/comes 2>err && grep -q "$blob" err &&
	rm "hurt/.sg_vault/bare/data/$tree" && test_expect_status 6 vault hurt ls 2>err && echo x | test_expect_status 6 vault hurt put x 2>err &&
	picture hurt/.sg_vault/bare/refs >after && picture shown/.sg_vault/bare/refs | cmp - after
END

test_expect_success 'secrets never come out, neither as data nor in what is said' - <<'END'
	new_vault secret --format 2 && { cat secret.err && echo x | vault secret put a && echo x | vault secret put a && vault secret log && vault secret log --json &&
	vault secret show && vault secret show --json && vault secret ls -l && vault secret ls --json && vault secret diff && vault secret diff --json && vault secret rm a &&
	sgit-vault init --store secret || vault secret cat nothing || echo x | vault secret put .git || vault secret log no-name ||
	sgit-vault ls --store secret --key-file secret/.sg_vault/local/config.json ||
	sgit-vault ls --store secret --key-file "$(echo secret/.sg_vault/local/*.pem)" || :; } >said 2>&1 && lab <<-'PY'
		from wholestore import *
		copy, said = Copy("secret"), open("said", "rb").read()
		assert len(said) > 500
		passphrase = copy.key_text.strip().rsplit("_", 1)[1].split(":")[0]
		pem = copy.signer().private_pem().splitlines()
		for secret in (passphrase, copy.read_key.hex(), stretch(passphrase, copy.vault_id, "write:").hex(), *pem[1:-1]):
		    assert secret.encode() not in said, "a secret was said"
	PY
END

# ---------------------------------------------------------------- a copy with files checked out

# checked_out NAME: a copy of `shown` whose files are checked out, as `sgit clone` leaves them.
checked_out() {
	rm -rf "$1" && cp -R shown "$1" && lab "$1" <<-'PY'
		from wholestore import *
		copy = Copy(sys.argv[1])
		config = {**copy.config, "sparse": False}
		with open(os.path.join(copy.local, "config.json"), "w") as file:
		    json.dump(config, file, indent=2)
		os.remove(os.path.join(copy.local, "checkout.json"))
		for path, data in copy.files().items():
		    path = os.path.join(copy.folder, path)
		    os.makedirs(os.path.dirname(path), exist_ok=True)
		    open(path, "wb").write(data)
	PY
}

test_expect_success 'in a copy with files checked out, put writes the working file and rm removes it' - <<'END'
	checked_out work && echo v2 | vault work put d/changes >out && echo v2 | cmp - work/d/changes && echo deep | vault work put new/deep/file >out && echo deep | cmp - work/new/deep/file &&
	rm work/d/stays && echo back | vault work put d/stays >out && echo back | cmp - work/d/stays &&
	vault work rm d/comes >out && test ! -e work/d/comes && vault work rm -r new >out && test ! -e work/new/deep/file &&
	vault work ls -r >actual && (cd work && find d -type f | sort) >expected && sort actual | cmp expected - && lab <<-'PY'
		from wholestore import *
		copy = Copy("work")
		copy.whole()
		assert all(open(os.path.join("work", path), "rb").read() == data for path, data in copy.files().items())
		assert sorted(name for name in os.listdir("work")) == [".sg_vault", "d"] or os.listdir("work/new") == [], "something is left"
	PY
END

test_expect_success 'a working file with other changes is refused: 128 before anything is written' - <<'END'
	checked_out work && echo mine >work/d/changes && echo mine >work/untracked && picture work >before &&
	echo v2 | test_expect_status 128 vault work put d/changes >out 2>err && test ! -s out && grep -q changes err &&
	echo v2 | test_expect_status 128 vault work put untracked >out 2>err && test_expect_status 128 vault work rm d/changes 2>err &&
	test_expect_status 128 vault work rm -r d 2>err && test_expect_status 128 vault work put d three 2>err &&
	picture work >after && cmp before after && echo fine | vault work put d/stays >out && echo fine | cmp - work/d/stays && echo mine | cmp - work/d/changes
END

test_expect_success 'no working file is written through a link' - <<'END'
	checked_out work && mkdir outside && rm -r work/d && ln -s ../outside work/d && picture work/.sg_vault/bare/refs >before &&
	{ status=0 && { echo through | vault work put d/stays >out 2>err || status=$?; } && test "$status" -ne 0; } && test -z "$(ls -A outside)" &&
	picture work/.sg_vault/bare/refs >after && cmp before after
END

# only_own_ref NAME: two puts move the ref of this device, and current stays.
only_own_ref() {
	local old
	cp shown.key "$1.key" && old=$(head_of "$1") && echo x | vault "$1" put x >out &&
	test "$(plumbing "$1" sgit-read-ref current)" = "$old" && head_of "$1" | cmp - out && vault "$1" cat x | grep -q x &&
	echo y | vault "$1" put y >out && test "$(plumbing "$1" sgit-read-ref current)" = "$old" &&
	test "$(plumbing "$1" sgit-rev-list local~2 | head -n 1)" = "$old" && lab "$1" <<-'PY'
		from wholestore import *
		Copy(sys.argv[1]).whole()
	PY
}

test_expect_success "in a copy with a remote, as sgit clones it, only this device's ref moves" - <<'END'
	rm -rf remote && cp -R shown remote && lab "$(head_of shown)" <<-'PY' && only_own_ref remote
		from wholestore import *
		config = {**Copy("remote").config, "last_remote_head": sys.argv[1]}
		with open("remote/.sg_vault/local/config.json", "w") as file:
		    json.dump(config, file, indent=2)
	PY
END

test_expect_success 'the same where the heads that were last accepted are in a file of their own' - <<'END'
	rm -rf remote && cp -R shown remote && (umask 077 && echo '{}' >remote/.sg_vault/local/remote_heads.json) && only_own_ref remote
END

test_expect_success 'an address alone, which sgit notes wherever it looks, is no remote' - <<'END'
	rm -rf remote && cp -R shown remote && cp shown.key remote.key && (umask 077 && printf /somewhere >remote/.sg_vault/local/base_url) &&
	old=$(head_of remote) && echo x | vault remote put x >out && one_commit remote "$old" 'write x'
END

# ---------------------------------------------------------------- the call itself

test_expect_success 'the command comes first; each has a help; a wrong call is 129' - <<'END'
	for command in init put cat ls rm log show diff; do
		sgit-vault "$command" -h >out 2>err && grep -q "sgit-vault $command" out && test ! -s err || return 1
		test_expect_status 129 sgit-vault "$command" --no-such-option >out 2>err && test ! -s out && test -s err || return 1
	done && sgit-vault -h >out && grep -q init out && test_expect_status 129 sgit-vault 2>err && test_expect_status 129 sgit-vault nonsense 2>err &&
	for call in put 'put a b c' cat rm 'show @ @' 'diff @ @ @' 'ls a b' 'log -n x'; do
		# shellcheck disable=SC2086
		test_expect_status 129 vault shown $call >out 2>err && test ! -s out || return 1
	done
END

test_expect_success 'a full disk and a closed stdout never end in 0' - <<'END'
	for command in 'cat d/comes' ls log show diff; do
		# shellcheck disable=SC2086
		test_expect_status 128 vault shown $command >/dev/full 2>err && test_expect_status 128 vault shown $command >&- 2>err || return 1
	done
END

test_expect_success 'a folder may be named with its slash, and the root with a dot; @ is the head of this device' - <<'END'
	mkdir -p named/d && echo 1 >named/d/one && echo 2 >named/two && new_vault dots && vault dots put . named >out &&
	vault dots ls >expected && vault dots ls . | cmp expected - && vault dots ls d/ >actual && echo one | cmp - actual &&
	set_remote() { sed 's/"last_remote_head": null/"last_remote_head": "obj-cas-imm-000000000000"/' dots/.sg_vault/local/config.json >c && cat c >dots/.sg_vault/local/config.json; } &&
	set_remote && echo new | vault dots put two >out && vault dots cat --at @ two | grep -qx new && vault dots cat --at @~1 two | grep -qx 2 &&
	vault dots cat --at current two | grep -qx 2 && vault dots rm -r d/ >out && vault dots ls >actual && echo two | cmp - actual
END

test_done
