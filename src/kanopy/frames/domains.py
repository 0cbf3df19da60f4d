"""Giving a column its domain: numeric, hierarchical or plain."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import numpy as np

from kanopy.data import CodedColumn, Domain
from kanopy.data.arrays import Ints
from kanopy.data.keys import narrowest_unsigned
from kanopy.errors import InputError, PolicyError
from kanopy.frames import numbers
from kanopy.frames.distinct import DistinctColumn
from kanopy.hierarchies import HierarchyRule
from kanopy.hierarchies.rule import ClassCounts
from kanopy.policy import Policy, load_hierarchy


def coded_column(column: DistinctColumn, policy: Policy, target: DistinctColumn | None = None) -> CodedColumn:
    """Encode a column in the order of its domain (the target may decide it); O(rows), a sort of values."""
    texts = column.texts.to_pylist()
    domain = domain_of(column.name, texts, policy, partial(class_counts_of, column, target))
    place = np.array([domain.code_of[text] for text in texts] + [domain.missing_code], dtype=np.int64)
    return CodedColumn(domain, place.astype(narrowest_unsigned(domain.n_codes))[column.codes])


def domain_of(name: str, texts: list[str], policy: Policy, class_counts: ClassCounts) -> Domain:
    """The domain over the given values; ``class_counts`` are for a hierarchy that is built from them."""
    is_numeric = _is_numeric(name, texts, policy)
    source = policy.hierarchies.get(name)
    if source is None or (isinstance(source, HierarchyRule) and not texts):
        if not is_numeric:
            return Domain(name, tuple(texts))
        labels = tuple(numbers.order_numbers(texts))
        return Domain(name, labels, numbers.as_floats(labels), numbers.decimals(labels))
    if isinstance(source, HierarchyRule):
        hierarchy = source.build(name, texts, class_counts)
    else:
        assert not isinstance(source, Mapping), "a policy turns groups into a rule"
        hierarchy = load_hierarchy(name, source, numbers.natural_order)
    n_unknown = len(set(texts) - set(hierarchy.leaves))
    if n_unknown:
        what = f"the hierarchy of column {name!r} lacks {n_unknown} values that the table has"
        raise PolicyError(what, "add each of them")
    labels = hierarchy.leaves
    if is_numeric and all(map(numbers.is_number, labels)) and numbers.order_numbers(labels) == list(labels):
        floats = numbers.as_floats(labels)
        return Domain(name, labels, floats, numbers.decimals(labels), hierarchy)
    return Domain(name, labels, hierarchy=hierarchy)


def class_counts_of(column: DistinctColumn, target: DistinctColumn | None) -> Ints:
    """Rows of each value (down) and class (across; missing is one); one class where there is no target."""
    n_codes, n_classes = len(column.texts) + 1, 1 if target is None else len(target.texts) + 1
    keys = column.codes.astype(np.int64) * n_classes + (0 if target is None else target.codes)
    return np.bincount(keys, minlength=n_codes * n_classes).reshape(n_codes, n_classes)[:-1]


def _is_numeric(name: str, texts: list[str], policy: Policy) -> bool:
    """Whether a column is declared or recognised as numbers."""
    if name in policy.categorical or not texts:
        return False
    if name in policy.numeric:
        n_others = sum(not numbers.is_declared_number(text) for text in texts)
        if n_others:
            raise InputError(
                f"column {name!r} is declared numeric, but {n_others} of its values are no finite numbers",
                "declare them in missing, or the column as categorical",
            )
        return True
    n_numbers = sum(map(numbers.is_number, texts))
    n_not_finite = sum(map(numbers.is_not_finite, texts))
    if n_numbers and n_not_finite and n_numbers + n_not_finite == len(texts):
        raise InputError(
            f"column {name!r} is numeric but for {n_not_finite} values that are infinite or not a number",
            "declare them in missing, or the column as categorical",
        )
    return n_numbers == len(texts)
