#!/bin/bash
# sgit-update-ref: what must hold before a ref moves, transactions, and two who want the same.
. "$(dirname "$0")/test-lib.sh"

export XDG_RUNTIME_DIR=$TRASH/run
mkdir -m 700 run

still() { # every file of a store, with all that a write would change
	find "$1/bare" -type f -printf '%P %i %m %s %T@ %C@\n' | sort
}

# refused STATUS COMMAND…: ends with this status, says why, and nothing has moved
refused() {
	still s >before && test_expect_status "$@" >out 2>err && test -s err && still s >after && cmp before after
}

# moves REF TO COMMAND…: a success without a word, after which REF holds TO
moves() {
	local ref=$1 to=$2
	shift 2
	"$@" >out 2>err && test ! -s out && test ! -s err && sgit-read-ref "$ref" >held && echo "$to" | cmp - held
}

# fresh: the store s once more: c1 - c2 - c3 - c4, and d2 - d3 from c1; refs as in the table below
fresh() {
	rm -rf s && cp -R seed s
}

lab >facts <<'END' || exit 1
store = Store("seed", width=12)
store.write_key_file("s.key")
tree = store.tree_of({"f": b"x"})
c1 = store.commit(tree, message="1")
c2, d2 = store.commit(tree, [c1], message="2"), store.commit(tree, [c1], message="d2")
c3, d3 = store.commit(tree, [c2], message="3"), store.commit(tree, [d2], message="d3")
c4, merge = store.commit(tree, [c3], message="4"), store.commit(tree, [d3, c3], message="merge")
store.branch("current", c2)
store.branch("other", c1, ref_id="ref-pid-muw-00000000000b")
store.branch("empty", None, ref_id="ref-pid-muw-00000000000c")
store.branch("local", c2, kind="clone", ref_id=store.local_ref)
store.branch("none", "", ref_id="ref-pid-muw-00000000000d")
store.index()
names = dict(c1=c1, c2=c2, c3=c3, c4=c4, d2=d2, d3=d3, merge=merge, tree=tree, blob=store.blob("x"), main=store.main_ref, local=store.local_ref,
             absent="obj-cas-imm-0123456789ab", index=store.index_id)
print("".join(f"{name}={value}\n" for name, value in names.items()))
END
# shellcheck disable=SC1091
. ./facts
fresh && use s s.key || exit 1
zeros=obj-cas-imm-000000000000

test_expect_success 'a move along the history needs no old value, by every name of a ref' - <<'END'
	moves current "$c3" sgit-update-ref @ "$c3" && moves current "$c4" sgit-update-ref current "$c4" && fresh &&
	moves current "$c3" sgit-update-ref "$main" "$c3" && moves "$main" "$c4" sgit-update-ref "$(sgit-branch-index --branch current | cut -d' ' -f2)" "$c4" &&
	moves "$local" "$c3" sgit-update-ref local "$c3" && moves other "$merge" sgit-update-ref other "$merge" && fresh
END

test_expect_success 'what is written is a ref as sgit writes it, sealed anew each time' - <<'END'
	moves @ "$c3" sgit-update-ref @ "$c3" && cp "s/bare/refs/$main" once && fresh && moves @ "$c3" sgit-update-ref @ "$c3" && ! cmp -s once "s/bare/refs/$main" &&
	test "$(stat -c %s "s/bare/refs/$main")" -eq 69 && lab "$main" "$c3" <<-'PY'
		store = Store.at("s", "s.key")
		assert store.read(sys.argv[1]) == stored_json({"commit_id": sys.argv[2]})
	PY
END

test_expect_success 'the new commit may have any name of a commit' - <<'END'
	fresh && moves @ "$c3" sgit-update-ref @ "$c4~1" && moves @ "$c4" sgit-update-ref @ "${c4%????}" && moves other "$c4" sgit-update-ref other current &&
	moves empty "$c3" sgit-update-ref empty @~1
END

test_expect_success 'with the old value a ref moves anywhere' - <<'END'
	fresh && moves @ "$d3" sgit-update-ref @ "$d3" "$c2" && moves @ "$c1" sgit-update-ref @ "$c1" "$d3" && moves other "$d2" sgit-update-ref other "$d2" "$c1"
END

test_expect_success 'a value that is not the expected one is 5, and nothing moves' - <<'END'
	fresh && for old in "$c1" "$c3" "$d3" "$absent" "$zeros"; do
		refused 5 sgit-update-ref @ "$c3" "$old" && test ! -s out || return 1
	done && refused 5 sgit-update-ref empty "$c1" "$c1" && refused 5 sgit-update-ref @ "$c2" "$c1"
