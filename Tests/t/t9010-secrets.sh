#!/bin/bash
# Secrets: what add, list, get, set, remove and history do, what they leave in the vault, and what they refuse.
. "$(dirname "$0")/test-lib.sh"

export SGIT_HOME=$TRASH/home
unset SGIT_VAULT
key_file value 'hunter 2\n'

secret() { sgit-vault cat "secrets/$1.json"; }
heads() { sgit-vault log --oneline | wc -l; }
# quiet COMMAND…: a command that says nothing on standard output, and saves.
quiet() {
	sgit-vault "$@" >out 2>err && test ! -s out && grep -Eq '^saved [0-2][0-9]:[0-5][0-9]$' err
}
# refused STATUS COMMAND…: nothing on standard output, a reason, and no commit.
refused() {
	local status=$1 before
	shift
	before=$(heads) && test_expect_status "$status" sgit-vault "$@" >out 2>err </dev/null && test ! -s out && test -s err && test "$(heads)" -eq "$before"
}

test_expect_success 'a vault' - <<'END'
	sgit-vault init my.sgvault --no-locks && test -z "$(sgit-vault list)"
END

test_expect_success 'add: a document of the ten kinds each, with an id of its own, in one commit that names no value' - <<'END'
	count=1 && while read -r kind hidden shown; do
		quiet add "$kind" "My $kind" ${shown:+"$shown=of $kind"} --field-file "$hidden=value" --tag one --tag two --notes 'a note' || return 1
		secret "my-$kind" | jq -e --arg kind "$kind" --arg hidden "$hidden" '.schema == "sgit.ai/secret/v1" and .kind == $kind and .title == "My " + $kind and (.id | test("^[0-9a-f]{16}$"))
			and .fields[$hidden] == "hunter 2" and .tags == ["one", "two"] and .notes == "a note" and .created_at == .updated_at' >/dev/null || return 1
		count=$((count + 1)) && test "$(heads)" -eq $count && test "$(sgit-vault log -n 1 --json | jq -r .message)" = "Add $kind 'My $kind'" || return 1
	done <<-'KINDS' &&
		login password username
		device-passcode passcode device
		wifi password ssid
		card number holder
		note text
		token token service
		vault-key vault_key vault_id
		read-key read_key vault_id
		access-key secret key_id
		recovery-codes codes service
	KINDS
	test "$(sgit-vault list | wc -l)" -eq 10 && ! sgit-vault log | grep hunter && sgit-vault list --json | jq -r .path | sort -u | wc -l | grep -qx 10
END

test_expect_success 'list: kind, tab, title, in order of titles; JSON has what is no value' - <<'END'
	sgit-vault list >lines && LC_ALL=C sort -t "$(printf '\t')" -k 2 lines | cmp lines && grep -qx "wifi$(printf '\t')My wifi" lines &&
	sgit-vault list --json >json && ! grep hunter json && jq -e 'has("id") and has("kind") and has("title") and has("tags") and has("created_at") and has("updated_at") and has("path")' json >/dev/null
END

test_expect_success 'get: hidden values are masked unless they are asked for; a field is its value and a line feed' - <<'END'
	sgit-vault get 'My login' >shown && grep -qx 'password: ········' shown && grep -qx 'username: of login' shown && grep -qx 'title: My login' shown && grep -qx 'tags: one,two' shown && ! grep hunter shown &&
	sgit-vault get --reveal 'My login' | grep -qx 'password: hunter 2' && sgit-vault get 'My login' password >field && printf 'hunter 2\n' | cmp field &&
	sgit-vault get --json 'My login' | jq -e '.fields.password == null and .fields.username == "of login"' >/dev/null && sgit-vault get --json --reveal 'My login' | jq -e '.fields.password == "hunter 2"' >/dev/null &&
	id=$(sgit-vault get 'My login' id) && test "$(sgit-vault get "$id" username)" = 'of login' && test "$(sgit-vault get my-login kind)" = login && test "$(sgit-vault get my-login notes)" = 'a note' &&
	refused 1 get 'My login' totp && refused 1 get Nobody && refused 1 get ''
END

test_expect_success 'values are kept to the byte, but for one line end of a file; by descriptor as well' - <<'END'
	printf ' two\nlines\303\251\t"\\\r\n\n' >odd && quiet add note Odd --field-file text=odd && sgit-vault get Odd text >got && printf ' two\nlines\303\251\t"\\\r\n\n' | cmp got &&
	quiet add note Odder --field-fd text=7 7<odd && sgit-vault get Odder text | cmp got - && printf 'x\r\n' >crlf && quiet set Odd --field-file text=crlf && test "$(sgit-vault get Odd text)" = x &&
	: >empty && quiet set Odd --field-file text=empty && test -z "$(sgit-vault get Odd text)" && sgit-vault get --reveal Odder | grep -qx '    lines.*'
