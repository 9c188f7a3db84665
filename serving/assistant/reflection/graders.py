"""`Graders`: whether a draft is grounded and whether it answers (Maastricht 3.4 and 3.5), cheapest look first.

Comparing texts always gives a verdict. Only where it is unsure, and only when it is among the graders in use, the model
is asked for yes or no, its probability of yes being its opinion. Without one a draft is grounded from the fitted cut
on, as the material can be shown in its place; whether it answers has the benefit of the doubt.
"""

import asyncio
from collections.abc import Callable, Collection, Sequence

import structlog

from knowledge_graph.lake.records import Lang
from models.embedding.embedder import Embedder, EmbeddingFailed
from serving.assistant.generation.phrases import phrases
from serving.assistant.grounding.grading import grade_grounding
from serving.assistant.grounding.resolution import grade_resolution
from serving.assistant.grounding.verdict import GroundingVerdict as Compared
from serving.assistant.reflection.prompts import answers_prompt, grounding_prompt
from serving.assistant.reflection.verdicts import DraftVerdict, Looked
from serving.index.confidence import Weigh
from serving.index.evidence import Evidence
from serving.llm.language_model import LanguageModel, LlmError
from serving.llm.messages import Message

log = structlog.get_logger(__name__)

YES_NO = ("yes", "no")

LIKELY = 0.5
"""The model's probability of yes from which it counts as one."""


class Graders:
    """The graders in use, for one turn; none of them lets everything pass.

    `languages` are those that the model reads, `budget` the tokens of its longest prompt, `weigh` the weight of an
    index term, `named` the names of concepts in a text.
    """

    def __init__(
        self,
        used: Collection[str],
        *,
        llm: LanguageModel | None,
        embedder: Embedder | None,
        languages: Collection[str],
        budget: int,
        weigh: Weigh,
        named: Callable[[str], Collection[str]] = lambda _: (),
    ) -> None:
        self._used, self._named = frozenset(used), named
        self._llm, self._embedder, self._languages = llm, embedder, frozenset(languages)
        self._budget, self._weigh = budget, weigh

    async def check_grounding(
        self, question: str, draft: str, evidence: Sequence[Evidence], lang: Lang
    ) -> DraftVerdict:
        """Whether what a draft says is in the evidence."""
        written = draft.replace(phrases(lang).unsupported, "")

        concepts = self._named("\n".join([written, question, *(f"{one.title}\n{one.text}" for one in evidence)]))

        def compare(embedder: Embedder | None) -> Compared:
            found = grade_grounding(
                question, written, evidence, concepts=concepts, embedder=embedder, weigh=self._weigh
            )
            return found.verdict

        return await self._judge("grounded", compare, grounding_prompt(written, evidence, budget=self._budget), lang)

    async def answers(self, question: str, draft: str, lang: Lang) -> DraftVerdict:
        """Whether a draft answers the question."""
        written = draft.replace(phrases(lang).unsupported, "")

        def compare(embedder: Embedder | None) -> Compared:
            return grade_resolution(question, written, embedder=embedder)

        return await self._judge("answers", compare, answers_prompt(question, written), lang)

    async def _judge(
        self, looked: Looked, compared: Callable[[Embedder | None], Compared], prompt: Sequence[Message], lang: Lang
    ) -> DraftVerdict:
        """The verdict of the graders in use: comparing texts settles it, or the model where that is unsure."""
        if not self._used & {"material", "llm"}:
            return DraftVerdict(looked, passed=True, score=1.0, by="off")
        found = await asyncio.to_thread(self._compare, compared)  # embedding takes a while, and others are waiting
        opinion = await self._opinion(found, prompt, lang)
        if opinion is None:
            passed = found.has_passed or (looked == "answers" and not found.certain)
            return DraftVerdict(looked, passed=passed, score=found.score, by="material")
        if "material" not in self._used:
            return DraftVerdict(looked, passed=opinion >= LIKELY, score=opinion, by="llm")
        settled = found.settle(opinion)
        return DraftVerdict(looked, passed=settled.has_passed, score=settled.score, by="material and llm")

    def _compare(self, compared: Callable[[Embedder | None], Compared]) -> Compared:
        """By words and meaning; by words alone when the embedder fails."""
        try:
            return compared(self._embedder)
        except EmbeddingFailed as error:
            log.warning("graded_by_words_alone", reason=str(error))
            return compared(None)

    async def _opinion(self, found: Compared, prompt: Sequence[Message], lang: Lang) -> float | None:
        """The model's probability of yes, where it is wanted; `None` where it is not, or when it fails.

        One that failed is not asked again in the same turn: a student waits.
        """
        sure = found.certain and "material" in self._used
        if self._llm is None or "llm" not in self._used or sure or lang not in self._languages:
            return None
        try:
            chosen = await self._llm.choose(prompt, YES_NO)
        except LlmError as error:
            log.warning("grader_failed", reason=str(error))
            self._llm = None
            return None
        return chosen.probabilities.get("yes", 1.0 if chosen.choice == "yes" else 0.0)
