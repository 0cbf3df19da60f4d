"""The table of an evaluation, original rows for the anonymizer and cells for the learners; its halves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from kanopy.data import CodedColumn, Domain
from kanopy.data.arrays import Codes, Ints
from kanopy.data.grammar import write_alone
from kanopy.data.keys import each_nameless_apart, narrowest_unsigned
from kanopy.errors import InputError, PolicyError
from kanopy.frames.distinct import DistinctColumn
from kanopy.frames.encode import Encoded, encode
from kanopy.frames.numbers import is_number
from kanopy.policy import Policy
from kanopy.trees import Discretizer

HALVES = (0, 1)


class Fold(NamedTuple):
    """Rows to learn from and rows to test on, both ascending."""

    train: Ints
    test: Ints


def fold(classes: Codes, seed: int | Sequence[int], half: int, *, persons: Codes | None = None) -> Fold:
    """Train on one of the two halves of a seed; O(rows log rows).

    The halves differ by at most one row, in every class and in all. With ``persons`` (the person of each row)
    persons are divided, each with all its rows and by the class of the first one: a person in both halves
    could be recognized. A row without a person is divided by itself.
    """
    if persons is None:
        halves = _divided(classes, seed)
    else:
        owner = each_nameless_apart(persons)
        _, first, number = np.unique(owner, return_index=True, return_inverse=True)
        is_in_second = np.zeros(len(first), dtype=bool)
        is_in_second[_divided(classes[first], seed)[1]] = True
        halves = np.flatnonzero(~is_in_second[number]), np.flatnonzero(is_in_second[number])
    return Fold(halves[half], halves[1 - half])


def _divided(classes: Codes, seed: int | Sequence[int]) -> tuple[Ints, Ints]:
    order = np.lexsort((np.random.default_rng(seed).random(len(classes)), classes))
    return np.sort(order[0::2]), np.sort(order[1::2])


@dataclass(frozen=True, eq=False)
class Halves:
    """Rows that are divided again and again into those to learn from and those to test on."""

    # PRIVACY of the result: only the original rows of one half reach an anonymizer
    # (tests/unit/evaluation/test_no_leaks.py).
    source: pa.Table
    inputs: pa.Table  # every published column but the class, every value as an exact cell
    classes: NDArray[np.str_]
    policy: Policy  # says of every quasi-identifier whether it is numeric
    quasi: tuple[CodedColumn, ...]
    persons: NDArray[np.int32] | None = None

    @classmethod
    def of(cls, source: pa.Table, policy: Policy) -> Halves:
        """Check a table against a policy; O(rows * columns)."""
        # This leaks nothing: values are cleaned one by one, and both halves agree on what is numeric.
        if policy.target is None:
            raise PolicyError("an evaluation needs a class", "declare the target")
        encoded = encode(source, policy)
        target = encoded.passing[policy.target]
        known = np.flatnonzero(target.codes < len(target.texts))
        if len(known) < 4:
            hint = "an evaluation needs two halves to learn from"
            raise InputError("fewer than four rows have a class", hint)
        inputs = pa.table(plain_columns(encoded, policy.target))
        # Numbers that pass as they are become numbers once, not in every trial.
        for name in policy.keep:
            if (numbers := _numbers(encoded.passing[name])) is not None:
                source, inputs = (_with_column(rows, name, numbers) for rows in (source, inputs))
        # The class as its text, whatever its type: so it is compared with what is predicted.
        words = target.texts.take(pa.array(target.codes[known]))
        source = _with_column(source.take(known), policy.target, words)
        persons = encoded.table.persons
        return cls(
            source,
            inputs.take(known),
            np.array(words.to_pylist()),
            _with_kinds(policy, encoded.table.quasi),
            tuple(column.take(known) for column in encoded.table.quasi),
            None if persons is None else persons[known],
        )

    @property
    def n_rows(self) -> int:
        return len(self.classes)

    @cached_property
    def class_codes(self) -> NDArray[np.intp]:
        return np.unique(self.classes, return_inverse=True)[1]

    @property
    def coded_target(self) -> CodedColumn:
        names = np.unique(self.classes)
        domain = Domain(str(self.policy.target), tuple(names.tolist()))
        return CodedColumn(domain, self.class_codes.astype(narrowest_unsigned(len(names) + 1)))

    def fold(self, seed: int, repetition: int, half: int) -> Fold:
        return fold(self.class_codes, (seed, repetition), half, persons=self.persons)

    def with_permuted_classes(self, seed: int) -> Halves:
        """The same rows with permuted labels: nothing but the shares of the classes can be learned."""
        assert self.policy.target is not None
        order = np.random.default_rng((seed, 0)).permutation(self.n_rows)
        permuted = self.source.column(self.policy.target).take(pa.array(order))
        source = _with_column(self.source, self.policy.target, permuted)
        return replace(self, source=source, classes=self.classes[order])


def _with_column(table: pa.Table, name: str, column: Any) -> pa.Table:
    return table.set_column(table.column_names.index(name), name, column)


def plain_columns(encoded: Encoded, target: str | None) -> dict[str, Any]:
    """Every published column but the target, in the grammar of cells."""
    quasi = {column.domain.name: column for column in encoded.table.quasi}
    columns = {}
    for name in encoded.names:
        if name in quasi:
            words = pa.array([*map(write_alone, quasi[name].domain.labels), None], pa.string())
            columns[name] = words.take(pa.array(quasi[name].codes))
        elif name != target:
            column = encoded.passing[name]  # in its own type, as a release publishes it
            present = pa.array(column.codes, mask=column.codes == len(column.texts))
            columns[name] = column.values.take(present)
    return columns


def _numbers(column: DistinctColumn) -> pa.Array | None:
    """A column as numbers, if all its texts are plain numbers."""
    texts = column.texts.to_pylist()
    if not texts or not all(map(is_number, texts)):
        return None
    floats = np.array([*map(float, texts), np.nan])[column.codes]
    return pa.array(floats, mask=np.isnan(floats))


def _with_kinds(policy: Policy, quasi: tuple[CodedColumn, ...]) -> Policy:
    """A half may lack the one text that makes a column categorical; both halves must read it alike."""
    plain = [column.domain for column in quasi if column.domain.hierarchy is None]
    plain = [domain for domain in plain if domain.name not in policy.columns]
    numeric = {domain.name for domain in plain if domain.is_numeric}
    categorical = {domain.name for domain in plain if not domain.is_numeric}
    numeric, categorical = numeric.union(policy.numeric), categorical.union(policy.categorical)
    return replace(policy, numeric=sorted(numeric), categorical=sorted(categorical))


def binned(halves: Halves, known: Ints) -> Halves:
    """All rows, with numbers of quasi-identifiers cut into bins by the classes of the ``known`` rows.

    These are the training rows; the papers seem to have taken all rows, with the classes of the test rows.
    """
    target = halves.coded_target
    discretizer = Discretizer.fit([column.take(known) for column in halves.quasi], target.take(known))
    source, inputs, quasi = halves.source, halves.inputs, tuple(discretizer.apply(halves.quasi))
    for column, cut in zip(halves.quasi, quasi, strict=True):
        if column.domain.is_numeric and column.domain.hierarchy is None:
            words = pa.array([*cut.domain.labels, None], pa.string()).take(pa.array(cut.codes))
            source, inputs = (_with_column(table, column.domain.name, words) for table in (source, inputs))
    cut_names = {column.domain.name for column in quasi}
    numeric = sorted(set(halves.policy.numeric) - cut_names)
    categorical = sorted(cut_names.union(halves.policy.categorical))
    columns = {name: form for name, form in halves.policy.columns.items() if name not in cut_names}
    policy = replace(halves.policy, numeric=numeric, categorical=categorical, columns=columns)
    return replace(halves, source=source, inputs=inputs, quasi=quasi, policy=policy)
