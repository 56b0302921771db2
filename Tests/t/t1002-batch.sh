#!/bin/bash
# sgit-cat-object --batch and its kin: records, formats, framing and exit statuses.
. "$(dirname "$0")/test-lib.sh"

fixture linear && use linear linear.key || exit 1
blob=obj-cas-imm-59c84bc2decf empty=obj-cas-imm-4bd1313d65fa absent=obj-cas-imm-000000000000

test_expect_success 'a record is a header, the contents and one LF' - <<'END'
	printf '%s blob 22\n# Golden\n\nhello again\n\n%s blob 0\n\n' "$blob" "$empty" >expected &&
	printf '%s\n' "$blob" "$empty" | sgit-cat-object --batch >actual &&
	cmp expected actual
END

test_expect_success 'any object name is answered, with the full id in the record' - <<'END'
	printf '%s\n' @:README.md current~1^{tree}:README.md 59c84bc2 >in &&
	printf "$blob blob 22\n%.0s" 1 2 3 >expected &&
	sgit-cat-object --batch-check <in >actual &&
	cmp expected actual
END

test_expect_success 'an empty input gives no records and 0' - <<'END'
	sgit-cat-object --batch </dev/null >actual &&
	test ! -s actual
END

test_expect_success 'a last line without LF is a line' - <<'END'
	printf '%s' "$blob" | sgit-cat-object --batch-check >actual &&
	test "$(cat actual)" = "$blob blob 22"
END

test_expect_success 'missing is a record under the name that was asked, and ends with 0' - <<'END'
	printf '%s\n' "$absent" no-such-branch @:no/such/path "$blob" | sgit-cat-object --batch-check >actual &&
	printf '%s missing\nno-such-branch missing\n@:no/such/path missing\n%s blob 22\n' "$absent" "$blob" >expected &&
	cmp expected actual
END

test_expect_success 'ambiguous is a record, and ends with 0' - <<'END'
	lab >prefix <<-'PY' &&
		store, seen = Store("twins"), {}
		store.write_key_file("twins.key")
		while True:
		    name = store.blob(os.urandom(8))
		    prefix = name[len(OBJECT):][:4]
		    if prefix in seen:
		        break
		    seen[prefix] = name
		print(prefix, name)
	PY
	read -r prefix name <prefix &&
	printf '%s\n' "$prefix" "obj-cas-imm-$prefix" "$name" | sgit-cat-object --store twins --key-file twins.key --batch-check >actual &&
	printf '%s ambiguous\nobj-cas-imm-%s ambiguous\n%s blob 8\n' "$prefix" "$prefix" "$name" >expected &&
	cmp expected actual
END

test_expect_success 'damaged is a record, what follows is still answered, and the end is 4' - <<'END'
	cp -R linear harmed &&
	lab <<<'flip("harmed/bare/data/obj-cas-imm-28cef0f370ae", 13)' &&
	printf '%s\n' obj-cas-imm-28cef0f370ae "$blob" >in &&
	test_expect_status 4 sgit-cat-object --store harmed --batch-check <in >actual &&
	printf 'obj-cas-imm-28cef0f370ae damaged\n%s blob 22\n' "$blob" >expected &&
	cmp expected actual
END

test_expect_success 'sealed is a record and the end is 3' - <<'END'
	lab >sealed.id <<-'PY' &&
		other = Store("foreign", width=12)
		other.write_key_file("foreign.key")
		print(other.blob(b"of another vault"))
	PY
	cat sealed.id >in &&
	test_expect_status 3 sgit-cat-object --store foreign --batch-check <in >actual &&
	test "$(cat actual)" = "$(cat sealed.id) sealed"
END

test_expect_success '3 wins over 4' - <<'END'
	cp linear/bare/data/obj-cas-imm-28cef0f370ae foreign/bare/data/obj-cas-imm-ffffffffffff &&
	{ echo obj-cas-imm-ffffffffffff && cat sealed.id && echo obj-cas-imm-ffffffffffff; } >in &&
	test_expect_status 3 sgit-cat-object --store foreign --batch-check <in >actual &&
	printf 'obj-cas-imm-ffffffffffff damaged\n%s sealed\nobj-cas-imm-ffffffffffff damaged\n' "$(cat sealed.id)" >expected &&
	cmp expected actual
END

test_expect_success 'a seal that fails after another has opened is damage: damaged, 4' - <<'END'
	cp -R linear mixed &&
	cp foreign/bare/data/"$(cat sealed.id)" mixed/bare/data &&
	{ echo "$blob" && cat sealed.id; } >in &&
	test_expect_status 4 sgit-cat-object --store mixed --batch-check <in >actual &&
	printf '%s blob 22\n%s damaged\n' "$blob" "$(cat sealed.id)" >expected &&
	cmp expected actual
END

