"""What each step shows, as plain values for its template."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from kanopy._display import number_of
from kanopy._visible import visible
from kanopy.algorithms import find_method
from kanopy.drafting import AS_DRAFTED, ROLES, Suggestion
from kanopy.errors import KanopyError, PolicyError
from kanopy.privacy.implied import NOT_PROMISED
from kanopy.profiling import Profile
from kanopy.web.choices import DISTANCES, LEVELS, MOST_TEMPLATES, largest_k
from kanopy.web.comparing import PICTURE, USUAL, suitable
from kanopy.web.names import tables_under
from kanopy.web.releasing import PAGE, POLICY
from kanopy.web.scripts import command, python
from kanopy.web.site import Site
from kanopy.web.wording import CONTROLS, DELIMITERS, in_words_of_the_page, reason_on_the_page
from kanopy.web.work import OUTPUTS, Work

_CERTAINTY = ("doubtful", "likely", "sure")
_PUBLISHED = ("quasi_identifiers", "sensitive", "target", "keep")
ENCODINGS = ("", "utf-8", "cp1252", "latin-1", "utf-16", "utf-16-le", "utf-16-be", "utf-32")
EXCEL = ("", "de", "de-CH", "en", "es", "fr", "it", "nl", "pl", "pt", "sv")
USUAL_KS = (5, 10, 25)
LIKELY_KS = (5, 10, 20, 50)


def table_view(site: Site, work: Work) -> dict[str, Any]:
    """The preview, how the file is written, and how large it is."""
    table, root = work.table, site.settings.root
    is_project = site.project is not None and site.named is work
    return {
        "facts": None if table is None else table.facts,
        "dialect": None if table is None else table.dialect,
        "listed": [] if root is None or work.source else list(tables_under(root)),
        "root": root, "limit": site.settings.upload_limit, "memory": site.settings.job_memory,
        "seconds": site.settings.time_limit,
        "delimiters": DELIMITERS, "encodings": ENCODINGS, "controls": CONTROLS, "again": work.id, "works": [],
        "demo_rows": 5000,
        "project": site.project if is_project else None,
        "is_kept": is_project and site.project.has_table(work),
    }  # fmt: skip


def columns_view(_site: Site, work: Work) -> dict[str, Any]:
    """One line per column, the doubtful ones first, and the risk as it stands."""
    table, draft = work.read_table, work.draft
    lines = []
    for place, column in enumerate(draft.columns):
        facts, content = table.facts["columns"][column.name], table.content(column.name)
        is_published = column.role in _PUBLISHED
        lines.append({
            "place": place, "name": column.name, "kind": column.kind, "role": column.role,
            "certainty": column.certainty, "reason": reason_on_the_page(column.reason),
            "n_values": column.n_values, "n_missing": column.n_missing,
            "bars": bars_of(facts["bars"]), "ends": facts["ends"], "values": facts["values"][:3],
            "n_alone": facts["n_alone"], "is_decided": column.name in work.decisions.roles,
            "levels": column.settings.get("levels", []),
            "tells": content.kind if content.is_private and is_published else "",
        })  # fmt: skip
    # By how certain the draft was, whatever is decided meanwhile: no line moves under the hand.
    first = {column.name: column.certainty for column in table.draft(AS_DRAFTED).columns}
    lines.sort(key=lambda line: _CERTAINTY.index(first[line["name"]]))
    doubtful = sum(line["certainty"] == "doubtful" and not line["is_decided"] for line in lines)
    return {
        "lines": lines, "roles": ROLES, "n_doubtful": doubtful, "n_rows": draft.n_rows, **risk_facts(work)
    }  # fmt: skip


def bars_of(counts: list[int]) -> list[tuple[float, float, float]]:
    """Bars of a picture that is 60 wide and 24 high: left end, height, and width."""
    most, width = max(counts, default=1) or 1, 60 / max(len(counts), 1)
    return [(round(place * width, 1), round(max(24 * n / most, 0.6 if n else 0), 1), round(width - 1, 1))
            for place, n in enumerate(counts)]  # fmt: skip


def risk_facts(work: Work) -> dict[str, Any]:
    """The table as it stands: how many are alone, and the smallest group."""
    draft = work.draft
    found = work.read_table.risk(draft)
    quasi = [column.name for column in draft.columns if column.role == "quasi_identifiers"]
    if isinstance(found, KanopyError):
        error = PolicyError(*in_words_of_the_page(found))
        return {"risk": None, "risk_error": error, "quasi": quasi, "small": []}
    return {"risk": found, "risk_error": None, "quasi": quasi, "small": _small(found)}


def _small(found: Profile) -> list[tuple[str, int, float]]:
    alone = ("alone", found.unique, found.unique_share)
    return [
        alone,
        *((f"in groups of fewer than {each.below}", each.members, each.share) for each in found.small_groups),
    ]


def promise_view(_site: Site, work: Work) -> dict[str, Any]:
    """k, the columns that can be bounded, and sentences about single values."""
    table, draft = work.read_table, work.draft
    places = {name: place for place, name in enumerate(table.names)}
    kinds = {bound.settings["column"]: bound for bound in work.draft.bounds if bound.kind != "template"}
    bounded = []
    for column in draft.columns:
        if column.role in ("sensitive", "target"):
            values = table.facts["columns"][column.name]["values"]
            bounded.append({
                "place": places[column.name], "name": column.name, "role": column.role,
                "chosen": _bound_code(kinds.get(column.name)), "advised": column.diversity,
                "n_values": column.n_values, "most": values[0][1] / draft.n_rows if values else 0,
                "values": [text for text, _ in values if text],
            })  # fmt: skip
    quasi = [
        (places[column.name], column.name) for column in draft.columns if column.role == "quasi_identifiers"
    ]
    return {
        "k": draft.k, "ks": LIKELY_KS, "bounded": bounded, "quasi": quasi, "unit": _unit(draft),
        "levels": LEVELS, "distances": DISTANCES, "sentences": _sentences(work, places, bounded),
        "not_promised": NOT_PROMISED, "most_k": largest_k(draft)[0], "most_sentences": MOST_TEMPLATES,
        "policy_error": _policy_error(work), "promised": _promised(work),
    }  # fmt: skip


def _unit(draft: Suggestion) -> str:
    return "people" if any(column.role == "person" for column in draft.columns) else "rows"


def _bound_code(bound: Any) -> str:
    if bound is None:
        return ""
    return f"l{bound.settings['l']}" if bound.kind == "diversity" else f"t{bound.settings['t']}"


def _sentences(work: Work, places: dict[str, int], bounded: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The sentences that were chosen, and an empty one to fill in."""
    found = []
    for bound in work.draft.bounds:
        if bound.kind == "template":
            said = bound.settings
            found.append({
                "column": places[said["column"]], "value": said["value"],
                "most": f"{100 * said['at_most']:g}", "given": [places[name] for name in said["given"]],
            })  # fmt: skip
    if len(found) < MOST_TEMPLATES and bounded:
        found.append({"column": "", "value": "", "most": "30", "given": []})
    return found


