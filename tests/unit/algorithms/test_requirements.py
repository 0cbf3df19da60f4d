"""A promise as requirements: one for every set of columns, without what follows from others."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest
from plain_tables import column_of

import kanopy
from kanopy.algorithms.requirements import Requirement, requirements_of
from kanopy.data import EncodedTable, GroupCounts
from kanopy.privacy import AllOf, AnonymityOf, DistinctDiversity, KAnonymity, PrivacyModel, Template


def table(secrets: str = "xyxz") -> EncodedTable:
    n_rows = len(secrets)
    quasi = tuple(column_of(name, ["v"] * n_rows) for name in "abc")
    return EncodedTable(n_rows, quasi, None, {"d": column_of("d", list(secrets))})


def bound(at_most: str, *given: str, value: str = "x") -> Template:
    return Template(given, "d", value, at_most)


def parted(*parts: PrivacyModel) -> tuple[dict[tuple[int, ...], tuple[PrivacyModel, ...]], int]:
    requirements, n_implied = requirements_of(AllOf(parts), table())
    found = {requirement.columns: requirement.promise.parts for requirement in requirements}
    assert len(found) == len(requirements)
    return found, n_implied


def test_one_requirement_for_every_set_of_columns() -> None:
    parts = (AnonymityOf([*"ab"], 3), bound("0.5", "b", "a"), bound("0.5", "c"), DistinctDiversity("d", 2))
    assert parted(*parts) == ({(0, 1): parts[:2], (2,): parts[2:3], (0, 1, 2): parts[3:]}, 0)


def test_all_columns_are_meant_where_none_is_named() -> None:
    found, n_implied = parted(KAnonymity(3), AnonymityOf([*"abc"], 4))
    assert found == {(0, 1, 2): (KAnonymity(3), AnonymityOf([*"abc"], 4))}
    assert n_implied == 0


@pytest.mark.parametrize(
    ("parts", "kept"),
    [
        pytest.param([KAnonymity(3), AnonymityOf(["a"], 3)], [0], id="k of all columns"),
        pytest.param([KAnonymity(3), AnonymityOf(["a"], 4)], [0, 1], id="but not a larger k"),
        pytest.param([AnonymityOf(["a"], 2), AnonymityOf([*"ab"], 2)], [1], id="k of more columns"),
        pytest.param([AnonymityOf(["a"], 2), AnonymityOf([*"bc"], 2)], [0, 1], id="of other columns"),
        pytest.param([bound("0.5", "a"), bound("0.5", "a", "b")], [1], id="a template"),
        pytest.param([bound("0.4", "a"), bound("0.5", "a", "b")], [0, 1], id="but not a smaller bound"),
        pytest.param([bound("0.5", "a"), bound("0.5", "a", value="y")], [0, 1], id="nor another value"),
        pytest.param([bound("0.5", "a"), bound("0.4", "a")], [1], id="the smaller bound"),
        pytest.param([KAnonymity(9), bound("0.9", "a")], [0, 1], id="a template from no k"),
        pytest.param([AnonymityOf([*"ab"], 2), AnonymityOf([*"ba"], 2)], [0], id="of equals the first"),
        pytest.param([AnonymityOf(["a"], 2), AnonymityOf([*"ab"], 3), KAnonymity(4)], [2], id="two from one"),
    ],
)
def test_what_follows_from_others_is_left_out_and_counted(parts: list[PrivacyModel], kept: list[int]) -> None:
    found, n_implied = parted(*parts)
    assert [part for of_columns in found.values() for part in of_columns] == [parts[place] for place in kept]
    assert n_implied == len(parts) - len(kept)


def test_with_persons_no_template_follows_from_another() -> None:
    """Half of the persons of each group over both columns have x, and two thirds of those over one."""
    frame = pa.table({"a": [*"uuuu"], "b": [*"vvww"], "who": [*"1232"], "d": [*"xyxy"], "t": [*"YNYN"]})
    half = bound("0.5", "a", "b")
    policy = kanopy.Policy(
        quasi_identifiers=["a", "b"], target="t", sensitive=["d"], person="who", privacy=[half]
    )
    assert kanopy.audit(frame, policy).kept
    assert not kanopy.audit(frame, replace(policy, privacy=[half, bound("0.5", "a")])).kept
    of_persons = replace(table(), persons=np.array([0, 1, 2, 1], dtype=np.int32))
    parts = (half, bound("0.5", "a"), AnonymityOf([*"ab"], 2), AnonymityOf(["a"], 2))
    requirements, n_implied = requirements_of(AllOf(parts), of_persons)
    assert [part for each in requirements for part in each.promise.parts] == [half, parts[2], parts[1]]
    assert n_implied == 1


def test_the_columns_of_what_follows_stay_in_question() -> None:
    """a is bounded with b, and so is generalized; c is in nothing, and stays."""
    frame = pa.table({"a": [*"uuuv"], "b": [*"uuuv"], "c": [*"wxyz"], "t": [*"YYNN"]})
    policy = kanopy.Policy(
        quasi_identifiers=["a", "b", "c"],
        target="t",
        privacy=[AnonymityOf([*"ab"], 2), AnonymityOf(["a"], 2)],
    )
    release = kanopy.anonymize(frame, policy, method="tds")
    assert release.frame["a"].to_pylist() == ["*"] * 4
    assert release.frame["c"].to_pylist() == [*"wxyz"]
    assert release.manifest["facts"] == {"implied_promises": 1}
    assert any("follow from others" in notice for notice in release.manifest["notices"])
    assert len(release.audit.promises) == 2  # both are recounted


def test_confidences_and_sizes() -> None:
    counts = GroupCounts.of(table("xyxzxx"), np.array([0, 0, 0, 1, 1, 1]), 2)
    promise = AllOf((bound("0.5", "a"), bound("0.5", "a", value="z"), bound("0.5", "a", value="nobody")))
    shares = Requirement((0,), promise).confidences(counts)
    assert shares.tolist() == [[2 / 3, 2 / 3], [0, 1 / 3], [0, 0]]
    assert not Requirement((0,), promise).bounds_size
    assert Requirement((0,), AllOf((*promise.parts, AnonymityOf(["a"], 2)))).bounds_size
    assert Requirement((0, 1, 2), AllOf((KAnonymity(2),))).confidences(counts).shape == (0, 2)
