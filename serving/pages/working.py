"""How the pages of TAs and teachers do something: as who the visitor is by then; what went wrong is said there."""

from collections.abc import Callable
from typing import TypeVar
from urllib.parse import urlencode

import structlog
from nicegui import ui
from sqlalchemy.orm import Session

from knowledge_graph.lake.problems import CoteachError
from serving.gateway.errors import GatewayError
from serving.pages.visits import Visit
from serving.pages.words import PageTexts, words
from serving.store.caller import Caller, Role
from serving.store.database_errors import StoreUnavailable

Result = TypeVar("Result")

log = structlog.get_logger(__name__)


async def caller_still(visit: Visit, role: Role) -> Caller | None:
    """Who the visitor is now; `None`, and off to the login, when that is nobody who may do this any more."""
    try:
        caller = await visit.still()
    except GatewayError:
        caller = None
    if caller is not None and caller.is_at_least(role):
        return caller
    ui.navigate.to(f"/login?{urlencode({'next': visit.request.url.path, 'role': role})}")
    return None


async def carry_out(
    visit: Visit,
    role: Role,
    work: Callable[[Session, Caller], Result],
    *,
    done: str = "",
    passing: type[CoteachError] | None = None,
) -> Result | None:
    """Do `work` on the store, have it served from now on, and say `done`; `None` when it was refused, which the page is
    told instead.

    An error of type `passing` is raised, for the page to say in words of its own.
    """
    caller = await caller_still(visit, role)
    if caller is None:
        return None
    try:
        result = await visit.service.store.writing(lambda db: work(db, caller))
    except CoteachError as error:
        if passing is not None and isinstance(error, passing):
            raise
        tell_refused(visit, error)
        return None
    await _serve(visit)
    if done:
        ui.notify(done, type="positive", position="bottom", timeout=2500)
    return result


async def look_up(visit: Visit, work: Callable[[Session], Result]) -> Result:
    """Read from the store without keeping the page waiting for other visitors."""
    return await visit.service.store.reading(work)


def tell_refused(visit: Visit, error: CoteachError) -> None:
    """The reason, in the visitor's language as far as the page has words for it."""
    say = words("working", visit.lang)
    ui.notify(
        reason_of(error, say), type="negative", position="bottom", multi_line=True, close_button=say("close"), timeout=0
    )


def reason_of(error: CoteachError, say: PageTexts) -> str:
    """An error in one sentence. Of a store that fails the message is for whoever runs it: it names files and hosts."""
    keys = [f"refused_{kind.__name__}" for kind in type(error).__mro__]
    if say.lang == "en" and not isinstance(error, StoreUnavailable):
        return str(error)
    return say(next((key for key in keys if key in say), "refused"))


async def _serve(visit: Visit) -> None:
    """Have the next question answered with what was just decided. Where that fails, it is seen a moment later."""
    try:
        await visit.service.overlay.refresh(visit.service.store)
    except CoteachError as error:
        log.warning("decision_not_served_yet", reason=type(error).__name__)
