"""The `StudyProgress` of a caller: where players told that they were, and what quizzes remember that they know."""

from knowledge_graph.graph.concept_graph import ConceptGraph
from serving.assistant.study_progress import NO_PROGRESS, StudyProgress
from serving.gateway.quiz.known import known_by
from serving.store.caller import Caller
from serving.store.database import Store
from serving.store.lecture_progress import list_watched


async def progress_of(store: Store, caller: Caller, graph: ConceptGraph, course_id: str | None = None) -> StudyProgress:
    """What is kept of a caller, in one course or in all; nothing of somebody new."""
    if caller.is_new:
        return NO_PROGRESS
    watched = await store.reading(lambda db: list_watched(db, caller.person_id, course_id))
    known = await known_by(store, caller, graph)
    furthest = {(one.course_id, one.video_id): one.furthest_ms for one in watched}
    return StudyProgress(furthest, frozenset(one.concept_id for one in known))
