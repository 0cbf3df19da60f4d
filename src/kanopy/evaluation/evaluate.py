"""``kanopy.evaluate``: what each method costs in accuracy, measured without leaks."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from typing import Any

import numpy as np

from kanopy.engines.local import Watch, check_request, unwatched
from kanopy.errors import PolicyError
from kanopy.evaluation.contender import contenders_of
from kanopy.evaluation.evaluation import Evaluation
from kanopy.evaluation.halves import Halves
from kanopy.evaluation.journal import Journal, fingerprint
from kanopy.evaluation.runner import Clock, run_all
from kanopy.evaluation.trial import Design, run
from kanopy.frames.tables import read_table
from kanopy.learners.registry import Learner, find_learner
from kanopy.policy import Policy, check_policy
from kanopy.release.floor import round_number

LEARNERS = ("c45", "nb", "logistic")


def evaluate(
    table: Any,
    policy: Policy,
    *,
    methods: Sequence[str] | None = None,
    ks: Sequence[int] | None = None,
    learners: Sequence[Any] | Mapping[str, Any] = LEARNERS,
    seed: int = 0,
    jobs: int | None = None,
    journal: str | os.PathLike[str] | None = None,
    discretize: bool = False,
    permute_classes: bool = False,
    delimiter: str | None = None,
    encoding: str = "utf-8",
    watch: Watch = unwatched,
) -> Evaluation:
    """Release, learn and test in 5x2 cross-validation, for every method, k and learner.

    Everything that looks at rows is fitted on one half of them; the other half is predicted as it is, and
    recoded like the release. All methods get the same halves.

    Parameters
    ----------
    table : frame or path
        As for ``anonymize``. Rows without a class are left out.
    policy : Policy
        With a target.
    methods : list of str, optional
        Names, or names with options: ``kmeans:variant=2;max_iter=10``. None: the policy's.
    ks : list of int, optional
        Each takes the place of the policy's k. None: the promise of the policy as it is.
    learners : list
        Names (``c45``, ``id3``, ``nb``, ``logistic``, ``sklearn:RandomForestClassifier``, ``weka:J48``) or
        scikit-learn classifiers; or a mapping of names of your own to these.
    seed : int
        The random seed. The same request gives the same numbers.
    jobs : int, optional
        Processes; None: one for every processor.
    journal : path, optional
        A file for outcomes as they come. The same request goes on where an earlier one was killed.
    discretize : bool
        Whether numeric quasi-identifiers are first cut into bins that tell the classes of the training half
        apart (Fayyad and Irani), as the papers on kACTUS do; then all methods see the same categories.
    permute_classes : bool
        Whether to permute the labels first: an accuracy above the majority rate then means a leak.
    delimiter, encoding : str
        Of a CSV file.
    watch : callable
        Told about the progress.

    Notes
    -----
    Costs 10 * methods * ks releases of half of the rows, and as many fits of every learner and 10 more.
    """
    check_policy(policy)
    contenders = contenders_of(methods, policy)
    wanted = _checked_ks(ks) if ks is not None else (policy.k,)
    chosen = _checked_learners(learners)
    n_jobs = checked_jobs(jobs)
    for contender in contenders:
        check_request(contender.method, policy, seed)
    watch("reading", None)
    kind, source = read_table(table, delimiter=delimiter, encoding=encoding)
    # With the smallest k: a promise that cannot be kept at all is refused before any work.
    halves = Halves.of(source, policy if wanted == (None,) else replace(policy, k=min(filter(None, wanted))))
    del source, table
    if permute_classes:
        halves = halves.with_permuted_classes(seed)
    design = Design(contenders, wanted, chosen, seed, discretize)
    protocol = _protocol(halves, permuted=permute_classes)
    return evaluate_halves(
        halves, design, jobs=n_jobs, journal=journal, kind=kind, protocol=protocol, watch=watch
    )


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
    given = {
        "halves": halves,
        "learners": design.learners,
        "seed": design.seed,
        "discretize": design.discretize,
    }
    clock = Clock(len(todo), watch)
    with closing(run_all(todo, run, given, jobs=jobs)) as outcomes:
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
    return said + (" The labels were permuted: nothing can be learned." if permuted else "")


def _checked_ks(ks: Sequence[int]) -> tuple[int | None, ...]:
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
