"""What learners do with cells, said again one row at a time: slow, and without any array."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from kanopy.data.grammar import read_cell

Text = str | None
Value = str | float


@dataclass(frozen=True)
class Vocabulary:
    """The values that a training column names, and whether they are numbers."""

    values: list[Value]
    is_numeric: bool


def vocabulary(training: Sequence[Text]) -> Vocabulary:
    named: set[str] = set()
    for text in training:
        cell = read_cell(text or "")
        named.update(cell.texts)
        for ends in cell.ranges:
            named.update(ends)
    try:
        return Vocabulary(sorted({float(text) for text in named}), bool(named))
    except ValueError:
        return Vocabulary(sorted(named), False)


def alternatives(text: Text, known: Vocabulary) -> list[Value | None]:
    """What a cell may stand for, None for missing; nothing at all where it tells nothing."""
    cell = read_cell(text or "")
    if cell.is_suppressed:
        return []
    found: set[Value] = set()
    if not known.is_numeric:
        found.update(member for member in cell.texts if member in known.values)
    else:
        ranges = [(float(member), float(member)) for member in cell.texts]
        ranges += [(float(low), float(high)) for low, high in cell.ranges]
        for low, high in ranges:
            inside = [value for value in known.values if low <= value <= high]
            if not inside:
                inside = [
                    min(known.values, key=lambda value: (min(abs(value - low), abs(value - high)), value))
                ]
            found.update(inside)
    return [*sorted(found), *([None] if cell.with_missing else [])]


def shares(
    text: Text, known: Vocabulary, training: Sequence[Text], weights: str
) -> dict[Value | None, float]:
    """How likely each alternative is."""
    possible = alternatives(text, known)
    amounts = dict.fromkeys(possible, 1.0)
    if weights == "frequency":
        told = Counter(
            cells[0] for cells in (alternatives(other, known) for other in training) if len(cells) == 1
        )
        if any(told[value] for value in possible if value is not None):
            amounts = {value: float(told[value]) for value in possible}
    total = sum(amounts.values())
    return {value: amount / total for value, amount in amounts.items()}


def expected_features(training: Sequence[Text], rows: Sequence[Text], weights: str) -> list[list[float]]:
    """The features of each row of one column."""
    known = vocabulary(training)
    seen = [shares(text, known, training, weights) for text in training]
    totals = {value: sum(row.get(value, 0.0) for row in seen) for value in known.values}
    n_known = sum(totals.values())
    average = {
        value: total / n_known if n_known else 1 / len(known.values) for value, total in totals.items()
    }
    n_missing = sum(row.get(None, 0.0) for row in seen)
    missing_share = n_missing / (n_known + n_missing) if n_missing else 0.0
    has_missing = any(None in row for row in seen)
    anything = {value: (1 - missing_share) * share for value, share in average.items()} | {
        None: missing_share
    }

    def features_of(value: Value | None) -> list[float]:
        mixture = average if value is None else {value: 1.0}
        if known.is_numeric or not known.values:
            features = [sum(number * share for number, share in mixture.items())]
        else:
            features = [mixture.get(other, 0.0) for other in known.values]
        return [*features, float(value is None)] if has_missing else features

    encoded = []
    for text in rows:
        mixture = shares(text, known, training, weights) or anything
        lines = [[share * feature for feature in features_of(value)] for value, share in mixture.items()]
        encoded.append([sum(features) for features in zip(*lines, strict=True)])
    return encoded


def naive_bayes(
    training: Sequence[Text],
    classes: Sequence[str],
    rows: Sequence[Text],
    *,
    alpha: float,
    weights: str,
) -> list[list[float]]:
    """The probability of each class (in order) for rows of one column."""
    known, names = vocabulary(training), sorted(set(classes))
    seen = [shares(text, known, training, weights) for text in training]
    density = {}
    for name in names:
        mine = [row for row, of_row in zip(seen, classes, strict=True) if of_row == name]
        counts = {value: sum(row.get(value, 0.0) for row in mine) for value in known.values}
        if not known.is_numeric:
            total = sum(counts.values()) + alpha * len(known.values)
            density[name] = {value: (count + alpha) / total for value, count in counts.items()}
            continue
        if not sum(counts.values()):
            counts = {value: sum(row.get(value, 0.0) for row in seen) for value in known.values}
        if not sum(counts.values()):
            counts = dict.fromkeys(known.values, 1.0)
        total = sum(counts.values())
        mean = sum(value * count for value, count in counts.items()) / total
        variance = sum((value - mean) ** 2 * count for value, count in counts.items()) / total
        least = (known.values[-1] - known.values[0]) / max(len(known.values) - 1, 1) / 6
        spread = max(math.sqrt(variance), least or max(map(abs, known.values)) or 1.0)
        density[name] = {
            value: math.exp(-(((value - mean) / spread) ** 2) / 2) / spread for value in known.values
        }
    told = []
    for text in rows:
        likely = {
            value: share
            for value, share in shares(text, known, training, weights).items()
            if value is not None and share
        }
        scores = []
        for name in names:
            prior = (sum(label == name for label in classes) + alpha) / (len(classes) + alpha * len(names))
            mean = sum(share * density[name][value] for value, share in likely.items())
            scores.append(prior * (mean / sum(likely.values()) if likely else 1.0))
        told.append([score / sum(scores) for score in scores])
    return told
