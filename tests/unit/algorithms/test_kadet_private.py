"""kADET with private columns: they divide no group of the table, and public tests leave nobody behind."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest
from plain_tables import column_of, table_of

import kanopy
from kanopy.algorithms.kadet import kadet
from kanopy.data import EncodedTable, Recoding
from kanopy.privacy import DistinctDiversity, KAnonymity, PrivacyModel


def some(public: dict[str, str], private: dict[str, str], classes: str) -> EncodedTable:
    table = table_of({name: list(values) for name, values in public.items()}, target=list(classes))
    others = [column_of(name, list(values)) for name, values in private.items()]
    return replace(table, others=lambda: (*others, table.target))


def grown(table: EncodedTable, promise: PrivacyModel, **options: object) -> Recoding:
    return kadet(table, promise, np.random.default_rng(0), private=True, **options)


def printed(recoding: Recoding) -> list[str]:
    return ["".join(column.texts[column.ids[row]] for column in recoding.columns) for row in range(12)]


def test_a_private_test_divides_no_group() -> None:
    """b tells the class, and u is too rare for a k of 6."""
    table = some({"q": "x" * 12}, {"b": "uuuvvvvvvvvv"}, "YYYNNNNNNNNN")
    made = grown(table, KAnonymity(6), min_rows=1)
    assert printed(made) == ["*"] * 12
    assert made.model.leaves() == [{"N": 9, "Y": 3}]
    assert str(made.model) == "b = u: Y (3)\nb = v: N (9)\n"
    # Three rows are not worth a test, unless it is asked for.
    assert str(grown(table, KAnonymity(6)).model) == ": N (12/3)\n"


def test_a_public_test_leaves_nobody_behind() -> None:
    """Of the rows with v, q tells the class. Without them, the rows with u would be too few for a group: then
    q must not be tested, although both of its branches are large enough."""
    public, private, classes = {"q": "xxxxyyyyxyxy"}, {"b": "vvvvvvvvuuuu"}, "YYYYNNNNZZZZ"
    kept = grown(some(public, private, classes), KAnonymity(4), min_rows=1)
    assert printed(kept) == ["x"] * 4 + ["y"] * 4 + ["*"] * 4
    refused = grown(
        some({"q": "xxxxyyyyyyxy"}, {"b": "vvvvvvvvvuuu"}, "YYYYNNNNNZZZ"), KAnonymity(4), min_rows=1
    )
    assert printed(refused) == ["*"] * 12
    assert str(refused.model) == "b = u: Z (3)\nb = v: N (9/4)\n"


def test_the_smallest_node_stays_with_those_who_are_too_few() -> None:
    """One row with u cannot be left alone. Those with w, fewer than those with v, keep it company."""
    public, classes = {"q": "xxyyxxyyyxxx"}, "ZPPPQQNNNYYY"
    made = grown(some(public, {"b": "uwwwwwvvvvvv"}, classes), KAnonymity(2), min_rows=1)
    assert printed(made) == [*"******yyyxxx"]
    two = grown(some(public, {"b": "uuwwwwvvvvvv"}, "ZZPPQQNNNYYY"), KAnonymity(2), min_rows=1)
    assert printed(two) == [*"**yyxxyyyxxx"]


def test_what_is_promised_of_a_private_column_holds_in_every_group() -> None:
    """Below the test of b every public part has a single b."""
    table = some({"q": "xxxyyyxyxyxy"}, {"b": "uuuuuuvvvvvv"}, "YYYNNNPPPPPP")
    assert printed(grown(table, KAnonymity(3), min_rows=1)) == [*"xxxyyy******"]
    bounded = replace(table, confidential={"b": table.others()[0]})
    made = grown(bounded, KAnonymity(3) & DistinctDiversity("b", 2), min_rows=1)
    assert printed(made) == ["*"] * 12
    assert str(made.model) == "b = u: N (6/3)\nb = v: P (6)\n"


@pytest.mark.parametrize("criterion", ["gain", "gain_ratio"])
def test_a_row_that_stands_for_several_counts_as_many(criterion: str) -> None:
    rng = np.random.default_rng(4)
    q, b = rng.integers(0, 3, 40), rng.integers(0, 3, 40)
    classes = np.where(rng.random(40) < 0.7, (q + b) % 2, rng.integers(0, 2, 40))
    texts = ["".join("xyz"[code] for code in codes) for codes in (q, b, classes)]
    weighted = replace(some({"q": texts[0]}, {"b": texts[1]}, texts[2]), weight=rng.integers(1, 5, 40))
    for k in (5, 12):
        options = {"criterion": criterion, "min_rows": 3}
        made = grown(weighted, KAnonymity(k), **options).repeated(weighted.weight)
        expanded = grown(weighted.expanded(), KAnonymity(k), **options)
        assert str(made.model) == str(expanded.model)
        assert made.groups[0].tolist() == expanded.groups[0].tolist()


def people(n_rows: int, seed: int) -> pa.Table:
    rng = np.random.default_rng(seed)
    age, dose = rng.integers(20, 80, n_rows), rng.normal(5, 2, n_rows).round(1)
    ward, sex = rng.choice(["a", "b", "c"], n_rows), rng.choice(["f", "m"], n_rows)
    odds = 0.1 + 0.2 * (age > 60) + 0.6 * (dose > 5) * (ward != "c")
    return pa.table(
        {"age": age, "sex": sex, "ward": ward, "dose": dose, "ill": (rng.random(n_rows) < odds).astype(int)}
    )


POLICY = kanopy.Policy(
    quasi_identifiers=["age", "sex"], target="ill", sensitive=["ward"], keep=["dose"], k=10
)


@pytest.mark.parametrize("criterion", ["gain", "gain_ratio"])
def test_the_release_is_recounted_and_its_tree_predicts_new_rows(criterion: str) -> None:
    table, new = people(2_000, 1), people(1_000, 2)
    truth = np.array(new["ill"])
    right = {}
    for private in (False, True):
        asked = {"method": "kadet", "criterion": criterion, "private": private}
        release = kanopy.anonymize(table, POLICY, **asked)
        assert release.audit.kept
        assert release.audit.groups == len(release.model.leaves()) > 1
        assert ("ward" in str(release.model)) == ("dose" in str(release.model)) == private
        right[private] = (release.model.predict(new) == truth).mean()
    assert right[True] > right[False] + 0.05 > 0.6
