"""APT by hand: a tree of two levels whose smallest path is pruned, and data made up from what is left."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from plain_tables import table_of

from kanopy.algorithms.apt import apt
from kanopy.data import EncodedTable, Recoding
from kanopy.privacy import KAnonymity
from kanopy.trees import as_text, c45

# Dogs bark, cats do not; of the birds, those below 30 g sing.
PATHS: dict[tuple[str, float], str] = {
    ("dog", 9000): "B" * 12,
    ("cat", 4000): "Q" * 11 + "B",
    ("bird", 20): "S" * 4,
    ("bird", 25): "S" * 3,
    ("bird", 300): "Q" * 3,
    ("bird", 400): "Q" * 2,
}


def animals(paths: dict[tuple[str, float], str] = PATHS) -> EncodedTable:
    lines = [(*path, label) for path, labels in paths.items() for label in labels]
    kind, weight, classes = zip(*lines, strict=True)
    return table_of({"kind": kind, "weight": weight}, target=classes)


def published(table: EncodedTable, k: int, **options: object) -> tuple[Recoding, Counter[tuple[str, ...]]]:
    """What is printed with which made-up class, and how often."""
    made = apt(table, KAnonymity(k), np.random.default_rng(0), **options)
    assert made.is_kept.all()
    labels = np.array(table.target.domain.labels)[made.target]
    texts = [np.array(column.texts)[column.ids] for column in made.columns]
    return made, Counter(zip(*(column.tolist() for column in (*texts, labels)), strict=True))


def test_the_tree_before_it_is_pruned() -> None:
    table = animals()
    assert as_text(c45(table), table.target.domain.labels) == (
        "kind = bird\n"
        "|   weight <= 25: S (7)\n"
        "|   weight > 25: Q (5)\n"
        "kind = cat: Q (12/1)\n"
        "kind = dog: B (12)\n"
    )


def test_all_paths_are_long_enough() -> None:
    """k = 5. One cat barks: two classes could share that mistake, and the first of them gets it."""
    made, rows = published(animals(), 5)
    assert rows == {
        ("dog", "*", "B"): 12,
        ("cat", "*", "Q"): 11,
        ("cat", "*", "B"): 1,
        ("bird", "[20, 25]", "S"): 7,
        ("bird", "[300, 9000]", "Q"): 5,
    }
    assert made.facts == {"synthetic": True}


def test_the_shortest_path_is_pruned() -> None:
    """k = 6: five silent birds are too few, and join the seven that sing. Five mistakes for two classes:
    three and two, though no bird barks."""
    made, rows = published(animals(), 6)
    assert rows == {
        ("dog", "*", "B"): 12,
        ("cat", "*", "Q"): 11,
        ("cat", "*", "B"): 1,
        ("bird", "*", "S"): 7,
        ("bird", "*", "B"): 3,
        ("bird", "*", "Q"): 2,
    }
    assert str(made.model) == "kind = bird: S (12/5)\nkind = cat: Q (12/1)\nkind = dog: B (12)\n"


@pytest.mark.parametrize("k", [7, 12])
def test_up_to_twelve_of_each_kind(k: int) -> None:
    assert published(animals(), k)[1] == published(animals(), 6)[1]


def test_everybody() -> None:
    """k = 13 leaves nothing but the root, whose majority are the silent: 16 of 36."""
    made, rows = published(animals(), 13)
    assert rows == {("*", "*", "Q"): 16, ("*", "*", "B"): 10, ("*", "*", "S"): 10}
    assert str(made.model) == ": Q (36/20)\n"


def test_two_classes_are_counted_truly() -> None:
    """The near miss: where nothing sings, the five mistakes among the birds can only be one class."""
    two = {path: labels.replace("S", "B") for path, labels in PATHS.items()}
    _, rows = published(animals(two), 6)
    assert rows == {
        ("dog", "*", "B"): 12,
        ("cat", "*", "Q"): 11,
        ("cat", "*", "B"): 1,
        ("bird", "*", "B"): 7,
        ("bird", "*", "Q"): 5,
    }


def test_one_number_for_each_path() -> None:
    _, rows = published(animals(), 5, publish="draw")
    weights = {label: float(weight) for kind, weight, label in rows if kind == "bird"}
    assert 20 <= weights["S"] <= 25
    assert 300 <= weights["Q"] <= 9000
    assert sorted(rows.values()) == [1, 5, 7, 11, 12]


# --- Small branches --------------------------------------------------------------------------------------

FISH = {**PATHS, ("fish", 5): "Q" * 2}
NEWTS = {**FISH, ("newt", 7): "Q" * 3}


def test_one_small_branch_does_not_remove_the_split() -> None:
    """k = 5: the two fish join the branch with the fewest rows. Birds, cats and dogs all have twelve, and the
    birds come first; below them, fish go where their weight says: with the light ones."""
    _, rows = published(animals(FISH), 5)
    assert rows == {
        ("dog", "*", "B"): 12,
        ("cat", "*", "Q"): 11,
        ("cat", "*", "B"): 1,
        ("{bird, fish}", "[5, 25]", "S"): 7,
        ("{bird, fish}", "[5, 25]", "B"): 1,
        ("{bird, fish}", "[5, 25]", "Q"): 1,
        ("{bird, fish}", "[300, 9000]", "Q"): 5,
    }


def test_small_branches_join_each_other() -> None:
    """k = 5: two fish and three newts are five; nobody else is touched."""
    made, rows = published(animals(NEWTS), 5)
    assert rows["{fish, newt}", "*", "Q"] == 5
    assert {kind for kind, *_ in rows} == {"dog", "cat", "bird", "{fish, newt}"}
    assert "kind in {fish, newt}: Q (5)\n" in str(made.model)


def test_as_the_paper_they_remove_the_split() -> None:
    for paths in (FISH, NEWTS):
        _, rows = published(animals(paths), 5, small_branches="prune")
        assert {kind for kind, *_ in rows} == {"*"}


def test_a_split_that_is_left_with_one_branch_gives_way_to_what_is_below_it() -> None:
    """Two kinds, one of them with two rows: the weights below the other one stay."""
    birds = {path: labels for path, labels in FISH.items() if path[0] in ("bird", "fish")}
    _, rows = published(animals({**birds, ("fish", 500): "SS"}), 5)
    assert {kind for kind, *_ in rows} == {"*"}
    assert {weight for _, weight, _ in rows} == {"[5, 25]", "[300, 500]"}


def test_few_missing_numbers_join_a_side() -> None:
    lines = [(weight, "S" if weight < 50 else "Q") for weight in [20, 25, 300, 400] * 6]
    lines += [(None, "S"), (None, "S")]
    weight, classes = zip(*lines, strict=True)
    table = table_of({"weight": weight}, target=classes)
    made = apt(table, KAnonymity(5), np.random.default_rng(0))
    texts = Counter(np.array(made.columns[0].texts)[made.columns[0].ids].tolist())
    assert texts == {"{, [20, 25]}": 14, "[300, 400]": 12}
    # The numbers below 25 are not named.
    assert str(made.model) == "weight <= 25 or missing: S (14)\nweight > 25: Q (12)\n"


def test_numbers_that_are_known_at_all() -> None:
    """Both sides are too small, missing is not."""
    lines = [(20, "S"), (25, "S"), (300, "Q"), (400, "Q"), *[(None, "B")] * 6]
    weight, classes = zip(*lines, strict=True)
    made = apt(table_of({"weight": weight}, target=classes), KAnonymity(4), np.random.default_rng(0))
    texts = Counter(np.array(made.columns[0].texts)[made.columns[0].ids].tolist())
    assert texts == {"[20, 400]": 4, "": 6}
    assert str(made.model) == "weight is not missing: Q (4/2)\nweight is missing: B (6)\n"
