"""Texts on a scale: numbers, censored numbers, dates."""

from datetime import datetime

import pytest

from kanopy.data.calendar import LEVELS, format_reader, read_period, written
from kanopy.data.scale import PLAIN, Calendar, CensoredNumbers, scale_of

PERIODS = ("2020-02-29 14:05:09", "2020-02-29 14:05", "2020-02-29 14h", "2020-02-29", "2020-02", "2020-Q1",
           "2020", "2020s")  # fmt: skip


@pytest.mark.parametrize(("text", "level"), list(zip(PERIODS, LEVELS, strict=True)))
def test_the_text_of_a_period_tells_its_level(text: str, level: str) -> None:
    period = read_period(text)
    assert period is not None
    assert (period.level, written(period.first, level), written(period.last, level)) == (level, text, text)


@pytest.mark.parametrize(
    "text", ["2021-02-29", "2020-13", "2020-Q5", "2021s", "20", "2020-2", "2020-02-01 24h", ""]
)
def test_no_period(text: str) -> None:
    assert read_period(text) is None


def test_a_coarse_period_stands_for_all_in_it() -> None:
    months = Calendar("month")
    assert months.outermost("2020") == ("2020-01", "2020-12")
    assert months.outermost("2020-Q4") == ("2020-10", "2020-12")
    assert months.outermost("2020-02-29") == ("2020-02", "2020-02")
    assert Calendar("day").outermost("1990s") == ("1990-01-01", "1999-12-31")
    low, high = months.ends("2020") or (0, 0)
    assert high - low == 11


@pytest.mark.parametrize("level", LEVELS)
def test_neighbours_of_a_level_are_in_order(level: str) -> None:
    scale = Calendar(level)
    texts = {
        scale.outermost(text)[0]
        for text in (
            "1999-12-31 23:59:59",
            "2000-01-01 00:00:00",
            "2000-04-01 12:30:00",
            "2011-01-01 00:00:01",
        )
    }
    assert scale.ordered(list(texts)) == sorted(texts)
    assert len(set(scale.numbers(list(texts)).tolist())) == len(texts)


def test_censored_numbers_lie_beside_their_bound() -> None:
    ordered = ["-3", "<0", "0", "3", "<5", "<=5", "5", "5.5", "90", ">=90", ">90", "1000"]
    scale = CensoredNumbers()
    assert scale.ordered(ordered[::-1]) == ordered
    numbers = scale.numbers(ordered).tolist()
    assert numbers == sorted(set(numbers))
    assert abs(numbers[4] - 5) < 1e-12
    assert [scale.number(text) for text in ("<", "<a", "< 5", "<1e999", "a")] == [None] * 5


@pytest.mark.parametrize(
    ("texts", "has_ranges", "scale"),
    [
        (["1", "2.5"], False, "Numbers"),
        (["01", "02"], False, "None"),
        (["01", "02"], True, "Numbers"),
        (["<5", "7"], False, "CensoredNumbers"),
        (["<5", "07"], False, "None"),
        (["<=5", ">5"], False, "None"),
        (["2020", "2021-03"], False, "Calendar"),
        (["2020", "2021"], False, "Numbers"),
        (["2020-03", "spring"], False, "None"),
        ([], False, "None"),
    ],
)
def test_the_scale_of_published_texts(texts: list[str], has_ranges: bool, scale: str) -> None:
    found = scale_of(texts, has_ranges=has_ranges)
    assert ("None" if found is None else type(found).__name__) == scale


def test_the_finest_level_is_that_of_the_column() -> None:
    assert scale_of(["2020", "2021-03", "1990s"], has_ranges=False) == Calendar("month")
    assert PLAIN.has_means
    assert not Calendar("month").has_means


FORMATS = (
    "%d.%m.%Y", "%Y-%m-%d %H:%M", "%Y%m%d", "%m/%Y", "%d %b %Y", "%Y-%m-%dT%H:%M:%S", "%H Uhr, %d.%m.%Y",
    "%Y",
)  # fmt: skip
TEXTS = (
    "1.2.2020", "01.02.2020", "30.02.2020", "2020-03-15 4:05", "2020-03-15  14:65", "20200315", "2020315",
    "3/2020", "15 Mar 2020", "2020-03-15T14:05:09", "7 Uhr, 01.02.2020", "2020", "0000", "01.02.20", "",
)  # fmt: skip


@pytest.mark.parametrize("form", FORMATS)
def test_fast_reading_of_dates_is_that_of_python(form: str) -> None:
    def slow(text: str) -> datetime | None:
        try:
            return datetime.strptime(text, form)
        except ValueError:
            return None

    fast = format_reader(form)
    assert [fast(text) for text in TEXTS] == [slow(text) for text in TEXTS]
    assert any(map(slow, TEXTS))
