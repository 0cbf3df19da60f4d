"""The full-domain methods against an exhaustive search, on small tables of chance."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from effort import n_tables
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles_fulldomain import PlainLattice, PlainRow
from plain_tables import column_of

from kanopy.algorithms import find_method
from kanopy.algorithms.fulldomain.losses import LOSSES
from kanopy.data import CodedColumn, EncodedTable, Hierarchy, Recoding
from kanopy.errors import UnsatisfiableError
from kanopy.privacy import (
    AlphaBound,
    AnonymityOf,
    Closeness,
    DeltaDisclosure,
    DistinctDiversity,
    EntropyDiversity,
    KAnonymity,
    PrivacyModel,
    Template,
)

PROMISES: dict[str, list[PrivacyModel]] = {
    "k": [KAnonymity(2)],
    "larger k": [KAnonymity(4)],
    "some columns": [AnonymityOf(["q0"], 4), AnonymityOf(["q0", "q1"], 2)],
    "two sets": [AnonymityOf(["q0"], 3), AnonymityOf(["q1"], 3)],
    "distinct": [KAnonymity(2), DistinctDiversity("d", 2)],
    "entropy": [EntropyDiversity("d", "1.4")],
    "alpha": [KAnonymity(2), AlphaBound("d", "0.7")],
    "template": [Template(["q0"], "d", "a", "0.6"), AnonymityOf(["q1"], 2)],
    "closeness": [KAnonymity(2), Closeness("d", "0.4")],
    "disclosure": [KAnonymity(2), DeltaDisclosure("d", 2)],
}
EXAMPLES = n_tables(4)
kinds = pytest.mark.parametrize("kind", PROMISES)


def a_tree(rng: np.random.Generator, name: str) -> Hierarchy:
    """Groups of leaves, groups of these, and perhaps a level that says nothing new."""
    n_leaves = int(rng.integers(2, 7))
    above = [[f"{name}{leaf}" for leaf in range(n_leaves)]]
    group = np.arange(n_leaves)
    for level in range(int(rng.integers(0, 3))):
        if rng.random() < 0.8:
            group = np.cumsum(np.diff(group, prepend=group[0]) & rng.integers(0, 2, n_leaves))
        above.append([f"{name}-{level}-{each}" for each in group.tolist()])
    labels = {}  # what a group is called where it first appears
    for level in range(1, len(above)):
        for leaf, text in enumerate(above[level]):
            members = tuple(other for other, same in enumerate(above[level]) if same == text)
            above[level][leaf] = above[0][leaf] if len(members) == 1 else text
            labels.setdefault(members, text)
    return Hierarchy.from_paths(name, list(zip(*above, strict=True)))


def paths_of(column: CodedColumn) -> dict[str | None, list[str]]:
    """The labels above every value, as the hierarchy has them; missing stays missing up to ``*``."""
    tree = column.domain.hierarchy
    assert tree is not None
    levels = [level for level in tree.ancestors if level.any()]  # none over a single value
    paths: dict[str | None, list[str]] = {
        leaf: [*([tree.node_label[level[code]] for level in levels] or [leaf]), "*"]
        for code, leaf in enumerate(tree.leaves)
    }
    paths[None] = [""] * max(len(levels), 1) + ["*"]
    return paths


def a_case(seed: int, kind: str, *, with_persons: bool = False) -> tuple[EncodedTable, PlainLattice]:
    rng = np.random.default_rng(seed)
    n_rows, n_columns = int(rng.integers(4, 25)), int(rng.integers(2, 4))
    has_missing = rng.random() < 0.5
    columns = []
    for name in (f"q{c}" for c in range(n_columns)):
        tree = a_tree(rng, name)
        values = [
            None if has_missing and rng.random() < 0.2 else tree.leaves[rng.integers(len(tree.leaves))]
            for _ in range(n_rows)
        ]
        columns.append(column_of(name, values, tree))
    secrets = [None if rng.random() < 0.1 else "abc"[rng.integers(3)] for _ in range(n_rows)]
    labels = ["yn"[rng.integers(2)] for _ in range(n_rows)]
    secret, label = column_of("d", secrets), column_of("class", labels)
    if with_persons:
        persons = rng.integers(0, max(2, 2 * n_rows // 3), n_rows).astype(np.int32)
        weight, origin = None, np.arange(n_rows)
    else:
        persons, weight = None, rng.integers(1, 4, n_rows) if rng.random() < 0.5 else None
        origin = np.repeat(np.arange(n_rows), 1 if weight is None else weight)
    promise = PROMISES[kind]
    confidential = {"d": secret} if promise_of_parts(promise).columns else {}
    table = EncodedTable(n_rows, tuple(columns), label, confidential, persons, weight=weight)
    rows = [
        PlainRow(
            tuple(_value(column, int(row)) for column in columns),
            number if persons is None else int(persons[row]),
            secrets[row],
            labels[row],
        )
        for number, row in enumerate(origin.tolist())
    ]
    limit = int(rng.choice([0, 0, 1, 3, len(rows) // 3]))
    lattice = PlainLattice(
        [c.domain.name for c in columns], rows, [paths_of(c) for c in columns], promise, limit
    )
    return table, lattice


def _value(column: CodedColumn, row: int) -> str | None:
    code = int(column.codes[row])
    return None if code == column.domain.missing_code else column.domain.labels[code]


def promise_of_parts(parts: list[PrivacyModel]) -> PrivacyModel:
    whole = parts[0]
    for part in parts[1:]:
        whole = whole & part
    return whole


def ran(name: str, table: EncodedTable, lattice: PlainLattice, **options: Any) -> Recoding | None:
    method = find_method(name)
    settled = method.settle({"max_suppressed": lattice.limit, **options})
    try:
        return method.run(table, promise_of_parts(list(lattice.parts)), None, lambda *_: False, **settled)
    except UnsatisfiableError:
        assert lattice.release(lattice.heights) is None or lattice.suppressed(lattice.heights)
        return None


def published(table: EncodedTable, recoding: Recoding) -> Counter[tuple[str, ...]]:
    weight = np.ones(table.n_rows, dtype=np.int64) if table.weight is None else table.weight
    found: Counter[tuple[str, ...]] = Counter()
    for row in np.flatnonzero(recoding.is_kept).tolist():
        found[tuple(column.texts[column.ids[row]] for column in recoding.columns)] += int(weight[row])
    return found


def node_of(recoding: Recoding) -> tuple[int, ...]:
    return tuple(recoding.facts["levels"].values())


def check_release(table: EncodedTable, lattice: PlainLattice, recoding: Recoding) -> None:
    node = node_of(recoding)
    expected = lattice.release(node)
    assert expected is not None, "the node is not anonymous"
    assert published(table, recoding) == Counter(expected.values())
    assert recoding.facts["suppressed_rows"] == len(lattice.suppressed(node)) <= lattice.limit


@pytest.mark.parametrize("with_persons", [False, True], ids=["rows", "persons"])
@kinds
@settings(max_examples=EXAMPLES)
@given(seed=st.integers(0, 2**32))
def test_optimal_is_as_good_as_any_node(kind: str, with_persons: bool, seed: int) -> None:
    table, lattice = a_case(seed, kind, with_persons=with_persons)
    loss = LOSSES[seed % len(LOSSES)]
    recoding = ran("optimal", table, lattice, loss=loss)
    if recoding is None:
        return
    check_release(table, lattice, recoding)
    assert recoding.facts["is_optimal"]
    assert recoding.facts["lattice_nodes"] == len(lattice.nodes())
    least = min(lattice.loss(node, loss) for node in lattice.anonymous())
    assert recoding.facts["loss"] == pytest.approx(lattice.loss(node_of(recoding), loss), abs=1e-9)
    assert recoding.facts["loss"] == pytest.approx(least, abs=1e-9)


@pytest.mark.parametrize("with_persons", [False, True], ids=["rows", "persons"])
@kinds
@settings(max_examples=EXAMPLES)
@given(seed=st.integers(0, 2**32))
def test_other_methods_choose_the_same_nodes(kind: str, with_persons: bool, seed: int) -> None:
    table, lattice = a_case(seed, kind, with_persons=with_persons)
    incognito = ran("incognito", table, lattice)
    if incognito is None:
        return
    minimal = lattice.minimal()
    assert [tuple(node) for node in incognito.facts["minimal"]] == minimal
    assert node_of(incognito) in minimal
    check_release(table, lattice, incognito)
    samarati = ran("samarati", table, lattice)
    assert samarati is not None
    lowest = min(map(sum, lattice.anonymous()))
    assert samarati.facts["height"] == sum(node_of(samarati)) == lowest
    check_release(table, lattice, samarati)
    datafly = ran("datafly", table, lattice)
    assert datafly is not None
    assert node_of(datafly) == lattice.datafly()
    check_release(table, lattice, datafly)


@pytest.mark.parametrize("with_persons", [False, True], ids=["rows", "persons"])
@kinds
@settings(max_examples=EXAMPLES)
@given(seed=st.integers(0, 2**32))
def test_local_recoding_keeps_the_promise(kind: str, with_persons: bool, seed: int) -> None:
    table, lattice = a_case(seed, kind, with_persons=with_persons)
    recoding = ran("optimal", table, lattice, local=True)
    if recoding is None:
        return
    origin = np.repeat(np.arange(table.n_rows), 1 if table.weight is None else table.weight).tolist()
    cells = {
        number: tuple(column.texts[column.ids[row]] for column in recoding.columns)
        for number, row in enumerate(origin)
        if recoding.is_kept[row]
    }
    assert len(origin) - len(cells) <= lattice.limit
    assert not lattice.breaking(cells, cells)
    for row, texts in cells.items():
        for text, value, paths in zip(texts, lattice.rows[row].values, lattice.paths, strict=True):
            assert text in paths[value]
    if "local_loss" in recoding.facts:
        assert recoding.facts["local_loss"] < recoding.facts["loss"]
