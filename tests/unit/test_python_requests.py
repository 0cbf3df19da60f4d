"""Wrong requests in Python: an error of kanopy with a hint, and the hint speaks Python."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from command import run

import kanopy
from kanopy.drafting import draft_hierarchies, suggest, write_drafts
from kanopy.errors import Hint, InputError, KanopyError, PolicyError

POLICY = kanopy.Policy(quasi_identifiers=["a"], k=2)
SECRET = "SECRET-4711"


class NoText:
    def __str__(self) -> str:
        raise RuntimeError(SECRET)


class NoComparison:
    def __ne__(self, other: object) -> bool:
        raise RuntimeError(SECRET)


FRAMES = {
    "arrays": pd.DataFrame({"a": [np.array([1, 2])] * 4}),
    "lists": pd.DataFrame({"a": [[SECRET]] * 4}),
    "dicts": pd.DataFrame({"a": [{SECRET: 1}] * 4}),
    "some lists": pd.DataFrame({"a": [1, "x", [SECRET], [SECRET]]}),
    "some arrays": pd.DataFrame({"a": [1, "x", np.array([1, 2]), 2.0]}),
    "frames": pd.DataFrame({"a": [pd.DataFrame({"x": [1]})] * 4}),
    "no text": pd.DataFrame({"a": [NoText()] * 4}),
    "some without text": pd.DataFrame({"a": [NoText(), 1, 2, 3]}),
    "no comparison": pd.DataFrame({"a": [NoComparison()] * 4}),
    "polars lists": pl.DataFrame({"a": [[1, 2]] * 4}),
    "polars structs": pl.DataFrame({"a": [{"x": 1}] * 4}),
    "polars arrays": pl.DataFrame({"a": pl.Series([np.array([1, 2])] * 4, dtype=pl.Object)}),
    "polars without text": pl.DataFrame({"a": pl.Series([NoText(), 1, 2, 3], dtype=pl.Object)}),
}


@pytest.mark.parametrize("ask", [kanopy.anonymize, kanopy.audit])
@pytest.mark.parametrize("frame", FRAMES.values(), ids=FRAMES)
def test_cells_that_are_no_values(frame: Any, ask: Callable[..., Any]) -> None:
    with pytest.raises(InputError, match="column 'a' holds") as caught:
        ask(frame, POLICY)
    assert caught.value.hint
    assert SECRET not in str(caught.value)


def test_values_that_are_no_containers_stay() -> None:
    """Scalars of NumPy have an array's interface, but are one value each."""
    frame = pd.DataFrame({"a": pd.Series([np.int64(1), np.int64(1), "x", "x"], dtype=object)})
    assert kanopy.anonymize(frame, POLICY).frame["a"].tolist() == ["1", "1", "x", "x"]


@pytest.mark.parametrize("path", [5, None, b"r.csv", "\0.csv", "r\0.csv", ["r.csv"], 1.5])
@pytest.mark.parametrize("method", ["write", "write_tree", "report"])
def test_paths_that_are_none(path: Any, method: str) -> None:
    release = kanopy.anonymize(pa.table({"a": ["x"] * 4}), POLICY)
    write = {"write": release.write, "write_tree": release.write_tree}.get(method)
    with pytest.raises(PolicyError, match="output") as caught:
        write(path) if write else kanopy.report(release, path)
    assert caught.value.hint


@pytest.mark.parametrize("policy", [{"k": 2}, "policy.toml", Path("policy.toml"), None, 5, kanopy.Policy])
@pytest.mark.parametrize("ask", [kanopy.anonymize, kanopy.audit, kanopy.evaluate])
def test_what_is_no_policy(policy: Any, ask: Callable[..., Any]) -> None:
    with pytest.raises(PolicyError, match=r"the policy must be a kanopy\.Policy") as caught:
        ask(pa.table({"a": ["x"] * 4}), policy)
    assert "Policy" in caught.value.hint


@pytest.mark.parametrize("path", [5, None, b"p.toml", "\0", {"k": 2}])
def test_policy_files_that_are_none(path: Any) -> None:
    with pytest.raises(PolicyError, match="a policy file is named by its path") as caught:
        kanopy.Policy.load(path)
    assert caught.value.hint


# --- Hints -------------------------------------------------------------------------------------------------


def refused(ask: Callable[[], Any]) -> KanopyError:
    with pytest.raises(KanopyError) as caught:
        ask()
    return caught.value


def test_the_same_hint_in_python_and_in_the_shell(tmp_path: Path) -> None:
    (tmp_path / "r.csv").write_text("x")
    (tmp_path / "semicolons.csv").write_text("a;b\n1;2\n1;2\n")
    (tmp_path / "utf16.csv").write_text("a\nx\nx\n", "utf-16")
    (tmp_path / "latin.csv").write_bytes(b"a\n\xe9\n\xe9\n")
    (tmp_path / "data.csv").write_text("a\nx\nx\n")
    release = kanopy.anonymize(tmp_path / "data.csv", POLICY)
    flags = ("--quasi=a", "--k=2")
    asked = {
        "force=True": (
            lambda: release.write(tmp_path / "r.csv"),
            ("anonymize", tmp_path / "data.csv", "-o", tmp_path / "r.csv", *flags),
            "--force",
        ),
        "delimiter=';'": (
            lambda: kanopy.audit(tmp_path / "semicolons.csv", POLICY),
            ("audit", tmp_path / "semicolons.csv", *flags),
            "--delimiter ';'",
        ),
        "encoding='utf-16'": (
            lambda: kanopy.audit(tmp_path / "utf16.csv", POLICY),
            ("audit", tmp_path / "utf16.csv", *flags),
            "--encoding utf-16",
        ),
        "with encoding,": (
            lambda: kanopy.audit(tmp_path / "latin.csv", POLICY, encoding="ascii"),
            ("audit", tmp_path / "latin.csv", *flags, "--encoding=ascii"),
            "with --encoding,",
        ),
    }
    for in_python, (ask, command, in_shell) in asked.items():
        error = refused(ask)
        assert in_python in error.hint
        assert "--" not in str(error)
        outcome = run(*command)
        assert in_shell in outcome.err
        assert in_python not in outcome.err


def test_drafts_that_exist(tmp_path: Path) -> None:
    table = pa.table({"age": [str(20 + i % 40) for i in range(400)], "cls": ["Y", "N"] * 200})
    drafts = draft_hierarchies(table, suggest(table))
    assert drafts
    write_drafts(drafts, tmp_path)
    assert "force=True" in refused(lambda: write_drafts(drafts, tmp_path)).hint


def test_hints_survive_a_pickle() -> None:
    error = pickle.loads(pickle.dumps(PolicyError("what", Hint("use {force} here", force=True))))
    assert (error.hint, error.hint.for_shell) == ("use force=True here", "use --force here")


def test_a_hint_without_settings_is_the_same_everywhere() -> None:
    assert Hint("a {b}") == Hint("a {b}").for_shell == "a {b}"