END

test_expect_success 'without the old value a move off the history is 5, with a hint to give it' - <<'END'
	fresh && for new in "$c1" "$d2" "$d3"; do
		refused 5 sgit-update-ref @ "$new" && grep -q '^hint: ' err || return 1
	done
END

test_expect_success 'zeros of any width, with or without the prefix, are no commit' - <<'END'
	for old in 0 0000000 000000000000 00000000000000000000000000000000 0000000000000000000000000000000000000000 \
		0000000000000000000000000000000000000000000000000000000000000000 "$zeros" obj-cas-imm-00000000000000000000000000000000 obj-cas-imm-0; do
		fresh && moves empty "$c1" sgit-update-ref empty "$c1" "$old" && moves none "$c1" sgit-update-ref none "$c1" "$old" &&
		refused 5 sgit-update-ref empty "$c2" "$old" && refused 5 sgit-update-ref @ "$c3" "$old" || return 1
	done
END

test_expect_success 'a branch without a commit takes any' - <<'END'
	fresh && moves empty "$d3" sgit-update-ref empty "$d3" && moves none "$c4" sgit-update-ref none "$c4"
END

test_expect_success 'a ref is never removed: a new value of zeros is a usage error' - <<'END'
	fresh && for new in 0 000000000000 "$zeros" 0000000000000000000000000000000000000000; do
		refused 129 sgit-update-ref @ "$new" && refused 129 sgit-update-ref @ "$new" "$c2" || return 1
	done
END

test_expect_success 'a commit that is absent is 6, an object of another kind 128, a damaged one 4' - <<'END'
	fresh && refused 6 sgit-update-ref @ "$absent" "$c2" && grep -q "$absent" err && refused 6 sgit-update-ref @ no-such-name && refused 6 sgit-update-ref empty "$absent" &&
	refused 128 sgit-update-ref @ "$tree" "$c2" && refused 128 sgit-update-ref @ "$blob" "$c2" && refused 128 sgit-update-ref empty '@^{tree}' &&
	lab <<<"flip('s/bare/data/$c3', 30)" && refused 4 sgit-update-ref @ "$c3" "$c2" && grep -q "$c3" err && fresh
END

test_expect_success 'an unknown branch is 6, and a name is never a path' - <<'END'
	fresh && for ref in nothing branch-named-00000000000000ff ref-pid-muw-XYZ ../refs/x "refs/$main" "$c2" idx-pid-muw-000000000000; do
		refused 6 sgit-update-ref "$ref" "$c3" || { echo "$ref" && return 1; }
	done
END

test_expect_success 'a ref that is named by its id need not be in the index' - <<'END'
	fresh && moves ref-pid-snw-0123456789ab "$c1" sgit-update-ref ref-pid-snw-0123456789ab "$c1" 0 && refused 5 sgit-update-ref ref-pid-snw-0123456789ab "$c2" 0
END

test_expect_success 'a ref that does not open is 4 and stays, whatever is expected' - <<'END'
	fresh && for harm in 'flip(path, 40)' 'os.truncate(path, 0)' 'os.truncate(path, 60)' 'open(path, "w").write(chr(123) + chr(125))'; do
		fresh && lab <<<"path = 's/bare/refs/$main'; $harm" && refused 4 sgit-update-ref @ "$c3" && grep -q "$main" err && refused 4 sgit-update-ref @ "$c3" "$c2" &&
		refused 4 sgit-update-ref @ "$c3" 0 && refused 4 sgit-update-ref "$main" "$c2" || return 1
	done && fresh
END

test_expect_success 'what the ref holds already is not written again' - <<'END'
	fresh && still s >before && moves @ "$c2" sgit-update-ref @ "$c2" && moves @ "$c2" sgit-update-ref @ "$c2" "$c2" && moves @ "$c2" sgit-update-ref local @ &&
	echo "update current $c2" >in && moves @ "$c2" sgit-update-ref --stdin <in && still s >after && cmp before after
END

test_expect_success 'a replaced file keeps its mode; a new one has 0644 less the umask' - <<'END'
	for mode in 600 640 644 664 666; do
		fresh && chmod $mode "s/bare/refs/$main" && (umask 077 && sgit-update-ref @ "$c3") && test "$(stat -c %a "s/bare/refs/$main")" = $mode || return 1
	done &&
	for pair in 000:644 022:644 027:640 077:600; do
		fresh && (umask "${pair%:*}" && sgit-update-ref empty "$c3") && test "$(stat -c %a s/bare/refs/ref-pid-muw-00000000000c)" = "${pair#*:}" || return 1
	done
