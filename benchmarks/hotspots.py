"""Where the time of a release goes: one run in this process, under the profiler."""

from __future__ import annotations

import cProfile
import pstats
import time
from typing import Any

from benchmarks.plan import Plan
from benchmarks.workloads import Workload, policy_flags
from kanopy.cli.main import main

N_SHOWN = 25

CHECKS = {
    "comparing the table with its source": "check_truth",
    "putting rows in canonical order": "in_canonical_order",
    "reading the file back and recounting it": "verify_table",
}


def print_hotspots(plan: Plan) -> int:
    """Print the functions that take longest, with all that they call. Returns the exit code of the run."""
    workload = Workload(plan.n_rows, plan.k)
    source = workload.ready(plan.tables, plan.say)
    output = str(plan.released(workload))
    arguments = ["anonymize", str(source), "-o", output, "--force", *policy_flags(source, workload.k)]
    profile = cProfile.Profile(time.process_time)
    exit_code = profile.runcall(main, arguments)
    stats = pstats.Stats(profile).strip_dirs().sort_stats("cumulative").print_stats(N_SHOWN)
    print_checks(stats)
    return exit_code


def print_checks(stats: Any) -> None:
    """What the checks take of the processor time of the run."""
    whole = stats.total_tt
    for what, name in CHECKS.items():
        seconds = sum(
            cumulative for (_, _, found), (_, _, _, cumulative, _) in stats.stats.items() if found == name
        )
        print(f"{what}: {seconds:.2f} of {whole:.2f} s, {seconds / whole:.1%}")
