"""What kACTUS-2 says of its figures and of all its results: where curves cross, and what the ranks tell."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product, starmap

import numpy as np

from kanopy.data.arrays import Bools, Floats
from kanopy.evaluation.significance import RankTest, friedman_test
from kanopy_studies import published_kactus as published
from kanopy_studies.experiment import Request
from kanopy_studies.kactus import compare_all
from kanopy_studies.kactus_run import INDUCER_OF, KactusRun, PaperTable
from kanopy_studies.page import AGREES, DIFFERS, Line, Page, beside_table, signed, table
from kanopy_studies.pictures import draw_panels
from kanopy_studies.published_claims import (
    ABOVE,
    AREA_BEST,
    AREA_WINS,
    CROSSINGS,
    ERROR_REDUCTION,
    MEETING,
    Above,
)
from kanopy_studies.published_kactus import COMPARED

NEAR_SHARE = 0.1
"""A statement about an interval of k holds where it does on all of it but this share."""
NEAR_MEAN = 1.0
"""Curves meet within this many points."""
CONTROL = "kactus2"

FIGURES = PaperTable(
    "kactus2-figures",
    "Where the curves of accuracy cross (kACTUS-2, Figures 1 to 5)",
    (),
    "Between the measured k, curves are straight lines, as in the figures. These are not in the text: "
    "compared is what it says of them, with C4.5. A statement about some k agrees where it holds for nine "
    "tenths of them. TDS and TDR are judged on recoded test rows.",
    "",
    "k",
)
RANKS = PaperTable(
    "kactus2-ranks",
    "kACTUS-2 against four methods: wins and Friedman's test (kACTUS-2, Section 5.2)",
    ("areas", "claim", "learners", "cases", "published cases"),
    "The paper: by an adjusted Friedman test and Bonferroni-Dunn, kACTUS-2 outperforms TDS, TDR, kADET and "
    "kACTUS at a confidence of 95%. It does not say over which cases. Its areas in Table 1 do not bear that "
    "out, as the lines *published* show: only C4.5 has kADET, five cases. Counts are compared as shares of "
    f"the cases, because the paper had four learners; they agree within {NEAR_SHARE:g}, points within "
    f"{NEAR_MEAN:g}. TDS and TDR are judged on recoded test rows.",
    "",
    "k",
)


@dataclass(frozen=True, slots=True)
class Curves:
    """The accuracies of methods on one data set, at every whole k between the least and the greatest."""

    ks: Floats
    of: Mapping[str, Floats]

    @classmethod
    def at(cls, ks: Sequence[int], accuracies: Mapping[str, Sequence[float]]) -> Curves:
        every = np.arange(ks[0], ks[-1] + 1, dtype=np.float64)
        return cls(every, {method: np.interp(every, ks, values) for method, values in accuracies.items()})

    def above(self, method: str, others: Sequence[str]) -> Bools:
        """At which k a curve lies above all others."""
        return np.asarray(np.all([self.of[method] > self.of[other] for other in others], axis=0))

    def crossings(self, first: str, second: str) -> list[int]:
        """The k from which on another one of two curves is the upper one."""
        sign = np.sign(self.of[first] - self.of[second])
        apart = np.flatnonzero(sign)
        turns = apart[1:][np.diff(sign[apart]) != 0]
        return [int(k) for k in self.ks[turns]]


def kactus2_figures(request: Request) -> Page:
    """kACTUS-2, Figures 1 to 5: where the curves of C4.5 cross."""
    run = compare_all(request, FIGURES.name)
    learner = next((one.name for one in run.learners if INDUCER_OF[one.name] == "c45"), run.learners[0].name)
    known = {data: curves_of(run, data, learner) for data in run.evaluations}
    parts = ("## Crossings", _crossing_table(known), "## Statements", _statement_table(known))
    lines = [
        Line(data, method, str(k), found.mean, None, 0.0, f"{found.mean:.2f}")
        for data, evaluation in run.evaluations.items()
        for method, k in product(COMPARED, evaluation.ks)
        if (found := run.accuracy(data, method, k, learner)) is not None
    ]
    return run.page_of(FIGURES, parts, partial(draw_panels, FIGURES.title, FIGURES.axis, lines))


def curves_of(run: KactusRun, data: str, learner: str) -> Curves:
    """The curves of all methods that released for every k."""
    ks = [k or 0 for k in run.evaluations[data].ks]
    found = {one: [run.accuracy(data, one, k, learner) for k in ks] for one in COMPARED}
    whole = {one: [spot.mean for spot in spots if spot] for one, spots in found.items() if all(spots)}
    return Curves.at(ks, whole)


def _crossing_table(known: Mapping[str, Curves]) -> str:
    lines = []
    for (data, first, second), paper in CROSSINGS.items():
        if data in known and {first, second} <= set(known[data].of):
            ours = known[data].crossings(first, second)
            ends = [f"{known[data].of[one][place]:.2f}" for place in (0, -1) for one in (first, second)]
            lines.append((data, first, second, *ends, _told(ours), _told(paper)))
    header = ("data set", "first", "second", "first at least k", "second", "first at greatest k", "second")
    return table((*header, "ours cross at k", "published"), lines)


def _told(ks: Sequence[int]) -> str:
    return ", ".join(map(str, ks)) or "nowhere"


def _statement_table(known: Mapping[str, Curves]) -> str:
    """Each statement, the share of its k for which it holds with us, and all k for which it does."""
    lines = []
    for said in ABOVE:
        if said.data in known and {said.method, *said.others} <= set(known[said.data].of):
            share, where = holds(known[said.data], said)
            said_of = f"{said.method} above {', '.join(said.others)}"
            ks = f"{said.first}" if said.first == said.last else f"{said.first} to {said.last}"
            mark = AGREES if share >= 1 - NEAR_SHARE else DIFFERS
            lines.append((said.data, said_of, ks, f"{share:.0%}", where, mark))
    for data, first, second, k in MEETING:
        if data in known and {first, second} <= set(known[data].of):
            curves = known[data]
            apart = float((curves.of[first] - curves.of[second])[curves.ks == k][0])
            mark = AGREES if abs(apart) <= NEAR_MEAN else DIFFERS
            lines.append((data, f"{first} meets {second}", str(k), f"{signed(apart)} points", "", mark))
    return table(("data set", "the paper says", "for k", "ours", "ours, all k", "agrees"), lines)


def holds(curves: Curves, said: Above) -> tuple[float, str]:
    """For which share of the k that a statement is about it holds, and for which k at all."""
    above = curves.above(said.method, said.others)
    share = float(above[(curves.ks >= said.first) & (curves.ks <= said.last)].mean())
    edges = np.flatnonzero(np.diff(np.concatenate([[0], above.astype(np.int8), [0]])))
    runs = [(int(curves.ks[first]), int(curves.ks[after - 1])) for first, after in edges.reshape(-1, 2)]
    return share, ", ".join(f"{a} to {b}" if a < b else str(a) for a, b in runs) or "none"


def kactus2_ranks(request: Request) -> Page:
    """kACTUS-2, Section 5.2: in how many rows it is best, and Friedman's test over five methods."""
    run = compare_all(request, RANKS.name)
    paper = published_areas(run.evaluations)
    ours: Scores = {
        (data, learner.name): {method: run.area(data, method, learner.name) for method in COMPARED}
        for data, learner in product(run.evaluations, run.learners)
    }
    lines = [*wins("published", paper), *wins("ours", ours), _gain_line(run)]
    tests = [*rank_tests("published areas", paper), *rank_tests("our areas", ours)]
    tests += rank_tests("our accuracies at every k", _by_k(run))
    header = ("cases", "methods", "n", "mean ranks", "F", "p", "critical difference", "kactus2 better than")
    parts = (beside_table(RANKS.columns, lines), table(header, list(starmap(_rank_line, tests))))
    drawn = [
        Line("mean rank", what, one, rank, None, 0.0, "")
        for what, test in tests
        for one, rank in zip(test.methods, test.mean_ranks, strict=True)
    ]
    return run.page_of(RANKS, parts, partial(draw_panels, RANKS.title, "method", drawn))


