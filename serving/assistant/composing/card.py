"""The course's card as evidence: who teaches it, what rule the assistant follows. Pure."""

from knowledge_graph.lake.records import CARD_DOCUMENT, CourseCard, Locator
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
