"""``python -m benchmarks.serve``: how quick the page of ``kanopy serve`` is, and how it bears load.

Everything happens on the loopback. ``--load`` also submits 50 jobs of 10,000 rows at once, uploads 100 MB,
and makes 1,000 hostile requests.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import sys
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.measure import ROOT
from kanopy.datasets import patients, write_patients

N_ROWS = 100_000
N_JOBS, JOB_ROWS = 50, 10_000
UPLOAD = 100 << 20
N_HOSTILE = 1000


def main() -> None:
    """Measure, and print a line for each figure."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--load", action="store_true", help="also jobs, a large upload, hostile requests")
    given = parser.parse_args()
    sys.path.insert(0, str(ROOT / "tests"))  # the page is started as tests start it
    with TemporaryDirectory() as folder:
        start_time()
        click_times(Path(folder))
        if given.load:
            jobs_at_once()
            large_upload()
            hostile_requests()


def start_time() -> None:
    """The first page: after the start of the command, and after the address is printed; the best of five."""
    from web_client import serving

    whole, answered = [], []
    for _ in range(5):
        began = time.perf_counter()
        with serving() as server:
            printed = time.perf_counter()
            assert server.client
            whole.append(time.perf_counter() - began)
            answered.append(time.perf_counter() - printed)
    print(f"first page: {min(whole):.2f} s after the start of the command, {min(answered):.2f} s after the")
    print(f"  address is printed (best of 5; load of the machine {os.getloadavg()[0]:.1f})")


def click_times(folder: Path) -> None:
    """Every page and form but for jobs, with 100,000 rows."""
    from web_client import serving

    table = folder / "patients.csv"
    write_patients(patients(N_ROWS), table)
    with serving(table) as server:
        client = server.client
        began = time.perf_counter()
        work = client.table(client.get("/"))
        print(f"reading {N_ROWS:,} rows, a job: {time.perf_counter() - began:.2f} s")
        pages = [f"{work}/{step}" for step in ("table", "columns", "promise", "compare", "release")]
        clicks: dict[str, Callable[[], Any]] = {path: partial(client.get, path) for path in pages}
        for place, role in ((2, "identifiers"), (4, "sensitive"), (7, "keep"), (2, "quasi_identifiers")):
            fields = {f"role-{place}": role}
            clicks[f"role of column {place}: {role}"] = partial(client.post, f"{work}/columns", fields)
        clicks["k = 12"] = lambda: client.post(f"{work}/promise", {"k": "12"})
        clicks["policy.toml"] = lambda: client.get(f"{work}/policy.toml")
        for name, click in clicks.items():
            began = time.perf_counter()
            answer = click()
            assert answer.status == 200, answer.seen()
            print(f"  {name.rpartition('/')[2]}: {time.perf_counter() - began:.3f} s")


def _memory(process: int) -> dict[str, int]:
    """Resident bytes of a process, and of it with all its children."""
    children: dict[int, list[int]] = {}
    sizes = {}
    for place in Path("/proc").glob("[0-9]*"):
        try:
            said = (place / "stat").read_text().rpartition(")")[2].split()
            pages = int((place / "statm").read_text().split()[1])
        except OSError:
            continue
        children.setdefault(int(said[1]), []).append(int(place.name))
        sizes[int(place.name)] = pages * os.sysconf("SC_PAGE_SIZE")
    family, waiting = 0, [process]
    while waiting:
        each = waiting.pop()
        family += sizes.get(each, 0)
        waiting += children.get(each, [])
    return {"server": sizes.get(process, 0), "all": family}


class _Watch:
    """The most memory that was used while something happened."""

    def __init__(self, process: int) -> None:
        self.most = {"server": 0, "all": 0}
        self._process, self._ends = process, threading.Event()
        self._thread = threading.Thread(target=self._look)

    def __enter__(self) -> _Watch:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ends.set()
        self._thread.join()

    def _look(self) -> None:
        while not self._ends.wait(0.1):
            for name, size in _memory(self._process).items():
                self.most[name] = max(self.most[name], size)


