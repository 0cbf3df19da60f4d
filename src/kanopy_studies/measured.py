"""Our numbers for the tables of the papers on kACTUS: one evaluation per data set, summed up."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kanopy.errors import PolicyError
from kanopy.evaluation.contender import ORIGINAL, contenders_of
from kanopy.evaluation.evaluate import evaluate_halves
from kanopy.evaluation.evaluation import Evaluation
from kanopy.learners.registry import Learner, find_learner
from kanopy_studies.experiment import Request, command, stem
from kanopy_studies.published_kactus import Spread
from kanopy_studies.settings import find_setting, halves_of, with_leaking_bins
from kanopy_studies.versions import versions

SEED = 0

INDUCER_OF = {
    "c45": "c45", "weka:J48": "c45", "weka:PART": "part", "nb": "nb", "weka:NaiveBayes": "nb",
    "logistic": "logistic", "weka:Logistic": "logistic",
}  # fmt: skip
"""Which learner of the papers one of ours, or of Weka's, is to be compared with."""


@dataclass(frozen=True, eq=False)
class Measured:
    """What was found for some data sets.

    Parameters
    ----------
    command : str
        What makes these numbers.
    as_published : bool
        Whether the bins have seen the test rows.
    learners : tuple of Learner
    evaluations : mapping of str to Evaluation
        By setting.
    shares : mapping of str to float
        Of each setting, the share of all cells, class included, that belongs to quasi-identifiers.
    """

    command: str
    as_published: bool
    learners: tuple[Learner, ...]
    evaluations: Mapping[str, Evaluation]
    shares: Mapping[str, float]

    def accuracy(
        self, data: str, method: str, k: int | None, learner: str, *, recoded: bool = False
    ) -> Spread | None:
        """Mean and standard deviation over the folds, in percent; k None is the table as it is."""
        folds = self.evaluations[data].folds(method, k, learner, recoded=recoded)
        return None if folds is None else Spread(100 * float(folds.mean()), 100 * float(folds.std(ddof=1)))

    def area(self, data: str, method: str, learner: str) -> float | None:
        areas = self.evaluations[data].areas
        return next((one.area for one in areas if (one.method, one.learner) == (method, learner)), None)

    def suppressed(self, data: str, method: str, k: int) -> float | None:
        """The share of the quasi-identifier cells that say nothing."""
        scores = self.evaluations[data].scores
        return next((score.suppressed for score in scores if (score.method, score.k) == (method, k)), None)

    @cached_property
    def numbers(self) -> dict[str, Any]:
        return {
            "command": self.command,
            "versions": versions(),
            "as_published": self.as_published,
            "seed": SEED,
            "data": {name: _recorded(found) for name, found in self.evaluations.items()},
        }

    def to_json(self) -> bytes:
        return (json.dumps(_rounded(self.numbers)) + "\n").encode()


def _recorded(found: Evaluation) -> dict[str, Any]:
    """Every fold; comparisons follow from them."""
    known = {name: values for name, values in found.to_dict().items() if name != "comparisons"}
    return {**known, "folds": _folds(found)}


def _rounded(value: Any) -> Any:
    """Six digits are more than folds of a few thousand rows can tell."""
    if isinstance(value, dict):
        return {name: _rounded(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_rounded(one) for one in value]
    return round(value, 6) if isinstance(value, float) else value


def _folds(found: Evaluation) -> list[dict[str, Any]]:
    """The accuracy in every fold, both halves of a repetition side by side; null where one was refused."""
    places = [(ORIGINAL, None), *((method, k) for method in found.methods for k in found.ks)]
    return [
        {
            "method": method,
            "k": k,
            "learner": learner,
            "accuracy": _plain(found.folds(method, k, learner)),
            "accuracy_recoded": _plain(found.folds(method, k, learner, recoded=True)),
        }
        for method, k in places
        for learner in found.learners
    ]


def _plain(folds: NDArray[np.float64] | None) -> list[list[float]] | None:
    return None if folds is None else folds.tolist()


def measure(
    request: Request, experiment: str, methods: Sequence[str], ks_of: Mapping[str, Sequence[int]]
) -> Measured:
    """Evaluate methods on settings, each with its ks; costs an evaluation for each setting."""
    learners = tuple(find_learner(name) for name in request.learners or ("c45",))
    for learner in learners:
        if learner.name not in INDUCER_OF:
            raise PolicyError(
                f"the papers have no learner like {learner.name!r}", f"they have {', '.join(INDUCER_OF)}"
            )
    if len({learner.name for learner in learners}) < len(learners):
        raise PolicyError("a learner is named twice", "name each once")
    for name in ks_of:  # all of them now: the last one's turn may be an hour away
        find_setting(name)
    evaluations, shares = {}, {}
    for number, (name, ks) in enumerate(ks_of.items(), 1):
        halves = halves_of(name, min(ks))
        shares[name] = len(halves.quasi) / (halves.inputs.num_columns + 1)
        if request.as_published:
            halves = with_leaking_bins(halves)

        def watch(stage: str, share: float | None, name: str = name, number: int = number) -> None:
            request.watch(f"{name} ({number} of {len(ks_of)}): {stage}", share)

        evaluations[name] = evaluate_halves(
            halves,
            contenders_of(list(methods), halves.policy),
            tuple(ks),
            learners,
            seed=SEED,
            jobs=request.jobs,
            journal=_journal(request, experiment, name),
            discretize=not request.as_published,
            kind="pyarrow",
            protocol="",
            watch=watch,
        )
    return Measured(command(experiment, request), request.as_published, learners, evaluations, shares)


def _journal(request: Request, experiment: str, data: str) -> Path | None:
    begins = stem(experiment, as_published=request.as_published)
    return None if request.journal is None else request.journal / f"{begins}-{data}.jsonl"
