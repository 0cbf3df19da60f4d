"""Range ends coded outward: they cover the group, and follow from the end and the column's span alone."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kanopy.data import CodedColumn, Domain, EncodedTable, Hierarchy, Partition, Recoding
from kanopy.data.outward import outward
from kanopy.data.scale import PLAIN, Calendar, CensoredNumbers, TextScale


def domain_of(labels: list[str], scale: TextScale = PLAIN) -> Domain:
    ordered = scale.ordered(labels)
    return Domain("column", tuple(ordered), scale.numbers(ordered), scale=scale)


def levels_of(labels: list[str], scale: TextScale = PLAIN) -> dict[str, tuple[str, str]]:
    """The levels around each value."""
    domain = domain_of(labels, scale)
    found = outward(domain)
    assert found is not None
    text = found.domain.labels
    places = zip(domain.labels, found.place[:-1].tolist(), strict=True)
    return {label: (text[found.low[place]], text[found.high[place]]) for label, place in places}


def recoded(values: list[str | None], groups: list[int], scale: TextScale = PLAIN) -> Recoding:
    domain = domain_of(sorted({value for value in values if value is not None}), scale)
    code_of = {None: domain.missing_code} | domain.code_of
    column = CodedColumn(domain, np.array([code_of[value] for value in values], np.uint16))
    partition = Partition(np.array(groups, dtype=np.int32), max(groups) + 1)
    return partition.publish(EncodedTable(len(values), (column,)), "range", widen=True)


def texts_of(recoding: Recoding) -> list[str]:
    (column,) = recoding.columns
    return [column.texts[number] for number in column.ids]


def test_by_hand() -> None:
    found = recoded(["17", "90", "23", "31", "40", "38", "40", None], [0, 0, 1, 1, 2, 2, 3, 3])
    assert texts_of(found) == ["[15, 90]"] * 2 + ["[20, 35]"] * 2 + ["[35, 40]"] * 2 + ["{, 40}"] * 2


def test_groups_that_print_alike_are_one() -> None:
    found = recoded(["0", "100", "21", "24", "22", "23"], [0, 0, 1, 1, 2, 2])
    assert texts_of(found)[2:] == ["[20, 25]"] * 4
    assert found.groups[1] == 2


@pytest.mark.parametrize(
    ("labels", "value", "expected"),
    [
        (["1", "9", "16"], "9", ("9", "9")),  # a step of 1
        (["0", "1.25", "10"], "1.25", ("1", "1.5")),
        (["-7", "93"], "-7", ("-10", "-5")),
        (["0", "0.00731", "0.1"], "0.00731", ("0.005", "0.01")),
        (["5", "5.0"], "5", ("5", "5")),  # one number
        (["20.0", "21", "30", "120"], "21", ("20.0", "25")),  # a level that the column has, as it has it
        (["-1.7e308", "1.7e308"], "1.7e308", (f"16{'0' * 307}", "1.7e308")),  # the next is infinite
        (["9007199254740993", "1"], "1", ("0", "500000000000000")),
    ],
)
def test_round_numbers(labels: list[str], value: str, expected: tuple[str, str]) -> None:
    assert levels_of(labels)[value] == expected


@pytest.mark.parametrize(
    ("labels", "level", "expected"),
    [
        (["2020-01-01", "2020-03-15", "2020-12-31"], "day", ("2020-03-01", "2020-03-31")),
        (["1950-01-01", "2020-03-15"], "day", ("2020-01-01", "2029-12-31")),
        (["2019-12", "2020-03", "2024-01"], "month", ("2020-01", "2020-03")),
        (["2020-03-15 10:30", "2020-03-15 10:00"], "minute", ("2020-03-15 10:00", "2020-03-15 10:59")),
    ],
)
def test_periods(labels: list[str], level: str, expected: tuple[str, str]) -> None:
    (value,) = [label for label in labels if label.startswith("2020-03")][:1]
    assert levels_of(labels, Calendar(level))[value] == expected


def test_censored_numbers_are_levels() -> None:
    found = levels_of(["<5", "7", "33", ">95", "95"], CensoredNumbers())
    assert (found["<5"], found[">95"]) == (("<5", "<5"), (">95", ">95"))
    assert found["33"] == ("30", "35")


def test_columns_without_levels_of_their_own() -> None:
    tree = Hierarchy.from_paths("place", [("1", "x", "*"), ("2", "y", "*")])
    assert outward(Domain("word", ("a", "b"))) is None
    assert outward(Domain("place", tree.leaves, np.array([1.0, 2.0]), hierarchy=tree)) is None
    assert outward(Domain("empty", (), np.zeros(0))) is None


@given(st.sets(st.fractions(0, 100, max_denominator=20), max_size=20))
def test_levels_cover_and_do_not_depend_on_other_values(others: set[Fraction]) -> None:
    def text(number: Fraction) -> str:
        return f"{float(number):.3f}"

    labels = sorted({"0.000", "100.000", *map(text, others)})
    found = levels_of(labels)
    for label, (low, high) in found.items():
        assert Fraction(low) <= Fraction(label) <= Fraction(high)
        assert Fraction(high) - Fraction(low) in (0, 5)
        alone = levels_of(sorted({"0.000", label, "100.000"}))[label]
        assert [Fraction(end) for end in alone] == [Fraction(low), Fraction(high)]
