"""One release by another library, as its documents show it; run by a Python that has the library.

Run as ``python peer_run.py NAME SOURCE.csv OUTPUT.csv K QUASI,IDENTIFIERS TARGET``. This file imports nothing
of kanopy. The whole process is timed: imports, reading, anonymizing, writing. None of these checks what it
has written.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any


def main(arguments: Sequence[str]) -> None:
    """Run the library that is named first."""
    name, source, output, k, quasi, target = arguments
    RUNS[name](source, output, int(k), quasi.split(","), target)


def _categories(source: str, target: str) -> Any:
    """The table as a pandas frame, texts as categories, as these two libraries ask for."""
    table = import_module("pandas").read_csv(source)
    for name in table.columns:
        if name == target or not hasattr(table[name].iloc[0], "dtype"):
            table[name] = table[name].astype("category")
    return table


def run_anonypy(source: str, output: str, k: int, quasi: list[str], target: str) -> None:
    """Counts rows per group and value of the target, one line each."""
    table = _categories(source, target)
    preserver = import_module("anonypy").Preserver(table, quasi, target)
    import_module("pandas").DataFrame(preserver.anonymize_k_anonymity(k=k)).to_csv(output, index=False)


def run_anonypyx(source: str, output: str, k: int, quasi: list[str], target: str) -> None:
    """A fork of the former."""
    table = _categories(source, target)
    wishes = {"algorithm": "Mondrian", "feature_columns": quasi, "sensitive_column": target}
    made = import_module("anonypyx").Anonymiser(table, k=k, **wishes).anonymise()
    import_module("pandas").DataFrame(made).to_csv(output, index=False)


def run_umbra_k(source: str, output: str, k: int, quasi: list[str], _target: str) -> None:
    """One line per row."""
    table = import_module("pandas").read_csv(source)
    anonymizer = import_module("umbra_k").MondrianAnonymizer(k=k, quasi_id=quasi)
    anonymizer.fit_transform(table).to_csv(output, index=False)


def run_polarfrost(source: str, output: str, k: int, quasi: list[str], target: str) -> None:
    """One line per group."""
    polars = import_module("polars")
    table = polars.read_csv(source)
    texts = [name for name in quasi if table[name].dtype == polars.String]
    anonymize = import_module("polarfrost").mondrian_k_anonymity
    made = anonymize(table, quasi_identifiers=quasi, sensitive_column=target, k=k, categorical=texts)
    made.lazy().collect().write_csv(output)


RUNS: dict[str, Callable[[str, str, int, list[str], str], None]] = {
    "anonypy": run_anonypy,
    "anonypyx": run_anonypyx,
    "umbra-k": run_umbra_k,
    "polarfrost": run_polarfrost,
}
"""By the name that ``pip`` knows."""

if __name__ == "__main__":
    main(sys.argv[1:])
