"""The codebook beside a release: its places, and its contents from the published cells alone."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pyarrow as pa

from kanopy.auditing.beside import (
    Counted,
    check_certificate,
    check_codebook,
    check_codebook_page,
    check_manifest,
)
from kanopy.certificate import CERTIFICATE_SUFFIXES, CertifiedBeside
from kanopy.codebook import (
    ColumnMeaning,
    Decisions,
    codebook_files,
    codebook_paths,
    column_meaning,
    field_notes,
    told_cells,
)
from kanopy.codebook.meaning import QUASI, unseen_meaning
from kanopy.codebook.page import PageFacts
from kanopy.codebook.plain import plain_meaning
from kanopy.codebook.readers import Written
from kanopy.data import PublishedReading, Recoding
from kanopy.data.grammar import MISSING_TEXT, read_cell
from kanopy.errors import Hint, PolicyError, VerificationError
from kanopy.frames.csv_form import PLAIN_FORM, excel_form, takes_commas, with_comma
from kanopy.frames.csv_text import spreadsheet_safe_word
from kanopy.frames.from_numpy import as_arrow
from kanopy.frames.published import PublishedTable, rewritten
from kanopy.policy import Policy
from kanopy.privacy.implied import NOT_PROMISED
from kanopy.release.certifying import reserve_certificate
from kanopy.release.destination import Destination, changed
from kanopy.release.transaction import Transaction
from kanopy.release.written_table import WrittenAs

if TYPE_CHECKING:
    from kanopy.frames.published import PublishedColumn
    from kanopy.release.release import Release

_GROUPED = ("mean", "draw")
"""How methods publish a number that is that of a group."""

Places = tuple[Destination, Destination]
"""Of the table and of the page of a codebook."""


class Style(NamedTuple):
    """How a CSV file is written."""

    spreadsheet_safe: bool = False  # put ' in front of what a spreadsheet would run as a formula
    excel_locale: str | None = None  # in the form that Excel has in this country


PLAIN_STYLE = Style()


def check_style(style: Style, suffix: str) -> None:
    """Refuse a form that the file cannot have, before any work."""
    if style.excel_locale is not None:
        excel_form(style.excel_locale)
        if suffix != ".csv":
            hint = Hint("write a .csv file, or leave {excel_locale} out", excel_locale=...)
            raise PolicyError("only CSV files are written as a spreadsheet of a country has them", hint)


def written_as(release: Release, suffix: str, style: Style) -> WrittenAs:
    """How the table is written; decimal commas where a column holds numbers and they can be undone."""
    check_style(style, suffix)
    form = PLAIN_FORM if style.excel_locale is None else excel_form(style.excel_locale)
    if form.decimal == ",":
        words = {column.name: column.words for column in release.published.columns}
        numbers = (each.name for each in release.meanings if each.cells.are_numbers)
        commas = tuple(name for name in numbers if _takes_commas(words[name].to_pylist()))
        form = form._replace(comma_columns=commas)
    form = form._replace(is_disarmed=style.spreadsheet_safe and suffix != ".parquet")
    return WrittenAs(form, field_notes(told_cells(release.meanings)) if suffix == ".parquet" else None)


def _takes_commas(words: list[str]) -> bool:
    return any("." in word for word in words) and takes_commas(words)


def in_style(published: PublishedTable, as_: WrittenAs) -> PublishedTable:
    """The table with its words as they are written; O(words)."""
    if as_.form.is_disarmed:
        published = rewritten(published, spreadsheet_safe_word)
    commas = as_.form.comma_columns
    return rewritten(published, with_comma, only=commas) if commas else published


def reserve_codebook(transaction: Transaction, table: Destination, *, wanted: bool) -> Places:
    """Places for the codebook of a table; where none is wanted, an old one is removed with the commit."""
    book, page = codebook_paths(table.path)
    vacate = not wanted
    return (
        transaction.reserve(book, suffixes=(".csv",), vacate=vacate),
        transaction.reserve(page, suffixes=(".md",), vacate=vacate),
    )


class BesidePlaces(NamedTuple):
    """The places of certificate and codebook; those that are not wanted are vacated with the commit."""

    certificate: Destination | None
    codebook: Places | None
    wanted: tuple[bool, bool]

    @classmethod
    def reserve(
        cls,
        transaction: Transaction,
        table: Destination,
        policy: Policy,
        *,
        certificate: bool,
        codebook: bool,
    ) -> BesidePlaces:
        """Reserve all of them, before the work."""
        certified = reserve_certificate(transaction, table, policy, wanted=certificate)
        books = reserve_codebook(transaction, table, wanted=codebook)
        return cls(certified, books, (certificate, codebook))

    @classmethod
    def of_pipe(cls, transaction: Transaction, *, certificate: bool | str | os.PathLike[str]) -> BesidePlaces:
        """Nothing is beside what goes into a pipe; only a certificate that has a name is written."""
        if isinstance(certificate, bool):
            return cls(None, None, (False, False))
        return cls(transaction.reserve(certificate, suffixes=CERTIFICATE_SUFFIXES), None, (True, False))

    @property
    def certificate_digest(self) -> str | None:
        """The SHA-256 of the certificate that is written."""
        certificate = self.certificate
        return certificate.digest.hex() if certificate is not None and self.wanted[0] else None

    @property
    def codebook_names(self) -> tuple[str, ...]:
        """The files of the codebook that are written."""
        return tuple(place.path.name for place in self.codebook or ()) if self.wanted[1] else ()

    @property
    def paths(self) -> list[Path]:
        """The files that are written."""
        certificate = () if self.certificate is None else (self.certificate,)
        places = (*(certificate if self.wanted[0] else ()), *(self.codebook or () if self.wanted[1] else ()))
        return [place.path for place in places]

    def write(self, release: Release, table: Destination, as_: WrittenAs, *, date: str) -> None:
        """Describe and certify a table that was written and checked; the certificate names the codebook."""
        described: tuple[CertifiedBeside, ...] = ()
        if self.codebook is not None and self.wanted[1]:
            written = Written(table.path.name, self.codebook[0].path.name, table.suffix, as_.form)
            texts = codebook_bytes(release, written, table.digest.hex())
            described = tuple(map(write_beside, self.codebook, texts))
        if self.certificate is not None and self.wanted[0]:
            release.write_certificate_to(self.certificate, table, as_, date=date, codebook=described)
        self._check(release, counted_at(table))

    def _check(self, release: Release, counted: Counted) -> None:
        """PRIVACY: what is beside the table says what was counted on its bytes, and no value that it hides
        (tests/sabotage/test_files_beside.py)."""
        books = self.codebook if self.codebook is not None and self.wanted[1] else ()
        beside = {place.path.name: bytes_at(place) for place in books}
        for check, text in zip((check_codebook, check_codebook_page), beside.values(), strict=False):
            check(text, counted)
        if self.certificate is not None and self.wanted[0]:
            check_manifest(release.manifest, counted)
            check_certificate(bytes_at(self.certificate), counted, beside)


def meanings_of(release: Release, names: Iterable[str]) -> tuple[ColumnMeaning, ...]:
    """What the published columns say; of those that are elsewhere only their names. O(words)."""
    manifest, policy = release.manifest, release.policy
    roles, suppressed = manifest.get("roles", policy.roles), manifest.get("suppressed", {})
    nodes = {}
    for name, tree in release.hierarchies.items():
        spans = zip(tree.node_label, tree.node_low.tolist(), tree.node_high.tolist(), strict=True)
        nodes[name] = [label for label, low, high in spans if low < high]
    has_means = manifest.get("options", {}).get("publish") in _GROUPED
    dates = [name for name, form in policy.columns.items() if form.is_date]
    decided = Decisions(roles, suppressed, policy.categorical, has_means, nodes, dates)
    here = {column.name: column for column in release.published.columns}
    return tuple(
        _meaning(here[name], decided) if name in here else unseen_meaning(name, roles.get(name, ""))
        for name in names
    )


def reading_of(recoding: Recoding, published: PublishedTable) -> PublishedReading | None:
    """How to read the sketches of a release; it names no value that the cells do not. O(words)."""
    if recoding.reading is None:
        return None
    columns, domains = {column.name: column for column in published.columns}, []
    shown = {}
    for domain in (column.domain for column in recoding.columns):
        domains.append(domain)
        cells = [read_cell(word) for word in _used_words(columns[domain.name]).to_pylist()]
        shown[domain.name] = {text for cell in cells for text in cell.texts}
        shown[domain.name] |= {MISSING_TEXT} if any(cell.with_missing for cell in cells) else set()
    return PublishedReading.of(recoding.reading, domains, shown)


def _used_words(column: PublishedColumn) -> pa.Array:
    """PRIVACY: only words that a published row has (tests/sabotage/test_codebook_leaks.py)."""
    used = np.flatnonzero(np.bincount(column.codes, minlength=len(column.words)))
    return column.words.take(as_arrow(used)).unique()


def _meaning(column: PublishedColumn, decided: Decisions) -> ColumnMeaning:
    words = _used_words(column)
    if decided.roles.get(column.name, QUASI) == QUASI:
        return column_meaning(column.name, words.to_pylist(), decided)
    return plain_meaning(column.name, words, decided)


def codebook_bytes(release: Release, written: Written, sha256: str) -> tuple[bytes, bytes]:
    """Both files of the codebook of a release whose table was written and checked."""
    manifest, n_rows = release.manifest, release.published.n_rows
    promise, notices = manifest.get("promise", []), manifest.get("notices", [])
    told = PageFacts(sha256, n_rows, promise, manifest.get("not_promised", NOT_PROMISED), notices)
    return codebook_files(release.meanings, told, written, release.reading)


def counted_at(table: Destination) -> Counted:
    """What was counted on the bytes of a table; without that nothing is published."""
    if table.counted is None:
        raise VerificationError(
            "the written file was not counted", "nothing was published; please report this"
        )
    with table.reading() as stream:
        if os.fstat(stream.fileno()).st_size != table.counted.n_bytes:
            raise changed()
    return table.counted


def bytes_at(place: Destination) -> bytes:
    """What is on the disk; O(bytes)."""
    with place.reading() as stream:
        return stream.read()


def write_beside(place: Destination, text: bytes) -> CertifiedBeside:
    """Write a file of the codebook, and make sure that it is what is on the disk."""
    with place.writing() as stream:
        stream.write(text)
    if place.digest != hashlib.sha256(text).digest():
        raise VerificationError("the codebook is not what was written to it", "nothing was published")
    return CertifiedBeside(place.path.name, place.digest.hex(), len(text))
