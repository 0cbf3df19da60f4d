"""The tree that reads cells: C4.5 where every cell is a value, and what it does where one is more."""

from __future__ import annotations

import pickle
from typing import Any
from unittest.mock import patch

import numpy as np
import pandas as pd
import polars as pl
import pytest
from effort import IS_DEEP
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.utils.estimator_checks import parametrize_with_checks

import kanopy
from kanopy.data import CodedColumn, Domain, EncodedTable
from kanopy.errors import KanopyError
from kanopy.learners import tree_classifier
from kanopy.learners.tree_classifier import GeneralizedTreeClassifier
from kanopy.learners.tree_division import Division
from kanopy.trees import c45, class_shares

ID3 = GeneralizedTreeClassifier.id3


@parametrize_with_checks([GeneralizedTreeClassifier(), *([ID3(random_state=0)] if IS_DEEP else [])])
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.DataConversionWarning")
def test_scikit_learn_checks(estimator: Any, check: Any) -> None:
    check(estimator)


def people(n_rows: int = 600, seed: int = 1, *, hidden: float = 0.0) -> pd.DataFrame:
    """A class that age and job tell, not without exceptions; some cells are missing or suppressed."""
    rng = np.random.default_rng(seed)
    table = pd.DataFrame(
        {
            "age": rng.integers(18, 80, n_rows).astype(str),
            "job": rng.choice(["nurse", "smith", "cook", "judge"], n_rows),
            "sex": rng.choice(["F", "M"], n_rows),
        }
    )
    rich = (table["age"].astype(int) > 45) ^ table["job"].isin(["judge", "smith"])
    table["income"] = np.where(rich ^ (rng.random(n_rows) < 0.1), "high", "low")
    for name in ("age", "job", "sex"):
        table.loc[rng.random(n_rows) < hidden, name] = "*"
        table.loc[rng.random(n_rows) < hidden, name] = ""
    return table


def encoded(table: pd.DataFrame) -> EncodedTable:
    """The same for the trees of the lower floor: suppressed is missing."""
    columns = []
    for name in table.columns:
        texts = sorted(set(table[name]) - {"*", ""}, key=lambda text: (len(text), text))
        numbers = np.array([float(text) for text in texts]) if name == "age" else None
        place = {text: code for code, text in enumerate(texts if name == "age" else sorted(texts))}
        domain = Domain(name, tuple(place), numbers)
        codes = [place.get(text, len(place)) for text in table[name]]
        columns.append(CodedColumn(domain, np.array(codes, dtype=np.uint16)))
    return EncodedTable(len(table), tuple(columns[:-1]), columns[-1])


def same_trees(tree: Any, other: Any) -> None:
    assert tree.n_nodes == other.n_nodes
    for field in ("column", "threshold"):
        inner = ~tree.is_leaf
        assert (getattr(tree.splits, field)[inner] == getattr(other.splits, field)[inner]).all()
    np.testing.assert_allclose(tree.counts, other.counts, atol=1e-9)


# --- C4.5


@pytest.mark.parametrize("hidden", [0.0, 0.1])
@pytest.mark.parametrize("prune", [True, False])
def test_without_generalized_cells_it_is_c45(hidden: float, prune: bool) -> None:
    table, new = people(hidden=hidden), people(200, seed=2, hidden=hidden)
    learner = GeneralizedTreeClassifier(prune=prune).fit(table, "income")
    tree = c45(encoded(table), min_rows=2, share_missing=True, prune=prune)
    same_trees(learner.tree_, tree)
    assert learner.tree_.n_nodes > 10
    both = encoded(pd.concat([table, new], ignore_index=True))
    codes = [column.codes[len(table) :] for column in both.quasi]
    assert both.quasi[0].domain.labels == encoded(table).quasi[0].domain.labels
    shares = class_shares(tree, codes, len(new))
    np.testing.assert_allclose(learner.predict_proba(new), shares, atol=1e-12)
    assert (learner.predict(new) == learner.classes_[np.round(shares, 12).argmax(axis=1)]).all()


