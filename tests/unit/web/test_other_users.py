"""Another user of the same machine: reads every command line, opens ports, and gets nothing."""

from __future__ import annotations

import os
import re
import stat
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import urlsplit

import pytest
from chromium import browser, why_not
from command import PATIENCE, until
from web_browser import every, one, opened, press
from web_browser import until as soon
from web_client import Client, Server, serving, told

BROWSER = """
import os, sys
from pathlib import Path
lines = [place.read_bytes() for place in Path("/proc").glob("[0-9]*/cmdline") if os.access(place, os.R_OK)]
Path(sys.argv[1], "seen").write_bytes(b"\\n".join(lines))
Path(sys.argv[1], "opened.new").write_text(sys.argv[2], "utf-8")
Path(sys.argv[1], "opened.new").rename(Path(sys.argv[1], "opened"))
"""
"""In place of a browser: tells what it was started with, and every command line that others see then."""


def other_browser(client: Client) -> Client:
    return Client(client.host, client.port)


def secrets_of(address: str) -> list[str]:
    """The secret path and the token of an address."""
    found = re.fullmatch(r"https?://[^/]+/(\w+)/\?token=(\w+)", address)
    assert found, address
    return list(found.groups())


def address_in(file: str) -> str:
    """Where the file for the browser leads to."""
    found = re.search(r'content="0; url=([^"]+)"', Path(urlsplit(file).path).read_text("utf-8"))
    assert found
    return found[1]


@pytest.fixture
def started(tmp_path: Path) -> Iterator[tuple[Server, Path]]:
    """A page that was opened in a browser by itself, and the folder where that tells what it saw."""
    folder = tmp_path / "browser"
    folder.mkdir()
    (folder / "browser.py").write_text(BROWSER, "utf-8")
    env = {"BROWSER": f"'{sys.executable}' '{folder / 'browser.py'}' '{folder}' %s"}
    with serving(env=env | {"TMPDIR": str(tmp_path)}, opens_browser=True) as server:
        until((folder / "opened").exists)
        yield server, folder


def test_no_command_line_tells_how_to_open_the_page(started: tuple[Server, Path]) -> None:
    """A private file is opened instead."""
    server, folder = started
    file = (folder / "opened").read_text("utf-8")
    for secret in secrets_of(server.address):
        assert secret not in file
        assert secret.encode() not in (folder / "seen").read_bytes()
    place = Path(urlsplit(file).path)
    assert stat.S_IMODE(place.stat().st_mode) == 0o600
    assert stat.S_IMODE(place.parent.stat().st_mode) == 0o700
    assert address_in(file) == server.address
    client = Client(str(urlsplit(server.address).hostname), int(urlsplit(server.address).port or 0))
    assert "Choose a table" in client.open(address_in(file)).text
    # The same browser again: the same tab was opened twice, or the printed address was opened, too.
    assert "Choose a table" in client.open(server.address).text


def test_an_address_that_is_opened_twice_ends_for_both_browsers(server: Server) -> None:
    """Nobody can say which of the two is somebody else: the terminal and both pages tell it."""
    address = server.address
    client = server.client
    work = client.table(client.upload("", b"", demo="1"))
    other = other_browser(client)
    answer = other.open(address)
    assert answer.status == 410
    assert "used twice" in answer.seen()
    assert "somebody else" in answer.seen()
    assert not other.cookie
    for path in (
        f"{work}/table",
        f"{work}/release",
        f"{work}/policy.toml",
        f"{work}/events/read",
        "/",
        "/?new=1",
    ):
        answer = client.get(path)
        assert (answer.status, "used twice" in answer.seen()) == (410, True)
        assert "patient" not in answer.text
    assert client.post("/new", {}).status == 410
    assert other.open(address).status == 410  # and is not told in the terminal again and again
    server.line("(an address was used twice)")
    assert server.line(r"to go on: (\S+)") == server.address
    after = server.client
    assert "Choose a table" in after.get("/").text
    assert work not in after.get("/").text
    assert after.get(f"{work}/table").status == 404


def test_who_redeems_it_first_is_found_out_by_the_second(server: Server) -> None:
    address = server.address
    thief = server.client
    assert thief.get("/").status == 200
    custodian = other_browser(thief)
    assert custodian.open(address).status == 410
    assert thief.get("/").status == 410
    server.line("(an address was used twice)")


def test_jobs_of_a_page_that_has_ended_end(tmp_path: Path) -> None:
    (tmp_path / "waiting_worker.py").write_text(f"import time; time.sleep({PATIENCE})", "utf-8")
    prelude = "from kanopy.web import jobs; jobs.WORKER = 'waiting_worker'"
    with serving(env={"PYTHONPATH": str(tmp_path)}, prelude=prelude) as server:
        address, client = server.address, server.client
        work = client.work(client.upload("", b"", demo="1"))
        states = told(client, f"{work}/events/read")
        assert next(states)["state"] in ("waiting", "running")
        other_browser(client).open(address)
        assert [state["state"] for state in states][-1] == "cancelled"


