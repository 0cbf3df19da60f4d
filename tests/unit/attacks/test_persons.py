"""How likely a pick is right where persons have several rows: by the person's rows, and not by 1 / rows."""

from __future__ import annotations

import pandas as pd
import pytest

import kanopy

POLICY = kanopy.Policy(quasi_identifiers=["age"], person="who", target="class", k=2).accepting_all()


def source() -> pd.DataFrame:
    """Ada has 93 of 104 rows of one group; five persons, and two rows of nobody, are in the other one."""
    who = ["ada"] * 93 + [f"p{i}" for i in range(11)] + [f"q{i}" for i in range(5)] + [None, None]
    return pd.DataFrame({"age": [30] * 104 + [50] * 7, "who": who, "class": ["y", "n"] * 55 + ["y"]})


def test_a_person_with_most_rows_of_a_group_is_found_most_easily() -> None:
    rows = source()
    released = rows.drop(columns="who")
    found = kanopy.attack(released, rows, POLICY).linking
    assert found.largest == 93 / 104
    shares = [93 / 104, *[1 / 104] * 11, *[1 / 7] * 5]
    assert found.expected == pytest.approx(sum(shares) / 17)
    assert found.smallest == 7


def test_notes_say_what_was_counted() -> None:
    rows = source()
    released = rows.drop(columns="who")
    picked, nameless = kanopy.attack(released, rows, POLICY).notes[:2]
    assert "counts all rows of a person" in picked
    assert nameless == "2 rows have no 'who': they count for nobody."
    (alone,) = kanopy.attack(released, released, POLICY).notes
    assert alone.startswith("Rows were counted, not persons")


def test_dropped_rows_are_not_picked() -> None:
    """The release has fewer rows of the group than she had: no pick is right more than always."""
    rows = source()
    released = rows[rows["age"] == 30].drop(columns="who").head(20)
    assert kanopy.attack(released, rows, POLICY).linking.largest == 1.0
