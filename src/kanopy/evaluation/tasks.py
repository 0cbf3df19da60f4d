"""Tasks other than classification: what is found in releases against what is found in the original."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, fields, replace
from statistics import fmean
from typing import Any

import numpy as np
import pyarrow as pa

from kanopy._numbers import typed_number
from kanopy.algorithms import find_method
from kanopy.engines.local import anonymize
from kanopy.engines.request import Watch, check_method, unwatched
from kanopy.engines.watching import watched
from kanopy.errors import InputError, PolicyError, UnsatisfiableError, near_name
from kanopy.evaluation.association import Associations
from kanopy.evaluation.clusters import Clusters
from kanopy.evaluation.evaluate import checked_jobs, checked_ks
from kanopy.evaluation.halves import plain_columns
from kanopy.evaluation.measures import Figures, Original, Task
from kanopy.evaluation.runner import Clock, run_all
from kanopy.evaluation.trial import Contender, contenders_of
from kanopy.frames.encode import encode
from kanopy.frames.tables import read_own
from kanopy.frames.typed_dates import with_typed_dates
from kanopy.policy import Policy, check_policy
from kanopy.release.floor import round_number
from kanopy.release.published_losses import told_share

CLASSIFY = "classify"
SUPPRESSED = "all suppressed"  # the yardstick of a release that says nothing about the quasi-identifiers
TASKS: dict[str, type[Clusters] | type[Associations]] = {"cluster": Clusters, "rules": Associations}
N_REPETITIONS = 5
_DIGITS = 3  # more could tell single rows
_SAME = 1e-9
_SHOWN_DIGITS = {"support_error": 3, "found": 0}  # of others 2


@dataclass(frozen=True, slots=True)
class Repeated:
    """A figure over the repetitions: its mean, its lowest and its highest value."""

    mean: float
    low: float
    high: float

    def written(self, digits: int, *, with_range: bool) -> str:
        """The mean, and the range if it is wanted and there is one."""
        values = (self.mean, self.low, self.high)
        mean, low, high = (f"{round(value, digits) + 0.0:.{digits}f}" for value in values)  # no minus zero
        return f"{mean} ({low} to {high})" if with_range and low != high else mean


@dataclass(frozen=True, slots=True)
class TaskScore:
    """How much of what the original says the releases of one method say, for one k.

    ``measures`` has a figure for each name of the task's; None where it says nothing, as precision does where
    no rule is found. ``gcp`` and ``dropped`` are shares of lost detail and lost rows, None for a yardstick.
    ``refused`` says why there is no release.
    """

    method: str
    k: int | None
    measures: dict[str, Repeated | None]
    gcp: float | None = None
    dropped: float | None = None
    refused: str | None = None

    @property
    def release(self) -> str:
        return self.method if self.k is None else f"{self.method} at k = {self.k:,}"


@dataclass(frozen=True, slots=True)
class TaskEvaluation:
    """The scores of all methods and k, and the yardsticks: the same figures between parts of the original."""

    task: str
    settings: dict[str, float]
    scores: list[TaskScore]
    yardsticks: list[TaskScore]
    n_rows: int
    protocol: str

    @property
    def measures(self) -> tuple[str, ...]:
        return TASKS[self.task].measures

    @property
    def of_no_use(self) -> list[str]:
        """The releases that are no better than one whose quasi-identifiers are all suppressed."""
        main = TASKS[self.task].main
        (nothing,) = (score.measures[main] for score in self.yardsticks if score.method == SUPPRESSED)
        pairs = [(score, score.measures[main]) for score in self.scores]
        return [score.release for score, one in pairs if one and nothing and one.mean <= nothing.mean + _SAME]

    @property
    def header(self) -> tuple[str, ...]:
        return ("method", "k", *(name.replace("_", " ") for name in self.measures), "lost")

    def lines(self) -> list[tuple[str, ...]]:
        """A line of a table for every score, then for every yardstick; what was lost is in percent."""
        main = TASKS[self.task].main
        return [_line(score, main) for score in (*self.scores, *self.yardsticks)]

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values, exactly: for the custodian alone."""
        return asdict(self)

    def told(self) -> dict[str, Any]:
        """Everything as plain values, rounded so that it may be published.

        PRIVACY: no cluster, rule or value is told, only how much two of them agree, in three digits, and
        losses in whole percent (tests/unit/evaluation/test_tasks.py).
        """
        lists = {name: [_told(score) for score in getattr(self, name)] for name in ("scores", "yardsticks")}
        return {**self.to_dict(), "of_no_use": self.of_no_use, "n_rows": round_number(self.n_rows), **lists}


