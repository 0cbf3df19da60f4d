"""A promise that lets too much pass is found out: methods believe it, the judge counts by itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pytest
from command import assert_clean, run

import kanopy
from kanopy.auditing.decide import _KINDS, _SIZES
from kanopy.data import GroupCounts, Hierarchy
from kanopy.errors import VerificationError
from kanopy.policy import Policy
from kanopy.privacy import (
    AlphaBound,
    AnonymityOf,
    BetaLikeness,
    Closeness,
    CombinationAnonymity,
    DeltaDisclosure,
    DistinctDiversity,
    EntropyDiversity,
    KAnonymity,
    PrivacyModel,
    RecursiveDiversity,
    Template,
)

Bools = np.ndarray
Weak = Callable[[PrivacyModel, GroupCounts], Bools]

PATHS = [("flu", "lungs"), ("cold", "lungs"), ("gout", "joints"), ("ache", "joints")]
ROWS = [
    *[("20", "flu")] * 3, *[("20", "cold")] * 2, *[("20", "gout")] * 2,
    *[("30", "gout")] * 3, *[("30", "ache")] * 2, *[("30", "cold")] * 2,
    *[("40", "ache")] * 4, *[("40", "flu")] * 3,
]  # fmt: skip
"""Seven rows of each age: what is published where nothing hinders it."""
QUASI = ["age", "sex", "town"]
"""The last two are the same in all rows: combinations of two columns are fewer than all."""

PROMISES: dict[str, PrivacyModel] = {
    "k": KAnonymity(8),
    "k of some": AnonymityOf(["age"], 8),
    "k of combinations": CombinationAnonymity(2, 8),
    "distinct": DistinctDiversity("ill", 3),
    "entropy": EntropyDiversity("ill", "2.2"),
    "recursive": RecursiveDiversity("ill", "1.2", 2),
    "equal": Closeness("ill", "0.3"),
    "ordered": Closeness("ill", "0.15", "ordered"),
    "hierarchical": Closeness("ill", "0.2", "hierarchical"),
    "alpha": AlphaBound("ill", "0.5"),
    "alpha of a value": AlphaBound("ill", "0.4", "flu"),
    "template": Template(["age"], "ill", "flu", "0.4"),
    "template of several": Template(["age"], "ill", ["nobody's", "ache", "flu"], "0.5"),
    "delta": DeltaDisclosure("ill", "0.7"),
    "strict delta": DeltaDisclosure("ill", 2, strict_zero=True),
    "beta": BetaLikeness("ill", "0.7"),
    "enhanced beta": BetaLikeness("ill", "0.9", "enhanced"),
}


def by_one_less(model: PrivacyModel, counts: GroupCounts) -> Bools:
    """The whole number that is asked for, less one."""
    name = "k" if hasattr(model, "k") else "l"
    weaker = getattr(model, name) - 1
    if name == "k":
        return counts.members >= weaker
    return np.bincount(counts.histograms["ill"].group, minlength=counts.n_groups) >= weaker


def by_nothing(model: PrivacyModel, counts: GroupCounts) -> Bools:
    return np.ones(counts.n_groups, dtype=bool)


def policy_of(promise: PrivacyModel) -> Policy:
    return Policy(
        quasi_identifiers=QUASI,
        target="age group",
        sensitive=["ill"],
        k=2,
        privacy=[promise],
        hierarchies={"ill": Hierarchy.from_paths("ill", PATHS)},
        categorical=["age"],
    )


def source() -> pa.Table:
    ages, ills = zip(*ROWS, strict=True)
    same = {"sex": ["f"] * len(ages), "town": ["Ulm"] * len(ages)}
    return pa.table({"age": ages, **same, "age group": [f"about {age}" for age in ages], "ill": ills})


def weaken(monkeypatch: pytest.MonkeyPatch, promise: PrivacyModel, weak: Weak) -> None:
    monkeypatch.setattr(type(promise), "holds", weak)
    for part in promise.over(QUASI):  # what some methods ask instead
        monkeypatch.setattr(type(part), "holds", weak)


def test_every_kind_is_tried() -> None:
    assert {type(promise).__name__ for promise in PROMISES.values()} == {*_KINDS, *_SIZES}


@pytest.mark.parametrize("kind", PROMISES)
def test_an_honest_promise_hinders_the_method(kind: str) -> None:
    """Or the sabotage below would prove nothing."""
    policy = policy_of(PROMISES[kind])
    assert not kanopy.audit(source(), policy).kept
    assert kanopy.anonymize(source(), policy, method="mondrian", allow_empty=True).audit.kept


CASES = [(kind, by_nothing) for kind in PROMISES] + [
    (kind, by_one_less) for kind in ("k", "k of some", "k of combinations", "distinct")
]


@pytest.mark.parametrize("method", ["mondrian", "tds"])
@pytest.mark.parametrize(("kind", "weak"), CASES)
def test_a_weak_promise_publishes_nothing(
    kind: str, weak: Weak, method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    policy = policy_of(PROMISES[kind])
    weaken(monkeypatch, PROMISES[kind], weak)
    with pytest.raises(VerificationError) as caught:
        kanopy.anonymize(source(), policy, method=method)
    assert caught.value.exit_code == 5


@pytest.mark.parametrize("kind", ["delta", "alpha"])
def test_what_else_is_promised_explains_nothing(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A template is about larger groups, where persons may be in several; what is broken is not."""
    honest = Template(["age"], "ill", "nobody's", "0.9")
    policy = replace(policy_of(PROMISES[kind]), privacy=[honest, PROMISES[kind]], person="who")
    weaken(monkeypatch, PROMISES[kind], by_nothing)
    table = source().append_column("who", pa.array(range(len(ROWS))))
    with pytest.raises(VerificationError, match="disagrees with the method"):
        kanopy.anonymize(table, policy, method="mondrian")


@pytest.mark.parametrize(("kind", "weak"), CASES)
def test_nor_does_a_release_that_was_made_before(
    kind: str, weak: Weak, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The recount of the written file is the judge's as well."""
    release = kanopy.anonymize(source(), replace(policy_of(PROMISES[kind]), privacy=()), method="mondrian")
    object.__setattr__(release, "_policy", policy_of(PROMISES[kind]))
    weaken(monkeypatch, PROMISES[kind], weak)
    with pytest.raises(VerificationError, match="the written file breaks the promise"):
        release.write(tmp_path / "out.csv")
    assert not list(tmp_path.iterdir())


def test_through_the_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pyarrow.csv.write_csv(source(), tmp_path / "data.csv")
    flags = ("--quasi=age,sex,town", "--target=age group", "--sensitive=ill", "--k=8")
    weaken(monkeypatch, KAnonymity(8), by_one_less)
    outcome: Any = run("anonymize", tmp_path / "data.csv", "-o", tmp_path / "out.csv", *flags)
    assert outcome.code == 5
    assert_clean(outcome)
    assert [path.name for path in tmp_path.iterdir()] == ["data.csv"]