END

test_expect_success 'a title may be anything; the same one twice is told apart by id' - <<'END'
	for title in 'https://x/' '../../up' 'ünï 日本' "it's \"q\"" 'a=b' '.'; do quiet add note "$title" --field-file text=value && test "$(sgit-vault get "$title" text)" = 'hunter 2' || return 1; done &&
	quiet add --field-file text=value -- note -rf && test "$(sgit-vault get -- -rf text)" = 'hunter 2' && sgit-vault list | grep -q "^note$(printf '\t')-rf$" &&
	quiet add note Twin --field-file text=value && sgit-vault add note Twin --field-file text=value 2>said && grep -q "another secret is called 'Twin'" said && secret twin | jq -e .id >id.1 &&
	refused 128 get Twin && grep -c "$(jq -r . id.1)" err && sgit-vault list --json | jq -r 'select(.title == "Twin").id' >ids && test "$(sort -u ids | wc -l)" -eq 2 && while read -r id; do test "$(sgit-vault get "$id" title)" = Twin || return 1; done <ids &&
	printf 'note\tnl\\n' >/dev/null && quiet add note "$(printf 'esc\033[31m')" --field-file text=value && ! sgit-vault list | grep -q "$(printf '\033')"
END

test_expect_success 'set: the fields that are named, and updated_at; nothing new is no commit and no write' - <<'END'
	secret my-login >before && sleep 1 && quiet set 'My login' username=bob url=https://y/ && secret my-login | jq -e '.fields.username == "bob" and .fields.url == "https://y/" and .fields.password == "hunter 2" and .updated_at > .created_at' >/dev/null &&
	test "$(jq -r .id before)" = "$(secret my-login | jq -r .id)" && test "$(sgit-vault log -n 1 --json | jq -r .message)" = "Set username, url of 'My login'" &&
	count=$(heads) && stat -c %i:%y my.sgvault >file && sgit-vault set 'My login' username=bob >out 2>err && grep -qx unchanged err && test ! -s out && test "$(heads)" -eq "$count" && stat -c %i:%y my.sgvault | cmp file &&
	quiet set 'My login' --unset url && secret my-login | jq -e '.fields | has("url") | not' >/dev/null && quiet set 'My login' title=Renamed tags=x,y notes= && secret my-login | jq -e '.title == "Renamed" and .tags == ["x", "y"] and .notes == ""' >/dev/null &&
	test "$(sgit-vault get Renamed username)" = bob && refused 1 get 'My login' && test "$(sgit-vault get my-login username)" = bob && quiet set Renamed --field-file password=odd && ! sgit-vault log | grep -q lines
END

test_expect_success 'what others wrote is read leniently, and what is not known is kept' - <<'END'
	printf '%s' '{"x-new":{"a":[1,null]},"title":"Other","kind":"x-kind","fields":{"one":"1","n":2.50},"updatedAt":"then"}' >other.json && sgit-vault put secrets/other.json other.json >/dev/null 2>&1 &&
	sgit-vault get Other | grep -qx 'one: ········' && test "$(sgit-vault get Other n)" = 2.50 && refused 129 set Other one=2 && quiet set Other --field-file one=value && sgit-vault cat secrets/other.json | sed 's/"updatedAt": "[^"]*"/"updatedAt": "T"/' >got && printf '%s' '{"x-new": {"a": [1, null]}, "title": "Other", "kind": "x-kind", "fields": {"one": "hunter 2", "n": 2.50}, "updatedAt": "T"}' | cmp got &&
	sgit-vault cat secrets/other.json | jq -e 'has("updated_at") | not' >/dev/null && for file in '{"title":1}' '[]' 'no json' '{"title":"Other","schema":"x"}'; do printf '%s' "$file" | sgit-vault put secrets/none.json >/dev/null 2>&1; done &&
	printf '{"title":"Side"}' | sgit-vault put secrets/x.conflict-00112233.json >/dev/null 2>&1 && test "$(sgit-vault list | grep -c -e Other -e Side)" -eq 1
END

