"""The tables that are timed: Adult, cut or expanded to any number of rows, as CSV.

Run as ``python -m benchmarks.workloads ROWS FILE.csv [wide]`` to make one.
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
    is_wide: bool = False
    """Whether all columns but the target are quasi-identifiers, instead of eight."""

    @property
    def file_name(self) -> str:
        return f"adult-{origin()}-{self.n_rows}{'-wide' if self.is_wide else ''}.csv"

    def ready(self, folder: Path, say: Say) -> Path:
        """The table as a file in a folder; made where it is not there yet, by a process of its own."""
        path = folder / self.file_name
        if not path.exists():
            say(f"making a table of {self.n_rows:,} rows")
            unfinished = path.with_suffix(".unfinished")
            command = (sys.executable, "-m", "benchmarks.workloads", str(self.n_rows), str(unfinished))
            subprocess.run((*command, *(["wide"] if self.is_wide else [])), check=True, cwd=ROOT)
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


def policy_flags(path: str | Path, k: int) -> tuple[str, ...]:
    """The same policy for the command line."""
    keep = ",".join(_others(path))
    return ("--quasi", ",".join(QUASI), "--target", TARGET, "--keep", keep, "--k", str(k))


def _others(path: str | Path) -> tuple[str, ...]:
    return tuple(name for name in columns_of(path) if name not in (*QUASI, TARGET))


def write_workload(n_rows: int, path: Path, *, is_wide: bool = False) -> None:
    """Expand Adult far enough and cut it; O(rows * columns). Values are not quoted."""
    import pyarrow.csv

    adult = load_adult()
    quasi = [name for name in adult.column_names if name != TARGET] if is_wide else list(QUASI)
    table = expand(adult, quasi, max(1, -(-n_rows // N_COMPLETE_ROWS)))
    pyarrow.csv.write_csv(table.slice(0, n_rows), path, pyarrow.csv.WriteOptions(quoting_style="none"))


if __name__ == "__main__":
    write_workload(int(sys.argv[1]), Path(sys.argv[2]), is_wide="wide" in sys.argv[3:])
