"""What is said of a promise that no release of a table can keep, and the k that methods count with."""

from __future__ import annotations

import numpy as np
import pytest

from kanopy.algorithms.requirements import check_satisfiable, least_members
from kanopy.data import CodedColumn, Domain, EncodedTable
from kanopy.errors import UnsatisfiableError
from kanopy.privacy import AlphaBound, AnonymityOf, DistinctDiversity, KAnonymity, PrivacyModel, Template

EVEN_ALL = "even all rows together do not keep the promise: "


def table(x: int, y: int, persons: list[int] | None = None) -> EncodedTable:
    """So many rows with the value x, and with y."""
    column = CodedColumn(Domain("ill", ("x", "y")), np.repeat([0, 1], [x, y]).astype(np.uint8))
    codes = None if persons is None else np.array(persons, dtype=np.int32)
    return EncodedTable(x + y, (), None, {"ill": column}, codes)


def template(at_most: str, given: tuple[str, ...] = ("job", "country")) -> Template:
    return Template(given, "ill", "x", at_most)


def refusal(of: EncodedTable, promise: PrivacyModel) -> UnsatisfiableError:
    with pytest.raises(UnsatisfiableError) as caught:
        check_satisfiable(of, promise)
    assert caught.value.exit_code == 4
    return caught.value


def test_a_template_is_named_with_its_exact_confidence_and_the_bound_that_works() -> None:
    error = refusal(table(5, 19), KAnonymity(2) & template("0.2"))
    assert error.message == f"{EVEN_ALL}{template('0.2').sentence()} It is 5/24 in the whole table."
    assert error.hint == (
        'the table as one group reaches 5/24: the smallest bound that can be kept is at_most = "5/24"; '
        "relax the bound or add rows"
    )
    check_satisfiable(table(5, 19), KAnonymity(2) & template("5/24"))
    refusal(table(5, 19), template("0.2083333"))


@pytest.mark.parametrize(
    ("bound", "reached"),
    [(AlphaBound("ill", "0.1", "x"), "0.25"), (AlphaBound("ill", "0.1"), "0.75")],
)
def test_an_alpha_bound_likewise(bound: AlphaBound, reached: str) -> None:
    error = refusal(table(1, 3), bound)
    assert bound.sentence() in error.message
    assert f"It is {'1/4' if reached == '0.25' else '3/4'} in the whole table." in error.message
    assert f"the smallest bound that can be kept is alpha = {reached};" in error.hint
    check_satisfiable(table(1, 3), AlphaBound("ill", reached, bound.value))


def test_where_all_rows_have_the_value_no_bound_is_offered() -> None:
    error = refusal(table(4, 0), template("0.9"))
    assert "All rows have the same value." in error.message
    assert "no bound can be kept" in error.hint
    assert "at_most =" not in error.hint


def test_other_promises_say_what_is_reached() -> None:
    error = refusal(table(2, 2), KAnonymity(5))
    assert error.message == f"{EVEN_ALL}{KAnonymity(5).sentence()}"
    assert error.hint == "the table as one group reaches 4; relax the bound or add rows"
    assert AnonymityOf(["job"], 5).sentence() in refusal(table(2, 2), AnonymityOf(["job"], 5)).message
    of_persons = refusal(table(2, 2, [0, 0, 1, 1]), KAnonymity(2) & AnonymityOf(["job"], 3))
    assert "Every value of 'job' covers at least 3 persons." in of_persons.message
    assert "reaches 2;" in of_persons.hint


def test_all_broken_promises_are_told_up_to_three() -> None:
    bounds = [template("0.2", (name,)) for name in "abcde"]
    error = refusal(table(5, 19), bounds[0] & DistinctDiversity("ill", 3))
    assert error.message == (
        f"{EVEN_ALL}{bounds[0].sentence()} It is 5/24 in the whole table. "
        f"{DistinctDiversity('ill', 3).sentence()}"
    )
    assert 'at_most = "5/24", 2; relax' in error.hint
    many = refusal(table(5, 19), bounds[0] & bounds[1] & bounds[2] & bounds[3] & bounds[4])
    assert [bound.sentence() in many.message for bound in bounds] == [True, True, True, False, False]
    assert many.message.endswith(" The same holds for 2 more promises.")


def test_the_k_of_some_columns_bounds_groups_over_all_of_them() -> None:
    assert least_members(DistinctDiversity("ill", 3)) == 1
    assert least_members(KAnonymity(3) & AnonymityOf(["job"], 5) & AnonymityOf(["country"], 4)) == 5
    assert least_members(AnonymityOf(["job"], 2) & KAnonymity(3)) == 3
