"""Classifiers of Weka with the face of scikit-learn: J48, PART, NaiveBayes and all others.

Weka [1]_ is free software under the GNU General Public License. Nothing of it is part of kanopy: it is run,
where it is installed, as a program of its own, to which tables are handed through a pipe. What runs inside
Java is ``WekaDriver.class``, made from ``WekaDriver.java`` beside it. That is kanopy's own, under kanopy's
licence; it is compiled without Weka and finds it by name when it runs.

References
----------
.. [1] M. Hall and others, The WEKA Data Mining Software: An Update, SIGKDD Explorations 11(1), 2009.
"""

from __future__ import annotations

import hashlib
import os
import struct
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from kanopy.errors import InputError, PolicyError, ResourceError, near_name
from kanopy.learners.reading import ReadsCells, as_classes, new_source, read_texts
from kanopy_weka.arff import arff, declared
from kanopy_weka.program import WekaProgram, find_jar, program_for, read_field

_PACKAGES = {
    "bayes": "NaiveBayes BayesNet NaiveBayesMultinomial NaiveBayesUpdateable",
    "functions": "Logistic SimpleLogistic SMO MultilayerPerceptron VotedPerceptron RBFNetwork",
    "lazy": "IBk IB1 KStar LWL",
    "meta": "AdaBoostM1 Bagging LogitBoost MultiBoostAB RandomCommittee RandomSubSpace FilteredClassifier",
    "misc": "HyperPipes VFI",
    "rules": "PART JRip OneR ZeroR DecisionTable Ridor Prism NNge ConjunctiveRule",
    "trees": "J48 Id3 RandomForest RandomTree REPTree DecisionStump HoeffdingTree LMT NBTree ADTree FT",
}
SCHEMES = {
    name: f"weka.classifiers.{package}.{name}"
    for package, names in _PACKAGES.items()
    for name in names.split()
}
"""Short names of Weka's classifiers; others are called by the full names of their classes."""


