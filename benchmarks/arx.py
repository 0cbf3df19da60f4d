"""``python -m benchmarks.arx``: the best full-domain recoding of Adult, beside that of ARX.

Nine quasi-identifiers of the 30,162 complete training rows, ARX's own hierarchies, non-uniform entropy, no
row suppressed: the levels and the score must be the same. ARX runs as a program of its own where ``ARX_JAR``
names its jar and there is Java 11 or later. Both processes are then timed in turns, from CSV to CSV; only
kanopy checks what it has written. Without the jar kanopy is compared with the optima that ARX's own tests
expect. ``KANOPY_DATA`` names the folder with the rows and the hierarchies.
"""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

import kanopy
from benchmarks.adult import DATA_FOLDER, load_adult
from benchmarks.measure import ROOT, Task, measure, whole
from benchmarks.plan import kanopy as command

NAMES = (
    "sex", "age", "race", "marital-status", "education", "native-country", "workclass", "occupation",
    "income",
)  # fmt: skip
N_ROWS = 30_162
EXPECTED = {
    5: ((1, 2, 1, 1, 3, 2, 2, 1, 1), 407289.5388925293),
    100: ((0, 4, 1, 1, 3, 2, 2, 1, 1), 453196.8932458743),
}
"""Levels and bits by k, as ARX's tests have them."""

Optimum = tuple[tuple[int, ...], float]


def main() -> int:
    """Compare the optima, and the two programs where both are there; 1 where the optima differ."""
    folder = os.environ.get(DATA_FOLDER)
    if folder is None:
        print(f"{DATA_FOLDER} names no folder: nothing to compare")
        return 0
    hierarchies, jar = Path(folder).resolve() / "hierarchies" / "adult" / "arx", os.environ.get("ARX_JAR")
    with TemporaryDirectory(prefix="kanopy-arx-") as made:
        source, policy = Path(made) / "adult.csv", Path(made) / "policy.toml"
        table = load_adult().slice(0, N_ROWS).select(NAMES)
        pyarrow.csv.write_csv(table, source, pyarrow.csv.WriteOptions(delimiter=";", quoting_style="none"))
        policy.write_text(policy_text(hierarchies), encoding="utf-8")
        differ = [k for k, expected in EXPECTED.items() if not _agrees(table, policy, k, expected)]
        if jar is None or shutil.which("java") is None:
            print("ARX was not run: ARX_JAR names no jar, or there is no Java")
        else:
            differ += [k for k in EXPECTED if not _side_by_side(jar, source, hierarchies, policy, k)]
    return 1 if differ else 0


def policy_text(hierarchies: Path) -> str:
    """The levels of ARX's files; ages in the same groups, whose labels are off by one there."""
    files = [f"{name} = '{hierarchies / name}.csv'" for name in NAMES if name != "age"]
    roles = f"quasi_identifiers = {list(NAMES)}"
    ages = "age = { ranges = [5, 10, 20], from = 1 }"
    return "\n".join([roles, "[privacy]", "k = 5", "[hierarchies]", ages, *files])


def _agrees(table: pa.Table, policy: Path, k: int, expected: Optimum) -> bool:
    release = kanopy.anonymize(table, kanopy.Policy.load(policy, k=k), method="optimal", loss="entropy")
    facts = release.record["facts"]
    levels, bits = tuple(facts["levels"].values()), facts["loss"] * _bits_of_all(table)
    is_same = levels == expected[0] and abs(bits - expected[1]) < 1e-3
    print(f"k = {k}: levels {levels}, {bits:.4f} bits, {facts['nodes_checked']} nodes of "
          f"{facts['lattice_nodes']} counted; ARX expects {expected[0]}, {expected[1]:.4f}: "
          f"{'the same' if is_same else 'NOT THE SAME'}")  # fmt: skip
    return is_same


def _bits_of_all(table: pa.Table) -> float:
    """What is lost where every cell is suppressed."""
    bits, n_rows = 0.0, table.num_rows
    for column in table.columns:
        n_of_value = pc.value_counts(column.combine_chunks()).field("counts").to_numpy()
        bits += n_rows * np.log2(n_rows) - (n_of_value * np.log2(n_of_value)).sum()
    return float(bits)


def _side_by_side(jar: str, source: Path, hierarchies: Path, policy: Path, k: int) -> bool:
    """Time both programs in turns; whether ARX finds the optimum that it expects."""
    program = str(ROOT / "benchmarks" / "SideBySide.java")
    theirs = ("java", "-cp", jar, program, str(source), str(hierarchies), str(k), "0", "global")
    output = str(source.with_name("arx.csv"))
    done = subprocess.run((*theirs, output), capture_output=True, text=True, check=False)
    if done.returncode:
        print(f"ARX failed with exit code {done.returncode}: {done.stderr.strip()[-300:]}")
        return False
    levels, score = done.stdout.splitlines()[-2:]
    print(f"k = {k}: ARX finds {levels}, {score}")
    ours = command("anonymize", str(source), "-o", str(source.with_name("ours.csv")), "--force")
    ours = (*ours, "--policy", str(policy), "--k", str(k), "--method", "optimal", "--option", "loss=entropy")
    tasks: list[Task] = [whole("ARX", N_ROWS, *theirs, output), whole("kanopy", N_ROWS, *ours)]
    for found in measure(tasks, rounds=3, limit=600, say=lambda _: None):
        told = found.fault or f"{found.cpu:.2f} s CPU, {found.peak_bytes / 2**20:.0f} MB"
        print(f"k = {k}: {found.task.name}: {told}")
    return tuple(ast.literal_eval(levels)) == EXPECTED[k][0]


if __name__ == "__main__":
    sys.exit(main())
