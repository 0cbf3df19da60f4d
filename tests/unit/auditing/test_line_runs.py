"""Files as runs of equal lines: every byte is counted, and a line that is more than a row is refused."""

from __future__ import annotations

import io
from itertools import groupby
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kanopy.auditing import line_runs as module
from kanopy.auditing.line_runs import line_runs
from kanopy.auditing.text import read_repeated
from kanopy.errors import InputError, VerificationError

LINES = st.lists(
    st.tuples(st.sampled_from(["a,1", "a,1,1", "", "b,2", "aa"]), st.integers(1, 40)), max_size=12
)


@given(LINES, st.booleans(), st.sampled_from([1, 3, 7, 64, 1 << 19]))
def test_runs_are_those_of_the_lines(runs: list[tuple[str, int]], has_end: bool, block: int) -> None:
    text = "x,y\n" + "".join(f"{line}\n" * n_times for line, n_times in runs)
    raw = (text if has_end else text[:-1]).encode()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_BLOCK", block)
        found = line_runs(io.BytesIO(raw))
        assert found.are_all_of(io.BytesIO(raw))
    header, *lines = raw.splitlines(keepends=True)
    expected = [(line, len(list(same))) for line, same in groupby(lines)]
    assert found.lines == header + b"".join(line for line, _ in expected)
    assert found.weight.tolist() == [n_times for _, n_times in expected]


@given(LINES, st.sampled_from([1, 3, 7, 64, 1 << 19]), st.data())
def test_another_file_does_not_have_these_lines(
    runs: list[tuple[str, int]], block: int, draw: st.DataObject
) -> None:
    raw = ("x,y\n" + "".join(f"{line}\n" * n_times for line, n_times in runs)).encode()
    place, what = draw.draw(st.integers(0, len(raw) - 1)), draw.draw(st.integers(0, 3))
    other = [
        raw[:place] + bytes([raw[place] ^ 1]) + raw[place + 1 :],
        raw[:place],
        raw + raw[place:],
        raw[:place] + b"x" + raw[place:],
    ][what]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_BLOCK", block)
        assert not line_runs(io.BytesIO(raw)).are_all_of(io.BytesIO(other))


def test_equal_lines_are_parsed_once_and_counted_all() -> None:
    raw = b"x,y\n" + b"a,1\n" * 1000 + b'"b,c",2\n' * 3
    table, runs = read_repeated(io.BytesIO(raw))
    assert (table.n_rows, table.n_lines, runs.weight.tolist()) == (1003, 2, [1000, 3])
    assert table.columns["x"].words.to_pylist() == ["a", "b,c"]
    assert table.columns["x"].counts.tolist() == [1000, 3]
    assert table.expanded().columns["y"].counts.tolist() == [1000, 3]


@pytest.mark.parametrize("line", [b"a,1\rb,2\n", b"\n", b'"a\n', b"a,1,2\n", b'"a\nb",2\n'])
def test_a_line_that_is_no_row_is_refused(line: bytes) -> None:
    with pytest.raises(VerificationError, match="cannot be read back"):
        read_repeated(io.BytesIO(b"x,y\n" + b"a,1\n" * 20 + line * 20 + b"b,2\n"))


def test_lines_that_hardly_repeat_are_given_up_early(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_BLOCK", 64)
    rows = b"".join(b"%d,1\n" % number for number in range(1000))
    source = io.BytesIO(b"x,y\n" + b"a,1\n" * 50 + rows)
    with pytest.raises(InputError, match="hardly repeat"):
        line_runs(source, fewest_repeats=8)
    assert source.tell() < 500
    assert len(line_runs(io.BytesIO(b"x,y\n" + b"a,1\n" * 50 + b"b,1\n" * 20), fewest_repeats=8).weight) == 2


class Endless(io.RawIOBase):
    """Begins with some bytes, and goes on without a line end."""

    def __init__(self, begin: bytes) -> None:
        self.begin, self.n_read = begin, 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        part, self.begin = self.begin[: len(buffer)], self.begin[len(buffer) :]
        buffer[:] = part + b"x" * (len(buffer) - len(part))
        self.n_read += len(buffer)
        return len(buffer)


@pytest.mark.parametrize("begin", [b"", b"x,y\n" + b"a,1\n" * 20])
def test_a_line_without_end_is_not_read_whole(begin: bytes) -> None:
    source = Endless(begin)
    with pytest.raises(InputError, match="too long"):
        line_runs(io.BufferedReader(source), longest_line=1 << 20)
    assert source.n_read < 1 << 23
