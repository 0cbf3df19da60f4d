"""X in all its forms says the same; what cannot be read is refused without showing it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin

import kanopy
from kanopy.data import Hierarchy
from kanopy.errors import InputError, PolicyError
from kanopy.learners.cells import CellTable
from kanopy.learners.reading import read_classified, read_rows, read_training


class Reader(ClassifierMixin, BaseEstimator):
    """An estimator that does nothing but note what it reads."""


PUBLISHED = {
    "age": ["[20, 29]", "35", "*", None, "[20, 29]", "{, 35, 41}"],
    "sex": ["F", "{F, M}", "M", "F", "*", "M"],
    "hours": [40, 38, 40, None, 10, 12],
    "income": ["low", "high", "low", "low", "high", "high"],
}


def frame(kind: str) -> Any:
    table = pa.table(PUBLISHED)
    return {"pyarrow": table, "pandas": table.to_pandas(), "polars": pl.from_arrow(table)}[kind]


def same(first: CellTable, second: CellTable) -> bool:
    """Whether two tables have the same cells over the same values."""
    return first.n_rows == second.n_rows and all(
        (one.name, one.values) == (two.name, two.values)
        and all(
            np.array_equal(getattr(one, name), getattr(two, name))
            for name in ("ids", "first", "members", "with_missing", "is_suppressed")
        )
        for one, two in zip(first.columns, second.columns, strict=True)
    )


def people(n_rows: int = 300) -> pd.DataFrame:
    rng = np.random.default_rng(3)
    age = rng.integers(18, 80, n_rows)
    sex = rng.choice(["F", "M", None], n_rows, p=[0.45, 0.45, 0.1])
    return pd.DataFrame(
        {
            "age": age,
            "sex": sex,
            "town": rng.choice(["[1, 2]", "{a}", "{a, b}", "é🙂", "\\x", "a, b", "x"], n_rows),
            "income": np.where(age > 48, "high", "low"),
        }
    )


POLICY = kanopy.Policy(quasi_identifiers=["age", "sex", "town"], target="income", k=5)


class TestForms:
    @pytest.mark.parametrize("kind", ["pandas", "polars"])
    def test_frames(self, kind: str) -> None:
        expected, classes = read_training(Reader(), frame("pyarrow"), "income")
        table, labels = read_training(Reader(), frame(kind), "income")
        assert same(table, expected)
        assert labels is not None
        assert classes is not None
        assert labels.tolist() == classes.tolist() == PUBLISHED["income"]

    @pytest.mark.parametrize("publish", ["range", "members", "suppress"])
    @pytest.mark.parametrize("suffix", [".csv", ".parquet"])
    def test_a_published_file_says_what_the_release_says(
        self, tmp_path: Path, suffix: str, publish: str
    ) -> None:
        release = kanopy.anonymize(people(), POLICY, method="mondrian", publish=publish)
        path = release.write(tmp_path / f"release{suffix}")
        expected, labels = read_classified(Reader(), release)
        for X in (path, str(path), release.frame, pl.from_pandas(release.frame)):
            table, classes = read_classified(Reader(), X, "income")
            assert same(table, expected)
            assert np.array_equal(classes.codes, labels.codes)
            assert classes.labels.tolist() == labels.labels.tolist() == ["high", "low"]

    def test_the_target_of_a_release_is_its_class(self) -> None:
        reader = Reader()
        release = kanopy.anonymize(people(), POLICY, method="mondrian")
        table, labels = read_training(reader, release)
        assert table.names == ("age", "sex", "town")
        assert reader.n_features_in_ == 3
        assert labels is not None
        assert labels.tolist() == release.frame["income"].tolist()

    def test_hostile_values_come_back_as_they_were(self) -> None:
        raw = people()
        reader = Reader()
        release = kanopy.anonymize(raw, POLICY, method="mondrian", publish="members")
        table, _ = read_training(reader, release)
        town = table.columns[2]
        assert town.values == tuple(sorted(set(raw["town"])))
        # As raw rows they are found again, even the one that is a cell too: nobody knows of the members.
        new = read_rows(reader, raw, table.without_rows()).columns[2]
        assert new.is_exact.all()
        told = [new.values[code] for code in new.members[new.first[:-1]][new.ids]]
        assert told == raw["town"].tolist()

    def test_arrays(self) -> None:
        numbers, _ = read_training(Reader(), np.array([[1.0, np.nan], [2.0, 5.0]]), [0, 1])
        assert numbers.names == ("x0", "x1")
        assert [column.values for column in numbers.columns] == [("1", "2"), ("5",)]
        mixed, _ = read_training(Reader(), np.array([[1, "a"], [2.5, None], [None, "{a, b}"]], dtype=object))
        assert [column.values for column in mixed.columns] == [("1", "2.5"), ("a", "b")]
        listed, _ = read_training(Reader(), [[1, "a"], [2.5, ""], [None, "{a, b}"]])
        assert same(mixed, listed)
        flags, _ = read_training(Reader(), np.array([[True], [False]]))
        assert flags.columns[0].values == ("0", "1")

    def test_missing_in_all_its_forms(self) -> None:
        texts = pd.DataFrame({"a": ["x", "", None, np.nan, " ", "nan"]}, dtype=object)
        table, _ = read_training(Reader(), texts)
        assert table.columns[0].values == ("nan", "x")
        assert table.columns[0].with_missing[table.columns[0].ids].tolist() == [False, *[True] * 4, False]
        objects, _ = read_training(Reader(), np.array([["x"], [np.nan], [pd.NA], [None], [""]], dtype=object))
        assert objects.columns[0].values == ("x",)
        assert objects.columns[0].with_missing[objects.columns[0].ids].tolist() == [False, *[True] * 4]
        numbers, _ = read_training(Reader(), pl.DataFrame({"a": [1.0, float("nan"), None]}))
        assert numbers.columns[0].with_missing[numbers.columns[0].ids].tolist() == [False, True, True]


class TestClasses:
    def test_own_type(self) -> None:
        table = pa.table({"a": [1, 2, 3], "y": [0, 1, 0]})
        _, classes = read_classified(Reader(), table, "y")
        assert classes.labels.dtype.kind == "i"
        _, classes = read_classified(Reader(), table.set_column(1, "y", pa.array([True, False, True])), "y")
        assert classes.labels.tolist() == [False, True]

    def test_missing_is_a_class(self) -> None:
        _, classes = read_classified(Reader(), pa.table({"a": [1, 2, 3], "y": [0, None, 1]}), "y")
        assert classes.labels.tolist() == ["", "0", "1"]
        assert classes.codes.tolist() == [1, 0, 2]

    def test_an_array_of_them(self) -> None:
        _, classes = read_classified(Reader(), frame("pandas"), pd.Series([2, 2, 1, 1, 2, 1]))
        assert classes.labels.tolist() == [1, 2]

    @pytest.mark.parametrize(
        ("y", "message"),
        [
            (None, "requires y to be passed"),
            ([1, 2], "inconsistent numbers of samples"),
            ([1.0, 2, 1, 2, 1, np.nan], "NaN"),
            ([1.0, 2, 1, 2, 1, 0.5], "Unknown label type"),
            ([1j] * 6, "Complex data not supported"),
        ],
    )
    def test_refused(self, y: Any, message: str) -> None:
        with pytest.raises(ValueError, match=message):
            read_classified(Reader(), frame("pandas"), y)

    def test_name_without_column(self) -> None:
        with pytest.raises(InputError, match=r"lacks the class column 'incom'.*did you mean 'income'"):
            read_training(Reader(), frame("pandas"), "incom")
        with pytest.raises(PolicyError, match="no column names"):
            read_training(Reader(), np.zeros((2, 2)), "income")


class TestNewRows:
    def test_columns_are_found_by_name(self) -> None:
        reader = Reader()
        table, _ = read_training(reader, frame("pandas"), "income")
        assert list(reader.feature_names_in_) == ["age", "sex", "hours"]
        new = frame("pandas")[["income", "hours", "sex", "age"]].assign(more=1)
        assert same(read_rows(reader, new, table.without_rows()), table)
        with pytest.raises(InputError, match=r"lacks column 'sex'.*did you mean 'sexe'"):
            read_rows(reader, new.rename(columns={"sex": "sexe"}), table.without_rows())

    def test_arrays_have_them_in_order(self) -> None:
        reader = Reader()
        array = np.array([[1.0, 2.0], [3.0, np.nan]])
        table, _ = read_training(reader, array)
        assert same(read_rows(reader, array, table.without_rows()), table)
        assert same(read_rows(reader, pd.DataFrame(array, columns=["a", "b"]), table.without_rows()), table)
        assert same(read_rows(reader, pd.DataFrame(array), table.without_rows()), table)
        for wrong in (array[:, :1], pd.DataFrame({"a": [1.0]})):
            with pytest.raises(ValueError, match="X has 1 features, but Reader is expecting 2"):
                read_rows(reader, wrong, table.without_rows())

    def test_names_are_cleaned(self) -> None:
        reader = Reader()
        table, _ = read_training(reader, pd.DataFrame({" e\u0301 ": ["a", "b"]}))
        assert table.names == ("é",)
        assert read_rows(reader, pd.DataFrame({"é": ["b"]}), table.without_rows()).n_rows == 1


class TestRefusals:
    def test_nothing_to_learn_from(self) -> None:
        with pytest.raises(InputError, match="no rows"):
            read_training(Reader(), pd.DataFrame({"a": []}))
        with pytest.raises(InputError, match="no columns besides the class"):
            read_training(Reader(), pd.DataFrame({"y": [1, 2]}), "y")
        with pytest.raises(InputError, match="no such file"):
            read_training(Reader(), "nowhere.csv", "y")
        with pytest.raises(PolicyError, match="lazy"):
            read_training(Reader(), pl.DataFrame({"a": [1]}).lazy())

    def test_infinite_numbers(self) -> None:
        with pytest.raises(InputError, match="column 'a' holds 1 infinite"):
            read_training(Reader(), pd.DataFrame({"a": [1.0, np.inf]}))
        with pytest.raises(ValueError, match="infinity"):
            read_training(Reader(), np.array([[1.0], [np.inf]]))

    @pytest.mark.parametrize("X", [np.array([77123.5, 2.0]), np.zeros((2, 2, 2)), [1.0, 77123.5]])
    def test_shapes(self, X: Any) -> None:
        with pytest.raises(ValueError, match="Expected 2D array") as refusal:
            read_training(Reader(), X)
        assert "77123" not in str(refusal.value)

    def test_hierarchy_of_no_column(self) -> None:
        tree = Hierarchy.from_paths("sex", [("F", "any"), ("M", "any")])
        with pytest.raises(PolicyError, match=r"no column 'sexe'.*did you mean 'sex'"):
            read_training(Reader(), frame("pandas"), "income", hierarchies={"sexe": tree})

    def test_text_that_is_not_unicode(self) -> None:
        with pytest.raises(InputError, match="not Unicode") as refusal:
            read_training(Reader(), np.array([["\ud800secret"], ["b"]], dtype=object))
        assert "secret" not in str(refusal.value)


def test_hierarchy_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "crop.csv"
    path.write_text("apple;fruit;*\npear;fruit;*\nbeet;root;*\nleek;root;*\n", encoding="utf-8")
    crops = pd.DataFrame({"crop": ["fruit", "beet", "{, root}"]})
    table, _ = read_training(Reader(), crops, hierarchies={"crop": path})
    assert table.columns[0].values == ("apple", "beet", "leek", "pear")
    words, _ = read_training(Reader(), crops)
    assert words.columns[0].values == ("beet", "fruit", "root")
