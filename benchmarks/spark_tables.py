"""Tables for Spark: a CSV file as Parquet, or a Parquet file with one more column, of very many values.

Run as ``python -m benchmarks.spark_tables redrawn|kept SOURCE FILE``.
"""

from __future__ import annotations

import sys

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

from benchmarks.spark_run import AMOUNT, KEPT


def main(arguments: list[str]) -> None:
    kind, source, file = arguments
    if kind == KEPT:
        table = pa.parquet.read_table(source)
        amounts = np.random.default_rng(0).lognormal(10.5, 1, table.num_rows).astype(np.int64)
        table = table.append_column(AMOUNT, pa.array(amounts))
    else:
        table = pa.csv.read_csv(source)
    pa.parquet.write_table(table, file, row_group_size=1 << 20)


if __name__ == "__main__":
    main(sys.argv[1:])
