"""What stands beside the conversation: one's earlier sessions, news from the TAs, and the dialogs. Pure: HTML."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from html import escape

from serving.desk.own_questions import OwnQuestion
from serving.pages.frame import icon
from serving.pages.words import PageTexts
from serving.store.tables.conversation import ChatSession


def history_html(sessions: Sequence[ChatSession], current: str | None, say: PageTexts, *, at: datetime) -> str:
    """One's sessions, the newest first, under the day they were used last."""
    new = (
        f'<a class="new" href="/" data-new>{icon("plus")}<span>{escape(say("new"))}</span></a>'
        f"<h2>{escape(say('history'))}</h2>"
    )
    if not sessions:
        return f'{new}<p class="small">{escape(say("history_empty"))}</p>'
    days: dict[str, list[ChatSession]] = {}
    for session in sessions:
        days.setdefault(day_of(session.updated_at, at), []).append(session)
    listed = "".join(
        f"<h3>{escape(say(day))}</h3><ul>{''.join(_item(one, current, say) for one in each)}</ul>"
        for day, each in days.items()
    )
    return f'{new}<nav aria-label="{escape(say("history"))}">{listed}</nav>'


def day_of(used: datetime, at: datetime) -> str:
    """`today`, `yesterday` or `earlier`, by UTC: the server does not know where the student is."""
    days = (at.date() - used.date()) // timedelta(days=1)
    return "today" if days <= 0 else "yesterday" if days == 1 else "earlier"


def news_html(answered: Iterable[tuple[OwnQuestion, str]], say: PageTexts) -> str:
    """What TAs answered since one looked: each question with the session it stands in."""
    links = "".join(
        f'<li><a href="/?session={escape(session_id)}#turn-{escape(one.trace_id or "")}">'
        f"{escape(one.question)}</a></li>"
        for one, session_id in answered
    )
    return (
        f'<div class="note news" role="status"><p>{escape(say("ta_news"))}</p><ul>{links}</ul></div>' if links else ""
    )


def dialogs_html(say: PageTexts) -> str:
    """The panel in which a source opens, and the question before a session is deleted."""
    close = escape(say("close"))
    return (
        f'<dialog id="panel" class="panel" aria-labelledby="panel-title"><div class="panel-head">'
        f'<h2 id="panel-title">{escape(say("panel"))}</h2><a class="tool" id="panel-tab" target="_blank" '
        f'rel="noopener" title="{escape(say("open_tab"))}" aria-label="{escape(say("open_tab"))}">'
        f"{icon('external')}</a>"
        f'<button type="button" class="tool" data-close aria-label="{close}" title="{close}">{icon("close")}</button>'
        f'</div><iframe id="panel-frame" title="{escape(say("panel"))}"></iframe></dialog>'
        f'<dialog id="forget" class="ask" aria-labelledby="forget-title"><h2 id="forget-title">'
        f'{escape(say("delete_heading"))}</h2><p>{escape(say("delete_lead"))}</p><div class="ends">'
        f'<button type="button" class="plain danger" data-forget-now>{escape(say("delete"))}</button>'
        f'<button type="button" class="plain" data-close>{escape(say("cancel"))}</button></div></dialog>'
    )


def _item(session: ChatSession, current: str | None, say: PageTexts) -> str:
    title = session.title or say("untitled")
    here = ' aria-current="page"' if session.session_id == current else ""
    told = escape(say("delete_one", title=title))
    return (
        f'<li><a href="/?session={escape(session.session_id)}"{here} title="{escape(title)}">{escape(title)}</a>'
        f'<button type="button" class="tool" data-forget="{escape(session.session_id)}" aria-label="{told}" '
        f'title="{told}">{icon("trash")}</button></li>'
    )
