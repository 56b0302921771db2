#!/bin/bash
# The fuzz targets can find faults, and find none in their corpus. Fuzz/run without an option does the fuzzing.
. "$(dirname "$0")/test-lib.sh"

targets=$(cd "$REPOSITORY/Fuzz/Targets" && echo *)
# shellcheck disable=SC2086
printf '%s\n' $targets >expected

test_expect_success 'every target finds the trap that is planted in it, and sees an overrun' - <<'END'
	"$REPOSITORY/Fuzz/run" --planted >found &&
	cut -d' ' -f1 found >actual &&
	cmp expected actual
END

test_expect_success 'no input of the corpus brings a fault about' - <<'END'
	"$REPOSITORY/Fuzz/run" --replay >replayed &&
	cut -d' ' -f1 replayed >actual &&
	cmp expected actual
END

test_expect_success 'the corpus of a target is less than 200 KB' - <<'END'
	for target in $targets
	do
		size=$(cat "$REPOSITORY/Fuzz/corpus/$target"/* | wc -c) &&
		test "$size" -gt 0 -a "$size" -lt 200000 || return 1
	done
END

test_done
