"""Excel workbooks (``.xlsx``): one sheet as a table of texts, as the same CSV file would be.

The library reads in its read-only mode: rows are streamed, and a text that many cells share is held once. It
does not tell what a workbook would unpack to, which rows are hidden, or that a formula has no value: that is
looked up in the archive before.
"""

from __future__ import annotations

import re
import warnings
import zipfile
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from itertools import zip_longest
from typing import Any, BinaryIO, NamedTuple

import pyarrow as pa

from kanopy._display import number_of
from kanopy.errors import Hint, InputError, KanopyError, KanopyWarning, PolicyError, ResourceError
from kanopy.frames.csv_file import TEXT
from kanopy.frames.distinct import clean_names
from kanopy.frames.memory import memory_for_a_table, too_large, within_memory
from kanopy.policy import shown_name

MOST_UNPACKED = 1 << 31
"""Bytes of XML that a workbook may hold; a table of two gigabytes is better kept in CSV or Parquet."""
MOST_TIMES = 200
"""How many times its packed size a large part of the archive may hold: cells shrink tenfold."""
MOST_CELLS = 50_000_000
"""Cells that a sheet may have, empty ones between others included."""

_LARGE = 1 << 26  # bytes of a part from which on it matters how far it unpacks
_ROWS_AT_A_TIME = 1 << 15
_PIECE, _OVERLAP = 1 << 20, 1 << 14  # bytes; a sign that is searched for is not longer than the second
_SHOWN_SHEETS = 20
_DIGITS = 15  # of a number, all that a spreadsheet knows
_PADDED = re.compile(r"0{2,}")  # a format that shows leading zeros: 01067
_DECLARED = re.compile(rb"<!(DOCTYPE|ENTITY)")
_HIDDEN_ROW = re.compile(rb'<(?:\w+:)?row\s[^<>]*?\bhidden="(?:1|true)"')
_HIDDEN_COLUMN = re.compile(rb'<(?:\w+:)?col\s[^<>]*?\bhidden="(?:1|true)"')
_NO_VALUE = re.compile(  # a formula whose value is the empty text says so: t="str"
    rb'<(?:\w+:)?c(?![^<>]*t="str")(?:\s[^<>]*)?>\s*<(?:\w+:)?f(?:\s[^<>]*)?(?:/>|>[^<]*</(?:\w+:)?f>)\s*'
    rb"(?:<(?:\w+:)?v\s*(?:/>|>\s*</(?:\w+:)?v>))?\s*</(?:\w+:)?c>"
)


def read_excel(stream: BinaryIO, *, where: str, sheet: str | None = None) -> pa.Table:
    """Read a sheet: every column has the type ``TEXT``, an empty cell is an empty text.

    Parameters
    ----------
    stream : binary file
    where : str
        What messages call it.
    sheet : str, optional
        Its name; without it the workbook must have a single one.

    O(cells), each in Python, as the library gives them: a hundred thousand or so in a second.
    """
    load = _library()
    fault: KanopyError
    try:
        _check_archive(stream, where)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about colours, rules and pictures, which are not read
            book = load(stream, read_only=True, data_only=True, keep_links=False)
            try:
                chosen = _chosen(book, sheet, where)
                look = _looked_at(stream, chosen)
                table = _table(chosen, where)
            finally:
                book.close()
        _judge(look, where, chosen.title)
        return table
    except KanopyError as error:
        fault = error
    except (MemoryError, pa.ArrowCapacityError):
        fault = too_large(where)
    except Exception:  # of whatever the library says about a damaged file, which may quote cells
        fault = InputError(
            f"{where}: the workbook is damaged", "open and save it in a spreadsheet, or use CSV"
        )
    raise fault


def _library() -> Any:
    try:
        from openpyxl import load_workbook
    except ImportError:
        hint = 'pip install "kanopy[excel]", or save the sheet as CSV'
        raise ResourceError("Excel workbooks are read with openpyxl, which is not installed", hint) from None
    return load_workbook


