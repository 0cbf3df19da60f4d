"""kACTUS case by case against other methods on Adult: what its paper's Tables 3, 4 and 5 claim."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product

import numpy as np

from kanopy.errors import PolicyError
from kanopy.evaluation.significance import combined_f_test, friedman_test
from kanopy_studies.experiment import Request
from kanopy_studies.kactus_run import INDUCER_OF, KactusRun, PaperTable, base, measure
from kanopy_studies.page import Line, Page, beside_table, signed, table
from kanopy_studies.pictures import draw_panels
from kanopy_studies.published_claims import CLAIM_KS, TABLE3, TABLE4, TABLE5, Opponent

SETS = {"adult": "14 of 14", "adult11": "11 of 14", "adult8": "8 of 14"}
"""Settings, and what the paper calls their quasi-identifiers."""
NEAR_SHARE = 0.1
"""Shares of cases agree within this."""
NEAR_MEAN = 1.0
"""Mean differences agree within this many points."""

_CASES = (
    "A case is a set of quasi-identifiers, a learner and a k. A difference counts where the combined 5x2cv "
    "F-test finds it at a confidence of 95%. kADET is compared with C4.5 only, as in the paper. Counts are "
    "compared as shares of the cases, because the paper had four learners; they agree within "
    f"{NEAR_SHARE:g}, mean differences within {NEAR_MEAN:g} point. "
)
_COLUMNS = ("against", "claim", "quasi-identifiers", "cases", "published cases")
_RECODED = (
    "TDS and TDR are judged on test rows recoded like the release (Section 5.2), kACTUS and kADET on raw "
    "ones."
)

WITH_TREES = PaperTable(
    "kactus-table3",
    "kACTUS against TDS, TDR and kADET with trees of values (kACTUS, Table 3)",
    _COLUMNS,
    f"{_CASES}{_RECODED} They have the trees of values of the authors of TDS.",
    "",
    "k",
)
WITHOUT_TREES = PaperTable(
    "kactus-table4",
    "kACTUS against TDS, TDR and kADET with suppression only (kACTUS, Table 4)",
    _COLUMNS,
    f"{_CASES}{_RECODED} They have no trees: categories and bins are shown or suppressed, by TDS and kADET "
    "all of a column at once, by TDR one by one.",
    "",
    "k",
)
AGAINST_MONDRIAN = PaperTable(
    "kactus-table5",
    "kACTUS against Mondrian (kACTUS, Table 5)",
    _COLUMNS,
    f"{_CASES}How the paper fitted test rows to Mondrian's regions, it does not say. Mondrian cuts by gain "
    "(Workload-Aware Anonymization, the paper's reference) and publishes ranges and sets, of which our "
    "learners know the members. It is judged on raw test rows, like kACTUS; the table of cases also has "
    "recoded ones.",
    "",
    "k",
)


@dataclass(frozen=True, slots=True)
class Case:
    """kACTUS and an opponent with one learner and one k, accuracies in percent."""

    opponent: str
    data: str
    learner: str
    k: int
    kactus: float
    other: float
    other_raw: float
    other_recoded: float
    differs: bool

    @property
    def ahead(self) -> float:
        return self.kactus - self.other

    @property
    def mark(self) -> str:
        """As the paper marks it: + where kACTUS is significantly better, - where it is worse."""
        return ("+" if self.ahead > 0 else "−") if self.differs else ""


def kactus_table3(request: Request) -> Page:
    """kACTUS, Table 3: against generalization with trees of values."""
    return _page(request, WITH_TREES, TABLE3)


def kactus_table4(request: Request) -> Page:
    """kACTUS, Table 4: against the same methods without trees."""
    return _page(request, WITHOUT_TREES, TABLE4)


def kactus_table5(request: Request) -> Page:
    """kACTUS, Table 5: against Mondrian."""
    return _page(request, AGAINST_MONDRIAN, TABLE5)


def _page(request: Request, shown: PaperTable, opponents: Sequence[Opponent]) -> Page:
    data = request.data or tuple(SETS)
    for name in data:
        if name not in SETS:
            raise PolicyError(f"{shown.name} has no data set {name!r}", f"it has {', '.join(SETS)}")
    methods = ["kactus", *(opponent.method for opponent in opponents)]
    ks_of = dict.fromkeys(data, request.ks_or(CLAIM_KS))
    run = measure(request, shown.name, methods, ks_of, trees=shown is WITH_TREES)
    cases = [case for opponent in opponents for case in cases_of(run, opponent.method)]
    is_whole = not request.data and not request.ks  # published counts are over all of these
    lines = [line for one in opponents for line in _claims(one, cases, is_whole=is_whole)]
    parts = (beside_table(shown.columns, lines), _ranks(run, opponents), _case_table(cases))
    curves = [line for name in data for line in _curves(run, name, methods)]
    return run.page_of(shown, parts, partial(draw_panels, shown.title, shown.axis, curves))


def cases_of(run: KactusRun, method: str) -> Iterator[Case]:
    """Every case in which kACTUS and the method both released."""
    for data, found in run.evaluations.items():
        for learner, k in product(found.learners, found.ks):
            if base(method) == "kadet" and INDUCER_OF[learner] != "c45":
                continue
            mine, others = (run.folds(data, one, k, learner) for one in ("kactus", method))
            raw, recoded = (run.accuracy(data, method, k, learner, recoded=to) for to in (False, True))
            if mine is None or others is None or raw is None or recoded is None:
                continue
            accuracies = (100 * float(mine.mean()), 100 * float(others.mean()), raw.mean, recoded.mean)
            differs = combined_f_test(mine, others).rejects()
            yield Case(method, data, learner, k or 0, *accuracies, differs)


def _claims(opponent: Opponent, cases: Sequence[Case], *, is_whole: bool) -> Iterator[Line]:
    """Better, worse and the mean difference: over all cases beside the published number, then by set."""
    mine = [case for case in cases if case.opponent == opponent.method]
    for name, label in (("", "all"), *SETS.items()):
        some = [case for case in mine if not name or case.data == name]
        if not some:
            continue
        told = opponent if is_whole and not name else None
        for claim, mark in (("better", "+"), ("worse", "−")):
            n_marked = sum(case.mark == mark for case in some)
            paper = getattr(told, claim, None)
            yield _share_line((opponent.method, claim, label), n_marked, len(some), paper, opponent.n_cases)
        ahead = float(np.mean([case.ahead for case in some]))
        place = (opponent.method, "ahead, points", label)
        if told is None:
            yield Line(*place, ahead, None, NEAR_MEAN, signed(ahead), more=(str(len(some)), ""))
        else:
            texts = (signed(ahead), signed(told.ahead))
            more = (str(len(some)), str(opponent.n_cases))
            yield Line(*place, ahead, told.ahead, NEAR_MEAN, *texts, more)


def _share_line(
    place: tuple[str, str, str], count: int, n_cases: int, paper: int | None, n_paper: int
) -> Line:
    share = count / n_cases
    cases = f"{count} of {n_cases}"
    if paper is None:
        return Line(*place, share, None, NEAR_SHARE, f"{share:.2f}", more=(cases, ""))
    texts = (f"{share:.2f}", f"{paper / n_paper:.2f}")
    return Line(*place, share, paper / n_paper, NEAR_SHARE, *texts, (cases, f"{paper} of {n_paper}"))


def _ranks(run: KactusRun, opponents: Sequence[Opponent]) -> str:
    """Friedman's test and Bonferroni-Dunn against kACTUS, of which the paper tells the outcome."""
    methods = ["kactus", *(opponent.method for opponent in opponents)]
    with_c45 = any(base(method) == "kadet" for method in methods)
    scores = []
    for data, found in run.evaluations.items():
        for learner, k in product(found.learners, found.ks):
            row = [run.accuracy(data, method, k, learner) for method in methods]
            if (INDUCER_OF[learner] == "c45" or not with_c45) and None not in row:
                scores.append([one.mean for one in row if one is not None])
    if len(scores) < 2:
        return ""
    test = friedman_test(np.array(scores), methods)
    against = test.against("kactus")
    worse = [name for name, apart in against.differences if apart > against.critical_difference]
    ranks = ", ".join(f"{name} {rank:.2f}" for name, rank in zip(methods, test.mean_ranks, strict=True))
    which = "C4.5, which is all that kADET has" if with_c45 else "all learners"
    told = ", ".join(worse) if worse and test.rejects() else "none"
    return (
        f"Mean ranks over {test.n_cases} cases ({which}): {ranks}. Friedman's test in the form of Iman and "
        f"Davenport: F = {test.statistic:.2f}, p = {test.p_value:.2g}. By Bonferroni and Dunn (critical "
        f"difference {against.critical_difference:.2f}) kACTUS is better than: {told}. The paper says: than "
        "all of them."
    )


def _case_table(cases: Sequence[Case]) -> str:
    header = (
        "quasi-identifiers", "learner", "k", "against", "kactus", "other", "other, raw rows",
        "other, recoded rows", "ahead", "significant",
    )  # fmt: skip
    lines = [
        (
            *(SETS[case.data], case.learner, str(case.k), case.opponent),
            *(f"{x:.2f}" for x in (case.kactus, case.other, case.other_raw, case.other_recoded)),
            *(signed(case.ahead), case.mark),
        )
        for case in cases
    ]
    return "## Every case\n\n" + table(header, lines)


def _curves(run: KactusRun, data: str, methods: Sequence[str]) -> Iterator[Line]:
    """Accuracy over k with the first learner."""
    learner = run.learners[0].name
    for method, k in product(methods, run.evaluations[data].ks):
        found = run.accuracy(data, method, k, learner)
        if found is not None:
            panel = f"{SETS[data]}, {learner}"
            yield Line(panel, method, str(k), found.mean, None, 0.0, f"{found.mean:.2f}")
