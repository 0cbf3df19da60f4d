"""One task with Spark, timed with its JVM and its Python workers: a floor, or a release.

Run as ``python -m benchmarks.spark_run floor|release|divided|equal KIND SOURCE FOLDER K``. The floor copies
the table, reads the copy and groups it by all columns. KIND says which columns there are. ``equal`` compares
releases with the local one, with the table in more and more partitions.
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import sys
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import kanopy
from benchmarks.workloads import QUASI, TARGET

KEPT = "kept"
"""The kind of table that has a kept column with very many values."""
AMOUNT = "amount"
PARTITIONS = (1, 8, 400)
DIVIDED_LIMIT = 1_000_000
"""Different rows that the driver takes where a method is to divide."""
_SETTINGS = {
    "spark.driver.memory": "5g",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.log.level": "OFF",
    "spark.sql.shuffle.partitions": "8",
}


def main(arguments: list[str]) -> None:
    what, kind, source, folder, k = arguments[:5]
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    begun = time.monotonic()
    builder = SparkSession.builder.master("local[2,4]")
    for name, value in _SETTINGS.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    frame = session.read.parquet(source)
    shutil.rmtree(folder, ignore_errors=True)
    if what == "floor":
        facts = _floor(session, frame, folder)
    elif what == "equal":
        facts = _equal(frame, source, int(k))
    else:
        facts = _release(frame, what, kind, folder, int(k))
    # The driver is this process; the JVM, which has the executors in it, and workers are others.
    facts["driver_bytes"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    told: dict[str, Any] = {"wall_s": time.monotonic() - begun, "cpu_s": _processor_seconds()}
    told |= {"parts_s": facts.pop("parts", {}), "facts": facts}
    session.stop()
    shutil.rmtree(folder, ignore_errors=True)
    print(json.dumps(told))


def _floor(session: Any, frame: Any, folder: str) -> dict[str, Any]:
    from pyspark.sql import functions

    frame.write.parquet(folder)
    groups = session.read.parquet(folder).groupBy(*frame.columns).count()
    (row,) = groups.agg(functions.count(functions.lit(1)), functions.min("count")).collect()
    return {"tuples": row[0]}


def _release(frame: Any, what: str, kind: str, folder: str, k: int) -> dict[str, Any]:
    keep = [AMOUNT] if kind == KEPT else []
    policy = kanopy.Policy(quasi_identifiers=QUASI, target=TARGET, keep=keep, k=k)
    stages = [("start", 0.0)]

    def watch(stage: str, _share: float | None) -> None:
        if stage != stages[-1][0]:
            stages.append((stage, _processor_seconds()))

    limit = DIVIDED_LIMIT if what == "divided" else None
    release = kanopy.anonymize(frame, policy, tuple_limit=limit, watch=watch)
    watch("writing and reading back", None)
    release.write(Path(folder))
    stages.append(("end", _processor_seconds()))
    parts = {stage: then - now for (stage, now), (_, then) in pairwise(stages)}
    return {"groups": release.audit.groups, "rows": release.audit.rows, "parts": parts}


def _equal(frame: Any, source: str, k: int) -> dict[str, Any]:
    """How many releases differ from that of one process, row by row."""
    policy = kanopy.Policy(quasi_identifiers=QUASI, target=TARGET, k=k)
    local = kanopy.anonymize(source, policy).frame
    found = (kanopy.anonymize(frame.repartition(number), policy).frame.toArrow() for number in PARTITIONS)
    return {"different": sum(not each.cast(local.schema).equals(local) for each in found)}


def _processor_seconds() -> float:
    """Of this process and all that it has started, those that have ended among them."""
    ticks: dict[int, int] = {}
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:  # it has ended meanwhile
                continue
            ticks[int(entry.name)] = sum(map(int, fields[11:15]))
            children.setdefault(int(fields[1]), []).append(int(entry.name))
    total, waiting = 0, [os.getpid()]
    while waiting:
        process = waiting.pop()
        total += ticks.get(process, 0)
        waiting += children.get(process, [])
    return total / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    main(sys.argv[1:])
