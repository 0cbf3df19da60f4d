"""Drawings of a tree: indented text, Graphviz, Mermaid.

With ``only_taken`` leaves without rows are left out: a published tree must not name values that the table
hides.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kanopy.data import Domain
from kanopy.data.arrays import Ints
from kanopy.trees.tree import Tree

_INDENT = "|   "
_MISSING = "is missing"


def as_text(tree: Tree, classes: Sequence[str], *, only_taken: bool = False) -> str:
    """One line per node; leaves end with their class, their rows, and how many of them are of another."""
    if tree.is_leaf[0]:
        return f": {_prediction(tree, 0, classes)}\n"
    lines = []
    for node, depth in _nodes(tree, only_taken=only_taken):
        if node:
            end = f": {_prediction(tree, node, classes)}" if tree.is_leaf[node] else ""
            column = _in_one_line(tree.splits.column_name(int(tree.parent[node])))
            lines.append(f"{_INDENT * (depth - 1)}{column} {_condition(tree, node)}{end}")
    return "\n".join(lines) + "\n"


def as_rule(tree: Tree, node: int, classes: Sequence[str]) -> str:
    """The tests on the way to a node, and what it predicts, in one line."""
    tests, place = list[str](), node
    while place:
        above = int(tree.parent[place])
        tests.append(f"{_in_one_line(tree.splits.column_name(above))} {_condition(tree, place)}")
        place = above
    return f"{' and '.join(reversed(tests)) or 'otherwise'}: {_prediction(tree, node, classes)}"


def as_graphviz(tree: Tree, classes: Sequence[str], *, only_taken: bool = False) -> str:
    """The tree in the DOT language."""
    lines = ["digraph tree {", "  node [shape=box, fontname=sans-serif];"]
    for node, _ in _nodes(tree, only_taken=only_taken):
        shape = ", style=rounded" if tree.is_leaf[node] else ""
        lines.append(f"  n{node} [label={_quoted(_title(tree, node, classes))}{shape}];")
        if node:
            lines.append(f"  n{tree.parent[node]} -> n{node} [label={_quoted(_condition(tree, node))}];")
    return "\n".join([*lines, "}"]) + "\n"


def as_mermaid(tree: Tree, classes: Sequence[str], *, only_taken: bool = False) -> str:
    """The tree as a Mermaid flowchart."""
    lines = ["flowchart TD"]
    for node, _ in _nodes(tree, only_taken=only_taken):
        left, right = ("([", "])") if tree.is_leaf[node] else ("[", "]")
        lines.append(f"  n{node}{left}{_for_mermaid(_title(tree, node, classes))}{right}")
        if node:
            lines.append(f"  n{tree.parent[node]} -->|{_for_mermaid(_condition(tree, node))}| n{node}")
    return "\n".join(lines) + "\n"


def _nodes(tree: Tree, *, only_taken: bool) -> list[tuple[int, int]]:
    """All nodes with their depth, without leaves that no row took: those of missing values, or all."""
    return [
        (node, depth)
        for node, depth in tree.walk()
        if not tree.is_leaf[node]
        or tree.counts[node].any()
        or not node
        or not (only_taken or _condition(tree, node) == _MISSING)
    ]


def _condition(tree: Tree, node: int) -> str:
    """What the parent's test must say to get here."""
    splits, above = tree.splits, int(tree.parent[node])
    branch = node - int(tree.first_child[above])
    domain = splits.domains[splits.column[above]]
    labels = (*map(_in_one_line, domain.labels), "missing")
    if splits.threshold[above] >= 0:
        if branch == splits.missing_branch[above] == 2:
            return _MISSING
        sign = "<=" if branch == 0 else ">"
        also = " or missing" if branch == splits.missing_branch[above] else ""
        return f"{sign} {labels[splits.threshold[above]]}{also}"
    if splits.grouping[above] >= 0:
        codes = np.flatnonzero(splits.groupings[splits.grouping[above]] == branch)
        listed = "in {" + ", ".join(labels[code] for code in codes) + "}"
        return _group_name(domain, codes) or _side_name(domain, codes) or listed
    return f"= {labels[branch]}" if branch < domain.missing_code else _MISSING


def _group_name(domain: Domain, codes: Ints) -> str:
    """The name of a group of codes, where a hierarchy has one, or it is missing alone."""
    if codes.tolist() == [domain.missing_code]:
        return _MISSING
    if domain.hierarchy is None or codes[-1] == domain.missing_code:
        return ""
    node = int(domain.hierarchy.common_node(codes[:1], codes[-1:])[0])
    n_leaves = domain.hierarchy.node_high[node] - domain.hierarchy.node_low[node] + 1
    return f"= {_in_one_line(domain.hierarchy.node_label[node])}" if n_leaves == len(codes) else ""


def _side_name(domain: Domain, codes: Ints) -> str:
    """The numbers on one side of a threshold, perhaps with missing; all of them, without.

    PRIVACY: a list would name numbers that the table hides (tests/vectors/test_apt_vectors.py).
    """
    values = codes[codes < domain.missing_code]
    if not domain.is_numeric or not len(values) or values[-1] - values[0] >= len(values):
        return ""
    also = " or missing" if len(values) < len(codes) else ""
    if values[0] == 0:
        is_all = len(values) == domain.n_values
        return "is not missing" if is_all else f"<= {domain.labels[values[-1]]}{also}"
    is_above = values[-1] == domain.n_values - 1
    return f"> {domain.labels[values[0] - 1]}{also}" if is_above else ""


def _title(tree: Tree, node: int, classes: Sequence[str]) -> str:
    is_leaf = tree.is_leaf[node]
    return _prediction(tree, node, classes) if is_leaf else _in_one_line(tree.splits.column_name(node))


def _prediction(tree: Tree, node: int, classes: Sequence[str]) -> str:
    counts = tree.counts[node]
    n_rows, n_others = float(counts.sum()), float(counts.sum() - counts.max())
    known = node
    while tree.counts[known].sum() <= 0 and known:
        known = int(tree.parent[known])
    others = f"/{n_others:g}" if n_others else ""
    return f"{_in_one_line(classes[int(tree.counts[known].argmax())])} ({n_rows:g}{others})"


def _in_one_line(text: str) -> str:
    return " ".join(text.splitlines())


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _for_mermaid(text: str) -> str:
    """Quoted, with the characters that Mermaid reads as its own written as entities."""
    plain = [letter if letter.isalnum() or letter in " .-=()/" else f"#{ord(letter)};" for letter in text]
    return f'"{"".join(plain)}"'
