"""The largest child of a node is not counted, and yet the counts are those of all rows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from plain_tables import table_of

from kanopy.data import EncodedTable
from kanopy.trees import slots
from kanopy.trees.frontier import Frontier
from kanopy.trees.slots import Slots

N_ROWS = 2000


def table(weight: bool, persons: bool, n_classes: int) -> EncodedTable:
    rng = np.random.default_rng(3)
    columns = {
        "n": rng.integers(0, 9, N_ROWS).tolist(),
        "l": rng.choice(list("abc"), N_ROWS).tolist(),
        "rare": rng.integers(0, 900, N_ROWS).tolist(),
    }
    made = table_of(columns, target=rng.integers(0, n_classes, N_ROWS).astype(str).tolist())
    if weight:
        made = replace(made, weight=rng.integers(1, 5, N_ROWS))
    if persons:
        made = replace(made, persons=rng.integers(0, 700, N_ROWS).astype(np.int32))
    return made


@pytest.mark.parametrize(("weight", "persons"), [(False, False), (True, False), (False, True)])
@pytest.mark.parametrize("n_classes", [1, 2, 3])
def test_counts_are_those_of_all_rows(weight: bool, persons: bool, n_classes: int) -> None:
    frontier, rng = Frontier.of_table(table(weight, persons, n_classes)), np.random.default_rng(4)
    n_spared = 0
    for _ in range(5):
        counts = [Slots(frontier, column).counts for column in range(3)]
        assert counts[2] is None, "too many values to keep their counts"
        is_split = rng.random(frontier.n_nodes) < 0.9
        is_split[0] = True
        side = rng.integers(0, rng.choice([2, 2, 3]), frontier.n_rows).astype(np.int32)
        side[rng.random(frontier.n_rows) < 0.3] = 1  # children of other sizes
        number = frontier.number
        frontier, closed, _ = frontier.split(is_split, side, 60, counts)
        assert len(closed) + frontier.n_rows <= N_ROWS
        assert (np.diff(frontier.node) >= 0).all()
        assert len(np.unique(np.concatenate([number, frontier.number]))) == len(number) + frontier.n_nodes
        for column in range(3):
            found, plain = Slots(frontier, column), Slots(replace(frontier, spared=None), column)
            n_spared += found._counted_sparingly() is not None
            for attribute in ("node", "code", "size", "by_class"):
                assert np.array_equal(getattr(found, attribute), getattr(plain, attribute))
    assert n_spared > 4


def test_what_is_spared_is_worth_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Spared nodes come last, and only those before them are counted."""
    frontier = Frontier.of_table(table(weight=False, persons=False, n_classes=2))
    counts = [Slots(frontier, column).counts for column in range(3)]
    side = (np.arange(N_ROWS) % 10 == 0).astype(np.int32)
    below, _, _ = frontier.split(np.ones(1, dtype=bool), side, 1, counts)
    assert np.diff(below.starts).tolist() == [200, 1800]
    n_counted: list[int] = []
    monkeypatch.setattr(slots, "paired", lambda *given: n_counted.append(len(given[1])) or _paired(*given))
    Slots(below, 0)
    assert n_counted == [200]


_paired = slots.paired
