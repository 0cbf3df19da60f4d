"""``kanopy.profile``: every kind of table, persons, missing texts, names that are wrong, and never a cell."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from dataclasses import FrozenInstanceError
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest
from command import SECRET

import kanopy
from kanopy.datasets import patients
from kanopy.errors import InputError, KanopyError, PolicyError
from kanopy.frames import batches
from kanopy.privacy import Closeness, DistinctDiversity
from kanopy.profiling import SensitiveFigures, SmallGroups, SubsetFigures, lines

TABLE = pa.table(
    {
        "age": ["20", "20", "20", "30", "30", None],
        "sex": ["f", "f", "m", "m", "m", "f"],
        "ill": ["flu", "cold", "flu", "flu", "flu", "cold"],
        "days": [1, 2, 3, 4, None, 6],
        "name": ["A", "A", "B", "C", "D", "D"],
        "secret": [SECRET] * 6,
    }
)
QUASI = ["age", "sex"]


def test_counted_by_hand() -> None:
    found = kanopy.profile(TABLE, QUASI, ["ill", "days"])
    assert (found.rows, found.persons, found.unit, found.members) == (6, None, "rows", 6)
    assert (found.groups, found.k, found.smallest_groups) == (4, 1, (1, 1, 2, 2))
    assert (found.unique, found.unique_share) == (2, 2 / 6)
    assert found.small_groups == (SmallGroups(3, 6, 1.0), SmallGroups(5, 6, 1.0), SmallGroups(10, 6, 1.0))
    assert found.quasi_identifiers == ("age", "sex")
    assert found.other_columns == 2
    assert found.sensitive[0] == SensitiveFigures("ill", 2, 1, 4 / 6, "equal")
    assert found.sensitive[1].distance == "ordered"
    assert found.subsets == (
        SubsetFigures(("age", "sex"), 4, 1, 2, 2 / 6),
        SubsetFigures(("age",), 3, 1, 1, 1 / 6),
        SubsetFigures(("sex",), 2, 3, 0, 0.0),
    )
    assert (found.risks.prosecutor_highest, found.risks.marketer) == (1.0, 4 / 6)
    assert found.risks.above_promise is None
    assert found.notes == ()


def test_a_profile_is_frozen_and_plain_data() -> None:
    found = kanopy.profile(TABLE, QUASI, ["ill"])
    with pytest.raises(FrozenInstanceError):
        found.k = 5  # type: ignore[misc]
    plain = json.loads(json.dumps(found.to_dict()))
    assert plain["k"] == 1
    assert plain["subsets"][0]["columns"] == ["age", "sex"]
    assert plain["risks"]["expected_matches"] == 4
    assert SECRET not in json.dumps(plain)


def test_persons_are_counted_instead_of_rows() -> None:
    found = kanopy.profile(TABLE, QUASI, ["ill"], "name")
    assert (found.rows, found.persons, found.unit, found.members) == (6, 4, "persons", 4)
    assert found.smallest_groups == (1, 1, 1, 2)
    assert found.unique == 3, "A has two rows in one group, B and D are alone in one of theirs"
    assert {each.columns: each.unique for each in found.subsets} == {
        ("age", "sex"): 3,
        ("age",): 1,
        ("sex",): 0,
    }


def test_texts_that_mean_missing_are_one_value() -> None:
    table = pa.table({"q": ["?", "", None, "a", "NA"], "s": ["?", "1", "2", "3", None]})
    assert kanopy.profile(table, ["q"]).groups == 4
    found = kanopy.profile(table, ["q"], ["s"], missing=["?", "NA"])
    assert found.groups == 2
    assert found.smallest_groups == (1, 4)
    assert (found.sensitive[0].values, found.sensitive[0].distance) == (4, "ordered")
    assert kanopy.profile(table, ["q"], ["s"]).sensitive[0].distance == "equal"


def test_infinite_numbers_are_texts() -> None:
    found = kanopy.profile(pa.table({"q": ["a", "a"], "s": [1.5, float("inf")]}), ["q"], ["s"])
    assert found.sensitive == (SensitiveFigures("s", 2, 2, 0.0, "equal"),)


def as_parts(table: pa.Table, folder: Path) -> Path:
    (folder / "in").mkdir()
    for number in range(3):
        pq.write_table(table.slice(2 * number, 2), folder / "in" / f"part-{number}.parquet")
    return folder / "in"


def as_csv(table: pa.Table, folder: Path) -> Path:
    pa.csv.write_csv(table, folder / "data.csv")
    return folder / "data.csv"


def as_gzip(table: pa.Table, folder: Path) -> Path:
    (folder / "data.csv.gz").write_bytes(gzip.compress(as_csv(table, folder).read_bytes()))
    return folder / "data.csv.gz"


def as_parquet(table: pa.Table, folder: Path) -> Path:
    pq.write_table(table, folder / "data.parquet")
    return folder / "data.parquet"


KINDS: dict[str, Callable[[pa.Table, Path], Any]] = {
    "pandas": lambda table, _: pd.DataFrame(
        {
            name: pd.array(table[name].to_pylist(), dtype="Int64" if name == "days" else None)
            for name in table.column_names
        }
    ),
    "polars": lambda table, _: pl.from_arrow(table),
    "csv": as_csv,
    "text path": lambda table, folder: str(as_csv(table, folder)),
    "gzip": as_gzip,
    "parquet": as_parquet,
    "folder": as_parts,
    "list": lambda table, folder: sorted(as_parts(table, folder).iterdir()),
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_table(kind: str, tmp_path: Path) -> None:
    expected = kanopy.profile(TABLE, QUASI, ["ill", "days"], "name")
    assert kanopy.profile(KINDS[kind](TABLE, tmp_path), QUASI, ["ill", "days"], "name") == expected


@pytest.mark.parametrize("room", [1, 1 << 21])
def test_large_files_in_batches(room: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = kanopy.profile(TABLE, QUASI, ["ill"])
    folder = as_parts(TABLE, tmp_path)
    monkeypatch.setattr(batches, "LARGE", 0)
    monkeypatch.setattr(batches, "_ROWS_AT_A_TIME", 2)
    monkeypatch.setattr(lines, "_FIRST_ROOM", room)
    assert kanopy.profile(folder, QUASI, ["ill"]) == expected


def test_delimiter_and_encoding(tmp_path: Path) -> None:
    (tmp_path / "data.csv").write_bytes("Größe;sex\n1;f\n2;m\n".encode("latin-1"))
    found = kanopy.profile(tmp_path / "data.csv", ["Größe"], delimiter=";", encoding="latin-1")
    assert (found.groups, found.other_columns) == (2, 1)


def test_the_figures_are_those_of_the_audit() -> None:
    table = pa.table(patients(500))
    quasi, sensitive = ["age", "sex", "zip", "smoker"], ["diagnosis", "length_of_stay"]
    distances = {"diagnosis": "equal", "length_of_stay": "ordered"}
    promises = [
        promise
        for name in sensitive
        for promise in (DistinctDiversity(name, 2), Closeness(name, 0.1, distances[name]))
    ]
    others = [name for name in table.column_names if name not in {*quasi, *sensitive}]
    policy = kanopy.Policy(quasi_identifiers=quasi, sensitive=sensitive, keep=others, k=2, privacy=promises)
    verdict, found = kanopy.audit(table, policy), kanopy.profile(table, quasi, sensitive)
    assert (found.k, found.groups, found.rows) == (verdict.k, verdict.groups, verdict.rows)
    assert found.smallest_groups == verdict.smallest_groups
    levels = [result.level for result in verdict.promises[1:]]
    assert [figure for each in found.sensitive for figure in (each.l, each.t)] == levels
    assert found.risks.sentence == verdict.risks.sentence


@pytest.mark.parametrize(("n_columns", "largest", "n_subsets"), [(12, 3, 298), (13, 2, 91), (101, 1, 101)])
def test_many_quasi_identifiers(n_columns: int, largest: int, n_subsets: int) -> None:
    table = pa.table({f"q{number}": ["a", "b", "a"] for number in range(n_columns)})
    found = kanopy.profile(table, table.column_names)
    assert (found.largest_subset, len(found.subsets)) == (largest, n_subsets)
    assert len(found.notes) == (largest < 3)
    assert all(str(n_columns) in note for note in found.notes)


@pytest.mark.parametrize(
    ("request_", "error", "said"),
    [
        ({"quasi_identifiers": ["agee"]}, PolicyError, "did you mean 'age'?"),
        (
            {"quasi_identifiers": ["age"], "sensitive": ["nosuch"]},
            PolicyError,
            "sensitive names column 'nosuch'",
        ),
        ({"quasi_identifiers": ["age"], "person": "nam"}, PolicyError, "did you mean 'name'?"),
        ({"quasi_identifiers": []}, PolicyError, "no quasi-identifiers"),
        ({"quasi_identifiers": "age"}, PolicyError, "takes a list"),
        ({"quasi_identifiers": ["age"], "sensitive": ["age"]}, PolicyError, "declared twice"),
        (
            {"quasi_identifiers": ["sex"], "person": "age", "missing": list(map(str, range(99)))},
            InputError,
            "person column 'age' is empty in every row",
        ),
    ],
)
def test_refused(request_: dict[str, Any], error: type[KanopyError], said: str) -> None:
    with pytest.raises(error) as caught:
        kanopy.profile(TABLE, **request_)
    assert said in str(caught.value)
    assert SECRET not in str(caught.value)


def test_a_table_without_header_shows_no_cell(tmp_path: Path) -> None:
    (tmp_path / "data.csv").write_text(f"{SECRET},20\nB,30\n", encoding="utf-8")
    with pytest.raises(PolicyError, match="header line") as caught:
        kanopy.profile(tmp_path / "data.csv", [f"{SECRET}2"])
    assert f"{SECRET}'?" not in str(caught.value)


def test_nothing_to_count() -> None:
    with pytest.raises(InputError, match="no rows"):
        kanopy.profile(TABLE.slice(0, 0), QUASI)
    with pytest.raises(InputError, match="'q' holds list values"):
        kanopy.profile(pa.table({"q": [[1]]}), ["q"])
    nested = pa.table({"q": ["a"], "other": [[1]]})
    assert kanopy.profile(nested, ["q"]).rows == 1, "what is not named is not read"


def test_numbers_with_a_decimal_comma_are_told() -> None:
    table = pa.table({"age": ["1", "2"] * 4, "crp": ["1,5", "2", "", "10,25"] * 2, "name": ["a,b", "c"] * 4})
    found = kanopy.profile(table, quasi_identifiers=["age"], sensitive=["crp", "name"])
    (note,) = found.notes
    assert note.startswith("Column 'crp' looks like numbers with a decimal comma.")
