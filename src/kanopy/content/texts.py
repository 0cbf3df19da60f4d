"""What texts are that have no fixed form: names of people, free text, keys, codes with parts, categories."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from pathlib import Path

import numpy as np

from kanopy.content.numbers import collision_evidence
from kanopy.content.sample import Sample, words_in

_ICD = r"(?i)[A-TV-Z]\d[0-9AB](?:\.[0-9A-Z-]{1,4}|[0-9A-Z]{0,4})[-+*!#]?"
_NAMED_DATE = re.compile(
    r"(?:[^\W\d]{2,4}[., ]+)?(?:\d{1,2}[. -]*(?:de |d['’]|of )?([^\W\d]{3,10})|([^\W\d]{3,10})\.? \d{1,2},?)"
    r"[. -]*(?:del? )?\d{2,4}(?:[ ,].*)?"
)
_MONTHS = frozenset({
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec", "mai", "okt", "dez",
    "fev", "avr", "jui", "aou", "ene", "abr", "ago", "dic", "gen", "mag", "giu", "lug", "set", "ott", "mrt",
    "mei", "out", "maj", "led", "uno", "bre", "dub", "kve", "cer", "srp", "zar", "rij", "lis", "pro", "mae",
})  # fmt: skip
_NUMBERED = re.compile(r"(\D*|\D*(?:19|20)\d\d\D)(\d+)(\D*)")
_INITIALS = re.compile(r"(?:[^\W\d_a-z]\.[ -]?){1,5}")
_DIGIT = re.compile(r"\d")
_SENTENCE = r"[.!?:;](?:\s|$)"
_NAME_PARTS = frozenset({
    "van", "der", "den", "de", "la", "del", "da", "dos", "das", "di", "du", "le", "von", "zu", "zum", "zur",
    "ter", "ten", "y", "e", "dr", "prof", "mr", "mrs", "ms", "jr", "sr",
})  # fmt: skip
_NEAR_UNIQUE = 0.9
_FEW_ROWS = 20  # with fewer rows nearly every column is nearly unique
_FEW, _MANY = 5, 20

FEWEST = 5
"""Columns with fewer different values tell nobody apart, and have no form of their own."""
_ASIAN = r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff]"  # compiled when it is used: that takes milliseconds

Found = tuple[str, str, str]  # kind, evidence, certainty


def is_unique(sample: Sample) -> bool:
    """Whether nearly every row has a value of its own, in enough rows for that to mean something."""
    return sample.n_rows >= _FEW_ROWS and sample.distinct_share > _NEAR_UNIQUE


def text_content(sample: Sample) -> Found:
    """Kind, evidence and certainty of a column of texts; O(values in the sample)."""
    if sample.n_values < FEWEST:
        return "category", f"{sample.n_values:,} different texts", "sure"
    for find in (_icd10, _named_dates, _names, _free_text, _tokens, _keys, _codes):
        found = find(sample)
        if found is not None:
            return found
    if is_unique(sample):
        return "key", f"nearly every row has a text of its own: {_counts(sample)}", "sure"
    if sample.n_rows >= _FEW_ROWS and sample.n_values > _MANY and sample.distinct_share > 0.5:
        return "key", f"most rows have a text of their own: {_counts(sample)}", "doubtful"
    is_sure = sample.n_values <= _MANY or sample.rows_per_value >= 5
    return "category", f"{sample.n_values:,} different texts", "sure" if is_sure else "doubtful"


def _counts(sample: Sample) -> str:
    return f"{sample.n_values:,} different values in {sample.n_rows:,} rows"


def _icd10(sample: Sample) -> Found | None:
    if sample.share(lambda text: text[2:3].isdigit()) < 0.9:  # seldom a letter, but always in Canadian zips
        return None
    share = sample.share(re.compile(_ICD).fullmatch)
    letters = {text[0].upper() for text in sample.texts if text}
    has_dots = any(text[3:4] == "." for text in sample.texts)
    lengths = {len(text) for text in sample.texts}
    is_varied = len(letters) >= 3 and (has_dots or max(lengths, default=0) <= 5)
    if share < 0.95 or not is_varied or sample.n_values < 5 or is_unique(sample):
        return None
    return "icd10", f"{share:.0%} of the values have the form of ICD-10 codes", "sure"


def _names(sample: Sample) -> Found | None:
    """Names of people: common ones, or nearly always two to four capitalized words that seldom repeat."""
    known, pairs = sample.mean(_known_names), sample.share(_is_capitalized_pair)
    is_short, has_many = sample.mean(lambda text: len(words_in(text))) < 5, sample.n_values > _MANY
    if sample.n_values > _FEW and (share := sample.share(_INITIALS.fullmatch)) > 0.8:
        return "person name", f"{share:.0%} of the values are initials", "likely"
    frequent = f"{known:.0%} of the words are frequent names of people"
    if is_short and sample.n_values >= 5 and known >= (0.2 if has_many else 0.6):
        return "person name", frequent, "sure" if known >= 0.3 else "likely"
    if pairs > 0.8 and has_many and sample.distinct_share > 0.3:
        found = f"{pairs:.0%} of the values are two to four capitalized words, {_counts(sample)}"
        return "person name", found, "likely"
    return ("person name", frequent, "doubtful") if is_short and has_many and known >= 0.1 else None


def _known_names(text: str) -> float:
    """The share of the words that are frequent names; none where there are digits."""
    words = [] if _DIGIT.search(text) else [_folded(word).strip(".") for word in words_in(text)]
    parts = [part for word in words if word not in _NAME_PARTS for part in re.split(r"['’-]", word)]
    counted = [part for part in parts if len(part) > 1]
    return sum(part in _common_names() for part in counted) / max(len(counted), 1)


def _is_capitalized_pair(text: str) -> bool:
    if _DIGIT.search(text) or len(text) > 60:
        return False
    words = [word for word in words_in(text) if _folded(word).strip(".") not in _NAME_PARTS]
    return 2 <= len(words) <= 4 and all(word[0].isupper() for word in words)


def _folded(word: str) -> str:
    plain = unicodedata.normalize("NFKD", word.casefold())
    return "".join(letter for letter in plain if not unicodedata.combining(letter))


@cache
def _common_names() -> frozenset[str]:
    text = Path(__file__).with_name("common_names.txt").read_text("utf-8")
    return frozenset(word for line in text.splitlines() if line[:1] != "#" for word in line.split())


def _free_text(sample: Sample) -> Found | None:
    """Long texts, or several words that seldom repeat."""
    n_words, length = sample.mean(lambda text: len(text.split())), sample.mean(len)
    if any(not text.isascii() and re.search(_ASIAN, text) for text in sample.texts):  # written without blanks
        n_words = max(n_words, sample.mean(lambda text: len(re.findall(_ASIAN, text)) / 3))
    is_varied = sample.n_values > 50 or (sample.n_values > 5 and sample.distinct_share > 0.2)
    if not is_varied or sample.n_values <= 5:
        return None
    evidence = f"{n_words:.1f} words and {length:.0f} characters on average, {_counts(sample)}"
    if n_words >= 5 or length > 60 or (n_words >= 3 and sample.share(re.compile(_SENTENCE).search) > 0.5):
        return "free text", evidence, "sure"
    is_own = sample.distinct_share > 0.5 and sample.n_rows >= _FEW_ROWS
    return ("free text", evidence, "likely") if n_words >= 2.5 and is_own else None


def _keys(sample: Sample) -> Found | None:
    """A number behind an unchanging text, or a long number, that tells rows or persons apart."""
    parts = [match for text in sample.texts if (match := _NUMBERED.fullmatch(text))]
    if len(parts) < 0.95 * len(sample.texts) or sample.n_rows < _FEW_ROWS:
        return None
    heads = {(match[1], match[3]) for match in parts}
    digits = max(len(match[2]) for match in parts)
    if sample.n_values <= (_FEW if digits > 3 else _MANY):
        return None
    is_short_number = not any(before for before, _ in heads) and digits <= 5
    if is_unique(sample):
        numbers = np.array([int(match[2][-15:]) for match in parts], dtype=np.int64)
        if is_short_number and not collision_evidence(numbers, sample.n_values, sample.n_rows):
            return None  # zips of a large country
        return "key", f"nearly every row has a number of its own: {_counts(sample)}", "sure"
    if len(heads) > 3 or is_short_number or sample.rows_per_value > 50:
        return None
    is_likely = digits > 3 and sample.n_values > _MANY
    return "person key", f"keys that repeat: {_counts(sample)}", "likely" if is_likely else "doubtful"


def _tokens(sample: Sample) -> Found | None:
    """Letters and digits in any order: drawn, not composed. Most places of such texts have both."""
    lengths = {len(text) for text in sample.texts}
    if len(lengths) > 1 or max(lengths) < 6 or sample.n_values <= _FEW:
        return None
    places = [{sign.isdigit() for sign in column} for column in zip(*sample.texts, strict=True)]
    if not all(text.isalnum() for text in sample.texts) or sum(len(kinds) == 2 for kinds in places) < 5:
        return None
    kind = "key" if is_unique(sample) else "person key"
    certainty = "likely" if sample.n_values > _MANY else "doubtful"
    return kind, f"letters and digits in any order: {_counts(sample)}", certainty


def _named_dates(sample: Sample) -> Found | None:
    """Days with the name of the month."""
    if sample.share(_has_month) < 0.9:
        return None
    evidence = f"{sample.n_values:,} different dates with names of months; months must be numbers to be read"
    return "date", evidence, "doubtful"


def _has_month(text: str) -> bool:
    match = _NAMED_DATE.fullmatch(text)
    return match is not None and is_month(match[1] or match[2])


def is_month(word: str) -> bool:
    """Whether a word is, or begins as, the name of a month in some language."""
    return _folded(word)[:3] in _MONTHS


def _codes(sample: Sample) -> Found | None:
    """Short texts of digits and letters whose first characters group them: zips and other codes."""
    has_digits = sample.share(_DIGIT.search)
    lengths = {len(text) for text in sample.texts}
    is_short = sample.mean(lambda text: len(words_in(text))) < 2.5 and max(lengths, default=0) <= 12
    if has_digits < 0.95 or not is_short or sample.n_values < 5 or len(lengths) > 4:
        return None
    n_prefixes = len({text[:2] for text in sample.texts})
    if n_prefixes >= len(sample.texts) and sample.n_values > _MANY:
        return None
    if is_unique(sample) and not all(map(str.isdecimal, sample.texts)):
        return None
    is_sure = len(lengths) <= 2 and sample.rows_per_value >= 2
    certainty = "doubtful" if is_unique(sample) else "sure" if is_sure else "likely"
    characters = f"{min(lengths)} to {max(lengths)}" if len(lengths) > 1 else f"{max(lengths)}"
    return "code", f"codes of {characters} characters, {_counts(sample)}", certainty
