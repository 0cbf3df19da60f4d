"""A top-down method on an encoded table: only the method itself is timed, neither encoding nor the audit.

Run as ``python -m benchmarks.topdown_on_codes SOURCE.csv METHOD SETTINGS`` (as JSON): ``sets``, sets of
columns from which nobody may conclude a sensitive value with a confidence above 90%, or ``k`` for the
standard columns; and ``split``, by which the number of distinct values is multiplied.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from benchmarks.measure import Stopwatch
from benchmarks.workloads import DISCLOSED_QUASI, SENSITIVE, TARGET, policy_of
from kanopy.algorithms import find_method
from kanopy.data import CodedColumn, Domain, EncodedTable
from kanopy.data.keys import narrowest_unsigned
from kanopy.errors import KanopyError
from kanopy.frames.encode import encode
from kanopy.frames.source import read_source
from kanopy.policy import Policy
from kanopy.privacy import Template

CONFIDENCE = "0.9"


def main(arguments: list[str]) -> None:
    path, name, text = arguments
    settings = json.loads(text)
    source = read_source(path)
    sets = settings.get("sets")
    policy = policy_of(path, settings["k"]) if sets is None else template_policy(source, sets)
    table = with_split_values(encode(source, policy).table, settings.get("split", 1))
    method, n_steps = find_method(name), 0

    def count(_n_done: int, _n_all: int) -> bool:
        nonlocal n_steps
        n_steps += 1
        return False

    watch = Stopwatch()
    with watch.part("method"):
        recoding = method.run(table, policy.promise, np.random.default_rng(0), count, **method.settle({}))
    n_values = sum(int((column.totals > 0).sum()) for column in table.quasi)
    facts: dict[str, Any] = {"values": n_values, "steps": n_steps, "groups": recoding.groups[1]}
    facts["ms per value"] = round(1000 * watch.cpu / n_values)
    if sets is not None and len(sets) > 1:
        facts["implied promises"] = recoding.facts.get("implied_promises", 0)
        facts["sets"] = "; ".join("+".join(columns) for columns in sets)
    watch.report(**facts)


def template_policy(source: pa.Table, sets: Sequence[Sequence[str]]) -> Policy:
    """The rarer half of the sensitive values is guarded against every set of columns."""
    counts = pc.value_counts(source[SENSITIVE]).to_pylist()
    by_rareness = sorted((entry["counts"], entry["values"]) for entry in counts)
    rare = [value for _, value in by_rareness[: len(counts) // 2]]
    declared = (*DISCLOSED_QUASI, SENSITIVE, TARGET)
    return Policy(
        quasi_identifiers=DISCLOSED_QUASI,
        sensitive=[SENSITIVE],
        target=TARGET,
        keep=[name for name in source.column_names if name not in declared],
        privacy=[Template(columns, SENSITIVE, value, CONFIDENCE) for columns in sets for value in rare],
    )


def with_split_values(table: EncodedTable, factor: int) -> EncodedTable:
    """The same rows with ``factor`` times as many values: each row draws which share of its value it has."""
    if factor == 1:
        return table
    rng = np.random.default_rng(0)
    return replace(table, quasi=tuple(_split(column, factor, rng) for column in table.quasi))


def _split(column: CodedColumn, factor: int, rng: np.random.Generator) -> CodedColumn:
    domain, n_values = column.domain, column.domain.n_values
    share = np.tile(np.arange(factor), n_values)
    numbers = None if domain.numbers is None else np.repeat(domain.numbers, factor) + share / factor
    labels = tuple(f"{label}/{part}" for label in domain.labels for part in range(factor))
    finer = Domain(domain.name, labels, numbers)
    drawn = column.codes.astype(np.int64) * factor + rng.integers(0, factor, len(column.codes))
    codes = np.minimum(drawn, finer.missing_code)  # missing stays one value
    return CodedColumn(finer, codes.astype(narrowest_unsigned(finer.n_codes)))


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except KanopyError as error:
        sys.exit(f"error: {error}")
