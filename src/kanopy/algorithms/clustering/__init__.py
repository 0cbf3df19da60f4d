"""k-anonymity by clustering: look-alikes are found by distance, and published together."""

from kanopy.algorithms.clustering.kmeans import KMEANS
from kanopy.algorithms.clustering.kmember import KMEMBER
from kanopy.algorithms.clustering.loukides import LOUKIDES
from kanopy.algorithms.clustering.mdav import MDAV
from kanopy.algorithms.clustering.oka import OKA
from kanopy.algorithms.clustering.wfcmeans import WFCMEANS

CLUSTERINGS = (KMEANS, KMEMBER, OKA, LOUKIDES, WFCMEANS, MDAV)
