"""What a part of a divided table must know of the whole one, and what cannot be divided."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from kanopy.algorithms.cuts import COUNTERS_PER_ROW
from kanopy.algorithms.division.counting import CodedRows, DividedTask, NodeCounts, TableForm
from kanopy.algorithms.division.routing import Routing
from kanopy.algorithms.requirements import check_satisfiable
from kanopy.data.arrays import Codes, Ints
from kanopy.data.keys import counted
from kanopy.errors import PolicyError
from kanopy.privacy import PrivacyModel
from kanopy.trees.class_counts import ARRAY_PER_ROW
from kanopy.trees.frontier import Frontier
from kanopy.trees.grow import codes_that_occur


@dataclass(frozen=True, eq=False)
class WholeTable:
    """What a part of a table must know of all of it."""

    form: TableForm
    n_rows: int  # each as often as it weighs
    n_classes: int
    totals: Mapping[str, Ints]  # of every confidential column, how many rows have each value
    quasi_totals: tuple[Ints, ...]

    @classmethod
    def of_counts(cls, form: TableForm, promise: PrivacyModel, counts: Sequence[NodeCounts]) -> WholeTable:
        """From the counters of the node that holds all rows. Refuses a promise that these break."""
        table = form.of_column(0).table(as_rows(form, 0, counts[0]))
        check_satisfiable(table, promise)
        n_classes = 1 if table.target is None else int(table.target.codes.max()) + 1
        quasi_totals = tuple(
            counted(each.codes[0], domain.n_codes, each.weight)
            for domain, each in zip(form.quasi, counts, strict=True)
        )
        return cls(form, table.total_weight, n_classes, table.totals, quasi_totals)

    def cuts(self, column: int) -> Ints:
        """The values of a quasi-identifier that the table has, after which thresholds may lie."""
        return codes_that_occur(self.quasi_totals[column])

    def frontier(self, form: TableForm, rows: CodedRows, node: Codes, n_nodes: int) -> Frontier:
        """Some rows, in the order of their nodes, which are a part of the table."""
        # PRIVACY: a group is compared with the whole table, and not with the part that it was cut from
        # (tests/properties/test_divided_mondrian.py).
        table = form.table(rows, self.totals)
        return replace(
            Frontier.of_table(table),
            node=node.astype(np.int32, copy=False),
            n_nodes=n_nodes,
            n_classes=self.n_classes,
            number=np.arange(n_nodes),
            n_numbers=n_nodes,
        )

    def of_column(self, column: int, counts: NodeCounts, n_nodes: int) -> Frontier:
        """Counters of a column as a frontier of so many nodes: its slots are those of the table's rows."""
        counts = counts.in_order()
        rows = as_rows(self.form, column, counts)
        return self.frontier(self.form.of_column(column), rows, counts.node, n_nodes)


def counted_whole(
    task: DividedTask, method: str, *, by_class: bool
) -> tuple[WholeTable, Routing, Sequence[NodeCounts]]:
    """The whole table as one node, counted; ``by_class``: whether cuts are to tell classes apart."""
    routing = Routing.root(task.form.names)
    counts = task.engine.count(routing, counters_of(task.form))
    whole = WholeTable.of_counts(task.form, task.promise, counts)
    if by_class:
        _check_by_class(whole, method)
    return whole, routing, counts


def counters_of(form: TableForm) -> list[tuple[str, ...]]:
    """The columns whose combinations are counted in open nodes: a quasi-identifier, and what decides cuts."""
    return [(name, *form.deciding) for name in form.names]


def as_rows(form: TableForm, column: int, counts: NodeCounts) -> CodedRows:
    """Counters of a column as rows that have no other quasi-identifier."""
    codes = zip((form.names[column], *form.deciding), counts.codes, strict=True)
    return CodedRows(dict(codes), counts.weight.astype(np.int64, copy=False))


def _check_by_class(whole: WholeTable, method: str) -> None:
    """Refuse what only the whole table can decide. Up to these limits counters are whole numbers in arrays,
    and every boundary is asked. Beyond, sums of floats, and which boundaries are asked at all, depend on the
    rows that are counted together."""
    if whole.n_classes > ARRAY_PER_ROW:
        raise not_divided(method, f"the class has {whole.n_classes} values, more than {ARRAY_PER_ROW}")
    for name, totals in whole.totals.items():
        if whole.n_classes > 1 and np.count_nonzero(totals) > COUNTERS_PER_ROW:
            raise not_divided(method, f"column {name!r} has more than {COUNTERS_PER_ROW} values")


def not_divided(method: str, why: str) -> PolicyError:
    """What to raise where only a process that holds the whole table can decide."""
    return PolicyError(
        f"the table is too large for one process, and {method} cannot divide this task: {why}",
        "raise the limit of different rows, or change what is named",
    )
