"""A genetic algorithm that breeds recodings: levels or cuts of columns that lose little and keep the promise.

Iyengar, "Transforming Data to Satisfy Privacy Constraints" (KDD 2002).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kanopy.algorithms.fulldomain.explorer import Promised
from kanopy.algorithms.fulldomain.frequencies import Frequencies
from kanopy.algorithms.fulldomain.genomes import GENOMES, GeneRecoding, Genes
from kanopy.algorithms.fulldomain.levels import levels_of
from kanopy.algorithms.fulldomain.losses import Classification, needs_class
from kanopy.algorithms.fulldomain.recode import MAX_SUPPRESSED, recoded, suppressed_limit
from kanopy.algorithms.method import Method, Option, Progress, always, silent
from kanopy.algorithms.requirements import check_satisfiable
from kanopy.data import CodedColumn, EncodedTable, RecodedColumn, Recoding
from kanopy.data.arrays import Bools, Floats, Ints
from kanopy.errors import PolicyError
from kanopy.privacy import PrivacyModel
from kanopy.utility.cells import certainty_penalties

_PATIENCE = 25
"""After so many generations without a better genome there are no more."""
_WORK = 5_000_000_000
"""Entries times columns of the genomes that are counted, and of those of the generation that passes it."""
_DIGITS = 12
"""Losses are compared without the noise of floats."""


def genetic(
    table: EncodedTable,
    promise: PrivacyModel,
    rng: np.random.Generator,
    progress: Progress = silent,
    *,
    genome: str = "cuts",
    loss: str = "loss",
    max_suppressed: float | str = 0.0,
    population: int = 40,
    generations: int = 100,
) -> Recoding:
    """Anonymize by a genetic algorithm; see the options of ``GENETIC``.

    Every generation has as many children as parents, and the best of both live on. Each of ``population *
    (generations + 1)`` genomes at most costs O(entries * columns), where equal rows are one entry.
    """
    check_satisfiable(table, promise)
    levels = levels_of(table)
    fitness = GenomeFitness(table, promise, GENOMES[genome](levels), loss, max_suppressed)
    genes, is_stopped, n_idle, n_most = fitness.genes, False, 0, _WORK // fitness.n_cells
    alive = _fittest(np.vstack([genes.most_general, genes.drawn(rng, population - 1)]), fitness, population)
    for generation in range(generations):
        is_stopped, best = progress(generation, generations), fitness.of(alive[0])
        if is_stopped or n_idle == _PATIENCE or fitness.n_tried > n_most:
            break
        alive = _fittest(np.vstack([alive, _children(genes, alive, population, rng)]), fitness, population)
        n_idle = n_idle + 1 if fitness.of(alive[0]) == best else 0
    chosen = genes.recoding(alive[0])
    facts = {"loss": fitness.of(alive[0]).loss, "genomes_tried": fitness.n_tried}
    facts |= {"cut_short": True} if is_stopped else {}
    return recoded(table, fitness.promised, chosen.levels, fitness.others, chosen.node, facts)


def _fittest(genomes: Ints, fitness: GenomeFitness, n: int) -> Ints:
    """The n best genomes, the best first, none twice."""
    different = list({genome.tobytes(): genome for genome in genomes}.values())
    return np.array(sorted(different, key=fitness.of)[:n])


def _children(genes: Genes, alive: Ints, n: int, rng: np.random.Generator) -> Ints:
    """Of two parents each, who are the better of two that are drawn: those who live are in order."""
    parents = rng.integers(len(alive), size=(2, n, 2)).min(axis=2)
    return genes.mutated(rng, genes.crossed(rng, alive[parents[0]], alive[parents[1]]))


class Fitness(NamedTuple):
    """Compared from left to right; less is better. The most general genome has nothing in excess."""

    excess: int  # rows that break the promise beyond those that may be suppressed
    loss: float
    width: float  # Iyengar's LM, where it is not the loss


class GenomeFitness:
    """What genomes lose, each counted once.

    Parameters
    ----------
    table : EncodedTable
    promise : PrivacyModel
    genes : Genes
    loss : str
        ``"loss"``: the mean width of cells, from 0 to 1. ``"classification"``: the share of rows that are
        suppressed, or whose class is not the most frequent one of their group.
    max_suppressed : float
    """

    def __init__(
        self, table: EncodedTable, promise: PrivacyModel, genes: Genes, loss: str, max_suppressed: float | str
    ) -> None:
        self.promised = Promised(promise, table, suppressed_limit(max_suppressed, table.total_weight))
        self.others: tuple[CodedColumn, ...] = self.promised.counted(table)
        if needs_class(loss):
            if table.target is None:
                hint = "declare a target, or choose another loss"
                raise PolicyError("the loss 'classification' needs a class", hint)
            self.others = (*self.others, table.target)
        self._by_class, self._table, self.genes = needs_class(loss), table, genes
        levels = tuple(tree.levels for tree in genes.trees)
        self._entries = Frequencies.of(table, levels, self.others, (0,) * len(levels))[0]
        self._known: dict[bytes, Fitness] = {}

    @property
    def n_tried(self) -> int:
        """How many different genomes were counted."""
        return len(self._known)

    @property
    def n_cells(self) -> int:
        """What a genome costs: entries times columns."""
        return max(self._entries.n_entries * len(self._entries.numbers), 1)

    def of(self, genome: Ints) -> Fitness:
        """The fitness of a genome; O(entries * columns), the first time."""
        key = genome.tobytes()
        if key not in self._known:
            self._known[key] = self._counted(self.genes.recoding(genome))
        return self._known[key]

    def _counted(self, recoding: GeneRecoding) -> Fitness:
        promised = self.promised
        frequencies = self._entries.under(*recoding)
        is_out = promised.broken(frequencies, promised.requirements)
        excess = max(int(frequencies.weight[is_out].sum()) - promised.limit, 0)
        if not excess and not promised.settles_always:
            excess = int(promised.settled(frequencies, is_out) is None)
        width = self._width(frequencies, is_out)
        if not self._by_class:
            return Fitness(excess, width, width)
        return Fitness(excess, Classification().measured(frequencies, is_out)[0], width)

    def _width(self, frequencies: Frequencies, is_out: Bools) -> float:
        """The mean width of the cells: 0 where they are exact, 1 where they are suppressed."""
        kept, total = np.where(is_out, 0, frequencies.weight), 0.0
        columns = zip(
            self._table.quasi, frequencies.levels, frequencies.node, frequencies.numbers, strict=True
        )
        for column, levels, level, number in columns:
            made = levels.cells[level]
            widths: Floats = certainty_penalties(column, RecodedColumn(levels.domain, made, _NO_ROWS))
            total += float(np.bincount(number, kept, minlength=len(made)) @ widths)
        n_cells = max(int(frequencies.weight.sum()) * len(frequencies.numbers), 1)
        n_suppressed = int(frequencies.weight[is_out].sum()) * len(frequencies.numbers)
        return round((total + n_suppressed) / n_cells, _DIGITS)


_NO_ROWS = np.zeros(0, dtype=np.int32)

GENETIC = Method(
    name="genetic",
    title="breeds levels or cuts of columns, the fittest of which lose little and keep the promise",
    paper="Iyengar: Transforming Data to Satisfy Privacy Constraints (KDD 2002)",
    run=genetic,
    is_anytime=True,
    drops="any rows",
    takes_weights=always,
    climbs_trees=True,
    options={
        "genome": Option(
            "cuts",
            "what is bred: levels: a level for every column; cuts: groups of values from all its levels",
            tuple(GENOMES),
        ),
        "loss": Option(
            "loss",
            "what is made as small as possible: loss: the mean width of cells, 1 for suppressed ones; "
            "classification: rows that are suppressed or have not the most frequent class of their group",
            ("loss", "classification"),
        ),
        "max_suppressed": MAX_SUPPRESSED,
        "population": Option(40, "how many recodings live at a time", at_least=2),
        "generations": Option(100, "how often they have as many children as they are", at_least=0),
    },
    # The paper sets no limit: rows are suppressed where that costs less.
    presets={"paper": {"max_suppressed": "100%"}},
)
