"""Figures 5 to 8 of the paper on clustering, and what it left out: accuracy and time."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from kanopy.evaluation import Evaluation
from kanopy.evaluation.halves import Halves
from kanopy.evaluation.trial import Contender, Design
from kanopy.learners.registry import find_learner
from kanopy.policy import Policy
from kanopy_studies import clusters
from kanopy_studies.clusters_plots import PLOTS, draw_all
from kanopy_studies.clusters_record import ACCURACY, RECODED, ClusterFacts, ClusterRun, what_comes_out
from kanopy_studies.datasets import describe
from kanopy_studies.experiment import Request, command
from kanopy_studies.page import Page, made_by, spread, table, versions
from kanopy_studies.paper_options import paper_options
from kanopy_studies.settings import complete_rows

EVALUATED_KS = (10, 50)
LEARNERS = ("c45", "nb", "logistic")


def clustering_figures(request: Request) -> Page:
    """Square error, information loss, discernibility, accuracy and time against k, for all methods."""
    chosen = clusters.choose(request.methods)
    ks = request.ks_or(clusters.KS)
    sample = clusters.adult()
    released = request.each(clusters.release_all, clusters.release_tasks(chosen, ks), "releases")
    learned = request.each(clusters.release_half_and_learn, clusters.learning_tasks(chosen, ks), "learning")
    evaluated = request.evaluate(*evaluation_of(chosen, request.ks_or(EVALUATED_KS)))
    facts = ClusterFacts(sample.n_rows, clusters.QUASI, sample.majority)
    made_by_command = command("clustering-figures", request)
    run = ClusterRun(made_by_command, versions(), facts, chosen, ks, released, learned)
    numbers = (json.dumps(evaluated.to_dict(), indent=1) + "\n").encode()
    others = {"clustering-evaluation.json": numbers, **draw_all(run)}
    return Page("clustering-figures", document(run, evaluated_section(evaluated)), run.to_json(), others)


def evaluation_of(contenders: Sequence[clusters.Clusterer], ks: Sequence[int]) -> tuple[Halves, Design]:
    """5x2 cross-validation on the eight quasi-identifiers of Adult, with default blocks."""
    known = describe(clusters.DATA)
    policy = Policy(
        quasi_identifiers=clusters.QUASI,
        target=known.target,
        identifiers=[name for name in known.columns[:-1] if name not in clusters.QUASI],
        k=min(ks),
    )
    compared = [
        Contender(one.label, one.method, paper_options(one.method, one.options)) for one in contenders
    ]
    design = Design(compared, ks, [find_learner(name) for name in LEARNERS])
    return Halves.of(complete_rows(clusters.DATA), policy), design


def evaluated_section(found: Evaluation) -> str:
    """Accuracy on test rows as they are, and recoded, for every method, k and learner."""
    scores = {(score.method, score.k, score.learner): score for score in found.scores}
    places = [(k, learner) for k in found.ks for learner in found.learners]
    lines = []
    for method in found.methods:
        some = [scores[method, k, learner] for k, learner in places]
        lines.append((method, *(_percent(score.accuracy, score.accuracy_recoded) for score in some)))
    original = [scores[found.methods[0], k, learner].original for k, learner in places]
    lines.append(("rows as they are", *(f"{100 * share:.2f}" for share in original)))
    header = ("", *(f"{learner}, k = {k}" for k, learner in places))
    reads = ", ".join(f"{name} ({find_learner(name).encoding})" for name in found.learners)
    return f"""## Accuracy of learners that read ranges and sets, percent

Releases as they are published by default: ranges and sets, in the default blocks. 5x2 cross-validation over
{found.n_rows:,} rows; test rows as they are / recoded. Learners, and how they read cells: {reads}.

{table(header, lines)}"""


def _percent(plain: float | None, recoded: float | None) -> str:
    return "refused" if plain is None or recoded is None else f"{100 * plain:.2f} / {100 * recoded:.2f}"


def document(run: ClusterRun, evaluated: str) -> list[str]:
    """All parts of the document; ``evaluated`` is the section on learners that read cells."""
    return [
        "# Clusters: losses, accuracy and time against k",
        f"{made_by(run.command, run.versions)}\n"
        "Raw results of every release: [clustering-figures.json](clustering-figures.json). Times differ from "
        "run to run, everything else does not.",
        how_to_read(run),
        contenders(run),
        what_comes_out(run),
        losses(run),
        accuracies(run),
        evaluated,
        times(run),
        _READINGS,
    ]


def how_to_read(run: ClusterRun) -> str:
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


def contenders(run: ClusterRun) -> str:
    lines = [
        (
            one.label,
            f"`{one.method}`",
            ", ".join(f"{name} = {value}" for name, value in one.options.items()) or "—",
            one.note,
        )
        for one in run.contenders
    ]
    return f"## Methods\n\n{table(('name', 'method', 'options', ''), lines)}"


def losses(run: ClusterRun) -> str:
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


def _section(run: ClusterRun, title: str, measure: str, scale: float = 1.0, digits: int = 0) -> str:
    def shown(label: str, k: int) -> str:
        return f"{scale * run.loss(label, k, measure):,.{digits}f}"

    varies = f"Between seeds at most {run.spread_of(measure):.1%} apart." if len(run.seeds) > 1 else ""
    if measure == "n_dropped":
        varies = ""
    return "\n\n".join(part for part in (f"## {title}", _picture(measure), _by_k(run, shown), varies) if part)


def accuracies(run: ClusterRun) -> str:
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


def times(run: ClusterRun) -> str:
    if run.times_kmember(run.labels[0], run.ks[0]) is None:
        return ""

    def shown(label: str, k: int) -> str:
        return f"{run.times_kmember(label, k) or 0:.2f}"

    said = "Processor seconds of the method alone, as a multiple of those of k-member with the same k."
    return "\n\n".join(("## Time", said, _picture("cpu"), _by_k(run, shown)))


def _by_k(run: ClusterRun, shown: Callable[[str, int], str]) -> str:
    header = ("", *(f"k = {k}" for k in run.ks))
    return table(header, [(label, *(shown(label, k) for k in run.ks)) for label in run.labels])


def _picture(measure: str) -> str:
    found = next((plot for plot in PLOTS if plot.measure == measure), None)
    return "" if found is None else f"![{found.title}]({found.file_name})"


_READINGS = """## What may cause differences

The paper does not say how its numbers and categories enter the square error, whether it used hierarchies,
nor how its algorithms end where they do not converge; it lets OKA and Algorithm 1 see all attributes, where
here every method goes by the quasi-identifiers alone."""
