"""Compares a table with its source before it is published: no untrue cell, no shifted row, no other order."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from kanopy.auditing.sketches import GroupedRows, true_sketches
from kanopy.auditing.statistics import OriginalRows
from kanopy.auditing.text import TextRows, TextTable, texts_in
from kanopy.data import Domain
from kanopy.data.arrays import Codes, Ints
from kanopy.data.grammar import MISSING_TEXT, Part, ReadCell, read_cell
from kanopy.data.keys import count_keys, number_runs, paired
from kanopy.data.value_sets import CellTexts, Run, ValueSets, runs_of_names
from kanopy.errors import VerificationError
from kanopy.frames.distinct import clean_texts
from kanopy.frames.published import PublishedRows, PublishedTable

_NOISE = 1e-12
_HINT = "nothing was published; please report this"


class ShownAs(NamedTuple):
    """Columns whose cells speak of their groups: numbers that are means, and sketches."""

    means: Collection[str] = ()
    sketches: Collection[str] = ()


def count_untrue_cells(
    published: PublishedTable,
    source: pa.Table,
    rows: PublishedRows,
    domains: Sequence[Domain],
    missing: Sequence[str],
    shown: ShownAs,
    weight: Ints | None = None,
    persons: Codes | None = None,
) -> int:
    """How many cells of the quasi-identifiers do not cover the value that the source has in their row.

    Every published text is read back and compared once with every different source value in its rows:
    O(rows * columns), plus a sort where texts times values outgrow the rows. ``published`` is sorted by its
    quasi-identifiers, whose ``domains`` are given; ``rows`` come from those of the source. ``weight`` is how
    many rows each of ``rows`` stands for; a cell is counted once all the same. ``persons`` are those behind
    ``rows``. Sketches take a sort per column.
    """
    columns = {column.name: column for column in published.columns}
    keys = [columns[domain.name].codes for domain in domains] if any(shown) else []
    of_line, n_groups = number_runs(keys, published.n_lines)
    groups, n_untrue = GroupedRows(rows.of_line(of_line), n_groups, weight, persons), 0
    for domain in domains:
        texts, codes = clean_texts(domain.name, source[domain.name], missing)
        # The code of each text; -1, which no cell covers, where the domain does not have it.
        labels = pa.array([*domain.labels, MISSING_TEXT], pa.string())
        code_of_text = np.asarray(pc.index_in(texts, value_set=labels).fill_null(-1), dtype=np.int64)
        words, text_of_row = columns[domain.name].words.to_pylist(), codes.take(rows.origin)
        word_of_row = rows.of_line(columns[domain.name].codes)
        if domain.name in shown.means:
            n_untrue += _untrue_means(words, word_of_row, groups, domain, code_of_text.take(text_of_row))
        elif domain.name in shown.sketches:
            cells, codes_of_row = [_read(word) for word in words], code_of_text.take(text_of_row)
            n_untrue += int((~true_sketches(cells, word_of_row, groups, domain, codes_of_row)).sum())
            is_other = np.array([not cell.is_sketch for cell in cells], dtype=bool)[word_of_row]
            some = word_of_row[is_other], domain, code_of_text, text_of_row[is_other]
            n_untrue += _uncovered(words, *some)
        else:
            n_untrue += _uncovered(words, word_of_row, domain, code_of_text, text_of_row)
    return n_untrue


def check_unchanged(
    published: PublishedTable, source: pa.Table, rows: PublishedRows, names: Set[str], missing: Sequence[str]
) -> None:
    """Raise a VerificationError unless these columns are those of the source, row by row; O(rows) each."""
    for column in published.columns:
        if column.name not in names:
            continue
        texts, codes = clean_texts(column.name, source[column.name], missing)
        place = pc.index_in(texts, value_set=column.words).fill_null(-1).to_numpy(zero_copy_only=False)
        if not np.array_equal(place.take(codes.take(rows.origin)), rows.of_line(column.codes)):
            raise VerificationError(f"column {column.name!r} differs from the source", _HINT)


def check_order(published: PublishedTable, first: Sequence[str]) -> None:
    """Raise a VerificationError unless rows are sorted by their texts, by the given columns first.

    PRIVACY: any other order could be that of the source (tests/sabotage/test_truth.py).
    """
    columns = {column.name: column for column in published.columns}
    others = [name for name in columns if name not in set(first)]
    is_tie = np.ones(max(published.n_lines - 1, 0), dtype=bool)
    for name in (*first, *others):
        if not is_tie.any():
            return
        words = columns[name].words
        texts = words.filter(pc.not_equal(words, MISSING_TEXT))
        is_sorted = pc.all(pc.less(texts[:-1], texts[1:]), min_count=0).as_py()
        steps = np.diff(columns[name].codes)
        if not is_sorted or (is_tie & (steps < 0)).any():
            raise VerificationError("the rows are not sorted by their texts", _HINT)
        is_tie &= steps == 0


def _uncovered(
    words: Sequence[str], word_of_row: Codes, domain: Domain, code_of_text: Ints, text_of_row: Codes
) -> int:
    n_words = len(words)
    keys = paired(text_of_row, word_of_row, len(code_of_text), n_words)
    pairs, n_rows = count_keys(keys, len(code_of_text) * n_words)
    codes, word = code_of_text[pairs // n_words], pairs % n_words
    is_covered = covered_values(domain, words).covers(word, codes) & (codes >= 0)
    return int(n_rows[~is_covered].sum())


def _untrue_means(
    words: Sequence[str], word_of_row: Codes, rows: GroupedRows, domain: Domain, codes: Ints
) -> int:
    """Rows whose printed number is not the mean of their group, up to the rounding of the column."""
    assert domain.numbers is not None
    group, n_groups, weight, _ = rows
    is_number = (codes >= 0) & (codes < domain.n_values)
    times = np.ones(int(is_number.sum())) if weight is None else weight[is_number]
    n_numbers = np.bincount(group[is_number], weights=times, minlength=n_groups)
    # Divided before adding: a sum of large floats may not fit into a float.
    parts = domain.numbers[codes[is_number]] * (times / n_numbers[group[is_number]])
    means = np.bincount(group[is_number], weights=parts, minlength=n_groups)
    printed = np.array([_number(word) for word in words])[word_of_row]
    # Half a unit of the last printed digit, and what adding up floats of this size may cost.
    sizes = np.bincount(group[is_number], weights=np.abs(parts), minlength=n_groups)
    tolerance = 0.5 * 10.0**-domain.decimals + _NOISE * sizes
    is_true = np.abs(printed - means[group]) <= tolerance[group]
    # A text without a number is a suppressed cell, or the missing one of a group without numbers.
    is_word = np.isnan(printed)
    word_codes = word_of_row[is_word].astype(np.int64)
    is_true[is_word] = covered_values(domain, words).covers(word_codes, codes[is_word])
    return int((~is_true).sum())


def _number(word: str) -> float:
    try:
        return float(word)
    except ValueError:
        return float("nan")


def covered_values(domain: Domain, words: Sequence[str]) -> ValueSets:
    """The values that each published text covers; none where it cannot be read or names an unknown value."""
    run_of_name, code_of, nothing = runs_of_names(domain), domain.code_of, (0, -1)

    def run_of(part: Part) -> Run:
        if isinstance(part, str):
            return run_of_name.get(part, nothing)
        low, high = (code_of.get(end, -1) for end in part)
        return (low, high) if domain.is_numeric and 0 <= low <= high else nothing

    texts = CellTexts.of([_read(word) for word in words])
    begin, end = np.array([run_of(part) for part in texts.parts], dtype=np.int64).reshape(-1, 2).T
    places, without_missing = np.arange(len(begin)), np.zeros(len(begin), dtype=bool)
    return texts.sets(ValueSets.of_runs(domain.n_values, places, begin, end, without_missing))


def original_rows(
    domain: Domain,
    published: PublishedTable,
    source: pa.Table,
    rows: PublishedRows,
    persons: Codes | None,
    missing: Sequence[str],
) -> OriginalRows:
    """The originals of the published rows in one column, beside what the release says; O(rows)."""
    (column,) = (each for each in published.columns if each.name == domain.name)
    texts, codes = clean_texts(domain.name, source[domain.name], missing)
    domain = with_ends(domain, column.words.to_pylist())
    labels = (*domain.labels, MISSING_TEXT)
    code_of_text = pc.index_in(texts, value_set=pa.array(labels, pa.string())).fill_null(-1)
    of_row = code_of_text.to_numpy(zero_copy_only=False)[codes.take(rows.origin)]
    words = column.words.to_pylist()
    covered = covered_values(domain, words)
    is_open = covered.sizes + covered.with_missing != 1
    open_cells = covered_values(domain, [words[place] for place in np.flatnonzero(is_open).tolist()])
    return OriginalRows(labels, of_row, ~is_open[rows.of_line(column.codes)], persons, open_cells)


def with_ends(domain: Domain, words: Sequence[str]) -> Domain:
    """The domain with the ends of published ranges that are no values of the table, as ``widen`` makes them:
    whoever reads ``[20, 25]`` does not know that 23 is all that the table has there."""
    if domain.numbers is None or domain.hierarchy is not None:
        return domain
    ends = {end for word in words for pair in _read(word).ranges for end in pair}
    labels = [
        *domain.labels,
        *(end for end in sorted(ends - domain.code_of.keys()) if domain.scale.holds(end)),
    ]
    numbers = np.append(domain.numbers, domain.scale.numbers(labels[domain.n_values :]))
    order = np.argsort(numbers, kind="stable")
    return replace(domain, labels=tuple(labels[place] for place in order.tolist()), numbers=numbers[order])


def _read(text: str) -> ReadCell:
    try:
        return read_cell(text)
    except ValueError:
        return ReadCell()


def leaves_are_groups(
    leaves: Iterable[Mapping[str, int]], table: TextTable, quasi: Sequence[str], target: str
) -> bool:
    """Whether a published tree's leaves, rows by class, are the groups of the table; O(rows * columns)."""
    held = texts_in(TextRows(table).grouped(quasi), table.columns[target])
    words = table.columns[target].words.to_pylist()
    lines: list[dict[str, int]] = [{} for _ in range(held.n_groups)]
    for group, value, n_rows in np.stack([held.group, held.value, held.count], axis=1).tolist():
        lines[group][words[value]] = n_rows
    return _sorted_counts(lines) == _sorted_counts(leaves)


