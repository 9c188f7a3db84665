"""Who is asking: a key in `Authorization: Bearer`, a login's cookie, or nobody known where the gateway is open.

What is found in the store is believed for a second, so a key that is revoked in another process ends here within two.
Keys in addresses are never read. The dependencies `Asking`, `Ta`, `Teacher`, `Admin` are what routes name.
"""

import ipaddress
from collections.abc import Callable, Mapping
from functools import partial
from typing import Annotated, Any

from fastapi import Depends, FastAPI, Request
from fastapi.security import APIKeyCookie, HTTPBearer

from knowledge_graph.lake.problems import CoteachError
from serving.gateway.errors import GatewayError
from serving.gateway.idempotency import Repeats
from serving.gateway.identities import Identities, Identity
from serving.gateway.links import Links
from serving.gateway.logs import notes_of
from serving.gateway.rate_limits import Limits, address_block
from serving.gateway.request_claims import (
    bearer_of,
    body_of,
    find_asked_course,
    find_course,
    find_response_id,
    find_tool_arguments,
    is_loopback,
    is_same_site,
    session_of,
    user_of,
)
from serving.gateway.signed_links import PARAMETER, LinkSigner, ResponseIds, read_secret
from serving.settings import Settings
from serving.store.caller import Caller, Role, Scope
from serving.store.keys import PREFIX
from serving.store.tables.base import new_id

COOKIE = "coteach_login"

LAUNCH_COOKIE = "coteach_launch"
"""Cookie of a launch from an LMS. It goes before a login's cookie, since logging in with a key ends the launch."""

ASKING_ROUTES = frozenset({"/v1/chat/completions", "/v1/responses"})
"""Routes that have the model write: their requests count as questions, and while they last as open answers."""

TOOLS_ROUTE = "/mcp"
"""Where one of several tools is called; `ask` among them counts as a question."""

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


async def identify(request: Request) -> Identity:
    """The caller with the name under which their requests are counted. Raises `GatewayError` 401 without a key that is
    needed or with a wrong one.

    In a gateway that is open a key that is not one of this gateway's (clients insist on some) counts as none. 403 for
    what another site's page makes a browser send.
    """
    settings, identities = settings_of(request), identities_of(request)
    shown = bearer_of(request.headers.get("authorization"))
    if shown is not None and (settings.access == "keys" or shown.startswith(f"{PREFIX}-")):
        return await _by_key(request, identities, shown)
    refuse_other_sites(request, settings)
    if (held := await find_login(request)) is not None:
        return held
    _refuse_when_unchosen(request, settings)
    if settings.access == "keys":
        raise GatewayError("A key is needed: send `Authorization: Bearer ct-…`, or log in at /login.", status=401)
    return await _unknown(request, identities)


async def find_login(request: Request) -> Identity | None:
    """Whose login a browser's cookies are; `None` when they are nobody's, or over."""
    named = (request.cookies.get(LAUNCH_COOKIE), request.cookies.get(COOKIE), getattr(request.state, "new_login", None))
    for token in filter(None, named):
        if (held := await identities_of(request).by_login(token)) is not None:
            return held
    return None


async def _by_key(request: Request, identities: Identities, shown: str) -> Identity:
    if not identities.has_seen(shown):
        await limits_of(request).check(address_of(request), "logins")
    identity = await identities.by_key(shown)
    if identity is None:
        await limits_of(request).admit(address_of(request), "logins")
        raise GatewayError("This key is wrong, has been revoked or has ended.", status=401)
    user = user_of(request.headers, await body_of(request)) if identity.caller.role == "student" else None
    return identity if user is None else await identities.student_of(identity, user)


async def _unknown(request: Request, identities: Identities) -> Identity:
    """A caller without key or login: the holder of the session they name, else a new person, stored when they ask."""
    who = f"address:{address_of(request)}"
    body = await body_of(request)
    session_id = session_of(request.path_params, request.headers, body)
    person_id = await identities.by_session(session_id) if session_id else None
    if person_id is None and (shown := find_response_id(request.path_params, body)) is not None:
        trace_id = response_ids_of(request).read(shown)
        person_id = await identities.by_answer(trace_id) if trace_id else None
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
    caller, notes, limits = identity.caller, notes_of(request), limits_of(request)
    notes.person_id = caller.person_id
    require_scope(caller, scope_of(request))
    route = getattr(request.scope.get("route"), "path", "")
    body = await body_of(request)
    asked = find_tool_arguments(body) if route == TOOLS_ROUTE else None
    is_question = asked is not None or (route in ASKING_ROUTES and request.method == "POST")
    if asked is not None:
        course_id = find_course({}, {"course_id": asked.get("course")})
    else:
        course_id = find_asked_course(body) if is_question else find_course(request.path_params, body)
    if course_id is not None and not caller.may_see(course_id):
        raise no_such_course(course_id)
    is_there = course_id in request.app.state.service.course_ids
    notes.course = course_id if is_there or course_id is None else "other"
    left = await limits.admit(
        identity.who,
        "questions" if is_question else "requests",
        course_id=course_id if is_question and is_there else None,
        per_minute=identity.per_minute,
    )
    if left is not None:
        notes.headers.extend(left.headers())
    if is_question:
        notes.at_end.append(limits.take(identity.who))
    return caller


