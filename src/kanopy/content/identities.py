"""Texts that identify people by their form: addresses of all kinds, numbers of accounts and phones."""

from __future__ import annotations

import re
from collections.abc import Callable

from kanopy.content.sample import Sample

EMAIL = re.compile(r"[^@\s,;<>]+@[^@\s,;<>]+\.[a-zA-Z]{2,}")
_URL = re.compile(
    r"(?:https?://|www\.)\S+|[a-z0-9.-]+\.(?:com|org|net|de|fr|es|it|nl|pt|eu|io|uk)(?:/\S*)?", re.I
)
_NETWORK = re.compile(
    r"(?:\d{1,3}\.){3}\d{1,3}(?::\d+)?|(?:[0-9a-fA-F]{2}[:-]){5}[0-9a-fA-F]{2}"
    r"|(?=.*::|(?:.*:){7})[0-9a-fA-F:]{3,39}"
)
_UUID = re.compile(r"\{?[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}\}?")
_HASH = re.compile(r"(?=.*\d)(?=.*[a-fA-F])[0-9a-fA-F]{16,128}")
_PLATE = re.compile(
    r"[A-Z]{2,3}[- ]?\d{2,4}[- ]?[A-Z]{2,3}|\d{4}[- ]?[B-DF-HJ-NP-TV-Z]{3}"
    r"|[A-ZÄÖÜ]{1,3}[- ][A-Z]{1,2}[- ]?\d{1,4}[EH]?"
)
_IBAN = re.compile(r"[A-Z]{2}\d{2}[A-Z0-9]{11,30}")
_PHONE = re.compile(r"(?:\+|00)?[\d ()/.\-]{7,22}")
_PHONE_SIGNS = re.compile(r"[ ()/.\-]")
_PHONE_WORDS = re.compile(r"(?:tel|fon|phone|mobil|ext)\b\.?:?", re.I)
_ADDRESS = re.compile(
    r"\d{1,5}[a-zA-Z]?(?:[ ,]+[\w.'’\-]+){1,5}|[^\W\d][\w.'’\- ]{3,40}[ ,]+\d{1,4} ?[a-zA-Z]?(?:[ ,/].*)?"
)
_STREETS = (  # compiled when a text has the form of an address
    r"(?i)\b(?:street|st|road|rd|avenue|ave|lane|ln|drive|dr|court|ct|way|place|boulevard|blvd|square|rue|av|impasse|"
    r"chemin|quai|calle|c|avda|avenida|paseo|plaza|via|viale|piazza|corso|rua|travessa|largo|straat|laan|weg|plein|"
    r"gracht|ulica|ul|gatan|vägen|allee|gasse|platz|ring|damm|ufer)\b\.?|(?:straße|strasse|str|weg|gasse|allee|platz|"
    r"straat|laan|gatan|gracht)\b\.?"
)


def is_iban(text: str) -> bool:
    """Whether it is the number of a bank account, blanks aside: what is left of it divided by 97 is 1."""
    compact = re.sub(r"[ -]", "", text).upper()
    if not _IBAN.fullmatch(compact):
        return False
    return int("".join(str(int(sign, 36)) for sign in compact[4:] + compact[:4])) % 97 == 1


def weighted(digits: str, weights: tuple[int, ...]) -> int:
    """The sum of the digits times their weights, as far as there are any."""
    return sum(int(digit) * weight for digit, weight in zip(digits, weights, strict=False))


def is_luhn(digits: str) -> bool:
    """Whether the last digit checks the others as on payment cards."""
    doubled = [int(digit) * (1 + place % 2) for place, digit in enumerate(reversed(digits))]
    return sum(number - 9 * (number > 9) for number in doubled) % 10 == 0


def is_iso_11_10(digits: str) -> bool:
    """Whether the last digit checks the others as ISO 7064 says, modulo 11 and 10."""
    product = 10
    for digit in digits[:-1]:
        product = (int(digit) + product - 1) % 10 + 1
        product = product * 2 % 11
    return (11 - product) % 10 == int(digits[-1])


def _nif(digits: str) -> bool:
    rest = weighted(digits[:8], (9, 8, 7, 6, 5, 4, 3, 2)) % 11
    return int(digits[8]) == (0 if rest < 2 else 11 - rest)


def is_cpf(digits: str) -> bool:
    """Whether the last two of eleven digits check the others as in Brazil."""
    for length in (9, 10):
        rest = weighted(digits[:length], tuple(range(length + 1, 1, -1))) * 10 % 11 % 10
        if rest != int(digits[length]):
            return False
    return len(set(digits)) > 1