@pytest.mark.parametrize("hidden", [0.0, 0.1])
def test_the_general_way_agrees_with_c45(hidden: float) -> None:
    table = people(hidden=hidden)
    expected = GeneralizedTreeClassifier().fit(table, "income").tree_
    with (
        patch.object(GeneralizedTreeClassifier, "_is_c45", False),
        patch.object(tree_classifier, "_LEAST_PART", 0.0),
        patch.object(tree_classifier, "_PARTS_PER_ROW", 1000),
    ):
        same_trees(GeneralizedTreeClassifier().fit(table, "income").tree_, expected)


def test_suppressed_is_missing() -> None:
    table = people(hidden=0.1)
    missing = table.replace("*", "")
    one, other = (GeneralizedTreeClassifier().fit(each, "income") for each in (table, missing))
    same_trees(one.tree_, other.tree_)
    assert (one.predict_proba(table) == other.predict_proba(missing)).all()


# --- generalized cells


def halves(n_rows: int = 60) -> pd.DataFrame:
    """Ages in two ranges that tell the class, next to exact ones, and a set that tells nothing."""
    age = ["[20, 29]", "25", "[40, 49]", "45"]
    return pd.DataFrame(
        {
            "age": [age[row % 4] for row in range(n_rows)],
            "job": ["{cook, nurse}"] * n_rows,
            "class": ["young" if row % 4 < 2 else "old" for row in range(n_rows)],
        }
    )


def test_ranges_are_divided_between_them() -> None:
    learner = GeneralizedTreeClassifier().fit(halves(), "class")
    assert learner.tree_.splits.column_name(0) == "age"
    new = pd.DataFrame({"age": ["21", "29", "40", "[20, 25]", "99"], "job": ["cook"] * 5})
    assert learner.predict(new).tolist() == ["young", "young", "old", "young", "old"]


def test_a_cell_that_leaves_both_branches_open_is_shared() -> None:
    table = pd.DataFrame({"x": ["1", "2"] * 20, "class": ["a", "b"] * 20})
    new = pd.DataFrame({"x": ["1", "[1, 2]", "*", "", "{1, 2}"]})
    told = GeneralizedTreeClassifier().fit(table, "class").predict_proba(new)
    np.testing.assert_allclose(told, [[1, 0], *[[0.5, 0.5]] * 4])
    table = pd.concat([table, table[table["x"] == "2"]])
    by_frequency = GeneralizedTreeClassifier().fit(table, "class").predict_proba(new)
    np.testing.assert_allclose(by_frequency, [[1, 0], *[[1 / 3, 2 / 3]] * 4])
    equally = GeneralizedTreeClassifier(members="uniform").fit(table, "class").predict_proba(new)
    np.testing.assert_allclose(equally, [[1, 0], [1 / 2, 1 / 2], *[[1 / 3, 2 / 3]] * 2, [1 / 2, 1 / 2]])


def test_a_word_that_was_never_seen_gets_what_the_node_says() -> None:
    table = pd.DataFrame({"x": ["p"] * 10 + ["q"] * 30, "class": ["a"] * 10 + ["b"] * 30})
    learner = GeneralizedTreeClassifier().fit(table, "class")
    told = learner.predict_proba(pd.DataFrame({"x": ["p", "new", "{new, p}"]}))
    np.testing.assert_allclose(told, [[1, 0], [0.25, 0.75], [1, 0]])


def test_a_set_as_one_more_value_has_a_branch() -> None:
    table = pd.DataFrame(
        {"x": ["p"] * 10 + ["q"] * 10 + ["{p, q}"] * 10, "class": ["a"] * 10 + ["b"] * 10 + ["c"] * 10}
    )
    learner = ID3(entropy="own_value").fit(table, "class")
    told = learner.predict(pd.DataFrame({"x": ["p", "q", "{p, q}", "{q, p}"]}))
    assert told.tolist() == ["a", "b", "c", "c"]
    without = table[table["class"] != "c"]
    learner = ID3(entropy="own_value").fit(without, "class")
    np.testing.assert_allclose(learner.predict_proba(pd.DataFrame({"x": ["{p, q}"]})), [[0.5, 0.5]])