class WekaClassifier(ReadsCells, ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier of Weka, trained on cells as they are written.

    Numbers are numbers where a training column holds nothing else; otherwise the text of a cell is a label,
    so that a range or a set is a value of its own. Missing and suppressed cells, and in new rows whatever
    training did not know, are unknown (``?``). Time: that of Weka, plus O(rows * columns).

    Parameters
    ----------
    scheme : str
        A name such as ``J48``, or a full one such as ``weka.classifiers.trees.J48``.
    options : sequence of str
        As on Weka's command line: ``("-M", "5")``.
    jar : path, optional
        Which Weka; without, what the environment variable ``WEKA_JAR`` names, or what is installed.
    timeout : float
        Seconds after which Weka is stopped, for each training and each prediction.

    Attributes
    ----------
    classes_ : array
    description_ : str
        The model as Weka prints it; a tree shows values of the table it was learned from.
    model_ : bytes
        The model as Java writes it. It is what makes the estimator picklable; like a pickle it can run any
        program when it is read, so read only your own.

    Notes
    -----
    Fit and prediction ask one Java machine per Python program, which is started when it is first needed.
    ``predict`` is the class with the largest share, the first of several, as Weka's own evaluation counts.
    A row that Weka leaves unclassified gets the shares of the training table.
    """

    def __init__(
        self,
        scheme: str = "J48",
        options: Any = (),
        jar: str | os.PathLike[str] | None = None,
        timeout: float = 600.0,
    ) -> None:
        self.scheme = scheme
        self.options = options
        self.jar = jar
        self.timeout = timeout

    def fit(self, X: Any, y: Any = None) -> WekaClassifier:
        """Train on a release, a published file or frame, or an array.

        Parameters
        ----------
        X : Release, frame, path or array
        y : array or str, optional
            The class of each row, or the name of its column; of a release, its target.

        Raises
        ------
        ResourceError
            Where there is no Weka or no Java, where it ends, or where it takes too long.
        PolicyError
            Where there is no such classifier, or it has no such option.
        InputError
            Where the classifier cannot learn from such a table.
        """
        scheme, options, timeout = self._checked_settings()
        table, labels = read_texts(self, X, y)
        classes = as_classes(self, labels)
        self.classes_ = classes.labels
        self.columns_ = declared(table)
        self.shares_ = np.bincount(classes.codes, minlength=len(classes.labels)) / len(classes.codes)
        self.model_, self.description_ = b"", ""
        if len(self.classes_) > 1:  # with one there is nothing to learn, and some classifiers refuse to
            content = arff(self.columns_, table, self._class_labels(), classes.codes)
            request = b"T" + _field(scheme) + struct.pack(">i", len(options))
            request += b"".join(map(_field, options)) + _field(content)
            answer = self._asked(request, timeout)
            self.model_, place = read_field(answer, 1)
            self.description_ = read_field(answer, place)[0].decode("utf-8")
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """The class of each row that has the largest share."""
        largest = self.predict_proba(X).argmax(axis=1)
        return np.asarray(self.classes_[largest])

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """The share of each class in each row."""
        check_is_fitted(self)
        table = new_source(self, X)
        if not self.model_:
            return np.ones((table.num_rows, 1))
        shares = self._shares(arff(self.columns_, table, self._class_labels()))
        total = shares.sum(axis=1, keepdims=True)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where(total > 0, shares / total, self.shares_)

    def _shares(self, content: bytes) -> NDArray[np.float64]:
        """Ask the model; Weka may have forgotten it, or be another one than that which trained it."""
        _, _, timeout = self._checked_settings()
        key = _field(hashlib.sha256(self.model_).hexdigest())
        answer = self._asked(b"P" + key + _field(b"") + _field(content), timeout)
        if answer[0] == _UNKNOWN_MODEL:
            answer = self._asked(b"P" + key + _field(self.model_) + _field(content), timeout)
        n_rows, n_classes = struct.unpack_from(">ii", answer, 1)
        return np.frombuffer(answer, dtype=">f8", offset=9).reshape(n_rows, n_classes).astype(np.float64)

    def _asked(self, request: bytes, timeout: float) -> bytes:
        answer = self._program().ask(request, seconds=timeout)
        if answer[0] == _FAILED:
            what, place = read_field(answer, 1)
            name, place = read_field(answer, place)
            message, _ = read_field(answer, place)
            raise self._failure(what.decode(), name.decode("utf-8"), message.decode("utf-8").strip())
        return answer

    def _failure(self, what: str, name: str, message: str) -> Exception:
        """What Weka says, where the driver knows that it shows no cell; otherwise the kind of failure."""
        said = message or name.rpartition(".")[2]
        if name.endswith("OutOfMemoryError"):
            return ResourceError(
                f"the memory does not suffice for Weka's {self.scheme}",
                "JAVA_TOOL_OPTIONS=-Xmx4g gives it 4 GB",
            )
        if what == "setting":
            return PolicyError(
                f"Weka {self._program().version} has no {self.scheme} with these options: {said}",
                "not every version has every classifier",
            )
        return InputError(f"Weka's {self.scheme} fails on this table: {said}", "try another classifier")

    def _program(self) -> WekaProgram:
        return program_for(find_jar(self.jar))

    def _class_labels(self) -> list[str]:
        return [str(label) for label in self.classes_.tolist()]

    def _checked_settings(self) -> tuple[str, list[str], float]:
        if not isinstance(self.scheme, str) or ("." not in self.scheme and self.scheme not in SCHEMES):
            hint = near_name(str(self.scheme), SCHEMES) or "others have full names, with dots"
            raise PolicyError(f"no classifier of Weka is called {self.scheme!r}", hint)
        if isinstance(self.options, str) or not all(isinstance(option, str) for option in self.options):
            raise PolicyError("options of Weka are a sequence of texts", 'for example ("-M", "5")')
        if not self.timeout > 0:
            raise PolicyError(f"a timeout of {self.timeout:g} seconds leaves no time", "give some")
        return SCHEMES.get(self.scheme, self.scheme), list(self.options), float(self.timeout)


_FAILED, _UNKNOWN_MODEL = 1, 2


def _field(content: bytes | str) -> bytes:
    content = content.encode("utf-8") if isinstance(content, str) else content
    return struct.pack(">i", len(content)) + content
