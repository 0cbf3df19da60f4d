"""The file of a release: written, read back from the disk, compared with what was meant, and recounted."""

from __future__ import annotations

import io
import os
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from kanopy.auditing import Audit, TextTable, judge, read_written
from kanopy.auditing.beside import Counted
from kanopy.auditing.file_bytes import in_plain_form, plain_csv_size
from kanopy.auditing.limits import check_plainly
from kanopy.auditing.line_runs import FEWEST_REPEATS, LineRuns, line_runs
from kanopy.auditing.parquet_cells import DigestSink, FieldNotes
from kanopy.auditing.text import read_parquet_back, read_repeated
from kanopy.errors import VerificationError
from kanopy.frames.csv_form import PLAIN_FORM, CsvForm
from kanopy.frames.csv_text import Column, Sink, write_csv
from kanopy.frames.packed import packed, unpacked
from kanopy.frames.parquet_file import write_parquet
from kanopy.frames.published import PublishedTable
from kanopy.policy import Policy
from kanopy.release.destination import Destination
from kanopy.release.hashing import HashedBeside

_PIECE = 1 << 20  # bytes


class WrittenAs(NamedTuple):
    """How a table is written: the form of a CSV file, and what a Parquet file notes beside its columns."""

    form: CsvForm = PLAIN_FORM
    notes: FieldNotes | None = None


def write_table(destination: Destination, published: PublishedTable, as_: WrittenAs) -> None:
    """Write a table to its place; O(bytes)."""
    if destination.suffix == ".parquet":
        with destination.writing() as stream:
            columns = [(each.name, each.values, each.codes) for each in published.columns]
            write_parquet(stream, columns, weight=published.weight, notes=as_.notes)
        return
    # What is read by lines is compared with them, and need not be read once more to be hashed.
    by_lines = _is_read_by_lines(published) and not destination.packing
    with destination.writing(is_hashed=not by_lines) as stream:
        if not by_lines:
            with packed(stream, destination.packing) as sink:
                _write_lines(sink, published, as_.form)
            return
        with HashedBeside(stream) as hashed:
            _write_lines(hashed, published, as_.form)
        destination.digest = hashed.digest()


def _write_lines(sink: Sink, published: PublishedTable, form: CsvForm) -> None:
    write_csv(
        sink,
        [(form.in_header(name), words, codes) for name, words, codes in words_of(published)],
        published.n_lines,
        weight=published.weight,
        delimiter=form.delimiter,
        mark=form.mark,
    )


def words_of(published: PublishedTable) -> list[Column]:
    """The columns as they are written in CSV."""
    return [(each.name, each.words.to_pylist(), each.codes) for each in published.columns]


def verify_table(
    destination: Destination,
    published: PublishedTable,
    policy: Policy,
    persons: NDArray[np.int32] | None,
    as_: WrittenAs,
) -> None:
    """Read the file back, compare it with what was meant, recount it."""
    words, meant = [column.words for column in published.columns], TextTable.of_published(published)
    # Lines of different words may be written alike; rows of the file that are equal are of one line.
    meant = meant if meant.weight is None else meant.in_runs()
    # At worst every byte of a word is a quote that is doubled, and the word is quoted and delimited.
    longest_row = sum(2 * pc.max(pc.binary_length(texts)).as_py() + 3 for texts in words)
    longest_row += sum(2 * len(name.encode()) + 3 for name in published.names)
    digest_of_cells = None
    with destination.reading() as file:
        stream = unpacked(file, destination.packing, where="the written file")
        if destination.is_csv and _is_read_by_lines(published):
            written, runs = read_repeated(stream, longest_row=longest_row, form=as_.form)
            _check_lines(runs, published, as_.form)
            # PRIVACY: the bytes that get the name are these, which are judged (tests/sabotage/test_gate.py).
            destination.holds = None if destination.packing else runs.are_all_of
        elif destination.suffix == ".parquet":
            in_runs = meant.weight is not None
            written, digest_of_cells = read_parquet_back(stream, in_runs=in_runs, notes=as_.notes)
        else:
            in_cells = has_line_ends(published)
            known: dict[str, Any] = {"lines_in_cells": in_cells, "longest_row": longest_row}
            written = read_written(stream, destination.suffix, form=as_.form, **known)
            written = written if meant.weight is None else written.in_runs()
    compare(written, meant)
    _check_bytes(destination, meant, digest_of_cells, as_.form)
    audit = check_recount(in_plain_form(written, as_.form), policy, persons)
    with destination.reading() as stream:
        n_bytes = os.fstat(stream.fileno()).st_size
    destination.counted = Counted(
        destination.path.name, destination.digest.hex(), n_bytes, written, audit, policy, as_.form
    )


