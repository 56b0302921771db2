#!/usr/bin/env python3
"""Which options a tool has, told by its help and by the three shells.

    completions.py help TOOL [COMMAND]
    completions.py bash|zsh|fish TOOL FILE [COMMAND]     FILE is the shell's completion of the tool

One option a line, sorted. The shells are the real ones: each loads the file and is asked, as by the Tab key, what
may stand for `TOOL [COMMAND] -` and `TOOL [COMMAND] --`. With `?` for a word of COMMAND, the first or the second: which
words may stand there. `help TOOL '*'`: all commands, one a line.
"""
import os
import pty
import re
import select
import signal
import subprocess
import sys
import tempfile

OPTION = r"--?[A-Za-z0-9][-A-Za-z0-9]*"


def from_help(tool, command=""):
    """The options that begin a line of the help: `  -x, --long <value>   what it does`."""
    asked = [word for word in command.split() if word not in ("?", "*")]
    text = subprocess.run([tool, *asked, "-h"], capture_output=True, text=True, check=True).stdout
    if command.endswith(("?", "*")):
        synopsis, rows = text.split("\n\n")[0], "\n\n".join(text.split("\n\n")[1:])
        name = "([a-z][-a-z]*(?: [a-z][-a-z]*)?)"
        named = set(re.findall(rf"^(?:usage:|   or:) {tool} {name}", synopsis, re.M))
        explained = set(re.findall(rf"^    {name}  +\S", rows, re.M))
        if named != explained:
            return {f"named {named}, explained {explained}"}
        return named if command == "*" else {name.split()[len(asked)] for name in named}
    heads = [match[1].split("  ")[0] for match in re.finditer(r"^\s+(-\S.*)$", text, re.M)]
    return {option for head in heads for option in re.findall(rf"(?:^|(?<=[\s,]))({OPTION})", head)}


def from_bash(tool, file, command=""):
    script = r"""
        source "$2" || exit 1
        completion=$(complete -p "$1") || exit 1
        [[ $completion =~ -F\ ([^ ]+) ]] || exit 1
        read -ra first <<<"$1 ${3%'?'}"
        asked=(- --)
        [[ $3 != *'?' ]] || asked=('')
        for word in "${asked[@]}"; do
            COMP_WORDS=("${first[@]}" "$word") COMP_CWORD=${#first[@]} COMP_LINE="${first[*]} $word" COMP_POINT=$((${#first[*]})) COMP_TYPE=9 COMP_KEY=9 COMPREPLY=()
            "${BASH_REMATCH[1]}" "$1" "$word" "$1"
            [[ ${#COMPREPLY[@]} -eq 0 ]] || printf '%s\n' "${COMPREPLY[@]}"
        done"""
    return ask(["bash", "--norc", "--noprofile", "-c", script, "bash", tool, file, command], command)


def from_fish(tool, file, command=""):
    script = 'source $argv[2]; for line in $argv[3..]; complete -C "$line"; end'
    return ask(["fish", "--no-config", "-c", script, tool, file, *lines(tool, command)], command)


def lines(tool, command):
    """What is typed before Tab."""
    before = [tool, *command.removesuffix("?").split()]
    return [" ".join([*before, word]) for word in ([""] if command.endswith("?") else ["-", "--"])]


def ask(shell, command):
    run = subprocess.run(shell, capture_output=True, text=True)
    if run.returncode != 0 or run.stderr:
        sys.exit(f"{shell[0]}: {run.stderr}")
    return words(run.stdout, command)


def words(text, command):
    offered = {line.split("\t")[0].strip().rstrip("=") for line in text.splitlines()}
    return {word for word in offered if re.fullmatch("[a-z][-a-z]*" if command.endswith("?") else OPTION, word)}


# Completion in zsh runs only inside its line editor, so a zsh on a pseudo-terminal has Tab pressed for it. `compadd`, through
# which every match goes, is wrapped: it also writes the matches down.
ZSH = r"""
PS1='' RPS1='' LISTMAX=10000; unsetopt prompt_cr prompt_sp; setopt no_beep
fpath=(%(folder)s $fpath)
autoload -Uz compinit && compinit -u -D
compadd() {
    local -a matched
    if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then builtin compadd "$@"; return $?; fi
    builtin compadd -A matched "$@"
    (( $#matched )) && print -rl -- $matched >>%(out)s
    builtin compadd "$@"
}
complete-and-tell() { zle complete-word; BUFFER=''; print -r -- ready-for-more >/dev/tty }
zle -N complete-and-tell; bindkey '^I' complete-and-tell
print ready-for-more
"""


def from_zsh(tool, file, command=""):
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(os.path.abspath(file), os.path.join(folder, "_" + tool))
        out, setup = os.path.join(folder, "matches"), os.path.join(folder, "setup.zsh")
        open(out, "w").close()
        with open(setup, "w") as f:
            f.write(ZSH % {"folder": folder, "out": out})
        pid, terminal = pty.fork()
        if pid == 0:
            os.environ["TERM"] = "dumb"
            os.execvp("zsh", ["zsh", "-f", "-i"])
        os.write(terminal, f"source {setup}\n".encode())
        until(terminal, b"\nready-for-more")
        for line in lines(tool, command):
            os.write(terminal, f"{line}\t".encode())
            until(terminal, b"ready-for-more")
        os.kill(pid, signal.SIGKILL)  # an interactive shell has its own mind about leaving
        os.waitpid(pid, 0)
        os.close(terminal)
        with open(out) as f:
            return words(f.read(), command)


def until(terminal, mark):
    seen = b""
    while mark not in seen:
        if not select.select([terminal], [], [], 20)[0]:
            sys.exit(f"zsh does not answer: {seen!r}")
        seen += os.read(terminal, 4096)


if __name__ == "__main__":
    asked = {"help": from_help, "bash": from_bash, "zsh": from_zsh, "fish": from_fish}[sys.argv[1]]
    print("\n".join(sorted(asked(*sys.argv[2:]))))
