"""The two experiments on Top-Down Disclosure: inferences above a confidence, and errors of a learner."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from kanopy_studies import published_tdd as published
from kanopy_studies import tdd_tables
from kanopy_studies.beside import Line, agreement, beside_table
from kanopy_studies.experiment import Files, Request, command
from kanopy_studies.pictures import draw_panels
from kanopy_studies.presplits import PROTOCOLS, check_pre_splits
from kanopy_studies.published_tdd import TOP
from kanopy_studies.run_all import run_all
from kanopy_studies.tdd import BEFORE, INSIDE
from kanopy_studies.tdd import run as run_task
from kanopy_studies.tdd_record import Facts, Run, settings
from kanopy_studies.versions import versions

N_DRAWS = 30


def tdd_table3(request: Request) -> Files:
    """TDD, Table 3: inferences above each confidence in the tables as they are."""
    facts = [Facts.of(name) for name in _data(request)]
    lines = [line for one in facts for line in _counts(one)]
    title = "Inferences above a confidence (TDD, Table 3)"
    run = Run(command("tdd-table3", request), versions(), 0, facts, [], {})
    parts = [
        f"# {title}",
        f"Made by `{run.command}`; do not edit.",
        f"![{title}](tdd-table3.svg)",
        agreement(lines, "inferences"),
        beside_table(("data set", "sensitive", "above, %"), lines),
        "Pairs of a combination of masking values and a sensitive value with a confidence above h in the "
        "table as it is, both parts.",
        tdd_tables.about_adult(run),
    ]
    text = "\n\n".join(part for part in parts if part)
    return {
        "tdd-table3.md": (text + "\n").encode(),
        "tdd-table3.json": run.to_json().encode(),
        "tdd-table3.svg": partial(draw_panels, title, "confidence, percent", lines),
    }


def _counts(facts: Facts) -> list[Line]:
    readings = [(f"{TOP}{len(facts.top)}", facts.inferences)]
    if facts.inferences_otherwise:
        readings.append((", ".join(published.OTHER_READING[0]), facts.inferences_otherwise))
    return [
        Line(facts.name, reading, str(h), ours, paper, 0.0, str(ours), str(paper))
        for reading, counts in readings
        for h, ours, paper in zip(published.COUNTED_AT, counts, published.INFERENCES[facts.name], strict=True)
    ]


def tdd_errors(request: Request) -> Files:
    """TDD, Section 5: base, suppression and removal errors; both ways of dividing the rows."""
    names = _data(request)
    facts = [Facts.of(name) for name in names]
    todo, drawn = settings(facts, N_DRAWS)
    outcomes = run_all(run_task, todo, request, "errors")
    run = Run(command("tdd-errors", request), versions(), N_DRAWS, facts, outcomes, drawn)
    title = "Errors of C4.5 by the number of sensitive attributes, percent"
    return {
        "tdd-errors.md": tdd_tables.document(run).encode(),
        "tdd-errors.json": run.to_json().encode(),
        "tdd-errors.svg": partial(draw_panels, title, "sensitive attributes", _curves(run)),
    }


def _curves(run: Run) -> list[Line]:
    """Means over the confidences; the paper prints its curves without numbers."""
    lines = []
    for facts in run.facts:
        for n_sensitive in range(1, len(facts.top) + 1):
            inside, before = (run.errors(facts.name, TOP, n_sensitive, where) for where in (INSIDE, BEFORE))
            errors = {
                "base error": 100 * facts.base,
                "suppression error": None if inside is None else inside.suppression,
                "the same, as published": None if before is None else before.suppression,
                "removal error": None if inside is None else inside.removal,
            }
            lines += [
                Line(facts.name, series, f"{TOP}{n_sensitive}", error, None, 0.0, f"{error:.2f}")
                for series, error in errors.items()
                if error is not None
            ]
    return lines


def _data(request: Request) -> Sequence[str]:
    names = request.data or list(PROTOCOLS)
    check_pre_splits(names)
    return names
