"""Numbers that states and banks give to people, with their check digits."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

Ints = Sequence[int]
Random = np.random.Generator


def _digits(rng: Random, n_rows: int, n_digits: int) -> list[list[int]]:
    made: list[list[int]] = rng.integers(0, 10, (n_rows, n_digits)).tolist()
    for row in made:
        row[0] = row[0] or 1
    return made


def _text(digits: Ints) -> str:
    return "".join(map(str, digits))


def _weighted(digits: Ints, weights: Ints) -> int:
    return sum(digit * weight for digit, weight in zip(digits, weights, strict=False))


def luhn(digits: Ints) -> int:
    """The check digit of payment cards and Swedish personal numbers."""
    doubled = [
        sum(divmod(2 * digit, 10)) if place % 2 == 0 else digit for place, digit in enumerate(digits[::-1])
    ]
    return -sum(doubled) % 10


def _german_tax(digits: list[int]) -> str:
    digits = digits[:10]
    rest = 10
    for digit in digits:
        rest = ((digit + rest) % 10 or 10) * 2 % 11
    return _text(digits) + str((11 - rest) % 10)


def _french_insured(digits: list[int]) -> str:
    sex, year, month = 1 + digits[0] % 2, _text(digits[1:3]), digits[3] % 12 + 1
    body = f"{sex}{year}{month:02}{10 + digits[4]}{100 + digits[5] * 7:03}{_text(digits[6:9])}"
    return body + f"{97 - int(body) % 97:02}"


_SPANISH_LETTERS = "TRWAGMYFPDXBNJZSQVHLCKE"


def _spanish(digits: list[int]) -> str:
    if digits[8] == 0:  # one in ten is a foreigner
        start = digits[7] % 3
        number = _text(digits[:7])
        return "XYZ"[start] + number + _SPANISH_LETTERS[int(f"{start}{number}") % 23]
    number = _text(digits[:8])
    return number + _SPANISH_LETTERS[int(number) % 23]


_ITALIAN_ODD = dict(
    zip(
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ",
        [1, 0, 5, 7, 9, 13, 15, 17, 19, 21] * 2 + [2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23],
        strict=True,
    )
)


def _italian(digits: list[int]) -> str:
    consonants = "BCDFGLMNRS"
    letters = "".join(consonants[digit] for digit in digits[:6])
    day = 1 + digits[9] * 3 + (40 if digits[10] % 2 else 0)
    town = f"{'AFHL'[digits[10] % 4]}{digits[2]}0{digits[3]}"
    body = f"{letters}{_text(digits[7:9])}{'ABCDEHLMPR'[digits[6]]}{day:02}{town}"
    even = sum(int(sign) if sign.isdigit() else ord(sign) - 65 for sign in body[1::2])
    odd = sum(_ITALIAN_ODD[sign] for sign in body[::2])
    return body + chr(65 + (even + odd) % 26)


def _dutch(digits: list[int]) -> str:
    for last in range(10):
        check = _weighted(digits[:7], range(9, 2, -1)) + 2 * last
        if check % 11 < 10:
            return _text(digits[:7]) + str(last) + str(check % 11)
    raise AssertionError("one of ten digits leads to a check digit")


def _portuguese(digits: list[int]) -> str:
    digits = [1 + digits[0] % 2, *digits[1:8]]
    rest = _weighted(digits, range(9, 1, -1)) % 11
    return _text(digits) + str(0 if rest < 2 else 11 - rest)


def _british_health(digits: list[int]) -> str:
    for last in range(10):
        check = 11 - (_weighted(digits[:8], range(10, 2, -1)) + 2 * last) % 11
        if check != 10:
            return f"{_text(digits[:3])} {_text(digits[3:6])} {_text(digits[6:8])}{last}{check % 11}"
    raise AssertionError("one of ten digits leads to a check digit")


def _british_insurance(digits: list[int]) -> str:
    letters = "ABCEGHJKLM"
    pairs = [_text(digits[at : at + 2]) for at in (2, 4, 6)]
    return " ".join([letters[digits[0]] + letters[digits[1]], *pairs, "ABCD"[digits[8] % 4]])


def _american(digits: list[int]) -> str:
    return (
        f"{100 + int(_text(digits[:3])) % 565:03}-{1 + int(_text(digits[3:5])) % 99:02}-{_text(digits[5:9])}"
    )


def _day(digits: list[int]) -> tuple[int, int, int]:
    return 40 + int(_text(digits[:2])) % 60, 1 + digits[2] % 12, 1 + (digits[3] * 3) % 28


def _swedish(digits: list[int]) -> str:
    body = "{:02}{:02}{:02}".format(*_day(digits)) + _text(digits[4:7])
    return f"{body[:6]}-{body[6:]}{luhn([int(sign) for sign in body])}"


def _polish(digits: list[int]) -> str:
    body = "{:02}{:02}{:02}".format(*_day(digits)) + _text(digits[4:8])
    return body + str(-_weighted([int(sign) for sign in body], [1, 3, 7, 9] * 3) % 10)


def _brazilian(digits: list[int]) -> str:
    digits = digits[:9]
    for _ in range(2):
        digits = [*digits, (_weighted(digits, range(len(digits) + 1, 1, -1)) * 10) % 11 % 10]
    return f"{_text(digits[:3])}.{_text(digits[3:6])}.{_text(digits[6:9])}-{_text(digits[9:])}"


def _turkish(digits: list[int]) -> str:
    digits = digits[:9]
    tenth = (7 * sum(digits[::2]) - sum(digits[1::2])) % 10
    return _text([*digits, tenth, (sum(digits) + tenth) % 10])


def _japanese(digits: list[int]) -> str:
    digits = digits[:11]
    rest = _weighted(digits[::-1], [2, 3, 4, 5, 6, 7, 2, 3, 4, 5, 6]) % 11
    return _text([*digits, 0 if rest <= 1 else 11 - rest])


def _card(digits: list[int]) -> str:
    digits = [4, *digits[:14]]
    text = _text([*digits, luhn(digits)])
    return " ".join(text[at : at + 4] for at in range(0, 16, 4))


NATIONAL: dict[str, Callable[[list[int]], str]] = {
    "de": _german_tax,
    "fr": _french_insured,
    "es": _spanish,
    "it": _italian,
    "nl": _dutch,
    "pt": _portuguese,
    "nhs": _british_health,
    "nino": _british_insurance,
    "ssn": _american,
    "se": _swedish,
    "pl": _polish,
    "br": _brazilian,
    "tr": _turkish,
    "jp": _japanese,
    "card": _card,
}

_ACCOUNT_LENGTH = {"DE": 18, "FR": 23, "ES": 20, "NL": 10, "PT": 21, "IT": 22}


def national_ids(rng: Random, n_rows: int, kind: str, wrong: float) -> list[str]:
    """So many numbers of a kind; the check digit of the share ``wrong`` is not what it should be."""
    words = [NATIONAL[kind](digits) for digits in _digits(rng, n_rows, 14)]
    for row in np.flatnonzero(rng.random(n_rows) < wrong).tolist():
        last = words[row][-1]
        words[row] = words[row][:-1] + (
            str((int(last) + 1) % 10) if last.isdigit() else chr(65 + ord(last) % 26)
        )
    return words


def ibans(rng: Random, n_rows: int, country: str, *, spaced: bool = False) -> list[str]:
    """International bank account numbers with the check digits of ISO 13616."""
    words = []
    for digits in _digits(rng, n_rows, 24):
        account = _text(digits)[: _ACCOUNT_LENGTH[country]]
        account = f"INGB{account}" if country == "NL" else account
        spelled = "".join(str(int(sign, 36)) for sign in f"{account}{country}00")
        word = f"{country}{98 - int(spelled) % 97:02}{account}"
        words.append(" ".join(word[at : at + 4] for at in range(0, len(word), 4)) if spaced else word)
    return words
