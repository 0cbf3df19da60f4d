"""What an evaluation tells, line by line: scores, disclosures, comparisons and areas."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Score:
    """How well one learner does on releases of one method for one k; shares between 0 and 1.

    ``accuracy`` is the mean over the folds on test rows as they are, ``low`` and ``high`` its 95% interval;
    those with ``_recoded`` are on test rows that were recoded like the release. ``original`` is what the same
    learner reaches when it learns from the training half as it is, ``majority`` what the most frequent class
    of the training half reaches. ``gcp`` is the detail of the quasi-identifiers that the releases lost,
    ``dropped`` the share of rows that they lack, ``suppressed`` the share of quasi-identifier cells that say
    nothing. ``encoding`` is how the learner read generalized cells. ``refused`` says why there is no score:
    in some fold the promise could not be kept.

    ``better_than_guessing`` says whether ``low`` is above ``majority``. The figures of ``FIGURES`` have the
    same forms as the accuracy: on test rows as they are, ``_recoded``, of the ``original`` rows and of the
    ``majority`` class; they are None for learners that give no probabilities. ``excess`` is what releases
    disclose: ``members``, how often the class of a training row is guessed from the group whose cells fit it
    best, minus ``strangers``, the same for a test row.
    """

    method: str
    k: int | None
    learner: str
    encoding: str
    accuracy: float | None
    low: float | None
    high: float | None
    accuracy_recoded: float | None
    low_recoded: float | None
    high_recoded: float | None
    majority: float
    original: float
    original_low: float
    original_high: float
    gcp: float | None
    dropped: float | None
    suppressed: float | None
    n_folds: int
    refused: str | None = None
    better_than_guessing: bool | None = None
    auc: float | None = None
    auc_low: float | None = None
    auc_high: float | None = None
    balanced_accuracy: float | None = None
    log_loss: float | None = None
    brier: float | None = None
    auc_recoded: float | None = None
    balanced_accuracy_recoded: float | None = None
    log_loss_recoded: float | None = None
    brier_recoded: float | None = None
    original_auc: float | None = None
    original_balanced_accuracy: float | None = None
    original_log_loss: float | None = None
    original_brier: float | None = None
    majority_auc: float | None = None
    majority_balanced_accuracy: float | None = None
    majority_log_loss: float | None = None
    majority_brier: float | None = None
    members: float | None = None
    strangers: float | None = None
    excess: float | None = None
    excess_low: float | None = None
    excess_high: float | None = None


@dataclass(frozen=True, slots=True)
class Disclosure:
    """What the releases of one method for one k tell about one column: the class, or a sensitive column.

    The attacker knows all quasi-identifiers of a row and guesses the most frequent value of the group whose
    published cells fit the row best. ``members`` is how often that is right for training rows, which are in
    the release, ``strangers`` for test rows, which are not. ``excess`` is the difference, ``low`` and
    ``high`` its 95% interval. ``lost`` is the detail that the releases lost (GCP).
    """

    method: str
    k: int | None
    column: str
    members: float
    strangers: float
    excess: float
    low: float
    high: float
    lost: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two methods with the same learner and k: the combined 5x2cv F-test on test rows as they are.

    ``difference`` is first minus second; ``original`` stands for rows that were not anonymized. ``better`` is
    the method that is shown to be better; nothing that is no better than guessing is. The ``lost`` are the
    detail that each lost (GCP).
    """

    learner: str
    k: int | None
    first: str
    second: str
    difference: float
    statistic: float
    p_value: float
    better: str | None = None
    conclusion: str = ""
    first_lost: float | None = None
    second_lost: float | None = None


@dataclass(frozen=True, slots=True)
class Area:
    """One method and learner over all k: the area under accuracy (in percent) against k, and their mean.

    ``lost`` is the mean of the detail lost (GCP) over the same k.
    """

    method: str
    learner: str
    area: float
    mean_accuracy: float
    lost: float