END

test_expect_success 'a store that needs a newer tool is 8' - <<'END'
	for gate in 'min_client="0.27.0"' 'min_client="99.0.0"' 'format=3'; do
		fresh && lab <<-PY && refused 8 sgit-update-ref @ "$c3" "$c2" && echo "update current $c3" >in && refused 8 sgit-update-ref --stdin <in || return 1
			store = Store.at("s", "s.key")
			store.index({**store.document(store.index_id), **dict($gate)})
		PY
	done && fresh
END

test_expect_success 'a wrong key, and the right one under another vault id, are 3; no key is 7' - <<'END'
	fresh && key_file wrong.key "sgit_private_read_$(printf '%064d' 7):lab00001\n" && key_file elsewhere.key "$(sed 's/:.*/:elsewhere1/' s.key)\n" &&
	for key in wrong elsewhere; do
		for ref in @ current "$main"; do refused 3 sgit-update-ref --key-file $key.key "$ref" "$c3" "$c2" || return 1; done
	done && refused 7 env -u SGIT_KEY_FD sgit-update-ref @ "$c3"
END

test_expect_success 'a damaged index is 4' - <<'END'
	fresh && lab <<<"flip('s/bare/indexes/$index', 50)" && refused 4 sgit-update-ref @ "$c3" && refused 4 sgit-update-ref "$main" "$c3" "$c2" && fresh
END

test_expect_success 'a call of another form is a usage error' - <<'END'
	fresh && refused 129 sgit-update-ref && refused 129 sgit-update-ref @ && refused 129 sgit-update-ref @ "$c3" "$c2" "$c1" && refused 129 sgit-update-ref --stdin @ &&
	refused 129 sgit-update-ref -d @
END

# batch LINES…: a transaction of these lines
batch() {
	printf '%s\n' "$@" >in && sgit-update-ref --stdin <in
}

# batch_z FIELDS…: the same with -z
batch_z() {
	printf '%s\0' "$@" >in && sgit-update-ref --stdin -z <in
}

test_expect_success 'all verbs, with one space between fields, are one transaction up to the end of input' - <<'END'
	fresh && batch "verify local $c2" "update @ $c3 $c2" "update other $c2" "create empty $c1" 'verify none' >out 2>err && test ! -s out && test ! -s err &&
	test "$(sgit-read-ref @)" = "$c3" && test "$(sgit-read-ref other)" = "$c2" && test "$(sgit-read-ref empty)" = "$c1"
END

test_expect_success 'the same with -z' - <<'END'
	fresh && batch_z 'verify local' "$c2" 'update @' "$c3" "$c2" 'update other' "$c2" '' 'create empty' "$c1" 'verify none' '' >out 2>err &&
	test ! -s out && test ! -s err && test "$(sgit-read-ref @)" = "$c3" && test "$(sgit-read-ref other)" = "$c2" && test "$(sgit-read-ref empty)" = "$c1"
END

test_expect_success 'start, prepare, commit and abort are answered, and a commit moves the refs' - <<'END'
	fresh && batch start "update @ $c3" prepare commit >actual 2>err && test ! -s err && printf 'start: ok\nprepare: ok\ncommit: ok\n' >expected && cmp expected actual &&
	test "$(sgit-read-ref @)" = "$c3" && batch start "update @ $c4" commit >actual && printf 'start: ok\ncommit: ok\n' >expected && cmp expected actual &&
	test "$(sgit-read-ref @)" = "$c4" && fresh &&
	batch_z start 'update @' "$c3" '' prepare commit >actual && printf 'start: ok\0prepare: ok\0commit: ok\0' >expected && cmp expected actual && test "$(sgit-read-ref @)" = "$c3"
END

test_expect_success 'an abort, and an end of input after start or prepare, move nothing and are no failure' - <<'END'
	fresh && still s >before && batch start "update @ $c3" abort >actual && printf 'start: ok\nabort: ok\n' >expected && cmp expected actual &&
	batch start "update @ $c3" prepare abort >actual && printf 'start: ok\nprepare: ok\nabort: ok\n' >expected && cmp expected actual &&
	batch start "update @ $c3" >actual && echo 'start: ok' >expected && cmp expected actual &&
	batch start "update @ $c3" prepare >actual && printf 'start: ok\nprepare: ok\n' >expected && cmp expected actual &&
	batch_z start 'update @' "$c3" '' abort >actual && printf 'start: ok\0abort: ok\0' >expected && cmp expected actual &&
	sgit-update-ref --stdin </dev/null >actual && test ! -s actual && batch start >actual && still s >after && cmp before after
