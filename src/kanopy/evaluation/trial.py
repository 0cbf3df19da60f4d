"""One trial: release one half of the rows, learn from the release, test on the other half."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning

from kanopy.algorithms import find_method
from kanopy.engines.local import anonymize
from kanopy.errors import InputError, PolicyError, UnsatisfiableError
from kanopy.evaluation.halves import HALVES, Halves, binned
from kanopy.learners.reading import SharedRows
from kanopy.learners.registry import Learner
from kanopy.policy import Policy
from kanopy.release import Release

Key = tuple[int, int, str, int]  # repetition, half, label of the contender, and k or 0
ORIGINAL = "original"  # the label of the original rows
N_REPETITIONS = 5
FOLDS = [(repetition, half) for repetition in range(N_REPETITIONS) for half in HALVES]


@dataclass(frozen=True, slots=True)
class Contender:
    """A method with its options, under the name that the results give it."""

    label: str
    method: str
    options: Mapping[str, Any] = field(default_factory=dict)


def contenders_of(methods: Sequence[str] | str | None, policy: Policy) -> list[Contender]:
    """The methods to compare, checked; without any the policy's own, with its options."""
    texts = [methods] if isinstance(methods, str) else methods or [policy.method_name]
    found = [_contender(text, policy) for text in texts]
    if len({contender.label for contender in found}) < len(found):
        raise PolicyError("a method is named twice", "name each once, or with other options")
    return found


def _contender(text: str, policy: Policy) -> Contender:
    """A method as it is written: ``kmeans``, or with options ``kmeans:variant=2;max_iter=10``."""
    if not isinstance(text, str):
        raise PolicyError("the names of methods are strings", 'for example methods=["kactus", "mondrian"]')
    name, _, written = text.partition(":")
    method = find_method(name.strip())
    # As in ``anonymize``: the options of the policy are defaults for its own method.
    options: dict[str, Any] = dict(policy.options) if method.name == policy.method_name else {}
    for part in filter(None, written.split(";")):
        option, equals, value = part.partition("=")
        if not equals:
            example = "for example kmeans:variant=2;max_iter=10"
            raise PolicyError("options of a method are written NAME=VALUE", example)
        options[option.strip()] = value.strip()
    return Contender(text.strip(), method.name, method.settle(options))


@dataclass(frozen=True, slots=True)
class Trial:
    """One half of one repetition, released by one contender; without a contender, the rows as they are."""

    repetition: int
    half: int
    contender: Contender | None = None
    k: int | None = None  # None: the promise is that of the policy

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
        released = [(contender, k) for contender in self.contenders for k in self.ks]
        return [Trial(*fold, *what) for fold in FOLDS for what in ((None, None), *released)]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one trial found; shares are between 0 and 1."""

    key: Key
    majority: float  # share of the test rows that have the most frequent class of the training rows
    accuracy: dict[str, float]  # by learner, on test rows as they are
    accuracy_recoded: dict[str, float]  # by learner, on test rows recoded like the release
    gcp: float = 0.0
    dropped: float = 0.0  # share of the training rows that were not released
    suppressed: float = 0.0  # share of the quasi-identifier cells that are suppressed
    refused: str | None = None  # why there was no release


def run(trial: Trial, halves: Halves, learners: Sequence[Learner], seed: int, *, discretize: bool) -> Outcome:
    """Everything that looks at rows, to cut, count or encode them, gets the training half alone."""
    train, test = halves.fold(seed, trial.repetition, trial.half)
    if discretize:
        halves = binned(halves, train)
    chance = int(np.random.SeedSequence((seed, trial.repetition, trial.half)).generate_state(1)[0])
    classes, truth = halves.classes[train], halves.classes[test]
    names, counts = np.unique(classes, return_counts=True)
    majority = float(np.mean(truth == str(names[counts.argmax()])))
    tests = [halves.inputs.take(test)]
    if trial.contender is None:
        shared = SharedRows(halves.inputs.take(train))
        (plain,) = _accuracies(learners, chance, shared, classes, tests, truth)
        return Outcome(trial.key, majority, plain, plain)
    try:
        release = _released(trial.contender, halves.source.take(train), halves, trial.k, chance)
    except UnsatisfiableError as error:
        return Outcome(trial.key, majority, {}, {}, refused=error.message)
    published, target = release.frame, halves.policy.target
    classes = published.column(target).to_numpy(zero_copy_only=False).astype(str)
    tests.append(release.recode(halves.source.take(test)).drop_columns([target]))
    # The recipient of a release with nodes of a hierarchy knows it; it was built on the training half.
    shared = SharedRows(published.drop_columns([target]), release.hierarchies, release.manifest)
    plain, recoded = _accuracies(learners, chance, shared, classes, tests, truth)
    rows, losses = release.record["rows"], release.record["losses"]
    lost = (losses["gcp"], rows["dropped"] / rows["in"], losses["missing_cell_ratio"])
    return Outcome(trial.key, majority, plain, recoded, *lost)


def _released(contender: Contender, train: pa.Table, halves: Halves, k: int | None, chance: int) -> Release:
    policy = halves.policy if k is None else replace(halves.policy, k=k)
    # The options are settled already: those of the policy's own method must not come in a second time.
    policy = replace(policy, method=contender.method, options={}, value_statistics=())
    return anonymize(train, policy, seed=chance, allow_empty=True, **contender.options)


def _accuracies(
    learners: Sequence[Learner],
    chance: int,
    train: SharedRows,
    classes: NDArray[Any],
    tests: Sequence[pa.Table],
    truth: NDArray[Any],
) -> list[dict[str, float]]:
    """For each table of test rows, the accuracy of every learner."""
    if len(np.unique(classes)) == 1:  # nothing to learn, and some learners refuse
        accuracy = float(np.mean(truth == classes[0]))
        return [{learner.name: accuracy for learner in learners} for _ in tests]
    found: list[dict[str, float]] = [{} for _ in tests]
    shared_tests = [SharedRows(test) for test in tests]
    for learner in learners:
        with _naming_failures(learner):
            model = learner.make(chance).fit(train, classes)
            for accuracies, test in zip(found, shared_tests, strict=True):
                accuracies[learner.name] = float(np.mean(model.predict(test) == truth))
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
            reason = f"learner {learner.name!r} cannot learn from this table, or not from every half of it"
            raise InputError(reason, "leave it out, or give it as an object with other settings") from error
