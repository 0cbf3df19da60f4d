"""Classes that share groups: what is told about them, to whom it is of use, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import kanopy
from kanopy.algorithms.sketch import SKETCH
from kanopy.codebook import published_reading
from kanopy.data import Recoding
from kanopy.data.mixed_classes import MixedClasses
from kanopy.errors import VerificationError
from kanopy.learners import GeneralizedNaiveBayes
from kanopy.privacy import DistinctDiversity

YOUNG, OLD = "=young", "o:ld"
POLICY = kanopy.Policy(quasi_identifiers=["age", "job"], target="cls", k=20)
SECRET = replace(POLICY, privacy=[DistinctDiversity("cls", 2)])


def people(n_young: int = 16, n_old: int = 14, seed: int = 0) -> pd.DataFrame:
    """Many of one class, and two classes that are rare and have nothing in common."""
    rng = np.random.default_rng(seed)
    cls = np.repeat(["common", YOUNG, OLD], [200, n_young, n_old])
    age = rng.integers(40, 60, len(cls)) + np.select([cls == YOUNG, cls == OLD], [-20, 30], 0)
    job = np.where((cls == OLD) ^ (rng.random(len(cls)) < 0.1), "clerk", "nurse")
    return pd.DataFrame({"age": age, "job": job, "cls": cls}).sample(frac=1, random_state=seed)


def released(table: pd.DataFrame, policy: kanopy.Policy = POLICY, **options: Any) -> kanopy.Release:
    return kanopy.anonymize(table, policy, method="sketch", spread=0.0, **{"classes": True, **options})


def told(release: kanopy.Release) -> MixedClasses | None:
    assert release.reading is not None
    return release.reading.classes


def test_rare_classes_are_told_apart_by_columns() -> None:
    found = told(released(people()))
    assert found is not None
    assert found.name == "cls"
    assert set(found.order) == {YOUNG, OLD}
    age = found.correlation[0] if found.order[0] == YOUNG else -found.correlation[0]
    assert age > 0.5


def test_learners_learn_them() -> None:
    """Without, nobody could tell the rare classes apart: all of their rows read alike."""
    test = people(200, 200, seed=1)
    is_rare = test["cls"] != "common"
    release = released(people())
    reached = {}
    for way in ("told", "not told"):
        rows = release.frame if way == "not told" else release
        model = GeneralizedNaiveBayes().fit(rows, "cls" if way == "not told" else None)
        reached[way] = np.mean(model.predict(test[["age", "job"]]) == test["cls"])
    assert is_rare.mean() > 0.6
    assert reached["told"] > 0.9
    assert reached["not told"] < 0.8


def test_nothing_is_told_unless_it_is_asked_for() -> None:
    assert told(released(people(), classes=False)) is None


def test_nothing_is_told_where_every_group_has_one_class() -> None:
    assert told(released(people(40, 40))) is None


def test_nothing_is_told_of_one_row() -> None:
    """PRIVACY: the correlation would be how far the values of this one row lie off."""
    assert told(released(people(1, 0))) is None
    assert told(released(people(3, 0))) is None


def test_nothing_is_told_of_one_person() -> None:
    table = people()
    table["who"] = [f"p{number}" for number in range(len(table))]
    table.loc[table["cls"] == OLD, "who"] = "the same"
    policy = replace(POLICY, person="who", k=15)
    assert told(released(table, policy)) is None


def test_nothing_is_told_of_a_secret_class() -> None:
    """PRIVACY: groups mix classes so that nobody's is known; this would tell it."""
    assert told(released(people(60, 60), SECRET)) is None


def test_nothing_is_told_where_groups_mix_classes_on_purpose() -> None:
    assert told(released(people(60, 60), pure=False)) is None


# --- The gate -------------------------------------------------------------------------------------------


def refused(change: Callable[[MixedClasses], MixedClasses], policy: kanopy.Policy = POLICY) -> str:
    def broken(*arguments: Any, **settings: Any) -> Recoding:
        recoding = SKETCH.run(*arguments, **settings)
        assert recoding.reading is not None
        known = recoding.reading.classes or MixedClasses("cls", (YOUNG, OLD), np.zeros(2))
        return replace(recoding, reading=replace(recoding.reading, classes=change(known)))

    with pytest.raises(VerificationError) as caught:
        kanopy.anonymize(people(), policy, method=replace(SKETCH, run=broken), spread=0.0, classes=True)
    assert caught.value.exit_code == 5
    return caught.value.message


def moved(by: float) -> Callable[[MixedClasses], MixedClasses]:
    return lambda known: replace(known, correlation=np.round(known.correlation + by, 3))


def test_a_correlation_with_more_digits() -> None:
    assert "two decimals" in refused(moved(0.001))


def test_a_correlation_of_other_rows() -> None:
    assert "not that of the groups" in refused(moved(0.02))


@pytest.mark.parametrize("order", [(YOUNG, YOUNG), (YOUNG, "nobody")])
def test_an_order_of_other_classes(order: tuple[str, ...]) -> None:
    assert "order of the classes" in refused(lambda known: replace(known, order=order))


def test_a_correlation_with_another_column() -> None:
    assert "no class" in refused(lambda known: replace(known, name="age"))


def test_a_correlation_with_a_secret_class() -> None:
    assert "secret" in refused(lambda known: known, SECRET)


def test_a_correlation_that_is_about_one_row(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kanopy.algorithms.sketch.reading.is_of_many", lambda *_: True)
    with pytest.raises(VerificationError, match="too few"):
        released(people(1, 0))


# --- Files ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("style", [{}, {"spreadsheet_safe": True}, {"excel_locale": "de"}])
def test_recipients_read_it_from_the_codebook(tmp_path: Path, style: dict[str, Any]) -> None:
    release = released(people())
    path = release.write(tmp_path / "r.csv", **style)
    known, read = told(release), published_reading(path)
    assert known is not None
    assert read is not None
    assert read.classes is not None
    assert read.classes.name == "cls"
    assert [text.removeprefix("'") for text in read.classes.order] == [*known.order]
    assert np.array_equal(read.classes.correlation, known.correlation)
    assert list(read.orders) == ["job"]
    drawn = kanopy.draw(path)
    ages = drawn["age"].astype(float).groupby(drawn["cls"].str.removeprefix("'")).mean()
    assert ages[OLD] > ages[YOUNG] + 30
