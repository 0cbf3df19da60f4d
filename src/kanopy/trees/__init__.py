"""Decision trees over encoded tables: grown, pruned, drawn, and used to predict."""

from typing import TYPE_CHECKING

from kanopy._lazy import loaded_when_used

if TYPE_CHECKING:
    from kanopy.trees.discretize import Discretizer
    from kanopy.trees.drawing import as_graphviz, as_mermaid, as_text
    from kanopy.trees.inducers import c45, id3
    from kanopy.trees.tree import Tree, TreeBuilder, class_shares, predict
else:
    __getattr__ = loaded_when_used(__name__, {
        "kanopy.trees.discretize": ("Discretizer",),
        "kanopy.trees.drawing": ("as_graphviz", "as_mermaid", "as_text"),
        "kanopy.trees.inducers": ("c45", "id3"),
        "kanopy.trees.tree": ("Tree", "TreeBuilder", "class_shares", "predict"),
    })  # fmt: skip

__all__ = [
    "Discretizer", "Tree", "TreeBuilder", "as_graphviz", "as_mermaid", "as_text", "c45", "class_shares",
    "id3", "predict",
]  # fmt: skip
