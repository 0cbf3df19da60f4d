"""One trial: release one half of the rows, learn from the release, test on the other half."""

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
from kanopy.evaluation.contender import ORIGINAL, Contender
from kanopy.evaluation.halves import HALVES, Halves, binned
from kanopy.learners.reading import SharedRows
from kanopy.learners.registry import Learner
from kanopy.release import Release

Classes = NDArray[Any]
Key = tuple[int, int, str, int]
"""Repetition, half, label of the contender, and k or 0."""

N_REPETITIONS = 5


@dataclass(frozen=True, slots=True)
class Trial:
    """One half of one repetition, released by one contender; without a contender, the rows as they are.

    Without a k the promise is that of the policy.
    """

    repetition: int
    half: int
    contender: Contender | None = None
    k: int | None = None

    @property
    def key(self) -> Key:
        label = ORIGINAL if self.contender is None else self.contender.label
        return self.repetition, self.half, label, self.k or 0


@dataclass(frozen=True, slots=True)
class Design:
    """What an evaluation compares, and how."""

    contenders: Sequence[Contender]
    ks: Sequence[int | None]
    learners: Sequence[Learner]
    seed: int = 0
    discretize: bool = False

    @property
    def trials(self) -> list[Trial]:
        folds = [(repetition, half) for repetition in range(N_REPETITIONS) for half in HALVES]
        released = [(contender, k) for contender in self.contenders for k in self.ks]
        return [Trial(*fold, *what) for fold in folds for what in ((None, None), *released)]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one trial found; shares are between 0 and 1."""

    key: Key
    majority: float
    """Share of the test rows that have the most frequent class of the training rows."""
    accuracy: dict[str, float]
    """By learner, on test rows as they are."""
    accuracy_recoded: dict[str, float]
    """By learner, on test rows recoded like the release."""
    gcp: float = 0.0
    dropped: float = 0.0
    """Share of the training rows that were not released."""
    suppressed: float = 0.0
    """Share of the quasi-identifier cells that are suppressed."""
    refused: str | None = None
    """Why there was no release."""


def run(trial: Trial, halves: Halves, learners: Sequence[Learner], seed: int, *, discretize: bool) -> Outcome:
    """Everything that looks at rows, to cut, count or encode them, gets the training half alone."""
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
    # The recipient of a release with nodes of a hierarchy knows it; it was built on the training half.
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
    """For every learner, its accuracy on each table of test rows."""
    if len(np.unique(classes)) == 1:  # nothing to learn, and some learners refuse
        return {learner.name: [float(np.mean(truth == classes[0]))] * len(tests) for learner in learners}
    found = {}
    shared_tests = [SharedRows(test) for test in tests]
    for learner in learners:
        with _naming_failures(learner):
            model = learner.make(chance).fit(shared, classes)
            found[learner.name] = [float(np.mean(model.predict(test) == truth)) for test in shared_tests]
    return found


@contextmanager
def _naming_failures(learner: Learner) -> Iterator[None]:
    """Replace an error of a foreign classifier, whose text may show cells; hide warnings, one per fold."""
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
