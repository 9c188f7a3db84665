"""What the page `/files` shows, as markup: files with what was read of them, problems, changes, a build. Pure.

Names, messages and log lines come from files and strangers: all of them are escaped.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from urllib.parse import quote, urlencode

from knowledge_graph.lake.problems import Problem
from knowledge_graph.sources.course_files.history import CourseEdit
from knowledge_graph.sources.course_files.reading import CourseReading, FileReading
from serving.gateway.authoring.build_log import BuildProgress
from serving.gateway.authoring.builds import BuildStatus
from serving.pages.words import PageTexts

_OPEN_UP_TO = 40
"""A longer group of files is folded, unless something in it is to be mended."""
_EDITS_SHOWN = 15
_NAMED = 6
_STATE_LOOKS = {"read": "good", "changed": "waiting", "waiting": "waiting", "unread": "no_answer"}
_BUILD_LOOKS = {"running": "asked", "done": "good", "failed": "no_answer", "cancelled": "waiting", "lost": "waiting"}


@dataclass(frozen=True)
class BuildView:
    """The last build that the visitor may see, and whether another runs that is not theirs to see."""

    status: BuildStatus | None
    progress: BuildProgress | None
    lines: tuple[str, ...]
    is_other_running: bool

    @property
    def is_running(self) -> bool:
        return self.status is not None and self.status.state == "running"


def build_html(view: BuildView, course_id: str, say: PageTexts, *, can_edit: bool) -> str:
    """The panel of builds. Its status is read out when it changes."""
    told = _build_told(view, say)
    action = _build_action(view, course_id, say) if can_edit else ""
    log = ""
    if view.lines:
        text = escape("\n".join(view.lines))
        log = (
            f'<details class="folded"{" open" if view.is_running else ""}><summary>{escape(say("log"))}</summary>'
            f'<pre class="log" tabindex="0" role="region" aria-label="{escape(say("log"))}">{text}</pre></details>'
        )
    return (
        f'<section class="card files-build" id="build"><h2>{escape(say("build"))}</h2>'
        f'<div class="line" role="status">{told}</div>{action}{log}</section>'
    )


def _build_told(view: BuildView, say: PageTexts) -> str:
    if view.status is None:
        return f"<p>{escape(say('other_build' if view.is_other_running else 'never_built'))}</p>"
    state, build = view.status.state, view.status.build
    parts = [_chip(say(f"build_{state}"), _BUILD_LOOKS[state])]
    when = _when(view.status.ended_at or build.started_at)
    parts.append(f"<span>{escape(say('by', who=build.by, when=when))}</span>")
    if view.progress is not None and (view.progress.steps or view.progress.failed):
        parts.append(f"<span>{escape(say('steps', steps=view.progress.steps, failed=view.progress.failed))}</span>")
    if view.is_running and view.progress is not None and view.progress.now:
        parts.append(f'<span class="muted">{escape(view.progress.now)}</span>')
    if view.is_other_running:
        parts.append(f"<span>{escape(say('other_build'))}</span>")
    return "".join(parts)


def _build_action(view: BuildView, course_id: str, say: PageTexts) -> str:
    if view.is_other_running:
        return ""
    if view.is_running and view.status is not None:
        hidden = _render_hidden("build", view.status.build.build_id)
        return (
            f'<form method="post" action="{form_action(course_id, "cancel")}" class="actions">{hidden}'
            f'<button class="press danger">{escape(say("stop"))}</button>'
            f'<span class="small">{escape(say("stop_hint"))}</span></form>'
        )
    again = f'<a href="{page_of(course_id)}">{escape(say("look_again"))}</a>' if view.status is not None else ""
    return (
        f'<form method="post" action="{form_action(course_id, "build")}" class="actions">'
        f'<button class="press primary">{escape(say("start"))}</button>{again}</form>'
    )


def problems_html(reading: CourseReading, say: PageTexts) -> str:
    """What is of no file: tables that were refused, links, files that are gone."""
    refused = "".join(
        f'<li><b>{escape(table)}</b>: {escape(say("not_published"))}<pre class="log">{escape(why)}</pre></li>'
        for table, why in reading.refused.items()
    )
    listed = refused + "".join(f"<li>{_problem(one, say, with_file=True)}</li>" for one in reading.problems)
    if not listed:
        return ""
    return f'<section class="warn files-problems"><h2>{escape(say("to_mend"))}</h2><ul>{listed}</ul></section>'


def files_html(reading: CourseReading, course_id: str, say: PageTexts, *, can_edit: bool) -> str:
    """All files by kind, those to mend first."""
    counts = f"{len(reading.files):,}"
    jump = f' · <a href="#add">{escape(say("add"))}</a>' if can_edit else ""
    when = say("read_at", when=_when(reading.read_at)) if reading.read_at else say("never_read")
    groups: dict[str, list[FileReading]] = {}
    for one in reading.files:
        groups.setdefault(one.file.kind or "none", []).append(one)
    parts = "".join(_group(kind, listed, course_id, say) for kind, listed in groups.items())
    return (
        f'<section class="files-list"><h2>{escape(say("files", count=counts))}</h2>'
        f'<p class="small">{escape(when)}{jump}</p>{parts}</section>'
    )


def _group(kind: str, files: Sequence[FileReading], course_id: str, say: PageTexts) -> str:
    is_open = len(files) <= _OPEN_UP_TO or any(one.problems for one in files)
    ordered = sorted(files, key=lambda one: (not one.problems, one.file.name))
    rows = "".join(_row(one, course_id, say) for one in ordered)
    name = escape(say(f"kind_{kind}"))
    return (
        f'<details class="folded"{" open" if is_open else ""}><summary><h3>{name} ({len(files):,})</h3></summary>'
        f'<ul class="rows">{rows}</ul></details>'
    )


def _row(one: FileReading, course_id: str, say: PageTexts) -> str:
    is_error = any(problem.severity == "error" for problem in one.problems)
    mended = _chip(_count(one, say), "no_answer" if is_error else "waiting") if one.problems else ""
    first = min(one.problems, key=lambda problem: problem.severity != "error", default=None)
    told = f'<div class="small">{_problem(first, say)}</div>' if first is not None else ""
    return (
        f'<li class="record"><div class="grow">'
        f'<a href="{page_of(course_id, one.file.name)}">{escape(one.file.name)}</a>'
        f'<div class="small">{escape(_facts(one, say))}</div>{told}</div>'
        f'<div class="line">{mended}{_state(one, say)}</div></li>'
    )


def _state(one: FileReading, say: PageTexts) -> str:
    """How the last build found a file. It looked at all that are read; of some it could read nothing."""
    is_error = any(problem.severity == "error" for problem in one.problems)
    if one.state == "read" and is_error and not one.records:
        return _chip(say("state_empty"), "no_answer")
    return _chip(say(f"state_{one.state}"), _STATE_LOOKS[one.state])


def _count(one: FileReading, say: PageTexts) -> str:
    errors = sum(problem.severity == "error" for problem in one.problems)
    return say("problems", errors=errors, warnings=len(one.problems) - errors)


def _facts(one: FileReading, say: PageTexts) -> str:
    told = [_size(one.file.size), _when(one.file.changed)]
    if one.records is not None:
        told.append(say("records", count=f"{one.records:,}"))
    return " · ".join(told)


def file_html(one: FileReading, course_id: str, say: PageTexts) -> str:
    """One file: what was read of it, and each problem with what to do."""
    state = _state(one, say)
    unread = f'<p class="warn">{escape(say("unread", why=one.unread))}</p>' if one.unread else ""
    older = f'<p class="note">{escape(say("older"))}</p>' if one.state == "changed" and one.problems else ""
    listed = "".join(f"<li>{_problem(problem, say)}</li>" for problem in one.problems)
    none = f"<p>{escape(say('nothing_to_mend'))}</p>" if one.state == "read" and not one.problems else ""
    get = f"/v1/courses/{quote(course_id, safe='')}/files/{quote(one.file.name)}"
    return (
        f'<section class="card files-one"><p><a href="{page_of(course_id)}">{escape(say("all_files"))}</a></p>'
        f'<h2 class="path">{escape(one.file.name)}</h2><div class="line">{state}'
        f'<span class="small">{escape(_facts(one, say))}</span><a href="{get}">{escape(say("download"))}</a></div>'
        f"{unread}{older}{none}{f'<ul class=problems>{listed}</ul>' if listed else ''}</section>"
    )


def _problem(problem: Problem, say: PageTexts, *, with_file: bool = False) -> str:
    where = problem.file if with_file else ""
    if problem.line is not None:
        where = f"{where} {say('line', line=problem.line)}".strip()
    chip = _chip(say(problem.severity), "no_answer" if problem.severity == "error" else "waiting")
    at = f"<b>{escape(where)}</b> " if where else ""
    return f'{chip} {at}{escape(problem.message)} <span class="remedy">{escape(problem.remedy)}</span>'


def edits_html(
    edits: Sequence[CourseEdit], course_id: str, say: PageTexts, *, can_edit: bool, is_news: bool = False
) -> str:
    """The last changes, newest first; or, as news, the one that was just made."""
    if is_news:
        told = "".join(f'<p role="status">{_edit(edit, say)}</p>{_notes(edit, say)}' for edit in edits)
        return f'<div class="note files-news">{told}</div>'
    if not edits:
        return ""
    undone = {edit.undoes for edit in edits}
    rows = "".join(
        f'<li class="record"><div class="grow">{_edit(edit, say)}<div class="small">{escape(edit.by)} · '
        f"{escape(_when(edit.at))}</div>{_notes(edit, say)}</div>"
        f"{_undo(edit, course_id, say) if can_edit and edit.act != 'create' and edit.number not in undone else ''}</li>"
        for edit in edits[:_EDITS_SHOWN]
    )
    return f'<section class="files-edits"><h2>{escape(say("changes"))}</h2><ul class="rows">{rows}</ul></section>'


def _edit(edit: CourseEdit, say: PageTexts) -> str:
    names = ", ".join(file.name for file in edit.files[:_NAMED])
    more = f" (+{len(edit.files) - _NAMED:,})" if len(edit.files) > _NAMED else ""
    act = say(f"act_{edit.act}", number=edit.undoes or 0)
    return f'<span>{edit.number}. {escape(act)}: <span class="path">{escape(names + more)}</span></span>'


def _notes(edit: CourseEdit, say: PageTexts) -> str:
    if not edit.notes:
        return ""
    listed = "".join(f"<li>{escape(note)}</li>" for note in edit.notes)
    told = escape(say("left_out", count=len(edit.notes)))
    return f'<details class="folded"><summary>{told}</summary><ul class="small">{listed}</ul></details>'


def _undo(edit: CourseEdit, course_id: str, say: PageTexts) -> str:
    label = escape(say("undo_this", number=edit.number))
    return (
        f'<form method="post" action="{form_action(course_id, "undo")}">{_render_hidden("number", str(edit.number))}'
        f'<button class="press plain" aria-label="{label}">{escape(say("undo"))}</button></form>'
    )


def page_of(course_id: str, file: str = "") -> str:
    return escape(f"/files?{urlencode({'course': course_id} | ({'file': file} if file else {}))}")


def form_action(course_id: str, act: str) -> str:
    return escape(f"/files/{quote(course_id, safe='')}/{act}")


def _render_hidden(name: str, value: str) -> str:
    return f'<input type="hidden" name="{escape(name)}" value="{escape(value)}">'


def _chip(told: str, look: str) -> str:
    return f'<span class="chip {look}">{escape(told)}</span>'


def _size(size: int) -> str:
    return f"{size / 2**20:,.1f} MB" if size >= 2**20 else f"{max(size, 1) / 1024:,.1f} kB"


def _when(iso: str) -> str:
    return iso.replace("T", " ").replace("+00:00", " UTC")
