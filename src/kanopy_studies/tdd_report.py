"""The two experiments on Top-Down Disclosure: inferences above a confidence, and errors of a learner."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import product

from kanopy_studies import published_tdd as published
from kanopy_studies.experiment import Request, command
from kanopy_studies.page import Line, Page, agreement, beside_table, made_by, signed, table, versions
from kanopy_studies.pictures import draw_panels
from kanopy_studies.presplits import PROTOCOLS, check_pre_splits
from kanopy_studies.published_tdd import KINDS, TOP
from kanopy_studies.tdd import BEFORE, INSIDE
from kanopy_studies.tdd import run as run_task
from kanopy_studies.tdd_differences import PRINTED, statements_table, where_we_differ
from kanopy_studies.tdd_record import TddFacts, TddRun, settings

N_DRAWS = 30

_COLUMNS = (
    "N", "h", "BE", "SE inside", "SE as published", "RE", "SE − BE inside", "as published", "RE − SE inside",
    "as published", "satisfiable inside", "as published",
)  # fmt: skip


def tdd_table3(request: Request) -> Page:
    """TDD, Table 3: inferences above each confidence in the original tables."""
    facts = [TddFacts.of(name) for name in _data(request)]
    lines = [line for one in facts for line in _counts(one)]
    title = "Inferences above a confidence (TDD, Table 3)"
    run = TddRun(command("tdd-table3", request), versions(), 0, facts, [], {})
    parts = [
        f"# {title}",
        f"Made by `{run.command}`; do not edit.",
        f"![{title}](tdd-table3.svg)",
        agreement(lines, "inferences"),
        beside_table(("data set", "sensitive", "above, %"), lines),
        "Pairs of a combination of masking values and a sensitive value with a confidence above h in the "
        "table as it is, both parts.",
        about_adult(run),
    ]
    picture = partial(draw_panels, title, "confidence, percent", lines)
    return Page("tdd-table3", parts, run.to_json(), {"tdd-table3.svg": picture})


def _counts(facts: TddFacts) -> list[Line]:
    readings = [(f"{TOP}{len(facts.top)}", facts.inferences)]
    if facts.inferences_otherwise:
        readings.append((", ".join(published.OTHER_READING[0]), facts.inferences_otherwise))
    return [
        Line(facts.name, reading, str(h), ours, paper, 0.0, str(ours), str(paper))
        for reading, counts in readings
        for h, ours, paper in zip(published.COUNTED_AT, counts, published.INFERENCES[facts.name], strict=True)
    ]


def tdd_errors(request: Request) -> Page:
    """TDD, Section 5: base, suppression and removal errors; both ways of dividing the rows."""
    facts = [TddFacts.of(name) for name in _data(request)]
    todo, drawn = settings(facts, N_DRAWS)
    outcomes = request.each(run_task, todo, "errors")
    run = TddRun(command("tdd-errors", request), versions(), N_DRAWS, facts, outcomes, drawn)
    title = "Errors of C4.5 by the number of sensitive attributes, percent"
    picture = partial(draw_panels, title, "sensitive attributes", _curves(run))
    return Page("tdd-errors", document(run), run.to_json(), {"tdd-errors.svg": picture})


def _curves(run: TddRun) -> list[Line]:
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


def document(run: TddRun) -> list[str]:
    """All parts of the document on errors."""
    return [
        "# Top-Down Disclosure: base, suppression and removal errors, beside the published numbers",
        f"{made_by(run.command, run.versions)}\nMethod `tdd`; {run.n_draws} draws for each RanN.\n"
        "Raw results of every set of sensitive attributes: [tdd-errors.json](tdd-errors.json).",
        "![Errors by the number of sensitive attributes](tdd-errors.svg)",
        _HOW_TO_READ,
        data_table(run),
        statements_table(run),
        *(error_table(run, facts) for facts in run.facts),
        unsatisfiable(run),
        inference_table(run),
        suppressed_crx(run),
        where_we_differ(run),
        what_may_cause_it(run),
    ]


_HOW_TO_READ = """## How to read this

