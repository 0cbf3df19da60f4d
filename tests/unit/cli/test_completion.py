"""Completion scripts."""

from __future__ import annotations

import shutil
import subprocess

import pytest
from command import run

COMMANDS = ("demo", "suggest", "anonymize", "audit", "methods", "completion")


@pytest.mark.parametrize("shell", ["bash", "zsh", "tcsh"])
def test_script_knows_commands_and_flags(shell: str) -> None:
    outcome = run("completion", shell)
    assert (outcome.code, outcome.err) == (0, "")
    for word in (*COMMANDS, "spreadsheet-safe", "policy", "reading"):
        assert word in outcome.out


@pytest.mark.parametrize("shell", ["bash", "zsh", "tcsh"])
def test_shell_accepts_the_script(shell: str) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"no {shell} here")
    script = run("completion", shell).out
    done = subprocess.run([shell, "-n"], input=script, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_bash_completes() -> None:
    if shutil.which("bash") is None:
        pytest.skip("no bash here")
    script = run("completion", "bash").out
    ask = """
    completer=$(complete -p kanopy | sed "s/.*-F \\([^ ]*\\).*/\\1/")
    COMP_WORDS=(kanopy anon); COMP_CWORD=1
    "$completer" kanopy anon kanopy
    echo "${COMPREPLY[@]}"
    """
    done = subprocess.run(["bash"], input=script + ask, capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["anonymize"]


def test_unknown_shell() -> None:
    assert run("completion", "fish").code == 2
