"""Value statistics: what is told, what is merged, and when nothing may be told."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from command import run

import kanopy
from kanopy.data import CodedColumn, Domain, EncodedTable, RecodedColumn, Recoding
from kanopy.data.cell import SUPPRESSED, Cell, exact, span
from kanopy.errors import PolicyError
from kanopy.release.value_statistics import value_statistics

RNG = np.random.default_rng(3)
N = 300
TABLE = pa.table(
    {
        "age": RNG.integers(20, 40, N).astype(str),
        "job": RNG.choice(["cook", "nurse", "smith", "priest"], N, p=[0.5, 0.35, 0.14, 0.01]),
        "ill": RNG.choice(["yes", "no"], N),
    }
)
POLICY = kanopy.Policy(
    quasi_identifiers=["age", "job"], target="ill", k=5, value_statistics=["job", "age"], method="mondrian"
)


def told_of(cells: list[Cell], cell_of_row: str, value_of_row: str, floor: int, **more: Any) -> Any:
    """Statistics of values a, b, ...; cells are numbered from 0."""
    n_values = max(map(ord, value_of_row)) - ord("a") + 1
    domain = Domain("q", tuple("abcdefg"[:n_values]))
    codes = np.array([ord(value) - ord("a") for value in value_of_row], dtype=np.uint8)
    ids = np.array([int(cell) for cell in cell_of_row], dtype=np.int32)
    is_kept = more.get("is_kept", np.ones(len(codes), dtype=bool))
    table = EncodedTable(len(codes), (CodedColumn(domain, codes),), None, {}, more.get("persons"))
    recoding = Recoding((RecodedColumn(domain, tuple(cells), ids),), is_kept)
    return value_statistics(table, recoding, ["q"], floor)["q"]


# --- What is merged --------------------------------------------------------------------------------------


def test_values_of_few_rows_are_merged_and_never_one_alone() -> None:
    exactly = [exact(0), exact(1), exact(2)]
    told = told_of(exactly, "0" * 8 + "1" * 4 + "2" * 2, "a" * 8 + "b" * 4 + "c" * 2, 3)
    assert told == {"values": {"a": 9}, "other": 6, "rounded_to": 3}  # c alone would be two rows


def test_the_difference_to_the_release_is_none_or_enough() -> None:
    """Of b nine rows are printed and one is open: whoever subtracts would know that there is just one."""
    cells = [exact(0), exact(1), SUPPRESSED]
    told = told_of(cells, "0" * 9 + "1" * 9 + "2" * 6, "a" * 9 + "b" * 9 + "aaaaab", 3)
    assert told["values"] == {}
    # With three of them it may be told.
    told = told_of(cells, "0" * 9 + "1" * 9 + "2" * 6, "a" * 9 + "b" * 9 + "aaabbb", 3)
    assert told["values"] == {"a": 12, "b": 12}


def test_others_are_enough_among_the_values_of_every_cell() -> None:
    """[a, b] has four of a and two of b, [c, d] four of c and two of d: b and d are four together, but
    whoever subtracts a from the first cell would know of two."""
    cells = [span(0, 1), span(2, 3)]
    told = told_of(cells, "000000111111", "aaaabbccccdd", 3)
    assert told == {"values": {}, "other": 12, "rounded_to": 3}
    # Where a cell may stand for all four, it is not known which of them are in which cell.
    told = told_of([*cells, span(0, 3)], "000000111111" + "2" * 6, "aaaabbccccdd" + "aaaccc", 3)
    assert told["values"] == {"a": 6, "c": 6}
    assert told["other"] == 3


def test_dropped_rows_do_not_count() -> None:
    is_kept = np.array([True] * 6 + [False])
    told = told_of([exact(0), exact(1)], "0001111", "aaabbbb", 3, is_kept=is_kept)
    assert told["values"] == {"a": 3, "b": 3}


def test_people_are_enough_where_they_are_counted() -> None:
    persons = np.array([0, 0, 0, 1, 2, 3, 4], dtype=np.int32)
    told = told_of([exact(0), exact(1)], "0001111", "aaabbbb", 3, persons=persons)
    assert told["values"] == {}  # one person has all rows of a


# --- In a release ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["mondrian", "tdd", "kmember", "loukides"])
def test_what_is_told_is_true_of_the_published_rows(method: str) -> None:
    release = kanopy.anonymize(TABLE, POLICY, method=method)
    told = release.manifest["value_statistics"]
    assert list(told) == ["age", "job"]  # in the order of the columns
    assert "priest" not in told["job"]["values"]
    counts = Counter(TABLE["job"].to_pylist())
    n_out = release.manifest["rows"]["out"]
    for column in told.values():
        assert column["rounded_to"] == 5
        n_told = sum(column["values"].values()) + column["other"]
        assert abs(n_told - n_out) <= 2.5 * (len(column["values"]) + 1)
    if n_out == N:
        assert all(abs(counts[job] - n_rows) <= 2.5 for job, n_rows in told["job"]["values"].items())
    order = np.random.default_rng(4).permutation(N)
    shuffled = kanopy.anonymize(TABLE.take(order), POLICY, method=method)
    assert shuffled.manifest == release.manifest


@pytest.mark.parametrize("method", ["mondrian", "kactus", "mdav"])
def test_ends_that_are_no_values_leave_values_open(method: str) -> None:
    ages = [20, 23, 60, 83, 100] * 12
    table = pa.table({"age": ages, "job": ["a", "b", "c"] * 20})
    policy = kanopy.Policy(["age"], target="job", k=5, value_statistics=["age"])
    release = kanopy.anonymize(table, policy, method=method, widen=True, allow_empty=True)
    told = release.manifest["value_statistics"]["age"]
    assert set(told["values"]) <= set(map(str, ages))  # a level is no value


def test_nothing_is_told_unasked() -> None:
    release = kanopy.anonymize(TABLE, kanopy.Policy(quasi_identifiers=["age", "job"], target="ill", k=5))
    assert "value_statistics" not in release.manifest
    assert not release.record["value_statistics"]


def test_the_command_line_tells_them_in_json(tmp_path: Path) -> None:
    source, policy = tmp_path / "data.csv", tmp_path / "policy.toml"
    TABLE.to_pandas().to_csv(source, index=False)
    policy.write_text(
        'quasi_identifiers = ["age", "job"]\ntarget = "ill"\nvalue_statistics = ["job"]\n[privacy]\nk = 5\n'
    )
    given = ["anonymize", str(source), "-o", str(tmp_path / "r.csv"), "--policy", str(policy), "--json"]
    told = json.loads(run(*given).out)["manifest"]["value_statistics"]
    assert told == kanopy.anonymize(TABLE, kanopy.Policy.load(policy)).manifest["value_statistics"]
    flagged = json.loads(run(*given, "--value-statistics", "age", "--force").out)
    assert list(flagged["manifest"]["value_statistics"]) == ["age"]


# --- When nothing may be told ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("method", "options", "message"),
    [
        ("kactus", {"publish": "mean"}, "column 'age' is published as means"),
        ("apt", {}, "publishes values that are not those of the source"),
    ],
)
def test_cells_that_are_no_cells_of_their_originals(method: str, options: Any, message: str) -> None:
    with pytest.raises(PolicyError, match=message) as found:
        kanopy.anonymize(TABLE, POLICY, method=method, allow_empty=True, **options)
    assert "value_statistics" in str(found.value.hint)


@pytest.mark.parametrize("column", ["ill", "jobb"])
def test_statistics_are_of_quasi_identifiers(column: str) -> None:
    with pytest.raises(PolicyError, match="which is no quasi-identifier"):
        kanopy.Policy(quasi_identifiers=["age", "job"], target="ill", k=5, value_statistics=[column])


def test_swapped_cells() -> None:
    rng = np.random.default_rng(3)
    job = rng.choice(["clerk", "smith", "nurse", "priest"], N, p=[0.5, 0.3, 0.16, 0.04])
    age, town = rng.integers(20, 70, N), rng.choice(["here", "there"], N)
    odds = (age > 45) * 0.4 + (job == "clerk") * 0.3 + (job == "priest") * 0.5 + (town == "here") * 0.1
    ill = np.where(rng.random(N) < odds, "yes", "no")
    table = pa.table({"age": age, "job": job, "town": town, "ill": ill})
    policy = kanopy.Policy(
        quasi_identifiers=["age", "job", "town"],
        target="ill",
        k=10,
        value_statistics=["job"],
        method="kactus2",
    )
    options = {"inducer": "id3", "min_rows": 1}
    with pytest.raises(PolicyError, match="publishes values that are not those of the source"):
        kanopy.anonymize(table, policy, swapping_threshold=1, **options)
    assert kanopy.anonymize(table, policy, swapping_threshold=0, **options).manifest["value_statistics"]
