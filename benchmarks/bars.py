"""Figures, and the bars that they must stay under."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import log2
from typing import Any

from benchmarks.measure import Measurement

METHOD_BARS = {"mondrian": 1.5, "tds": 5.0, "tdr": 5.0}
"""Times the floor that a method with its default options may take on codes."""
RELEASE_BAR = 3.5
"""Times the floor, from CSV to verified CSV."""
AUDIT_BAR = 2.0
"""Times reading and grouping the table that the audited release was made from."""
PROFILE_BAR = 2.0
"""Times ``kanopy audit`` of the same table, for ``kanopy profile``."""
MEMORY_BAR = 1.0
"""Peak kilobytes per row of the standard table, from CSV to verified CSV."""
TREE_BAR = 1.0
"""Times scikit-learn's tree on the same codes, for a tree and its anonymization."""
AFTER_TREE_BAR = 1.0
"""Times the tree, for what follows it."""
LEARNER_BAR = 5.0
"""Times scikit-learn's tree on the codes of the same rows, for a fit of the tree that reads cells."""
DRAWS_BAR = 4.0
"""Times gradient boosting on as many rows of codes, for a fit of it on originals drawn from a release."""
PLAIN_BOOSTING_BAR = 2.0
"""Times gradient boosting on the codes of the same rows, for a fit of it on these rows without draws."""
DISCLOSURE_BAR = 8.0
"""Times the floor, for Top-Down Disclosure with seven columns in one set."""
SEVERAL_SETS_BAR = 3.0
"""Times Top-Down Disclosure with one set, for several sets of columns."""
CLUSTER_BARS = {"kmember": 0.5, "oka": 0.1}
"""Times one pass over all pairs of rows that a clustering method may take without blocks."""
ITERATION_BAR = 0.1
"""The same for one iteration of k-means."""
KMEANS_BAR = 3.0
"""Times ``kmember``, for ``kmeans``, both with the default blocks."""
BLOCK_LOSS_BAR = 1.03
"""Times the information loss without blocks, for the default blocks."""
CLUSTER_MEMORY_BAR = 1.0
"""Peak kilobytes per row of the standard table, for a clustering method on codes."""
EVALUATION_BAR = 3.0
"""Times scikit-learn's learners on rows as they are, fitted as often, for a whole evaluation."""
DOUBLING_BAR = 2.3
"""Times the time for twice the rows, or for twice the values."""
IMPORT_BAR = 3.0
"""Times ``import numpy``, both over a bare interpreter."""
HELP_BAR = 0.5
"""Seconds."""

NINE_BARS = {
    "mondrian, csv to csv": 2.8,
    "mondrian, csv to parquet": 2.2,
    "kactus, csv to csv": 1.7,
    "tds, csv to csv": 1.7,
    "sketch, csv to parquet": 6.0,
}
"""Times the floor by codes, for a whole release of nine columns."""
SKETCH_BAR = 6.0
"""Times the floor and a copy of the release, whose text is 17 times as long as the table, from CSV to CSV."""
COPYING_BAR = 2.0
"""Times the floor that also copies the bytes of the release, for the first of them."""
LARGE_BAR = 3.0
"""Times the floor by codes, for the first of them on very many rows."""
NINE_MEMORY_BAR = 0.33
"""Peak kilobytes per row of the first of them."""
CLOCK_BAR = 0.65
"""Seconds of the clock per processor second of the first of them, on two processors."""
SMALL_BAR = 0.1
"""Processor seconds over a process that imports numpy and pyarrow.csv, for a release of 1,000 rows."""
REDRAWN_BAR = 1.0
"""Times the processor seconds of another commit, where hardly a tuple stands twice."""
REALISTIC_BARS = (0.35, 0.25)
"""Times the processor seconds and the memory of another commit, where tuples repeat as in Adult."""
HUGE_BARS = (3.0, 7.4)
"""Gigabytes, and times the processor seconds for 13.6M rows, for 100M realistic rows."""

OPTIMAL_SECONDS, OPTIMAL_BAR = 1.0, 3.0
"""Processor seconds for a whole release of Adult at its best levels; times the floor by codes, for the
standard table."""
LOCAL_BARS = {5: (0.066, 83.23), 10: (0.090, 82.97), 50: (0.167, 82.59)}
"""Of each k the most detail that local levels may lose, and the accuracy in percent that is compared with."""
LOCAL_SECONDS = 56.0
"""Processor seconds for the standard table at local levels: a fifth of the 281 that ARX's local recoding took
for a table of as many rows made from Adult, seven quasi-identifiers and the same k, on such a machine."""
LOCAL_POINTS = 0.2
"""How far the accuracy may lie below it."""

