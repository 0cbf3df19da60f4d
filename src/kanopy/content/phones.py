"""Telephone numbers inside of texts, as people of many countries write them."""

from __future__ import annotations

import re
from collections.abc import Iterator

_WORDS = (
    r"\b(?:tel(?:[eé](?:ph|f)[oó]+n[oe]?|efonnummer|efoonnummer)?|tlf|tfno|tfn|tf|ph(?:one)?|fon[eo]?"
    r"|mob(?:ile?|il)?"
    r"|mobilfunk|mobilnummer|mobiel|handy(?:nummer)?|rufnummer|durchwahl|cell(?:phone|ular|ulare)?"
    r"|m[oó]vil|portable"
    r"|gsm|cep|telefonu?|kom(?:[oó]rka)?|fax|whatsapp|signal|sms|hotline|call(?:ed|s)?(?: back)?|ring"
    r"|rückruf|dial"
    r"|appeler|llamar|chiamare|bellen|ligar|тел|телефон|моб|τηλ)\b|電話|携帯|电话|電話番号|手机|手機|전화"
    r"|휴대폰|هاتف"
)
_BETWEEN = (
    r"(?:no|nr|num|nummer|number|numer|num[eéè]ro|número|telefonu|is|ist|est|es|è|at|au|al|unter|auf"
    r"|under|on|us"
    r"|her|him|me|privat|private|home|work|office|dienstlich|büro|mobile|mobil|phone|ext)"
)
_CALLED = re.compile(rf"(?:{_WORDS})\W{{0,3}}(?:{_BETWEEN}\b\W{{0,3}}){{0,2}}$", re.I)
_OF_A_THING = re.compile(
    r"(?:\b(?:n[or]|num|number|nummer|numero|order|bestellung|bestellnummer|commande|pedido|ordine"
    r"|invoice|rechnung"
    r"|facture|factura|fattura|article|artikel|art|item|part|product|produkt|sku|ref|reference|referenz"
    r"|id|code|lot"
    r"|batch|charge|chargen|charge[- ]?nr|serial|serie|sn|ean|gtin|isbn|issn|doi|pmid|pzn|ndc|case"
    r"|ticket|version|ver"
    r"|build|rev|release|vin|barcode|range|from|ip|plz|zip|postcode|konto|account|file|akte|az)|#|№"
    r"|°)\W{0,4}$",
    re.I,
)
# Groups of digits with little between them. Two numbers side by side are one such run: parts of it are tried.
RUN = re.compile(
    r"(?<![\w#$€£¥])(?<!\d[.,:])(?<!\w[\-_])[+(]{0,2}\d(?:[ ()./\-+]{0,3}\d){5,29}(?!\w)(?![.,]\d)"
)
_GROUP = re.compile(r"([^\d]*)(\d+\)?)")
_GAP = r"(?: ?[-/.] ?|\) ?[-/]? ?| )"
_TRUNK = rf"0[1-9]\d{{0,4}}{_GAP}\d{{2,8}}(?:[ ./-]\d{{2,5}}){{0,4}}"
_AS_PEOPLE_WRITE = (
    r"\+[ ]?[1-9][\d ()./-]+|00[ -]?[1-9][\d ()./-]*[ ()./-][\d ()./-]+"  # with the code of the country
    rf"|{_TRUNK}|\(0\d{{1,5}}\) ?[-/]? ?\d{{2,8}}(?:[ -]\d{{2,8}}){{0,3}}"  # with a 0 in front of the area
    r"|(?:1[-. ])?(?:\([2-9]\d\d\) ?|[2-9]\d\d[-.])[2-9]\d\d[-. ]\d{4}"  # North America
    r"|\([1-9]\d\) ?9?\d{4}[- ]\d{4}|\([1-9]\d\) ?\d{3}[ -]\d\d[ -]\d\d"  # Brazil and Mexico, Poland
    r"|8[ -]?\(?\d{3}\)?[ -]\d{3}[ -]\d\d[ -]\d\d|0 [1-9]\d\d \d{3} \d\d \d\d"  # Russia, Turkey
)
"""Nothing else is usually written like this."""
_AMONG_WORDS = (
    r"0[1-9]\d{8,10}|00[1-9]\d{8,12}|491[5-7]\d{8,9}|33[67]\d{8}|447\d{9}|48[5-8]\d{8}|905\d{9}|393\d{8,9}"
    r"|34[67]\d{8}|316\d{8}|417\d{8}|436\d{9,11}|919\d{9}|3519\d{8}"  # mobile phones, without + and gaps
    r"|[679]\d\d \d\d \d\d \d\d|[2-9]\d\d(?:-\d{3}-|\.\d{3}\.)\d{3}|[2-9]\d\d [2-9]\d\d \d{4}"
    r"|1[3-9]\d[ -]?\d{4}[ -]?\d{4}|[6-9]\d{4}[ -]\d{5}|3[2-9]\d[ ./-]\d{3} ?\d{3,4}"
    r"|[1-9]\d 9?\d{4}-\d{4}|5\d\d \d{3} \d\d \d\d"
)
"""Other numbers are written like this, too, but seldom in a sentence."""
_ALONE_IN_REMARKS = r"[4-9]\d\d \d{3} \d{3}"
_DATE = re.compile(
    r"(?<!\d)(?<!\d[./-])(?:\d{1,2}([./-]) ?\d{1,2}\1 ?(?:19|20)?\d\d|(?:19|20)\d\d([./-])\d{1,2}\2\d{1,2}"
    r"|(?:19|20)\d\d ?[-/ ] ?(?:19|20)\d\d)(?![./-]?\d)"
)
_SHORT_OR_DATE = re.compile(rf"(?:(?<!\d)\d{{1,2}}|{_DATE.pattern})$")
_PACKAGE = re.compile(r"\d{4}-\d{4}-\d\d|\d{5}-\d{3,4}-\d\d|\d+\.\d+")  # numbers of drugs, and decimal ones
_UNIT_BEHIND = re.compile(
    r"\s?(?:[%°€$£µ]|(?:eur|euro|usd|gbp|chf|pln|kg|g|mg|mcg|ml|l|mm|cm|m|km|kcal|iu|ie|ui|units?|einheiten"
    r"|pcs|stk|stück|steps|copies)\b)",
    re.I,
)
_MOST_GROUPS = 9


