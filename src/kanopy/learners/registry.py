"""Learners by name, as an evaluation and a command line call them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from importlib.metadata import entry_points
from typing import Any

from sklearn.base import BaseEstimator, clone, is_classifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import all_estimators

from kanopy.errors import PolicyError, near_name
from kanopy.learners.draws import EncodedClassifier
from kanopy.learners.encoder import GeneralizedEncoder
from kanopy.learners.naive_bayes import GeneralizedNaiveBayes
from kanopy.learners.reading import ReadsCells

DRAWS = 3
"""Copies of each row for learners that do not read cells. On raw rows expectations cost some of them ten
points and more: they vary less than originals, so that originals look extreme."""

NAMES = ("c45", "id3", "part", "nb", "logistic")
_GROUP = "kanopy.learners"
"""Entry points of packages with learners: for ``library:NAME``, the entry point ``library`` is called with
NAME and returns a classifier that takes the text of every cell as a label."""


@dataclass(frozen=True, slots=True)
class Learner:
    """A way to make classifiers that read published cells.

    Parameters
    ----------
    name : str
        As it is printed.
    make : callable
        Given a seed, a fresh classifier.
    encoding : str
        How it reads cells: ``cells``, as they are; ``expected``, as numbers; ``3 draws``, as that many
        copies of each row; ``labels``, every text as a label.
    """

    name: str
    make: Callable[[int], Any] = field(compare=False)
    encoding: str


def find_learner(learner: Any) -> Learner:
    """The learner of a name, or a scikit-learn classifier as a learner.

    Parameters
    ----------
    learner : str, Learner or classifier
        ``c45``, ``id3``, ``part``, ``nb``, ``logistic``, ``sklearn:RandomForestClassifier`` or another
        classifier of scikit-learn, ``weka:J48`` or another of Weka; or an object. A classifier that reads
        cells is used as it is, any other one is wrapped in ``EncodedClassifier``.

    Raises
    ------
    PolicyError
        Where the name is unknown, or the object is no classifier.
    """
    if isinstance(learner, Learner):
        return learner
    if not isinstance(learner, str):
        return _of_object(learner)
    library, separator, name = learner.partition(":")
    if separator and library in entry_points(group=_GROUP).names:
        return Learner(learner, partial(_of_package, library, name), "labels")
    if learner in ("c45", "id3"):
        return Learner(learner, partial(_tree, learner), "cells")
    if learner == "part":
        return Learner(learner, _rules, "cells")
    if separator and library == "sklearn":
        classifier = _of_scikit_learn(name)
    elif learner == "nb":
        classifier = GeneralizedNaiveBayes()
    elif learner == "logistic":
        pipeline = make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))
        classifier = EncodedClassifier(pipeline, draws=DRAWS)
    else:
        prefixes = ", ".join(f"{prefix}:NAME" for prefix in ("sklearn", *entry_points(group=_GROUP).names))
        hint = near_name(learner, NAMES) or f"known are {', '.join(NAMES)}, {prefixes}"
        raise PolicyError(f"there is no learner {learner!r}", hint)
    return replace(_of_object(classifier), name=learner)


# Plain functions, so that learners can be sent to other processes; large modules are loaded when needed.
def _of_package(library: str, name: str, seed: int) -> Any:
    (point,) = entry_points(group=_GROUP, name=library)
    return point.load()(name)


def _tree(name: str, seed: int) -> Any:
    from kanopy.learners.tree_classifier import GeneralizedTreeClassifier

    make = GeneralizedTreeClassifier if name == "c45" else GeneralizedTreeClassifier.id3
    return make(random_state=seed)


def _rules(seed: int) -> Any:
    from kanopy.learners.rule_classifier import GeneralizedRuleClassifier

    return GeneralizedRuleClassifier()


def _of_scikit_learn(class_name: str) -> Any:
    known = dict(all_estimators(type_filter="classifier"))
    if class_name not in known:
        hint = near_name(class_name, known) or "the name of a classifier's class"
        raise PolicyError(f"scikit-learn has no classifier {class_name!r}", hint)
    try:
        return known[class_name]()
    except TypeError:
        raise PolicyError(
            f"scikit-learn's {class_name} cannot be made by its name alone", "give it as an object"
        ) from None


def _of_object(classifier: Any) -> Learner:
    is_class = isinstance(classifier, type)
    if is_class or not isinstance(classifier, BaseEstimator) or not is_classifier(classifier):
        what = classifier.__name__ if is_class else type(classifier).__name__
        raise PolicyError(
            f"a learner is a name or a scikit-learn classifier, not {what}", "such as c45, or an object"
        )
    name, module = type(_last_step(classifier)).__name__, type(classifier).__module__
    if isinstance(classifier, EncodedClassifier):
        name, draws = type(_last_step(classifier.classifier)).__name__, classifier.draws
        encoding = f"{draws} draws" if draws else "expected"
    elif isinstance(classifier, Pipeline) and isinstance(classifier.steps[0][1], GeneralizedEncoder):
        encoding = "expected"
    elif isinstance(classifier, ReadsCells):
        encoding = "cells" if module.startswith("kanopy.learners.") else "labels"
    else:
        classifier, encoding = EncodedClassifier(classifier, draws=DRAWS), f"{DRAWS} draws"
    return Learner(name, partial(_seeded, classifier), encoding)


def _last_step(classifier: Any) -> Any:
    """The classifier at the end of a pipeline: it is what the learner is called after."""
    return _last_step(classifier.steps[-1][1]) if isinstance(classifier, Pipeline) else classifier


def _seeded(classifier: Any, seed: int) -> Any:
    """A fresh copy in which every random state that was left open is the seed."""
    fresh = clone(classifier)
    open_states = {
        name: seed
        for name, value in fresh.get_params(deep=True).items()
        if (name == "random_state" or name.endswith("__random_state")) and value is None
    }
    return fresh.set_params(**open_states)
