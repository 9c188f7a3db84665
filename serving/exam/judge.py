"""`ExamJudge`: what another language model says of an exam's answers, if one is configured.

It is a column beside the marks and decides nothing: a model that is judged well is admitted by the marks alone. One
that fails leaves its column empty.
"""

from collections.abc import Sequence

import structlog

from serving.assistant.reflection.prompts import answers_prompt, grounding_prompt
from serving.exam.item import ExamItem
from serving.llm.language_model import LanguageModel, LlmError
from serving.llm.messages import Message

log = structlog.get_logger(__name__)

_LIKELY = 0.5
"""The judge's probability of yes from which it counts as one, where its server gives any."""

_MOST_TOKENS = 3000
"""Most tokens of a prompt; evidence that does not fit is left out. A choice."""


class ExamJudge:
    """Over one judge's server."""

    def __init__(self, llm: LanguageModel) -> None:
        self._llm = llm

    async def is_right(self, answer: str, item: ExamItem) -> bool | None:
        """Whether it says that the evidence supports all of an answer, and that the answer resolves a question that
        has one; `None` where it was not to be asked."""
        try:
            grounded = await self._says_yes(grounding_prompt(answer, item.evidence, budget=_MOST_TOKENS))
            if not grounded or not item.is_answerable:
                return grounded
            return await self._says_yes(answers_prompt(item.question, answer))
        except LlmError as error:
            log.warning("judge_failed", item=item.item_id, reason=str(error))
            return None

    async def _says_yes(self, prompt: Sequence[Message]) -> bool:
        found = await self._llm.choose(prompt, ("yes", "no"))
        return found.probabilities.get("yes", float(found.choice == "yes")) >= _LIKELY
