"""Tables and figures of the papers, made again: our number, the published one, and whether they agree."""

from __future__ import annotations

from kanopy.errors import PolicyError, near_name
from kanopy_studies.experiment import Experiment, Request
from kanopy_studies.page import Files

__all__ = ["Experiment", "Files", "Request", "experiments", "find_experiment"]


def experiments() -> dict[str, Experiment]:
    """Every experiment, by name."""
    from kanopy_studies.clusters_report import clustering_figures
    from kanopy_studies.frontier import frontier
    from kanopy_studies.id3 import id3_figures
    from kanopy_studies.kactus import kactus2_table1, kactus2_table2, kactus_table2
    from kanopy_studies.kactus2_claims import kactus2_figures, kactus2_ranks
    from kanopy_studies.kactus_wins import kactus_table3, kactus_table4, kactus_table5
    from kanopy_studies.scalability import kactus_scalability
    from kanopy_studies.tdd_report import tdd_errors, tdd_table3
    from kanopy_studies.tdd_scalability import tdd_scalability

    leaky = {"learners", "data", "ks", "as_published", "journal"}
    claims, compared = leaky - {"ks"}, leaky - {"as_published"} | {"methods"}
    times = "time of kACTUS on up to 1,356,660 rows, tree and anonymization apart"
    clustering = "losses, accuracy and time of clustering"
    made = (
        ("kactus-table2", "accuracy of kACTUS by k, ten data sets", kactus_table2, leaky),
        ("kactus-table3", "kACTUS against methods with trees of values, Adult", kactus_table3, leaky),
        ("kactus-table4", "kACTUS against suppression, Adult", kactus_table4, leaky),
        ("kactus-table5", "kACTUS against Mondrian, Adult", kactus_table5, leaky),
        ("kactus2-table1", "area under accuracy over k, five methods", kactus2_table1, {*leaky, "methods"}),
        ("kactus2-table2", "share of missing cells, four methods", kactus2_table2, {*leaky, "methods"}),
        ("kactus2-figures", "where the curves of accuracy cross", kactus2_figures, claims),
        ("kactus2-ranks", "wins and Friedman's test over five methods", kactus2_ranks, claims),
        ("tdd-table3", "inferences above a confidence", tdd_table3, {"data"}),
        ("tdd-errors", "base, suppression and removal errors", tdd_errors, {"data"}),
        ("tdd-scalability", "time of TDD on up to a million rows", tdd_scalability, set[str]()),
        ("frontier", "what learners lose and what groups tell, ten data sets", frontier, compared),
        ("clustering-figures", clustering, clustering_figures, {"methods", "ks"}),
        ("id3-figures", "accuracy of modified ID3 against k", id3_figures, {"ks"}),
        ("kactus-scalability", times, kactus_scalability, set[str]()),
    )
    return {name: Experiment(name, title, page, frozenset(takes)) for name, title, page, takes in made}


def find_experiment(name: str) -> Experiment:
    """The experiment of a name."""
    known = experiments()
    if name not in known:
        hint = near_name(name, known) or f"known are {', '.join(known)}"
        raise PolicyError(f"there is nothing to reproduce called {name!r}", hint)
    return known[name]
