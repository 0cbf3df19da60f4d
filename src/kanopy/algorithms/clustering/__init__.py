"""k-anonymity by clustering: look-alikes are found by distance, and published together."""
