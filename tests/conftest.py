"""How hard hypothesis tries (at length with KANOPY_DEEP=1), and compiled modules for programs."""

from __future__ import annotations

import os
import signal
import sysconfig
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from effort import IS_DEEP, MANY
from effort import few_folds as taking_few_folds
from hypothesis import HealthCheck, settings

# No limit of time: how long it takes to make examples depends on what else the machine does.
settings.register_profile(
    "default",
    max_examples=6,
    derandomize=True,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "deep", max_examples=MANY, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("deep" if IS_DEEP else "default")

LATER = (
    "test_kactus_claims.py::test_wins_are_counted_as_the_folds_tell_them",
    "test_interrupt.py::test_ctrl_c_ends_an_evaluation_and_writes_nothing",
    "test_kactus_tables.py::test_the_leaking_protocol_is_labelled_and_gives_other_numbers",
    "test_kactus_tables.py::test_without_numbers_there_is_nothing_to_leak",
    "test_kactus_tables.py::test_kactus_2_table_1_prints_areas_and_what_they_stand_for",
    "test_clusters_figures.py::test_the_command_writes_document_numbers_and_figures",
    "test_tdd_scalability.py::test_the_document_has_every_number",
    "test_runner.py::test_a_script_that_starts_itself_over_is_told_what_to_do",
    "test_evaluate_command.py::test_methods_that_differ_in_their_last_option_are_told_apart",
    "test_hostile_names.py::test_thousands_of_columns_stay_readable",
    "test_fuzz.py::test_two_seconds_of_the_command",
    "test_fuzz.py::test_a_worker_that_dies_or_hangs",
    "test_fuzz.py::test_written_files_keep_their_promise",
    "test_benchmark_clusters.py::test_a_small_run_times_pairs_and_both_ways_to_cluster",
    "test_benchmarks.py::test_the_command_times_every_method_and_records_it",
    "test_import.py::test_the_measurement_can_fail",
    "test_fuzz.py::test_a_worker_that_hangs_between_inputs",
    "test_recipients.py::test_plain_pandas[excel-de]",
    "test_j48.py::test_same_predictions[tic_tac_toe]",
    "test_j48.py::test_same_predictions[crx, numeric]",
    "test_weka_learner.py::test_our_c45_predicts_the_same[nursery",
    "test_weka_learner.py::test_it_ends_with_the_program",
    "test_weka_learner.py::test_it_ends_with_a_program_that_was_killed[import time",
    "test_discretize_weka.py::test_cuts_are_those_of_weka[adult_train]",
    # What two processes wrote and one has read is compared by test_killed_without_mercy_....
    "test_evaluate.py::test_the_same_numbers_in_one_process_and_in_two",
    "test_weka_learner.py::test_estimator_contract[WekaClassifier()-check_classifier",
    "test_weka_learner.py::test_estimator_contract[WekaClassifier()-check_estimator",
    "test_weka_learner.py::test_a_forked_child_starts_its_own",
    "test_weka_learner.py::test_memory",
    "test_weka_learner.py::test_more_models_than_the_machine_remembers",
    "test_fuzz.py::test_runs_are_counted_over_all_jobs",
    "test_fuzz.py::test_ctrl_c_prints_the_totals",
    "test_pdf.py::test_an_evaluation_has_no_time_of_printing",
    "test_running_jobs.py::test_two_tabs_a_reload_and_a_cancelled_job",
)
"""Tests that take long, and are left to ``make deep``; others come near them."""

# Tests start hundreds of programs. Where no compiled modules may be written, each would compile all of them.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
if not os.access(sysconfig.get_path("purelib"), os.W_OK):  # elsewhere, those of pip would be compiled again
    os.environ.setdefault(
        "PYTHONPYCACHEPREFIX", str(Path(__file__).parents[1] / ".pytest_cache" / "compiled")
    )


# Whoever runs tests with nohup, or in the background, has programs that ignore what these tests send them.
for _number, _handler in ((signal.SIGINT, signal.default_int_handler), (signal.SIGHUP, signal.SIG_DFL)):
    if signal.getsignal(_number) is signal.SIG_IGN:
        signal.signal(_number, _handler)


@pytest.fixture(autouse=True, scope="session")
def disks() -> Iterator[None]:
    """No disk is waited for where nothing is killed: that takes a tenth of the time, and finds nothing."""
    with pytest.MonkeyPatch.context() as patched:
        if not IS_DEEP:
            patched.setattr(os, "fsync", os.fstat)  # a file that is closed or not there fails alike
        yield


@pytest.fixture(scope="module")
def hasty_sketch() -> Iterator[None]:
    """Method ``sketch`` with 4 trees instead of 100, and dials measured once instead of ten times.

    On a dozen rows they take longer than all else, and what must hold of every release does not depend on
    how well dials were chosen.
    """
    from kanopy.algorithms.sketch import choosing, teachers

    with pytest.MonkeyPatch.context() as patched:
        if not IS_DEEP:
            patched.setattr(teachers, "_TREES", 4)
            patched.setattr(choosing, "_ENOUGH_ROWS", 1)
        yield


@pytest.fixture
def few_folds() -> Iterator[None]:
    """For a test that evaluates, and would find the same in ten folds."""
    with taking_few_folds():
        yield


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if not IS_DEEP and any(name in item.nodeid for name in LATER):
            item.add_marker(pytest.mark.skip(reason="takes long: KANOPY_DEEP=1 runs it"))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: Any, log: Any) -> Any:
    """Divide tests among processes by what they share: what a file prepares, a session of Spark, a page."""
    from xdist.scheduler import LoadScopeScheduling

    class Shared(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            file = nodeid.partition("::")[0]
            if IS_DEEP and file.endswith("test_on_clusters.py"):  # of which some start clusters of their own
                return nodeid
            if "tests/unit/web/" in file:
                return "one server and one browser"
            return "one session of Spark" if "tests/spark/" in file else file

    return Shared(config, log)
