"""What a column holds, told by its values: every kind, and what must not be taken for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kanopy.content import Content, content_of

N = 1000


def look(values: Sequence[Any]) -> Content:
    texts = pa.array(
        ["" if value is None else str(value) for value in values], pa.string()
    ).dictionary_encode()
    return content_of(
        texts.dictionary, np.bincount(texts.indices.to_numpy(), minlength=len(texts.dictionary))
    )


def rows(make: Callable[[np.random.Generator], Any], n_rows: int = N) -> list[Any]:
    rng = np.random.default_rng(7)
    return [make(rng) for _ in range(n_rows)]


def bsn(rng: np.random.Generator) -> str:
    while True:
        digits = rng.integers(0, 10, 9)
        if (digits[:8] @ np.arange(9, 1, -1) - digits[8]) % 11 == 0:
            return "".join(map(str, digits))


def iban(rng: np.random.Generator) -> str:
    account = "".join(map(str, rng.integers(0, 10, 18)))
    return f"DE{98 - int(account + '131400') % 97:02}{account}"


IDENTIFYING: dict[str, tuple[str, Callable[[np.random.Generator], Any]]] = {
    "patient numbers": ("key", lambda rng: f"P{rng.integers(10**9)}"),
    "uuids": ("key", lambda rng: f"{rng.integers(2**32):08x}-1a2b-4c3d-8e4f-{rng.integers(2**48):012x}"),
    "hashes": ("key", lambda rng: rng.bytes(16).hex()),
    "keys of 300 persons": ("person key", lambda rng: f"PAT-{1000 + rng.integers(300)}"),
    "long numbers of 300 persons": ("person key", lambda rng: 4711000000 + 37 * int(rng.integers(300))),
    "e-mail": ("email", lambda rng: f"a{rng.integers(10**6)}@example.org"),
    "e-mail in a few texts": (
        "email",
        lambda rng: "call back" if rng.random() < 0.8 else f"to a{rng.integers(10**6)}@example.org please",
    ),
    "iban": ("iban", iban),
    "phones": ("phone", lambda rng: f"+49 30 {rng.integers(10**6, 10**7)}"),
    "phones of a country": ("phone", lambda rng: f"0{rng.integers(151, 180)}/{rng.integers(10**6, 10**7)}"),
    "citizen numbers": ("national id", bsn),
    "social security": (
        "national id",
        lambda rng: f"{rng.integers(100, 600)}-{rng.integers(10, 99)}-{rng.integers(1000, 9999)}",
    ),
    "plates of 300 cars": ("person key", lambda rng: f"AB-{rng.integers(100, 400)}-CD"),
    "national numbers in groups of digits": (
        "key",
        lambda rng: " ".join(f"{part:03}" for part in [100 + rng.integers(800), *rng.integers(0, 1000, 2)]),
    ),
    "network": ("network address", lambda rng: ".".join(map(str, rng.integers(1, 255, 4)))),
    "names": (
        "person name",
        lambda rng: f"{rng.choice(['Müller', 'Yıldız', 'García'])}, {rng.choice(['Isabel', 'Jonas'])}",
    ),
    "rare names": (
        "person name",
        lambda rng: (
            f"X{'aeiou'[rng.integers(5)]}{rng.choice(list('bcdfgh'))}o Z{'aeiou'[rng.integers(5)]}"
            f"{rng.choice(list('klmnpr'))}{'aeiou'[rng.integers(5)]}"
        ),
    ),
    "family names alone": (
        "person name",
        lambda rng: rng.choice(["Rossi", "Esposito", "Bianchi", "Zanetti", "Conti"]),
    ),
    "addresses": ("address", lambda rng: f"{rng.choice(['Linden', 'Haupt'])}straße {rng.integers(1, 300)}"),
    "notes": (
        "free text",
        lambda rng: (
            f"came in with {rng.choice(['pain', 'fever'])} after {rng.integers(1, 90)} days, to be seen again"
        ),
    ),
    "short notes": (
        "free text",
        lambda rng: f"knee {rng.choice(['left', 'right'])} {rng.integers(10**4)} ok",
    ),
}


@pytest.mark.parametrize("what", IDENTIFYING)
def test_identifying_content(what: str) -> None:
    kind, make = IDENTIFYING[what]
    found = look(rows(make))
    assert (found.kind, found.is_identifying) == (kind, True)


HARMLESS: dict[str, tuple[str, Callable[[np.random.Generator], Any]]] = {
    "ages": ("number", lambda rng: rng.integers(0, 100)),
    "salaries": ("number", lambda rng: int(rng.lognormal(10.5, 0.5))),
    "grams": ("number", lambda rng: int(rng.normal(3300, 500))),
    "measurements that all differ": ("number", lambda rng: f"{rng.normal():.8f}"),
    "whole measurements that nearly all differ": ("number", lambda rng: int(rng.normal(10**7, 10**6))),
    "zips": ("code", lambda rng: f"{rng.integers(10, 50):03}{rng.integers(100):02}"),
    "zips of a country": ("code", lambda rng: f"0{rng.integers(10**4):04}"),
    "measurements with zeros in front": ("code", lambda rng: f"{rng.integers(170) * 5:05}"),
    "diagnoses": ("icd10", lambda rng: rng.choice(["E11.9", "I10.00", "J44.1", "M54.5", "c50.9"])),
    "jobs": (
        "category",
        lambda rng: rng.choice(["Registered Nurse", "Data Scientist", "Truck Driver", "Baker"]),
    ),
    "long labels": (
        "category",
        lambda rng: rng.choice(
            ["no checking account at this bank", "all credits here paid back duly until now"]
        ),
    ),
    "days": (
        "date",
        lambda rng: f"{rng.integers(1, 29):02}.{rng.integers(1, 13):02}.{rng.integers(1930, 2010)}",
    ),
    "minutes": (
        "time",
        lambda rng: f"2023-0{rng.integers(1, 9)}-11T{rng.integers(10, 24)}:{rng.integers(10, 60)}",
    ),
    "times of day": ("clock", lambda rng: f"{rng.integers(24):02}:{rng.integers(60):02}"),
    "times of day in words": ("clock", lambda rng: f"à {rng.integers(24):02}h{rng.integers(60):02}"),
    "shifts": ("category", lambda rng: rng.choice(["06:00", "14:00", "22:00"])),
    "weeks": ("code", lambda rng: f"20{rng.integers(10, 24)}-W{rng.integers(1, 53):02}"),
    "days of a year": ("date", lambda rng: 1000 * int(2023 - rng.exponential(5)) + rng.integers(1, 366)),
    "days of a spreadsheet": ("time", lambda rng: f"{rng.uniform(30_000, 45_000):.6f}"),
    "days with a full stop": (
        "date",
        lambda rng: f"{rng.integers(1930, 2010)}. {rng.integers(1, 13):02}. {rng.integers(1, 29):02}.",
    ),
    "days in words": ("date", lambda rng: f"{rng.integers(1, 29)} de setembro de {rng.integers(1930, 2010)}"),
    "amounts with a unit": ("number", lambda rng: f"{rng.integers(100, 900)} {rng.integers(100, 999)} Ft"),
}


@pytest.mark.parametrize("what", HARMLESS)
def test_content_that_identifies_nobody(what: str) -> None:
    kind, make = HARMLESS[what]
    found = look(rows(make))
    assert (found.kind, found.is_identifying) == (kind, False)


def test_serial_numbers_are_told_from_measurements() -> None:
    steps = np.random.default_rng(1).integers(1, 6, N)
    assert look(list(range(1, N + 1))).kind == "serial"
    assert look(np.cumsum(steps).tolist()).kind == "serial"
    assert look(np.random.default_rng(1).integers(0, 5 * N, N).tolist()).kind == "number"


def test_numbers_that_may_be_drawn_are_doubtful_keys() -> None:
    found = look(rows(lambda rng: rng.integers(10**6, 10**7)))
    assert (found.kind, found.certainty, found.is_private, found.is_identifying) == (
        "key",
        "doubtful",
        True,
        False,
    )
    assert look(rows(lambda rng: 10 * rng.integers(10**6, 10**7))).kind == "number"


def test_dates_in_two_formats() -> None:
    found = look(
        rows(lambda rng: f"{rng.integers(1, 29):02}.03.2020" if rng.random() < 0.5 else "2021-04-05")
    )
    assert (found.kind, found.certainty) == ("date", "sure")
    assert set(found.formats) == {"%d.%m.%Y", "%Y-%m-%d"}


def test_day_and_month_that_may_be_exchanged_are_doubtful() -> None:
    assert look(rows(lambda rng: f"{rng.integers(1, 12)}/{rng.integers(1, 12)}/2020")).certainty == "doubtful"
    found = look(rows(lambda rng: f"{rng.integers(1, 13)}/{rng.integers(1, 28)}/2020"))
    assert (found.formats, found.certainty) == (("%m/%d/%Y",), "sure")


def test_numbers_as_they_are_written() -> None:
    comma = look(
        rows(lambda rng: f"{rng.random() * 50:.1f}".replace(".", ",") if rng.random() < 0.9 else "<5")
    )
    assert (comma.kind, comma.decimal, comma.n_censored) == ("number", ",", 1)
    grouped = look(rows(lambda rng: f"{rng.integers(10**3, 10**7):,}".replace(",", ".") + ",50"))
    assert (grouped.kind, grouped.decimal, grouped.thousands) == ("number", ",", ".")
    marked = look(rows(lambda rng: rng.integers(90) if rng.random() < 0.9 else "k.A."))
    assert (marked.kind, marked.marks) == ("number", ("k.A.",))


def test_one_odd_form_among_many_values_is_seen() -> None:
    values = [f"2020-01-{day % 28 + 1:02} 10:{minute:02}" for day in range(28) for minute in range(60)] * 2
    odd = [f"{minute}.02.2020 10:{minute}" for minute in range(10, 28)]
    assert set(look([*values, *odd]).formats) == {"%Y-%m-%d %H:%M", "%d.%m.%Y %H:%M"}


def test_evidence_never_holds_a_value() -> None:
    for _, make in (*IDENTIFYING.values(), *HARMLESS.values()):
        values = {str(value) for value in rows(make)}
        evidence = look(rows(make)).evidence
        assert not {value for value in values if len(value) > 4 and value in evidence}


@given(st.lists(st.text(max_size=30) | st.none(), max_size=60))
def test_any_texts_are_something(texts: list[str | None]) -> None:
    found = look([None if text is None else text.replace("\0", "") for text in texts])
    assert found.n_rows == len(texts)
    assert found.kind
