"""Why an answer was liked or not: reason codes with their words in English and Chinese. Pure; the store keeps codes.

The first of each list is the one that Course Hero reports: "thorough explanation" is 20% of thumbs up, "needs more
explanation" 15% of thumbs down (Introduction).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from knowledge_graph.lake.problems import CoteachError
from serving.desk.text_validation import LONGEST_NOTE, clean

Thumb = Literal[1, -1]


class FeedbackRefused(CoteachError):
    """A reason that does not go with the thumb."""


@dataclass(frozen=True)
class Reason:
    code: str
    en: str
    zh: str


UP_REASONS = (
    Reason("thorough_explanation", "Thorough explanation", "讲解透彻"),
    Reason("correct", "Correct", "回答正确"),
    Reason("easy_to_follow", "Easy to follow", "容易看懂"),
    Reason("good_references", "Useful references", "参考资料有用"),
    Reason("fast", "Quick", "回答很快"),
)

DOWN_REASONS = (
    Reason("needs_more_explanation", "Needs more explanation", "需要更多讲解"),
    Reason("incorrect", "Incorrect", "回答有误"),
    Reason("off_topic", "Does not answer my question", "没有回答我的问题"),
    Reason("hard_to_follow", "Hard to follow", "难以看懂"),
    Reason("bad_references", "References do not fit", "参考资料不符"),
    Reason("outdated", "Out of date", "内容过时"),
    Reason("too_slow", "Too slow", "回答太慢"),
)


def reasons_of(thumb: Thumb) -> tuple[Reason, ...]:
    """What may be said with a thumb, in the order it is shown."""
    return UP_REASONS if thumb > 0 else DOWN_REASONS


def check_reasons(thumb: Thumb, codes: Iterable[str]) -> list[str]:
    """The codes sorted, each once. Raises `FeedbackRefused` for one that does not go with this thumb."""
    known, given = {reason.code for reason in reasons_of(thumb)}, set(codes)
    if unknown := sorted(given - known):
        which = "up" if thumb > 0 else "down"
        raise FeedbackRefused(
            f"Reasons of a thumb {which} are {', '.join(sorted(known))}; found {', '.join(unknown)[:200]}."
        )
    return sorted(given)


def check_comment(comment: str) -> str:
    """The comment without what nobody can see. Raises `NotFit` when it is too long."""
    return clean(comment, "comment", most=LONGEST_NOTE)
