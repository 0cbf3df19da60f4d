"""What a notebook shows of releases, audits, evaluations, policies, manifests and profiles."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from kanopy._version import __version__
from kanopy.auditing import Audit, TextTable
from kanopy.errors import PolicyError
from kanopy.evaluation.evaluation import Evaluation
from kanopy.policy import Policy
from kanopy.profiling import Profile
from kanopy.release import Destination, Release, write_file
from kanopy.release.telling import ShownManifest
from kanopy.reporting import blocks
from kanopy.reporting.blocks import (
    Bars,
    BulletList,
    FactList,
    Faint,
    Name,
    NoteList,
    Paragraph,
    TableBlock,
    Text,
)
from kanopy.reporting.evaluation_report import accuracy_lines
from kanopy.reporting.evaluation_summary import EvaluationSummary
from kanopy.reporting.first_screen import sentence
from kanopy.reporting.fragment import fragment
from kanopy.reporting.html import as_html
from kanopy.reporting.markdown import as_markdown
from kanopy.reporting.pdf import as_pdf
from kanopy.reporting.profile_report import PROFILE_BANNER, small_group_bars
from kanopy.reporting.release_report import cell_section, size_section
from kanopy.reporting.summary import ReleaseSummary
from kanopy.reporting.tally import Tally, percent

_TONES = {"green": "good", "yellow": "warn", "red": "bad"}
_SHOWN_ROWS, _SHOWN_COLUMNS, _SHOWN_FINDINGS, _SHOWN_SCORES, _SHOWN_SUBSETS = 5, 12, 5, 40, 5
_LONGEST_CELL, _LONGEST_ENTRY, _MOST_NAMES = 28, 600, 20


def html_of(shown: Any) -> str:
    """The fragment of HTML that stands for an object; O(what is shown), of an evaluation O(scores)."""
    return str(_drawn_by(_FRAGMENTS, shown)(shown))


def figure_of(shown: Any) -> Figure:
    """The picture of an object."""
    figure: Figure = _drawn_by(_FIGURES, shown)(shown)
    return figure


def _drawn_by(known: Mapping[type, Callable[[Any], Any]], shown: Any) -> Callable[[Any], Any]:
    return next(draw for kind, draw in known.items() if isinstance(shown, kind))


@dataclass(frozen=True, slots=True, repr=False)
class Figure:
    """A picture: a notebook shows it, and ``save`` writes it as a page that needs nothing else."""

    title: str
    pictures: tuple[blocks.Block, ...]
    private: bool = False  # whether it has exact figures about people

    def __repr__(self) -> str:
        return f'<Figure {self.title!r}: a notebook shows it, figure.save("figure.html") writes it>'

    def _repr_html_(self) -> str:
        return str(fragment(self.title, "", self.pictures))

    def save(self, path: str | os.PathLike[str], *, force: bool = False) -> Path:
        """Write it as a page (``.html``), as tables (``.md``) or for print (``.pdf``, needs Chromium).

        A picture of a profile is private: nobody but the owner of the file may read it (mode 0600).
        """
        suffixes = (".html", ".md", ".pdf")
        return write_file(path, self._write_to, force=force, suffixes=suffixes, private=self.private)

    def _write_to(self, destination: Destination) -> None:
        foot = f"Made by kanopy {__version__}. It needs no network and runs no script."
        banner = PROFILE_BANNER if self.private else ""
        section = blocks.Section("Figures", self.pictures)
        document = blocks.Document(self.title, "", "", (), (section,), foot, "neutral", banner=banner)
        text = as_markdown(document) if destination.suffix == ".md" else as_html(document)
        whole = text.encode("utf-8", "backslashreplace")
        with destination.writing() as stream:
            stream.write(as_pdf(whole, None) if destination.suffix == ".pdf" else whole)


def _of_release(release: Release) -> str:
    """PRIVACY: notebooks are passed on: nothing is shown but what may be told, and published rows
    (tests/unit/reporting/test_notebook.py)."""
    told, manifest = release.told()["audit"], release.manifest
    kept = "The promise is kept" if told["kept"] else "The promise is BROKEN"
    rows, groups = manifest["rows"], manifest["groups"]
    facts: list[tuple[str, Text]] = [
        ("method", manifest["method"]),
        ("published", f"{rows['out']:,} rows in {groups['count']:,} groups; dropped: {rows['dropped']}"),
        ("suppressed", f"{manifest['losses']['missing_cell_ratio']:.0%} of the cells of quasi-identifiers"),
    ]
    findings = [_note(each["severity"], each["message"], each["advice"]) for each in told["findings"]]
    content: list[blocks.Block] = [
        BulletList(tuple(manifest["promise"]), mark="kept"),
        FactList(tuple(facts)),
    ]
    content += [NoteList(tuple(findings[:_SHOWN_FINDINGS]))] if findings else []
    content += list(_published_rows(release))
    remark = Paragraph(manifest["not_promised"], is_remark=True)
    warned = "" if told["colour"] != "yellow" else "; read what is warned about"
    verdict = (_TONES[told["colour"]], f"{kept}{warned}.")
    return fragment("Release", 'write it: release.write("release.csv")', [*content, remark], verdict=verdict)


def _note(severity: str, message: str, advice: str | None) -> tuple[str, Text, Text]:
    return severity, sentence(message), sentence(advice or "")


def _published_rows(release: Release) -> Iterator[blocks.Block]:
    """A few rows from all over the published table."""
    if release.elsewhere:
        return
    table = TextTable.of_published(release.published)
    names = list(table.columns)[:_SHOWN_COLUMNS]
    lines = np.unique(np.linspace(0, max(table.n_lines - 1, 0), _SHOWN_ROWS).astype(np.int64))[
        : table.n_lines
    ]
    rows = tuple(tuple(_cell(table.columns[name], line) for name in names) for line in lines)
    header = tuple(Name(name, _LONGEST_CELL) for name in names)
    more = "" if len(names) == len(table.columns) else f", {len(names)} of {len(table.columns):,} columns"
    yield TableBlock(f"Some of the published rows{more}", header, rows)


def _cell(column: Any, line: int) -> Text:
    text = column.words[int(column.codes[line])].as_py()
    return Name(text, _LONGEST_CELL) if text else Faint("missing")


def _of_audit(audit: Audit) -> str:
    kept = "Every promise is kept" if audit.kept else "The promise is BROKEN"
    kept += "." if audit.colour != "yellow" else "; read what is warned about."
    header = ("promise", "kept", "worst group")
    promises = tuple(
        (each.promise, "yes" if each.kept else "NO", f"{each.level:.6g}") for each in audit.promises
    )
    facts: list[tuple[str, Text]] = [
        ("rows", f"{audit.rows:,} in {audit.groups:,} groups; k counts {audit.unit}"),
        ("smallest groups", ", ".join(map(str, audit.smallest_groups))),
        ("risk", audit.risks.sentence),
        ("unique", f"{percent(audit.unique_rows)} of the rows on all published columns"),
    ]
    facts += [
        ((f"certain: {name}")[:60], f"{percent(share)} of the rows") for name, share in audit.certain.items()
    ]
    notes = tuple(_note(each.severity, each.message, each.advice) for each in audit.findings)
    content: list[blocks.Block] = [
        TableBlock("Promises", header, promises, frozenset({2})),
        FactList(tuple(facts)),
    ]
    more = len(notes) - _SHOWN_FINDINGS
    content += [NoteList(notes[:_SHOWN_FINDINGS])] if notes else []
    content += [Paragraph(f"{more:,} more in audit.findings", is_remark=True)] if more > 0 else []
    return fragment("Audit", audit.colour, content, verdict=(_TONES[audit.colour], kept))


def _of_profile(found: Profile) -> str:
    header = ("columns", "groups", "smallest group", f"unique {found.unit}", "share")
    rows = tuple(
        (
            _names(each.columns),
            f"{each.groups:,}",
            f"{each.smallest:,}",
            f"{each.unique:,}",
            percent(each.unique_share),
        )
        for each in found.subsets[:_SHOWN_SUBSETS]
    )
    facts: list[tuple[str, Text]] = [
        ("quasi-identifiers", _names(found.quasi_identifiers)),
        ("rows", f"{found.rows:,} in {found.groups:,} groups"),
        ("risk", found.risks.sentence),
    ]
    facts += [
        (f"l and t: {each.column}"[:60], f"l = {each.l}, t = {each.t:.3g}, {each.values:,} different values")
        for each in found.sensitive
    ]
    told = TableBlock("What tells most", header, rows, frozenset({1, 2, 3, 4}))
    content: list[blocks.Block] = [FactList(tuple(facts)), small_group_bars(found), told]
    verdict = (
        "neutral",
        f"k = {found.k:,}: {percent(found.unique_share)} of the {found.unit} are alone in a group.",
    )
    return fragment("Profile", "exact figures about the table: not for publication", content, verdict=verdict)


def _of_policy(policy: Policy) -> str:
    roles: dict[str, list[str]] = {}
    for name, role in policy.roles.items():
        roles.setdefault(role, []).append(name)
    facts: list[tuple[str, Text]] = [(role.replace("_", "-"), _names(names)) for role, names in roles.items()]
    options = ", ".join(f"{name} = {value}" for name, value in policy.options.items())
    facts += [("method", f"{policy.method_name}{f' ({options})' if options else ''}")]
    facts += [("hierarchies", _names(tuple(policy.hierarchies)))] if policy.hierarchies else []
    unit = "rows" if policy.person is None else "persons"
    promised = tuple(part.sentence(unit) for part in policy.promise.parts)
    return fragment("Policy", "", [BulletList(promised), FactList(tuple(facts))])


def _of_manifest(manifest: Mapping[str, Any]) -> str:
    rows = tuple(
        (Name(key), Name(_line(value), _LONGEST_ENTRY))
        for key, value in manifest.items()
        if value not in ([], {})
    )
    table = TableBlock("What may be told about the release", ("what", "value"), rows)
    return fragment("Manifest", "may be told to anyone", [table])


def _line(value: Any) -> str:
    """An entry of a manifest on one line, with everything in it."""
    if isinstance(value, Mapping):
        return ", ".join(f"{name}: {_line(inner)}" for name, inner in value.items())
    if isinstance(value, list):
        return " ".join(map(_line, value)) if all(isinstance(each, str) for each in value) else str(value)
    if value is None or isinstance(value, bool):
        return {None: "not told", True: "yes", False: "no"}[value]
    return f"{value:,}" if isinstance(value, int) else str(value)


def _of_evaluation(evaluation: Evaluation) -> str:
    summary = EvaluationSummary.of(evaluation)
    header = ("method", "k", "learner", "accuracy", "on recoded rows", "detail lost", "excess")
    rows = tuple(
        (
            score.method,
            "none" if score.k is None else f"{score.k:,}",
            score.learner,
            "refused" if score.refused is not None else score.accuracy.text,
            score.recoded.text,
            Faint("none") if score.lost is None else f"{score.lost:.0%}",
            Faint("none") if score.excess.value is None else f"{100 * score.excess.value:+.1f}",
        )
        for score in summary.scores[:_SHOWN_SCORES]
    )
    original = tuple(
        f"{each.learner}: {percent(each.original.value or 0)} on the original table, "
        f"{percent(each.majority.value or 0)} for the most frequent class"
        for each in summary.references
    )
    said = tuple(
        f"{line.learner}{'' if line.k is None else f', k = {line.k:,}'}: {line.said}"
        for line in summary.verdicts
    )
    content: list[blocks.Block] = [
        TableBlock("Scores", header, rows, frozenset({1, 3, 4, 5, 6})),
        BulletList((*said, *original)),
    ]
    remark = Paragraph(summary.protocol, is_remark=True)
    return fragment("Evaluation", f"about {summary.n_rows:,} rows", [*content, remark])


def _names(names: tuple[str, ...] | list[str]) -> Text:
    parts: list[blocks.Piece] = []
    for name in names[:_MOST_NAMES]:
        parts += [", ", Name(name)] if parts else [Name(name)]
    return (*parts, f" and {len(names) - _MOST_NAMES:,} more") if len(names) > _MOST_NAMES else tuple(parts)


def _release_figure(release: Release) -> Figure:
    summary = ReleaseSummary.of(release, edition="public")
    return Figure(
        "Groups and cells of the release", (*size_section(summary).blocks, *cell_section(summary).blocks)
    )


def _audit_figure(audit: Audit) -> Figure:
    shares = [(Name(name), share) for name, share in audit.certain.items()]
    bars: list[tuple[blocks.Piece, float]] = [*shares, ("unique on all columns", audit.unique_rows)]
    told = tuple((label, Tally(round(share * audit.rows), share, percent(share))) for label, share in bars)
    described = "Share of the rows whose value can be told for sure, and of those that no other row equals."
    marked = frozenset(place for place, (_, share) in enumerate(bars) if share > 0)
    header = ("what", "rows")
    title = "Rows of which something can be told for sure"
    return Figure("Audit", (Bars(title, described, header, told, marked, is_of_whole=True),))


def _evaluation_figure(evaluation: Evaluation) -> Figure:
    summary = EvaluationSummary.of(evaluation)
    pictures = []
    for learner in summary.learners:
        for lines in accuracy_lines(summary, learner)[:1]:  # on original test rows
            pictures.append(lines._replace(title=f"{learner}: {lines.title.lower()}, against k"))
    if not pictures:
        raise PolicyError(
            "nothing could be measured, so there is nothing to draw", "look at evaluation.scores"
        )
    return Figure("Accuracy against k", tuple(pictures))


def _profile_figure(found: Profile) -> Figure:
    return Figure("Who stands out", (small_group_bars(found),), private=True)


_FRAGMENTS: dict[type, Callable[[Any], str]] = {
    Release: _of_release,
    Audit: _of_audit,
    Profile: _of_profile,
    Policy: _of_policy,
    ShownManifest: _of_manifest,
    Evaluation: _of_evaluation,
}
_FIGURES: dict[type, Callable[[Any], Figure]] = {
    Release: _release_figure,
    Audit: _audit_figure,
    Profile: _profile_figure,
    Evaluation: _evaluation_figure,
}
