"""A clustering method on an encoded table: only the method itself is timed; its information loss is told.

Run as ``python -m benchmarks.clusters_on_codes SOURCE.csv K METHOD OPTIONS`` (options as JSON).
"""

from __future__ import annotations

import json
import sys

import numpy as np

from benchmarks.measure import Stopwatch
from benchmarks.workloads import policy_of
from kanopy.errors import KanopyError
from kanopy.frames.encode import encode
from kanopy.frames.source import read_source
from kanopy.methods import find_method, silent
from kanopy.utility import total_information_loss

LOSS = "information loss"


def main(arguments: list[str]) -> None:
    source, k, name, options = arguments
    policy = policy_of(source, int(k))
    method = find_method(name)
    settled = method.settle(json.loads(options))
    table = encode(read_source(source), policy).table
    watch = Stopwatch()
    with watch.part("method"):
        recoding = method.run(table, policy.promise, np.random.default_rng(0), silent, **settled)
    facts = {"groups": recoding.groups[1], "dropped": table.n_rows - recoding.n_kept}
    watch.report(**facts, **{LOSS: round(total_information_loss(table, recoding))})


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except KanopyError as error:
        sys.exit(f"error: {error}")
