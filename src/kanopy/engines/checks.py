"""What every engine checks before it returns a release: rows, promise, truth, and a published tree."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from kanopy.algorithms import Method
from kanopy.auditing import Audit, TextTable
from kanopy.auditing.limits import check_suppressed
from kanopy.auditing.pooled import wrong_correlation, wrong_with_classes
from kanopy.auditing.row_sum import RowSum
from kanopy.auditing.sketches import LEAST_BEHIND_A_SKETCH, GroupedRows
from kanopy.auditing.text import TextRows
from kanopy.auditing.truth import (
    ShownAs,
    check_order,
    check_unchanged,
    count_untrue_cells,
    leaves_are_groups,
    leaves_follow_from_rows,
)
from kanopy.data import CellKind, CodedColumn, EncodedTable, RecodedColumn, Recoding
from kanopy.data.arrays import Bools, Codes, Floats, Ints
from kanopy.data.keys import count_keys, distinct_sorted, number_runs, paired
from kanopy.data.mixed_classes import MixedClasses
from kanopy.data.value_sets import ValueSets
from kanopy.engines.request import Request
from kanopy.errors import Hint, UnsatisfiableError, VerificationError
from kanopy.frames.byte_counts import ColumnSums, SourceBytes
from kanopy.frames.published import PublishedRows, PublishedTable
from kanopy.policy import Policy
from kanopy.privacy import PrivacyModel, largest_k

_REPORT = "please report this"


def check_split(method: Method, table: EncodedTable, recoding: Any) -> None:
    """A method may be anybody's: what it returns must be a recoding, of the table's rows or of their parts.

    O(rows). PRIVACY: a row in more parts than it stands for fills a group (tests/sabotage/test_truth.py).
    """
    if not isinstance(recoding, Recoding):
        raise VerificationError(f"method {method.name!r} did not return a Recoding", _REPORT)
    if recoding.split is None:
        return
    origin, weight = recoding.split.origin, recoding.split.weight
    adds_up = origin.dtype == weight.dtype == np.int64 and origin.shape == weight.shape == (len(origin),)
    adds_up = adds_up and len(origin) > 0 and origin.min() >= 0 and weight.min() > 0
    adds_up = adds_up and origin.max() < table.n_rows and table.persons is None
    given = np.ones(table.n_rows) if table.weight is None else table.weight
    if not adds_up or not np.array_equal(np.bincount(origin, weight, table.n_rows), given):
        what = f"method {method.name!r} returned parts of rows that do not add up to the rows"
        raise VerificationError(what, _REPORT)


def check_form(method: Method, table: EncodedTable, recoding: Recoding) -> None:
    """What a method returns must be a recoding of this table, its rows in parts. O(rows * columns)."""
    names = [column.domain.name for column in recoding.columns]
    is_kept = recoding.is_kept
    fits = names == [column.domain.name for column in table.quasi] and is_kept.shape == (table.n_rows,)
    fits = fits and is_kept.dtype == bool and all(_is_within(column, is_kept) for column in recoding.columns)
    if not fits:
        raise VerificationError(f"method {method.name!r} returned a Recoding of another table", _REPORT)
    if method.is_global and not all(map(_is_global, table.quasi, recoding.columns)):
        raise VerificationError(f"method {method.name!r} did not recode a value alike in all rows", _REPORT)


def _is_global(original: CodedColumn, column: RecodedColumn) -> bool:
    """Whether each value has one cell, and what is suppressed lies in no other; O(rows + cells * codes)."""
    n_codes, n_cells = original.domain.n_codes, len(column.cells)
    ids = column.ids + 1  # rows that are dropped may have no cell
    if ids.min(initial=0) < 0 or ids.max(initial=0) > n_cells:
        return False
    keys = paired(original.codes, ids, n_codes, n_cells + 1)
    code, cell = np.divmod(count_keys(keys, n_codes * (n_cells + 1))[0], n_cells + 1)
    if (code[1:] == code[:-1]).any():
        return False
    cell_of_code = np.full(n_codes, -1)
    cell_of_code[code] = cell - 1
    is_suppressed = np.array([cell.kind is CellKind.SUPPRESSED for cell in column.cells], dtype=bool)
    used = distinct_sorted(cell[cell > 0] - 1)
    others = [column.cells[number] for number in used[~is_suppressed[used]].tolist()]
    sets = ValueSets.of_cells(original.domain.n_values, others)
    shown = np.zeros(original.domain.n_codes, dtype=bool)
    shown[sets.members] = True
    shown[-1] = sets.with_missing.any()
    return not np.any(shown & (cell_of_code >= 0) & is_suppressed[cell_of_code])


def _is_within(column: RecodedColumn, is_kept: Bools) -> bool:
    """Whether every row that is kept has one of the column's cells."""
    if column.ids.shape != is_kept.shape or column.ids.dtype.kind not in "iu":
        return False
    ids = column.ids if is_kept.all() else column.ids[is_kept]
    return not len(ids) or bool(ids.min() >= 0 and ids.max() < len(column.cells))


