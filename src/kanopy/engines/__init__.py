"""Where the work runs: one process today."""
