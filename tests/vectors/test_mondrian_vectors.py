"""Worked examples of Mondrian and of set generalization, each with a near miss that comes out differently.

M1 and M2: tables I and II of Shao and Beckford. M3 and M4: what strict and relaxed cuts can and cannot do.
M5: cuts by information gain. I3: how many groups the complete rows of the Adult training table fall into.
"""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from plain_tables import group_of_rows, printed_groups, row_penalties, table_of

from kanopy.algorithms.mondrian import mondrian
from kanopy.data import EncodedTable, Partition, Recoding
from kanopy.engines.local import anonymize
from kanopy.frames.source import read_source
from kanopy.policy import Policy
from kanopy.privacy import KAnonymity
from kanopy.trees.class_counts import summed_entropy
from kanopy.utility import discernibility, global_certainty_penalty, measure_losses

TABLE_ONE = {
    "age": [20, 23, 27, 25, 27, 29],
    "gender": ["M", "M", "F", "F", "F", "M"],
    "postcode": [1032, 2113, 5632, 1023, 1132, 3232],
}
RACES = {"Amer-Indian-Eskimo": 286, "Asian-Pac-Islander": 895, "Black": 2817, "Other": 231, "White": 25933}
STRICT = {"cut": "median", "strict": True, "try_lower_cut": False, "publish": "members"}
BOTH_SIDES = {"cut": "median", "publish": "members"}  # the default tries the other side of the median too
RELAXED = {"cut": "median", "strict": False, "publish": "members"}


def cut_into_groups(table: EncodedTable, k: int, **options: object) -> Recoding:
    return mondrian(table, KAnonymity(k), np.random.default_rng(0), **options)


def groups_of(recoding: Recoding) -> list[list[int]]:
    """Rows that print alike, numbered from 1 as in the papers."""
    return sorted([row + 1 for row in group] for group in printed_groups(recoding))


def texts_of(recoding: Recoding, row: int) -> tuple[str, ...]:
    """What one row, numbered from 1, says in print."""
    return tuple(column.texts[column.ids[row - 1]] for column in recoding.columns)


# --- M1: table I ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [STRICT, RELAXED], ids=["strict", "relaxed"])
@pytest.mark.parametrize("k", [2, 3])
def test_table_one(options: dict[str, object], k: int) -> None:
    table = table_of(TABLE_ONE)
    recoding = cut_into_groups(table, k, **options)
    assert groups_of(recoding) == [[1, 2, 4], [3, 5, 6]]
    assert texts_of(recoding, 1) == ("{20, 23, 25}", "{F, M}", "{1023, 1032, 2113}")
    assert texts_of(recoding, 3) == ("{27, 29}", "{F, M}", "{1132, 3232, 5632}")
    assert global_certainty_penalty(table, recoding) == pytest.approx(0.665104, abs=5e-7)


def test_table_one_cut_elsewhere() -> None:
    table = table_of(TABLE_ONE)
    assert groups_of(cut_into_groups(table, 4, **STRICT)) == [[1, 2, 3, 4, 5, 6]]
    # An older fourth row makes 27 the median: no strict cut of the ages is left, the genders are next.
    older = table_of(TABLE_ONE | {"age": [20, 23, 27, 28, 27, 29]})
    assert groups_of(cut_into_groups(older, 3, **STRICT)) == [[1, 2, 6], [3, 4, 5]]
    # With the postcode first, all widths being equal, it is the postcode that is cut.
    turned = table_of(dict(reversed(TABLE_ONE.items())))
    recoding = cut_into_groups(turned, 3, **STRICT)
    assert groups_of(recoding) == [[1, 4, 5], [2, 3, 6]]
    assert global_certainty_penalty(turned, recoding) != pytest.approx(0.665104, abs=5e-3)


# --- M2: table II, a grouping that Mondrian does not find ------------------------------------------------


def test_table_two() -> None:
    table = table_of(TABLE_ONE)
    recoding = Partition(group_of_rows(6, [1, 2, 3], [4, 5, 6]), 2).publish(table, "members")
    assert texts_of(recoding, 1) == ("{20, 23, 27}", "{F, M}", "{1032, 2113, 5632}")
    assert texts_of(recoding, 4) == ("{25, 27, 29}", "{F, M}", "{1023, 1132, 3232}")
    assert row_penalties(table, recoding) == pytest.approx([2.775825] * 3 + [1.923724] * 3, abs=5e-7)
    losses = measure_losses(table, recoding, 3)
    assert losses["gcp"] == pytest.approx(0.783258, abs=5e-7)
    assert losses["discernibility"] == 18
    assert losses["average_group_size"] == 1


