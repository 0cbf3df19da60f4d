"""What an evaluation found: a score for every method, k and learner, and which of them differ."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from functools import cached_property
from itertools import combinations, product
from typing import Any

import numpy as np
import pyarrow as pa

from kanopy.data.arrays import Floats
from kanopy.evaluation import significance
from kanopy.evaluation.trial import FOLDS, ORIGINAL, Design, Key, Outcome
from kanopy.frames.tables import from_arrow
from kanopy.release.floor import round_number
from kanopy.release.published_losses import told_share

_ACCURACY_DIGITS = 3  # more could tell how many rows a test had, and single rows in it
_LOSSES = ("gcp", "dropped", "suppressed")
_STATISTICS = frozenset({"statistic", "p_value"})


@dataclass(frozen=True, slots=True)
class Score:
    """How well one learner does on releases of one method for one k; shares between 0 and 1.

    ``accuracy`` is the mean over the folds on test rows as they are, ``low`` and ``high`` its 95% interval;
    those with ``_recoded`` are on test rows that were recoded like the release. ``original`` is what the same
    learner reaches when it learns from the training half as it is, ``majority`` what the most frequent class
    of the training half reaches. ``gcp`` is the detail of the quasi-identifiers that the releases lost,
    ``dropped`` the share of rows that they lack, ``suppressed`` the share of quasi-identifier cells that say
    nothing. ``encoding`` is how the learner read generalized cells. ``refused`` says why there is no score:
    in some fold the promise could not be kept.
    """

    method: str
    k: int | None
    learner: str
    encoding: str
    accuracy: float | None
    low: float | None
    high: float | None
    accuracy_recoded: float | None
    low_recoded: float | None
    high_recoded: float | None
    majority: float
    original: float
    original_low: float
    original_high: float
    gcp: float | None
    dropped: float | None
    suppressed: float | None
    n_folds: int
    refused: str | None = None


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two methods with the same learner and k: the combined 5x2cv F-test on test rows as they are.

    ``difference`` is first minus second; ``original`` stands for rows that were not anonymized.
    """

    learner: str
    k: int | None
    first: str
    second: str
    difference: float
    statistic: float
    p_value: float


@dataclass(frozen=True, slots=True)
class Area:
    """One method and learner over all k: the area under accuracy (in percent) against k, and their mean."""

    method: str
    learner: str
    area: float
    mean_accuracy: float


