#!/bin/bash
# The printed page as a person has it: on a screen, on paper, on a terminal; its QR code read by a reader, its steps typed.
# Needs chromium, zbar-tools and poppler-utils. Without them the tests fail.
. "$(dirname "$0")/test-lib.sh"

export SGIT_HOME=$TRASH/home
key_file pw 'correct horse battery staple\n'
printf 'Buy flour.\n' >shopping.txt && printf '{"title":"Bank"}' >bank.json || exit 1
page() {
	sgit-vault lock print --vault my.sgvault --secret-file code "$@"
}
look() {
	{ echo 'from pagelab import *' && cat; } | "$PYTHON" -S - "$@"
}

# chrome ARGUMENT…: without a network, in a folder of its own; when the time is over all of its processes go.
own=(--net --pid --fork --kill-child=KILL --mount-proc)
[ "$(id -u)" -eq 0 ] || own=(--user --map-root-user "${own[@]}")
chrome() {
	timeout -k 5 90 unshare "${own[@]}" chromium --headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run \
		--disable-background-networking --disable-component-update --disable-sync --user-data-dir="$TRASH/chromium" "$@"
}

test_expect_success 'a vault with a recovery code, and its pages' - <<'END'
	sgit-vault init my.sgvault --recovery-code-file code --passphrase-file pw &&
	sgit-vault put --vault my.sgvault shopping.txt shopping.txt && sgit-vault put --vault my.sgvault 'secrets/my bank.json' bank.json &&
	test "$(wc -l <code)" -eq 1 && code=$(cat code) && test ${#code} -eq 34 &&
	for paper in a4 letter; do page -o $paper.html --html --paper $paper || return 1; done &&
	page -o page.txt && test "$(stat -c %a a4.html letter.html page.txt | sort -u)" = 600
END
code=$(cat code)
lock=$(sgit-unpack --locks my.sgvault | jq -r '.lock | select(.kind == "recovery-code").id')
vault=$(sgit-unpack --header my.sgvault | sed -n 's/^vault //p')

# ---------------------------------------------------------------- paper

for paper in a4:594.9,841.9 letter:612,792; do
	size=${paper#*:} paper=${paper%:*}

	test_expect_success "$paper: one sheet of the right size, with a browser's own headers switched on" - <<-'END'
		chrome --print-to-pdf="$TRASH/$paper.pdf" "file://$TRASH/$paper.html" && pdfinfo $paper.pdf >info && cat info && grep -Eq '^Pages: +1$' info &&
		sed -n 's/^Page size: *\([0-9.]*\) x \([0-9.]*\) pts.*/\1 \2/p' info |
			awk -v size="$size" '{ split(size, s, ","); near = ($1 - s[1]) ^ 2 < 1 && ($2 - s[2]) ^ 2 < 1 } END { exit !near }'
	END

	test_expect_success "$paper: the text on the sheet has the code in its groups, the facts, and no name of a file or machine" - <<-'END'
		pdftotext -layout $paper.pdf text && tr -s ' \n' ' ' <text >words && cat text &&
		first=$(echo "$code" | cut -d- -f1-4 | tr - ' ') && last=$(echo "$code" | cut -d- -f5-7 | tr - ' ') &&
		grep -qF " $first " words && grep -qF " $last " words && grep -qF "$lock" words && grep -qF "$vault" words &&
		grep -Eq 'Fingerprint ([0-9a-f]{4} ){4}' words && grep -qF 'sgit-vault recover FILE' words && grep -q 'Kept at:' words && grep -q 'Opened last:' words &&
		! grep -F -e file: -e "$TRASH" -e .html -e "$(uname -n)" words
	END

	test_expect_success "$paper: a reader finds the code, also where the printer was a poor one; the square is at least 30 mm" - <<-'END'
		for dots in 60 100 300; do
			pdftoppm -r $dots -gray $paper.pdf $paper.$dots && zbarimg -q --raw $paper.$dots-1.pgm >read && cat read && cmp code read || { echo "$dots" && return 1; }
		done &&
		look $paper.300-1.pgm <<-'PY'
			# Between the rule under the title and the words below, nothing but the square is dark in the left third.
			with open(sys.argv[1], "rb") as file:
			    assert file.readline() == b"P5\n"
			    width, height = map(int, file.readline().split())
			    assert file.readline() == b"255\n"
			    shades = file.read()
			assert 2478 <= width <= 2482 or width == 2550, width
			dark = [(x, y) for y in range(330, 870) for x in range(660) if shades[y * width + x] < 128]
			wide, high = ((max(side) + 1 - min(side)) / 300 * 25.4 for side in zip(*dark))
			print(wide, high)
			assert abs(wide - high) < 0.3 and wide >= 30, (wide, high)
		PY
	END
done

# ---------------------------------------------------------------- screen

for theme in light dark; do
	darkening=()
	[ "$theme" = light ] || darkening=(--force-dark-mode --enable-features=WebContentsForceDark)
	test_expect_success "a screen of $theme colours, with a browser that makes all pages so: black on white, and a reader finds the code" - <<-'END'
		chrome "${darkening[@]}" --window-size=1000,1300 --screenshot="$TRASH/screen.png" "file://$TRASH/a4.html" && zbarimg -q --raw screen.png >read && cmp code read &&
		"$PYTHON" -S - screen.png <<-'PY'
			import struct, sys, zlib
			data = open(sys.argv[1], "rb").read()
			width, height, depth, kind = struct.unpack(">IIBB", data[16:26])
			assert depth == 8 and kind in (2, 6), (depth, kind)
			place, packed = 8, b""
			while place < len(data):
			    length, name = struct.unpack(">I4s", data[place:place + 8])
			    packed += data[place + 8:place + 8 + length] if name == b"IDAT" else b""
			    place += 12 + length
			# Of the first pixel every filter keeps the value.
			assert zlib.decompress(packed)[1:4] == b"\xff\xff\xff"
		PY
	END
done

test_expect_success 'a browser that darkens pages prints it black on white' - <<'END'
	chrome --enable-features=WebContentsForceDark --print-to-pdf="$TRASH/dark.pdf" "file://$TRASH/a4.html" && pdftoppm -r 100 -gray dark.pdf dark && zbarimg -q --raw dark-1.pgm >read && cmp code read &&
	test "$(tail -c +17 dark-1.pgm | head -c 1 | od -An -tu1 | tr -d ' ')" = 255
END

test_expect_success 'the page asks for nothing: no script, no address, nothing from elsewhere' - <<'END'
	for paper in a4 letter; do ! grep -iE '://|<script|<link|<img|url\(|@import| (src|href)=' $paper.html || return 1; done
END

# ---------------------------------------------------------------- text

test_expect_success 'the text has the code once in letters, in 72 columns, and its picture is read when it is ink' - <<'END'
	test "$(grep -cF "$code" page.txt)" -eq 1 && ! grep -E '.{73}' <(sed 's/\x1b\[[0-9;]*m//g' page.txt) &&
	echo 'draw(picture(content("page.txt")), "ink.pgm", 0, 255)' | look && zbarimg -q --raw ink.pgm >read && cmp code read
END

test_expect_success 'on a terminal, dark or light, the picture is read' - <<'END'
	look <<-'PY' &&
		seen = on_a_terminal("sgit-vault", "lock", "print", "--vault", "my.sgvault", "--secret-file", "code")
		assert content("code").strip() in seen, seen
		draw(picture(seen), "dark.pgm", 255, 0)
		draw(picture(seen), "light.pgm", 0, 255)
	PY
	for ground in dark light; do zbarimg -q --raw $ground.pgm >read && cmp code read || return 1; done
END

# ---------------------------------------------------------------- the steps

test_expect_success 'the four steps are the same on all pages' - <<'END'
	look <<-'PY'
		steps = steps_of_text(content("page.txt"))
		assert len(steps) == 4 and all(steps), steps
		assert steps == steps_of_html(content("a4.html")) == steps_of_html(content("letter.html"))
	PY
END

cat >type.py <<'END'
from pagelab import *
folder, name, typed = sys.argv[1:]
steps = (steps_of_html if name.endswith(".html") else steps_of_text)(content(name))
shell, said = Shell(folder, os.environ["PATH"]), []
for step in steps:
    said.append("")
    for command in step:
        if "cat >typed" in command:
            shell.type(command + "\n", ["\n"])
            shell.type(typed + "\n", ["\n"])
            said[-1] += shell.type("\x04")
        else:
            said[-1] += shell.type(command + "\n")
one = re.search(r"sgit-cat-object -p '@:NAME' (>|&gt;)copy", content(name).replace("&#39;", "'"))
cleaning = re.search(r"rm -r [a-z ]+", content(name)).group()
assert one, "no command for one file"
shell.type(one.group().replace("&gt;", ">").replace("NAME", "secrets/my bank.json") + "\n")
shell.type("exit\n")
with open("left", "w") as file:
    file.write("\n".join(sorted(os.listdir(folder))))
shell.type(cleaning.strip() + "\n")
shell.end()
for number, words in enumerate(said, 1):
    print(f"---- {number}\n{words}")
END

for name in page.txt a4.html; do
	test_expect_success "the steps of $name, typed as they stand on a machine that has never seen the vault, with a slip in the code" - <<-'END'
		rm -rf new && mkdir new && cp my.sgvault new &&
		right=$(echo "$code" | cut -c2) && if test "$right" = 7; then wrong=8; else wrong=7; fi &&
		slip=$(echo "$code" | sed "s/^\(.\)./\1$wrong/" | tr 'A-Z01-' 'a-zol ') &&
		"$PYTHON" -S type.py "$TRASH/new" $name "$slip" >said && cat said &&
		grep -qx 'This page is for this file.' said && grep -qF "character 2 should be $right" said &&
		test "$(grep -cx shopping.txt said)" -eq 2 && test "$(grep -cx 'secrets/my bank.json' said)" -eq 2 &&
		grep -qx 'Buy flour.' said && grep -qx '{"title":"Bank"}' said && ! grep -E '^sgit-[a-z-]+: cannot|not found|hint:' said &&
		cmp bank.json new/copy && test "$(tr '\n' ' ' <left)" = 'code copy lock my.sgvault out typed' && test "$(ls new | tr '\n' ' ')" = 'copy my.sgvault '
	END
done

test_expect_success 'the first step says nothing of a file that the page is not for' - <<'END'
	sgit-vault init other.sgvault --recovery-code-file other.code && rm -rf new && mkdir new && cp other.sgvault new/my.sgvault &&
	look "$TRASH/new" <<-'PY'
		shell = Shell(sys.argv[1], os.environ["PATH"])
		said = "".join(shell.type(command + "\n") for command in steps_of_text(content("page.txt"))[0])
		shell.end()
		assert "\nThis page" not in said, said
	PY
END

test_done
