"""From a table of any origin to integer codes: numeric, hierarchical or plain domains."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from kanopy.data import CodedColumn, Domain, EncodedTable, Hierarchy
from kanopy.data.arrays import Ints
from kanopy.data.grammar import SUPPRESSED_TEXT
from kanopy.data.keys import counted, narrowest_unsigned
from kanopy.data.scale import DECLARED, PLAIN, Calendar, CensoredNumbers, TextScale
from kanopy.errors import InputError, PolicyError, UnsatisfiableError
from kanopy.frames import numbers
from kanopy.frames.distinct import DistinctColumn, distinct_column, persons_of
from kanopy.hierarchies import HierarchyRule
from kanopy.hierarchies.rule import ClassCounts
from kanopy.policy import Policy
from kanopy.privacy import largest_k

# A published * is a suppressed cell; a ? nearly always means missing, and must be declared to.
_RESERVED = (SUPPRESSED_TEXT, "?")
_FEW_CLASSES = 20  # up to so many classes may have a single row each: examples in papers do


class Encoded(NamedTuple):
    """A table as integer codes."""

    names: tuple[str, ...]  # the published columns in the order of the source
    table: EncodedTable
    passing: dict[str, DistinctColumn]  # columns that are published as they are: target, sensitive, keep
    notices: tuple[str, ...]  # what the custodian should know, without cell values


def encode(source: pa.Table, policy: Policy, weight: Ints | None = None) -> Encoded:
    """Check a table against a policy and encode it; O(rows * columns), plus a sort of the values.

    ``weight`` is how many equal rows each row stands for, where that is not one; such a table has the
    published columns alone, and was checked before.
    """
    if weight is None:
        policy.check_columns(source.column_names)
    if not source.num_rows:
        raise InputError("the table has no rows")
    persons = _persons(source, policy)
    _check_members(source.num_rows if weight is None else int(weight.sum()), persons, policy)
    columns = {
        name: distinct_column(name, source[name], policy.missing, weight)
        for name in source.column_names
        if name in policy.published
    }
    if policy.target is not None:
        _check_classes(columns[policy.target])
    notices = [notice for column in columns.values() for notice in _cleaning_notices(column)]
    quasi, quasi_names = [], frozenset(policy.quasi_identifiers)
    for name in policy.quasi_identifiers:
        _check_reserved(columns[name])
        coded = coded_column(columns[name], policy, columns.get(policy.target or ""))
        notices += _quasi_notices(coded, policy)
        quasi.append(coded)
    confidential = {name: _confidential(columns[name], policy) for name in policy.promise.columns}
    notices += [notice for column in confidential.values() for notice in _spelling_notices(column)]
    target = None
    if policy.target is not None:
        notices += _check_target(columns[policy.target])
        target = confidential.get(policy.target) or coded_column(columns[policy.target], policy)
    passing = {name: column for name, column in columns.items() if name not in quasi_names}

    def others() -> tuple[CodedColumn, ...]:
        return tuple(coded_column(column, policy) for column in passing.values())

    table = EncodedTable(source.num_rows, tuple(quasi), target, confidential, persons, others, weight)
    return Encoded(tuple(columns), table, passing, tuple(notices))


def _check_members(n_rows: int, persons: NDArray[np.int32] | None, policy: Policy) -> None:
    """Refuse a k that no release of the table can keep."""
    n_members, unit = (n_rows, "rows") if persons is None else (int(persons.max()) + 1, "persons")
    k = largest_k(policy.promise)
    if k is not None and k > n_members:
        raise UnsatisfiableError(f"k = {k}, but the table has {n_members} {unit}", "lower k or add rows")


def coded_column(column: DistinctColumn, policy: Policy, target: DistinctColumn | None = None) -> CodedColumn:
    """Encode a column in the order of its domain (the target may decide it); O(rows), a sort of values."""
    texts = column.texts.to_pylist()
    domain = domain_of(column.name, texts, policy, partial(class_counts_of, column, target))
    place = np.array([domain.code_of[text] for text in texts] + [domain.missing_code], dtype=np.int64)
    return CodedColumn(domain, place.astype(narrowest_unsigned(domain.n_codes)).take(column.codes))


def _confidential(column: DistinctColumn, policy: Policy) -> CodedColumn:
    """A column that a promise is about, ready to lose rows: what is left is read as the audit reads it."""
    coded = coded_column(column, policy)
    texts, source = coded.domain.labels, policy.hierarchies.get(column.name)
    may_be_numbers = source is None and not coded.domain.is_numeric and any(map(numbers.is_number, texts))
    if not may_be_numbers and not isinstance(source, HierarchyRule):
        return coded
    # No hierarchy of such a column follows counts: the policy sees to it.
    anew = partial(domain_of, column.name, policy=policy, class_counts=None)
    return replace(coded, domain=replace(coded.domain, anew=anew))


def domain_of(name: str, texts: list[str], policy: Policy, class_counts: ClassCounts | None) -> Domain:
    """The domain over the given values; ``class_counts`` are for a hierarchy that is built from them."""
    scale = _scale(name, texts, policy)
    source = policy.hierarchies.get(name)
    if source is None or (isinstance(source, HierarchyRule) and not texts):
        return Domain(name, tuple(texts)) if scale is None else _ordered(name, scale.ordered(texts), scale)
    if isinstance(source, HierarchyRule):
        hierarchy = source.build(name, texts, class_counts)
    else:
        assert not isinstance(source, Mapping), "a policy turns groups into a rule"
        from kanopy.policy import load_hierarchy  # most policies have no such file

        hierarchy = load_hierarchy(name, source, numbers.natural_order)
    n_unknown = len(set(texts) - set(hierarchy.leaves))
    if n_unknown:
        what = f"the hierarchy of column {name!r} lacks {n_unknown} values that the table has"
        raise PolicyError(what, "add each of them")
    labels = list(hierarchy.leaves)
    # A file may list leading zeros beside a column of plain numbers: these are then codes.
    if scale is not None and name not in policy.columns:
        scale = scale if all(map(numbers.is_number, labels)) else None
    if scale is not None and all(map(scale.holds, labels)) and scale.ordered(labels) == labels:
        return _ordered(name, labels, scale, hierarchy)
    return Domain(name, hierarchy.leaves, hierarchy=hierarchy)


def _ordered(name: str, labels: list[str], scale: TextScale, hierarchy: Hierarchy | None = None) -> Domain:
    digits = numbers.decimals(labels) if scale.has_means else 0
    return Domain(name, tuple(labels), scale.numbers(labels), digits, hierarchy, scale)


def declared_scale(name: str, policy: Policy) -> TextScale | None:
    """The scale of dates and of censored numbers, which the policy declares."""
    form = policy.columns.get(name)
    if form is not None and form.is_date:
        return Calendar(form.level)
    return CensoredNumbers() if form is not None and form.censored else None


def _scale(name: str, texts: list[str], policy: Policy) -> TextScale | None:
    """What orders a column: declared, or recognised in its values; None where it is categorical."""
    if texts and (declared := declared_scale(name, policy)) is not None:
        n_others = sum(not declared.holds(text) for text in texts)
        if n_others:  # a table that was not read as the policy says
            what = f"column {name!r}: {n_others} values are not what [columns.{name}] says it holds"
            raise InputError(what, "check its kind and its levels")
        return declared
    is_numeric = _is_numeric(name, texts, policy)
    return (DECLARED if name in policy.numeric else PLAIN) if is_numeric else None


def class_counts_of(column: DistinctColumn, target: DistinctColumn | None) -> Ints:
    """Rows of each value (down) and class (across; missing is one); one class where there is no target."""
    n_codes, n_classes = len(column.texts) + 1, 1 if target is None else len(target.texts) + 1
    keys = column.codes.astype(np.int64) * n_classes + (0 if target is None else target.codes)
    return counted(keys, n_codes * n_classes, column.weight).reshape(n_codes, n_classes)[:-1]


def _is_numeric(name: str, texts: list[str], policy: Policy) -> bool:
    """Whether a column is declared or recognised as numbers."""
    if name in policy.categorical or not texts:
        return False
    hint = "declare them in missing, or the column as categorical"
    if name in policy.numeric:
        n_others = sum(not numbers.is_declared_number(text) for text in texts)
        if n_others:
            what = f"column {name!r} is declared numeric, but {n_others} of its values are no finite numbers"
            raise InputError(what, hint)
        return True
    n_numbers = sum(map(numbers.is_number, texts))
    n_not_finite = sum(map(numbers.is_not_finite, texts))
    if n_numbers and n_not_finite and n_numbers + n_not_finite == len(texts):
        what = f"column {name!r} is numeric but for {n_not_finite} values that are infinite or not a number"
        raise InputError(what, hint)
    return n_numbers == len(texts)


def _persons(source: pa.Table, policy: Policy) -> NDArray[np.int32] | None:
    if policy.person is None:
        return None
    persons = persons_of(policy.person, source[policy.person], policy.missing)
    if persons.max() < 0:
        what = f"person column {policy.person!r} is empty in every row"
        raise InputError(what, "k counts persons: fill it in, or declare no person, so that k counts rows")
    return persons


def _check_reserved(column: DistinctColumn) -> None:
    for token in _RESERVED:
        place = pc.index(column.texts, token).as_py()
        if place >= 0:
            n_cells = int(column.counts[place])
            raise InputError(
                f"column {column.name!r} has {n_cells} cells that are just {token!r}",
                f'if it means missing, declare it: missing = ["{token}"]; else write it in another way',
            )


def _check_classes(column: DistinctColumn) -> None:
    """Refuse numbers and identifiers as a class: classes of one row teach nothing and tell persons apart."""
    n_classes = len(column.texts) + bool(column.n_missing)
    n_single = int(np.count_nonzero(column.counts == 1))
    if n_classes > _FEW_CLASSES and 2 * n_single > n_classes:
        raise InputError(
            f"target column {column.name!r} has {n_classes:,} classes, of which {n_single:,} have one row: "
            "it is a number or an identifier, and not a class",
            "group its values into a few classes, or declare it as sensitive, keep or identifiers, "
            "and choose another target",
        )


def _check_target(column: DistinctColumn) -> list[str]:
    if not len(column.texts):
        raise InputError(f"target column {column.name!r} is empty in every row", "choose another target")
    if column.n_missing:
        return [f"target {column.name!r} is missing in {column.n_missing} rows; missing counts as a class"]
    return []


def _cleaning_notices(column: DistinctColumn) -> list[str]:
    if not column.n_cleaned:
        return []
    merged = f"; {column.n_merged} values became equal to another" if column.n_merged else ""
    return [
        f"column {column.name!r}: {column.n_cleaned} cells had blanks around them or decomposed Unicode; "
        f"the clean form is published{merged}"
    ]


def _spelling_notices(column: CodedColumn) -> list[str]:
    """Values that differ only in how they are written would count as different in a bound."""
    domain = column.domain
    n_alike = domain.n_values - len({label.casefold() for label in domain.labels})
    if domain.numbers is not None and domain.scale.has_means:
        n_alike = numbers.count_alike(domain.labels, domain.numbers)
    notice = (
        f"column {domain.name!r}: {n_alike} values differ from another only in case or in how a number is "
        "written, and count as different"
    )
    return [notice] if n_alike else []


def _quasi_notices(column: CodedColumn, policy: Policy) -> list[str]:
    domain = column.domain
    if not column.totals[:-1].any():
        return [f"quasi-identifier {domain.name!r} is empty in every row"]
    if domain.numbers is not None:
        n_alike = numbers.count_alike(domain.labels, domain.numbers) if domain.scale.has_means else 0
        notice = f"column {domain.name!r}: {n_alike} numbers are written in more than one way, kept as text"
        return [notice] if n_alike else []
    n_numbers = sum(map(numbers.is_number, domain.labels))
    if domain.hierarchy is not None or domain.name in policy.categorical or not n_numbers:
        return []
    return [
        f"column {domain.name!r}: {n_numbers:,} of its {domain.n_values:,} values are plain numbers, "
        "the others are not, so all are read as text; if that is right, declare it as categorical"
    ]
