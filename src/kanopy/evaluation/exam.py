"""Learners are trained on some rows and tested on others, which are classified correctly or not."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import product
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning

from kanopy.data.arrays import Floats
from kanopy.errors import InputError
from kanopy.evaluation.figures import Figures, beside_accuracy, probabilities_of
from kanopy.learners.reading import SharedRows
from kanopy.learners.registry import Learner


@dataclass(frozen=True, slots=True)
class Marks:
    """What learners make of some test rows, by their names."""

    accuracy: dict[str, float] = field(default_factory=dict)
    figures: dict[str, Figures] = field(default_factory=dict)  # empty where they were not asked for


@dataclass(frozen=True, slots=True, eq=False)
class Exam:
    """The classes of test rows; ``names`` are the classes of the whole table, sorted."""

    truth: NDArray[Any]
    names: NDArray[Any]
    in_full: bool  # whether more than accuracies is wanted

    def marks(
        self,
        learners: Sequence[Learner],
        chance: int,
        train: SharedRows,
        classes: NDArray[Any],
        tests: Sequence[pa.Table],
    ) -> list[Marks]:
        """Train every learner, and test it on each of several tables of the same test rows."""
        found = [Marks() for _ in tests]
        if len(np.unique(classes)) == 1:  # nothing to learn, and some learners refuse
            predicted, certain = np.full(len(self.truth), classes[0]), np.ones((len(self.truth), 1))
            for marks, learner in product(found, learners):
                self._mark(marks, learner.name, predicted, classes[:1], certain)
            return found
        shared_tests = [SharedRows(test) for test in tests]
        for learner in learners:
            with _naming_failures(learner):
                model = learner.make(chance).fit(train, classes)
                for marks, test in zip(found, shared_tests, strict=True):
                    shares = probabilities_of(model, test) if self.in_full else None
                    known = np.empty(0) if shares is None else model.classes_
                    self._mark(marks, learner.name, model.predict(test), known, shares)
        return found

    def guessing(self, classes: NDArray[Any]) -> tuple[float, Figures]:
        """The same for always predicting the most frequent of the training classes, with their shares."""
        known, counts = np.unique(classes, return_counts=True)
        marks, predicted = Marks(), np.full(len(self.truth), known[counts.argmax()])
        self._mark(marks, "", predicted, known, np.tile(counts / counts.sum(), (len(predicted), 1)))
        return marks.accuracy[""], marks.figures.get("", {})

    def _mark(
        self, marks: Marks, name: str, predicted: NDArray[Any], known: NDArray[Any], shares: Floats | None
    ) -> None:
        marks.accuracy[name] = float(np.mean(predicted == self.truth))
        if self.in_full:
            marks.figures[name] = beside_accuracy(self.names, self.truth, predicted, known, shares)


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
