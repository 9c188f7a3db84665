"""What a teacher links: the courses and lectures to choose from, and the answer to the LMS, signed by this tool."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import jwt

from knowledge_graph.text.time_code import read_seconds, time_code
from serving.gateway.lti.claims import COURSE, DEEP_LINKING, LECTURE, LTI, SECOND, VERSION, LaunchRefused
from serving.gateway.lti.markup import LinkableCourse
from serving.gateway.lti.states import ContentChoice
from serving.pages.words import PageTexts
from serving.store.lti_keys import SigningKey
from serving.store.tables.base import new_id
from serving.store.tables.lti import LtiPlatform

ANSWER_SECONDS = 300
"""How long the LMS may take to read the answer. A choice."""


@dataclass(frozen=True)
class ChosenContent:
    """A course, a lecture of it, and a second of that; with the title of the link."""

    course_id: str
    lecture: str | None
    second: int | None
    title: str

    @property
    def custom(self) -> dict[str, str]:
        """The custom parameters of the link: what a launch by it opens."""
        said = {
            COURSE: self.course_id,
            LECTURE: self.lecture,
            SECOND: None if self.second is None else str(self.second),
        }
        return {name: value for name, value in said.items() if value is not None}


def read_chosen(item: str, at: str, courses: Sequence[LinkableCourse], say: PageTexts) -> ChosenContent:
    """The choice that a form sends, if it is one of those offered. Raises `LaunchRefused`."""
    course_id, _, lecture = item.partition("/")
    course = next((one for one in courses if one.course_id == course_id), None)
    second = read_seconds(at) if at.strip() else None
    if course is None or (at.strip() and second is None):
        raise LaunchRefused("choice", status=400)
    if not lecture:
        return ChosenContent(course_id, None, None, say("link_course", course=course.title))
    title = course.lectures.get(lecture)
    if title is None:
        raise LaunchRefused("choice", status=400)
    if second is None:
        return ChosenContent(course_id, lecture, None, say("link_lecture", course=course.title, lecture=title))
    told = say("link_moment", course=course.title, lecture=title, time=time_code(second * 1000))
    return ChosenContent(course_id, lecture, second, told)


def sign_answer(
    choice: ContentChoice, chosen: ChosenContent, platform: LtiPlatform, key: SigningKey, *, launch: str
) -> str:
    """The deep linking response with one link in it, which the LMS verifies by our key set."""
    at = int(time.time())
    claims: dict[str, Any] = {
        "iss": platform.client_id,
        "aud": platform.issuer,
        "iat": at,
        "exp": at + ANSWER_SECONDS,
        "nonce": new_id(),
        f"{LTI}message_type": "LtiDeepLinkingResponse",
        f"{LTI}version": VERSION,
        f"{LTI}deployment_id": choice.deployment_id,
        f"{DEEP_LINKING}content_items": [
            {"type": "ltiResourceLink", "title": chosen.title, "url": launch, "custom": chosen.custom}
        ],
    }
    if choice.data is not None:
        claims[f"{DEEP_LINKING}data"] = choice.data
    return jwt.encode(claims, key.private_key, algorithm="RS256", headers={"kid": key.kid})
