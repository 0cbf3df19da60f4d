"""Rows that Spark counts twice, loses, or that change between two passes stop the run."""

from __future__ import annotations

from typing import Any

import pytest
from spark_tables import policy, table

import kanopy
from kanopy.engines.spark import counting, divided
from kanopy.errors import InputError


@pytest.fixture(scope="module")
def frame(spark: Any) -> Any:
    return spark.createDataFrame(table(300)).coalesce(1).cache()


def other_rows(source: Any, frame: Any) -> Any:
    """The same columns of another frame."""
    names = [f"c{number}" for number in range(len(frame.columns))]
    return source._replace(frame=frame.toDF(*names))


@pytest.mark.parametrize("many", [1 << 21, 0], ids=["texts", "numbers"])
def test_a_row_that_is_counted_twice(frame: Any, many: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "MANY_TEXTS", many)
    look_at = counting.look_at

    def one_row_less(source: Any, *given: Any) -> Any:
        return look_at(source, *given)._replace(n_rows=299)

    if many:
        monkeypatch.setattr("kanopy.engines.spark.anonymize.look_at", one_row_less)
    else:
        values_of = counting._values_of
        monkeypatch.setattr(
            counting, "_values_of", lambda source: values_of(other_rows(source, frame.limit(299)))
        )
    with pytest.raises(InputError, match="changed while it was read"):
        kanopy.anonymize(frame, policy(k=3))


def test_a_value_that_was_not_there_before_stops_a_divided_method(
    frame: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(divided, "NODE_ROWS", 100)
    values_of = counting._values_of
    some = frame.where("age < 60")
    monkeypatch.setattr(counting, "_values_of", lambda source: values_of(other_rows(source, some)))
    with pytest.raises(kanopy.KanopyError):
        kanopy.anonymize(frame, policy(k=3), tuple_limit=20)


@pytest.mark.parametrize(
    ("method", "rules", "reason"),
    [
        ("tds", {}, "decides about all of them"),
        ("kactus", {}, "drawn one by one"),
        ("kactus2", {}, "takes them one by one"),
        ("mondrian", {"person": "person"}, "k counts persons"),
        ("mondrian", {"derived": {"month": {"from": "day", "as": "month"}}, "keep": ["month"]}, "derived"),
    ],
)
def test_what_does_not_divide_says_so(frame: Any, method: str, rules: dict[str, Any], reason: str) -> None:
    with pytest.raises(kanopy.KanopyError, match=reason):
        kanopy.anonymize(frame, policy(k=3, **rules), method=method, tuple_limit=20)