def check_read(
    source: SourceBytes, read: ColumnSums, counted: ColumnSums | None, table: EncodedTable
) -> None:
    """PRIVACY: a reader that loses, doubles or shifts rows would be believed by all that comes after it
    (tests/sabotage/test_readers.py)."""
    source.check(read, counted)
    if table.total_weight != read.n_rows:
        raise VerificationError("other rows were encoded than were read", _REPORT)


def check_persons(persons: Codes | None, ids: pa.ChunkedArray | None, rows: PublishedRows) -> None:
    """PRIVACY: persons who are counted twice, or behind other rows than their own, would fill a group
    (tests/sabotage/test_readers.py).

    ``ids`` are the person column as it came, row by row: each of its texts is one person. O(rows).
    """
    if ids is None and persons is None:
        return
    if ids is None or persons is None or rows.line is not None or len(persons) != len(rows.origin):
        raise VerificationError("persons were not counted row by row", _REPORT)
    coded = ids.combine_chunks().dictionary_encode()
    numbers = pc.fill_null(coded.indices, len(coded.dictionary)).to_numpy(zero_copy_only=False)
    number = numbers.take(rows.origin)
    person_of = np.full(len(coded.dictionary) + 1, -1, dtype=np.int64)
    person_of[number] = persons
    if not np.array_equal(person_of[number], persons):
        raise VerificationError("rows of one person were counted as those of several", _REPORT)


def check_counted(read: RowSum, counted: RowSum) -> None:
    """PRIVACY: equal rows that are counted too often would fill a group (tests/sabotage/test_truth.py)."""
    if read != counted:
        raise VerificationError("the rows that were read and counted do not add up", _REPORT)


def check_rows(
    table: EncodedTable, rows: PublishedRows, published: PublishedTable, recoding: Recoding
) -> None:
    """PRIVACY: a row that is published twice would fill a group all by itself (tests/sabotage)."""
    n_times, n_lines = np.bincount(rows.origin, minlength=len(recoding.is_kept)), published.n_lines
    fits = np.array_equal(n_times, recoding.is_kept)
    n_rows = np.bincount(rows.of_line(np.arange(n_lines)), table.weight_of(rows.origin), n_lines)
    weight = np.ones(n_lines) if published.weight is None else published.weight
    if not fits or not np.array_equal(n_rows, weight) or published.n_rows != n_rows.sum():
        raise VerificationError("the rows that go in and come out do not add up", _REPORT)


def check_dropped(method: Method, policy: Policy, table: EncodedTable, recoding: Recoding) -> None:
    """PRIVACY: a method that loses rows it must not lose may have lost a whole group (tests/sabotage)."""
    dropped = np.flatnonzero(~recoding.is_kept)
    if method.drops == "any rows" or not len(dropped):
        return
    unit = "rows" if table.persons is None else "persons"
    n_members = table.n_lost_with(dropped)
    if method.drops == "no rows" or n_members >= (largest_k(policy.promise) or 0):
        what = f"method {method.name!r} dropped {n_members} {unit}, more than it may"
        raise VerificationError(what, _REPORT)


