"""Figures 5 to 8 of the paper on clustering, and what it left out: accuracy and time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from kanopy.reproduction import clusters, clusters_plots, clusters_tables
from kanopy.reproduction.clusters_record import Facts, Run
from kanopy.reproduction.experiment import Files, Request, command
from kanopy.reproduction.versions import versions

Todo = TypeVar("Todo")
Done = TypeVar("Done")


def clustering_figures(request: Request) -> Files:
    """Square error, information loss, discernibility, accuracy and time against k, for all methods."""
    chosen, skipped = clusters.choose(request.methods)
    ks = tuple(request.ks or clusters.KS)
    sample = clusters.adult()
    facts = Facts(sample.n_rows, clusters.QUASI, sample.majority)
    released = _done(clusters.release_all, clusters.release_tasks(chosen, ks), request, "releases")
    learned = _done(clusters.release_half_and_learn, clusters.learning_tasks(chosen, ks), request, "learning")
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


def _done(work: Callable[[Todo], Done], todo: Sequence[Todo], request: Request, stage: str) -> list[Done]:
    done: list[Done] = []
    for found in clusters.run_all(work, todo, request.jobs):
        done.append(found)
        request.watch(stage, len(done) / len(todo))
    return done