def has_phone(text: str, *, is_remark: bool) -> bool:
    """Whether a telephone number stands in a text, which is, or is one of, remarks; O(characters)."""
    return any(_is_in_run(text, run, is_remark=is_remark) for run in RUN.finditer(text))


def _is_in_run(text: str, run: re.Match[str], *, is_remark: bool) -> bool:
    """Whether some neighbouring groups of digits are one, those that fit what stands around."""
    before = text[max(run.start() - 40, 0) : run.start()]
    is_called, behind = _CALLED.search(before) is not None, text[run.end() : run.end() + 12]
    if _UNIT_BEHIND.match(behind) or (not is_called and _OF_A_THING.search(before)):
        return False
    if is_called and _may_be_dialled(run[0]):
        return True
    is_alone = run[0] == text
    for part, is_first in _parts(run[0]):
        n_digits = sum(map(str.isdigit, part))
        if not 9 <= n_digits <= 17 or _DATE.search(part) or _PACKAGE.fullmatch(part.lstrip("+")):
            continue
        if re.fullmatch(_AS_PEOPLE_WRITE, part) and _has_length(part, n_digits):
            return True
        if is_remark and is_first and re.fullmatch(_AMONG_WORDS, part):
            return True
        if is_remark and is_alone and re.fullmatch(_ALONE_IN_REMARKS, part):
            return True
    return False


def _parts(run: str) -> Iterator[tuple[str, bool]]:
    """Neighbouring groups of a run that a blank, or its end, sets apart, and whether they begin it.

    In front of those that do not begin it stands a date, a number of two digits, or more than a blank.
    """
    groups = list(_GROUP.finditer(run))[:_MOST_GROUPS]
    for first, group in enumerate(groups):
        is_apart = group[1] == " " and _SHORT_OR_DATE.search(run[: group.start()])
        if first and not is_apart and not re.search(r".[ (+]|[(+]", group[1]):
            continue
        start = group.start() + re.match(r"[^+(]*(?=[+(])|\D*", group[1]).end()  # type: ignore[union-attr]
        for last in range(len(groups) - 1, first - 1, -1):
            if last == len(groups) - 1 or re.search(r"[ (+]", groups[last + 1][1]):
                yield run[start : groups[last].end()], not first


def _has_length(part: str, n_digits: int) -> bool:
    """Whether numbers of this form have so many digits: those of a country 9 to 11, German mobiles 12."""
    digits = re.sub(r"\D", "", part)
    if part[0] == "+" or digits.startswith("00"):
        n_national = n_digits - (0 if part[0] == "+" else 2)
        is_long = n_national >= (9 if re.search(r"\d\D+\d", part) else 10)
        return n_national == 11 if digits.lstrip("0")[0] == "1" else is_long and n_national <= 15
    if digits[0] == "0":
        return n_digits <= 11 or (n_digits == 12 and re.match(r"01[5-7]", digits) is not None)
    return True


def _may_be_dialled(run: str) -> bool:
    """Whether this is a number behind a word such as *tel.*, and no date: there, seven digits are enough."""
    n_digits = sum(map(str.isdigit, run))
    return n_digits >= (6 if re.search(r"\d\D+\d", run) else 7) and not _DATE.search(run)


# What the values that are worth a closer look have, for searches that look neither around nor back.
_NINE_DIGITS = r"[0-9](?:[ ()./+-]{0,3}[0-9]){8}"
_BEGIN = r"(?:^|[^0-9A-Za-z_.,:-]|[^0-9][.,:]|[^0-9A-Za-z_]-)"
DATES = (
    r"\b(?:[0-9]{1,2}[./-] ?[0-9]{1,2}[./-] ?(?:19|20)[0-9]{2}"
    r"|(?:19|20)[0-9]{2}[./-][0-9]{1,2}[./-][0-9]{1,2})\b"
)
CALLED_PHONE = (rf"(?i)(?:{_WORDS})[^0-9\n]{{0,30}}[0-9]".replace(r"\b", ""),)
LIKE_PHONE = (_NINE_DIGITS, rf"{_BEGIN}(?:{_AS_PEOPLE_WRITE})")
LIKE_PHONE_AMONG_WORDS = (rf"(?:^|[^0-9])(?:{_AMONG_WORDS}|{_ALONE_IN_REMARKS})(?:[^0-9]|$)",)
