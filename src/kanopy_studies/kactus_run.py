"""What the tables on kACTUS are made of: one evaluation of every data set and method, and their page."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kanopy.errors import PolicyError
from kanopy.evaluation.evaluation import Evaluation
from kanopy.evaluation.halves import Halves
from kanopy.evaluation.significance import area_under_curve
from kanopy.evaluation.trial import ORIGINAL, Contender, Design, Key, Outcome, Trial
from kanopy.learners.registry import Learner, find_learner
from kanopy_studies.experiment import Request, command, stem
from kanopy_studies.filled_logistic import FILLED_LOGISTIC
from kanopy_studies.page import Line, Page, agreement, beside_table, made_by, rounded, versions
from kanopy_studies.paper_options import paper_contenders
from kanopy_studies.pictures import draw_panels
from kanopy_studies.published_kactus import Spread
from kanopy_studies.settings import SETTINGS, find_setting, halves_of, with_leaking_bins

SEED = 0

INDUCER_OF = {
    "c45": "c45", "weka:J48": "c45", "part": "part", "weka:PART": "part", "nb": "nb", "weka:NaiveBayes": "nb",
    "logistic": "logistic", FILLED_LOGISTIC.name: "logistic", "weka:Logistic": "logistic",
}  # fmt: skip
"""The learner of the papers that one of ours, or of Weka's, is compared with."""

WITH_TREES = ("tds", "tdr", "kadet")
"""Methods that were given trees of values where there are any: Adult (kACTUS-2, Section 5.1)."""
ON_RECODED = ("tds", "tdr")
"""Methods that were judged on test rows recoded like the release (kACTUS, Section 5.2)."""

LEAKING = (
    "**The papers' own protocol, which leaks**: numbers were cut into bins (Fayyad and Irani) by all "
    "rows before these were divided, so that the cuts have seen the classes of the test rows. "
    "This is only to be compared with the published numbers; what a recipient can have is in the "
    "table made without `--as-published`."
)
HONEST = (
    "Without leaks: 5x2 cross-validation in which numbers are cut into bins (Fayyad and Irani), "
    "anonymized and learned from inside the training half alone. The papers seem to have cut them by all "
    "rows before these were divided, which `--as-published` repeats: compare the two on small "
    "data sets."
)


def base(label: str) -> str:
    """The method of a contender, without the options that its label may tell."""
    return label.partition(":")[0]


@dataclass(frozen=True, slots=True)
class PaperTable:
    """A table of a paper, and how ours is shown beside it."""

    name: str
    title: str
    columns: tuple[str, ...]
    rule: str
    unit: str
    axis: str


@dataclass(frozen=True, eq=False)
class KactusRun:
    """The evaluations of some settings, by name."""

    command: str
    as_published: bool
    learners: tuple[Learner, ...]
    evaluations: Mapping[str, Evaluation]

    def accuracy(
        self, data: str, method: str, k: int | None, learner: str, *, recoded: bool | None = None
    ) -> Spread | None:
        """Mean and standard deviation over the folds, in percent; k None is the original table.

        Where ``recoded`` is not given, test rows are as the papers had them for this method.
        """
        folds = self.folds(data, method, k, learner, recoded=recoded)
        return None if folds is None else Spread(100 * float(folds.mean()), 100 * float(folds.std(ddof=1)))

    def folds(
        self, data: str, method: str, k: int | None, learner: str, *, recoded: bool | None = None
    ) -> NDArray[np.float64] | None:
        """The accuracy of every fold; None where a release was refused."""
        as_judged = base(method) in ON_RECODED if recoded is None else recoded
        return self.evaluations[data].folds(method, k, learner, recoded=as_judged)

    def area(self, data: str, method: str, learner: str, *, recoded: bool | None = None) -> float | None:
        """The area under accuracy over k; None where it was refused for some k."""
        ks = [k or 0 for k in self.evaluations[data].ks]
        found = [self.accuracy(data, method, k, learner, recoded=recoded) for k in ks]
        means = [one.mean for one in found if one is not None]
        return area_under_curve(ks, means) if len(means) == len(ks) > 1 else None

    def to_json(self) -> str:
        numbers = {
            "command": self.command,
            "versions": versions(),
            "as_published": self.as_published,
            "seed": SEED,
            "data": {name: _recorded(found) for name, found in self.evaluations.items()},
        }
        return json.dumps(rounded(numbers)) + "\n"

    def page(self, shown: PaperTable, lines: Sequence[Line], *more: str) -> Page:
        """The table of the lines; ``more`` are further parts of the document, below the table."""
        found = (agreement(lines, shown.unit), beside_table(shown.columns, lines))
        return self.page_of(shown, (*found, *more), partial(draw_panels, shown.title, shown.axis, lines))

    def page_of(self, shown: PaperTable, tables: Sequence[str], picture: Callable[[], bytes]) -> Page:
        """A document with these tables, in whatever form they are."""
        begins = stem(shown.name, as_published=self.as_published)
        notes = [f"- {one}: {SETTINGS[one].note}" for one in self.evaluations if SETTINGS[one].note]
        reads = ", ".join(f"{learner.name} ({learner.encoding})" for learner in self.learners)
        parts = [
            f"# {shown.title}",
            f"{made_by(self.command, versions())}\nEvery fold: [{begins}.json]({begins}.json).",
            LEAKING if self.as_published else HONEST,
            f"{shown.rule}\nLearners, and how they read suppressed cells: {reads}.",
            f"![{shown.title}]({begins}.svg)",
            *tables,
            "\n".join(notes),
        ]
        return Page(begins, parts, self.to_json(), {f"{begins}.svg": picture})


