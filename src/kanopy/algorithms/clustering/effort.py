"""How many rounds a clustering in rounds may take, so that a small table never takes minutes."""

from __future__ import annotations

from kanopy.algorithms.clustering.assign import Packs
from kanopy.algorithms.clustering.features import FlatFeature, NumericFeature, TaxonomyFeature

_DISTANCES = 40_000_000_000
"""Distances (one of a table is one, one that is computed counts as several) that a whole table may take."""

_CELLS = 500_000
"""Larger tables may take more: with the square of their cells, so that their rounds are hardly ever cut."""

_LEAST_ROUNDS = 1

_COMPUTED = {NumericFeature: 5, FlatFeature: 10, TaxonomyFeature: 12}
"""What it costs to compute a distance, compared with looking it up."""

_CACHED = 2_000_000
"""Distances in a table that stays in the cache of a processor."""


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
    per_pair = sum(_per_pair(packs, number, n_rows, n_clusters) for number in range(len(packs.packs)))
    n_cells = n_rows * len(packs.features) / share
    allowed = _DISTANCES * share * max(1.0, n_cells / _CELLS) ** 2
    n_rounds = int(allowed / (passes * per_pair * n_rows * n_clusters))
    return min(at_most, max(_LEAST_ROUNDS, n_rounds))


def _per_pair(packs: Packs, number: int, n_rows: int, n_clusters: int) -> float:
    """What a distance of one pack costs: computed each time, or once for a table and then looked up there."""
    pack = packs.packs[number]
    computed = _COMPUTED[type(packs.features[pack.places[0]])]
    if not packs.fits_table(pack, n_clusters):
        return computed
    # It costs more to look a distance up where the table leaves the cache.
    looked_up = 1 if pack.n_combinations * n_clusters <= _CACHED else 3
    return looked_up + computed * pack.n_combinations / n_rows