def test_table_two_with_two_rows_exchanged() -> None:
    table = table_of(TABLE_ONE)
    recoding = Partition(group_of_rows(6, [1, 2, 4], [3, 5, 6]), 2).publish(table, "members")
    assert global_certainty_penalty(table, recoding) != pytest.approx(0.783258, abs=5e-3)
    assert discernibility(table, recoding, 3) == 18  # groups of the same sizes
    # A set of one is the plain value, not a set; and the order of the rows leaves no trace in a set.
    recoding = Partition(group_of_rows(6, [2, 1], [3, 4, 5, 6]), 2).publish(table, "members")
    assert texts_of(recoding, 1) == texts_of(recoding, 2) == ("{20, 23}", "M", "{1032, 2113}")


# --- M3: one value that nearly everybody has -------------------------------------------------------------


def races() -> EncodedTable:
    values = [race for race, count in RACES.items() for _ in range(count)]
    return table_of({"race": np.random.default_rng(3).permutation(values).tolist()})


def test_no_strict_cut_at_the_last_value() -> None:
    assert len(groups_of(cut_into_groups(races(), 2, **STRICT))) == 1


def test_relaxed_cut_divides_the_last_value() -> None:
    table = races()
    column = cut_into_groups(table, 15_081, **RELAXED).columns[0]
    original = np.array(table.quasi[0].domain.labels)[table.quasi[0].codes]
    everything = "{Amer-Indian-Eskimo, Asian-Pac-Islander, Black, Other, White}"
    left, right = (np.flatnonzero(column.ids == column.texts.index(text)) for text in (everything, "White"))
    assert Counter(original[left].tolist()) == RACES | {"White": 10_852}
    assert Counter(original[right].tolist()) == {"White": 15_081}
    # The rows of the median value are divided in row order.
    assert right.tolist() == np.flatnonzero(original == "White")[10_852:].tolist()


def test_relaxed_cut_of_one_person_too_few() -> None:
    assert len(groups_of(cut_into_groups(races(), 15_082, **RELAXED))) == 1


def test_strict_cut_below_the_last_value() -> None:
    recoding = cut_into_groups(races(), 4229, **BOTH_SIDES)
    assert sorted(map(len, groups_of(recoding))) == [4229, 25_933]
    assert len(groups_of(cut_into_groups(races(), 4230, **BOTH_SIDES))) == 1


# --- M4: 1, 2, 3, 4, 4, 4, 4, 4 --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("k", "options", "groups"),
    [
        pytest.param(3, STRICT, [[1, 2, 3, 4, 5, 6, 7, 8]], id="strict"),
        pytest.param(3, BOTH_SIDES, [[1, 2, 3], [4, 5, 6, 7, 8]], id="lower cut"),
        pytest.param(4, BOTH_SIDES, [[1, 2, 3, 4, 5, 6, 7, 8]], id="lower cut, k = 4"),
        pytest.param(3, RELAXED, [[1, 2, 3, 4], [5, 6, 7, 8]], id="relaxed"),
        pytest.param(4, RELAXED, [[1, 2, 3, 4], [5, 6, 7, 8]], id="relaxed, k = 4"),
        pytest.param(5, RELAXED, [[1, 2, 3, 4, 5, 6, 7, 8]], id="relaxed, k = 5"),
    ],
)
def test_eight_numbers(k: int, options: dict[str, object], groups: list[list[int]]) -> None:
    table = table_of({"number": [1, 2, 3, 4, 4, 4, 4, 4]})
    assert groups_of(cut_into_groups(table, k, **options)) == groups


def test_eight_numbers_with_a_lower_median() -> None:
    table = table_of({"number": [1, 2, 3, 3, 4, 4, 4, 4]})
    assert groups_of(cut_into_groups(table, 3, **STRICT)) == [[1, 2, 3, 4], [5, 6, 7, 8]]


# --- M5: cuts by gain ------------------------------------------------------------------------------------

AGES = {"age": [20, 22, 25, 30, 35, 40, 45, 50]}
CLASSES = ["Y", "Y", "N", "N", "N", "Y", "Y", "Y"]


