"""``python -m benchmarks.steady``: the README's test command, repeated in clean clones.

Runs take turns: alone, beside busy loops, with tests in random order, and both. A test that fails in one of
them and not in another depends on something else than the code. Whatever failed once is listed at the end.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import signal
import statistics
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO

from benchmarks.commits import full_name
from benchmarks.measure import ROOT
from benchmarks.outcomes import Outcome, read_outcomes, slow_files

KINDS = ("quiet", "busy", "shuffled", "busy-shuffled")
LONGEST_RUN = 3600.0
"""Seconds after which a run is ended and counts as failed."""


@dataclass(frozen=True, slots=True)
class CleanRun:
    """One clean clone: how its command ended.

    Parameters
    ----------
    kind : str
    number : int
        Also the seed of the random order.
    code : int
        Of the README's command.
    seconds : float
        With the installation.
    outcomes : list of Outcome
        Empty where the tests did not begin, or were ended.
    said : str
        The last lines.
    """

    kind: str
    number: int
    code: int
    seconds: float
    outcomes: list[Outcome]
    said: str

    def line(self) -> str:
        """One line for the terminal."""
        red = [outcome for outcome in self.outcomes if outcome.is_red]
        verdict = "green" if self.code == 0 else f"exit code {self.code}, {len(red)} tests failed"
        return f"run {self.number:3}  {self.kind:14} {self.seconds:6.0f} s  {verdict}"


def test_command() -> str:
    """What the README says."""
    text = (ROOT / "README.md").read_text("utf-8")
    found = re.search(r"\*\*Test it\*\*:\n\n```sh\n(.*?)\n```", text, re.DOTALL)
    assert found, "README.md has no test command"
    return found.group(1)


@contextmanager
def busy_loops(n_loops: int) -> Iterator[None]:
    """Processes that compute without end."""
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(n_loops)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def run_in_clone(kind: str, number: int, commit: str, command: str) -> CleanRun:
    """Clone, install and test as somebody who has just found the project."""
    with TemporaryDirectory(prefix="kanopy-steady-") as made, busy_loops(2 if "busy" in kind else 0):
        clone, results = Path(made) / "kanopy", Path(made) / "tests.xml"
        subprocess.run(["git", "clone", "--quiet", str(ROOT), str(clone)], check=True)
        subprocess.run(["git", "-C", str(clone), "checkout", "--quiet", commit], check=True)
        options = f"--junitxml={results}"
        if "shuffled" in kind:
            options += f" -p randomly --randomly-seed={number}"
        began = time.monotonic()
        with (Path(made) / "said.txt").open("w+", encoding="utf-8") as said:
            code = _code_of(command, clone, {**os.environ, "PYTEST_ADDOPTS": options}, said)
            seconds = time.monotonic() - began
            said.seek(0)
            last = "".join(said.readlines()[-40:])
        outcomes = read_outcomes(results) if results.exists() else []
    return CleanRun(kind, number, code, seconds, outcomes, last)


def _code_of(command: str, folder: Path, environment: dict[str, str], said: IO[str]) -> int:
    shell = subprocess.Popen(
        ["sh", "-c", command], cwd=folder, env=environment, start_new_session=True,
        stdin=subprocess.DEVNULL, stdout=said, stderr=subprocess.STDOUT,
    )  # fmt: skip
    try:
        return shell.wait(LONGEST_RUN)
    except subprocess.TimeoutExpired:
        return -1
    finally:  # also where this program is interrupted: whatever the tests have started ends with them
        with contextlib.suppress(ProcessLookupError):
            os.killpg(shell.pid, signal.SIGKILL)


def summary(runs: Sequence[CleanRun]) -> Iterator[str]:
    """How many runs were green, how long they took, what ever failed, which files are slow."""
    n_green = sum(run.code == 0 for run in runs)
    yield f"{n_green} of {len(runs)} runs were green"
    for kind in dict.fromkeys(run.kind for run in runs):
        taken = [run.seconds for run in runs if run.kind == kind]
        yield f"{kind}: {min(taken):.0f} to {max(taken):.0f} s, median {statistics.median(taken):.0f} s"
    failed: dict[str, list[tuple[CleanRun, str]]] = defaultdict(list)
    for run in runs:
        for outcome in run.outcomes:
            if outcome.is_red:
                failed[f"{outcome.file}.py::{outcome.name}"].append((run, outcome.why))
    for name, cases in sorted(failed.items(), key=lambda item: -len(item[1])):
        yield f"{name}: {len(cases)} times"
        yield from (f"    run {run.number}, {run.kind}: {why}" for run, why in cases)
    for run in runs:
        if run.code and not any(outcome.is_red for outcome in run.outcomes):
            yield f"run {run.number}, {run.kind}, ended with no test that failed:\n{run.said}"
    quiet = [slow_files(run.outcomes) for run in runs if run.kind == "quiet"]
    for file in sorted({file for files in quiet for file in files}):
        yield f"{file}.py: {min(files.get(file, 0.0) for files in quiet):.1f} s at least"


def main(arguments: Sequence[str] | None = None) -> int:
    """Repeat, and say what failed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.steady", description=__doc__)
    parser.add_argument("--times", type=int, default=20, help="how many runs (default: 20)")
    parser.add_argument("--first", type=int, default=1, help="number and seed of the first run (default: 1)")
    parser.add_argument("--only", choices=KINDS, action="append", help="runs of these kinds alone")
    parser.add_argument("--commit", default="HEAD", help="what is cloned (default: HEAD)")
    parser.add_argument("--before", default="true", help="a command for the clone before that of the README")
    given = parser.parse_args(arguments)
    commit, command = full_name(given.commit), f"{given.before} && {test_command()}"
    print(f"{commit[:10]}: {command}", flush=True)
    kinds = islice(cycle(given.only or KINDS), given.times)
    runs = []
    for number, kind in enumerate(kinds, given.first):
        runs.append(run_in_clone(kind, number, commit, command))
        print(runs[-1].line(), flush=True)
    print("\n".join(summary(runs)))
    return int(any(run.code for run in runs))


if __name__ == "__main__":
    sys.exit(main())
