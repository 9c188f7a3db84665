"""An approved answer or an entry of the FAQ, opened: edited, withdrawn, and what was decided about it before."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping

from serving.desk.approved_answers import PREFIX
from serving.desk.course_tables import CourseTables
from serving.desk.decisions import edit, edit_faq, withdraw
from serving.desk.material_units import units_there
from serving.pages.confirmation import confirm
from serving.pages.console_changes import show_changes
from serving.pages.console_editor import Editor
from serving.pages.console_reading import ApprovedStanding, FaqRow
from serving.pages.parts import block, chip, press, text
from serving.pages.provenance import display_name
from serving.pages.visits import Visit
from serving.pages.words import PageTexts
from serving.pages.working import carry_out

Done = Callable[[], Awaitable[object]]


async def show_standing(
    visit: Visit, say: PageTexts, courses: Mapping[str, str], standing: ApprovedStanding, on_done: Done
) -> None:
    """An approved answer with its editor."""
    answer = standing.answer
    with block("line"):
        chip(courses.get(answer.course_id, answer.course_id))
        by = display_name(answer.reviewer, say("a_ta"))
        text(say("reviewed_by", name=by, day=f"{answer.updated_at:%Y-%m-%d}"), "small muted", tag="span")
        text(say("version", n=answer.version), "small muted", tag="span")
        if answer.replaces:
            chip(say("replaces"))
    text(answer.question, "question-asked", tag="h1")
    if standing.changed_sources:
        show_changes(standing.changed_sources, say)
    units = await asyncio.to_thread(
        units_there, standing.units_left, answer.course_id, CourseTables(visit.service.data_dir)
    )
    editor = Editor(
        visit,
        say,
        course_id=answer.course_id,
        courses=courses,
        question=answer.question,
        answer=answer.answer,
        rests={unit.unit: unit for unit in units},
        own=f"{PREFIX}{answer.answer_id}",
    )
    editor.build()

    async def save() -> None:
        done = await carry_out(
            visit,
            "ta",
            lambda db, caller: edit(
                db,
                answer.answer_id,
                question=editor.question,
                answer=editor.answer,
                rests=editor.rests,
                by=caller,
                version=answer.version,
            ),
            done=say("saved_done"),
        )
        if done is not None:
            await on_done()

    async def take_back(_: str) -> None:
        work = carry_out(
            visit, "ta", lambda db, caller: withdraw(db, answer.answer_id, by=caller), done=say("withdrawn_done")
        )
        if await work is not None:
            await on_done()

    with block("actions sticky"):
        press(say("save_edit"), save, look="primary")
        press(
            say("withdraw"),
            lambda: confirm(say("withdraw_sure"), say("withdraw"), say("cancel"), take_back),
            look="danger",
        )
    show_history(standing, say)


def show_faq(visit: Visit, say: PageTexts, courses: Mapping[str, str], row: FaqRow, on_done: Done) -> None:
    """An entry of the FAQ with its editor."""
    with block("line"):
        chip(say("faq_entry"))
        chip(courses.get(row.course_id, row.course_id))
        if row.reviewer:
            text(row.reviewer, "small muted", tag="span")
    text(row.question, "question-asked", tag="h1")
    text(say("faq_edit_hint"), "small muted")
    editor = Editor(
        visit,
        say,
        course_id=row.course_id,
        courses=courses,
        question=row.question,
        answer=row.answer,
        own=row.origin_id,
    )
    editor.build()

    async def save() -> None:
        done = await carry_out(
            visit,
            "ta",
            lambda db, caller: edit_faq(
                db,
                row.course_id,
                row.origin_id,
                editor.question,
                editor.answer,
                caller,
                rests=editor.rests,
                before=f"{row.question}\n\n{row.answer}",
            ),
            done=say("saved_done"),
        )
        if done is not None:
            await on_done()

    with block("actions sticky"):
        press(say("save_edit"), save, look="primary")


def show_history(standing: ApprovedStanding, say: PageTexts) -> None:
    """What was decided, newest first, with the words before each change."""
    with block("folded history", tag="details"):
        text(f"{say('history')} ({len(standing.history)})", tag="summary")
        for review, name in standing.history:
            with block("decision"):
                with block("line"):
                    text(f"{review.at:%Y-%m-%d %H:%M}", "small muted", tag="span")
                    text(say(f"decision_{review.decision}"), "name", tag="strong")
                    text(
                        display_name(name, say("another_ta")) if name else say("by_machine"), "small muted", tag="span"
                    )
                if review.note:
                    text(review.note, "small")
                if review.before and review.before != review.after:
                    text(review.before, "small muted clamp prose")