def test_unknown_cells_as_one_more_value() -> None:
    table = pd.DataFrame(
        {"x": ["p"] * 10 + ["q"] * 10 + ["*"] * 5 + [""] * 5, "class": list("ab") * 10 + ["c"] * 10}
    )
    learner = ID3(entropy="own_value").fit(table, "class")
    assert learner.predict(pd.DataFrame({"x": ["*", ""]})).tolist() == ["c", "c"]


@pytest.mark.parametrize("column", ["age", "job"])
def test_mapping_to_the_most_frequent_value(column: str) -> None:
    cells = {"age": ("20", "30", "[20, 30]"), "job": ("cook", "nurse", "{cook, nurse}")}[column]
    table = pd.DataFrame(
        {
            column: [cells[0]] * 11 + [cells[1]] * 10 + [cells[2]] * 4,
            "class": ["a"] * 11 + ["b"] * 10 + ["c"] * 4,
        }
    )
    settings = {"partition": "highest_frequency", "criterion": "gain", "prune": False, "min_rows": 0}
    tree = GeneralizedTreeClassifier(**settings).fit(table, "class").tree_
    assert tree.counts[1:3].tolist() == [[11, 0, 4], [0, 10, 0]]
    fewer = table.iloc[3:]
    tree = GeneralizedTreeClassifier(**settings).fit(fewer, "class").tree_
    assert tree.counts[1:3].tolist() == [[8, 0, 0], [0, 10, 4]]


@pytest.mark.parametrize("column", ["age", "job"])
@pytest.mark.parametrize("entropy", ["fractional", "premapped"])
def test_mapping_by_a_distribution_that_was_told(column: str, entropy: str) -> None:
    cells = {"age": ("20", "30", "[20, 30]"), "job": ("cook", "nurse", "{cook, nurse}")}[column]
    table = pd.DataFrame(
        {column: [*cells[:2]] * 30 + [cells[2]] * 2000, "class": list("ab") * 30 + ["c"] * 2000}
    )
    settings = {"criterion": "gain", "prune": False, "min_rows": 0, "entropy": entropy, "random_state": 0}

    def drawn(**more: Any) -> float:
        tree = GeneralizedTreeClassifier(**settings, **more).fit(table, "class").tree_
        return float(tree.counts[1, 2] / 2000)

    told = {column: {cells[0]: 1, cells[1]: 3}}
    assert drawn(partition="original_distribution", distributions=told) == pytest.approx(0.25, abs=0.04)
    assert drawn(partition="original_distribution") == pytest.approx(0.5, abs=0.04)
    assert drawn(partition="random", distributions=told) == pytest.approx(0.5, abs=0.04)
    almost_never = {column: {cells[0]: 1, cells[1]: 1e-9}}
    assert drawn(partition="original_distribution", distributions=almost_never) == 1.0