Errors of C4.5 on the test part, in percent, on the pre-splits of the paper. Only categorical attributes are
used, and only complete rows. Some attributes are sensitive: in TopN the N that C4.5 asks for first on the
training part (the root of its unpruned tree; that attribute removed; and so on), in RanN N that are drawn.
All others together are one quasi-identifier. The rarer half of each sensitive attribute's values, rounded
down, must not be concluded from it with a confidence above h.

- *BE*, base error: all attributes as they are.
- *SE*, suppression error: masking attributes suppressed by `tdd`, sensitive ones as they are. To the learner
  a suppressed value is one more ordinary value. Test rows are suppressed like training rows.
- *RE*, removal error: without the sensitive attributes.
- *inside*: suppressed inside the training part. What the rare values are and what may be disclosed is told
  by the training part alone; a value that occurs in the test part only is suppressed. This is what a
  recipient can have.
- *as published*: suppressed before the rows are divided, as the paper did. The test part then had a say in
  what is disclosed, so this is here only to be compared with the published numbers.
- A setting is *satisfiable* where the fully suppressed table keeps the templates; nothing can be released
  otherwise. Means are over satisfiable settings: those of RE over settings satisfiable inside, each RE − SE
  over its own settings."""


def data_table(run: TddRun) -> str:
    header = (
        "data set", "train", "test", "attributes", "majority error", "BE", "BE without raising",
        "attributes C4.5 asks for first",
    )  # fmt: skip
    lines = [
        (
            facts.name,
            *(f"{size:,}" for size in (facts.n_train, facts.n_test, facts.n_attributes)),
            *(f"{100 * share:.2f}" for share in (facts.majority, facts.base, facts.base_unraised)),
            ", ".join(facts.top),
        )
        for facts in run.facts
    ]
    return f"## Data\n\n{table(header, lines)}"


def error_table(run: TddRun, facts: TddFacts) -> str:
    """Every N and h of one data set, and the mean over h."""
    lines = []
    for kind, n_sensitive in product(KINDS, range(1, len(facts.top) + 1)):
        if run.of_kind(facts.name, kind, n_sensitive):
            thresholds = (*PROTOCOLS[facts.name].thresholds, None)
            lines += [_error_line(run, facts, kind, n_sensitive, h) for h in thresholds]
    return f"## Errors on {facts.name}\n\n{table(_COLUMNS, lines)}"


def _error_line(run: TddRun, facts: TddFacts, kind: str, n_sensitive: int, h: int | None) -> tuple[str, ...]:
    base = 100 * facts.base
    inside, before = (run.errors(facts.name, kind, n_sensitive, where, h) for where in (INSIDE, BEFORE))
    both = (inside, before)
    removal = inside or before
    return (
        f"{kind}{n_sensitive}",
        "mean" if h is None else f"{h}%",
        f"{base:.2f}",
        *("" if found is None else f"{found.suppression:.2f}" for found in both),
        "" if removal is None else f"{removal.removal:.2f}",
        *("" if found is None else signed(found.suppression - base) for found in both),
        *("" if found is None else signed(found.removal - found.suppression) for found in both),
        *("none" if found is None else f"{found.n_satisfied} of {found.n_settings}" for found in both),
    )


def unsatisfiable(run: TddRun) -> str:
    """The settings in which nothing can be released: their number, and for TopN which."""
    lines = []
    for facts, kind in product(run.facts, KINDS):
        thresholds = PROTOCOLS[facts.name].thresholds
        outcomes = [
            (n_sensitive, outcome)
            for n_sensitive in range(1, len(facts.top) + 1)
            for outcome in run.of_kind(facts.name, kind, n_sensitive)
        ]
        named = [
            f"{kind}{n_sensitive} at {h}%"
            for n_sensitive, outcome in outcomes
            for h, found in zip(thresholds, outcome.inside, strict=True)
            if found is None and kind == TOP
        ]
        if outcomes:
            failed = [
                sum(outcome.suppressions(where).count(None) for _, outcome in outcomes)
                for where in (INSIDE, BEFORE)
            ]
            counts = (len(thresholds) * len(outcomes), *failed)
            lines.append((facts.name, f"{kind}N", *map(str, counts), ", ".join(named)))
    header = ("data set", "", "settings", "not satisfiable inside", "as published", "which, inside")
    return (
        "## Settings that cannot be satisfied\n\nWhere a value is more frequent in the whole table than h "
        "allows, suppression does not help. The paper\naverages over the same thresholds and does not speak "
        "of it.\n\n" + table(header, lines)
    )


def inference_table(run: TddRun) -> str:
    """Beside Table 3."""
    lines = []
    for facts in run.facts:
        name = f"{facts.name}, {TOP}{len(facts.top)}"
        lines.append((name, "ours", *map(str, facts.inferences)))
        if facts.inferences_otherwise:
            sensitive, masking = published.OTHER_READING
            reading = f"{facts.name}, sensitive {', '.join(sensitive)}, known {', '.join(masking)}"
            lines.append((reading, "ours", *map(str, facts.inferences_otherwise)))
        lines.append((name, "published", *map(str, published.INFERENCES[facts.name])))
    header = ("data set", "", *(f"{h}%" for h in published.COUNTED_AT))
    return (
        "## Inferences above h, beside Table 3\n\nPairs of a combination of masking values and a "
        "sensitive value with a confidence above h in the table as\nit is, both parts.\n\n"
        + table(header, lines)
        + f"\n\n{about_adult(run)}".rstrip()
    )


def about_adult(run: TddRun) -> str:
    """What one must know to read its counts."""
    adult = run.fact("adult")
    if adult is None or adult.inferences_otherwise != published.INFERENCES["adult"]:
        return ""
    return (
        'The top attributes of Adult end with "S" in the paper. With sex as the fourth sensitive '
        "attribute its counts do not\ncome out; they do, exactly, with three sensitive attributes, sex "
        "among the known ones and race in neither. So its\nTop4 of Adult is doubtful; here sex is "
        "sensitive, as it is printed."
    )


def suppressed_crx(run: TddRun) -> str:
    """Beside the one statement on what was suppressed."""
    facts = run.fact("crx")
    if facts is None:
        return ""
    (outcome,) = run.of_kind("crx", TOP, len(facts.top))
    place = PROTOCOLS["crx"].thresholds.index(70)
    n_values = {name: n for name, n in facts.n_values.items() if name not in outcome.sensitive}
    lines = []
    for protocol, shown in PRINTED.items():
        found = outcome.suppressions(protocol)[place]
        if found is not None:
            lines.append((shown, *map(str, found.n_suppressed)))
    lines.append(("values in all", *map(str, n_values.values())))
    return (
        f"## What is suppressed of CRX, {TOP}{len(facts.top)}, h = 70%\n\nPublished: "
        f"{published.SUPPRESSED_CRX}. Ours, values suppressed:\n\n{table(('', *n_values), lines)}"
    )


def what_may_cause_it(run: TddRun) -> str:
    rows = ", ".join(f"{facts.name} {100 / facts.n_test:.2f}" for facts in run.facts)
    return f"""## What may cause differences

One row of the test part is worth so many points: {rows}.
The paper does not tell which of several values with the same score is disclosed first; here the first
attribute and value in the order of the table. The paper does not say what it did where a threshold cannot be
satisfied.

Two choices were made after seeing what they give. C4.5 is that of J48, and raises subtrees, as its author's
does: both were tried on the tables as they are, and the errors stand under *Data*. And attributes are ranked
by unpruned trees of the training part: pruned trees, and trees of both parts, were tried as well, and of
these four only this one gives the order of the paper on all three sets."""
