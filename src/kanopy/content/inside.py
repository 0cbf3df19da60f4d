"""Identifiers that stand inside of texts: searched in all values, however few of them have one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from kanopy.content.identities import EMAIL
from kanopy.content.personal_numbers import PERSONAL_NUMBERS, PersonalNumber
from kanopy.content.phones import CALLED_PHONE, DATES, LIKE_PHONE, LIKE_PHONE_AMONG_WORDS, has_phone
from kanopy.content.texts import is_month
from kanopy.data.arrays import Bools, Ints
from kanopy.frames.from_numpy import as_arrow

_ENOUGH = 1000  # values with an identifier: then a column is decided about
_AT_A_TIME = 5000
_SAMPLE = 2000
_PLAIN_NUMBER = r"^[+-]?[0-9]{0,9}(?:[.,][0-9]*)?(?:[eE][+-]?[0-9]+)?$"
_TWO_WORDS = r"\pL{2,}[^\pL]*\s[^\pL]*\pL{2,}"
_LEADING_ZERO = 0.1  # how often a number begins with 0 by chance
_REMARKS = 0.5  # the share of values with two words that makes a column one of remarks
_BORN = (
    r"geb(?:oren)?|geburtsdatum|geburtstag|geb\.? ?datum|born|b\.|d\.?o\.?b|birth(?:day|date)?|née?"
    r"|nee? le|naissance"
    r"|ddn|nacid[oa]|naci[oó]|nacimiento|f\. ?nac|nat[oa]|nascita|nascid[oa]|nasceu|nascimento|ur|urodz"
    r"|urodzon[ya]|urodzeni[ae]|doğum|dogum|doğumlu|geboorte(?:datum)?|född|fødd|født|fødselsdato"
    r"|syntynyt|synt"
    r"|narozen[aý]?|nar|szül(?:etett)?|născut[ă]?|родил(?:ся|ась)|рождения|д\. ?р|г\. ?р|出生(?:日期)?"
    r"|生于|生年月日|生まれ"
)
_SINCE = r"[ .:=(]{0,3}(?:(?:on|am|den|the|le|el|il|em|op|dnia|datum|date|data|tarihi|dne)\b[ .:]{0,2}){0,2}"
_DAY = (
    r"(?:[0-9]{1,2}(?P<sign>[./-]) ?[0-9]{1,2}(?P=sign) ?(?:(?:19|20)?[0-9]{2})"
    r"|(?:18|19|20)[0-9]{2}(?:[./-][0-9]{1,2}[./-]|年 ?[0-9]{1,2} ?月 ?)[0-9]{1,2} ?日?"
    r"|[0-9]{1,2}(?:st|nd|rd|th|er)?\.?[ -]?(?:of |de "
    r"|d['’])?(?P<month>[^\W\d_]{3,10})\.?,?[ -]?(?:del? )?[0-9]{2,4}"
    r"|(?P<first>[^\W\d_]{3,10})\.? [0-9]{1,2}(?:st|nd|rd|th)?,? [0-9]{4})(?!\d)"
)
_BIRTH_FORMS = (
    rf"(?<!\w)(?:{_BORN})(?!\w){_SINCE}{_DAY}",
    rf"(?<!\d){_DAY}\W{{0,3}}(?:{_BORN})(?!\w)",
    r"(?<![\w*])\* ?(?P<month>)(?P<first>)[0-9]{1,2}\.[0-9]{1,2}\.(?:19|20)[0-9]{2}(?!\d)",
)
_SOME_DAY = (
    r"(?:[0-9]{1,2}[./-] ?[0-9]{1,2}[./-] ?[0-9]{2}|[0-9]{4}(?:[./-][0-9]{1,2}[./-]|年)"
    r"|[0-9]{1,2}[a-z.]{0,3}[ -]?(?:of |del? |d['’])?\pL{3}|\pL{3,10}\.? [0-9]{1,2})"
)
_ANY_BORN = rf"(?i:(?:^|[^\pL])(?:{_BORN})(?:[^\pL]|$)|出生|生于|生まれ|\*)"
_DAY_FIRST = (
    r"[0-9][^\pL0-9]{0,4}日?[^\pL0-9]{0,4}"
    r"(?i:born|geb|n[ée]|nac|nat|nas|ur|do[gğ]|f[öø]|syn|nar|sz|род|г|生|出|d\.?o)"
)
_MAY_BE = {
    "email": ((r"@[^@\s,;<>]+\.[a-zA-Z]{2}",),),
    "birth date": ((rf"{_ANY_BORN}[^0-9]{{0,20}}{_SOME_DAY}",), (_ANY_BORN, _DAY_FIRST)),
    "number": (
        (
            r"[^0-9]|^[0-9]{18}$",
            "|".join(each.form for each in PERSONAL_NUMBERS if not each.among_words),
        ),
    ),
    "phone": (CALLED_PHONE,),
}
_NUMBERS_AMONG_WORDS = (
    ("|".join(rf"\b(?:{each.form})\b" for each in PERSONAL_NUMBERS if each.among_words),),
)
_CALLED = {"email": "e-mail addresses", "birth date": "birth dates", "phone": "phone numbers"}
_SUSPECT = r"@|[0-9](?:[ ()./+-]{0,3}[0-9A-Z]){5}|[0-9][./-] ?[0-9]{1,2}[./-]|[0-9] ?年|(?:18|19|20)[0-9]{2}"
_DASHES = "[\u2010-\u2015\u2212]"


class Inside(NamedTuple):
    """Identifiers of one kind, and how many rows have one; at least so many where not all were looked at."""

    kind: str
    called: str
    n_rows: int
    is_least: bool = False

    def __str__(self) -> str:
        return f"{self.called} in {'at least ' if self.is_least else ''}{self.n_rows:,}"


def identifiers_inside(words: pa.StringArray, counts: Ints) -> list[Inside]:
    """What identifiers stand inside of texts, the most frequent kind first; O(values).

    Patterns are searched in all values at once, and what they find is looked at one by one, until a thousand
    values have an identifier. A number that has no more than a form which codes have, too, counts where more
    of them pass the check than would by chance.
    """
    places, texts = _suspects(words)
    if not len(places):
        return []
    are_remarks = _are_remarks(words)
    is_remark = _matches(texts, ((_TWO_WORDS,),)) | are_remarks
    is_worth = {kind: _matches(texts, forms) for kind, forms in _MAY_BE.items()}
    is_worth["number"] |= _matches(texts, _NUMBERS_AMONG_WORDS, among=is_remark)
    is_worth["phone"] |= _like_phone(texts, is_remark)
    search = _Search()
    looked_at = np.flatnonzero(np.logical_or.reduce(list(is_worth.values())))
    for start in range(0, len(looked_at), _AT_A_TIME):
        some = looked_at[start : start + _AT_A_TIME]
        for place, text in zip(some.tolist(), texts.take(as_arrow(some)).to_pylist(), strict=True):
            kinds = {kind for kind, mask in is_worth.items() if mask[place]}
            search.look(int(places[place]), text, kinds, is_remark=bool(is_remark[place]))
        if search.n_found >= _ENOUGH:
            words = words.slice(0, int(places[some[-1]]) + 1)
            break
    return search.told(words, counts)


def _suspects(words: pa.StringArray) -> tuple[Ints, pa.StringArray]:
    """The values that may have an identifier, with usual blanks, dashes and digits, and where they stand."""
    is_plain = pc.string_is_ascii(words)
    if pc.all(is_plain).as_py():
        places = np.flatnonzero(_matches(words, ((_SUSPECT,),)))
    else:
        has_sign = pc.match_substring_regex(words, rf"{_SUSPECT}|[^\x00-\x7f]*(?:\p{{Nd}}|＠)")
        places = np.flatnonzero(has_sign.to_numpy(zero_copy_only=False))
    texts = words.take(as_arrow(places))
    if not pc.all(pc.string_is_ascii(texts)).as_py():
        texts = pc.utf8_normalize(texts, form="NFKC")
        texts = pc.replace_substring_regex(texts, pattern=_DASHES, replacement="-")
        is_kept = _matches(texts, ((_SUSPECT,),))
        places, texts = places[is_kept], texts.filter(as_arrow(is_kept))
    is_kept = ~_matches(texts, ((_PLAIN_NUMBER,),))
    return places[is_kept], texts.filter(as_arrow(is_kept))


def _matches(texts: pa.StringArray, forms: Sequence[Sequence[str]], *, among: Bools | None = None) -> Bools:
    """Where a text has all patterns of one of the forms; O(texts)."""
    found = np.zeros(len(texts), dtype=np.bool_)
    for patterns in forms:
        places = np.arange(len(texts)) if among is None else np.flatnonzero(among)
        for pattern in patterns:
            some = texts if len(places) == len(texts) else texts.take(as_arrow(places))
            places = places[pc.match_substring_regex(some, pattern).to_numpy(zero_copy_only=False)]
        found[places] = True
    return found


def _like_phone(texts: pa.StringArray, is_remark: Bools) -> Bools:
    """Where digits stand as in phone numbers; those of dates are left out."""
    found = _matches(texts, (LIKE_PHONE,))
    found |= _matches(texts, (LIKE_PHONE_AMONG_WORDS,), among=is_remark & ~found)
    places = np.flatnonzero(found)
    some = pc.replace_substring_regex(texts.take(as_arrow(places)), pattern=DATES, replacement=";")
    still = _matches(some, (LIKE_PHONE,)) | _matches(some, (LIKE_PHONE_AMONG_WORDS,), among=is_remark[places])
    found[places] = still
    return found


def _are_remarks(words: pa.StringArray) -> bool:
    """Whether most of the values have two words or more, as far as a few of them tell."""
    some = np.linspace(0, len(words) - 1, min(len(words), _SAMPLE)).astype(np.int64)
    return bool(_matches(words.take(as_arrow(some)), ((_TWO_WORDS,),)).mean() >= _REMARKS)


class _Search:
    """What was found, value by value: its places, and how many numbers have a form that may be one."""

    def __init__(self) -> None:
        self._places: dict[tuple[str, str], list[int]] = {}
        self._alone: dict[
            int, str
        ] = {}  # values that are nothing but a phone number without +, and their form
        self._n_alike, self._n_valid = Counter[str](), Counter[str]()
        self.n_found = 0

    def look(self, place: int, text: str, kinds: set[str], *, is_remark: bool) -> None:
        """Look into one value; what is an e-mail address or a checked number is no phone number."""
        found = set()
        if "email" in kinds and EMAIL.search(text):
            found.add(("email", _CALLED["email"]))
        if "number" in kinds:
            text = self._without_numbers(text, found, is_remark=is_remark)
        if "birth date" in kinds and any(map(_is_birth, _births(text))):
            found.add(("birth date", _CALLED["birth date"]))
        if "phone" in kinds and has_phone(text, is_remark=is_remark):
            found.add(("phone", _CALLED["phone"]))
            if re.fullmatch(r"[0-9 ()./-]+", text):
                self._alone[place] = re.sub("[0-9]", "9", text)
        for kind in found:
            self._places.setdefault(kind, []).append(place)
        self.n_found += bool(found)

    def _without_numbers(self, text: str, found: set[tuple[str, str]], *, is_remark: bool) -> str:
        """The text without checked numbers, of which those that are found are noted."""
        for number, form in _number_forms():
            if number.among_words and not is_remark:
                continue
            for match in form.finditer(text):
                self._n_alike[number.called] += 1
                if number.is_valid(re.sub(r"[\W_]", "", match[0])):
                    self._n_valid[number.called] += 1
                    found.add((number.kind, number.called))
                    text = text.replace(match[0], ";")
        return text

    def told(self, words: pa.StringArray, counts: Ints) -> list[Inside]:
        """What is no coincidence, the most frequent first; O(values that have it, and values alike)."""
        self._forget_codes(words)
        chances = {each.called: each.chance for each in PERSONAL_NUMBERS}
        found = []
        for (kind, called), places in self._places.items():
            by_chance = chances.get(called, 0.0) * self._n_alike[called]
            if places and (called not in chances or _is_no_chance(self._n_valid[called], by_chance)):
                found.append(Inside(kind, called, int(counts[places].sum()), len(words) < len(counts)))
        return sorted(found, key=lambda each: (-each.n_rows, each.called))

    def _forget_codes(self, words: pa.StringArray) -> None:
        """Drop values such as 0123-456789 among codes of the same form: some of these begin with a 0."""
        phones = self._places.get(("phone", _CALLED["phone"]), [])
        if not self._alone:
            return
        digits = words.filter(pc.match_substring_regex(words, r"^[0-9 ()./-]+$"))
        shapes = pc.replace_substring_regex(digits, pattern="[0-9]", replacement="9")
        n_alike = pc.sum(pc.is_in(shapes, value_set=pa.array(set(self._alone.values()), pa.string()))).as_py()
        if not _is_no_chance(len(self._alone), _LEADING_ZERO * (n_alike or 0)):
            phones[:] = [place for place in phones if place not in self._alone]


def _is_no_chance(n_valid: int, by_chance: float) -> bool:
    """Whether clearly more numbers pass than would by chance; one that passes among one or two does."""
    return bool(n_valid > 2 * by_chance + 2 * by_chance**0.5)


@cache
def _number_forms() -> tuple[tuple[PersonalNumber, re.Pattern[str]], ...]:
    begin, end = r"(?<!\w)(?<!\w[-_])(?<!\d[./])", r"(?!\w)(?![-/]\w)(?!\.\d)"
    return tuple((each, re.compile(rf"{begin}(?:{each.form}){end}")) for each in PERSONAL_NUMBERS)


@cache
def _birth_forms() -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(form, re.I) for form in _BIRTH_FORMS)


def _births(text: str) -> Iterator[re.Match[str]]:
    for form in _birth_forms():
        yield from form.finditer(text)


def _is_birth(found: re.Match[str]) -> bool:
    """Whether letters in a date are the name of a month."""
    word = found["month"] or found["first"]
    return not word or is_month(word)
