#!/usr/bin/env python3
"""A program at a terminal of its own, with somebody who reads the screen and types.

    session.py [--timeout SECONDS] SCRIPT COMMAND [ARGUMENT...]

SCRIPT has a line for each thing that is waited for: a regular expression, a tab, and what is then typed, with Enter after it.
The screen is printed, and the status is that of the command (128 and the number of the signal where one ended it).

As a module:

    with Session("sgit-vault", "init", "my.sgvault") as person:
        person.expect("Passphrase: ")
        person.enter("correct horse")
        ...
        person.finish()
    person.status, person.screen, person.raw

The terminal has a session leader that is neither the program nor the test, as a shell would be: so the terminal outlives the
program, and how it was left can be looked at (`before` and `after` are its attributes).
"""
import fcntl
import os
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time

HANG_UP = object()
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b[@-Z\\-_]|\x07")
COLUMNS = 400


class NotSeen(AssertionError):
    """What was waited for did not come."""


class Session:
    """A command at a terminal. With `pipes` only /dev/tty is the terminal: stdin is empty, stdout and stderr are `out` and `err`."""

    def __init__(self, *command, pipes=False, env=None, cwd=None, fds=(), timeout=30):
        self.command, self.timeout = command, timeout
        self.raw, self.out, self.err, self.at = b"", b"", b"", 0
        self.status = self.after = None
        self.master, self.slave = os.openpty()
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", 50, COLUMNS, 0, 0))
        self.before = termios.tcgetattr(self.slave)
        told, tells = os.pipe()
        held, self.hold = os.pipe()
        kept = "keep" if pipes else "all"
        self.leader = subprocess.Popen([sys.executable, "-S", os.path.abspath(__file__), "--leader", str(self.slave), str(tells), str(held), kept, *command],
                                       env=env, cwd=cwd, pass_fds=(self.slave, tells, held, *fds), start_new_session=True, stdin=subprocess.DEVNULL,
                                       stdout=subprocess.PIPE if pipes else subprocess.DEVNULL, stderr=subprocess.PIPE if pipes else None)
        os.close(tells), os.close(held)
        self.told, self.heard = told, b""
        self.sources = {self.master: "raw", self.told: "heard"}
        if pipes:
            self.sources.update({self.leader.stdout.fileno(): "out", self.leader.stderr.fileno(): "err"})
        self._until(lambda: b"\n" in self.heard, "a process")
        self.pid = int(self.heard.split(b"\n")[0])

    # ------------------------------------------------------------ what is seen

    @property
    def text(self):
        """All that came to the terminal, in order: line ends are LF, escape sequences are left out."""
        return ESCAPES.sub("", self.raw.decode(errors="replace")).replace("\r\n", "\n")

    @property
    def screen(self):
        """What a person sees at the end, without spaces at the ends of lines."""
        return rendered(self.raw.decode(errors="replace"))

    @property
    def ended(self):
        return self.status is not None

    def look(self, seconds=0.0):
        """Reads what is there, and waits up to so many seconds for something. True where something came."""
        came = False
        while True:
            ready, _, _ = select.select(list(self.sources), [], [], 0 if came else seconds)
            if not ready:
                break
            for source in ready:
                try:
                    data = os.read(source, 65536)
                except OSError:  # the other side of the terminal is gone
                    data = b""
                name = self.sources[source]
                setattr(self, name, getattr(self, name) + data)
                came = came or bool(data)
                if not data:
                    del self.sources[source]
            if not self.sources:
                break
        lines = self.heard.split(b"\n")
        if len(lines) > 2 and self.status is None:
            self.status = os.waitstatus_to_exitcode(int(lines[1]))
        return came

    def _until(self, condition, what, timeout=None):
        """False where the command ended before."""
        until = time.monotonic() + (timeout or self.timeout)
        while True:
            self.look()
            if condition():
                return True
            if self.ended:
                self.look(0.02)
                return condition()
            left = until - time.monotonic()
            if left <= 0:
                raise NotSeen(f"no {what} in {timeout or self.timeout} s of {self.command}:\n{self.text}\n{self.err.decode(errors='replace')}")
            self.look(min(left, 0.25))

    def expect(self, pattern, timeout=None):
        """Waits for a regular expression in what came since the last one; returns the match."""
        form, found = re.compile(pattern), None

        def seen():
            nonlocal found
            found = form.search(self.text, self.at)
            return found
        if not self._until(seen, repr(pattern), timeout):
            raise NotSeen(f"{self.command} ended with {self.status}, without {pattern!r}:\n{self.text}\n{self.err.decode(errors='replace')}")
        self.at = found.end()
        return found

    def prompt(self, timeout=None):
        """Waits for a question: a line that ends in ": ", behind which nothing comes while the command sleeps. None where the command ended."""
        form, found = re.compile(r"[^\n]*\S: \Z"), None

        def asked():
            nonlocal found
            found = form.search(self.text, self.at)
            if found and not self.look(0.04) and self.asleep():
                return True
            found = None
            return False
        self._until(asked, "question", timeout)
        if found:
            self.at = found.end()
        return found and found[0]

    def asleep(self):
        try:
            with open(f"/proc/{self.pid}/stat", encoding="utf-8", errors="replace") as file:
                return file.read().rpartition(")")[2].split()[0] == "S"
        except OSError:
            return False

    # ------------------------------------------------------------ what is done

    def send(self, text):
        os.write(self.master, text.encode() if isinstance(text, str) else text)

    def enter(self, text=""):
        self.send(text)
        self.send("\r")

    def control(self, letter):
        self.send(bytes([ord(letter.upper()) & 31]))

    def signal(self, number):
        os.kill(self.pid, number)

    def hang_up(self):
        """The window is closed."""
        self.look()
        self.sources.pop(self.master, None)
        os.close(self.master)
        self.master = None

    def attributes(self):
        """How the terminal is set now; the first four are flags, the last one is characters."""
        return termios.tcgetattr(self.slave)

    @property
    def echoes(self):
        return bool(self.attributes()[3] & termios.ECHO)

    def finish(self, timeout=None):
        """Waits for the end of the command; returns its status, negative where a signal ended it."""
        try:
            self._until(lambda: self.ended, "end", timeout)
            self.look(0.02)
            if self.master is not None:
                self.after = self.attributes()
        finally:
            self.close()
        return self.status

    def close(self):
        """Ends all that is left of it."""
        if self.leader.poll() is None:
            if not self.ended:
                try:
                    os.killpg(self.pid, signal.SIGKILL)
                except (OSError, AttributeError):
                    pass
            os.close(self.hold)
            try:
                self.leader.wait(10)
            except subprocess.TimeoutExpired:
                self.leader.kill()
                self.leader.wait()
            for descriptor in (self.master, self.slave, self.told):
                if descriptor is not None:
                    os.close(descriptor)
            for pipe in (self.leader.stdout, self.leader.stderr):
                pipe and pipe.close()
            self.master = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def run(command, script=(), **how):
    """A whole session: `script` is pairs of what is waited for, a regular expression, and what is then typed.

    A text is typed with Enter after it, bytes as they are; a number is a signal; HANG_UP closes the terminal; a function gets the session."""
    with Session(*command, **how) as session:
        for pattern, answer in script:
            session.expect(pattern)
            if answer is HANG_UP:
                session.hang_up()
            elif callable(answer):
                answer(session)
            elif isinstance(answer, bytes):
                session.send(answer)
            elif isinstance(answer, str):
                session.enter(answer)
            elif answer is not None:
                session.signal(answer)
        session.finish()
    return session


