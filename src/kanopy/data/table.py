"""A table as methods see it: integers only, and what the integers of each column stand for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from kanopy.data.arrays import Floats, Int32s, Ints
from kanopy.data.keys import counted, distinct_named, distinct_sorted, narrowest_unsigned
from kanopy.data.scale import PLAIN, TextScale

if TYPE_CHECKING:
    from kanopy.data.hierarchy import Hierarchy

_EXACT = 2**53


@dataclass(frozen=True, eq=False)
class Domain:
    """The ordered values of one column.

    Code ``i`` stands for ``labels[i]``; missing has the code after the last label, whether or not it
    occurs. Numeric columns are in the order of their numbers, columns with a hierarchy in the depth-first
    order of its leaves (so that a node is a run of codes), all others in the order of their text.

    Parameters
    ----------
    name : str
    labels : tuple of str
        The values as text, exactly as they may be printed.
    numbers : array of float or None
        The number each label stands for; None where the column is categorical.
    decimals : int
        Digits after the point in the most precise label; means are printed with as many.
    hierarchy : Hierarchy or None
    scale : TextScale
        Where texts lie that may be compared with the labels; of use where there are numbers.
    anew : callable, optional
        Where the values that occur decide the order or the hierarchy: the domain of some of the labels, given
        in the order of their texts. None: order and hierarchy stay.
    """

    name: str
    labels: tuple[str, ...]
    numbers: Floats | None = None
    decimals: int = 0
    hierarchy: Hierarchy | None = None
    scale: TextScale = PLAIN
    anew: Callable[[list[str]], Domain] | None = None

    @property
    def n_values(self) -> int:
        """How many values there are, missing aside."""
        return len(self.labels)

    @property
    def missing_code(self) -> int:
        """The code for missing: the last."""
        return len(self.labels)

    @property
    def n_codes(self) -> int:
        """Values plus the code for missing."""
        return len(self.labels) + 1

    @property
    def is_numeric(self) -> bool:
        """Whether the values lie on a scale: numbers, dates."""
        return self.numbers is not None

    @cached_property
    def code_of(self) -> dict[str, int]:
        """The code of each label."""
        return {label: code for code, label in enumerate(self.labels)}

    @cached_property
    def positions(self) -> Floats:
        """Where each code lies on the unit interval; missing lies at its upper end.

        Numbers keep their distances, categories are spaced evenly in their order.
        """
        points, span = self._line
        return (points - points[0]) / span if self.n_values else np.ones(1)

    def widths(self, low: Ints, high: Ints) -> Floats:
        """How far the codes ``low`` and ``high`` lie apart, as a share of the column; O(len(low)).

        Not the difference of their positions, which would be off in its last digits: what is equally wide
        must come out equal, also in different columns.
        """
        points, span = self._line
        return np.round((points[high] - points[low]) / span, 12)

    @cached_property
    def _line(self) -> tuple[Floats, float]:
        """Where each code lies before anything is scaled, missing at the upper end; and the whole length."""
        points = np.arange(self.n_codes, dtype=np.float64)
        if self.numbers is not None:
            # Halved before subtracting: the span of two large floats may not fit into a float.
            points[:-1] = self.numbers / 2
        span = float(points[-2] - points[0]) if self.n_values else 0.0
        if span <= 0:  # one number, or none: only missing lies elsewhere
            return np.append(np.zeros(self.n_values), 1.0), 1.0
        points[-1] = points[-2]
        return points, span


@dataclass(frozen=True, eq=False)
class CodedColumn:
    """One column as codes into its domain; missing is the domain's last code."""

    domain: Domain
    codes: NDArray[np.unsignedinteger[Any]]

    def take(self, rows: Any) -> CodedColumn:
        """The same column for some of the rows; O(rows taken)."""
        return CodedColumn(self.domain, self.codes[rows])

    def over(self, domain: Domain) -> CodedColumn:
        """The same column as codes of a domain that has all of its values; O(rows) if it is another one."""
        if domain is self.domain:
            return self
        place = np.array([*map(domain.code_of.__getitem__, self.domain.labels), domain.missing_code])
        return CodedColumn(domain, place.astype(np.uint32).take(self.codes))

    def alone(self, rows: Ints) -> CodedColumn:
        """Some of the rows as a table has them that has no others; O(rows).

        PRIVACY: without a value that is no number, all others may be: whoever reads the release finds them in
        another order (tests/properties/test_dropped_rows.py).
        """
        domain, column = self.domain, self.take(rows)
        if domain.anew is None:
            return column
        labels = sorted(domain.labels[code] for code in np.flatnonzero(column.totals[:-1]).tolist())
        found = domain.anew(labels)
        place = np.full(domain.n_codes, found.missing_code)
        place[[domain.code_of[label] for label in labels]] = [found.code_of[label] for label in labels]
        return CodedColumn(found, place.astype(narrowest_unsigned(found.n_codes)).take(column.codes))

    def in_order(self, order: Ints) -> CodedColumn:
        """The same column with all of its rows in another order; O(rows)."""
        found = CodedColumn(self.domain, self.codes.take(order))
        if "totals" in vars(self):  # counted before, and still the same
            vars(found)["totals"] = self.totals
        return found

    @cached_property
    def totals(self) -> Ints:
        """How many rows have each code, whatever they weigh."""
        return np.bincount(self.codes, minlength=self.domain.n_codes)


