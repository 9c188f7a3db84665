"""Who is asking: a key in `Authorization: Bearer`, a login's cookie, or nobody known where the gateway is open.

What is found in the store is believed for a second, so a key that is revoked in another process ends here within two.
Keys in addresses are never read. The dependencies `Asking`, `Ta`, `Teacher`, `Admin` are what routes name.
"""

import ipaddress
from collections.abc import Callable
from typing import Annotated, Any

from fastapi import Depends, FastAPI, Request
from fastapi.security import APIKeyCookie, HTTPBearer

from knowledge_graph.problems import CoteachError
from serving.access import Caller, Role
from serving.gateway.errors import GatewayError
from serving.gateway.identities import Identities, Identity
from serving.gateway.limiting import Limits, address_block
from serving.gateway.logs import noted
from serving.gateway.shown import (
    bearer_of,
    body_of,
    course_named,
    is_loopback,
    is_same_site,
    loggable,
    session_of,
    user_of,
)
from serving.settings import Settings
from serving.store.keys import PREFIX
from serving.store.tables import new_id

COOKIE = "coteach_login"

ASKING_ROUTES = frozenset({"/v1/chat/completions"})
"""Routes that have the model write: their requests count as questions, and while they last as open answers."""

_bearer = HTTPBearer(auto_error=False, description="A key made by `coteach keys create`.")
_cookie = APIKeyCookie(name=COOKIE, auto_error=False, description="What `/login` gives a browser.")


class OpenToAll(CoteachError):
    """The gateway would answer anybody on the network, and nobody said that it should."""


def refuse_unsafe(settings: Settings) -> None:
    """Raise `OpenToAll` when the gateway would listen beyond this machine without `access` being chosen."""
    is_chosen = settings.access == "keys" or "access" in settings.model_fields_set
    if not is_chosen and not is_loopback(settings.host):
        raise OpenToAll(open_to_all(settings.host))


def open_to_all(host: str) -> str:
    return (
        f"On {host} everybody on the network could ask, for no key is needed. Set COTEACH_ACCESS=keys and make keys "
        "with `coteach keys create`, or COTEACH_ACCESS=open if that is meant."
    )


async def caller_of(request: Request) -> Caller:
    """Who asks, for routes and pages. Raises `GatewayError` 401 without a key that is needed or with a wrong one.

    In a gateway that is open a key that is not one of this gateway's (clients insist on some) counts as none. 403 for
    what another site's page makes a browser send.
    """
    identity = await identify(request)
    noted(request).person_id = identity.caller.person_id
    return identity.caller


async def identify(request: Request) -> Identity:
    """The caller with the name under which their requests are counted. Raises as `caller_of`."""
    settings, identities = settings_of(request), identities_of(request)
    shown = bearer_of(request.headers.get("authorization"))
    if shown is not None and (settings.access == "keys" or shown.startswith(f"{PREFIX}-")):
        return await _by_key(request, identities, shown)
    refuse_other_sites(request, settings)
    token = request.cookies.get(COOKIE) or getattr(request.state, "new_login", None)
    if token and (held := await identities.by_login(token)) is not None:
        return held
    _refuse_when_unchosen(request, settings)
    if settings.access == "keys":
        raise GatewayError("A key is needed: send `Authorization: Bearer ct-…`, or log in at /login.", status=401)
    return await _unknown(request, identities)


async def _by_key(request: Request, identities: Identities, shown: str) -> Identity:
    if not identities.has_seen(shown):
        await limits_of(request).check(address_of(request), "logins")
    identity = await identities.by_key(shown)
    if identity is None:
        await limits_of(request).admit(address_of(request), "logins")
        raise GatewayError("This key is wrong or has been revoked.", status=401)
    user = user_of(request.headers, await body_of(request)) if identity.caller.role == "student" else None
    return identity if user is None else await identities.student_of(identity, user)


async def _unknown(request: Request, identities: Identities) -> Identity:
    """Somebody without key or login: the holder of the session they name, else somebody new, kept when they ask."""
    who = f"address:{address_of(request)}"
    session_id = session_of(request.path_params, request.headers, await body_of(request))
    person_id = await identities.by_session(session_id) if session_id else None
    if person_id is not None:
        return Identity(Caller(person_id), who)
    stranger = request.state.stranger = getattr(request.state, "stranger", None) or new_id()
    return Identity(Caller(stranger, is_new=True), who)


