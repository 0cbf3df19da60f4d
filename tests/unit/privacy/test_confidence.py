"""Bounds on shares: alpha and templates."""

from __future__ import annotations

import pytest
from oracles import counts_of

from kanopy.errors import PolicyError
from kanopy.privacy import AlphaBound, Template


@pytest.mark.parametrize("percent", range(1, 100))
def test_a_share_keeps_the_percentage_it_is(percent: int) -> None:
    counts = counts_of([["a"] * percent + ["b"] * (100 - percent)])
    written = percent / 100
    assert Template(["age"], "d", "a", written).holds(counts).all()
    assert AlphaBound("d", written, "a").holds(counts).all()
    assert not Template(["age"], "d", "a", written - 1e-9).holds(counts).any()
    assert not AlphaBound("d", written - 1e-9, "a").holds(counts).any()


def test_seven_of_a_hundred_do_not_keep_a_bound_that_was_computed_too_low() -> None:
    counts = counts_of([["a"] * 7 + ["b"] * 93])
    assert not Template(["age"], "d", "a", 1 - 0.93).holds(counts).any()


def test_alpha_without_a_value_bounds_every_value_and_missing() -> None:
    counts = counts_of([["a", "b", "b"], ["a", "b", "c"], [None, None, "a"]])
    assert AlphaBound("d", "1/2").holds(counts).tolist() == [False, True, False]
    assert AlphaBound("d", "1/2").level(counts) == pytest.approx(2 / 3)


def test_a_value_that_never_occurs_is_bounded_by_anything() -> None:
    counts = counts_of([["a"], ["b"]])
    for model in (Template(["age"], "d", "z", "1e-9"), AlphaBound("d", "1e-9", "z")):
        assert model.holds(counts).all()
        assert model.level(counts) == 0.0


def test_a_template_is_kept_in_every_union_of_groups_that_keep_it() -> None:
    groups = [["a", "b", "b"], ["a", "a", "b", "b", "b"], ["b"]]
    template = Template(["age"], "d", "a", "0.4")
    assert template.holds(counts_of(groups)).all()
    assert template.holds(counts_of([groups[0] + groups[1], groups[2]])).all()
    assert template.monotone
    assert AlphaBound("d", "0.4").monotone


def test_given_is_kept_as_a_tuple() -> None:
    assert Template(["age", "zip"], "d", "a", 0.5).given == ("age", "zip")
    assert Template(["age"], "d", "a", 0.5).sentence().startswith("Whoever knows 'age' of someone")


@pytest.mark.parametrize("given", [[], (), "age", None, 3, ["age", ""], ["age", 3], ["age", "age"]])
def test_given_is_a_list_of_columns(given: object) -> None:
    with pytest.raises(PolicyError, match="given must"):
        Template(given, "d", "a", 0.5)


def test_the_protected_column_is_not_given() -> None:
    with pytest.raises(PolicyError, match="column 'd' is both given and to be protected"):
        Template(["age", "d"], "d", "a", 0.5)


@pytest.mark.parametrize("value", ["", 1, True])
def test_a_value_is_a_text(value: object) -> None:
    for values in (value, [value], ["a", value]):
        with pytest.raises(PolicyError, match="value must be a text"):
            Template(["age"], "d", values, 0.5)
    with pytest.raises(PolicyError, match="value must be a text"):
        AlphaBound("d", 0.5, value)
    with pytest.raises(PolicyError, match="value must be a text"):
        AlphaBound("d", 0.5, ["a"])


@pytest.mark.parametrize("values", [[], ["a", "a"], ["a", " a\u200b"], {"a", "b"}, {"a": 1}])
def test_several_values_are_a_list_without_repetition(values: object) -> None:
    with pytest.raises(PolicyError, match="template"):
        Template(["age"], "d", values, 0.5)


def test_a_template_of_several_values_abbreviates_one_of_each() -> None:
    """Each of two values has half of the rows: together they have all, which nothing bounds."""
    counts = counts_of([["a", "b"], ["a", "a", "a", "b"]])
    both = Template(["age"], "d", ["a", "b"], "0.5")
    assert both.holds(counts).tolist() == [True, False]
    assert both.level(counts) == 0.75
    assert both.of_each_value == (Template(["age"], "d", "a", "0.5"), Template(["age"], "d", "b", "0.5"))
    assert both.sentence("persons") == (
        "Whoever knows 'age' of someone can conclude that 'd' is 'a', or that it is 'b', each with a "
        "confidence of at most 0.5, counted in persons."
    )
    assert Template(["age"], "d", ["a"], "0.5") == both.of_each_value[0]


@pytest.mark.parametrize("bound", [0, 1, 1.5, -1, "nan", True, None])
def test_bounds_lie_strictly_between_0_and_1(bound: object) -> None:
    with pytest.raises(PolicyError, match="at_most must be a number above 0 and below 1"):
        Template(["age"], "d", "a", bound)
    with pytest.raises(PolicyError, match="alpha must be a number above 0 and below 1"):
        AlphaBound("d", bound)
