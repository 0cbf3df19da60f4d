"""The floor: what reading, encoding, grouping and writing the table cost when nothing is anonymized.

Run as ``python -m benchmarks.floor SOURCE.csv COPY.csv [QUASI,IDENTIFIERS]``. Imports are not counted, and
the copy is neither forced to the disk nor read back, so that no complete tool can be as fast. Rows are
grouped by their texts, as promises are counted; grouping the encoded columns instead is timed aside and not
part of the floor.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

import pyarrow as pa
import pyarrow.acero  # group_by would import it while it is timed
from pyarrow import csv

from benchmarks.measure import Stopwatch
from benchmarks.workloads import QUASI, columns_of


def floor(source: str, copy: str, watch: Stopwatch, quasi: Sequence[str] = QUASI) -> int:
    """Read a CSV as text, encode and group its quasi-identifiers, write it back. Returns the groups."""
    text = csv.ConvertOptions(column_types={name: pa.string() for name in columns_of(source)})
    with watch.part("read"):
        table = csv.read_csv(source, convert_options=text)
    with watch.part("encode"):
        encoded = pa.table({name: table[name].dictionary_encode() for name in quasi})
    with watch.part("group"):
        groups = table.group_by(list(quasi)).aggregate([([], "count_all")])
    with watch.part("write"):
        csv.write_csv(table, copy)
    with watch.aside("group codes"):
        encoded.group_by(list(quasi)).aggregate([([], "count_all")])
    return int(groups.num_rows)


def main(arguments: list[str]) -> None:
    source, copy, *others = arguments
    watch = Stopwatch()
    n_groups = floor(source, copy, watch, others[0].split(",") if others else QUASI)
    watch.report(groups=n_groups)


if __name__ == "__main__":
    main(sys.argv[1:])
