"""`QuestionReader`: reads what a turn asks for, after completing a follow-up from the turns before it."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import ParamSpec, TypeVar

from knowledge_graph.graph.concept_graph import ConceptGraph
from serving.assistant.composing.composer import Composer
from serving.assistant.turn import Turn
from serving.assistant.understanding.focus import Focus, Topic
from serving.assistant.understanding.follow_up_context import lean_on
from serving.assistant.understanding.follow_up_parts import is_class_alone
from serving.assistant.understanding.follow_up_question import Resolved
from serving.assistant.understanding.follow_ups import focus_of, resolve
from serving.assistant.understanding.form import QuestionForm, question_form
from serving.assistant.understanding.intent import Intent, classify_in_thread
from serving.assistant.understanding.understand import Understanding, alpha_for, understand_scored
from serving.assistant.understanding.wishes import wish_of

P = ParamSpec("P")
T = TypeVar("T")

LONG = 400
"""Characters from which a question is read in a thread. A choice: a step takes some 50 ms for 4,000 characters, and for
100 less than handing it to a thread."""


class QuestionReader:
    """Reads questions over one graph. `alpha` is the threshold of chat, or `None` for the intent model's own."""

    def __init__(self, graph: ConceptGraph, composer: Composer, *, intent: Intent | None, alpha: float | None) -> None:
        self._graph = graph
        self._composer = composer
        self._intent = intent
        self._alpha = alpha

    async def read(self, turn: Turn) -> Understanding:
        """The question of a turn as it is meant. Sets `turn.resolved` and `turn.choices`."""
        form = await aside(turn.question, question_form, turn.question, previous=_previous(turn))
        if not form.options:
            await aside(turn.question, self.resolve, turn)
        return await self.understand(turn.resolved.question, turn, None if turn.resolved.is_changed else form)

    async def understand(self, question: str, turn: Turn, form: QuestionForm | None = None) -> Understanding:
        """Understand a question in the context of its turn. `form` saves computing the form of the question again."""
        previous, course_id = _previous(turn), turn.course_id
        if form is None:
            form = await aside(question, question_form, question, previous=previous)
        title = self._graph.course(course_id).title if course_id else ""
        intent = self._intent
        scores = (
            None if intent is None else await classify_in_thread(intent, form.stem, previous=previous, course=title)
        )
        return await aside(
            question,
            understand_scored,
            question,
            form=form,
            scores=scores,
            graph=self._graph,
            alpha=alpha_for(form, intent=intent, alpha=self._alpha),
            previous=previous,
            course_id=course_id,
        )

    def resolve(self, turn: Turn) -> None:
        """Complete a follow-up; if it could mean several things, `turn.choices` gets a question for each."""
        with_codes = partial(self._composer.with_class_codes, course_id=turn.course_id)
        history = [replace(one, content=with_codes(one.content)) if one.role == "user" else one for one in turn.history]
        graph = self._graph.restrict_mentions(turn.course_id)
        focus = focus_of(history, graph=graph, position=turn.position)
        coded = with_codes(turn.question)
        question = coded if is_class_alone(coded) else turn.question
        turn.resolved = resolve(question, focus=focus, graph=graph)
        if not turn.resolved.is_changed:
            turn.resolved = replace(turn.resolved, question=turn.question)
        if not turn.resolved.is_changed and focus.previous and wish_of(turn.question) == "simpler":
            added = (f"{turn.question.strip()} -> {focus.previous}",)
            turn.resolved = Resolved(focus.previous, added, "same_question")
        is_of_all = wish_of(turn.question) == "remedy"  # "that" is what was told, and no concept
        if not turn.resolved.is_changed and (is_of_all or not turn.resolved.candidates):
            turn.resolved = lean_on(turn.question, focus=focus, graph=graph) or turn.resolved
        turn.choices = tuple(_write_meaning(turn.question, focus, each, graph) for each in turn.resolved.candidates)


def _write_meaning(question: str, focus: Focus, concept_id: str, graph: ConceptGraph) -> str:
    alone = replace(focus, topics=(Topic((concept_id,), "question"),))
    return resolve(question, focus=alone, graph=graph).question


def _previous(turn: Turn) -> str:
    """The student's previous message, "" at the beginning."""
    return next((each.content for each in reversed(turn.history) if each.role == "user"), "")


async def aside(text: str, work: Callable[P, T], *args: P.args, **more: P.kwargs) -> T:
    """Call `work`; in a thread if `text` is long, so that other requests are not held up."""
    if len(text) <= LONG:
        return work(*args, **more)
    return await asyncio.to_thread(work, *args, **more)
