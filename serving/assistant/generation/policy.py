"""The policy of a course as it goes into prompts: what its staff want every answer to respect (Maastricht 2, R148).

"Ask the project coordinator before the Board of Examiners" is one. It is written in `course.yaml`, goes into the part
of a prompt that never changes within a course, and its version into the trace.
"""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import unescape

from knowledge_graph.lake.records import CourseCard
from knowledge_graph.sources.policy import LONGEST_POLICY, policy_text
from serving.assistant.guardrails.escaping import Xml, element, xml_text
from serving.llm.messages import Message

_BLOCK = re.compile(r"<policy>\n([^<]*+)</policy>")


@dataclass(frozen=True)
class Policy:
    """The policy of one course. `text` is whole, as its staff read it; `version` names exactly this text."""

    course_id: str
    text: str
    version: str

    @property
    def is_cut(self) -> bool:
        """Whether the model sees only the beginning; reading `course.yaml` tells its staff."""
        return len(self.text) > LONGEST_POLICY

    @property
    def block(self) -> Xml:
        """The policy between its tags, cut at the end of a word where it is too long."""
        shown = self.text[: LONGEST_POLICY - 1].rsplit(maxsplit=1)[0] + "…" if self.is_cut else self.text
        return element("policy", xml_text(shown))


def policy_of(card: CourseCard) -> Policy | None:
    """The policy of a course; `None` when it has none. The version is 12 hex digits of the SHA-256 of its text."""
    text = policy_text(card.policy)
    if not text:
        return None
    return Policy(card.course_id, text, hashlib.sha256(text.encode()).hexdigest()[:12])


def find_protected(messages: Sequence[Message]) -> tuple[str, ...]:
    """The policies that stand in the instructions of a prompt: no answer may say them word for word."""
    systems = (one.content for one in messages if one.role == "system")
    return tuple(unescape(found) for system in systems for found in _BLOCK.findall(system))


def with_policy(system: str, policy: Policy | None) -> str:
    """Instructions, followed by the policy when the course has one. Neither changes within a course."""
    return system if policy is None else f"{system}\nFollow the policy of the course:\n{policy.block}"
