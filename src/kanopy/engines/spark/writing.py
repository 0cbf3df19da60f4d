"""The rows of a release, written by Spark as parts, read back from the bytes of the parts, and compared.

The lines of a release and how many rows each stands for are all that Spark needs. Parts are ranges of rows,
so that the parts in the order of their names hold the rows in the order of the release.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from kanopy.auditing import TextTable
from kanopy.certificate import CertifiedPart
from kanopy.certificate.limits import MOST_PARTS
from kanopy.data.arrays import Ints
from kanopy.data.pieces import Pieces
from kanopy.engines.spark.session import functions_of, spark_errors
from kanopy.engines.spark.source import frame_of_table
from kanopy.engines.spark.tasks_by_value import tasks_by_value
from kanopy.errors import PolicyError, VerificationError
from kanopy.frames.csv_text import csv_lines, write_csv
from kanopy.frames.from_numpy import as_arrow
from kanopy.frames.published import PublishedTable
from kanopy.release.written_table import has_line_ends, words_of

ROWS_PER_PART = 1 << 21
FORMS = {".parquet": "parquet", ".csv": "csv"}
PART_FACTS = "part string, sha256 string, bytes bigint, n_rows bigint"
"""What tasks tell of every part, as Spark types; ``tasks.FACTS`` has the names."""
_PART, _LINE, _TIMES = "part", "line", "times"
_TIMESTAMPS = "spark.sql.parquet.outputTimestampType"


def parts_for(n_rows: int, n_parts: int | None) -> int:
    """How many parts a release has; none is empty."""
    wanted = -(-n_rows // ROWS_PER_PART) if n_parts is None else check_parts(n_parts)
    return max(1, min(wanted, n_rows, MOST_PARTS))


def check_parts(n_parts: Any) -> int:
    """Refuse a number of parts that there cannot be."""
    is_number = isinstance(n_parts, int) and not isinstance(n_parts, bool)
    if not is_number or not 1 <= n_parts <= MOST_PARTS:
        raise PolicyError(f"a release has 1 to {MOST_PARTS:,} parts", "for example parts = 8")
    return int(n_parts)


def rows_frame(session: Any, published: PublishedTable, n_parts: int, suffix: str = ".parquet") -> Any:
    """The rows of a release as a frame, in order; O(lines) on the driver, O(rows) on the cluster."""
    pieces = _pieces(published, n_parts)
    lines = as_arrow(pieces[_LINE])
    columns = {
        f"c{number}": each.values.take(pa.array(each.codes).take(lines))
        for number, each in enumerate(published.columns)
    }
    names: Sequence[str] = published.names
    table = pa.table({**{name: pa.array(of_piece) for name, of_piece in pieces.items()}, **columns})
    if suffix == ".csv":
        table, names = _with_headers(published, pieces, n_parts), ("value",)
    return repeated_rows(frame_of_table(session, table), names, n_parts)


def repeated_rows(frame: Any, names: Sequence[str], n_parts: int) -> Any:
    """Every row of a frame as often as it says, in the part and in the order that it says."""
    functions = functions_of(frame)
    copies = functions.explode(functions.sequence(functions.lit(1), functions.col(_TIMES).cast("int")))
    keys = [f"c{number}" for number in range(len(names))]
    # Rows are sorted before they are repeated, which is cheap; whether they stay in order is checked later.
    ordered = in_parts(frame, n_parts).sortWithinPartitions(_LINE).select(*keys, copies.alias("copy"))
    return ordered.select(*(functions.col(key).alias(name) for key, name in zip(keys, names, strict=True)))


def in_parts(frame: Any, n_parts: int) -> Any:
    """The rows of a frame in the parts that they name, which are in their order."""
    functions = functions_of(frame)
    if hasattr(frame, "repartitionById"):
        return frame.repartitionById(n_parts, functions.col(_PART))
    # Spark 4.0 divides rows by hashes alone: each part gets a number whose hash leads there.
    numbers = functions.array(*map(functions.lit, _numbers_of_parts(frame.sparkSession, n_parts)))
    return frame.repartition(n_parts, functions.element_at(numbers, functions.col(_PART) + 1))


def _numbers_of_parts(session: Any, n_parts: int) -> list[int]:
    """For every part a whole number that Spark's hash sends there; O(parts * log(parts))."""
    found: dict[int, int] = {}
    many = 1
    while len(found) < n_parts:
        many *= 16
        numbers = session.range(n_parts * many).selectExpr("cast(id as int) id")
        rows = numbers.selectExpr(f"pmod(hash(id), {n_parts}) part", "id").groupBy("part").agg({"id": "min"})
        found = {row[0]: row[1] for row in rows.collect()}
    return [found[part] for part in range(n_parts)]


