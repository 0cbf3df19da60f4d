"""What an expert says about a column, and how a set of columns is written as a file."""

from __future__ import annotations

import csv
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from zlib import crc32

import numpy as np

from benchmarks.column_sets.rows import Rows, Words

QUASI, TARGET, SENSITIVE = "quasi_identifiers", "target", "sensitive"
IDENTIFIERS, PERSON, KEEP = "identifiers", "person", "keep"
ROLES = (QUASI, TARGET, SENSITIVE, IDENTIFIERS, PERSON, KEEP)
UNPUBLISHED = frozenset({IDENTIFIERS, PERSON})

FEWEST_ROWS = 200


@dataclass(frozen=True, slots=True)
class Column:
    """The cells of a column, the roles an expert accepts (the best one first), and what must not happen."""

    words: Words
    roles: tuple[str, ...]
    is_secret: bool = False
    """An identifier, a key or free text: must never be drafted as published."""
    has_time: bool = False
    """Has a time of day: published at most as a day, that is with calendar levels in ``[columns.NAME]``."""


def secret(words: Words) -> Column:
    """A direct identifier, a key of something else than a person, or free text."""
    return Column(words, (IDENTIFIERS,), is_secret=True)


def person(words: Words) -> Column:
    """A key of persons that repeats; dropping it without counting persons is safe, and not what is best."""
    return Column(words, (PERSON,), is_secret=True)


def person_or_id(words: Words) -> Column:
    """A key of persons, one row each or one of several keys: dropped in both roles."""
    return Column(words, (IDENTIFIERS, PERSON), is_secret=True)


def quasi(words: Words, *also: str) -> Column:
    """What somebody else may know about a person."""
    return Column(words, (QUASI, *also))


def timed(words: Words) -> Column:
    """A date with a time of day: coarsened or dropped."""
    return Column(words, (QUASI, IDENTIFIERS), has_time=True)


def target(words: Words, *also: str) -> Column:
    """The class that recipients learn to predict."""
    return Column(words, (TARGET, *also))


def sensitive(words: Words, *also: str) -> Column:
    """What nobody else should learn."""
    return Column(words, (SENSITIVE, *also))


def measured(words: Words) -> Column:
    """A measurement about a person: a range as a quasi-identifier, or bounded as sensitive."""
    return Column(words, (QUASI, SENSITIVE))


def clock(words: Words) -> Column:
    """A time of day without a date: as near to unique as one with a date that stands beside it."""
    return Column(words, (QUASI, IDENTIFIERS))


def money(words: Words) -> Column:
    """Income, debt, balance: confidential, and known to some; as a quasi-identifier it becomes a range."""
    return Column(words, (SENSITIVE, QUASI))


def staff(words: Words) -> Column:
    """A name of somebody who works there: better dropped, tolerable where k rows share a set of them."""
    return Column(words, (IDENTIFIERS, QUASI))


def constant(words: Words) -> Column:
    """One value for everybody: tells nothing in any role."""
    return Column(words, (KEEP, QUASI, IDENTIFIERS))


def empty(words: Words) -> Column:
    """No value at all: better dropped, harmless otherwise."""
    return Column(words, (IDENTIFIERS, KEEP, QUASI))


Columns = dict[str, Column]


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a program exports a table."""

    delimiter: str = ","
    encoding: str = "utf-8"
    decimal: str = "."
    quote: str = '"'
    quotes_all: bool = False


@dataclass(frozen=True, slots=True)
class ColumnSet:
    """A table as somebody exports it, made anew from its own seed each time."""

    name: str
    language: str
    n_rows: int
    dialect: Dialect
    make: Callable[[Rows], Columns]
    is_unseen: bool = False
    """Labelled by somebody who did not see how roles are decided."""

    def columns(self, *, seed: int = 0, times: float = 1) -> Columns:
        """The columns with their labels; the same at every call.

        ``times`` as many rows as usual, at least 200.
        """
        rng = np.random.default_rng(crc32(self.name.encode()) + seed)
        return self.make(Rows(rng, max(round(times * self.n_rows), FEWEST_ROWS)))

    def write(self, folder: Path, columns: Columns) -> Path:
        """Write the columns in the set's dialect; return the path."""
        path = folder / f"{self.name.replace(' ', '_')}.csv"
        dialect = self.dialect
        with path.open("w", encoding=dialect.encoding, newline="") as file:
            writer = csv.writer(
                file,
                delimiter=dialect.delimiter,
                quotechar=dialect.quote,
                quoting=csv.QUOTE_ALL if dialect.quotes_all else csv.QUOTE_MINIMAL,
            )
            writer.writerow(columns)
            writer.writerows(zip(*(column.words for column in columns.values()), strict=True))
        return path


SETS: list[ColumnSet] = []
"""Every set of the collection, in the order of the modules that declare them."""

Maker = Callable[[Rows], Columns]


def column_set(
    name: str, language: str, n_rows: int, dialect: Dialect | None = None, *, is_unseen: bool = False
) -> Callable[[Maker], Maker]:
    """Add the decorated function to the collection."""

    def declare(make: Maker) -> Maker:
        SETS.append(ColumnSet(name, language, n_rows, dialect or Dialect(), make, is_unseen))
        return make

    return declare


def unseen_set(
    name: str, language: str, n_rows: int, dialect: Dialect | None = None
) -> Callable[[Maker], Maker]:
    """Add the decorated function as one of the sets whose names start with ``unseen``."""
    return column_set(f"unseen {name}", language, n_rows, dialect, is_unseen=True)
