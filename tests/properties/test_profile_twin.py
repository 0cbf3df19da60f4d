"""The profile and its slow twin agree on random tables, by rows and by persons."""

from __future__ import annotations

from dataclasses import asdict

import pyarrow as pa
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from nasty_tables import Table, some_tables
from oracles_profile import SlowTable, Texts

import kanopy
from kanopy.frames.numbers import is_number
from kanopy.frames.tables import to_arrow


def texts_of(table: Table) -> Texts:
    """The columns as texts, as Arrow writes them, with marks of missing as the empty text."""
    arrow = to_arrow(table.frame())
    found = {}
    for name in arrow.column_names:
        column = arrow[name]
        plain = column.cast(column.type.value_type) if pa.types.is_dictionary(column.type) else column
        texts = plain.cast(pa.string()).to_pylist()
        found[name] = ["" if text is None or text in table.missing else text for text in texts]
    return found


def assert_alike(found: kanopy.Profile, slow: SlowTable, sensitive: list[str]) -> None:
    sizes = slow.sizes(slow.quasi)
    assert (found.rows, found.groups, found.k) == (slow.n_given, len(sizes), sizes[0])
    assert found.members == len(set(slow.members))
    assert list(found.smallest_groups) == sizes[:10]
    assert found.unique == slow.below(slow.quasi, 2)
    for small in found.small_groups:
        assert small.members == slow.below(slow.quasi, small.below)
    assert [asdict(each) for each in found.subsets] == slow.subsets(min(3, len(slow.quasi)))
    for name, column in zip(sensitive, found.sensitive, strict=True):
        texts = [text for text in slow.texts[name] if text]  # of rows that are somebody's
        is_numeric = bool(texts) and all(map(is_number, texts))
        values, fewest, farthest = slow.sensitive(name, is_numeric=is_numeric)
        assert (column.values, column.l) == (values, fewest)
        assert column.t == pytest.approx(float(farthest), abs=1e-12)
        assert column.distance == ("ordered" if is_numeric else "equal")


@given(some_tables())
def test_nasty_tables(table: Table) -> None:
    texts, quasi = texts_of(table), list(table.quasi)
    persons = None if table.person is None else texts[table.person]
    found = kanopy.profile(table.frame(), quasi, ["target"], table.person, table.missing)
    assert_alike(found, SlowTable(texts, quasi, persons), ["target"])


@given(st.data())
def test_many_lines_that_are_alone(data: st.DataObject) -> None:
    """Columns with few and with many values; a line that is alone is left out of larger subsets."""
    n_rows = data.draw(st.integers(1, 40))
    texts = {}
    for number in range(data.draw(st.integers(1, 5))):
        some = st.integers(0, data.draw(st.sampled_from([1, 3, 30, 10**6])))
        texts[f"q{number}"] = [str(v) for v in data.draw(st.lists(some, min_size=n_rows, max_size=n_rows))]
    texts["s"] = data.draw(st.lists(st.sampled_from(["1", "2", "10", ""]), min_size=n_rows, max_size=n_rows))
    n_times = data.draw(st.sampled_from([1, 1, 2]))
    texts = {name: values * n_times for name, values in texts.items()}
    quasi = [name for name in texts if name != "s"]
    persons = None
    if data.draw(st.booleans()):
        number = data.draw(st.sampled_from([st.integers(1, 9), st.integers(0, 9), st.integers(-9, 9)]))
        some_persons = st.lists(number, min_size=n_rows * n_times, max_size=n_rows * n_times)
        persons = [str(person) if person > 0 else "" for person in data.draw(some_persons)]
        assume(any(persons))
        texts["who"] = persons
    found = kanopy.profile(pa.table(texts), quasi, ["s"], None if persons is None else "who")
    assert_alike(found, SlowTable(texts, quasi, persons), ["s"])
