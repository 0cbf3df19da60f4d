"""The job that reads a table: what it holds is kept in a form that the page maps into memory."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from kanopy.drafting import SeenTable
from kanopy.drafting.policy_draft import SeenColumn
from kanopy.frames.detected_file import read_detected
from kanopy.frames.numbers import is_number

if TYPE_CHECKING:
    from kanopy.web.worker import Teller

TABLE, FACTS = "table.arrow", "facts.json"
N_BARS = 12
SHOWN_ROWS = 8
_SHOWN_COLUMNS, _LONGEST_CELL, _LISTED_VALUES = 40, 80, 50


def read(request: dict[str, Any], tell: Teller) -> None:
    """Read, look at every column, and write what the page needs; O(rows * columns)."""
    folder, source = Path(request["folder"]), Path(request["source"])
    if request.get("demo"):
        from kanopy.datasets import patients, write_patients

        write_patients(patients(request["demo"]), source)
    tell("reading the table", None)
    table, dialect = read_detected(source, **request["form"])
    tell("looking at the columns", None)
    seen = SeenTable.of(table, dialect)
    facts = {
        "n_rows": seen.n_rows,
        "n_bytes": source.stat().st_size,
        "dialect": None if dialect is None else asdict(dialect),
        "contents": {name: content._asdict() for name, content in seen.contents.items()},
        "columns": {name: _summary(name, seen) for name in seen.columns},
        "preview": preview(table),
    }
    tell("keeping what was found", None)
    with pa.OSFile(str(folder / TABLE), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)
    (folder / FACTS).write_text(json.dumps(facts, default=_plain), "utf-8")
    n_columns = len(seen.columns)
    tell.part(n_rows=seen.n_rows, n_columns=n_columns, n_bytes=facts["n_bytes"])


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else list(value)


def preview(table: pa.Table) -> dict[str, Any]:
    """The first rows, for the custodian alone."""
    some = table.slice(0, SHOWN_ROWS).select(table.column_names[:_SHOWN_COLUMNS])
    columns = [["" if cell is None else str(cell) for cell in column.to_pylist()] for column in some.columns]
    rows = [[cell[:_LONGEST_CELL] for cell in row] for row in zip(*columns, strict=True)]
    return {"names": some.column_names, "rows": rows}


def _summary(name: str, seen: SeenTable) -> dict[str, Any]:
    """A small histogram, how many rows are alone with their value, and the most frequent values."""
    column, content = seen.columns[name], seen.contents[name]
    counts = column.text.counts
    order = np.argsort(-counts, kind="stable")[:_LISTED_VALUES]
    frequent = [text[:_LONGEST_CELL] for text in column.text.words.take(pa.array(order)).to_pylist()]
    numbers = _numbers(column, content.decimal) if content.kind == "number" else None
    bars = _bars_of_numbers(*numbers) if numbers is not None else counts[order[:N_BARS]]
    ends = [] if numbers is None else [f"{numbers[0].min():g}", f"{numbers[0].max():g}"]
    return {
        "bars": [int(bar) for bar in bars],
        "ends": ends,
        "n_alone": int((counts == 1).sum()),
        "values": [[text, int(counts[at])] for text, at in zip(frequent, order.tolist(), strict=True)],
    }


def _numbers(column: SeenColumn, decimal: str) -> tuple[np.ndarray, np.ndarray] | None:
    """The numbers of a column with their counts, as far as they are plainly written."""
    texts = [text.strip().replace(decimal, ".") for text in column.text.words.to_pylist()]
    places = [place for place, text in enumerate(texts) if is_number(text)]
    if not places:
        return None
    values = np.array([float(texts[place]) for place in places])
    return values, column.text.counts[places]


def _bars_of_numbers(values: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """How many rows lie in each of twelve equal parts of the range."""
    low, high = float(values.min()), float(values.max())
    if not np.isfinite(high - low) or high == low:
        return counts[:1]
    return np.histogram(values, bins=N_BARS, range=(low, high), weights=counts)[0]


def first_rows(file: str, n_rows: int) -> pa.Table:
    """The first rows of what the job has written; the others stay on the disk."""
    with pa.memory_map(file) as source:
        return pa.ipc.open_file(source).read_all().slice(0, n_rows)


def facts_of(folder: Path) -> Mapping[str, Any]:
    """What the job has written."""
    found: Mapping[str, Any] = json.loads((folder / FACTS).read_text("utf-8"))
    return found
