"""``python -m evidence METHOD``: measures what a paper measured, and writes it beside what it published."""

from __future__ import annotations

import argparse
import shlex
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from evidence import kactus, published, record, tables, tdd, tdd_record, tdd_tables
from evidence.datasets import DATA_FOLDER, DATA_SETS
from evidence.presplits import PROTOCOLS
from kanopy.errors import KanopyError
from kanopy.methods import find_method

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "evidence"
TDD = "tdd"
N_DRAWS = 30


def build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m evidence", description=__doc__)
    of_method = parser.add_subparsers(dest="method", metavar="METHOD", required=True)
    for name, title in published.METHODS.items():
        added = of_method.add_parser(name, help=f"accuracy and missing cells of {title}")
        _add_common(added, list(DATA_SETS))
        added.add_argument("--ks", metavar="K", nargs="+", type=_k, help="these k instead of the papers'")
        added.add_argument(
            "--option", metavar="NAME=VALUE", action="append", default=[], help="an option of the method"
        )
    added = of_method.add_parser(TDD, help="base, suppression and removal errors of Top-Down Disclosure")
    _add_common(added, list(PROTOCOLS))
    added.add_argument(
        "--draws", metavar="N", type=_draws, default=N_DRAWS, help=f"random sets of each size ({N_DRAWS})"
    )
    return parser


def _add_common(parser: argparse.ArgumentParser, names: list[str]) -> None:
    parser.add_argument(
        "--data",
        metavar="NAME",
        nargs="+",
        choices=names,
        default=names,
        help=f"only these data sets, found through {DATA_FOLDER}: {', '.join(names)}",
    )
    parser.add_argument("--jobs", metavar="N", type=int, default=2, help="processes (2)")
    parser.add_argument("--folder", metavar="DIR", type=Path, default=FOLDER, help="write here")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the experiment, write the document and the raw results, and return the exit code."""
    given = build_parser().parse_args(arguments)
    try:
        text, raw = _tdd(given) if given.method == TDD else _kactus(given)
    except KanopyError as error:
        print(error, file=sys.stderr)
        return error.exit_code
    given.folder.mkdir(parents=True, exist_ok=True)
    for suffix, content in ((".md", text), (".json", raw)):
        path = given.folder / f"{given.method}{suffix}"
        path.write_text(content, encoding="utf-8")
        print(f"written: {path}", file=sys.stderr)
    return 0


def _kactus(given: argparse.Namespace) -> tuple[str, str]:
    options = find_method(given.method).settle(dict(text.partition("=")[::2] for text in given.option))
    facts = [record.Facts.of(name) for name in given.data]
    ks_of = {name: tuple(given.ks or DATA_SETS[name].ks) for name in given.data}
    todo = kactus.tasks(ks_of, given.method, options)
    results: list[kactus.Result] = []
    start = time.perf_counter()
    for number, (task, measured) in enumerate(zip(todo, kactus.run_all(todo, given.jobs), strict=True), 1):
        results += measured
        _say(f"{task.data}, {task.protocol}, seed {task.seed}", number, len(todo), start)
    run = record.Run(_command(given), given.method, options, record.versions(), facts, results)
    return tables.document(run), run.to_json()


def _tdd(given: argparse.Namespace) -> tuple[str, str]:
    facts = [tdd_record.Facts.of(name) for name in given.data]
    todo, drawn = tdd_record.settings(facts, given.draws)
    outcomes: list[tdd.Outcome] = []
    start = time.perf_counter()
    for number, (task, outcome) in enumerate(zip(todo, tdd.run_all(todo, given.jobs), strict=True), 1):
        outcomes.append(outcome)
        _say(f"{task.data}, {len(task.sensitive)} sensitive", number, len(todo), start)
    run = tdd_record.Run(_command(given), record.versions(), given.draws, facts, outcomes, drawn)
    return tdd_tables.document(run), run.to_json()


def _command(given: argparse.Namespace) -> str:
    """What makes these numbers; how many processes and where to does not matter."""
    words = ["python", "-m", "evidence", given.method]
    if given.data != list(PROTOCOLS if given.method == TDD else DATA_SETS):
        words += ["--data", *given.data]
    if given.method == TDD:
        words += ["--draws", str(given.draws)] if given.draws != N_DRAWS else []
        return shlex.join(words)
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


def _draws(text: str) -> int:
    n_draws = int(text)
    if n_draws < 0:
        raise argparse.ArgumentTypeError("at least 0")
    return n_draws


def _say(what: str, number: int, n_tasks: int, start: float) -> None:
    seconds = time.perf_counter() - start
    print(f"{number:>3} of {n_tasks}, {seconds:5.0f} s: {what}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
