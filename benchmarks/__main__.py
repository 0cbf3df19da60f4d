"""``python -m benchmarks``: times kanopy against the floor, records the figures, checks the bars."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from benchmarks.adult import N_COMPLETE_ROWS
from benchmarks.commits import checked_out, compile_installed, full_name
from benchmarks.hotspots import print_hotspots
from benchmarks.measure import ROOT
from benchmarks.plan import Plan
from benchmarks.sections import SECTIONS
from benchmarks.tables import machine, print_bars, print_section, record
from benchmarks.workloads import origin
from kanopy.algorithms import methods

RESULTS = ROOT / "benchmarks" / "results"


def build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="smaller tables, and nothing very large")
    names = [*SECTIONS, *(method.name for method in methods())]
    parser.add_argument(
        "--only",
        metavar="NAME",
        action="append",
        choices=names,
        default=[],
        help=f"a section or a method, may be repeated: {', '.join(names)}",
    )
    parser.add_argument(
        "--json", metavar="PATH", type=Path, help="record here (benchmarks/results/latest.json)"
    )
    parser.add_argument("--sizes", metavar="N,N", type=_sizes, help="rows of the growing tables")
    parser.add_argument("--rows", metavar="N", type=int, help="rows of the standard table (1,356,660)")
    parser.add_argument(
        "--rounds", metavar="N", type=int, help="timings of each task (5; fewer where it is long)"
    )
    parser.add_argument("--limit", metavar="S", type=float, help="seconds after which a task is given up")
    parser.add_argument("--cache", metavar="DIR", type=Path, help="keep the tables here for the next run")
    parser.add_argument(
        "--against",
        metavar="COMMIT",
        type=_commit,
        help="time the code of this commit in turns with this one",
    )
    parser.add_argument(
        "--huge", metavar="N", type=int, help="rows of the largest realistic table (100,000,000)"
    )
    parser.add_argument("--realistic", metavar="N", type=int, help="rows of the realistic table (13,566,600)")
    parser.add_argument("--memory", metavar="GB", type=float, help="a task that holds more is ended (12)")
    parser.add_argument("--check", action="store_true", help="exit with 1 where a bar fails")
    parser.add_argument("--profile", action="store_true", help="only profile one release in this process")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmarks and return the exit code."""
    given = build_parser().parse_args(arguments)
    with ExitStack() as opened:
        scratch = Path(opened.enter_context(tempfile.TemporaryDirectory(prefix="kanopy-benchmarks-")))
        tables = scratch if given.cache is None else given.cache.resolve()
        tables.mkdir(parents=True, exist_ok=True)
        plan = _plan(given, tables, scratch)
        if given.against is not None:
            plan = replace(plan, against=opened.enter_context(checked_out(given.against)))
        if given.profile:
            return print_hotspots(plan)
        return _run(given, plan)


def _run(given: argparse.Namespace, plan: Plan) -> int:
    compile_installed()
    before = machine()
    load = before["load"][0]
    print(
        f"kanopy {before['kanopy']} on {before['processors']} processors, load {load:.2f}, {origin()} Adult"
    )
    sections = []
    for name in _chosen(given):
        sections.append(SECTIONS[name](plan))
        print_section(sections[-1])
    print_bars(sections)
    settings = {
        "quick": given.quick,
        "rows": plan.n_rows,
        "k": plan.k,
        "growth": list(plan.growth),
        "audited": plan.n_audited,
        "large": plan.n_large,
        "disclosed": plan.n_disclosed,
        "realistic": plan.n_realistic,
        "huge": plan.n_huge,
        "against": given.against,
        "rounds": plan.rounds,
        "limit_s": plan.limit,
    }
    recorded = record(sections, before, settings, origin())
    path = given.json or RESULTS / ("quick.json" if given.quick else "latest.json")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(recorded, indent=2) + "\n", encoding="utf-8")
    plan.say(f"recorded in {path}")
    return 1 if given.check and recorded["failed"] else 0


def _plan(given: argparse.Namespace, tables: Path, scratch: Path) -> Plan:
    plan = Plan(tables, scratch, _say)
    if given.quick:
        plan = replace(plan, n_rows=6 * N_COMPLETE_ROWS, growth=(250_000, 500_000))
        plan = replace(plan, n_audited=250_000, n_disclosed=200_000, n_realistic=500_000)
    if given.rows is not None:
        plan = replace(plan, n_rows=given.rows, n_disclosed=min(given.rows, plan.n_disclosed))
    asked = {
        "growth": given.sizes,
        "rounds": given.rounds,
        "limit": given.limit,
        "n_realistic": given.realistic,
        "n_huge": given.huge,
        "most_bytes": None if given.memory is None else int(given.memory * 1e9),
    }
    plan = replace(plan, **{name: value for name, value in asked.items() if value is not None})
    return replace(plan, methods=tuple(name for name in given.only if name not in SECTIONS))


def _chosen(given: argparse.Namespace) -> list[str]:
    """The sections to run, in their order; a method's name asks for the one that times methods."""
    wanted = {name if name in SECTIONS else "codes" for name in given.only}
    if given.quick and not wanted:
        wanted = set(SECTIONS) - {"large", "huge"}
    return [name for name in SECTIONS if not wanted or name in wanted]


def _commit(text: str) -> str:
    try:
        return full_name(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def _sizes(text: str) -> tuple[int, ...]:
    return tuple(int(size.replace("_", "")) for size in text.split(","))


def _say(what: str) -> None:
    print(what, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