Scores = Mapping[tuple[str, ...], Mapping[str, float | None]]
"""By case, the area or accuracy of every method; None where there is none."""


def published_areas(data: Iterable[str]) -> Scores:
    """kACTUS-2, Table 1."""
    places = product(data, ("c45", "part", "nb", "logistic"))
    return {place: {method: published.area(*place, method) for method in COMPARED} for place in places}


def _by_k(run: KactusRun) -> Scores:
    scores: dict[tuple[str, ...], dict[str, float | None]] = {}
    for data, found in run.evaluations.items():
        for learner, k in product(found.learners, found.ks):
            spots = {method: run.accuracy(data, method, k, learner) for method in COMPARED}
            means = {method: None if spot is None else spot.mean for method, spot in spots.items()}
            scores[data, learner, str(k)] = means
    return scores


def wins(label: str, areas: Scores) -> list[Line]:
    """How often kACTUS-2 has the larger area."""
    is_paper = label == "published"
    lines = []
    rows = [row for row in areas.values() if row[CONTROL] is not None]
    for other, (n_paper, of_paper) in AREA_WINS.items():
        known = [
            (row[CONTROL] or 0) > (row[other] or 0)
            for (_, learner, *_), row in areas.items()
            if row[CONTROL] is not None and row[other] is not None
            if other != "kadet" or INDUCER_OF[learner] == "c45"
        ]
        place = (label, f"kactus2 above {other}", "C4.5" if other == "kadet" else "all")
        lines.append(_win_line(place, sum(known), len(known), None if is_paper else (n_paper, of_paper)))
    best = [row[CONTROL] == max(area for area in row.values() if area is not None) for row in rows]
    told = None if is_paper else AREA_BEST
    lines.append(_win_line((label, "kactus2 best", "all"), sum(best), len(best), told))
    return lines


