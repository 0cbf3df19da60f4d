"""A Parquet file carries what its columns mean beside their names: the grammar alone, and no cell."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from command import SECRET

import kanopy
from kanopy.codebook.meaning import Cells, field_notes


@pytest.fixture
def written(tmp_path: Path) -> Path:
    table = pa.table({
        "age": [20 + i % 9 for i in range(90)], "job": [f"{SECRET}{i % 3}" for i in range(90)],
        "ill": [f"{SECRET}-{i % 2}" for i in range(90)], "hours": [1.5 * i for i in range(90)],
    })  # fmt: skip
    policy = kanopy.Policy(quasi_identifiers=["age", "job"], target="ill", keep=["hours"], k=5)
    return kanopy.anonymize(table, policy).write(tmp_path / "r.parquet")


def test_every_column_says_what_it_holds(written: Path) -> None:
    schema = pq.read_schema(written)
    said = {field.name: field.metadata[b"kanopy.cells"].decode() for field in schema}
    assert {name: text.partition(":")[0] for name, text in said.items()} == {
        "age": "numbers", "job": "texts", "ill": "plain texts", "hours": "plain numbers",
    }  # fmt: skip


def test_nothing_else_is_noted(written: Path) -> None:
    """All notes are words of a fixed vocabulary."""
    schema, metadata = pq.read_schema(written), pq.read_metadata(written).metadata
    assert set(metadata) == {b"ARROW:schema"}
    assert schema.metadata is None
    vocabulary = {
        note
        for cells in Cells
        for suppressed in ("any", "not shown")
        for note in field_notes({"x": {"cells": cells, "suppressed": suppressed}})["x"].items()
    }
    for field in schema:
        assert {(key.decode(), value.decode()) for key, value in field.metadata.items()} <= vocabulary
    assert SECRET.encode() not in metadata[b"ARROW:schema"]


def test_readers_get_plain_types(written: Path) -> None:
    import pandas as pd

    assert pq.read_schema(written).field("job").type == pa.string()
    assert not isinstance(pd.read_parquet(written)["job"].dtype, pd.CategoricalDtype)
    assert kanopy.verify(written).kept


def test_a_file_that_was_saved_again_has_the_same_cells(written: Path) -> None:
    pq.write_table(pq.read_table(written), written, compression="none")
    found = {check.name: check.message for check in kanopy.verify(written).checks}
    assert "every cell is the same" in found["file"]