test_expect_success 'a hidden value in an argument is 129, whatever the kind; where nobody can be asked it is 7' - <<'END'
	refused 129 add login X password=1 && grep -q -e '--field-file password=FILE' err && refused 129 add note X PIN=1 && refused 129 set my-wifi password=1 && ! grep -q '=1' err && refused 7 add login X && refused 7 set my-wifi password && refused 7 set my-wifi ssid &&
	refused 129 add nokind X && refused 129 add login '' && refused 129 add login && refused 129 set my-wifi && refused 129 add note X =1 && refused 129 add note X --field-fd text=x && refused 128 add note X --field-file text=absent &&
	printf '\377' >bad && refused 128 add note X --field-file text=bad && head -c 2000000 /dev/zero | tr '\0' a >huge && refused 128 add note X --field-file text=huge && refused 1 set Nobody a=1 && refused 1 remove Nobody && refused 1 history Nobody
END

test_expect_success 'what stands beside the fields is no field of its own' - <<'END'
	refused 129 add note X --field-file text=value id=1 && refused 129 add note X --field-file title=value && refused 129 set my-login kind=evil && refused 129 set my-login --unset id && refused 129 set my-login --field-file id=value &&
	quiet set my-card notes=n && test "$(sgit-vault get my-card notes)" = n
END

test_expect_success 'remove: gone from the head, kept in the history, which is said' - <<'END'
	quiet remove my-wifi && grep -q 'stay in the history' err && refused 1 get my-wifi && sgit-vault cat --at @~1 secrets/my-wifi.json | jq -e '.fields.password == "hunter 2"' >/dev/null
END

test_expect_success 'history: when, where, what; never a value; also of what was removed' - <<'END'
	sgit-vault history Renamed >lines && cat lines && test "$(wc -l <lines)" -eq 5 && head -n 1 lines | grep -q 'changed password$' && tail -n 1 lines | grep -q 'added$' && sed -n 2p lines | grep -q 'changed title, tags, notes$' && ! grep -e hunter -e bob lines &&
	for name in my-wifi 'My wifi'; do sgit-vault history --json "$name" >json && jq -r '.event' json | tr '\n' ' ' | grep -qx 'removed added ' && jq -e '.id and .time and (.device | length > 0)' json >/dev/null || return 1; done
END

test_expect_success 'with a value at the terminal: typed or made, never shown; nothing typed is 7 where none is made' - <<'END'
	lab <<-'PY'
		from session import Session
		import json, os, subprocess
		def asked(*command, answer):
		    with Session("sgit-vault", *command) as person:
		        question = person.prompt()
		        person.enter(answer)
		        person.finish()
		    return person, question
		person, question = asked("add", "login", "Typed", answer="a typed value")
		assert person.status == 0 and question.strip() == "password (Enter makes one):" and "typed value" not in person.text, person.text
		value = lambda title, field: subprocess.run(["sgit-vault", "get", title, field], capture_output=True, check=True).stdout.decode()
		assert value("Typed", "password") == "a typed value\n"
		person, _ = asked("add", "login", "Made", answer="")
		made = value("Made", "password")[:-1]
		assert person.status == 0 and len(made) == 23 and made not in person.text and "made by this machine" in person.text, (person.text, made)
		person, question = asked("add", "token", "None", answer="")
		assert person.status == 7 and question.strip() == "token:", (person.status, person.text)
		person, question = asked("set", "Typed", "username", answer="ana")
		assert person.status == 0 and "ana" in person.text and value("Typed", "username") == "ana\n", person.text
	PY
END

test_expect_success 'one document that is damaged, or not there, takes no other with it; it is named, with its status' - <<'END'
	export SGIT_HOME=$TRASH/home.bad && sgit-vault init bad.sgvault --no-locks 2>/dev/null && for title in A B; do sgit-vault add note $title --field-file text=value 2>/dev/null || return 1; done &&
	copy=$(echo home.bad/*)/.sg_vault && blob=$(sgit-ls-tree -r --store "$copy" --key-file "$copy/local/vault_key" @ | sed -n 's/^blob \(obj[^\t]*\)\tsecrets\/b.json$/\1/p') && file=$copy/bare/data/$blob && test -s "$file" &&
	for trouble in 4 6; do
		chmod u+w "$file" && if [ $trouble = 4 ]; then printf x | dd of="$file" bs=1 seek=40 conv=notrunc status=none; else rm "$file"; fi &&
		test "$(sgit-vault get A text)" = 'hunter 2' && test_expect_status $trouble sgit-vault get B text 2>err && test_expect_status $trouble sgit-vault list >out 2>err && grep -q A out && grep -q "'b' is not listed" err &&
		sgit-vault status | grep -q '^2 secrets' || { cat err && return 1; }
	done
END

test_done
