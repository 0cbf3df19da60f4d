"""One method on an encoded table: only the method itself is timed, neither encoding nor the audit.

Run as ``python -m benchmarks.on_codes SOURCE.csv K METHOD OPTIONS`` (options as JSON).
"""

from __future__ import annotations

import json
import sys
from typing import Any

import numpy as np

from benchmarks.measure import Stopwatch
from benchmarks.workloads import policy_of
from kanopy.algorithms import find_method, silent
from kanopy.data import EncodedTable, Recoding
from kanopy.errors import KanopyError
from kanopy.frames.encode import encode
from kanopy.frames.source import read_source


def timed(arguments: list[str], sample: int = 0) -> tuple[Stopwatch, EncodedTable, Recoding, dict[str, Any]]:
    """Run the method that the arguments name; the watch, the table, what came out, and the options. With
    ``sample``, on so many rows of the table, drawn at random, always the same ones."""
    source, k, name, options = arguments
    policy = policy_of(source, int(k))
    method = find_method(name)
    settled = method.settle(json.loads(options))
    rows = read_source(source)
    if sample:
        rows = rows.take(np.sort(np.random.default_rng(0).permutation(rows.num_rows)[:sample]))
    table = encode(rows, policy).table
    watch = Stopwatch()
    with watch.part("method"):
        recoding = method.run(table, policy.promise, np.random.default_rng(0), silent, **settled)
    return watch, table, recoding, settled


def main(arguments: list[str]) -> None:
    watch, _, recoding, settled = timed(arguments)
    watch.report(groups=recoding.groups[1], kept=recoding.n_kept, options=settled)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except KanopyError as error:
        sys.exit(f"error: {error}")
