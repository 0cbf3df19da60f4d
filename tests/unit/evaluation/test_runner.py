"""Processes of an evaluation: Ctrl-C is kept from them, the table comes by a pipe, failures are told."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from multiprocessing import get_context
from pathlib import Path

import pytest
from command import PATIENCE

from kanopy.evaluation.runner import _signals_held, _Supply

_SCRIPT = """
import kanopy
from kanopy.datasets import patients
from kanopy.evaluation.trial import FOLDS
from sklearn.tree import DecisionTreeClassifier
del FOLDS[2:]
class Mine(DecisionTreeClassifier):
    pass
policy = kanopy.Policy(
    quasi_identifiers=["age", "sex"], target="readmitted", k=3, identifiers=["patient_id", "name", "zip"],
    keep=["diagnosis", "admission_type", "smoker", "bmi", "length_of_stay"],
)
(score,) = kanopy.evaluate(patients(60), policy, learners=[Mine(max_depth=2)], jobs=2).scores
print(score.learner)
"""


@pytest.fixture
def _ctrl_c_as_usual() -> Iterator[None]:
    """Spark, in the same process, puts a handler of its own in place."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("_ctrl_c_as_usual")
def test_a_signal_waits_until_a_process_is_started() -> None:
    reached = []

    def start() -> None:
        with _signals_held():
            signal.raise_signal(signal.SIGINT)
            reached.append("the end")

    with pytest.raises(KeyboardInterrupt):
        start()
    assert reached
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="signals cannot be blocked here")
def test_a_process_that_is_started_does_not_hear_of_ctrl_c() -> None:
    ask = "import signal; print(signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, []))"
    command = [sys.executable, "-c", ask]
    with _signals_held():
        inside = subprocess.run(command, capture_output=True, check=True, text=True).stdout
    outside = subprocess.run(command, capture_output=True, check=True, text=True).stdout
    assert (inside.strip(), outside.strip()) == ("True", "False")


@pytest.mark.parametrize("n_read", [0, 1, 3])
def test_supply_ends_however_many_were_served(n_read: int) -> None:
    """Far more than a pipe holds: who writes waits for readers, or for the end."""
    supply = _Supply(b"x" * 3_000_000, 3, get_context("spawn"))
    reader, _ = supply.for_workers
    for _ in range(n_read):
        assert len(reader.recv_bytes()) == 3_000_000
    supply.close()
    assert not supply._feeder.is_alive()


def _run(command: list[str], given: str | None = None) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, *command]
    return subprocess.run(line, input=given, capture_output=True, text=True, timeout=PATIENCE, check=False)


def test_no_main_guard_is_needed() -> None:
    """Other processes work without importing the program, which standard input does not even allow.

    What only standard input defines is used in one process: no other one could import it.
    """
    ask = (
        "import os\nfrom kanopy.evaluation.runner import run_all\n"
        "ask = [\"__import__('os').getpid()\"] * 2\n"
        "print(os.getpid() in dict(run_all(ask, eval, {}, jobs=2)).values())\n"
    )
    done = _run(["-"], ask + _SCRIPT)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.split() == ["False", "Mine"]


def test_a_script_that_starts_itself_over_is_told_what_to_do(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(_SCRIPT)
    done = _run([str(script)])
    assert done.returncode
    (said,) = [line for line in done.stderr.splitlines() if line.startswith("kanopy.errors.ResourceError")]
    assert "__main__" in said
    assert "memory" not in said
