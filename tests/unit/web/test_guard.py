"""No request of another site or program gets in; every answer has its headers; no error shows anything."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from web_client import Client, Server

from kanopy.errors import PolicyError
from kanopy.web.keys import Keys, Session
from kanopy.web.server import check_settings
from kanopy.web.settings import Settings
from kanopy.web.site import own_hosts

HEADERS = {
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
}


def stranger(client: Client) -> Client:
    """Another browser, which knows the secret with which the paths of this one begin, but has no cookie."""
    return Client(client.host, client.port, client.base)


def test_every_answer_carries_the_headers(client: Client) -> None:
    answers = [
        client.get("/?new=1"),
        stranger(client).get("/"),
        client.get("/no"),
        client.get("/static/page.css"),
    ]
    for answer in answers:
        assert HEADERS.items() <= answer.headers.items()
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert "server" not in answer.headers
    assert [answer.status for answer in answers] == [200, 403, 404, 200]


@pytest.mark.parametrize("token", ["", "x", "%00", "a" * 5000])
def test_a_wrong_token_opens_nothing(client: Client, token: str) -> None:
    assert stranger(client).get(f"/?token={token}").status == 403


@pytest.mark.parametrize("cookie", ["", "OWN=", "OWN=x", "OWN=%00", "other=1", "\x01;;="])
def test_without_the_cookie_nothing_is_shown(client: Client, demo: str, cookie: str) -> None:
    guest = stranger(client)
    guest.cookie = cookie.replace("OWN", f"kanopy-{client.port}")
    for path in (f"{demo}/table", f"{demo}/files/0", f"{demo}/policy.toml", f"{demo}/events/read"):
        answer = guest.get(path)
        assert answer.status == 403
        assert "patient" not in answer.text


def test_a_browser_does_not_see_the_work_of_another(server: Server, demo: str) -> None:
    other = server.client
    for path in (f"{demo}/table", f"{demo}/release", f"{demo}/policy.toml"):
        assert other.get(path).status == 404
    assert demo not in other.get("/?new=1").text


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "127.0.0.1:1", "localhost.evil.example", ""])
def test_other_names_of_this_machine_are_not_answered(client: Client, host: str) -> None:
    answer = client.request("GET", "/?new=1", headers={"Host": host, "Cookie": client.cookie})
    assert answer.status in (400, 421)
    assert "csrf" not in answer.text


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Origin": "null"},
        {"Origin": "http://evil.example"},
        {"Origin": "null", "Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "none"},
        {"Origin": "OWN", "Sec-Fetch-Site": "cross-site"},
    ],
)
def test_forms_of_other_sites_change_nothing(client: Client, demo: str, headers: dict[str, str]) -> None:
    client.get("/?new=1")
    own = f"http://{client.host}:{client.port}"
    sent = {name: value.replace("OWN", own) for name, value in headers.items()}
    sent["Content-Type"] = "application/x-www-form-urlencoded"
    body = f"csrf={client.csrf}&role-2=identifiers".encode()
    assert client.request("POST", f"{demo}/columns", body, sent).status == 403


def test_our_own_form_without_an_origin_is_taken(client: Client, demo: str) -> None:
    client.get("/?new=1")
    sent = {
        "Origin": "null",
        "Sec-Fetch-Site": "same-origin",
        "Content-Type": "application/x-www-form-urlencoded",
    }
    assert client.request("POST", f"{demo}/columns", f"csrf={client.csrf}".encode(), sent).status == 303


@pytest.mark.parametrize("token", ["", "x", "other"])
def test_a_form_needs_the_token_of_the_page(server: Server, client: Client, demo: str, token: str) -> None:
    wrong = replace(client, csrf=server.client.csrf if token == "other" else token)
    assert wrong.post(f"{demo}/columns", {"role-2": "identifiers"}).status == 403


@pytest.mark.parametrize("method", ["PUT", "DELETE", "OPTIONS", "TRACE", "PATCH"])
def test_other_methods_are_refused(client: Client, method: str) -> None:
    assert client.request(method, "/").status == 405


@pytest.mark.parametrize(
    "path",
    [
        *("/static/../server.py", "/static/%2e%2e/guard.py", "/static/..%2fguard.py", "/static//etc/passwd"),
        *("/w/x/table", "/w/../../etc/passwd", "/%00", "/w/%ff/table", "/docs", "/openapi.json"),
    ],
)
def test_unknown_addresses_lead_nowhere(client: Client, path: str) -> None:
    answer = client.request("GET", path)
    assert answer.status in (400, 404)
    assert "Traceback" not in answer.text
    assert "root:" not in answer.text


@pytest.mark.parametrize("place", ["../policy.toml", "99", "-1", "x", "0/../../x"])
def test_no_other_file_can_be_downloaded(client: Client, demo: str, place: str) -> None:
    assert client.request("GET", f"{demo}/files/{place}").status in (400, 404)


def test_bodies_that_are_no_forms_are_refused(client: Client, demo: str) -> None:
    client.get("/?new=1")
    kinds = (
        "application/json",
        "text/plain",
        "multipart/form-data; boundary=x",
        "application/x-www-form-urlencoded",
    )
    for kind in kinds:
        answer = client.send(f"{demo}/columns", b"\xff\xfe{", kind)
        assert answer.status in (400, 403)
        assert "Traceback" not in answer.text
    huge = b"csrf=" + client.csrf.encode() + b"&x=" + b"y" * (1 << 20)
    assert client.send(f"{demo}/columns", huge, "application/x-www-form-urlencoded").status == 400


def test_tokens_are_compared_and_used_up() -> None:
    told, ended = list[Session](), list[Session]()
    keys = Keys()
    keys.tell_next, keys.tell_end = told.append, ended.append
    first = keys.next
    assert not first.is_opened_by("x")
    assert first.is_opened_by(first.token)
    assert not first.is_of([""])
    keys.redeem(first)
    assert first.is_of(["", "x", first.cookie])
    assert told == [keys.next]
    assert keys.next is not first
    assert keys.below(f"/{first.segment}/w") is first
    assert keys.below(f"/{first.segment}") is first
    for path in (
        "",
        "/",
        "/x",
        f"{first.segment}/",
        f"/{first.segment}x/",
        f"//{first.segment}/",
        "/\udcff/",
    ):
        assert keys.below(path) is None
    assert ended == []
    keys.redeem(first)
    assert (ended, told) == ([first], [keys.next])


def test_another_address_needs_a_word_and_a_certificate(tmp_path: Path) -> None:
    with pytest.raises(PolicyError, match="others could reach"):
        check_settings(Settings(host="0.0.0.0"), others=False)
    with pytest.raises(PolicyError, match="encrypted"):
        check_settings(Settings(host="192.0.2.1"), others=True)
    files = tuple(str(tmp_path / name) for name in ("cert.pem", "key.pem"))
    with pytest.raises(PolicyError, match="does not exist"):
        check_settings(Settings(host="192.0.2.1", tls=files), others=True)
    for name in files:
        Path(name).touch()
    check_settings(Settings(host="192.0.2.1", tls=files), others=True)
    check_settings(Settings(), others=False)
    with pytest.raises(PolicyError, match="name or address"):
        check_settings(Settings(host="0.0.0.0", tls=files), others=True)


def test_hosts_are_those_of_the_settings() -> None:
    assert own_hosts(Settings(), 8000) == {"127.0.0.1:8000", "localhost:8000", "[::1]:8000"}
    assert own_hosts(Settings(host="page.example", tls=("a", "b")), 443) == {
        "page.example:443",
        "page.example",
    }


def test_no_page_needs_anything_from_elsewhere(client: Client, demo: str) -> None:
    for step in ("table", "columns", "promise", "compare", "release"):
        text = client.get(f"{demo}/{step}").text
        links = re.findall(r'(?:src|href|action)="([^"]*)"', text)
        assert links
        assert all(link.startswith((f"{client.base}/", "#")) for link in links)
        assert " style=" not in text
        assert not re.search(r"<script(?! src)|<style|\son\w+=", text)
