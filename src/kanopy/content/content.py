"""What a column holds: the kind of its values, the evidence, and how they are written."""

from __future__ import annotations

from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from kanopy.content.dates import date_form, unreadable_date
from kanopy.content.identities import identity_form
from kanopy.content.inside import identifiers_inside
from kanopy.content.numbers import collision_evidence, looks_drawn, number_form
from kanopy.content.sample import Sample, Unseen, sample_of
from kanopy.content.texts import FEWEST, Found, is_unique, text_content
from kanopy.data.arrays import Ints
from kanopy.frames.from_numpy import as_arrow

MISSING_MARKS = frozenset({
    "?", "-", "--", "---", ".", "..", "/", "*", "na", "n/a", "#n/a", "n.a.", "n.a", "nan", "null", "none",
    "nil", "(null)", "<na>", "missing", "unknown", "unk", "not known",
    "k.a.", "k.a", "ka", "k/a", "unbekannt", "keine angabe", "fehlt", "entfällt", "nicht bekannt",
    "inconnu", "inconnue", "n.r.", "nr", "nsp", "non renseigné", "manquant",
    "desconocido", "desconocida", "sin dato", "sin datos", "s/d", "sd", "n/c", "ns/nc",
    "sconosciuto", "sconosciuta", "non noto", "nd", "n.d.", "onbekend", "nvt", "n.v.t.",
    "desconhecido", "desconhecida", "sem dados", "não informado", "brak", "okänd", "saknas", "bilinmiyor",
})  # fmt: skip
"""Texts, in lower case, that mean missing where they stand in a column of numbers or dates."""

_IDENTIFYING = frozenset({
    "key", "serial", "email", "phone", "iban", "national id", "person name", "address", "free text", "url",
    "network address", "person key", "payment card", "birth date",
})  # fmt: skip
ALL_SEEN = Unseen()
_MOST_MARKS, _MANY_MORE = 5, 10  # texts without a digit, and how many more values have one
_LONG_NUMBER = 9  # digits; nobody measures so exactly, but people and accounts are numbered so


class Content(NamedTuple):
    """What a column holds; counts and shares, but no value except ``marks``."""

    kind: str
    evidence: str
    certainty: str  # "sure", "likely" or "doubtful"
    n_rows: int
    n_values: int
    n_missing: int
    formats: tuple[str, ...] = ()  # of dates and times
    has_zones: bool = False
    unit: str = ""  # beside every number, such as €
    decimal: str = "."
    thousands: str = ""
    n_censored: int = 0
    is_whole: bool = False  # numbers without fractions
    marks: tuple[str, ...] = ()  # texts that mean missing among numbers or dates
    is_inside: bool = False  # whether identifiers stand in some of the texts, and something else in others

    @property
    def is_identifying(self) -> bool:
        """Whether it tells persons apart or is free text, and must not be published by oversight."""
        return self.is_private and self.certainty != "doubtful"

    @property
    def is_private(self) -> bool:
        """The same, also where that is doubtful."""
        return self.kind in _IDENTIFYING

    @property
    def distinct_share(self) -> float:
        """Different values per row that has one."""
        return self.n_values / max(self.n_rows - self.n_missing, 1)


def content_of(words: pa.StringArray, counts: Ints, unseen: Unseen = ALL_SEEN) -> Content:
    """What a column holds, judged by its different texts and how many rows have each; O(values).

    Forms are looked for in a few thousand values, identifiers inside of texts in all of them. Empty texts are
    missing. ``unseen`` are values, and no missing cells, that the column has besides.
    """
    words = pc.utf8_trim_whitespace(words)
    return searched(_content_of(words, counts, unseen), words, counts)


def searched(content: Content, words: pa.StringArray, counts: Ints) -> Content:
    """The same content, or the identifiers that stand in some of the texts; O(values).

    PRIVACY: however few rows have one (tests/unit/content/test_inside.py).
    """
    if content.is_identifying and content.kind != "free text":
        return content
    found = identifiers_inside(words, counts)
    if not found:
        return content
    in_rows = f"{', '.join(map(str, found))} of {content.n_rows:,} rows"
    return content._replace(kind=found[0].kind, evidence=in_rows, certainty="sure", is_inside=True)


def _content_of(words: pa.StringArray, counts: Ints, unseen: Unseen) -> Content:
    is_value = pc.not_equal(words, "").to_numpy(zero_copy_only=False) & (counts > 0)
    n_rows = int(counts.sum()) + unseen.n_rows
    words, counts = words.filter(as_arrow(is_value)), counts[is_value]
    known: dict[str, Any] = {
        "n_rows": n_rows,
        "n_values": len(words) + unseen.n_values,
        "n_missing": n_rows - unseen.n_rows - int(counts.sum()),
    }
    if len(words) < 2:
        kind, evidence = ("constant", "a single value") if len(words) else ("empty", "no value")
        if len(words) and known["n_missing"]:
            kind, evidence = "category", "a single value, or missing"
        return Content(kind, evidence, "sure", **known)
    marks, others, rows = _marks(words), words, counts
    if marks:
        is_other = pc.invert(pc.is_in(words, value_set=pa.array(marks, pa.string())))
        others, rows = words.filter(is_other), counts[is_other.to_numpy(zero_copy_only=False)]
    sample = sample_of(others, rows, unseen)
    found = _dates(sample) or _numbers(sample, others) if sample.n_values else None
    if found is None:
        marks, sample = (), sample_of(words, counts, unseen) if marks else sample
        found = _identities(sample) or _labelled(unreadable_date(sample) or text_content(sample))
    return Content(marks=tuple(marks), **known, **found)


