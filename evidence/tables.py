"""The run as a Markdown document: every number comes from the run or from the papers, none from a pen."""

from __future__ import annotations

from collections.abc import Sequence

from evidence import published
from evidence.differences import (
    MISSING_MEASURES,
    cells_that_differ,
    differences_by_set,
    missing_by_reading,
    near_majority,
)
from evidence.folds import SEEDS
from evidence.kactus import BEFORE, INSIDE
from evidence.markdown import signed, spread, table
from evidence.record import Run


def document(run: Run) -> str:
    """The whole document."""
    parts = [
        heading(run),
        how_to_read(run),
        data_table(run),
        accuracy_table(run),
        missing_table(run),
        area_table(run),
        cells_that_differ(run),
        differences_by_set(run),
        missing_by_reading(run),
        near_majority(run),
        what_may_cause_it(),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def heading(run: Run) -> str:
    options = ", ".join(f"{name} = {value}" for name, value in run.options.items())
    versions = ", ".join(f"{name} {version}" for name, version in run.versions.items())
    return (
        f"# {published.METHODS[run.method]}: accuracy and missing cells, beside the published numbers\n\n"
        f"Made by `{run.command}` with `KANOPY_DATA` set; do not edit. {versions}.\n"
        f"Method `{run.method}`, options: {options}.\n"
        f"Folds: stratified, two halves for each of the seeds {', '.join(map(str, SEEDS))}; the method draws "
        f"from the seed, the half and k.\nRaw results of every fold: [{run.method}.json]({run.method}.json)."
    )


def how_to_read(run: Run) -> str:
    return f"""## How to read this

One half of each data set is released by `{run.method}`, C4.5 learns from the release (a suppressed cell is a
missing value), and its accuracy in percent is measured on the other half; mean ± standard deviation over ten
folds. k = 1 is the half as it is, without any release. All inputs are quasi-identifiers unless a note says
otherwise.

- *inside*: numbers are cut into bins (Fayyad and Irani) by the training half alone. This is what a recipient
  can have.
- *before*: they are cut by all rows before these are divided, as the papers seem to have done. The cuts have
  then seen the classes of the test rows, so these numbers are too good; they are here only to be compared
  with the published ones. The column *leak* shows how much too good they are at k = 1.
- *recoded*: inside, but each test row is first suppressed like the most specific released group it falls
  into, as `Release.recode` does.
- *missing*: suppressed cells as a share of the quasi-identifier cells. *In the table*: as a share of all
  cells, class and other columns included.
- An accuracy near the *majority*, the share of the most frequent class, says nothing for a method."""


def data_table(run: Run) -> str:
    header = (
        "data set",
        "rows",
        "inputs",
        "quasi",
        "numeric",
        "classes",
        "majority",
        "inside",
        "before",
        "leak",
    )
    lines = []
    for facts in run.facts:
        inside = run.percent(facts.name, INSIDE, 1, "accuracy").mean
        before = run.percent(facts.name, BEFORE, 1, "accuracy").mean
        sizes = (facts.n_rows, facts.n_columns, facts.n_quasi, facts.n_numeric, facts.n_classes)
        shares = (f"{100 * facts.majority:.2f}", f"{inside:.2f}", f"{before:.2f}", signed(before - inside))
        lines.append((facts.name, *(f"{size:,}" for size in sizes), *shares))
    notes = "\n".join(f"- {facts.name}: {facts.note}" for facts in run.facts if facts.note)
    return f"## Data\n\n{table(header, lines)}" + (f"\n\n{notes}" if notes else "")


def accuracy_table(run: Run) -> str:
    header = (
        "data set",
        "k",
        "inside",
        "recoded",
        "before",
        "published",
        "before − published",
        "missing, inside",
        "missing in the table, before",
        "published",
    )
    lines = [_accuracy_line(run, facts.name, k) for facts in run.facts for k in run.ks(facts.name)]
    return f"## Accuracy and missing cells\n\n{table(header, lines)}"


def _accuracy_line(run: Run, data: str, k: int) -> tuple[str, ...]:
    inside, before = (run.percent(data, protocol, k, "accuracy") for protocol in (INSIDE, BEFORE))
    paper = published.accuracy(run.method, data, k)
    recoded, missing, of_table, paper_missing = "", "", "", None
    if k > 1:
        recoded = f"{run.percent(data, INSIDE, k, 'accuracy_recoded').mean:.2f}"
        missing = f"{run.over_folds(data, INSIDE, k, 'missing').mean:.3f}"
        of_table = f"{run.over_folds(data, BEFORE, k, 'missing_of_table').mean:.3f}"
        paper_missing = published.missing_ratio(run.method, data, k)
    return (
        data,
        f"{k:,}",
        spread(inside),
        recoded,
        spread(before),
        "" if paper is None else spread(paper),
        "" if paper is None else signed(before.mean - paper.mean),
        missing,
        of_table,
        "" if paper_missing is None else f"{paper_missing:.2f}",
    )


def missing_table(run: Run) -> str:
    """Beside kACTUS-2, Table 2, with the shares that one may read its caption as."""
    lines = []
    for facts in run.facts:
        for k in run.ks(facts.name):
            paper = published.missing_ratio(run.method, facts.name, k)
            if paper is None:
                continue
            shares = [
                f"{run.over_folds(facts.name, BEFORE, k, measure).mean:.3f}" for measure in MISSING_MEASURES
            ]
            lines.append((facts.name, f"{k:,}", *shares, f"{paper:.2f}"))
    if not lines:
        return ""
    header = ("data set", "k", *MISSING_MEASURES.values(), "published")
    return (
        "## Missing cells beside Table 2 of kACTUS-2\n\nWith bins cut before. What the paper divides by, it "
        "does not say: the quasi-identifiers, the whole table, or the table without columns that got a "
        f"single bin.\n\n{table(header, lines)}"
    )


def area_table(run: Run) -> str:
    """Beside kACTUS-2, Table 1: trapezoids between the k of the paper, where all of them were measured."""
    lines = []
    for facts in run.facts:
        ks, paper = published.area_ks(facts.name), published.area(run.method, facts.name)
        if paper is None or not set(ks) <= set(run.ks(facts.name)):
            continue
        width = ks[-1] - ks[0]
        inside, before = (area(run, facts.name, protocol, ks) for protocol in (INSIDE, BEFORE))
        means = (before / width, paper / width)
        shown = (f"{inside:,.1f}", f"{before:,.1f}", f"{paper:,.1f}", *(f"{mean:.2f}" for mean in means))
        lines.append((facts.name, f"{ks[0]} to {ks[-1]:,}", *shown, signed(means[0] - means[1])))
    if not lines:
        return ""
    header = ("data set", "k", "inside", "before", "published", "mean, before", "published", "difference")
    return (
        "## Area under accuracy over k, beside Table 1 of kACTUS-2\n\nThe means are areas divided by the "
        f"width of k, in percent.\n\n{table(header, lines)}"
    )


def area(run: Run, data: str, protocol: str, ks: Sequence[int]) -> float:
    """Trapezoids under accuracy in percent."""
    heights = [run.percent(data, protocol, k, "accuracy").mean for k in ks]
    steps = zip(ks, ks[1:], heights, heights[1:], strict=False)
    return sum((right - left) * (low + high) / 2 for left, right, low, high in steps)


def what_may_cause_it() -> str:
    return """## What may cause differences

The papers do not tell their folds, nor how the tree that the method wraps was set: here it is pruned and
needs k rows in at least two branches of a split, unless the options above say otherwise. Our C4.5 is that of
J48 without the raising of subtrees."""