def _policy_error(work: Work) -> KanopyError | None:
    try:
        work.policy()
    except KanopyError as error:
        return PolicyError(*in_words_of_the_page(error))
    return None


def _promised(work: Work) -> list[str]:
    """The promise as sentences; none where the policy cannot be used yet."""
    try:
        policy = work.policy()
    except KanopyError:
        return []
    unit = "rows" if policy.person is None else "persons"
    return [visible(part.sentence(unit)) for part in policy.promise.parts]


def compare_view(_site: Site, work: Work) -> dict[str, Any]:
    """Methods to compare, and what was found."""
    error = _policy_error(work)
    known = [] if error is not None else suitable(work.policy())
    job, k = work.jobs.get("compare"), work.draft.k
    found = []
    for stage, words in (("all", "all rows"), ("sample", "a sample of rows")):
        if job is not None and stage in job.result:
            drawn = (job.folder / f"{stage}-{PICTURE}").read_text("utf-8")
            part = job.result[stage]
            found.append({"stage": stage, "words": words, "picture": drawn, **part})
    wanted = [] if job is None else job.request["methods"]
    usual = wanted or [name for name, _ in known if name in USUAL]
    ks = sorted({*USUAL_KS, k}) if job is None else job.request["ks"]
    return {
        "known": known, "usual": usual, "ks": ", ".join(map(str, ks)), "found": found[:1],
        "policy_error": error, "chosen": (work.decisions.method or "mondrian", k), "unit": _unit(work.draft),
        "sentence": _choice_sentence,
    }  # fmt: skip


