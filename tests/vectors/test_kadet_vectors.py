"""K1: kADET on the 34 rows of Fung, Wang and Yu; with near misses that come out differently."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from plain_tables import table_of

from kanopy.algorithms.kadet import kadet
from kanopy.data import EncodedTable, Hierarchy, Recoding
from kanopy.privacy import KAnonymity
from kanopy.trees.class_counts import summed_entropy

ROWS = (
    ("9th", "M", 30, 0, 3),
    ("10th", "M", 32, 0, 4),
    ("11th", "M", 35, 2, 3),
    ("12th", "F", 37, 3, 1),
    ("Bachelors", "F", 42, 4, 2),
    ("Bachelors", "F", 44, 4, 0),
    ("Masters", "M", 44, 4, 0),
    ("Masters", "F", 44, 3, 0),
    ("Doctorate", "F", 44, 1, 0),
)
"""Education, sex, hours; how many of class Y and of class N."""
PATHS = (
    ("9th", "Junior", "Secondary", "ANY"),
    ("10th", "Junior", "Secondary", "ANY"),
    ("11th", "Senior", "Secondary", "ANY"),
    ("12th", "Senior", "Secondary", "ANY"),
    ("Bachelors", "Bachelors", "University", "ANY"),
    ("Masters", "Grad", "University", "ANY"),
    ("Doctorate", "Grad", "University", "ANY"),
)
IN_ORDER = [path[0] for path in PATHS]


def example(names: tuple[str, ...] = ("education", "sex"), *, with_taxonomy: bool = True) -> EncodedTable:
    lines = [line for line in ROWS for _ in range(line[3] + line[4])]
    classes = [label for line in ROWS for label in "Y" * line[3] + "N" * line[4]]
    every = {
        "education": [line[0] for line in lines],
        "sex": [line[1] for line in lines],
        "hours": [line[2] for line in lines],
    }
    hierarchy = Hierarchy.from_paths("education", PATHS, IN_ORDER.index)
    return table_of(
        {name: every[name] for name in names},
        target=classes,
        hierarchies={"education": hierarchy} if with_taxonomy else {},
    )


def grown(table: EncodedTable, k: int) -> Recoding:
    return kadet(table, KAnonymity(k), np.random.default_rng(0))


def printed(table: EncodedTable, recoding: Recoding) -> dict[tuple[str, ...], str]:
    """The classes of every group, such as 2Y 3N."""
    target = table.target
    found: dict[tuple[str, ...], Counter[str]] = {}
    for row in range(table.n_rows):
        text = tuple(column.texts[column.ids[row]] for column in recoding.columns)
        found.setdefault(text, Counter())[target.domain.labels[target.codes[row]]] += 1
    return {text: f"{counts['Y']}Y {counts['N']}N" for text, counts in found.items()}


EDUCATION = {"9th": 0, "10th": 1, "11th": 2, "12th": 3, "Bachelors": 4, "Masters": 5, "Doctorate": 6}


@pytest.mark.parametrize(
    ("branch", "gain"),
    [
        pytest.param(lambda line: line[0], 0.5091, id="education, leaves"),
        pytest.param(lambda line: PATHS[EDUCATION[line[0]]][1], 0.4850, id="education, one level up"),
        pytest.param(lambda line: line[1], 0.1664, id="sex"),
    ],
)
def test_the_gains_at_the_root(branch: object, gain: float) -> None:
    parts: dict[str, np.ndarray] = {}
    for line in ROWS:
        parts[branch(line)] = parts.get(branch(line), np.zeros(2, dtype=int)) + line[3:]
    after = summed_entropy(np.array(list(parts.values()))).sum()
    before = summed_entropy(sum(parts.values())[None, :]).sum()
    assert (before - after) / 34 == pytest.approx(gain, abs=5e-5)


def test_four_people() -> None:
    """Leaves of 3 and 1 are refused, so education is split one level up; the Seniors by sex."""
    table = example()
    recoding = grown(table, 4)
    assert printed(table, recoding) == {
        ("Junior", "*"): "0Y 7N",
        ("Senior", "M"): "2Y 3N",
        ("Senior", "F"): "3Y 1N",
        ("Bachelors", "*"): "8Y 2N",
        ("Grad", "*"): "8Y 0N",
    }
    assert str(recoding.model).splitlines() == [
        "education = Junior: N (7)",
        "education = Senior",
        "|   sex = F: Y (4/1)",
        "|   sex = M: N (5/2)",
        "education = Bachelors: Y (10/2)",
        "education = Grad: Y (8)",
    ]


@pytest.mark.parametrize(
    ("k", "groups"),
    [
        pytest.param(5, {"Junior": 7, "Senior": 9, "Bachelors": 10, "Grad": 8}, id="no split by sex"),
        pytest.param(7, {"Junior": 7, "Senior": 9, "Bachelors": 10, "Grad": 8}, id="the Juniors suffice"),
        pytest.param(8, {"Secondary": 16, "University": 18}, id="the Juniors are too few: two levels up"),
        pytest.param(16, {"Secondary": 16, "University": 18}, id="the last k for two levels"),
        pytest.param(17, {"*": 34}, id="nothing but everybody"),
    ],
)
def test_more_people(k: int, groups: dict[str, int]) -> None:
    table = example()
    column = grown(table, k).columns[0]
    assert Counter(column.texts[cell] for cell in column.ids.tolist()) == groups


def test_without_a_taxonomy_the_column_is_dropped() -> None:
    table = example(with_taxonomy=False)
    assert printed(table, grown(table, 4)) == {("*", "F"): "15Y 3N", ("*", "M"): "6Y 10N"}


def test_with_the_hours() -> None:
    """After 35 there are 12 and 22 rows, 0.3584 bits: less than education one level up, more than sex."""
    table = example(("education", "sex", "hours"))
    recoding = grown(table, 8)
    assert recoding.columns[0].texts == ["*"]
    texts = recoding.columns[2].texts
    assert sorted(Counter(texts[cell] for cell in recoding.columns[2].ids.tolist()).items()) == [
        ("44", 12),
        ("[30, 35]", 12),
        ("[37, 42]", 10),
    ]
    # For k = 7 education is allowed one level up, and gains more.
    assert "Junior" in grown(table, 7).columns[0].texts
