"""Names for the types of arrays."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Int32s = NDArray[np.int32]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Groups = NDArray[np.int32]  # the group, or the node of a tree, of each row
Codes = NDArray[np.integer[Any]]
Amounts = NDArray[Any]  # rows, or their weights
