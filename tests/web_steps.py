"""The five steps of the page as a browser without scripts goes them: forms, and what the pages show."""

from __future__ import annotations

import re

from web_client import Answer, Client

EPOCH = "1700000000"
"""The moment at which the page of the tests makes its releases."""

PEOPLE = "age,sex,ill\n" + "".join(f"{20 + n % 40},{'fm'[n % 2]},{'yn'[n % 3 == 0]}\n" for n in range(300))


def brought(client: Client, name: str, content: bytes) -> Answer:
    """What is shown once a table was brought, whether it could be read or not."""
    client.get("/?new=1")
    answer = client.upload(name, content)
    return client.waited(f"{client.work(answer)}/table") if answer.status == 200 else answer


def as_drafted(client: Client, work: str) -> str:
    """A piece of work with nothing decided but the promise, whatever was decided before."""
    client.get("/?new=1")
    client.post(f"{work}/columns", {"again": "1"})
    client.post(f"{work}/compare", {"take": "mondrian 10"})
    page = client.post(f"{work}/promise", {"k": "10"})
    assert page.status == 200, page.seen()
    return work


def place_of(client: Client, work: str, column: str) -> int:
    """The number of a column on the page."""
    text = client.get(f"{work}/columns").text
    lines = re.findall(r"<li class=\"column.*?</li>", text, re.DOTALL)
    return next(
        int(re.search(r'name="role-(\d+)"', line).group(1)) for line in lines if f">{column}<" in line
    )


def released(client: Client, work: str, **more: object) -> Answer:
    """Make the release that the page shows."""
    page = client.get(f"{work}/release")
    seen = re.search(r'name="seen" value="(\w+)"', page.text)
    assert seen
    client.post(f"{work}/release", {"seen": seen.group(1), "output": "release.csv", **more})
    return client.waited(f"{work}/release")


def files(client: Client, work: str) -> dict[str, bytes]:
    """Everything that can be downloaded."""
    page = client.get(f"{work}/release").text
    found = {}
    for place, name in re.findall(r'/files/(\d+)" download>([^<]+)<', page):
        answer = client.get(f"{work}/files/{place}")
        assert answer.headers["content-disposition"].startswith("attachment")
        found[name] = answer.body
    return found


def cells_of(page: Answer, caption: str) -> list[dict[str, str]]:
    """The rows of a table of the page."""
    (found,) = re.findall(rf"<caption>{caption}.*?</table>", page.text, re.DOTALL)
    names = re.findall(r"<th scope=\"col\"><bdi>(.*?)</bdi>", found)
    rows = re.findall(r"<tr>(<td>.*?)</tr>", found, re.DOTALL)
    return [dict(zip(names, re.findall(r"<td><(?:bdi|em[^>]*)>(.*?)</", row), strict=True)) for row in rows]
