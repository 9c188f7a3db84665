"""The forms of the page `/files`, as markup. Plain ones, each with a label for every field. Pure."""

from collections.abc import Mapping
from html import escape

from knowledge_graph.sources.course_files.names import FOLDERS, is_card
from knowledge_graph.sources.course_files.reading import FileReading
from serving.pages.files_view import form_action
from serving.pages.words import PageTexts

_ACCEPTED = ".srt,.vtt,.sbv,.sjson,.pdf,.md,.html,.htm,.txt,.pptx,.docx,.ipynb,.epub,.csv,.tsv,.json,.jsonl,.yaml,.yml"
_PACKED = ".zip,.tar.gz,.tgz,.imscc,.mbz"


def course_choice(titles: Mapping[str, str], course_id: str, say: PageTexts) -> str:
    """Which course; a form that a script need not send."""
    options = "".join(
        f'<option value="{escape(one)}"{" selected" if one == course_id else ""}>{escape(title)}'
        f"{escape(f' ({one})') if title != one else ''}</option>"
        for one, title in titles.items()
    )
    return (
        f'<form method="get" action="/files" class="bar files-choice">'
        f'<label for="course">{escape(say("course"))}</label>'
        f'<select class="field" id="course" name="course">{options}</select>'
        f'<button class="press plain">{escape(say("show"))}</button></form>'
    )


def new_course_form(say: PageTexts, *, is_open: bool) -> str:
    langs = "".join(
        f'<option value="{value}">{escape(say(key))}</option>'
        for value, key in (("", "lang_detected"), ("en", "lang_en"), ("zh", "lang_zh"))
    )
    return (
        f'<details class="card files-form"{" open" if is_open else ""}><summary><h2>{escape(say("new_course"))}</h2>'
        f'</summary><form method="post" action="/files/new">'
        f'<label for="new-id">{escape(say("course_id"))}</label><input class="field" id="new-id" name="course" '
        f'required maxlength="64" pattern="[A-Za-z0-9][A-Za-z0-9_.\\-]*" autocomplete="off" spellcheck="false" '
        f'aria-describedby="new-id-hint"><p class="small" id="new-id-hint">{escape(say("course_id_hint"))}</p>'
        f'<label for="new-title">{escape(say("course_title"))}</label><input class="field" id="new-title" name="title" '
        f'required maxlength="200" autocomplete="off">'
        f'<label for="new-lang">{escape(say("course_lang"))}</label><select class="field" id="new-lang" name="lang">'
        f'{langs}</select><button class="press primary">{escape(say("make_course"))}</button></form></details>'
    )


def upload_forms(course_id: str, seen: str, most_bytes: int, say: PageTexts) -> str:
    """Single files, and a packed course."""
    places = "".join(
        f'<option value="{value}">{escape(told)}</option>'
        for value, told in (
            ("auto", say("where_auto")),
            ("top", say("where_top")),
            *((folder, f"{folder}/") for folder in FOLDERS),
        )
    )
    hidden = f'<input type="hidden" name="seen" value="{escape(seen)}">'
    size = f"{most_bytes / 2**20:,.0f} MB"
    most = escape(say("at_most", size=size))
    bound = f'data-most="{most_bytes}" data-over="{escape(say("too_large", size=size))}"'
    return (
        f'<div class="files-uploads" id="add"><section class="card files-form"><h2>{escape(say("add"))}</h2>'
        f'<form method="post" enctype="multipart/form-data" action="{form_action(course_id, "put")}">{hidden}'
        f'<label for="up-files">{escape(say("choose_files"))}</label><input class="field" id="up-files" type="file" '
        f'name="files" multiple required {bound} accept="{_ACCEPTED}" aria-describedby="up-hint">'
        f'<p class="small" id="up-hint">{escape(say("read_kinds"))} {most}</p>'
        f'<label for="up-where">{escape(say("where"))}</label><select class="field" id="up-where" name="where">{places}'
        f'</select><label class="check"><input type="checkbox" name="replace" value="1"> '
        f"<span>{escape(say('replace_same'))}</span></label>"
        f'<button class="press primary">{escape(say("upload"))}</button></form></section>'
        f'<section class="card files-form"><h2>{escape(say("packed"))}</h2>'
        f'<form method="post" enctype="multipart/form-data" action="{form_action(course_id, "package")}">{hidden}'
        f'<label for="up-package">{escape(say("choose_package"))}</label><input class="field" id="up-package" '
        f'type="file" name="package" required {bound} accept="{_PACKED}" aria-describedby="package-hint">'
        f'<p class="small" id="package-hint">{escape(say("package_hint"))} {most}</p>'
        f'<button class="press primary">{escape(say("upload"))}</button></form></section></div>'
    )


def file_forms(one: FileReading, course_id: str, content: str | None, say: PageTexts) -> str:
    """Edit, replace and remove one file, each with the version that is looked at."""
    hidden = (
        f'<input type="hidden" name="name" value="{escape(one.file.name)}">'
        f'<input type="hidden" name="replaces" value="{escape(one.file.version)}">'
    )
    edited = ""
    if content is not None:
        edited = (
            f'<section class="card files-form"><h2>{escape(say("edit"))}</h2>'
            f'<form method="post" action="{form_action(course_id, "text")}">{hidden}'
            f'<label for="edit-text">{escape(say("text"))}</label>'
            f'<textarea class="field code" id="edit-text" name="text" rows="16" spellcheck="false">\n'
            f'{escape(content)}</textarea><button class="press primary">{escape(say("save"))}</button></form></section>'
        )
    removed = ""
    if not is_card(one.file.name):
        removed = (
            f'<section class="card files-form"><h2>{escape(say("remove"))}</h2>'
            f'<form method="post" action="{form_action(course_id, "remove")}">{hidden}'
            f'<p>{escape(say("remove_hint"))}</p><button class="press danger">{escape(say("remove_this"))}</button>'
            f"</form></section>"
        )
    return (
        f'{edited}<div class="files-uploads"><section class="card files-form"><h2>{escape(say("replace"))}</h2>'
        f'<form method="post" enctype="multipart/form-data" action="{form_action(course_id, "put")}">{hidden}'
        f'<label for="new-file">{escape(say("choose_new"))}</label>'
        f'<input class="field" id="new-file" type="file" name="files" required>'
        f'<button class="press primary">{escape(say("upload"))}</button></form></section>{removed}</div>'
    )
