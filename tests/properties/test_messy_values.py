"""Dates in two formats, decimal commas, censored values and ages, with every method."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv
import pytest
from effort import n_tables, quick
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from nasty_tables import times_for

import kanopy
from kanopy.data.grammar import read_cell
from kanopy.errors import KanopyError

METHODS = {method.name: method for method in kanopy.methods()}
COLUMNS = {
    "visit": {"kind": "date", "formats": ["%d.%m.%Y", "%Y-%m-%d"], "levels": ["month", "year"]},
    "crp": {"kind": "number", "decimal": ",", "thousands": ".", "censored": True},
}

dates = st.tuples(st.integers(1950, 1953), st.integers(1, 12), st.integers(1, 28))
visits = st.one_of(
    st.just(""),
    dates.map(lambda date: f"{date[0]}-{date[1]:02}-{date[2]:02}"),
    dates.map(lambda date: f"{date[2]}.{date[1]}.{date[0]}"),
)
levels = st.sampled_from(["", "<5", "< 5", "≤5", "5", "4,5", "3", "90", ">90", "1.234,50"])
rows = st.lists(st.tuples(dates, visits, levels, st.sampled_from("ab")), min_size=8, max_size=30)


def month_of(text: str) -> tuple[int, int] | None:
    """As the slow twin reads it: year and month."""
    numbers = [int(number) for number in re.findall(r"\d+", text)]
    if not numbers:
        return None
    return (numbers[0], numbers[1]) if "-" in text else (numbers[2], numbers[1])


def level_of(text: str) -> tuple[float, int] | None:
    """The bound, and on which side of it a value lies."""
    if not text:
        return None
    sides = {"<": -2, "≤": -1, "<=": -1, ">": 2}
    sign = text.rstrip("0123456789., ")
    return float(text[len(sign) :].strip().replace(".", "").replace(",", ".")), sides.get(sign, 0)


def covers(text: str, original: Any, read: Any) -> bool:
    """Whether a published text may stand for what the slow twin read."""
    cell = read_cell(text)
    if cell.is_suppressed or original is None:
        return cell.is_suppressed or cell.with_missing
    if cell.means:  # they stand for a group, and the recount has computed them again
        return True
    ranges = [(low, high) for low, high in (*cell.ranges, *((name, name) for name in cell.texts))]
    return any(read(low)[0] <= original <= read(high)[1] for low, high in ranges)


def months(text: str) -> tuple[tuple[int, int], tuple[int, int]]:
    year, _, month = text.partition("-")
    return (int(year), int(month or 1)), (int(year), int(month or 12))


def published_levels(text: str) -> tuple[Any, Any]:
    end = level_of(text.replace(".", ","))
    return end, end


@pytest.mark.parametrize("method", METHODS)
@settings(max_examples=n_tables(2))
@given(table=rows, seed=st.integers(0, 3), data=st.data())
def test_every_cell_covers_its_original(
    method: str, table: list[Any], seed: int, data: st.DataObject
) -> None:
    assume(len({row[3] for row in table}) == 2)
    table = table * times_for(method, len(table))
    born = [f"{year}-{month:02}-{day:02}" for (year, month, day), *_ in table]
    columns = {
        "born": born, "visit": [row[1] for row in table], "crp": [row[2] for row in table],
        "cls": [row[3] for row in table], "row": [str(number) for number in range(len(table))],
    }  # fmt: skip
    synthetic = METHODS[method].is_synthetic
    if synthetic:
        del columns["row"]
    policy = kanopy.Policy(
        quasi_identifiers=["age", "visit", "crp"], target="cls", identifiers=["born"], k=2,
        keep=[] if synthetic else ["row"], columns=COLUMNS, method=method,
        derived={"age": {"from": "born", "as": "years", "at": "1960-06-15"}},
    ).accepting_all()  # fmt: skip
    options: dict[str, Any] = {"seed": seed, "allow_empty": True, **quick(METHODS[method].options)}
    try:
        release = kanopy.anonymize(pa.table(columns), policy, **options)
    except KanopyError as error:
        assert error.exit_code == 4  # noqa: PT017
        assert method != "sketch", "nothing was checked"
        return
    with tempfile.TemporaryDirectory() as folder:
        path = release.write(Path(folder) / "out.csv")
        assert kanopy.audit(path, policy).kept
        texts = dict.fromkeys(release.frame.column_names, pa.string())
        written = pa.csv.read_csv(path, convert_options=pa.csv.ConvertOptions(column_types=texts))
        order = data.draw(st.permutations(range(len(table))))
        if synthetic:
            return
        again = kanopy.anonymize(pa.table(columns).take(list(order)), policy, **options)
        assert release.manifest["derived"]["age"]["from"] == "born"
        drop = ["row"]
        assert again.frame.drop_columns(drop).equals(release.frame.drop_columns(drop))
    if release.manifest["truthful"]:
        for line in written.to_pylist():
            original = table[int(line["row"])]
            assert covers(line["visit"] or "", month_of(original[1]), months)
            assert covers(line["crp"] or "", level_of(original[2]), published_levels)
