"""Lines that repeat are read and judged once: the same table, the same verdict, or the usual way."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pyarrow as pa
from hypothesis import example, given
from hypothesis import strategies as st
from promises import KINDS

import kanopy
from kanopy.auditing import TextTable, judge
from kanopy.auditing.repeated_file import read_repeated_file
from kanopy.data import Hierarchy
from kanopy.errors import KanopyError
from kanopy.frames.tables import read_table
from kanopy.policy import Policy

ROWS = ["1,a", "2,b", '"1, 2",a', '"say ""hi""",', ",", "\u00e9,a"]
ODD = ["", '"a', 'b",1', "1,a\r2,b", "\r", "1", "1,2,3", '5" x,1', '"1,a', "1,a\r"]
PATHS = [("a", "ab"), ("b", "ab"), ("c", "cd"), ("d", "cd")]
HEADERS = ["p,q\n", "\ufeffp,q\n", "p;q\n", "p,q\r\n", "\np,q\n", '"p\n",q\n', "p\n", "p,q,r\n"]


def runs_of(lines: list[str]) -> st.SearchStrategy[str]:
    runs = st.tuples(st.sampled_from(lines), st.integers(9, 30)).map(lambda run: f"{run[0]}\n" * run[1])
    return st.lists(runs, min_size=1, max_size=8).map("".join)


def rows_of(table: TextTable) -> list[list[str]]:
    every = [(each.words.to_pylist(), each.codes) for each in table.expanded().columns.values()]
    return [[words[code] for code in codes] for words, codes in every]


def both_ways(text: str) -> tuple[TextTable | None, TextTable | None]:
    """By lines, and as any file is read; None where it is not."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "t.csv")
        path.write_text(text, encoding="utf-8", newline="")
        by_lines = read_repeated_file(path)
        try:
            return by_lines, TextTable.of_arrow(read_table(path)[1])
        except KanopyError:
            return by_lines, None


@given(runs_of(ROWS), st.booleans())
def test_lines_that_are_rows_are_read_once(body: str, has_end: bool) -> None:
    by_lines, usual = both_ways("p,q\n" + (body if has_end else body[:-1]))
    assert by_lines is not None
    assert usual is not None
    assert by_lines.n_lines * 4 < by_lines.n_rows == usual.n_rows
    assert list(by_lines.columns) == list(usual.columns)
    assert rows_of(by_lines) == rows_of(usual)


@given(st.sampled_from(HEADERS), runs_of([*ROWS[:3], *ODD]))
@example("p,q\n", "1,a\r2,b\n" * 9 + "\n" * 9)  # two rows in a line, none in another
def test_any_other_file_is_read_the_same_or_not_by_lines(header: str, body: str) -> None:
    by_lines, usual = both_ways(header + body)
    if by_lines is not None:
        assert usual is not None, "a file that is refused was read"
        assert list(by_lines.columns) == list(usual.columns)
        assert rows_of(by_lines) == rows_of(usual)


some_lines = st.lists(
    st.tuples(st.sampled_from("uv*"), st.sampled_from(["a", "b", "c", "d", ""]), st.integers(1, 5)),
    min_size=1,
    max_size=12,
)


@given(
    lines=some_lines,
    kind=st.sampled_from(sorted(KINDS)),
    data=st.data(),
    reading=st.sampled_from(["pessimistic", "optimistic"]),
)
def test_the_verdict_is_that_of_all_rows(
    lines: list[tuple[str, str, int]], kind: str, data: st.DataObject, reading: str
) -> None:
    policy = Policy(
        quasi_identifiers=["age", "b", "c"],
        sensitive=["d"],
        keep=["kept"],
        k=2,
        privacy=[data.draw(KINDS[kind])],
        hierarchies={"d": Hierarchy.from_paths("d", PATHS)} if kind == "hierarchical" else {},
    )
    rows = [line[:2] for line in lines for _ in range(line[2])]
    columns = {"age": [age for age, _ in rows], "d": [value for _, value in rows]}
    columns |= dict.fromkeys(("b", "c", "kept"), ["k"] * len(rows))
    table = TextTable.of_arrow(pa.table(columns))
    assert table.in_runs().n_lines <= len(lines)
    by_lines, by_rows = (judge(each, policy, reading=reading) for each in (table.in_runs(), table))
    assert repr(by_lines) == repr(by_rows)  # a level may be no number, which equals nothing


def test_a_file_of_anyone_is_audited_by_lines_and_by_rows_alike(tmp_path: Path) -> None:
    text = "age,cls\n" + '"[20, 29]",y\n' * 40 + '"[30, 39]",n\n' * 20 + "*,n\n" * 9
    policy = Policy(quasi_identifiers=["age"], target="cls", k=5)
    (tmp_path / "lines.csv").write_text(text)
    (tmp_path / "rows.csv").write_text(text, newline="\r\n")
    assert read_repeated_file(tmp_path / "lines.csv") is not None
    assert read_repeated_file(tmp_path / "rows.csv") is None
    by_lines, by_rows = (kanopy.audit(tmp_path / f"{name}.csv", policy) for name in ("lines", "rows"))
    assert by_lines == by_rows
    assert (by_lines.rows, by_lines.k) == (69, 9)
