"""The tables that the benchmarks measure on."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest

from kanopy.errors import PolicyError

COLUMNS = [
    "age",
    "workclass",
    "fnlwgt",
    "education",
    "education-num",
    "marital-status",
    "occupation",
    "relationship",
    "race",
    "sex",
    "capital-gain",
    "capital-loss",
    "hours-per-week",
    "native-country",
    "income",
]
NUMBERS = ["age", "fnlwgt", "education-num", "capital-gain", "capital-loss", "hours-per-week"]
QUASI = ["age", "workclass", "education", "marital-status", "occupation", "race", "sex"]


def load_benchmark() -> ModuleType:
    """The benchmarks are no package that is installed, so the file is loaded from its place."""
    path = Path(__file__).parents[2] / "benchmarks" / "adult.py"
    spec = importlib.util.spec_from_file_location("benchmark_adult", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


adult = load_benchmark()


@pytest.fixture(scope="module")
def likeness() -> pa.Table:
    return adult.adult_like(4000, seed=0)


def test_likeness_has_the_columns_of_adult_and_is_complete(likeness: pa.Table) -> None:
    assert likeness.column_names == COLUMNS
    assert likeness.num_rows == 4000
    for name in COLUMNS:
        assert likeness[name].type == (pa.int64() if name in NUMBERS else pa.string())
        assert likeness[name].null_count == 0


def test_likeness_is_repeatable(likeness: pa.Table) -> None:
    assert adult.adult_like(4000, seed=0).equals(likeness)
    assert not adult.adult_like(4000, seed=1).equals(likeness)


def test_likeness_has_no_more_values_than_adult(likeness: pa.Table) -> None:
    n_values = {name: len(pc.unique(likeness[name])) for name in COLUMNS}
    assert n_values["workclass"] <= 7
    assert n_values["education"] == n_values["education-num"] <= 16
    assert n_values["occupation"] <= 14
    assert n_values["native-country"] <= 41
    assert n_values["relationship"] == 6
    assert pc.min(likeness["age"]).as_py() >= 17
    assert pc.max(likeness["age"]).as_py() <= 90


def rich_share(table: pa.Table, stratum: pc.Expression) -> float:
    return float(np.mean(np.array(table.filter(stratum)["income"].to_pylist()) == ">50K"))


def test_income_depends_on_what_it_depends_on_in_adult(likeness: pa.Table) -> None:
    field = pc.field
    assert 0.2 < rich_share(likeness, field("age") > 0) < 0.3
    married, schooled = field("marital-status") == "Married-civ-spouse", field("education-num") >= 13
    assert rich_share(likeness, married) > 3 * rich_share(likeness, ~married)
    assert rich_share(likeness, schooled) > 2 * rich_share(likeness, ~schooled)
    assert rich_share(likeness, field("age") >= 40) > 1.3 * rich_share(likeness, field("age") < 40)
    hours = field("hours-per-week")
    assert rich_share(likeness, hours >= 50) > 1.5 * rich_share(likeness, hours < 40)


def test_spouses_are_married(likeness: pa.Table) -> None:
    spouses = likeness.filter(pc.field("relationship").isin(["Husband", "Wife"]))
    assert set(spouses["marital-status"].to_pylist()) == {"Married-civ-spouse"}
    husbands = spouses.filter(pc.field("relationship") == "Husband")
    assert set(husbands["sex"].to_pylist()) == {"Male"}


def test_files_are_read_where_the_folder_holds_both(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KANOPY_DATA", str(tmp_path))
    (tmp_path / "adult_train.csv").write_text("age,workclass,income\n39,State-gov,<=50K\n50,,>50K\n")
    monkeypatch.setattr(adult, "N_COMPLETE_ROWS", 10)
    assert adult.adult_files() is None
    assert adult.load_adult().column_names == COLUMNS
    (tmp_path / "adult_test.csv").write_text("age,workclass,income\n28,Private,<=50K\n,Private,>50K\n")
    assert adult.load_adult().to_pydict() == {
        "age": [39, 28],
        "workclass": ["State-gov", "Private"],
        "income": ["<=50K", "<=50K"],
    }


def test_without_files_the_likeness_stands_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("KANOPY_DATA", raising=False)
    monkeypatch.setattr(adult, "N_COMPLETE_ROWS", 25)
    assert adult.load_adult().equals(adult.adult_like(25))


def plain(table: pa.Table) -> dict[str, np.ndarray]:
    return {name: np.array(table[name].to_pylist(), dtype=object) for name in table.column_names}


def test_expanding_keeps_the_rows_and_inherits_other_columns(likeness: pa.Table) -> None:
    before, after = plain(likeness), plain(adult.expand(likeness, QUASI, 4, seed=0))
    assert list(after) == COLUMNS
    for name in COLUMNS:
        assert len(after[name]) == 4 * 4000
        assert (after[name][:4000] == before[name]).all()
        if name not in QUASI:
            assert (after[name] == np.tile(before[name], 4)).all()


def test_variations_keep_three_attributes_and_draw_the_others_uniformly(likeness: pa.Table) -> None:
    before, after = plain(likeness), plain(adult.expand(likeness, QUASI, 11, seed=0))
    is_same = np.stack([after[name][4000:] == np.tile(before[name], 10) for name in QUASI], axis=1)
    assert is_same.sum(axis=1).min() == 3
    for place, name in enumerate(QUASI):
        domain = set(before[name])
        assert set(after[name][4000:]) == domain
        chance = 3 / 7 + 4 / 7 / len(domain)
        assert abs(is_same[:, place].mean() - chance) < 5 * np.sqrt(chance / len(is_same))
    # Redrawn cells are uniform over the domain, however rare a value is in the original.
    redrawn = after["race"][4000:][after["race"][4000:] != np.tile(before["race"], 10)]
    was_white = np.tile(before["race"], 10)[after["race"][4000:] != np.tile(before["race"], 10)] == "White"
    _, counts = np.unique(redrawn[was_white].astype(str), return_counts=True)
    assert len(counts) == 4
    assert counts.max() < 1.15 * counts.min()


def test_expanding_is_repeatable(likeness: pa.Table) -> None:
    once = adult.expand(likeness, QUASI, 3, seed=5)
    assert adult.expand(likeness, QUASI, 3, seed=5).equals(once)
    assert not adult.expand(likeness, QUASI, 3, seed=6).equals(once)


def test_texts_come_back_as_dictionaries_and_numbers_as_numbers(likeness: pa.Table) -> None:
    expanded = adult.expand(likeness, QUASI, 2)
    for name in COLUMNS:
        if name in NUMBERS:
            assert expanded[name].type == pa.int64()
        else:
            assert pa.types.is_dictionary(expanded[name].type)
            assert expanded[name].type.value_type == pa.string()


def test_missing_is_a_value_that_may_be_drawn() -> None:
    table = pa.table({name: pa.array(["a", None] * 50) for name in "pqrst"} | {"n": pa.array([1, None] * 50)})
    expanded = adult.expand(table, ["p", "q", "r", "s", "n"], 5)
    assert expanded["t"].to_pylist() == table["t"].to_pylist() * 5
    assert set(expanded["n"].to_pylist()) == {1, None}
    assert expanded["n"].to_pylist() != table["n"].to_pylist() * 5


def test_unused_dictionary_values_are_never_drawn() -> None:
    def column() -> pa.Array:
        return pa.DictionaryArray.from_arrays(pa.array([0, 2] * 30), ["x", "secret", "y"])

    expanded = adult.expand(pa.table({name: column() for name in "pqrs"}), list("pqrs"), 10)
    for name in "pqrs":
        assert set(expanded[name].to_pylist()) == {"x", "y"}
        assert expanded[name].chunk(0).dictionary.to_pylist() == ["x", "y"]


def test_few_quasi_identifiers_are_all_kept() -> None:
    table = pa.table({"a": [1, 2, 3], "b": ["x", "y", "z"]})
    assert adult.expand(table, ["a", "b"], 2).to_pydict() == {"a": [1, 2, 3] * 2, "b": ["x", "y", "z"] * 2}


def test_factor_one_changes_nothing(likeness: pa.Table) -> None:
    assert plain(adult.expand(likeness, QUASI, 1)).keys() == plain(likeness).keys()
    assert adult.expand(likeness, QUASI, 1)["race"].to_pylist() == likeness["race"].to_pylist()


def test_a_table_without_rows_stays_one() -> None:
    assert adult.expand(adult.adult_like(0), QUASI, 3).num_rows == 0


@pytest.mark.parametrize(("quasi", "factor"), [(["agee"], 2), (QUASI, 0)])
def test_nonsense_is_refused(likeness: pa.Table, quasi: list[str], factor: int) -> None:
    with pytest.raises(PolicyError) as caught:
        adult.expand(likeness, quasi, factor)
    assert caught.value.hint
