"""Canaries: what is suppressed, dropped, unused or only noted beside the table is found in no artefact."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from command import run

import kanopy

CANARY = "CanaryQ7ZxJ4"
SEEN = "SeenV9KwM2Pd"
"""A published value: that it is found shows that the search would find a canary."""

N_ROWS = 40
POLICY = kanopy.Policy(
    quasi_identifiers=["age", "city"],
    target="cls",
    sensitive=["ill"],
    identifiers=["name"],
    person="who",
    k=5,
    options={"publish": "suppress"},
)


def cells() -> dict[str, list[Any]]:
    """A table with a canary in every cell that is not published."""
    return {
        "name": [f"{CANARY}-name-{row}" for row in range(N_ROWS)],
        "who": [f"{CANARY}-who-{row}" for row in range(N_ROWS)],
        "age": [20 + row % 2 * 20 for row in range(N_ROWS - 1)] + [987654321],
        "city": [SEEN] * (N_ROWS - 1) + [f"{CANARY}-city"],
        "ill": ["flu", "cold"] * (N_ROWS // 2),
        "cls": ["Y", "N", "N", "Y"] * (N_ROWS // 4),
    }


def pandas_table() -> pd.DataFrame:
    frame = pd.DataFrame(cells())
    frame.index = pd.Index([f"{CANARY}-index-{row}" for row in range(N_ROWS)], name=f"{CANARY}-index")
    for name in ("city", "ill"):
        frame[name] = frame[name].astype("category").cat.add_categories([f"{CANARY}-unused"])
    frame.attrs["note"] = f"{CANARY}-attrs"
    return frame


def arrow_table() -> pa.Table:
    table = pa.table(cells())
    fields = []
    for field in table.schema:
        column = table[field.name]
        if field.name in ("city", "ill"):
            words = pa.array([*dict.fromkeys(column.to_pylist()), f"{CANARY}-unused"])
            codes = pa.array([words.to_pylist().index(word) for word in column.to_pylist()], pa.int32())
            column = pa.DictionaryArray.from_arrays(codes, words)
            table = table.set_column(table.column_names.index(field.name), field.name, column)
        fields.append(pa.field(field.name, table[field.name].type, metadata={"note": f"{CANARY}-field"}))
    return table.cast(pa.schema(fields, metadata={"note": f"{CANARY}-schema"}))


def sliced_arrow_table() -> pa.Table:
    """A slice shares the memory of the whole, canaries and all."""
    more = {name: [*values, f"{CANARY}-cut" if name != "age" else 1] for name, values in cells().items()}
    return pa.table(more).slice(0, N_ROWS)


def parquet_file(folder: Path) -> Path:
    pq.write_table(arrow_table(), folder / "source.parquet")
    return folder / "source.parquet"


def csv_file(folder: Path) -> Path:
    pd.DataFrame(cells()).to_csv(folder / "source.csv", index=False)
    return folder / "source.csv"


SOURCES: dict[str, Callable[[Path], Any]] = {
    "pandas": lambda _: pandas_table(),
    "polars": lambda _: pl.from_pandas(pandas_table().reset_index(drop=True)),
    "arrow": lambda _: arrow_table(),
    "slice": lambda _: sliced_arrow_table(),
    "parquet": parquet_file,
    "csv": csv_file,
}


def assert_no_canary(artefact: bytes) -> None:
    for canary in (CANARY.encode(), b"987654321", CANARY.encode("utf-16-le")):
        assert canary not in artefact


@pytest.mark.parametrize("source", SOURCES)
def test_no_artefact_holds_a_canary(source: str, tmp_path: Path):
    table = SOURCES[source](tmp_path)
    release = kanopy.anonymize(table, POLICY)
    assert_no_canary(json.dumps(release.manifest).encode())
    assert_no_canary(json.dumps(release.audit.to_dict()).encode())
    assert_no_canary(repr(release).encode() + repr(release.audit).encode())
    for suffix in ("csv", "parquet"):
        path = release.write(tmp_path / f"out.{suffix}")
        assert SEEN.encode() in path.read_bytes()
        assert_no_canary(path.read_bytes())
    written = pq.ParquetFile(tmp_path / "out.parquet")
    assert written.schema_arrow.metadata is None
    assert all(field.metadata is None or b"note" not in field.metadata for field in written.schema_arrow)
    assert_no_canary(repr(written.metadata.to_dict()).encode())


def test_a_pandas_frame_comes_back_without_index_attrs_and_categories():
    frame = kanopy.anonymize(pandas_table(), POLICY).frame
    assert isinstance(frame, pd.DataFrame)
    assert frame.attrs == {}
    assert frame.index.tolist() == list(range(N_ROWS))
    assert frame.index.name is None
    assert not any(isinstance(kind, pd.CategoricalDtype) for kind in frame.dtypes)
    assert_no_canary(frame.to_csv().encode() + repr(frame.to_dict()).encode())


def test_an_arrow_table_comes_back_without_dictionaries_and_metadata():
    table = kanopy.anonymize(arrow_table(), POLICY).frame
    assert table.schema.metadata is None
    assert not any(pa.types.is_dictionary(field.type) or field.metadata for field in table.schema)
    buffers = [buffer for column in table.columns for chunk in column.chunks for buffer in chunk.buffers()]
    assert_no_canary(b"".join(buffer.to_pybytes() for buffer in buffers if buffer is not None))


def test_the_command_line_says_no_canary(tmp_path: Path):
    flags = (
        "--quasi=age,city", "--target=cls", "--sensitive=ill", "--identifiers=name", "--person=who", "--k=5",
        "--option=publish=suppress",
    )  # fmt: skip
    arguments = ("anonymize", csv_file(tmp_path), "-o", tmp_path / "out.csv", *flags, "--json")
    outcome = run(*arguments)
    assert outcome.code == 0
    assert_no_canary((outcome.out + outcome.err).encode())
    for wrong in (("--force", "--k=9999"), (), ("--force", "--numeric=city"), ("--force", "--numeric=cls")):
        refused = run(*arguments, *wrong)
        assert refused.code > 1
        assert_no_canary((refused.out + refused.err).encode())


def test_the_rows_come_in_another_order(tmp_path: Path):
    """Rows are sorted by what they say: row 17 of the release is not row 17 of the source."""
    source = pa.table(cells())
    backwards = source.take(pa.array(range(N_ROWS - 1, -1, -1)))
    published = kanopy.anonymize(source, POLICY).frame.to_pylist()
    assert published == kanopy.anonymize(backwards, POLICY).frame.to_pylist()
    assert [row["ill"] for row in published] != source["ill"].to_pylist()
