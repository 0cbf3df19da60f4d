"""A file that is not the certified one: which table it holds, and whether only its bytes are others."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from kanopy.auditing import TextTable
from kanopy.auditing.parquet_cells import DigestSink, FieldNotes
from kanopy.auditing.repeated_file import read_repeated_file
from kanopy.auditing.text import read_parquet_back
from kanopy.certificate.contents import CertifiedFile
from kanopy.errors import InputError, VerificationError
from kanopy.frames.csv_form import CsvForm
from kanopy.frames.csv_text import write_csv
from kanopy.frames.packed import packed, packing_of
from kanopy.frames.tables import read_table

_ONCE: tuple[str | None, str] = (None, "utf-8")
_AS_SAVED_AGAIN = tuple((delimiter, code) for code in ("utf-8", "cp1252") for delimiter in (",", ";", "\t"))
"""What spreadsheets make of a CSV file: other delimiters and encodings, as the country has it."""


def read_certified(path: Path, certified: CertifiedFile, *, is_same: bool) -> TextTable:
    """The table of a file; where its bytes are others, however a spreadsheet may have saved it.

    Raises
    ------
    InputError
        Where it cannot be read at all.
    """
    found: TextTable | None = None
    fault: InputError | None = None
    for table in _readings(path, certified.form if is_same else None):
        if isinstance(table, InputError):
            fault = fault or table
            continue
        names = certified.form.named(table.columns)
        table = table._replace(columns=dict(zip(names, table.columns.values(), strict=True)))
        found = found or table
        if sorted(table.columns) == sorted(certified.columns):
            return table
    if found is None:
        assert fault is not None, "at least one reading was tried"
        raise fault
    return found


def _readings(path: Path, form: CsvForm | None) -> Iterator[TextTable | InputError]:
    is_parquet = path.suffix.lower() in (".parquet", ".pq")
    ways = _AS_SAVED_AGAIN if form is None else ((form.delimiter, "utf-8"),)
    for delimiter, encoding in (_ONCE,) if is_parquet else ways:
        try:
            table = read_repeated_file(path, delimiter=delimiter, encoding=encoding)
            if table is None:
                rows = read_table(path, delimiter=delimiter, encoding=encoding)[1]
                table = TextTable.of_arrow(rows).in_lines()
            yield table
        except InputError as error:
            yield error


def has_same_cells(
    path: Path, table: TextTable, certified: CertifiedFile, notes: FieldNotes | None = None
) -> bool:
    """Whether the table, written as kanopy writes it, is the certified file; O(rows * columns).

    A release holds its cells and not a byte more, so its cells tell its bytes; ``notes`` are those that a
    Parquet file has beside the names of its columns.
    """
    if sorted(table.columns) != sorted(certified.columns) or table.n_rows != certified.n_rows:
        return False
    if Path(certified.name).suffix.lower() == ".parquet":
        try:
            with path.open("rb") as stream:
                digest = read_parquet_back(stream, in_runs=True, notes=notes)[1]
                return digest.hex() == certified.sha256
        except (VerificationError, OSError):
            return False
    sink: Any = DigestSink()
    columns = [(name, table.columns[name]) for name in certified.columns]
    named = certified.form.in_header
    words = [(named(name), each.words.to_pylist(), each.codes) for name, each in columns]
    shape: dict[str, Any] = {"delimiter": certified.form.delimiter, "mark": certified.form.mark}
    with packed(sink, packing_of(certified.name)) as stream:
        write_csv(stream, words, table.n_lines, weight=table.weight, **shape)
    return bool(sink.sha256.hexdigest() == certified.sha256)
