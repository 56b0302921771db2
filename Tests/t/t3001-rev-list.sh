#!/bin/bash
# sgit-rev-list: which commits, in which order.
. "$(dirname "$0")/test-lib.sh"

#	    A1--A2
#	   /      \
#	O-P        M--T        X      (a root of its own)
#	   \      /
#	    B-----
#	     \
#	      S
lab >names <<'END'
store = Store("g")
store.write_key_file("g.key")
made = {}
def commit(name, *parents, files=None):
    tree = store.tree_of({path: data.encode() for path, data in (files or {"f": "same"}).items()}) if name != "O" else store.tree()
    made[name] = store.commit(tree, [made[p] for p in parents], name, time=1_700_000_000_000 - len(made))
commit("O")
commit("P", "O", files={"f": "p", "d/e": "p"})
commit("A1", "P", files={"f": "p", "d/e": "a"})
commit("A2", "A1")
commit("B", "P")
commit("S", "B")
commit("M", "A2", "B")
commit("T", "M")
commit("X")
store.branch("current", made["T"])
store.branch("side", made["S"])
store.branch("other", made["X"])
store.ref(store.branch("empty", None)["head_ref_id"], None)
store.index()
for name, commit_id in made.items():
    print(f"{name}={commit_id}")
END
# shellcheck source=/dev/null
. ./names && use g g.key || exit 1

# said OPTIONS… : the letters of the commits that rev-list names, in order.
said() {
	sgit-rev-list "$@" >raw || return
	sed -f letters.sed raw | tr '\n' ' ' | sed 's/ $//'
}
sed 's/\(.*\)=\(.*\)/s\/\2\/\1\/g/' names >letters.sed

# gives 'LETTERS' OPTIONS…
gives() {
	local expected=$1 actual
	shift
	actual=$(said "$@") && test "$actual" = "$expected" && return
	echo "rev-list $*: $actual, not $expected" >&7
	return 1
}

test_expect_success 'breadth-first from the heads, in the order of the operands, each commit once' - <<'END'
	gives 'T M A2 B A1 P O' @ &&
	gives 'B A1 P O' "$B" "$A1" &&
	gives 'A1 B P O' "$A1" "$B" &&
	gives 'S T B M P A2 O A1' side current &&
	gives 'B P O' "$B" "$B" side~1 &&
	gives 'X' other
END

test_expect_success 'the order does not follow the clocks, which here run backwards' - <<'END'
	gives 'O X' "$O" "$X" && gives 'X O' "$X" "$O"
END

test_expect_success '^C leaves out what C reaches, wherever it stands among the operands' - <<'END'
	gives 'T M A2 A1' @ "^$B" &&
	gives 'T M A2 A1' ^side @ &&
	gives '' @ ^@ &&
	gives 'T M A2 B A1 P O' @ ^other
END

test_expect_success 'A..B is what B has and A has not; an empty side is @' - <<'END'
	gives 'T M A2 A1' "$B..@" && gives 'T M A2 A1' side.. && gives 'S' ..side && gives '' @..@ && gives 'S' "$M..$S"
END

test_expect_success 'A...B is what one has and the other has not' - <<'END'
	gives 'T S M A2 A1' @...side && gives 'S T M A2 A1' side... && gives 'A1 B' "$A1...$B" && gives '' @...@
END

test_expect_success '--first-parent follows the first parent only' - <<'END'
	gives 'T M A2 A1 P O' --first-parent @
END

test_expect_success '-n ends the list after so many, and 0 is none' - <<'END'
	gives 'T M A2' -n 3 @ && gives 'T M A2' -n3 @ && gives '' -n 0 @ && gives 'T M A2 B A1 P O' -n 100 @
END

test_expect_success '--count is a number alone' - <<'END'
	test "$(sgit-rev-list --count @)" = 7 && test "$(sgit-rev-list --count @ ^@)" = 0 && test "$(sgit-rev-list --count --all)" = 9
END

test_expect_success '--parents adds the parents, in stored order' - <<'END'
	sgit-rev-list --parents -n 2 @ >actual && printf '%s %s\n%s %s %s\n' "$T" "$M" "$M" "$A2" "$B" >expected && cmp expected actual &&
	sgit-rev-list --parents "$O" >actual && echo "$O" | cmp - actual
END

