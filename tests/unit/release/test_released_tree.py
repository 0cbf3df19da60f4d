"""A published tree predicts new rows: as a reader of its text would, in the type of the class."""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kanopy
from kanopy.errors import InputError, PolicyError

AGES, JOBS = [20, 30, 40, 50, None], ["cook", "clerk", "nurse", None]


def people(n_rows: int, seed: int, classes: list[object]) -> pa.Table:
    rng = np.random.default_rng(seed)
    age, job = rng.integers(0, len(AGES), n_rows), rng.integers(0, len(JOBS), n_rows)
    told = np.where(rng.random(n_rows) < 0.8, (age > 1) + (job == 1), rng.integers(0, 3, n_rows))
    return pa.table(
        {
            "age": [AGES[code] for code in age],
            "job": [JOBS[code] for code in job],
            "class": [classes[code % len(classes)] for code in told],
        }
    )


def policy(**more: object) -> kanopy.Policy:
    return kanopy.Policy(quasi_identifiers=["age", "job"], target="class", k=3, **more)


def read_from_text(text: str, row: dict[str, object]) -> str | None:
    """The class of the leaf that a reader of the written tree comes to; None where no branch fits."""
    depth = 0
    for line in text.splitlines():
        test, _, leaf = line.replace("|   ", "").partition(": ")
        level = line.count("|   ")
        if level < depth:
            return None
        if level == depth and (not test or _fits(test, row)):
            if leaf:
                return leaf.partition(" (")[0]
            depth += 1
    return None


def _fits(test: str, row: dict[str, object]) -> bool:
    name, sign, *value = test.split(" ")
    given = row[name]
    if sign == "is":
        return (given is None) == (value == ["missing"])
    if sign == "in":
        return (given or "missing") in test.partition("{")[2].rstrip("}").split(", ")
    if given is None:
        return value[1:] == ["or", "missing"]
    if sign == "=":
        return given == value[0]
    return given <= float(value[0]) if sign == "<=" else given > float(value[0])


@pytest.mark.parametrize("method", ["kadet", "apt"])
@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 2**16))
def test_as_a_reader_of_the_text_would(method: str, seed: int) -> None:
    release = kanopy.anonymize(people(60, seed, ["a", "b", "c"]), policy(), method=method)
    ages, jobs = zip(*product([*AGES, 5, 25, 35.5, 99], JOBS), strict=True)
    new = pa.table({"age": pa.array(ages, pa.float64()), "job": pa.array(jobs, pa.string())})
    shares = release.model.predict_proba(new)
    assert shares.sum(axis=1) == pytest.approx(np.ones(len(ages)))
    read = [read_from_text(str(release.model), row) for row in new.to_pylist()]
    assert any(read)
    for predicted, expected in zip(release.model.predict(new), read, strict=True):
        assert expected in (None, predicted)


@pytest.mark.parametrize("classes", [["a", "b"], [0, 1], [True, False], [0.5, 1.5], ["a", None]])
def test_in_the_type_of_the_class(classes: list[object]) -> None:
    table = people(200, 1, classes)
    release = kanopy.anonymize(table, policy(), method="kadet")
    predicted = release.model.predict(table.drop(["class"]).to_pandas())
    assert {type(value) for value in predicted.tolist()} == {type(value) for value in classes}
    assert set(predicted.tolist()) == set(classes)
    assert (
        np.mean([one == other for one, other in zip(predicted, table["class"].to_pylist(), strict=True)])
        > 0.6
    )


def test_what_a_tree_cannot_know() -> None:
    frame = pd.DataFrame({"q": list("aaabbbb"), "n": [1, 1, 1, 2, 2, 2, 2], "class": list("YYYNNNN")})
    chosen = kanopy.Policy(quasi_identifiers=["q", "n"], target="class", k=3)
    model = kanopy.anonymize(frame, chosen, method="kadet").model
    assert str(model) == "q = a: Y (3)\nq = b: N (4)\n"
    # A value that nobody had: what the node says. Columns that are not tested are not needed.
    assert model.predict_proba(pd.DataFrame({"q": ["z", "a", None]})).tolist() == [
        [4 / 7, 3 / 7], [0, 1], [4 / 7, 3 / 7],
    ]  # fmt: skip
    with pytest.raises(PolicyError, match="lack 'q', which the tree tests"):
        model.predict(frame[["n"]])
    numbers = kanopy.Policy(quasi_identifiers=["n"], target="class", k=3)
    tree = kanopy.anonymize(frame[["n", "class"]], numbers, method="kadet").model
    assert tree.predict(pd.DataFrame({"n": [-7, 1.5, 9]})).tolist() == ["Y", "N", "N"]
    with pytest.raises(InputError, match="1 new cells are no finite numbers"):
        tree.predict(pd.DataFrame({"n": ["secret"]}))
