"""The run on clusters as a Markdown document: every number comes from the run, none from a pen."""

from __future__ import annotations

from collections.abc import Callable

from kanopy_studies.clusters_claims import what_comes_out
from kanopy_studies.clusters_plots import PLOTS
from kanopy_studies.clusters_record import ACCURACY, RECODED, Run
from kanopy_studies.markdown import spread, table


def document(run: Run, evaluated: str) -> str:
    """The whole document; ``evaluated`` is the section on learners that read cells."""
    parts = [
        heading(run),
        how_to_read(run),
        contenders(run),
        what_comes_out(run),
        losses(run),
        accuracies(run),
        evaluated,
        times(run),
        readings(run),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def heading(run: Run) -> str:
    versions = ", ".join(f"{name} {version}" for name, version in run.versions.items())
    return (
        "# Clusters: losses, accuracy and time against k\n\n"
        f"Made by `{run.command}`; do not edit. {versions}.\n"
        "Raw results of every release: [clustering-figures.json](clustering-figures.json). Times differ from "
        "run to run, everything else does not."
    )


def how_to_read(run: Run) -> str:
    facts = run.facts
    return f"""## How to read this

The comparison of El-Rashidy, Taha, Ayad and Sroor (IJARCS 2011), whose Figures 5 to 8 show square error,
information loss and discernibility against k, on Adult. The paper gives no numbers in its text, so these are
held against the orderings that it tells.

- Data: UCI Adult, both files, the {facts.n_rows:,} complete rows. Quasi-identifiers:
  {", ".join(facts.quasi)}
  (the paper speaks of nine and names these eight). Age is a number, the others have no hierarchy: two values
  are equal or wholly apart.
- Every method releases the whole table in one block, as its algorithm is printed, with its default options
  unless the list below says otherwise. Losses are means over the seeds {", ".join(map(str, run.seeds))}.
- *Square error*, *Total-IL*, *discernibility*: the paper's equations, over the groups of rows that print
  alike; each attribute's distances lie between 0 and 1. A dropped row counts as much as a row can.
- *Discernibility of clusters*: over the clusters as they were made. Where several clusters of equal rows
  print alike, nobody can tell them apart; the paper counts them one by one, it seems.
- *GCP*: mean width of a published cell in percent, from 0 (exact) to 100 (suppressed).
- *Accuracy*: one half of the rows is released, with numbers as means; C4.5 learns the income from it, sees
  the eight quasi-identifiers only, and reads sets and suppressed cells as missing values. It is judged on the
  other half, as it is, and *recoded*: each test row first gets the cells of the most specific released group
  that it falls into. Mean ± standard deviation over {run.n_folds} stratified folds (two halves per seed).
  A method that prints sets where others print values, as Mondrian does, looks worse to this learner than to
  those further below, which read sets."""


def contenders(run: Run) -> str:
    lines = [
        (
            one.label,
            f"`{one.method}`",
            ", ".join(f"{name} = {value}" for name, value in one.options.items()) or "—",
            one.note,
        )
        for one in run.contenders
    ]
    text = f"## Methods\n\n{table(('name', 'method', 'options', ''), lines)}"
    if run.skipped:
        text += f"\n\nNot measured, as kanopy has no such method: {', '.join(o.label for o in run.skipped)}."
    return text


def losses(run: Run) -> str:
    """A plot where there is one, and a table, for every loss; dropped rows where there are any."""
    parts = [
        _section(run, "Square error", "square_error"),
        _section(run, "Total information loss", "total_information_loss"),
        _section(run, "Discernibility of what is printed, in thousands", "discernibility", 1e-3),
        _section(run, "Discernibility of clusters, in thousands", "discernibility_of_clusters", 1e-3),
        _section(run, "GCP, percent", "gcp", 100, digits=2),
    ]
    if any(one.n_dropped for one in run.released):
        parts.append(_section(run, "Rows dropped", "n_dropped"))
    return "\n\n".join(parts)


def _section(run: Run, title: str, measure: str, scale: float = 1.0, digits: int = 0) -> str:
    def shown(label: str, k: int) -> str:
        return f"{scale * run.loss(label, k, measure):,.{digits}f}"

    varies = f"Between seeds at most {run.spread_of(measure):.1%} apart." if len(run.seeds) > 1 else ""
    if measure == "n_dropped":
        varies = ""
    return "\n\n".join(part for part in (f"## {title}", _picture(measure), _by_k(run, shown), varies) if part)


def accuracies(run: Run) -> str:
    def shown(measure: str) -> Callable[[str, int], str]:
        def cell(label: str, k: int) -> str:
            found = run.accuracy(label, k, measure)
            return "—" if found is None else spread(found)

        return cell

    return "\n\n".join(
        (
            "## Accuracy of C4.5, percent",
            f"Rows as they are: {spread(run.raw)}; the most frequent class: {100 * run.facts.majority:.2f}.",
            _picture(ACCURACY),
            _by_k(run, shown(ACCURACY)),
            "The same on recoded test rows:",
            _by_k(run, shown(RECODED)),
        )
    )


def times(run: Run) -> str:
    if run.times_kmember(run.labels[0], run.ks[0]) is None:
        return ""

    def shown(label: str, k: int) -> str:
        return f"{run.times_kmember(label, k) or 0:.2f}"

    said = "Processor seconds of the method alone, as a multiple of those of k-member with the same k."
    return "\n\n".join(("## Time", said, _picture("cpu"), _by_k(run, shown)))


def _by_k(run: Run, shown: Callable[[str, int], str]) -> str:
    header = ("", *(f"k = {k}" for k in run.ks))
    return table(header, [(label, *(shown(label, k) for k in run.ks)) for label in run.labels])


def _picture(measure: str) -> str:
    found = next((plot for plot in PLOTS if plot.measure == measure), None)
    return "" if found is None else f"![{found.title}]({found.file_name})"


def readings(run: Run) -> str:
    return """## What may cause differences

The paper does not say how its numbers and categories enter the square error, whether it used hierarchies,
nor how its algorithms end where they do not converge; it lets OKA and Algorithm 1 see all attributes, where
here every method goes by the quasi-identifiers alone."""
