"""What is timed together: every section times its own floor beside what is compared with it."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import bars
from benchmarks.adult import N_COMPLETE_ROWS
from benchmarks.bars import Bar, Section, against_floor, doublings, kilobytes_per_row, short
from benchmarks.clusters import time_clusters
from benchmarks.evaluation import time_evaluation
from benchmarks.floor import TEXTS
from benchmarks.fulldomain import time_fulldomain
from benchmarks.learners import time_learners
from benchmarks.measure import Task, inside, measure, whole
from benchmarks.plan import FLOOR, RELEASE, Plan, kanopy
from benchmarks.releases import time_huge, time_large, time_nine, time_realistic, time_small
from benchmarks.spark import time_spark
from benchmarks.topdown import time_topdown
from benchmarks.workloads import QUASI, TARGET, WIDE, Workload, columns_of, policy_flags, wide_policy_flags
from kanopy.algorithms import methods

BARE, AUDIT, PROFILE = "python -c pass", "kanopy audit", "kanopy profile"
KACTUS, SKLEARN_TREE = "kactus", "scikit-learn's tree"

VARIANTS: dict[str, tuple[dict[str, Any], ...]] = {"mondrian": ({"cut": "median"},)}
"""Options, other than the defaults, with which a method is timed as well."""

N_INTERPRETERS = 10
PERSON = "person"


def time_imports(plan: Plan) -> Section:
    """``import kanopy`` and ``kanopy --help`` beside a bare interpreter and ``import numpy``."""
    everything = "import kanopy; [getattr(kanopy, name) for name in kanopy.__all__]"
    tasks = [
        whole(BARE, 0, sys.executable, "-c", "pass"),
        whole("import numpy", 0, sys.executable, "-c", "import numpy"),
        whole("import kanopy", 0, sys.executable, "-c", "import kanopy"),
        whole("import kanopy, every name", 0, sys.executable, "-c", everything),
        whole("kanopy --help", 0, *kanopy("--help")),
    ]
    plan.say(f"timing imports in {N_INTERPRETERS} fresh interpreters each")
    section = Section("imports", BARE, plan.measure(tasks, rounds=N_INTERPRETERS))
    bare = section.find(BARE).wall
    over = {found.task.name: max(found.wall - bare, 0.0) for found in section.measurements if not found.fault}
    figure = None
    if over.get("import numpy") and "import kanopy" in over:
        figure = over["import kanopy"] / over["import numpy"]
    help_ = section.find("kanopy --help")
    section.bars.append(Bar("import kanopy", figure, bars.IMPORT_BAR, "x import numpy"))
    section.bars.append(Bar("kanopy --help", None if help_.fault else help_.wall, bars.HELP_BAR, "s"))
    return section


def time_methods(plan: Plan) -> Section:
    """Every method on the codes of the standard table; those that cluster only where they are asked for."""
    workload = Workload(plan.n_rows, plan.k)
    source = str(workload.ready(plan.tables, plan.say))
    tasks = [plan.floor(workload)]
    # Clustering takes minutes there, and has a section of its own.
    usual = [method.name for method in methods() if "block_size" not in method.options]
    chosen = [method.name for method in methods() if method.name in (plan.methods or usual)]
    for name in chosen:
        for options in ({}, *VARIANTS.get(name, ())):
            shown = " ".join([name, *(f"{option}={value}" for option, value in options.items())])
            arguments = (source, str(plan.k), name, json.dumps(options))
            tasks.append(inside(shown, plan.n_rows, "benchmarks.on_codes", *arguments))
    section = Section("codes", FLOOR, plan.measure(tasks))
    for name in chosen:
        if name in bars.METHOD_BARS:
            found, bar = section.find(name, plan.n_rows), bars.METHOD_BARS[name]
            section.bars.append(against_floor(f"{name} on codes", section, found, bar))
    return section


def time_trees(plan: Plan) -> Section:
    """kACTUS on fourteen quasi-identifiers beside scikit-learn's tree, and on fewer and more rows."""
    workload = Workload(plan.n_rows, plan.k, kind=WIDE)
    sizes = [plan.n_rows // 4, plan.n_rows // 2, plan.n_rows, 2 * plan.n_rows]
    source = workload.ready(plan.tables, plan.say)
    flags = wide_policy_flags(source, plan.k)
    output = str(plan.scratch / "release-wide.csv")
    command = kanopy("anonymize", str(source), "-o", output, "--force", "--method", KACTUS, *flags)
    tasks = [
        _on_tree(SKLEARN_TREE, plan, plan.n_rows, "sklearn"),
        *(_on_tree(KACTUS, plan, size, "kactus") for size in sizes),
        whole(RELEASE, plan.n_rows, *command),
    ]
    section = Section("trees", SKLEARN_TREE, plan.measure(tasks))
    found = section.find(KACTUS, plan.n_rows)
    name = f"{KACTUS}, {short(plan.n_rows)}"
    by_clock = section.wall_ratio(found)
    section.bars.append(Bar(name, section.ratio(found), bars.TREE_BAR, "x scikit-learn's tree", by_clock))
    after = None if found.fault else found.parts["anonymization"] / found.parts["tree"]
    section.bars.append(Bar(f"{name}, after the tree", after, bars.AFTER_TREE_BAR, "x the tree"))
    section.bars.extend(doublings(KACTUS, [section.find(KACTUS, size) for size in sizes]))
    peak = kilobytes_per_row(section.find(RELEASE, plan.n_rows))
    section.bars.append(Bar(f"{name}, peak memory of a release", peak, bars.MEMORY_BAR, "kB per row"))
    return section


def _on_tree(name: str, plan: Plan, n_rows: int, what: str) -> Task:
    source = Workload(n_rows, plan.k, kind=WIDE).ready(plan.tables, plan.say)
    return inside(name, n_rows, "benchmarks.tree_on_codes", str(source), str(plan.k), what)


def time_release(plan: Plan) -> Section:
    """From CSV to verified CSV: Adult itself, and the standard table."""
    standard = Workload(plan.n_rows, plan.k)
    adult = Workload(N_COMPLETE_ROWS, max(2, plan.k // 30))
    workloads = [adult, standard] if adult.n_rows < plan.n_rows else [standard]
    tasks = [task for workload in workloads for task in (plan.floor(workload), plan.release(workload))]
    section = Section("release", FLOOR, plan.measure(tasks))
    found = section.find(RELEASE, plan.n_rows)
    section.bars.append(against_floor("release", section, found, bars.RELEASE_BAR))
    peak = kilobytes_per_row(found)
    section.bars.append(Bar(f"peak memory, {short(plan.n_rows)}", peak, bars.MEMORY_BAR, "kB per row"))
    return section


def time_audit(plan: Plan) -> Section:
    """``kanopy audit`` of a release, against reading and grouping the table it was made from.

    The release is the longer file with the fewer groups; the floor on it is shown beside.
    """
    workload = Workload(plan.n_audited, plan.k)
    name, unit = f"audit, {short(workload.n_rows)}", "x reading and grouping"
    making = measure([plan.release(workload)], rounds=1, limit=plan.limit, say=plan.say)[0]
    if making.fault:
        return Section("audit", FLOOR, [making], [Bar(name, None, bars.AUDIT_BAR, unit)])
    released = plan.released(workload)
    command = kanopy("audit", str(released), *policy_flags(released, workload.k))
    audit = whole(AUDIT, workload.n_rows, *command)
    copy = str(plan.scratch / "copy.csv")
    arguments = (str(released), copy, ",".join(QUASI), TEXTS)
    beside = inside("floor on the release", workload.n_rows, "benchmarks.floor", *arguments)
    section = Section("audit", FLOOR, plan.measure([plan.floor(workload), beside, audit]))
    parts = section.find(FLOOR, workload.n_rows).parts
    figure = section.find(AUDIT, workload.n_rows).ratio_to(parts.get("read", 0.0) + parts.get("group", 0.0))
    section.bars.append(Bar(name, figure, bars.AUDIT_BAR, unit))
    return section


def time_profile(plan: Plan) -> Section:
    """``kanopy profile`` of a table as it is, by rows and by persons, against ``kanopy audit`` of it."""
    workload = Workload(plan.n_audited, plan.k)
    source = with_persons(workload.ready(plan.tables, plan.say), plan.scratch / "persons.csv")
    named = ("--quasi", ",".join(QUASI), "--sensitive", TARGET)
    others = [name for name in columns_of(source) if name not in (*QUASI, TARGET, PERSON)]
    tasks = []
    for counted, more, dropped in (("", (), [*others, PERSON]), (", persons", ("--person", PERSON), others)):
        audit = kanopy("audit", source, *named, *more, "--identifiers", ",".join(dropped), "--k", "2")
        tasks.append(whole(f"{AUDIT}{counted}", workload.n_rows, *any_verdict(audit)))
        tasks.append(whole(f"{PROFILE}{counted}", workload.n_rows, *kanopy("profile", source, *named, *more)))
    section = Section("profile", "", plan.measure(tasks))
    for counted in ("", ", persons"):
        found = section.find(f"{PROFILE}{counted}", workload.n_rows)
        figure = found.ratio_to(section.find(f"{AUDIT}{counted}", workload.n_rows).cpu)
        name = f"profile{counted}, {short(workload.n_rows)}"
        section.bars.append(Bar(name, figure, bars.PROFILE_BAR, "x audit"))
    return section


def with_persons(table: Path, path: Path) -> str:
    """The table with a column of persons, who have three rows each on average, in no order."""
    import pyarrow as pa
    import pyarrow.csv

    rows = pyarrow.csv.read_csv(table)
    persons = np.random.default_rng(0).integers(0, max(rows.num_rows // 3, 1), rows.num_rows)
    pyarrow.csv.write_csv(rows.append_column(PERSON, pa.array(persons)), path)
    return str(path)


def any_verdict(command: Sequence[str]) -> tuple[str, ...]:
    """The command, for which a broken promise is a success, too: the time does not depend on it."""
    return ("sh", "-c", '"$@"; test $? -le 1', "sh", *command)


def time_growth(plan: Plan) -> Section:
    """Releases of more and more rows, with the same k."""
    sizes = sorted(plan.growth)
    section = Section("growth", "", plan.measure([plan.release(Workload(size, plan.k)) for size in sizes]))
    section.bars.extend(doublings("growth", section.measurements))
    return section


SECTIONS: dict[str, Callable[[Plan], Section]] = {
    "imports": time_imports,
    "codes": time_methods,
    "trees": time_trees,
    "topdown": time_topdown,
    "clusters": time_clusters,
    "fulldomain": time_fulldomain,
    "learners": time_learners,
    "evaluation": time_evaluation,
    "release": time_release,
    "audit": time_audit,
    "profile": time_profile,
    "growth": time_growth,
    "nine": time_nine,
    "small": time_small,
    "large": time_large,
    "realistic": time_realistic,
    "huge": time_huge,
    "spark": time_spark,
}