def _line(score: TaskScore, main: str) -> tuple[str, ...]:
    absent = "" if score.refused is None else "refused"
    figures = (
        absent or "none" if one is None else one.written(_SHOWN_DIGITS.get(name, 2), with_range=name == main)
        for name, one in score.measures.items()
    )
    lost = absent if score.gcp is None else f"{100 * told_share(score.gcp):.0f}"
    return (score.method, "" if score.k is None else str(score.k), *figures, lost)


def _told(score: TaskScore) -> dict[str, Any]:
    measures = {
        name: None if one is None else {part: round(value, _DIGITS) for part, value in asdict(one).items()}
        for name, one in score.measures.items()
    }
    lost = {name: getattr(score, name) for name in ("gcp", "dropped")}
    shares = {name: None if share is None else told_share(share) for name, share in lost.items()}
    return {**asdict(score), "measures": measures, **shares}


def find_task(text: str) -> Task:
    """A task as it is written: ``cluster``, or with settings ``rules:support=0.2;confidence=0.8``."""
    name, _, written = text.partition(":")
    if name not in TASKS:
        known = (CLASSIFY, *TASKS)
        hint = near_name(name, known) or f"one of {', '.join(known)}"
        raise PolicyError(f"there is no task {name!r}", hint)
    kind, given = TASKS[name], dict[str, Any]()
    defaults = asdict(kind())
    example = f"for example {name}:{';'.join(f'{key}={one}' for key, one in defaults.items())}"
    for part in filter(None, written.split(";")):
        setting, _, value = part.partition("=")
        try:
            number = typed_number(value)
            given[setting] = type(defaults[setting])(number)
        except (KeyError, ValueError):
            raise PolicyError(f"settings of the task {name} are written NAME=NUMBER", example) from None
        low, high = kind.least[setting], kind.most.get(setting, np.inf)
        if not low <= number <= high or given[setting] != number:
            raise PolicyError(f"{setting} of the task {name} lies between {low:g} and {high:g}", example)
    return kind(**given)


@dataclass(frozen=True, slots=True)
class TaskTrial:
    """One repetition with one contender; without a contender, the yardsticks."""

    contender: Contender | None
    k: int | None
    repetition: int


@dataclass(frozen=True, slots=True)
class TaskOutcome:
    """What one trial found: figures by the label of a yardstick, or of the contender."""

    figures: dict[str, Figures]
    gcp: float | None = None
    dropped: float | None = None
    refused: str | None = None


@watched
def evaluate_task(
    table: Any,
    policy: Policy,
    task: str,
    *,
    methods: Sequence[str] | None = None,
    ks: Sequence[int] | None = None,
    seed: int = 0,
    jobs: int | None = None,
    delimiter: str | None = None,
    encoding: str | None = None,
    watch: Watch = unwatched,
) -> TaskEvaluation:
    """Compare what is found in releases of a table with what is found in the table itself.

    ``task`` is ``cluster`` or ``rules``, also with settings (``cluster:clusters=8``). The other parameters
    are those of ``evaluate``; no target is needed. docs/evaluation.md says what is measured. Costs 5 *
    methods * ks releases of all rows.
    """
    check_policy(policy)
    chosen, contenders, wanted = find_task(task), contenders_of(methods, policy), checked_ks(ks, policy)
    jobs = checked_jobs(jobs)
    for contender in contenders:
        check_method(find_method(contender.method), policy, seed)
    watch("reading", None)
    policy = with_typed_dates(policy, table)
    source = read_own(table, policy, delimiter=delimiter, encoding=encoding)[1]
    policy = policy.after_reading
    original = _original(source, replace(policy, k=wanted[0]), chosen)
    compared = [(None, None), *((contender, k) for contender in contenders for k in wanted)]
    trials = [TaskTrial(*what, repetition) for what in compared for repetition in range(N_REPETITIONS)]
    clock, outcomes = Clock(len(trials), watch), dict[int, TaskOutcome]()
    given = {"original": original, "policy": policy, "task": chosen, "seed": seed}
    with closing(run_all(trials, run, given, jobs=jobs)) as results:
        for place, outcome in results:
            outcomes[place] = outcome
            clock.tick()
    in_order = [outcomes[place] for place in range(len(trials))]
    repeated = [in_order[place : place + N_REPETITIONS] for place in range(0, len(trials), N_REPETITIONS)]
    return _evaluation(chosen, compared, repeated, source.num_rows)


