"""Merging by the class: what says the same comes together first."""

from __future__ import annotations

from fractions import Fraction
from math import log2
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kanopy.hierarchies import Merge
from kanopy.hierarchies.merge import merges


def built(values: dict[str, list[int]], levels: int = 3) -> dict[str, set[str]]:
    tree = Merge(levels).build("job", list(values), lambda: np.array(list(values.values()), dtype=np.int64))
    spans = zip(tree.node_label, tree.node_low, tree.node_high, strict=True)
    return {label: set(tree.leaves[low : high + 1]) for label, low, high in spans if high > low}


def test_what_says_the_same_comes_together() -> None:
    made = built({"doctor": [9, 1], "nurse": [2, 8], "judge": [18, 2], "cook": [1, 4]}, levels=1)
    assert set(made) - {"*"} == {"doctor | judge", "cook | nurse"}


def test_rare_values_cost_little() -> None:
    """Three rows that disagree lose less than hundreds that nearly agree."""
    made = built({"a": [500, 500], "b": [400, 600], "c": [3, 0]}, levels=1)
    assert set(made) - {"*"} == {"a | c"}


def test_the_class_decides_not_the_name() -> None:
    one = {"a": [5, 0], "b": [5, 0], "c": [0, 5], "d": [0, 5]}
    other = {"a": [5, 0], "b": [0, 5], "c": [0, 5], "d": [5, 0]}
    assert set(built(one, 1)) - {"*"} == {"a | b", "c | d"}
    assert set(built(other, 1)) - {"*"} == {"a | d", "b | c"}


@pytest.mark.parametrize(
    ("n_values", "levels", "sizes"),
    [(14, 3, [7, 4, 2]), (16, 1, [4]), (3, 3, [2]), (2, 3, []), (1, 3, []), (5, 2, [3, 2])],
)
def test_levels(n_values: int, levels: int, sizes: list[int]) -> None:
    values = [f"v{number:02}" for number in range(n_values)]
    counts = np.array([[number + 1, 2 * n_values - number] for number in range(n_values)])
    tree = Merge(levels).build("c", values, lambda: counts)
    on_levels = [len(np.unique(level)) for level in tree.ancestors[1:-1]]
    assert [size for size in on_levels if 1 < size < n_values] == sizes


def test_names() -> None:
    many = built({f"value {number:02}": [1, 1] for number in range(30)}, levels=1)
    assert "value 00 | value 01 | value 02 | value 03 | value 04 | 21 more" in many, sorted(many)
    long = built({"x" * 100: [1, 0], "y" * 100: [1, 0], "z": [0, 1]}, levels=1)
    assert f"{'x' * 100} | {'y' * 100}" in long
    taken = built({"a": [1, 0], "b": [1, 0], "a | b": [0, 9], "z": [0, 9]}, levels=1)
    assert taken["a | b*"] == {"a", "b"}


# --- the same, slowly ------------------------------------------------------------------------------------


def summed_entropy(counts: list[int]) -> float:
    total = sum(counts)
    return sum(-count * log2(Fraction(count, total)) for count in counts if count)


def slow_merges(counts: list[list[int]]) -> list[tuple[int, int]]:
    open_groups = dict(enumerate(counts))
    merged = []
    while len(open_groups) > 1:
        pairs = [(one, other) for one in open_groups for other in open_groups if one < other]

        def loss(pair: tuple[int, int]) -> Any:
            one, other = (open_groups[number] for number in pair)
            both = [a + b for a, b in zip(one, other, strict=True)]
            return round(summed_entropy(both) - summed_entropy(one) - summed_entropy(other), 9), pair

        kept, gone = min(pairs, key=loss)
        merged.append((kept, gone))
        open_groups[kept] = [a + b for a, b in zip(open_groups[kept], open_groups.pop(gone), strict=True)]
    return merged


@given(
    st.integers(1, 4).flatmap(
        lambda n: st.lists(st.lists(st.integers(0, 9), min_size=n, max_size=n), min_size=1, max_size=9)
    )
)
@example(
    [[0, 0, 3], [5, 0, 5], [15, 15, 0], [5, 15, 5], [0, 2, 3], [15, 10, 10]]
)  # together nearer than alone
def test_as_the_definition_says(counts: list[list[int]]) -> None:
    assert list(merges(np.array(counts, dtype=np.int64))) == slow_merges(counts)
