#!/bin/bash
# The three real shells offer the options that -h lists, and the commands, all of them and no others.
. "$(dirname "$0")/test-lib.sh"

# offers TOOL [COMMAND]: for each shell a test that it offers what the help lists; `?` for a word of it: what may stand there.
offers() {
	local shell file
	for shell in bash zsh fish; do
		case $shell in
		bash) file=$REPOSITORY/completions/bash/$1 ;;
		zsh) file=$REPOSITORY/completions/zsh/_$1 ;;
		fish) file=$REPOSITORY/completions/fish/$1.fish ;;
		esac
		asked=("$shell" "$1" "$file" "${@:2}")
		test_expect_success "$*: $shell offers what -h lists" - <<-'END'
			"$PYTHON" -S "$TEST_DIRECTORY/completions.py" "${asked[@]}" >offered && diff listed offered
		END
	done
}

for tool in $TOOLS; do
	test_expect_success "$tool: -h lists options, among them the common ones" - <<-'END'
		"$PYTHON" -S "$TEST_DIRECTORY/completions.py" help "$tool" >listed &&
		grep -qx -e --version listed && grep -qx -e --help listed && grep -qx -e -h listed && ! grep -q generate listed
	END
	offers "$tool"

	commands=$("$PYTHON" -S "$TEST_DIRECTORY/completions.py" help "$tool" '*')
	[ -n "$commands" ] || continue
	while read -r place; do
		"$PYTHON" -S "$TEST_DIRECTORY/completions.py" help "$tool" "$place" >listed
		offers "$tool" "$place"
	done < <(echo "$commands" | awk 'NF == 2 { print $1, "?" } END { print "?" }' | sort -u)
	while read -r command; do
		"$PYTHON" -S "$TEST_DIRECTORY/completions.py" help "$tool" "$command" >listed
		offers "$tool" "$command"
	done <<<"$commands"
done

test_done
