"""The tables that are timed: Adult, cut or expanded to any number of rows, as CSV, or as Parquet.

Run as ``python -m benchmarks.workloads ROWS FILE [wide|disclosed|nine|realistic]`` to make one.
"""

from __future__ import annotations

import csv
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from benchmarks.adult import N_COMPLETE_ROWS, adult_files, expand, load_adult
from benchmarks.measure import ROOT, Say
from kanopy.policy import Policy

QUASI = (
    "age", "workclass", "education", "marital-status", "occupation", "race", "sex", "native-country",
)  # fmt: skip
TARGET = "income"

DISCLOSED_QUASI = (
    "workclass", "education", "occupation", "relationship", "race", "sex", "native-country",
)  # fmt: skip
"""All categorical columns but the one that is sensitive there."""
SENSITIVE = "marital-status"

STANDARD, WIDE, DISCLOSED = "", "wide", "disclosed"
"""Kinds of tables: eight quasi-identifiers, all columns but the target, or those for Top-Down Disclosure."""
NINE, REALISTIC = "nine", "realistic"
"""Without columns that are kept: cut from the standard table, or drawn from a model of Adult (Parquet)."""

BATCH = 1_000_000
"""Rows of a realistic table that are made at a time."""

N_STANDARD_ROWS = 30 * N_COMPLETE_ROWS
K = 150


def origin() -> str:
    """Where the rows come from: ``real`` where ``KANOPY_DATA`` names the folder of Adult."""
    return "generated" if adult_files() is None else "real"


@dataclass(frozen=True, slots=True)
class Workload:
    """A table and what is asked of it."""

    n_rows: int
    k: int = K
    kind: str = STANDARD
    """Which columns are quasi-identifiers, and so redrawn."""

    @property
    def file_name(self) -> str:
        ending = "parquet" if self.kind == REALISTIC else "csv"
        return f"adult-{origin()}-{self.n_rows}{self.kind and f'-{self.kind}'}.{ending}"

    def ready(self, folder: Path, say: Say) -> Path:
        """The table as a file in a folder; made where it is not there yet, by a process of its own."""
        path = folder / self.file_name
        if not path.exists():
            say(f"making a table of {self.n_rows:,} rows")
            unfinished = path.with_suffix(".unfinished")
            command = (sys.executable, "-m", "benchmarks.workloads", str(self.n_rows), str(unfinished))
            subprocess.run((*command, self.kind), check=True, cwd=ROOT)
            unfinished.replace(path)
        return path


def columns_of(path: str | Path) -> list[str]:
    """The names in the first line of a CSV file."""
    with Path(path).open(newline="", encoding="utf-8") as lines:
        return next(csv.reader(lines))


def policy_of(path: str | Path, k: int) -> Policy:
    """Eight quasi-identifiers, the income as target, all other columns kept."""
    return Policy(quasi_identifiers=QUASI, target=TARGET, keep=_others(path), k=k)


def wide_policy_of(path: str | Path, k: int) -> Policy:
    """Every column but the target is a quasi-identifier."""
    return Policy(quasi_identifiers=_inputs(path), target=TARGET, k=k)


def wide_policy_flags(path: str | Path, k: int) -> tuple[str, ...]:
    """The same policy for the command line."""
    return ("--quasi", ",".join(_inputs(path)), "--target", TARGET, "--k", str(k))


def _inputs(path: str | Path) -> tuple[str, ...]:
    return tuple(name for name in columns_of(path) if name != TARGET)


def nine_policy_flags(k: int) -> tuple[str, ...]:
    """Eight quasi-identifiers and the target; the table has no other columns."""
    return ("--quasi", ",".join(QUASI), "--target", TARGET, "--k", str(k))


def policy_flags(path: str | Path, k: int) -> tuple[str, ...]:
    """The first of these policies for the command line."""
    keep = ",".join(_others(path))
    return ("--quasi", ",".join(QUASI), "--target", TARGET, "--keep", keep, "--k", str(k))


def _others(path: str | Path) -> tuple[str, ...]:
    return tuple(name for name in columns_of(path) if name not in (*QUASI, TARGET))


def write_workload(n_rows: int, path: Path, kind: str = STANDARD) -> None:
    """Expand Adult far enough and cut it; O(rows * columns). Values are not quoted."""
    import pyarrow.csv

    if kind == REALISTIC:
        write_realistic(n_rows, path)
        return
    adult = load_adult()
    if kind == NINE:
        adult = adult.select([*QUASI, TARGET])
    all_columns = tuple(name for name in adult.column_names if name != TARGET)
    quasi = {STANDARD: QUASI, NINE: QUASI, WIDE: all_columns, DISCLOSED: DISCLOSED_QUASI}[kind]
    table = expand(adult, list(quasi), max(1, -(-n_rows // N_COMPLETE_ROWS)))
    pyarrow.csv.write_csv(table.slice(0, n_rows), path, pyarrow.csv.WriteOptions(quoting_style="none"))


def write_realistic(n_rows: int, path: Path, batch: int = BATCH, seed: int = 0) -> None:
    """Rows drawn from a Chow-Liu model of Adult, as Parquet; O(rows * columns), memory O(batch * columns).

    Every batch has a seed of its own, so a longer table starts with the rows of a shorter one.
    """
    import numpy as np
    import pyarrow as pa
    import pyarrow.parquet

    from benchmarks.chow_liu import fit

    adult = load_adult().select([*QUASI, TARGET]).combine_chunks()
    encoded = {name: adult[name].dictionary_encode().combine_chunks() for name in adult.column_names}
    domains = [column.dictionary for column in encoded.values()]
    model = fit([column.indices.to_numpy() for column in encoded.values()])
    with pyarrow.parquet.ParquetWriter(path, adult.schema) as writer:
        for number, start in enumerate(range(0, n_rows, batch)):
            codes = model.draw(batch, np.random.default_rng([seed, number]))
            cells = [
                domain.take(pa.array(column[: n_rows - start]))
                for domain, column in zip(domains, codes, strict=True)
            ]
            writer.write_table(pa.table(cells, schema=adult.schema))


if __name__ == "__main__":
    write_workload(int(sys.argv[1]), Path(sys.argv[2]), *sys.argv[3:])
