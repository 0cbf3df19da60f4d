"""The first screen of a report on a release: what is published, what was found, the risks, what is left."""

from __future__ import annotations

from kanopy.reporting.blocks import (
    Bars,
    Block,
    Digest,
    FactList,
    Faint,
    Name,
    NoteList,
    Paragraph,
    Section,
    TableBlock,
    Text,
)
from kanopy.reporting.findings import ShownFinding
from kanopy.reporting.summary import ReleaseSummary
from kanopy.reporting.tally import Tally, percent

SHOWN_FINDINGS = 3
_VERDICTS = {
    "green": "Green: the promise is kept",
    "yellow": "Yellow: the promise is kept, with warnings",
    "red": "Red: do not publish this as it is",
}
_TONES = {"green": "good", "yellow": "warn", "red": "bad"}


def verdict_words(summary: ReleaseSummary) -> str:
    """The colour as a word, and what it means."""
    return _VERDICTS[_shown_colour(summary)] if summary.kept else "Red: the promise is broken"


def tone_of(summary: ReleaseSummary) -> str:
    """The look of the verdict."""
    return _TONES[_shown_colour(summary)] if summary.kept else "bad"


def _shown_colour(summary: ReleaseSummary) -> str:
    """That of the edition."""
    return summary.colour if summary.board is None else summary.board.colour


def first_screen(summary: ReleaseSummary) -> tuple[Section, ...]:
    """Four panels, which fit on a screen of 1280 by 800."""
    return (_published(summary), _worst(summary), _risks(summary), _balance(summary))


def _published(summary: ReleaseSummary) -> Section:
    file, board = summary.file, summary.board
    not_yet = Faint("not written yet")
    dropped = f"{summary.dropped.words} dropped" if summary.dropped.number != 0 else "none dropped"
    came_in = "" if board is None else f"{board.rows_in:,} in, "
    if board is not None:
        dropped = f"{board.dropped:,} dropped"
    items: list[tuple[str, Text]] = [
        ("file", not_yet if file is None else Name(file.name)),
        ("date", not_yet if file is None else file.date.replace("T", " ").replace("Z", " UTC")),
        ("rows", f"{came_in}{summary.rows_out.words} published, {dropped}"),
        ("columns", f"{len(summary.columns):,}"),
        ("method", f"{summary.method}, by kanopy {summary.kanopy}"),
        ("SHA-256", not_yet if file is None else Digest(file.sha256)),
        ("policy digest", Digest(summary.policy_digest)),
    ]
    return Section("What is published", (FactList(tuple(items)),))


def _worst(summary: ReleaseSummary) -> Section:
    findings = shown_findings(summary)
    if not findings:
        nothing = Paragraph("The audit found nothing beside the promise that needs a decision.")
        return Section("Findings", (nothing,))
    content: list[Block] = [note_list(findings[:SHOWN_FINDINGS])]
    if len(findings) > SHOWN_FINDINGS:
        content.append(Paragraph("Further findings stand under What is not promised.", is_remark=True))
    return Section("The worst findings, and what to do", tuple(content))


def shown_findings(summary: ReleaseSummary) -> tuple[ShownFinding, ...]:
    """Those of the edition: with exact counts for the board."""
    return summary.findings if summary.board is None else summary.board.findings


def note_list(findings: tuple[ShownFinding, ...]) -> NoteList:
    """Findings as sentences."""
    return NoteList(
        tuple((each.severity, sentence(each.message), sentence(each.advice)) for each in findings)
    )


def sentence(text: str) -> str:
    """A text as a sentence."""
    return f"{text[:1].upper()}{text[1:].rstrip('.')}." if text else ""


_NOT_KNOWN = (
    "The promise says how many persons every group has. It does not say how these share its rows: if one "
    "person has nine of ten rows of a group, a random row of it is that person's in nine of ten cases. The "
    "largest such share is known to who made the release, and is in the edition for the board."
)


def _risks(summary: ReleaseSummary) -> Section:
    risks, unit = summary.risks, summary.unit
    rows: tuple[tuple[Text, ...], ...] = (
        ("prosecutor: knows that the person is in it", risks.highest.words, risks.average.words),
        ("journalist: does not know that", risks.journalist.words, _at_most(risks.average.words)),
        ("marketer: matches everybody", Faint("none"), risks.marketer.words),
    )
    table = TableBlock(
        "Chance to pick the right row", ("attacker", "highest", "average"), rows, frozenset({1, 2})
    )
    said = []
    if risks.matches is not None:
        said.append(f"Expected right matches: {risks.matches.words} of {summary.rows_out.words} {unit}.")
    if risks.high_risk is not None:
        few = "No row is" if risks.high_risk.rows == 0 else f"Rows: {risks.high_risk.percent} are"
        said.append(f"{few} in a group with fewer {unit} than 5, the limit for high risk.")
    if unit == "persons":
        said.append(_NOT_KNOWN)
    if summary.synthetic:
        said.append("The rows are synthetic: a match is not a person's row.")
    return Section("Risk of being found", (table, Paragraph(" ".join(said), is_remark=True)))


def _at_most(words: str) -> str:
    return words if words.startswith(("at most", "below", "not")) else f"at most {words}"


def _balance(summary: ReleaseSummary) -> Section:
    lost, risk = summary.cost.detail_lost, summary.risks.highest
    bars: list[tuple[str, Tally]] = [("highest risk of being found", Tally(None, risk.value, risk.words))]
    if lost is not None:
        bars.append(("detail that is left", Tally(None, 1 - lost, "")))
    for certainty in summary.certainties:
        if certainty.role == "target":
            bars.append(("class guessed from groups", certainty.guessed))
            bars.append(("majority rate of the class", certainty.guessed_blindly))
    described = (
        "Risk of being found, detail that is left, and how often the class is guessed right, in percent."
    )
    title = "Counted on the published rows"
    picture = Bars(title, described, ("figure", "share"), tuple(bars), frozenset({0}), is_of_whole=True)
    return Section("Privacy against usefulness", (picture, *_gain(summary)))


def _gain(summary: ReleaseSummary) -> list[Block]:
    """What the groups tell about the class beyond the majority rate; what a recipient can learn at least."""
    for certainty in summary.certainties:
        by_groups, blindly = certainty.guessed.share, certainty.guessed_blindly.share
        if certainty.role == "target" and by_groups is not None and blindly is not None:
            gained = percent(max(by_groups - blindly, 0.0))
            words = f"The groups tell the class better than the majority rate by {gained} of the rows."
            return [Paragraph(words if by_groups > blindly else _NOTHING, is_remark=True)]
    return []


_NOTHING = "The groups tell no more about the class than the majority rate: there is little left to learn."
