"""How many rounds a clustering in rounds may take, so that a small table never takes minutes."""

from __future__ import annotations

from kanopy.methods.clustering.assign import Packs
from kanopy.methods.clustering.features import FlatFeature, NumericFeature, TaxonomyFeature

_DISTANCES = 40_000_000_000
"""Distances (one of a table is one, one that is computed counts as several) that a whole table may take."""

_CELLS = 500_000
"""Larger tables may take more: with the square of their cells, so that their rounds are hardly ever cut."""

_LEAST_ROUNDS = 1

_COMPUTED = {NumericFeature: 5, FlatFeature: 5, TaxonomyFeature: 12}
"""What it costs to compute a distance, compared with looking it up."""


_CACHED = 2_000_000


def most_rounds(
    packs: Packs, n_rows: int, n_clusters: int, *, share: float, at_most: int, passes: int
) -> int:
    """How many rounds a block of a table may take; deterministic, as it counts distances and not seconds.

    Parameters
    ----------
    packs : Packs
    n_rows, n_clusters : int
        Of the block.
    share : float
        The block's part of the rows of the table.
    at_most : int
        Rounds that were asked for.
    passes : int
        How often a round compares all rows with all centroids.
    """
    per_pair = sum(
        _looked_up(pack.n_combinations * n_clusters)
        if packs.fits_table(pack, n_clusters)
        else _COMPUTED[type(packs.features[pack.places[0]])]
        for pack in packs.packs
    )
    n_cells = n_rows * len(packs.features) / share
    allowed = _DISTANCES * share * max(1.0, n_cells / _CELLS) ** 2
    n_rounds = int(allowed / (passes * per_pair * n_rows * n_clusters))
    return min(at_most, max(_LEAST_ROUNDS, n_rounds))


def _looked_up(n_distances: int) -> int:
    """What it costs to look a distance up in a table of so many: more where the table leaves the cache."""
    return 1 if n_distances <= _CACHED else 3
