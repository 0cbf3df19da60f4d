"""The text of a drafted policy: TOML, with the reason and the certainty beside every line.

Lines are made of two parts, what is set and a comment, so that comments can be counted and left out.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from kanopy.drafting.decisions import AS_DRAFTED, Bound
from kanopy.policy.toml_file import MOST_BYTES
from kanopy.policy.toml_text import quoted

if TYPE_CHECKING:
    from kanopy.drafting.policy_draft import ColumnSuggestion, Suggestion

_MEANING = {
    "quasi_identifiers": "what an attacker may know; generalized",
    "target": "the class; published",
    "sensitive": "published; bounded by [privacy]",
    "keep": "published as they are, knowingly",
    "identifiers": "dropped",
    "person": "k counts persons; dropped",
}


_CHECK = "check: "  # how comments begin that somebody should look at first
_WIDEST = 40  # letters of a name beside which comments are aligned
_MOST_NAMED = 5  # columns in one comment


class _Line(NamedTuple):
    """What is set, and a comment; either may be empty."""

    text: str = ""
    comment: str = ""
    width: int = 0

    def __str__(self) -> str:
        if not self.comment:
            return self.text
        return f"{self.text:<{self.width}}  # {self.comment}" if self.text else f"# {self.comment}"


def policy_text(draft: Suggestion) -> str:
    """The draft as a policy file; of thousands of columns without comments that only explain."""
    lines = _lines(draft)
    text = "\n".join(map(str, lines)) + "\n"
    if len(text.encode()) <= MOST_BYTES:
        return text
    n_head = 1 + len(_HEAD)  # as many as of _DECIDED
    head, rest = lines[:n_head], [line for line in lines[n_head:] if not _is_explanation(line)]
    head.append(_Line("", f"Reasons are left out: a policy file has at most {MOST_BYTES:,} bytes."))
    short = [_Line(line.text, line.comment if _is_check(line) else "") for line in rest]
    return "\n".join(map(str, (*head, *short))) + "\n"


def _is_check(line: _Line) -> bool:
    return line.comment.startswith(_CHECK)


def _is_explanation(line: _Line) -> bool:
    return not line.text and line.comment != "" and not _is_check(line)


def n_checks(draft: Suggestion) -> int:
    """How many comments of the text begin with ``check:``."""
    return sum(map(_is_check, _lines(draft)))


_HEAD = (
    "Every choice is a guess from what the columns hold and from their names: read it, change it, then",
    'use it. In brackets: how certain a guess is. Doubtful ones are marked "check".',
)


_DECIDED = (
    "What somebody decided otherwise stands there as decided. In brackets: how certain a guess is. Doubtful",
    'guesses are marked "check".',
)


def _lines(draft: Suggestion) -> list[_Line]:
    head = _HEAD if draft.decisions == AS_DRAFTED else _DECIDED
    rows = "1 row" if draft.n_rows == 1 else f"{draft.n_rows:,} rows"
    columns = "1 column" if len(draft.columns) == 1 else f"{len(draft.columns):,} columns"
    lines = [
        *(_Line("", text) for text in (f"Drafted by kanopy from a table of {rows} and {columns}.", *head)),
        _Line(),
    ]
    for role in _MEANING:
        lines += _role_lines(draft, role)
    lines += [*_missing_lines(draft), *_code_lines(draft), *_accept_lines(draft)]
    sections = (
        _source_lines, _column_lines, _derived_lines, _privacy_lines, _method_lines, _hierarchy_lines,
    )  # fmt: skip
    for section in sections:
        found = list(section(draft))
        lines += [_Line(), *found] if found else []
    return lines


def _why(column: ColumnSuggestion) -> str:
    reason = _plain(column.reason)
    return f"{_CHECK}{reason}" if column.certainty == "doubtful" else f"{reason} ({column.certainty})"


def _role_lines(draft: Suggestion, role: str) -> Iterator[_Line]:
    chosen = [column for column in draft.columns if column.role == role]
    if role in ("target", "person"):
        for column in chosen:
            yield _Line(f"{role} = {quoted(column.name)}", _why(column))
    elif chosen:
        yield _Line(f"{role} = [", _MEANING[role])
        texts = [f"    {quoted(column.name)}," for column in chosen]
        # One very long name must not move all comments out of sight.
        width = max((len(text) for text in texts if len(text) <= _WIDEST), default=0)
        for text, column in zip(texts, chosen, strict=True):
            yield _Line(text, _why(column), width)
        yield _Line("]")
    elif role == "quasi_identifiers":
        why = f"{_CHECK}no column is left; name what an attacker may know"
        yield _Line("quasi_identifiers = []", why)


def _missing_lines(draft: Suggestion) -> Iterator[_Line]:
    if draft.missing:
        why = "they stand for missing values, as an empty field does"
        yield _Line(f"missing = {_value(draft.missing)}", why)
    for mark, columns in draft.missing_elsewhere.items():
        named = ", ".join(map(quoted, columns[:_MOST_NAMED]))
        if n_more := len(columns[_MOST_NAMED:]):
            named += f" and {n_more:,} more"
        yield _Line("", f"{_CHECK}{quoted(mark)} also means missing in {named} then")
    for token, n_times in draft.maybe_missing.items():
        times = "once" if n_times == 1 else f"{n_times:,} times"
        advice = "if it means missing, add it to missing = [...]"
        yield _Line("", f"{quoted(token)} occurs {times}: {advice}")


def _code_lines(draft: Suggestion) -> Iterator[_Line]:
    codes = [column.name for column in draft.columns if column.is_code]
    if codes:
        yield _Line(f"categorical = {_value(codes)}", "codes, not quantities")


def _accept_lines(draft: Suggestion) -> Iterator[_Line]:
    if codes := draft.decisions.accept:
        yield _Line(f"accept = {_value(codes)}", "somebody agreed to publish these columns all the same")


def _method_lines(draft: Suggestion) -> Iterator[_Line]:
    if (name := draft.decisions.method) is not None:
        yield _Line("[method]", "how the promise is kept")
        for key, value in {"name": name, **draft.decisions.options}.items():
            yield _Line(f"{key} = {_value(value)}")


def _source_lines(draft: Suggestion) -> Iterator[_Line]:
    if draft.source or draft.doubts:
        yield _Line("[source]", "how the file is written; every command reads it so")
        for key, value in draft.source.items():
            yield _Line(f"{key} = {_value(value)}", _SOURCE[key])
        for doubt in draft.doubts:
            yield _Line("", f"{_CHECK}{doubt}")


def _column_lines(draft: Suggestion) -> Iterator[_Line]:
    described = [column for column in draft.columns if column.settings]
    for number, column in enumerate(described):
        if number:
            yield _Line()
        yield _Line(f"[columns.{quoted(column.name)}]")
        for key, value in column.settings.items():
            comment = _SETTINGS.get(key, column.certainty)
            if key == "formats" and column.certainty == "doubtful":
                comment = f"{_CHECK}is the day first, or the month? and which century is it?"
            yield _Line(f"{key} = {_value(value)}", comment)


_SOURCE = {
    "delimiter": "it gives every row as many fields as the header (sure)",
    "encoding": "the file is not UTF-8; look whether letters with accents are right (likely)",
    "quote": "fields stand between such marks (likely)",
    "sheet": "of the workbook, as you said",
}
_SETTINGS = {
    "formats": "together they read all values that were looked at",
    "decimal": "1,5 is one and a half",
    "unit": "is left out of the published numbers",
    "thousands": "between groups of three digits",
    "levels": "the first is the finest that is published",
    "zone": f"{_CHECK}times are converted to this zone",
    "censored": "values such as <5 are the end of the scale",
}


def _derived_lines(draft: Suggestion) -> Iterator[_Line]:
    taken = {column.name for column in draft.columns}
    for column in draft.columns:
        if column.is_birth and column.role == "quasi_identifiers":
            name = next(name for name in ("age", "age_in_years", "kanopy_age") if name not in taken)
            yield _Line(
                "", "For ages instead of dates of birth: uncomment the next two lines, set the day, move"
            )
            yield _Line(
                "", f"{quoted(column.name)} to identifiers, and add {quoted(name)} to quasi_identifiers."
            )
            yield _Line("", "[derived]")
            yield _Line("", f'{name} = {{ from = {quoted(column.name)}, as = "years", at = 2024-01-01 }}')
            return


def _privacy_lines(draft: Suggestion) -> Iterator[_Line]:
    yield _Line("[privacy]")
    yield _Line(f"k = {draft.k}", "so many rows, or persons, have the same quasi-identifiers")
    if draft.decisions.bounds is not None:
        yield from _bound_lines(draft.bounds)
        return
    for column in draft.columns:
        if column.role in ("sensitive", "target"):
            is_set = bool(column.diversity)
            advice = "" if is_set else "uncomment: "
            yield _Line()
            yield _set("[[privacy.diversity]]", f"{advice}nobody's value can be told for sure", is_set=is_set)
            yield _set(f"column = {quoted(column.name)}", _MEANING[column.role], is_set=is_set)
            yield _set(
                f"l = {column.diversity or 2}", "so many values in every group at least", is_set=is_set
            )


def _bound_lines(bounds: tuple[Bound, ...]) -> Iterator[_Line]:
    for bound in bounds:
        yield _Line()
        yield _Line(f"[[privacy.{bound.kind}]]")
        for key, value in bound.settings.items():
            yield _Line(f"{key} = {_value(value)}")


def _hierarchy_lines(draft: Suggestion) -> Iterator[_Line]:
    if draft.hierarchies:
        why = "groups that may be published instead of values; remove a line to do without"
        yield _Line("[hierarchies]", why)
    for made in draft.hierarchies:
        value = made.rule if made.file is None else made.file
        yield _set(f"{quoted(made.name)} = {_value(value)}", made.reason, is_set=made.is_advised)


def _set(text: str, comment: str, *, is_set: bool) -> _Line:
    """A line that holds, or that somebody may uncomment."""
    return _Line(text, comment) if is_set else _Line("", f"{text}  # {comment}")


def _value(value: Any) -> str:
    """A value in TOML."""
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{key} = {_value(inner)}' for key, inner in value.items())} }}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_value, value))}]"
    return quoted(value) if isinstance(value, str) else json.dumps(value)


def _plain(reason: str) -> str:
    """A reason on one line: no line end can get out of a comment."""
    return "".join(letter if letter.isprintable() else " " for letter in reason)
