"""The clustering methods: names, papers, options."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from kanopy.algorithms.clustering.features import Points
from kanopy.algorithms.clustering.kmeans import kmeans_groups
from kanopy.algorithms.clustering.kmember import kmember_groups
from kanopy.algorithms.clustering.loukides import loukides_groups
from kanopy.algorithms.clustering.mdav import mdav_groups
from kanopy.algorithms.clustering.oka import oka_groups
from kanopy.algorithms.clustering.release import CLUSTER_OPTIONS, release_clusters
from kanopy.algorithms.clustering.wfcmeans import wfcmeans_groups
from kanopy.algorithms.method import Method, Option, Progress, silent
from kanopy.data import EncodedTable, Recoding
from kanopy.data.arrays import Groups
from kanopy.privacy import PrivacyModel


def _method(
    name: str,
    title: str,
    paper: str,
    cluster: Callable[..., Groups],
    options: dict[str, Option],
    block_size: Option = CLUSTER_OPTIONS["block_size"],
    drops: Literal["no rows", "any rows"] = "no rows",
) -> Method:
    """A clustering method: its own options go to the clustering, those that all share to the release."""
    shared_options = {**CLUSTER_OPTIONS, "block_size": block_size}

    def run(
        table: EncodedTable,
        promise: PrivacyModel,
        rng: np.random.Generator,
        progress: Progress = silent,
        **given: Any,
    ) -> Recoding:
        own = {option: given.pop(option) for option in options if option in given}
        shared = {option: given.get(option, made.default) for option, made in shared_options.items()}

        def clustered(points: Points, k: int) -> Groups:
            # Blocks share what a table may cost, where rounds could go on for long.
            effort = {"share": len(points.rows) / table.n_rows} if "max_iter" in options else {}
            return cluster(points, k, rng, **own, **effort)

        return release_clusters(table, promise, clustered, progress, **shared)

    return Method(name, title, paper, run, {**options, **shared_options}, drops=drops)


def _loukides(
    points: Points, k: int, rng: np.random.Generator, *, delta: float = 0.0, reassign: bool = False
) -> Groups:
    """The more columns, the wider clusters are in all; so by default they are given so much for each."""
    by_default = max(1.0, 0.3 * len(points.features))
    return loukides_groups(points, k, rng, delta=delta or by_default, reassign=reassign)


_MAX_ITER = Option(
    100,
    "passes after which the best division so far is taken; fewer where rows / k clusters would take minutes",
    at_least=1,
    at_most=10_000,
)

KMEMBER = _method(
    "kmember",
    "grows clusters of k rows, one after the other, by the row that widens the cluster least",
    "Byun, Kamra, Bertino, Li: Efficient k-Anonymization Using Clustering Techniques (DASFAA 2007)",
    kmember_groups,
    {
        "far_from": Option(
            "seed", "start the next cluster far from the last one's seed, or its last row", ("seed", "last")
        )
    },
)

KMEANS = _method(
    "kmeans",
    "k-means whose clusters are brought to k rows: in every pass (1), while assigning (2), at the end (3)",
    "El-Rashidy, Taha, Ayad, Sroor: An Effective K-Anonymity Clustering Method for Less Effectiveness on "
    "Accuracy of Data Mining Results (IJARCS 2011)",
    kmeans_groups,
    {
        "variant": Option(1, "1, 2 or 3: when clusters are brought to k rows", at_least=1, at_most=3),
        "max_iter": _MAX_ITER,
    },
)

OKA = _method(
    "oka",
    "one pass of k-means over the sorted rows, then clusters are brought to k rows",
    "Lin, Wei: An Efficient Clustering Method for k-Anonymization (PAIS 2008)",
    oka_groups,
    {"sort": Option(True, "whether rows are taken in the order of their values")},
)

LOUKIDES = _method(
    "loukides",
    "grows clusters from random rows until they are too diverse; drops rows whose cluster stays below k",
    "Loukides, Shao: Capturing Data Usefulness and Privacy Protection in K-Anonymisation (SAC 2007)",
    _loukides,
    {
        "delta": Option(
            0.0,
            "how diverse a cluster may be: its width, summed over columns; 0: 0.3 for each column, 1 or more",
            at_least=0,
        ),
        "reassign": Option(False, "whether rows go to the closest cluster instead of being dropped"),
    },
    drops="any rows",
)

WFCMEANS = _method(
    "wfcmeans",
    "k-means whose columns weigh more the better they tell clusters apart; small clusters are merged",
    "Chiu, Tsai: A k-Anonymity Clustering Method for Effective Data Privacy Preservation (ADMA 2007)",
    wfcmeans_groups,
    {"max_iter": _MAX_ITER},
    # Blocks of 20,000 rows cost it some six percent of information on Adult, and others nothing.
    block_size=replace(CLUSTER_OPTIONS["block_size"], default=50_000),
)

MDAV = _method(
    "mdav",
    "clusters of k rows around those that lie farthest out: the standard of microaggregation",
    "Domingo-Ferrer, Torra: Ordinal, Continuous and Heterogeneous k-Anonymity Through Microaggregation "
    "(DMKD 2005)",
    lambda points, k, rng: mdav_groups(points, k),
    {},
)

CLUSTERINGS = (KMEANS, KMEMBER, OKA, LOUKIDES, WFCMEANS, MDAV)
