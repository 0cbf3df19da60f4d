"""Ctrl-C in a run with a journal: the very command that continues it is said, and continues it."""

from __future__ import annotations

import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from command import _LAUNCH, run

import kanopy.cli.main

ROWS = "age,sex,class\n" + "".join(f"{n * 7 % 61},{'mf'[n % 2]},{'yn'[n % 5 > 1]}\n" for n in range(300))
PATIENCE = 50.0


def test_the_command_that_continues(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("my data.csv").write_text(ROWS)
    typed = [
        "evaluate",
        "my data.csv",
        "--quasi",
        "age,sex",
        "--target",
        "class",
        "--k",
        "2",
        "--ks",
        "2,5",
    ]
    typed += ["--learners", "nb", "--jobs", "1", "--journal", "run.jsonl"]
    command = [sys.executable, "-c", _LAUNCH, *typed]
    usual = {"preexec_fn": lambda: signal.signal(signal.SIGINT, signal.default_int_handler)}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **usual
    ) as child:
        end = time.monotonic() + PATIENCE
        journal = Path("run.jsonl")
        while time.monotonic() < end and not (journal.exists() and journal.stat().st_size > 500):
            assert child.poll() is None, child.stderr and child.stderr.read()
            time.sleep(0.05)
        child.send_signal(signal.SIGINT)
        _, said = child.communicate(timeout=PATIENCE)
    assert child.returncode == 130, said
    hint = said.splitlines()[-1]
    again = shlex.split(hint.partition("to continue: ")[2])
    assert again == ["kanopy", *typed]
    n_before = len(Path("run.jsonl").read_bytes().splitlines())
    assert run(*again[1:]).code == 0
    assert len(Path("run.jsonl").read_bytes().splitlines()) > n_before > 1


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        ((), "nothing was published"),
        (("--journal", "j.jsonl"), "to continue: kanopy evaluate d.csv --journal j.jsonl"),
    ],
)
def test_what_is_said(monkeypatch: pytest.MonkeyPatch, flags: tuple[str, ...], said: str) -> None:
    def interrupt(_: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(kanopy.cli.main, "import_module", interrupt)
    outcome = run("evaluate", "d.csv", *flags)
    assert (outcome.code, said in outcome.err) == (130, True)


def test_a_table_from_a_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(_: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(kanopy.cli.main, "import_module", interrupt)
    assert "after the table is piped in again: kanopy" in run("evaluate", "-", "--journal", "j").err
