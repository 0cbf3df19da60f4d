"""What the methods of the family have in common: a limit for suppressed rows, and a node as a recoding."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import floor
from typing import Any

import numpy as np

from kanopy.algorithms.fulldomain.explorer import Checked, Explorer, Promised
from kanopy.algorithms.fulldomain.frequencies import Frequencies, Node
from kanopy.algorithms.fulldomain.levels import ColumnLevels, levels_of
from kanopy.algorithms.fulldomain.losses import loss_of, needs_class
from kanopy.algorithms.method import Method, Option, Run, always
from kanopy.algorithms.requirements import check_satisfiable
from kanopy.data import CellKind, CodedColumn, EncodedTable, RecodedColumn, Recoding, cell
from kanopy.data.arrays import Bools, Codes, Int32s
from kanopy.data.keys import rank
from kanopy.errors import PolicyError
from kanopy.privacy import PrivacyModel

MAX_SUPPRESSED = Option(
    0.0,
    "rows that may be suppressed, or their share as 5% or below 1: rows of groups that break the promise are "
    "published with every quasi-identifier suppressed, or left out where even that breaks it",
    at_least=0,
    takes_percent=True,
)
"""The option that every method of the family takes."""


def full_domain_method(
    name: str, title: str, paper: str, run: Run, options: Mapping[str, Option] | None = None, **more: Any
) -> Method:
    """A method of the family: it has a limit for suppressed rows, counts rows by weight, draws nothing."""
    return Method(
        name=name,
        title=title,
        paper=paper,
        run=run,
        options={"max_suppressed": MAX_SUPPRESSED, **(options or {})},
        draws=False,
        drops="any rows",
        takes_weights=always,
        climbs_trees=True,
        **more,
    )


def suppressed_limit(max_suppressed: float | str, n_rows: int) -> int:
    """The option as a number of rows: as given, or as a share of all where it is in percent or below 1."""
    if isinstance(max_suppressed, str):
        return floor(Fraction(max_suppressed.removesuffix("%")) / 100 * n_rows)
    exact = Fraction(str(max_suppressed))
    if exact > 1 and exact.denominator > 1:
        what = "option 'max_suppressed' is a whole number of rows, a share below 1, or percent"
        raise PolicyError(what, f"for example {max_suppressed}% or {floor(exact)}")
    return floor(exact if exact >= 1 else exact * n_rows)


def explorer_of(
    table: EncodedTable, promise: PrivacyModel, max_suppressed: float | str, loss: str
) -> Explorer:
    """The lattice of a table, with nothing known of it; refuses a promise that no node keeps."""
    check_satisfiable(table, promise)
    levels = levels_of(table)
    promised = Promised(promise, table, suppressed_limit(max_suppressed, table.total_weight))
    measured = loss_of(loss, table, levels)
    return Explorer(table, promised, levels, measured, with_class=needs_class(loss))


def recoded(
    table: EncodedTable,
    promised: Promised,
    levels: tuple[ColumnLevels, ...],
    others: Sequence[CodedColumn],
    node: Node,
    facts: Mapping[str, Any],
) -> Recoding:
    """The table at an anonymous node; O(rows * columns)."""
    frequencies, entry = Frequencies.of(table, levels, others, node)
    suppressed = promised.settled(frequencies, promised.broken(frequencies, promised.requirements))
    assert suppressed is not None, "the node is anonymous"
    is_out = suppressed.is_out.take(entry)
    columns = []
    for column, each, level in zip(table.quasi, levels, node, strict=True):
        made = each.cells[level]
        ids = each.number(level, column.codes).astype(np.int32)
        ids = np.where(is_out, np.int32(len(made)), ids) if is_out.any() else ids
        columns.append(RecodedColumn(column.domain, (*made, cell.SUPPRESSED), ids))
    group, n_groups = frequencies.groups()
    is_kept = ~is_out if suppressed.is_dropped else np.ones(table.n_rows, dtype=bool)
    parts = numbered(np.where(is_out, n_groups, group.take(entry)), is_kept)
    told = {"implied_promises": promised.n_implied} if promised.n_implied else {}
    told |= told_of_drafts(levels, columns, is_kept)
    told["suppressed_rows"] = int(frequencies.weight[suppressed.is_out].sum())
    return Recoding(tuple(columns), is_kept, parts, facts={**told, **facts})


def told_of_drafts(
    levels: Sequence[ColumnLevels], columns: Sequence[RecodedColumn], is_kept: Bools
) -> dict[str, int]:
    """Of the columns without a hierarchy, how many show groups that nobody decided on, and how many nothing
    at all; O(rows * columns)."""
    shown = [
        {column.cells[number].kind for number in np.unique(column.ids[is_kept]).tolist()}
        for each, column in zip(levels, columns, strict=True)
        if each.is_drafted and is_kept.any()
    ]
    groups = {CellKind.RANGE, CellKind.MEMBERS}
    counts = {
        "drafted_columns": sum(bool(kinds & groups) for kinds in shown),
        "suppressed_columns": sum(kinds == {CellKind.SUPPRESSED} for kinds in shown),
    }
    return {name: number for name, number in counts.items() if number}


def numbered(group: Codes, is_kept: Bools) -> Int32s:
    """The groups of the rows that are kept, numbered without gaps; others have any number. O(rows)."""
    parts = np.zeros(len(group), dtype=np.int32)
    parts[is_kept] = rank(group[is_kept], int(group.max(initial=0)) + 1)[0]
    return parts


def searched(explorer: Explorer, chosen: Checked, facts: Mapping[str, Any]) -> dict[str, Any]:
    """What a search found out, to be told with the release."""
    names = [column.domain.name for column in explorer.table.quasi]
    lattice, n_checked = explorer.lattice, len(explorer.checked)
    return {
        "lattice_nodes": explorer.n_nodes,
        "nodes_checked": n_checked,
        "nodes_pruned": explorer.n_nodes - n_checked - facts.get("nodes_open", 0),
        "levels": dict(zip(names, chosen.node, strict=True)),
        "loss": chosen.loss,
        **facts,
        "lattice": {
            "heights": dict(zip(names, lattice.heights, strict=True)),
            "by_height": lattice.known_by_height().tolist() if lattice.is_whole else [],
            "front": [[each.n_suppressed, each.loss, list(each.node)] for each in explorer.front()],
        },
    }


def released(explorer: Explorer, chosen: Checked, facts: Mapping[str, Any]) -> Recoding:
    """The table at the node that a search has chosen, with what the search found out."""
    told = searched(explorer, chosen, facts)
    return recoded(explorer.table, explorer.promised, explorer.levels, explorer.others, chosen.node, told)
