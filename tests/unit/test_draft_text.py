"""The text of a drafted policy: it fits into a policy file, and its marks are counted."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from command import run

import kanopy
from kanopy.drafting import Suggestion
from kanopy.drafting.policy_draft import ColumnSuggestion
from kanopy.drafting.rule_draft import draft_rule
from kanopy.errors import PolicyError
from kanopy.policy.toml_file import MOST_BYTES


def drafted(*names: str, certainty: str = "sure", **more: object) -> Suggestion:
    return Suggestion(
        tuple(ColumnSuggestion(name, "quasi_identifiers", "3 values", certainty, **more) for name in names),
        n_rows=1,
    )


def test_a_draft_for_ten_thousand_columns_is_a_policy_file(tmp_path: Path) -> None:
    names, file = [f"{number:085}" for number in range(10_000)], tmp_path / "policy.toml"
    file.write_text(drafted(*names).to_toml())
    assert file.stat().st_size <= MOST_BYTES
    assert kanopy.Policy.load(file).quasi_identifiers == tuple(names)
    assert "Reasons are left out" in file.read_text()


def test_a_draft_that_cannot_fit_is_refused() -> None:
    draft = drafted(*(f"{number:060000}" for number in range(20)))
    with pytest.raises(PolicyError, match=r"the draft for 20 columns has 1,\d{3},\d{3} bytes") as caught:
        draft.to_toml()
    assert "shorten their names" in str(caught.value.hint)


def test_without_reasons_the_doubts_stay() -> None:
    sure, doubtful = (f"{number:0300}" for number in range(3_000)), ("x", "y")
    columns = (*drafted(*sure).columns, *drafted(*doubtful, certainty="doubtful").columns)
    draft = Suggestion(tuple(replace(column, reason="three values " * 5) for column in columns))
    assert len(draft.to_toml().encode()) <= MOST_BYTES
    assert draft.to_toml().count("# check: three values") == draft.n_checks == 2


def test_one_long_name_moves_no_other_comment() -> None:
    lines = drafted("a", "bb", "c" * 5_000).to_toml().splitlines()
    assert '    "a",   # 3 values (sure)' in lines
    assert '    "bb",  # 3 values (sure)' in lines


def test_the_count_of_marks_is_that_of_the_file(tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    lines = [
        f"0{1 + row % 9}/0{1 + row % 8}/2020,2020-01-{1 + row % 28:02}T10:00:00+02:00,{row % 7},{row % 2}"
        for row in range(90)
    ]
    table.write_text("\n".join(["day,came,# check: n,ill", *lines]))
    text = run("suggest", table)
    n_marks = len(re.findall(r"(?m)(?:^|  )# check: ", text.out))
    assert n_marks >= 4
    assert f'{n_marks} guesses are doubtful: look for "check:" in the draft' in text.err


def test_one_of_anything_is_singular() -> None:
    assert "from a table of 1 row and 1 column." in drafted("a").to_toml()
    rule = draft_rule("zip", "code", ["A1", "A2", "B1", "B2", "C1"])
    assert rule is not None
    assert rule.reason == "by the first character"
