"""What the papers published for C4.5: accuracy by k, the area under it, the share of missing cells.

Facts, copied from the papers:

- Kisilevich, Rokach, Elovici, Shapira, "Efficient Multi-Dimensional Suppression for K-Anonymity" (TKDE
  2010), Table 2, here "kACTUS";
- Kisilevich, Elovici, Shapira, Rokach, "kACTUS 2: Privacy Preserving in Classification Tasks Using
  k-Anonymity" (LNCS 5661, 2009), Tables 1 and 2, here "kACTUS-2".
"""

from __future__ import annotations

from typing import NamedTuple

METHODS = {"kactus": "kACTUS", "kactus2": "kACTUS-2"}
"""The methods that the papers compare, and what they call them."""


class Spread(NamedTuple):
    """A mean over folds and its standard deviation."""

    mean: float
    deviation: float


_ACCURACY_KS = (1, 5, 10, 15, 20, 30)

# kACTUS, Table 2: mean and standard deviation for each of these k.
_ACCURACY = {
    "adult": ((85.96, 0.19), (85.88, 0.21), (85.73, 0.22), (85.61, 0.19), (85.48, 0.20), (85.32, 0.19)),
    "german": ((71.67, 1.28), (69.98, 1.80), (70.08, 1.83), (69.39, 2.22), (69.19, 1.49), (69.97, 2.12)),
    "glass": ((67.63, 3.18), (61.89, 3.69), (59.47, 2.98), (58.11, 3.75), (55.13, 4.59), (45.42, 5.62)),
    "ionosphere": ((89.08, 1.99), (87.71, 2.58), (85.99, 4.65), (85.18, 5.33), (82.77, 4.75), (81.82, 2.92)),
    "crx": ((85.08, 1.58), (84.64, 3.56), (85.42, 1.56), (85.18, 1.44), (85.18, 1.44), (85.51, 1.49)),
    "nursery": ((95.84, 0.20), (93.61, 0.40), (92.52, 0.34), (92.13, 0.28), (91.59, 0.30), (90.55, 0.39)),
    "pima": ((75.17, 2.49), (75.20, 2.91), (74.26, 2.88), (74.70, 3.09), (73.70, 3.10), (72.40, 3.69)),
    "tic_tac_toe": ((81.20, 1.56), (72.89, 2.48), (73.16, 2.19), (70.49, 1.52), (71.70, 1.76), (70.30, 1.65)),
    "vehicle": ((66.39, 2.65), (66.01, 3.88), (63.42, 3.41), (62.13, 3.11), (61.11, 2.51), (57.64, 2.73)),
    "waveform40": ((74.78, 0.61), (74.64, 0.74), (73.38, 1.24), (72.14, 0.93), (71.39, 0.77), (70.66, 1.25)),
}

# kACTUS-2, Table 2: k, share of missing cells of kACTUS, of kACTUS-2.
_MISSING = {
    "adult": (
        (5, 0.72, 0.71),
        (20, 0.72, 0.72),
        (50, 0.73, 0.72),
        (100, 0.75, 0.73),
        (500, 0.78, 0.75),
        (1000, 0.83, 0.76),
    ),
    "german9": (
        (5, 0.34, 0.34),
        (10, 0.36, 0.35),
        (15, 0.36, 0.35),
        (20, 0.37, 0.35),
        (30, 0.37, 0.37),
        (40, 0.38, 0.38),
        (50, 0.39, 0.39),
        (80, 0.42, 0.41),
        (100, 0.42, 0.42),
    ),
    "glass": ((5, 0.57, 0.51), (10, 0.61, 0.55), (15, 0.64, 0.58), (20, 0.69, 0.62), (30, 0.75, 0.67)),
    "tic_tac_toe": ((5, 0.62, 0.58), (10, 0.67, 0.61), (15, 0.73, 0.64), (20, 0.74, 0.65), (30, 0.77, 0.68)),
    "waveform40": (
        (5, 0.82, 0.81),
        (10, 0.83, 0.81),
        (15, 0.83, 0.82),
        (20, 0.84, 0.83),
        (30, 0.85, 0.83),
        (40, 0.85, 0.84),
        (50, 0.86, 0.84),
    ),
}

# kACTUS-2, Table 1: area under the accuracy of kACTUS, of kACTUS-2, over the k of its Table 2.
_AREA = {
    "adult": (81830.7, 82663.22),
    "german9": (6645.725, 6646.4),
    "glass": (1383.2, 1372.225),
    "tic_tac_toe": (1789.725, 1802.35),
    "waveform40": (3185.825, 3252.475),
}


def accuracy(method: str, data: str, k: int) -> Spread | None:
    """kACTUS, Table 2; for other methods only what was learned from the table as it is (k = 1)."""
    if data not in _ACCURACY or k not in _ACCURACY_KS or (method != "kactus" and k > 1):
        return None
    return Spread(*_ACCURACY[data][_ACCURACY_KS.index(k)])


def missing_ratio(method: str, data: str, k: int) -> float | None:
    """kACTUS-2, Table 2: the share of the cells that a release suppressed."""
    place = list(METHODS).index(method)
    return next((shares[place] for at_k, *shares in _MISSING.get(data, ()) if at_k == k), None)


def area(method: str, data: str) -> float | None:
    """kACTUS-2, Table 1: the area under accuracy (percent) over k, from the least k to the greatest."""
    return _AREA[data][list(METHODS).index(method)] if data in _AREA else None


def area_ks(data: str) -> tuple[int, ...]:
    """The k at which kACTUS-2 measured; none where it did not use the data set."""
    return tuple(k for k, *_ in _MISSING.get(data, ()))
