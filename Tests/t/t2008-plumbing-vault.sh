#!/bin/bash
# Whole vaults made of nothing but single steps, and read back by a reader that shares no code with them.
. "$(dirname "$0")/test-lib.sh"

lab <<'END' || exit 1
import random
random.seed(7)
files = {
    "README.md": b"read me\n", "empty": b"", "a.txt": b"a\n", "B": b"B", "b": b"b", "tab\tname": b"tab", "new\nline": b"nl", 'quo"te': b"q", "back\\slash": b"s", " lead": b"l",
    "-dash": b"-", "caf\u00e9.txt": "composed \u00e9".encode(), "cafe\u0301.txt": "decomposed e\u0301".encode(), "\u65e5\u672c\u8a9e/\u6587\u66f8.html": b"<p>\n",
    "\U0001f680/\U0001f4c4.json": b"{}", "\uff5e": b"past the surrogates", "docs/menu.txt": b"soup\n" * 1000, "docs/deep/er/and/deeper/still/x.py": b"pass\n",
    "docs.txt": b"beside the folder", "docs/empty.csv": b"", "pack/noise.tar.gz": random.randbytes(4_194_304 + 1), "pack/zeros.bin": bytes(5_000_000),
    "pack/fits.bin": random.randbytes(4_194_304 - 28), "pack/tight.bin": random.randbytes(4_194_304 - 27), ".hidden/.gitignore": b"*\n", "x" * 200 + ".txt": b"long name",
}
for root, changed in (("one", {}), ("two", {"docs/menu.txt": b"soup\nbread\n", "new/file.txt": b"new\n"})):
    for path, data in {**files, **changed}.items():
        if root == "two" and path == "B":
            continue
        os.makedirs(os.path.dirname(os.path.join(root, path)), exist_ok=True)
        open(os.path.join(root, path), "wb").write(data)
END
(umask 077 && openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out device.pem 2>.log) && openssl pkey -in device.pem -pubout -out device.pub || exit 1

# plant FOLDER DEPTH: writes a folder with single steps and prints the id of its tree
plant() {
	local folder=$1 depth=$2 path id lines="$TRASH/lines.$2"
	: >"$lines"
	find "$folder" -mindepth 1 -maxdepth 1 -type f -print0 >"$lines.paths" && sgit-hash-object -w -z --stdin-paths <"$lines.paths" >"$lines.ids" || return 1
	while IFS= read -r -d '' path && IFS= read -r -d '' id <&4; do
		printf 'blob %s\t%s\0' "$id" "${path##*/}" >>"$lines"
	done <"$lines.paths" 4<"$lines.ids"
	for path in "$folder"/* "$folder"/.[!.]*; do
		[ -d "$path" ] || continue
		id=$(plant "$path" $((depth + 1))) || return 1
		printf 'tree %s\t%s\0' "$id" "${path##*/}" >>"$lines"
	done
	sgit-mktree -z <"$lines" 2>>warnings | tr -d '\0'
	[ "${PIPESTATUS[0]}" -eq 0 ]
}

