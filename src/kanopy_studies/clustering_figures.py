"""Figures 5 to 8 of the paper on clustering, and what it left out: accuracy and time."""

from __future__ import annotations

import json
from collections.abc import Sequence

from kanopy.evaluation import Evaluation
from kanopy_studies import clusters, clusters_evaluated, clusters_plots, clusters_tables
from kanopy_studies.clusters_evaluated import evaluate_clusters, evaluated_section
from kanopy_studies.clusters_record import Facts, Run
from kanopy_studies.experiment import Files, Request, command
from kanopy_studies.run_all import run_all
from kanopy_studies.versions import versions


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
    evaluated = evaluate_clusters(chosen, request.ks_or(clusters_evaluated.KS), request)
    made_by = command("clustering-figures", request)
    return document(made_by, facts, chosen, skipped, ks, released, learned, evaluated)


def document(
    made_by: str,
    facts: Facts,
    chosen: Sequence[clusters.Contender],
    skipped: Sequence[clusters.Contender],
    ks: Sequence[int],
    released: Sequence[clusters.Released],
    learned: Sequence[clusters.Learned],
    evaluated: Evaluation,
) -> Files:
    """What was measured, as files."""
    run = Run(made_by, versions(), facts, chosen, skipped, ks, released, learned)
    texts = {
        "clustering-figures.md": clusters_tables.document(run, evaluated_section(evaluated)).encode(),
        "clustering-figures.json": run.to_json().encode(),
        "clustering-evaluation.json": (json.dumps(evaluated.to_dict(), indent=1) + "\n").encode(),
    }
    return texts | clusters_plots.draw_all(run)
