"""The draft of a policy agrees with an expert on a collection of labelled column sets."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from effort import IS_DEEP

from benchmarks.column_sets import ROLES, SETS
from benchmarks.column_sets.labels import UNPUBLISHED, Column
from benchmarks.column_sets.national import NATIONAL, ibans, luhn, national_ids
from benchmarks.drafting import AGREEMENT_BAR, Result, Verdict, main, measure


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> Result:
    return measure(SETS if IS_DEEP else SETS[::7], tmp_path_factory.mktemp("sets"))


def test_the_collection_is_large_and_labelled() -> None:
    assert len(SETS) == len({column_set.name for column_set in SETS}) >= 40
    for column_set in SETS:
        columns = column_set.columns()
        assert 5 <= len(columns) <= 25
        assert 200 <= column_set.n_rows <= 2000
        for column in columns.values():
            assert len(column.words) == column_set.n_rows
            assert set(column.roles) <= set(ROLES)
            assert not column.is_secret or set(column.roles) <= UNPUBLISHED
    assert {"en", "de", "fr", "es", "it", "nl", "pt", "none", "other"} == {each.language for each in SETS}


def test_no_identifier_key_or_free_text_is_drafted_as_published(result: Result) -> None:
    assert not result.faults
    assert [str(verdict) for verdict in result.leaks] == []


def test_no_time_of_day_is_drafted_as_published(result: Result) -> None:
    assert [str(verdict) for verdict in result.times] == []


def test_nine_of_ten_roles_are_as_an_expert_sets_them(result: Result) -> None:
    assert result.agreement() >= AGREEMENT_BAR == 0.9


def test_files_are_read_as_they_are_written(result: Result) -> None:
    assert result.misread == {}


def test_a_leak_misses_the_bar() -> None:
    key = Column(["a"], ("identifiers",), is_secret=True)
    age = Column(["1"], ("quasi_identifiers",))
    fine = Verdict("set", "en", "age", age, "quasi_identifiers", "", is_coarse=False)
    leak = Verdict("set", "en", "key", key, "keep", "", is_coarse=False)
    assert Result([fine] * 19).passes
    assert not Result([fine] * 19 + [leak]).passes
    assert not Result([fine] * 19, {"set": "unreadable"}).passes
    wrong = Verdict("set", "en", "age", age, "keep", "", is_coarse=False)
    assert Result([fine] * 9 + [wrong]).passes
    assert not Result([fine] * 8 + [wrong]).passes


def test_the_command_prints_the_figures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["--set", "en titanic", "--keep", str(tmp_path)])
    printed = capsys.readouterr().out
    assert code == 0
    assert printed.startswith("1 column sets, 12 columns; 0 sets without a draft\n")
    assert "drafted as published: 0 of 3 (bar: 0)" in printed
    assert (tmp_path / "en_titanic.csv").exists()


def test_check_digits_are_right_where_they_should_be() -> None:
    rng = np.random.default_rng(0)
    for word in (word for country in ("DE", "FR", "NL") for word in ibans(rng, 20, country)):
        spelled = "".join(str(int(sign, 36)) for sign in word[4:] + word[:4])
        assert int(spelled) % 97 == 1
    assert luhn([7, 9, 9, 2, 7, 3, 9, 8, 7, 1]) == 3
    for kind in NATIONAL:
        right = national_ids(np.random.default_rng(1), 50, kind, 0.0)
        wrong = national_ids(np.random.default_rng(1), 50, kind, 1.0)
        assert all(one[:-1] == other[:-1] and one != other for one, other in zip(right, wrong, strict=True))
