"""From a Spark frame to a release, where different rows are too many for the driver: the method divides.

What the method decides are groups, counted column by column. The driver makes a table from these counts that
has, in every group and column, the values of the real one as often, and is as short as that allows. All that
is checked and told about a release follows from such counts: the table goes through the same steps as any.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from kanopy.algorithms.division.counting import DividedTask, TableForm
from kanopy.algorithms.division.groups import DividedRelease
from kanopy.algorithms.division.whole import not_divided
from kanopy.data import EncodedTable, RecodedColumn, Recoding
from kanopy.data.arrays import Codes, Ints
from kanopy.data.keys import counted
from kanopy.data.pieces import Pieces
from kanopy.engines.deciding import Given, decide, given_table
from kanopy.engines.request import Request, Watch
from kanopy.engines.spark.counting import KeyedRows, Look, changed_table
from kanopy.engines.spark.dividing import SparkDivider
from kanopy.engines.spark.source import SparkSource
from kanopy.frames.conversion import converted
from kanopy.frames.encode import Encoded, encode
from kanopy.frames.from_numpy import as_arrow
from kanopy.frames.tuples import CountedTable
from kanopy.hierarchies import HierarchyRule
from kanopy.policy import Policy
from kanopy.release.record import RunResults, RunSettings

NODE_ROWS = 1 << 21
"""Different rows up to which a node is decided in one task, where each occurs as often as on average."""


def check_divides(policy: Policy, request: Request) -> None:
    """Refuse what only whole rows on the driver can tell, before any work."""
    name = request.method.name
    if policy.derived:
        raise not_divided(name, "[derived] columns are made from whole rows: make them in the table itself")
    rules = [each for each in policy.hierarchies.values() if isinstance(each, HierarchyRule)]
    if any(rule.needs_class for rule in rules):
        raise not_divided(name, "a hierarchy that is merged by the class needs the classes of every value")


def decide_divided(
    source: SparkSource, look: Look, policy: Policy, request: Request, watch: Watch, stop: Callable[[], bool]
) -> tuple[RunSettings, RunResults]:
    """Let the method divide, and decide about the groups that it found; costs what ``Method.divide`` does."""
    check_divides(policy, request)
    keyed = KeyedRows.of(source, look)
    values = _ColumnCodes.of(keyed, policy)
    form, divide = values.form(policy), request.method.divide
    assert divide is not None, "only methods that divide get here"
    progress = request.progress(watch, stop)
    with SparkDivider(keyed, values.codes) as engine:
        rng = np.random.default_rng(request.seed) if request.method.draws else None
        limit = NODE_ROWS * max(look.n_rows // look.n_tuples, 1)
        task = DividedTask(engine, form, policy.promise, rng, limit, progress)
        found = divide(task, **request.options)
    given, run = _given(found, values, form, policy, source.first_rows(policy.identifiers))
    del found  # its counts have become the table
    pa.default_memory_pool().release_unused()
    decided = request._replace(method=replace(request.method, run=run, draws=False))
    settings, results = decide(given, policy, decided, watch, stop)
    encoded = results.encoded._replace(notices=values.encoded.notices)
    return settings._replace(method=request.method), results._replace(encoded=encoded)


class _ColumnCodes(NamedTuple):
    """The values of all columns, and their codes, as ``encode`` gives them to a table that has them all."""

    table: pa.Table  # has each value as often as the real one, but values of a row do not belong together
    encoded: Encoded  # the same as codes
    codes: Mapping[str, Ints]  # of each column, the code of every value that Spark found, null the first
    examples: Mapping[str, Ints]  # of each column, a row that has each code
    totals: Mapping[str, Ints]  # of each column, how many rows have each code

    @classmethod
    def of(cls, keyed: KeyedRows, policy: Policy) -> _ColumnCodes:
        """Check and encode the values; O(values of all columns * columns)."""
        pieces, made = Pieces.of([each.n_rows for each in keyed.columns]), {}
        for column in keyed.columns:
            place = pieces.entry_of(column.n_rows)
            indices = pa.array((place - 1).astype(np.int32), mask=place == 0)
            made[column.column.name] = pa.DictionaryArray.from_arrays(indices, column.values)
        table = converted(pa.table(made), policy)
        encoded = encode(table, policy, pieces.amount)
        codes, examples, totals = {}, {}, {}
        coded = {column.domain.name: column for column in encoded.table.published()}
        for column in keyed.columns:
            name = column.column.name
            of_row = coded[name].codes.astype(np.int64)
            codes[name] = np.zeros(column.n_codes, dtype=np.int64)
            codes[name][pieces.entry_of(column.n_rows)] = of_row
            examples[name] = np.zeros(int(of_row.max()) + 1, dtype=np.int64)
            examples[name][of_row] = np.arange(len(of_row))
            totals[name] = counted(of_row, len(examples[name]), pieces.amount)
        return cls(table, encoded, codes, examples, totals)

    def column(self, name: str, codes: Codes) -> pa.Array:
        """The values of rows that have these codes, in as little memory as they can."""
        values = self.table[name].take(as_arrow(self.examples[name])).combine_chunks()
        places = codes.astype(np.int8 if len(values) <= 128 else np.int32)
        return pa.DictionaryArray.from_arrays(pa.array(places), _plain(values))

    def form(self, policy: Policy) -> TableForm:
        """What the table is made of."""
        table = self.encoded.table
        confidential = {name: column.domain for name, column in table.confidential.items()}
        target = None if table.target is None else table.target.domain
        passing = tuple(name for name in self.encoded.names if name not in policy.quasi_identifiers)
        return TableForm(tuple(column.domain for column in table.quasi), target, confidential, passing)


def _plain(values: pa.Array) -> pa.Array:
    whole = values.chunk(0) if isinstance(values, pa.ChunkedArray) else values
    return whole.dictionary_decode() if pa.types.is_dictionary(whole.type) else whole


def _given(
    found: DividedRelease, values: _ColumnCodes, form: TableForm, policy: Policy, seen: pa.Table
) -> tuple[Given, Callable[..., Recoding]]:
    """The short table of the groups, and what a method would say about it."""
    counts = dict(zip(form.names, (each.in_order() for each in found.groups.quasi), strict=True))
    lines = found.groups.lines.in_order()
    pieces = Pieces.of([lines.weight, *(each.weight for each in counts.values())])
    of_line = pieces.entry_of(lines.weight).astype(np.int32)
    passing = dict(zip(form.passing, lines.codes, strict=True))
    columns = {}
    for name in values.encoded.names:
        if name in counts:
            codes = counts[name].codes[0][pieces.entry_of(counts.pop(name).weight)]
        else:
            codes = passing[name][of_line]
        _check_totals(name, codes, pieces.amount, values)
        columns[name] = values.column(name, codes)
    table, weight, group = pa.table(columns), pieces.amount, lines.node[of_line].astype(np.int32)
    del columns, codes, counts, pieces, of_line
    given = given_table(table, CountedTable(table, weight), policy, seen)
    group, cells, model = group[given.source_row], found.columns, found.model
    is_kept = np.ones(len(group), dtype=bool) if found.dropped is None else group != found.dropped

    def run(table: EncodedTable, *_: Any, **__: Any) -> Recoding:
        # Of the groups' own domains: these have levels beside the values where ends are coded outward.
        recoded = (RecodedColumn(each.domain, each.cells, _narrow(each)[group]) for each in cells)
        return Recoding(tuple(recoded), is_kept, np.where(is_kept, group, -1), model=model)

    return given, run


def _narrow(column: RecodedColumn) -> Any:
    """The cells of groups in half the memory, where these are not very many."""
    return column.ids.astype(np.int16) if len(column.cells) < 1 << 15 else column.ids


def _check_totals(name: str, codes: Codes, weight: Ints, values: _ColumnCodes) -> None:
    """PRIVACY: every value is in as many rows of the groups as of the table (tests/spark/test_divided.py)."""
    if not np.array_equal(counted(codes, len(values.totals[name]), weight), values.totals[name]):
        raise changed_table()
