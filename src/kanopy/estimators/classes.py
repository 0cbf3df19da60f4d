"""y on its way in and out: a column of the table in between, afterwards the labels that were given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import narwhals as nw
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from kanopy.data.grammar import clean_text
from kanopy.errors import VerificationError
from kanopy.estimators.features import Features
from kanopy.frames.arrays import arrow_column, checked_labels
from kanopy.frames.distinct import distinct_column
from kanopy.frames.native import kind_of
from kanopy.policy import normal_name

_UNNAMED = "target"


@dataclass(frozen=True, slots=True, eq=False)
class Classes:
    """The class of every row.

    Parameters
    ----------
    given : array or series
        As it came in.
    labels : array
        The same as a flat array.
    name : str
        The column of the table that holds it.
    """

    given: Any
    labels: NDArray[Any]
    name: str

    @classmethod
    def of(cls, y: Any, features: Features) -> Classes:
        """Check y as scikit-learn does: one label per row, none missing; O(rows).

        Its column is called like the series that it is, with underscores behind where X has such a column.
        """
        labels = checked_labels(y, features.n_rows)
        name = normal_name(getattr(y, "name", None)) or _UNNAMED
        name = name if isinstance(name, str) else _UNNAMED
        taken = {taken_name.casefold() for taken_name in features.names}
        while name.casefold() in taken:
            name += "_"
        return cls(y, labels, name)

    def added_to(self, frame: Any) -> Any:
        """A frame of the same kind with the classes as its last column, whatever its index says."""
        wide = nw.from_native(frame, eager_only=True)
        backend: Any = kind_of(frame)
        column = nw.from_arrow(pa.table({self.name: arrow_column(self.labels)}), backend=backend)
        return wide.with_columns(column.get_column(self.name)).to_native()

    def as_given(self, published: Any, missing: Sequence[str]) -> Any:
        """The labels of the published rows, of the kind and type in which y came in; O(rows).

        Parameters
        ----------
        published : pa.Array or pa.ChunkedArray
            The column of the release.
        missing : sequence of str
            Texts that mean missing.
        """
        tokens = [clean_text(text) for text in missing]
        given = distinct_column(self.name, pa.chunked_array([arrow_column(self.labels)]), tokens)
        chunks = published.chunks if isinstance(published, pa.ChunkedArray) else [published]
        shown = distinct_column(self.name, pa.chunked_array(chunks, published.type), ())
        place = pc.index_in(shown.texts, value_set=given.texts)
        if place.null_count:
            raise VerificationError("the classes that go in and come out do not add up", "please report this")
        place = np.append(place.to_numpy(zero_copy_only=False), len(given.texts))
        example = np.zeros(len(given.texts) + 1, dtype=np.int64)
        example[given.codes[::-1]] = np.arange(len(self.labels))[::-1]
        rows = example[place[shown.codes]]
        if not nw.dependencies.is_into_series(self.given):
            return self.labels[rows]
        # PRIVACY: the index of pandas would tell the source rows (tests/unit/test_estimators.py).
        return nw.maybe_reset_index(nw.from_native(self.given, series_only=True)[rows]).to_native()
