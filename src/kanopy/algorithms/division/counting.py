"""What engines count, and what they hand to tasks: plain arrays of codes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np

from kanopy.algorithms.division.routing import Routing
from kanopy.algorithms.method import Progress, silent
from kanopy.algorithms.tickets import Draw, Numbers
from kanopy.data import CodedColumn, Domain, EncodedTable
from kanopy.data.arrays import Codes, Ints
from kanopy.data.keys import counted, group_rows, narrowest_unsigned
from kanopy.privacy import PrivacyModel

AnyAnswer = TypeVar("AnyAnswer")


class CodedRows(NamedTuple):
    """Some rows of a table: the codes of every published column by its name, and what each row stands for."""

    codes: Mapping[str, Codes]
    weight: Ints

    def take(self, rows: Any) -> CodedRows:
        """Some of the rows; O(rows taken * columns)."""
        return CodedRows({name: codes[rows] for name, codes in self.codes.items()}, self.weight[rows])


class NodeCounts(NamedTuple):
    """How many rows of each node have each combination of codes of some columns; only what occurs."""

    node: Codes
    codes: tuple[Codes, ...]
    weight: Codes  # rows, each as often as it weighs

    @property
    def n_bytes(self) -> int:
        """How much memory it takes."""
        return sum(each.nbytes for each in (self.node, *self.codes, self.weight))

    def in_order(self) -> NodeCounts:
        """Sorted by node, then by the codes, the first column leading; a sort."""
        order = np.lexsort((*reversed(self.codes), self.node))
        return NodeCounts(self.node[order], tuple(each[order] for each in self.codes), self.weight[order])


class DividingEngine(Protocol):
    """Where the rows are. Each has a number by ``routing.route``; those of -1 are left out."""

    def count(self, routing: Routing, wanted: Sequence[tuple[str, ...]]) -> Sequence[NodeCounts]:
        """For each list of columns: how many rows of each node have each combination of their codes."""
        ...

    def subtrees(
        self, routing: Routing, decide: Callable[[int, CodedRows], AnyAnswer]
    ) -> Iterable[tuple[int, AnyAnswer]]:
        """Of every node its number, and what ``decide`` says of it and its rows, in whatever order.

        Tasks may take several nodes at once, but each node whole. ``decide`` can be pickled.
        """
        ...

    def drawn(self, routing: Routing, draw: Draw) -> DrawnRows:
        """Rows up to the limits of their nodes, of which equal ones are counted together."""
        ...


class DrawnRows(NamedTuple):
    """Rows that are drawn, each for itself, with the numbers of their nodes and their tickets."""

    number: Ints
    ticket: Numbers
    rows: CodedRows


def counted_by(
    node: Codes, rows: CodedRows, wanted: Sequence[tuple[str, ...]], n_nodes: int
) -> list[NodeCounts]:
    """Count the rows of each node, given for each row, by combinations of columns; O(rows) for each list of
    columns, or sorts. Engines may count parts of a table so, and add up what agrees."""
    found = []
    for names in wanted:
        columns = [node, *(rows.codes[name] for name in names)]
        sizes = [n_nodes, *(int(codes.max(initial=0)) + 1 for codes in columns[1:])]
        group, n_groups = group_rows(columns, sizes, len(node))
        example = np.zeros(n_groups if len(node) else 0, dtype=np.int64)
        example[group] = np.arange(len(group))
        of_groups, *codes = (each[example] for each in columns)
        weight = counted(group, n_groups, rows.weight)[: len(example)]
        found.append(NodeCounts(of_groups, tuple(codes), weight))
    return found


def added_up(parts: Sequence[NodeCounts], n_nodes: int) -> NodeCounts:
    """The counts of all parts; what agrees in node and codes is one entry, and what comes to nothing none.
    Sorts of the entries."""
    node, *codes = (
        np.concatenate(each) for each in zip(*((part.node, *part.codes) for part in parts), strict=True)
    )
    names = tuple(str(number) for number in range(len(codes)))
    weight = np.concatenate([part.weight.astype(np.int64) for part in parts])
    found = counted_by(node, CodedRows(dict(zip(names, codes, strict=True)), weight), [names], n_nodes)[0]
    some = np.flatnonzero(found.weight)
    return NodeCounts(found.node[some], tuple(each[some] for each in found.codes), found.weight[some])


def count_rows(rows: CodedRows, routing: Routing, wanted: Sequence[tuple[str, ...]]) -> list[NodeCounts]:
    """Count rows by the node that they are routed to; costs as ``counted_by``, and a pass per level."""
    number = routing.route([rows.codes[name] for name in routing.columns])
    kept = np.flatnonzero(number >= 0)
    return counted_by(number.take(kept), rows.take(kept), wanted, max(routing.n_numbers, 1))


@dataclass(frozen=True, eq=False)
class TableForm:
    """What a table is made of, without its rows. A row counts for itself: there are no persons.

    Parameters
    ----------
    quasi : tuple of Domain
        The quasi-identifiers, in policy order.
    target : Domain or None
        The class.
    confidential : mapping of str to Domain
        Every column that a promise speaks about; the target is among them where one does.
    passing : tuple of str
        All other published columns, the target and confidential ones too: they are published as they are.
    """

    quasi: tuple[Domain, ...]
    target: Domain | None = None
    confidential: Mapping[str, Domain] | None = None
    passing: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The quasi-identifiers."""
        return tuple(domain.name for domain in self.quasi)

    @property
    def deciding(self) -> tuple[str, ...]:
        """The columns beside the quasi-identifiers that decide where rows are divided."""
        of_class = [] if self.target is None else [self.target.name]
        return tuple(dict.fromkeys([*of_class, *(self.confidential or {})]))

    def of_column(self, column: int) -> TableForm:
        """The same with one quasi-identifier."""
        return replace(self, quasi=(self.quasi[column],))

    def table(self, rows: CodedRows, of_whole: Mapping[str, Ints] | None = None) -> EncodedTable:
        """Rows as methods see them, as a part of a table of which this is known; O(rows * columns)."""

        def column(domain: Domain, name: str) -> CodedColumn:
            codes = rows.codes[name].astype(narrowest_unsigned(domain.n_codes), copy=False)
            return CodedColumn(domain, codes)

        return EncodedTable(
            len(rows.weight),
            tuple(column(domain, domain.name) for domain in self.quasi),
            None if self.target is None else column(self.target, self.target.name),
            {name: column(domain, name) for name, domain in (self.confidential or {}).items()},
            weight=rows.weight.astype(np.int64, copy=False),
            of_whole=of_whole,
        )


@dataclass(frozen=True, eq=False)
class DividedTask:
    """What a method is asked to do with a table that no process holds.

    Parameters
    ----------
    engine : DividingEngine
    form : TableForm
    promise : PrivacyModel
    rng : Generator or None
        None for methods that draw nothing.
    limit : int
        Nodes of more rows, each as often as it weighs, are divided from counters; a task takes the others.
    progress : Progress
    """

    engine: DividingEngine
    form: TableForm
    promise: PrivacyModel
    rng: np.random.Generator | None
    limit: int
    progress: Progress = silent
