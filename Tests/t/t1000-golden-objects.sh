#!/bin/bash
# Every object of every store that the Python sgit wrote, read through sgit-cat-object.
. "$(dirname "$0")/test-lib.sh"

for name in $GOLDEN; do
	test_expect_success "$name: its files are at hand" - <<-'END'
		fixture "$name" &&
		use "$name" "$name.key" &&
		golden contents "$name" >contents &&
		cut -d' ' -f1 contents >ids
	END

	test_expect_success "$name: --batch gives kind, size and SHA-256 of every reachable object" - <<-'END'
		sgit-cat-object --batch <ids >stream &&
		golden records <stream >actual &&
		cmp contents actual
	END

	test_expect_success "$name: --batch-check gives the same without contents" - <<-'END'
		cut -d' ' -f1-3 contents >expected &&
		sgit-cat-object --batch-check <ids >actual &&
		cmp expected actual
	END

	test_expect_success "$name: the files of the head have the size, hash, media type and SHA-256 of vault.json" - <<-'END'
		golden head-files "$name" | sort >expected &&
		sgit-ls-tree -r -z --format='%(objectname) %(objectsize) %(contenthash) %(mediatype) @%(path)' @ >listed &&
		tr '\0' '\n' <listed | sort >rows &&
		cut -d' ' -f1 rows | sgit-cat-object --batch | golden records | cut -d' ' -f4 >hashes &&
		paste -d' ' rows hashes | sed 's/^\(.*\) @\(.*\) \([0-9a-f]*\)$/\1 \3 \2/' | sort >actual &&
		cmp expected actual
	END

	test_expect_success "$name: -p, -t, -s and -e of every commit" - <<-'END'
		golden commits "$name" >commits &&
		while read -r id; do
			golden pretty "$name" "$id" >expected &&
			sgit-cat-object -p "$id" >actual &&
			cmp expected actual &&
			test "$(sgit-cat-object -t "$id")" = commit &&
			test "$(sgit-cat-object -s "$id")" = "$(grep "^$id " contents | cut -d' ' -f3)" &&
			sgit-cat-object -e "$id" >actual &&
			test ! -s actual || return 1
		done <commits
	END

	test_expect_success "$name: --json of every commit" - <<-'END'
		golden commit-json "$name" >expected &&
		while read -r id; do
			sgit-cat-object --json "$id" || return 1
		done <commits >actual &&
		golden same-json expected actual
	END

	test_expect_success "$name: --batch-all-objects names every file of the store, in order of id" - <<-'END'
		LC_ALL=C ls "$name/bare/data" >expected &&
		sgit-cat-object --batch-check --batch-all-objects >records &&
		cut -d' ' -f1 records >actual &&
		cmp expected actual
	END
done

test_done