class Evaluation:
    """The outcomes of all trials, summarized.

    Attributes
    ----------
    table : frame
        One row per method, k and learner; of the kind that the evaluated table was.
    scores : list of Score
        The same as objects.
    comparisons : list of Comparison
    areas : list of Area
        Where there are several k.
    ranks : RankTest or None
        Friedman's test over all learners and k, where there are several. As they share the rows of one table,
        the p-value is too small.
    protocol : str
        How it was measured, in a few sentences.
    """

    def __init__(
        self, outcomes: Mapping[Key, Outcome], design: Design, *, n_rows: int, kind: str, protocol: str
    ) -> None:
        self._outcomes, self._kind = outcomes, kind
        self._encodings = {learner.name: learner.encoding for learner in design.learners}
        self.methods = [contender.label for contender in design.contenders]
        self.ks = list(design.ks)
        self.learners = list(self._encodings)
        self.n_rows, self.protocol = n_rows, protocol

    @property
    def outcomes(self) -> Mapping[Key, Outcome]:
        """What every trial found: for the custodian alone."""
        return self._outcomes

    def folds(self, method: str, k: int | None, learner: str, *, recoded: bool = False) -> Floats | None:
        """The accuracy in every fold, (repetitions, 2); None where some release was refused."""
        outcomes = self._of(method, k)
        found = [outcome.accuracy_recoded if recoded else outcome.accuracy for outcome in outcomes]
        if any(learner not in accuracies for accuracies in found):
            return None
        return np.array([accuracies[learner] for accuracies in found]).reshape(-1, 2)

    def _of(self, method: str, k: int | None) -> list[Outcome]:
        return [self._outcomes[(*fold, method, k or 0)] for fold in FOLDS]

    @cached_property
    def scores(self) -> list[Score]:
        return [self._score(*place) for place in product(self.methods, self.ks, self.learners)]

    def _score(self, method: str, k: int | None, learner: str) -> Score:
        outcomes = self._of(method, k)
        plain, recoded = (self.folds(method, k, learner, recoded=recoded) for recoded in (False, True))
        original = self.folds(ORIGINAL, None, learner)
        assert original is not None
        losses = ([getattr(outcome, name) for outcome in outcomes] for name in _LOSSES)
        gcp, dropped, suppressed = (None if plain is None else float(np.mean(values)) for values in losses)
        return Score(
            *(method, k, learner, self._encodings[learner]),
            *_mean_and_bounds(plain),
            *_mean_and_bounds(recoded),
            float(np.mean([outcome.majority for outcome in outcomes])),
            *significance.fold_interval(original)[:3],
            *(gcp, dropped, suppressed),
            len(outcomes),
            next((outcome.refused for outcome in outcomes if outcome.refused), None),
        )

    @cached_property
    def table(self) -> Any:
        types = {"k": pa.int64(), "refused": pa.string()}
        types |= dict.fromkeys(("method", "learner", "encoding", "n_folds"))  # by their values
        arrays = {
            name: pa.array([getattr(score, name) for score in self.scores], types.get(name, pa.float64()))
            for name in (field.name for field in fields(Score))
        }
        return from_arrow(pa.table(arrays), self._kind)

    @cached_property
    def comparisons(self) -> list[Comparison]:
        found = []
        pairs = list(combinations([*self.methods, ORIGINAL], 2))
        for learner, k, pair in product(self.learners, self.ks, pairs):
            mine, others = (self.folds(name, None if name == ORIGINAL else k, learner) for name in pair)
            if mine is not None and others is not None:
                test = significance.combined_f_test(mine, others)
                figures = (test.mean_difference, test.statistic, test.p_value)
                found.append(Comparison(learner, k, *pair, *figures))
        return found

    @cached_property
    def areas(self) -> list[Area]:
        ks = [k for k in self.ks if k is not None]
        found = []
        for method, learner in product(self.methods, self.learners) if len(ks) > 1 else ():
            means = [_mean_and_bounds(self.folds(method, k, learner))[0] for k in ks]
            percent = [100 * mean for mean in means if mean is not None]
            if len(percent) == len(ks):
                area = significance.area_under_curve(ks, percent)
                found.append(Area(method, learner, area, significance.mean_accuracy(ks, percent) / 100))
        return found

    @cached_property
    def ranks(self) -> significance.RankTest | None:
        means: dict[str, list[float | None]] = {method: [] for method in self.methods}
        for score in self.scores:
            means[score.method].append(score.accuracy)
        whole = {method: values for method, values in means.items() if None not in values}
        if len(whole) < 2 or len(self.ks) * len(self.learners) < 2:
            return None
        return significance.friedman_test(np.array(list(whole.values()), dtype=np.float64).T, list(whole))

    def told(self) -> dict[str, Any]:
        """Everything as plain values, rounded so that it may be published.

        PRIVACY: exact losses are measured against the source's range and give hidden numbers back; exact
        accuracies tell how single rows were classified (tests/unit/evaluation/test_evaluate.py).
        """
        exact = self.to_dict()
        lists = {name: [_told(each) for each in exact[name]] for name in ("scores", "comparisons", "areas")}
        ranks = None if exact["ranks"] is None else _told(exact["ranks"])
        return {**exact, **lists, "rows": round_number(self.n_rows), "ranks": ranks}

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values, exactly: for the custodian alone."""
        return {
            "protocol": self.protocol,
            "rows": self.n_rows,
            "scores": [asdict(score) for score in self.scores],
            "comparisons": [_finite(asdict(comparison)) for comparison in self.comparisons],
            "areas": [asdict(area) for area in self.areas],
            "ranks": None if self.ranks is None else _finite(asdict(self.ranks)),
        }


def _told(values: dict[str, Any]) -> dict[str, Any]:
    """Losses in whole percent, accuracies in tenths of a percent, statistics with three digits."""
    told = dict(values)
    for name, value in values.items():
        if isinstance(value, float) and name in _LOSSES:
            told[name] = told_share(value)
        elif isinstance(value, float):
            told[name] = float(f"{value:.3g}") if name in _STATISTICS else round(value, _ACCURACY_DIGITS)
    return told


def _mean_and_bounds(folds: Floats | None) -> tuple[float | None, float | None, float | None]:
    return (None, None, None) if folds is None else significance.fold_interval(folds)[:3]


def _finite(values: dict[str, Any]) -> dict[str, Any]:
    """JSON has no infinity: the statistic of methods that differ by the same amount in every fold is null."""
    return {name: None if value == float("inf") else value for name, value in values.items()}
