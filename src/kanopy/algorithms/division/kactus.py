"""kACTUS on a table that no process holds: the tree of the whole table, and the same rows handed up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from kanopy.algorithms.division.counting import (
    CodedRows,
    DividedTask,
    DividingEngine,
    DrawnRows,
    TableForm,
)
from kanopy.algorithms.division.groups import (
    DecidedGroups,
    DividedRelease,
    published_cells,
    wanted_of_groups,
)
from kanopy.algorithms.division.growing import (
    CountedLevel,
    check_depth,
    grafted,
    grown_below,
    routing_of,
    split_above,
    without_domains,
)
from kanopy.algorithms.division.routing import Routing
from kanopy.algorithms.division.whole import WholeTable, counted_whole, not_divided
from kanopy.algorithms.kactus import anonymize_leaves, is_drawn_row_by_row
from kanopy.algorithms.requirements import least_members
from kanopy.algorithms.strata import SharedOut, Strata, lowest_tickets
from kanopy.algorithms.tickets import Draw, DrawnTickets, drawn_salt
from kanopy.algorithms.tree_release import shown_columns, style_of
from kanopy.data.arrays import Bools, Ints
from kanopy.trees.criterion import Criterion
from kanopy.trees.grow import CodeLevel, grow_from
from kanopy.trees.inducers import collapsed, criterion_of_c45, pruned_c45
from kanopy.trees.tree import Tree


def kactus_divided(
    task: DividedTask, *, min_rows: int, publish: str, merge: str, widen: bool = False, **options: Any
) -> DividedRelease:
    """Anonymize by kACTUS: exactly as the whole table would be.

    Large nodes are split from counters, others are grown to the end in tasks. How many rows are released
    where follows from the counts of leaves; which rows these are, from their tickets. Costs as
    ``mondrian_divided`` does, and two or three passes more; the driver gets the rows that are handed up.
    """
    _check_options(publish, options)
    assert task.rng is not None
    engine, form = task.engine, task.form
    whole, tree, n_levels, n_nodes = _grown(task, min_rows or least_members(task.promise))
    salt, leaves = drawn_salt(task.rng), _Leaves.of(engine, form, tree)
    found = anonymize_leaves(tree, leaves.strata.leaf, leaves.table, task.promise, task.rng, task.progress)
    shared = SharedOut.of(found.node, found.split)
    nodes = np.unique(np.concatenate([shared.main, shared.node]))
    groups = leaves.groups(engine, form, shared, nodes, salt)
    is_shown, dropped = shown_columns(tree, nodes, merge), None
    if nodes[0] < 0:  # of no node, and nothing is shown
        dropped, is_shown[0] = 0, False
    style = style_of(publish, merge)
    columns = published_cells(form, groups, whole.quasi_totals, style, is_shown, widen=widen)
    return DividedRelease(columns, groups, n_levels, n_nodes, 1, dropped=dropped)


def _grown(task: DividedTask, min_rows: int) -> tuple[WholeTable, Tree, int, int]:
    """What is known of the whole table, its tree, how many levels came from counters and nodes from tasks."""
    engine, limit = task.engine, task.limit
    whole, routing, counts = counted_whole(task, "kactus", by_class=True)
    if is_drawn_row_by_row(whole.n_rows):
        raise not_divided("kactus", "the rows of a table that is not large are drawn one by one")
    criterion = criterion_of_c45(min_rows, whole.n_rows)
    top = grow_from(CountedLevel.of_table(engine, whole, routing, counts, limit), criterion)
    n_rows = np.where(top.is_leaf, top.rows_of_node, 0)
    small = np.flatnonzero((n_rows > 0) & (n_rows <= limit))
    subtree = C45Subtree(whole, criterion, split_above(top)[small])
    answers = grown_below(engine, top, small, subtree, task.progress)
    tree, _ = grafted(top, small, [answer.tree for answer in answers])
    return whole, pruned_c45(check_depth(tree, "kactus")), len(top.levels) - 1, len(small)


def _check_options(publish: str, options: dict[str, Any]) -> None:
    if options["inducer"] != "c45" or publish == "bins":
        raise not_divided("kactus", "only trees of c45 are grown from counters, and bins are cut beforehand")
    if options["literal_nui_zero"] or options["literal_nui_ge_k"]:
        raise not_divided("kactus", "the literal readings hand up rows without a bound")


class C45Answer(NamedTuple):
    """The tree of one node's rows, without what the driver knows."""

    tree: Tree


