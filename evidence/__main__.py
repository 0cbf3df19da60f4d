"""``python -m evidence METHOD``: measures what a paper measured, and writes it beside what it published."""

from __future__ import annotations

import argparse
import shlex
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from evidence import (
    clusters,
    clusters_plots,
    clusters_record,
    clusters_tables,
    kactus,
    published,
    record,
    tables,
    tdd,
    tdd_record,
    tdd_tables,
)
from evidence.datasets import DATA_FOLDER, DATA_SETS
from evidence.presplits import PROTOCOLS
from kanopy.errors import KanopyError
from kanopy.methods import find_method

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "evidence"
TDD, CLUSTERS = "tdd", "clusters"
N_DRAWS = 30

Files = dict[str, str | bytes]
"""What is written: contents by the name of the file."""

Todo = TypeVar("Todo", clusters.ReleaseTask, clusters.LearningTask)
Done = TypeVar("Done")


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
    added = of_method.add_parser(CLUSTERS, help="losses, accuracy and time of the clustering methods")
    labels = [contender.label for contender in clusters.CONTENDERS]
    added.add_argument(
        "--methods", metavar="NAME", nargs="+", choices=labels, help=f"only these: {', '.join(labels)}"
    )
    shown = ", ".join(map(str, clusters.KS))
    added.add_argument("--ks", metavar="K", nargs="+", type=_k, help=f"these k instead of {shown}")
    _add_where(added)
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
    _add_where(parser)


def _add_where(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--jobs", metavar="N", type=int, default=2, help="processes (2)")
    parser.add_argument("--folder", metavar="DIR", type=Path, default=FOLDER, help="write here")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the experiment, write the document and the raw results, and return the exit code."""
    given = build_parser().parse_args(arguments)
    try:
        written = {TDD: _tdd, CLUSTERS: _clusters}.get(given.method, _kactus)(given)
    except KanopyError as error:
        print(error, file=sys.stderr)
        return error.exit_code
    given.folder.mkdir(parents=True, exist_ok=True)
    for name, content in written.items():
        path = given.folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        print(f"written: {path}", file=sys.stderr)
    return 0


def _kactus(given: argparse.Namespace) -> Files:
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
    return {f"{given.method}.md": tables.document(run), f"{given.method}.json": run.to_json()}


def _tdd(given: argparse.Namespace) -> Files:
    facts = [tdd_record.Facts.of(name) for name in given.data]
    todo, drawn = tdd_record.settings(facts, given.draws)
    outcomes: list[tdd.Outcome] = []
    start = time.perf_counter()
    for number, (task, outcome) in enumerate(zip(todo, tdd.run_all(todo, given.jobs), strict=True), 1):
        outcomes.append(outcome)
        _say(f"{task.data}, {len(task.sensitive)} sensitive", number, len(todo), start)
    run = tdd_record.Run(_command(given), record.versions(), given.draws, facts, outcomes, drawn)
    return {"tdd.md": tdd_tables.document(run), "tdd.json": run.to_json()}


def _clusters(given: argparse.Namespace) -> Files:
    chosen, skipped = clusters.choose(given.methods)
    ks = given.ks or clusters.KS
    for contender in skipped:
        print(f"skipped: {contender.label}; kanopy has no such method", file=sys.stderr)
    sample = clusters.adult()
    facts = clusters_record.Facts(sample.n_rows, clusters.QUASI, sample.majority)
    released = _done(clusters.release_all, clusters.release_tasks(chosen, ks), given.jobs)
    learned = _done(clusters.release_half_and_learn, clusters.learning_tasks(chosen, ks), given.jobs)
    versions = record.versions()
    run = clusters_record.Run(_command(given), versions, facts, chosen, skipped, ks, released, learned)
    document = {"clusters.md": clusters_tables.document(run), "clusters.json": run.to_json()}
    return document | clusters_plots.draw_all(run)


def _done(work: Callable[[Todo], Done], todo: Sequence[Todo], jobs: int) -> list[Done]:
    """Run tasks, and say so."""
    done: list[Done] = []
    start = time.perf_counter()
    for number, (task, found) in enumerate(zip(todo, clusters.run_all(work, todo, jobs), strict=True), 1):
        done.append(found)
        label = task.contender.label if task.contender else clusters.RAW
        _say(f"{work.__name__}, {label}, k = {task.k}", number, len(todo), start)
    return done


def _command(given: argparse.Namespace) -> str:
    """What makes these numbers; how many processes and where to does not matter."""
    words = ["python", "-m", "evidence", given.method]
    if given.method == CLUSTERS:
        words += ["--methods", *given.methods] if given.methods else []
        words += ["--ks", *map(str, given.ks)] if given.ks else []
        return shlex.join(words)
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
