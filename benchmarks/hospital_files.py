"""The export of a hospital, made up by code: in German, in English, and with every header wrong.

Readmission depends on age, diagnosis and laboratory values, so that a classifier has something to learn.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import numpy as np
import numpy.typing as npt

from benchmarks.column_sets.rows import Rows, Words

Floats = npt.NDArray[np.float64]

N_ROWS = 20_000
N_TOWNS = 40

# ICD-10 code: how frequent, at which age, and what it adds to the log-odds of coming back.
DIAGNOSES = {
    "I50.01": (10, 70, 2.2),
    "I50.14": (5, 74, 2.6),
    "J44.11": (7, 66, 1.9),
    "J18.9": (9, 55, 0.4),
    "I10.90": (10, 62, -0.8),
    "E11.90": (8, 60, 0.6),
    "N18.5": (3, 68, 2.4),
    "K80.20": (8, 48, -1.6),
    "K35.8": (6, 28, -2.2),
    "S72.01": (6, 80, 0.3),
    "S82.6": (6, 40, -1.8),
    "C50.9": (4, 58, 1.4),
    "C34.1": (3, 67, 2.1),
    "F32.1": (5, 45, 0.9),
    "G40.9": (3, 38, 0.7),
    "O80": (7, 31, -2.8),
}

GERMAN_WARDS = {
    "I": "Kardiologie",
    "J": "Pneumologie",
    "S": "Unfallchirurgie",
    "K": "Chirurgie",
    "O": "Gynäkologie",
}
ENGLISH_WARDS = {"I": "Cardiology", "J": "Pulmonology", "S": "Trauma", "K": "Surgery", "O": "Maternity"}


@dataclass(frozen=True, slots=True)
class Export:
    """A table as text, how it is written, and which columns must not be seen in a release of it."""

    columns: dict[str, Words]
    delimiter: str
    encoding: str
    secret: tuple[str, ...]
    """Headers of identifiers, keys, free text, and times to the minute."""
    target: str
    measurement: str
    """A column of laboratory values."""

    def write(self, path: Path) -> Path:
        with path.open("w", encoding=self.encoding, newline="") as file:
            writer = csv.writer(file, delimiter=self.delimiter)
            writer.writerow(self.columns)
            writer.writerows(zip(*self.columns.values(), strict=True))
        return path


class _Stays:
    """What is the same in every language: who came when, with what, and whether they came back."""

    def __init__(self, n_rows: int, seed: int) -> None:
        self.rows = Rows(np.random.default_rng(seed), n_rows)
        rng = self.rows.rng
        shares = np.array([share for share, _, _ in DIAGNOSES.values()], dtype=np.float64)
        self.diagnosis = rng.choice(len(DIAGNOSES), n_rows, p=shares / shares.sum())
        usual = np.array([age for _, age, _ in DIAGNOSES.values()])[self.diagnosis]
        self.age = np.clip(rng.normal(usual, 11), 1, 99)
        effect = np.array([effect for _, _, effect in DIAGNOSES.values()])[self.diagnosis]
        self.crp = np.exp(rng.normal(2.2 + 0.25 * effect, 1))
        self.creatinine = np.exp(rng.normal(0.05 + 0.006 * (self.age - 60) + 0.08 * effect, 0.25))
        odds = effect + 0.04 * (self.age - 65) + 0.9 * (np.log(self.crp) - 2.2) + 2 * (self.creatinine - 1.1)
        self.comes_back = rng.random(n_rows) < 1 / (1 + np.exp(-(odds - 1.8)))
        self.admitted = self.rows.moments(2022, 2023)
        days = zip(self.admitted, (self.age * 365.25).tolist(), strict=True)
        self.born = [moment - timedelta(days=day) for moment, day in days]

    def codes(self) -> Words:
        known = list(DIAGNOSES)
        return [known[at] for at in self.diagnosis.tolist()]

    def wards(self, names: dict[str, str], other: str) -> Words:
        return [names.get(code[0], other) for code in self.codes()]

    def zips(self) -> Words:
        """Five digits, many of them with a leading zero; a few towns around the hospital."""
        rng = self.rows.rng
        towns = np.sort(rng.choice(np.arange(1_001, 4_999, 7), N_TOWNS, replace=False))
        near = np.minimum(rng.geometric(0.12, self.rows.n_rows) - 1, N_TOWNS - 1)
        return [f"{town:05}" for town in towns[near].tolist()]

    def measured(self, numbers: Floats, digits: int, decimal: str, least: float | None = None) -> Words:
        """Numbers as a laboratory writes them; some are missing, those below ``least`` are ``<least``."""
        words = [f"{number:.{digits}f}".replace(".", decimal) for number in numbers.tolist()]
        if least is not None:
            words = [
                f"<{least:g}" if low else word
                for word, low in zip(words, (numbers < least).tolist(), strict=True)
            ]
        return self.rows.missing(words, 0.04)


def german_export(n_rows: int = N_ROWS, seed: int = 14) -> Export:
    """Semicolons, Latin-1, German headers, decimal commas, birth dates in two formats."""
    stays = _Stays(n_rows, seed)
    rows = stays.rows
    columns = {
        "PatientenNr": rows.serial("P", 100_000, 13),
        "Name": rows.names("de"),
        "Geburtsdatum": rows.formatted(stays.born, "%d.%m.%Y", "%d.%m.%Y", "%Y-%m-%d"),
        "PLZ": stays.zips(),
        "Geschlecht": rows.missing(rows.pick("w|m|d", 0.52, 0.475), 0.05),
        "Aufnahmezeitpunkt": rows.formatted(stays.admitted, "%d.%m.%Y %H:%M"),
        "Station": stays.wards(GERMAN_WARDS, "Innere"),
        "Hauptdiagnose": stays.codes(),
        "CRP": stays.measured(stays.crp, 1, ",", 5),
        "Kreatinin": stays.measured(stays.creatinine, 2, ","),
        "Bemerkung": rows.missing(rows.notes("de"), 0.3),
        "wiederaufgenommen": ["ja" if back else "nein" for back in stays.comes_back.tolist()],
    }
    secret = ("PatientenNr", "Name", "Aufnahmezeitpunkt", "Bemerkung")
    return Export(columns, ";", "latin-1", secret, "wiederaufgenommen", "CRP")


def english_export(n_rows: int = N_ROWS, seed: int = 15) -> Export:
    """Commas, UTF-8, American dates, an e-mail address and a phone number more."""
    stays = _Stays(n_rows, seed)
    rows = stays.rows
    columns = {
        "MRN": rows.serial("MRN-", 2_000_000, 13),
        "patient_name": rows.names("en", "first last"),
        "dob": rows.formatted(stays.born, "%m/%d/%Y", "%m/%d/%Y", "%Y-%m-%d"),
        "zip": stays.zips(),
        "sex": rows.missing(rows.pick("F|M|X", 0.52, 0.475), 0.05),
        "email": rows.missing(rows.emails("en"), 0.2),
        "phone": rows.phones("us"),
        "admitted_at": rows.formatted(stays.admitted, "%m/%d/%Y %I:%M %p"),
        "ward": stays.wards(ENGLISH_WARDS, "General medicine"),
        "primary_diagnosis": stays.codes(),
        "crp_mg_l": stays.measured(stays.crp, 1, ".", 5),
        "creatinine": stays.measured(stays.creatinine, 2, "."),
        "notes": rows.missing(rows.notes("en"), 0.3),
        "readmitted": ["yes" if back else "no" for back in stays.comes_back.tolist()],
    }
    secret = ("MRN", "patient_name", "email", "phone", "admitted_at", "notes")
    return Export(columns, ",", "utf-8", secret, "readmitted", "crp_mg_l")


HOSTILE = {
    "age": "patient_name",
    "sex": "email",
    "zip": "notes",
    "note": "age",
    "id": "readmitted",
    "name": "sex",
    "diagnosis": "MRN",
    "income": "phone",
    "readmitted": "dob",
    "email": "zip",
    "phone": "ward",
    "ward": "admitted_at",
    "patient_id": "primary_diagnosis",
    "comment": "crp_mg_l",
    "free_text": "creatinine",
}
"""Each header of the hostile file, and what it holds."""


def hostile_export(n_rows: int = N_ROWS, seed: int = 16) -> Export:
    """The English export with every header wrong; nothing but the values tells what a column holds."""
    honest = english_export(n_rows, seed)
    ages = [str(2023 - int(born[-4:] if "/" in born else born[:4])) for born in honest.columns["dob"]]
    held = honest.columns | {"age": ages}
    columns = {header: held[name] for header, name in HOSTILE.items()}
    secret = tuple(header for header, name in HOSTILE.items() if name in honest.secret)
    return Export(columns, ";", "utf-8", secret, "id", "comment")


def seen(cells: Sequence[str], text: str, longest: int = 12) -> int:
    """How many of the cells have their first characters somewhere in a text; O(cells + text)."""
    beginnings = [cell[:longest] for cell in cells if len(cell) > 3]
    places = {
        length: {text[at : at + length] for at in range(len(text) - length + 1)}
        for length in {len(word) for word in beginnings}
    }
    return sum(word in places[len(word)] for word in beginnings)
