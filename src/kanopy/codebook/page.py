"""The codebook as a page of Markdown: what the file holds, how to read it, and what is promised."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from kanopy.codebook.meaning import Cells, ColumnMeaning
from kanopy.codebook.readers import Written, pandas_reader, r_reader
from kanopy.codebook.sketches import WAYS
from kanopy.data import PublishedReading
from kanopy.data.reading import DECIMALS
from kanopy.frames.packed import PACKED_CSV, packing_of

_SHOWN_LEVELS = 12
_ROLES = {
    "quasi_identifiers": "quasi-identifier: published as cells",
    "target": "class: published as it is",
    "sensitive": "sensitive: published as it is",
    "keep": "published as it is",
}


class PageFacts(NamedTuple):
    """What is told about a release to anyone, and a page repeats."""

    sha256: str
    n_rows: int
    promise: Sequence[str]
    not_promised: str
    notices: Sequence[str]


def page_of(
    meanings: Sequence[ColumnMeaning],
    told: PageFacts,
    written: Written,
    reading: PublishedReading | None = None,
) -> str:
    """The page; O(levels that are shown)."""
    commas = (_WITH_COMMAS,) if written.form.comma_columns else ()
    disarmed = (_DISARMED,) if written.form.is_disarmed else ()
    grammar = (_GRAMMAR, *commas, *disarmed)
    about = () if reading is None else _sketches(reading, written)
    lines = [*_opening(meanings, told, written), *_columns(meanings), *grammar, *about, *_reading(written)]
    return "\n".join(lines) + "\n"


def _opening(meanings: Sequence[ColumnMeaning], told: PageFacts, written: Written) -> Iterator[str]:
    yield f"# Codebook of {_code(written.name)}\n"
    what = "SHA-256 of the list of its parts" if written.is_folder else "SHA-256"
    yield f"{told.n_rows:,} rows, {len(meanings):,} columns; {what} `{told.sha256}`.\n"
    yield "This page follows from the published cells, and tells no value that they do not show.\n"
    yield from (f"{line}\n" for line in promise_lines(told.promise, told.not_promised, told.notices))
    yield "Rows are sorted by their cells: their order tells nothing.\n"
    yield "`kanopy verify` checks file, certificate and codebook.\n"


def promise_lines(promise: Sequence[str], not_promised: str, notices: Sequence[str]) -> list[str]:
    """What is promised, what is not, and what else is told, as lines of the page."""
    promised = f"**Promised:** {' '.join(map(_text, promise))}"
    return [
        promised,
        f"**Not promised:** {_text(not_promised)}",
        *(f"**Note:** {_text(each)}." for each in notices),
    ]


def column_line(name: str, role: str, cells: Cells) -> str:
    """The role of a column and what it holds, as a line of the page."""
    return f"| {_cell_code(name)} | {_ROLES.get(role, role)} | {cells}: {cells.sentence} |"


def _columns(meanings: Sequence[ColumnMeaning]) -> Iterator[str]:
    yield "## Columns\n"
    yield "| column | role | each cell is |\n|---|---|---|"
    for each in meanings:
        yield column_line(each.name, each.role, each.cells)
    for each in meanings:
        yield f"\n### {_code(each.name)}\n"
        for kind in each.kinds:
            written = _code(kind.pattern) if kind.pattern else "*(empty)*"
            yield f"- {written}: {kind.meaning}"
        yield from _levels(each)
    yield ""


def _levels(each: ColumnMeaning) -> Iterator[str]:
    if each.cells is Cells.PLAIN:
        yield "- its values were not looked at for this page"
    elif each.is_ordered and len(each.levels) > 1:
        kind = "dates" if each.cells in (Cells.DATES, Cells.PLAIN_DATES) else "numbers"
        yield f"- in the order of {kind}, from {_code(each.levels[0])} to {_code(each.levels[1])}"
    elif each.levels:
        shown = ", ".join(map(_code, each.levels[:_SHOWN_LEVELS]))
        more = each.n_levels - _SHOWN_LEVELS
        rest = f" and {more:,} more" if more > 0 else ""
        yield f"- levels that cells name, in the order of their texts: {shown}{rest}"


_GRAMMAR = """\
## The grammar of cells

Cells of quasi-identifiers are texts. All other columns hold plain values.

```
cell    = "*" | "" | one | "{" member {", " member} "}" | means | "{" counted {", " counted} "}"
member  = "" | one
one     = text | "[" end ", " end "]"
end     = a number, a date, or a bound such as <5
means   = "~[" end {", " end} "]"
counted = ("" | text | means) ": " count
```

- `*` is suppressed, nothing at all is missing. `NA`, `?` and the like are texts that mean themselves.
- `[20, 29]` is a value between these two, both included. `{a, b}` is one of its members, `{, a}` is `a` or
  missing. Members are sorted, which tells nothing.
- `~[23, 31]` and `{a: 3, b: 2}` are sketches: they tell the values of all rows with these cells, as means of
  parts of equal size or with counts.