async def asking(
    request: Request,
    bearer: Annotated[object, Depends(_bearer)] = None,
    cookie: Annotated[object, Depends(_cookie)] = None,
) -> Caller:
    """Anybody who may ask. 401 without a key that is needed, 404 for a course that is not theirs, 429 for haste."""
    identity = await identify(request)
    caller, notes, limits = identity.caller, noted(request), limits_of(request)
    notes.person_id = caller.person_id
    course_id = course_named(request.path_params, await body_of(request))
    if course_id is not None and not caller.may_see(course_id):
        raise no_such_course(course_id)
    route = getattr(request.scope.get("route"), "path", "")
    is_question = route in ASKING_ROUTES and request.method == "POST"
    notes.course = loggable(course_id)
    left = await limits.admit(
        identity.who,
        "questions" if is_question else "requests",
        course_id=course_id if is_question else None,
        per_minute=identity.per_minute,
    )
    if left is not None:
        notes.headers.extend(left.headers())
    if is_question:
        notes.at_end.append(limits.take(identity.who))
    return caller


def at_least(role: Role) -> Callable[..., Any]:
    """A dependency that lets through whoever has at least a role: 401 for nobody known, 403 for somebody with less."""

    async def required(caller: Annotated[Caller, Depends(asking)]) -> Caller:
        return require(caller, role)

    return required


def require(caller: Caller, role: Role) -> Caller:
    """The caller, when the role is enough; `GatewayError` 401 or 403 otherwise."""
    if caller.is_at_least(role):
        return caller
    if caller.key_id is None:
        raise GatewayError(f"A key of a {role} is needed here.", status=401)
    raise GatewayError(f"A key of a {role} is needed here; yours is a {caller.role}'s.", status=403)


Asking = Annotated[Caller, Depends(asking)]
Ta = Annotated[Caller, Depends(at_least("ta"))]
Teacher = Annotated[Caller, Depends(at_least("teacher"))]
Admin = Annotated[Caller, Depends(at_least("admin"))]


async def ask_for_metrics(request: Request) -> None:
    """Raise `GatewayError` unless this request may read the metrics."""
    allowed = settings_of(request).metrics
    client = request.client.host if request.client else None
    if allowed == "open" or (allowed == "loopback" and is_loopback(client)):
        return
    require(await caller_of(request), "admin")


def course_for(caller: Caller, named: str | None, ids: list[str]) -> str | None:
    """The course a caller means, of those the home has: the one named, else their only one, else all (`None`).

    Raises `GatewayError`: 404 for a course that is not there or not theirs, 400 when a caller who may not ask all
    courses names none.
    """
    theirs = [one for one in ids if caller.may_see(one)]
    if named is not None and named not in theirs:
        raise no_such_course(named, theirs)
    if named is not None or caller.courses is None:
        return named if named is not None else (ids[0] if len(ids) == 1 else None)
    if len(theirs) == 1:
        return theirs[0]
    listed = ", ".join(f"coteach:{one}" for one in theirs) or "none of those here"
    raise GatewayError(f"Name the course: your key is for {listed}.", code="model_not_found", param="model")


def no_such_course(course_id: str, theirs: list[str] | None = None) -> GatewayError:
    """The same for a course that does not exist and for one that is not open to the caller."""
    listed = "" if theirs is None else f" Models here: {', '.join(['coteach', *(f'coteach:{one}' for one in theirs)])}."
    message = f"The course '{course_id[:200]}' does not exist.{listed}"
    return GatewayError(message, status=404, code="model_not_found", param="model")


def limits_of(request: Request) -> Limits:
    limits: Limits = request.app.state.limits
    return limits


def settings_of(request: Request) -> Settings:
    settings: Settings = request.app.state.service.settings
    return settings


def identities_of(request: Request) -> Identities:
    identities: Identities = request.app.state.identities
    return identities


def address_of(request: Request) -> str:
    return address_block(request.client.host if request.client else None)


def refuse_other_sites(request: Request, settings: Settings) -> None:
    if not is_same_site(request.method, request.headers, settings.cors_origins):
        message = "This was sent by another site's page. Ask from a page of this gateway, or with a key."
        raise GatewayError(message, status=403, code="cross_site_request")


def _refuse_when_unchosen(request: Request, settings: Settings) -> None:
    """As `refuse_unsafe`, for a gateway that uvicorn was told to bind elsewhere than the settings say."""
    server = request.scope.get("server")
    if "access" in settings.model_fields_set or server is None:
        return
    try:
        is_beyond = not ipaddress.ip_address(server[0]).is_loopback
    except ValueError:
        return
    if is_beyond:
        raise GatewayError(open_to_all(server[0]), status=403, code="access_not_chosen")


def install(app: FastAPI, settings: Settings) -> None:
    """Let this app know its callers. Raises `OpenToAll`."""
    refuse_unsafe(settings)
    app.state.identities = Identities(app.state.service.store)
