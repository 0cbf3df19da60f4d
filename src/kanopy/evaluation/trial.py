"""One trial: release one half of the rows, learn from the release, test on the other half."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pyarrow as pa

from kanopy.algorithms import find_method
from kanopy.attacks.excess import guess_rates
from kanopy.engines.local import anonymize
from kanopy.errors import PolicyError, UnsatisfiableError
from kanopy.evaluation.exam import Exam, Marks
from kanopy.evaluation.figures import Figures
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
    """What an evaluation compares, and how.

    ``in_full`` measures more than accuracies: ``FIGURES``, and what releases tell about their members.
    """

    contenders: Sequence[Contender]
    ks: Sequence[int | None]
    learners: Sequence[Learner]
    seed: int = 0
    discretize: bool = False
    in_full: bool = False

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
    figures: dict[str, Figures] = field(default_factory=dict)  # by learner, on test rows as they are
    figures_recoded: dict[str, Figures] = field(default_factory=dict)
    majority_figures: Figures = field(default_factory=dict)  # of the most frequent class, with class shares
    # By column, how often it is guessed for training and for test rows from the groups of the release
    guessed: Mapping[str, Sequence[float]] = field(default_factory=dict)


def run(
    trial: Trial,
    halves: Halves,
    learners: Sequence[Learner],
    seed: int,
    *,
    discretize: bool,
    in_full: bool = False,
) -> Outcome:
    """Everything that looks at rows, to cut, count or encode them, gets the training half alone."""
    train, test = halves.fold(seed, trial.repetition, trial.half)
    if discretize:
        halves = binned(halves, train)
    chance = int(np.random.SeedSequence((seed, trial.repetition, trial.half)).generate_state(1)[0])
    classes, exam = halves.classes[train], Exam(halves.classes[test], np.unique(halves.classes), in_full)
    majority, figures = exam.guessing(classes)
    idle = Outcome(trial.key, majority, {}, {}, majority_figures=figures)
    tests, strangers = [halves.inputs.take(test)], halves.source.take(test)
    if trial.contender is None:
        shared = SharedRows(halves.inputs.take(train))
        return _marked(idle, exam.marks(learners, chance, shared, classes, tests) * 2)
    try:
        release = _released(trial.contender, halves.source.take(train), halves, trial.k, chance)
    except UnsatisfiableError as error:
        return replace(idle, refused=error.message)
    published, target = release.frame, halves.policy.target
    classes = published.column(target).to_numpy(zero_copy_only=False).astype(str)
    tests.append(release.recode(strangers).drop_columns([target]))
    # The recipient of a release with nodes of a hierarchy knows it; it was built on the training half.
    rows = published.drop_columns([target])
    shared = SharedRows(rows, release.hierarchies, release.manifest, release.reading, classes)
    found = _marked(idle, exam.marks(learners, chance, shared, classes, tests))
    if in_full:
        members = halves.source.take(train)
        guessed = guess_rates(published, members, strangers, halves.policy, release.reading)
        found = replace(found, guessed=guessed)
    rows, losses = release.record["rows"], release.record["losses"]
    lost = {"gcp": losses["gcp"], "suppressed": losses["missing_cell_ratio"]}
    return replace(found, **lost, dropped=rows["dropped"] / rows["in"])


def _marked(idle: Outcome, marks: Sequence[Marks]) -> Outcome:
    """With the marks on test rows as they are, and on test rows recoded like the release."""
    plain, recoded = marks
    return replace(
        idle,
        accuracy=plain.accuracy,
        accuracy_recoded=recoded.accuracy,
        figures=plain.figures,
        figures_recoded=recoded.figures,
    )


def _released(contender: Contender, train: pa.Table, halves: Halves, k: int | None, chance: int) -> Release:
    policy = halves.policy if k is None else replace(halves.policy, k=k)
    # The options are settled already: those of the policy's own method must not come in a second time.
    # Nothing is published here, and what a half of the rows looks like must not stop it.
    policy = replace(policy, method=contender.method, options={}, value_statistics=()).accepting_all()
    return anonymize(train, policy, seed=chance, allow_empty=True, **contender.options)
