"""The table of an evaluation: rows as they came for the anonymizer, as cells for the learners."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from kanopy.data import CodedColumn, Domain
from kanopy.data.grammar import write_alone
from kanopy.data.keys import narrowest_unsigned
from kanopy.errors import InputError, PolicyError
from kanopy.evaluation.folds import Fold, fold
from kanopy.frames.distinct import DistinctColumn
from kanopy.frames.encode import Encoded, encode
from kanopy.frames.numbers import is_number
from kanopy.policy import Policy

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Halves:
    """Rows that are divided again and again into those to learn from and those to judge on.

    Parameters
    ----------
    source : pa.Table
        The rows as they came. PRIVACY of the result: only these rows of one half reach an anonymizer
        (tests/unit/evaluation/test_no_leaks.py).
    inputs : pa.Table
        Every published column but the class, every value as a cell that says just it.
    classes : array of str
        The class of each row.
    policy : Policy
        Which says of every quasi-identifier whether it is numeric.
    quasi : tuple of CodedColumn
        The quasi-identifiers as codes.
    persons : array of int, optional
    """

    source: pa.Table
    inputs: pa.Table
    classes: NDArray[np.str_]
    policy: Policy
    quasi: tuple[CodedColumn, ...]
    persons: NDArray[np.int32] | None = None

    @classmethod
    def of(cls, source: pa.Table, policy: Policy) -> Halves:
        """Check a table against a policy; O(rows * columns).

        Nothing is learned here that could help a learner: values are cleaned one by one, and whether a
        column is numeric is settled for both halves alike.
        """
        if policy.target is None:
            raise PolicyError("without a class there is nothing to learn", "declare the target")
        encoded = encode(source, policy)
        target = encoded.passing[policy.target]
        known = np.flatnonzero(target.codes < len(target.texts))
        if len(known) < 4:
            raise InputError(
                "fewer than four rows have a class", "an evaluation needs two halves to learn from"
            )
        inputs = pa.table(_plain_columns(encoded, policy.target))
        # Numbers that pass as they are become numbers once, not in every trial.
        for name, numbers in _kept_numbers(encoded, policy):
            source, inputs = (with_column(rows, name, numbers) for rows in (source, inputs))
        # The class as its text, whatever its type: so it is compared with what is predicted.
        words = target.texts.take(pa.array(target.codes[known]))
        source = with_column(source.take(known), policy.target, words)
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
        """The classes as a column of codes."""
        assert self.policy.target is not None
        names = np.unique(self.classes)
        width = narrowest_unsigned(len(names) + 1)
        return CodedColumn(Domain(self.policy.target, tuple(names.tolist())), self.class_codes.astype(width))

    def fold(self, seed: int, repetition: int, half: int) -> Fold:
        return fold(self.class_codes, (seed, repetition), half, persons=self.persons)

    def with_permuted_classes(self, seed: int) -> Halves:
        """The same rows, the classes dealt out anew: nothing can be learned from them but their shares."""
        assert self.policy.target is not None
        order = np.random.default_rng((seed, 0)).permutation(self.n_rows)
        permuted = self.source.column(self.policy.target).take(pa.array(order))
        return replace(
            self,
            source=with_column(self.source, self.policy.target, permuted),
            classes=self.classes[order],
        )


def with_column(table: pa.Table, name: str, column: Any) -> pa.Table:
    """The table with other values in one of its columns."""
    return table.set_column(table.column_names.index(name), name, column)


def _plain_columns(encoded: Encoded, target: str) -> dict[str, Any]:
    """Every published column but the class, in the grammar of cells."""
    quasi = {column.domain.name: column for column in encoded.table.quasi}
    columns = {}
    for name in encoded.names:
        if name in quasi:
            columns[name] = _cells(list(quasi[name].domain.labels), quasi[name].codes)
        elif name != target:
            columns[name] = _passing(encoded.passing[name])
    return columns


def _cells(labels: list[str], codes: NDArray[Any]) -> pa.Array:
    words = pa.array([*map(write_alone, labels), None], pa.string())
    return words.take(pa.array(codes))


def _passing(column: DistinctColumn) -> pa.Array:
    """As a release publishes it: in its own type."""
    return column.values.take(pa.array(column.codes, mask=column.codes == len(column.texts)))


def _kept_numbers(encoded: Encoded, policy: Policy) -> Iterator[tuple[str, Any]]:
    """The kept columns all of whose texts are plain numbers."""
    for name in policy.keep:
        column = encoded.passing[name]
        texts = column.texts.to_pylist()
        if texts and all(map(is_number, texts)):
            floats = np.array([*map(float, texts), np.nan])[column.codes]
            yield name, pa.array(floats, mask=np.isnan(floats))


def _with_kinds(policy: Policy, quasi: tuple[CodedColumn, ...]) -> Policy:
    """A half may lack the one text that makes a column of numbers categorical; both must read it alike."""
    plain = [column.domain for column in quasi if column.domain.hierarchy is None]
    numeric = {domain.name for domain in plain if domain.is_numeric}
    categorical = {domain.name for domain in plain if not domain.is_numeric}
    return replace(
        policy,
        numeric=sorted({*policy.numeric, *numeric}),
        categorical=sorted({*policy.categorical, *categorical}),
    )