def jobs_at_once() -> None:
    """Fifty browsers, each with a table of its own, each makes a release: none sees another's rows."""
    from web_client import Client, serving

    with TemporaryDirectory() as folder, serving() as server, _Watch(server.process.pid) as watch:
        clients, began = [server.client for _ in range(N_JOBS)], time.perf_counter()
        outcomes: dict[int, str] = {}

        def one(number: int, client: Client) -> None:
            place = Path(folder) / f"{number}.csv"
            write_patients(patients(JOB_ROWS, number), place)
            # A mark that is in every row of this table, and in no other.
            raw = (
                place.read_bytes()
                .replace(b"\n", f",mark{number:03}\n".encode())
                .replace(b",mark", b",tag_", 1)
            )
            client.get("/?new=1")
            work = client.table(client.upload("patients.csv", raw))
            page = client.get(f"{work}/columns")
            tag = re.search(r">tag_\d+<.*?name=\"role-(\d+)\"", page.text, re.DOTALL)
            assert tag
            client.post(f"{work}/columns", {f"role-{tag.group(1)}": "keep"})
            seen = re.search(r'name="seen" value="(\w+)"', client.get(f"{work}/release").text)
            assert seen
            client.post(f"{work}/release", {"seen": seen.group(1), "output": "release.csv"})
            page = client.waited(f"{work}/release")
            marks = set(re.findall(rb"mark\d{3}", client.get(f"{work}/files/0").body))
            outcomes[number] = "right" if marks == {f"mark{number:03}".encode()} else page.seen()[:200]

        threads = [threading.Thread(target=one, args=each) for each in enumerate(clients)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        n_right = sum(outcome == "right" for outcome in outcomes.values())
        took, most = time.perf_counter() - began, watch.most
        print(f"{N_JOBS} tables of {JOB_ROWS:,} rows at once: {n_right} releases, each of its own rows,")
        print(f"  in {took:.0f} s (load of the machine {os.getloadavg()[0]:.1f})")
        print(f"  most memory: server {most['server'] >> 20} MB, with its jobs {most['all'] >> 20} MB")
        for number, outcome in outcomes.items():
            if outcome != "right":
                print(f"  {number}: {outcome}")


def large_upload() -> None:
    """100 MB stream to the disk; the memory of the server before and while it happens."""
    from web_client import serving

    with serving() as server:
        client = server.client
        client.get("/?new=1")
        line = b"20,f,y,some words that make the line long\n"
        content = b"age,sex,ill,note\n" + line * (UPLOAD // len(line))
        time.sleep(3)  # until it has loaded what later pages need
        before = _memory(server.process.pid)["server"]
        with _Watch(server.process.pid) as watch:
            began = time.perf_counter()
            client.upload("large.csv", content)
            took = time.perf_counter() - began
        most = watch.most["server"]
        memory = f"server {before >> 20} MB before, {most >> 20} MB at most"
        print(f"upload of {UPLOAD >> 20} MB: {took:.1f} s, {memory}")


def hostile_requests() -> None:
    """Paths, hosts, origins, tokens, cookies and bodies: none gets in, and answers are plain words."""
    from web_client import Client, serving

    with serving() as server:
        client = server.client
        client.get("/?new=1")
        work = client.table(client.upload("", b"", demo="1"))
        before = client.get(f"{work}/policy.toml").body
        statuses: dict[int, int] = {}
        for method, path, body, headers, cookie in _hostile(client, work):
            # Who knows no secret path asks without, every second one with it.
            guest = Client(
                client.host, client.port, "" if sum(statuses.values()) % 2 else client.base, cookie
            )
            answer = guest.request(method, path, body, headers)
            statuses[answer.status] = statuses.get(answer.status, 0) + 1
            wrong = answer.status < 400 or b"Traceback" in answer.body or b"P000" in answer.body
            assert not wrong, (method, path, headers, answer.status)
        assert client.get(f"{work}/policy.toml").body == before
        said = sorted(statuses.items())
        print(f"{sum(statuses.values()):,} hostile requests: none got in, no traceback; answers {said}")


def _hostile(client: Any, work: str) -> Iterator[tuple[str, str, bytes | None, dict[str, str], str]]:
    rng = random.Random(0)
    own, port = f"http://{client.host}:{client.port}", client.port
    paths = [
        f"{work}/table",
        f"{work}/files/0",
        "/",
        "/?token=x",
        f"{work}/policy.toml",
        f"{work}/events/read",
    ]
    odd = ["/..%2f..%2fetc/passwd", "/static/..%2f..%2fguard.py", f"{work}/../../x", "/%00", "/" + "a" * 5000]
    name = f"kanopy-{port}="
    cookies = ["", f"{name}x", name + "A" * 43, client.cookie[:-1], f"{name};{name}", "x" * 3000]
    hosts = ["evil.example", f"evil.example:{port}", "127.0.0.1", f"127.0.0.1:{port}.evil.example", "[::1]"]
    origins = ["null", "http://evil.example", f"{own}.evil.example", "https://127.0.0.1", "file://", ""]
    bodies = [
        b"",
        b"csrf=x",
        b"\xff" * 500,
        b"csrf=" + client.csrf[:-1].encode(),
        b"&" * 3000,
        b"a=1&" * 2000,
    ]
    form = {"Content-Type": "application/x-www-form-urlencoded", "Origin": own}
    for number in range(N_HOSTILE):
        pick = rng.choice
        if number % 5 == 0:
            yield "GET", pick(paths), None, {}, pick(cookies)
        elif number % 5 == 1:
            yield "GET", pick(paths), None, {"Host": pick(hosts), "Cookie": client.cookie}, ""
        elif number % 5 == 2:
            sent = {
                **form,
                "Origin": pick(origins),
                "Sec-Fetch-Site": pick(["cross-site", "same-site", "none"]),
            }
            yield "POST", f"{work}/columns", f"csrf={client.csrf}&role-2=keep".encode(), sent, client.cookie
        elif number % 5 == 3:
            path = pick(
                [f"{work}/columns", f"{work}/release", f"{work}/promise", f"{work}/read/cancel", "/new"]
            )
            yield "POST", path, pick(bodies), form, client.cookie
        else:
            yield pick(["GET", "PUT", "DELETE", "PATCH", "OPTIONS"]), pick(odd), None, {}, client.cookie


if __name__ == "__main__":
    main()
