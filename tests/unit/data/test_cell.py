"""What a cell covers, and what it says, are the same thing."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kanopy.data import Cell, CellKind, Domain, Hierarchy
from kanopy.data import cell as cells
from kanopy.data.grammar import read_cell

NASTY = ("*", "1", "1.0", "[1, 2]", "\\x", "a, b", "{a, b}", "é")
NUMBERS = Domain("n", ("-1", "0.5", "2", "10"), np.array([-1, 0.5, 2, 10]), decimals=1)
WORDS = Domain("c", NASTY)
TREE = Hierarchy.from_paths(
    "t", [("a", "[x]", "top"), ("b", "[x]", "top"), ("c", "y", "top"), ("d", "z", "z")]
)
LEAVES = Domain("t", TREE.leaves, hierarchy=TREE)
DOMAINS = {"numbers": NUMBERS, "words": WORDS, "leaves": LEAVES}


def node(label: str, *, with_missing: bool = False) -> Cell:
    return cells.node(LEAVES, TREE.node_label.index(label), with_missing=with_missing)


@pytest.mark.parametrize(
    ("cell", "domain", "text", "covered"),
    [
        pytest.param(cells.SUPPRESSED, NUMBERS, "*", [1, 1, 1, 1, 1], id="suppressed"),
        pytest.param(cells.MISSING, NUMBERS, "", [0, 0, 0, 0, 1], id="missing"),
        pytest.param(cells.exact(1), NUMBERS, "0.5", [0, 1, 0, 0, 0], id="exact"),
        pytest.param(cells.exact(1, with_missing=True), NUMBERS, "{, 0.5}", [0, 1, 0, 0, 1], id="or not"),
        pytest.param(cells.span(0, 2), NUMBERS, "[-1, 2]", [1, 1, 1, 0, 0], id="range"),
        pytest.param(cells.span(1, 1), NUMBERS, "0.5", [0, 1, 0, 0, 0], id="range of one"),
        pytest.param(
            cells.span(0, 2, with_missing=True), NUMBERS, "{, [-1, 2]}", [1, 1, 1, 0, 1], id="range or not"
        ),
        pytest.param(cells.members((0, 3)), NUMBERS, "{-1, 10}", [1, 0, 0, 1, 0], id="set"),
        pytest.param(cells.members((3,)), NUMBERS, "10", [0, 0, 0, 1, 0], id="set of one"),
        pytest.param(
            cells.members((0, 3), with_missing=True), NUMBERS, "{, -1, 10}", [1, 0, 0, 1, 1], id="set or not"
        ),
        pytest.param(
            Cell(CellKind.MEAN, 0, 2, printed="0.5"), NUMBERS, "0.5", [1, 1, 1, 0, 0], id="mean, like a value"
        ),
        pytest.param(node("[x]"), LEAVES, "\\[x]", [1, 1, 0, 0, 0], id="node that looks like a range"),
        pytest.param(node("top"), LEAVES, "top", [1, 1, 1, 0, 0], id="node"),
        pytest.param(node("top", with_missing=True), LEAVES, "{, top}", [1, 1, 1, 0, 1], id="node or not"),
        pytest.param(node("c"), LEAVES, "c", [0, 0, 1, 0, 0], id="node that is a leaf"),
        pytest.param(node("*"), LEAVES, "*", [1, 1, 1, 1, 1], id="root"),
        pytest.param(cells.exact(0), WORDS, "\\*", [1, 0, 0, 0, 0, 0, 0, 0, 0], id="a value *"),
    ],
)
def test_what_cells_say_and_cover(cell: Cell, domain: Domain, text: str, covered: list[int]) -> None:
    assert cell.text(domain) == text
    assert cell.covers(domain).tolist() == [bool(is_covered) for is_covered in covered]


def test_the_root_covers_missing_too() -> None:
    assert node("*") is cells.SUPPRESSED
    assert node("*").with_missing


@given(st.sampled_from(sorted(DOMAINS)), st.data())
def test_the_text_tells_what_is_covered(kind: str, data: st.DataObject) -> None:
    """Read from the text alone, a set or a value covers exactly the codes of the cell."""
    domain = DOMAINS[kind]
    codes = data.draw(st.sets(st.integers(0, domain.n_values - 1), min_size=1))
    with_missing = data.draw(st.booleans())
    cell = cells.members(tuple(sorted(codes)), with_missing=with_missing)
    read = read_cell(cell.text(domain))
    assert sorted(read.texts) == sorted(domain.labels[code] for code in codes)
    assert read.with_missing == with_missing
    expected = [code in codes for code in range(domain.n_values)] + [with_missing]
    assert cell.covers(domain).tolist() == expected


@given(st.integers(0, 3), st.integers(0, 3), st.booleans())
def test_different_cells_print_differently(one: int, other: int, with_missing: bool) -> None:
    cell, another = (cells.span(0, high, with_missing=with_missing) for high in (one, other))
    assert (cell == another) == (cell.text(NUMBERS) == another.text(NUMBERS))
