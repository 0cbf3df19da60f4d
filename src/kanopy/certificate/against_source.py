"""A release beside its source, for the custodian: rows and unchanged columns, counted from bytes once more.

The source is not read by kanopy's own readers, but by Python's ``csv`` or by plain pyarrow: what those did
wrong once, they would do wrong again.
"""

from __future__ import annotations

import csv
import gzip
import os
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from math import isnan
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa

from kanopy.auditing import TextTable
from kanopy.certificate.check import FAILS, HOLDS, NOT_CHECKED, Check
from kanopy.certificate.reading import Certificate
from kanopy.data.grammar import MISSING_TEXT, clean_text
from kanopy.errors import InputError, KanopyError, PolicyError
from kanopy.frames.csv_rows import fields_as_long_as_rows
from kanopy.frames.packed import file_form
from kanopy.policy import Policy, normal_name, shown_name

_ROWS_AT_A_TIME = 1 << 14
_SHOWN = 10  # names of columns in a message
_DELIMITERS = {".csv": ",", ".txt": ",", ".csv.gz": ",", ".txt.gz": ",", ".tsv": "\t", ".tsv.gz": "\t"}
_PARQUET = (".parquet", ".pq")


class CountedSource(NamedTuple):
    """How many rows a table has, and how often each text stands in a column; None where nobody can tell."""

    n_rows: int
    columns: dict[str, Counter[str] | None]
    floats: frozenset[str] = frozenset()  # columns whose numbers, and not their texts, are the same


def source_checks(
    source: str | os.PathLike[str], table: TextTable | None, known: Certificate, policy: Policy | None
) -> Iterator[Check]:
    """Compare a release with its source; O(rows * columns), with the different texts of a column in memory.

    ``policy`` says how the source is written, and which texts in it mean missing. Messages are for the
    custodian: they tell how many rows were left out.

    Raises
    ------
    InputError, PolicyError
        Where the source cannot be read; never with a cell.
    """
    if table is None or set(table.columns) != set(known.release.columns):
        yield Check("source", NOT_CHECKED, "the release does not hold the certified columns")
        return
    if not known.contents["truthful"]:
        yield Check("source", NOT_CHECKED, "the release holds cells that were swapped or made up")
        return
    names = [name for name in known.release.columns if known.roles[name] != "quasi_identifiers"]
    found = counted_source(source, names, policy)
    n_left_out = found.n_rows - table.n_rows
    rows = f"{found.n_rows:,} rows in the source, {table.n_rows:,} in the release"
    if n_left_out < 0:
        yield Check("source rows", FAILS, f"{rows}: more than the source has")
    else:
        more = f": {n_left_out:,} were left out" if n_left_out else ""
        yield Check("source rows", HOLDS, f"{rows}{more}. Every line of the source was counted")
    yield from _column_checks(found, table, known, names, policy)


def _column_checks(
    found: CountedSource, table: TextTable, known: Certificate, names: Sequence[str], policy: Policy | None
) -> Iterator[Check]:
    """Every column that is published as it is: which hold, which do not, and which nobody can compare."""
    rewritten = _rewritten(known, names, policy)
    same, other, apart = [], [], []
    for name in names:
        if name in rewritten or (name in found.columns and found.columns[name] is None):
            apart.append(name)
        elif name not in found.columns:
            other.append(f"{shown_name(name)} is not in the source")
        elif n_more := _n_more(found, table, name, policy):
            other.append(f"{n_more:,} cells of {shown_name(name)} are not those of the source")
        else:
            same.append(name)
    if other:
        hint = "" if policy else ". If the policy converts or derives columns, give it with --policy"
        yield Check("source columns", FAILS, f"{'; '.join(other[:_SHOWN])}{hint}")
    elif same:
        what = "the same cells as the source" if found.n_rows == table.n_rows else "cells of the source only"
        said = "" if policy else "; texts that mean missing are not known without --policy"
        yield Check("source columns", HOLDS, f"{_listed(same)}: {what}, in another order{said}")
    if apart:
        what = "dates, numbers in another notation or derived columns are written anew"
        yield Check("source columns", NOT_CHECKED, f"{_listed(apart)}: {what}")


def _rewritten(known: Certificate, names: Sequence[str], policy: Policy | None) -> set[str]:
    """The columns that a release writes in another way than its source."""
    found = set(known.contents["columns"])
    if policy is None:
        return found
    if policy.source.decimal or policy.source.thousands:
        found |= {name for name in names if known.cells.get(name, {}).get("cells") == "plain numbers"}
    return found | set(policy.columns) | set(policy.derived)


def _n_more(found: CountedSource, table: TextTable, name: str, policy: Policy | None) -> int:
    """How many cells of a column stand there too often or, with no row left out, not often enough."""
    counts = found.columns[name] or Counter[str]()
    words, n_of_word = table.columns[name].words.to_pylist(), table.columns[name].counts.tolist()
    key = _as_number if name in found.floats else str
    released = Counter[str]()
    for word, n_times in zip(words, n_of_word, strict=True):
        released[key(word)] += n_times
    if policy is None:  # a text that is nowhere in the release may mean missing
        counts = _added(counts, lambda text: text if text in released else MISSING_TEXT)
    n_more = (released - counts).total()
    n_fewer = (counts - released).total() if found.n_rows == table.n_rows else 0
    return max(n_more, n_fewer)


def _added(counts: Counter[str], text_of: Any) -> Counter[str]:
    """The same counts by other texts, of which several may become one."""
    added = Counter[str]()
    for text, n_times in counts.items():
        added[text_of(text)] += n_times
    return added


