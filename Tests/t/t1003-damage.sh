#!/bin/bash
# A flipped byte is damage, another key is the wrong key, a file that is not there is absence: three statuses, never mixed up.
. "$(dirname "$0")/test-lib.sh"

fixture linear && fixture tags && use linear linear.key || exit 1
head=obj-cas-imm-1f9c063df47a

test_expect_success 'every single flipped bit position of a small object is 4, and the object is named' - <<'END'
	lab <<-'PY'
		import subprocess
		store, facts = Store.of_fixture("linear")
		for name, step in (("obj-cas-imm-28cef0f370ae", 1), (facts["head"], 17), (facts["commits"][0]["tree_id"], 397),
		                   ("obj-cas-imm-88c05c3a06e3", 99_991)):
		    sound = store.stored(name)
		    kind = subprocess.run(["sgit-cat-object", "-t", name], capture_output=True, check=True, pass_fds=(3,)).stdout
		    for position in [*range(0, len(sound), step), len(sound) - 1]:
		        flip(store.path(name), position, 1 << position % 8)
		        run = subprocess.run(["sgit-cat-object", "--raw", name], capture_output=True, pass_fds=(3,))
		        assert run.returncode == 4 and not run.stdout and name.encode() in run.stderr, (name, position, run)
		        store.write(name, sound)
	PY
END

test_expect_success 'so is every form that reads it, a dropped byte and an added one' - <<'END'
	cp "linear/bare/data/$head" sound &&
	for harm in 'flip(path, 40)' 'os.truncate(path, os.path.getsize(path) - 1)' 'open(path, "ab").write(b"x")' 'os.truncate(path, 0)'; do
		lab <<<"path = 'linear/bare/data/$head'; $harm" &&
		for form in -p -t -s -e --raw --json --header; do
			test_expect_status 4 sgit-cat-object "$form" "$head" >out 2>err &&
			test ! -s out && grep -q "$head" err || return 1
		done &&
		for tool in sgit-ls-tree sgit-rev-list sgit-verify-commit sgit-diff-tree\ @~1; do
			# shellcheck disable=SC2086
			test_expect_status 4 $tool "$head" >out 2>err && grep -q "$head" err || return 1
		done &&
		cp sound "linear/bare/data/$head" || return 1
	done
END

test_expect_success 'damage is said as damage: neither a wrong key nor a password is spoken of' - <<'END'
	lab <<<"flip('linear/bare/data/$head', 40)" &&
	test_expect_status 4 sgit-cat-object -p "$head" 2>err && cp sound "linear/bare/data/$head" &&
	! grep -qi -e 'password' -e 'wrong key' -e 'key does not fit' err
END

test_expect_success 'a damaged tree below a sound commit is 4 and is the one named' - <<'END'
	tree=obj-cas-imm-ac921bbd27b4 && cp "linear/bare/data/$tree" sound-tree &&
	lab <<<"flip('linear/bare/data/$tree', 100)" &&
	for tool in sgit-ls-tree\ -r sgit-rev-list\ --objects; do
		# shellcheck disable=SC2086
		test_expect_status 4 $tool @ 2>err && grep -q "$tree" err || return 1
	done &&
	cp sound-tree "linear/bare/data/$tree"
END

test_expect_success 'the right object with the wrong key is 3' - <<'END'
	for form in -p -t -s --raw --json; do
		test_expect_status 3 sgit-cat-object --key-file tags.key "$form" "$head" >out 2>err && test ! -s out && test -s err || return 1
	done &&
	test_expect_status 3 sgit-ls-tree --key-file tags.key "$head" &&
	test_expect_status 3 sgit-rev-list --key-file tags.key "$head" &&
	test_expect_status 3 sgit-verify-commit --key-file tags.key "$head"
END

test_expect_success 'the wrong key on a damaged object is damage: the name is checked before the seal' - <<'END'
	lab <<<"flip('linear/bare/data/$head', 40)" &&
	test_expect_status 4 sgit-cat-object --key-file tags.key -p "$head" && cp sound "linear/bare/data/$head"
END