def _choice_sentence(choice: dict[str, Any], unit: str) -> str:
    """What a choice means, in words."""
    if "refused" in choice:
        return f"No release: {visible(choice['refused']).rstrip('.')}."
    dropped = f", {number_of(choice['dropped'], 'rows')} dropped" if choice["dropped"] else ""
    return (
        f"At least {choice['k']:,} {unit} share every combination: a right guess at whose row it is has a "
        f"chance of {choice['highest']:.1%} at most and {choice['average']:.1%} on average. "
        f"{choice['left']:.0%} of the detail is left{dropped}."
    )


def release_view(_site: Site, work: Work) -> dict[str, Any]:
    """What will be released, or what was."""
    draft, job = work.draft, work.jobs.get("release")
    is_done = job is not None and job.state == "done"
    content = work.read_table.content
    private = [
        {"code": (code := _code(content(column.name).kind, column.name)), "name": column.name,
         "kind": content(column.name).kind, "is_accepted": code in work.decisions.accept}
        for column in draft.columns
        if column.role in _PUBLISHED and content(column.name).is_private
    ]  # fmt: skip
    method = work.decisions.method or "mondrian"
    by_role = {role: [c.name for c in draft.columns if c.role == role] for role in ROLES}
    return {
        "by_role": by_role, "private": private, "promised": _promised(work),
        "policy_error": _policy_error(work),
        "method": method, "method_title": find_method(method).title, "not_promised": NOT_PROMISED,
        "outputs": OUTPUTS, "excel": EXCEL, "digest": work.digest, "text": draft.to_toml(),
        "is_stale": is_done and job is not None and job.request["digest"] != work.digest,
        **(_released(work) if is_done else {"page": None}),
    }  # fmt: skip


def _code(kind: str, name: str) -> str:
    """What a policy accepts where such a column is published."""
    return f"{'free text' if kind == 'free text' else 'identifier'}:{name}"


_FILE_WORDS = (
    (POLICY, "the policy: roles, promise and method", False),
    ("board.html", "report for the board: exact figures, not for publication", True),
    ("report.html", "public report: goes with the release", False),
    (".kanopy.json", "certificate: lets anyone check the release", False),
    (".codebook.csv", "codebook: what the columns mean, as a table", False),
    (".codebook.md", "codebook: what the columns mean, to read", False),
    ("", "the release", False),
)


def _released(work: Work) -> dict[str, Any]:
    job = work.jobs["release"]
    page = json.loads((job.folder / PAGE).read_text("utf-8"))
    listed = []
    for place, name in enumerate([*job.result["files"], POLICY]):
        words, private = next((words, private) for end, words, private in _FILE_WORDS if name.endswith(end))
        where = job.folder / ("files" if name != POLICY else "") / name
        listed.append(
            {"place": place, "name": name, "words": words, "private": private, "n_bytes": _size(where)}
        )
    table = work.name if work.is_own_copy else str(work.source)
    scripts = {"command": command(table, job.request), "python": python(table, job.request)}
    return {"page": page, "files": listed, **scripts}


def _size(path: Path) -> int:
    return path.stat().st_size


VIEWS: dict[str, Callable[[Site, Work], dict[str, Any]]] = {
    "table": table_view,
    "columns": columns_view,
    "promise": promise_view,
    "compare": compare_view,
    "release": release_view,
}
