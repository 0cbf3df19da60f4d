"""Tables and numbers in Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def table(header: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    """The first column to the left, the others to the right."""
    rule = [":--", *["--:"] * (len(header) - 1)]
    return "\n".join("| " + " | ".join(line) + " |" for line in [header, rule, *lines])


def spread(value: tuple[float, float]) -> str:
    """A mean and its standard deviation."""
    return f"{value[0]:.2f} ± {value[1]:.2f}"


def signed(number: float) -> str:
    """A difference, with a minus as wide as a plus, and none before zero."""
    return f"{number:+z.2f}".replace("-", "−")
