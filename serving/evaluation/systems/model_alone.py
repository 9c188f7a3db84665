"""`ModelAlone`: a model that is asked without any material, the baseline of LittleMu 4.1 that knows no course.

It belongs to the evaluation and answers no student: the assistant itself has no way to answer from nothing.
"""

from knowledge_graph.graph.concept_graph import ConceptGraph
from serving.assistant.answer import Answer
from serving.assistant.assistant import Assistant
from serving.assistant.generation.prompts import FRQ_ANSWER
from serving.assistant.generation.tutoring import tutor_prompt
from serving.assistant.plan import Plan
from serving.assistant.recording import trace_of
from serving.assistant.reflection.loop import Prepared
from serving.assistant.retrieval.candidates import Retrieved
from serving.assistant.turn import Turn, Usage
from serving.assistant.understanding.follow_up_question import Resolved
from serving.assistant.understanding.understand import understand
from serving.evaluation.systems.systems import System
from serving.gateway.knowledge import Knowledge
from serving.llm.language_model import LanguageModel, LlmError
from serving.settings import Settings


class ModelAlone:
    """Answers by the tutor's prompt without evidence. What it writes is given as it is: nobody looks at it, and nothing
    stands in its place when the server fails."""

    def __init__(self, llm: LanguageModel, graph: ConceptGraph, settings: Settings, *, index_version: str) -> None:
        self._llm, self._graph, self._settings = llm, graph, settings
        self._index_version = index_version

    async def answer(self, question: str, *, course_id: str | None = None) -> Answer:
        asked = understand(question, graph=self._graph, intent=None, course_id=course_id)
        seconds = self._settings.deadline_seconds
        turn = Turn(question, course_id, (), None, live=False, deadline_s=seconds, resolved=Resolved(question))
        title = self._graph.course(course_id).title if course_id else None
        messages = tutor_prompt(
            question, evidence=(), lang=asked.lang, budget=self._settings.context_tokens, course_title=title
        )
        try:
            reply = await turn.in_time(
                self._llm.complete(
                    messages, max_tokens=self._settings.max_tokens, temperature=self._settings.temperature
                )
            )
            turn.say(reply.text)
            turn.model = reply.model
            turn.usage = Usage(reply.prompt_tokens or 0, reply.completion_tokens or 0)
        except LlmError as error:
            turn.error = f"{type(error).__name__}: {error}"
        turn.mark("total_ms")
        nothing = Retrieved((), None, by_concepts=False, strategy="none", queries=())
        plan = Plan("teach", "", "", messages=messages, template=FRQ_ANSWER.label, wants_references=False)
        trace = trace_of(
            Prepared(asked, nothing, plan), (), turn, beta=0.0, index_version=self._index_version, versions={}
        )
        return Answer(
            text=turn.text_so_far,
            route="teach",
            lang=asked.lang,
            references=(),
            evidence=(),
            choices=(),
            notice="",
            reasoning="",
            usage=turn.usage,
            degraded=turn.error is not None,
            trace=trace,
        )


def who_answers(
    system: System, knowledge: Knowledge, llm: LanguageModel | None, settings: Settings
) -> Assistant | ModelAlone:
    """The assistant over the home's material, or the model alone where the system looks nothing up."""
    if llm is None or system.retrieves:
        return knowledge.assistant
    return ModelAlone(llm, knowledge.graph, settings, index_version=knowledge.index.version)
