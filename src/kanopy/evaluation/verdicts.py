"""Which methods may be called best: none that is no better than guessing, and several where they tie."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from kanopy.evaluation.scores import Score
from kanopy.release.published_losses import told_share

LEVEL = 0.05
"""Methods differ where the p-value is smaller; otherwise they tie."""
GUESSING = "no better than guessing"


@dataclass(frozen=True, slots=True)
class Verdict:
    """The methods under one learner and k, from the best to those that are of no use.

    ``best`` is the most accurate method, with every other one that is not shown to differ from it: then they
    tie. ``worse`` are shown to be less accurate. ``guessing`` are no better than guessing: the interval of
    their accuracy does not lie above the majority rate. ``said`` is all of it as a sentence.
    """

    learner: str
    k: int | None
    best: tuple[str, ...]
    worse: tuple[str, ...]
    guessing: tuple[str, ...]
    said: str


def conclusion(first: str, second: str, better: str | None, guessing: Collection[str]) -> str:
    """What a comparison of two methods shows; ``better`` is the one that the test prefers, if any."""
    idle = [name for name in (first, second) if name in guessing]
    if len(idle) == 2:
        return f"both are {GUESSING}"
    said = ["tie: no difference shown" if better is None else f"{better} is better"]
    if better in idle:
        said = []
    return "; ".join([*said, *(f"{name} is {GUESSING}" for name in idle)])


def verdict(scores: Sequence[Score], differing: Collection[frozenset[str]]) -> Verdict | None:
    """The verdict on the methods under one learner and k; ``differing`` are the pairs shown to differ."""
    measured = [score for score in scores if score.accuracy is not None]
    if not measured:
        return None
    able = [score for score in measured if score.better_than_guessing]
    able.sort(key=lambda score: -(score.accuracy or 0.0))
    best = [one for one in able if one is able[0] or frozenset((one.method, able[0].method)) not in differing]
    worse = [one for one in able if one not in best]
    idle = [score for score in measured if not score.better_than_guessing]
    parts = []
    if best:
        parts.append(f"{_listed(best)} {_praise(best, measured)}")
    if worse:
        parts.append(f"worse: {_listed(worse)}")
    if idle:
        parts.append(f"{GUESSING}: {_listed(idle)}")
    names = [tuple(score.method for score in some) for some in (best, worse, idle)]
    return Verdict(measured[0].learner, measured[0].k, names[0], names[1], names[2], "; ".join(parts))


def _praise(best: Sequence[Score], measured: Sequence[Score]) -> str:
    if len(best) > 1:
        return "tie"
    return "is best" if len(measured) > 1 else "is better than guessing"


def _listed(scores: Sequence[Score]) -> str:
    return ", ".join(f"{score.method} ({_figures(score)})" for score in scores)


def _figures(score: Score) -> str:
    """Accuracy, never without what was lost and what was disclosed."""
    said = [f"{score.accuracy:.1%} correct", f"{told_share(score.gcp or 0.0):.0%} of detail lost"]
    if score.excess is not None:
        said.append(f"excess {signed(score.excess)} points")
    if not score.better_than_guessing and score.auc_low is not None and score.auc_low > 0.5:
        said.append(f"though it ranks rows better than chance: AUC {score.auc:.3f}")
    return ", ".join(said)


def signed(difference: float) -> str:
    """A difference of shares, in points of a percent."""
    return f"{round(100 * difference, 1) + 0.0:+.1f}"
