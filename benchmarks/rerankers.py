"""What reranking is worth: FAQ entries found by `hybrid`, in its order and in those of other readers (Maastricht 1.4).

    .venv/bin/python benchmarks/rerankers.py HOME ASKED.jsonl [--minilm FOLDER [--learn LEARNT.jsonl]] [--server URL]

Lines are {"question", "course", "gold"}, gold being the `origin_id` of the entry that answers. Each reader reorders the
first ten entries:

- `bi-encoder`: the cosine of question and entry by MiniLM, each read alone;
- `late interaction`: the mean, over the question's tokens, of the largest cosine with a token of the entry (ColBERT's
  MaxSim), by MiniLM's token vectors, which were not trained for it;
- `cross-encoder`: question and entry read together by MiniLM with one number as its head, trained here on the questions
  of `--learn`, each with the entries that `hybrid` found beside the right one. No package brings weights of one;
- `language model`: how likely the model of a server says yes when asked whether the entry answers (`LlmReranker`), of
  the first `MODEL_READS` entries of `--most` questions, as each takes a small model about a second on a CPU.

Each is measured alone and, by the sum of reciprocal ranks, beside the order it was given. MMR, which `fused` uses, is
measured with and without. Figures are on ASKED alone, whose entries must not be those of LEARNT.
"""

import argparse
import asyncio
import json
import random
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import torch
from torch import Tensor
from transformers import AutoModel, AutoModelForSequenceClassification, AutoTokenizer

from knowledge_graph.graph.concept_graph import ConceptGraph
from knowledge_graph.lake.home import DataDir
from serving.assistant.retrieval.candidates import Strategy
from serving.assistant.retrieval.comparison import ask
from serving.assistant.retrieval.dense import find_dense
from serving.assistant.retrieval.fused import Fused
from serving.assistant.retrieval.hybrid import Hybrid
from serving.assistant.retrieval.lookup import Lookup
from serving.assistant.retrieval.reranking import LlmReranker
from serving.assistant.retrieval.strategies import judge_prompt
from serving.index.search import SearchIndex
from serving.llm.client import OpenAiModel

DEPTH = 10
MODEL_READS = 5
TOKENS = 128
"""Longest pair of question and entry that a reader is shown."""
NEGATIVES, GROUP, EPOCHS, RATE = 4, 6, 2, 5e-5
"""Wrong entries beside the right one, questions in a step, and passes over LEARNT. Choices, not tuned."""

Score = Callable[[str, Sequence[str]], Awaitable[list[float]]]
"""Question and texts to one number each; larger is better."""


@dataclass(frozen=True)
class FoundEntries:
    """A question, the texts of what was found for it in order, and the place of the right one, `None` where missed."""

    question: str
    texts: tuple[str, ...]
    right: int | None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("home", type=Path)
    parser.add_argument("asked", type=Path)
    parser.add_argument("--minilm", type=Path, help="folder of all-MiniLM-L6-v2")
    parser.add_argument("--learn", type=Path)
    parser.add_argument("--server", help="base URL of a model server, with /v1")
    parser.add_argument("--most", type=int, default=50, help="questions that the language model is asked")
    given = parser.parse_args()
    torch.manual_seed(23)
    asyncio.run(measure(given))


async def measure(given: argparse.Namespace) -> None:
    """Print a line for each reader."""
    data_dir = DataDir(given.home)
    index, graph, (dense, why) = SearchIndex.open(data_dir.index), ConceptGraph.load(data_dir), find_dense(data_dir)
    if dense is None:
        raise SystemExit(f"Entries cannot be compared by meaning: {why}")
    lookup = Lookup(index, dense)
    hybrid = Hybrid(lookup, DEPTH)
    found = await found_by(hybrid, given.asked, graph)
    tell("hybrid, as it is", [one.right for one in found], 0.0)
    for weight in (0.7, 0.9, 1.0):
        fused = Fused(lookup, DEPTH, mmr_weight=weight)
        places = [one.right for one in await found_by(fused, given.asked, graph)]
        tell(f"fused, MMR {'on' if weight < 1 else 'off'} ({weight})", places, 0.0)
    if given.minilm is not None:
        reader = TokenReader.load(given.minilm)
        await tell_reader("bi-encoder", found, reader.bi_encoder)
        await tell_reader("late interaction", found, reader.late_interaction)
    if given.minilm is not None and given.learn is not None:
        learnt = await found_by(hybrid, given.learn, graph)
        await tell_reader("cross-encoder", found, train(given.minilm, learnt))
    if given.server is not None:
        some = random.Random(23).sample(found, min(given.most, len(found)))
        some = [replace(one, texts=one.texts[:MODEL_READS]) for one in some]
        tell(f"hybrid, on {len(some)} of them", [one.right for one in some], 0.0)
        model = OpenAiModel(given.server)
        await tell_reader("language model", some, LlmReranker(model, judge_prompt).score)
        await model.aclose()


async def found_by(strategy: Strategy, path: Path, graph: ConceptGraph) -> list[FoundEntries]:
    """What a strategy finds for each question of a file."""
    kept = []
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        ranked = (await ask(strategy, row["question"], row["course"], graph)).ranked[:DEPTH]
        ids = [one.entry.origin_id for one in ranked]
        texts = tuple(f"{one.entry.title}\n{one.entry.text}" for one in ranked)
        kept.append(FoundEntries(row["question"], texts, ids.index(row["gold"]) if row["gold"] in ids else None))
    return kept


