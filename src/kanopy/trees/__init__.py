"""Decision trees over encoded tables: grown, pruned, drawn, and used to predict."""

from kanopy.trees.discretize import Discretizer
from kanopy.trees.drawing import as_graphviz, as_mermaid, as_text
from kanopy.trees.inducers import c45, id3
from kanopy.trees.tree import Tree, TreeBuilder, class_shares, predict

__all__ = [
    "Discretizer",
    "Tree",
    "TreeBuilder",
    "as_graphviz",
    "as_mermaid",
    "as_text",
    "c45",
    "class_shares",
    "id3",
    "predict",
]
