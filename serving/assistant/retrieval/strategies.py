"""The strategy that settings name, ready for one index version. How each ranks is its own module's."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from knowledge_graph.text.sentences import language_of
from serving.assistant.reflection.prompts import answers_prompt, reword_prompt
from serving.assistant.retrieval.candidates import Strategy
from serving.assistant.retrieval.catalog_expert import CatalogExpert, Room
from serving.assistant.retrieval.concept_aware import ConceptAware, SearchWeight
from serving.assistant.retrieval.dynamic_top_k import Count
from serving.assistant.retrieval.fused import Fused, rewording_by
from serving.assistant.retrieval.hybrid import Hybrid
from serving.assistant.retrieval.lookup import Dense, Lookup
from serving.assistant.retrieval.reranking import Reranker
from serving.index.search import SearchIndex
from serving.llm.language_model import LanguageModel
from serving.llm.messages import Message

StrategyName = Literal["concept_aware", "hybrid", "catalog_expert", "fused"]

STRATEGIES: tuple[StrategyName, ...] = get_args(StrategyName)


@dataclass(frozen=True)
class Parts:
    """What strategies are made of. What is `None` is done without.

    `top_k` is how many candidates a strategy gives, `budget` how many tokens of them `catalog_expert` gives instead,
    counted by `count`, where a prompt has `room` for so many. `llm` rewords for `fused` alone, and `reranker` has its
    last word.
    """

    index: SearchIndex
    dense: Dense | None
    top_k: int
    budget: int
    count: Count
    search_weight: SearchWeight = "h"
    lexical: bool = True
    llm: LanguageModel | None = None
    reranker: Reranker | None = None
    room: Room | None = None

    @property
    def lookup(self) -> Lookup:
        return Lookup(self.index, self.dense, lexical=self.lexical, search_weight=self.search_weight)


def make_strategy(name: StrategyName, parts: Parts) -> Strategy:
    """The strategy of that name over one index version. Cheap: what is prepared is prepared by `Assistant.warm_up`."""
    if name == "hybrid":
        return Hybrid(parts.lookup, parts.top_k)
    if name == "fused":
        reword = rewording_by(parts.llm, reword_as_asked) if parts.llm is not None else None
        return Fused(parts.lookup, parts.top_k, reword, parts.reranker)
    if name == "catalog_expert":
        return CatalogExpert(parts.index, parts.budget, parts.count, search_weight=parts.search_weight, room=parts.room)
    return ConceptAware(parts.index, parts.top_k, parts.search_weight)


def reword_as_asked(question: str) -> Sequence[Message]:
    """What a model is asked for other wordings of a question with, in the question's language."""
    return reword_prompt(question, language_of(question))


def judge_prompt(question: str, text: str) -> Sequence[Message]:
    """What a model is asked with whether a text answers a question, for `LlmReranker`."""
    return answers_prompt(question, text)
