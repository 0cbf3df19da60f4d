"""The published statements on Top-Down Disclosure beside the run, and where the two differ."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from statistics import mean, variance

from kanopy_studies import published_tdd as published
from kanopy_studies.page import DIFFERS, signed, table
from kanopy_studies.presplits import PROTOCOLS
from kanopy_studies.published_tdd import BE, EACH, RE, RISE, SE, SPARED, TOP, VARIANCE, Quantity, Statement
from kanopy_studies.tdd import BEFORE, INSIDE
from kanopy_studies.tdd_record import Errors, TddRun

PRINTED = {INSIDE: "inside", BEFORE: "as published"}
"""How each protocol is headed."""


@dataclass(frozen=True, slots=True)
class Found:
    """A statement, and the least and the greatest value of ours, in percent or points."""

    statement: Statement
    protocol: str
    low: float
    high: float

    @property
    def off(self) -> float:
        """How far beyond what the paper says, less than which it may have rounded away; 0 within."""
        above, below = self.high - self.statement.high, self.statement.low - self.low
        if max(above, below) <= self.statement.slack + 1e-9:
            return 0.0
        return above if above >= below else -below

    @property
    def text(self) -> str:
        show = signed if self.statement.quantity.measure in (RISE, SPARED) else "{:.2f}".format
        low, high = show(self.low), show(self.high)
        return low if low == high else f"{low} to {high}"


def values(run: TddRun, data: str, quantity: Quantity, protocol: str) -> list[float]:
    """The values of a quantity, in percent; none where it was not measured."""
    facts = run.fact(data)
    if facts is None:
        return []
    if quantity.measure == BE:
        return [100 * facts.base]
    found = []
    for n_sensitive in quantity.ns:
        if quantity.summed == VARIANCE:
            every = [
                run.errors(data, quantity.kind, n_sensitive, protocol, h) for h in PROTOCOLS[data].thresholds
            ]
            kept = [errors.suppression for errors in every if errors is not None]
            found += [variance(kept)] if len(kept) > 1 else []
            continue
        errors = run.errors(data, quantity.kind, n_sensitive, protocol, quantity.h)
        if errors is not None:
            found.append(measured(quantity.measure, errors, 100 * facts.base))
    return found if quantity.summed in (EACH, VARIANCE) or not found else [mean(found)]


def measured(measure: str, errors: Errors, base: float) -> float:
    """One of the errors or differences."""
    return {
        SE: errors.suppression,
        RE: errors.removal,
        RISE: errors.suppression - base,
        SPARED: errors.removal - errors.suppression,
    }[measure]


def findings(run: TddRun) -> Iterator[tuple[Found, ...]]:
    """For every statement about what was measured, what we found inside and as published."""
    for statement in published.STATEMENTS:
        found = []
        for protocol in PRINTED:
            ours = values(run, statement.data, statement.quantity, protocol)
            if ours:
                found.append(Found(statement, protocol, min(ours), max(ours)))
        if len(found) == len(PRINTED):
            yield tuple(found)


def statements_table(run: TddRun) -> str:
    header = ("data set", "percent or points", "published", *PRINTED.values())
    lines = []
    for found in findings(run):
        said = found[0].statement
        marked = [f"{one.text} {DIFFERS}" if one.off else one.text for one in found]
        lines.append((said.data, str(said.quantity), said.text, *marked))
    return (
        "## Beside the published statements\n\nThe paper shows errors as curves; these are the "
        "numbers in its text.\nMeans over h; where several N are meant, the least and the greatest. A value "
        f"that is not what was\npublished, beyond its last digit, is marked with ≠.\n\n{table(header, lines)}"
    )


def where_we_differ(run: TddRun) -> str:
    """What was published and not found, one by one, in points and in rows of the test part."""
    judged = [found for some in findings(run) for found in some if found.statement.is_judged]
    n_statements = len(judged) // len(PRINTED)
    lines = []
    for protocol, shown in PRINTED.items():
        for found in judged:
            facts = run.fact(found.statement.data)
            if found.protocol != protocol or not found.off or facts is None:
                continue
            has_rows = found.statement.quantity.summed != VARIANCE
            n_rows = f"{abs(found.off) * facts.n_test / 100:.1f}" if has_rows else ""
            place = (shown, found.statement.data, str(found.statement.quantity))
            lines.append((*place, found.statement.text, found.text, signed(found.off), n_rows))
    n_off = {shown: sum(line[0] == shown for line in lines) for shown in PRINTED.values()}
    introduction = (
        f"## Where we differ\n\nOf {n_statements} published statements with a number, "
        f"{n_off['as published']} do not come out when we suppress as\npublished, and {n_off['inside']} when "
        "we suppress inside the training part."
    )
    header = ("", "data set", "percent or points", "published", "ours", "off by", "test rows")
    parts = [introduction, table(header, lines) if lines else "", _orders(run), _counts(run), leak(run)]
    return "\n\n".join(part for part in parts if part)


def _orders(run: TddRun) -> str:
    same = [facts.name for facts in run.facts if facts.top == published.TOP_ATTRIBUTES[facts.name]]
    told = "The attributes that C4.5 asks for first are those of the paper, in its order"
    return _same_and_others(run, same, told, "They are not for ")


def _counts(run: TddRun) -> str:
    same = [facts.name for facts in run.facts if facts.inferences == published.INFERENCES[facts.name]]
    told = "Numbers of inferences (Table 3) that come out exactly"
    return _same_and_others(run, same, told, "Those that do not: ")


def _same_and_others(run: TddRun, same: list[str], told: str, of_others: str) -> str:
    others = [facts.name for facts in run.facts if facts.name not in same]
    rest = f" {of_others}{', '.join(others)}." if others else ""
    return f"{told}: {', '.join(same) or 'none'}.{rest}"


def leak(run: TddRun) -> str:
    """How much too low the error is where the test part influenced what is disclosed."""
    lines = []
    for facts in run.facts:
        gaps = []
        for n_sensitive in range(1, len(facts.top) + 1):
            pair = [run.errors(facts.name, TOP, n_sensitive, protocol) for protocol in (INSIDE, BEFORE)]
            if pair[0] is not None and pair[1] is not None:
                gaps.append(pair[0].suppression - pair[1].suppression)
        if gaps:
            lines.append((facts.name, signed(mean(gaps)), signed(min(gaps)), signed(max(gaps))))
    if not lines:
        return ""
    return "SE inside less SE as published, over TopN, in points:\n\n" + table(
        ("data set", "mean", "least", "greatest"), lines
    )
