"""A running ``kanopy serve``, and a client that speaks to it as a browser without scripts does."""

from __future__ import annotations

import http.client
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from html import unescape
from typing import Any
from urllib.parse import urlencode, urlsplit

from command import PATIENCE

LAUNCH = "from kanopy.cli.start import run; run()"


@dataclass(frozen=True, slots=True)
class Answer:
    """A status, headers in small letters, and the body."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode("utf-8", "replace")

    def seen(self) -> str:
        """What a reader sees, without markup."""
        return " ".join(unescape(re.sub(r"<[^>]*>", " ", self.text)).split())


@dataclass
class Client:
    """One browser: it keeps its cookie, and reads the token of forms from the page.

    Paths are told as those below the secret with which all its pages begin (``base``).
    """

    host: str
    port: int
    base: str = ""
    cookie: str = ""
    csrf: str = ""
    origin: str = field(default="")

    def request(
        self, method: str, path: str, body: bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> Answer:
        """One request as it is, with the cookie and no redirection."""
        connection = http.client.HTTPConnection(self.host, self.port, timeout=PATIENCE)
        own = {"Host": f"{self.host}:{self.port}", "Cookie": self.cookie} if self.cookie else {}
        try:
            connection.request(method, self.base + path, body, {**own, **(headers or {})})
            found = connection.getresponse()
            raw = found.read()
        finally:
            connection.close()
        answer = Answer(found.status, {name.lower(): value for name, value in found.getheaders()}, raw)
        if "set-cookie" in answer.headers:
            self.cookie = answer.headers["set-cookie"].partition(";")[0]
        if "location" in answer.headers:
            assert answer.headers["location"].startswith(f"{self.base}/")
            answer.headers["location"] = answer.headers["location"].removeprefix(self.base)
        return answer

    def open(self, address: str) -> Answer:
        """The printed address, or that in the file for the browser, and what it leads to itself."""
        place = urlsplit(address)
        path = f"{place.path}?{place.query}"
        self.base, _, rest = path.rpartition("/")
        first = self.get(f"/{rest}")
        found = re.search(r'http-equiv="refresh" content="0; url=([^"]+)"', first.text)
        return self.get(unescape(found.group(1)).removeprefix(self.base)) if found else first

    def get(self, path: str) -> Answer:
        """A page, redirections followed."""
        answer = self.request("GET", path)
        while answer.status == 303:
            answer = self.request("GET", answer.headers["location"])
        if found := re.search(r'name="csrf" value="([^"]+)"', answer.text):
            self.csrf = found.group(1)
        return answer

    def post(self, path: str, fields: Mapping[str, object] | list[tuple[str, object]]) -> Answer:
        """A form; where it leads to is loaded."""
        pairs = list(fields.items()) if isinstance(fields, Mapping) else list(fields)
        body = urlencode([("csrf", self.csrf), *pairs]).encode()
        return self._followed(self.send(path, body, "application/x-www-form-urlencoded"))

    def send(self, path: str, body: bytes, kind: str) -> Answer:
        """A body from our own page."""
        origin = {"Origin": f"http://{self.host}:{self.port}", "Content-Type": kind}
        return self.request("POST", path, body, origin)

    def upload(self, name: str, content: bytes, **fields: str) -> Answer:
        """A form with a file."""
        parts = [("csrf", self.csrf), *fields.items()]
        body = b"".join(
            b'--edge\r\nContent-Disposition: form-data; name="%s"\r\n\r\n%s\r\n' % (n.encode(), v.encode())
            for n, v in parts
        )
        if name:
            body += (
                b'--edge\r\nContent-Disposition: form-data; name="file"; filename="%s"\r\n' % name.encode()
            )
            body += b"Content-Type: text/csv\r\n\r\n" + content + b"\r\n"
        return self._followed(self.send("/new", body + b"--edge--\r\n", "multipart/form-data; boundary=edge"))

    def _followed(self, answer: Answer) -> Answer:
        return self.get(answer.headers["location"]) if answer.status == 303 else answer

    def work(self, answer: Answer) -> str:
        """The address of the piece of work that a page belongs to."""
        found = re.search(rf'href="{self.base}(/w/[^/"]+)/table"', answer.text)
        assert found, answer.seen()[:500]
        return found.group(1)

    def waited(self, path: str) -> Answer:
        """A page, once its job has ended: the stream of events that it names ends then."""
        while found := re.search(rf'data-events="{self.base}([^"]+)"', (answer := self.get(path)).text):
            events(self, found.group(1))
        return answer

    def table(self, answer: Answer) -> str:
        """Wait until the table of a new piece of work is read, and return its address."""
        work = self.work(answer)
        self.waited(f"{work}/table")
        return work


@dataclass
class Server:
    """A process and where it listens."""

    process: subprocess.Popen[str]
    address: str
    said: list[str]

    @property
    def client(self) -> Client:
        """A browser that has opened the printed address."""
        place = urlsplit(self.address)
        assert place.hostname
        assert place.port
        made = Client(place.hostname, place.port)
        answer = made.open(self.address)
        assert answer.status == 200, answer.seen()
        self.address = self.line(r"for another browser: (\S+)")
        return made

    def line(self, pattern: str) -> str:
        """What the next line that fits says."""
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.said.append(line)
            if found := re.search(pattern, line):
                return found.group(1)
        raise AssertionError("".join(self.said))


@contextmanager
def serving(
    *arguments: str | os.PathLike[str],
    env: Mapping[str, str] | None = None,
    prelude: str = "",
    opens_browser: bool = False,
) -> Iterator[Server]:
    """Start the page, and stop it afterwards; ``prelude`` is Python that is run in its process first."""
    launch = f"{prelude}\n{LAUNCH}"
    options = [] if opens_browser else ["--no-browser"]
    command = [sys.executable, "-c", launch, "serve", *options, *map(os.fspath, arguments)]
    streams: Any = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, "text": True}
    process = subprocess.Popen(command, env=os.environ | dict(env or {}), **streams)
    server = Server(process, "", [])
    try:
        server.address = server.line(r"serve +open (\S+)")
        yield server
    finally:
        process.terminate()
        process.wait(timeout=PATIENCE)
        assert process.stderr is not None
        server.said += process.stderr.readlines()
        process.stderr.close()


def told(client: Client, path: str) -> Iterator[dict[str, object]]:
    """What a stream of events tells, as it comes, until the stream ends."""
    connection = http.client.HTTPConnection(client.host, client.port, timeout=PATIENCE)
    connection.request("GET", client.base + path, headers={"Cookie": client.cookie})
    end = time.monotonic() + PATIENCE
    try:
        with connection.getresponse() as stream:
            for line in stream:  # also where nothing happens: a sign of life every ten seconds
                assert time.monotonic() < end, f"{path} does not end"
                if line.startswith(b"data: "):
                    yield json.loads(line[6:])
    finally:
        connection.close()


def events(client: Client, path: str) -> list[dict[str, object]]:
    """Everything that a stream of events tells."""
    return list(told(client, path))