def test_a_drawn_value_stays_within_the_cell_and_the_thresholds_above() -> None:
    rng = np.random.default_rng(0)
    low = rng.integers(0, 90, 800)
    table = pd.DataFrame(
        {
            "x": [f"[{start}, {start + 9}]" for start in low],
            "class": np.where((low // 20) % 2 == 0, "even", "odd"),
        }
    )
    learner = GeneralizedTreeClassifier(partition="random", prune=False, random_state=0).fit(table, "class")
    counts = learner.tree_.counts
    assert counts[learner.tree_.is_leaf].sum() == 800  # every row is somewhere, once
    assert learner.tree_.depth.max() > 2
    assert np.mean(learner.predict(table) == table["class"]) > 0.85


# --- parts


def test_light_parts_are_left_to_the_others() -> None:
    division = Division("fractional", "uniform", least_part=0.1, most_parts=100)
    place, branch = np.array([0, 0, 0, 1, 2, 2]), np.array([0, 1, 2, 0, 0, 1])
    weight = np.array([0.65, 0.3, 0.05, 0.01, 0.02, 0.03])
    place, branch, weight = division._without_light_parts(place, branch, weight)
    assert (place.tolist(), branch.tolist()) == ([0, 0, 1, 2], [0, 1, 0, 1])
    np.testing.assert_allclose(weight, [0.65 / 0.95, 0.3 / 0.95, 0.01, 0.05])


def test_equal_parts_are_kept_or_left_together() -> None:
    """Where one must do for a row, it is another from row to row: no branch has more than its share."""
    place, branch = np.repeat(np.arange(12), 4), np.tile(np.arange(4), 12)
    weight = np.where(place < 6, 0.25, 0.125)
    division = Division("fractional", "uniform", least_part=0.01, most_parts=40)
    kept, of_branch, heavier = division._without_light_parts(place, branch, weight)
    assert np.bincount(kept).tolist() == [4] * 6 + [1] * 6
    assert np.bincount(of_branch).max() - np.bincount(of_branch).min() <= 1
    np.testing.assert_allclose(np.bincount(kept, heavier), np.bincount(place, weight))
    few = Division("fractional", "uniform", least_part=1.0, most_parts=0)
    assert np.bincount(few._without_light_parts(place, branch, weight)[1]).tolist() == [3] * 4


def test_values_that_no_cell_tells_apart_are_one() -> None:
    table = pd.DataFrame({"c": ["{a, b, d}"] * 6 + ["c"] * 6, "class": ["y"] * 5 + ["n"] * 7})
    learner = GeneralizedTreeClassifier().fit(table, "class")
    assert learner.tree_.counts.tolist() == [[7, 5], [1, 5], [6, 0], [0, 0]]
    assert "{a, b, d}" in learner.as_text()
    shares = learner.predict_proba(pd.DataFrame({"c": ["a", "b", "{a, d}", "{a, b, d}", "c"]}))
    np.testing.assert_allclose(shares[:, 1], [5 / 6] * 4 + [0])
    assert learner.predict_proba(pd.DataFrame({"c": ["{a, c}"]}))[0, 1] == pytest.approx(5 / 6 * 0.25)


def test_rows_that_say_little_stay_few() -> None:
    rng = np.random.default_rng(0)
    n_rows = 400
    table = pd.DataFrame({f"c{i}": rng.choice(list("abcdefgh"), n_rows) for i in range(6)})
    for name in table.columns:
        table.loc[rng.random(n_rows) < 0.5, name] = "{a, b, c, d, e, f, g, h}"
    n_parts = []
    divide = Division.__call__

    def counting(self: Division, *arguments: Any) -> Any:
        found = divide(self, *arguments)
        n_parts.append(len(found[0]))
        return found

    with patch.object(Division, "__call__", counting):
        learner = GeneralizedTreeClassifier(min_rows=0, prune=False, criterion="gain")
        learner.fit(table.assign(target=rng.choice(["x", "y"], n_rows)), "target")
    assert 7 * n_rows < max(n_parts) <= 8 * n_rows  # as many as there may be
    tree = learner.tree_
    for level in tree.levels[1:]:
        children = tree.counts[level].sum()
        assert children == pytest.approx(tree.counts[np.unique(tree.parent[level])].sum())


# --- small and strange tables


@pytest.mark.parametrize("make", [GeneralizedTreeClassifier, ID3])
@pytest.mark.parametrize(
    "table",
    [
        pd.DataFrame({"x": ["1", "[2, 3]"], "class": ["a", "a"]}),
        pd.DataFrame({"x": ["{p, q}"], "class": ["a"]}),
        pd.DataFrame({"x": ["*"] * 4, "class": ["a", "a", "a", "b"]}),
        pd.DataFrame({"x": [""] * 4, "class": ["a", "a", "a", "b"]}),
        pd.DataFrame({"x": ["*", "*", "{p, q}", "{p, q}"], "class": ["a", "a", "a", "b"]}),
    ],
    ids=["one class", "one row", "all suppressed", "all missing", "nothing exact"],
)
def test_tables_that_tell_little(make: Any, table: pd.DataFrame) -> None:
    learner = make(random_state=0).fit(table, "class")
    new = pd.DataFrame({"x": ["1", "*", "", "{p, q}", "[1, 9]", "other"]})
    assert learner.predict_proba(new).shape == (6, len(set(table["class"])))
    assert learner.predict(table)[0] == "a"


def test_a_release_its_frame_and_its_file(tmp_path: Any) -> None:
    policy = kanopy.Policy(quasi_identifiers=["age", "job", "sex"], target="income", k=5)
    release = kanopy.anonymize(people(), policy, method="mondrian")
    release.write(tmp_path / "release.csv")
    frame = release.frame
    raw = people(300, seed=3)
    told = [
        learner.predict_proba(raw)
        for learner in (
            GeneralizedTreeClassifier().fit(release),
            GeneralizedTreeClassifier().fit(frame, "income"),
            GeneralizedTreeClassifier().fit(tmp_path / "release.csv", "income"),
            GeneralizedTreeClassifier().fit(pl.from_pandas(frame), "income"),
        )
    ]
    for other in told[1:]:
        np.testing.assert_allclose(told[0], other)
    learner = GeneralizedTreeClassifier().fit(release)
    assert np.mean(learner.predict(raw) == raw["income"]) > 0.75
    assert np.mean(learner.predict(frame) == frame["income"]) > 0.75


# --- chance, settings, contract


def test_chance_is_in_random_state() -> None:
    table = people()
    table.loc[::2, "job"] = "{cook, judge}"
    table.loc[::3, "age"] = "[20, 70]"

    def grown(seed: Any) -> bytes:
        return ID3(random_state=seed).fit(table, "income").tree_.counts.tobytes()

    assert grown(1) == grown(1)
    assert grown(1) != grown(2)
    mapped = [
        ID3(entropy="premapped", random_state=seed).fit(table, "income").tree_.counts for seed in (1, 1, 2)
    ]
    assert mapped[0].tobytes() == mapped[1].tobytes() != mapped[2].tobytes()
    sure = [GeneralizedTreeClassifier(random_state=seed).fit(table, "income").tree_.counts for seed in (1, 2)]
    assert sure[0].tobytes() == sure[1].tobytes()


def test_first_seen_ties() -> None:
    table = pd.DataFrame({"x": ["p", "p", "q", "q"], "class": ["b", "a", "a", "b"]})
    new = pd.DataFrame({"x": ["p", "q"]})
    assert ID3().fit(table, "class").predict(new).tolist() == ["b", "a"]
    assert ID3(ties="class_order").fit(table, "class").predict(new).tolist() == ["a", "a"]


def test_id3_goes_on_without_gain_and_tests_a_column_once() -> None:
    table = pd.DataFrame({"p": list("0011") * 3, "q": list("0101") * 3, "class": list("abba") * 3})
    assert (ID3().fit(table, "class").predict(table) == table["class"]).all()
    learner = ID3().fit(people().drop(columns="income"), people()["income"])
    for node in np.flatnonzero(~learner.tree_.is_leaf).tolist():
        assert not learner.tree_.is_tested[node, learner.tree_.splits.column[node]]
    assert (learner.tree_.splits.threshold[~learner.tree_.is_leaf] == -1).all()


@pytest.mark.parametrize(
    "wrong",
    [
        {"entropy": "fractionel"},
        {"partition": "all"},
        {"members": None},
        {"confidence": 0},
        {"min_rows": -1},
        {"distributions": {"nosuch": {"a": 1}}},
        {"distributions": {"job": {"cook": -1}}},
        {"distributions": {"age": {"secret-cell": 1}}},
    ],
)
def test_wrong_settings_are_told(wrong: dict[str, Any]) -> None:
    with pytest.raises(KanopyError) as caught:
        GeneralizedTreeClassifier(**wrong).fit(people(50), "income")
    assert caught.value.exit_code == 2
    assert "secret-cell" not in str(caught.value)


def test_contract() -> None:
    learner = ID3(random_state=3, partition="highest_frequency")
    assert clone(learner).get_params() == learner.get_params()
    with pytest.raises(NotFittedError):
        learner.predict(people(10))
    table = people(100)
    learner.fit(table, "income")
    again = pickle.loads(pickle.dumps(learner))
    assert (again.predict(table) == learner.predict(table)).all()
    assert "age = " in learner.as_text()
    assert list(learner.feature_names_in_) == ["age", "job", "sex"]