def _original(source: pa.Table, policy: Policy, task: Task) -> Original:
    encoded = encode(source, policy)
    rows = pa.table(plain_columns(encoded, None))
    if isinstance(task, Clusters) and task.clusters > rows.num_rows // 2:
        raise InputError("a half of the table has fewer rows than there are clusters", "ask for fewer")
    return Original(source, rows, policy.quasi_identifiers, policy.target, encoded.table.persons)


def run(trial: TaskTrial, original: Original, policy: Policy, task: Task, seed: int) -> TaskOutcome:
    """Release all rows, and compare; the seed of the repetition is that of the method and of the task."""
    chance = int(np.random.SeedSequence((seed, trial.repetition)).generate_state(1)[0]) % 2**31
    if trial.contender is None:
        nothing = {SUPPRESSED: task.compared(original, original.suppressed, {}, chance)}
        return TaskOutcome(task.yardsticks(original, chance) | nothing)
    contender = trial.contender
    policy = policy if trial.k is None else replace(policy, k=trial.k)
    # The options are settled already, and nothing is published that would have to be stopped.
    policy = replace(policy, method=contender.method, options={}).accepting_all()
    try:
        release = anonymize(original.source, policy, seed=chance, **contender.options)
    except UnsatisfiableError as error:
        return TaskOutcome({}, refused=error.message)
    figures = task.compared(original, release.frame, release.hierarchies, chance)
    rows = release.record["rows"]
    lost = release.record["losses"]["gcp"], rows["dropped"] / rows["in"]
    return TaskOutcome({contender.label: figures}, *lost)


def _evaluation(
    task: Task,
    compared: Sequence[tuple[Contender | None, int | None]],
    repeated: Sequence[Sequence[TaskOutcome]],
    n_rows: int,
) -> TaskEvaluation:
    scores, yardsticks = list[TaskScore](), list[TaskScore]()
    for (contender, k), outcomes in zip(compared, repeated, strict=True):
        if contender is None:
            labels = outcomes[0].figures
            yardsticks = [TaskScore(label, None, _measured(task, label, outcomes)) for label in labels]
            continue
        refused = next((outcome.refused for outcome in outcomes if outcome.refused is not None), None)
        score = TaskScore(contender.label, k, dict.fromkeys(task.measures), refused=refused)
        if refused is None:
            gcp, dropped = (fmean(getattr(one, name) for one in outcomes) for name in ("gcp", "dropped"))
            score = TaskScore(contender.label, k, _measured(task, contender.label, outcomes), gcp, dropped)
        scores.append(score)
    settings = {field.name: getattr(task, field.name) for field in fields(TASKS[task.name])}
    return TaskEvaluation(task.name, settings, scores, yardsticks, n_rows, _protocol(task, n_rows))


def _measured(task: Task, label: str, outcomes: Sequence[TaskOutcome]) -> dict[str, Repeated | None]:
    """Over all repetitions; None where one of them says nothing."""
    found: dict[str, Repeated | None] = dict.fromkeys(task.measures)
    for name in task.measures:
        figures = [outcome.figures[label][name] for outcome in outcomes]
        known = [figure for figure in figures if figure is not None]
        if len(known) == len(figures):
            found[name] = Repeated(fmean(known), min(known), max(known))
    return found


def _protocol(task: Task, n_rows: int) -> str:
    return (
        f"{N_REPETITIONS} repetitions over about {round_number(n_rows):,} rows: all rows are released with "
        f"the seed of the repetition. {task.protocol} Yardsticks are the same figures between parts of the "
        "original, and for a table whose quasi-identifiers are all suppressed. Beside the mean of "
        f"{task.main} stand the lowest and the highest value of the repetitions, where they differ."
    )
