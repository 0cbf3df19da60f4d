"""Learning from a release: new rows are recoded before they are judged, as a recipient's would be."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray
from sklearn.base import (
    BaseEstimator,
    ClassifierMixin,
    MetaEstimatorMixin,
    OneToOneFeatureMixin,
    TransformerMixin,
    clone,
)
from sklearn.utils import get_tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

from kanopy.errors import InputError
from kanopy.estimators.anonymizer import Anonymizer


class Recoder(OneToOneFeatureMixin, TransformerMixin, MetaEstimatorMixin, BaseEstimator):  # type: ignore[misc]
    """An anonymizer as a transformer: every row, old or new, as the release would show it, in its place.

    For a scikit-learn pipeline. What it returns is for scoring and promises nothing: the rows that may be
    published are those of ``anonymizer_.release_``.

    Parameters
    ----------
    anonymizer : Anonymizer

    Attributes
    ----------
    anonymizer_ : Anonymizer
        Fitted.
    """

    def __init__(self, anonymizer: Anonymizer) -> None:
        self.anonymizer = anonymizer

    def fit(self, X: Any, y: Any = None) -> Recoder:
        """Make the release; costs what the anonymizer costs."""
        self.anonymizer_ = clone(self.anonymizer).fit(X, y)
        _take_over_features(self, self.anonymizer_)
        return self

    def transform(self, X: Any) -> Any:
        """Recode rows; a frame for a frame, an array for an array."""
        check_is_fitted(self)
        return self.anonymizer_.recode(X)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags = get_tags(self.anonymizer).input_tags
        tags.transformer_tags.preserves_dtype = []
        return tags


class RecodedClassifier(ClassifierMixin, MetaEstimatorMixin, BaseEstimator):  # type: ignore[misc]
    """Trains on a release of the training rows, and recodes the rows it predicts.

    In a cross-validation the test rows take no part in the anonymization, and a learner that knows only
    published cells meets published cells.

    Parameters
    ----------
    anonymizer : Anonymizer
    classifier : classifier
        Reads what the anonymizer publishes: texts, for most methods, which need an encoder in front.

    Attributes
    ----------
    anonymizer_, classifier_
        Fitted.
    classes_ : array
    """

    def __init__(self, anonymizer: Anonymizer, classifier: Any) -> None:
        self.anonymizer = anonymizer
        self.classifier = classifier

    def fit(self, X: Any, y: Any) -> RecodedClassifier:
        """Make the release and train on it; costs what the two cost."""
        self.anonymizer_ = clone(self.anonymizer)
        try:
            X_released, y_released = self.anonymizer_.fit_resample(X, y)
        except InputError:
            # Numbers as a target are refused in the words of scikit-learn, where these are known.
            check_classification_targets(y)
            raise
        _take_over_features(self, self.anonymizer_)
        self.classifier_ = clone(self.classifier).fit(X_released, y_released)
        self.classes_ = self.classifier_.classes_
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """The class of each row."""
        check_is_fitted(self)
        predicted: NDArray[Any] = self.classifier_.predict(self.anonymizer_.recode(X))
        return predicted

    @available_if(lambda self: hasattr(self.classifier, "predict_proba"))  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> NDArray[Any]:
        """The probability of every class for each row."""
        check_is_fitted(self)
        shares: NDArray[Any] = self.classifier_.predict_proba(self.anonymizer_.recode(X))
        return shares

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags = get_tags(self.anonymizer).input_tags
        return tags


def _take_over_features(estimator: Any, anonymizer: Anonymizer) -> None:
    """How wide X was, and its names where it had some."""
    estimator.n_features_in_ = anonymizer.n_features_in_
    if hasattr(anonymizer, "feature_names_in_"):
        estimator.feature_names_in_ = anonymizer.feature_names_in_
    elif hasattr(estimator, "feature_names_in_"):
        del estimator.feature_names_in_
