"""Names for the types of arrays."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Int32s = NDArray[np.int32]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Codes = NDArray[np.integer[Any]]
Amounts = NDArray[Any]  # rows, or their weights
