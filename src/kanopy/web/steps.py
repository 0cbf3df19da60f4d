"""The five steps: what each shows, and what its form changes."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

from anyio.to_thread import run_sync
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response

from kanopy._numbers import typed_whole_number
from kanopy.errors import KanopyError, PolicyError
from kanopy.web.choices import Form, check_k, one, role_notices, with_promise, with_roles
from kanopy.web.names import check_table_name, safe_name, table_under, tables_under
from kanopy.web.pages import STEPS
from kanopy.web.site import Handler, Site, check_csrf, seen_other
from kanopy.web.upload import receive_upload
from kanopy.web.wording import in_words_of_the_page
from kanopy.web.work import OUTPUTS, Work

DEMO_ROWS = 5000
_NAMES = [name for name, _ in STEPS]
_KINDS = {"table": "read", "compare": "compare", "release": "release"}
_MOST_WORKS = 200  # of one browser
_MOST_CHOICES = 60  # methods times k


def start(site: Site) -> Callable[[Request], Any]:
    """The first page: what is open, and how to choose a table."""

    async def answer(request: Request) -> Response:
        session, named = request.scope["session"], site.named
        site.hand_over(session)
        if named is not None and [*session.works] == [named.id] and "new" not in request.query_params:
            return seen_other(request, f"/w/{named.id}/table")
        root = site.settings.root
        listed = [] if root is None else await run_sync(lambda: list(tables_under(root)))
        return site.pages.page(
            "start", title="Choose a table", csrf=session.csrf, base=session.base, listed=listed, work=None,
            works=session.works.values(), root=root, limit=site.settings.upload_limit, step="table",
            demo_rows=DEMO_ROWS, memory=site.settings.job_memory, seconds=site.settings.time_limit,
            again=None, is_elsewhere=named is not None and named.id not in session.works,
        )  # fmt: skip

    return answer


def new(site: Site) -> Handler:
    """A table was chosen: it is read in a new piece of work, or in one of a project that lacks its table."""

    async def answer(request: Request) -> Response:
        session = request.scope["session"]
        if len(session.works) >= _MOST_WORKS:
            raise PolicyError("there are too many tables open", "stop kanopy serve, and start it again")
        work = site.new_work()
        folder = work.folder / "source"
        folder.mkdir(mode=0o700)
        try:
            taken = await receive_upload(
                request, folder, site.settings, lambda said: check_csrf(session, said)
            )
            check_csrf(session, taken.fields)
            # One of this browser may get another table; that of a project gets its first one so.
            work = session.works.get(taken.fields.get("work", "")) or work
            demo = _take_source(site, work, taken, folder)
        except BaseException:  # refused, or the connection is gone: nothing of it stays
            shutil.rmtree(folder.parent, ignore_errors=True)
            raise
        session.works[work.id] = work
        work.start_reading(demo)
        return seen_other(request, f"/w/{work.id}/table")

    return answer


def _take_source(site: Site, work: Work, upload: Any, folder: Path) -> int:
    """Note where the table lies; for the demo, how many patients to make up."""
    work.form = dict.fromkeys(work.form)
    if upload.file is not None:
        work.source, work.name, work.is_own_copy = upload.file, upload.name, True
        return 0
    if chosen := upload.fields.get("path"):
        if site.settings.root is None:
            raise PolicyError("no folder was named from which tables may be chosen", "use --root DIR")
        place = table_under(site.settings.root, chosen)
        work.source, work.name, work.is_own_copy = place, safe_name(place.name), False
        return 0
    if upload.fields.get("demo"):
        work.source, work.name, work.is_own_copy = folder / "patients.csv", "patients.csv", True
        return DEMO_ROWS
    raise PolicyError("no table was chosen", "choose a file, or take the demo")


def take_file(work: Work, path: Path) -> None:
    """A table that was named where kanopy was started."""
    check_table_name(path.name)
    work.source, work.name, work.is_own_copy = path.resolve(), safe_name(path.name), False


def step(site: Site) -> Handler:
    """One of the five pages."""

    async def answer(request: Request) -> Response:
        work, name = site.work_of(request), request.path_params["step"]
        if name not in _NAMES:
            raise HTTPException(404)
        if work.source is not None and "read" not in work.jobs:
            work.start_reading()  # a table that was named where kanopy was started
        if name != "table" and await run_sync(lambda: work.table) is None:
            return seen_other(request, f"/w/{work.id}/table")
        return await shown(site, request, work, name)

    return answer


async def shown(
    site: Site, request: Request, work: Work, name: str, error: KanopyError | None = None
) -> Response:
    """A step as it stands; where a form was refused, with the reason."""
    from kanopy.web import views  # loads NumPy and pyarrow, which the first page does without

    kind = _KINDS.get(name, "")
    while True:
        job = work.jobs.get(kind)
        state = job and job.state
        facts = await run_sync(lambda: views.VIEWS[name](site, work))
        # A job may end meanwhile: a page that calls it ended without its result would offer to begin again.
        if job is work.jobs.get(kind) and state == (job and job.state):
            break
    notices, work.notices = work.notices, []
    status, session = 200 if error is None else 400, request.scope["session"]
    titles = dict(STEPS)
    return site.pages.page(
        name, status, title=titles[name], step=name, work=work, csrf=session.csrf, base=session.base, job=job,
        notices=notices, error=error, kind=kind, **facts,
    )  # fmt: skip


def take(site: Site) -> Handler:
    """The form of a step."""

    async def answer(request: Request) -> Response:
        work, name = site.work_of(request), request.path_params["step"]
        if name not in _TAKERS:
            raise HTTPException(404)
        form = await site.form_of(request)
        try:
            goes_on = await _TAKERS[name](site, work, form)
        except KanopyError as error:
            return await shown(site, request, work, name, PolicyError(*in_words_of_the_page(error)))
        return seen_other(request, f"/w/{work.id}/{goes_on}")

    return answer


async def _take_table(site: Site, work: Work, form: Form) -> str:
    """Another delimiter, encoding or sheet: the table is read again. Or: keep the table in the project."""
    if one(form, "keep"):
        if site.project is not None and site.named is work:
            await run_sync(lambda: site.project.keep_table(work))
            work.notices.append("The table now lies in the project folder, too.")
        return "table"
    if work.source is None:
        raise PolicyError("no table has been chosen yet", "choose one")
    tab = {"tab": "\t", "\\t": "\t"}
    delimiter = one(form, "delimiter")
    work.form = {
        "delimiter": tab.get(delimiter, delimiter) or None,
        "encoding": one(form, "encoding") or None,
        "sheet": one(form, "sheet") or None,
    }
    work.start_reading()
    return "table"


async def _take_columns(_site: Site, work: Work, form: Form) -> str:
    def decide() -> None:
        table = work.read_table
        drafted = {column.name: column.role for column in work.draft.columns}
        work.decide(with_roles(work.decisions, form, table.names, drafted))
        work.notices += role_notices(drafted, work.draft, form, table.names)

    if one(form, "again"):
        await run_sync(lambda: work.decide(replace(work.decisions, roles={})))
        return "columns"
    await run_sync(decide)
    return "promise" if one(form, "next") else "columns"


async def _take_promise(_site: Site, work: Work, form: Form) -> str:
    def decide() -> None:
        decided = with_promise(work.decisions, form, work.draft, work.read_table.names)
        before = work.decisions
        work.decide(decided)
        try:
            work.policy()
        except KanopyError:
            work.decide(before)  # a promise that contradicts itself is told, and not kept
            raise

    await run_sync(decide)
    goes_on = [name for name in ("compare", "release") if one(form, "next") == name]
    return goes_on[0] if goes_on else "promise"


async def _take_compare(_site: Site, work: Work, form: Form) -> str:
    """Start a comparison, or take one of the choices that it found."""
    if chosen := one(form, "take"):
        method, _, k = chosen.partition(" ")
        decided = replace(work.decisions, method=_known(work, method), options={}, k=_whole(k, work))
        await run_sync(lambda: work.decide(decided))
        return "release"
    ks = sorted({_whole(text, work) for text in re.split(r"[\s,;]+", one(form, "ks")) if text})
    names = [_known(work, name) for name in form.get("method", [])]
    if not ks or not names:
        raise PolicyError("there is nothing to compare", "choose at least one method and one k")
    if len(ks) * len(names) > _MOST_CHOICES:
        raise PolicyError(f"that is more than {_MOST_CHOICES} releases", "choose fewer methods or k")
    await run_sync(lambda: work.policy())
    work.start_comparing(names, ks)
    return "compare"


def _known(work: Work, name: str) -> str:
    from kanopy.web.comparing import suitable

    if name not in [known for known, _ in suitable(work.policy())]:
        raise PolicyError("there is no such method for these columns", "choose one of the list")
    return name


def _whole(text: str, work: Work) -> int:
    try:
        k = typed_whole_number(text)
    except ValueError:
        k = 0
    if k < 2:
        raise PolicyError("k is a whole number of at least 2", "for example 5, 10, 25")
    check_k(k, work.draft)
    return k


async def _take_release(_site: Site, work: Work, form: Form) -> str:
    """Make the release that was seen; what is accepted is accepted by name."""
    known = set(work.read_table.names)
    accept = [code for code in form.get("accept", []) if code.partition(":")[2] in known]
    if set(accept) != set(work.decisions.accept) or one(form, "agree"):
        await run_sync(lambda: work.decide(replace(work.decisions, accept=tuple(accept))))
    elif one(form, "seen") != await run_sync(lambda: work.digest):
        raise PolicyError(
            "the choices were changed since this page was shown, maybe in another tab",
            "look at them again below, then make the release",
        )
    safe, locale = bool(one(form, "spreadsheet_safe")), one(form, "excel_locale") or None
    output = one(form, "output", next(iter(OUTPUTS)))
    await run_sync(lambda: work.policy())
    work.start_release(output, spreadsheet_safe=safe, excel_locale=locale)
    return "release"


_TAKERS = {
    "table": _take_table,
    "columns": _take_columns,
    "promise": _take_promise,
    "compare": _take_compare,
    "release": _take_release,
}


def cancel(site: Site) -> Handler:
    """End a job."""

    async def answer(request: Request) -> Response:
        work, kind = site.work_of(request), request.path_params["kind"]
        await site.form_of(request)
        pages = {job: page for page, job in _KINDS.items()}
        if kind not in pages:
            raise HTTPException(404)
        work.cancel(kind)
        return seen_other(request, f"/w/{work.id}/{pages[kind]}")

    return answer


def policy_file(site: Site) -> Handler:
    """The policy as it is decided now.

    PRIVACY: the release has its own (tests/unit/web/test_release_step.py).
    """

    async def answer(request: Request) -> Response:
        work = site.work_of(request)
        text = await run_sync(lambda: work.draft.to_toml())
        return Response(text, headers=_attachment("policy.toml", "application/toml; charset=utf-8"))

    return answer


def download(site: Site) -> Handler:
    """A file of the release, by its place in what was written; there is no way to name another one.

    PRIVACY: only what was recounted and got its name is sent (tests/unit/web/test_release_step.py).
    """

    async def answer(request: Request) -> Response:
        from kanopy.web.releasing import FILES, POLICY

        job = site.work_of(request).jobs.get("release")
        if job is None or job.state != "done":
            raise HTTPException(404)
        names, place = [*job.result["files"], POLICY], request.path_params["place"]
        if place >= len(names):
            raise HTTPException(404)
        path = job.folder / (FILES if names[place] != POLICY else "") / os.path.basename(names[place])  # noqa: PTH119
        return FileResponse(path, headers=_attachment(names[place], "application/octet-stream"))

    return answer


def _attachment(name: str, kind: str) -> dict[str, str]:
    """A file is saved, and never shown as a page of this site."""
    return {"content-type": kind, "content-disposition": f"attachment; filename*=UTF-8''{quote(name)}"}
