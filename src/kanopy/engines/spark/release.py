"""A release whose rows Spark writes: the only way is a folder of parts that were read back and recounted."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence
from functools import cached_property, partial
from typing import Any

from kanopy.auditing import TextTable
from kanopy.auditing.beside import (
    Counted,
    check_audit,
    check_certificate,
    check_codebook,
    check_codebook_page,
    check_manifest,
)
from kanopy.certificate import (
    FOLDER_CERTIFICATE,
    CertifiedBeside,
    CertifiedFile,
    CertifiedPart,
    certificate_bytes,
    certificate_of,
    certified_folder,
)
from kanopy.codebook import FOLDER_CODEBOOK, told_cells
from kanopy.codebook.readers import Written
from kanopy.engines.spark.writing import (
    FORMS,
    check_parts,
    hashes_of,
    parts_for,
    read_parts,
    rows_frame,
    write_parts,
)
from kanopy.errors import Hint, PolicyError
from kanopy.frames.csv_form import PLAIN_FORM
from kanopy.release import Release, Style, Transaction, date_of_writing
from kanopy.release.describing import codebook_bytes
from kanopy.release.transaction import FolderPlace
from kanopy.release.written_table import check_recount, compare

File = str | os.PathLike[str]


class SparkRelease(Release):
    """A release of a Spark frame: ``frame`` is one too, and ``write`` writes a folder of parts.

    The lines of the release, and how many rows each stands for, are on the driver; rows are on the cluster.
    """

    session: Any = None
    _counted: Counted | None = None  # on the parts, where all their columns are here

    @cached_property
    def frame(self) -> Any:
        """The published rows as a Spark frame, in the order of the release."""
        return rows_frame(self.session, self._published, parts_for(self._published.n_rows, None))

    def write(
        self,
        path: File,
        *,
        form: str = "parquet",
        parts: int | None = None,
        staging: File | None = None,
        force: bool = False,
        codebook: bool = True,
        certificate: bool = True,
        spreadsheet_safe: bool = False,
        excel_locale: str | None = None,
    ) -> Any:
        """Write the release as a folder: staging folder, parts read back and recounted, certificate, rename.

        Parameters
        ----------
        path : path
            Of the folder, which must not exist, or hold a release and be replaced by ``force``.
        form : {"parquet", "csv"}
            Of the parts.
        parts : int, optional
            How many; otherwise one for every two million rows.
        staging : path, optional
            Where parts are written first, on the file system of the output.
        codebook : bool
            Whether the codebook is written into the folder (``_codebook.csv`` and ``_codebook.md``).
        certificate, spreadsheet_safe, excel_locale
            For files alone: a folder has its certificate, and rows of parts are sorted by their texts.
        """
        style = Style(spreadsheet_safe, excel_locale)
        check_folder(certificate=certificate, style=style, parts=parts)
        with Transaction(force=force, inputs=self.inputs) as transaction:
            place = transaction.reserve_folder(path, staging=staging)
            self.write_parts_to(place, form=form, parts=parts)
            self.describe_folder(place, form=form, date=date_of_writing(), codebook=codebook)
            transaction.commit()
        return place.path

    def write_parts_to(self, place: FolderPlace, *, form: str = "parquet", parts: int | None = None) -> None:
        """Have Spark write the parts into a place that was reserved, read them back and recount them.

        It gets its name when that is committed, and only if it is still what was recounted here.
        """
        suffix = suffix_of(form)
        rows = self._rows_in_parts(parts_for(self._published.n_rows, parts), suffix)
        write_parts(rows, place.target, suffix)
        place.hashes = partial(hashes_of, self.session)
        certified, names = self._read_back(place.take_parts(suffix), suffix)
        place.take_certified(certified_folder(place.path.name, certified, names))

    def _rows_in_parts(self, n_parts: int, suffix: str) -> Any:
        return rows_frame(self.session, self._published, n_parts, suffix)

    def _read_back(self, files: list[str], suffix: str) -> tuple[tuple[CertifiedPart, ...], Sequence[str]]:
        """The parts and their columns, if they hold what they should.

        PRIVACY: the promise is counted on the bytes of the parts, and these hold the rows of the release in
        its order, and no others (tests/spark/test_written_parts.py).
        """
        published = self._published
        written, certified = read_parts(self.session, files, published, suffix)
        compare(written.in_runs(), TextTable.of_published(published).in_runs())
        rows = written if self._persons is None else written.expanded()
        audit = check_recount(rows, self.policy, self._persons)
        self._counted = Counted("", "", 0, written, audit, self.policy)
        check_audit(self.audit, self._counted)
        return certified, published.names

    def describe_folder(self, place: FolderPlace, *, form: str, date: str, codebook: bool) -> str:
        """Write codebook and certificate into the folder, where other programs pass over them; the SHA-256
        of the certificate, which is the last file."""
        described, texts = [], tuple[bytes, ...]()
        if codebook:
            written = Written(
                place.path.name, FOLDER_CODEBOOK[0], suffix_of(form), PLAIN_FORM, is_folder=True
            )
            texts = codebook_bytes(self, written, place.certified.sha256)
            for name, text in zip(FOLDER_CODEBOOK, texts, strict=True):
                place.put_beside(name, text)
                described.append(CertifiedBeside(name, hashlib.sha256(text).hexdigest(), len(text)))
        more: dict[str, Any] = {"cells": told_cells(self.meanings), "codebook": described}
        told = certificate_of(
            self.told(), self.policy, place.certified, policy_sha256=self.policy_digest, date=date, **more
        )
        text = certificate_bytes(told)
        self._check_beside(place.certified, text, dict(zip(FOLDER_CODEBOOK, texts, strict=False)))
        place.put_beside(FOLDER_CERTIFICATE, text)
        return hashlib.sha256(text).hexdigest()

    def _check_beside(self, certified: CertifiedFile, certificate: bytes, books: Mapping[str, bytes]) -> None:
        """PRIVACY: what goes into the folder beside the parts says what was counted on their bytes
        (tests/spark/test_folder_codebook.py). Not where values of some columns never left the cluster."""
        if self._counted is None:
            return
        known = certified.name, certified.sha256, certified.n_bytes
        counted = self._counted._replace(name=known[0], sha256=known[1], n_bytes=known[2])
        for check, text in zip((check_codebook, check_codebook_page), books.values(), strict=False):
            check(text, counted)
        check_manifest(self.manifest, counted)
        check_certificate(certificate, counted, books)


def check_folder(*, certificate: bool, style: Style, parts: int | None) -> None:
    """Refuse what a folder cannot be, before any work."""
    if not certificate:
        hint = Hint("leave {certificate} out", certificate=False)
        raise PolicyError("a folder without certificate is no release", hint)
    if (
        style.spreadsheet_safe or style.excel_locale is not None
    ):  # what is put in front of a text moves it, and rows of parts are sorted by texts
        flags = {"spreadsheet_safe": ..., "excel_locale": ...}
        hint = Hint("leave {spreadsheet_safe} and {excel_locale} out", **flags)
        raise PolicyError("parts are not written for spreadsheets", hint)
    if parts is not None:
        check_parts(parts)


def suffix_of(form: str) -> str:
    """How the names of parts end that are written in a form."""
    for suffix, name in FORMS.items():
        if name == form:
            return suffix
    raise PolicyError(f"parts are not written as {form!r}", "choose parquet or csv")