def _marks(words: pa.StringArray) -> tuple[str, ...]:
    """The values that would mean missing, if all others were numbers or dates: known ones, and a few without
    a digit where nearly all others have one."""
    is_mark = pc.is_in(pc.utf8_lower(words), value_set=pa.array(sorted(MISSING_MARKS), pa.string()))
    without = pc.invert(pc.match_substring_regex(words, "[0-9]"))
    n_without = pc.sum(without).as_py()
    if n_without <= _MOST_MARKS and len(words) >= _MANY_MORE * n_without:
        is_mark = pc.or_(is_mark, without)
    return tuple(words.filter(is_mark).to_pylist())


def _labelled(found: Found) -> dict[str, Any]:
    return dict(zip(("kind", "evidence", "certainty"), found, strict=True))


def _dates(sample: Sample) -> dict[str, Any] | None:
    form = date_form(sample.texts)
    if form is None:
        return None
    several = f"{len(form.formats)} formats" if len(form.formats) > 1 else "one format"
    evidence = f"{sample.n_values:,} different dates in {several}"
    if form.is_doubtful:
        evidence += "; day and month, or the century, may be read in two ways"
    kind, certainty = "time" if form.has_times else "date", "doubtful" if form.is_doubtful else "sure"
    return {**_labelled((kind, evidence, certainty)), "formats": form.formats, "has_zones": form.has_zones}


def _numbers(sample: Sample, words: pa.StringArray) -> dict[str, Any] | None:
    form = number_form(sample)
    if form is None:
        return None
    written = {
        "unit": form.unit,
        "decimal": form.decimal,
        "thousands": form.thousands,
        "n_censored": form.n_censored,
    }
    if form.thousands and not form.unit:  # national numbers are written in groups of three digits, too
        sample = sample._replace(texts=[text.replace(form.thousands, "") for text in sample.texts])
        words = pc.replace_substring(words, form.thousands, "")
    is_whole = all(text.lstrip("+-").isdigit() for text in sample.texts)
    if is_whole and not form.n_censored and sample.n_values >= FEWEST:
        found = _identities(sample) or _series(sample, words)
        if found is not None:
            return found
    if (moments := unreadable_date(sample)) is not None:
        return _labelled(moments)
    evidence = f"{sample.n_values:,} different numbers"
    if form.unit:
        evidence += ", with a unit"
    if form.thousands:
        evidence += ", with thousands marks"
    if form.decimal == ",":
        evidence += ", with a decimal comma"
    if form.n_censored:
        evidence += f", {form.n_censored} of them censored, like <5"
    certainty = "doubtful" if form.is_doubtful else "sure"
    return {**_labelled(("number", evidence, certainty)), **written, "is_whole": is_whole}


def _identities(sample: Sample) -> dict[str, Any] | None:
    found = identity_form(sample) if sample.n_values >= FEWEST else None
    if found is None:
        return None
    kind = "person key" if found[0] == "key" and not is_unique(sample) else found[0]
    return _labelled((kind, found[1], "sure"))


def _series(sample: Sample, words: pa.StringArray) -> dict[str, Any] | None:
    """Whole numbers that were handed out, or drawn, one per row or one per person."""
    lengths = {len(text) for text in sample.texts}
    counts = f"{sample.n_values:,} different values in {sample.n_rows:,} rows"
    kind = "key" if is_unique(sample) else "person key"
    if min(lengths) >= _LONG_NUMBER and max(lengths) - min(lengths) <= 1:
        certainty = "likely" if sample.n_values > 20 else "doubtful"
        return _labelled((kind, f"numbers of {min(lengths)} digits: {counts}", certainty))
    fits = pc.less_equal(pc.utf8_length(words), 18)
    whole = words.filter(pc.and_(fits, pc.match_substring_regex(words, r"^[+-]?[0-9]+$")))
    numbers = pc.cast(pc.utf8_ltrim(whole, characters="+"), pa.int64()).to_numpy(zero_copy_only=False)
    if is_unique(sample) and (evidence := collision_evidence(numbers, sample.n_values, sample.n_rows)):
        return _labelled(("serial", evidence, "sure"))
    if sample.n_values > 20 and looks_drawn(numbers):
        return _labelled((kind, f"numbers that lie as evenly as if they were drawn: {counts}", "doubtful"))
    return None
