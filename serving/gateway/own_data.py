"""`/v1/me/data`: everything the store holds of the caller, exported and deleted at their request.

Who asks is known by key, login, or the id of one of their sessions, as everywhere.
"""

import asyncio
from html import escape
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from pydantic import BaseModel, Field
from sqlalchemy.orm import Session

from serving.gateway.access import Asking, identities_of
from serving.gateway.authoring.forms import FORMS
from serving.gateway.authoring.uploads import text_of
from serving.gateway.errors import RESPONSES, GatewayError
from serving.gateway.lti.routes import form_of
from serving.gateway.service import Shared
from serving.pages.plain_page import lang_of, plain_page
from serving.pages.words import words
from serving.store.audit import record
from serving.store.caller import Caller
from serving.store.privacy import everything_of, forget_own, stays_of

router = APIRouter(tags=["questions"], responses=RESPONSES)

CONFIRMED = "everything"

_AS_A_FILE = {"Content-Disposition": 'attachment; filename="my-data.json"', "Cache-Control": "no-store"}


class OwnDataDeleted(BaseModel):
    """What was deleted, and what stays of it without its asker."""

    deleted: dict[str, int] = Field(description="Rows by table.")
    stays: dict[str, int] = Field(description="`approved_answers`: TAs' own texts, without who had asked.")


@router.get("/v1/me/data", response_model=dict[str, list[dict[str, Any]]])
async def export_own_data(caller: Asking, service: Shared) -> Response:
    """Everything the store holds of the caller, by table, to be saved as a file."""

    def note(db: Session) -> None:
        record(db, "student.export", caller.person_id, by="themselves")

    found = await service.store.reading(lambda db: everything_of(db, caller.person_id))
    if found.get("people"):
        await service.store.writing(note)
    return JSONResponse(found, headers=_AS_A_FILE)


@router.delete("/v1/me/data")
async def delete_own_data(
    request: Request,
    caller: Asking,
    service: Shared,
    confirm: Annotated[str, Query(max_length=20, description="`everything`, so that nothing goes by mistake.")] = "",
) -> OwnDataDeleted:
    """Delete all that the caller asked, said and was kept of them, for good."""
    return await forget_caller(request, service, caller, confirm=confirm)


@router.post("/me/delete", response_class=HTMLResponse, responses=FORMS, openapi_extra=form_of("confirm"))
async def delete_by_form(request: Request, caller: Asking, service: Shared) -> Response:
    """What the page `/me` sends to delete everything; it leads back to the page."""
    confirm = text_of(await request.form(), "confirm")
    try:
        done = await forget_caller(request, service, caller, confirm=confirm)
    except GatewayError as error:
        say = words("own_data", lang_of(request))
        body = (
            f'<section class="card lti"><h1>{escape(say("not_confirmed"))}</h1>'
            f'<p class="error" role="alert">{escape(say("confirm_first"))}</p>'
            f'<p><a href="/me">{escape(say("back"))}</a></p></section>'
        )
        return plain_page(request, say("not_confirmed"), body, status=error.status)
    return RedirectResponse(f"/me?done={sum(done.deleted.values())}", status_code=303)


async def forget_caller(request: Request, service: Shared, caller: Caller, *, confirm: str) -> OwnDataDeleted:
    """Delete what is the caller's, here and in the files of the store. Raises `GatewayError` 400 unconfirmed."""
    if confirm != CONFIRMED:
        raise GatewayError(f"This deletes all your data for good. Send confirm={CONFIRMED}.", param="confirm")

    def work(db: Session) -> OwnDataDeleted:
        stays = stays_of(db, caller.person_id)
        deleted = forget_own(db, caller.person_id)
        if deleted:
            record(db, "student.delete", caller.person_id, by="themselves")
        return OwnDataDeleted(deleted=deleted, stays=stays)

    await service.conversations.aclose()  # what is being stored goes with the rest
    done = await service.store.writing(work)
    identities_of(request).forget_person(caller.person_id)
    await asyncio.to_thread(service.store.checkpoint)
    return done