test_expect_success 'the wrong key on a whole store is 3, not "no such ref"' - <<'END'
	for command in 'sgit-read-ref current' 'sgit-read-ref --all' 'sgit-read-ref @' sgit-branch-index 'sgit-rev-list @' \
		'sgit-rev-list --all' 'sgit-ls-tree @' 'sgit-cat-object -p current' 'sgit-diff-tree @~1 @' 'sgit-verify-commit @'; do
		# shellcheck disable=SC2086
		test_expect_status 3 $command --key-file tags.key >out 2>err && test ! -s out && test -s err || return 1
	done
END

test_expect_success 'so is the right key under another vault id' - <<'END'
	key_file elsewhere.key "$(sed 's/:.*/:elsewhere1/' linear.key)\n" &&
	for command in 'sgit-read-ref current' 'sgit-read-ref --all' sgit-branch-index 'sgit-rev-list @' 'sgit-rev-list --all' 'sgit-ls-tree @'; do
		# shellcheck disable=SC2086
		test_expect_status 3 $command --key-file elsewhere.key >out 2>err && test ! -s out && test -s err || return 1
	done
END

test_expect_success 'an object is read by its full id with the right key, whatever the vault id says' - <<'END'
	sgit-cat-object --key-file elsewhere.key -t "$head" >actual && test "$(cat actual)" = commit
END

test_expect_success 'a ref that was altered is 4' - <<'END'
	ref=ref-pid-muw-63e78e60d215 && cp "linear/bare/refs/$ref" sound-ref &&
	for position in 0 20 68; do
		lab <<<"flip('linear/bare/refs/$ref', $position)" &&
		test_expect_status 4 sgit-read-ref current 2>err && grep -q "$ref" err &&
		test_expect_status 4 sgit-read-ref --all && test_expect_status 4 sgit-rev-list @ &&
		cp sound-ref "linear/bare/refs/$ref" || return 1
	done
END

test_expect_success 'a branch index that was altered is 4 everywhere: nothing falls back to a store without one (FORMAT 4)' - <<'END'
	index=idx-pid-muw-98664118dc2f && cp "linear/bare/indexes/$index" sound-index &&
	lab <<<"flip('linear/bare/indexes/$index', 50)" &&
	for command in 'sgit-read-ref current' 'sgit-read-ref --all' sgit-branch-index 'sgit-rev-list --all' 'sgit-ls-tree @'; do
		# shellcheck disable=SC2086
		test_expect_status 4 $command >out 2>err && test ! -s out && grep -q "$index" err || return 1
	done && cp sound-index "linear/bare/indexes/$index"
END

test_expect_success 'a public key file that was altered is 4, not an absent key' - <<'END'
	key=key-rnd-imm-611c0d6ccfd9ea96 && cp "linear/bare/keys/$key" sound-key &&
	lab <<<"flip('linear/bare/keys/$key', 50)" &&
	test_expect_status 4 sgit-verify-commit @ 2>err && grep -q "$key" err && cp sound-key "linear/bare/keys/$key"
END

test_expect_success 'no object is ever believed at another width: an id of 12 digits and one of 32 name the same bytes (FORMAT 4)' - <<'END'
	lab >long <<-PY &&
		envelope = open("linear/bare/data/$head", "rb").read()
		print(object_id(envelope, 32))
		open("linear/bare/data/" + object_id(envelope, 32), "wb").write(envelope)
		harmed = object_id(envelope, 32)[:-1] + ("0" if object_id(envelope, 32)[-1] != "0" else "1")
		open("linear/bare/data/" + harmed, "wb").write(envelope)
		print(harmed)
	PY
	{ read -r long && read -r harmed; } <long &&
	test "$(sgit-cat-object -t "$long")" = commit &&
	test_expect_status 4 sgit-cat-object -t "$harmed" &&
	rm "linear/bare/data/$long" "linear/bare/data/$harmed"
END

test_expect_success 'an id outside the grammar is never a path (FORMAT 2)' - <<'END'
	printf secret >linear/bare/data/secret && printf secret >obj-cas-imm-secret &&
	for name in obj-cas-imm-../secret ../data/secret obj-cas-imm-1F9C063DF47A obj-cas-imm-1f9c063df47a0 \
		"$head/" "./$head" obj-cas-imm- obj-cas-imm-1f9; do
		for form in --sealed -p; do
			status=0 && { sgit-cat-object "$form" "$name" >out 2>err || status=$?; } &&
			test ! -s out && test "$status" -eq 6 -o "$status" -eq 128 || { echo "$name: $status" && return 1; }
		done
	done
END

test_done
