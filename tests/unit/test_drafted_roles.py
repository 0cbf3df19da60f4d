"""Roles follow from what a column holds; its name may add protection and never takes it away."""

from __future__ import annotations

import pytest

from kanopy.content import Content
from kanopy.drafting.name_hints import hints_at, is_number_of_somebody, words_of
from kanopy.drafting.roles import decide_roles


def content(
    kind: str, n_values: int, certainty: str = "sure", n_rows: int = 1000, n_missing: int = 0
) -> Content:
    formats = ("%Y-%m-%d",) if kind == "date" else ()
    return Content(
        kind, "evidence", certainty, n_rows, n_values, n_missing, formats=formats, is_whole=kind == "number"
    )


@pytest.mark.parametrize(
    ("name", "held", "role"),
    [
        ("age", content("person name", 900), "identifiers"),
        ("readmitted", content("email", 15), "identifiers"),
        ("sex", content("free text", 400), "identifiers"),
        ("income", content("phone", 20), "identifiers"),
        ("diagnosis", content("key", 1000), "identifiers"),
        ("outcome", content("date", 12), "quasi_identifiers"),
        ("x", content("key", 600, "doubtful"), "identifiers"),
        ("city", content("category", 300, "doubtful"), "identifiers"),
        ("note", content("number", 90), "quasi_identifiers"),
        ("note", content("category", 90), "identifiers"),
        ("account", content("number", 90), "identifiers"),
        ("gehalt", content("number", 900), "quasi_identifiers"),
        ("Hauptdiagnose", content("icd10", 40), "sensitive"),
        ("Nachname", content("category", 90), "identifiers"),
        ("name", content("category", 2), "quasi_identifiers"),
        ("patient_id", content("number", 300), "person"),
        ("patient_age", content("number", 90), "quasi_identifiers"),
        ("lab", content("empty", 0), "identifiers"),
    ],
)
def test_roles(name: str, held: Content, role: str) -> None:
    columns = {name: held, "last": content("number", 500)}
    assert decide_roles(columns)[name].role == role


def test_of_several_repeated_keys_the_rarest_is_the_person() -> None:
    columns = {
        "visit": content("person key", 800),
        "case": content("person key", 300),
        "y": content("category", 2),
    }
    roles = {name: made.role for name, made in decide_roles(columns).items()}
    assert roles == {"visit": "identifiers", "case": "person", "y": "target"}


@pytest.mark.parametrize(("n_missing", "role"), [(3, "person"), (500, "person"), (501, "identifiers")])
def test_up_to_half_of_the_rows_may_lack_their_person(n_missing: int, role: str) -> None:
    assert decide_roles({"k": content("person key", 300, n_missing=n_missing)})["k"].role == role


def test_names_in_several_languages() -> None:
    assert words_of("PatientenNr") == ["patienten", "nr"]
    assert words_of("Größe_cm") == ["groesse", "cm"]
    for name in ("Geburtsdatum", "date_naissance", "fechaNacimiento", "data di nascita", "geboortedatum"):
        assert hints_at(name, "birth")
    for name in ("PatientenNr", "Fallnummer", "id", "customer_id", "numéro"):
        assert is_number_of_somebody(name)
    assert not is_number_of_somebody("number_of_children")
