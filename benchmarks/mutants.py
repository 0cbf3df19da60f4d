"""``python -m benchmarks.mutants``: which small faults in the code that checks releases do the tests find?

Sixty mutants (a comparison turned, a condition dropped, an ``and`` for an ``or``, a number one larger, an
error not raised) of the audit, of the checks before a file gets its name, of certificates and codebooks are
made one by one in a copy of the code. Each is run against unit, vector and sabotage tests until one fails.
Mutants are chosen by the order of the code alone. Those that survive are printed with their place.
"""

from __future__ import annotations

import argparse
import ast
import copy
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.measure import ROOT

BAR = 57
LONGEST_RUN = 900.0
"""Seconds after which a mutant counts as found: its tests hang."""

AUDITING, CERTIFICATE, CODEBOOK = "tests/unit/auditing", "tests/unit/certificate", "tests/unit/codebook"
PRIVACY = "tests/properties/test_judge_alone.py"
SHARES: dict[str, tuple[int, tuple[str, ...]]] = {
    "auditing/counted.py": (7, (AUDITING, PRIVACY)),
    "auditing/decide.py": (8, (AUDITING, PRIVACY)),
    "auditing/recounting.py": (5, (AUDITING, PRIVACY)),
    "auditing/truth.py": (7, (AUDITING,)),
    "auditing/limits.py": (4, ("tests/sabotage/test_plain_counts.py",)),
    "auditing/beside.py": (8, ("tests/sabotage/test_files_beside.py",)),
    "frames/byte_counts.py": (3, ("tests/sabotage/test_readers.py",)),
    "engines/checks.py": (6, ("tests/sabotage/test_truth.py",)),
    "release/written_table.py": (3, ("tests/sabotage/test_gate.py", "tests/sabotage/test_bytes.py")),
    "certificate/agreeing.py": (3, (CERTIFICATE,)),
    "certificate/verifying.py": (3, (CERTIFICATE,)),
    "codebook/meaning.py": (3, (CODEBOOK,)),
}
"""Modules, how many mutants of each, and the tests that are run first."""

THEN = ("tests/sabotage", "tests/vectors", AUDITING, CERTIFICATE, CODEBOOK, "tests/unit/release")

_TURNED = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.And: ast.Or,
    ast.Or: ast.And, ast.Add: ast.Sub, ast.Sub: ast.Add, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Mutant:
    """One fault: the module, its line, what was changed, and the code with it."""

    module: str
    line: int
    what: str
    code: str
    first: tuple[str, ...]

    @property
    def place(self) -> str:
        """Where it is, and what it is."""
        return f"{self.module}:{self.line} {self.what}"


def mutants_of(module: str, first: tuple[str, ...]) -> list[Mutant]:
    """Every mutant of a module, in the order of its code."""
    tree = ast.parse((ROOT / "src/kanopy" / module).read_text("utf-8"))
    found = []
    for place, node in enumerate(ast.walk(tree)):
        if not _is_typing(node):
            for what in _faults(node):
                changed = copy.deepcopy(tree)
                _apply(list(ast.walk(changed))[place], what)
                code = ast.unparse(ast.fix_missing_locations(changed))
                found.append(Mutant(module, getattr(node, "lineno", 0), what, code, first))
    return sorted(found, key=lambda each: (each.line, each.what))


def _is_typing(node: ast.AST) -> bool:
    """Whether it may be part of a type, where ``|`` is no operation."""
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr) and not isinstance(
        node.left, ast.Call | ast.Compare | ast.Dict
    )  # fmt: skip


def _faults(node: ast.AST) -> Iterator[str]:
    """What can be done to a node."""
    if isinstance(node, ast.Compare) and type(node.ops[0]) in _TURNED:
        yield "comparison turned"
    elif isinstance(node, ast.BoolOp):
        yield "and for or"
    elif isinstance(node, ast.BinOp) and type(node.op) in _TURNED:
        yield "operation turned"
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.Invert):
        yield "not dropped"
    elif isinstance(node, ast.Raise):
        yield "not raised"
    elif isinstance(node, ast.Constant) and type(node.value) is int:
        yield "one more"


def _apply(node: ast.AST, what: str) -> None:
    if isinstance(node, ast.Compare):
        node.ops[0] = _TURNED[type(node.ops[0])]()  # type: ignore[call-overload]
    elif isinstance(node, ast.BoolOp | ast.BinOp):
        node.op = _TURNED[type(node.op)]()  # type: ignore[assignment]
    elif isinstance(node, ast.UnaryOp):
        node.op = ast.UAdd() if isinstance(node.op, ast.Invert) else ast.Not()
        if isinstance(node.op, ast.Not):
            node.operand = ast.UnaryOp(ast.Not(), node.operand)
    elif isinstance(node, ast.Raise):
        node.exc = ast.Constant(None)
        node.__class__ = ast.Expr  # type: ignore[assignment]
        node.value = ast.Constant(None)  # type: ignore[attr-defined]
    elif isinstance(node, ast.Constant):
        node.value += 1  # type: ignore[operator]


def chosen() -> list[Mutant]:
    """So many of each module, evenly spread over its code."""
    found = []
    for module, (n_mutants, first) in SHARES.items():
        every = mutants_of(module, first)
        step = len(every) / n_mutants
        found += [every[int((number + 0.5) * step)] for number in range(n_mutants)]
    return found


def is_found(mutant: Mutant) -> bool:
    """Whether a test fails where this fault is; O(seconds of the tests)."""
    with TemporaryDirectory(prefix="kanopy-mutant-") as made:
        source = Path(made) / "src"
        shutil.copytree(ROOT / "src", source, ignore=shutil.ignore_patterns("__pycache__"))
        (source / "kanopy" / mutant.module).write_text(mutant.code, "utf-8")
        for tests in (mutant.first, THEN):
            command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
            command.append(f"--basetemp={made}/tests")
            environment = os.environ | {"PYTHONPATH": str(source), "PYTHONDONTWRITEBYTECODE": "1"}
            try:
                silent: Any = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL)
                subprocess.run(command, cwd=ROOT, env=environment, timeout=LONGEST_RUN, check=True, **silent)
            except (subprocess.TimeoutExpired, subprocess.CalledProcessError):
                return True
    return False


def main(arguments: Sequence[str] | None = None) -> int:
    """Run them, and say which survive."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.mutants", description=__doc__)
    parser.add_argument("--jobs", type=int, default=2, help="mutants at the same time (default: 2)")
    parser.add_argument("--only", help="mutants of modules with this in their names")
    parser.add_argument("--list", action="store_true", help="print them, and run nothing")
    given = parser.parse_args(arguments)
    every = [each for each in chosen() if given.only is None or given.only in each.module]
    if given.list:
        print("\n".join(each.place for each in every))
        return 0
    survivors, began = [], time.monotonic()
    with ThreadPoolExecutor(given.jobs) as pool:
        for mutant, was_found in zip(every, pool.map(partial(is_found), every), strict=True):
            print(f"{'found' if was_found else 'SURVIVED'}  {mutant.place}", flush=True)
            survivors += [] if was_found else [mutant]
    n_found = len(every) - len(survivors)
    minutes = (time.monotonic() - began) / 60
    print(f"{n_found} of {len(every)} mutants were found in {minutes:.0f} minutes (bar: {BAR} of 60)")
    return int(len(survivors) > len(every) * (60 - BAR) // 60)


if __name__ == "__main__":
    sys.exit(main())
