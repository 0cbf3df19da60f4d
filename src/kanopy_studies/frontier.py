"""What learners lose and what groups tell: ``sketch`` beside other methods, on the papers' data sets."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import product
from statistics import mean
from typing import NamedTuple

from kanopy.evaluation.evaluation import Evaluation
from kanopy.evaluation.halves import Halves
from kanopy.evaluation.scores import Score
from kanopy.evaluation.significance import fold_interval
from kanopy.evaluation.trial import ORIGINAL, Design, Key, Outcome, contenders_of
from kanopy.learners.registry import Learner, find_learner
from kanopy.policy import Policy
from kanopy_studies.datasets import describe, load
from kanopy_studies.experiment import Request, command
from kanopy_studies.frontier_pictures import draw_frontier
from kanopy_studies.kactus_run import Releases
from kanopy_studies.page import Page, made_by, rounded, table, versions
from kanopy_studies.settings import KS, complete_rows

DATA = (
    "pima", "vehicle", "german", "crx", "glass", "ionosphere", "tic_tac_toe", "waveform40", "nursery",
    "adult",
)  # fmt: skip
METHODS = ("sketch", "sketch:spread=0;classes=true", "mondrian", "kactus", "kmember", "optimal")
"""With the dial at 0, groups are of rows that are alike, whatever they tell: its other end."""
LEARNERS = ("c45", "part", "nb", "logistic", "boosting")
MORE_KS = {"adult": (100, 500, 1000)}
ADULT_QUASI = (
    "age", "workclass", "education", "marital-status", "occupation", "race", "sex", "native-country",
)  # fmt: skip
SEED = 0
_SLOW = ("part",)
"""Learners that take longer than all others: they have journals of their own, so that they can come later."""
_NO_KS = (2,)  # of the original rows, whichever are asked for: their journal serves all


class Place(NamedTuple):
    """What was measured of one method for one k."""

    data: str
    method: str
    k: int
    loss: Mapping[str, tuple[float, float, float]]  # by learner, in points: mean and interval
    auc: Mapping[str, tuple[float, float, float]]  # by learner, in points: lost, and interval
    excess: tuple[float, float, float]  # in points: mean and interval

    @property
    def mean_loss(self) -> float:
        return mean(loss for loss, _, _ in self.loss.values())


def frontier(request: Request) -> Page:
    """Loss of accuracy and excess of every method, data set and k."""
    learners = [_learner(name) for name in request.learners or LEARNERS]
    data = tuple(request.data or DATA)
    found = {name: _evaluated(request, name, request.methods or METHODS, learners) for name in data}
    places = [place for name, evaluation in found.items() for place in _places(name, evaluation)]
    made = made_by(command("frontier", request), versions())
    parts = [
        "# What learners lose and what groups tell",
        f"{made}\nEvery figure: [frontier.json](frontier.json).",
        _PROTOCOL,
        _absent([learner.name for learner in learners], found),
        "## Over all data sets that were measured",
        _over_all(places, [learner.name for learner in learners]),
        "## Against each other method",
        _wins(found),
        "## Where sketch tells more than mondrian",
        _telling(places),
        *_by_data(places, data),
    ]
    pictures = {f"frontier-{name}.svg": partial(draw_frontier, name, _curves(places, name)) for name in data}
    numbers = {"versions": versions(), "seed": SEED, "places": [place._asdict() for place in places]}
    return Page("frontier", parts, json.dumps(rounded(numbers)) + "\n", {**pictures})


_PROTOCOL = """5x2 cross-validation without leaks: each half is anonymized and learned from alone, and tested
on the other half as it is. **Loss** is what the same learner reaches on the original half, less what it
reaches on the release, in points; **excess** is how much more often the class of members is guessed from the
groups than that of strangers, in points. Intervals are 95%, with the correction of Nadeau and Bengio. All
columns are quasi-identifiers; of Adult eight are, and there are no others."""


def _learner(name: str) -> Learner:
    if name != "boosting":
        return find_learner(name)
    found = find_learner("sklearn:HistGradientBoostingClassifier")
    return Learner(name, found.make, found.encoding)


def _halves(name: str) -> Halves:
    known = describe(name)
    source = complete_rows(name).select([*ADULT_QUASI, known.target]) if name == "adult" else load(name)
    quasi = [column for column in source.column_names if column != known.target]
    numeric = [column for column in known.numeric if column in quasi]
    return Halves.of(source, Policy(quasi_identifiers=quasi, target=known.target, numeric=numeric, k=2))


def _evaluated(
    request: Request, name: str, methods: Sequence[str], learners: Sequence[Learner]
) -> Evaluation:
    """One evaluation of all methods, made method by method and k by k, so that it can go on in parts."""
    halves, ks = _halves(name), request.ks_or((*KS, *MORE_KS.get(name, ())))
    contenders = contenders_of(list(methods), halves.policy)
    outcomes: dict[Key, Outcome] = {}
    steps = [
        ([], _NO_KS, ORIGINAL),
        *(([one], (k,), f"{one.label} {k}") for one, k in product(contenders, ks)),
    ]
    batches = [[one for one in learners if (one.name in _SLOW) == is_slow] for is_slow in (False, True)]
    for (chosen, some_ks, label), batch in product(steps, filter(None, batches)):
        kind = Releases if chosen else Design
        design = kind(chosen, some_ks, batch, SEED, in_full=True)
        words = re.findall(r"\w+", " ".join(["frontier", name, label, *(one.name for one in batch)]))
        found = request.evaluate(halves, design, f"{name}: {label}: ", "-".join(words)).outcomes
        outcomes.update({key: _joined(outcomes.get(key, outcome), outcome) for key, outcome in found.items()})
    whole = Design(contenders, ks, learners, SEED, in_full=True)
    return Evaluation(outcomes, whole, n_rows=halves.n_rows, kind="pyarrow", protocol="")


def _joined(first: Outcome, second: Outcome) -> Outcome:
    """What two batches of learners found in one trial."""
    return replace(
        first,
        accuracy={**first.accuracy, **second.accuracy},
        accuracy_recoded={**first.accuracy_recoded, **second.accuracy_recoded},
        figures={**first.figures, **second.figures},
        figures_recoded={**first.figures_recoded, **second.figures_recoded},
    )


def _places(name: str, found: Evaluation) -> Iterator[Place]:
    scores = {(score.method, score.k, score.learner): score for score in found.scores}
    for method, k in product(found.methods, found.ks):
        some = [scores[method, k, learner] for learner in found.learners]
        if any(score.refused for score in some):
            continue
        loss = {learner: _loss(found, method, k, learner) for learner in found.learners}
        auc = {score.learner: lost for score in some if (lost := _auc_lost(score))}
        told = some[0]
        excess = (100 * (told.excess or 0), 100 * (told.excess_low or 0), 100 * (told.excess_high or 0))
        yield Place(name, method, k or 0, loss, auc, excess)


def _loss(found: Evaluation, method: str, k: int | None, learner: str) -> tuple[float, float, float]:
    original, released = found.folds(ORIGINAL, None, learner), found.folds(method, k, learner)
    assert original is not None
    assert released is not None
    lost = fold_interval(original - released, lowest=-1.0)
    return 100 * lost.mean, 100 * lost.low, 100 * lost.high


def _auc_lost(score: Score) -> tuple[float, float, float] | None:
    """What the area under the curve is smaller by; its interval is that of the release."""
    if score.auc is None or score.auc_low is None or score.auc_high is None or score.original_auc is None:
        return None
    before = score.original_auc
    return 100 * (before - score.auc), 100 * (before - score.auc_high), 100 * (before - score.auc_low)


def _over_all(places: Sequence[Place], learners: Sequence[str]) -> str:
    """The mean over data sets and k, of each method over all that it released."""
    lines = []
    for method in dict.fromkeys(place.method for place in places):
        some = [place for place in places if place.method == method]
        by_learner = [mean(place.loss[learner][0] for place in some) for learner in learners]
        others = (mean(place.mean_loss for place in some), mean(place.excess[0] for place in some))
        lines.append((method, str(len(some)), *(f"{figure:.2f}" for figure in (*by_learner, *others))))
    return table(("method", "releases", *learners, "mean loss", "excess"), lines)


def _wins(found: Mapping[str, Evaluation]) -> str:
    """How often sketch is shown to be better, by the combined 5x2cv F-test: data sets, k and learners."""
    counted: dict[str, list[int]] = {}
    for evaluation in found.values():
        for line in evaluation.comparisons:
            if "sketch" in (line.first, line.second) and ORIGINAL not in (line.first, line.second):
                other = line.second if line.first == "sketch" else line.first
                place = {"sketch": 0, other: 2}.get(line.better or "", 1)
                counted.setdefault(other, [0, 0, 0])[place] += 1
    lines = [(f"sketch against {other}", *map(str, counts)) for other, counts in counted.items()]
    return table(("", "wins", "ties", "losses"), lines) if lines else "Nothing to compare."


def _telling(places: Sequence[Place]) -> str:
    """Places where the excess of sketch is above that of mondrian for the same data and k."""
    excess = {(place.data, place.k, place.method): place.excess for place in places}
    both = [
        (data, k, excess[data, k, "sketch"], excess[data, k, "mondrian"])
        for data, k, method in excess
        if method == "sketch" and (data, k, "mondrian") in excess
    ]
    lines = [
        (data, str(k), _shown(*ours), _shown(*theirs))
        for data, k, ours, theirs in both
        if ours[0] > theirs[0]
    ]
    said = f"In {len(lines)} of {len(both)} places."
    return f"{said}\n\n{table(('data', 'k', 'sketch', 'mondrian'), lines)}" if lines else said


def _by_data(places: Sequence[Place], data: Sequence[str]) -> Iterator[str]:
    for name in data:
        some = [place for place in places if place.data == name]
        if some:
            yield f"## {name}"
            yield f"![{name}: loss against excess](frontier-{name}.svg)"
            header = ("method", "k", *some[0].loss, "mean loss", "excess")
            yield table(header, [_line(place) for place in some])
            if learners := list(some[0].auc):
                lines = [(place.method, str(place.k), *_areas(place, learners)) for place in some]
                yield f"Area under the curve, lost:\n\n{table(('method', 'k', *learners), lines)}"


def _areas(place: Place, learners: Sequence[str]) -> list[str]:
    return [_shown(*place.auc[learner]) if learner in place.auc else "" for learner in learners]


def _line(place: Place) -> tuple[str, ...]:
    shown = [_shown(*figures) for figures in place.loss.values()]
    return (place.method, str(place.k), *shown, f"{place.mean_loss:.1f}", _shown(*place.excess))


def _shown(figure: float, low: float, high: float) -> str:
    return f"{figure:.1f} ({low:.1f} to {high:.1f})"


def _curves(places: Sequence[Place], name: str) -> dict[str, list[tuple[int, float, float]]]:
    """Of each method its k, excess and mean loss."""
    curves: dict[str, list[tuple[int, float, float]]] = {}
    for place in places:
        if place.data == name:
            curves.setdefault(place.method, []).append((place.k, place.excess[0], place.mean_loss))
    return curves


def _absent(learners: Sequence[str], found: Mapping[str, Evaluation]) -> str:
    """What the whole plan has and this page lacks, said plainly."""
    others = [each for each in DATA if each not in found]
    lacking = [f"data sets {', '.join(others)}"] if others else []
    for method in METHODS:
        without = [name for name, evaluation in found.items() if method not in evaluation.methods]
        if without:
            where = f" on {', '.join(without)}" if len(without) < len(found) else ""
            lacking.append(f"method {method}{where}")
    asked = {k for name in found for k in (*KS, *MORE_KS.get(name, ()))}
    ks = sorted(asked - {k for evaluation in found.values() for k in evaluation.ks})
    lacking += [f"k = {', '.join(map(str, ks))}"] if ks else []
    absent = [each for each in LEARNERS if each not in learners]
    lacking += [f"learners {', '.join(absent)}"] if absent else []
    return "\n".join(["**Not measured here:**", *(f"- {each}" for each in lacking)]) if lacking else ""