END

test_expect_success 'one transaction may follow another in one call' - <<'END'
	fresh && batch start "update @ $c3" commit start "update @ $c4 $c3" commit >actual && test "$(grep -c ': ok$' actual)" -eq 4 && test "$(sgit-read-ref @)" = "$c4"
END

test_expect_success 'one line that does not hold, and none of them moves' - <<'END'
	fresh && refused 5 batch "update @ $c3 $c2" "create empty $c1" "update other $c2 $c3" && refused 5 batch "update @ $c3 $c2" "create empty $c1" "create other $c2" &&
	refused 5 batch "update @ $c3 $c2" "create empty $c1" "verify other $c2" && refused 5 batch "update @ $c3 $c2" "create empty $c1" 'verify other' &&
	refused 5 batch "update @ $c3 $c2" "update other $c2" "update local $d3" && refused 5 batch "verify other $c2" && refused 5 batch 'verify @' &&
	refused 6 batch "update @ $c3 $c2" "update other $absent $c1" && refused 6 batch "update @ $c3 $c2" "update nothing $c2" &&
	refused 128 batch "update @ $c3 $c2" "update other $tree $c1" && lab <<<"flip('s/bare/refs/ref-pid-muw-00000000000b', 40)" &&
	refused 4 batch "update @ $c3 $c2" "update other $c2" && fresh &&
	refused 5 batch_z 'update @' "$c3" "$c2" 'create other' "$c1" && refused 5 batch_z 'update @' "$c3" "$c2" 'verify other' "$c2" && refused 5 batch_z 'update @' "$c3" "$c2" 'verify other' ''
END

test_expect_success 'with start the same holds, and no commit is answered' - <<'END'
	fresh && refused 5 batch start "update @ $c3 $c2" "update other $c2 $c3" commit && ! grep -q 'commit: ok' out &&
	refused 5 batch start "update @ $c3 $c2" "update other $c2 $c3" prepare commit && ! grep -q -e 'prepare: ok' -e 'commit: ok' out
END

test_expect_success 'one ref twice is 128, however it is named' - <<'END'
	fresh && refused 128 batch "update @ $c3 $c2" "update @ $c3 $c2" && refused 128 batch "update @ $c3" "update current $c4" && refused 128 batch "update $main $c3" "update @ $c4" &&
	refused 128 batch "create empty $c1" "update ref-pid-muw-00000000000c $c1" && refused 128 batch "update $(sgit-branch-index --branch other | cut -d' ' -f2) $c2" "update other $c2" &&
	refused 128 batch_z 'update @' "$c3" '' 'update current' "$c3" ''
END

