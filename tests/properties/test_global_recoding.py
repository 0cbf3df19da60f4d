"""Where a value has one cell in all rows, raw rows and recoded rows say the same to a learner."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import kanopy
from kanopy.data import Hierarchy
from kanopy.learners import GeneralizedNaiveBayes, GeneralizedRuleClassifier, GeneralizedTreeClassifier

GLOBAL = [method.name for method in kanopy.methods() if method.is_global]
LETTERS = "abcdefgh"
TREE = [f"{leaf};{'abcd' if leaf in 'abcd' else 'efgh'};*" for leaf in LETTERS]
DEEP = [f"{a}{b};{a}?;{'ab' if a in 'ab' else 'cd'};*" for a in "abcd" for b in "123"]


def hierarchy(lines: list[str], name: str) -> Hierarchy:
    return Hierarchy.from_paths(name, [line.split(";") for line in lines])


def some_rows(rng: np.random.Generator, n_rows: int) -> dict[str, list[Any]]:
    """Columns of every kind, of which the class knows something; ``gap`` has missing cells."""
    letters, deep = list(LETTERS), [line.split(";")[0] for line in DEEP]
    flat = rng.choice(letters, n_rows, p=np.array([40, 20, 15, 10, 6, 4, 3, 2]) / 100).tolist()
    gap: list[str | None] = rng.choice(letters[:4], n_rows).tolist()
    for row in np.flatnonzero(rng.random(n_rows) < 0.2).tolist():
        gap[row] = None
    number = rng.integers(0, 30, n_rows)
    tree = rng.choice(letters, n_rows).tolist()
    chance = 0.2 + 0.3 * (number > 12) + 0.2 * np.isin(flat, ["a", "b"]) + 0.2 * np.isin(tree, ["e", "f"])
    columns: dict[str, list[Any]] = {"flat": flat, "gap": gap, "number": number.tolist(), "tree": tree}
    columns["deep"] = rng.choice(deep, n_rows).tolist()
    return columns | {"class": np.where(rng.random(n_rows) < chance, "y", "n").tolist()}


def known_rows(raw: pa.Table, source: pa.Table, published: pa.Table) -> pa.Table:
    """Rows without categories that nobody had, unless their column has cells for what it does not show."""
    is_known = np.ones(raw.num_rows, dtype=bool)
    for name in raw.column_names:
        if name != "number" and "*" not in published[name].to_pylist():
            is_known &= [value in source[name].to_pylist() for value in raw[name].to_pylist()]
    return raw.filter(pa.array(is_known))


@settings(max_examples=settings.default.max_examples // 6)
@pytest.mark.parametrize("method", GLOBAL)
@given(seed=st.integers(0, 2**32), k=st.sampled_from([2, 5, 15]))
@example(seed=1919, k=5)  # missing is in one set with values
def test_raw_and_recoded_rows_are_predicted_alike(method: str, seed: int, k: int) -> None:
    rng = np.random.default_rng(seed)
    columns = some_rows(rng, 150)
    chosen = rng.permutation(list(columns)[:-1])[: rng.integers(2, 6)].tolist()
    table = pa.table({name: columns[name] for name in [*chosen, "class"]})
    hierarchies = {name: hierarchy(lines, name) for name, lines in (("tree", TREE), ("deep", DEEP))}
    policy = kanopy.Policy(
        quasi_identifiers=chosen,
        target="class",
        k=k,
        method=method,
        hierarchies={name: hierarchies[name] for name in chosen if name in hierarchies},
    ).accepting_all()
    release = kanopy.anonymize(table, policy, allow_empty=True)
    raw = known_rows(pa.table(some_rows(rng, 150)).select(chosen), table, release.frame)
    recoded = release.recode(raw)
    for learner in (
        GeneralizedTreeClassifier(),
        GeneralizedTreeClassifier(prune=False),
        GeneralizedRuleClassifier(),
        GeneralizedNaiveBayes(),
    ):
        model = learner.fit(release)
        np.testing.assert_allclose(model.predict_proba(raw), model.predict_proba(recoded), atol=1e-9)
        np.testing.assert_array_equal(model.predict(raw), model.predict(recoded))
