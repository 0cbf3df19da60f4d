"""Completion scripts, asked by real shells."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from command import PATIENCE, run

COMMANDS = ("demo", "suggest", "anonymize", "audit", "methods", "completion")
SHELLS = ("bash", "zsh", "fish", "tcsh")

CASES = [
    (("anon",), {"anonymize"}),
    (("anonymize", "d.csv", "--method", "kac"), {"kactus", "kactus2"}),
    (("anonymize", "d.csv", "--engine", ""), {"local", "spark"}),
    (("evaluate", "d.csv", "--learners", "l"), {"logistic"}),
    (("evaluate", "d.csv", "--learners", "c45,n"), {"c45,nb"}),
    (("evaluate", "d.csv", "--methods", "mondrian,md"), {"mondrian,mdav"}),
    (("evaluate", "d.csv", "--task", "cl"), {"classify", "cluster"}),
    (("reproduce", "tdd-t"), {"tdd-table3"}),
    (("completion", "f"), {"fish"}),
]


@pytest.fixture(scope="module")
def scripts() -> dict[str, str]:
    return {shell: run("completion", shell).out for shell in SHELLS}


def present(shell: str) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"no {shell} here")


def asked(shell: str, program: str) -> str:
    quiet = {"bash": ["--norc"], "zsh": ["-f"], "fish": ["--no-config"]}[shell]
    done = subprocess.run(
        [shell, *quiet], input=program, capture_output=True, text=True, check=False, timeout=PATIENCE
    )
    assert done.stderr == ""
    return done.stdout


@pytest.mark.parametrize("shell", SHELLS)
def test_script_knows_commands_and_flags(scripts: dict[str, str], shell: str) -> None:
    for word in (*COMMANDS, "spreadsheet-safe", "policy", "reading", "kactus2", "logistic"):
        assert word in scripts[shell]


@pytest.mark.parametrize("shell", SHELLS)
def test_shell_accepts_the_script(scripts: dict[str, str], shell: str) -> None:
    present(shell)
    done = subprocess.run([shell, "-n"], input=scripts[shell], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(("words", "offered"), CASES)
def test_bash_completes(scripts: dict[str, str], words: tuple[str, ...], offered: set[str]) -> None:
    present("bash")
    ask = f"""
    completer=$(complete -p kanopy | sed "s/.*-F \\([^ ]*\\).*/\\1/")
    COMP_WORDS=(kanopy {shlex.join(words)}); COMP_CWORD={len(words)}
    "$completer" kanopy {shlex.quote(words[-1])} kanopy
    printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    assert set(asked("bash", scripts["bash"] + ask).split()) == offered


@pytest.mark.parametrize(("words", "offered"), CASES)
def test_fish_completes(scripts: dict[str, str], words: tuple[str, ...], offered: set[str]) -> None:
    present("fish")
    typed = shlex.quote(" ".join(("kanopy", *words)))
    lines = asked("fish", f"{scripts['fish']}\ncomplete --do-complete {typed}\n").splitlines()
    found = {line.split("\t")[0] for line in lines}
    assert {word for word in found if word.startswith(words[-1])} == offered


ZSH = r"""
import os, pty, select, sys, time
folder, patience, typed, *offered = sys.argv[1:]
pid, terminal = pty.fork()
if not pid:
    os.environ.update(TERM="dumb", ZDOTDIR=folder, COLUMNS="200")
    os.execvp("zsh", ["zsh", "-i"])
end = time.monotonic() + float(patience)
def until(signs):
    seen = b""
    while not all(sign in seen for sign in signs) and time.monotonic() < end:
        if select.select([terminal], [], [], 1)[0]:
            try:
                seen += os.read(terminal, 65536)
            except OSError:
                break
    return seen
until([b"READY"])
os.write(terminal, typed.encode() + b"\t")
print(until([word.encode() for word in offered]).decode("utf-8", "replace"))
"""


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("kanopy anonymize d.csv --method kactus", ("kactus", "kactus2")),
        ("kanopy evaluate d.csv --learners c45,l", ("c45,logistic",)),
        ("kanopy reproduce tdd-t", ("tdd-table3",)),
    ],
)
def test_zsh_completes(scripts: dict[str, str], tmp_path: Path, typed: str, offered: tuple[str, ...]) -> None:
    present("zsh")
    (tmp_path / "_kanopy").write_text(scripts["zsh"])
    (tmp_path / ".zshrc").write_text(
        f"fpath=({tmp_path} $fpath); autoload -Uz compinit; compinit -u -D; PS1='READY '\n"
        "unsetopt list_ambiguous\n"  # where there are several, they are listed at the first tab
    )
    ask = [sys.executable, "-c", ZSH, str(tmp_path), str(PATIENCE / 2), typed, *offered]
    seen = subprocess.run(ask, capture_output=True, text=True, check=False, timeout=PATIENCE).stdout
    for word in offered:
        assert word in seen


def test_unknown_shell() -> None:
    assert run("completion", "ksh").code == 2
