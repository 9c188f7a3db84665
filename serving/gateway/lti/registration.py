"""`/lti/register/{token}`: an LMS registers itself, invited by an admin's link.

The link is for one registration and ends by itself. It is used up when somebody presses the button on the page that it
opens, not by being looked at; when the LMS fails meanwhile, it can be used again.
"""

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import structlog
from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response
from sqlalchemy.orm import Session

from serving.gateway.access import refuse_other_sites, settings_of
from serving.gateway.lti.claims import LaunchRefused
from serving.gateway.lti.fetching import PlatformUnreachable, fetch_object
from serving.gateway.lti.markup import register_html, registration_html
from serving.gateway.lti.routes import PAGES, answer_or_refuse, fields_of, form_of
from serving.gateway.lti.tool import ToolAddresses, addresses_of, lti_of
from serving.gateway.service import Service, Shared
from serving.pages.plain_page import HEADERS, lang_of, plain_page
from serving.pages.words import words
from serving.store.audit import record
from serving.store.invitations import InvitationUnknown, give_back, read_invitation, take_invitation
from serving.store.platforms import (
    PlatformAddresses,
    PlatformGrant,
    PlatformUnusable,
    add_platform,
    is_safe_address,
    origin_of,
)
from serving.store.tables.lti import LtiPlatform

router = APIRouter(tags=["lti"])

log = structlog.get_logger(__name__)

TOOL_CONFIGURATION = "https://purl.imsglobal.org/spec/lti-tool-configuration"
CLAIMS = ["iss", "sub", "name", "given_name", "family_name"]
"""Names are asked for because a TA's or teacher's stands under answers; those of students are not kept."""

_ENDPOINTS = ("issuer", "authorization_endpoint", "jwks_uri", "token_endpoint", "registration_endpoint")


@dataclass(frozen=True)
class PlatformConfiguration:
    """What a platform says of itself: https://www.imsglobal.org/spec/lti-dr/v1p0."""

    issuer: str
    auth_url: str
    jwks_url: str
    token_url: str | None
    registration_url: str


@router.get("/lti/register/{token}", response_class=HTMLResponse, responses=PAGES)
async def show_registration(
    token: str, request: Request, service: Shared, openid_configuration: str = "", registration_token: str = ""
) -> Response:
    """What the link would allow the LMS that opened it."""

    async def work() -> Response:
        grant, _ = await _read_invitation(service, token)
        if not is_safe_address(openid_configuration):
            raise LaunchRefused("request", status=400, what="openid_configuration")
        say = words("lti", lang_of(request))
        fields = {"openid_configuration": openid_configuration, "registration_token": registration_token}
        platform = urlsplit(openid_configuration).netloc
        role = words("frame", say.lang)(f"role_{grant.highest_role}")
        body = register_html(platform, grant.courses, role, fields, say)
        return _allow_framing(origin_of(openid_configuration), plain_page(request, say("title"), body))

    return await answer_or_refuse(request, work)


@router.post(
    "/lti/register/{token}",
    response_class=HTMLResponse,
    responses=PAGES,
    openapi_extra=form_of("openid_configuration", "registration_token"),
)
async def register(token: str, request: Request, service: Shared) -> Response:
    """Register with the LMS that opened the link, and register the LMS here."""
    refuse_other_sites(request, settings_of(request))

    async def work() -> Response:
        said = await fields_of(request)
        grant, issuer = await _take_invitation(service, token)
        try:
            platform, deployment = await _register(request, service, said, grant, issuer)
        except (PlatformUnreachable, PlatformUnusable) as error:
            await service.store.writing(lambda db: give_back(db, token))
            raise LaunchRefused("registration", status=502, why=str(error)) from error
        except BaseException:
            await service.store.writing(lambda db: give_back(db, token))
            raise
        await lti_of(request.app).refresh()
        say = words("lti", lang_of(request))
        body = registration_html(platform.name, None if deployment else platform.platform_id, say)
        origin = origin_of(said["openid_configuration"])
        return _allow_framing(origin, plain_page(request, say("title"), body))

    return await answer_or_refuse(request, work)


async def _read_invitation(service: Service, token: str) -> tuple[PlatformGrant, str | None]:
    try:
        return await service.store.reading(lambda db: read_invitation(db, token))
    except InvitationUnknown as error:
        raise LaunchRefused("invitation", status=404) from error


async def _take_invitation(service: Service, token: str) -> tuple[PlatformGrant, str | None]:
    try:
        return await service.store.writing(lambda db: take_invitation(db, token))
    except InvitationUnknown as error:
        raise LaunchRefused("invitation", status=404) from error


