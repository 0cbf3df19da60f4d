"""Linking: which published rows could be those of a person?"""

from __future__ import annotations

import numpy as np

from kanopy.attacks.candidates import Candidates
from kanopy.attacks.figures import Linking, Sizes


def measure_linking(candidates: Candidates, k: int | None) -> Linking:
    """Count the published rows that could be each person's; O(people + combinations * groups / 64)."""
    kind = candidates.people.kind
    n_groups, n_rows = candidates.counts.n_groups[kind], candidates.counts.n_rows[kind]
    is_covered = n_groups > 0
    covered = n_rows[is_covered]
    smallest = int(covered.min()) if len(covered) else 0
    return Linking(
        smallest=smallest,
        one_group=float((n_groups == 1).mean()),
        expected=float((1 / covered).sum() / len(kind)),
        largest=1 / smallest if smallest else 0.0,
        below_k=None if k is None else int((covered < k).sum()),
        uncovered=int((~is_covered).sum()),
    )


def measure_sizes(candidates: Candidates, k: int | None) -> Sizes | None:
    """Count groups of exactly k: their size says that the method had no choice, or filled them up."""
    if k is None:
        return None
    sizes = candidates.groups.sizes
    n_exact = int(np.count_nonzero(sizes == k))
    return Sizes(k, len(sizes), n_exact, n_exact * k / int(sizes.sum()))
