"""Readers for people without kanopy, in plain pandas and plain R; a codebook holds them, with its own names.

Both give the release as text and, for every column of numbers, two more: ``age_low`` and ``age_high``.
"""

from __future__ import annotations

import json
from typing import NamedTuple

from kanopy.frames.csv_form import CsvForm


class Written(NamedTuple):
    """What was written: the names of its files, and how they are written."""

    name: str  # of the release
    book: str  # of the codebook as a table
    suffix: str
    form: CsvForm
    is_folder: bool = False


_PYTHON = r"""
import glob, math, re
import pandas as pd

TEXT = dict(sep=@SEP@, encoding=@ENCODING@, dtype=str, keep_default_na=False)
release = pd.concat([@READ@ for file in @FILES@], ignore_index=True)
book = pd.read_csv(@BOOK@, **TEXT).drop_duplicates("column").set_index("column")

def members(cell):  # a list of what a cell names; "" in it is missing, and an empty list is anything
    if cell == "*": return []
    if cell[:1] != "{": return [re.sub(@BEFORE@, "", cell)]
    found = re.findall(r"(?s), (?:~(?=\[))?(\[[^]]*\][^,]*|(?:\\.|,(?! )|[^\\,])*)", ", " + cell[1:-1])
    counted = [re.fullmatch(r"(?s)((?:\\.|[^\\])*): [1-9][0-9]*", one) for one in found]
    found = [one[1] for one in counted] if all(counted) else found  # of {a: 3, b: 2}, a and b
    return [one if one[:1] == "[" else re.sub(r"\\(.)", r"\1", one, flags=re.DOTALL) for one in found]

def number(text, mark, endless):  # without end where the mark says so, or where a name of a group stands
    try: return endless if text[0] == mark else float(text.lstrip("<>=").replace(",", "."))
    except ValueError: return endless
def ends(cell):  # the lowest and the highest number that a cell may stand for; NaN where it does not tell
    pairs = [one.strip("[]").split(", ") for one in members(cell) if one]
    low = min([number(pair[0], "<", -math.inf) for pair in pairs], default=math.inf)
    high = max([number(pair[-1], ">", math.inf) for pair in pairs], default=math.inf)
    return [end if abs(end) < math.inf else float("nan") for end in (low, high)]

free = lambda name: free(name + "_") if name in book.index else name
for name, cells in book["cells"].items():
    if cells in ("numbers", "means", "plain numbers"):
        known = {cell: ends(cell) for cell in release[name].unique()}
        release[free(name + "_low")] = [known[cell][0] for cell in release[name]]
        release[free(name + "_high")] = [known[cell][1] for cell in release[name]]
"""

_R = r"""
as_text <- function(file) read.csv(file, sep = @SEP@, colClasses = "character", check.names = FALSE,
                                   na.strings = character(0), blank.lines.skip = FALSE, @ENCODING@)
release <- do.call(rbind, lapply(@FILES@, function(file) @READ@))
book <- subset(as_text(@BOOK@), !duplicated(column))

members <- function(cell) {  # what a cell names; "" in it is missing, and nothing at all is anything
  if (cell == "*") return(character(0))
  if (!startsWith(cell, "{")) return(sub(@BEFORE@, "", cell, perl = TRUE))
  inner <- gsub(", ~[", ", [", paste0(", ", substr(cell, 2, nchar(cell) - 1)), fixed = TRUE)
  one <- "(?s), (\\[[^]]*\\][^,]*|(?:\\\\.|,(?! )|[^\\\\,])*)"
  found <- substring(regmatches(inner, gregexpr(one, inner, perl = TRUE))[[1]], 3)
  count <- "(?s)^((?:\\\\.|[^\\\\])*): [1-9][0-9]*$"
  if (all(grepl(count, found, perl = TRUE))) found <- sub(count, "\\1", found, perl = TRUE)  # {a: 3, b: 2}
  ifelse(startsWith(found, "["), found, gsub("(?s)\\\\(.)", "\\1", found, perl = TRUE))
}
number <- function(text) suppressWarnings(as.numeric(gsub(",", ".", sub("^[<>]=?", "", text), fixed = TRUE)))
ends <- function(cell) {  # the lowest and the highest number that a cell may stand for; NA if not told
  parts <- members(cell)
  pairs <- strsplit(gsub("^\\[|\\]$", "", parts[parts != ""]), ", ", fixed = TRUE)
  if (!length(pairs)) return(c(NA_real_, NA_real_))
  c(min(sapply(pairs, function(pair) if (startsWith(pair[1], "<")) NA else number(pair[1]))),
    max(sapply(pairs, function(pair) if (startsWith(rev(pair)[1], ">")) NA else number(rev(pair)[1]))))
}
free <- function(name) if (name %in% book$column) free(paste0(name, "_")) else name
for (name in book$column[book$cells %in% c("numbers", "means", "plain numbers")]) {
  known <- unique(release[[name]])
  both <- vapply(known, ends, numeric(2), USE.NAMES = FALSE)[, match(release[[name]], known), drop = FALSE]
  release[[free(paste0(name, "_low"))]] <- both[1, ]
  release[[free(paste0(name, "_high"))]] <- both[2, ]
}
"""

