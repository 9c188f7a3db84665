"""What an LMS says in a launch: its claims, read; and what they make of somebody here. Pure.

A token's signature has been verified before anything here is called (`id_tokens.py`). Nothing but the claims of the
specification is read: what else a token says, of roles above all, counts for nothing.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, cast, get_args

from knowledge_graph.lake.problems import CoteachError
from knowledge_graph.lake.records import Lang
from knowledge_graph.text.time_code import read_seconds
from serving.pages.words import words
from serving.store.caller import Role
from serving.store.platforms import lower_role

LTI = "https://purl.imsglobal.org/spec/lti/claim/"
DEEP_LINKING = "https://purl.imsglobal.org/spec/lti-dl/claim/"
VERSION = "1.3.0"
MEMBERSHIP = "http://purl.imsglobal.org/vocab/lis/v2/membership"

MessageType = Literal["LtiResourceLinkRequest", "LtiDeepLinkingRequest"]

COURSE, LECTURE, SECOND = "coteach_course", "coteach_lecture", "coteach_second"
"""Custom parameters of a link: what it opens. A course is only compared with the one that is connected."""

LONGEST = 255
"""Characters of the ids of a platform, as the specification has them."""

LONGEST_NAME = 200
_ROLE = re.compile(rf"{re.escape(MEMBERSHIP)}(?P<below>/[A-Za-z]+)?#(?P<role>[A-Za-z]+)|(?P<short>[A-Za-z]+)")

LESS_THAN_TEACHERS = ("TeachingAssistant", "Grader", "GuestInstructor", "ExternalInstructor")
"""Beginnings of the sub-roles of an instructor that are a TA's here. The specification has several of a TA."""


class LaunchRefused(CoteachError):
    """What an LMS sent and is not let in. `reason` names the sentence of `words/lti.yaml`, in any language, whose gaps
    are `gaps`; the log has it too."""

    def __init__(self, reason: str, *, status: int = 403, **gaps: object) -> None:
        super().__init__(words("lti", "en")(f"refused_{reason}", **gaps))
        self.reason, self.status, self.gaps = reason, status, gaps

    def describe(self, lang: Lang) -> str:
        return words("lti", lang)(f"refused_{self.reason}", **self.gaps)


@dataclass(frozen=True)
class LearningContext:
    """A course of the LMS, by its id there."""

    context_id: str
    title: str


@dataclass(frozen=True)
class LinkTarget:
    """What a link opens: a lecture of its course, and the second in it. `course_id` is what the link claims."""

    course_id: str | None = None
    lecture: str | None = None
    second: int | None = None


@dataclass(frozen=True)
class DeepLinkingSettings:
    """Where the choice of a teacher goes back to, with `data` as it came."""

    return_url: str
    accepts_links: bool
    data: str | None = None


@dataclass(frozen=True)
class LtiLaunch:
    """A launch: who, by the platform's id; as what; in which of its courses; to open what."""

    message_type: MessageType
    deployment_id: str
    subject: str
    role: Role
    context: LearningContext | None
    target_link_uri: str
    target: LinkTarget
    name: str | None = None
    locale: str | None = None
    deep_linking: DeepLinkingSettings | None = None


def read_launch(claims: Mapping[str, Any], *, highest: Role) -> LtiLaunch:
    """The launch that verified claims describe; nobody is made more than `highest`. Raises `LaunchRefused`."""
    if claims.get(f"{LTI}version") != VERSION:
        raise LaunchRefused("version", found=_show_claim(claims, "version"))
    kind = claims.get(f"{LTI}message_type")
    if kind not in get_args(MessageType):
        raise LaunchRefused("message_type", found=_show_claim(claims, "message_type"))
    subject = _id(claims.get("sub"))
    if subject is None:
        raise LaunchRefused("anonymous")
    return LtiLaunch(
        message_type=cast(MessageType, kind),
        deployment_id=_id(claims.get(f"{LTI}deployment_id")) or "",
        subject=subject,
        role=lower_role(role_of(_texts(claims.get(f"{LTI}roles"))), highest),
        context=_context(claims.get(f"{LTI}context")),
        target_link_uri=str(claims.get(f"{LTI}target_link_uri") or ""),
        target=target_of(claims.get(f"{LTI}custom")),
        name=name_of(claims),
        locale=_text(_object(claims.get(f"{LTI}launch_presentation")).get("locale")),
        deep_linking=_deep_linking(claims.get(f"{DEEP_LINKING}deep_linking_settings")),
    )


def role_of(roles: Iterable[str]) -> Role:
    """What the roles in the course make of somebody. Roles in the institution or the system count for nothing.

    A teaching assistant comes as `membership/Instructor#TeachingAssistant` beside `membership#Instructor`, its
    principal role; the lower of both is meant then. Short names (`Instructor`) are roles of the context.
    """
    found = {(match["below"], match["role"] or match["short"]) for one in roles if (match := _ROLE.fullmatch(one))}
    if any(name.startswith(LESS_THAN_TEACHERS) for below, name in found if below in (None, "/Instructor")):
        return "ta"
    is_teacher = any(below == "/Instructor" for below, _ in found)
    return "teacher" if is_teacher or {(None, "Instructor"), (None, "Administrator")} & found else "student"


def target_of(custom: object) -> LinkTarget:
    """What the custom parameters of a link open; what cannot be read opens the course."""
    said = _object(custom)
    return LinkTarget(_text(said.get(COURSE)), _text(said.get(LECTURE)), read_seconds(str(said.get(SECOND))))


def name_of(claims: Mapping[str, Any]) -> str | None:
    """The name that the platform sends, if it does."""
    parts = [_text(claims.get(one)) for one in ("given_name", "family_name")]
    name = _text(claims.get("name")) or " ".join(part for part in parts if part)
    return " ".join(name.split())[:LONGEST_NAME] or None


def _context(claim: object) -> LearningContext | None:
    said = _object(claim)
    context_id = _id(said.get("id"))
    if context_id is None:
        return None
    return LearningContext(context_id, _text(said.get("title")) or _text(said.get("label")) or "")


def _deep_linking(claim: object) -> DeepLinkingSettings | None:
    said = _object(claim)
    return_url = _text(said.get("deep_link_return_url"))
    if return_url is None:
        return None
    accepted = _texts(said.get("accept_types"))
    data = said.get("data")
    return DeepLinkingSettings(return_url, "ltiResourceLink" in accepted, data if isinstance(data, str) else None)


def _object(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _texts(value: object) -> list[str]:
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []


def _text(value: object) -> str | None:
    """A text that may be shown and stored; `None` for anything else."""
    said = value.strip() if isinstance(value, str) else ""
    return said if said and len(said) <= 2000 and said.isprintable() else None


def _id(value: object) -> str | None:
    said = _text(value)
    return said if said is not None and len(said) <= LONGEST else None


def _show_claim(claims: Mapping[str, Any], name: str) -> str:
    return repr(claims.get(f"{LTI}{name}"))[:60]
