r"""Tables as Weka reads them: ARFF, with every text quoted.

A column is numeric where all its training cells are numbers; missing and suppressed cells are ``?``. Any
other column is nominal: its labels are the texts of its training cells, so that a range or a set is a label
of its own. A cell that training did not know is ``?`` in new rows, as missing is: what is learned must not
depend on them.

Inside quotes Weka undoes backslashes; so quotes and line ends are written with them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from kanopy.data.grammar import SUPPRESSED_TEXT
from kanopy.frames.numbers import is_declared_number, is_number
from kanopy.learners.words import distinct_cells

UNKNOWN = "?"

_ESCAPED = str.maketrans(
    {"\\": "\\\\", "'": "\\'", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t", "%": "\\%"}
)


@dataclass(frozen=True, slots=True)
class ArffColumn:
    """How a column is declared: with the labels of a nominal column, None for a numeric one."""

    name: str
    labels: tuple[str, ...] | None

    @property
    def declaration(self) -> str:
        kind = "numeric" if self.labels is None else "{" + ",".join(map(quoted, self.labels)) + "}"
        return f"@attribute {quoted(self.name)} {kind}"


def quoted(text: str) -> str:
    """A name or label in the quotes of ARFF."""
    return f"'{text.translate(_ESCAPED)}'"


def declared(table: pa.Table) -> tuple[ArffColumn, ...]:
    """How the columns of a training table are declared; O(rows * columns)."""
    return tuple(_declared(name, table[name]) for name in table.column_names)


def _declared(name: str, column: pa.ChunkedArray) -> ArffColumn:
    coded = distinct_cells(name, column)
    if pa.types.is_integer(column.type) or pa.types.is_floating(column.type):
        return ArffColumn(name, None)
    texts = [text for text in coded.texts.to_pylist() if text != SUPPRESSED_TEXT]
    if texts and all(map(is_number, texts)):
        return ArffColumn(name, None)
    # Weka accepts no column without labels; where every cell is unknown, a label that no row has will do.
    return ArffColumn(name, tuple(texts) or (SUPPRESSED_TEXT,))


def arff(
    columns: Sequence[ArffColumn], table: pa.Table, class_labels: Sequence[str], classes: Any = None
) -> bytes:
    """A table as ARFF in UTF-8, the class last; O(cells), plus words once per different value.

    The columns are those of the training table, in the order of ``table``. ``classes`` has the place of each
    row's class among the labels; without it, all are unknown.
    """
    names = {column.name for column in columns}
    class_name = "class"
    while class_name in names:
        class_name += "_"
    header = ["@relation release", *(column.declaration for column in columns)]
    header += [ArffColumn(class_name, tuple(class_labels)).declaration, "@data", ""]
    written = [_written(column, table.column(place)) for place, column in enumerate(columns)]
    answers = pa.array([*map(quoted, class_labels), UNKNOWN])
    if classes is None:
        classes = np.full(table.num_rows, len(class_labels))
    rows = pc.binary_join_element_wise(*written, answers.take(pa.array(classes)), ",")
    return ("\n".join(header) + "\n".join(rows.to_pylist()) + "\n").encode("utf-8")


def _written(column: ArffColumn, cells: pa.ChunkedArray) -> pa.Array:
    coded = distinct_cells(column.name, cells)
    texts = coded.texts.to_pylist()
    if column.labels is None:
        words = [text if is_declared_number(text) else UNKNOWN for text in texts]
    else:
        known = frozenset(column.labels)
        words = [quoted(text) if text in known and text != SUPPRESSED_TEXT else UNKNOWN for text in texts]
    return pa.array([*words, UNKNOWN], pa.string()).take(pa.array(coded.codes))
