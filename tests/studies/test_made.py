"""Tables that are made: the boards are the published ones, the waves are like the published ones."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from kanopy_studies import datasets

FOLDER = os.environ.get("KANOPY_DATA", "")
needs_tables = pytest.mark.skipif(
    not (Path(FOLDER) / "waveform40.csv").is_file() or not FOLDER,
    reason="KANOPY_DATA names no folder with the tables",
)


@pytest.fixture
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("KANOPY_DATA", raising=False)
    monkeypatch.setattr("kanopy_studies.datasets.loading.cache_folder", lambda: tmp_path)


def rows_of(table: pa.Table) -> list[tuple[str, ...]]:
    return list(zip(*(column.to_pylist() for column in table.columns), strict=True))


def read_file(name: str) -> list[tuple[str, ...]]:
    lines = (Path(FOLDER) / name).read_text(encoding="utf-8").splitlines()
    return [tuple(line.split(",")) for line in lines[1:]]


@pytest.mark.usefixtures("nowhere")
def test_boards() -> None:
    table = datasets.load("tic_tac_toe", download=False)
    boards = rows_of(table)
    assert tuple(table.column_names) == datasets.describe("tic_tac_toe").columns
    assert len(set(boards)) == 958
    assert Counter(board[-1] for board in boards) == {"positive": 626, "negative": 332}
    full = [board[:-1] for board in boards if "b" not in board[:-1]]
    assert all(board.count("x") == 5 for board in full)
    assert sum(board[-1] == "negative" and "b" not in board for board in boards) == 16  # draws
    assert all(board[:-1].count("x") - board[:-1].count("o") in (0, 1) for board in boards)


@needs_tables
def test_boards_are_the_published_ones() -> None:
    made, published = rows_of(datasets.load("tic_tac_toe")), read_file("tic_tac_toe.csv")
    assert Counter(made) == Counter(published)
    assert made == published


@needs_tables
@pytest.mark.parametrize("name", datasets.names())
def test_tables_of_the_folder(name: str) -> None:
    known, table = datasets.describe(name), datasets.load(name, download=False)
    assert (table.num_rows, tuple(table.column_names)) == (known.n_rows, known.columns)
    parts = [datasets.load(name, part=part, download=False) for part in known.parts]
    assert sum(part.num_rows for part in parts) in (0, known.n_rows)


# --- waves ----------------------------------------------------------------------------------------------


def numbers_of(table: pa.Table) -> tuple[np.ndarray, np.ndarray]:
    *columns, classes = table.columns
    values = [np.array(column.to_pylist(), dtype=float) for column in columns]
    return np.stack(values, axis=1), np.array(classes.to_pylist(), dtype=int)


@pytest.mark.usefixtures("nowhere")
def test_waves() -> None:
    table = datasets.load("waveform40", download=False)
    assert (table.num_rows, tuple(table.column_names)) == (5000, datasets.describe("waveform40").columns)
    assert table.equals(datasets.load("waveform40", seed=0))
    assert not table.equals(datasets.load("waveform40", seed=1))
    assert not any("-0.00" in column.to_pylist() for column in table.columns)
    values, classes = numbers_of(table)
    assert np.allclose(np.bincount(classes) / 5000, 1 / 3, atol=0.03)
    points = np.arange(1, 22)
    waves = [np.maximum(6 - abs(points - peak), 0) for peak in (7, 11, 15)]
    for kind, (first, second) in enumerate(((0, 2), (0, 1), (1, 2))):
        mine = values[classes == kind]
        expected = np.concatenate([(waves[first] + waves[second]) / 2, np.zeros(19)])
        # A uniform share has the variance 1/12.
        spread = np.concatenate([1 + (waves[first] - waves[second]) ** 2 / 12, np.ones(19)])
        assert np.abs(mine.mean(axis=0) - expected).max() < 5 * np.sqrt(spread.max() / len(mine))
        assert np.abs(mine.var(axis=0) / spread - 1).max() < 0.2


@needs_tables
def test_waves_are_like_the_published_ones() -> None:
    """By class and column: the same means and spreads, but other rows."""
    made, made_classes = numbers_of(datasets.load("waveform40", seed=5))
    published, classes = numbers_of(datasets.load("waveform40"))
    for kind in range(3):
        ours, theirs = made[made_classes == kind], published[classes == kind]
        error = np.sqrt(ours.var(axis=0) / len(ours) + theirs.var(axis=0) / len(theirs))
        assert np.abs((ours.mean(axis=0) - theirs.mean(axis=0)) / error).max() < 4.5
        assert np.abs(ours.std(axis=0) / theirs.std(axis=0) - 1).max() < 0.12
    shuffled = np.roll(classes, 1)
    assert np.abs(made[made_classes == 0].mean(axis=0) - published[shuffled == 0].mean(axis=0)).max() > 0.5
    assert not set(map(tuple, made[:, :21].tolist())) & set(map(tuple, published[:, :21].tolist()))


@needs_tables
def test_the_file_goes_first_unless_a_seed_is_given() -> None:
    assert rows_of(datasets.load("waveform40")) == read_file("waveform40.csv")
    assert rows_of(datasets.load("waveform40", seed=0)) != read_file("waveform40.csv")
