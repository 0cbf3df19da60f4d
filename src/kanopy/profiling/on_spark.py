"""The lines of a Spark frame: equal rows are counted on the cluster, the driver gets lines times counts."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from kanopy.engines.spark.counting import check_room, counted_source, look_at
from kanopy.engines.spark.files import CORRUPT
from kanopy.engines.spark.source import SparkSource
from kanopy.frames.distinct import clean_names
from kanopy.policy import Policy
from kanopy.profiling.lines import LineCounter, NamedLines, count_others


def spark_lines(frame: Any, policy: Policy) -> NamedLines:
    """Count the different rows of the named columns; O(rows) on the cluster, O(different rows) here."""
    names = clean_names([name for name in frame.columns if name != CORRUPT], where="the table")
    n_others = count_others(names, policy)
    others = [name for name in names if name not in policy.roles]  # dropped: Spark does not read them
    source = SparkSource.of(frame, replace(policy, identifiers=others))
    look = look_at(source)
    check_room(look.n_tuples, "different rows")
    counter = LineCounter(policy)
    counter.add(*counted_source(source, look))
    return NamedLines(counter.lines(), n_others)
