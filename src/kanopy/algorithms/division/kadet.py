"""kADET on a table that no process holds: the tree of the whole table, its top grown from counters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from kanopy.algorithms.division.counting import CodedRows, DividedTask
from kanopy.algorithms.division.groups import DecidedGroups, DividedRelease, wanted_of_groups
from kanopy.algorithms.division.growing import (
    CountedLevel,
    check_depth,
    grafted,
    grown_below,
    routing_of,
    split_above,
    without_domains,
)
from kanopy.algorithms.division.whole import WholeTable, counted_whole, not_divided
from kanopy.algorithms.kadet import Growth, growth_of_public
from kanopy.algorithms.tree_model import TreeModel, cells_of_leaves
from kanopy.data import Partition
from kanopy.data.arrays import Bools, Ints
from kanopy.data.keys import rank
from kanopy.trees.grow import CodeLevel, grow_from
from kanopy.trees.tree import Tree


def kadet_divided(task: DividedTask, *, criterion: str, private: bool, min_rows: int) -> DividedRelease:
    """Anonymize by kADET without private tests: exactly as the whole table would be, with the same tree.

    Large nodes are split from counters, others are grown to the end in tasks. Costs as ``mondrian_divided``
    does.
    """
    del min_rows  # of private tests alone
    if private:
        raise not_divided("kadet", "private tests look at rows of several nodes at once")
    engine, form, limit = task.engine, task.form, task.limit
    assert form.target is not None
    whole, routing, counts = counted_whole(task, "kadet", by_class=True)
    growth = growth_of_public(form.quasi, task.promise, criterion)
    level = CountedLevel.of_table(engine, whole, routing, counts, limit)
    top = grow_from(level, growth, tuple(growth.levels.groupings))
    n_rows = np.where(top.is_leaf, top.rows_of_node, 0)
    small, large = np.flatnonzero((n_rows > 0) & (n_rows <= limit)), np.flatnonzero(n_rows > limit)
    answers = grown_below(
        engine, top, small, KadetSubtree(whole, growth, split_above(top)[small]), task.progress
    )
    parts, leaves = [answer.groups for answer in answers], [answer.leaf for answer in answers]
    tree, nodes = grafted(top, small, [answer.tree for answer in answers])
    found = [nodes[number][leaf] for number, leaf in enumerate(leaves)]
    if len(large):  # what is not split at the top may be too large for a task: the engine counts it
        *quasi, lines = engine.count(routing_of(top).numbered(large), wanted_of_groups(form))
        parts.append(DecidedGroups(len(large), tuple(quasi), lines))
        found.append(nodes[-1][large])
    columns = cells_of_leaves(form.quasi, check_depth(tree, "kadet"), np.concatenate(found))
    model = TreeModel(tree, (*form.target.labels, "missing"), len(form.quasi))
    n_levels = len(top.levels) - 1
    return DividedRelease(columns, DecidedGroups.joined(parts), n_levels, len(small), 1, model)


class KadetAnswer(NamedTuple):
    """The tree of one node's rows, without what the driver knows, and what its leaves hold."""

    tree: Tree
    leaf: Ints  # of each group
    groups: DecidedGroups


@dataclass(frozen=True, eq=False)
class KadetSubtree:
    """Grows the tree of a node to its end, in a task: plain arrays and values, which can be pickled."""

    whole: WholeTable
    growth: Growth
    is_tested: Bools  # nodes x columns: whether the column was split by its values above the node

    def __call__(self, number: int, rows: CodedRows) -> KadetAnswer:
        form, n_rows = self.whole.form, len(rows.weight)
        frontier = self.whole.frontier(form, rows, np.zeros(n_rows, dtype=np.int32), 1)
        level = CodeLevel(frontier, self.is_tested[number : number + 1], share_missing=False)
        tree = grow_from(level, self.growth, tuple(self.growth.levels.groupings))
        leaf = tree.route(frontier.quasi, n_rows)
        partition = Partition(*rank(leaf, tree.n_nodes))
        groups = DecidedGroups.of_rows(form, rows, partition)
        return KadetAnswer(without_domains(tree), np.unique(leaf).astype(np.int64), groups)