for format in 1 2; do
	for deflate in no yes; do
		vault=v$format-$deflate
		test_expect_success "format $format, deflate $deflate: a vault is made of an empty folder, step by step" - <<-'END'
			mkdir -p "$vault/bare/data" && key_file "$vault.key" "sgit_private_read_$(printf '%064d' "$format"):plumbing$format\n" && use "$vault" "$vault.key" &&
			sgit-branch-index set-format "$format" && { test "$deflate" = no || sgit-branch-index add-feature blob-deflate; } &&
			key=$(sgit-branch-index add-key device.pub) && sgit-branch-index add-branch current >current && sgit-branch-index add-branch --type clone --key "$key" local >local &&
			first=$(sgit-commit-tree -m init --sign-key-file device.pem "$(sgit-mktree </dev/null)") && printf 'create local %s\ncreate @ %s\n' "$first" "$first" >in && sgit-update-ref --stdin <in &&
			tree=$(plant one 0) && second=$(sgit-commit-tree -m 'one: é 🚀' -p @ --sign-key-file device.pem "$tree") && printf 'update local %s %s\nupdate @ %s %s\n' "$second" "$first" "$second" "$first" >in &&
			sgit-update-ref --stdin <in &&
			tree=$(plant two 0) && third=$(sgit-commit-tree -m two -p @ --sign-key-file device.pem "$tree") && printf 'start\nupdate local %s\nupdate @ %s\nprepare\ncommit\n' "$third" "$third" >in &&
			sgit-update-ref --stdin <in >answers && test "$(grep -c ': ok$' answers)" -eq 3 && printf '%s\n' "$third" "$second" "$first" >"$vault.commits"
		END

		test_expect_success "format $format, deflate $deflate: another reader finds every byte, and every rule kept" - <<-'END'
			lab "$vault" "$format" "$deflate" <<-'PY'
				vault, width, deflate = sys.argv[1], {"1": 12, "2": 32}[sys.argv[2]], sys.argv[3] == "yes"
				store = Store.at(vault, vault + ".key")
				commits = open(vault + ".commits").read().split()
				heads = store.check()
				assert heads == {store.main_ref: commits[0], store.local_ref: commits[0]}, heads
				assert not store.strangers(), store.strangers()
				assert all(len(name) == len(OBJECT) + width for name in os.listdir(store.bare + "/data"))
				index = store.document(store.index_id)
				assert store.read(store.index_id) == stored_json(index)
				assert set(index["features"]) == ({"ids-128"} if width == 32 else set()) | ({"blob-deflate"} if deflate else set())
				named, clone = index["branches"]
				assert clone["creator_branch"] == named["branch_id"] and named["name"] == "current" and clone["name"] == "local"
				for number, (name, message) in enumerate(zip(commits, ("two", "one: \u00e9 \U0001f680", "init"))):
				    document = store.document(name)
				    assert store.verdict(name) == "verified" and store.opened_field(document["message_enc"]) == message
				    assert document["parents"] == commits[number + 1:number + 2] and document["branch_id"] == clone["branch_id"]
				    assert document["author_key_id"] == clone["public_key_id"]
				for root, name in (("two", commits[0]), ("one", commits[1])):
				    want = {os.path.relpath(os.path.join(folder, file), root): open(os.path.join(folder, file), "rb").read() for folder, _, files in os.walk(root) for file in files}
				    found = {}
				    for path, kind, entry in store.walk(store.document(name)["tree_id"]):
				        if kind == "tree":
				            assert entry == store.folder(path.split("/")[-1], entry["tree_id"]), path
				            continue
				        data, sealed = store.read(entry["blob_id"]), store.stored(entry["blob_id"])
				        found[path] = data
				        assert store.opened_field(entry["size_enc"]) == str(len(data))
				        assert store.opened_field(entry["content_hash_enc"]) == hashlib.sha256(data).hexdigest()[:12]
				        assert store.opened_field(entry["content_type_enc"]) == media_type(path.split("/")[-1]), path
				        assert entry["large"] == (len(sealed) > 4_194_304), path
				        assert sealed.startswith(MAGIC) == (deflate and len(zlib.compress(data, 6)) + 5 < len(data)), path
				    assert found == want, {path for path in found.keys() | want.keys() if found.get(path) != want.get(path)}
				    trees = [store.document(name)["tree_id"]] + [entry["tree_id"] for _, kind, entry in store.walk(store.document(name)["tree_id"]) if kind == "tree"]
				    for tree in trees:
				        entries = list(store.entries(tree))
				        files = [(n, e) for e, n in entries if e["blob_id"]]
				        folders = [(n, e) for e, n in entries if e["tree_id"]]
				        assert [n for _, n in entries] == sorted((n for n, _ in files), key=str.encode) + sorted((n for n, _ in folders), key=str.encode)
				        assert store.stored(tree) == store.seal_same(stored_json({"schema": "tree_v1", "entries": [e for e, _ in entries]}))
				large = {path for path, kind, entry in store.walk(store.document(commits[0])["tree_id"]) if entry["large"]}
				assert large == {"pack/noise.tar.gz", "pack/tight.bin"} | (set() if deflate else {"pack/zeros.bin"}), large
			PY
		END

		test_expect_success "format $format, deflate $deflate: the reading tools agree" - <<-'END'
			sgit-rev-list @ | cmp - "$vault.commits" && sgit-rev-list --all | cmp - "$vault.commits" && sgit-verify-commit --stdin <"$vault.commits" >verdicts &&
			test "$(grep -c ' verified' verdicts)" -eq 3 && sgit-ls-tree -r -z --name-only @ | sort -z >listed && (cd two && find . -type f -printf '%P\0') | sort -z | cmp - listed &&
			while IFS= read -r -d '' path; do sgit-cat-object --raw "@:$path" | cmp - "two/$path" || return 1; done <listed &&
			sgit-diff-tree -r --name-status @~1 @ | sort >changes && printf 'A\tnew/file.txt\nD\tB\nM\tdocs/menu.txt\n' | cmp - changes
		END
	done
done

test_expect_success 'twins were warned of, and nothing else was said' - <<'END'
	test -s warnings && ! grep -v '^sgit-mktree: ' warnings
END

test_done
