"""Ctrl-C in a run with a journal: the very command that continues it is said, and continues it."""

from __future__ import annotations

import shlex
import signal
from pathlib import Path

import pytest
from command import PATIENCE, held_after, run, start

import kanopy.cli.main

ROWS = "age,sex,class\n" + "".join(f"{n * 7 % 61},{'mf'[n % 2]},{'yn'[n % 5 > 1]}\n" for n in range(300))


@pytest.mark.usefixtures("few_folds")
def test_the_command_that_continues(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("my data.csv").write_text(ROWS)
    typed = [
        "evaluate", "my data.csv", "--quasi", "age,sex", "--target", "class", "--k", "2", "--ks", "2,5",
        "--learners", "nb", "--jobs", "1", "--journal", "run.jsonl",
    ]  # fmt: skip
    with start(*typed, prelude=held_after(2)) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"held\n"
        child.send_signal(signal.SIGINT)
        _, said = child.communicate(timeout=PATIENCE)
    assert child.returncode == 130, said
    hint = said.decode().splitlines()[-1]
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
