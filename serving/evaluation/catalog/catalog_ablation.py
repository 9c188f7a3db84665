"""What chunks, modes, title words and embeddings are worth to a catalogue expert, on labelled questions.

Every arm is a strategy of `serving.assistant.retrieval` as it answers students, over the home's index or over one made
for the moment (`catalogs.indexed`); nothing is retrieved in any other way. The figures of the paper stand beside them.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from knowledge_graph.graph.concept_graph import ConceptGraph
from knowledge_graph.lake.records import CatalogRecord, Mode
from knowledge_graph.sources.passages import DOCUMENT_CHARACTERS, DOCUMENT_OVERLAP
from models.statistics.paired import mcnemar
from serving.assistant.retrieval.candidates import Retrieved, Strategy
from serving.assistant.retrieval.catalog_expert import CatalogExpert
from serving.assistant.retrieval.comparison import ask, list_found_ids
from serving.assistant.retrieval.evaluating import DEPTH, JudgedQuestion, hit_at_1, recall_at_5
from serving.assistant.retrieval.hybrid import Hybrid
from serving.assistant.retrieval.lookup import Dense, Lookup
from serving.evaluation.catalog.catalogs import (
    PAPER_TOKENS,
    CatalogQuestion,
    chunks,
    paper_tokens,
    temporary_index,
    whole_pages,
)
from serving.index.search import SearchIndex

Modes = Literal["own", "mixed", "other"]
"""Which expert is asked: the question's own, none so that all data is there, or the wrong one."""

_WHOLE_PAGES = "whole pages"
_CHUNKS = f"{DOCUMENT_CHARACTERS:,} characters, {DOCUMENT_OVERLAP} overlap"

_OTHER: Mapping[Mode, Mode] = {"class": "program", "program": "class"}


@dataclass(frozen=True)
class ArmResult:
    """What one arm found for each question, in the order of the questions.

    `hits` are whether the first page found is gold, `recalls` the share of gold among the first five pages, 0..1, and
    `documents` how many pages or pieces of pages the strategy gave.
    """

    hits: tuple[bool, ...]
    recalls: tuple[float, ...]
    documents: tuple[int, ...]


@dataclass(frozen=True)
class CatalogAblation:
    """One thing that is changed: its arms by what they are called, the usual one first, each with its outcome.

    `published` has what the paper says of an arm. `counts_documents` when the documents given are of interest: they
    are as many as fit into the paper's tokens.
    """

    where: str
    name: str
    about: str
    arms: Mapping[str, ArmResult]
    published: Mapping[str, str]
    counts_documents: bool = False


@dataclass(frozen=True)
class Paired:
    """The first page found by two arms on the same questions: `gained` are right in the second alone, `lost` in the
    first alone, `p` is of McNemar's exact test (two-sided), `None` where no question tells them apart."""

    gained: int
    lost: int
    p: float | None


def compare_arms(first: ArmResult, second: ArmResult) -> Paired:
    """Compare two arms question by question."""
    pairs = list(zip(first.hits, second.hits, strict=True))
    gained, lost = pairs.count((False, True)), pairs.count((True, False))
    return Paired(gained, lost, mcnemar(gained, lost) if gained + lost else None)


def judge(
    strategy: Strategy, asked: Sequence[CatalogQuestion], graph: ConceptGraph, *, modes: Modes = "own"
) -> ArmResult:
    """Ask a strategy every question. Several pieces of one page count as that page, where its first piece stands."""

    async def all_found() -> list[Retrieved]:
        return [
            await ask(strategy, one.question.question, one.question.course_id, graph, mode=_mode(one, modes))
            for one in asked
        ]

    found = asyncio.run(all_found())
    judged = [
        JudgedQuestion(
            one.question.question, list(dict.fromkeys(list_found_ids(given, one.question.gold))), one.question.gold
        )
        for one, given in zip(asked, found, strict=True)
    ]
    return ArmResult(
        hits=tuple(bool(hit_at_1(each)) for each in judged),
        recalls=tuple(recall_at_5(each) for each in judged),
        documents=tuple(len(given.ranked) for given in found),
    )


def expert_of(index: SearchIndex, *, title_weight: float = 1.0) -> CatalogExpert:
    """The expert with the paper's context, whatever the served model's is."""
    return CatalogExpert(index, PAPER_TOKENS, paper_tokens, title_weight=title_weight)


def chunking(
    where: str, name: str, records: Sequence[CatalogRecord], asked: Sequence[CatalogQuestion], graph: ConceptGraph
) -> CatalogAblation:
    """Programs as whole pages and in pieces of 5,000 characters with 100 of overlap, with the same tokens to fill."""
    programs = [record for record in records if record.mode == "program"]
    questions = [one for one in asked if one.mode == "program"]
    arms = {}
    for arm, rows in ((_WHOLE_PAGES, whole_pages(programs)), (_CHUNKS, chunks(programs))):
        with temporary_index(rows) as index:
            arms[arm] = judge(expert_of(index), questions, graph)
    said = {_WHOLE_PAGES: "9–13", _CHUNKS: "20–30"}
    return CatalogAblation(where, f"{name}/chunking", "chunks", arms, said, counts_documents=True)


def modes(
    where: str, name: str, index: SearchIndex, asked: Sequence[CatalogQuestion], graph: ConceptGraph
) -> CatalogAblation:
    """The question's own expert, both experts' data mixed, and the wrong expert."""
    expert = expert_of(index)
    arms = {
        "own mode": judge(expert, asked, graph),
        "mixed": judge(expert, asked, graph, modes="mixed"),
        "wrong mode": judge(expert, asked, graph, modes="other"),
    }
    return CatalogAblation(where, f"{name}/modes", "modes", arms, {"mixed": "“a sharp fall” of accuracy, no figure"})


def scoring(
    where: str,
    name: str,
    index: SearchIndex,
    asked: Sequence[CatalogQuestion],
    graph: ConceptGraph,
    dense: Dense | None,
) -> CatalogAblation:
    """The usual score, the cosine of TF-IDF alone, and with a `dense` embedder the cosine of its vectors."""
    strategies: dict[str, Strategy] = {
        "TF-IDF + title words": expert_of(index),
        "TF-IDF alone (weight 0)": expert_of(index, title_weight=0.0),
    }
    if dense is not None:
        strategies["embeddings alone"] = Hybrid(Lookup(index, dense, lexical=False), DEPTH)
        strategies["words (BM25) and embeddings"] = Hybrid(Lookup(index, dense), DEPTH)
    arms = {arm: judge(strategy, asked, graph) for arm, strategy in strategies.items()}
    return CatalogAblation(
        where, f"{name}/scoring", "score", arms, {"embeddings alone": "“no significant advantage”, no figure"}
    )


def _mode(one: CatalogQuestion, wanted: Modes) -> Mode | None:
    return {"own": one.mode, "mixed": None, "other": _OTHER[one.mode]}[wanted]
