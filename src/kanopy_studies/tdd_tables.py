"""The run on Top-Down Disclosure as a Markdown document: no number comes from a pen."""

from __future__ import annotations

from kanopy_studies import published_tdd as published
from kanopy_studies.markdown import signed, table
from kanopy_studies.presplits import PROTOCOLS
from kanopy_studies.published_tdd import KINDS, TOP
from kanopy_studies.tdd import BEFORE, INSIDE
from kanopy_studies.tdd_differences import PRINTED, statements_table, where_we_differ
from kanopy_studies.tdd_record import Errors, Facts, Run, suppressions

_COLUMNS = (
    "N",
    "h",
    "BE",
    "SE inside",
    "SE as published",
    "RE",
    "SE − BE inside",
    "as published",
    "RE − SE inside",
    "as published",
    "satisfiable inside",
    "as published",
)


def document(run: Run) -> str:
    """The whole document."""
    parts = [
        heading(run),
        how_to_read(),
        data_table(run),
        statements_table(run),
        *(error_table(run, facts) for facts in run.facts),
        unsatisfiable(run),
        inference_table(run),
        suppressed_crx(run),
        where_we_differ(run),
        what_may_cause_it(run),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def heading(run: Run) -> str:
    versions = ", ".join(f"{name} {version}" for name, version in run.versions.items())
    return (
        "# Top-Down Disclosure: base, suppression and removal errors, beside the published numbers\n\n"
        f"Made by `{run.command}`; do not edit. {versions}.\n"
        f"Method `tdd`; {run.n_draws} draws for each RanN.\n"
        "Raw results of every set of sensitive attributes: [tdd-errors.json](tdd-errors.json)."
        "\n\n![Errors by the number of sensitive attributes](tdd-errors.svg)"
    )


def how_to_read() -> str:
    return """## How to read this

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


def data_table(run: Run) -> str:
    header = (
        "data set",
        "train",
        "test",
        "attributes",
        "majority error",
        "BE",
        "BE without raising",
        "attributes C4.5 asks for first",
    )
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


def error_table(run: Run, facts: Facts) -> str:
    """Every N and h of one data set, and the mean over h."""
    lines = []
    thresholds = PROTOCOLS[facts.name].thresholds
    for kind in KINDS:
        for n_sensitive in range(1, len(facts.top) + 1):
            if not run.of_kind(facts.name, kind, n_sensitive):
                continue
            for h in (*thresholds, None):
                lines.append(_error_line(run, facts, kind, n_sensitive, h))
    return f"## Errors on {facts.name}\n\n{table(_COLUMNS, lines)}"


def _error_line(run: Run, facts: Facts, kind: str, n_sensitive: int, h: int | None) -> tuple[str, ...]:
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
        *map(_share, both),
    )


def _share(found: Errors | None) -> str:
    return "none" if found is None else f"{found.n_satisfied} of {found.n_settings}"


def unsatisfiable(run: Run) -> str:
    """The settings in which nothing can be released, counted and for TopN named."""
    lines = []
    for facts in run.facts:
        for kind in KINDS:
            n_settings, n_failed, named = 0, {INSIDE: 0, BEFORE: 0}, []
            for n_sensitive in range(1, len(facts.top) + 1):
                for outcome in run.of_kind(facts.name, kind, n_sensitive):
                    for where in n_failed:
                        n_failed[where] += suppressions(outcome, where).count(None)
                    n_settings += len(outcome.inside)
                    thresholds = PROTOCOLS[facts.name].thresholds
                    failed = [h for h, found in zip(thresholds, outcome.inside, strict=True) if found is None]
                    named += [f"{kind}{n_sensitive} at {h}%" for h in failed]
            if n_settings:
                shown = ", ".join(named) if kind == TOP else ""
                counts = (n_settings, n_failed[INSIDE], n_failed[BEFORE])
                lines.append((facts.name, f"{kind}N", *map(str, counts), shown))
    header = ("data set", "", "settings", "not satisfiable inside", "as published", "which, inside")
    return (
        "## Settings that cannot be satisfied\n\nWhere a value is more frequent in the whole table than h "
        "allows, suppression does not help. The paper\naverages over the same thresholds and does not speak "
        "of it.\n\n" + table(header, lines)
    )


def inference_table(run: Run) -> str:
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


def about_adult(run: Run) -> str:
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


def suppressed_crx(run: Run) -> str:
    """Beside the one statement on what was suppressed."""
    facts = run.fact("crx")
    if facts is None:
        return ""
    (outcome,) = run.of_kind("crx", TOP, len(facts.top))
    place = PROTOCOLS["crx"].thresholds.index(70)
    n_values = {name: n for name, n in facts.n_values.items() if name not in outcome.sensitive}
    lines = []
    for protocol, shown in PRINTED.items():
        found = suppressions(outcome, protocol)[place]
        if found is not None:
            lines.append((shown, *map(str, found.n_suppressed)))
    lines.append(("values in all", *map(str, n_values.values())))
    return (
        f"## What is suppressed of CRX, {TOP}{len(facts.top)}, h = 70%\n\nPublished: "
        f"{published.SUPPRESSED_CRX}. Ours, values suppressed:\n\n{table(('', *n_values), lines)}"
    )


def what_may_cause_it(run: Run) -> str:
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
