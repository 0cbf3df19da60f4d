"""What type checkers see of the estimators; tests/golden/test_estimator_stub.py makes and checks it."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np

from kanopy.estimators.anonymizer import Anonymizer as Anonymizer
from kanopy.estimators.recoded import RecodedClassifier as RecodedClassifier
from kanopy.estimators.recoded import Recoder as Recoder
from kanopy.privacy import PrivacyModel

class AptAnonymizer(Anonymizer):
    def __init__(
        self,
        k: int = 10,
        *,
        quasi_identifiers: Sequence[str] | None = None,
        categorical: Sequence[str] = (),
        numeric: Sequence[str] = (),
        missing: Sequence[str] = (),
        privacy: PrivacyModel | Sequence[PrivacyModel] = (),
        accept: Sequence[str] = (),
        hierarchies: Mapping[str, Any] | None = None,
        random_state: int | np.random.RandomState | None = 0,
        preset: str = "default",
        min_rows: int = 2,
        publish: Literal["range", "draw"] = "range",
        small_branches: Literal["merge", "prune"] = "merge",
    ) -> None: ...

class BottomupAnonymizer(Anonymizer):
    def __init__(
        self,
        k: int = 10,
        *,
        quasi_identifiers: Sequence[str] | None = None,
        categorical: Sequence[str] = (),
        numeric: Sequence[str] = (),
        missing: Sequence[str] = (),
        privacy: PrivacyModel | Sequence[PrivacyModel] = (),
        accept: Sequence[str] = (),
        hierarchies: Mapping[str, Any] | None = None,
        random_state: int | np.random.RandomState | None = 0,
        preset: str = "default",
        trees: Literal["drafted", "given"] = "drafted",
    ) -> None: ...

class DataflyAnonymizer(Anonymizer):
    def __init__(
        self,
        k: int = 10,
        *,
        quasi_identifiers: Sequence[str] | None = None,
        categorical: Sequence[str] = (),
        numeric: Sequence[str] = (),
        missing: Sequence[str] = (),
        privacy: PrivacyModel | Sequence[PrivacyModel] = (),
        accept: Sequence[str] = (),
        hierarchies: Mapping[str, Any] | None = None,
        random_state: int | np.random.RandomState | None = 0,
        preset: str = "default",
        max_suppressed: float | str = 0.0,
        until: Literal["limit", "k"] = "limit",
    ) -> None: ...

class GeneticAnonymizer(Anonymizer):
    def __init__(
        self,
        k: int = 10,
        *,
        quasi_identifiers: Sequence[str] | None = None,
        categorical: Sequence[str] = (),
        numeric: Sequence[str] = (),
        missing: Sequence[str] = (),
        privacy: PrivacyModel | Sequence[PrivacyModel] = (),
        accept: Sequence[str] = (),
        hierarchies: Mapping[str, Any] | None = None,
        random_state: int | np.random.RandomState | None = 0,
        preset: str = "default",
        genome: Literal["levels", "cuts"] = "cuts",
        loss: Literal["loss", "classification"] = "loss",
        max_suppressed: float | str = 0.0,
        population: int = 40,
        generations: int = 100,
    ) -> None: ...

class IncognitoAnonymizer(Anonymizer):
    def __init__(
        self,
        k: int = 10,
        *,
        quasi_identifiers: Sequence[str] | None = None,
        categorical: Sequence[str] = (),
        numeric: Sequence[str] = (),
        missing: Sequence[str] = (),
        privacy: PrivacyModel | Sequence[PrivacyModel] = (),
        accept: Sequence[str] = (),
        hierarchies: Mapping[str, Any] | None = None,
        random_state: int | np.random.RandomState | None = 0,
        preset: str = "default",
        max_suppressed: float | str = 0.0,
        choose: Literal["discernibility", "groups", "precision"] = "discernibility",
    ) -> None: ...

class KactusAnonymizer(Anonymizer):
    def __init__(
        self,
        k: int = 10,
        *,
        quasi_identifiers: Sequence[str] | None = None,
        categorical: Sequence[str] = (),
        numeric: Sequence[str] = (),
        missing: Sequence[str] = (),
        privacy: PrivacyModel | Sequence[PrivacyModel] = (),
        accept: Sequence[str] = (),
        hierarchies: Mapping[str, Any] | None = None,
        random_state: int | np.random.RandomState | None = 0,
        preset: str = "default",
        inducer: Any = "c45",
        min_rows: int = 0,
        publish: Literal["mean", "range", "bins"] = "range",
        merge: Literal["suppress", "members"] = "members",
        widen: bool = False,
        literal_nui_zero: bool = False,
        literal_nui_ge_k: bool = False,
    ) -> None: ...

class Kactus2Anonymizer(Anonymizer):
    def __init__(
        self,
        k: int = 10,
        *,
        quasi_identifiers: Sequence[str] | None = None,
        categorical: Sequence[str] = (),
        numeric: Sequence[str] = (),
        missing: Sequence[str] = (),
        privacy: PrivacyModel | Sequence[PrivacyModel] = (),
        accept: Sequence[str] = (),
        hierarchies: Mapping[str, Any] | None = None,
        random_state: int | np.random.RandomState | None = 0,
        preset: str = "default",
        swapping_threshold: float = 0.0,
        inducer: Any = "c45",
        min_rows: int = 2,
        publish: Literal["bins", "range"] = "range",
        merge: Literal["suppress", "members"] = "members",
        widen: bool = False,
        swap_strict: bool = True,
        donor_only: bool = False,
        pooled: bool = False,
    ) -> None: ...

class KadetAnonymizer(Anonymizer):
    def __init__(
        self,
        k: int = 10,
        *,
        quasi_identifiers: Sequence[str] | None = None,
        categorical: Sequence[str] = (),
        numeric: Sequence[str] = (),
        missing: Sequence[str] = (),
        privacy: PrivacyModel | Sequence[PrivacyModel] = (),
        accept: Sequence[str] = (),
        hierarchies: Mapping[str, Any] | None = None,
        random_state: int | np.random.RandomState | None = 0,
        preset: str = "default",
        criterion: Literal["gain", "gain_ratio"] = "gain",
        private: bool = False,
        min_rows: int = 0,
    ) -> None: ...

class KmeansAnonymizer(Anonymizer):
    def __init__(
        self,
        k: int = 10,
        *,
        quasi_identifiers: Sequence[str] | None = None,
        categorical: Sequence[str] = (),
        numeric: Sequence[str] = (),
        missing: Sequence[str] = (),
        privacy: PrivacyModel | Sequence[PrivacyModel] = (),
        accept: Sequence[str] = (),
        hierarchies: Mapping[str, Any] | None = None,
        random_state: int | np.random.RandomState | None = 0,
        preset: str = "default",
        variant: int = 1,
        max_iter: int = 100,
        publish: Literal["range", "members", "mean", "suppress"] = "range",
        widen: bool = False,
        features: Literal["quasi", "published"] = "quasi",
        class_weight: float = 0.0,
        block_size: int = 20000,
    ) -> None: ...

class KmemberAnonymizer(Anonymizer):
    def __init__(
        self,
        k: int = 10,
        *,
        quasi_identifiers: Sequence[str] | None = None,
        categorical: Sequence[str] = (),
        numeric: Sequence[str] = (),
        missing: Sequence[str] = (),
        privacy: PrivacyModel | Sequence[PrivacyModel] = (),
        accept: Sequence[str] = (),
        hierarchies: Mapping[str, Any] | None = None,
        random_state: int | np.random.RandomState | None = 0,
        preset: str = "default",
        far_from: Literal["seed", "last"] = "seed",
        publish: Literal["range", "members", "mean", "suppress"] = "range",
        widen: bool = False,
        features: Literal["quasi", "published"] = "quasi",
        class_weight: float = 0.0,
        block_size: int = 20000,
    ) -> None: ...

class KoptimizeAnonymizer(Anonymizer):
    def __init__(
        self,
        k: int = 10,
        *,
        quasi_identifiers: Sequence[str] | None = None,
        categorical: Sequence[str] = (),
        numeric: Sequence[str] = (),
        missing: Sequence[str] = (),
        privacy: PrivacyModel | Sequence[PrivacyModel] = (),
        accept: Sequence[str] = (),
        hierarchies: Mapping[str, Any] | None = None,
        random_state: int | np.random.RandomState | None = 0,
        preset: str = "default",
        loss: Literal["discernibility", "classification"] = "discernibility",
        max_suppressed: float | str = 0.0,
        max_nodes: int = 0,
    ) -> None: ...

class LoukidesAnonymizer(Anonymizer):
    def __init__(
        self,
        k: int = 10,
        *,
        quasi_identifiers: Sequence[str] | None = None,
        categorical: Sequence[str] = (),
        numeric: Sequence[str] = (),
        missing: Sequence[str] = (),
        privacy: PrivacyModel | Sequence[PrivacyModel] = (),
        accept: Sequence[str] = (),
        hierarchies: Mapping[str, Any] | None = None,
        random_state: int | np.random.RandomState | None = 0,
        preset: str = "default",
        delta: float = 0.0,
        reassign: bool = False,
        publish: Literal["range", "members", "mean", "suppress"] = "range",
        widen: bool = False,
        features: Literal["quasi", "published"] = "quasi",
        class_weight: float = 0.0,
        block_size: int = 20000,
    ) -> None: ...

class MdavAnonymizer(Anonymizer):
    def __init__(
        self,
        k: int = 10,
        *,
        quasi_identifiers: Sequence[str] | None = None,
        categorical: Sequence[str] = (),
        numeric: Sequence[str] = (),
        missing: Sequence[str] = (),
        privacy: PrivacyModel | Sequence[PrivacyModel] = (),
        accept: Sequence[str] = (),
        hierarchies: Mapping[str, Any] | None = None,
        random_state: int | np.random.RandomState | None = 0,
        preset: str = "default",
        publish: Literal["range", "members", "mean", "suppress"] = "range",
        widen: bool = False,
        features: Literal["quasi", "published"] = "quasi",
        class_weight: float = 0.0,
        block_size: int = 20000,
    ) -> None: ...

class MondrianAnonymizer(Anonymizer):
    def __init__(
        self,
        k: int = 10,
        *,
        quasi_identifiers: Sequence[str] | None = None,
        categorical: Sequence[str] = (),
        numeric: Sequence[str] = (),
        missing: Sequence[str] = (),
        privacy: PrivacyModel | Sequence[PrivacyModel] = (),
        accept: Sequence[str] = (),
        hierarchies: Mapping[str, Any] | None = None,
        random_state: int | np.random.RandomState | None = 0,
        preset: str = "default",
        cut: Literal["gain", "median"] = "gain",
        strict: bool = True,
        try_lower_cut: bool = True,
        width: Literal["range", "distinct"] = "range",
        max_chance: float = 0.05,
        publish: Literal["range", "members", "mean", "suppress"] = "range",
        widen: bool = False,
    ) -> None: ...

class MuargusAnonymizer(Anonymizer):
    def __init__(
        self,
        k: int = 10,
        *,
        quasi_identifiers: Sequence[str] | None = None,
        categorical: Sequence[str] = (),
        numeric: Sequence[str] = (),
        missing: Sequence[str] = (),
        privacy: PrivacyModel | Sequence[PrivacyModel] = (),
        accept: Sequence[str] = (),
        hierarchies: Mapping[str, Any] | None = None,
        random_state: int | np.random.RandomState | None = 0,
        preset: str = "default",
        combinations: int = 0,
        max_unsafe: float = 0.05,
        all_columns: bool = False,
    ) -> None: ...

class OkaAnonymizer(Anonymizer):
    def __init__(
        self,
        k: int = 10,
        *,
        quasi_identifiers: Sequence[str] | None = None,
        categorical: Sequence[str] = (),
        numeric: Sequence[str] = (),
        missing: Sequence[str] = (),
        privacy: PrivacyModel | Sequence[PrivacyModel] = (),
        accept: Sequence[str] = (),
        hierarchies: Mapping[str, Any] | None = None,
        random_state: int | np.random.RandomState | None = 0,
        preset: str = "default",
        sort: bool = True,
        publish: Literal["range", "members", "mean", "suppress"] = "range",
        widen: bool = False,
        features: Literal["quasi", "published"] = "quasi",
        class_weight: float = 0.0,
        block_size: int = 20000,
    ) -> None: ...

class OptimalAnonymizer(Anonymizer):
    def __init__(
        self,
        k: int = 10,
        *,
        quasi_identifiers: Sequence[str] | None = None,
        categorical: Sequence[str] = (),
        numeric: Sequence[str] = (),
        missing: Sequence[str] = (),
        privacy: PrivacyModel | Sequence[PrivacyModel] = (),
        accept: Sequence[str] = (),
        hierarchies: Mapping[str, Any] | None = None,
        random_state: int | np.random.RandomState | None = 0,
        preset: str = "default",
        max_suppressed: float | str = 0.0,
        loss: Literal["loss", "precision", "discernibility", "entropy", "classification"] = "loss",
        local: bool = False,
    ) -> None: ...

class SamaratiAnonymizer(Anonymizer):
    def __init__(
        self,
        k: int = 10,
        *,
        quasi_identifiers: Sequence[str] | None = None,
        categorical: Sequence[str] = (),
        numeric: Sequence[str] = (),
        missing: Sequence[str] = (),
        privacy: PrivacyModel | Sequence[PrivacyModel] = (),
        accept: Sequence[str] = (),
        hierarchies: Mapping[str, Any] | None = None,
        random_state: int | np.random.RandomState | None = 0,
        preset: str = "default",
        max_suppressed: float | str = 0.0,
    ) -> None: ...

class SketchAnonymizer(Anonymizer):
    def __init__(
        self,
        k: int = 10,
        *,
        quasi_identifiers: Sequence[str] | None = None,
        categorical: Sequence[str] = (),
        numeric: Sequence[str] = (),
        missing: Sequence[str] = (),
        privacy: PrivacyModel | Sequence[PrivacyModel] = (),
        accept: Sequence[str] = (),
        hierarchies: Mapping[str, Any] | None = None,
        random_state: int | np.random.RandomState | None = 0,
        preset: str = "default",
        pure: bool = True,
        spread: Any = "auto",
        rows: int = 0,
        classes: bool = False,
    ) -> None: ...

class TddAnonymizer(Anonymizer):
    def __init__(
        self,
        k: int = 10,
        *,
        quasi_identifiers: Sequence[str] | None = None,
        categorical: Sequence[str] = (),
        numeric: Sequence[str] = (),
        missing: Sequence[str] = (),
        privacy: PrivacyModel | Sequence[PrivacyModel] = (),
        accept: Sequence[str] = (),
        hierarchies: Mapping[str, Any] | None = None,
        random_state: int | np.random.RandomState | None = 0,
        preset: str = "default",
        utility: Any = "classification",
    ) -> None: ...

class TdrAnonymizer(Anonymizer):
    def __init__(
        self,
        k: int = 10,
        *,
        quasi_identifiers: Sequence[str] | None = None,
        categorical: Sequence[str] = (),
        numeric: Sequence[str] = (),
        missing: Sequence[str] = (),
        privacy: PrivacyModel | Sequence[PrivacyModel] = (),
        accept: Sequence[str] = (),
        hierarchies: Mapping[str, Any] | None = None,
        random_state: int | np.random.RandomState | None = 0,
        preset: str = "default",
        trees: Literal["given", "one-level"] = "given",
        require_positive_gain: bool = False,
        utility: Any = "classification",
    ) -> None: ...

class TdsAnonymizer(Anonymizer):
    def __init__(
        self,
        k: int = 10,
        *,
        quasi_identifiers: Sequence[str] | None = None,
        categorical: Sequence[str] = (),
        numeric: Sequence[str] = (),
        missing: Sequence[str] = (),
        privacy: PrivacyModel | Sequence[PrivacyModel] = (),
        accept: Sequence[str] = (),
        hierarchies: Mapping[str, Any] | None = None,
        random_state: int | np.random.RandomState | None = 0,
        preset: str = "default",
        trees: Literal["given", "one-level"] = "given",
        require_positive_gain: bool = False,
        utility: Any = "classification",
    ) -> None: ...

class WfcmeansAnonymizer(Anonymizer):
    def __init__(
        self,
        k: int = 10,
        *,
        quasi_identifiers: Sequence[str] | None = None,
        categorical: Sequence[str] = (),
        numeric: Sequence[str] = (),
        missing: Sequence[str] = (),
        privacy: PrivacyModel | Sequence[PrivacyModel] = (),
        accept: Sequence[str] = (),
        hierarchies: Mapping[str, Any] | None = None,
        random_state: int | np.random.RandomState | None = 0,
        preset: str = "default",
        max_iter: int = 100,
        publish: Literal["range", "members", "mean", "suppress"] = "range",
        widen: bool = False,
        features: Literal["quasi", "published"] = "quasi",
        class_weight: float = 0.0,
        block_size: int = 50000,
    ) -> None: ...