def _as_number(text: str) -> str:
    """The same text for every way to write a number; missing is no number."""
    try:
        number = float(text)
    except ValueError:
        return text
    return MISSING_TEXT if isnan(number) else repr(number + 0.0)


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _SHOWN:,} more" if len(names) > _SHOWN else ""
    return f"{', '.join(map(shown_name, names[:_SHOWN]))}{more}"


def counted_source(source: Any, names: Sequence[str], policy: Policy | None = None) -> CountedSource:
    """Rows of a file, and the texts of some of its columns; O(rows * columns)."""
    if not isinstance(source, str | os.PathLike):
        what = f"a source is named by its path; this is a {type(source).__name__}"
        raise PolicyError(what, 'for example "data.csv"')
    path, form = Path(source), file_form(source)
    if form not in (*_DELIMITERS, *_PARQUET):
        hint = "give one .csv, .tsv, .txt (also .gz) or .parquet file"
        raise PolicyError(f"{path.name}: a source of this kind is not compared", hint)
    if not path.is_file():  # a pipe might never end
        raise InputError(f"{path.name}: no such file", "name the table that the release was made from")
    missing = set() if policy is None else set(policy.missing)
    fault: KanopyError
    try:
        counted = _of_parquet(path, names) if form in _PARQUET else _of_csv(path, form, names, policy)
        columns = {name: _cleaned(each, missing) for name, each in counted.columns.items()}
        return counted._replace(columns=columns)
    except (csv.Error, zlib.error, LookupError, ValueError, EOFError, OSError, pa.ArrowException) as error:
        kind = type(error).__name__  # its text may quote cells
        hint = "the policy says how a file is written: give it with --policy"
        fault = InputError(f"{path.name}: cannot be read independently ({kind})", hint)
    raise fault


def _cleaned(counts: Counter[str] | None, missing: set[str]) -> Counter[str] | None:
    """By texts as tables have them, with one for all that mean missing."""
    if counts is None:
        return None
    clean = _added(counts, clean_text)
    return _added(clean, lambda text: MISSING_TEXT if text in missing else text)


def _of_csv(path: Path, form: str, names: Sequence[str], policy: Policy | None) -> CountedSource:
    said = None if policy is None else policy.source
    delimiter = (said and said.delimiter) or _DELIMITERS[form]
    encoding = (said and said.encoding) or "utf-8"
    quote = (said and said.quote) or '"'
    with _text_of(path, encoding) as stream, fields_as_long_as_rows():
        rows = csv.reader(stream, delimiter=delimiter, quotechar=quote, strict=True)
        header = [normal_name(name) for name in next((row for row in rows if row), [])]
        if len(set(header)) < len(header):
            raise InputError(f"{path.name}: two columns have one name", "rename one of them")
        places = {name: header.index(name) for name in names if name in header}
        counts: dict[str, Counter[str]] = {name: Counter() for name in places}
        n_rows = 0
        while block := list(islice(rows, _ROWS_AT_A_TIME)):
            block = [row or [""] for row in block] if len(header) == 1 else list(filter(None, block))
            if set(map(len, block)) - {len(header)}:
                raise InputError(f"{path.name}: rows are not as wide as the header", "write the file again")
            n_rows += len(block)
            for name, place in places.items():
                counts[name].update([row[place] for row in block])
    return CountedSource(n_rows, dict(counts))


@contextmanager
def _text_of(path: Path, encoding: str) -> Iterator[Any]:
    """The text of a file as it stands, line ends included; a mark at its beginning is none of it."""
    encoding = "utf-8-sig" if encoding.lower().replace("_", "-") in ("utf-8", "utf8") else encoding
    opened = gzip.open if path.suffix.lower() == ".gz" else open
    with opened(path, "rt", encoding=encoding, newline="") as stream:
        yield stream


def _of_parquet(path: Path, names: Sequence[str]) -> CountedSource:
    from pyarrow.parquet import ParquetFile  # slow to load

    with ParquetFile(path) as opened:
        schema, n_rows = opened.schema_arrow, 0
        kinds = {normal_name(each.name): each for each in schema if normal_name(each.name) in names}
        counts: dict[str, Counter[str] | None] = {
            name: Counter[str]() if _is_comparable(each.type) else None for name, each in kinds.items()
        }
        floats = frozenset(name for name, each in kinds.items() if pa.types.is_floating(_values(each.type)))
        for batch in opened.iter_batches(columns=[each.name for each in kinds.values()]):
            n_rows += batch.num_rows
            for name, each in kinds.items():
                if (so_far := counts[name]) is not None:
                    texts = map(_text_of_value, batch.column(each.name).to_pylist())
                    so_far.update(map(_as_number, texts) if name in floats else texts)
    return CountedSource(n_rows, counts, floats)


def _values(type_: pa.DataType) -> pa.DataType:
    return type_.value_type if pa.types.is_dictionary(type_) else type_


def _is_comparable(type_: pa.DataType) -> bool:
    """Whether Python's text of a value is that of the release: not of times, for example."""
    kinds = pa.types
    tests = (kinds.is_string, kinds.is_large_string, kinds.is_integer, kinds.is_floating, kinds.is_boolean,
             kinds.is_date, kinds.is_null)  # fmt: skip
    return any(test(_values(type_)) for test in tests)


def _text_of_value(value: Any) -> str:
    if value is None:
        return MISSING_TEXT
    return str(value).lower() if isinstance(value, bool) else str(value)
