"""The genetic algorithm: genomes, their fitness, and that what lives keeps the promise."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from effort import n_tables
from hypothesis import given, settings
from hypothesis import strategies as st

from kanopy.algorithms import find_method, silent
from kanopy.algorithms.fulldomain.genomes import CutGenes, LevelGenes
from kanopy.algorithms.fulldomain.levels import ColumnLevels, levels_of
from kanopy.data import CodedColumn, Domain, EncodedTable, Hierarchy, RecodedColumn, Recoding
from kanopy.errors import PolicyError
from kanopy.privacy import KAnonymity, PrivacyModel
from kanopy.utility import measure_losses

GENETIC = find_method("genetic")
PATHS = [("a", "ab"), ("b", "ab"), ("c", "cd"), ("d", "cd")]
some_rows = st.lists(st.tuples(*[st.integers(0, 3)] * 2, st.integers(0, 1)), min_size=4, max_size=24)


def table_of(rows: list[tuple[int, ...]]) -> EncodedTable:
    one, two, classes = (np.array(column, np.uint8) for column in zip(*rows, strict=True))
    tree = Hierarchy.from_paths("q", PATHS)
    columns = [
        CodedColumn(Domain(name, tuple("abcd"), hierarchy=tree), c) for name, c in (("q", one), ("r", two))
    ]
    return EncodedTable(len(rows), tuple(columns), CodedColumn(Domain("c", ("n", "y")), classes))


def run(table: EncodedTable, promise: PrivacyModel, seed: int = 0, **options: Any) -> Recoding:
    progress = options.pop("progress", silent)
    rng = np.random.default_rng(seed)
    return GENETIC.run(table, promise, rng, progress, **GENETIC.settle(options))


def best_of_all(table: EncodedTable, k: int) -> float:
    """The least mean width of any cut that makes every group have k rows, one after the other."""
    genes, found = CutGenes(levels_of(table)), []
    for bits in product((0, 1), repeat=len(genes.column_of_gene)):
        recoding = genes.recoding(np.array(bits))
        fine = Recoding(
            tuple(
                recoded_column(column, levels, level)
                for column, levels, level in zip(table.quasi, recoding.levels, recoding.node, strict=True)
            ),
            np.ones(table.n_rows, dtype=bool),
        )
        if np.bincount(fine.groups[0]).min() >= k:
            found.append(measure_losses(table, fine, k)["gcp"])
    return min(found)


def recoded_column(column: CodedColumn, levels: ColumnLevels, level: int) -> RecodedColumn:
    ids = levels.of_code[level].astype(np.int32)[column.codes]
    return RecodedColumn(column.domain, levels.cells[level], ids)


@settings(max_examples=n_tables(5, 500))
@given(rows=some_rows, k=st.integers(2, 4))
def test_on_small_tables_it_finds_the_best_cut(rows: list[tuple[int, ...]], k: int) -> None:
    table = table_of(rows)
    found = run(table, KAnonymity(k))
    assert found.facts["loss"] == pytest.approx(best_of_all(table, k))
    assert measure_losses(table, found, k)["gcp"] == pytest.approx(found.facts["loss"])


@pytest.mark.parametrize("genome", ["levels", "cuts"])
@pytest.mark.parametrize("loss", ["loss", "classification"])
@settings(max_examples=n_tables(5, 500))
@given(rows=some_rows, k=st.integers(2, 4), limit=st.sampled_from([0, 2, 0.25]))
def test_what_lives_keeps_the_promise(
    genome: str, loss: str, rows: list[tuple[int, ...]], k: int, limit: float
) -> None:
    few = {"population": 6, "generations": 4}
    found = run(table_of(rows), KAnonymity(k), genome=genome, loss=loss, max_suppressed=limit, **few)
    groups, n_groups = found.groups
    assert np.bincount(groups, minlength=n_groups).min() >= k
    most = limit if limit >= 1 else int(limit * len(rows))
    assert found.facts["suppressed_rows"] <= most
    assert (~found.is_kept).sum() <= most


def test_the_same_seed_gives_the_same() -> None:
    rng = np.random.default_rng(3)
    rows = [tuple(row) for row in rng.integers(0, [4, 4, 2], size=(40, 3)).tolist()]
    one, two = (run(table_of(rows), KAnonymity(3), seed=7, population=8, generations=5) for _ in range(2))
    assert all((a.ids == b.ids).all() for a, b in zip(one.columns, two.columns, strict=True))
    backwards = run(table_of(rows[::-1]), KAnonymity(3), seed=7, population=8, generations=5)
    assert all((a.ids == b.ids[::-1]).all() for a, b in zip(one.columns, backwards.columns, strict=True))


def test_stopped_at_once_it_still_keeps_the_promise() -> None:
    rows = [(number % 4, number % 3, 0) for number in range(20)]
    found = run(table_of(rows), KAnonymity(6), progress=lambda _done, _all: True)
    assert found.facts["cut_short"]
    assert np.bincount(found.groups[0]).min() >= 6


def test_a_cut_takes_values_to_different_levels() -> None:
    genes = CutGenes(levels_of(table_of([(0, 0, 0), (1, 1, 0), (2, 2, 0), (3, 3, 0)])))
    # groups of one column, from the lowest level up: ab, cd, missing, and *
    both = np.array([1, 0, 0, 1, 0, 0, 0, 0])
    first, second = genes.column_levels(both)
    assert first[:4].tolist() == [0, 0, 1, 1]
    assert second[:4].tolist() == [2, 2, 2, 2]
    hidden = np.array([1, 1, 1, 0, 0, 0, 0, 0])
    assert genes.column_levels(hidden)[0].tolist()[:4] == [2, 2, 2, 2], "what is above is not divided"


def test_children_have_genes_of_their_parents() -> None:
    genes, rng = LevelGenes(levels_of(table_of([(0, 0, 0), (1, 1, 0)]))), np.random.default_rng(0)
    child = genes.crossed(rng, np.array([[0, 0]] * 50), np.array([[2, 2]] * 50))
    assert set(map(tuple, child.tolist())) == {(0, 0), (0, 2), (2, 0), (2, 2)}
    changed = genes.mutated(rng, np.array([[1, 1]] * 50))
    assert changed.min() == 0
    assert changed.max() == 2
    assert (changed != 1).any(axis=1).all()


def test_classification_needs_a_class() -> None:
    column = CodedColumn(Domain("q", ("a",)), np.zeros(4, np.uint8))
    with pytest.raises(PolicyError, match="needs a class"):
        run(EncodedTable(4, (column,)), KAnonymity(2), loss="classification")
