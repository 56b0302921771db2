#!/bin/bash
# sgit-ls-tree: records, options, quoting.
. "$(dirname "$0")/test-lib.sh"

for name in $GOLDEN; do
	test_expect_success "$name: every tree, plain, with -l, -r, -r -t, -d, -r -d, -z and --json" - <<-'END'
		{ test -d "$name" || fixture "$name"; } && use "$name" "$name.key" &&
		head=$(golden commits "$name" | head -n 1) && tree=$(sgit-cat-object -p "$head" | sed -n 's/^tree //p') &&
		for options in '' -l -r '-r -t' -d '-r -d' '-r -t -l' '-r -z' '-z -l' '-r -t --json'; do
			# shellcheck disable=SC2086
			golden tree-lines "$name" "$tree" $options >expected &&
			sgit-ls-tree $options "$tree" >actual &&
			if [ "${options%--json}" = "$options" ]; then cmp expected actual; else golden same-json expected actual; fi || return 1
			sgit-ls-tree $options "$head" >by-commit && cmp actual by-commit || return 1
		done
	END

	test_expect_success "$name: the folders of every commit have the tree ids of vault.json" - <<-'END'
		lab "$name" <<-'PY'
			import subprocess
			facts = json.load(open(sys.argv[1] + "/vault.json", encoding="utf-8"))
			for commit in facts["commits"]:
			    rows = subprocess.run(["sgit-ls-tree", "-r", "-t", "-z", commit["id"]], capture_output=True, check=True, pass_fds=(3,)).stdout
			    rows = [row.split("\t", 1) for row in rows.decode().split("\0") if row]
			    folders = {path: what.split()[1] for what, path in rows if what.startswith("tree")}
			    files = {path: what.split()[1] for what, path in rows if what.startswith("blob")}
			    assert folders == {path: tree for path, tree in commit["trees"].items() if path}, commit["id"]
			    assert files == commit["files"], commit["id"]
		PY
	END
done

test_expect_success 'odd names are quoted as git quotes them, and not at all with -z' - <<'END'
	lab >ids <<-'PY' &&
		names = ["plain", "sp ace", "tab\t", "new\nline", 'quo"te', "back\\slash", "\x01\x07\x08\x0b\x0c\r\x1f", "\x7f", "caf\u00e9", "\U0001f680", "'", "#", "*?"]
		store = Store("odd")
		store.write_key_file("odd.key")
		entries = [store.file(name, "x") for name in names]
		tree = store.tree([store.folder("f\n", store.tree(entries))])
		print(tree)
		quoted = [f'f\n/{name}' for name in names]
		open("expected", "w").write("".join(quote(path) + "\n" for path in quoted))
		open("expected.z", "wb").write("".join(path + "\0" for path in quoted).encode())
		open("expected.own", "w").write('plain\nsp ace\n"tab\\t"\n"new\\nline"\n"quo\\"te"\n"back\\\\slash"\n"\\001\\a\\b\\v\\f\\r\\037"\n"\\177"\n"caf\\303\\251"\n"\\360\\237\\232\\200"\n' + "'\n#\n*?\n")
		print(store.tree(entries))
	PY
	{ read -r nested && read -r flat; } <ids && use odd odd.key &&
	sgit-ls-tree -r --name-only "$nested" >actual && cmp expected actual &&
	sgit-ls-tree -r --name-only -z "$nested" >actual && cmp expected.z actual &&
	sgit-ls-tree --name-only "$flat" >actual && cmp expected.own actual &&
	sgit-ls-tree --format='%(path)' "$flat" >actual && cmp expected.own actual
END

test_expect_success 'git itself quotes the same way' - <<'END'
	command -v git >where &&
	git init -q git-store && printf x >git-store/file && (
		cd git-store && blob=$(git hash-object -w file) &&
		sgit-ls-tree --name-only -z --store ../odd "$flat" >names &&
		while IFS= read -r -d '' name; do printf '100644 blob %s\t%s\0' "$blob" "$name"; done <names | git mktree -z >tree &&
		git -c core.quotePath=true ls-tree --name-only "$(cat tree)" | sort >expected &&
		sgit-ls-tree --name-only --store ../odd "$flat" | sort >actual && cmp expected actual
	)
END

test_expect_success '--format knows its atoms, %% and %xNN, and ends each record with LF' - <<'END'
	use linear linear.key &&
	sgit-ls-tree --format='%(objecttype)%x09%(objectname) 100%% %(objectsize)|%(contenthash)|%(mediatype)|%(large)|%(path)%x0a' @:docs >actual &&
	printf 'blob\tobj-cas-imm-6b4bba1db936 100%% 9|f154cbe37a88|text/plain|false|"caf\\303\\251 menu.txt"\n\n' >expected &&
	head -n 2 actual | cmp expected - &&
	sgit-ls-tree --format='%(objectname) %(objectsize) %(contenthash) %(mediatype)' @ | tail -n 1 >actual &&
	echo 'obj-cas-imm-2c8171f85285 - - -' >expected && cmp expected actual
END

test_expect_success '%x00 in a format is a NUL, and -z ends records with one' - <<'END'
	sgit-ls-tree -z --format='%(path)%x00%(objectsize)' @:z >actual &&
	printf 'z\0001\000' >expected && cmp expected actual
END

test_expect_success 'an unknown atom or escape is a usage error before anything is printed' - <<'END'
	for format in '%(nonsense)' '%(path' '%xg0' '%x1' '%' '%q'; do
		test_expect_status 129 sgit-ls-tree --format="$format" @ >out && test ! -s out || return 1
	done
END

test_expect_success 'large is what the entry says' - <<'END'
	lab >large.id <<-'PY' &&
		store = Store("large")
		store.write_key_file("large.key")
		print(store.tree([store.file("big", bytes(4_194_304 + 1), large=True), store.file("small", "x")]))
	PY
	sgit-ls-tree --store large --key-file large.key --format='%(large) %(objectsize) %(path)' "$(cat large.id)" >actual &&
	printf 'true 4194305 big\nfalse 1 small\n' >expected && cmp expected actual
END

test_expect_success 'a tree below that is absent: 6 with -r, named; without -r it is not looked at' - <<'END'
	rm linear/bare/data/obj-cas-imm-ac921bbd27b4 &&
	sgit-ls-tree @ >actual &&
	test_expect_status 6 sgit-ls-tree -r @ 2>err && grep -q obj-cas-imm-ac921bbd27b4 err
END

test_expect_success 'blobs are not needed to list a tree' - <<'END'
	fixture linear && sgit-ls-tree -r -l @ >expected &&
	rm linear/bare/data/obj-cas-imm-88c05c3a06e3 && sgit-ls-tree -r -l @ >actual && cmp expected actual
END

test_done