def _gain_line(run: KactusRun) -> Line:
    """By how many points kACTUS-2 is more accurate than kACTUS, on average over areas."""
    gains = []
    for data, learner in product(run.evaluations, run.learners):
        ks = [k or 0 for k in run.evaluations[data].ks]
        both = [run.area(data, method, learner.name) for method in (CONTROL, "kactus")]
        if None not in both:
            gains.append(((both[0] or 0) - (both[1] or 0)) / (ks[-1] - ks[0]))
    gain = float(np.mean(gains)) if gains else 0.0
    place, texts = ("ours", "kactus2 ahead of kactus, points", "all"), (signed(gain), signed(ERROR_REDUCTION))
    return Line(*place, gain, ERROR_REDUCTION, NEAR_MEAN, *texts, (str(len(gains)), "20"))


def _win_line(place: tuple[str, str, str], count: int, n_cases: int, paper: tuple[int, int] | None) -> Line:
    share, cases = count / max(1, n_cases), f"{count} of {n_cases}"
    if paper is None:
        return Line(*place, share, None, NEAR_SHARE, f"{share:.2f}", more=(cases, ""))
    told = paper[0] / paper[1]
    texts = (f"{share:.2f}", f"{told:.2f}")
    return Line(*place, share, told, NEAR_SHARE, *texts, (cases, f"{paper[0]} of {paper[1]}"))


def rank_tests(label: str, scores: Scores) -> list[tuple[str, RankTest]]:
    """Five methods with C4.5, and without kADET with all learners."""
    four = [method for method in COMPARED if method != "kadet"]
    with_c45 = {case: row for case, row in scores.items() if INDUCER_OF[case[1]] == "c45"}
    tests = []
    for what, methods, some in (("C4.5", COMPARED, with_c45), ("all learners", four, scores)):
        rows = [[row[method] for method in methods] for row in some.values()]
        whole = np.array([row for row in rows if None not in row], dtype=np.float64)
        if len(whole) > 1:
            tests.append((f"{label}, {what}", friedman_test(whole, list(methods))))
    return tests


def _rank_line(what: str, test: RankTest) -> tuple[str, ...]:
    against = test.against(CONTROL)
    worse = [name for name, apart in against.differences if apart > against.critical_difference]
    ranks = ", ".join(f"{one} {rank:.2f}" for one, rank in zip(test.methods, test.mean_ranks, strict=True))
    figures = (f"{test.statistic:.2f}", f"{test.p_value:.2g}", f"{against.critical_difference:.2f}")
    told = ", ".join(worse) if worse and test.rejects() else "none"
    return (what, str(len(test.methods)), str(test.n_cases), ranks, *figures, told)
