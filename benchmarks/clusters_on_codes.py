"""A clustering method on an encoded table: only the method itself is timed; its information loss is told.

Run as ``python -m benchmarks.clusters_on_codes SOURCE.csv K METHOD OPTIONS [ROWS]`` (options as JSON; with
ROWS, so many random rows of the table).
"""

from __future__ import annotations

import sys

from benchmarks.on_codes import timed
from kanopy.errors import KanopyError
from kanopy.utility import total_information_loss

LOSS = "information loss"


def main(arguments: list[str]) -> None:
    watch, table, recoding, _ = timed(arguments[:4], sample=int(arguments[4]) if len(arguments) > 4 else 0)
    facts = {"groups": recoding.groups[1], "dropped": table.n_rows - recoding.n_kept}
    watch.report(**facts, **{LOSS: round(total_information_loss(table, recoding))})


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except KanopyError as error:
        sys.exit(f"error: {error}")
