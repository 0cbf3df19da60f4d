"""``python -m evidence kactus``: measures what a paper measured, and writes it beside what it published."""

from __future__ import annotations

import argparse
import shlex
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from evidence import published
from evidence.datasets import DATA_FOLDER, DATA_SETS
from evidence.kactus import Result, Task, run_all, tasks
from evidence.record import Facts, Run, versions
from evidence.tables import document
from kanopy.errors import KanopyError
from kanopy.methods import find_method

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "evidence"


def build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m evidence", description=__doc__)
    parser.add_argument("method", choices=list(published.METHODS), help="which method to measure")
    parser.add_argument(
        "--data",
        metavar="NAME",
        nargs="+",
        choices=list(DATA_SETS),
        default=list(DATA_SETS),
        help=f"only these data sets, found through {DATA_FOLDER}: {', '.join(DATA_SETS)}",
    )
    parser.add_argument("--ks", metavar="K", nargs="+", type=_k, help="these k instead of the papers'")
    parser.add_argument(
        "--option", metavar="NAME=VALUE", action="append", default=[], help="an option of the method"
    )
    parser.add_argument("--jobs", metavar="N", type=int, default=2, help="processes (2)")
    parser.add_argument("--folder", metavar="DIR", type=Path, default=FOLDER, help="write here")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the experiment, write the document and the raw results, and return the exit code."""
    given = build_parser().parse_args(arguments)
    try:
        run = _measure(given)
    except KanopyError as error:
        print(error, file=sys.stderr)
        return error.exit_code
    given.folder.mkdir(parents=True, exist_ok=True)
    for suffix, text in ((".md", document(run)), (".json", run.to_json())):
        path = given.folder / f"{run.method}{suffix}"
        path.write_text(text, encoding="utf-8")
        print(f"written: {path}", file=sys.stderr)
    return 0


def _measure(given: argparse.Namespace) -> Run:
    options = find_method(given.method).settle(dict(text.partition("=")[::2] for text in given.option))
    facts = [Facts.of(name) for name in given.data]
    ks_of = {name: tuple(given.ks or DATA_SETS[name].ks) for name in given.data}
    todo = tasks(ks_of, given.method, options)
    results: list[Result] = []
    start = time.perf_counter()
    for number, (task, measured) in enumerate(zip(todo, run_all(todo, given.jobs), strict=True), 1):
        results += measured
        _say(task, number, len(todo), time.perf_counter() - start)
    return Run(_command(given), given.method, options, versions(), facts, results)


def _command(given: argparse.Namespace) -> str:
    """What makes these numbers; how many processes and where to does not matter."""
    words = ["python", "-m", "evidence", given.method]
    if given.data != list(DATA_SETS):
        words += ["--data", *given.data]
    if given.ks:
        words += ["--ks", *map(str, given.ks)]
    for option in given.option:
        words += ["--option", option]
    return shlex.join(words)


def _k(text: str) -> int:
    k = int(text)
    if k < 2:
        raise argparse.ArgumentTypeError("at least 2; 1, the table as it is, is always measured")
    return k


def _say(task: Task, number: int, n_tasks: int, seconds: float) -> None:
    print(
        f"{number:>3} of {n_tasks}, {seconds:5.0f} s: {task.data}, {task.protocol}, seed {task.seed}",
        file=sys.stderr,
        flush=True,
    )


if __name__ == "__main__":
    sys.exit(main())
