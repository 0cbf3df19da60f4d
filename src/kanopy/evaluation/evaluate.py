"""``kanopy.evaluate``: what each method costs in accuracy, measured without leaks."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from typing import Any

import numpy as np

from kanopy.algorithms import find_method
from kanopy.engines.request import Watch, check_method, unwatched
from kanopy.engines.watching import watched
from kanopy.errors import PolicyError
from kanopy.evaluation.evaluation import Evaluation
from kanopy.evaluation.halves import Halves
from kanopy.evaluation.journal import Journal, fingerprint
from kanopy.evaluation.runner import Clock, run_all
from kanopy.evaluation.trial import Design, contenders_of, run
from kanopy.frames.tables import read_own
from kanopy.frames.typed_dates import with_typed_dates
from kanopy.learners.registry import Learner, find_learner
from kanopy.policy import Policy, check_policy
from kanopy.release.floor import round_number


@watched
def evaluate(
    table: Any,
    policy: Policy,
    *,
    methods: Sequence[str] | None = None,
    ks: Sequence[int] | None = None,
    learners: Sequence[Any] | Mapping[str, Any] = ("c45", "nb", "logistic"),
    seed: int = 0,
    jobs: int | None = None,
    journal: str | os.PathLike[str] | None = None,
    discretize: bool = False,
    permute_classes: bool = False,
    delimiter: str | None = None,
    encoding: str | None = None,
    watch: Watch = unwatched,
) -> Evaluation:
    """Release, learn and test in 5x2 cross-validation, for every method, k and learner.

    ``methods`` are names, also with options (``kmeans:variant=2``). ``ks`` replace the policy's k.
    ``learners`` are names, scikit-learn classifiers, or a mapping of names of your own to these. The same
    request with the same ``journal`` goes on where it was killed. With ``permute_classes`` an accuracy above
    the majority rate means a leak. docs/evaluation.md has all parameters. Costs 10 * methods * ks releases of
    half of the rows, and as many fits of every learner and 10 more.
    """
    check_policy(policy)
    compared = contenders_of(methods, policy), checked_ks(ks, policy), _checked_learners(learners)
    design = Design(*compared, seed, discretize, in_full=True)
    jobs = checked_jobs(jobs)
    for contender in design.contenders:
        check_method(find_method(contender.method), policy, seed)
    watch("reading", None)
    policy = with_typed_dates(policy, table)
    kind, source = read_own(table, policy, delimiter=delimiter, encoding=encoding)
    # With the smallest k: a promise that cannot be kept at all is refused before any work.
    halves = Halves.of(source, replace(policy.after_reading, k=design.ks[0]))
    del source, table
    if permute_classes:
        halves = halves.with_permuted_classes(seed)
    said = _protocol(halves, permuted=permute_classes)
    return evaluate_halves(halves, design, jobs=jobs, journal=journal, kind=kind, protocol=said, watch=watch)


def evaluate_halves(
    halves: Halves,
    design: Design,
    *,
    jobs: int,
    journal: str | os.PathLike[str] | None = None,
    kind: str = "pyarrow",
    protocol: str = "",
    watch: Watch = unwatched,
) -> Evaluation:
    """What ``evaluate`` does once everything was checked."""
    notebook = Journal(journal, "" if journal is None else fingerprint(halves, design))
    todo = [trial for trial in design.trials if trial.key not in notebook.outcomes]
    names = ("learners", "seed", "discretize", "in_full")
    settings = {name: getattr(design, name) for name in names}
    clock = Clock(len(todo), watch)
    with closing(run_all(todo, run, {"halves": halves, **settings}, jobs=jobs)) as outcomes:
        for _, outcome in outcomes:
            notebook.add(outcome)
            clock.tick()
    return Evaluation(notebook.outcomes, design, n_rows=halves.n_rows, kind=kind, protocol=protocol)


def _protocol(halves: Halves, *, permuted: bool) -> str:
    units = "rows" if halves.persons is None else "persons"
    said = (
        f"5x2 cross-validation over about {round_number(halves.n_rows):,} rows: five repetitions of "
        f"stratified two-fold cross-validation, divided by {units}. Each half is anonymized and learned from "
        "alone, and tested on the other. Intervals are 95%, with the correction of Nadeau and Bengio for "
        "folds that share rows."
    )
    if 0 < (halves.policy.combinations or 0) < len(halves.policy.quasi_identifiers):
        said += f" k is that of combinations of up to {halves.policy.combinations} quasi-identifiers only."
    return said + (" The labels were permuted: nothing can be learned." if permuted else "")


def checked_ks(ks: Sequence[int] | None, policy: Policy) -> tuple[int | None, ...]:
    """The ks, ascending; without any the policy's, which may be None."""
    if ks is None:
        return (policy.k,)
    given: list[Any] = list(ks) if isinstance(ks, Iterable) else [ks]
    if not given or any(isinstance(k, bool) or not isinstance(k, int | np.integer) or k < 2 for k in given):
        raise PolicyError("ks are whole numbers of at least 2", "for example ks=[5, 10, 50]")
    return tuple(sorted({int(k) for k in given}))


def _checked_learners(learners: Sequence[Any] | Mapping[str, Any]) -> list[Learner]:
    if isinstance(learners, Mapping):
        chosen = [replace(find_learner(learner), name=str(name)) for name, learner in learners.items()]
    else:
        one = isinstance(learners, str) or not isinstance(learners, Sequence)
        chosen = [find_learner(learner) for learner in ([learners] if one else learners)]
    if not chosen:
        raise PolicyError("no learner is given", 'for example learners=["c45"]')
    if len({learner.name for learner in chosen}) < len(chosen):
        raise PolicyError("a learner is named twice", 'give names: learners={"deep": ..., "flat": ...}')
    return chosen


def checked_jobs(jobs: int | None) -> int:
    """How many processes; None: one for every processor."""
    if jobs is None:
        return os.process_cpu_count() or 1 if hasattr(os, "process_cpu_count") else os.cpu_count() or 1
    if isinstance(jobs, bool) or not isinstance(jobs, int) or jobs < 1:
        raise PolicyError("jobs is a whole number of at least 1", "for example jobs=2")
    return jobs
