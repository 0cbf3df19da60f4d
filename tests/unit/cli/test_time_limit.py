"""Stopping half-way, by the clock or by Ctrl-C: a release that keeps its promise, and says what it is."""

from __future__ import annotations

import json
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv as pacsv
import pytest
from command import OLD, PATIENCE, RELEASED, Outcome, assert_clean, run, start

POLICY = """
quasi_identifiers = ["a", "b", "c", "d", "e"]
target = "class"
sensitive = ["ill"]
[[privacy.template]]
given = ["a", "b", "c", "d", "e"]
column = "ill"
value = "flu"
at_most = 0.6
[method]
name = "tdd"
"""
CUT_SHORT = "the work was cut short"
NO_K = "No k is promised for all quasi-identifiers together."


def write_table(folder: Path, n_rows: int) -> Path:
    """A table of seven columns with its policy."""
    rng = np.random.default_rng(0)
    columns = {name: rng.integers(0, 40 if name < "d" else 2, n_rows) for name in "abcde"}
    classes = np.where((columns["a"] + columns["b"] + rng.integers(0, 20, n_rows)) % 3 > 0, "Y", "N")
    told = {name: [f"{name}{value}" for value in values.tolist()] for name, values in columns.items()}
    secret = rng.choice(["flu", "cold", "none"], n_rows, p=[0.2, 0.4, 0.4])
    table = pa.table({**told, "ill": secret, "class": classes})
    pacsv.write_csv(table, folder / "table.csv", pacsv.WriteOptions(quoting_style="none"))
    (folder / "policy.toml").write_text(POLICY, "utf-8")
    return folder


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_table(tmp_path_factory.mktemp("small"), 2_000)


def anonymize(folder: Path, out: Path, *flags: str) -> Outcome:
    outcome = run(
        "anonymize", folder / "table.csv", "--policy", folder / "policy.toml", "-o", out, "--json", *flags
    )
    assert_clean(outcome)
    return outcome


def unwrapped(text: str) -> str:
    return " ".join(text.split())


