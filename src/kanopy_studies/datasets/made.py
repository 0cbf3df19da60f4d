"""Tables of the papers that can be made anew: all boards of tic-tac-toe, and waves with noise."""

from __future__ import annotations

from itertools import product

import numpy as np

from kanopy.data.arrays import Floats

_LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
_N_SIGNAL, _N_NOISE = 21, 19
_PEAKS = (7, 11, 15)
_PAIRS = ((0, 2), (0, 1), (1, 2))
"""The two waves of which each class is a mixture; classes are numbered as in the published file."""


def tic_tac_toe_rows() -> list[tuple[str, ...]]:
    """All boards on which a game can end if x begins: first x has won, then o, then nobody. O(3^9).

    In the order of the published file: by square, x before o before blank.
    """
    won: list[tuple[str, ...]] = []
    lost: list[tuple[str, ...]] = []
    drawn: list[tuple[str, ...]] = []
    for board in product("xob", repeat=9):
        n_moves = board.count("x"), board.count("o")
        x_won, o_won = (any(board[a] == board[b] == board[c] == who for a, b, c in _LINES) for who in "xo")
        # Who has won has moved last; x begins, so that it is one move ahead then.
        if x_won and not o_won and n_moves[0] == n_moves[1] + 1:
            won.append((*board, "positive"))
        elif o_won and not x_won and n_moves[0] == n_moves[1]:
            lost.append((*board, "negative"))
        elif not x_won and not o_won and n_moves == (5, 4):
            drawn.append((*board, "negative"))
    return won + lost + drawn


def waveform_rows(n_rows: int, seed: int) -> list[tuple[str, ...]]:
    """Waves with noise by the rules of Breiman and others, written with two decimals. O(rows).

    There are three waves of 21 points, triangles of height 6 around points 7, 11 and 15. A row is a mixture
    of two of them, in a random share, plus normal noise at every point; 19 columns of noise alone follow.
    The class says which two.
    """
    rng = np.random.default_rng(seed)
    points = np.arange(1, _N_SIGNAL + 1)
    waves = np.stack([np.maximum(6 - np.abs(points - peak), 0) for peak in _PEAKS])
    classes = rng.integers(0, 3, n_rows)
    first, second = np.array(_PAIRS)[classes].T
    share = rng.random(n_rows)[:, None]
    values: Floats = rng.normal(size=(n_rows, _N_SIGNAL + _N_NOISE))
    values[:, :_N_SIGNAL] += share * waves[first] + (1 - share) * waves[second]
    # Adding zero turns a negative zero into zero.
    texts = np.char.mod("%.2f", np.round(values, 2) + 0.0)
    return [(*row, str(kind)) for row, kind in zip(texts.tolist(), classes.tolist(), strict=True)]