_READ_PARQUET = {
    _PYTHON: 'pd.read_parquet(file).astype(object).pipe(lambda t: t.where(t.notna(), "")).astype(str)',
    _R: 'as.data.frame(lapply(arrow::read_parquet(file), function(x) ifelse(is.na(x), "", as.character(x))), '
    "check.names = FALSE)",
}
_DISARMING = r"'(?='*\s*[-=+@\t\r])(?!'* *[-+]([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)? *(?!.|\n))"
"""The ``'`` in front of a formula; a plain number is none."""
_NO_TEXT = (r"\\|~(?=\[)", rf"\\|~(?=\[)|{_DISARMING}")
_BEFORE = {
    _PYTHON: tuple(f'r"^({pattern})"' for pattern in _NO_TEXT),
    _R: tuple('"^({})"'.format(pattern.replace("\\", "\\\\")) for pattern in _NO_TEXT),
}
"""What does not belong to a text that stands alone: a backslash, the sign of a
sketch, and ``'`` where formulas were disarmed."""
_READ_CSV = {_PYTHON: "pd.read_csv(file, **TEXT)", _R: "as_text(file)"}
_MOST_LINES = 30


def pandas_reader(written: Written) -> str:
    """At most thirty lines of Python that need pandas alone."""
    parts = f'sorted(glob.glob("part-*{written.suffix}"))'
    files = parts if written.is_folder else f"[{_quoted(written.name)}]"
    return _filled(_PYTHON, written, FILES=files, ENCODING=_quoted(written.form.encoding))


def r_reader(written: Written) -> str:
    """At most thirty lines of R that need no package for CSV, and ``arrow`` for Parquet."""
    parts = f'sort(Sys.glob("part-*{written.suffix}"))'
    files = parts if written.is_folder else f"c({_quoted(written.name)})"
    mark = 'fileEncoding = "UTF-8-BOM"' if written.form.has_mark else 'encoding = "UTF-8"'
    return _filled(_R, written, FILES=files, ENCODING=mark)


def _filled(template: str, written: Written, **more: str) -> str:
    read = (_READ_PARQUET if written.suffix == ".parquet" else _READ_CSV)[template]
    before = _BEFORE[template][written.form.is_disarmed]
    names = {"SEP": _quoted(written.form.delimiter), "BOOK": _quoted(written.book)}
    values = {**names, "READ": read, "BEFORE": before, **more}
    code = template.strip("\n")
    for name, value in values.items():
        code = code.replace(f"@{name}@", value)
    assert code.count("\n") < _MOST_LINES
    return code


def _quoted(text: str) -> str:
    """A text in ASCII, as Python and R both read it; JSON's pairs of surrogates are no sign in Python."""
    told = json.dumps(text, ensure_ascii=False)
    return "".join(sign if sign.isascii() else f"\\U{ord(sign):08x}" for sign in told)
