"""A release of which some kept columns never leave the cluster: decided without them, written with them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from kanopy.auditing import TextTable
from kanopy.certificate import CertifiedPart
from kanopy.data.arrays import Codes, Ints
from kanopy.data.keys import group_rows, number_runs, order_of, pack
from kanopy.engines.spark.counting import KeyedRows
from kanopy.engines.spark.loose import LooseColumns
from kanopy.engines.spark.release import SparkRelease
from kanopy.engines.spark.session import spark_errors
from kanopy.engines.spark.source import frame_of_table
from kanopy.engines.spark.tasks_by_value import tasks_by_value
from kanopy.engines.spark.writing import PART_FACTS, bytes_of, in_parts, parts_for
from kanopy.errors import PolicyError, VerificationError
from kanopy.frames.published import PublishedTable
from kanopy.policy import Policy
from kanopy.release.written_table import check_recount

_MOST_SENT = 1 << 22
"""Tuples that every task gets; where there are more, rows are brought to them."""
_LINE, _GROUP = "line", "group"
_BACK = "the parts cannot be read back"


class LooseRows(NamedTuple):
    """Where each row of the source goes: by its tuple to a line, whose cells it gets beside its values."""

    keyed: KeyedRows
    loose: LooseColumns
    keys: list[pa.ChunkedArray]  # of each tuple
    line: Ints  # of each tuple; -1 where it is dropped
    sums: Ints  # two of each tuple, over its rows
    published: PublishedTable  # the lines
    policy: Policy  # of the lines
    names: tuple[str, ...]  # of all published columns, in the order of the table

    @property
    def group(self) -> Ints:
        """The group of each line; they are in its order."""
        quasi = set(self.policy.quasi_identifiers)
        codes = [each.codes for each in self.published.columns if each.name in quasi]
        return number_runs(codes, self.published.n_lines)[0].astype(np.int64)

    def frame(self) -> Any:
        """Every row that is published: its line, and its values that stayed on the cluster."""
        source = self.keyed.source
        functions, names = source.functions, self.keyed.key_names
        raw = [functions.col(each.key) for each in self.loose.columns]
        rows = self.loose.cleaned(self.keyed.frame(*raw), names)
        stays = pa.array(self.line >= 0)
        tuples = {name: keys.filter(stays) for name, keys in zip(names, self.keys, strict=True)}
        tuples[_LINE] = pa.array(self.line).filter(stays)
        lines = source.frame.sparkSession.createDataFrame(pa.table(tuples))
        lines = functions.broadcast(lines) if len(tuples[_LINE]) <= _MOST_SENT else lines
        return rows.join(lines, names).drop(*names)

    def in_order(self, n_parts: int) -> Any:
        """All rows with all their cells, in parts and in the order of the release."""
        functions, quasi = self.keyed.source.functions, set(self.policy.quasi_identifiers)
        loose = {each.name: number for number, each in enumerate(self.loose.columns)}
        cells, order = [], [functions.col(_GROUP)]
        for number, name in enumerate(self.names):
            if name in loose:
                cells.append(functions.col(f"v{loose[name]}").alias(name))
                order.append(functions.col(f"x{loose[name]}").asc_nulls_last())
            else:
                cells.append(functions.col(f"c{number}").alias(name))
                order += [] if name in quasi else [functions.col(f"s{number}")]
        lines, n_parts = self._lines(n_parts)
        rows = in_parts(self.frame().join(functions.broadcast(lines), _LINE), n_parts)
        return rows.sortWithinPartitions(*order).select(*cells)

    def _lines(self, n_parts: int) -> tuple[Any, int]:
        """The cells of the lines, their place in the order, and their parts, none of which is empty."""
        group, of_name = self.group, {each.name: each for each in self.published.columns}
        n_rows = np.bincount(group, self.published.weight)
        wanted = ((np.cumsum(n_rows) - n_rows) * n_parts // self.published.n_rows).astype(np.int64)
        part, _ = number_runs([wanted], len(wanted))
        columns = {_LINE: np.arange(len(group)), _GROUP: group, "part": part[group].astype(np.int32)}
        arrays = {name: pa.array(each) for name, each in columns.items()}
        for number, name in enumerate(self.names):
            if name in of_name:
                arrays[f"c{number}"] = of_name[name].values.take(pa.array(of_name[name].codes))
                arrays[f"s{number}"] = pa.array(of_name[name].codes)
        session = self.keyed.source.frame.sparkSession
        return frame_of_table(session, pa.table(arrays)), int(part[-1]) + 1

    def n_unique(self) -> tuple[int, int]:
        """Rows that no other one equals: on all published columns, and on quasi-identifiers and kept ones."""
        frame, functions = self.frame(), self.keyed.source.functions
        columns = [each for each in self.published.columns if each.name in self.policy.keep]
        codes: list[Codes] = [self.group, *(each.codes for each in columns)]
        sizes = [len(self.group), *(len(each.words) for each in columns)]
        kept, _ = group_rows(codes, sizes, len(self.group))
        of_line = pa.table({_LINE: pa.array(np.arange(len(kept))), "kept": pa.array(kept)})
        marked = frame.select(_LINE, self.loose.hashed(functions).alias("hash"))
        marked = marked.join(functions.broadcast(frame.sparkSession.createDataFrame(of_line)), _LINE)
        alike = marked.groupBy("kept", "hash", _LINE).count()
        is_alone = (functions.col("count") == 1).cast("bigint")
        n_rows, n_alone = functions.sum("count").alias("n_rows"), functions.sum(is_alone).alias("n_alone")
        both = alike.groupBy("kept", "hash").agg(n_rows, n_alone)
        of_kept = functions.sum((functions.col("n_rows") == 1).cast("bigint"))
        with spark_errors("Spark could not count the rows"):
            (row,) = both.agg(functions.sum("n_alone"), of_kept).collect()
        return int(row[0]), int(row[1])


class LooseRelease(SparkRelease):
    """A release with kept columns that are on the cluster alone; only ``frame`` and parts have them."""

    rows_on_cluster: LooseRows

    @property
    def published_names(self) -> Sequence[str]:
        return self.rows_on_cluster.names

    @property
    def elsewhere(self) -> frozenset[str]:
        return frozenset(self.rows_on_cluster.loose.names)

    @property
    def frame(self) -> Any:
        """The published rows as a Spark frame, in the order of the release."""
        return self.rows_on_cluster.in_order(parts_for(self._published.n_rows, None))

    def _rows_in_parts(self, n_parts: int, suffix: str) -> Any:
        if suffix != ".parquet":
            what = "a table with a kept column of so many values is written as Parquet"
            raise PolicyError(what, "leave the form out, or drop the column")
        return self.rows_on_cluster.in_order(n_parts)

    def _read_back(self, files: list[str], suffix: str) -> tuple[tuple[CertifiedPart, ...], Sequence[str]]:
        certified = _in_order(self.session, files, self.rows_on_cluster)
        _check_lines(self.session, files, self.rows_on_cluster)
        return certified, self.rows_on_cluster.names


def _in_order(session: Any, files: Sequence[str], rows: LooseRows) -> tuple[CertifiedPart, ...]:
    """PRIVACY: rows are sorted by their texts, inside of parts and across them: any other order could be that
    of the source (tests/spark/test_loose.py). O(rows) on the cluster."""
    names = list(rows.names)
    quasi = [names.index(name) for name in rows.policy.quasi_identifiers]
    order = [*quasi, *(number for number in range(len(names)) if number not in set(quasi))]
    tasks = tasks_by_value()
    schema = f"{PART_FACTS}, is_sorted boolean, first array<string>, last array<string>"
    with spark_errors(_BACK, of_task=VerificationError):
        content = bytes_of(session, files)
        found = content.mapInArrow(tasks.order_reader(names, order, len(quasi)), schema).toArrow().to_pylist()
    found.sort(key=lambda each: each["part"])
    ends = [tasks.sort_key(each[end], order, len(quasi)) for each in found for end in ("first", "last")]
    is_sorted = all(each["is_sorted"] for each in found) and ends == sorted(ends)
    if not is_sorted or not found:
        raise VerificationError("the rows of the parts are not in their order", "nothing was published")
    return tuple(CertifiedPart(*(each[name] for name in tasks.FACTS)) for each in found)


def _check_lines(session: Any, files: Sequence[str], rows: LooseRows) -> None:
    """PRIVACY: every line is written as often as it was decided, with the kept values of its own tuples, and
    what is written keeps the promise (tests/spark/test_loose.py). O(rows) on the cluster."""
    read = session.read.parquet(*files)
    keys = {name: f"c{number}" for number, name in enumerate(read.columns)}
    kinds = {field.name: field.dataType.simpleString() for field in read.schema.fields}
    columns = (each._replace(key=keys[each.name], kind=kinds[each.name]) for each in rows.loose.columns)
    loose = LooseColumns(tuple(columns), (), rows.loose.foreign)
    tight = [name for name in rows.names if name not in rows.loose.names]
    clean = loose.cleaned(read.toDF(*keys.values()), [keys[name] for name in tight])
    functions = rows.keyed.source.functions
    counted = clean.groupBy(*(keys[name] for name in tight))
    with spark_errors(_BACK):
        n_rows = functions.count(functions.lit(1)).alias("n_rows")
        found = counted.agg(n_rows, *loose.sums(functions)).toArrow()
    table = pa.table([found[keys[name]] for name in tight], names=tight)
    written = TextTable.of_arrow(table).weighing(found["n_rows"].to_numpy().astype(np.int64))
    sums = np.stack([found["sum0"].to_numpy(), found["sum1"].to_numpy()], axis=1)
    if not _are_lines(written, sums, rows):
        raise VerificationError("the written parts are not what they should be", "nothing was published")
    check_recount(written, rows.policy, None)


def _are_lines(written: TextTable, sums: Ints, rows: LooseRows) -> bool:
    """Whether lines, in any order, are those that were decided, with their rows and sums; a sort."""
    published = rows.published
    meant = np.zeros((published.n_lines, 2), dtype=np.int64)
    np.add.at(meant, rows.line[rows.line >= 0], rows.sums[rows.line >= 0])
    if written.n_lines != published.n_lines:
        return False
    codes = []
    for column in published.columns:
        place = {word: number for number, word in enumerate(column.words.to_pylist())}
        read = written.columns[column.name]
        of_word = np.array([place.get(word, -1) for word in read.words.to_pylist()], dtype=np.int64)
        codes.append(of_word[read.codes])
    if any((of_column < 0).any() for of_column in codes):
        return False
    sizes = [len(column.words) for column in published.columns]
    orders = [
        order_of(*pack(each, sizes, published.n_lines))
        for each in (codes, [column.codes for column in published.columns])
    ]
    ours = [*codes, written.weight, *sums.T]
    theirs = [*(column.codes for column in published.columns), published.weight, *meant.T]
    pairs = zip(ours, theirs, strict=True)
    return all(np.array_equal(our[orders[0]], their[orders[1]]) for our, their in pairs)
