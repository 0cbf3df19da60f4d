"""The few distribution functions that comparisons need; from SciPy, imported when one is asked for."""

from __future__ import annotations

from typing import Any

from kanopy.errors import ResourceError


def _special() -> Any:
    try:
        from scipy import special
    except ImportError as error:
        raise ResourceError(
            "statistical tests need SciPy, which comes with scikit-learn", 'pip install "kanopy[sklearn]"'
        ) from error
    return special


def f_above(statistic: float, first: int, second: int) -> float:
    """The chance that F with so many degrees of freedom is larger; 0 for an infinite one."""
    return 0.0 if statistic == float("inf") else float(_special().fdtrc(first, second, statistic))


def f_quantile(share: float, first: int, second: int) -> float:
    """What F with so many degrees of freedom exceeds in ``1 - share`` of all cases."""
    return float(_special().fdtri(first, second, share))


def t_beyond(statistic: float, degrees: int) -> float:
    """The chance that t is farther from zero than this, on either side."""
    return 2 * float(_special().stdtr(degrees, -abs(statistic)))


def t_quantile(share: float, degrees: int) -> float:
    return float(_special().stdtrit(degrees, share))


def normal_quantile(share: float) -> float:
    return float(_special().ndtri(share))
