"""Roles follow from what a column holds; its name may add protection and never takes it away."""

from __future__ import annotations

import pytest

from kanopy.content import Content
from kanopy.drafting.name_hints import hints_at, is_name_of_people, is_number_of_somebody, words_of
from kanopy.drafting.roles import decide_roles, likely_target


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
        ("name", content("category", 2), "identifiers"),
        ("name", content("number", 10), "quasi_identifiers"),
        ("Nom du patient", content("category", 20), "identifiers"),
        ("nombre", content("number", 4), "quasi_identifiers"),
        ("drug_name", content("category", 12), "sensitive"),
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


NAMES_OF_PEOPLE = """
name|Name|NAME|names|name2|full name|first_name|firstName|lastname|last_name|surname|forename
given_name|family name
maiden name|patient_name|PatientName|name of the patient|customer name|user_name|username
doctor_name|contact name
Vorname|Nachname|Familienname|Name des Patienten|Patientenname|Kundenname|Arztname
Mitarbeiter_Name|Benutzername
nom|Nom du patient|nom de famille|prénom|Prenom|nom d'usage|nom complet|nom_utilisateur
Nom de l'assuré|Nom et prénom
nombre|Nombre del paciente|nombre completo|apellidos|primer apellido|nombre de usuario
Nombre y apellidos
nome|Nome e cognome|cognome|nome del paziente|nominativo|nome utente|imię|Imię i nazwisko
nazwisko|nazwa użytkownika
ad soyad|Adı|Soyadı|Hasta adı|isim|İsim|kullanıcı adı|naam|achternaam|voornaam|naam patient
nome da mãe|sobrenome
förnamn|Efternamn|fornavn|jméno|příjmení
"""
NAMES_OF_THINGS = """
filename|file_name|hostname|host name|domain name|drug_name|name of drug|product_name
ProductName|brand name|Nominal
nominal value|namens|nombre_de_hijos|nombre d'enfants|nombre_enfants|Produktname|Dateiname
hospital_name|city name
Ortsname|nom du médicament|nom_medicament|nombre del medicamento|nome_farmaco|nome do produto
nazwa|nazwa leku|ilaç adı
ad|ad_id|column name|variable_name|class name|renamed|tournament|ornament|phenomenon|economy
gnome|anamnese|enamel
patient|patient_id|person|user|customer|doctor_type|test_name|study name|event name|name_of_ward
Wirkstoffname
"""


@pytest.mark.parametrize("name", NAMES_OF_PEOPLE.replace("\n", "|").strip("|").split("|"))
def test_columns_that_are_called_after_names_of_people(name: str) -> None:
    assert is_name_of_people(name)
    drafted = decide_roles({name: content("category", 2), "last": content("number", 500)})[name]
    assert (drafted.role, drafted.certainty) == ("identifiers", "likely")


@pytest.mark.parametrize("name", NAMES_OF_THINGS.replace("\n", "|").strip("|").split("|"))
def test_columns_that_are_called_after_other_names(name: str) -> None:
    assert not is_name_of_people(name)


def test_names_of_people_are_no_class() -> None:
    assert likely_target({"age": content("number", 60), "name": content("category", 2)}) is None


def test_names_in_several_languages() -> None:
    assert words_of("PatientenNr") == ["patienten", "nr"]
    assert words_of("Größe_cm") == ["groesse", "cm"]
    for name in ("Geburtsdatum", "date_naissance", "fechaNacimiento", "data di nascita", "geboortedatum"):
        assert hints_at(name, "birth")
    for name in ("PatientenNr", "Fallnummer", "id", "customer_id", "numéro"):
        assert is_number_of_somebody(name)
    assert not is_number_of_somebody("number_of_children")
