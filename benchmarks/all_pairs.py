"""What a textbook clustering pays at least: the distances of all pairs of rows, once, a block at a time.

Run as ``python -m benchmarks.all_pairs SOURCE.csv K``. The rows and columns are those that are clustered,
their codes on the unit interval; the distances are overwritten by the next ones.
"""

from __future__ import annotations

import sys

import numpy as np

from benchmarks.measure import Stopwatch
from benchmarks.workloads import policy_of
from kanopy.errors import KanopyError
from kanopy.frames.encode import encode
from kanopy.frames.source import read_source

BLOCK_ROWS = 1000


def main(arguments: list[str]) -> None:
    from scipy.spatial.distance import cdist

    source, k = arguments
    table = encode(read_source(source), policy_of(source, int(k))).table
    rows = np.stack([column.domain.positions[column.codes] for column in table.quasi], axis=1)
    room = np.empty((BLOCK_ROWS, len(rows)))
    watch = Stopwatch()
    with watch.part("distances"):
        for start in range(0, len(rows), BLOCK_ROWS):
            some = rows[start : start + BLOCK_ROWS]
            cdist(some, rows, "euclidean", out=room[: len(some)])
    watch.report(pairs=len(rows) ** 2)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except KanopyError as error:
        sys.exit(f"error: {error}")
