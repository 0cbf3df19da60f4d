"""A whole evaluation beside scikit-learn's own learners on the same folds, fitted as often as kanopy's."""

from __future__ import annotations

from benchmarks import bars
from benchmarks.adult import N_COMPLETE_ROWS
from benchmarks.bars import Bar, Section, short
from benchmarks.measure import inside
from benchmarks.plan import Plan
from benchmarks.workloads import Workload

SKLEARN, KANOPY = "scikit-learn's learners", "kanopy evaluate"


def time_evaluation(plan: Plan) -> Section:
    """Three methods, three k and three learners in 5x2 cross-validation, in one process."""
    n_rows = min(plan.n_rows, N_COMPLETE_ROWS)
    source = str(Workload(n_rows).ready(plan.tables, plan.say))
    tasks = [
        inside(name, n_rows, "benchmarks.evaluation_on_rows", source, what)
        for name, what in ((SKLEARN, "sklearn"), (KANOPY, "kanopy"))
    ]
    section = Section("evaluation", SKLEARN, plan.measure(tasks))
    found = section.find(KANOPY, n_rows)
    by_clock = section.wall_ratio(found)
    name = f"{KANOPY}, {short(n_rows)}"
    section.bars.append(Bar(name, section.ratio(found), bars.EVALUATION_BAR, f"x {SKLEARN}", by_clock))
    return section
