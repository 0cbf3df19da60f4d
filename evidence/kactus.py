"""The experiment of the kACTUS papers: release one half of a data set, learn from it, judge on the other.

The papers' numbers can only be had as they had them, with numbers cut into bins for the class *before* the
rows are divided: the cuts have then seen the classes of the test rows. Here both are measured.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from itertools import compress
from multiprocessing import get_context
from typing import Any

import numpy as np

from evidence import learning
from evidence.datasets import Sample, load
from evidence.folds import HALVES, SEEDS, Fold, fold
from kanopy.data import Recoding
from kanopy.methods import find_method, silent
from kanopy.privacy import KAnonymity
from kanopy.trees import Discretizer
from kanopy.utility import missing_cell_ratio

INSIDE, BEFORE = "inside", "before"
PROTOCOLS = (INSIDE, BEFORE)
"""Numbers are cut into bins inside the training half, or before the rows are divided."""


@dataclass(frozen=True, slots=True)
class Task:
    """One fold of one data set, for several k; k = 1 is the table as it is."""

    data: str
    protocol: str
    seed: int
    half: int
    ks: tuple[int, ...]
    method: str
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Result:
    """What one release of one fold was worth.

    Parameters
    ----------
    accuracy, accuracy_recoded : float
        On test rows as they are, and on test rows recoded like the release.
    missing : float
        Share of the quasi-identifier cells that are suppressed.
    missing_of_table : float
        Share of all cells; class and other columns count, and are never suppressed.
    missing_of_used : float
        The same without columns that have a single bin.
    n_dropped, n_groups : int
        Rows that were not released, groups that were.
    """

    data: str
    protocol: str
    seed: int
    half: int
    k: int
    accuracy: float
    accuracy_recoded: float
    missing: float = 0.0
    missing_of_table: float = 0.0
    missing_of_used: float = 0.0
    n_dropped: int = 0
    n_groups: int = 0


def tasks(ks_of: Mapping[str, Sequence[int]], method: str, options: Mapping[str, Any]) -> list[Task]:
    """Every fold of every data set in both protocols."""
    return [
        Task(data, protocol, seed, half, (1, *ks), method, options)
        for data, ks in ks_of.items()
        for protocol in PROTOCOLS
        for seed in SEEDS
        for half in HALVES
    ]


def run_all(todo: Sequence[Task], jobs: int) -> Iterator[list[Result]]:
    """Run tasks, in order; in processes of their own where there are several jobs."""
    if jobs == 1:
        yield from map(run, todo)
        return
    # Spawned: the threads of a forked pyarrow would be lost.
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        yield from pool.map(run, todo)


def run(task: Task) -> list[Result]:
    """All k of one fold."""
    sample = load(task.data)
    divided = fold(sample.target.codes, task.seed, task.half)
    train, test = halves(sample, divided, task.protocol)
    return [measure(task, k, train, test) for k in task.ks if k <= train.n_rows]


def halves(sample: Sample, divided: Fold, protocol: str) -> tuple[Sample, Sample]:
    """The two halves with bins for numbers; O(rows * columns)."""
    train = sample.rows(divided.train)
    seen = train if protocol == INSIDE else sample
    bins = Discretizer.fit(seen.columns, seen.target)
    return _binned(train, bins), _binned(sample.rows(divided.test), bins)


def _binned(sample: Sample, bins: Discretizer) -> Sample:
    return replace(sample, columns=bins.apply(sample.columns))


def measure(task: Task, k: int, train: Sample, test: Sample) -> Result:
    """Release the training half, learn from the release, judge on the test half."""
    place = (task.data, task.protocol, task.seed, task.half, k)
    if k == 1:
        untouched = learning.accuracy(learning.learn(train), test)
        return Result(*place, untouched, untouched)
    method = find_method(task.method)
    rng = np.random.default_rng([task.seed, task.half, k])
    table = train.released_part()
    recoding = method.run(table, KAnonymity(k), rng, silent, **method.settle(task.options))
    tree = learning.learn(learning.released(train, recoding))
    return Result(
        *place,
        learning.accuracy(tree, test),
        learning.accuracy(tree, learning.recoded(test, train, recoding)),
        *missing_ratios(train, recoding),
        train.n_rows - recoding.n_kept,
        recoding.groups[1],
    )


def missing_ratios(train: Sample, recoding: Recoding) -> tuple[float, float, float]:
    """Suppressed cells as a share of the quasi-identifiers, of the table, of its columns with bins."""
    plain = missing_cell_ratio(recoding)
    has_bins = [column.domain.n_values > 1 for column in train.quasi]
    with_bins = replace(recoding, columns=tuple(compress(recoding.columns, has_bins)))
    n_single = sum(column.domain.n_values < 2 for column in train.columns)
    n_columns = len(train.columns) + 1
    used = missing_cell_ratio(with_bins) * sum(has_bins) / (n_columns - n_single)
    return plain, plain * len(train.quasi) / n_columns, used
