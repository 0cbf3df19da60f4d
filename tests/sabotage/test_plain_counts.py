"""What methods and recount share may be wrong in both: plain counts of the table find it all the same."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import kanopy
from kanopy import publishing
from kanopy.algorithms import find_method
from kanopy.auditing import counted
from kanopy.auditing import recounting as recounting_module
from kanopy.data import Recoding, cell
from kanopy.engines import deciding, local
from kanopy.errors import VerificationError
from kanopy.frames import distinct
from kanopy.policy import Policy
from kanopy.privacy import DeltaDisclosure, DistinctDiversity, KAnonymity
from kanopy.privacy.model import all_of
from kanopy.release import written_table

N_ROWS = 60
FRAME = pa.table(
    {
        "age": [str(20 + i % 12) for i in range(N_ROWS)],
        "zip": ["ABCD"[i % 4] if i % 15 else "unknown" for i in range(N_ROWS)],
        "cls": ["YN"[(i // 5) % 2] for i in range(N_ROWS)],
        "ill": [("flu", "gout", "ache", "none")[i % 7 % 4] for i in range(N_ROWS)],
        "row": [f"row {i}" for i in range(N_ROWS)],
    }
)
POLICY = Policy(
    ["age", "zip"], target="cls", sensitive=["ill"], identifiers=["row"], k=4, missing=["unknown"]
)
BY_AGE = Policy(["age"], target="cls", keep=["row"], identifiers=["zip", "ill"], k=4).accepting_all()
"""Groups of five rows each, if nothing is generalized; no two rows are equal."""


def refused(tmp_path: Path, policy: Policy = POLICY, **request: Any) -> str:
    with pytest.raises(VerificationError) as caught:
        kanopy.anonymize(FRAME, policy, **request).write(tmp_path / "out.csv")
    assert not list(tmp_path.iterdir())
    return str(caught.value)


def with_broken_method(
    monkeypatch: pytest.MonkeyPatch, name: str, break_it: Callable[[Recoding], Recoding]
) -> None:
    sound = find_method(name)

    def wrong(*given: Any, **options: Any) -> Recoding:
        return break_it(sound.run(*given, **options))

    monkeypatch.setattr(local, "find_method", lambda _: replace(sound, run=wrong))


def of_whole_groups(recoding: Recoding, n_rows: int) -> np.ndarray:
    """Rows of the first groups, at least so many, so that those that are left are as large as before."""
    group, _ = recoding.groups
    return group <= np.searchsorted(np.cumsum(np.bincount(group)), n_rows)


def the_first(recoding: Recoding, n_rows: int) -> np.ndarray:
    return np.arange(len(recoding.is_kept)) < n_rows


def suppressing(n_rows: int, which: Any = of_whole_groups) -> Callable[[Recoding], Recoding]:
    """Rows suppressed, whatever the method says."""

    def wrong(recoding: Recoding) -> Recoding:
        columns, is_out = [], which(recoding, n_rows)
        for column in recoding.columns:
            ids = np.where(is_out, np.int32(len(column.cells)), column.ids)
            columns.append(replace(column, cells=(*column.cells, cell.SUPPRESSED), ids=ids))
        return Recoding(tuple(columns), recoding.is_kept)

    return wrong


def leaving_out(n_rows: int) -> Callable[[Recoding], Recoding]:
    return lambda recoding: Recoding(recoding.columns, ~of_whole_groups(recoding, n_rows))


@pytest.mark.parametrize("limit", ["0", "10", "50%", "0.1"])
@pytest.mark.parametrize("fault", [suppressing, leaving_out])
def test_more_rows_are_suppressed_than_may_be(
    limit: str, fault: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_broken_method(monkeypatch, "datafly", fault(42))
    assert "suppressed or left out" in refused(tmp_path, BY_AGE, method="datafly", max_suppressed=limit)


@pytest.mark.parametrize("limit", ["50%", 0.5, 30])
def test_as_many_rows_as_may_be_suppressed(limit: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    with_broken_method(monkeypatch, "datafly", suppressing(20))
    assert kanopy.anonymize(FRAME, BY_AGE, method="datafly", max_suppressed=limit).audit.kept


def test_suppressed_rows_do_not_count_as_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both recounts read suppressed rows as if they said nothing."""
    sound = recounting_module.judge

    def optimistic(*given: Any, **named: Any) -> Any:
        return sound(*given, **named, reading="optimistic")

    for module in (deciding, written_table):
        monkeypatch.setattr(module, "judge", optimistic)
    with_broken_method(monkeypatch, "mondrian", suppressing(1, the_first))
    assert "the smallest group has 1" in refused(tmp_path, BY_AGE)


