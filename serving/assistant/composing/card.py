"""The course's card as evidence: who teaches it, what rule the assistant follows. Pure."""

from knowledge_graph.lake.records import CARD_DOCUMENT, LANGS, CourseCard, Locator
from serving.assistant.composing.material import safe
from serving.assistant.composing.wording import wording
from serving.index.evidence import Evidence


def card_evidence(card: CourseCard, text: str) -> Evidence:
    """What `course.yaml` says, which opens as a page of its own."""
    return Evidence(
        number=0,
        evidence_id=f"{card.course_id}/{CARD_DOCUMENT}",
        source="document",
        course_id=card.course_id,
        title=card.title,
        text=text,
        locator=Locator(document=CARD_DOCUMENT),
    )


def quotes_of_card(card: CourseCard) -> tuple[str, ...]:
    """All that answers quote of a card, in both languages: its title first, its policy, its contact, its teachers."""
    found = [card.title, safe(card.policy or "")]
    found += [wording(lang).support.format(contact=safe(card.support or "")) for lang in LANGS]
    found += ["、".join(card.instructors), wording("en").and_.join(card.instructors)]
    return tuple(found)