def _recorded(found: Evaluation) -> dict[str, Any]:
    """Every fold, both halves of a repetition side by side; comparisons follow from them."""

    def folds(method: str, k: int | None, learner: str) -> dict[str, Any]:
        plain, recoded = (found.folds(method, k, learner, recoded=recoded) for recoded in (False, True))
        figures = {"accuracy": _plain(plain), "accuracy_recoded": _plain(recoded)}
        return {"method": method, "k": k, "learner": learner, **figures}

    known = {name: values for name, values in found.to_dict().items() if name != "comparisons"}
    places = [(ORIGINAL, None), *product(found.methods, found.ks)]
    return {**known, "folds": [folds(*place, learner) for place in places for learner in found.learners]}


def _plain(folds: NDArray[np.float64] | None) -> list[list[float]] | None:
    """Null where a release was refused."""
    return None if folds is None else folds.tolist()


def measure(
    request: Request,
    experiment: str,
    methods: Sequence[str],
    ks_of: Mapping[str, Sequence[int]],
    *,
    trees: bool = True,
) -> KactusRun:
    """Evaluate methods on settings, each with its ks; without ``trees`` no method has any."""
    learners = checked_learners(request.learners or ("c45",))
    for name in ks_of:  # all of them now: the last one may be measured an hour later
        find_setting(name)
    evaluations = {}
    for number, (name, ks) in enumerate(ks_of.items(), 1):
        stage = f"{name} ({number} of {len(ks_of)}): "
        contenders = paper_contenders(methods, halves_of(name, min(ks)).policy)
        evaluations[name] = _joined(
            request, name, Design(contenders, tuple(ks), learners), stage, trees=trees
        )
    return KactusRun(command(experiment, request), request.as_published, learners, evaluations)


def _joined(request: Request, name: str, design: Design, stage: str, *, trees: bool) -> Evaluation:
    """One evaluation of several methods, made method by method.

    Not every method is given the trees of a setting. And what several tables need, a method on a setting, is
    measured once where their journals are in one folder.
    """
    outcomes: dict[Key, Outcome] = {}
    compared = (design.ks, design.learners, SEED, not request.as_published)
    n_rows = 0
    for contender in (None, *design.contenders):
        alone = Design([], *compared) if contender is None else Releases([contender], *compared)
        halves = _halves(request, name, contender, design, trees=trees)
        label = ORIGINAL if contender is None else contender.label
        journal = _journal(request, name, label, design, has_trees=bool(halves.policy.hierarchies))
        outcomes.update(request.evaluate(halves, alone, f"{stage}{label}: ", journal).outcomes)
        n_rows = halves.n_rows
    return Evaluation(outcomes, design, n_rows=n_rows, kind="pyarrow", protocol="")


class Releases(Design):
    """The trials of a design without those of the original rows, which are the same for every method."""

    __slots__ = ()

    @property
    def trials(self) -> list[Trial]:
        return [trial for trial in super().trials if trial.contender is not None]


def _halves(
    request: Request, name: str, contender: Contender | None, design: Design, *, trees: bool
) -> Halves:
    has_trees = trees and contender is not None and contender.method in WITH_TREES
    smallest = min(k or 0 for k in design.ks)
    halves = halves_of(name, smallest, with_trees=has_trees and bool(SETTINGS[name].trees))
    return with_leaking_bins(halves) if request.as_published else halves


def _journal(request: Request, name: str, label: str, design: Design, *, has_trees: bool) -> str:
    parts = [label, *(learner.name for learner in design.learners), *map(str, design.ks)]
    words = [name, *(["trees"] if has_trees else []), *re.findall(r"\w+", " ".join(parts))]
    return stem("-".join(words), as_published=request.as_published)


def checked_learners(names: Sequence[str]) -> tuple[Learner, ...]:
    """Learners that the papers have too, each once."""
    known = {FILLED_LOGISTIC.name: FILLED_LOGISTIC}
    learners = tuple(known.get(name) or find_learner(name) for name in names)
    for learner in learners:
        if learner.name not in INDUCER_OF:
            raise PolicyError(
                f"the papers have no learner like {learner.name!r}", f"they have {', '.join(INDUCER_OF)}"
            )
    if len({learner.name for learner in learners}) < len(learners):
        raise PolicyError("a learner is named twice", "name each once")
    return learners