@pytest.mark.parametrize("person", [None, "who"])
def test_methods_and_recount_count_members_too_often(
    person: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sound = counted.Members.of.__func__  # type: ignore[attr-defined]

    def twice(kind: Any, *given: Any) -> Any:
        members = sound(kind, *given)
        return members._replace(number=members.number * 2)

    monkeypatch.setattr(counted.Members, "of", classmethod(twice))
    monkeypatch.setattr(KAnonymity, "holds", lambda promise, counts: 2 * counts.members >= promise.k)
    frame = FRAME if person is None else FRAME.append_column("who", pa.array(np.arange(N_ROWS)))
    policy = replace(POLICY, k=8, person=person)
    with pytest.raises(VerificationError, match=r"the smallest group has [4-7]"):
        kanopy.anonymize(frame, policy, method="mondrian").write(tmp_path / "out.csv")


def test_k_is_one_less_for_everybody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Groups of five rows, where six are promised."""
    sound = recounting_module.decide

    def generous(kind: str, bounds: Any, *given: Any) -> Any:
        less = {**bounds, "k": bounds["k"] - 1} if "k" in bounds else bounds
        return sound(kind, less, *given)

    monkeypatch.setattr(recounting_module, "decide", generous)
    monkeypatch.setattr(KAnonymity, "holds", lambda promise, counts: counts.members >= promise.k - 1)
    assert "the smallest group has 5" in refused(tmp_path, replace(BY_AGE, k=6))


def test_a_promise_is_lost_when_the_policy_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    policy = replace(POLICY, privacy=[DistinctDiversity("ill", 2)])
    monkeypatch.setattr(Policy, "promise", property(lambda self: all_of([KAnonymity(self.k)])))
    assert "1 promises of the policy were not counted" in refused(tmp_path, policy)


FILE = """
quasi_identifiers = ["age", "zip"]
target = "cls"
sensitive = ["ill"]
identifiers = ["row"]
[privacy]
k = 4
[[privacy.anonymity]]
given = ["zip", "age"]
k = 5
[[privacy.diversity]]
column = "ill"
kind = "entropy"
l = 1.5
[[privacy.alpha]]
column = "ill"
alpha = "9/10"
[[privacy.template]]
given = ["age"]
column = "ill"
value = ["flu", "gout"]
at_most = 0.95
[[privacy.likeness]]
column = "ill"
beta = 9
kind = "enhanced"
"""


WEAKER: dict[str, dict[str, Any]] = {
    "AnonymityOf": {"k": 2},
    "EntropyDiversity": {"l": "1.2"},
    "AlphaBound": {"alpha": "0.99"},
    "Template": {"at_most": "0.99"},
    "BetaLikeness": {"beta": 90},
}


@pytest.mark.parametrize("lost", range(1, 6))
@pytest.mark.parametrize("is_weaker", [True, False])
def test_a_promise_of_the_policy_file_is_lost(
    lost: int, is_weaker: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the file is read: what the policy says agrees with itself."""
    (tmp_path / "policy.toml").write_text(FILE)
    outputs = publishing.Outputs(tmp_path / "out.csv")
    policy = Policy.load(tmp_path / "policy.toml")
    publishing.anonymize_to_files(FRAME, policy, outputs, policy_file=tmp_path / "policy.toml")
    parts = list(policy.promise.parts)
    weaker = WEAKER[type(parts[lost]).__name__]
    other = [replace_bound(parts[lost], weaker)] if is_weaker else []
    policy = replace(policy, privacy=[*parts[1:lost], *other, *parts[lost + 1 :]])
    with pytest.raises(VerificationError, match="in the policy file was not counted"):
        publishing.anonymize_to_files(
            FRAME, policy, outputs._replace(force=True), policy_file=tmp_path / "policy.toml"
        )


def replace_bound(part: Any, bound: dict[str, Any]) -> Any:
    known = {name: getattr(part, name) for name in part.__dataclass_fields__}
    return type(part)(**known | bound)


def test_missing_marks_are_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the reader and by who compares with the source: they share the code."""
    sound = distinct._cleaned
    monkeypatch.setattr(distinct, "_cleaned", lambda raw, missing: sound(raw, ()))
    told = refused(tmp_path, replace(POLICY, k=2), method="mondrian", publish="suppress")
    assert "shows a text that means missing" in told


def test_without_a_fault_it_is_published(tmp_path: Path) -> None:
    policy = replace(POLICY, privacy=[DistinctDiversity("ill", 2)])
    assert kanopy.anonymize(FRAME, policy).write(tmp_path / "out.csv").exists()


def test_until_k_one_row_may_go_where_no_k_is_promised() -> None:
    """Datafly suppresses up to k rows by itself; a promise without k asks for groups of one."""
    table = pa.table({"q": ["leek", "pear", "beet"], "s": ["x", None, None]})
    policy = kanopy.Policy(quasi_identifiers=["q"], sensitive=["s"], privacy=[DeltaDisclosure("s", "3/2")])
    assert kanopy.anonymize(table, policy, method="datafly", until="k", allow_empty=True).audit.kept
