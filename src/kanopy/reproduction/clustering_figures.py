"""Figures 5 to 8 of the paper on clustering, and what it left out: accuracy and time."""

from __future__ import annotations

from collections.abc import Sequence

from kanopy.reproduction import clusters, clusters_plots, clusters_tables
from kanopy.reproduction.clusters_record import Facts, Run
from kanopy.reproduction.experiment import Files, Request, command
from kanopy.reproduction.run_all import run_all
from kanopy.reproduction.versions import versions


def clustering_figures(request: Request) -> Files:
    """Square error, information loss, discernibility, accuracy and time against k, for all methods."""
    chosen, skipped = clusters.choose(request.methods)
    ks = request.ks_or(clusters.KS)
    sample = clusters.adult()
    facts = Facts(sample.n_rows, clusters.QUASI, sample.majority)
    released = run_all(clusters.release_all, clusters.release_tasks(chosen, ks), request, "releases")
    learned = run_all(
        clusters.release_half_and_learn, clusters.learning_tasks(chosen, ks), request, "learning"
    )
    return document(command("clustering-figures", request), facts, chosen, skipped, ks, released, learned)


def document(
    made_by: str,
    facts: Facts,
    chosen: Sequence[clusters.Contender],
    skipped: Sequence[clusters.Contender],
    ks: Sequence[int],
    released: Sequence[clusters.Released],
    learned: Sequence[clusters.Learned],
) -> Files:
    """What was measured, as files."""
    run = Run(made_by, versions(), facts, chosen, skipped, ks, released, learned)
    texts = {
        "clustering-figures.md": clusters_tables.document(run).encode(),
        "clustering-figures.json": run.to_json().encode(),
    }
    return texts | clusters_plots.draw_all(run)