test_expect_success '--topo-order puts no commit before all of its children' - <<'END'
	lab <<-'PY'
		import subprocess
		for operands in (["@"], ["--all"], ["side", "@"], ["@", "side", "other"], ["@", "^side"]):
		    run = subprocess.run(["sgit-rev-list", "--topo-order", "--parents", *operands], capture_output=True, check=True, pass_fds=(3,), text=True)
		    rows = [row.split() for row in run.stdout.splitlines()]
		    at = {row[0]: number for number, row in enumerate(rows)}
		    plain = subprocess.run(["sgit-rev-list", *operands], capture_output=True, check=True, pass_fds=(3,), text=True).stdout.split()
		    assert sorted(at) == sorted(plain), operands
		    assert all(at[row[0]] < at[parent] for row in rows for parent in row[1:] if parent in at), (operands, rows)
	PY
END

test_expect_success 'a shape on which breadth-first is no topological order shows the difference' - <<'END'
	lab >shortcut <<-'PY' &&
		store = Store("g")
		tree = store.tree()
		o = store.commit(tree, message="o")
		a = store.commit(tree, [o], "a")
		b = store.commit(tree, [a], "b")
		print(store.commit(tree, [o, b], "top"), o, b, a)
	PY
	read -r top o b a <shortcut &&
	sgit-rev-list "$top" >actual && printf '%s\n' "$top" "$o" "$b" "$a" | cmp - actual &&
	sgit-rev-list --topo-order "$top" >actual && printf '%s\n' "$top" "$b" "$a" "$o" | cmp - actual
END

test_expect_success '--all takes the heads of all branches in index order, and an empty branch has none' - <<'END'
	gives 'T S X M B A2 P A1 O' --all &&
	gives 'S X' --all ^@
END

