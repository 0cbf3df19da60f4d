"""Where the time of a release goes: one run in this process, under the profiler."""

from __future__ import annotations

import cProfile
import pstats

from benchmarks.plan import Plan
from benchmarks.workloads import Workload, policy_flags
from kanopy.cli.main import main

N_SHOWN = 25


def print_hotspots(plan: Plan) -> int:
    """Print the functions that take longest, with all that they call. Returns the exit code of the run."""
    workload = Workload(plan.n_rows, plan.k)
    source = workload.ready(plan.tables, plan.say)
    output = str(plan.released(workload))
    arguments = ["anonymize", str(source), "-o", output, "--force", *policy_flags(source, workload.k)]
    profile = cProfile.Profile()
    exit_code = profile.runcall(main, arguments)
    pstats.Stats(profile).strip_dirs().sort_stats("cumulative").print_stats(N_SHOWN)
    return exit_code
