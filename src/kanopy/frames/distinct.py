"""Clean column names, and columns as different clean values with one code per row."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from kanopy.data.arrays import Ints
from kanopy.data.grammar import BLANK, MISSING_TEXT, composed
from kanopy.data.keys import counted
from kanopy.errors import InputError
from kanopy.frames.from_numpy import as_arrow
from kanopy.policy import normal_name, shown_name

_SHOWN_NAMES = 5
MOST_COLUMNS = 12_000  # more would take minutes, and such a table is nearly always transposed


class DistinctColumn(NamedTuple):
    """A column of the source as its different values and one code per row."""

    name: str
    texts: pa.StringArray  # clean, sorted
    values: pa.Array  # the same in the type of the source
    codes: NDArray[np.int32]  # missing is len(texts)
    counts: Ints  # how many rows have each text, and at the end how many have none
    n_cleaned: int = 0  # rows whose text had blanks around it or decomposed Unicode
    n_merged: int = 0  # values that became equal to another by cleaning
    weight: Ints | None = None  # how many rows each row stands for; None where it is one

    @property
    def n_missing(self) -> int:
        return int(self.counts[-1])


def persons_of(name: str, column: pa.ChunkedArray, missing: Sequence[str]) -> NDArray[np.int32]:
    """The person of each row, numbered from 0; -1 where the column is blank. O(rows), a sort of values."""
    found = distinct_column(name, column, missing)
    # PRIVACY: a row without a person counts for nobody (tests/properties/test_persons_in_files.py).
    return np.where(found.codes == len(found.texts), -1, found.codes) if found.n_missing else found.codes


def distinct_column(
    name: str, column: pa.ChunkedArray, missing: Sequence[str], weight: Ints | None = None
) -> DistinctColumn:
    """Find the different values of a column; O(rows) plus a sort of the values.

    PRIVACY: the result holds only values that occur: a dictionary that came in with more of them stays
    outside (tests/unit/frames/test_distinct.py).
    """
    values, codes, n_rows = _encode(name, column)
    raw = _as_text(name, values)
    clean, is_missing = _cleaned(raw, missing)
    texts = pc.unique(clean.filter(pc.invert(is_missing)))
    texts = texts.take(pc.sort_indices(texts))
    place = pc.index_in(clean, value_set=texts).fill_null(len(texts)).to_numpy(zero_copy_only=False)
    # The last entry answers code -1, which stands for null.
    place = np.append(np.where(is_missing.to_numpy(zero_copy_only=False), len(texts), place), len(texts))
    place = place.astype(np.int32)
    n_times = n_rows if weight is None else counted(codes + 1, len(values) + 1, weight)
    n_values, counts = n_times[1:], counted(np.roll(place, 1), len(texts) + 1, n_times)
    is_changed = pc.and_(pc.not_equal(clean, raw), pc.invert(is_missing)).to_numpy(zero_copy_only=False)
    used = (place[:-1] < len(texts)) & (n_values > 0)
    example = np.zeros(len(texts), dtype=np.int64)
    example[place[:-1][used][::-1]] = np.flatnonzero(used)[::-1]
    typed = texts if pa.types.is_string(raw.type) and is_text(values.type) else values.take(as_arrow(example))
    n_cleaned, n_merged = int(n_values[is_changed].sum()), int(used.sum()) - len(texts)
    return DistinctColumn(name, texts, typed, place.take(codes), counts, n_cleaned, n_merged, weight)


def clean_texts(
    name: str, column: pa.ChunkedArray, missing: Sequence[str]
) -> tuple[pa.StringArray, NDArray[np.int32]]:
    """The clean text of each raw value, missing as an empty text, and the place of each row's; O(rows)."""
    values, codes, _ = _encode(name, column)
    clean, is_missing = _cleaned(_as_text(name, values), missing)
    clean = pc.if_else(is_missing, MISSING_TEXT, clean)
    texts = pa.concat_arrays([clean, pa.array([MISSING_TEXT], clean.type)])
    return texts, np.where(codes < 0, np.int32(len(clean)), codes) if codes.min(initial=0) < 0 else codes


def _cleaned(raw: pa.StringArray, missing: Sequence[str]) -> tuple[Any, Any]:
    """Clean texts, and which of them mean missing."""
    clean = pc.utf8_trim(raw, characters=BLANK)
    if not pc.all(pc.string_is_ascii(clean)).as_py():
        # Python composes Unicode (NFC): not every version of pyarrow gets it right.
        clean = pa.array([composed(text) for text in clean.to_pylist()], pa.string())
    return clean, pc.is_in(clean, value_set=pa.array(["", *missing], clean.type))


