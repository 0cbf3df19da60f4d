"""Columns of made-up values, as texts: one method for each thing that tables about people hold."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from hashlib import sha256
from uuid import UUID

import numpy as np
import numpy.typing as npt

from benchmarks.column_sets.national import ibans, national_ids
from benchmarks.column_sets.vocabulary import (
    FIRST,
    LAST,
    LIKERT,
    NAME_STYLES,
    SENTENCES,
    SHORT_NOTES,
    STREETS,
    TOWNS,
)

Words = list[str]
Floats = npt.NDArray[np.float64]

ICD10 = (
    "I10 E11.9 J18.9 I50.01 K35.8 S72.00 N39.0 F32.1 C50.9 I21.4 J44.1 K80.2 G40.9 A41.9 M16.1 I63.9 E87.6"
)
ATC = "C09AA05 A10BA02 N02BE01 B01AC06 J01CA04 C07AB02 R03AC02 A02BC01 N06AB04 H03AA01 M01AE01 C10AA05"
LOINC = "718-7 2345-7 2160-0 1988-5 2823-3 2951-2 6690-2 777-3 4548-4 1742-6"

PHONES = {
    "us": "({a}) {b}-{c}|{a}-{b}-{c}|+1 {a} {b} {c}",
    "de": "0{a}/{b}{c}|+49 {a} {b}{c}|0{a} - {b} {c}",
    "fr": "06 {d} {e} {d} {f}|+33 6 {d} {e} {f} {d}",
    "es": "6{d} {b} {a}|+34 6{d}{b}{a}",
    "it": "3{d} {b}{c}|+39 3{d} {b}{c}",
    "nl": "06-{d}{e}{c}|0{d}-{b}{c}",
    "pt": "9{d} {b} {a}|+351 9{d}{b}{a}",
    "uk": "07{a} {b}{b}|+44 7{a} {b}{b}",
    "jp": "090-{c}-{c}|03-{c}-{c}",
}
PLATES = {"it": "{X}{Y} {a}{Z}{X}", "de": "K-{X}{Y} {c}", "us": "{X}{Y}{Z}{c}", "es": "{c} {X}{Y}{Z}"}
ZIPS = {
    "de": (1, 99, 3, "{:05}"),
    "us": (10, 99, 3, "{:05}"),
    "fr": (1, 95, 3, "{:05}"),
    "es": (1, 52, 3, "{:05}"),
    "it": (1, 98, 3, "{:05}"),
    "pl": (1, 99, 3, "{:05}"),
    "se": (11, 98, 3, "{:05}"),
}


class Rows:
    """Makes columns of so many rows from one generator of random numbers."""

    def __init__(self, rng: np.random.Generator, n_rows: int) -> None:
        self.rng = rng
        self.n_rows = n_rows

    # --- Several rows per person ---------------------------------------------------------------------------

    def people(self, rows_each: float) -> tuple[Rows, npt.NDArray[np.int64]]:
        """A maker of one row per person, and the person of each row here, several in a row."""
        n_people = round(self.n_rows / rows_each)
        owner = np.concatenate([np.arange(n_people), self.rng.integers(0, n_people, self.n_rows - n_people)])
        return Rows(self.rng, n_people), np.sort(owner)

    # --- Categories ----------------------------------------------------------------------------------------

    def pick(self, values: str | Sequence[str], *shares: float) -> Words:
        """Values (``a|b|c``), with these shares of the first ones, the rest alike."""
        values = values.split("|") if isinstance(values, str) else values
        rest = (1 - sum(shares)) / max(len(values) - len(shares), 1)
        weights = np.array([*shares, *[rest] * (len(values) - len(shares))])
        found = self.rng.choice(len(values), self.n_rows, p=weights / weights.sum())
        return [values[at] for at in found.tolist()]

    def zipf(self, values: str | Sequence[str]) -> Words:
        """Values of which the first are the most frequent, as diagnoses and towns are."""
        values = values.split("|") if isinstance(values, str) else values
        return self.pick(
            values, *((1 / np.arange(2, len(values) + 2)) / (1 / np.arange(2, len(values) + 2)).sum())
        )

    def same(self, value: str) -> Words:
        return [value] * self.n_rows

    def towns(self, language: str) -> Words:
        return self.zipf(TOWNS[language])

    def likert(self, language: str) -> Words:
        return self.pick(LIKERT[language], 0.1, 0.2, 0.3, 0.25)

    def icd10(self, *, dots: bool = True) -> Words:
        words = self.zipf(ICD10.split())
        return words if dots else [word.replace(".", "") for word in words]

    # --- Numbers -------------------------------------------------------------------------------------------

    def ints(self, low: int, high: int) -> Words:
        return [str(number) for number in self.rng.integers(low, high + 1, self.n_rows).tolist()]

    def ages(self, low: int = 0, high: int = 99) -> Words:
        numbers = np.clip(self.rng.normal((low + high) / 2, (high - low) / 5, self.n_rows), low, high)
        return [str(number) for number in numbers.astype(int).tolist()]

    def counts(self, mean: float) -> Words:
        return [str(number) for number in self.rng.poisson(mean, self.n_rows).tolist()]

    def normal(self, mean: float, deviation: float, digits: int = 1, decimal: str = ".") -> Words:
        return self._written(np.abs(self.rng.normal(mean, deviation, self.n_rows)), digits, decimal, "")

    def skewed(
        self, median: float, spread: float, digits: int = 0, decimal: str = ".", thousands: str = ""
    ) -> Words:
        """Amounts: most are small, a few very large."""
        return self._written(
            median * np.exp(self.rng.normal(0, spread, self.n_rows)), digits, decimal, thousands
        )

    def _written(self, numbers: Floats, digits: int, decimal: str, thousands: str) -> Words:
        swap = str.maketrans({",": thousands, ".": decimal})
        return [f"{number:,.{digits}f}".translate(swap) for number in numbers.tolist()]

    def bands(self, width: int, low: int, high: int) -> Words:
        return self.pick([f"{at}-{at + width - 1}" for at in range(low, high, width)])

    def zips(self, country: str) -> Words:
        """Zip codes; many live in few regions."""
        low, high, digits, pattern = ZIPS[country]
        regions = self.rng.integers(low, high + 1, 12)
        region = regions[np.minimum(self.rng.geometric(0.25, self.n_rows) - 1, 11)]
        local = self.rng.integers(0, 10**digits, 25)[self.rng.integers(0, 25, self.n_rows)]
        return [pattern.format(number) for number in (region * 10**digits + local).tolist()]

    # --- Calendar ------------------------------------------------------------------------------------------

    def moments(self, first: int, last: int) -> list[datetime]:
        seconds = self.rng.integers(0, (last - first + 1) * 365 * 86_400, self.n_rows).tolist()
        return [datetime(first, 1, 1) + timedelta(seconds=second) for second in seconds]

    def dates(self, first: int, last: int, *formats: str) -> Words:
        """Dates from one year to another, in one of several formats per cell; ISO by itself."""
        return self.formatted(self.moments(first, last), *formats)

    def formatted(self, moments: list[datetime], *formats: str) -> Words:
        formats = formats or ("%Y-%m-%d",)
        which = self.rng.integers(0, len(formats), self.n_rows).tolist()
        return [moment.strftime(formats[at]) for moment, at in zip(moments, which, strict=True)]

    # --- Persons -------------------------------------------------------------------------------------------

    def names(self, language: str, style: str = "last, first") -> Words:
        first = self.rng.integers(0, len(FIRST[language]), self.n_rows).tolist()
        last = self.rng.integers(0, len(LAST[language]), (self.n_rows, 2)).tolist()
        pattern, is_upper = NAME_STYLES[style], style.isupper()
        words = []
        for one, (two, three) in zip(first, last, strict=True):
            given = FIRST[language][one]
            if style == "first" and two % 3 == 0:  # a middle name
                given += f" {FIRST[language][three % len(FIRST[language])]}"
            word = pattern.format(given, LAST[language][two], given[0], LAST[language][three])
            words.append(word.upper() if is_upper else word)
        return words

    def emails(self, language: str, domain: str = "example") -> Words:
        signs = str.maketrans("äöüßéèçñóíáãõ ", "aouseecnoiaao.")
        hosts = self.pick(f"mail.{domain}|post.{domain}|web.{domain}|{domain}.org")
        numbers = self.rng.integers(1, 99, self.n_rows).tolist()
        names = self.names(language, "joined")
        return [
            f"{name.lower().translate(signs)}{number}@{host}"
            for name, number, host in zip(names, numbers, hosts, strict=True)
        ]

    def national(self, kind: str, wrong: float = 0.02) -> Words:
        return national_ids(self.rng, self.n_rows, kind, wrong)

    def ibans(self, country: str, *, spaced: bool = False) -> Words:
        return ibans(self.rng, self.n_rows, country, spaced=spaced)

    def phones(self, country: str) -> Words:
        return self._patterned(PHONES[country].split("|"))

    def plates(self, country: str) -> Words:
        return self._patterned([PLATES[country]])

    def _patterned(self, patterns: Sequence[str]) -> Words:
        numbers = self.rng.integers(0, 10_000, (self.n_rows, 6)).tolist()
        which = self.rng.integers(0, len(patterns), self.n_rows).tolist()
        return [
            patterns[at].format(
                a=f"{201 + a % 790}", b=f"{b % 1000:03}", c=f"{c:04}", d=f"{d % 100:02}", e=f"{e % 100:02}",
                f=f"{f % 100:02}", X=chr(65 + a % 26), Y=chr(65 + b % 26), Z=chr(65 + c % 26),
            )
            for (a, b, c, d, e, f), at in zip(numbers, which, strict=True)
        ]  # fmt: skip

    def streets(self, language: str) -> Words:
        patterns = self.pick(STREETS[language])
        numbers = self.rng.integers(1, 180, (self.n_rows, 2)).tolist()
        words = self.names(language, "last")
        return [
            pattern.format(n=n, m=1 + m % 9, w=word)
            for pattern, (n, m), word in zip(patterns, numbers, words, strict=True)
        ]

    # --- Keys ----------------------------------------------------------------------------------------------

    def serial(self, prefix: str, start: int, gap: int = 3, width: int = 0) -> Words:
        """Increasing numbers with gaps."""
        steps = self.rng.integers(1, gap + 1, self.n_rows).cumsum()
        return [f"{prefix}{start + step:0{width}}" for step in steps.tolist()]

    def keys(self, prefix: str, n_digits: int) -> Words:
        """Different numbers of so many digits in no order."""
        made = self.rng.choice(9 * 10 ** (n_digits - 1), self.n_rows, replace=False) + 10 ** (n_digits - 1)
        return [f"{prefix}{number}" for number in made.tolist()]

    def hashes(self, n_signs: int = 40) -> Words:
        made = self.rng.integers(0, 2**60, (self.n_rows, 2))
        return [sha256(row.tobytes()).hexdigest()[:n_signs] for row in made]

    def uuids(self) -> Words:
        return [
            str(UUID(bytes=row.tobytes(), version=4)) for row in self.rng.integers(0, 2**60, (self.n_rows, 2))
        ]

    def ips(self) -> Words:
        parts = self.rng.integers(1, 255, (self.n_rows, 4)).tolist()
        return [".".join(map(str, row)) for row in parts]

    # --- Texts ---------------------------------------------------------------------------------------------

    def notes(self, language: str, most: int = 3) -> Words:
        """Free text of one to so many sentences."""
        parts = [part.split("|") for part in SENTENCES[language].split("##")]
        length = self.rng.integers(1, most + 1, self.n_rows).tolist()
        at = self.rng.integers(0, 2**30, (self.n_rows, most, len(parts) + 1)).tolist()
        lasts = LAST.get(language, LAST["en"])
        return [
            " ".join(
                "".join(
                    f"{' ' if place == 1 else ''}{part[number % len(part)]}"
                    for place, (part, number) in enumerate(zip(parts, numbers, strict=False))
                ).format(n=2 + numbers[-1] % 90, last=lasts[numbers[-1] % len(lasts)])
                for numbers in row[:n]
            )
            for row, n in zip(at, length, strict=True)
        ]

    def short_notes(self, language: str) -> Words:
        """Two to four words, most of them different."""
        words = SHORT_NOTES[language].split("|")
        at = self.rng.integers(0, len(words), (self.n_rows, 4)).tolist()
        length = self.rng.integers(2, 5, self.n_rows).tolist()
        return [" ".join(words[number] for number in row[:n]) for row, n in zip(at, length, strict=True)]

    # --- Dirt ----------------------------------------------------------------------------------------------

    def missing(self, words: Words, share: float, *marks: str) -> Words:
        """Some cells are empty, or say in one of several ways that nothing is known."""
        marks = marks or ("",)
        is_missing = (self.rng.random(self.n_rows) < share).tolist()
        which = self.rng.integers(0, len(marks), self.n_rows).tolist()
        return [marks[at] if gone else word for word, gone, at in zip(words, is_missing, which, strict=True)]

    def censored(self, words: Words, low: float, mark: str, decimal: str = ".") -> Words:
        """Numbers below ``low`` are written as ``mark``, such as ``<5``."""
        return [mark if float(word.replace(decimal, ".")) < low else word for word in words]

    def ragged(self, words: Words) -> Words:
        """Some cells in capitals or small letters, some with blanks around them."""
        ways = self.rng.integers(0, 12, self.n_rows).tolist()
        changes = {0: str.upper, 1: str.lower, 2: " {}".format, 3: "{} ".format}
        return [changes.get(way, str)(word) for word, way in zip(words, ways, strict=True)]


def spread(words: Words, owner: npt.NDArray[np.int64]) -> Words:
    """The value of each row's person."""
    return [words[at] for at in owner.tolist()]
