"""A release, and how it is written: a temporary file is read back and recounted before it gets its name."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from kanopy._display import Plotted, number_of
from kanopy.auditing import Audit, Finding, TextTable
from kanopy.auditing.beside import check_audit
from kanopy.auditing.text import TextRows
from kanopy.certificate import CertifiedBeside, certificate_bytes, certificate_of
from kanopy.codebook import ColumnMeaning, told_cells
from kanopy.data import CellKind, Hierarchy, PublishedReading, RecodedColumn
from kanopy.data.arrays import Int32s
from kanopy.data.grammar import MISSING_TEXT, SUPPRESSED_TEXT
from kanopy.errors import PolicyError
from kanopy.frames.csv_text import has_formula
from kanopy.frames.from_numpy import as_arrow
from kanopy.frames.published import PublishedTable
from kanopy.frames.tables import from_arrow
from kanopy.policy import Policy, policy_digest
from kanopy.release.certifying import certified_file, date_of_writing
from kanopy.release.describing import (
    PLAIN_STYLE,
    BesidePlaces,
    Style,
    check_style,
    counted_at,
    in_style,
    meanings_of,
    reading_of,
    written_as,
)
from kanopy.release.destination import NO_INPUTS, TREE_SUFFIXES, Destination, Inputs
from kanopy.release.floor import FrequentValues, floor_of, frequent_values
from kanopy.release.patterns import Patterns
from kanopy.release.record import RECORD_SUFFIXES, RunResults, RunSettings, record_of, record_text
from kanopy.release.telling import Manifest, tell, tell_audit
from kanopy.release.transaction import Transaction, write_file
from kanopy.release.written_table import WrittenAs, verify_table, write_table

if TYPE_CHECKING:
    from kanopy.algorithms import Method
    from kanopy.frames.distinct import DistinctColumn
    from kanopy.frames.new_rows import PlacedColumn
    from kanopy.release.matching import PatternIndex

File = str | os.PathLike[str]


class Release(Plotted):
    """A table whose promise has been recounted, and the only thing that kanopy writes.

    Attributes
    ----------
    frame : frame
        The published table, of the kind that came in.
    audit : Audit
        The recount of its text.
    manifest : Manifest
        What may be told to anyone, a dict with typed entries: method, options, versions, rows, losses of the
        published text; nothing that follows from hidden values, and no cell values, but for the value
        statistics that a policy asks for.
    record : dict
        The same exactly, with seed, notices and losses against the source; private, not for publication.
    method : Method or None
        None where it was not made by ``anonymize``.
    model : ReleasedTree or None
        The decision tree that ``kadet`` and ``apt`` publish beside the table. ``model.predict(rows)`` gives
        the class of new rows.
    reading : PublishedReading or None
        Where cells are sketches: how to read them, as the codebook tells it.
    inputs : Inputs
        The files it was made from, which nothing that is written may replace.
    """

    def __init__(
        self,
        published: PublishedTable,
        policy: Policy,
        audit: Audit,
        manifest: Manifest,
        *,
        persons: NDArray[np.int32] | None = None,
    ) -> None:
        self._published = published
        self._persons = persons
        self._policy = policy
        self.audit = audit
        self.manifest: Manifest = manifest
        # Where it comes from: ``of`` knows.
        self._kind = "pyarrow"
        self._policy_sha256 = ""
        self._patterns: Patterns | None = None
        self.reading: PublishedReading | None = None
        self._frequent: FrequentValues = {}
        self._frequent_sets: dict[str, frozenset[str]] = {}
        self.method: Method | None = None
        self.model: Any = None
        self.inputs = NO_INPUTS
        self.record: dict[str, Any] = {}

    @classmethod
    def of(cls, settings: RunSettings, results: RunResults, *, kind: str, inputs: Inputs) -> Self:
        """The release of a run whose checks have all passed; O(rows * columns)."""
        policy, record = settings.policy, record_of(settings, results)
        manifest = tell(record, policy)
        release = cls(results.published, policy, results.verdict, manifest, persons=results.persons)
        release._kind, release.inputs, release.record = kind, inputs, record
        release.method, release.model = settings.method, results.recoding.model
        if policy.target is not None and release.model is not None:
            from kanopy.release.released_tree import ReleasedTree  # few methods publish one
            from kanopy.trees import Tree

            if isinstance(getattr(release.model, "tree", None), Tree):
                release.model = ReleasedTree.of(release.model, policy, results.encoded.passing[policy.target])
        # Now, as the files of hierarchies may be others when the release is written.
        release._policy_sha256 = policy_digest(policy)
        release._patterns = Patterns.of(results.encoded.table, results.recoding)
        release.reading = reading_of(results.recoding, results.published)
        floor = floor_of(policy.promise, policy.quasi_identifiers)
        release._frequent = frequent_values(results.encoded, floor)
        return release

    def __repr__(self) -> str:
        rows, groups = self.manifest["rows"]["out"], self.manifest["groups"]["count"]
        counted = f"{number_of(rows, 'rows')} in {number_of(groups, 'groups')}"
        return f"<Release {self.manifest['method']}: {counted}, {self.audit.public().colour}>"

    @property
    def published(self) -> PublishedTable:
        """The published table as it is written."""
        return self._published

    @cached_property
    def frame(self) -> Any:
        return from_arrow(self._published.to_arrow(), self._kind)

    @property
    def policy(self) -> Policy:
        """What the custodian decided."""
        return self._policy

    @property
    def elsewhere(self) -> frozenset[str]:
        """Published columns whose values are not here, but where the rows are."""
        return frozenset()

    @property
    def policy_digest(self) -> str:
        """The SHA-256 of what the policy says, as it was when the release was made."""
        return self._policy_sha256 or policy_digest(self._policy)

    def asked_for(self, policy: Policy) -> Self:
        """The same release, for a policy to which the run added what the types of the table say."""
        self._policy_sha256 = policy_digest(policy)
        return self

    @property
    def hierarchies(self) -> dict[str, Hierarchy]:
        """Of the quasi-identifiers that have one: which values each published node may stand for."""
        domains = [column.domain for column in self._patterns.columns] if self._patterns else []
        return {domain.name: domain.hierarchy for domain in domains if domain.hierarchy is not None}

    @cached_property
    def rows(self) -> TextRows:
        """The published rows as the audit sees them; the persons behind them are for counting alone."""
        return TextRows(TextTable.of_published(self._published).expanded(), self._persons)

    @cached_property
    def says_nothing(self) -> bool:
        """Whether every quasi-identifier is suppressed in every row."""
        return self.rows.say_nothing(self._policy.quasi_identifiers)

    def generalized_texts(self, column: str) -> frozenset[str]:
        """The published texts of a quasi-identifier that stand for more than one value; O(cells).

        Ranges and sets show it, means and nodes of a hierarchy do not. Where means are published, every
        number counts as one: which of them happens to be exact is not told.
        """
        texts = self.rows.table.columns[column].words.to_pylist()
        known = {each.domain.name: each for each in self._patterns.columns} if self._patterns else {}
        if column not in known:
            return frozenset(text for text in texts if text[:1] in ("[", "{"))
        cells = known[column].cells
        if any(cell.kind is CellKind.MEAN for cell in cells):
            return frozenset(texts) - {SUPPRESSED_TEXT, MISSING_TEXT}
        kinds = zip(known[column].texts, cells, strict=True)
        return frozenset(text for text, cell in kinds if cell.kind is not CellKind.EXACT) & frozenset(texts)

    def told(self) -> dict[str, Any]:
        """Verdict and manifest as plain data, as they may be told to anyone; the worst comes first."""
        return {"audit": tell_audit(self.audit, self._policy), "manifest": self.manifest}

    def warn(self, findings: Iterable[Finding]) -> None:
        """Add what was found out about the files of this release."""
        self.set_findings(self.audit.with_findings(findings).findings)

    def set_findings(self, findings: tuple[Finding, ...]) -> None:
        """Replace what was found; whether promises are kept stays as it is."""
        self.audit = replace(self.audit, findings=findings)
        self.record["audit"] = self.audit.to_dict()

    def frequent_values(self, column: str) -> frozenset[str]:
        """The values of a published column that enough rows (or persons) of the source have to be named in a
        report; missing is the empty text. None are known where the release was not made by ``anonymize``."""
        if column not in self._frequent_sets:
            texts = self._frequent[column].to_pylist() if column in self._frequent else ()
            self._frequent_sets[column] = frozenset(texts)
        return self._frequent_sets[column]

    @property
    def n_formulas(self) -> int:
        """How many different texts, names of columns among them, a spreadsheet might run as a formula."""
        n_formulas = has_formula(self._published.names)
        for column in self._published.columns:
            # Ranges, sets and sketches are none, and may be very many.
            may_be_one = pc.match_substring_regex(column.words, r"^[^\w\s\[{~]|^\s")
            n_formulas += has_formula(column.words.filter(may_be_one).to_pylist())
        return n_formulas

    def recode(self, new_rows: Any, *, delimiter: str | None = None, encoding: str | None = None) -> Any:
        """New rows through the same recoding, to be scored; nothing is promised about them.

        Each row gets the cells of the most specific published pattern that covers it: the one with the least
        certainty penalty, of equals the one with more rows, then the first in the order of the texts. What
        no pattern covers goes to the nearest one. O(rows * patterns * columns / 64), equal rows once; for
        rows that no pattern covers without the 64. Where the method recodes globally (``tds``, ``tdr``,
        ``tdd``, ``bottomup``), each column is recoded by itself, also where no such row was published.
        Where cells are sketches, new rows stay as they are: a sketch tells about a group, to which no new row
        belongs, and learners predict from plain values.

        Parameters
        ----------
        new_rows : frame or path
            As for ``anonymize``. All quasi-identifiers must be there, other columns may be absent.
        delimiter, encoding : str
            Of a CSV file.

        Returns
        -------
        frame
            Of the kind that came in, row for row, with the columns of ``frame`` that the new rows have.
        """
        if self._patterns is None:
            raise PolicyError("this release does not know its recoding", "make it with kanopy.anonymize")
        from kanopy.frames.new_rows import read_new_rows  # whoever writes a release needs it not

        rows = read_new_rows(new_rows, self._policy, delimiter=delimiter, encoding=encoding)
        recoded = dict(rows.passing)
        if self._is_sketched:
            recoded |= {name: rows.plain(name) for name in rows.quasi}
        else:
            recoded |= self._recoded(rows.quasi, self._patterns.columns)
        names = [name for name in self._published.names if name in recoded]
        return from_arrow(pa.table({name: recoded[name] for name in names}), rows.kind)

    def _recoded(
        self, quasi: Mapping[str, DistinctColumn], columns: Sequence[RecodedColumn]
    ) -> dict[str, pa.Array]:
        """The cells of new rows, column by column."""
        from kanopy.frames.new_rows import place_values

        cells = self._cells_of([place_values(quasi[each.domain.name], each.domain) for each in columns])
        recoded = {}
        for column, ids in zip(columns, cells, strict=True):
            words, word_of_cell = column.words
            values = pa.array([word or None for word in words], pa.string())
            recoded[column.domain.name] = values.take(as_arrow(word_of_cell[ids]))
        return recoded

    @property
    def _is_sketched(self) -> bool:
        """Whether cells tell how the values of whole groups are distributed."""
        columns = self._patterns.columns if self._patterns else ()
        return any(cell.kind is CellKind.SKETCH for column in columns for cell in column.cells)

    def _cells_of(self, values: Sequence[PlacedColumn]) -> list[Int32s]:
        """For every column of new rows the cell of each row."""
        assert self._patterns is not None
        if self.method is None or not self.method.is_global:
            pattern = self._index.find(values)
            return [column.ids[pattern] for column in self._patterns.columns]
        pairs = zip(self._column_indexes, values, strict=True)
        return [ids[index.find([new])] for (ids, index), new in pairs]

    @cached_property
    def _index(self) -> PatternIndex:
        from kanopy.release.matching import PatternIndex

        assert self._patterns is not None
        return PatternIndex(self._patterns)

    @cached_property
    def _column_indexes(self) -> list[tuple[Int32s, PatternIndex]]:
        """For every column its cells, and where to find them, each column by itself."""
        from kanopy.release.matching import PatternIndex

        assert self._patterns is not None
        alone = self._patterns.of_columns()
        return [(own.columns[0].ids, PatternIndex(own, order=np.arange(own.n_patterns))) for own in alone]

    def write(
        self,
        path: File,
        *,
        force: bool = False,
        spreadsheet_safe: bool = False,
        certificate: bool = True,
        codebook: bool = True,
        excel_locale: str | None = None,
    ) -> Path:
        """Write the release as CSV or Parquet: temporary file, re-read, recount, rename.

        Parameters
        ----------
        path : path
            Ending in ``.csv``, ``.csv.gz``, ``.csv.zst`` or ``.parquet``.
        force : bool
            Whether an existing file may be replaced.
        spreadsheet_safe : bool
            Whether texts that a spreadsheet would run as a formula get a ``'`` in front (CSV only).
        certificate : bool
            Whether a certificate (``release.csv.kanopy.json``) is written beside it, for ``kanopy.verify``.
            Without it, one that is there is removed where files may be replaced.
        codebook : bool
            The same of a codebook (``release.codebook.csv`` and ``.md``), for whoever reads the release.
        excel_locale : str, optional
            Write CSV as Excel reads it with these regional settings, such as ``"de"``.
        """
        style = Style(spreadsheet_safe, excel_locale)
        with Transaction(force=force, inputs=self.inputs) as transaction:
            place = transaction.reserve(path)
            check_style(style, place.suffix)
            wanted = {"certificate": certificate, "codebook": codebook}
            beside = BesidePlaces.reserve(transaction, place, self._policy, **wanted)
            as_ = self.write_to(place, style)
            beside.write(self, place, as_, date=date_of_writing())
            transaction.commit()
        return place.path

    def write_tree(self, path: File, *, force: bool = False) -> Path:
        """Write the published tree as text (``.txt``), Graphviz (``.dot``) or Mermaid (``.mmd``)."""
        write = self.write_tree_to
        return write_file(path, write, force=force, inputs=self.inputs, suffixes=TREE_SUFFIXES)

    def write_tree_to(self, destination: Destination) -> None:
        """Write the tree to a place that was reserved; it gets its name when that is committed."""
        if self.model is None:
            raise PolicyError("this release has no tree", "kadet and apt publish one")
        with destination.writing() as stream:
            stream.write(self.model.write(destination.suffix).encode())

    def write_record(self, path: File, *, force: bool = False) -> Path:
        """Write the private record as JSON (``.json``); its first line says that it is not for publication.

        Nobody but the owner of the file may read it (mode 0600).
        """
        kind: dict[str, Any] = {"suffixes": RECORD_SUFFIXES, "private": True}
        return write_file(path, self.write_record_to, force=force, inputs=self.inputs, **kind)

    def write_record_to(self, destination: Destination) -> None:
        """Write the record to a place that was reserved; it gets its name when that is committed."""
        with destination.writing() as stream:
            stream.write(record_text(self.record).encode("utf-8", "backslashreplace"))

    @cached_property
    def meanings(self) -> tuple[ColumnMeaning, ...]:
        """What the published columns mean, for codebook, certificate and Parquet files; O(words)."""
        return meanings_of(self, self.published_names)

    @property
    def published_names(self) -> Sequence[str]:
        """The columns of the files."""
        return self._published.names

    def certificate(
        self,
        table: Destination,
        as_: WrittenAs,
        *,
        date: str,
        codebook: Sequence[CertifiedBeside] = (),
    ) -> dict[str, Any]:
        """The certificate of the table that was written to this place and checked there, as plain data."""
        written = certified_file(table, self._published, as_.form)
        more: dict[str, Any] = {"cells": told_cells(self.meanings), "codebook": codebook}
        policy_sha256 = self.policy_digest
        return certificate_of(
            self.told(), self._policy, written, policy_sha256=policy_sha256, date=date, **more
        )

    def write_certificate_to(
        self,
        destination: Destination,
        table: Destination,
        as_: WrittenAs,
        *,
        date: str,
        codebook: Sequence[CertifiedBeside] = (),
    ) -> None:
        """Write the certificate of a table that was written; both get their names with the same commit."""
        with destination.writing() as stream:
            stream.write(certificate_bytes(self.certificate(table, as_, date=date, codebook=codebook)))

    def write_to(self, destination: Destination, style: Style = PLAIN_STYLE) -> WrittenAs:
        """Write to a place that was reserved before the work started, and recount it; O(rows * columns).

        It gets its name when that is committed, and only if it is still what was recounted here.
        """
        as_ = written_as(self, destination.suffix, style)
        published = in_style(self._published, as_) if destination.is_csv else self._published
        write_table(destination, published, as_)
        # PRIVACY: what is recounted is what is on the disk; that it is also what gets the name is checked
        # when that happens (tests/sabotage).
        verify_table(destination, published, self._policy, self._persons, as_)
        check_audit(self.audit, counted_at(destination))
        return as_
