#!/bin/bash
# README's second and third examples, run as they are printed: a vault made by plumbing alone, and cloned with the Python
# sgit; and a vault as one file, opened with a recovery code.
# Each runs in an empty folder that is also where temporary ones are made, without a network, with both kinds of tools in
# PATH (see the script `run`).
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
place=$(mktemp -d "${TMPDIR:-/tmp}/readme.XXXXXX")
trap 'rm -rf "${place:?}"' EXIT

without=(unshare --net)
[ "$(id -u)" -eq 0 ] || without=(unshare --user --map-root-user --net)

# example NAME: runs it in $place/NAME; what it printed is in $place/shown.
example() {
	awk -v mark="<!-- example: $1 -->" '$0 == mark { near = 1 } near && /^```/ { if (on) exit; on = 1; next } on { print }' \
		"$root/README.md" >"$place/example"
	[ -s "$place/example" ] || {
		echo "README.md has no block marked 'example: $1'" >&2
		exit 1
	}
	mkdir "$place/$1"
	cd "$place/$1"
	TMPDIR=$PWD "${without[@]}" bash -e -o pipefail "$place/example" >"$place/shown" 2>"$place/said" </dev/null || {
		echo "the $1 example ended with $?" >&2
		cat "$place/shown" "$place/said" >&2
		exit 1
	}
}

# The one path in the folder of the example that find's conditions select.
only() {
	local found
	found=$(find "$PWD" "$@" -print)
	if [ -z "$found" ] || [ "$(wc -l <<<"$found")" -ne 1 ]; then
		echo "not one, but: $found" >&2
		exit 1
	fi
	printf '%s\n' "$found"
}

example second
# The clone: the folder in which sgit works, and the files that it has checked out.
clone=$(only -type d -name .sg_vault -prune)
cd "$(dirname "$clone")"
find . -name .sg_vault -prune -o -type f -printf '%P\n' | LC_ALL=C sort >"$place/files"
SGIT_KEY_FILE=$PWD/.sg_vault/local/vault_key SGIT_STORE=$PWD/.sg_vault sgit-ls-tree -r -z --name-only @ | tr '\0' '\n' | LC_ALL=C sort >"$place/listed"
[ -s "$place/files" ]
cmp "$place/listed" "$place/files"
while IFS= read -r file; do
	SGIT_KEY_FILE=$PWD/.sg_vault/local/vault_key SGIT_STORE=$PWD/.sg_vault sgit-cat-object -p "@:$file" </dev/null | cmp - "$file"
done <"$place/files"
"${without[@]}" sgit check fsck >"$place/fsck"
grep -qxF 'Vault OK.' "$place/fsck"
"${without[@]}" sgit check verify
echo "the clone has $(wc -l <"$place/files") file(s)"

example third
# It ends with the file that was put into the vault, out of the copy.
printf 'Buy flour.\n' | cmp - <(tail -n 1 "$place/shown")
file=$(only -type f -name '*.sgvault')
code=$(only -type f -name code)
copy=$(only -type d -name bare ! -path '*/.sg_vault/*')
original=$(only -type d -path '*/.sg_vault/bare')
diff -r "$copy" "$original"
sgit-unpack --secret-file "$code" "$file" --header >"$place/header"
grep -qxF verified "$place/header"
# The key is where sgit-vault put it, and nowhere else, under any of its forms.
key=$(only -type f -name vault_key)
passphrase=$(cut -d : -f 1 "$key")
[ -n "$passphrase" ]
[ "$(grep -rlF -e "${passphrase#sgit_private_vault_}" -e "$(sgit-derive-keys --key-file "$key" | sed 's/.*_//; s/:.*//')" "$PWD")" = "$key" ]
# And the Python sgit clones what came out of the file.
"${without[@]}" sgit clone --transport local --base-url "$(dirname "$copy")" - "$place/clone" <"$key" >/dev/null
printf 'Buy flour.\n' | cmp - "$place/clone/shopping.txt"
echo 'the vault file opened with its code'
