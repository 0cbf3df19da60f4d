"""Policies and hierarchies that would never end, or take the square of their length."""

import os
import re
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from cases import FLAGS, PROMISE, TABLE
from command import assert_clean, run, spawn

from kanopy.errors import PolicyError
from kanopy.policy.toml_text import _LONG_KEY

SLOW: dict[str, Callable[[int], str]] = {
    "blanks after a comma": lambda n: "a = [1," + " " * n + "2]",
    "tabs after a brace": lambda n: "a = {" + "\t" * n,
    "blanks before a key": lambda n: " " * n,
    "blanks around a dot": lambda n: "a" + " " * n + "." + " " * n + "b",
    "commas and blanks": lambda n: " , " * (n // 3),
    "a long word": lambda n: "," + "a" * n,
    "open quotes": lambda n: ',"' * (n // 2),
    "two kinds of quotes": lambda n: ",\"x,'x" * (n // 6),
    "keys of fifteen words": lambda n: ("," + "a." * 14 + "a") * (n // 30),
}


def seconds(text: str) -> float:
    """Of this thread, the quickest of five: what else the machine does meanwhile does not count."""
    times = []
    for _ in range(5):
        began = time.thread_time()
        assert re.search(_LONG_KEY, text) is None
        times.append(time.thread_time() - began)
    return min(times)


@pytest.mark.parametrize("make", SLOW.values(), ids=SLOW)
def test_the_guard_does_not_take_the_square_of_the_length(make: Callable[[int], str]):
    """32 times the text: 32 times as long where it is linear, 1,024 times where it is not."""
    assert seconds(make(64_000)) < 200 * max(seconds(make(2_000)), 1e-5)


@pytest.mark.parametrize("prefix", ["", "[", "[[", " [ ", "x = {", "x = {y = 1, "])
def test_long_keys_are_found_as_before(prefix: str):
    assert re.search(_LONG_KEY, prefix + "a . " * 16 + "b")
    assert re.search(_LONG_KEY, prefix + "'a'.\"b\" ." * 8 + "b")
    assert not re.search(_LONG_KEY, prefix + "a." * 15 + "b")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "data.csv").write_text(TABLE)
    os.mkfifo(tmp_path / "pipe.toml")
    os.mkfifo(tmp_path / "pipe.csv")
    return tmp_path


@pytest.mark.parametrize("policy", ["pipe.toml", "/dev/null", "/dev/zero", "/dev/stdin"])
def test_a_policy_that_is_no_regular_file(policy: str, folder: Path):
    outcome = spawn("audit", folder / "data.csv", "--policy", folder / policy, stdin=PROMISE.encode())
    assert outcome.code == 2, outcome
    assert "is not a regular file\n hint: save it" in outcome.err
    assert_clean(outcome)


def test_a_hierarchy_that_is_no_regular_file(folder: Path):
    text = PROMISE + '[method]\nname = "tds"\n[hierarchies]\nzip = "pipe.csv"\n'
    (folder / "policy.toml").write_text(text)
    outcome = run(
        "anonymize", folder / "data.csv", "-o", folder / "out.csv", "--policy", folder / "policy.toml"
    )
    assert outcome.code == 2, outcome
    assert "is not a regular file" in outcome.err


def test_a_file_that_becomes_a_pipe_between_two_looks(folder: Path, monkeypatch: pytest.MonkeyPatch):
    from kanopy import Policy

    monkeypatch.setattr(Path, "is_file", lambda _: True)
    with pytest.raises(PolicyError, match="is not a regular file"):
        Policy.load(folder / "pipe.toml")


def test_a_policy_from_a_redirected_file(folder: Path):
    """Standard input is fine where it is a file."""
    (folder / "policy.toml").write_text(PROMISE)
    prelude = f"import os; os.dup2(os.open({str(folder / 'policy.toml')!r}, os.O_RDONLY), 0)"
    outcome = spawn("audit", folder / "data.csv", "--policy", "/dev/stdin", prelude=prelude)
    assert outcome.code == 1, outcome
    assert spawn("audit", folder / "data.csv", *FLAGS).code == 1