def test_who_does_not_know_the_path_learns_nothing(client: Client, demo: str) -> None:
    """Not even that it is kanopy that listens there; with the cookie neither."""
    guest = Client(client.host, client.port, "", client.cookie)
    paths = ["/", "/?token=x", "/static/page.css", "/favicon.ico", f"{demo}/table", "/new", "/" + "a" * 5000]
    paths += [
        f"/{client.base[1:-1]}/",
        f"{client.base}x/",
        f"/x{client.base}/",
        f"//{client.base[1:]}/",
        "/%ff/",
    ]
    for method in ("GET", "HEAD", "POST", "PUT"):
        for path in paths:
            answer = guest.request(method, path, headers={"Host": "evil.example"} if "new" in path else None)
            assert (answer.status, answer.text) == (404, "" if method == "HEAD" else "not found\n")
            assert "set-cookie" not in answer.headers
            assert "kanopy" not in str(answer.headers)


def test_the_cookie_is_of_one_path_and_one_port(server: Server) -> None:
    client, address = other_browser(server.client), server.address
    place = urlsplit(address)
    client.base = f"/{place.path.split('/')[1]}"
    asked = client.request("GET", f"/?{place.query}")
    assert (asked.status, "set-cookie" in asked.headers) == (200, False)
    let_in = client.request("GET", f"/open?{place.query}")
    assert (let_in.status, let_in.headers["location"]) == (303, "/")
    said = let_in.headers["set-cookie"].lower()
    assert said.startswith(f"kanopy-{client.port}=")
    assert {"httponly", "samesite=strict", f"path={client.base}"} < set(said.split("; "))
    server.address = server.line(r"for another browser: (\S+)")
    # A cookie of the same name that a server on another port has set stands beside ours, in any order.
    name, own = client.cookie.split("=")
    for cookie in (f"{name}=x; {name}={own}", f"{name}={own}; {name}=x", f"{name}=;{name}={own}"):
        client.cookie = cookie
        assert client.request("GET", "/?new=1").status == 200
    # The session of one browser opens no page of another one.
    another = server.client
    another.cookie = f"{name}={own}"
    assert another.request("GET", "/?new=1").status == 403


def test_a_log_that_others_can_read_names_a_private_file(tmp_path: Path) -> None:
    from kanopy.cli.serve import _is_readable

    for mode, is_readable in ((0o600, False), (0o640, True), (0o604, True), (0o622, False)):
        log = tmp_path / f"{mode}.log"
        with log.open("w") as stream:
            log.chmod(mode)
            assert _is_readable(stream) == is_readable
    reader, writer = os.pipe()
    with open(reader), open(writer, "w") as pipe:  # noqa: PTH123
        assert not _is_readable(pipe)
    prelude = "import kanopy.cli.serve as command; command._is_readable = lambda stream: True"
    with serving(prelude=prelude) as server:
        file = server.address
        assert file.startswith("file:///")
        address = address_in(file)
        client = Client(str(urlsplit(address).hostname), int(urlsplit(address).port or 0))
        assert "Choose a table" in client.open(address).text
        second = server.line(r"for another browser: (\S+)")
        assert second != file
        assert second.startswith("file:///")
        assert other_browser(client).open(address).status == 410
        assert server.line(r"to go on: (\S+)").startswith("file:///")
    assert not any(secret in "".join(server.said) for secret in secrets_of(address))


# --- In a browser ----------------------------------------------------------------------------------------


class Listening(BaseHTTPRequestHandler):
    """The server of another user, on another port: remembers the cookies that it is sent."""

    cookies: list[str]

    def do_GET(self) -> None:
        """Take what is sent, and answer something."""
        self.cookies.append(self.headers.get("Cookie", ""))
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"<title>thanks</title>")

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@pytest.mark.skipif(bool(why_not()), reason=why_not())
def test_a_browser_that_opens_the_file_is_let_in_and_hands_its_cookie_to_no_other_port(
    started: tuple[Server, Path], server: Server
) -> None:
    """Two pages side by side in one browser; one tab opened twice; one click on a link of another user."""
    page, folder = started
    file = (folder / "opened").read_text("utf-8")
    with browser() as driver, HTTPServer(("127.0.0.1", 0), Listening) as listening:
        driver.get(file)
        soon(lambda: every(driver, "main"))
        assert "Choose a table" in driver.title
        first = driver.current_url
        press(driver, "input[name=demo] ~ p button")
        driver.switch_to.new_window("tab")
        driver.get(file)
        soon(lambda: "Open tables" in one(driver, "main").text)
        assert driver.current_url == first
        opened(driver, server)  # another page, of the same browser
        assert driver.current_url.split("/")[2] != first.split("/")[2]
        for address in (first, driver.current_url):
            driver.get(address)
            assert "Choose a table" in driver.title
        Listening.cookies = []
        Thread(target=listening.handle_request, daemon=True).start()
        driver.execute_script(  # a link in a message of that user, say: same-site, whatever the port
            "const link = document.createElement('a'); link.href = arguments[0]; link.textContent = 'look';"
            "document.querySelector('main').prepend(link); link.click()",
            f"http://127.0.0.1:{listening.server_port}/",
        )
        soon(lambda: driver.title == "thanks")
        assert Listening.cookies == [""]
        # Somebody has got at the address all the same, and has another browser: the page says so by itself.
        driver.get(first)
        place = urlsplit(first)
        assert Client(str(place.hostname), int(place.port or 0)).open(address_in(file)).status == 410
        driver.execute_script("document.dispatchEvent(new Event('visibilitychange'))")
        soon(lambda: "used twice" in one(driver, "main").text)
    page.line("(an address was used twice)")
