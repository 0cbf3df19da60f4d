"""One estimator per method: parameters are stored, ``fit`` checks them and makes the release."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from inspect import Parameter, Signature
from typing import Any, ClassVar

import narwhals as nw
import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from kanopy.algorithms import Method
from kanopy.algorithms.method import PRESET
from kanopy.engines.local import anonymize
from kanopy.errors import KanopyWarning
from kanopy.estimators.features import ClassColumn, Features, as_array, checked_features
from kanopy.policy import Policy, normal_name
from kanopy.release import Release

_COMMON: dict[str, Any] = {
    "quasi_identifiers": None,
    **dict.fromkeys(("categorical", "numeric", "missing", "privacy", "accept"), ()),
    "hierarchies": None,
    "random_state": 0,
    "preset": "default",
}

_DOCUMENT = """Anonymize by {name}: {title}.

{paper}

Samples are published in an order of their own and some may be missing, so this is a *sampler*, as in
imbalanced-learn: a step that changes the rows it is fitted on, and them alone. The step behind it is fitted
on cells and meets raw rows: ``GeneralizedEncoder`` reads both. ``Recoder`` is the same as a transformer, for
steps such as ``OneHotEncoder``; ``RecodedClassifier`` trains on the release and recodes the rows it predicts.

Parameters
----------
k : int, default=10
    Rows that every combination of the quasi-identifiers must cover.
quasi_identifiers : list of str, default=None
    Columns an attacker may know; the others are published as they are. By default all columns of X but those
    that a promise in ``privacy`` bounds. Columns without names, as an array's, are called x0, x1, ...
categorical, numeric : list of str
    Columns to be read as text, or as numbers, whatever they look like.
missing : list of str
    Texts that mean missing; NaN and None always do.
privacy : PrivacyModel or list of them
    Further promises. They call the class by the name of y, or "target" where y has none.
accept : list of str
    What would stop a release, and a reviewer agreed to: ``"identifier:x0"``, ``"free text:note"``.
hierarchies : dict, default=None
    Column to a Hierarchy, or to a file with one line ``value;parent;...;*`` per value.
random_state : int or RandomState, default=0
    The random seed. None is 0: the same table gives the same release.
preset : str, default="default"
    "paper" reads the method as its paper does. It changes only parameters that are left at their default.
{options}
Attributes
----------
release_ : Release
    What may be published, by ``release_.write``. The fitted estimator itself must not be handed on.
n_features_in_ : int
feature_names_in_ : array of str
    Where X has names.

