"""The sections [source], [columns.NAME] and [derived] of a policy."""

from datetime import date
from typing import Any

import pytest

from kanopy import Policy
from kanopy.errors import PolicyError
from kanopy.policy.toml_file import read_policy

ROLES = 'quasi_identifiers = ["born", "crp", "age"]\nidentifiers = ["birth"]\n[privacy]\nk = 2\n'


def policy(text: str) -> Policy:
    return read_policy((ROLES + text).encode())


def test_every_key_of_a_file() -> None:
    found = policy(
        """
        [source]
        delimiter = ";"
        encoding = "cp1252"
        decimal = ","
        thousands = "."
        quote = "'"
        [columns.born]
        kind = "time"
        formats = ["%d.%m.%Y %H:%M", "%Y-%m-%d %H:%M"]
        zone = "Europe/Berlin"
        levels = ["month", "year"]
        [columns.crp]
        kind = "number"
        decimal = ","
        censored = true
        [derived]
        age = { from = "birth", as = "years", at = 2024-01-01 }
        """
    )
    assert (found.source.delimiter, found.source.encoding, found.source.quote) == (";", "cp1252", "'")
    assert (found.columns["born"].level, found.columns["crp"].censored) == ("month", True)
    assert found.derived["age"].at == date(2024, 1, 1)
    assert found.derived["age"].told() == {"from": "birth", "as": "years", "at": "2024-01-01"}
    assert "crp" in found.numeric
    assert found.reads
    assert not Policy(quasi_identifiers=["a"], k=2).reads


def test_the_same_in_python() -> None:
    found = Policy(
        quasi_identifiers=["born", "age"],
        identifiers=["birth"],
        k=2,
        columns={"born": {"kind": "date", "levels": ["year"]}},
        derived={"age": {"from": "birth", "as": "years", "at": "2024-01-01"}},
    )
    assert found.derived["age"].at == date(2024, 1, 1)
    assert found.after_reading.columns["born"].level == "year"
    assert not found.after_reading.derived


def test_the_level_that_formats_tell() -> None:
    levels = {
        '"%m/%Y"': "month",
        '"%d.%m.%Y", "%m.%Y"': "month",
        '"%Y"': "year",
        '"%Y-%m-%d %H:%M"': "day",  # a date has no time of day
    }
    for formats, level in levels.items():
        assert policy(f'[columns.born]\nkind = "date"\nformats = [{formats}]').columns["born"].level == level
    assert policy('[columns.born]\nkind = "time"\nformats = ["%Y-%m-%d %H"]').columns["born"].level == "hour"


WRONG = [
    ("[source]\ndelimter = ';'", "[source] has no key 'delimter'", "did you mean 'delimiter'?"),
    ("[source]\nquote = '´'", "quote is", ""),
    ("[source]\ndecimal = ';'", "decimal takes", ""),
    ("[source]\ndecimal = ','\nthousands = ','", "decimal and thousands are the same mark", "for example"),
    ("[columns.born]\nkind = 'dat'", "kind is one of date, time", "did you mean 'date'?"),
    ("[columns.born]\nkind = 'date'\nformat = ['%Y']", "has no key 'format'", "did you mean 'formats'?"),
    ("[columns.born]\nlevels = ['year']", "lacks kind", ""),
    (
        "[columns.borm]\nkind = 'date'",
        "column 'borm', which has no role",
        "did you mean 'born'?",
    ),
    ("[columns.born]\nkind = 'date'\nlevels = ['yaer']", "no calendar level 'yaer'", "did you mean 'year'?"),
    ("[columns.born]\nkind = 'date'\nlevels = ['year', 'month']", "from fine to coarse", ""),
    ("[columns.born]\nkind = 'date'\nlevels = ['hour']", "level 'hour' is too fine", "the day"),
    ("[columns.born]\nkind = 'date'\nformats = ['%m.%Y']\nlevels = ['day']", "is too fine", "the month"),
    (
        "[columns.born]\nkind = 'date'\nformats = ['%d.%m']",
        "is not understood",
        "for example",
    ),
    (
        "[columns.born]\nkind = 'date'\nformats = ['%d/%m/%Y', '%m/%d/%Y']",
        "read the same texts as different",
        "keep",
    ),
    (
        "[columns.born]\nkind = 'date'\nformats = ['%y%m%d', '%d%m%y']",
        "read the same texts as different",
        "keep",
    ),
    ("[columns.born]\nkind = 'time'\nformats = ['%Y-%m-%d %H:%M%z']", "time zone (%z)", "Europe/Berlin"),
    ("[columns.born]\nkind = 'time'\nzone = 'Mars/Olympus'", "zone takes the name of a time zone", "refuse"),
    ("[columns.born]\nkind = 'date'\ncensored = true", "kind date takes no censored", "number"),
    ("[columns.crp]\nkind = 'number'\nlevels = ['year']", "kind number takes no levels", "date"),
    ("[derived]\nage = { from = 'birth', as = 'years' }", "needs at, a date or a column", "2024-01-01"),
    ("[derived]\nage = { from = 'birth', as = 'month', at = 2024-01-01 }", "takes no at", ""),
    (
        "[derived]\nage = { from = 'birth', as = 'yeers', at = 2024-01-01 }",
        "as is one of",
        "'years'?",
    ),
    ("[derived]\nage = { form = 'birth', as = 'month' }", "has no key 'form'", "did you mean 'from'?"),
    (
        "[derived]\nage = { from = 'brith', as = 'month' }",
        "'brith', which has no role",
        "'birth'?",
    ),
    (
        "[derived]\nages = { from = 'birth', as = 'month' }",
        "'ages', which has no role",
        "'age'?",
    ),
    (
        "[derived]\nage = { from = 'crp', as = 'month' }\n[columns.crp]\nkind = 'number'",
        "which is no date",
        "kind",
    ),
    (
        "[derived]\nage = { from = 'born', as = 'month' }\nborn = { from = 'birth', as = 'year' }",
        "derived itself",
        "",
    ),
    ("[derived]\nage = 5", "takes keys and values", "from"),
    ("[columns]\nborn = 'date'", "takes keys and values", "kind"),
    (
        "[columns.born]\nkind = 'date'\n[hierarchies]\nborn = { dates = ['year'], format = '%Y' }",
        "says how the dates of column 'born' are written",
        "leave the format out",
    ),
]


@pytest.mark.parametrize(("text", "says", "hint"), WRONG)
def test_refused(text: str, says: str, hint: str) -> None:
    with pytest.raises(PolicyError) as error:
        policy(text)
    assert says in error.value.message
    assert hint in error.value.hint


@pytest.mark.parametrize(
    "fields",
    [
        {"source": "x"},
        {"columns": ["born"]},
        {"derived": 5},
        {"columns": {"born": {"kind": "date"}}, "numeric": ["born"]},
        {"columns": {"born": {"kind": "date", "formats": 5}}},
        {"columns": {"born": {"kind": 5}}},
        {"columns": {"born": {"kind": "number", "censored": 1}}},
        {"columns": {"born": {"kind": "time", "zone": 5}}},
        {"derived": {"born": {"from": 5, "as": "month"}}},
        {"derived": {"born": {"from": "birth", "as": "days", "at": 2024}}},
        {"source": {1: 2}},
        {"source": {"delimiter": 5}},
    ],
)
def test_refused_in_python(fields: dict[str, Any]) -> None:
    with pytest.raises(PolicyError):
        Policy(quasi_identifiers=["born"], identifiers=["birth"], k=2, **fields)