def check_recount(written: TextTable, policy: Policy, persons: NDArray[np.int32] | None) -> Audit:
    """PRIVACY: what is published keeps the promise, counted on what was read back (tests/sabotage)."""
    if written.columns.keys() != policy.published:
        raise _failed("the written file has other columns than the policy publishes")
    audit = judge(written, policy, persons=persons)
    if not audit.kept:
        reasons = " ".join(finding.message for finding in audit.broken)
        raise _failed(f"the written file breaks the promise: {reasons}")
    check_plainly(written, policy, persons)
    return audit


def _is_read_by_lines(published: PublishedTable) -> bool:
    """Whether equal lines of a CSV file are found faster than all of them are parsed."""
    is_worth_it = published.n_lines * FEWEST_REPEATS <= published.n_rows
    return published.weight is not None and is_worth_it and not has_line_ends(published)


def has_line_ends(published: PublishedTable) -> bool:
    """Whether a line of the file need not be a row; O(words)."""
    words = [column.words for column in published.columns] + [pa.array(published.names, pa.string())]
    return any(pc.any(pc.match_substring_regex(texts, r"[\r\n]")).as_py() for texts in words)


def _check_lines(read: LineRuns, published: PublishedTable, form: CsvForm) -> None:
    """The lines on the disk are those that were written, to the byte: theirs is the digest. O(lines)."""
    assert published.weight is not None
    lines = io.BytesIO()
    _write_lines(lines, published._replace(weight=None, n_rows=published.n_lines), form)
    lines.seek(0)
    meant = line_runs(lines)  # different words may be written alike, and stand side by side then
    n_rows = np.add.reduceat(published.weight, np.cumsum(meant.weight) - meant.weight)
    if read.lines != meant.lines or not np.array_equal(read.weight, n_rows):
        raise _failed("the written file is not what was written to it")


def _check_bytes(
    destination: Destination, meant: TextTable, digest_of_cells: bytes | None, form: CsvForm
) -> None:
    """Cells that read back as they should are not all that a file can hold; O(rows * columns)."""
    if destination.suffix == ".parquet":
        is_plain = digest_of_cells == destination.digest
    elif destination.packing:
        is_plain = _packed_again(destination, plain_csv_size(meant, form)) == destination.digest
    else:
        with destination.reading() as stream:
            is_plain = plain_csv_size(meant, form) == os.fstat(stream.fileno()).st_size
    if not is_plain:
        raise _failed("the written file holds more than its cells")


def _packed_again(destination: Destination, n_bytes: int) -> bytes:
    """The digest of the text in a compressed file, compressed once more; none where it has other bytes.

    PRIVACY: what compresses may leave names, dates or hidden blocks among its bytes, which nobody sees who
    only unpacks them (tests/sabotage/test_packed_bytes.py). O(bytes).
    """
    sink: Any = DigestSink()
    with destination.reading() as file, packed(sink, destination.packing) as packer:
        text = unpacked(file, destination.packing, where="the written file")
        while piece := text.read(_PIECE):
            n_bytes -= len(piece)
            packer.write(piece)
    return b"" if n_bytes else sink.sha256.digest()


def compare(written: TextTable, meant: TextTable) -> None:
    """Row by row, text by text; O(rows * columns)."""
    if list(written.columns) != list(meant.columns):
        raise _failed("the written file has other columns than it should")
    if written.n_rows != meant.n_rows or written.n_lines != meant.n_lines:
        raise _failed(f"the written file has {written.n_rows} rows, it should have {meant.n_rows}")
    if written.weight is not None and not np.array_equal(
        written.weight, () if meant.weight is None else meant.weight
    ):
        raise _failed("rows of the written file do not repeat as often as they should")
    for name, column in written.columns.items():
        place = pc.index_in(column.words, value_set=meant.columns[name].words).fill_null(-1)
        if not np.array_equal(place.to_numpy(zero_copy_only=False)[column.codes], meant.columns[name].codes):
            raise _failed(f"column {name!r} of the written file is not what it should be")


def _failed(message: str) -> VerificationError:
    return VerificationError(message, "nothing was published")
