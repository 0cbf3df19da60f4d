"""Full-domain recoding: the best levels of Adult and of the standard table, and how good local levels are.

The levels are those of ARX's hierarchies for Adult, from the folder that ``KANOPY_DATA`` names; ages lie in
the same ranges as there (1 to 5, 6 to 10, …), whose labels are off by one. Without the folder, columns but
the age have no hierarchy.
"""

from __future__ import annotations

import os
from pathlib import Path

from benchmarks import bars
from benchmarks.adult import DATA_FOLDER
from benchmarks.bars import Bar, Section, against_floor, doublings, short
from benchmarks.floor import CODES
from benchmarks.local_levels import ACCURACY, GCP
from benchmarks.measure import Task, inside, whole
from benchmarks.plan import FLOOR, Plan, kanopy
from benchmarks.workloads import NINE, QUASI, TARGET, Workload, origin

OPTIMAL, MORE_NODES = "optimal, csv to csv", "optimal, 12,960 nodes"
LOCAL = "optimal, local levels, csv to csv"
N_TRAINING_ROWS, ADULT_K = 30_162, 10
"""The complete rows of the part of Adult that classifiers are trained on come first."""
FIVE_LEVELS = "{ ranges = [5, 10, 20], from = 1 }"
_CUTS = [list(range(20, 95, 5))[: 15 - 2 * level] for level in range(8)]
TEN_LEVELS = f"{{ cuts = {_CUTS} }}"
"""Ages with values and ``*``: 6,480 nodes together with the other columns, or 12,960."""
HIERARCHIES = Path("hierarchies/adult/arx")


def policy_text(k: int, age: str = FIVE_LEVELS) -> str:
    """Eight quasi-identifiers with their hierarchies, where these are there, and the class."""
    folder = Path(os.environ.get(DATA_FOLDER, "")).resolve() / HIERARCHIES
    lines = [f"quasi_identifiers = {list(QUASI)}", f"target = '{TARGET}'", "[privacy]", f"k = {k}"]
    lines += ["[hierarchies]", f"age = {age}"]
    files = {name: folder / f"{name}.csv" for name in QUASI if name != "age"}
    lines += [f"{name} = '{file}'" for name, file in files.items() if file.exists()]
    return "\n".join([*lines, ""])


def write_policy(plan: Plan, k: int, age: str = FIVE_LEVELS) -> Path:
    """The policy as a file beside what is made."""
    path = plan.scratch / f"fulldomain-{k}-{len(age)}.toml"
    path.write_text(policy_text(k, age), encoding="utf-8")
    return path


def time_fulldomain(plan: Plan) -> Section:
    """The best levels of Adult, of the standard table and of half and twice of it; and local levels."""
    sizes = [plan.n_rows // 2, plan.n_rows, 2 * plan.n_rows]
    adult = Workload(min(N_TRAINING_ROWS, plan.n_rows), ADULT_K, kind=NINE)
    standard = Workload(plan.n_rows, plan.k, kind=NINE)
    tasks = [
        _optimal(plan, adult),
        _optimal(plan, adult, MORE_NODES, TEN_LEVELS),
        _floor(plan, standard),
        *(_optimal(plan, Workload(size, plan.k, kind=NINE)) for size in sizes),
    ]
    policy = write_policy(plan, ADULT_K)
    local = [
        inside(_local(k), N_TRAINING_ROWS, "benchmarks.local_levels", str(policy), str(k))
        for k in bars.LOCAL_BARS
    ]
    local = [_optimal(plan, standard, LOCAL, more=("--option", "local=true")), *local]
    section = Section("fulldomain", FLOOR, [*plan.measure(tasks), *plan.measure(local, rounds=1)])
    timed = [(OPTIMAL, adult, bars.OPTIMAL_SECONDS), (MORE_NODES, adult, bars.OPTIMAL_SECONDS)]
    for what, on, most in [*timed, (LOCAL, standard, bars.LOCAL_SECONDS)]:
        found = section.find(what, on.n_rows)
        cpu, wall = (None, None) if found.fault else (found.cpu, found.wall)
        section.bars.append(Bar(f"{what}, {short(on.n_rows)}", cpu, most, "s", wall))
    at = section.find(OPTIMAL, plan.n_rows)
    section.bars.append(against_floor(OPTIMAL, section, at, bars.OPTIMAL_BAR))
    section.bars.extend(doublings(OPTIMAL, [section.find(OPTIMAL, size) for size in sizes]))
    if origin() == "real":
        section.bars.extend(bar for k in bars.LOCAL_BARS for bar in _against_local(section, k))
    return section


def _local(k: int) -> str:
    return f"optimal, local levels, k = {k}"


def _against_local(section: Section, k: int) -> list[Bar]:
    """Detail that is lost, and how far the accuracy lies below the one of the bar."""
    found, (most_lost, accuracy) = section.find(_local(k), N_TRAINING_ROWS), bars.LOCAL_BARS[k]
    lost, right = found.facts.get(GCP), found.facts.get(ACCURACY)
    below = None if right is None else accuracy - 100 * right
    return [
        Bar(f"{_local(k)}, detail lost", lost, most_lost, "GCP"),
        Bar(f"{_local(k)}, below {accuracy:.2f}", below, bars.LOCAL_POINTS, "points of accuracy"),
    ]


def _optimal(
    plan: Plan, workload: Workload, name: str = OPTIMAL, age: str = FIVE_LEVELS, more: tuple[str, ...] = ()
) -> Task:
    source, output = workload.ready(plan.tables, plan.say), plan.scratch / f"optimal-{workload.n_rows}.csv"
    policy = str(write_policy(plan, workload.k, age))
    flags = ("--force", "--method", "optimal", "--policy", policy, *more)
    command = kanopy("anonymize", str(source), "-o", str(output), *flags)
    return whole(name, workload.n_rows, *command)


def _floor(plan: Plan, workload: Workload) -> Task:
    source, copy = str(workload.ready(plan.tables, plan.say)), str(plan.scratch / "copy.csv")
    return inside(FLOOR, workload.n_rows, "benchmarks.floor", source, copy, ",".join(QUASI), CODES)
