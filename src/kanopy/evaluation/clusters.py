"""Clusters: those that k-means finds in a release, against those that it finds in the original."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa
import scipy.sparse as sp
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import adjusted_rand_score

from kanopy.data import Hierarchy
from kanopy.data.arrays import Floats, Ints
from kanopy.evaluation.measures import Figures, Original
from kanopy.learners.draws import CellSampler
from kanopy.learners.encoder import GeneralizedEncoder
from kanopy.learners.registry import DRAWS

_STARTS = 10  # of k-means, of which the best counts


@dataclass(frozen=True, slots=True)
class Clusters:
    """K-means with the same seed on the release and on the original, as partitions of the original rows.

    ``rand`` is the adjusted Rand index of the two partitions [1]_: 1 for the same clusters, about 0 for
    clusters that have nothing in common. A row of the original belongs to the nearest centre.

    References
    ----------
    .. [1] L. Hubert and P. Arabie, Comparing Partitions, Journal of Classification 2, 1985.
    """

    clusters: int = 5

    name: ClassVar[str] = "cluster"
    measures: ClassVar[tuple[str, ...]] = ("rand",)
    main: ClassVar[str] = "rand"
    protocol: ClassVar[str] = (
        "k-means runs with the same seed on the release and on the original, and all original rows go to the "
        "nearest centre of each: rand is the adjusted Rand index of the two partitions."
    )
    least: ClassVar[Mapping[str, float]] = {"clusters": 2}
    most: ClassVar[Mapping[str, float]] = {}

    def compared(
        self, original: Original, published: pa.Table, hierarchies: Mapping[str, Hierarchy], seed: int
    ) -> Figures:
        """Costs two k-means, O(rows * features * clusters) for each of their rounds."""
        published = published.select(original.features.column_names)
        return self._agreement(original, (original.features, {}, seed), (published, hierarchies, seed))

    def yardsticks(self, original: Original, seed: int) -> dict[str, Figures]:
        """How much clusters of the original differ from each other: by another seed, by other people."""
        rows = original.features
        one, other = (rows.take(half) for half in original.halves(seed))
        return {
            "original, two seeds": self._agreement(original, (rows, {}, seed), (rows, {}, seed + 1)),
            "original, two halves": self._agreement(original, (one, {}, seed), (other, {}, seed)),
        }

    def _agreement(self, original: Original, *learned: tuple[pa.Table, Any, int]) -> Figures:
        if not original.features.num_columns or not all(table.num_rows for table, _, _ in learned):
            return {"rand": None}
        one, other = (self._partition(*what, original.features) for what in learned)
        return {"rand": float(adjusted_rand_score(one, other))}

    def _partition(
        self, table: pa.Table, hierarchies: Mapping[str, Hierarchy], seed: int, rows: pa.Table
    ) -> Ints:
        """The cluster of each of the rows, by the centres that are found in the table.

        Cells are read as every learner of scikit-learn reads them: three copies of each row, in which a cell
        is one of the values it may stand for. Values have a feature each, and numbers a deviation of 1.
        """
        sampler = CellSampler(draws=DRAWS, hierarchies=dict(hierarchies), random_state=seed)
        drawn, _ = sampler.fit_resample(table, np.zeros(table.num_rows, dtype=np.int64))
        encoder = GeneralizedEncoder(sparse_output=True)
        features = encoder.fit_transform(drawn)
        names = encoder.get_feature_names_out().tolist()
        numeric = {field.name for field in drawn.schema if pa.types.is_floating(field.type)}
        scale = np.ones(len(names))
        for place in (place for place, name in enumerate(names) if name in numeric):
            scale[place] = features[:, [place]].toarray().std() or 1.0
        model = KMeans(min(self.clusters, features.shape[0]), n_init=_STARTS, random_state=seed)
        with warnings.catch_warnings():  # a release that says little has fewer different rows than clusters
            warnings.simplefilter("ignore", ConvergenceWarning)
            model.fit(_divided(features, scale))
        return np.asarray(model.predict(_divided(encoder.transform(rows), scale)), dtype=np.int64)


def _divided(features: sp.csr_array, scale: Floats) -> sp.csr_array:
    """Every feature by its scale, in the kind of matrix that k-means takes."""
    narrow = (features.indices.astype(np.int32), features.indptr.astype(np.int32))
    return sp.csr_array((features.data / scale[features.indices], *narrow), shape=features.shape)