def _encode(name: str, column: pa.ChunkedArray) -> tuple[pa.Array, NDArray[np.int32], Ints]:
    """The different values that occur, without nulls, their place per row (-1 for null), and how many rows
    have none and each of them."""
    if pa.types.is_nested(column.type) or "binary" in outer_type(column.type):
        raise _unsuitable(name, column.type)
    if pa.types.is_null(column.type):
        return pa.array([], pa.string()), np.full(len(column), -1, dtype=np.int32), np.array([len(column)])
    if pa.types.is_floating(column.type) and column.type != pa.float64():
        column = column.cast(pa.float64())
    if not pa.types.is_dictionary(column.type):
        try:
            column = column.dictionary_encode()
        except pa.ArrowNotImplementedError:
            raise _unsuitable(name, column.type) from None
    whole = column.unify_dictionaries().combine_chunks()
    if isinstance(whole, pa.ChunkedArray):  # an empty table has no chunk to combine
        return pa.array([], pa.string()), np.zeros(0, dtype=np.int32), np.zeros(1, dtype=np.int64)
    codes = whole.indices.cast(pa.int32()).fill_null(-1).to_numpy(zero_copy_only=False)
    values = whole.dictionary
    counts = np.bincount(codes + 1, minlength=len(values) + 1)
    is_used = (counts[1:] > 0) & values.is_valid().to_numpy(zero_copy_only=False)
    if is_used.all():
        return values, codes, counts
    place = np.append(np.where(is_used, np.cumsum(is_used) - 1, -1), -1).astype(np.int32)
    of_null = counts.sum() - counts[1:][is_used].sum()
    return values.filter(as_arrow(is_used)), place.take(codes), np.append(of_null, counts[1:][is_used])


def _as_text(name: str, values: pa.Array) -> Any:
    try:
        texts = values.cast(pa.string())
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        raise _unsuitable(name, values.type) from None
    try:
        texts.validate(full=True)
    except pa.ArrowInvalid:
        raise InputError(f"column {name!r} holds text that is not Unicode", "clean the column") from None
    if pc.any(pc.match_substring(texts, "\0")).as_py():
        raise InputError(f"column {name!r} holds text with a NUL character", "clean the column")
    return texts


def _unsuitable(name: str, kind: pa.DataType) -> InputError:
    return InputError(
        f"column {name!r} holds {outer_type(kind)} values", "only plain values can be published"
    )


def outer_type(kind: pa.DataType) -> str:
    """PRIVACY: only the outer type is told, what is inside may be named after cells (same test)."""
    return str(kind).split("<", maxsplit=1)[0].split("[", maxsplit=1)[0]


def is_text(kind: pa.DataType) -> bool:
    """Whether values are texts, also where they are stored as a dictionary."""
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    return str(kind) in ("string", "large_string", "string_view")


def clean_names(names: Sequence[str], *, where: str) -> list[str]:
    """Strip and NFC-normalise column names; refuse too many, empty ones and equal ones; O(columns)."""
    if len(names) > MOST_COLUMNS:
        raise InputError(
            f"{where} has {len(names):,} columns, and {MOST_COLUMNS:,} are the most that can be read",
            "leave columns out; is the table transposed, or the delimiter a different one?",
        )
    cleaned = [normal_name(name) for name in names]
    unnamed = [number for number, name in enumerate(cleaned, start=1) if not name]
    if unnamed:
        numbers = ", ".join(str(number) for number in unnamed[:_SHOWN_NAMES])
        what = f"column {numbers} has no name" if len(unnamed) == 1 else f"columns {numbers} have no name"
        raise InputError(f"{where}: {what}", "name every column; a delimiter at the line end makes one too")
    twice = [name for name, n_times in Counter(cleaned).items() if n_times > 1]
    if twice:
        raise InputError(f"{where}: column names occur more than once: {_listed(twice)}", "rename them")
    forms = Counter(_folded(name) for name in cleaned)
    alike = [name for name in cleaned if forms[_folded(name)] > 1]
    if alike:
        raise InputError(f"{where}: column names differ only in case: {_listed(alike)}", "rename them")
    return cleaned


def _listed(names: Iterable[str]) -> str:
    listed = [shown_name(name) for name in names]
    more = [f"and {len(listed) - _SHOWN_NAMES} more"] if len(listed) > _SHOWN_NAMES else []
    return ", ".join(listed[:_SHOWN_NAMES] + more)


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", name).casefold())
