"""Thousands of hostile inputs: ``python -m fuzz``; see fuzz/README.md."""