def leaves_follow_from_rows(
    leaves: Mapping[int, Mapping[str, int]],
    leaf: Codes,
    tests: Sequence[tuple[Domain, Ints, Ints]],
    table: TextTable,
    quasi: Sequence[str],
    target: str,
) -> bool:
    """Whether the leaves of a tree say nothing that the published rows do not say; O(rows * tests).

    ``leaves`` are rows by class, ``leaf`` that of each row. No leaf reaches over two groups of the table, and
    the published text of every row passes the ``tests``: a column, with the first and the last code that each
    leaf allows.
    """
    group, _ = TextRows(table).grouped(quasi)
    group_of_leaf = np.zeros(int(leaf.max(initial=0)) + 1, dtype=group.dtype)
    group_of_leaf[leaf] = group
    if (group_of_leaf[leaf] != group).any():
        return False
    for domain, low, high in tests:
        column = table.columns[domain.name]
        code_of = {**domain.code_of, MISSING_TEXT: domain.missing_code}
        codes = np.array([code_of.get(word, -1) for word in column.words.to_pylist()])[column.codes]
        if ((codes < low[leaf]) | (codes > high[leaf])).any():
            return False
    held = texts_in((leaf.astype(np.int32), len(group_of_leaf)), table.columns[target])
    words = table.columns[target].words.to_pylist()
    found: dict[int, dict[str, int]] = {}
    for number, value, n_rows in np.stack([held.group, held.value, held.count], axis=1).tolist():
        found.setdefault(number, {})[words[value]] = n_rows
    told = {number: {word: n for word, n in line.items() if n} for number, line in leaves.items()}
    return found == told


def _sorted_counts(lines: Iterable[Mapping[str, int]]) -> list[tuple[tuple[str, int], ...]]:
    return sorted(tuple(sorted((word, n) for word, n in line.items() if n)) for line in lines)
