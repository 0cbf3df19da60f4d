"""Hostile input, made by the thousand: ``python -m fuzz``; see fuzz/README.md."""
