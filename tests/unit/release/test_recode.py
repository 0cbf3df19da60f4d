"""``release.recode``: new rows in, the same kind of frame out, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet
import pytest

import kanopy
from kanopy.auditing import Audit
from kanopy.errors import InputError, PolicyError
from kanopy.frames.tables import to_arrow
from kanopy.policy import Policy
from kanopy.release import Release

COLUMNS: dict[str, list[Any]] = {
    "name": ["N1", "N2", "N3", "N4", "N5", "N6"],
    "income": ["low", "low", "low", "high", "high", "high"],
    "age": [20, 22, 24, 40, 42, 44],
    "hours": [1.5, 2.5, 3.5, 4.5, 5.5, 6.5],
    "town": ["Bonn", "Bonn", "Bonn", "Köln", None, "Köln"],
}
POLICY = Policy(
    quasi_identifiers=["town", "age"],
    target="income",
    identifiers=["name"],
    keep=["hours"],
    missing=["NA"],
    k=3,
)
NEW: dict[str, list[Any]] = {"age": [43, 21], "town": ["Köln", "Bonn"]}
RECODED = {"age": ["[40, 44]", "[20, 24]"], "town": ["{, Köln}", "Bonn"]}


@pytest.fixture(scope="module")
def release() -> Release:
    return kanopy.anonymize(pa.table(COLUMNS), POLICY)


def recoded(release: Release, columns: dict[str, list[Any]]) -> dict[str, list[Any]]:
    result: dict[str, list[Any]] = release.recode(pa.table(columns)).to_pydict()
    return result


# --- What comes out --------------------------------------------------------------------------------------


def test_rows_keep_their_order_and_columns_that_of_the_release(release: Release) -> None:
    assert recoded(release, NEW) == RECODED
    assert list(recoded(release, NEW)) == ["age", "town"]
    new = {"town": NEW["town"], "hours": [9.0, 8.0], "age": NEW["age"], "income": ["low", "high"]}
    result = recoded(release, new)
    assert list(result) == release.frame.column_names == ["income", "age", "hours", "town"]
    assert result == {**RECODED, "hours": [9.0, 8.0], "income": ["low", "high"]}


def test_the_rows_of_the_release(release: Release) -> None:
    result = release.recode(pa.table(COLUMNS))
    assert result.schema == release.frame.schema
    assert sorted(result.to_pylist(), key=str) == sorted(release.frame.to_pylist(), key=str)


def test_identifiers_and_persons_are_dropped() -> None:
    columns = {"p": [1, 2, 3, 4], "n": list("abcd"), "q": [1, 1, 2, 2]}
    policy = Policy(quasi_identifiers=["q"], identifiers=["n"], person="p", k=2)
    release = kanopy.anonymize(pa.table(columns), policy)
    # Not even looked at: a list could not be published.
    new = pa.table({"n": pa.array([[1], [2]]), "q": [1, 3], "p": [None, 9]})
    assert release.recode(new).to_pydict() == {"q": ["1", "2"]}


@pytest.mark.parametrize(
    ("frame", "kind"),
    [
        (pd.DataFrame(NEW, index=[7, 3]), pd.DataFrame),
        (pd.DataFrame(NEW).convert_dtypes(dtype_backend="pyarrow"), pd.DataFrame),
        (pd.DataFrame(NEW).astype({"town": "category"}), pd.DataFrame),
        (pl.DataFrame(NEW), pl.DataFrame),
        (pa.table(NEW), pa.Table),
        (pa.table({name: pa.array(values).dictionary_encode() for name, values in NEW.items()}), pa.Table),
    ],
)
def test_the_kind_that_comes_in_goes_out(release: Release, frame: Any, kind: type) -> None:
    result = release.recode(frame)
    assert type(result) is kind
    assert to_arrow(result).to_pydict() == RECODED


@pytest.mark.parametrize(
    "frame",
    [pd.DataFrame(COLUMNS), pl.DataFrame(COLUMNS), pa.table(COLUMNS)],
    ids=["pandas", "polars", "arrow"],
)
def test_types_are_those_of_the_release(frame: Any) -> None:
    release = kanopy.anonymize(frame, POLICY)
    result = release.recode(frame)
    if isinstance(frame, pa.Table):
        assert result.schema == release.frame.schema
    else:
        assert list(result.dtypes) == list(release.frame.dtypes)


@pytest.mark.parametrize("name", ["new.csv", "new.tsv", "new.parquet"])
def test_a_path_gives_arrow(release: Release, name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    if path.suffix == ".parquet":
        pa.parquet.write_table(pa.table(NEW), path)
    else:
        pd.DataFrame(NEW).to_csv(path, sep="\t" if path.suffix == ".tsv" else ",", index=False)
    assert release.recode(path).to_pydict() == RECODED
    assert release.recode(str(path)).to_pydict() == RECODED


def test_delimiter_and_encoding(release: Release, tmp_path: Path) -> None:
    path = tmp_path / "new.csv"
    path.write_text("age;town\n43;Köln\n", encoding="latin-1")
    result = release.recode(path, delimiter=";", encoding="latin-1")
    assert result.to_pydict() == {"age": ["[40, 44]"], "town": ["{, Köln}"]}


@pytest.mark.parametrize("kind", ["pandas", "polars", "arrow", "chunkless", "dictionary"])
def test_no_rows(release: Release, kind: str) -> None:
    types = {"age": pa.int64(), "town": pa.string(), "hours": pa.float64()}
    table = pa.table({name: pa.array([], type_) for name, type_ in types.items()})
    frames = {
        "pandas": table.to_pandas(),
        "polars": pl.from_arrow(table),
        "arrow": table,
        "chunkless": pa.table({name: pa.chunked_array([], type_) for name, type_ in types.items()}),
        "dictionary": pa.table(
            {name: pa.chunked_array([], pa.dictionary(pa.int32(), type_)) for name, type_ in types.items()}
        ),
    }
    result = release.recode(frames[kind])
    assert type(result) is type(frames[kind])
    result = to_arrow(result)
    assert (result.column_names, result.num_rows) == (["age", "hours", "town"], 0)
    assert result.schema.field("hours").type == pa.float64()


def test_what_comes_in_is_not_changed(release: Release) -> None:
    frame = pd.DataFrame({"age": [43, 21], "town": [" Köln", "Bonn "]})
    before = frame.copy(deep=True)
    release.recode(frame)
    pd.testing.assert_frame_equal(frame, before)


def test_a_release_of_files_recodes_frames(tmp_path: Path) -> None:
    pd.DataFrame(COLUMNS).to_csv(tmp_path / "t.csv", index=False)
    release = kanopy.anonymize(tmp_path / "t.csv", POLICY)
    assert release.recode(pl.DataFrame(NEW)).to_dict(as_series=False) == RECODED


# --- Values ----------------------------------------------------------------------------------------------


def test_texts_are_cleaned(release: Release) -> None:
    new = {"age": [" 43", "21\u200b"], "town": ["Ko\u0308ln ", "\ufeffBonn"], "income": [" low", "NA"]}
    assert recoded(release, new) == {**RECODED, "income": ["low", None]}
    assert recoded(release, {" age ": [43], "town": ["Köln"]})["age"] == ["[40, 44]"]


def test_missing(release: Release) -> None:
    """Empty, null and what the policy declares; the pattern of older people covers a missing town."""
    new = {"age": ["43"] * 3, "town": ["NA", None, " "]}
    assert recoded(release, new)["town"] == ["{, Köln}"] * 3
    assert recoded(release, {"age": [None], "town": ["Bonn"]}) == {"age": ["[20, 24]"], "town": ["Bonn"]}


def test_a_missing_cell_is_null() -> None:
    columns = {"q": ["a", "a", None, None]}
    release = kanopy.anonymize(pa.table(columns), Policy(quasi_identifiers=["q"], k=2))
    assert recoded(release, {"q": [None, "a", "b"]}) == {"q": [None, "a", None]}


def test_unseen_values(release: Release) -> None:
    """A number goes where it lies or nearest; a category that nothing covers leaves it to the rest."""
    new = {"age": [23.5, 30, 33, 99], "town": ["Bonn", "Bonn", "Ulm", "Ulm"]}
    assert recoded(release, new)["age"] == ["[20, 24]", "[20, 24]", "[40, 44]", "[40, 44]"]


def test_integers_that_became_floats(release: Release) -> None:
    """pandas makes floats of a column that has missing values."""
    frame = pd.DataFrame({"age": [43, None], "town": ["Köln", "Bonn"]})
    assert frame["age"].dtype == float
    assert release.recode(frame)["age"].tolist() == ["[40, 44]", "[20, 24]"]


def test_a_quasi_identifier_that_was_empty() -> None:
    release = kanopy.anonymize(
        pa.table({"q": pa.nulls(4), "z": ["a", "a", "b", "b"]}), Policy(quasi_identifiers=["q", "z"], k=2)
    )
    assert recoded(release, {"q": [1, None], "z": ["b", "b"]}) == {"q": [None, None], "z": ["b", "b"]}


def test_numbers_with_leading_zeros_are_numbers_where_declared() -> None:
    columns = {"q": ["01", "02", "10", "11"]}
    policy = Policy(quasi_identifiers=["q"], numeric=["q"], k=2)
    release = kanopy.anonymize(pa.table(columns), policy)
    assert recoded(release, {"q": ["1", "0002", ".5", "10.5"]}) == {
        "q": ["[01, 02]", "[01, 02]", "[01, 02]", "[10, 11]"]
    }


# --- What is refused -------------------------------------------------------------------------------------

SECRET = "S3CR3T"


@pytest.mark.parametrize("values", [["43", SECRET, SECRET], ["NaN", "inf", "43"], ["007", "1_0", "1"]])
def test_texts_where_the_release_has_numbers(release: Release, values: list[str]) -> None:
    with pytest.raises(InputError, match="'age' is numeric in the release, but 2 new cells") as caught:
        recoded(release, {"age": values, "town": ["Köln"] * 3})
    assert not any(value in str(caught.value) for value in values)


def test_an_unknown_column(release: Release) -> None:
    with pytest.raises(PolicyError, match="does not say what these columns are: 'agee'"):
        recoded(release, {**NEW, "agee": [1, 2]})


def test_names_that_may_be_cells_are_not_shown(release: Release) -> None:
    with pytest.raises(PolicyError, match="header") as caught:
        recoded(release, {**NEW, "43": [1, 2], SECRET: [1, 2]})
    assert SECRET not in str(caught.value)


def test_a_quasi_identifier_that_is_not_there(release: Release) -> None:
    with pytest.raises(PolicyError, match="lack the quasi-identifier 'town'"):
        recoded(release, {"age": [43]})
    with pytest.raises(PolicyError, match="lack"):
        release.recode(pa.table({}))


def test_two_columns_of_one_name(release: Release) -> None:
    with pytest.raises(InputError, match="more than once"):
        release.recode(pa.table([[1], [2], ["Bonn"]], names=["age", "age ", "town"]))


def test_what_is_no_table(release: Release) -> None:
    with pytest.raises(PolicyError, match="this is a dict"):
        release.recode(NEW)
    with pytest.raises(PolicyError, match="LazyFrame"):
        release.recode(pl.LazyFrame(NEW))
    with pytest.raises(InputError, match="no such file"):
        release.recode("nowhere.csv")


def test_values_that_cannot_be_read(release: Release) -> None:
    with pytest.raises(InputError, match="'town' holds list"):
        release.recode(pa.table({"age": [43], "town": pa.array([["Bonn"]])}))


def test_a_release_without_patterns(release: Release) -> None:
    audit: Audit = release.audit
    with pytest.raises(PolicyError, match="does not know its recoding"):
        Release(release._published, POLICY, audit, {}).recode(pa.table(NEW))