@pytest.mark.parametrize(
    ("k", "groups"),
    [
        pytest.param(2, [[1, 2], [3, 4, 5], [6, 7, 8]], id="k = 2: after 35, then after 22"),
        pytest.param(3, [[1, 2, 3, 4, 5], [6, 7, 8]], id="k = 3: after 35"),
        pytest.param(4, [[1, 2, 3, 4], [5, 6, 7, 8]], id="k = 4: the median"),
        pytest.param(5, [[1, 2, 3, 4, 5, 6, 7, 8]], id="k = 5: nothing"),
    ],
)
def test_ages_and_classes(k: int, groups: list[list[int]]) -> None:
    table = table_of(AGES, target=CLASSES)
    assert groups_of(cut_into_groups(table, k, cut="gain", max_chance=1)) == groups


def test_ages_and_other_classes() -> None:
    other = table_of(AGES, target=["Y", "Y", "N", "N", "Y", "Y", "Y", "Y"])
    assert groups_of(cut_into_groups(other, 3, cut="gain", max_chance=1)) == [[1, 2, 3, 4], [5, 6, 7, 8]]
    table = table_of(AGES, target=CLASSES)
    assert groups_of(cut_into_groups(table, 3, cut="median")) == [[1, 2, 3, 4], [5, 6, 7, 8]]


@pytest.mark.parametrize(
    ("sides", "entropy"),
    [
        pytest.param([[3, 2], [0, 3]], 0.6068, id="after 35"),
        pytest.param([[2, 2], [1, 3]], 0.9056, id="after 30"),
    ],
)
def test_entropies_of_cuts(sides: list[list[int]], entropy: float) -> None:
    assert summed_entropy(np.array(sides)).sum() / 8 == pytest.approx(entropy, abs=5e-5)


# --- Which column is the widest ----------------------------------------------------------------------------


def test_the_widest_range_or_the_most_different_values() -> None:
    """Both ranges are whole, and n comes first; m has more values, until 3 is cut off."""
    table = table_of({"n": [0, 0, 0, 100, 100, 100], "m": [1, 2, 3, 1, 2, 3]})
    assert groups_of(cut_into_groups(table, 2, **BOTH_SIDES)) == [[1, 2, 3], [4, 5, 6]]
    found = groups_of(cut_into_groups(table, 2, **BOTH_SIDES, width="distinct"))
    assert found == [[1, 2], [3, 6], [4, 5]]


def test_missing_is_one_of_the_different_values() -> None:
    values = {"n": [0, 0, 1, 1], "m": [5, None, 6, None]}
    assert groups_of(cut_into_groups(table_of(values), 2, **BOTH_SIDES, width="distinct")) == [[1, 3], [2, 4]]
    complete = table_of(values | {"m": [5, 6, 5, 6]})
    assert groups_of(cut_into_groups(complete, 2, **BOTH_SIDES, width="distinct")) == [[1, 2], [3, 4]]


# --- I3: Adult -------------------------------------------------------------------------------------------

ADULT_QUASI = ["age", "education", "hours-per-week", "native-country", "capital-gain", "workclass"]


@pytest.fixture(scope="module")
def adult() -> pa.Table:
    folder = os.environ.get("KANOPY_DATA")
    if not folder:
        pytest.skip("KANOPY_DATA is not set to a folder with adult_train.csv")
    table = read_source(Path(folder) / "adult_train.csv")
    is_complete = np.ones(table.num_rows, dtype=bool)
    for column in table.columns:
        is_missing = pc.is_in(column.cast(pa.string()), value_set=pa.array(["", "?", None], pa.string()))
        is_complete &= ~is_missing.to_numpy(zero_copy_only=False)
    return table.filter(pa.array(is_complete))


@pytest.mark.parametrize(("k", "n_groups"), [(4, 2239), (8, 1352), (16, 794), (32, 462), (64, 280)])
def test_groups_of_adult(adult: pa.Table, k: int, n_groups: int) -> None:
    policy = Policy(quasi_identifiers=ADULT_QUASI, target="income", k=k)
    release = anonymize(adult.select([*ADULT_QUASI, "income"]), policy, **STRICT)
    assert release.audit.rows == 30_162
    assert release.audit.groups == n_groups


@pytest.mark.parametrize("change", ["other order", "lower cuts"])
def test_other_groups_of_adult(adult: pa.Table, change: str) -> None:
    """The ties between equally wide columns, and nothing but upper cuts, make these numbers."""
    quasi = ADULT_QUASI[::-1] if change == "other order" else ADULT_QUASI
    policy = Policy(quasi_identifiers=quasi, target="income", k=16)
    table = adult.select([*ADULT_QUASI, "income"])
    release = anonymize(table, policy, **(STRICT | {"try_lower_cut": change == "lower cuts"}))
    assert release.audit.groups != 794
