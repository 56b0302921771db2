#!/bin/bash
# The three real shells offer the options that -h lists, all of them and no others.
. "$(dirname "$0")/test-lib.sh"

for tool in $TOOLS; do
	test_expect_success "$tool: -h lists options, among them the common ones" - <<-'END'
		"$PYTHON" -S "$TEST_DIRECTORY/completions.py" help "$tool" >listed &&
		grep -qx -e --version listed && grep -qx -e --help listed && grep -qx -e -h listed && ! grep -q generate listed
	END

	for shell in bash zsh fish; do
		case $shell in
		bash) file=$REPOSITORY/completions/bash/$tool ;;
		zsh) file=$REPOSITORY/completions/zsh/_$tool ;;
		fish) file=$REPOSITORY/completions/fish/$tool.fish ;;
		esac
		test_expect_success "$tool: $shell offers what -h lists" - <<-'END'
			"$PYTHON" -S "$TEST_DIRECTORY/completions.py" "$shell" "$tool" "$file" >offered && diff listed offered
		END
	done
done

test_done