def _check_archive(stream: BinaryIO, where: str) -> None:
    """Refuse what is no workbook, and what would unpack to too much; O(bytes), once through all XML."""
    head = stream.read(8)
    stream.seek(0)
    if head.startswith(b"\xd0\xcf\x11\xe0"):
        hint = "remove the password, or save it as .xlsx or CSV"
        raise InputError(f"{where}: the workbook has a password, or is one of the old form (.xls)", hint)
    if not head.startswith(b"PK"):
        raise InputError(f"{where}: not an Excel workbook", "name a CSV file .csv")
    with zipfile.ZipFile(stream) as archive:
        parts = archive.infolist()
        is_much = sum(part.file_size for part in parts) > min(MOST_UNPACKED, memory_for_a_table())
        packed_far = (part for part in parts if part.file_size > max(_LARGE, MOST_TIMES * part.compress_size))
        if is_much or any(packed_far):
            raise ResourceError(f"{where}: the workbook unpacks to too much", "save the sheet as CSV")
        for part in parts:
            if part.filename.endswith((".xml", ".rels")):
                _check_part(archive, part, where)


def _check_part(archive: zipfile.ZipFile, part: zipfile.ZipInfo, where: str) -> None:
    """PRIVACY: entities could turn a few bytes into gigabytes, or read other files
    (tests/badinput/test_excel_bombs.py).

    No workbook declares any. In UTF-16 they would not be found.
    """
    for number, piece in enumerate(_pieces(archive, part.filename)):
        if _DECLARED.search(piece) or (not number and piece[:2] in (b"\xff\xfe", b"\xfe\xff")):
            hint = "open and save it in a spreadsheet, or use CSV"
            raise InputError(f"{where}: the workbook declares what no spreadsheet writes", hint)


def _pieces(archive: zipfile.ZipFile, name: str) -> Iterator[bytes]:
    """The bytes of a part, piece by piece; each begins with the end of the one before it."""
    end = b""
    with archive.open(name) as part:  # gives no more bytes than the archive says that it has
        while piece := part.read(_PIECE):
            yield end + piece
            end = (end + piece)[-_OVERLAP:]


def _chosen(book: Any, sheet: str | None, where: str) -> Any:
    sheets = book.worksheets
    if not sheets:
        raise InputError(f"{where}: the workbook has no sheet with cells", "save the table on a sheet")
    if sheet is None and len(sheets) == 1:
        return sheets[0]
    named = [each for each in sheets if each.title == sheet]
    if named:
        return named[0]
    names = ", ".join(shown_name(each.title) for each in sheets[:_SHOWN_SHEETS])
    more = f" and {len(sheets) - _SHOWN_SHEETS:,} more" if len(sheets) > _SHOWN_SHEETS else ""
    what = "has several sheets" if sheet is None else f"has no sheet {shown_name(sheet)}"
    raise PolicyError(
        f"{where}: {what}: {names}{more}", Hint("say which one: {sheet}", sheet=sheets[0].title)
    )


class _Look(NamedTuple):
    """What the XML of a sheet tells, and the library does not."""

    hidden_rows: int
    hidden_columns: int
    without_value: int  # formulas


def _looked_at(stream: BinaryIO, sheet: Any) -> _Look:
    signs = (_HIDDEN_ROW, _HIDDEN_COLUMN, _NO_VALUE)
    counts = [0] * len(signs)
    with zipfile.ZipFile(stream) as archive:
        for number, piece in enumerate(_pieces(archive, sheet._worksheet_path)):
            before = _OVERLAP if number else 0  # what ends there was counted with the piece before
            for place, sign in enumerate(signs):
                counts[place] += sum(found.end() > before for found in sign.finditer(piece))
    return _Look(*counts)