def _pieces(published: PublishedTable, n_parts: int) -> dict[str, NDArray[Any]]:
    """Lines, divided where a part ends: of each piece its part, its line, and how many rows it has."""
    weight = np.ones(published.n_lines, dtype=np.int64) if published.weight is None else published.weight
    ends = np.linspace(0, published.n_rows, n_parts + 1).astype(np.int64)
    of_parts: Ints = ends[1:] - ends[:-1]
    pieces = Pieces.of([weight, of_parts])
    part = pieces.entry_of(of_parts).astype(np.int32)
    return {_PART: part, _LINE: pieces.entry_of(weight), _TIMES: pieces.amount}


def _with_headers(published: PublishedTable, pieces: dict[str, NDArray[Any]], n_parts: int) -> pa.Table:
    """The same lines as they are written in CSV, and the header before those of every part."""
    header = io.BytesIO()
    write_csv(header, words_of(published), 0)
    texts = csv_lines(words_of(published), published.n_lines).take(as_arrow(pieces[_LINE]))
    of_lines = pa.table({**{name: pa.array(each) for name, each in pieces.items()}, "c0": texts})
    of_headers = {
        _PART: pa.array(np.arange(n_parts, dtype=np.int32)),
        _LINE: pa.array(np.full(n_parts, -1, dtype=np.int64)),
        _TIMES: pa.array(np.ones(n_parts, dtype=np.int64)),
        "c0": pa.array([header.getvalue().decode().removesuffix("\n")] * n_parts, texts.type),
    }
    return pa.concat_tables([pa.table(of_headers), of_lines])


def write_parts(frame: Any, target: str, suffix: str) -> None:
    """Have Spark write a frame into a folder that does not exist yet."""
    with spark_errors("Spark could not write the release"), _usual_timestamps(frame.sparkSession):
        if suffix == ".csv":
            frame.write.option("compression", "none").text(target)
        else:
            frame.write.option("compression", "snappy").parquet(target)


@contextmanager
def _usual_timestamps(session: Any) -> Iterator[None]:
    """Times as all readers know them, and not as 96 bits."""
    before = session.conf.get(_TIMESTAMPS, None)
    session.conf.set(_TIMESTAMPS, "TIMESTAMP_MICROS")
    try:
        yield
    finally:
        if before is None:
            session.conf.unset(_TIMESTAMPS)
        else:
            session.conf.set(_TIMESTAMPS, before)


def read_parts(
    session: Any, files: Sequence[str], published: PublishedTable, suffix: str
) -> tuple[TextTable, tuple[CertifiedPart, ...]]:
    """The rows of the parts as runs of equal ones, and what was read: from the bytes that are hashed.

    O(rows) on the cluster, O(runs) here.
    """
    reader = tasks_by_value().parts_reader(
        FORMS[suffix], published.names, lines_in_cells=has_line_ends(published)
    )
    texts = [f"c{number}" for number in range(len(published.names))]
    schema = ", ".join([PART_FACTS, *(f"{text} string" for text in texts)])
    with spark_errors("the parts cannot be read back", of_task=VerificationError):
        content = bytes_of(session, files)
        found = content.mapInArrow(reader, schema).toArrow()
    # A stable sort keeps the runs of a part in their order.
    found = found.take(pc.sort_indices(found["part"]))
    if not found.num_rows:
        raise VerificationError("the written parts are empty", "nothing was published")
    n_rows = found["n_rows"].to_numpy().astype(np.int64)
    table = pa.table([found[text] for text in texts], names=list(published.names))
    parts = found.group_by(["part", "sha256", "bytes"], use_threads=False).aggregate([("n_rows", "sum")])
    columns = [parts[name].to_pylist() for name in ("part", "sha256", "bytes", "n_rows_sum")]
    certified = tuple(CertifiedPart(*facts) for facts in zip(*columns, strict=True))
    return TextTable.of_arrow(table).weighing(n_rows), certified


def bytes_of(session: Any, files: Sequence[str]) -> Any:
    """A frame of files: the path and the bytes of each, wherever Spark can read them."""
    return session.read.format("binaryFile").load(list(files)).select("path", "content")


def hashes_of(session: Any, files: Sequence[str]) -> dict[str, str]:
    """The SHA-256 of files, by their names; O(bytes) on the cluster."""
    with spark_errors("the parts cannot be read back", of_task=VerificationError):
        content = bytes_of(session, files)
        functions = functions_of(content)
        found = content.select("path", functions.sha2("content", 256).alias("sha256")).toArrow()
    names = (path.rpartition("/")[2] for path in found["path"].to_pylist())
    return dict(zip(names, found["sha256"].to_pylist(), strict=True))