test_expect_success '-z takes NUL on the way in and gives NUL on the way out' - <<'END'
	lab <<-'PY' &&
		store = Store("odd", width=12)
		store.write_key_file("odd.key")
		store.branch("current", store.commit(store.tree([store.file("two\nlines", "odd\n")])))
		store.index()
		open("odd.blob", "w").write(next(store.walk(store.document(store.head(store.main_ref))["tree_id"]))[2]["blob_id"])
	PY
	printf '@:two\nlines\0@:no\nlines\0' >in &&
	printf '%s blob 4\0odd\n\0@:no\nlines missing\0' "$(cat odd.blob)" >expected &&
	sgit-cat-object --store odd --key-file odd.key --batch -z <in >actual &&
	cmp expected actual &&
	printf '%s blob 4\0@:no\nlines missing\0' "$(cat odd.blob)" >expected &&
	sgit-cat-object --store odd --key-file odd.key --batch-check -z <in >actual &&
	cmp expected actual
END

test_expect_success '--format knows its atoms, and %% is a percent sign' - <<'END'
	printf '%s\n' "$blob" >in &&
	printf '100%% %s blob 22 50 6866c1000401\n' "$blob" >expected &&
	sgit-cat-object --batch-check --format='100%% %(objectname) %(objecttype) %(objectsize) %(objectsize:disk) %(contenthash)' <in >actual &&
	cmp expected actual
END

test_expect_success 'with %(rest) the line is split at its first white space' - <<'END'
	printf '%s  and the rest\n%s\n%s\ttab\n' "$blob" "$blob" "$blob" >in &&
	sgit-cat-object --batch-check --format='%(objectsize)[%(rest)]' <in >actual &&
	sed 's/\[ */[/' actual >trimmed &&
	printf '22[and the rest]\n22[]\n22[tab]\n' >expected &&
	cmp expected trimmed
END

test_expect_success '--batch with a format puts the contents after each record' - <<'END'
	echo "$blob" | sgit-cat-object --batch --format='%(objecttype)' >actual &&
	printf 'blob\n# Golden\n\nhello again\n\n' >expected &&
	cmp expected actual
END

test_expect_success 'an unknown atom is a usage error' - <<'END'
	test_expect_status 129 sgit-cat-object --batch-check --format='%(nonsense)' </dev/null
END

test_expect_success '--batch-command: contents, info, flush' - <<'END'
	printf 'info %s\ncontents %s\nflush\ninfo %s\n' "$blob" "$blob" "$absent" | sgit-cat-object --batch-command >actual &&
	printf '%s blob 22\n%s blob 22\n# Golden\n\nhello again\n\n%s missing\n' "$blob" "$blob" "$absent" >expected &&
	cmp expected actual
END

test_expect_success '--batch-command -z takes NUL after each command' - <<'END'
	printf 'info %s\0contents %s\0' "$empty" "$empty" | sgit-cat-object --batch-command -z >actual &&
	printf '%s blob 0\0%s blob 0\0\0' "$empty" "$empty" >expected &&
	cmp expected actual
END

test_expect_success '--batch-command refuses any other line with 128' - <<'END'
	for bad in 'sing loud' info contents 'flush now' ''; do
		printf '%s\n' "$bad" >in &&
		test_expect_status 128 sgit-cat-object --batch-command <in 2>err &&
		grep -q '^sgit-cat-object: ' err || return 1
	done
END

test_expect_success '--batch-all-objects does not read stdin' - <<'END'
	mkfifo never-written &&
	exec 9<>never-written &&
	sgit-cat-object --batch-check --batch-all-objects <&9 >actual &&
	exec 9>&- &&
	test "$(wc -l <actual)" -eq "$(ls linear/bare/data | wc -l)"
END

test_expect_success '--batch-all-objects leaves out what is not named as an object' - <<'END'
	cp -R linear strange &&
	touch strange/bare/data/.obj-cas-imm-59c84bc2decf.sgtmp strange/bare/data/README strange/bare/data/obj-cas-imm-59C84BC2DECF &&
	sgit-cat-object --store strange --batch-check --batch-all-objects >actual &&
	sgit-cat-object --batch-check --batch-all-objects >expected &&
	cmp expected actual
END

test_expect_success 'a record is out before the next name is asked for' - <<'END'
	"$PYTHON" -S - "$blob" <<-'PY'
		import os, subprocess, sys
		for batch, ask in (("--batch-check", "%s\n"), ("--batch-command", "info %s\n")):
		    tool = subprocess.Popen(["sgit-cat-object", batch], stdin=subprocess.PIPE, stdout=subprocess.PIPE, pass_fds=(3,))
		    for _ in range(3):
		        tool.stdin.write((ask % sys.argv[1]).encode())
		        tool.stdin.flush()
		        assert tool.stdout.readline().decode() == f"{sys.argv[1]} blob 22\n"
		    tool.stdin.close()
		    assert tool.wait() == 0
	PY
END

test_expect_success '@ of every golden store goes from read-ref into --batch' - <<'END'
	for name in $GOLDEN; do
		{ test -d "$name" || fixture "$name"; } && use "$name" "$name.key" &&
		sgit-read-ref current | sgit-cat-object --batch >out &&
		head -n 1 out | grep -q ' commit ' || return 1
	done
END

test_done
