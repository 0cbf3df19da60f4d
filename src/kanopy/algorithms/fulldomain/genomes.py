"""Ways to recode a table as genes: a level for every column, or a cut through the levels of every column.

The levels of a column are a tree: a group of values on one level lies in one group of the next. A cut takes
every value to a level of its own, so that what is a group for one value is one for all its values.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from kanopy.algorithms.fulldomain.frequencies import Node
from kanopy.algorithms.fulldomain.levels import ColumnLevels
from kanopy.data import cell
from kanopy.data.arrays import Bools, Ints

_STEPS = 0.5
"""How often a mutation of a cut is a step, and no jump."""


class ColumnTree:
    """The groups of values on all levels of a column, numbered from the lowest level up.

    Parameters
    ----------
    levels : ColumnLevels
    """

    def __init__(self, levels: ColumnLevels) -> None:
        self.levels = levels
        self._first = np.cumsum([0, *levels.sizes])
        steps = [levels.step(0, level) for level in range(levels.height + 1)]
        self.nodes = np.stack([first + step for first, step in zip(self._first, steps, strict=False)])
        self._cells = [made for of_level in levels.cells for made in of_level]

    @property
    def n_inner(self) -> int:
        """How many groups there are above the values themselves."""
        return int(self._first[-1] - self._first[1])

    @property
    def level_of_inner(self) -> Ints:
        """The level of each of these groups."""
        return np.repeat(np.arange(1, self.levels.height + 1), self.levels.sizes[1:])

    def cut(self, is_divided: Ints) -> Ints:
        """The level of each value, where some inner groups are divided if those above them are; O(values)."""
        height, n_values = self.levels.height, self.nodes.shape[1]
        level, is_open = np.full(n_values, height), np.ones(n_values, dtype=bool)
        for place in range(height, 0, -1):
            is_open &= is_divided[self.nodes[place] - self._first[1]] > 0
            level -= is_open
        return level

    def recoded(self, level: Ints) -> tuple[ColumnLevels, Ints]:
        """Levels of which the second has each value where it is given, and what each becomes; O(values)."""
        nodes, number = np.unique(self.nodes[level, np.arange(len(level))], return_inverse=True)
        cells = tuple(self._cells[node] for node in nodes.tolist())
        of_code = number.take(self.levels.of_code[0])
        values, top = self.levels.of_code[0], np.zeros(self.levels.domain.n_codes, dtype=np.int64)
        printed = (self.levels.cells[0], cells, (cell.SUPPRESSED,))
        return ColumnLevels(
            self.levels.domain, (values, of_code, top), printed, self.levels.is_drafted
        ), number


class GeneRecoding(NamedTuple):
    """A recoding of all columns: three levels each (values, recoded, ``*``), and the node that is meant."""

    levels: tuple[ColumnLevels, ...]
    node: Node
    changed: tuple[Ints, ...]  # what each value becomes, for every column


class Genes(ABC):
    """What a genome is: an array of small numbers, some for every column."""

    def __init__(self, levels: Sequence[ColumnLevels]) -> None:
        self.trees = [ColumnTree(each) for each in levels]
        self.column_of_gene = np.repeat(np.arange(len(levels)), self._n_genes())

    @abstractmethod
    def _n_genes(self) -> list[int]:
        """How many genes each column has."""

    @property
    @abstractmethod
    def most(self) -> Ints:
        """The largest value of each gene; the least is 0."""

    @property
    @abstractmethod
    def most_general(self) -> Ints:
        """The genome that suppresses everything."""

    @abstractmethod
    def drawn(self, rng: np.random.Generator, n: int) -> Ints:
        """Genomes at random: n x genes."""

    @abstractmethod
    def column_levels(self, genome: Ints) -> list[Ints]:
        """For every column the level of each of its values."""

    def recoding(self, genome: Ints) -> GeneRecoding:
        """What a genome does to the table; O(values)."""
        made = [
            tree.recoded(level) for tree, level in zip(self.trees, self.column_levels(genome), strict=True)
        ]
        levels, changed = zip(*made, strict=True)
        # A column that is suppressed as a whole prints as rows do that are suppressed.
        node = tuple(1 + (each.cells[1] == (cell.SUPPRESSED,)) for each in levels)
        return GeneRecoding(levels, node, changed)

    def crossed(self, rng: np.random.Generator, ones: Ints, others: Ints) -> Ints:
        """Of every pair of genomes a child, which has each column of one of them."""
        takes = rng.random((len(ones), len(self.trees))) < 0.5
        return np.where(takes[:, self.column_of_gene], ones, others)

    def mutated(self, rng: np.random.Generator, genomes: Ints) -> Ints:
        """Two genes of each on average, and at least one, a step up or down."""
        is_hit = rng.random(genomes.shape) < 1 / max(genomes.shape[1], 1)
        is_hit[np.arange(len(genomes)), rng.integers(genomes.shape[1], size=len(genomes))] = True
        step = np.where(rng.random(genomes.shape) < 0.5, 1, -1)
        return np.clip(genomes + np.where(is_hit, step, 0), 0, self.most)


class LevelGenes(Genes):
    """A level for every column: full-domain recoding."""

    def _n_genes(self) -> list[int]:
        return [1] * len(self.trees)

    @property
    def most(self) -> Ints:
        return np.array([tree.levels.height for tree in self.trees])

    @property
    def most_general(self) -> Ints:
        return self.most

    def drawn(self, rng: np.random.Generator, n: int) -> Ints:
        return rng.integers(0, self.most + 1, size=(n, len(self.most)))

    def column_levels(self, genome: Ints) -> list[Ints]:
        return [
            np.full(tree.nodes.shape[1], level)
            for tree, level in zip(self.trees, genome.tolist(), strict=True)
        ]


class CutGenes(Genes):
    """For every group of values whether it is divided, where all above it are."""

    def _n_genes(self) -> list[int]:
        return [tree.n_inner for tree in self.trees]

    @property
    def most(self) -> Ints:
        return np.ones(len(self.column_of_gene), dtype=np.int64)

    @property
    def most_general(self) -> Ints:
        return np.zeros(len(self.column_of_gene), dtype=np.int64)

    def drawn(self, rng: np.random.Generator, n: int) -> Ints:
        """Half of them divide some groups, more or fewer in different columns; the others are levels."""
        share = rng.random((n, len(self.trees)))[:, self.column_of_gene]
        some = rng.random(share.shape) < share
        return np.where(np.arange(n)[:, None] % 2, some, self._at_levels(rng, n)).astype(np.int64)

    def _at_levels(self, rng: np.random.Generator, n: int) -> Bools:
        """Genomes that have every column on a level."""
        heights = np.array([tree.levels.height for tree in self.trees])
        level = rng.integers(0, heights + 1, size=(n, len(heights)))[:, self.column_of_gene]
        return np.concatenate([tree.level_of_inner for tree in self.trees]) > level

    def mutated(self, rng: np.random.Generator, genomes: Ints) -> Ints:
        """As others, or a column or two go to a level: from there on, other cuts are near."""
        n, steps = len(genomes), super().mutated(rng, genomes)
        goes = np.zeros((n, len(self.trees)), dtype=bool)
        goes[np.arange(n)[:, None], rng.integers(len(self.trees), size=(n, 2))] = True
        jumps = np.where(goes[:, self.column_of_gene], self._at_levels(rng, n), genomes)
        return np.where(rng.random((n, 1)) < _STEPS, steps, jumps).astype(np.int64)

    def column_levels(self, genome: Ints) -> list[Ints]:
        first = np.searchsorted(self.column_of_gene, np.arange(len(self.trees) + 1))
        return [tree.cut(genome[first[c] : first[c + 1]]) for c, tree in enumerate(self.trees)]


GENOMES: dict[str, type[Genes]] = {"levels": LevelGenes, "cuts": CutGenes}
