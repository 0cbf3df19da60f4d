"""Numbers of persons, accounts and cards inside of texts: their forms, and how digits check the others."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from kanopy.content.identities import is_cpf, is_iban, is_iso_11_10, is_luhn, weighted

_IBAN_LENGTHS = (
    "AD24AE23AL28AT20AZ28BA20BE16BG22BH22BR29BY28CH21CR22CY28CZ24DE22DK18DO28EE20EG29ES24FI18FO18FR27GB22GE22GI23"
    "GL18GR27GT28HR21HU28IE22IL23IQ23IS26IT27JO30KW30KZ20LB28LC32LI21LT20LU20LV21LY25MC27MD24ME22MK19MR27MT31MU30"
    "NL18NO15PK24PL28PS29PT25QA29RO24RS22SA24SC31SE24SI19SK24SM27ST25SV28TL23TN24TR26UA29VA22VG24XK20"
)
_LENGTH_OF = {
    _IBAN_LENGTHS[at : at + 2]: int(_IBAN_LENGTHS[at + 2 : at + 4]) for at in range(0, len(_IBAN_LENGTHS), 4)
}
_LETTERS = "TRWAGMYFPDXBNJZSQVHLCKE"
_FINNISH = "0123456789ABCDEFHJKLMNPRSTUVWXY"
_ODD = dict(zip("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ", (
    1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14,
    16, 10, 22, 25, 24, 23,
), strict=True))  # fmt: skip
_CHINESE = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
_CALLED_SO = (
    r"ssn|social security(?: number)?|nino|national insurance|nhs(?: number)?|bsn|burgerservicenummer"
    r"|sofinummer|pesel"
    r"|nif|dni|cpf|cnp|oib|jmbg|aadhaar|curp|steuer-?id(?:nr)?|steuernummer|sozialversicherungsnummer|svnr"
    r"|rentenversicherungsnummer|t\.c\.(?: kimlik)?(?: no)?|kimlik no"
    r"|num[eé]ro de s[eé]curit[eé] sociale|n° ss"
    r"|personnummer|codice fiscale|rodné číslo|passport(?: no| number)?|reisepass(?:nummer)?|pasaporte"
    r"|passeport|ahv"
)


class PersonalNumber(NamedTuple):
    """A form of numbers; ``is_valid`` takes letters and digits, ``chance`` is how often others pass it."""

    kind: str
    called: str
    form: str
    is_valid: Callable[[str], bool]
    chance: float
    among_words: bool = False  # digits alone, which count only where there are words


def _is_day(month: int, day: int) -> bool:
    return 1 <= month <= 12 and 1 <= day <= 31


def _long_iban(text: str) -> bool:
    return is_iban(text[: _LENGTH_OF.get(text[:2].upper(), 0)])


def _card(text: str) -> bool:
    is_issued = re.match(r"4|5[1-5]|2[2-7]|3[47]|6(?:011|5|4[4-9])|35|62", text) is not None
    return is_issued and is_luhn(text) and len(set(text)) > 1


def _ssn(text: str) -> bool:
    return re.fullmatch(r"(?!000|666|9)\d{3}(?!00)\d{2}(?!0000)\d{4}", text) is not None


def _nino(text: str) -> bool:
    is_one = re.fullmatch(r"[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]\d{6}[A-D]", text) is not None
    return is_one and text[:2] not in ("BG", "GB", "NK", "KN", "TN", "NT", "ZZ")


def _tax_code(text: str) -> bool:
    text = text.upper()
    even = sum(int(sign, 36) - (10 if sign.isalpha() else 0) for sign in text[1:15:2])
    return chr(65 + (even + sum(_ODD[sign] for sign in text[:15:2])) % 26) == text[15]


def _dni(text: str) -> bool:
    text = text.upper()
    return _LETTERS[int(text[:-1].translate(str.maketrans("XYZ", "012"))) % 23] == text[-1]


def _nordic(text: str) -> bool:
    """Sweden, Denmark and Finland; in Finland an A stands for the century."""
    text = text[:-5] + text[-4:] if text[-5] == "A" else text
    six, last = text[-10:-4], text[-4:]
    if last.isdigit() and _is_day(int(six[2:4]), int(six[4:]) % 60) and is_luhn(six + last):
        return True
    is_day = _is_day(int(six[2:4]), int(six[:2]))
    return is_day and (last.isdigit() or _FINNISH[int(six + last[:3]) % 31] == last[3])


def _french(text: str) -> bool:
    number = text[:13].upper().replace("2A", "19").replace("2B", "18")
    months = (*range(1, 13), *range(20, 43), *range(50, 100))
    return number.isdigit() and int(number[3:5]) in months and 97 - int(number) % 97 == int(text[13:])


def _czech(text: str) -> bool:
    is_day = _is_day(int(text[2:4]) % 50 % 20, int(text[4:6]))
    return is_day and (len(text) == 9 or int(text) % 11 == 0)


def _swiss(text: str) -> bool:
    return (weighted(text, (1, 3) * 6) + int(text[12])) % 10 == 0


def _belgian(text: str) -> bool:
    number, check = int(text[:9]), int(text[9:])
    return check in (97 - number % 97, 97 - (2_000_000_000 + number) % 97)


def _chinese(text: str) -> bool:
    is_day = text[6:8] in ("19", "20") and _is_day(int(text[10:12]), int(text[12:14]))
    return is_day and "10X98765432"[weighted(text[:17], _CHINESE) % 11] == text[17].upper()


def _eleven(text: str) -> bool:
    """Poland, Turkey, Brazil and Germany."""
    numbers = list(map(int, text))
    if (
        _is_day(int(text[2:4]) % 20, int(text[4:6]))
        and weighted(text, (1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1)) % 10 == 0
    ):
        return True
    tenth = (7 * sum(numbers[:9:2]) - sum(numbers[1:8:2])) % 10
    if numbers[0] and tenth == numbers[9] and sum(numbers[:10]) % 10 == numbers[10]:
        return True
    twice = sorted(map(text[:10].count, set(text[:10])))
    is_german = numbers[0] != 0 and twice[-1] in (2, 3) and twice[-2] == 1 and is_iso_11_10(text)
    return is_german or is_cpf(text)


def _rut(text: str) -> bool:
    rest = 11 - weighted(text[-2::-1], (2, 3, 4, 5, 6, 7, 2, 3)) % 11
    return "0123456789K0"[10 if rest == 10 else rest] == text[-1].upper()


def _nhs(text: str) -> bool:
    return (weighted(text, (10, 9, 8, 7, 6, 5, 4, 3, 2)) + int(text[9])) % 11 == 0


_NATIONAL = "national id"
PERSONAL_NUMBERS = (
    PersonalNumber(
        "iban", "IBANs",
        r"[A-Z]{2}[0-9]{2}(?: ?[A-Z0-9]){11,30}|[a-z]{2}[0-9]{2}[a-z0-9]{11,30}", _long_iban, 0.01,
    ),
    PersonalNumber(
        "payment card", "numbers of payment cards",
        r"[2-6][0-9]{3}(?: [0-9]{4}){3}|[2-6][0-9]{3}(?:-[0-9]{4}){3}"
        r"|3[47][0-9]{2}[ -][0-9]{6}[ -][0-9]{5}",
        _card, 0.1,
    ),
    PersonalNumber("payment card", "numbers of payment cards", r"[2-6][0-9]{14,15}", _card, 0.1, True),
    PersonalNumber(
        _NATIONAL, "numbers of persons",
        rf"(?i:(?:{_CALLED_SO})[ .:#=]{{0,4}}[A-Z]{{0,3}}[0-9][0-9./ -]{{5,16}}[0-9][A-Z]?)",
        lambda text: 9 <= sum(map(str.isdigit, text)) <= 15, 0.0,
    ),
    PersonalNumber(_NATIONAL, "US social security numbers", r"[0-9]{3}-[0-9]{2}-[0-9]{4}", _ssn, 0.0),
    PersonalNumber(_NATIONAL, "UK national insurance numbers", r"[A-Z]{2} ?(?:[0-9]{2} ?){3}[A-Z]",
                   _nino, 0.1),
    PersonalNumber(
        _NATIONAL, "Italian tax codes",
        r"(?i:[A-Z]{6}[0-9]{2}[A-Z][0-9]{2}[A-Z][0-9]{3}[A-Z])", _tax_code, 0.04,
    ),
    PersonalNumber(
        _NATIONAL, "Spanish identity numbers", r"(?:[0-9]{8}-?|[XYZ]-?[0-9]{7}-?)[A-Z]", _dni, 0.05
    ),
    PersonalNumber(
        _NATIONAL, "Nordic personal numbers", r"(?:19|20)?[0-9]{6}[-+A][0-9]{3}[0-9A-Y]", _nordic, 0.1
    ),
    PersonalNumber(
        _NATIONAL, "Brazilian tax numbers", r"[0-9]{3}\.[0-9]{3}\.[0-9]{3}-[0-9]{2}", is_cpf, 0.01
    ),
    PersonalNumber(
        _NATIONAL, "French social security numbers",
        r"[12] ?[0-9]{2} ?[0-9]{2} ?[0-9][0-9AB] ?[0-9]{3} ?[0-9]{3} ?[0-9]{2}", _french, 0.01,
    ),
    PersonalNumber(_NATIONAL, "Czech birth numbers", r"[0-9]{6}/[0-9]{3,4}", _czech, 0.1),
    PersonalNumber(_NATIONAL, "Swiss AHV numbers", r"756\.[0-9]{4}\.[0-9]{4}\.[0-9]{2}", _swiss, 0.1),
    PersonalNumber(
        _NATIONAL, "Belgian national numbers", r"(?:[0-9]{2}\.){2}[0-9]{2}-[0-9]{3}\.[0-9]{2}", _belgian, 0.02
    ),
    PersonalNumber(_NATIONAL, "Chinese identity numbers", r"[1-9][0-9]{16}[0-9X]", _chinese, 0.01),
    PersonalNumber(
        _NATIONAL, "Korean registration numbers", r"[0-9]{6}-[1-8][0-9]{6}",
        lambda text: _is_day(int(text[2:4]), int(text[4:6])), 0.04,
    ),
    PersonalNumber(
        _NATIONAL, "Chilean identity numbers", r"[0-9]{1,2}\.[0-9]{3}\.[0-9]{3}-[0-9Kk]", _rut, 0.1
    ),
    PersonalNumber(_NATIONAL, "NHS numbers", r"[0-9]{3} [0-9]{3} [0-9]{4}", _nhs, 0.1),
    PersonalNumber(
        _NATIONAL, "Polish, Turkish, German, Brazilian person numbers", r"[0-9]{11}", _eleven, 0.04, True
    ),
    PersonalNumber(
        _NATIONAL, "German tax numbers", r"[0-9]{2} [0-9]{3} [0-9]{3} [0-9]{3}",
        lambda text: _eleven(text) and is_iso_11_10(text), 0.01,
    ),
)  # fmt: skip
