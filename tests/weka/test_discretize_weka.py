"""Our cuts against those of Weka's supervised Discretize filter, on tables that everybody knows."""

from __future__ import annotations

import csv
import os
import re
from pathlib import Path

import numpy as np
import pytest
from weka_program import Column, requires_weka, run_weka, write_arff

from kanopy.data import CodedColumn, Domain
from kanopy.trees.discretize import Discretizer

FILTER = "weka.filters.supervised.attribute.Discretize"
PRINTED = 0.5e-6
"""Weka prints cuts with six digits after the point."""

TABLES = ("glass", "pima", "german", "crx", "ionosphere", "vehicle", "waveform40", "adult_train")

pytestmark = requires_weka


def read_columns(table: str) -> list[Column]:
    """A table with numbers where a column holds nothing else; the class comes last and is nominal."""
    folder = os.environ.get("KANOPY_DATA")
    if not folder or not (Path(folder) / f"{table}.csv").is_file():
        pytest.skip(f"KANOPY_DATA is not set to a folder with {table}.csv")
    with (Path(folder) / f"{table}.csv").open(encoding="utf-8", newline="") as file:
        names, *rows = csv.reader(file)
    columns: list[Column] = []
    for name, cells in zip(names, zip(*rows, strict=True), strict=True):
        texts = [cell or None for cell in cells]
        try:
            assert name != names[-1]
            columns.append((name, "numeric", [None if text is None else float(text) for text in texts]))
        except (ValueError, AssertionError):
            columns.append((name, sorted({text for text in texts if text is not None}), texts))
    return columns


def coded(column: Column) -> CodedColumn:
    name, kind, values = column
    labels = sorted({value for value in values if value is not None}) if kind == "numeric" else kind
    numbers = np.array(labels, dtype=np.float64) if kind == "numeric" else None
    domain = Domain(name, tuple(map(str, labels)), numbers)
    code_of = {None: len(labels)} | {label: code for code, label in enumerate(labels)}
    return CodedColumn(domain, np.array([code_of[value] for value in values], dtype=np.uint32))


def weka_output(
    folder: Path, columns: list[Column], *options: str, weights: list[float] | None = None
) -> tuple[list[list[float]], list[list[str]]]:
    """The cuts that Weka finds for each numeric column, and its rows as it writes them."""
    write_arff(folder / "in.arff", columns, "table", weights)
    run_weka(FILTER, *options, "-i", folder / "in.arff", "-o", folder / "out.arff", "-c", "last")
    lines = (folder / "out.arff").read_text(encoding="utf-8").splitlines()
    attributes = [line for line in lines if line.lower().startswith("@attribute")]
    assert len(attributes) == len(columns)
    cuts = [
        [float(upper) for upper in re.findall(r"-(-?\d+(?:\.\d+)?(?:E-?\d+)?)\]", line)]
        for line, (_, kind, _) in zip(attributes, columns, strict=True)
        if kind == "numeric"
    ]
    rows = [line.split(",") for line in lines[lines.index("@data") + 1 :] if line]
    return cuts, rows


def our_cuts(columns: list[Column], weights: list[float] | None = None) -> list[list[float]]:
    *attributes, target = map(coded, columns)
    fitted = Discretizer.fit(attributes, target, None if weights is None else np.array(weights))
    return [list(cuts) for cuts in fitted.cuts if cuts is not None]


def assert_same(ours: list[list[float]], theirs: list[list[float]]) -> None:
    assert [len(cuts) for cuts in ours] == [len(cuts) for cuts in theirs]
    for our, their in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(our, their, rtol=1e-12, atol=PRINTED * (1 + 1e-6))


@pytest.mark.parametrize("table", TABLES)
def test_cuts_are_those_of_weka(table: str, tmp_path: Path) -> None:
    columns = read_columns(table)
    ours, (theirs, _) = our_cuts(columns), weka_output(tmp_path, columns)
    assert sum(map(len, theirs)) > 0
    assert_same(ours, theirs)


def test_weka_counts_rows_and_not_places(tmp_path: Path) -> None:
    """With its better encoding Weka finds other cuts: the table tells the two readings apart."""
    columns = read_columns("adult_train")
    better, _ = weka_output(tmp_path, columns, "-E")
    assert [len(cuts) for cuts in better] != [len(cuts) for cuts in our_cuts(columns)]


def test_missing_and_weights_as_in_weka(tmp_path: Path) -> None:
    """Columns that know ever less about the class, with weights that floats add up exactly."""
    rng = np.random.default_rng(5)
    classes = rng.integers(0, 3, 600)
    weights = rng.choice([0.25, 0.5, 1.0, 4.0], 600).tolist()
    columns: list[Column] = []
    for noise in range(1, 13):
        numbers = np.round(classes + rng.normal(scale=noise / 3, size=600), 1)
        values = np.where(rng.random(600) < 0.1, None, numbers).tolist()
        columns.append((f"x{noise}", "numeric", values))
    columns.append(("class", ["0", "1", "2"], classes.astype(str).tolist()))
    with_weights, _ = weka_output(tmp_path, columns, weights=weights)
    without, rows = weka_output(tmp_path, columns)
    assert with_weights != without
    assert_same(our_cuts(columns, weights), with_weights)
    assert_same(our_cuts(columns), without)

    *attributes, target = map(coded, columns)
    binned = Discretizer.fit(attributes, target).apply(attributes)
    for column, theirs, cuts in zip(binned, zip(*rows, strict=True), without, strict=False):
        pairs = set(zip(column.codes.tolist(), theirs, strict=True))
        assert len(pairs) == len(cuts) + 2  # bins and missing correspond one to one
        assert (column.domain.missing_code, "?") in pairs


def test_labels_of_any_kind_arrive(tmp_path: Path) -> None:
    labels = [
        "it's",
        'say "hi"',
        "a\\b",
        "50%",
        "?",
        "",
        " ",
        "a,b",
        "{x}",
        "é",
        "a\nb\r\tc",
        "@data",
        "<=50K",
    ]
    columns: list[Column] = [("the 'x'", "numeric", range(14)), ("a, b", labels, [*labels, None])]
    write_arff(tmp_path / "in.arff", columns, "what's this?")
    run_weka("weka.filters.AllFilter", "-i", tmp_path / "in.arff", "-o", tmp_path / "out.arff")
    lines = (tmp_path / "out.arff").read_text(encoding="utf-8").splitlines()
    assert [read_token(line.partition(",")[2]) for line in lines[-14:]] == [*labels, None]


def read_token(text: str) -> str | None:
    """What Weka writes for one value."""
    if text == "?":
        return None
    if not text.startswith("'"):
        return text
    named = {"n": "\n", "r": "\r", "t": "\t"}
    return re.sub(r"\\(.)", lambda found: named.get(found[1], found[1]), text[1:-1])


def test_a_failure_of_weka_is_noticed(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="failed"):
        run_weka(FILTER, "-i", tmp_path / "absent.arff", "-c", "last")
