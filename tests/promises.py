"""Promises of every kind for tests: one example of each, and strategies that draw them."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st

from kanopy.privacy import (
    AlphaBound,
    AnonymityOf,
    BetaLikeness,
    Closeness,
    CombinationAnonymity,
    DeltaDisclosure,
    DistinctDiversity,
    EntropyDiversity,
    KAnonymity,
    PrivacyModel,
    RecursiveDiversity,
    Template,
)

ON_COLUMN: list[PrivacyModel] = [
    DistinctDiversity("d", 2),
    EntropyDiversity("d", "1.5"),
    RecursiveDiversity("d", 3, 2),
    Closeness("d", "0.2"),
    Closeness("d", "0.2", "ordered"),
    AlphaBound("d", "0.5"),
    AlphaBound("d", "0.5", "a"),
    Template(("age", "zip"), "d", "a", "1/3"),
    Template(("age", "zip"), "d", ["b", "a"], "1/3"),
    DeltaDisclosure("d", 1),
    DeltaDisclosure("d", 1, strict_zero=True),
    BetaLikeness("d", 2),
    BetaLikeness("d", 2, "enhanced"),
]
EVERY_KIND = [KAnonymity(10), AnonymityOf(("age", "zip"), 10), CombinationAnonymity(3, 10), *ON_COLUMN]
"""One promise of each kind and variant, on the column d."""

some_share = st.fractions(Fraction(1, 24), Fraction(23, 24), max_denominator=24)
some_factor = st.fractions(Fraction(1, 8), 4, max_denominator=8)
_COLUMN = st.just("d")
_GIVEN = st.just(("age",))

KINDS: dict[str, st.SearchStrategy[PrivacyModel]] = {
    "k": st.builds(KAnonymity, st.integers(2, 6)),
    "k of some": st.builds(AnonymityOf, _GIVEN, st.integers(2, 6)),
    "k of combinations": st.builds(CombinationAnonymity, st.integers(1, 2), st.integers(2, 6)),
    "distinct": st.builds(DistinctDiversity, _COLUMN, st.integers(2, 4)),
    "entropy": st.builds(
        EntropyDiversity, _COLUMN, st.integers(2, 4) | st.fractions(Fraction(11, 10), 4, max_denominator=10)
    ),
    "recursive": st.builds(RecursiveDiversity, _COLUMN, some_factor, st.integers(2, 3)),
    "equal": st.builds(Closeness, _COLUMN, some_share),
    "ordered": st.builds(Closeness, _COLUMN, some_share, st.just("ordered")),
    "hierarchical": st.builds(Closeness, _COLUMN, some_share, st.just("hierarchical")),
    "alpha": st.builds(AlphaBound, _COLUMN, some_share),
    "alpha of a value": st.builds(AlphaBound, _COLUMN, some_share, st.sampled_from(["a", "never"])),
    "template": st.builds(Template, _GIVEN, _COLUMN, st.sampled_from(["a", "never"]), some_share),
    "template of several": st.builds(
        Template, _GIVEN, _COLUMN, st.sampled_from([["a", "b"], ["never", "c", "a"]]), some_share
    ),
    "delta": st.builds(DeltaDisclosure, _COLUMN, some_factor),
    "strict delta": st.builds(DeltaDisclosure, _COLUMN, some_factor, strict_zero=st.just(True)),
    "beta": st.builds(BetaLikeness, _COLUMN, some_factor),
    "enhanced beta": st.builds(BetaLikeness, _COLUMN, some_factor, st.just("enhanced")),
}
"""Promises on the column d and the quasi-identifier age, by kind."""

some_monotone_promise = st.one_of([drawn for kind, drawn in KINDS.items() if kind != "delta"])
"""Merging two groups that keep it keeps it; ``delta`` alone is not so."""
