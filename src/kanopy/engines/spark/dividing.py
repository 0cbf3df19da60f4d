"""Rows on a cluster as divided methods ask for them: counted by nodes, or whole nodes in tasks.

Tasks run kanopy's own code here, so the workers need kanopy.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from kanopy.algorithms.division.counting import CodedRows, DrawnRows, NodeCounts, count_rows
from kanopy.algorithms.division.routing import Routing
from kanopy.algorithms.tickets import Draw
from kanopy.data.arrays import Codes, Ints
from kanopy.engines.spark.counting import KeyedRows
from kanopy.engines.spark.session import spark_errors

_ROWS_AT_A_TIME = 1 << 20
_TIMES, _NODE, _ANSWER, _TICKET = "times", "node", "answer", "ticket"
_WORKERS = "a task of a divided method failed, or its worker has no kanopy"


class KeyCodes(NamedTuple):
    """What the numbers of a row mean: the columns of each, and the code of every value."""

    names: tuple[str, ...]  # of the numbers
    columns: tuple[tuple[tuple[str, int], ...], ...]  # of each number, columns and how many values these have
    codes: Mapping[str, Ints]  # of each column, the code of every value

    def rows(self, found: pa.Table) -> CodedRows:
        """Rows as codes; O(rows * columns)."""
        made: dict[str, Codes] = {}
        for name, columns in zip(self.names, self.columns, strict=True):
            if found[name].null_count:
                raise LookupError("a value that was not there before")
            keys = found[name].to_numpy()
            for column, n_values in reversed(columns):
                keys, value = np.divmod(keys, n_values)
                made[column] = self.codes[column][value]
        return CodedRows(made, found[_TIMES].to_numpy().astype(np.int64))


class SparkDivider:
    """The rows of a table, kept on the cluster while a divided method asks for them."""

    def __init__(self, keyed: KeyedRows, codes: Mapping[str, Ints]) -> None:
        columns = (
            tuple((keyed.columns[number].column.name, keyed.columns[number].n_codes) for number in members)
            for members in keyed.keys
        )
        self._codes = KeyCodes(tuple(keyed.key_names), tuple(columns), codes)
        functions = keyed.source.functions
        rows = keyed.frame()
        if 2 * keyed.look.n_tuples <= keyed.look.n_rows:
            rows = rows.groupBy(*keyed.key_names).agg(functions.count(functions.lit(1)).alias(_TIMES))
        else:
            rows = rows.select("*", functions.lit(1).cast("bigint").alias(_TIMES))
        self._rows, self._functions = rows.persist(), functions

    def __enter__(self) -> SparkDivider:
        return self

    def __exit__(self, *_: object) -> None:
        with spark_errors("Spark could not give rows back"):
            self._rows.unpersist()

    def count(self, routing: Routing, wanted: Sequence[tuple[str, ...]]) -> list[NodeCounts]:
        """One pass over the rows; counters are added up on the cluster."""
        n_codes = max(map(len, wanted))
        keys = ["which", _NODE, *(f"code{number}" for number in range(n_codes))]
        schema = ", ".join([*(f"{key} int" for key in keys), f"{_TIMES} bigint"])
        with spark_errors(_WORKERS):
            counts = self._rows.mapInArrow(_counter(self._codes, routing, list(wanted), n_codes), schema)
            n_rows = self._functions.sum(_TIMES).alias(_TIMES)
            found = counts.groupBy(*keys).agg(n_rows).toArrow().combine_chunks()
        made = []
        for which, names in enumerate(wanted):
            of_list = found.filter(pc.equal(found["which"], which))
            codes = tuple(of_list[f"code{number}"].to_numpy() for number in range(len(names)))
            made.append(NodeCounts(of_list[_NODE].to_numpy(), codes, of_list[_TIMES].to_numpy()))
        return made

    def drawn(self, routing: Routing, draw: Draw) -> DrawnRows:
        """Bring equal rows together, and take those whose tickets are low."""
        rows, names = self._routed(routing), ", ".join(f"{name} bigint" for name in self._codes.names)
        with spark_errors(_WORKERS):
            times = self._functions.sum(_TIMES).alias(_TIMES)
            counted = rows.groupBy(_NODE, *self._codes.names).agg(times)
            schema = f"{_NODE} int, {_TICKET} bigint, {names}, {_TIMES} bigint"
            found = counted.mapInArrow(_drawer(self._codes, draw), schema).toArrow().combine_chunks()
        ticket = found[_TICKET].to_numpy().view(np.uint64)
        return DrawnRows(found[_NODE].to_numpy().astype(np.int64), ticket, self._codes.rows(found))

    def _routed(self, routing: Routing) -> Any:
        """The rows with the numbers of their nodes; those that nothing is asked about are left out."""
        names = ", ".join(f"{name} bigint" for name in (*self._codes.names, _TIMES))
        return self._rows.mapInArrow(_router(self._codes, routing), f"{_NODE} int, {names}")

    def subtrees(
        self, routing: Routing, decide: Callable[[int, CodedRows], Any]
    ) -> Iterator[tuple[int, Any]]:
        """Bring the rows of each node to one task, and take what it says."""
        with spark_errors(_WORKERS):
            rows = self._routed(routing)
            answers = rows.groupBy(_NODE).applyInArrow(
                _decider(self._codes, decide), f"{_NODE} int, {_ANSWER} binary"
            )
            found = answers.toArrow()
        for node, answer in zip(found[_NODE].to_pylist(), found[_ANSWER], strict=True):
            yield node, pickle.loads(answer.as_buffer())  # what our own tasks have pickled


def _counter(
    codes: KeyCodes, routing: Routing, wanted: list[tuple[str, ...]], n_codes: int
) -> Callable[[Iterator[Any]], Iterator[Any]]:
    def count(batches: Iterator[Any]) -> Iterator[Any]:
        for rows in _in_pieces(codes, batches):
            for which, counts in enumerate(_guarded(count_rows, rows, routing, wanted)):
                some = [*counts.codes, *[np.zeros(len(counts.node))] * (n_codes - len(counts.codes))]
                keys = [np.full(len(counts.node), which), counts.node, *some]
                arrays = [pa.array(each.astype(np.int32)) for each in keys]
                names = ["which", _NODE, *(f"code{number}" for number in range(n_codes)), _TIMES]
                yield pa.record_batch([*arrays, pa.array(counts.weight.astype(np.int64))], names=names)

    return count


def _router(codes: KeyCodes, routing: Routing) -> Callable[[Iterator[Any]], Iterator[Any]]:
    def route(batches: Iterator[Any]) -> Iterator[Any]:
        for batch in batches:
            table = pa.Table.from_batches([batch])
            rows = _guarded(codes.rows, table)
            node = pa.array(routing.route([rows.codes[name] for name in routing.columns]).astype(np.int32))
            found = table.add_column(0, _NODE, node)
            yield from found.filter(pc.greater_equal(node, 0)).combine_chunks().to_batches()

    return route


def _drawer(codes: KeyCodes, draw: Draw) -> Callable[[Iterator[Any]], Iterator[Any]]:
    def drawn(batches: Iterator[Any]) -> Iterator[Any]:
        for batch in batches:
            table = pa.Table.from_batches([batch])
            rows, node = _guarded(codes.rows, table), table[_NODE].to_numpy()
            found = _guarded(draw.tickets, rows.codes, rows.weight, node)
            once = table.take(pa.array(found.row))
            once = once.set_column(
                once.column_names.index(_TIMES), _TIMES, pa.array(np.ones(len(found.row), np.int64))
            )
            ticket = pa.array(found.ticket.view(np.int64))
            yield from once.add_column(1, _TICKET, ticket).combine_chunks().to_batches()

    return drawn


def _decider(codes: KeyCodes, decide: Callable[[int, CodedRows], Any]) -> Callable[[pa.Table], pa.Table]:
    def decided(found: pa.Table) -> pa.Table:
        node = found[_NODE][0].as_py()
        answer = _guarded(lambda: pickle.dumps(decide(node, codes.rows(found))))
        return pa.table({_NODE: pa.array([node], pa.int32()), _ANSWER: pa.array([answer], pa.binary())})

    return decided


def _in_pieces(codes: KeyCodes, batches: Iterator[Any]) -> Iterator[CodedRows]:
    """Batches joined, so that equal rows are counted together more often."""
    waiting: list[Any] = []
    for batch in batches:
        waiting.append(batch)
        if sum(each.num_rows for each in waiting) >= _ROWS_AT_A_TIME:
            yield _guarded(codes.rows, pa.Table.from_batches(waiting))
            waiting = []
    if waiting:
        yield _guarded(codes.rows, pa.Table.from_batches(waiting))


def _guarded(work: Callable[..., Any], *given: Any) -> Any:
    """PRIVACY: what goes wrong in a task is told without its text, which may quote cells
    (tests/spark/test_counting.py)."""
    try:
        return work(*given)
    except Exception as error:
        raise RuntimeError(f"a task failed: {type(error).__name__}") from None