@dataclass(frozen=True, eq=False)
class EncodedTable:
    """What a method sees of a table.

    Parameters
    ----------
    n_rows : int
    quasi : tuple of CodedColumn
        The quasi-identifiers, in policy order.
    target : CodedColumn or None
        The class.
    confidential : mapping of str to CodedColumn
        Every column that a promise speaks about, by name; the target is among them where one does.
    persons : array of int or None
        The person behind each row, numbered from 0; None where a row is a person. A row whose person is not
        known has -1: it is published, and counts for nobody.
    others : callable
        Gives all published columns that are no quasi-identifiers, encoded when they are asked for.
    weight : array of int or None
        How many equal rows each row stands for; None where it is 1 everywhere. Not together with persons:
        rows of one person may be equal, and so are rows of different persons.
    of_whole : mapping of str to array of int, or None
        Where the rows are some of a larger table: the ``totals`` of that, with which groups are compared.
    """

    n_rows: int
    quasi: tuple[CodedColumn, ...]
    target: CodedColumn | None = None
    confidential: Mapping[str, CodedColumn] = field(default_factory=dict)
    persons: Int32s | None = None
    others: Callable[[], tuple[CodedColumn, ...]] = tuple
    weight: Ints | None = None
    of_whole: Mapping[str, Ints] | None = None

    def __post_init__(self) -> None:
        if self.weight is None:
            return
        assert self.persons is None, "a table with persons has no weights: expand it"
        assert self.weight.dtype == np.int64, "weights are whole numbers"
        assert self.weight.min(initial=1) > 0, "a row stands for one row or more"
        assert self.weight.sum(dtype=np.float64) < _EXACT, "floats count rows exactly only below 2^53"

    @cached_property
    def total_weight(self) -> int:
        """How many rows the rows stand for."""
        return self.n_rows if self.weight is None else int(self.weight.sum())

    @cached_property
    def n_persons(self) -> int:
        """How many persons the table is about; rows without a person add none."""
        return self.total_weight if self.persons is None else len(distinct_named(self.persons))

    def n_lost_with(self, rows: Ints) -> int:
        """How much is lost with rows that are dropped: so many rows, or persons and rows without one.

        A row without a person counts for nobody, and yet no number of them may be lost unseen.
        """
        if self.persons is None:
            return len(rows) if self.weight is None else int(self.weight[rows].sum())
        persons = self.persons[rows]
        return len(distinct_named(persons)) + int(np.count_nonzero(persons < 0))

    def weight_of(self, rows: Any = ...) -> Ints | None:
        """The weights of some rows; None where every row weighs 1."""
        return None if self.weight is None else self.weight[rows]

    def expanded(self) -> EncodedTable:
        """The table without weights, which has every row as often as it weighs; O(total weight * columns)."""
        if self.weight is None:
            return self
        return self.of_rows(np.repeat(np.arange(self.n_rows), self.weight))

    def of_rows(self, rows: Ints, weight: Ints | None = None) -> EncodedTable:
        """The table of these rows, each as often as it is named, with new weights; O(rows * columns)."""
        return EncodedTable(
            len(rows),
            tuple(column.take(rows) for column in self.quasi),
            None if self.target is None else self.target.take(rows),
            {name: column.take(rows) for name, column in self.confidential.items()},
            None if self.persons is None else self.persons[rows],
            lambda: tuple(column.take(rows) for column in self.others()),
            weight,
            self.of_whole,
        )

    def published(self) -> tuple[CodedColumn, ...]:
        """All published columns, each once."""
        target = () if self.target is None else (self.target,)
        columns = (*self.quasi, *target, *self.confidential.values(), *self.others())
        return tuple({column.domain.name: column for column in columns}.values())

    @cached_property
    def totals(self) -> Mapping[str, Ints]:
        """Of every confidential column, how many rows have each value; persons, where they are known.

        A person who has several values counts once for each.
        """
        if self.of_whole is not None:
            return self.of_whole
        return {name: self._totals_of(column) for name, column in self.confidential.items()}

    def _totals_of(self, column: CodedColumn) -> Ints:
        n_codes = column.domain.n_codes
        if self.weight is not None:
            return counted(column.codes, n_codes, self.weight)
        if self.persons is None:
            return column.totals
        is_named = self.persons >= 0
        pairs = distinct_sorted(self.persons[is_named].astype(np.int64) * n_codes + column.codes[is_named])
        return np.bincount(pairs % n_codes, minlength=n_codes)


@dataclass(frozen=True, eq=False)
class Split:
    """Rows of a table, some of them in parts: of the equal rows that one stands for, each part has some.

    Parameters
    ----------
    origin : array of int
        The row of the given table behind each part; every row has one or more.
    weight : array of int
        How many rows each part stands for; the parts of a row stand for all that it does.
    """

    origin: Ints
    weight: Ints

    def of(self, table: EncodedTable) -> EncodedTable:
        """The table whose rows are the parts; O(parts * columns)."""
        return table.of_rows(self.origin, self.weight)
