"""``python -m benchmarks.peers``: kanopy beside other Python libraries, timed in turns in the same run.

The libraries are installed with ``pip`` into an environment that is made for the run and removed after it;
one that cannot be installed is left out, with the reason. ``--program`` adds any other program. What is timed
is the whole process, from CSV to CSV: 30,162 rows of Adult, eight quasi-identifiers, k = 10. Only kanopy
checks what it has written. The figures are recorded in ``benchmarks/results/peers.json``.
"""

from __future__ import annotations

import argparse
import json
import shlex
import subprocess
import sys
import venv
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks import peer_run
from benchmarks.bars import Bar, Section
from benchmarks.commits import compile_installed
from benchmarks.measure import ROOT, Measurement, Run, Task, measure, whole
from benchmarks.plan import Plan
from benchmarks.tables import machine, print_bars, print_section, record
from benchmarks.workloads import NINE, QUASI, TARGET, Workload, origin

KANOPY = "mondrian, csv to csv"
RESULT = ROOT / "benchmarks" / "results" / "peers.json"
N_ROWS, K = 30_162, 10
PATIENCE = 600
"""Seconds that an installation may take."""


def install(folder: Path, names: Sequence[str]) -> tuple[Path, dict[str, str]]:
    """A Python with those libraries that ``pip`` can install; and why the others are missing."""
    venv.create(folder, with_pip=True)
    python = folder / "bin" / "python"
    missing = {}
    for name in names:
        command = (str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", name)
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            missing[name] = f"pip took more than {PATIENCE} s"
            continue
        if done.returncode:
            errors = [line for line in done.stderr.splitlines() if line.startswith("ERROR:")]
            missing[name] = "not installed, " + (errors[-1] if errors else f"exit code {done.returncode}")
    return python, missing


def tasks_of(python: Path, names: Sequence[str], source: Path, output: Path) -> list[Task]:
    """One task per library."""
    arguments = (str(source), str(output), str(K), ",".join(QUASI), TARGET)
    return [whole(name, N_ROWS, str(python), peer_run.__file__, name, *arguments) for name in names]


def program_task(text: str, source: Path, output: Path) -> Task:
    """``NAME=COMMAND``, with ``{source}``, ``{output}`` and ``{k}`` in the command."""
    name, _, command = text.partition("=")
    filled = (part.format(source=source, output=output, k=K) for part in shlex.split(command))
    return whole(name, N_ROWS, *filled)


def best_bar(section: Section) -> Bar:
    """kanopy against the fastest of the others; fails where none could be timed."""
    others = [found for found in section.measurements if found.task.name != KANOPY and not found.fault]
    if not others:
        return Bar("the fastest other library", None, 1.0, "x its time")
    best = min(others, key=lambda found: found.cpu)
    ours = section.find(KANOPY, N_ROWS)
    by_clock = ours.wall_ratio_to(best.wall)
    return Bar("the fastest other library", ours.ratio_to(best.cpu), 1.0, f"x {best.task.name}", by_clock)


def main(arguments: Sequence[str] | None = None) -> int:
    """Time the libraries and return the exit code."""
    given = _parser().parse_args(arguments)
    names = given.only or list(peer_run.RUNS)
    compile_installed()
    before = machine()
    with TemporaryDirectory(prefix="kanopy-peers-") as made:
        folder = Path(made)
        plan = Plan(folder, folder, _say, limit=given.limit)
        _say(f"installing {', '.join(names)}")
        python, missing = install(folder / "environment", names)
        workload = Workload(N_ROWS, K, kind=NINE)
        source, output = workload.ready(folder, _say), folder / "peer.csv"
        tasks = [plan.nine(workload)]
        tasks += tasks_of(python, [name for name in names if name not in missing], source, output)
        tasks += [program_task(text, source, output) for text in given.program]
        found = measure(tasks, rounds=given.rounds, limit=given.limit, say=_say)
        versions = _versions(python, [name for name in names if name not in missing])
    absent = [
        Measurement.of(Task(name, N_ROWS, ()), [Run(0, 0, 0, 0, fault=why)]) for name, why in missing.items()
    ]
    section = Section("peers", KANOPY, [*found, *absent])
    section.bars.append(best_bar(section))
    print_section(section)
    print_bars([section])
    settings = {"rows": N_ROWS, "k": K, "rounds": given.rounds, "versions": versions}
    given.json.parent.mkdir(parents=True, exist_ok=True)
    recorded = record([section], before, settings, origin())
    given.json.write_text(json.dumps(recorded, indent=2) + "\n", encoding="utf-8")
    return 1 if given.check and recorded["failed"] else 0


def _versions(python: Path, names: Sequence[str]) -> dict[str, str]:
    program = "import sys, importlib.metadata as m; [print(m.version(name)) for name in sys.argv[1:]]"
    done = subprocess.run((str(python), "-c", program, *names), capture_output=True, text=True, check=True)
    return dict(zip(names, done.stdout.split(), strict=True))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.peers", description=__doc__)
    parser.add_argument("--only", metavar="NAME", action="append", choices=list(peer_run.RUNS), default=[])
    parser.add_argument(
        "--program",
        metavar="NAME=COMMAND",
        action="append",
        default=[],
        help="another program; {source}, {output} and {k} are filled in",
    )
    parser.add_argument("--rounds", metavar="N", type=int, default=3, help="timings of each (3)")
    parser.add_argument("--limit", metavar="S", type=float, default=600.0, help="seconds per timing (600)")
    parser.add_argument("--json", metavar="PATH", type=Path, default=RESULT, help="record here")
    parser.add_argument("--check", action="store_true", help="exit with 1 where kanopy is not the fastest")
    return parser


def _say(what: str) -> None:
    print(what, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
