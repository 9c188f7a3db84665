"""A proposal for the FAQ, opened: how often it was asked and in which words, and its draft, ready to be published."""

from collections.abc import Awaitable, Callable, Mapping

from nicegui import ui

from serving.desk.discovery.groups import QuestionGroup
from serving.desk.discovery.proposals import Proposal
from serving.desk.discovery.publishing import dismiss, publish
from serving.pages.confirmation import confirm
from serving.pages.console_editor import Editor
from serving.pages.parts import block, chip, heading, press, text
from serving.pages.visits import Visit
from serving.pages.words import PageTexts
from serving.pages.working import carry_out

Done = Callable[[], Awaitable[object]]


def show_proposal(visit: Visit, say: PageTexts, courses: Mapping[str, str], proposal: Proposal, on_done: Done) -> None:
    """What was asked, with the draft in an editor."""
    group, draft = proposal.group, proposal.draft
    with block("line"):
        chip(courses.get(proposal.course_id, proposal.course_id))
        for fact in facts_of(group, say):
            chip(fact)
    text(group.question, "question-asked", tag="h1")
    if proposal.concepts:
        text(say("why_concepts", names=", ".join(proposal.concepts)), "small muted")
    _show_wordings(group, say)
    text(say(f"draft_{draft.kind}"), "small muted").props("role=status")
    if not draft.question:
        text(say("draft_unworded"), "small muted")
    editor = Editor(
        visit,
        say,
        course_id=proposal.course_id,
        courses=courses,
        question=draft.question,
        answer=draft.answer,
        rests={unit.unit: unit for unit in draft.rests},
    )
    editor.build()

    async def save() -> None:
        if not editor.question.strip():
            ui.notify(say("empty_question"), type="warning", position="bottom")
            return
        if not editor.answer.strip():
            ui.notify(say("empty_answer"), type="warning", position="bottom")
            return
        done = await carry_out(
            visit,
            "ta",
            lambda db, caller: publish(
                db,
                group.trace_ids,
                question=editor.question,
                answer=editor.answer,
                rests=editor.rests,
                by=caller,
                answer_id=draft.answer_id,
            ),
            done=say("published_done"),
        )
        if done is not None:
            await on_done()

    async def leave_out(_: str) -> None:
        done = await carry_out(
            visit, "ta", lambda db, caller: dismiss(db, group.trace_ids, by=caller), done=say("dismissed_done")
        )
        if done is not None:
            await on_done()

    with block("actions sticky"):
        press(say("publish"), save, look="primary")
        press(
            say("dismiss"),
            lambda: confirm(say("dismiss_sure"), say("dismiss"), say("cancel"), leave_out),
            look="danger",
        )


def key_of(proposal: Proposal) -> str:
    """What a proposal is known by while the page is open."""
    return f"{proposal.course_id}/{proposal.group.trace_ids[0]}"


def facts_of(group: QuestionGroup, say: PageTexts) -> list[str]:
    """How often, by how many, and whether it is asked more or less often now."""
    asked = say("asked_by", n=group.count, people=group.people)
    if group.trend == 0:
        return [asked]
    return [asked, say("more_lately" if group.trend > 0 else "less_lately", n=abs(group.trend))]


def _show_wordings(group: QuestionGroup, say: PageTexts) -> None:
    """Students' own words, for TAs alone."""
    heading(say("wordings"), 2)
    text(say("wordings_hint"), "small muted")
    for wording in group.wordings:
        text(wording, "quote")
