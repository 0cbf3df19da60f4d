"""Full-domain recoding: all values of a column are generalized to the same level, chosen on a lattice."""
