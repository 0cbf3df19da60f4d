"""A program: makes a release on a cluster that it starts, and kills one of its processes where that is asked.

``on_a_cluster.py FILE FOLDER MASTER [worker] [executor] [driver]``
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Any

from spark_tables import policy

import kanopy
from kanopy.engines.spark import divided, release

SETTINGS = {
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    "spark.executor.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.memory": "1g",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.log.level": "OFF",
    "spark.sql.shuffle.partitions": "1",
    "spark.default.parallelism": "2",
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
}


def session(master: str) -> Any:
    """By Spark Connect: a server on the loopback, whose executors may be processes of their own."""
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.remote(master)
    if master.startswith("sc://"):  # there is one, and it has its settings
        return builder.getOrCreate()
    for name, value in SETTINGS.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


def processes(text: str) -> list[int]:
    """Those whose command line holds a text, the youngest last."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and text in (entry / "cmdline").read_bytes().decode("utf-8", "replace"):
                found.append(int(entry.name))
        except OSError:
            continue
    return sorted(found)


def mine(text: str) -> list[int]:
    """The same, started by this program, by who started it, or by what they have started."""
    roots = (1, os.getpid(), os.getppid())

    def is_mine(process: int) -> bool:
        while process not in roots:
            try:
                process = int(
                    (Path("/proc") / str(process) / "stat").read_text().rpartition(")")[2].split()[1]
                )
            except OSError:
                return False
        return process != 1

    return [process for process in processes(text) if is_mine(process)]


def kill_workers(killed: list[str]) -> None:
    """Kill the Python workers once, as soon as a task runs in one."""
    decider = divided.SparkDivider.subtrees

    def subtrees(self: Any, *given: Any) -> Any:
        def kill() -> None:
            deadline = time.monotonic() + 600
            while time.monotonic() < deadline:
                if workers := mine("pyspark.daemon"):
                    os.kill(workers[-1], signal.SIGKILL)
                    killed.append("worker")
                    return
                time.sleep(0.005)

        if killed:  # once is enough
            return decider(self, *given)
        thread = threading.Thread(target=kill)
        thread.start()
        found = list(decider(self, *given))
        thread.join()
        return iter(found)

    divided.SparkDivider.subtrees = subtrees  # type: ignore[method-assign]


def kill_while_writing(killed: list[str], who: str) -> None:
    """Kill an executor, or this program, as soon as Spark has begun to write."""
    write = release.write_parts

    def write_parts(frame: Any, target: str, suffix: str) -> None:
        folder = Path(target.removeprefix("file://"))

        def kill() -> None:
            while not folder.exists():
                time.sleep(0.002)
            time.sleep(0 if who == "executor" else 0.05)
            victims = mine("CoarseGrainedExecutorBackend") if who == "executor" else [os.getpid()]
            os.kill(victims[-1], signal.SIGKILL)
            killed.append(who)

        thread = threading.Thread(target=kill)
        thread.start()
        write(frame, target, suffix)
        thread.join()

    release.write_parts = write_parts


def main(file: str, folder: str, master: str, *victims: str) -> None:
    killed: list[str] = []
    opened = session(master)
    limit = {}
    if "worker" in victims:
        divided.NODE_ROWS, limit = 800, {"tuple_limit": 50}
        kill_workers(killed)
    if "executor" in victims:
        kill_while_writing(killed, "executor")
    frame = opened.read.parquet(file)
    made = kanopy.anonymize(frame, policy(keep=["ward"]), **limit)
    made.write(folder, form="csv", parts=3)
    told = {"killed": killed, "is_remote": type(frame).__module__.startswith("pyspark.sql.connect")}
    print(json.dumps(told), flush=True)
    if "driver" in victims:
        kill_while_writing(killed, "driver")
        made.write(f"{folder}2", form="csv", parts=3)
    opened.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
