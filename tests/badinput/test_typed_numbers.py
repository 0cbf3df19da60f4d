"""Numbers that only Python takes for numbers are refused wherever somebody types one."""

from pathlib import Path

import pytest
from cases import TABLE
from command import assert_clean, content, run

import kanopy
from kanopy._numbers import typed_number, typed_whole_number
from kanopy.errors import PolicyError
from kanopy.privacy import Closeness

NO_NUMBERS = ["5_0", "٥", "５", "+5", " 5", "5 ", "\t5", "0x5", "5.0.0", "--5", "", "five", "1e5_0", "²"]
BASE = ("--quasi=age,zip", "--target=cls")


@pytest.mark.parametrize("text", NO_NUMBERS)
@pytest.mark.parametrize(
    "flags",
    [
        ("anonymize", "--k={}"),
        ("anonymize", "--k=2", "--seed={}"),
        ("anonymize", "--k=2", "--method=tds", "--time-limit={}"),
        ("anonymize", "--k=2", "--method=kmeans", "--option=max_iter={}"),
        ("anonymize", "--k=2", "--method=kactus2", "--option=swapping_threshold={}"),
        ("evaluate", "--k=2", "--ks=3,{}"),
        ("evaluate", "--k=2", "--seed={}"),
        ("evaluate", "--k=2", "--jobs={}"),
        ("evaluate", "--k=2", "--methods=kmeans:max_iter={}"),
    ],
)
def test_typed_on_the_command_line(text: str, flags: tuple[str, ...], tmp_path: Path):
    (tmp_path / "data.csv").write_text(TABLE)
    if "kmeans:" in flags[-1] and text.strip() != text:
        pytest.skip("in a list of methods, blanks around a value belong to the list")
    command, *rest = (flag.format(text) for flag in flags)
    output = ("-o", tmp_path / "out.csv") if command == "anonymize" else ()
    outcome = run(command, tmp_path / "data.csv", *output, *BASE, *rest)
    assert outcome.code == 2, outcome
    assert_clean(outcome)
    assert list(content(tmp_path)) == ["data.csv"]


@pytest.mark.parametrize("text", ["5_0", "٥", "+5", " 5"])
@pytest.mark.parametrize(
    "section",
    [
        '[privacy]\nk = "{}"',
        '[privacy]\nk = 2\n[method]\nname = "kmeans"\nmax_iter = "{}"',
        '[privacy]\nk = 2\n[[privacy.diversity]]\ncolumn = "cls"\nl = "{}"',
    ],
)
def test_texts_in_a_policy(text: str, section: str, tmp_path: Path):
    (tmp_path / "data.csv").write_text(TABLE)
    policy = tmp_path / "policy.toml"
    policy.write_text('quasi_identifiers = ["age", "zip"]\ntarget = "cls"\n' + section.format(text))
    outcome = run("anonymize", tmp_path / "data.csv", "-o", tmp_path / "out.csv", "--policy", policy)
    assert outcome.code == 2, outcome
    assert_clean(outcome)


@pytest.mark.parametrize("text", ["0_1", "٠.٣", "0.3_0"])
def test_bounds_that_are_written_as_texts(text: str):
    with pytest.raises(PolicyError, match="must be a number"):
        Closeness("d", text)
    assert Closeness("d", "0.3") == Closeness("d", "3/10")


def test_numbers_that_are_accepted(tmp_path: Path):
    assert [typed_whole_number(text) for text in ("0", "-3", "007", "50")] == [0, -3, 7, 50]
    assert [typed_number(text) for text in ("0.5", ".5", "5.", "1e-9", "-2E+3", "7")] == [
        0.5, 0.5, 5.0, 1e-9, -2000.0, 7.0,
    ]  # fmt: skip
    table = tmp_path / "data.csv"
    table.write_text(TABLE)
    policy = kanopy.Policy(quasi_identifiers=["age", "zip"], target="cls", k=2)
    kanopy.anonymize(table, policy, method="kmeans", max_iter="5")
