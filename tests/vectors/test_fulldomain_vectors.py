"""Eleven rows of race and ZIP code: what every node of their lattice says, and what each method chooses."""

from __future__ import annotations

import pytest
from plain_tables import table_of

from kanopy.algorithms import find_method
from kanopy.algorithms.fulldomain.recode import explorer_of
from kanopy.data import EncodedTable, Hierarchy
from kanopy.privacy import KAnonymity

ROWS = [
    *[("asian", "94138")] * 2, *[("asian", "94142")] * 2, ("black", "94138"), ("black", "94141"),
    *[("black", "94142")] * 2, ("white", "94138"), *[("white", "94141")] * 2,
]  # fmt: skip
RACE = Hierarchy.from_paths("race", [(race, "person") for race in ("asian", "black", "white")])
ZIP = Hierarchy.from_paths("zip", [(code, f"{code[:4]}*", "941**") for code in ("94138", "94141", "94142")])
NODES = {
    (0, 0): (7, 3, 0, 49),
    (0, 1): (6, 2, 0.25, 43),
    (1, 0): (3, 0, 0.5, 41),
    (0, 2): (3, 0, 0.5, 41),
    (1, 1): (2, 0, 0.75, 65),
    (1, 2): (1, 0, 1, 121),
}
"""Groups, rows in groups below 2, mean level, discernibility with 11 for every suppressed row."""


def table() -> EncodedTable:
    races, codes = zip(*ROWS, strict=True)
    return table_of({"race": races, "zip": codes}, hierarchies={"race": RACE, "zip": ZIP})


def chosen(name: str, limit: int, **options: str) -> tuple[tuple[int, ...], dict[str, object]]:
    method = find_method(name)
    settled = method.settle({"max_suppressed": limit, **options})
    recoding = method.run(table(), KAnonymity(2), None, lambda *_: False, **settled)
    facts = dict(recoding.facts)
    assert recoding.facts["suppressed_rows"] <= limit
    return tuple(facts["levels"].values()), facts


@pytest.mark.parametrize(("node", "expected"), NODES.items())
def test_every_node(node: tuple[int, ...], expected: tuple[float, ...]) -> None:
    n_groups, n_small, mean_level, discernibility = expected
    by_level = explorer_of(table(), KAnonymity(2), 0, "precision").check(node)
    assert (by_level.n_groups, by_level.n_suppressed, by_level.is_anonymous) == (
        n_groups,
        n_small,
        not n_small,
    )
    explorer = explorer_of(table(), KAnonymity(2), 0, "precision")
    assert explorer.bound[node] == mean_level
    by_group = explorer_of(table(), KAnonymity(2), 0, "discernibility").check(node)
    assert by_group.loss * 121 == pytest.approx(discernibility)


@pytest.mark.parametrize(
    ("limit", "height", "node"), [(0, 1, (1, 0)), (1, 1, (1, 0)), (2, 1, (1, 0)), (3, 0, (0, 0))]
)
def test_samarati(limit: int, height: int, node: tuple[int, ...]) -> None:
    found, facts = chosen("samarati", limit)
    assert found == node
    assert facts["height"] == height
    assert facts["nodes_of_height"] == (2 if limit == 2 else 1)


@pytest.mark.parametrize(("limit", "minimal"), [(0, [[0, 2], [1, 0]]), (2, [[0, 1], [1, 0]]), (3, [[0, 0]])])
def test_incognito_finds_all_minimal_nodes(limit: int, minimal: list[list[int]]) -> None:
    assert chosen("incognito", limit)[1]["minimal"] == minimal


def test_datafly_takes_the_first_of_equally_varied_columns() -> None:
    node, facts = chosen("datafly", 2)
    assert node == (1, 0)
    assert facts["suppressed_rows"] == 0


def test_datafly_of_the_paper_stops_at_k_rows() -> None:
    assert chosen("datafly", 0, preset="paper")[0] == (1, 0)
    assert chosen("datafly", 3)[0] == (0, 0)


@pytest.mark.parametrize(("limit", "loss"), [(0, 0.5), (1, 0.5)])
def test_optimal_precision(limit: int, loss: float) -> None:
    node, facts = chosen("optimal", limit, loss="precision")
    assert node in {(1, 0), (0, 2)}
    assert facts["loss"] == loss
    assert facts["is_optimal"] is True
    assert facts["lattice_nodes"] == 6


def test_optimal_precision_counts_suppressed_rows() -> None:
    node, facts = chosen("optimal", 2, loss="precision")
    assert node == (0, 1)
    assert facts["loss"] == pytest.approx((9 * 0.25 + 2) / 11)


def test_optimal_discernibility() -> None:
    assert chosen("optimal", 0, loss="discernibility")[1]["loss"] == pytest.approx(41 / 121)
