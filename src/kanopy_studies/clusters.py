"""The experiment of the clustering paper (El-Rashidy et al.), and what it left out: accuracy and time.

The paper plots what releases of Adult lose against k. Here every method releases the same table in one block;
then it releases half of the rows, and C4.5 learns from that half and is tested on the other one.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np

from kanopy.algorithms import find_method, silent
from kanopy.data import Partition, Recoding
from kanopy.errors import PolicyError, UnsatisfiableError, near_name
from kanopy.evaluation.halves import HALVES, fold
from kanopy.privacy import KAnonymity
from kanopy.utility import measure_losses
from kanopy_studies import learning
from kanopy_studies.paper_options import paper_options
from kanopy_studies.settings import Sample, load_sample

DATA = "adult"
QUASI = (
    "age", "workclass", "education", "marital-status", "occupation", "race", "sex", "native-country",
)  # fmt: skip
"""The paper says nine attributes, and names these eight."""

KS = (5, 10, 20, 30, 50, 100)
SEEDS = (1, 2, 3)
"""Of the releases of the whole table, and of the folds."""

UNBLOCKED = 100_000
"""More rows than the table has: nothing is cut into blocks, every algorithm runs as it is printed."""


@dataclass(frozen=True, slots=True)
class Clusterer:
    """A method with some of its options, under the name that the document gives it."""

    label: str
    method: str
    options: Mapping[str, Any] = field(default_factory=dict)
    note: str = ""

    def release(self, sample: Sample, k: int, rng: np.random.Generator, publish: str) -> Recoding:
        """Release a table under k-anonymity, in a style, in one block; no row where that cannot be done."""
        method = find_method(self.method)
        options: dict[str, Any] = {**self.options, "publish": publish}
        if "block_size" in method.options:
            options["block_size"] = UNBLOCKED
        table = sample.encoded()
        try:
            return method.run(table, KAnonymity(k), rng, silent, **paper_options(self.method, options))
        except UnsatisfiableError:  # every row was dropped
            nothing = np.full(sample.n_rows, -1, dtype=np.int32)
            return Partition(nothing, 0).publish(table, publish)


KMEANS1, KMEANS2, KMEANS3, KMEMBER, OKA = "kmeans 1", "kmeans 2", "kmeans 3", "kmember", "oka"

CONTENDERS = (
    Clusterer(KMEANS1, "kmeans", {"variant": "1"}, "the paper's Algorithm 1"),
    Clusterer(KMEANS2, "kmeans", {"variant": "2"}, "the paper's Algorithm 2"),
    Clusterer(KMEANS3, "kmeans", {"variant": "3"}, "the paper's Algorithm 3"),
    Clusterer(KMEMBER, "kmember", note="greedy k-member"),
    Clusterer(OKA, "oka", note="one-pass k-means"),
    Clusterer("loukides", "loukides", note="drops the rows of small clusters"),
    Clusterer("wfcmeans", "wfcmeans", note="weighted-feature C-means"),
    Clusterer("mdav", "mdav", note="microaggregation; not in the paper"),
    Clusterer("kmember class", "kmember", {"class_weight": 1.0}, "another class counts like another value"),
    Clusterer("mondrian", "mondrian", {"cut": "median"}, "for comparison; blind to the class"),
    Clusterer("mondrian gain", "mondrian", {"cut": "gain"}, "for comparison; guided by the class"),
)


def choose(labels: Sequence[str] | None) -> list[Clusterer]:
    """The wanted contenders; by default all."""
    known = [contender.label for contender in CONTENDERS]
    for label in labels or ():
        if label not in known:
            hint = near_name(label, known) or f"names: {', '.join(known)}"
            raise PolicyError(f"nothing is called {label!r}", hint)
    return [contender for contender in CONTENDERS if not labels or contender.label in labels]


@dataclass(frozen=True, slots=True)
class ReleaseTask:
    """One release of the whole table."""

    contender: Clusterer
    k: int
    seed: int


@dataclass(frozen=True, slots=True)
class Released:
    """What one release of the whole table lost; losses are those of ``kanopy.utility``."""

    label: str
    k: int
    seed: int
    square_error: float
    total_information_loss: float
    discernibility: float
    discernibility_of_clusters: float
    """Over the clusters as they were made: several of them may print alike, and be one group."""
    gcp: float
    n_groups: int
    n_dropped: int
    cpu: float
    """Processor seconds of the method."""


@dataclass(frozen=True, slots=True)
class LearningTask:
    """One release of half of the table, to learn from; without a contender, the half as it is."""

    contender: Clusterer | None
    k: int
    seed: int
    half: int


@dataclass(frozen=True, slots=True)
class Learned:
    """The accuracy of C4.5 on the other half, as it is and recoded; None where nothing was released."""

    label: str
    k: int
    seed: int
    half: int
    accuracy: float | None
    accuracy_recoded: float | None


RAW = "raw"
"""The label of what was learned from rows as they are."""


@lru_cache(maxsize=1)
def adult() -> Sample:
    """Adult, complete rows of both files: eight quasi-identifiers, and the income."""
    whole = load_sample(DATA)
    of_name = {column.domain.name: column for column in whole.columns}
    return Sample(tuple(of_name[name] for name in QUASI), whole.target)


def release_tasks(contenders: Sequence[Clusterer], ks: Sequence[int]) -> list[ReleaseTask]:
    """Every contender, k and seed."""
    return [ReleaseTask(contender, k, seed) for k in ks for contender in contenders for seed in SEEDS]


def learning_tasks(contenders: Sequence[Clusterer], ks: Sequence[int]) -> list[LearningTask]:
    """Every contender and k on every fold, and every fold as it is."""
    folds = [(seed, half) for seed in SEEDS for half in HALVES]
    released = [LearningTask(one, k, *place) for k in ks for one in contenders for place in folds]
    return [LearningTask(None, 1, *place) for place in folds] + released


def release_all(task: ReleaseTask) -> Released:
    sample = adult()
    rng = np.random.default_rng([task.seed, task.k])
    start = time.process_time()
    recoding = task.contender.release(sample, task.k, rng, "range")
    cpu = time.process_time() - start
    losses = measure_losses(sample.encoded(), recoding, task.k)
    return Released(
        task.contender.label,
        task.k,
        task.seed,
        losses["square_error"],
        losses["total_information_loss"],
        losses["discernibility"],
        discernibility_of_clusters(recoding),
        losses["gcp"],
        recoding.groups[1],
        sample.n_rows - recoding.n_kept,
        cpu,
    )


def discernibility_of_clusters(recoding: Recoding) -> float:
    """Squared sizes of the clusters, whether or not they print alike; all rows for each dropped one."""
    n_rows = len(recoding.is_kept)
    assert recoding.parts is not None
    sizes = np.bincount(recoding.parts[recoding.is_kept])
    return float((sizes**2).sum() + n_rows * (n_rows - recoding.n_kept))


def release_half_and_learn(task: LearningTask) -> Learned:
    """Release one half, learn from the release, test on the other half."""
    sample = adult()
    divided = fold(sample.target.codes, task.seed, task.half)
    train, test = sample.rows(divided.train), sample.rows(divided.test)
    if task.contender is None:
        plain = learning.accuracy(learning.learn(train), test)
        return Learned(RAW, 1, task.seed, task.half, plain, plain)
    rng = np.random.default_rng([task.seed, task.half, task.k])
    recoding = task.contender.release(train, task.k, rng, "mean")
    place = (task.contender.label, task.k, task.seed, task.half)
    if not recoding.n_kept:
        return Learned(*place, None, None)
    return Learned(*place, *learning.release_accuracies(train, test, recoding))
