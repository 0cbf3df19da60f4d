"""A domain: codes, positions on the unit interval, and widths that tie where they are equal."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kanopy.data import Domain


def numeric(*numbers: float) -> Domain:
    return Domain("n", tuple(map(str, numbers)), np.array(numbers, dtype=np.float64))


def width(domain: Domain, low: int, high: int) -> float:
    return float(domain.widths(np.array([low]), np.array([high]))[0])


def test_missing_has_the_code_after_the_last_label() -> None:
    domain = Domain("c", ("a", "b"))
    assert (domain.n_values, domain.missing_code, domain.n_codes) == (2, 2, 3)
    assert domain.code_of == {"a": 0, "b": 1}
    assert not domain.is_numeric
    assert numeric(1).is_numeric


@pytest.mark.parametrize(
    ("domain", "positions"),
    [
        pytest.param(numeric(-10, 0, 30), [0, 0.25, 1, 1], id="numbers keep their distances"),
        pytest.param(Domain("c", ("a", "b", "c")), [0, 0.5, 1, 1], id="categories are evenly spaced"),
        pytest.param(numeric(7), [0, 1], id="one number"),
        pytest.param(numeric(1, 1.0), [0, 0, 1], id="one number written in two ways"),
        pytest.param(Domain("c", ("a",)), [0, 1], id="one category"),
        pytest.param(Domain("c", ()), [1], id="only missing"),
        pytest.param(Domain("n", (), np.zeros(0)), [1], id="only missing, numeric"),
        pytest.param(numeric(-1.7e308, 0, 1.7e308), [0, 0.5, 1, 1], id="a span that is no float"),
    ],
)
def test_positions(domain: Domain, positions: list[float]) -> None:
    assert domain.positions.tolist() == positions


def test_widths_are_shares_of_the_column() -> None:
    domain = numeric(0, 1, 4)
    assert width(domain, 0, 1) == 0.25
    assert width(domain, 1, 2) == 0.75
    assert width(domain, 0, domain.missing_code) == 1.0
    assert width(domain, 2, domain.missing_code) == 0.0
    assert width(numeric(7), 0, 1) == 1.0


def test_equal_widths_are_equal_where_positions_differ_in_their_last_digit() -> None:
    letters = Domain("c", ("a", "b", "c", "d"))
    assert letters.positions[2] - letters.positions[0] != letters.positions[3] - letters.positions[1]
    assert width(letters, 0, 2) == width(letters, 1, 3)
    tenths = numeric(0, 0.1, 0.2, 0.3)
    assert width(tenths, 0, 2) == width(tenths, 1, 3) == width(letters, 1, 3)


@given(st.integers(-1000, 1000), st.integers(1, 1000), st.integers(1, 5), st.data())
def test_the_same_share_of_any_scale_is_equally_wide(
    start: int, span: int, factor: int, data: st.DataObject
) -> None:
    part = data.draw(st.integers(0, span))
    small, large = numeric(0, part, span), numeric(start, start + part * factor, start + span * factor)
    assert width(small, 0, 1) == width(large, 0, 1)
    assert width(small, 1, 2) == width(large, 1, 2)
