"""The answer that an item of the queue is about: the conversation around it, how it came about, what students said."""

from nicegui import ui

from serving.feedback.reasons import DOWN_REASONS, UP_REASONS
from serving.pages.console_reading import OpenedItem, references_of
from serving.pages.markdown import render_markdown
from serving.pages.parts import block, chip, link, text
from serving.pages.words import PageTexts
from serving.store.tables.conversation import TurnRow


def show_conversation(opened: OpenedItem, say: PageTexts) -> None:
    """The answer in question, and the session around it; nothing for a question that was never answered."""
    turn = opened.turn
    if turn is None:
        return
    earlier = [one for one in opened.around if one.trace_id != turn.trace_id]
    if earlier:
        with block("folded", tag="details"):
            text(f"{say('conversation')} ({len(opened.around)})", tag="summary")
            for one in opened.around:
                _turn(one, opened, say, is_this=one.trace_id == turn.trace_id)
    with block("card answer", tag="section"):
        text(say("ai_answer"), "small-heading", tag="h2")
        if turn.answer.strip():
            ui.html(render_markdown(turn.answer), sanitize=False).classes("prose")
        else:
            text(say("no_ai_answer"), "muted")
        _references(turn, say)
        text(" · ".join(_why(turn, say)), "small muted")
        if reasoning := str(turn.shown.get("reasoning") or ""):
            with block("folded", tag="details"):
                text(say("reasoning"), "small", tag="summary")
                text(reasoning, "small prose")


def _turn(one: TurnRow, opened: OpenedItem, say: PageTexts, *, is_this: bool) -> None:
    who = say("student", code=opened.code)
    with block("turn this" if is_this else "turn"):
        text(f"{who} · {say('this_question')}" if is_this else who, "small muted")
        text(one.question, "prose")
        if not is_this:
            text(one.answer, "said small clamp")


def _why(turn: TurnRow, say: PageTexts) -> list[str]:
    """The facts of how the answer came about, in words."""
    facts = [say("why_route", route=say(f"route_{turn.route or 'none'}"))]
    if rule := turn.shown.get("rule"):
        facts.append(say(f"why_rule_{rule['allows']}", name=str(rule["assessment"]), turn=rule["turn"]))
    if turn.confidence is not None:
        facts.append(say("why_confidence", percent=round(turn.confidence * 100)))
    if names := [str(name) for name in turn.shown.get("concepts") or ()]:
        facts.append(say("why_concepts", names=", ".join(names[:5])))
    if turn.model:
        facts.append(say("why_model", name=turn.model))
    if turn.degraded:
        facts.append(say("why_degraded"))
    return facts + ([say(f"why_{turn.outcome}")] if turn.outcome in ("stopped", "failed") else [])


def _references(turn: TurnRow, say: PageTexts) -> None:
    found = references_of(turn)
    if found:
        text(say("references"), "small muted")
    for one in found:
        link(
            f"[{one.get('number')}] {one.get('label') or one.get('title') or ''}",
            str(one.get("url") or ""),
            "small",
        )


def show_said(opened: OpenedItem, say: PageTexts) -> None:
    """Thumbs with reasons and comments."""
    if not opened.opinions:
        return
    worded = {one.code: one.zh if say.lang == "zh" else one.en for one in (*UP_REASONS, *DOWN_REASONS)}
    with block("said-box", tag="section"):
        text(say("said"), "small-heading", tag="h2")
        for one in opened.opinions:
            with block("line"):
                text("👍" if one.thumb > 0 else "👎", tag="span")
                text(say("student", code=one.code), "small muted", tag="span")
                for code in one.reasons:
                    chip(worded.get(code, code))
            if one.comment:
                text(one.comment, "quote prose")
