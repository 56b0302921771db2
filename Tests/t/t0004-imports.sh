#!/bin/bash
# Each target imports what Package.swift lists for it, and nothing else; the compiler's own check misses what
# comes in through another target.
. "$(dirname "$0")/test-lib.sh"

# Prints what is wrong with the imports under ROOT/Sources, given the description of its package.
cat >compare.py <<'PY'
import json
import os
import re
import sys

root, description = sys.argv[1:]
with open(description, encoding="utf-8") as file:
    package = json.load(file)

targets = {t["name"]: t for t in package["targets"] if t["type"] in ("regular", "executable")}
places = {}
for name, target in targets.items():
    places[os.path.normpath(os.path.join(root, target.get("path") or os.path.join("Sources", name)))] = name
line = re.compile(
    r"^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|fileprivate|private)\s+)?import\s+"
    r"(?:(?:struct|class|enum|protocol|typealias|func|let|var)\s+)?([A-Za-z_]\w*)")

wrong = []
imports = {name: set() for name in targets}
for folder, _, files in os.walk(os.path.join(root, "Sources")):
    for name in sorted(files):
        if not name.endswith(".swift"):
            continue
        path = os.path.join(folder, name)
        place = folder
        while place not in places and place != root:
            place = os.path.dirname(place)
        owner = places.get(place)
        if owner is None:
            wrong.append("%s belongs to no target" % path)
            continue
        with open(path, encoding="utf-8") as file:
            for text in file:
                found = line.match(text)
                if found:
                    imports[owner].add(found.group(1))
                    if found.group(1).startswith("Foundation"):
                        wrong.append("%s imports %s" % (path, found.group(1)))
                if re.match(r"\s*@(_exported|testable)\b", text):
                    wrong.append("%s: %s" % (path, text.strip()))

for name, target in targets.items():
    declared = set()
    for dependency in target["dependencies"]:
        declared.add((dependency.get("byName") or dependency.get("target"))[0])
    for module in sorted(imports[name] - declared - {"Glibc"}):
        wrong.append("%s imports %s, which Package.swift does not list for it" % (name, module))

if sum(map(len, imports.values())) == 0:
    wrong.append("no import found at all")
print("\n".join(wrong), end="\n" if wrong else "")
sys.exit(1 if wrong else 0)
PY

test_expect_success 'imports and declarations agree, and nothing imports Foundation' - <<'END'
	swift package --package-path "$REPOSITORY" dump-package >package.json &&
	"$PYTHON" -S compare.py "$REPOSITORY" package.json
END

test_expect_success 'the comparison finds an import that is not declared, and Foundation' - <<'END'
	mkdir -p house/Sources/Ground house/Sources/Tool &&
	echo 'package import Other' >house/Sources/Ground/Ground.swift &&
	printf '%s\n' 'import Ground' 'import struct FoundationEssentials.Data' >house/Sources/Tool/main.swift &&
	printf '%s' '{"targets": [{"name": "Ground", "type": "regular", "dependencies": []},
		{"name": "Tool", "type": "executable", "dependencies": [{"byName": ["Ground", null]}]}]}' >house.json &&
	test_expect_status 1 "$PYTHON" -S compare.py "$PWD/house" house.json >found &&
	grep 'Ground imports Other' found &&
	grep 'imports FoundationEssentials' found &&
	test_expect_status 1 grep 'Tool imports Ground' found
END

test_expect_success 'the comparison finds a file of no target' - <<'END'
	mkdir -p house/Sources/Stray && echo 'import Glibc' >house/Sources/Stray/Stray.swift &&
	test_expect_status 1 "$PYTHON" -S compare.py "$PWD/house" house.json >found &&
	grep 'Stray.swift belongs to no target' found
END

test_done