def rendered(text):
    """The lines on a screen that is wide and long enough."""
    lines, row, column = [[]], 0, 0
    for token in re.findall(r"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b[@-Z\\-_]|[\s\S]", text):
        line = lines[row]
        if token == "\n":
            row += 1
            lines += [[]] * (row == len(lines))
            lines[row] = lines[row] or []
        elif token == "\r":
            column = 0
        elif token == "\b":
            column = max(0, column - 1)
        elif token == "\t":
            column += 8 - column % 8
        elif token.startswith("\x1b["):
            number = int(token[2:-1]) if token[2:-1].isdigit() else 0
            if token[-1] == "K":
                line[:] = line[:column] if number == 0 else [" "] * column + line[column:] if number == 1 else []
            elif token[-1] == "D":
                column = max(0, column - max(1, number))
            elif token[-1] == "C":
                column += max(1, number)
            elif token[-1] == "A":
                row = max(0, row - max(1, number))
            elif token[-1] == "G":
                column = max(1, number) - 1
        elif token >= " ":
            line += [" "] * (column + 1 - len(line))
            line[column] = token
            column += 1
    return "\n".join("".join(line).rstrip() for line in lines)


def leader(slave, tells, held, kept, *command):
    """The session leader: gives the terminal to the command, says how it ended, and stays until it is let go."""
    slave, tells, held = int(slave), int(tells), int(held)
    fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    ready, go = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.setpgid(0, 0)
            os.close(go)
            os.read(ready, 1)
            for descriptor in (ready, tells, held):
                os.close(descriptor)
            if kept == "all":
                for descriptor in (0, 1, 2):
                    os.dup2(slave, descriptor)
            os.close(slave)
            signal.signal(signal.SIGTTOU, signal.SIG_DFL)
            for number in (signal.SIGPIPE, signal.SIGXFSZ):
                signal.signal(number, signal.SIG_DFL)
            os.execvp(command[0], command)
        except OSError as trouble:
            os.write(2, f"{command[0]}: {trouble}\n".encode())
        os._exit(127)
    try:
        os.setpgid(child, child)
    except OSError:
        pass
    # The window that is closed is told to the leader; a shell passes it on.
    signal.signal(signal.SIGHUP, lambda *_: pass_on(child, signal.SIGHUP))
    os.tcsetpgrp(slave, child)
    os.write(tells, f"{child}\n".encode())
    os.close(go)
    for descriptor in (1, 2):
        os.dup2(0, descriptor)  # /dev/null: the pipes end when the command ends
    _, status = os.waitpid(child, 0)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    os.write(tells, f"{status}\n".encode())
    os.read(held, 1)
    os._exit(0)


def pass_on(child, number):
    try:
        os.killpg(child, number)
    except ProcessLookupError:  # it has ended already
        pass


def main(*arguments):
    timeout = 30.0
    if arguments[0] == "--timeout":
        timeout, arguments = float(arguments[1]), arguments[2:]
    script = []
    with open(arguments[0], encoding="utf-8") as file:
        for line in file:
            pattern, _, answer = line.rstrip("\n").partition("\t")
            script.append((pattern, answer))
    done = run(arguments[1:], script, timeout=timeout)
    print(done.screen)
    return done.status if done.status >= 0 else 128 - done.status


if __name__ == "__main__":
    if sys.argv[1:2] == ["--leader"]:
        leader(*sys.argv[2:])
    elif len(sys.argv) < 3:
        sys.exit(__doc__)
    else:
        sys.exit(main(*sys.argv[1:]))
