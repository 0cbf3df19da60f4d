"""What an evaluation found: a score for every method, k and learner, and which of them differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields, replace
from functools import cached_property
from itertools import combinations, product
from typing import Any

import numpy as np
import pyarrow as pa

from kanopy._display import Plotted, number_of
from kanopy.data.arrays import Floats
from kanopy.evaluation import significance
from kanopy.evaluation.figures import FIGURES
from kanopy.evaluation.scores import Area, Comparison, Disclosure, Score
from kanopy.evaluation.trial import FOLDS, ORIGINAL, Design, Key, Outcome
from kanopy.evaluation.verdicts import LEVEL, Verdict, conclusion, verdict
from kanopy.frames.tables import from_arrow
from kanopy.release.floor import round_number
from kanopy.release.published_losses import told_share

_ACCURACY_DIGITS = 3  # more could tell how many rows a test had, and single rows in it
_LOSSES = ("gcp", "dropped", "suppressed")
_TOLD_LOSSES = frozenset({*_LOSSES, "lost", "first_lost", "second_lost"})
_STATISTICS = frozenset({"statistic", "p_value"})
_NAMES = [field.name for field in fields(Score)]
_IN_FULL = frozenset(
    _NAMES[_NAMES.index("better_than_guessing") :]
)  # what a score has where an evaluation is in full


class Evaluation(Plotted):
    """The outcomes of all trials, summarized.

    Attributes
    ----------
    table : frame
        One row per method, k and learner; of the kind that the evaluated table was.
    scores : list of Score
        The same as objects.
    comparisons : list of Comparison
    verdicts : list of Verdict
        Which methods are best under each learner and k, which tie, which are no better than guessing.
    disclosures : list of Disclosure
        What releases tell about their members, for the class and every sensitive column.
    areas : list of Area
        Where there are several k.
    ranks : RankTest or None
        Friedman's test over all learners and k, where there are several. As they share the rows of one table,
        the p-value is too small. What is no better than guessing counts as the majority rate.
    protocol : str
        How it was measured, in a few sentences.
    """

    def __init__(
        self, outcomes: Mapping[Key, Outcome], design: Design, *, n_rows: int, kind: str, protocol: str
    ) -> None:
        self._outcomes, self._kind, self._in_full = outcomes, kind, design.in_full
        self._encodings = {learner.name: learner.encoding for learner in design.learners}
        self.methods = [contender.label for contender in design.contenders]
        self.ks = list(design.ks)
        self.learners = list(self._encodings)
        self.n_rows, self.protocol = n_rows, protocol

    def __repr__(self) -> str:
        counted = ((len(self.methods), "methods"), (len(self.ks), "k"), (len(self.learners), "learners"))
        sizes = ", ".join(number_of(*each) for each in counted)
        return f"<Evaluation {sizes}: {number_of(len(self.scores), 'scores')}>"

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
        majority, bounds = self._majority, _mean_and_bounds(plain)
        low = bounds[1]
        score = Score(
            *(method, k, learner, self._encodings[learner]),
            *bounds,
            *_mean_and_bounds(recoded),
            majority,
            *significance.fold_interval(original)[:3],
            *(gcp, dropped, suppressed),
            len(outcomes),
            next((outcome.refused for outcome in outcomes if outcome.refused), None),
            None if low is None else significance.is_above(low, majority),
        )
        return replace(score, **self._figures(method, k, learner), **self._excess(method, k))

    @cached_property
    def _majority(self) -> float:
        """The majority rate: the same for all methods, as they share the folds."""
        return float(np.mean([outcome.majority for outcome in self._of(ORIGINAL, None)]))

    def _figures(self, method: str, k: int | None, learner: str) -> dict[str, Any]:
        """The means over the folds of all figures, under the names that a score gives them."""
        released, original = self._of(method, k), self._of(ORIGINAL, None)
        forms = {
            "{}": [outcome.figures.get(learner, {}) for outcome in released],
            "{}_recoded": [outcome.figures_recoded.get(learner, {}) for outcome in released],
            "original_{}": [outcome.figures.get(learner, {}) for outcome in original],
            "majority_{}": [outcome.majority_figures for outcome in original],
        }
        found = {
            form.format(name): _mean([figures.get(name) for figures in folds])
            for (form, folds), name in product(forms.items(), FIGURES)
        }
        if found["auc"] is not None:
            aucs = [figures["auc"] for figures in forms["{}"]]
            _, found["auc_low"], found["auc_high"] = _mean_and_bounds(np.array(aucs, dtype=np.float64))
        return found

    @cached_property
    def disclosures(self) -> list[Disclosure]:
        return [one for place in product(self.methods, self.ks) for one in self._disclosed(*place)]

    def _disclosed(self, method: str, k: int | None) -> list[Disclosure]:
        """The class comes first."""
        outcomes = self._of(method, k)
        found = []
        for column in outcomes[0].guessed if all(outcome.guessed for outcome in outcomes) else ():
            rates = np.array([outcome.guessed[column] for outcome in outcomes])
            interval = significance.fold_interval(rates[:, 0] - rates[:, 1], lowest=-1.0)[:3]
            lost = float(np.mean([outcome.gcp for outcome in outcomes]))
            members, strangers = rates.mean(axis=0).tolist()
            found.append(Disclosure(method, k, column, members, strangers, *interval, lost))
        return found

    def _excess(self, method: str, k: int | None) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for one in self._disclosed(method, k)[:1]:
            found = {"members": one.members, "strangers": one.strangers}
            found |= {"excess": one.excess, "excess_low": one.low, "excess_high": one.high}
        return found

    @cached_property
    def table(self) -> Any:
        types = {"k": pa.int64(), "refused": pa.string(), "better_than_guessing": pa.bool_()}
        types |= dict.fromkeys(("method", "learner", "encoding", "n_folds"))  # by their values
        arrays = {
            name: pa.array([getattr(score, name) for score in self.scores], types.get(name, pa.float64()))
            for name in (field.name for field in fields(Score))
        }
        return from_arrow(pa.table(arrays), self._kind)

    @cached_property
    def comparisons(self) -> list[Comparison]:
        pairs = list(combinations([*self.methods, ORIGINAL], 2))
        places = product(self.learners, self.ks, pairs)
        compared = (self._compared(learner, k, *pair) for learner, k, pair in places)
        return [comparison for comparison in compared if comparison is not None]

    def _compared(self, learner: str, k: int | None, first: str, second: str) -> Comparison | None:
        ks = [None if name == ORIGINAL else k for name in (first, second)]
        mine, others = (self.folds(name, k, learner) for name, k in zip((first, second), ks, strict=True))
        if mine is None or others is None:
            return None
        test = significance.combined_f_test(mine, others)
        guessing = [name for name in (first, second) if not self._is_able(name, k, learner)]
        higher = first if test.mean_difference > 0 else second
        preferred = higher if test.p_value < LEVEL else None
        lost = [0.0 if name == ORIGINAL else self._by_place[name, k, learner].gcp for name in (first, second)]
        return Comparison(
            *(learner, k, first, second, test.mean_difference, test.statistic, test.p_value),
            None if preferred in guessing else preferred,
            conclusion(first, second, preferred, guessing),
            *lost,
        )

    @cached_property
    def _by_place(self) -> dict[tuple[str, int | None, str], Score]:
        return {(score.method, score.k, score.learner): score for score in self.scores}

    def _is_able(self, method: str, k: int | None, learner: str) -> bool:
        """Whether a method, or the original rows, are better than guessing."""
        if method == ORIGINAL:
            score = self._by_place[self.methods[0], k, learner]
            return significance.is_above(score.original_low, score.majority)
        return bool(self._by_place[method, k, learner].better_than_guessing)

    @cached_property
    def verdicts(self) -> list[Verdict]:
        found = []
        for learner, k in product(self.learners, self.ks):
            differing = {
                frozenset((one.first, one.second))
                for one in self.comparisons
                if (one.learner, one.k) == (learner, k) and one.p_value < LEVEL
            }
            found.append(verdict([self._by_place[name, k, learner] for name in self.methods], differing))
        return [one for one in found if one is not None]

    @cached_property
    def areas(self) -> list[Area]:
        ks = [k for k in self.ks if k is not None]
        found = []
        for method, learner in product(self.methods, self.learners) if len(ks) > 1 else ():
            means = [_mean_and_bounds(self.folds(method, k, learner))[0] for k in ks]
            percent = [100 * mean for mean in means if mean is not None]
            if len(percent) == len(ks):
                area = significance.area_under_curve(ks, percent)
                mean, lost = significance.mean_accuracy(ks, percent) / 100, self.lost(method)
                found.append(Area(method, learner, area, mean, lost or 0.0))
        return found

    @cached_property
    def ranks(self) -> significance.RankTest | None:
        means: dict[str, list[float | None]] = {method: [] for method in self.methods}
        for score in self.scores:
            # Among those that are no better than guessing none is better than another.
            means[score.method].append(
                score.majority if score.better_than_guessing is False else score.accuracy
            )
        whole = {method: values for method, values in means.items() if None not in values}
        if len(whole) < 2 or len(self.ks) * len(self.learners) < 2:
            return None
        return significance.friedman_test(np.array(list(whole.values()), dtype=np.float64).T, list(whole))

    def lost(self, method: str) -> float | None:
        """The detail that the releases of a method lost (GCP), the mean over all k; None where none is."""
        lost = [score.gcp for score in self.scores if score.method == method and score.gcp is not None]
        return float(np.mean(lost)) if lost else None

    def told(self) -> dict[str, Any]:
        """Everything as plain values, rounded so that it may be published.

        PRIVACY: exact losses are measured against the source's range and give hidden numbers back; exact
        accuracies tell how single rows were classified (tests/unit/evaluation/test_evaluate.py).
        """
        exact = self.to_dict()
        names = {"scores", "comparisons", "areas", "disclosures"} & exact.keys()
        lists = {name: [_told(each) for each in exact[name]] for name in names}
        ranks = None if exact["ranks"] is None else _told(exact["ranks"])
        return {**exact, **lists, "rows": round_number(self.n_rows), "ranks": ranks}

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values, exactly: for the custodian alone."""
        found = {
            "protocol": self.protocol,
            "rows": self.n_rows,
            "scores": [self._plain(score) for score in self.scores],
            "comparisons": [_finite(asdict(comparison)) for comparison in self.comparisons],
            "areas": [asdict(area) for area in self.areas],
            "ranks": None if self.ranks is None else _finite(asdict(self.ranks)),
        }
        if self._in_full:
            found["verdicts"] = [asdict(one) for one in self.verdicts]
            found["disclosures"] = [asdict(one) for one in self.disclosures]
        return found

    def _plain(self, score: Score) -> dict[str, Any]:
        """A score, without the figures that were not asked for."""
        asked = asdict(score)
        return asked if self._in_full else {name: asked[name] for name in asked if name not in _IN_FULL}


def _told(values: dict[str, Any]) -> dict[str, Any]:
    """Losses in whole percent, accuracies in tenths of a percent, statistics with three digits."""
    told = dict(values)
    for name, value in values.items():
        if isinstance(value, float) and name in _TOLD_LOSSES:
            told[name] = told_share(value)
        elif isinstance(value, float):
            told[name] = float(f"{value:.3g}") if name in _STATISTICS else round(value, _ACCURACY_DIGITS)
    return told


def _mean_and_bounds(folds: Floats | None) -> tuple[float | None, float | None, float | None]:
    return (None, None, None) if folds is None else significance.fold_interval(folds)[:3]


def _mean(folds: Sequence[float | None]) -> float | None:
    """The mean over the folds, None where some fold has no figure."""
    known = [figure for figure in folds if figure is not None]
    return float(np.mean(known)) if len(known) == len(folds) else None


def _finite(values: dict[str, Any]) -> dict[str, Any]:
    """JSON has no infinity: the statistic of methods that differ by the same amount in every fold is null."""
    return {name: None if value == float("inf") else value for name, value in values.items()}
