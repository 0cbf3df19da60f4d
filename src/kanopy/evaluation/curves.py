"""Accuracy against k, in one number."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kanopy.errors import PolicyError

Floats = NDArray[np.float64]


def area_under_curve(ks: ArrayLike, accuracies: ArrayLike) -> float:
    """The area under accuracy against k, by trapezoids: the comparison of the kACTUS-2 paper, Table 1. O(ks).

    Parameters
    ----------
    ks : array-like of shape (n,)
        Two or more, all different, in any order. The paper leaves out k = 1, the table as it was.
    accuracies : array-like of shape (n,)
        In the unit in which the area is wanted; the paper's is percent.

    Raises
    ------
    PolicyError
        Where they are fewer than two, do not match, repeat a k, or an accuracy is not there.
    """
    places, heights = _checked_curve(ks, accuracies)
    return float(np.sum(np.diff(places) * (heights[1:] + heights[:-1]) / 2))


def mean_accuracy(ks: ArrayLike, accuracies: ArrayLike) -> float:
    """The area under the curve by its width: the mean accuracy if every k between is as likely. O(ks)."""
    places, _ = _checked_curve(ks, accuracies)
    return area_under_curve(ks, accuracies) / float(places[-1] - places[0])


def _checked_curve(ks: ArrayLike, accuracies: ArrayLike) -> tuple[Floats, Floats]:
    places, heights = np.asarray(ks, dtype=np.float64), np.asarray(accuracies, dtype=np.float64)
    if places.ndim != 1 or places.shape != heights.shape or len(places) < 2:
        raise PolicyError(
            f"a curve has two or more ks and as many accuracies, not the shapes {places.shape} and "
            f"{heights.shape}",
            "give one accuracy for every k",
        )
    order = np.argsort(places)
    places, heights = places[order], heights[order]
    if not (np.isfinite(places).all() and np.isfinite(heights).all()):
        raise PolicyError("not every k has an accuracy", "leave out the ks that were refused")
    if (np.diff(places) == 0).any():
        raise PolicyError("a k appears twice in a curve", "give one accuracy for every k")
    return places, heights