def check_suppressed_rows(request: Request, policy: Policy, text: TextTable, table: EncodedTable) -> None:
    """PRIVACY: a method that suppresses more rows than it may has found another answer than was asked for
    (tests/sabotage/test_plain_counts.py). Rows that are local may show nothing without being suppressed."""
    options = request.options
    if "max_suppressed" in options and not options.get("local"):
        by_itself = (largest_k(policy.promise) or 1) if options.get("until") == "k" else 0
        check_suppressed(text, policy, options["max_suppressed"], table.total_weight, by_itself)


def check_truth(
    method: Method,
    policy: Policy,
    recoding: Recoding,
    published: PublishedTable,
    source: pa.Table,
    rows: PublishedRows,
    weight: Ints | None,
    persons: Codes | None = None,
) -> int:
    """PRIVACY: counting does not find cells of another group, a class of another row, or a telling order
    (tests/sabotage/test_truth.py). Returns the number of untrue cells, if the method may have any."""
    check_order(published, policy.quasi_identifiers)
    unchanged = policy.published - set(policy.quasi_identifiers)
    if method.is_synthetic:
        unchanged -= {policy.target}
    check_unchanged(published, source, rows, unchanged, policy.missing)
    domains = [column.domain for column in recoding.columns]
    kinds = {column.domain.name: {cell.kind for cell in column.cells} for column in recoding.columns}
    shown = ShownAs(
        *([name for name, used in kinds.items() if kind in used] for kind in (CellKind.MEAN, CellKind.SKETCH))
    )
    n_untrue = count_untrue_cells(published, source, rows, domains, policy.missing, shown, weight, persons)
    if n_untrue > recoding.facts.get("swapped_cells", 0) and not method.is_synthetic:
        raise VerificationError(f"{n_untrue} published cells do not cover what the source says", _REPORT)
    return n_untrue


def check_reading(
    recoding: Recoding, published: PublishedTable, table: EncodedTable, rows: PublishedRows, floor: int
) -> None:
    """PRIVACY: sketches must be about groups of 30 rows or more, and the correlation beside them that of all
    groups together, of two decimals, about enough people (tests/sabotage/test_sketch_gate.py).
    O(rows * columns^2)."""
    reading, told = recoding.reading, {column.name: column for column in published.columns}
    has_sketches = any(cell.kind is CellKind.SKETCH for column in recoding.columns for cell in column.cells)
    if reading is None and not has_sketches:
        return
    names = [column.domain.name for column in table.quasi]
    of_line, n_groups = number_runs([told[name].codes for name in names], published.n_lines)
    persons = None if table.persons is None else table.persons[rows.origin]
    grouped = GroupedRows(rows.of_line(of_line), n_groups, table.weight_of(rows.origin), persons)
    # Groups that print single values count, too: such a cell says what all their rows have.
    if grouped.smallest < LEAST_BEHIND_A_SKETCH:
        what = f"a sketch is about {grouped.smallest} rows, fewer than {LEAST_BEHIND_A_SKETCH}"
        raise VerificationError(what, _REPORT)
    if reading is None:
        return
    if len(reading.orders) != len(names) or not all(map(_is_order, reading.orders, table.quasi)):
        raise VerificationError("the order of categories is not one of this table", _REPORT)
    columns = [(column.domain, column.codes[rows.origin]) for column in table.quasi]
    for wrong in wrong_correlation(reading.correlation, reading.orders, columns, grouped, floor):
        raise VerificationError(f"the correlation beside the sketches is wrong: {wrong}", _REPORT)
    if reading.classes is None:
        return
    places = _class_places(reading.classes, table)
    for wrong in wrong_with_classes(
        reading.classes.correlation, places[rows.origin], reading.orders, columns, grouped
    ):
        raise VerificationError(f"the correlation with the class is wrong: {wrong}", _REPORT)


