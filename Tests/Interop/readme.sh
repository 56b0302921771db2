#!/bin/bash
# README's second example, run as it is printed: a vault made by plumbing alone, and cloned with the Python sgit.
# It runs in an empty folder that is also where temporary ones are made, without a network, with both kinds of tools in PATH (see the script `run`).
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
place=$(mktemp -d "${TMPDIR:-/tmp}/readme.XXXXXX")
trap 'rm -rf "${place:?}"' EXIT

awk '/<!-- example: second -->/ { near = 1 } near && /^```/ { if (on) exit; on = 1; next } on { print }' "$root/README.md" >"$place/example"
[ -s "$place/example" ] || {
	echo 'README.md has no block marked "example: second"' >&2
	exit 1
}
mkdir "$place/here"
cd "$place/here"

without=(unshare --net)
[ "$(id -u)" -eq 0 ] || without=(unshare --user --map-root-user --net)
TMPDIR=$PWD "${without[@]}" bash -e -o pipefail "$place/example" >"$place/shown" 2>"$place/said" </dev/null || {
	echo "the example ended with $?" >&2
	cat "$place/shown" "$place/said" >&2
	exit 1
}

# The clone: the folder in which sgit works, and the files that it has checked out.
clone=$(find "$PWD" -type d -name .sg_vault -prune -printf '%h\n')
if [ -z "$clone" ] || [ "$(wc -l <<<"$clone")" -ne 1 ]; then
	echo "not one clone, but: $clone" >&2
	exit 1
fi
cd "$clone"
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
