"""What pages.sh needs to look at printed pages: pictures, the commands on a page, and a person who types them."""
import html.parser
import os
import pty
import re
import select
import signal
import sys
import time

BLOCKS = {" ": (0, 0), "▀": (1, 0), "▄": (0, 1), "█": (1, 1)}


def is_picture(line):
    return re.fullmatch(r"(\x1b\[[0-9;]*m)?[ ▀▄█]{20,}(\x1b\[[0-9;]*m)?", line) is not None


def draw(lines, name, ink, ground, size=4):
    """Draws lines of half blocks as a terminal of these two shades does, which follows black on bright white if told so."""
    rows = []
    for line in lines:
        upper, lower, colours = [], [], (ink, ground)
        for code, letter in re.findall(r"\x1b\[([0-9;]*)m|(.)", line):
            if not letter:
                assert code in ("30;107", "0"), code
                colours = (0, 255) if code == "30;107" else (ink, ground)
                continue
            for row, is_ink in zip((upper, lower), BLOCKS[letter]):
                row.append(colours[0] if is_ink else colours[1])
        rows += [upper, lower]
    # What stands around the picture is the terminal's own ground.
    width = max(map(len, rows)) + 8
    rows = [[ground] * 4 + row + [ground] * (width - 4 - len(row)) for row in rows]
    rows = [[ground] * width] * 4 + rows + [[ground] * width] * 4
    with open(name, "wb") as file:
        file.write(b"P5 %d %d 255\n" % (width * size, len(rows) * size))
        for row in rows:
            file.write(bytes(shade for shade in row for _ in range(size)) * size)


def picture(text):
    lines = [line for line in text.replace("\r", "").split("\n") if is_picture(line)]
    assert lines, "no picture in half blocks"
    return lines


class Commands(html.parser.HTMLParser):
    """The numbered commands of a page in HTML: what stands as <pre> in its list."""

    def __init__(self, text):
        super().__init__()
        self.steps, self.depth, self.on = [], 0, False
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.depth += tag == "ol"
        if tag == "pre" and self.depth:
            self.on = True
            self.steps.append("")

    def handle_endtag(self, tag):
        self.depth -= tag == "ol"
        self.on = self.on and tag != "pre"

    def handle_data(self, data):
        if self.on:
            self.steps[-1] += data


def steps_of_html(text):
    return [step.split("\n") for step in Commands(text).steps]


def steps_of_text(text):
    steps = []
    for line in text.split("\n"):
        if re.match(r"[1-9]  \S", line):
            steps.append([])
        elif steps and line.startswith("      "):
            steps[-1].append(line[6:])
    return steps


class Shell:
    """A person at a shell that knows nothing but where programs are."""

    PROMPTS = ("ready> ", "more> ")

    def __init__(self, folder, path):
        self.seen = ""
        self.child, self.line = pty.fork()
        if self.child == 0:
            os.chdir(folder)
            os.execve("/bin/sh", ["sh"], {"PATH": path, "HOME": folder, "LC_ALL": "C.UTF-8", "TERM": "dumb", "PS1": "ready> ", "PS2": "more> "})
        self.wait(self.PROMPTS)

    def wait(self, ends, seconds=60):
        """What comes until it ends with one of these, or the program is gone."""
        new, end = b"", time.monotonic() + seconds
        while not any(new.endswith(text.encode()) for text in ends):
            assert select.select([self.line], [], [], max(0, end - time.monotonic()))[0], f"nothing more after {self.seen!r} {new!r}"
            try:
                piece = os.read(self.line, 65536)
            except OSError:
                piece = b""
            if not piece:
                break
            new += piece
        new = new.decode().replace("\r", "")
        self.seen += new
        return new

    def type(self, text, ends=PROMPTS):
        os.write(self.line, text.encode())
        return self.wait(ends)

    def end(self):
        os.kill(self.child, signal.SIGKILL)
        os.waitpid(self.child, 0)


def content(name):
    with open(name, encoding="utf-8") as file:
        return file.read()


def on_a_terminal(*command):
    """What a command shows on its terminal."""
    child, line = pty.fork()
    if child == 0:
        os.execvp(command[0], command)
    seen, end = b"", time.monotonic() + 60
    while select.select([line], [], [], max(0, end - time.monotonic()))[0]:
        try:
            piece = os.read(line, 65536)
        except OSError:
            break
        if not piece:
            break
        seen += piece
    else:
        os.kill(child, signal.SIGKILL)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert status == 0, (status, seen)
    return seen.decode()