Notes
-----
A frame comes back as a frame of the same kind, its quasi-identifiers as text. From an array, a column that
held numbers and whose published texts all are numbers, missing or suppressed comes back as floats, with NaN
for the latter two; any other quasi-identifier comes back as text, with None for missing. Where all columns
are floats the array is one of floats, else of objects. Labels of y come back as they were given.
"""


class Anonymizer(BaseEstimator):  # type: ignore[misc]
    """What the estimators of all methods share; ``estimator_for`` makes them."""

    _method: ClassVar[Method]
    __init__: Any

    def fit(self, X: Any, y: Any = None) -> Anonymizer:
        """Make the release of X and its classes; costs what the method costs.

        Parameters
        ----------
        X : frame (pandas, polars, pyarrow) or array of shape (n_samples, n_features)
        y : array or series of shape (n_samples,), optional
            The classes; published.
        """
        self._fit(X, y)
        return self

    def fit_release(self, X: Any, y: Any = None) -> Release:
        """Fit, and return the release; of an array its frame is a pyarrow table."""
        self._fit(X, y)
        return self.release_

    def fit_resample(self, X: Any, y: Any) -> tuple[Any, Any]:
        """Fit, and return the published rows and their classes, aligned, in the published order."""
        features, classes = self._fit(X, y)
        published = nw.from_native(self.release_.frame, eager_only=True)
        if classes is None:
            return self._as_given(published.to_native(), features), None
        labels = classes.as_given(published.get_column(classes.name).to_arrow(), self.missing)
        return self._as_given(published.drop(classes.name).to_native(), features), labels

    def recode(self, X: Any) -> Any:
        """New rows as the release would show them, in their order; for scoring, promises nothing.

        A frame comes back for a frame, an array for an array. See ``Release.recode``.
        """
        check_is_fitted(self, "release_")
        features = checked_features(self, X, reset=False)
        return self._as_given(self.release_.recode(features.frame), features)

    def _fit(self, X: Any, y: Any) -> tuple[Features, ClassColumn | None]:
        """Make the release, and return X and y as they were understood."""
        features = checked_features(self, X, reset=True)
        classes = None if y is None else ClassColumn.of(y, features)
        table = features.frame if classes is None else classes.added_to(features.frame)
        policy = self._policy(features.names, None if classes is None else classes.name)
        seed = 0 if self.random_state is None else self.random_state
        if isinstance(seed, np.random.RandomState):
            seed = int(seed.randint(2**31 - 1))
        self.release_ = anonymize(table, policy, seed=seed, allow_empty=True, **self._options())
        if self.release_.says_nothing:
            told = "every quasi-identifier is suppressed in every row; try a smaller k or another method"
            warnings.warn(f"the release says nothing: {told}", KanopyWarning, stacklevel=3)
        self._held_numbers = features.holds_numbers
        return features, classes

    def _options(self) -> dict[str, Any]:
        """The options of the method; beside a preset only those that are not at their default."""
        names, known = option_names(self._method), self._method.options
        options = {option: getattr(self, parameter) for parameter, option in names.items()}
        if self.preset == _COMMON[PRESET]:
            return options
        return {PRESET: self.preset} | {
            name: value for name, value in options.items() if not _is_same(value, known[name].default)
        }

    def _policy(self, names: list[str], target: str | None) -> Policy:
        """The roles of all columns: what is bounded is sensitive, what is no quasi-identifier is kept."""
        promises = self.privacy if isinstance(self.privacy, Iterable) else (self.privacy,)
        # What is no promise has no columns here; the policy refuses it.
        named = {name for promise in promises for name in getattr(promise, "columns", ())}
        bounded = [name for name in names if name in named]
        quasi: Any = [name for name in names if name not in bounded]
        if self.quasi_identifiers is not None:
            quasi = Policy(quasi_identifiers=self.quasi_identifiers, k=2).quasi_identifiers
        return Policy(
            quasi_identifiers=quasi,
            target=target,
            sensitive=bounded,
            keep=[name for name in names if name not in {*quasi, *bounded}],
            missing=self.missing,
            accept=self.accept,
            numeric=self.numeric,
            categorical=self.categorical,
            k=self.k,
            privacy=self.privacy,
            method=self._method,
            hierarchies={} if self.hierarchies is None else self.hierarchies,
        )

    def _as_given(self, frame: Any, features: Features) -> Any:
        """A recoded or published frame as the kind of X that it was made from."""
        if not features.is_array:
            return frame
        published = nw.from_native(self.release_.frame, eager_only=True)
        categorical = {normal_name(name) for name in self.categorical}
        held = zip(self._held_numbers, features.names, strict=True)
        may_be_numbers = [are_numbers and name not in categorical for are_numbers, name in held]
        return as_array(frame, published.to_arrow(), may_be_numbers)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.estimator_type = "sampler"
        tags.target_tags.one_d_labels = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        tags.input_tags.allow_nan = True
        return tags


def _is_same(value: Any, default: Any) -> bool:
    return isinstance(value, type(default)) and bool(value == default)


def class_name(method: Method) -> str:
    """What the estimator of a method is called: ``KactusAnonymizer`` for ``kactus``."""
    return f"{method.name.capitalize()}Anonymizer"


def option_names(method: Method) -> dict[str, str]:
    """The option behind each parameter: its name, or ``option_numeric`` where ``numeric`` is taken."""
    return {f"option_{name}" if name in {"k", *_COMMON} else name: name for name in method.options}


def estimator_for(method: Method) -> type[Anonymizer]:
    """The estimator class of a method, its options among the parameters."""
    options = {parameter: method.options[name] for parameter, name in option_names(method).items()}
    defaults = _COMMON | {parameter: option.default for parameter, option in options.items()}
    place = Parameter.POSITIONAL_OR_KEYWORD
    parameters = [Parameter("self", place), Parameter("k", place, default=10)]
    parameters += [Parameter(name, Parameter.KEYWORD_ONLY, default=defaults[name]) for name in defaults]
    signature = Signature(parameters)

    def __init__(*arguments: Any, **keywords: Any) -> None:
        given = signature.bind(*arguments, **keywords)
        given.apply_defaults()
        estimator, *_ = arguments
        for name, value in given.arguments.items():
            if name != "self":
                setattr(estimator, name, value)

    __init__.__signature__ = signature  # type: ignore[attr-defined]  # what scikit-learn reads
    described = "".join(
        f"{name} : {type(option.default).__name__}, default={option.default!r}\n    {option.meaning}\n"
        for name, option in options.items()
    )
    document = _DOCUMENT.format(name=method.name, title=method.title, paper=method.paper, options=described)
    body = {"_method": method, "__init__": __init__, "__doc__": document, "__module__": "kanopy.estimators"}
    return type(class_name(method), (Anonymizer,), body)