def _class_places(told: MixedClasses, table: EncodedTable) -> Floats:
    """Where the class of each row lies. PRIVACY: nothing is told where a promise is about the class
    (tests/sabotage/test_mixed_classes.py)."""
    target = table.target
    if target is None or target.domain.name != told.name or told.name in table.confidential:
        raise VerificationError("a correlation is told with what is no class, or a secret one", _REPORT)
    labels = [*target.domain.labels, ""]
    if len(set(told.order)) != len(told.order) or not set(labels).issuperset(told.order):
        raise VerificationError("the order of the classes is not one of this table", _REPORT)
    place_of = {text: place for place, text in enumerate(told.order)}
    places: Floats = np.array([float(place_of.get(text, 0)) for text in labels])
    return np.asarray(places[target.codes])


def _is_order(order: tuple[int, ...], column: CodedColumn) -> bool:
    codes = set(range(column.domain.n_codes))
    return len(set(order)) == len(order) and codes.issuperset(order)


def check_model(model: Any, text: TextTable, policy: Policy, leaf: Codes | None) -> None:
    """PRIVACY: a published tree must say no more than the table, whose groups are recounted: its leaves are
    these groups, class by class (tests/sabotage).

    Leaves that differ in private tests only are one group. What they test must be published and no
    quasi-identifier, and the rows must say of each ``leaf`` what the tree does.
    """
    assert policy.target is not None
    quasi, target = policy.quasi_identifiers, policy.target
    agrees = leaves_are_groups(model.leaves(), text, quasi, target)
    tests = model.private_tests() if hasattr(model, "private_tests") else []
    if tests and agrees:
        names = {domain.name for domain, _, _ in tests}
        agrees = names <= policy.published - {*quasi, target}
        told = model.every_leaf()
        agrees &= leaf is not None and leaves_follow_from_rows(told, leaf, tests, text, quasi, target)
    if not agrees:
        raise VerificationError("the tree and the table do not say the same", _REPORT)


def check_says_something(method: Method, text: TextTable, policy: Policy, recoding: Recoding) -> None:
    """Refuse a release that keeps its promise by saying nothing; O(rows * columns)."""
    if not TextRows(text).say_nothing(policy.quasi_identifiers):
        return
    advice = "try a smaller k, fewer quasi-identifiers, coarser values or another method"
    if recoding.facts.get("cut_short"):
        advice = "give it more time"
    raise UnsatisfiableError(
        f"the release would say nothing: {method.name!r} suppressed every quasi-identifier in every row",
        Hint(f"{advice}; {{allow_empty}} releases it all the same", allow_empty=True),
    )


def check_promise(method: Method, verdict: Audit, policy: Policy, recoding: Recoding) -> None:
    """Raise where the recount found the promise broken, and say whose fault it is."""
    if verdict.kept:
        return
    reasons = " ".join(finding.message for finding in verdict.broken)
    if method.checks_only:
        raise UnsatisfiableError(
            f"the release would break the promise: {reasons} {method.checks_only}.",
            "promise no more than that, for example combinations = 3 in [privacy], which is not k-anonymity; "
            "or use a method that checks all columns together, such as mondrian",
        )
    # PRIVACY: a promise that larger groups cannot break is broken by an error, whatever else was promised
    # (tests/sabotage/test_weak_promises.py).
    results = zip(policy.promise.parts, verdict.promises, strict=True)
    broken = [part for part, result in results if not result.kept]
    is_joined = bool(broken) and all(_is_joined(part, verdict, recoding) for part in broken)
    if is_joined and verdict.unit == "persons" and not any(part.monotone_over_persons for part in broken):
        raise UnsatisfiableError(
            f"groups that keep the promise break it together, as persons have rows in several: {reasons}",
            "relax the bound, or use bottomup or tds, which count the groups of every promise by themselves",
        )
    if is_joined and not any(part.monotone for part in broken):
        raise UnsatisfiableError(
            f"groups that print alike break the promise together: {reasons}",
            "publish sets, or ranges without widen, which keep groups apart, or relax the bound",
        )
    raise VerificationError(f"the recount disagrees with the method: {reasons}", _REPORT)


def _is_joined(part: PrivacyModel, verdict: Audit, recoding: Recoding) -> bool:
    """Whether the recount looked at larger groups: those that print alike, or agree on some columns."""
    if part.grouped_by is not None:
        return True
    parts = recoding.parts
    return parts is not None and verdict.groups < len(distinct_sorted(parts[recoding.is_kept]))
