"""The tree that reads cells beside scikit-learn's tree: on Adult's codes, and on releases of it."""

from __future__ import annotations

from benchmarks import bars
from benchmarks.adult import N_COMPLETE_ROWS
from benchmarks.bars import Bar, Section, short
from benchmarks.measure import Task, inside
from benchmarks.plan import Plan
from benchmarks.workloads import STANDARD, WIDE, Workload

SKLEARN, PLAIN, MEMBERS, RANGE = "sklearn", "plain", "members", "range"
WHAT = {
    SKLEARN: "scikit-learn's tree",
    PLAIN: "tree on cells, codes",
    MEMBERS: "tree on cells, release of sets",
    RANGE: "tree on cells, release of ranges",
}
BOOSTED, DRAWN = "boosted", "drawn"
BOOSTING = {BOOSTED: "gradient boosting, codes", DRAWN: "gradient boosting, draws from a release of sets"}
CODED, UNDRAWN = "coded", "undrawn"
PLAIN_BOOSTING = {CODED: "gradient boosting, codes of categories", UNDRAWN: "gradient boosting, plain rows"}
COLUMNS = {STANDARD: "eight columns", WIDE: "all columns"}
K = 10


def time_learners(plan: Plan) -> Section:
    """One fit each: of plain codes, and of the release of the same rows by Mondrian with k = 10.

    What scikit-learn gets is always the codes of the rows as they are: it cannot read a release. Gradient
    boosting gets each of them as often as originals are drawn for a row of the release.
    """
    n_rows = min(N_COMPLETE_ROWS, plan.n_rows)
    tasks = [_fit(plan, n_rows, kind, what) for kind in COLUMNS for what in WHAT]
    boosting = [_fit(plan, n_rows, WIDE, what) for what in BOOSTING | PLAIN_BOOSTING]
    section = Section("learners", "", plan.measure(tasks + boosting))  # three baselines: the bars say which
    for kind in COLUMNS:
        baseline = section.find(_name(kind, SKLEARN), n_rows)
        for what in (PLAIN, MEMBERS, RANGE):
            found = section.find(_name(kind, what), n_rows)
            section.bars.append(
                Bar(
                    f"{_name(kind, what)}, {short(n_rows)}",
                    found.ratio_to(baseline.cpu),
                    bars.LEARNER_BAR if what == PLAIN else None,  # a release is more than codes
                    "x scikit-learn's tree",
                    found.wall_ratio_to(baseline.wall),
                )
            )
    for pair, bar in ((BOOSTING, bars.DRAWS_BAR), (PLAIN_BOOSTING, bars.PLAIN_BOOSTING_BAR)):
        plain, found = (section.find(_name(WIDE, what), n_rows) for what in pair)
        figure, by_clock = found.ratio_to(plain.cpu), found.wall_ratio_to(plain.wall)
        name = f"{found.task.name}, {short(n_rows)}"
        section.bars.append(Bar(name, figure, bar, "x boosting on codes", by_clock))
    return section


def _name(kind: str, what: str) -> str:
    return f"{(WHAT | BOOSTING | PLAIN_BOOSTING)[what]}, {COLUMNS[kind]}"


def _fit(plan: Plan, n_rows: int, kind: str, what: str) -> Task:
    source = Workload(n_rows, K, kind=kind).ready(plan.tables, plan.say)
    return inside(
        _name(kind, what),
        n_rows,
        "benchmarks.learners_on_codes",
        str(source),
        str(K),
        kind or "standard",
        what,
    )