# By form alone, because nothing else looks like it; compiled when texts are long enough for one of them
_FORMS = {
    "US social security numbers": r"(?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4}",
    "UK national insurance numbers": r"[A-CEGHJ-PR-TW-Z]{2} ?(?:\d{2} ?){3}[A-D]",
    "Italian tax codes": r"(?i)[A-Z]{6}\d{2}[A-EHLMPRST]\d{2}[A-Z]\d{3}[A-Z]",
    "Spanish identity numbers": r"(?i)(?:\d{8}|[XYZ]\d{7})[- ]?[A-Z]",
    "Nordic personal numbers": r"(?:19|20)?\d{2}[01]\d[0-7]\d[-+A]\d{3}[\dA-Y]",
    "Brazilian tax numbers": r"\d{3}\.\d{3}\.\d{3}-\d{2}",
    "French social security numbers": (
        r"[12] ?\d{2} ?(?:0[1-9]|1[0-2]|[2-9]\d) ?[\dAB]{2} ?\d{3} ?\d{3}(?: ?\d{2})?"
    ),
}
_SHORTEST = 9  # characters of a text that has one of these forms
# Digits alone: most of them must have the right check digit
_CHECKED: dict[str, tuple[int, Callable[[str], bool]]] = {
    "Dutch citizen numbers": (
        9,
        lambda d: (weighted(d[:8], (9, 8, 7, 6, 5, 4, 3, 2)) - int(d[8])) % 11 == 0,
    ),
    "Portuguese tax numbers": (9, _nif),
    "NHS numbers": (10, lambda d: (weighted(d, (10, 9, 8, 7, 6, 5, 4, 3, 2)) + int(d[9])) % 11 == 0),
    "Polish personal numbers": (11, lambda d: weighted(d, (1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1)) % 10 == 0),
    "German tax numbers": (11, is_iso_11_10),
    "Turkish identity numbers": (11, lambda d: sum(map(int, d[:10])) % 10 == int(d[10])),
    "Brazilian tax numbers": (11, is_cpf),
    "payment cards": (16, is_luhn),
}


def _is_phone(text: str) -> bool:
    text = _PHONE_WORDS.sub("", text).strip()
    digits = re.sub(r"\D", "", text)
    if not _PHONE.fullmatch(text) or not 7 <= len(digits) <= 15:
        return False
    return (
        text[0] == "+"
        or text.startswith("00")
        or (text[0] in "0(" and len(digits) >= 8)
        or _has_phone_signs(text)
    )


def _has_phone_signs(text: str) -> bool:
    signs = _PHONE_SIGNS.findall(text.strip())
    return len(signs) >= 2 and not re.fullmatch(r"[\d.]+|[\d ]+|\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}.*", text)


def _is_address(text: str) -> bool:
    return _ADDRESS.fullmatch(text) is not None and re.search(_STREETS, text) is not None


_KINDS: tuple[tuple[str, str, float, Callable[[str], object]], ...] = (
    # Kind, what messages call it, the share of values that is enough, how it is told
    ("email", "e-mail addresses", 0.1, EMAIL.search),
    ("iban", "IBANs", 0.5, is_iban),
    ("url", "addresses of web pages", 0.5, _URL.fullmatch),
    ("network address", "addresses of computers", 0.8, _NETWORK.fullmatch),
    ("key", "UUIDs", 0.8, _UUID.fullmatch),
    ("key", "hashes", 0.8, _HASH.fullmatch),
    ("key", "licence plates", 0.8, _PLATE.fullmatch),
    ("address", "street addresses", 0.5, _is_address),
    ("phone", "phone numbers", 0.7, _is_phone),
)


def identity_form(sample: Sample) -> tuple[str, str] | None:
    """The kind of identifier that most values have the form of, and the evidence; O(values * kinds)."""
    *kinds, phones = _KINDS
    for kind, called, enough, is_one in kinds:
        if (found := sample.share(is_one)) >= enough:
            return kind, f"{found:.0%} of the values hold {called}"
    forms = _FORMS if sample.share(lambda text: len(text) >= _SHORTEST) >= 0.8 else {}
    for called, form in forms.items():
        if (found := sample.share(re.compile(form).fullmatch)) >= 0.8:
            return "national id", f"{found:.0%} of the values have the form of {called}"
    digits = [re.sub(r"[ .-]", "", text) for text in sample.texts]
    for called, (length, is_valid) in _CHECKED.items():
        alike = [text for text in digits if len(text) == length and text.isdecimal() and text.isascii()]
        if 2 * len(alike) >= len(digits) and (found := sum(map(is_valid, alike)) / len(digits)) >= 0.5:
            return "national id", f"{found:.0%} of the values have the check digit of {called}"
    kind, called, enough, is_one = phones
    found = sample.share(is_one)
    return (kind, f"{found:.0%} of the values have the form of {called}") if found >= enough else None