SPARK_BARS = {"realistic": 2.0, "redrawn": 1.6, "kept": 3.2}
"""Times the floor (Spark copies the table, reads the copy, groups it by all columns), with Spark."""
SPARK_DRIVER_BYTES = (300_000_000, 250)
"""What the driver may take: in any case, and for every tuple."""
SPARK_DIVIDED_BYTES = 500_000_000
"""The same where the method divides."""

_KILOBYTE = 1000


@dataclass(frozen=True, slots=True)
class Bar:
    """A figure and what it must stay under.

    Parameters
    ----------
    name : str
    figure : float or None
        None where it could not be measured: the bar then fails.
    bar : float or None
        None where finishing is all that is asked.
    unit : str
    wall_figure : float or None
        The figure by the clock instead of in processor seconds, where there is one; shown, not judged.
    """

    name: str
    figure: float | None
    bar: float | None
    unit: str
    wall_figure: float | None = None

    @property
    def passed(self) -> bool:
        return self.figure is not None and (self.bar is None or self.figure <= self.bar)

    def to_dict(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "figure": self.figure,
            "wall_figure": self.wall_figure,
            "bar": self.bar,
            "unit": self.unit,
            "passed": self.passed,
        }


@dataclass(frozen=True, slots=True)
class Section:
    """Tasks that were timed in turns, and the bars they are held against.

    Parameters
    ----------
    name : str
    baseline : str
        The task that the others are compared with, where both work on as many rows; empty for none.
    """

    name: str
    baseline: str
    measurements: list[Measurement]
    bars: list[Bar] = field(default_factory=list)

    def find(self, name: str, n_rows: int = 0) -> Measurement:
        return next(
            found for found in self.measurements if (found.task.name, found.task.n_rows) == (name, n_rows)
        )

    def ratio(self, measured: Measurement) -> float | None:
        """How many times the processor seconds of the baseline on as many rows."""
        baseline = self._baseline(measured)
        return None if baseline is None else measured.ratio_to(baseline.cpu)

    def wall_ratio(self, measured: Measurement) -> float | None:
        """How many times as long as the baseline on as many rows, by the clock."""
        baseline = self._baseline(measured)
        return None if baseline is None else measured.wall_ratio_to(baseline.wall)

    def _baseline(self, measured: Measurement) -> Measurement | None:
        tasks = ((other, other.task) for other in self.measurements)
        wanted = (self.baseline, measured.task.n_rows)
        return next((other for other, task in tasks if (task.name, task.n_rows) == wanted), None)

    def to_dict(self) -> dict[str, Any]:
        timed = [
            {**found.to_dict(), "ratio": self.ratio(found), "wall_ratio": self.wall_ratio(found)}
            for found in self.measurements
        ]
        return {
            "name": self.name,
            "baseline": self.baseline,
            "measurements": timed,
            "bars": [bar.to_dict() for bar in self.bars],
        }


def kilobytes_per_row(found: Measurement) -> float | None:
    """Peak kilobytes per row."""
    return None if found.fault or not found.task.n_rows else found.peak_bytes / _KILOBYTE / found.task.n_rows


def short(n_rows: int) -> str:
    """A number of rows as people say it."""
    if n_rows >= 1_000_000:
        return f"{n_rows / 1e6:.2f}".rstrip("0").rstrip(".") + "M rows"
    return f"{n_rows:,} rows"


def doublings(what: str, measurements: Sequence[Measurement]) -> list[Bar]:
    """Every measurement against the one with fewer rows."""
    found = []
    for fewer, more in pairwise(measurements):
        n_fewer, n_more = fewer.task.n_rows, more.task.n_rows
        # Sizes that are no doublings are compared with the same growth.
        bar = DOUBLING_BAR ** log2(n_more / n_fewer)
        name = f"{what}, {short(n_fewer)} to {short(n_more)}"
        by_clock = more.wall_ratio_to(fewer.wall)
        found.append(Bar(name, more.ratio_to(fewer.cpu), bar, "x the time", by_clock))
    return found


def against_floor(what: str, section: Section, found: Measurement, bar: float | None) -> Bar:
    name = f"{what}, {short(found.task.n_rows)}"
    return Bar(name, section.ratio(found), bar, "x floor", section.wall_ratio(found))
