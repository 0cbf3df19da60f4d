"""What kanopy costs, as ratios inside one run: ``python -m benchmarks``."""