# --- The clock -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["tdd", "tds", "tdr"])
def test_a_tiny_limit_ends_with_a_release(method: str, small: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    outcome = anonymize(small, out, "--method", method, "--time-limit", "1e-9")
    assert outcome.code == 0
    told = json.loads(outcome.out)
    assert told["manifest"]["facts"]["cut_short"] is True
    assert any(CUT_SHORT in notice for notice in told["manifest"]["notices"])
    assert CUT_SHORT in unwrapped(outcome.err)
    assert told["audit"]["kept"] is True
    assert run("audit", out, "--policy", small / "policy.toml").code == 0


def test_time_enough_is_no_limit(small: Path, tmp_path: Path) -> None:
    without = anonymize(small, tmp_path / "without.csv")
    outcome = anonymize(small, tmp_path / "with.csv", "--time-limit", "inf")
    assert outcome.code == 0
    assert "cut_short" not in json.loads(outcome.out)["manifest"]["facts"]
    assert CUT_SHORT not in unwrapped(outcome.err)
    assert json.loads(outcome.out) == json.loads(without.out)
    assert (tmp_path / "with.csv").read_bytes() == (tmp_path / "without.csv").read_bytes()
    short = anonymize(small, tmp_path / "short.csv", "--time-limit", "1e-9")
    assert short.code == 0
    assert (tmp_path / "short.csv").read_bytes() != (tmp_path / "without.csv").read_bytes()


@pytest.mark.parametrize("seconds", ["0", "-1", "nan", "-inf", "soon", ""])
def test_what_is_no_time(seconds: str, small: Path, tmp_path: Path) -> None:
    outcome = anonymize(small, tmp_path / "out.csv", f"--time-limit={seconds}")
    assert outcome.code == 2
    assert "time" in outcome.err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("method", ["mondrian", "kactus", "bottomup"])
def test_methods_that_cannot_stop(method: str, small: Path, tmp_path: Path) -> None:
    outcome = anonymize(small, tmp_path / "out.csv", "--method", method, "--time-limit", "60")
    assert outcome.code == 2
    assert f"'{method}' cannot be stopped half-way" in unwrapped(outcome.err)
    assert "tds" in outcome.err
    assert not list(tmp_path.iterdir())


# --- Ctrl-C ----------------------------------------------------------------------------------------------

SAY_WHEN = """
import signal, time
from kanopy.algorithms import topdown
take = topdown.TopDown.take
def told(state, step):
    take(state, step)
    if len(state.steps) == 1:
        print("working", flush=True)
        while signal.getsignal(signal.SIGINT) is not signal.default_int_handler:  # until the first Ctrl-C
            time.sleep(0.01)
        for _ in range(50 * int({seconds})):  # a signal just before one long sleep would not end it
            time.sleep(0.02)
topdown.TopDown.take = told
"""


@contextmanager
def interrupted(folder: Path, out: Path, seconds: float = 0) -> Iterator[subprocess.Popen[bytes]]:
    """A run in another process that takes its first step, and goes on when it is interrupted."""
    out.write_bytes(OLD)
    arguments = ("anonymize", folder / "table.csv", "--policy", folder / "policy.toml", "-o", out, "--force")
    running = start(*arguments, prelude=SAY_WHEN.format(seconds=seconds))
    try:
        assert running.stdout is not None
        assert running.stdout.readline() == b"working\n"
        running.send_signal(signal.SIGINT)
        yield running
    finally:
        running.kill()
        running.communicate()


def test_the_first_interrupt_ends_with_a_release(small: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    with interrupted(small, out) as running:
        _, err = running.communicate(timeout=PATIENCE)
        said = unwrapped(err.decode())
        assert running.returncode == 0, said
    assert "stopping: what keeps the promise is released" in said
    assert CUT_SHORT in said
    assert "Traceback" not in said
    assert {path.name for path in tmp_path.iterdir()} == set(RELEASED)
    assert out.read_bytes() != OLD
    assert run("audit", out, "--policy", small / "policy.toml").code == 0


def test_the_second_interrupt_gives_up(small: Path, tmp_path: Path) -> None:
    with interrupted(small, tmp_path / "out.csv", seconds=PATIENCE) as running:
        assert running.stderr is not None
        assert b"stopping" in running.stderr.readline()
        running.send_signal(signal.SIGINT)
        _, err = running.communicate(timeout=PATIENCE)
        assert running.returncode == 130
    assert err.decode() == "error: interrupted\n hint: nothing was published\n"
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("out.csv", OLD)]


# --- What is not said ------------------------------------------------------------------------------------


@pytest.mark.parametrize("flags", [(), ("--time-limit", "1e-9")], ids=["whole", "cut short"])
def test_templates_alone_are_no_k_anonymity(flags: tuple[str, ...], small: Path, tmp_path: Path) -> None:
    outcome = anonymize(small, tmp_path / "out.csv", *flags)
    assert outcome.code == 0
    manifest = json.loads(outcome.out)["manifest"]
    audit = run("audit", tmp_path / "out.csv", "--policy", small / "policy.toml")
    for said in (outcome.out, outcome.err, audit.out, audit.err):
        assert "anonymous" not in unwrapped(said).lower()
        assert "k-anonym" not in unwrapped(said).lower()
        assert "covers at least" not in unwrapped(said)
    assert manifest["not_promised"].startswith(NO_K)
    assert NO_K in unwrapped(outcome.err)
    assert len(manifest["promise"]) == 1
    with_k = anonymize(small, tmp_path / "with.csv", "--k", "5", *flags)
    assert with_k.code == 0
    assert NO_K not in unwrapped(with_k.out + with_k.err)
    assert "covers at least 5 rows" in unwrapped(with_k.err)
