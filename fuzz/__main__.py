"""``python -m fuzz``: runs fuzz targets, keeps inputs that fail, and runs those again."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from fuzz.failures import target_of
from fuzz.guided import is_available
from fuzz.targets import NAMES, make_target
from fuzz.watch import Plan, Tally, watch

FAILURES = Path("fuzz-failures")
INTERRUPTED = 130
_UNGUIDED = ("written",)
"""Targets whose input is only a random seed: coverage cannot guide its mutation."""


def build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m fuzz", description=__doc__)
    parser.add_argument("--target", action="append", choices=NAMES, help="may be repeated; all without it")
    parser.add_argument("--seconds", type=float, help="for each target (60, unless --runs is given)")
    parser.add_argument("--runs", type=int, help="inputs for each target, over all jobs")
    parser.add_argument("--jobs", type=int, default=1, help="processes at the same time (1)")
    parser.add_argument("--seed", type=int, default=0, help="random seed (0)")
    parser.add_argument("--corpus", type=Path, metavar="DIR", help="keep inputs that lead to something new")
    parser.add_argument(
        "--failures",
        type=Path,
        metavar="DIR",
        default=FAILURES,
        help=f"where inputs that fail are kept ({FAILURES})",
    )
    parser.add_argument(
        "--engine",
        choices=("auto", "atheris", "mutation"),
        default="auto",
        help="atheris follows the coverage; auto takes it where it is installed",
    )
    parser.add_argument(
        "--replay", type=Path, metavar="FILE", help="run one kept input again, in this process"
    )
    parser.add_argument("--verbose", action="store_true", help="list every outcome")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the targets and print totals, also after Ctrl-C; 1 where something failed, 130 after Ctrl-C."""
    parser = build_parser()
    given = parser.parse_args(arguments)
    if given.jobs < 1 or (given.runs is not None and given.runs < 1):
        parser.error("--jobs and --runs take numbers above 0")
    if given.replay is not None:
        return replay(given.replay, given.target)
    seconds = 60.0 if given.seconds is None and given.runs is None else given.seconds
    n_failed = 0
    for name in given.target or NAMES:
        plan = Plan(
            name,
            engine_for(name, given.engine),
            given.failures.resolve(),
            given.seed,
            None if given.corpus is None else (given.corpus / name).resolve(),
            None if given.runs is None else -(-given.runs // given.jobs),
            seconds,
        )
        tally = watch(plan, given.jobs)
        show(plan, tally, is_verbose=given.verbose)
        n_failed += sum(tally.failed.values())
        if tally.is_interrupted:
            print("interrupted: the totals are those until now", file=sys.stderr)
            return 1 if n_failed else INTERRUPTED
        n_failed += not tally.runs
    return 1 if n_failed else 0


def engine_for(target: str, wanted: str) -> str:
    """The engine that runs a target."""
    if target in _UNGUIDED:
        return "mutation"
    if wanted == "auto":
        return "atheris" if is_available() else "mutation"
    return wanted


def show(plan: Plan, tally: Tally, *, is_verbose: bool) -> None:
    """Print what came of a target."""
    rate = tally.runs / max(tally.seconds, 1e-9)
    cpu_rate = tally.runs / max(tally.cpu_seconds, 1e-9)
    print(
        f"{plan.target}: {tally.runs:,} inputs in {tally.seconds:,.0f} s ({rate:,.0f} per second, "
        f"{cpu_rate:,.0f} per second of CPU, {plan.engine}), "
        f"{len(tally.outcomes):,} outcomes, {sum(tally.failed.values()):,} failed",
        flush=True,
    )
    if plan.target == "written":
        from fuzz.written_summary import lines

        print("\n".join(lines(tally.outcomes)))
    elif is_verbose:
        for outcome, number in tally.outcomes.most_common():
            print(f"  {number:>9,}  {outcome}")
    for kind, number in tally.failed.most_common():
        print(f"  FAILED {number:,} times: {kind}")
    if tally.failed:
        print(f"  kept in {plan.failures}; run one again with: python -m fuzz --replay FILE", flush=True)


def replay(path: Path, targets: Sequence[str] | None) -> int:
    """Run one kept input again; what it raises is shown in full."""
    name = targets[0] if targets else target_of(path)
    if name not in NAMES:
        print(f"{path}: name the target with --target: {', '.join(NAMES)}", file=sys.stderr)
        return 2
    target = make_target(name)
    print(f"{name}: {target.execute(path.read_bytes())}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