def _judge(look: _Look, where: str, sheet: str) -> None:
    if look.without_value:
        have, them = ("has", "it") if look.without_value == 1 else ("have", "them")
        what = f"{number_of(look.without_value, 'formulas')} on sheet {shown_name(sheet)} {have} no value, "
        what += f"as no spreadsheet has counted {them}"
        raise InputError(f"{where}: {what}", "open the workbook in a spreadsheet and save it")
    counted = ((look.hidden_rows, "hidden rows"), (look.hidden_columns, "hidden columns"))
    hidden = " and ".join(number_of(number, what) for number, what in counted if number)
    if hidden:
        message = f"{where}: sheet {shown_name(sheet)} has {hidden}, which are read like all others"
        warnings.warn(message, KanopyWarning, stacklevel=2)


def _table(sheet: Any, where: str) -> pa.Table:
    rows = _filled_rows(sheet, where)
    header = [text.strip() for text in next(rows, (0, []))[1]]
    while header and not header[-1]:
        header.pop()
    if not header:
        raise InputError(f"{where}: the sheet is empty", "give a table with a header line")
    names = clean_names(header, where=where)
    blocks = (_block(block, names, where) for block in _blocks(rows))
    tables = list(within_memory(blocks, where))
    if not tables:
        raise InputError(f"{where}: no data rows", "the sheet holds only a header")
    return pa.concat_tables(tables).unify_dictionaries().combine_chunks()


def _blocks(rows: Iterator[tuple[int, list[str]]]) -> Iterator[list[tuple[int, list[str]]]]:
    block: list[tuple[int, list[str]]] = []
    for row in rows:
        block.append(row)
        if len(block) == _ROWS_AT_A_TIME:
            yield block
            block = []
    if block:
        yield block


def _block(rows: list[tuple[int, list[str]]], names: list[str], where: str) -> pa.Table:
    for number, texts in rows:
        if any(texts[len(names) :]):
            what = f"row {number} has a cell beyond the columns of the header"
            raise InputError(f"{where}: {what}", "name every column, or remove what stands beside the table")
    columns = zip_longest(*(texts[: len(names)] for _, texts in rows), fillvalue="")
    filled = [list(column) for column in columns]
    filled += [[""] * len(rows)] * (len(names) - len(filled))
    return pa.table({
        name: pa.array(column, pa.string()).dictionary_encode().cast(TEXT)
        for name, column in zip(names, filled, strict=True)
    })  # fmt: skip


def _filled_rows(sheet: Any, where: str) -> Iterator[tuple[int, list[str]]]:
    """Every row that is not blank, with its number; in one column a blank between others is a value."""
    sheet.reset_dimensions()  # what a file says about its size need not be true
    n_cells, blank, n_columns = 0, [], 0
    for number, row in enumerate(sheet.iter_rows(), start=1):
        n_cells += len(row) + 1
        if n_cells > MOST_CELLS:
            raise ResourceError(f"{where}: the sheet has more than {MOST_CELLS:,} cells", "save it as CSV")
        texts = [_text(cell) for cell in row]
        if not any(texts):
            blank.append(number)
            continue
        if n_columns == 1:
            yield from ((each, [""]) for each in blank)
        blank, n_columns = [], n_columns or sum(map(bool, texts))
        yield number, texts


def _text(cell: Any) -> str:
    """A cell as text: numbers with the digits that a spreadsheet knows, dates and times by ISO 8601."""
    value = cell.value
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, int | float):
        return _number(value, cell.number_format)
    if isinstance(value, datetime):
        is_day = value.time() == time() and not re.search(r"[hs]", cell.number_format.lower())
        return value.date().isoformat() if is_day else value.isoformat(" ", "seconds")
    if isinstance(value, timedelta):
        seconds = round(value.total_seconds())
        return f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"
    assert isinstance(value, date | time), "what else the library knows"
    return value.isoformat("seconds") if isinstance(value, time) else value.isoformat()


def _number(value: float, format: str) -> str:
    if isinstance(value, int) or value.is_integer():
        text = str(int(value))
        is_padded = _PADDED.fullmatch(format) and value >= 0
        return text.zfill(len(format)) if is_padded else text
    text = f"{Decimal(f'{value:.{_DIGITS}g}'):f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
