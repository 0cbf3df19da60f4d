"""Published texts over the values of a source."""

from __future__ import annotations

import numpy as np
import pytest

from kanopy.attacks.reading import CellReader
from kanopy.data import Cell, CellKind, Domain, Hierarchy

PATHS = [("Bonn", "north"), ("Kiel", "north"), ("Ulm", "south"), ("Weiden, OPf.", "south")]
TOWNS = Hierarchy.from_paths("town", PATHS)
PLAIN = Domain("town", ("Bonn", "Kiel", "Ulm", "{odd"))
WITH_NODES = Domain("town", TOWNS.leaves, hierarchy=TOWNS)
AGES = Domain("age", ("20", "22.5", "30", "40"), np.array([20, 22.5, 30, 40]), 1)


def covered(text: str, domain: Domain) -> list[int]:
    (cell,) = CellReader(domain).read([text])
    assert cell is not None
    return np.flatnonzero(cell.covers(domain)).tolist()


@pytest.mark.parametrize(
    ("text", "domain", "codes"),
    [
        ("*", PLAIN, [0, 1, 2, 3, 4]),
        ("", PLAIN, [4]),
        ("Kiel", PLAIN, [1]),
        ("{Bonn, Ulm}", PLAIN, [0, 2]),
        ("{, Ulm}", PLAIN, [2, 4]),
        ("\\{odd", PLAIN, [3]),
        ("{odd", PLAIN, [3]),  # as other tools write it
        ("north", WITH_NODES, [0, 1]),
        ("{, north}", WITH_NODES, [0, 1, 4]),
        ("{Bonn, south}", WITH_NODES, [0, 2, 3]),
        ("{Bonn, Weiden\\, OPf.}", WITH_NODES, [0, 3]),
        ("[20, 30]", AGES, [0, 1, 2]),
        ("[0, 100]", AGES, [0, 1, 2, 3]),
        ("{, [22.5, 40]}", AGES, [1, 2, 3, 4]),
        ("30.0", AGES, [2]),
        ("25.3", AGES, []),
        ("[23, 29]", AGES, []),
        ("{25, 26}", AGES, []),
    ],
)
def test_what_a_text_covers(text: str, domain: Domain, codes: list[int]) -> None:
    assert covered(text, domain) == codes


@pytest.mark.parametrize(
    ("text", "domain"),
    [
        ("Rome", PLAIN),
        ("{Bonn, Rome}", PLAIN),
        ("north", PLAIN),
        ("[1, 2]", PLAIN),
        ("young", AGES),
        ("[a, b]", AGES),
    ],
)
def test_words_that_the_source_does_not_know(text: str, domain: Domain) -> None:
    assert CellReader(domain).read([text]) == [None]


def test_nodes_keep_their_number() -> None:
    (cell,) = CellReader(WITH_NODES).read(["south"])
    assert cell == Cell(CellKind.NODE, 2, 3, node=TOWNS.node_label.index("south"))
