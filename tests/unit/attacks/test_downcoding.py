"""What a cell and the size of its group tell."""

from __future__ import annotations

import pyarrow as pa
import pytest

import kanopy
from kanopy.attacks import Downcoding
from kanopy.hierarchies import Groups
from kanopy.policy import Policy

LAND = Groups({"north": ["Bonn", "Kiel"], "south": ["Ulm", "Rom"]})


def told(own: list[str], shown: list[str], **fields: object) -> Downcoding:
    """The figures of one column; rows in the order of the groups."""
    policy = Policy(quasi_identifiers=["q"], k=2, **fields)  # type: ignore[arg-type]
    return kanopy.attack(pa.table({"q": shown}), pa.table({"q": own}), policy).downcoding


@pytest.mark.parametrize(
    ("own", "shown", "expected"),
    [
        (["Bonn", "Kiel"], ["north", "north"], Downcoding(1, 1, 1, 1)),
        # Both below one child: the node was wider than needed, and the conclusion is wrong.
        (["Bonn", "Bonn"], ["north", "north"], Downcoding(1, 1, 1, 0)),
        # Three rows: at least one each, but which has two?
        (["Bonn", "Kiel", "Kiel"], ["north"] * 3, Downcoding(1, 0, 0, 0)),
        (["Bonn", "Ulm"], ["*", "*"], Downcoding(1, 1, 1, 1)),
    ],
)
def test_nodes(own: list[str], shown: list[str], expected: Downcoding) -> None:
    assert told(own, shown, hierarchies={"q": LAND}) == expected


@pytest.mark.parametrize(
    ("own", "shown", "expected"),
    [
        (["a", "b", "c"], ["{a, b, c}"] * 3, Downcoding(1, 1, 1, 1)),
        (["a", "a", "c"], ["{a, c}"] * 3, Downcoding(1, 0, 0, 0)),
        (["a", "b"], ["*", "*"], Downcoding(1, 0, 0, 0)),
        (["1", "9"], ["[1, 9]"] * 2, Downcoding(1, 1, 1, 1)),
        (["1", "5", "9"], ["[1, 9]"] * 3, Downcoding(1, 0, 0, 0)),
    ],
)
def test_sets_and_ranges(own: list[str], shown: list[str], expected: Downcoding) -> None:
    assert told(own, shown) == expected


def test_a_cell_of_several_groups_says_nothing_about_one() -> None:
    """Recoded for all groups at once: the node may be needed by the other group alone."""
    policy = Policy(quasi_identifiers=["q", "sex"], k=2, hierarchies={"q": LAND})
    source = pa.table({"q": ["Bonn", "Kiel", "Bonn", "Bonn"], "sex": list("ffmm")})
    shown = source.set_column(0, "q", pa.array(["north"] * 4))
    assert kanopy.attack(shown, source, policy).downcoding == Downcoding(2, 0, 0, 0)
    # Where the same value is published in two ways, a cell was chosen for its group.
    source = pa.concat_tables([source, pa.table({"q": ["Kiel", "Kiel"], "sex": list("xx")})])
    shown = pa.concat_tables([shown, source.slice(4)])
    assert kanopy.attack(shown, source, policy).downcoding == Downcoding(3, 2, 2, 1)


def test_where_values_are_missing_a_suppressed_cell_tells_nothing() -> None:
    assert told(["Bonn", ""], ["*", "*"], hierarchies={"q": LAND}) == Downcoding(1, 0, 0, 0)


def test_an_end_that_nobody_in_the_group_has() -> None:
    policy = Policy(quasi_identifiers=["q", "sex"], k=2)
    source = pa.table({"q": ["1", "5", "9", "9"], "sex": list("ffmm")})
    shown = source.set_column(0, "q", pa.array(["[1, 9]", "[1, 9]", "9", "9"]))
    assert kanopy.attack(shown, source, policy).downcoding == Downcoding(2, 1, 1, 0)
