"""A tree that is published beside the table that it implies."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kanopy.data.grammar import MISSING_TEXT
from kanopy.trees import Tree, as_graphviz, as_mermaid, as_text
from kanopy.trees.class_counts import SparseCounts

_WRITERS = {".txt": as_text, ".dot": as_graphviz, ".mmd": as_mermaid}


@dataclass(frozen=True, slots=True, eq=False)
class TreeModel:
    """A published tree: its leaves, with the rows of each class, are the groups of the published table.

    Parameters
    ----------
    tree : Tree
    classes : tuple of str
        By code; the last one stands for a missing class.
    """

    tree: Tree
    classes: tuple[str, ...]

    def write(self, suffix: str) -> str:
        """The tree in the format of a file's suffix: text, Graphviz, Mermaid.

        PRIVACY: a branch that no row took would name a value that the table hides
        (tests/unit/algorithms/test_tree_model.py).
        """
        return _WRITERS[suffix](self.tree, self.classes, only_taken=True)

    def __str__(self) -> str:
        return self.write(".txt")

    def leaves(self) -> list[dict[str, int]]:
        """The rows of each class in every leaf that has any, by the text of the class.

        Where there are many classes, only those that occur in the leaf.
        """
        texts = (*self.classes[:-1], MISSING_TEXT)
        counts = self.tree.counts[self.tree.is_leaf]
        if not isinstance(counts, SparseCounts):
            lines = counts.astype(np.int64).tolist()
            return [dict(zip(texts, line, strict=False)) for line in lines if any(line)]
        leaves: dict[int, dict[str, int]] = {}
        entries = (counts.line, counts.code, counts.amount.astype(np.int64))
        for leaf, code, n_rows in zip(*(part.tolist() for part in entries), strict=True):
            leaves.setdefault(leaf, {})[texts[code]] = n_rows
        return list(leaves.values())
