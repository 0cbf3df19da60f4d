"""A whole evaluation beside scikit-learn's own learners on the same folds, fitted as often as kanopy's."""

from __future__ import annotations

from benchmarks import bars
from benchmarks.adult import N_COMPLETE_ROWS
from benchmarks.bars import Bar, Section, short
from benchmarks.measure import inside
from benchmarks.plan import Plan
from benchmarks.workloads import Workload

SKLEARN, ALONE, TOGETHER = "scikit-learn's learners", "kanopy evaluate, one process", "kanopy evaluate"


def time_evaluation(plan: Plan) -> Section:
    """Three methods, three k and three learners in 5x2 cross-validation; by default on all processors.

    Processor seconds are compared in one process. Of several only the clock tells the whole.
    """
    n_rows = min(plan.n_rows, N_COMPLETE_ROWS)
    source = str(Workload(n_rows).ready(plan.tables, plan.say))
    tasks = [
        inside(name, n_rows, "benchmarks.evaluation_on_rows", source, what)
        for name, what in ((SKLEARN, "sklearn"), (ALONE, "alone"), (TOGETHER, "together"))
    ]
    section = Section("evaluation", SKLEARN, plan.measure(tasks))
    alone, together = (section.find(name, n_rows) for name in (ALONE, TOGETHER))
    unit = f"x {SKLEARN}"
    section.bars.append(
        Bar(
            f"{ALONE}, {short(n_rows)}",
            section.ratio(alone),
            bars.EVALUATION_BAR,
            unit,
            section.wall_ratio(alone),
        )
    )
    by_clock = section.wall_ratio(together)
    section.bars.append(Bar(f"{TOGETHER}, by clock", by_clock, bars.EVALUATION_BAR, unit, by_clock))
    return section
