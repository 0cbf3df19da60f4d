"""``python -m benchmarks.hospital``: the README's first release, on a hospital's messy export.

The commands are taken from README.md as they stand there, and run on 20,000 made-up stays: in German, in
English, and with every header wrong. The policy is used as it was drafted.
"""

from __future__ import annotations

import argparse
import json
import re
import resource
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.hospital_files import N_ROWS, Export, english_export, german_export, hostile_export, seen
from benchmarks.measure import ROOT
from benchmarks.plan import kanopy

MOST_SECONDS = 120.0
"""Of the machine, for all commands of the README together."""

EXPORTS: dict[str, Callable[[int], Export]] = {
    "german": german_export,
    "english": english_export,
    "hostile": hostile_export,
}


@dataclass(frozen=True, slots=True)
class Step:
    """One command, how long it took by the clock and on the processors, and what it said."""

    command: str
    elapsed: float
    cpu: float
    code: int
    said: str


def readme_commands() -> list[str]:
    """The commands of the README's first release, without their comments."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    block = re.search(r"\*\*A first release\*\*.*?```sh\n(.*?)```", text, re.DOTALL)
    assert block, "README.md has no first release"
    lines = (line.partition(" #")[0].strip() for line in block.group(1).splitlines())
    return [line for line in lines if line.startswith("kanopy ")]


def run(command: str, folder: Path) -> Step:
    """Run one line of a shell in a folder."""
    line = command.replace("kanopy ", f"{shlex.join(kanopy())} ", 1)
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(["sh", "-c", line], cwd=folder, capture_output=True, text=True, check=False)
    elapsed, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Step(command, elapsed, cpu, done.returncode, done.stdout + done.stderr)


def walk(name: str, export: Export, folder: Path, *, is_verbose: bool) -> bool:
    """Run every command of the README, print what it took and what the release tells; whether all is well."""
    export.write(folder / "data.csv")
    steps = []
    print(f"\n{name} export, {len(next(iter(export.columns.values()))):,} rows")
    for command in readme_commands():
        step = run(command, folder)
        steps.append(step)
        print(f"  {step.elapsed:5.1f} s, {step.cpu:5.1f} s of processors, exit {step.code}: {command}")
        if is_verbose or step.code:
            print("".join(f"      {line}\n" for line in step.said.splitlines()), end="")
    total = sum(step.elapsed for step in steps)
    print(f"  {total:5.1f} s in all (bar: {MOST_SECONDS:.0f} s)")
    is_well = all(step.code == 0 for step in steps) and total <= MOST_SECONDS
    if not (folder / "release.csv").exists():
        print("  nothing was released")
        return False
    return print_facts(export, folder) and is_well


def print_facts(export: Export, folder: Path) -> bool:
    """Print what the release tells and what it is good for; whether nothing secret is in it."""
    text = (folder / "release.csv").read_text(encoding="utf-8")
    leaked = {header: seen(export.columns[header], text) for header in export.secret}
    audit = _json("kanopy audit release.csv --policy policy.toml --json", folder)
    print(f"  secret cells seen in the release: {leaked}")
    print("  " + ", ".join(f"{name}: {audit.get(name)}" for name in ("colour", "k", "groups", "rows")))
    print(f"  class or sensitive value certain: {audit.get('certain')}")
    print(f"  unique rows: {audit.get('unique_rows')}")
    for found in audit.get("findings", ()):
        print(f"  {found['severity']}: {found['message']}")
    evaluated = _json("kanopy evaluate data.csv --policy policy.toml --learners c45 --json", folder)
    for score in evaluated.get("scores", ()):
        told = ", ".join(f"{name} {score[name]:.1%}" for name in ("accuracy", "original", "majority"))
        print(f"  {score['method']}, k {score['k']}, {score['learner']}: {told}")
    return not any(leaked.values())


def _json(command: str, folder: Path) -> dict[str, Any]:
    step = run(command, folder)
    try:
        found = json.loads(step.said[step.said.index("{") : step.said.rindex("}") + 1])
    except ValueError:
        print(f"  exit {step.code}: {command}\n      {step.said.strip()}")
        return {}
    return dict(found)


def main(arguments: Sequence[str] | None = None) -> int:
    """Walk through the README with every export and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.hospital", description=__doc__)
    parser.add_argument("--rows", metavar="N", type=int, default=N_ROWS, help=f"of each export ({N_ROWS:,})")
    parser.add_argument("--only", metavar="NAME", choices=EXPORTS, action="append", help=", ".join(EXPORTS))
    parser.add_argument("--keep", metavar="DIR", type=Path, help="work here and leave the files")
    parser.add_argument("--verbose", action="store_true", help="print what every command says")
    given = parser.parse_args(arguments)
    is_well = []
    with tempfile.TemporaryDirectory(prefix="kanopy-hospital-") as made:
        for name in given.only or EXPORTS:
            folder = (given.keep or Path(made)) / name
            folder.mkdir(parents=True)
            is_well.append(walk(name, EXPORTS[name](given.rows), folder, is_verbose=given.verbose))
    return 0 if all(is_well) else 1


if __name__ == "__main__":
    sys.exit(main())
