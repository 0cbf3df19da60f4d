"""Texts of a column, taken apart and read as sets of values."""

from __future__ import annotations

import numpy as np

from kanopy.data import Domain, Hierarchy
from kanopy.data.grammar import read_cell
from kanopy.data.value_sets import CellTexts, ValueSets, runs_of_names

TOWNS = Hierarchy.from_paths(
    "town", [("Bonn", "north"), ("Kiel", "north"), ("Ulm", "south"), ("Weil", "south")]
)


def test_a_part_is_numbered_once_and_names_come_before_ranges() -> None:
    texts = CellTexts.of([read_cell(text) for text in ("a", "{[1, 2], a, b}", "", "*", "{, b}")])
    assert texts.parts == ["a", "b", ("1", "2")]
    assert texts.first.tolist() == [0, 1, 4, 4, 4, 5]
    assert texts.part.tolist() == [0, 0, 1, 2, 1]
    assert texts.is_suppressed.tolist() == [False, False, False, True, False]
    assert texts.with_missing.tolist() == [False, False, True, False, True]


def test_a_text_stands_for_what_its_parts_stand_for() -> None:
    texts = CellTexts.of([read_cell(text) for text in ("{a, b}", "b", "", "*", "{, c}", "c")])
    assert texts.parts == ["a", "b", "c"]
    # a is 3 and 4, b is 0 to 3, c means nothing
    place, low, high = np.array([[0, 1], [3, 0], [4, 3]])
    sets = texts.sets(ValueSets.of_runs(6, place, low, high, np.zeros(3, dtype=bool)))
    assert sets.sizes.tolist() == [5, 4, 0, 6, 0, 0]
    assert sets.members.tolist() == [0, 1, 2, 3, 4, 0, 1, 2, 3, 0, 1, 2, 3, 4, 5]
    assert sets.with_missing.tolist() == [False, False, True, True, True, False]


def test_no_texts() -> None:
    none = np.zeros(0, dtype=np.int64)
    sets = CellTexts.of([]).sets(ValueSets.of_runs(3, none, none, none, none.astype(bool)))
    assert sets.n_cells == 0


def test_names_are_values_and_nodes() -> None:
    assert runs_of_names(Domain("a", ("x", "y"))) == {"x": (0, 0), "y": (1, 1)}
    runs = runs_of_names(Domain("town", TOWNS.leaves, hierarchy=TOWNS))
    assert (runs["Kiel"], runs["south"], runs["*"]) == ((1, 1), (2, 3), (0, 3))