async def tell_reader(name: str, found: Sequence[FoundEntries], score: Score) -> None:
    """The reader's own order, and that of both together."""
    began = time.perf_counter()
    scores = [await score(one.question, one.texts) if one.texts else [] for one in found]
    taken = (time.perf_counter() - began) / len(found)
    orders = [sorted(range(len(of)), key=lambda at, of=of: (-of[at], at)) for of in scores]  # type: ignore[misc]
    tell(name, [place_in(order, one.right) for order, one in zip(orders, found, strict=True)], taken)
    both = [joined(order) for order in orders]
    tell(f"{name} and hybrid", [place_in(order, one.right) for order, one in zip(both, found, strict=True)], taken)


def joined(order: Sequence[int]) -> list[int]:
    """Places by the sum of reciprocal ranks, 1 / (1 + rank), in the order given and in the reader's; ties as given."""
    ranks = {at: place for place, at in enumerate(order)}
    return sorted(ranks, key=lambda at: (-(1 / (1 + at) + 1 / (1 + ranks[at])), at))


def place_in(order: Sequence[int], right: int | None) -> int | None:
    """The place of the right entry in the new order; where it was, behind those that were read."""
    return order.index(right) if right in order else right


def tell(name: str, places: Sequence[int | None], seconds: float) -> None:
    size = len(places)
    first = sum(place == 0 for place in places) / size
    five = sum(place is not None and place < 5 for place in places) / size
    mean = sum(1 / (1 + place) for place in places if place is not None) / size
    took = f"  {seconds * 1000:7.1f} ms a question" if seconds else ""
    sys.stdout.write(f"{name:34} of {size}: hit@1 {first:.3f}   hit@5 {five:.3f}   MRR@{DEPTH} {mean:.3f}{took}\n")
    sys.stdout.flush()


@dataclass(frozen=True)
class TokenReader:
    """MiniLM's vectors of tokens, of length 1 each, and of whole texts."""

    tokenizer: object
    model: torch.nn.Module

    @classmethod
    def load(cls, folder: Path) -> "TokenReader":
        return cls(AutoTokenizer.from_pretrained(folder), AutoModel.from_pretrained(folder).eval())

    @torch.no_grad()
    def _read(self, texts: Sequence[str]) -> tuple[Tensor, Tensor]:
        """Vectors of tokens (texts, tokens, numbers), and which of them are words."""
        read = self.tokenizer(  # type: ignore[operator]
            list(texts), padding=True, truncation=True, max_length=TOKENS, return_tensors="pt"
        )
        return self.model(**read).last_hidden_state, read["attention_mask"].bool()

    async def bi_encoder(self, question: str, texts: Sequence[str]) -> list[float]:
        tokens, mask = self._read([question, *texts])
        whole = torch.nn.functional.normalize((tokens * mask.unsqueeze(2)).sum(1) / mask.sum(1, keepdim=True), dim=1)
        scores: list[float] = (whole[1:] @ whole[0]).tolist()
        return scores

    async def late_interaction(self, question: str, texts: Sequence[str]) -> list[float]:
        tokens, mask = self._read([question, *texts])
        tokens = torch.nn.functional.normalize(tokens, dim=2)
        asked = tokens[0][mask[0]]
        cosines = torch.einsum("qd,tkd->tqk", asked, tokens[1:]).masked_fill(~mask[1:].unsqueeze(1), -1.0)
        scores: list[float] = cosines.max(2).values.mean(1).tolist()
        return scores


def train(folder: Path, learnt: Sequence[FoundEntries]) -> Score:
    """A cross-encoder over MiniLM's weights: the right entry above those that were found beside it (cross entropy)."""
    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = AutoModelForSequenceClassification.from_pretrained(folder, num_labels=1)
    usable = [one for one in learnt if one.right is not None and len(one.texts) > NEGATIVES]
    steps = EPOCHS * -(-len(usable) // GROUP)
    optimizer = torch.optim.AdamW(model.parameters(), lr=RATE)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, RATE, total_steps=steps)
    chance = random.Random(23)
    model.train()
    for _ in range(EPOCHS):
        chance.shuffle(usable)
        for start in range(0, len(usable), GROUP):
            group = [_with_wrong(one, chance) for one in usable[start : start + GROUP]]
            pairs = [(one.question, text) for one in group for text in one.texts]
            scores = _scores(tokenizer, model, pairs).view(len(group), 1 + NEGATIVES)
            loss = torch.nn.functional.cross_entropy(scores, torch.zeros(len(group), dtype=torch.long))
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimizer.step()
            schedule.step()
    model.eval()

    async def score(question: str, texts: Sequence[str]) -> list[float]:
        with torch.no_grad():
            scores: list[float] = _scores(tokenizer, model, [(question, text) for text in texts]).tolist()
        return scores

    return score


def _with_wrong(one: FoundEntries, chance: random.Random) -> FoundEntries:
    """The right entry first, then some of the others."""
    assert one.right is not None
    wrong = [text for at, text in enumerate(one.texts) if at != one.right]
    return replace(one, texts=(one.texts[one.right], *chance.sample(wrong, NEGATIVES)), right=0)


def _scores(tokenizer: object, model: torch.nn.Module, pairs: Sequence[tuple[str, str]]) -> Tensor:
    read = tokenizer(  # type: ignore[operator]
        [question for question, _ in pairs],
        [text for _, text in pairs],
        padding=True,
        truncation="only_second",
        max_length=TOKENS,
        return_tensors="pt",
    )
    scores: Tensor = model(**read).logits.squeeze(1)
    return scores


if __name__ == "__main__":
    main()