test_expect_success '--all does not pass over a named branch whose ref is lost; a clone branch may lack its ref' - <<'END'
	fixture branches && fixture linear && use branches branches.key && sgit-rev-list --all >actual && test -s actual &&
	rm linear/bare/refs/* && use linear linear.key && test_expect_status 6 sgit-rev-list --all >out 2>err &&
	test ! -s out && grep -q "'current' has no ref" err &&
	printf -- '- ref-pid-muw-63e78e60d215\tcurrent\n- ref-pid-snw-64135d8709de\tlocal\n' >expected &&
	sgit-read-ref --all >actual && cmp expected actual &&
	use g g.key
END

test_expect_success '--stdin reads revisions, exclusions and ranges from stdin, with -z ended by NUL' - <<'END'
	printf '%s\n' @ ^side >in && gives 'T M A2 A1' --stdin <in &&
	echo "$B..@" >in && gives 'T M A2 A1' --stdin <in &&
	printf '@\0^side\0' >in && sgit-rev-list --stdin -z <in | tr '\0' '\n' >actual && printf '%s\n' "$T" "$M" "$A2" "$A1" | cmp - actual &&
	echo ^side >in && gives 'T M A2 A1' --stdin @ <in &&
	gives '' --stdin </dev/null
END

test_expect_success '--json of commits, and of the objects with --objects' - <<'END'
	sgit-rev-list --json -n 1 @ >actual &&
	printf '{"id":"%s","tree":"%s","parents":["%s"],"branch":"branch-clone-00000000000000cc","key":null,"time":"2023-11-14T22:13:19.993Z","message":"T"}\n' \
		"$T" "$(sgit-cat-object --batch-check --format='%(objectname)' <<<'@^{tree}')" "$M" >expected &&
	golden same-json expected actual &&
	sgit-rev-list --objects "$A1" ^"$P" >rows && sgit-rev-list --objects --json "$A1" ^"$P" >actual &&
	lab <<-'PY'
		rows = [row.rstrip("\n").split("\t") for row in open("rows")]
		shown = [json.loads(row, object_pairs_hook=list) for row in open("actual")]
		assert len(rows) == len(shown)
		for row, members in zip(rows[1:], shown[1:]):
		    assert members[0] == ("id", row[0]) and members[2] == ("path", row[1]) and members[1] in (("kind", "tree"), ("kind", "blob")), members
	PY
END

test_expect_success '--objects leaves out what the excluded commits reach, and has each object once' - <<'END'
	sgit-rev-list --objects "$A1" ^"$P" | tail -n +2 | cut -f2 >actual &&
	lab <<-'PY' &&
		store = Store("g")
		names = dict(row.strip().split("=") for row in open("names"))
		before = {entry["blob_id"] or entry["tree_id"] for _, _, entry in store.walk(store.document(names["P"])["tree_id"])}
		after = {path: entry["blob_id"] or entry["tree_id"] for path, _, entry in store.walk(store.document(names["A1"])["tree_id"])}
		open("expected", "w").writelines(["\n"] + [path + "\n" for path, name in after.items() if name not in before])
	PY
	LC_ALL=C sort actual >sorted && LC_ALL=C sort expected | cmp - sorted &&
	sgit-rev-list --objects --all | cut -f1 >ids && sort ids | uniq -d >twice && test ! -s twice
END

test_expect_success '--objects quotes odd paths, and with -z does not' - <<'END'
	lab >odd.id <<<'store = Store("g"); print(store.commit(store.tree([store.file("tab\t", "1")])))' &&
	sgit-rev-list --objects "$(cat odd.id)" | tail -n 1 | cut -f2 >actual && echo '"tab\t"' | cmp - actual &&
	sgit-rev-list --objects -z "$(cat odd.id)" | tr '\0' '\n' | tail -n 1 | cut -f2- >actual && printf 'tab\t\n' | cmp - actual
END

test_expect_success 'blobs are not needed for --objects' - <<'END'
	cp -R g no-blobs && lab <<-'PY' &&
		store = Store("g")
		for _, kind, entry in store.walk(store.document(store.head(store.main_ref))["tree_id"]):
		    kind == "blob" and os.remove("no-blobs/bare/data/" + entry["blob_id"])
	PY
	sgit-rev-list --objects -n 1 @ >expected && sgit-rev-list --store no-blobs --missing=allow-any --objects -n 1 @ >actual && test -s actual
END

test_expect_success 'a missing parent is 6 and named; allow-any goes on, print shows it as ?id' - <<'END'
	cp -R g shallow && rm "shallow/bare/data/$A1" &&
	test_expect_status 6 sgit-rev-list --store shallow @ 2>err >out && grep -q "$A1" err &&
	test_expect_status 6 sgit-rev-list --store shallow --missing=error @ 2>err >out &&
	gives 'T M A2 B P O' --store shallow --missing=allow-any @ &&
	sgit-rev-list --store shallow --missing=print @ >raw && sed -f letters.sed raw | LC_ALL=C sort | tr '\n' ' ' >actual &&
	printf '?A1 A2 B M O P T ' | cmp - actual
END

test_expect_success 'a missing tree is 6 with --objects only, and is printed as ?id' - <<'END'
	tree=$(sgit-cat-object --batch-check --format='%(objectname)' <<<"$A1:d") &&
	cp -R g holed && rm "holed/bare/data/$tree" &&
	gives 'A1 P O' --store holed "$A1" &&
	test_expect_status 6 sgit-rev-list --store holed --objects "$A1" 2>err >out && grep -q "$tree" err &&
	sgit-rev-list --store holed --objects --missing=print "$A1" >actual && grep -q "^?$tree" actual &&
	sgit-rev-list --store holed --objects --missing=allow-any "$A1" >actual && ! grep -q "?" actual
END

test_expect_success 'a name that is not there is 6, whatever --missing says' - <<'END'
	test_expect_status 6 sgit-rev-list no-such-branch && test_expect_status 6 sgit-rev-list --missing=allow-any no-such-branch &&
	test_expect_status 6 sgit-rev-list @ ^no-such-branch && test_expect_status 6 sgit-rev-list @..no-such-branch
END

test_expect_success 'a branch with no commits names nothing: 6' - <<'END'
	test_expect_status 6 sgit-rev-list empty
END

test_expect_success 'a chain of 20,000 commits is walked in every order without overflowing anything' - <<'END'
	lab >tip <<-'PY' &&
		store = Store("chain")
		store.write_key_file("chain.key")
		tree, commit = store.tree([store.file("f", "1")]), None
		for _ in range(20_000):
		    commit = store.commit(tree, [commit] if commit else [])
		store.branch("current", commit)
		store.index()
		print(commit)
	PY
	use chain chain.key &&
	test "$(sgit-rev-list --count @)" -eq 20000 &&
	test "$(sgit-rev-list --topo-order @ | wc -l)" -eq 20000 &&
	test "$(sgit-rev-list --first-parent @ | tail -n 1)" = "$(sgit-cat-object --batch-check --format='%(objectname)' <<<@~19999)" &&
	test "$(sgit-rev-list --objects @ | wc -l)" -eq 20002 &&
	test "$(sgit-rev-list --count "@~10000..@")" -eq 10000 &&
	test "$(sgit-rev-list --count "@~19999...@")" -eq 19999 &&
	rm -r chain
END

test_done
