"""Columns of the unseen sets as texts: names, marks, remarks, and how offices write dates and times."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

import numpy as np

from benchmarks.column_sets.rows import Rows, Words
from benchmarks.column_sets.unseen_words import FAMILIES, GIVEN, MONTHS
from benchmarks.column_sets.vocabulary import FIRST


def joined(pattern: str, *columns: Words) -> Words:
    """The cells of each row written into a pattern."""
    return [pattern.format(*row) for row in zip(*columns, strict=True)]


def wrapped(pattern: str, words: Words) -> Words:
    """Each cell written into a pattern; an empty one stays empty."""
    return [pattern.format(word) if word else word for word in words]


# --- Persons -----------------------------------------------------------------------------------------------


def families(r: Rows, language: str) -> Words:
    """Family names alone: a few are frequent, as they are in a town; some people have two."""
    words = [word.replace("~", " ") for word in FAMILIES[language].split()]
    one, two = r.zipf(words), r.pick(words)
    is_double = (r.rng.random(r.n_rows) < 0.12).tolist()
    return [f"{a}-{b}" if double else a for a, b, double in zip(one, two, is_double, strict=True)]


def given(r: Rows, language: str) -> Words:
    return r.zipf([*GIVEN[language].split(), *FIRST.get(language, ())])


def initials(r: Rows, pattern: str, n_letters: int) -> Words:
    """The first letters of names, by a pattern such as ``{}.{}.``."""
    letters = "AABBCDEEFGHIJJKKLLMMMNOPRRSSSTUVWZ"
    return joined(pattern, *(r.pick(list(letters)) for _ in range(n_letters)))


def nicknames(r: Rows) -> Words:
    """What people call themselves in an app."""
    first = r.pick("wheezy|tiny|mad|sunny|captain|lazy|night|old|miss|the_real|blue|dr")
    second = r.pick("bee|otter|mike|zoe|panda|runner|gran|fox|lulu|duck|storm|jo|cat")
    return joined(
        "{}{}{}{}", first, r.pick(["_", "", "."]), second, r.pick(["", *map(str, range(1, 100))], 0.1)
    )


def mails(r: Rows, language: str, host: str) -> Words:
    plain = str.maketrans("äöüßéèçñóíáãõôïêëàâřžščýěůúøæå' ", "aouseecnoiaaooieeaarzscyeuuoaa--")
    rows = zip(
        given(r, language), families(r, language), r.pick(["", *map(str, range(1, 100))], 0.2), strict=True
    )
    return [f"{first}.{last}{number}@{host}".lower().translate(plain) for first, last, number in rows]


# --- Texts -------------------------------------------------------------------------------------------------


def remarks(r: Rows, language: str, templates: str, *shares: float) -> Words:
    """What is written in the last column of a form, with names, numbers and e-mail addresses filled in."""
    patterns = r.pick(templates, *shares)
    numbers = r.rng.integers(2, 60, (r.n_rows, 2)).tolist()
    last, mail = families(r, language), mails(r, language, "mail.example")
    return [
        pattern.format(n=n, m=m, last=name, mail=address)
        for pattern, (n, m), name, address in zip(patterns, numbers, last, mail, strict=True)
    ]


# --- Keys --------------------------------------------------------------------------------------------------


def shuffled(r: Rows, words: Words) -> Words:
    """The same cells in no order."""
    return [words[at] for at in r.rng.permutation(len(words)).tolist()]


def barcodes(r: Rows, start: str) -> Words:
    """Different 13-digit barcode numbers with their check digits."""
    words = []
    for body in r.keys(start, 12 - len(start)):
        total = sum(int(sign) * (3 if place % 2 else 1) for place, sign in enumerate(body))
        words.append(f"{body}{-total % 10}")
    return words


def signs(r: Rows, pattern: str) -> Words:
    """Random letters for ``A`` and digits for ``9`` of a pattern; everything else stays."""
    choices = [{"A": "ABCDEFGHJKLMNPRSTVWXYZ", "9": "0123456789"}.get(sign, sign) for sign in pattern]
    at = r.rng.integers(0, 2**30, (r.n_rows, len(pattern))).tolist()
    return ["".join(choice[n % len(choice)] for choice, n in zip(choices, row, strict=True)) for row in at]


# --- Calendar and clock ------------------------------------------------------------------------------------


def spelled_dates(r: Rows, first: int, last: int, pattern: str, language: str) -> Words:
    """Dates with the months of a language, by a pattern of ``{d}``, ``{m}``, ``{y}``."""
    months = MONTHS[language].split()
    return [
        pattern.format(d=day.day, m=months[day.month - 1], y=day.year, yy=f"{day.year % 100:02}")
        for day in r.moments(first, last)
    ]


def quarters(r: Rows, first: int, last: int, pattern: str) -> Words:
    return [pattern.format(y=day.year, q=(day.month + 2) // 3) for day in r.moments(first, last)]


def times(r: Rows, first: int, last: int, pattern: str) -> Words:
    """Times of day within opening hours, without a date."""
    minutes = r.rng.integers(60 * first, 60 * last, r.n_rows).tolist()
    return [(datetime(2000, 1, 1) + timedelta(minutes=minute)).strftime(pattern) for minute in minutes]


def durations(r: Rows, median: float, spread: float, pattern: str) -> Words:
    """Minutes by a pattern of ``{h}``, ``{m}`` (of the hour), ``{t}`` (all minutes) and ``{s}``."""
    seconds = (60 * median * np.exp(r.rng.normal(0, spread, r.n_rows))).astype(int).tolist()
    return [
        pattern.format(h=second // 3600, m=second // 60 % 60, t=second // 60, s=second % 60)
        for second in seconds
    ]


# --- Numbers -----------------------------------------------------------------------------------------------


def steps(r: Rows, low: int, high: int, step: int) -> Words:
    """Scores that are counted in steps."""
    return [str(step * int(word)) for word in r.ints(low // step, high // step)]


def capped(words: Words, high: float, mark: str, decimal: str = ".") -> Words:
    """Numbers above ``high`` are written as ``mark``, such as ``>90``."""
    return [
        mark if word[:1].isdigit() and float(word.replace(decimal, ".")) > high else word for word in words
    ]


def short_ages(r: Rows, years: str, months: str, share: float) -> Words:
    """Ages as they are called out: years, and months of the smallest."""
    old, young = r.ages(1, 95), r.ints(1, 23)
    is_young = (r.rng.random(r.n_rows) < share).tolist()
    return [
        months.format(b) if small else years.format(a)
        for a, b, small in zip(old, young, is_young, strict=True)
    ]


def listed(r: Rows, values: Sequence[str], between: str, most: int) -> Words:
    """Several of a few values in one cell."""
    chosen = r.rng.random((r.n_rows, len(values))).argsort(axis=1)
    length = r.rng.integers(1, most + 1, r.n_rows).tolist()
    return [
        between.join(values[at] for at in sorted(row[:n]))
        for row, n in zip(chosen.tolist(), length, strict=True)
    ]
