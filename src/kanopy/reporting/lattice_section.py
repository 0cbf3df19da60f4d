"""What a method that searches a lattice of levels looked at, and what it chose: for the board alone.

How many rows would be suppressed at nodes that were not published is counted on the source.
"""

from __future__ import annotations

from typing import Any

from kanopy._visible import shortened
from kanopy.reporting.blocks import (
    Block,
    Ladders,
    Name,
    Paragraph,
    Plane,
    Section,
    Spot,
    Stacks,
    TableBlock,
)
from kanopy.reporting.tally import Tally

_KINDS = ("counted", "known to keep the promise", "known to break it")
_MOST_TOLD = 10**12
_MOST_COLUMNS, _MOST_POINTS, _LONGEST_NODE = 60, 8, 24


def lattice_sections(facts: dict[str, Any], n_rows: int) -> tuple[Section, ...]:
    """The section, where the method tells of levels; O(heights + points)."""
    lattice, levels = facts.get("lattice"), facts.get("levels")
    if not isinstance(lattice, dict) or not isinstance(levels, dict):
        return ()
    content: list[Block] = [Paragraph(_told(facts)), _ladders(lattice["heights"], levels)]
    if lattice.get("by_height"):
        rest = "not looked at" if facts.get("nodes_open") else "cannot be better"
        content.append(_explored(lattice["by_height"], sum(levels.values()), rest))
    if lattice.get("front"):
        content.append(_front(lattice["front"], list(levels.values()), n_rows))
    return (Section("The levels of the columns, and how they were found", tuple(content)),)


def _told(facts: dict[str, Any]) -> str:
    """What the search did, in words."""
    n_checked = facts["nodes_checked"]
    if "lattice_nodes" not in facts:
        return f"The method went up level by level and counted {n_checked:,} combinations of levels."
    said = (
        "A combination of levels, one for every column, is a node. "
        f"Of {_many(facts['lattice_nodes'])} nodes, {n_checked:,} were counted, "
        f"and what {_many(facts['nodes_pruned'])} others do followed from these."
    )
    if facts.get("nodes_open"):
        said += f" Nobody looked at the other {_many(facts['nodes_open'])}."
    if facts.get("is_optimal"):
        said += " No node that keeps the promise loses less than the chosen one: this is proven."
    if "at_most_above_optimum" in facts:
        most = f"{facts['at_most_above_optimum']:.4f}"
        said += f" The search ended before that: another node may lose less, by at most {most}."
    if "local_nodes" in facts:
        said += (
            f" Then rows were published on levels of their own, at {facts['local_nodes']:,} nodes: they lose "
            f"{facts['local_loss']:.4f} instead of {facts['loss']:.4f}."
        )
    return said


def _ladders(heights: dict[str, int], levels: dict[str, int]) -> Ladders:
    columns = tuple((Name(name), levels[name], heights[name]) for name in list(levels)[:_MOST_COLUMNS])
    return Ladders(
        "Chosen levels",
        "The levels of every column, from 0, its values as they are, to the last, which is suppressed.",
        columns,
    )


def _many(n_nodes: int) -> str:
    return f"{n_nodes:,}" if n_nodes < _MOST_TOLD else "more than a trillion"


def _explored(by_height: list[list[int]], chosen: int, rest: str) -> Stacks:
    stacks = []
    for height, counts in enumerate(by_height):
        n_nodes = max(sum(counts), 1)
        label = f"{height}, as chosen" if height == chosen else str(height)
        stacks.append((Name(label), tuple(Tally(n, n / n_nodes, f"{n:,}") for n in counts)))
    return Stacks(
        "Nodes by height, the sum of their levels",
        "For every height the share of its nodes that were counted, and of those that needed no counting.",
        (*_KINDS, rest),
        tuple(stacks),
        "height",
    )


def _front(front: list[list[Any]], chosen: list[int], n_rows: int) -> Plane:
    """Loss against suppressed rows, of nodes that no counted one beats in both; of many, some."""
    step = -(-len(front) // _MOST_POINTS)
    front = [point for place, point in enumerate(front) if place % step == 0 or point[2] == chosen]
    rows = tuple(
        (_written(node) + (", chosen" if node == chosen else ""), f"{n_suppressed:,}", f"{loss:.2%}")
        for n_suppressed, loss, node in front
    )
    title = "Loss against suppressed rows"
    spots = tuple(
        Spot(
            "chosen" if node == chosen else _written(node),
            (n_suppressed / n_rows,) * 3,
            (loss,) * 3,
            node != chosen,
        )
        for n_suppressed, loss, node in front
    )
    header = ("levels", "suppressed rows", "loss")
    return Plane(
        title,
        "The counted nodes that lose least for the rows that they suppress; the filled one was chosen. Of "
        "nodes that suppress other rows only some were counted: one of the others may lose less.",
        ("suppressed rows, in percent of all", "loss"),
        (("counted nodes that none beats in both", spots),),
        (),
        TableBlock(title, header, rows, frozenset({1, 2})),
    )


def _written(node: list[int]) -> str:
    return shortened("-".join(map(str, node)), _LONGEST_NODE)