@dataclass(frozen=True, eq=False)
class C45Subtree:
    """Grows the tree of a node to its end, in a task: plain arrays and values, which can be pickled."""

    whole: WholeTable
    criterion: Criterion
    is_tested: Bools  # nodes x columns: whether the column was split by its values above the node

    def __call__(self, number: int, rows: CodedRows) -> C45Answer:
        whole, n_rows = self.whole, len(rows.weight)
        frontier = whole.frontier(whole.form, rows, np.zeros(n_rows, dtype=np.int32), 1)
        cuts = [whole.cuts(column) for column in range(len(whole.form.quasi))]
        level = CodeLevel(frontier, self.is_tested[number : number + 1], share_missing=False, cuts=cuts)
        # What changes no predicted class is undone here: whole counts say so, whatever is above.
        return C45Answer(without_domains(collapsed(grow_from(level, self.criterion))))


class _Leaves(NamedTuple):
    """The leaves of a tree, and within them the rows that the promise cannot tell apart."""

    strata: Strata
    table: Any  # the strata as rows
    routing: Routing  # to the strata
    node: Ints  # of the routing, for each stratum

    @classmethod
    def of(cls, engine: DividingEngine, form: TableForm, tree: Tree) -> _Leaves:
        """Without confidential columns the tree knows all; otherwise the engine counts once more."""
        routing, confidential = routing_of(tree), tuple((form.confidential or {}).values())
        n_rows = np.where(tree.is_leaf, tree.rows_of_node, 0).astype(np.int64)
        leaves = np.flatnonzero(n_rows)
        strata = Strata(leaves.astype(np.int32), (), n_rows[leaves])
        names = tuple(domain.name for domain in confidential)
        if names:
            found = engine.count(routing.numbered(leaves), [names])[0].in_order()
            leaf = leaves[found.node].astype(np.int32)
            strata = Strata(leaf, found.codes, found.weight.astype(np.int64))
        routing, node = routing.with_columns(names), strata.leaf.astype(np.int64)
        for place, (domain, codes) in enumerate(zip(confidential, strata.codes, strict=True)):
            routing, node = routing.divided_by(len(form.quasi) + place, domain.n_codes, node, codes)
        return cls(strata, strata.table(confidential), routing, node)

    def groups(
        self, engine: DividingEngine, form: TableForm, shared: SharedOut, nodes: Ints, salt: int
    ) -> DecidedGroups:
        """What is released at each of these nodes: most rows of a stratum at one, drawn ones at others."""
        main = np.searchsorted(nodes, shared.main)
        of_groups = self.routing.numbered_as(self.node, main)
        *quasi, lines = engine.count(of_groups, wanted_of_groups(form))
        groups = DecidedGroups(len(nodes), tuple(quasi), lines)
        if not len(shared.n):
            return groups
        some = np.flatnonzero(shared.n_drawn)
        of_strata = self.routing.numbered(self.node[some])
        asked: list[DrawnRows] = []

        def ask(draw: Draw) -> tuple[Ints, DrawnTickets]:
            drawn = engine.drawn(of_strata, Draw(draw.salt, draw.limit[some]))
            asked[:] = [drawn]
            return some[drawn.number], DrawnTickets(np.arange(len(drawn.ticket)), drawn.ticket)

        row, node = shared.drawn(*lowest_tickets(shared, self.strata.weight, salt, ask))
        origin = main[some[asked[0].number[row]]]
        return groups.with_moved(form, asked[0].rows.take(row), origin, np.searchsorted(nodes, node))
