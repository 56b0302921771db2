#!/bin/bash
# The history of every store that the Python sgit wrote.
. "$(dirname "$0")/test-lib.sh"

for name in $GOLDEN; do
	test_expect_success "$name: commits, parents and counts, breadth-first from the heads" - <<-'END'
		fixture "$name" && use "$name" "$name.key" &&
		golden commits "$name" >expected && sgit-rev-list --all >actual && cmp expected actual &&
		golden parents "$name" >expected && sgit-rev-list --all --parents >actual && cmp expected actual &&
		sgit-rev-list --all --count >actual && wc -l <expected | tr -d ' ' | cmp - actual &&
		sgit-rev-list --all -z | tr '\0' '\n' >actual && cut -d' ' -f1 expected | cmp - actual
	END

	test_expect_success "$name: messages, times, keys and branches, as JSON" - <<-'END'
		golden history-json "$name" >expected &&
		sgit-rev-list --all --json >actual && golden same-json expected actual
	END

	test_expect_success "$name: --objects names everything reachable once, trees before what they hold" - <<-'END'
		sgit-rev-list --all --objects >listed &&
		golden reached "$name" >expected && cut -f1 listed | sort >actual && cmp expected actual &&
		golden check-objects "$name" listed
	END
done

test_done