async def _register(
    request: Request, service: Service, said: dict[str, str], grant: PlatformGrant, issuer: str | None
) -> tuple[LtiPlatform, str | None]:
    """The platform, registered on both sides, and its deployment if it told one."""
    http, addresses = lti_of(request.app).http, addresses_of(request)
    bearer, where = said.get("registration_token") or None, said.get("openid_configuration", "")
    found = read_configuration(await fetch_object(http, where, bearer=bearer), where, issuer)
    reply = await fetch_object(http, found.registration_url, bearer=bearer, sent=registration_of(addresses))
    client_id, deployment = reply.get("client_id"), deployment_in(reply)
    if not isinstance(client_id, str) or not 0 < len(client_id) <= 255:
        raise PlatformUnusable(f"{found.registration_url} gave no client id.")
    known = PlatformAddresses(found.issuer, client_id, found.auth_url, found.jwks_url, found.token_url)

    def work(db: Session) -> LtiPlatform:
        platform = add_platform(db, known, grant, [deployment] if deployment else [])
        about = {"issuer": found.issuer, "courses": platform.courses, "role": platform.highest_role}
        record(db, "lti.platform.add", platform.platform_id, by="registration link", **about)
        return platform

    platform = await service.store.writing(work)
    log.info("lti_platform_registered", platform=platform.platform_id, issuer=found.issuer)
    return platform, deployment


def read_configuration(found: dict[str, Any], where: str, issuer: str | None) -> PlatformConfiguration:
    """A platform's description of itself. Its issuer must have the host that it was fetched from, or be the one that
    the admin named: nobody registers in another's name. Raises `PlatformUnusable`."""
    said = {name: str(found.get(name) or "") for name in _ENDPOINTS}
    if missing := [name for name in _ENDPOINTS if name != "token_endpoint" and not said[name]]:
        raise PlatformUnusable(f"{where} does not say its {', '.join(missing)}.")
    named = said["issuer"]
    is_expected = named == issuer if issuer is not None else _host(named) == _host(where)
    if not is_expected:
        if issuer is not None:
            raise PlatformUnusable(f"{where} calls itself {named}; this link is for {issuer}.")
        raise PlatformUnusable(
            f"{where} calls itself {named}, which is another host. If that is right, an admin makes a link for it: "
            f"`coteach lti invite --issuer {named}`."
        )
    return PlatformConfiguration(
        issuer=named,
        auth_url=said["authorization_endpoint"],
        jwks_url=said["jwks_uri"],
        token_url=said["token_endpoint"] or None,
        registration_url=said["registration_endpoint"],
    )


def _host(address: str) -> str:
    try:
        return (urlsplit(address).hostname or address).lower()
    except ValueError:
        return address


def registration_of(addresses: ToolAddresses) -> dict[str, Any]:
    """What this tool says of itself to a platform."""
    messages = [
        {"type": "LtiResourceLinkRequest", "target_link_uri": addresses.launch, "label": "coteach"},
        {
            "type": "LtiDeepLinkingRequest",
            "target_link_uri": addresses.launch,
            "label": "coteach",
            "placements": ["ContentArea"],
        },
    ]
    return {
        "application_type": "web",
        "client_name": "coteach",
        "response_types": ["id_token"],
        "grant_types": ["implicit", "client_credentials"],
        "initiate_login_uri": addresses.login,
        "redirect_uris": [addresses.launch],
        "jwks_uri": addresses.keys,
        "token_endpoint_auth_method": "private_key_jwt",
        "scope": "",
        TOOL_CONFIGURATION: {
            "domain": urlsplit(addresses.base).netloc,
            "description": "Answers questions about a course from its own material, with sources.",
            "target_link_uri": addresses.launch,
            "claims": CLAIMS,
            "messages": messages,
        },
    }


def deployment_in(reply: dict[str, Any]) -> str | None:
    """The deployment that a platform made with the registration, if it says one."""
    configuration = reply.get(TOOL_CONFIGURATION)
    said = configuration.get("deployment_id") if isinstance(configuration, dict) else None
    told = str(said) if isinstance(said, str | int) and not isinstance(said, bool) else ""
    return told if 0 < len(told) <= 255 else None


def _allow_framing(origin: str, page: HTMLResponse) -> Response:
    """An LMS that is about to be registered may show the page in a frame, as some do."""
    policy = HEADERS["Content-Security-Policy"].replace("frame-ancestors 'self'", f"frame-ancestors 'self' {origin}")
    page.headers["Content-Security-Policy"] = policy
    del page.headers["X-Frame-Options"]
    page.headers["Cross-Origin-Opener-Policy"] = "unsafe-none"  # the LMS's window is told that it is done
    return page
