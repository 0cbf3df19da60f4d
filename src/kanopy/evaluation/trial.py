"""One trial: release the rows of one half, learn from the release, judge on the other half."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning

from kanopy.engines.local import anonymize
from kanopy.errors import InputError, UnsatisfiableError
from kanopy.evaluation.bins import binned
from kanopy.evaluation.contender import ORIGINAL, Contender
from kanopy.evaluation.halves import Halves
from kanopy.learners.reading import SharedRows
from kanopy.learners.registry import Learner
from kanopy.release import Release

Classes = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Trial:
    """One half of one repetition, released in one way; without a contender it is learned from as it is.

    Parameters
    ----------
    repetition, half : int
    contender : Contender or None
    k : int or None
        None: the promise is that of the policy.
    """

    repetition: int
    half: int
    contender: Contender | None = None
    k: int | None = None

    @property
    def key(self) -> tuple[int, int, str, int]:
        """What tells trials of one evaluation apart."""
        label = ORIGINAL if self.contender is None else self.contender.label
        return self.repetition, self.half, label, self.k or 0


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one trial came to.

    Parameters
    ----------
    key : tuple
        Of the trial.
    majority : float
        The share of the test rows that have the most frequent class of the training rows.
    accuracy, accuracy_recoded : dict of str to float
        For every learner, on test rows as they are and recoded like the release.
    gcp : float
        Detail of the quasi-identifiers that was lost, from 0 to 1.
    dropped : float
        Share of the training rows that were not released.
    suppressed : float
        Share of the quasi-identifier cells that say nothing.
    refused : str or None
        Why there was no release.
    """

    key: tuple[int, int, str, int]
    majority: float
    accuracy: dict[str, float]
    accuracy_recoded: dict[str, float]
    gcp: float = 0.0
    dropped: float = 0.0
    suppressed: float = 0.0
    refused: str | None = None


def run(trial: Trial, halves: Halves, learners: Sequence[Learner], seed: int, *, discretize: bool) -> Outcome:
    """Costs one release of half of the rows, and two predictions for every learner.

    Everything that looks at rows, be it to cut, count or encode them, is handed the training half alone.
    """
    divided = halves.fold(seed, trial.repetition, trial.half)
    if discretize:
        halves = binned(halves, divided.train)
    chance = int(np.random.SeedSequence((seed, trial.repetition, trial.half)).generate_state(1)[0])
    test, truth = halves.inputs.take(divided.test), halves.classes[divided.test]
    majority = float(np.mean(truth == _most_frequent(halves.classes[divided.train])))
    if trial.contender is None:
        train = halves.inputs.take(divided.train)
        told = _learned(learners, chance, SharedRows(train), halves.classes[divided.train], [test], truth)
        plain = {name: accuracies[0] for name, accuracies in told.items()}
        return Outcome(trial.key, majority, plain, plain)
    try:
        release = _released(trial.contender, halves.source.take(divided.train), halves, trial.k, chance)
    except UnsatisfiableError as error:
        return Outcome(trial.key, majority, {}, {}, refused=error.message)
    published = release.frame
    target = published.column(halves.policy.target).to_numpy(zero_copy_only=False)
    recoded = release.recode(halves.source.take(divided.test)).drop_columns([halves.policy.target])
    train = published.drop_columns([halves.policy.target])
    # Who gets a release with nodes of a hierarchy is told what they mean; it was built on the training half.
    shared = SharedRows(train, release.hierarchies)
    told = _learned(learners, chance, shared, target.astype(str), [test, recoded], truth)
    rows = release.record["rows"]
    return Outcome(
        trial.key,
        majority,
        {name: accuracies[0] for name, accuracies in told.items()},
        {name: accuracies[1] for name, accuracies in told.items()},
        release.record["losses"]["gcp"],
        rows["dropped"] / rows["in"],
        release.record["losses"]["missing_cell_ratio"],
    )


def _released(contender: Contender, train: pa.Table, halves: Halves, k: int | None, chance: int) -> Release:
    policy = halves.policy if k is None else replace(halves.policy, k=k)
    # The options are settled already: those of the policy's own method must not come in a second time.
    policy = replace(policy, method=contender.method, options={})
    return anonymize(train, policy, seed=chance, **contender.options)


def _learned(
    learners: Sequence[Learner],
    chance: int,
    shared: SharedRows,
    classes: Classes,
    tests: Sequence[pa.Table],
    truth: Classes,
) -> dict[str, list[float]]:
    """For every learner, how many of the classes it tells in each table of test rows."""
    if len(np.unique(classes)) == 1:  # nothing to learn, and some learners refuse
        return {learner.name: [float(np.mean(truth == classes[0]))] * len(tests) for learner in learners}
    found = {}
    shared_tests = [SharedRows(test) for test in tests]
    for learner in learners:
        with _telling_who_fails(learner):
            model = learner.make(chance).fit(shared, classes)
            found[learner.name] = [float(np.mean(model.predict(test) == truth)) for test in shared_tests]
    return found


@contextmanager
def _telling_who_fails(learner: Learner) -> Iterator[None]:
    """Not every classifier of scikit-learn takes every table; what it says may show cells or classes.

    Nor are its warnings for those who read a table of accuracies: they come once for every fold.
    """
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "The number of unique classes", UserWarning)
        warnings.simplefilter("ignore", ConvergenceWarning)
        try:
            yield
        except ValueError as error:
            if learner.encoding == "cells":  # one of ours takes every table: this is a defect
                raise
            raise InputError(
                f"learner {learner.name!r} cannot learn from this table, or not from every half of it",
                "leave it out, or give it as an object with other settings",
            ) from error


def _most_frequent(classes: Classes) -> str:
    names, counts = np.unique(classes, return_counts=True)
    return str(names[counts.argmax()])
