"""Identifiers inside of texts: phones of many countries, accounts, cards, persons, births; what is none."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from effort import one_in

from kanopy.content import content_of
from kanopy.content.inside import identifiers_inside

PHONES = [
    "+49 171 1234567", "+49 (0) 171 1234567", "+49 (0)30/123456-0", "0049 171 1234567", "0171/1234567",
    "0171 1234567", "0171-1234567", "030 12345678", "(030) 123456", "0711/123 45 67", "+43 664 1234567",
    "0664 1234567", "+41 79 123 45 67", "079 123 45 67", "044 668 18 00", "06 12 34 56 78",
    "06.12.34.56.78", "01-42-68-53-00", "+33 6 12 34 56 78", "0033 6 12 34 56 78", "+33612345678",
    "+44 7700 900123", "07700 900123", "020 7946 0958", "(020) 7946 0958", "01632 960001",
    "+1 212 555 0123", "+1 (212) 555-0123", "(212) 555-0123", "212-555-0123", "212.555.0123",
    "1-212-555-0123", "(02) 9374 4000", "0412 345 678", "+61 2 9374 4000", "090-1234-5678", "03-1234-5678",
    "+81 90 1234 5678", "010-1234-5678", "+82 10-1234-5678", "+48 601 234 567", "(22) 123 45 67",
    "0532 123 45 67", "+90 532 123 45 67", "0 532 123 45 67", "+34 612 34 56 78", "+34 912 345 678",
    "06 1234 5678", "+39 347 1234567", "+39 02 12345678", "06-12345678", "020 123 4567", "+31 6 12345678",
    "+32 475 12 34 56", "0475 12 34 56", "+46 70 123 45 67", "070-123 45 67", "08-123 456 78",
    "+45 12 34 56 78", "+47 22 12 34 56", "+358 40 123 4567", "040 123 4567", "+351 912 345 678",
    "(11) 91234-5678", "+55 11 91234-5678", "(55) 1234 5678", "+52 55 1234 5678", "8 (495) 123-45-67",
    "8 912 345-67-89", "+7 912 345 67 89", "+86 138 1234 5678", "+91 98765 43210", "098765 43210",
    "+36 30 123 4567", "06 30 123 4567", "+420 601 234 567", "+30 694 123 4567", "+972 50-123-4567",
    "050-123-4567", "+27 82 123 4567", "+353 86 123 4567", "+65 9123 4567", "+20 10 1234 5678",
    "Tel. 4711-22 33", "tel 601 234 567", "tel.: 22 12 34 56", "phone no. 555-0123", "mob: 9876543210",
    "call 5550123", "Handy 01711234567", "电话 138 1234 5678", "+49\u2011171\u00a01234567",
    "call mother 01711234567 later", "please ring the son 491711234567 tonight",
    "spoke with daughter, 612 34 56 78", "brother lives abroad 601-234-567",
    "moved; 0171/1234567, 2nd visit 12.03.2020", "seen 12.03.2020 0171/1234567",
    "0171/1234567 / 030 123456", "mother:0171/1234567", "Tel.0171/1234567", "(0171)1234567",
    "+49-171-1234567", "+49/171/1234567", "+41 (0)79 123 45 67",
    "０９０－１２３４－５６７８",
]  # fmt: skip
OTHERS = {
    "iban": [
        "DE89 3704 0044 0532 0130 00", "iban DE89370400440532013000 BIC COBADEFFXXX",
        "GB82 WEST 1234 5698 7654 32", "pays from NL91ABNA0417164300", "de89370400440532013000",
    ],
    "payment card": [
        "4111 1111 1111 1111", "Visa 5555-5555-5555-4444 exp 12/27", "paid by card 4012888888881881 today",
        "3782 822463 10005",
    ],
    "national id": [
        "078-05-1120", "SSN 219099999", "AB123456C", "NINO AB 12 34 56 C", "RSSMRA85T10A562S", "12345678Z",
        "X1234567L", "811228-9874", "131052-308T", "010180-1234", "529.982.247-25",
        "1 85 05 78 006 084 91", "756.9217.0769.85", "85.07.30-033.28", "11010519491231002X",
        "850101-1234567", "943 476 5919", "the PESEL is 44051401359 ok",
        "client number 10000000146 was told", "BSN 111222333", "12.345.678-5",
    ],
    "birth date": [
        "born 12.3.1980", "geb. 12.3.1980", "Müller, geb. 1.2.80", "née le 12/03/1980",
        "né le 12 mars 1980", "ne le 12/03/1980", "nacido el 12/03/1980", "nacida 12 de marzo de 1980",
        "nata il 12/03/1980", "ur. 12.03.1980", "doğum tarihi: 12.03.1980", "12.03.1980 doğumlu",
        "DOB: 1980-03-12", "d.o.b. 03/12/1980", "born on March 12, 1980", "born 12th of March 1980",
        "geboren am 12. März 1980", "*12.03.1980", "nascido em 12/03/1980", "född 1980-03-12",
        "род. 12.03.1980 г.р.", "1980年3月12日生まれ", "出生日期：1980-03-12", "nar. 12.3.1980",
        "szül. 1980.03.12",
        "birth date 1980/03/12",
    ],
    "email": [
        "call a@b.org now",
    ],
}  # fmt: skip
NOTHING = [
    "12.03.2020", "01.03.2020", "01/03/2020", "2020-03-01", "01-03-2020 10", "01.03.2020 10:30",
    "2010-2015", "2010/2011", "1999 2000", "0800-1700", "08:00-17:00", "01234", "010115", "12345678",
    "0123456789", "00123456789", "4006381333931", "978-3-16-148410-0", "ISBN 0-306-40615-2", "0317-8471",
    "192.168.100.101", "010.020.030.040", "1.2.3.4", "10.0.19045.3570", "3.141592653589793",
    "0.123456789012", "0123456.789", "-0.1278, 51.5074", "48.137154, 11.576124", "1 234 567,89",
    "1,234,567.89", "1.234.567,89", "601 234 567", "12 345 678 Euro", "123 456 789 kg", "0171 1234567 EUR",
    "120 80 70", "120/80 mmHg, 98.6", "5 10 15 20 25 30", "100 200 300 400", "E11.9", "M54.5", "C50.911",
    "I10.00, J44.1", "0173-0682-00", "00173-0682-20", "50242-040-62", "58-08-2", "200-001-8",
    "A-0171-123456", "P100000123456", "0171-123456A", "AB-0171/123456", "SKU 0171-123456",
    "order 0171 1234567", "lot no 0301 234567", "Artikel 0815 471147", "Bestellnr. 01711234567",
    "ref 030-1234567", "#0171-1234567", "v01.02.03.0405", "2019-01-01 2019-12-31", "01.01.2019-31.12.2019",
    "01.01.-31.12.2019", "width 0100-0200 mm", "0.5-1.5 ng/ml 0.25", "1e-10", "+5", "+12345678",
    "-123456789012", "+0.25", "+1234567.89", "8:00 to 16:30", "30-50 mg 3x, 10-20", "90210-1234",
    "SW1A 1AA", "12-345-67", "1234-5678", "550e8400-e29b-41d4-a716-446655440000",
    "d41d8cd98f00b204e9800998ecf8427e", "100-200-300", "weight 78 kg, height 178, bp 130/85",
    "pulse 72 72 71 70 69", "patient seen 3 times in 2019 and 2020", "dose 1-0-1, 500 mg until 30.04.2021",
    "room 0123", "took 1200000 steps", "cell count 1200000", "tel", "call 911 in 2019-2020",
    "phone since 01.01.2015", "GRCh38 chr1:12345678-12345999", "3 x 10000000 units", "GSE0123456789",
    "0-1-2-3-4-5-6-7-8-9", "seen 12.03.2020", "12.03.2020", "1980-03-12",
    "admitted on 12.3.2020, discharged 15.3.2020", "born in Berlin", "born at 38 weeks",
    "birth weight 3200 g", "geb. Müller", "* 12", "3*12.5", "b.12", "natal 3 days", "1234 5678 9012 3456",
    "4111 1111 1111 1112", "DE89 3704 0044 0532 0130 01", "DE00 is not", "AB 12 of the list", "AB123456E",
    "123-45-678", "000-12-3456", "12345678A", "12345678-1", "2020-01-01-1234", "ABCDEF12A34B567C",
    "E11.9 with I10.00", "M4 screws 100", "x@y", "me@home", "@channel 2019", "5 mg @ 12.5", "P1234567",
    "44051401358", "44051401359", "10000000146", "123 456 789 012", "ISO 9001:2015", "GMP 21 CFR 211.100",
    "HbA1c 7.2, LDL 130, BP 120/80", "2019/2020", "km 12.345.678", "LOT-44051401359",
]  # fmt: skip
REMARKS = [
    f"{who} {what}" for who in ("knee", "hip", "left arm") for what in ("hurts", "is better", "was seen")
]


def kinds_in(*texts: str) -> list[str]:
    words = pa.array(texts, pa.string())
    return [each.kind for each in identifiers_inside(words, np.ones(len(texts), np.int64))]


@pytest.mark.parametrize("text", PHONES)
def test_phone_numbers_as_people_write_them(text: str) -> None:
    assert kinds_in(text) == ["phone"]
    assert kinds_in(*REMARKS, f"please {text} soon") == ["phone"]


@pytest.mark.parametrize("text", [text for (text,) in one_in(3, PHONES)])
def test_phone_numbers_alone_in_a_column_of_remarks(text: str) -> None:
    assert kinds_in(*REMARKS, text) == ["phone"]


@pytest.mark.parametrize(("text", "kind"), [(text, kind) for kind, texts in OTHERS.items() for text in texts])
def test_other_identifiers(text: str, kind: str) -> None:
    assert kinds_in(text) == [kind]
    assert kinds_in(*REMARKS, f"see {text} above") == [kind]


@pytest.mark.parametrize("text", NOTHING)
def test_what_identifies_nobody(text: str) -> None:
    assert kinds_in("A-17", text, "B-18") == []


@pytest.mark.parametrize("text", [text for (text,) in one_in(3, NOTHING)])
def test_what_identifies_nobody_alone(text: str) -> None:
    assert kinds_in(text) == []


def test_a_run_of_digits_is_a_phone_number_where_words_are_around_it() -> None:
    for digits in ("01711234567", "491711234567", "0612345678", "07700900123"):
        assert kinds_in(digits) == []
        assert kinds_in(*REMARKS, digits) == ["phone"]
        assert kinds_in(f"the mother has {digits}") == ["phone"]
        assert kinds_in(f"article no. {digits} ordered") == []


def test_codes_of_which_some_look_like_phone_numbers() -> None:
    codes = [f"{place * 7919 % 10_000:04}-{place * 104729 % 1_000_000:06}" for place in range(500)]
    assert sum(code.startswith("0") for code in codes) > 20
    assert kinds_in(*codes) == []


def test_check_digits_that_fit_by_chance() -> None:
    orders = [f"we sent order {10**10 + 7919 * place} last week" for place in range(500)]
    assert kinds_in(*orders) == []
    cards = [f"paid with {4000 + place} {place * 7919 % 10_000:04} 1234 5678" for place in range(500)]
    assert kinds_in(*cards) == []
    letters = "TRWAGMYFPDXBNJZSQVHLCKE"
    assert kinds_in(*(f"{place * 7919:08}{letters[place * place % 23]}" for place in range(500))) == []


def test_one_value_among_very_many_is_found_and_rows_are_counted() -> None:
    texts = [f"visit {place} went well, and nothing else was seen." for place in range(30_000)]
    counts = np.full(len(texts) + 2, 3, dtype=np.int64)
    found = content_of(pa.array([*texts, "call 0171/1234567", "or write to a@b.org"], pa.string()), counts)
    assert (found.kind, found.certainty, found.is_inside) == ("email", "sure", True)
    assert found.evidence == "e-mail addresses in 3, phone numbers in 3 of 90,006 rows"


def test_where_many_values_have_one_not_all_are_looked_at() -> None:
    texts = [f"call 0171/{1_000_000 + place}" for place in range(12_000)]
    (found,) = identifiers_inside(pa.array(texts, pa.string()), np.ones(len(texts), np.int64))
    assert str(found) == "phone numbers in at least 5,000"


def test_few_values_and_a_single_one_are_searched_too() -> None:
    for texts in (["tel. 0171/1234567"], ["yes", "no", "ask 0171/1234567"]):
        assert content_of(pa.array(texts, pa.string()), np.full(len(texts), 50)).kind == "phone"