_SCOPES: Mapping[str, Scope] = {
    **dict.fromkeys(("answers", "questions", "traces", "feedback"), "ask"),
    **dict.fromkeys(("material", "sources"), "material"),
}
"""By the tag of a route; every other is of the desk."""


def scope_of(request: Request) -> Scope:
    """What a key must be for at this route."""
    tags = getattr(request.scope.get("route"), "tags", None) or [""]
    return _SCOPES.get(str(tags[0]), "desk")


def require_scope(caller: Caller, scope: Scope) -> None:
    if not caller.may_use(scope):
        listed = ", ".join(sorted(caller.scopes or ()))
        raise GatewayError(f"This key is for {listed} alone, and this takes the scope '{scope}'.", status=403)


def at_least(role: Role) -> Callable[..., Any]:
    """A dependency that requires at least a role: 401 for an unknown caller, 403 for a lesser role."""

    async def require_role(caller: Annotated[Caller, Depends(asking)]) -> Caller:
        return require(caller, role)

    return require_role


def require(caller: Caller, role: Role) -> Caller:
    """The caller, when the role is enough; `GatewayError` 401 or 403 otherwise."""
    if caller.is_at_least(role):
        return caller
    if caller.key_id is None:
        raise GatewayError(f"A key of a {role} is needed here.", status=401)
    raise GatewayError(f"A key of a {role} is needed here; yours is a {caller.role}'s.", status=403)


async def reading(
    request: Request,
    bearer: Annotated[object, Depends(_bearer)] = None,
    cookie: Annotated[object, Depends(_cookie)] = None,
) -> Caller:
    """Who may open a source: every caller, the holder of an answer's signed link, or everybody where that is set."""
    course_id = str(request.path_params.get("course_id", ""))
    shown = request.query_params.get(PARAMETER)
    linked = None if shown is None else signer_of(request).read(request.url.path, shown)
    is_public = settings_of(request).sources == "public"
    if not is_public and (linked is None or not await identities_of(request).is_key(linked)):
        return await asking(request)
    await limits_of(request).admit(f"address:{address_of(request)}", "requests")
    return Caller(new_id(), courses=None if is_public else frozenset({course_id}), is_new=True)


Asking = Annotated[Caller, Depends(asking)]
Reading = Annotated[Caller, Depends(reading)]
Ta = Annotated[Caller, Depends(at_least("ta"))]
Teacher = Annotated[Caller, Depends(at_least("teacher"))]
Admin = Annotated[Caller, Depends(at_least("admin"))]


async def ask_for_metrics(request: Request) -> None:
    """Raise `GatewayError` unless this request may read the metrics."""
    allowed = settings_of(request).metrics
    client = request.client.host if request.client else None
    if allowed == "open" or (allowed == "loopback" and is_loopback(client)):
        return
    caller = (await identify(request)).caller
    if caller.scopes is None:
        require(caller, "admin")
    else:
        require_scope(caller, "metrics")


async def is_admin(request: Request) -> bool:
    """Whether a request that anybody may make comes with an admin's key; nothing is refused and nothing counted."""
    shown = bearer_of(request.headers.get("authorization"))
    try:
        identity = await identities_of(request).by_key(shown) if shown else None
    except CoteachError:
        return False
    return identity is not None and identity.caller.is_at_least("admin") and identity.caller.scopes is None


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


def signer_of(request: Request) -> LinkSigner:
    signer: LinkSigner | None = getattr(request.app.state, "signer", None)
    if signer is None:
        settings = settings_of(request)
        signer = LinkSigner(read_secret(settings.home, settings.link_secret), seconds=settings.link_hours * 3600)
        request.app.state.signer = signer
    return signer


def response_ids_of(request: Request) -> ResponseIds:
    ids: ResponseIds | None = getattr(request.app.state, "response_ids", None)
    if ids is None:
        settings = settings_of(request)
        ids = request.app.state.response_ids = ResponseIds(read_secret(settings.home, settings.link_secret))
    return ids


def links_for(request: Request, caller: Caller) -> Links:
    """How references open for whom a caller asks: by signed links where a key is needed to ask."""
    settings = settings_of(request)
    base_url = own_address(request)
    if settings.access != "keys" or settings.sources == "public":
        return Links(base_url)
    return Links(base_url, partial(signer_of(request).query, key_id=caller.key_id))


def own_address(request: Request) -> str:
    """The address by which students reach the gateway: as it was set, else the one that the request came in at, by its
    socket."""
    if (public := settings_of(request).public_url) is not None:
        return public
    host, port = request.scope.get("server") or (settings_of(request).host, settings_of(request).port)
    named = f"[{host}]" if ":" in host else host
    return f"{request.scope['scheme']}://{named}" + (f":{port}" if port else "")


def who_asks(request: Request, caller: Caller) -> str:
    """What tells callers apart that may be new with every request."""
    return f"address:{address_of(request)}" if caller.is_new else f"person:{caller.person_id}"


def limits_of(request: Request) -> Limits:
    limits: Limits = request.app.state.limits
    return limits


def settings_of(request: Request) -> Settings:
    settings: Settings = request.app.state.service.settings
    return settings


def identities_of(request: Request) -> Identities:
    return identities_of_app(request.app)


def identities_of_app(app: FastAPI) -> Identities:
    identities: Identities = app.state.identities
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
    app.state.repeats = Repeats()