- A backslash says that the sign after it is a plain one. It stands in front of cells that are the text `*`,
  or a text that begins with `[`, `{`, `~[` or a backslash; in sets it stands before every backslash, comma,
  bracket and brace of a member, and before a colon that a number at its end would make a count.
- A text that names a group stands for the values below it in the publisher's hierarchy, which is not here.
"""

_WITH_COMMAS = """\
Numbers have decimal commas, so a comma separates only with a blank behind it: `[16,3, 43,2]` is a number
from 16,3 to 43,2.
"""

_DISARMED = """\
A `'` stands in front of texts, and names of columns, that a spreadsheet would run as a formula:
`'=1` is the text `=1`, and `''=1` is `'=1`. Members of sets have none.
kanopy takes one away again; the code below does so in `members`, and leaves plain texts alone.
"""

_HOW_TO_READ = """\
## How to read it

Do not let a program guess: it makes 1067 of the zip 01067, and a missing value of the text NA.

With kanopy: @KANOPY@. Without it, run one of these in the folder of the files. It gives `release`, all of it
text, and for every column of numbers two more, `..._low` and `..._high` (with one more `_` where the release
has such a column). `members(cell)` gives what a cell names.
"""

_SPREADSHEET = """\
The file is UTF-8 @MARK@ byte order mark, with @DELIMITER@ between fields and a decimal @DECIMAL@. A double
click drops leading zeros, and makes dates of texts such as 1-2. So import it: Data, From Text/CSV, UTF-8,
this delimiter, the usual type for plain numbers, and the type Text for every other column (LibreOffice: mark
them in the preview, and choose Text). Do not save it under its own name: a spreadsheet changes cells, and
`kanopy verify` fails then.
"""


_PACKED = {
    ".gz": "The file is compressed by gzip. pandas and R read it as it is; for a spreadsheet unpack it "
    "(`gunzip`).\n",
    ".zst": "The file is compressed by Zstandard. Unpack it for R and spreadsheets (`zstd -d`), and put the "
    "name that it has then into the code; pandas needs the package `zstandard` to read it as it is.\n",
}


def _cell_code(name: str) -> str:
    """A name in the cell of a table."""
    return _code(name).replace("|", r"\|")


def _sketches(reading: PublishedReading, written: Written) -> Iterator[str]:
    yield "## How sketches are read\n"
    yield (
        "Among all rows that read alike, give the values of each cell to the rows in any order, but such "
        "that columns go together as below; `kanopy draw` does so. Categories are in the order of the "
        f"entries `order` of {_code(written.book)}. {WAYS[reading.linear].capitalize()}.\n"
    )
    yield "| correlation | " + " | ".join(map(_cell_code, reading.names)) + " |"
    yield "|---" * (len(reading.names) + 1) + "|"
    for name, line in zip(reading.names, reading.correlation.tolist(), strict=True):
        yield _numbers(name, line)
    if reading.classes is not None:
        yield _numbers(reading.classes.name, reading.classes.correlation.tolist())
        yield (
            f"\nRows with several values of {_code(reading.classes.name)} read alike where these are rare. "
            "The last line says how these, in the order of their entries `order`, go together with columns."
        )
    yield ""


def _numbers(name: str, correlation: list[float]) -> str:
    return f"| {_cell_code(name)} | {' | '.join(f'{number:.{DECIMALS}f}' for number in correlation)} |"


def _reading(written: Written) -> Iterator[str]:
    yield _HOW_TO_READ.replace("@KANOPY@", _code(f"kanopy.read_release({written.name!r})"))
    if written.suffix in PACKED_CSV:
        yield _PACKED[packing_of(written.suffix)]
    yield f"### pandas\n\n```python\n{pandas_reader(written)}\n```\n"
    needs = "R needs its package `arrow` for Parquet.\n\n" if written.suffix == ".parquet" else ""
    yield f"### R\n\n{needs}```r\n{r_reader(written)}\n```\n"
    yield "### Excel and other spreadsheets\n"
    if written.suffix == ".parquet":
        yield "Spreadsheets do not read Parquet: ask for the release as CSV."
        return
    page = _SPREADSHEET.replace("@MARK@", "with" if written.form.has_mark else "without")
    page = page.replace("@DECIMAL@", "comma" if written.form.comma_columns else "point")
    yield page.replace("@DELIMITER@", _code(written.form.delimiter))


def _code(text: str) -> str:
    """A text as code in Markdown, on one line, whatever it holds."""
    plain = re.sub(r"[\x00-\x1f\x7f\u0085\u2028\u2029]", "\N{REPLACEMENT CHARACTER}", text)
    longest = max((len(run) for run in re.findall("`+", plain)), default=0)
    ticks = "`" * (longest + 1)
    pad = " " if longest or plain != plain.strip() or not plain else ""
    return f"{ticks}{pad}{plain}{pad}{ticks}"


def _text(text: str) -> str:
    """A sentence, which may name columns, as plain text."""
    return re.sub(r"([\\`*_\[\]<>#|])", r"\\\1", text.replace("\n", " "))
