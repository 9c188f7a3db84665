"""Marks of one answer to a student's question: right, cited, misleading. Pure; what each means is said once, here.

right: an answerable question whose answer says all that it must and nothing that it must not; an unanswerable one whose
answer says that the material does not answer it (its coverage is not `full`), and nothing that it must not.
cited: right, and one of its references is a place that supports it, where the question names any.
misleading: the answer says what it must not, or is given as sure and is not right. An answer that admits doubt and says
nothing wrong misleads nobody.
right at once: right, and an answerable question's answer says all that it must in its first `AT_ONCE` words. Whoever
reads on finds what a long answer says later; many do not.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from serving.assistant.references import Reference
from serving.evaluation.students.questions import CitablePlace, StudentQuestion

NEAR_S = 30.0
"""A reference opens a stretch when it opens so near to it, in seconds."""

AT_ONCE = 80
"""Words that are read before anything else: four sentences. A choice."""

CHARACTERS_OF_A_WORD = 1.6
"""Chinese characters that count as a word. A choice."""


@dataclass(frozen=True)
class GivenAnswer:
    """What a student got: the text, whether it was given as sure, and the references."""

    text: str
    is_sure: bool
    references: tuple[Reference, ...]


@dataclass(frozen=True)
class AnswerMark:
    """The marks of one answer; `missed` are the numbers of the `must` that it does not say."""

    question: StudentQuestion
    right: bool
    cited: bool
    right_at_once: bool
    misleading: bool
    is_sure: bool
    missed: tuple[int, ...] = ()


def mark(question: StudentQuestion, answer: GivenAnswer) -> AnswerMark:
    """The marks of an answer."""
    said = answer.text.replace("**", "")  # what is in bold is said all the same
    missed = tuple(number for number, one in enumerate(question.must) if one.search(said) is None)
    is_wrong = any(one.search(said) is not None for one in question.must_not)
    right = not is_wrong and (not missed if question.answerable else not answer.is_sure)
    cited = right and (not question.cite or any(opens(one, question.cite) for one in answer.references))
    begins = first_words(said, AT_ONCE)
    right_at_once = right and (not question.answerable or all(one.search(begins) for one in question.must))
    misleading = is_wrong or (answer.is_sure and not right)
    return AnswerMark(question, right, cited, right_at_once, misleading, answer.is_sure, missed)


def first_words(text: str, most: int) -> str:
    """A text up to the end of its word `most`."""
    read = 0.0
    for one in _WORD.finditer(text):
        read += 1.0 / CHARACTERS_OF_A_WORD if one["character"] else 1.0
        if read > most:
            return text[: one.start()]
    return text


_WORD = re.compile(r"(?P<character>[\u4e00-\u9fff])|[^\W\u4e00-\u9fff]+")


def opens(reference: Reference, places: Sequence[CitablePlace]) -> bool:
    """Whether a reference leads to one of the places."""
    return any(_is_at(reference, place) for place in places)


def _is_at(reference: Reference, place: CitablePlace) -> bool:
    at = reference.locator
    if place.faq is not None:
        return reference.source == "faq" and place.faq in (reference.origin_id, reference.title)
    if at is None:
        return False
    if place.card:
        return at.document == "course.yaml"
    if place.video is not None:
        seconds = (at.start_ms or 0) / 1000
        return at.video_id == place.video and place.start - NEAR_S <= seconds <= place.end + NEAR_S
    if place.document is not None:
        same = at.document is not None and at.document.endswith(place.document.removeprefix("documents/"))
        wanted = (
            place.article is None
            or place.article in (at.article or "")
            or place.article.lower() in reference.title.lower()
        )
        return same and wanted
    if place.url is not None:
        return at.url == place.url
    return place.page is not None and place.page.removeprefix("catalog/") in (at.document or at.url or "")
