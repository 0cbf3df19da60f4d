"""Tables of the papers on kACTUS, made again: one evaluation per data set, beside the published numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product

from kanopy.errors import PolicyError
from kanopy.evaluation.trial import ORIGINAL
from kanopy_studies import published_kactus as published
from kanopy_studies.experiment import Request
from kanopy_studies.kactus_run import INDUCER_OF, KactusRun, PaperTable, measure
from kanopy_studies.page import Line, Page, spread
from kanopy_studies.published_kactus import COMPARED
from kanopy_studies.settings import KS, halves_of, with_leaking_bins

TABLE2_DATA = (
    "adult", "german", "glass", "ionosphere", "crx", "nursery", "pima", "tic_tac_toe", "vehicle",
    "waveform40",
)  # fmt: skip
AREA_DATA = ("adult", "german9", "tic_tac_toe", "glass", "waveform40")
NEAR_MEAN = 1.0
"""Areas agree within this many points of mean accuracy: folds scatter more than that."""
NEAR_SHARE = 0.03
"""Shares of missing cells agree within this."""

NO_MISSING = ("kadet",)
"""Methods that are not in the table of missing cells."""
WITHOUT_ONE_BIN = ("glass", "waveform40")
"""Data sets whose published shares fit only if columns with one bin do not count."""

TABLE2 = PaperTable(
    "kactus-table2",
    "Accuracy of kACTUS by k (kACTUS, Table 2)",
    ("data set", "learner", "k", "recoded"),
    "Ours agrees where it lies within one published standard deviation of the published mean. k = 1 "
    "is the half as it is; *recoded*: test rows were put through the recoding of the release first.",
    "points",
    "k",
)
AREAS = PaperTable(
    "kactus2-table1",
    "Area under accuracy over k (kACTUS-2, Table 1)",
    ("data set", "learner", "method", "area", "published area", "on raw rows", "on recoded rows"),
    "Areas are compared by the mean accuracy they stand for: divided by the width of k, in percent. "
    f"Ours agrees within {NEAR_MEAN:g} point. On Adult, TDS, TDR and kADET have the trees of values of the "
    "authors of TDS, as in the paper (Section 5.1); numbers are cut into bins beforehand and have none. "
    "What they do without trees is in `kactus-table4`. On the other data sets they see "
    "categories and bins as values that are shown or suppressed. TDS and TDR are judged on test rows recoded "
    "like the release, as in the papers (kACTUS, Section 5.2), all other methods on raw ones; both are told.",
    "points",
    "method",
)
MISSING = PaperTable(
    "kactus2-table2",
    "Share of missing cells (kACTUS-2, Table 2)",
    ("data set", "method", "k", "of quasi-identifiers", "of all cells", "without one-bin columns"),
    "The paper does not say of which cells its shares are. *Of all cells*: the class is one too, and never "
    "missing. *Without one-bin columns*: columns that the discretization of all rows leaves with a single "
    "bin count neither as missing nor as cells. They say nothing, every method suppresses them, and a filter "
    "that removes useless columns would have dropped them. Compared is the first on Adult, German and "
    "tic-tac-toe, the second on glass and waveform, because that is what the published shares fit; the "
    "choice was made after the fact, and which of them the authors took is not known. "
    f"Ours agrees within {NEAR_SHARE:g}.",
    "",
    "k",
)


def _compare(request: Request, shown: PaperTable, methods: Sequence[str]) -> KactusRun:
    ks_of = {one: request.ks_or(published.area_ks(one) or KS) for one in request.data or AREA_DATA}
    return measure(request, shown.name, request.methods or methods, ks_of)


def compare_all(request: Request, name: str) -> KactusRun:
    """The five methods of kACTUS-2 on its data sets: what its tables, figures and tests are made of."""
    ks_of = {one: published.area_ks(one) for one in request.data or AREA_DATA}
    unknown = [one for one, ks in ks_of.items() if not ks]
    if unknown:
        raise PolicyError(f"kACTUS-2 has no data set {unknown[0]!r}", f"it has {', '.join(AREA_DATA)}")
    return measure(request, name, COMPARED, ks_of)


def kactus_table2(request: Request) -> Page:
    """kACTUS, Table 2: accuracy of kACTUS by k, on ten data sets."""
    ks = request.ks_or(KS)
    run = measure(request, TABLE2.name, ["kactus"], dict.fromkeys(request.data or TABLE2_DATA, ks))
    places = product(run.evaluations, run.learners, (1, *ks))
    lines = [_accuracy_line(run, data, learner.name, k) for data, learner, k in places]
    return run.page(TABLE2, [line for line in lines if line is not None])


def _accuracy_line(run: KactusRun, data: str, learner: str, k: int) -> Line | None:
    place = (data, ORIGINAL, None, learner) if k == 1 else (data, "kactus", k, learner)
    ours, recoded = run.accuracy(*place), run.accuracy(*place, recoded=True)
    if ours is None:
        return None
    paper = published.accuracy(data, INDUCER_OF[learner], k)
    more = ("" if k == 1 or recoded is None else f"{recoded.mean:.2f}",)
    if paper is None:
        return Line(data, learner, str(k), ours.mean, None, 0.0, spread(ours), more=more)
    figures = (ours.mean, paper.mean, paper.deviation, spread(ours), spread(paper))
    return Line(data, learner, str(k), *figures, more)


def kactus2_table1(request: Request) -> Page:
    """kACTUS-2, Table 1: the area under accuracy over k, five methods on five data sets."""
    if request.ks and len(set(request.ks)) == 1:
        raise PolicyError("there is no area under a single k", "for example --ks 5,10")
    run = _compare(request, AREAS, COMPARED)
    lines = []
    for data, found in run.evaluations.items():
        for learner, method in product(found.learners, found.methods):
            if run.area(data, method, learner) is not None:
                # A published area is over the ks of the paper.
                paper = None if request.ks else published.area(data, INDUCER_OF[learner], method)
                lines.append(_area_line(run, (data, learner, method), paper))
    return run.page(AREAS, lines)


def _area_line(run: KactusRun, place: tuple[str, str, str], paper: float | None) -> Line:
    data, learner, method = place
    ks = run.evaluations[data].ks
    width = (ks[-1] or 0) - (ks[0] or 0)
    area, raw, recoded = (
        run.area(data, method, learner, recoded=recoded) or 0.0 for recoded in (None, False, True)
    )
    areas = (f"{area:,.1f}", "" if paper is None else f"{paper:,.1f}")
    more = (*areas, f"{raw / width:.2f}", f"{recoded / width:.2f}")
    ours = area / width
    if paper is None:
        return Line(*place, ours, None, NEAR_MEAN, f"{ours:.2f}", more=more)
    return Line(*place, ours, paper / width, NEAR_MEAN, f"{ours:.2f}", f"{paper / width:.2f}", more)


def kactus2_table2(request: Request) -> Page:
    """kACTUS-2, Table 2: the share of missing cells, four methods on five data sets."""
    run = _compare(request, MISSING, [method for method in COMPARED if method not in NO_MISSING])
    lines: dict[str, list[Line]] = {"as compared": [], "of all cells": [], "without one-bin columns": []}
    idle = {data: one_bin_columns(data) for data in run.evaluations}
    for data, found in run.evaluations.items():
        suppressed = {(score.method, score.k): score.suppressed for score in found.scores}
        chosen, n_idle = 2 if data in WITHOUT_ONE_BIN else 1, idle[data]
        for method, k in product(found.methods, found.ks):
            share = suppressed[method, k]
            if share is not None:
                shares = _shares(share, data, n_idle)
                for name, number in zip(lines, (chosen, 1, 2), strict=True):
                    lines[name].append(_share_line((data, method, k or 0), shares, number))
    return run.page(MISSING, lines["as compared"], _both_denominators(lines, idle))


def one_bin_columns(data: str) -> int:
    """How many quasi-identifiers the discretization of all rows leaves with a single bin."""
    return sum(column.domain.n_values <= 1 for column in with_leaking_bins(halves_of(data, 2)).quasi)


def _shares(suppressed: float, data: str, n_idle: int) -> tuple[float, float, float]:
    """Missing cells as shares of quasi-identifier cells, of all cells, and of those of telling columns."""
    halves = halves_of(data, 2)
    n_quasi, n_cells = len(halves.quasi), halves.inputs.num_columns + 1
    n_missing = suppressed * n_quasi
    return suppressed, n_missing / n_cells, (n_missing - n_idle) / (n_cells - n_idle)


def _share_line(place: tuple[str, str, int], shares: tuple[float, float, float], chosen: int) -> Line:
    data, method, k = place
    ours, paper = shares[chosen], published.missing_ratio(data, k, method)
    texts = (f"{ours:.3f}", "" if paper is None else f"{paper:.2f}")
    return Line(data, method, str(k), ours, paper, NEAR_SHARE, *texts, tuple(f"{one:.3f}" for one in shares))


def _both_denominators(lines: Mapping[str, Sequence[Line]], idle: Mapping[str, int]) -> str:
    """How many shares agree by each way of counting, and which columns that is about."""
    told = ["How many agree by each way of counting:"]
    for name, some in lines.items():
        known = [line.agrees for line in some if line.published is not None]
        told += [f"- {name}: {sum(known)} of {len(known)}"] if known else []
    columns = [f"{data} {n_idle} of {len(halves_of(data, 2).quasi)}" for data, n_idle in idle.items()]
    told.append(f"- quasi-identifiers with one bin: {', '.join(columns)}")
    return "\n".join(told)