test_expect_success 'an unknown command or a line of another form is 128, and nothing moves' - <<'END'
	fresh && while IFS= read -r line; do
		line=${line//@C/$c2} && refused 128 batch "update @ $c3 $c2" "$line" || { echo "$line" && return 1; }
	done <<-'ROWS'

		update
		update other
		update  other @C
		update other  @C
		 update other @C
		update other @C @C @C
		update	other	@C
		Update other @C
		create
		create empty
		create empty @C @C
		verify
		verify other @C @C
		delete other @C
		delete other
		symref-update other @
		option no-deref
		frobnicate
		start now
		commit now
	ROWS
END

test_expect_success 'with -z too, and input that ends in the middle of a command is 128' - <<'END'
	fresh && refused 128 batch_z 'update @' "$c3" "$c2" 'frobnicate' && refused 128 batch_z 'update @' "$c3" "$c2" 'update' "$c2" '' &&
	refused 128 batch_z 'update @' "$c3" "$c2" 'delete other' "$c1" && refused 128 batch_z 'update @' "$c3" "$c2" 'update other' &&
	refused 128 batch_z 'update @' "$c3" "$c2" 'update other' "$c2" && refused 128 batch_z 'update @' "$c3" "$c2" 'create empty' &&
	refused 128 batch_z 'update @' "$c3" "$c2" 'verify other'
END

test_expect_success 'a new value of zeros is refused in a transaction as well' - <<'END'
	fresh && still s >before && status=0 && { batch "update @ 0 $c2" >out 2>err || status=$?; } && test "$status" -eq 128 -o "$status" -eq 129 && still s >after && cmp before after
END

test_expect_success 'answers come at once; a prepared transaction keeps others waiting and readers reading; a killed one keeps nobody' - <<'END'
	fresh && lab "$c2" "$c3" "$c4" <<-'PY'
		import subprocess, time
		c2, c3, c4 = sys.argv[1:]
		def talk():
		    return subprocess.Popen(["sgit-update-ref", "--stdin"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, pass_fds=(3,), bufsize=0)
		def say(tool, text, answer):
		    tool.stdin.write(text.encode())
		    assert tool.stdout.readline().decode() == answer + "\n"
		first = talk()
		say(first, "start\n", "start: ok")
		say(first, f"update @ {c3} {c2}\nprepare\n", "prepare: ok")
		second = subprocess.Popen(["sgit-update-ref", "@", c4, c2], stderr=subprocess.PIPE, pass_fds=(3,))
		time.sleep(0.4)
		assert second.poll() is None, "it did not wait"
		assert subprocess.run(["sgit-read-ref", "@"], capture_output=True, timeout=10, pass_fds=(3,)).stdout.decode() == c2 + "\n"
		say(first, "commit\n", "commit: ok")
		first.stdin.close()
		assert first.wait(10) == 0 and second.wait(10) == 5, second.returncode
		third = talk()
		say(third, "start\n", "start: ok")
		say(third, f"update @ {c4}\nprepare\n", "prepare: ok")
		third.kill()
		third.wait()
		subprocess.run(["sgit-update-ref", "@", c4, c3], check=True, timeout=10, pass_fds=(3,))
	PY
END

test_expect_success 'of two that move one ref from one value exactly one wins, a hundred times' - <<'END'
	fresh && lab "$main" "$c2" "$c3" "$d3" <<-'PY'
		import subprocess
		main, old, *new = sys.argv[1:]
		store = Store.at("s", "s.key")
		for turn in range(100):
		    store.ref(main, old)
		    racers = [subprocess.Popen(["sgit-update-ref", "current", name, old], stderr=subprocess.PIPE, pass_fds=(3,)) for name in (new if turn % 2 else new[::-1])]
		    said = [racer.communicate()[1] for racer in racers]
		    ends = [racer.returncode for racer in racers]
		    assert sorted(ends) == [0, 5], (turn, ends, said)
		    assert store.head(main) == (new if turn % 2 else new[::-1])[ends.index(0)], turn
	PY
END

test_expect_success 'of many that each create one ref exactly one wins, and transactions in two orders do not lock each other out' - <<'END'
	fresh && lab "$c1" "$c2" "$c3" "$d2" "$d3" "$c4" <<-'PY'
		import subprocess
		commits = sys.argv[1:]
		racers = [subprocess.Popen(["sgit-update-ref", "empty", name, "0"], stderr=subprocess.PIPE, pass_fds=(3,)) for name in commits]
		ends = [racer.wait(60) for racer in racers]
		assert sorted(ends) == [0] + [5] * (len(commits) - 1), ends
		store = Store.at("s", "s.key")
		assert store.head("ref-pid-muw-00000000000c") == commits[ends.index(0)]
		c1, c2, c3 = commits[:3]
		for turn in range(10):
		    open("in1", "w").write(f"update @ {c3}\nupdate local {c3}\n")
		    open("in2", "w").write(f"update local {c3}\nupdate @ {c3}\n")
		    store.ref(store.main_ref, c2), store.ref(store.local_ref, c2)
		    racers = [subprocess.Popen(["sgit-update-ref", "--stdin"], stdin=open(name), pass_fds=(3,)) for name in ("in1", "in2")]
		    assert [racer.wait(60) for racer in racers] == [0, 0]
		    assert store.head(store.main_ref) == store.head(store.local_ref) == c3
	PY
END

test_expect_success 'where the file system refuses to hold a folder, a file elsewhere is held, and the store gets none' - <<'END'
	for error in EOPNOTSUPP ENOLCK; do
		fresh && ls -A s/bare >before && moves @ "$c3" strace -f -qq -o calls -e trace=flock -e inject=flock:error=$error:when=1 sgit-update-ref @ "$c3" &&
		grep -q INJECTED calls && ls -A s/bare >after && cmp before after || return 1
	done && rm -rf run/sgit
END

test_expect_success 'no hold and no temporary file is left anywhere' - <<'END'
	test ! -e run/sgit && lab <<-'PY'
		store = Store.at("s", "s.key")
		assert not store.strangers() and store.check(), store.strangers()
		assert sorted(os.listdir(store.bare)) == ["data", "indexes", "keys", "refs"]
	PY
END

test_done
