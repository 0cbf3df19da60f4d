"""Tables with policies that reach the ways a release can take, and their releases by all methods.

Run as ``python -m benchmarks.release_cases CASES RELEASES [METHOD,METHOD]``: every case in the first folder
is released into the second, from CSV to CSV and from Parquet to Parquet, in one process, as the command
line does it. What a command said and its exit code stand beside the release.
"""

from __future__ import annotations

import contextlib
import io
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet
from pyarrow import csv

from benchmarks.adult import load_adult
from benchmarks.workloads import QUASI, TARGET, write_realistic

FORMATS = ("csv", "parquet")
SAID = ".said"
N_ROWS = 2000
LARGE = "large"
"""How the names of cases start that only methods without blocks are run on."""

_DIGEST = re.compile(r"\b[0-9a-f]{64}\b")
_NINE = f"quasi_identifiers = {list(QUASI)}\ntarget = '{TARGET}'\n[privacy]\nk = 10\n"
_RANDOM = """\
quasi_identifiers = ["age", "town", "sex", "wage"]
target = "cls"
sensitive = ["ill"]
"""
_BOUNDS = """\
[privacy]
k = 4
[[privacy.diversity]]
column = "ill"
kind = "distinct"
l = 2
[[privacy.closeness]]
column = "ill"
t = 0.4
[[privacy.alpha]]
column = "ill"
alpha = 0.8
"""
_HIERARCHIES = "[hierarchies]\nage = { ranges = [5, 20] }\ntown = 'town.csv'\n"


def write_cases(folder: Path) -> None:
    """Every case as a folder with ``policy.toml``, ``table.csv`` and ``table.parquet``; O(rows)."""
    nine = load_adult().select([*QUASI, TARGET])
    _write(folder / "adult", nine.slice(0, N_ROWS), _NINE)
    _write(folder / f"{LARGE}-adult", nine, _NINE)
    write_realistic(10 * N_ROWS, folder / "rows", batch=10 * N_ROWS)
    _write(folder / f"{LARGE}-realistic", pyarrow.parquet.read_table(folder / "rows"), _NINE)
    (folder / "rows").unlink()
    _write(folder / "patients", *_patients())
    plain = _RANDOM + 'identifiers = ["who"]\nkeep = ["note"]\n[privacy]\nk = 5\n'
    _write(folder / "missing", random_table(1), plain)
    _write(
        folder / "nothing-kept", random_table(2).drop_columns(["note", "who"]), _RANDOM + "[privacy]\nk = 3\n"
    )
    persons = _RANDOM + 'person = "who"\nkeep = ["note"]\n[privacy]\nk = 3\n'
    _write(folder / "persons", random_table(3), persons)
    hierarchies = _RANDOM + 'identifiers = ["who", "note"]\n[privacy]\nk = 5\n' + _HIERARCHIES
    _write(folder / "hierarchies", random_table(4), hierarchies)
    bounds = _RANDOM + 'identifiers = ["who"]\nkeep = ["note"]\n' + _BOUNDS + _HIERARCHIES
    _write(folder / "bounds", random_table(5), bounds)


def _patients() -> tuple[pa.Table, str]:
    from kanopy.datasets import patients, patients_policy_text

    return patients(N_ROWS), patients_policy_text()


def random_table(seed: int, n_rows: int = N_ROWS // 2) -> pa.Table:
    """Numbers, texts and missing values; ``note`` hardly repeats, ``who`` has about two rows each."""
    rng = np.random.default_rng(seed)
    age = rng.integers(18, 90, n_rows)
    towns = np.array([f"t{number}" for number in range(9)])
    columns = {
        "age": pa.array(age, mask=rng.random(n_rows) < 0.03),
        "town": pa.array(towns[rng.integers(0, 9, n_rows)], mask=rng.random(n_rows) < 0.05),
        "sex": pa.array(np.array(["f", "m"])[rng.integers(0, 2, n_rows)], mask=rng.random(n_rows) < 0.1),
        "wage": pa.array(np.round(rng.lognormal(8, 1, n_rows), 1)),
        "ill": pa.array(np.array(["flu", "cold", "ms"])[rng.choice(3, n_rows, p=[0.5, 0.3, 0.2])]),
        "note": pa.array(rng.integers(0, 10 * n_rows, n_rows)),
        "who": pa.array(np.char.add("p", rng.integers(0, n_rows // 2, n_rows).astype(str))),
        "cls": pa.array(np.where(age + 9 * rng.normal(size=n_rows) > 50, "yes", "no")),
    }
    return pa.table(columns)


def _write(case: Path, table: pa.Table, policy: str) -> None:
    case.mkdir(parents=True)
    (case / "policy.toml").write_text(policy, encoding="utf-8")
    (case / "town.csv").write_text("".join(f"t{n};{'north' if n < 5 else 'south'};*\n" for n in range(9)))
    csv.write_csv(table, case / "table.csv", csv.WriteOptions(quoting_style="needed"))
    pyarrow.parquet.write_table(table, case / "table.parquet")


def write_releases(cases: Path, releases: Path, chosen: Sequence[str] = ()) -> None:
    """Every case by every method, or by those that are chosen."""
    from kanopy.algorithms import methods
    from kanopy.cli.main import main as run

    for case in sorted(cases.iterdir()):
        for method in methods():
            is_slow = case.name.startswith(LARGE) and "block_size" in method.options
            if is_slow or (chosen and method.name not in chosen):
                continue
            for ending in FORMATS:
                output = releases / f"{case.name}-{method.name}.{ending}"
                arguments = ["anonymize", str(case / f"table.{ending}"), "-o", str(output)]
                arguments += ["--policy", str(case / "policy.toml"), "--method", method.name, "--seed", "7"]
                said = _said(run, arguments).replace(str(releases), "").replace(str(cases), "")
                said = _DIGEST.sub("(digest)", said)  # that of a certificate depends on the time
                output.with_name(output.name + SAID).write_text(said, encoding="utf-8")


def _said(run: Callable[[list[str]], int], arguments: list[str]) -> str:
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()) as err:
        try:
            exit_code = run(arguments)
        except SystemExit as left:
            exit_code = int(left.code or 0)
    return f"exit code {exit_code}\n{out.getvalue()}{err.getvalue()}"


def main() -> None:
    """Release the cases that the arguments of the process name."""
    cases, releases, *chosen = sys.argv[1:]
    write_releases(Path(cases), Path(releases), chosen[0].split(",") if chosen and chosen[0] else ())


if __name__ == "__main__":
    main()
