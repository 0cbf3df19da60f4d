"""What learners that read cells make of clusters: ranges and sets as they are published, no means."""

from __future__ import annotations

from collections.abc import Sequence

from kanopy.algorithms import find_method
from kanopy.evaluation import Evaluation
from kanopy.evaluation.contender import Contender as Evaluated
from kanopy.evaluation.evaluate import evaluate_halves
from kanopy.evaluation.halves import Halves
from kanopy.learners.registry import find_learner
from kanopy.policy import Policy
from kanopy_studies.clusters import DATA, QUASI, Contender
from kanopy_studies.datasets import describe
from kanopy_studies.experiment import Request
from kanopy_studies.markdown import table
from kanopy_studies.settings import complete_rows

KS = (10, 50)
LEARNERS = ("c45", "nb", "logistic")


def evaluate_clusters(contenders: Sequence[Contender], ks: Sequence[int], request: Request) -> Evaluation:
    """5x2 cross-validation on the eight quasi-identifiers of Adult, with default blocks."""
    known = describe(DATA)
    policy = Policy(
        quasi_identifiers=QUASI,
        target=known.target,
        identifiers=[name for name in known.columns[:-1] if name not in QUASI],
        k=min(ks),
    )
    return evaluate_halves(
        Halves.of(complete_rows(DATA), policy),
        [Evaluated(one.label, one.method, find_method(one.method).settle(one.options)) for one in contenders],
        ks,
        [find_learner(name) for name in LEARNERS],
        seed=0,
        jobs=request.jobs,
        journal=None,
        discretize=False,
        kind="pyarrow",
        protocol="",
        watch=request.watch,
    )


def evaluated_section(found: Evaluation) -> str:
    """Accuracy on test rows as they are, and recoded, for every method, k and learner."""
    scores = {(score.method, score.k, score.learner): score for score in found.scores}
    places = [(k, learner) for k in found.ks for learner in found.learners]
    lines = []
    for method in found.methods:
        some = [scores[method, k, learner] for k, learner in places]
        lines.append((method, *(_percent(score.accuracy, score.accuracy_recoded) for score in some)))
    original = [scores[found.methods[0], k, learner].original for k, learner in places]
    lines.append(("rows as they are", *(f"{100 * share:.2f}" for share in original)))
    header = ("", *(f"{learner}, k = {k}" for k, learner in places))
    reads = ", ".join(f"{name} ({find_learner(name).encoding})" for name in found.learners)
    return f"""## Accuracy of learners that read ranges and sets, percent

Releases as they are published by default: ranges and sets, in the default blocks. 5x2 cross-validation over
{found.n_rows:,} rows; test rows as they are / recoded. Learners, and how they read cells: {reads}.

{table(header, lines)}"""


def _percent(plain: float | None, recoded: float | None) -> str:
    return "refused" if plain is None or recoded is None else f"{100 * plain:.2f} / {100 * recoded:.2f}"
