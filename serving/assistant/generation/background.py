"""Background knowledge of a dialogue, for small talk (LittleMu 3.3.2, after XDAI, Yu et al. 2022). Pure.

Candidates are the dialogue's own turns, pairs that the caller found for them, and a few openings. Each gets

    score = w · sim · max(30, length) / 30

with w = 1 + e^(-0.2 i) for the i-th turn back from the newest before what is said now (i = 0, 1, …), 0.5 for knowledge
and 0.1 for openings, and length in characters, as XDAI's code has them. The twelve best stay, and the best stands
nearest to what is said.

Departures: XDAI writes turns among the pairs by their scores; a chat model reads turns in their order, so here they
only compete for the places. XDAI's similarity is a sentence model's; here it is the overlap of terms, with the newest
weighing most. XDAI keeps what has nothing in common with the dialogue; here it goes.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from knowledge_graph.lake.records import Lang
from knowledge_graph.text.sentences import language_of
from serving.assistant.guardrails.escaping import without_marks
from serving.index.analysis import content_terms
from serving.llm.messages import Message

TURNS_KEPT = 6
"""Messages of the history that count; the latest."""

KEPT = 12
"""Turns and pairs kept together."""

DECAY = 0.2
WEIGHTS = {"knowledge": 0.5, "opening": 0.1}
SHORTEST = 30
LONGEST_PAIR = 200
"""Characters of a pair's answer. XDAI cuts at 100 Chinese characters; longer ones would win by their length alone."""

_ENDS = (".", "!", "?", "。", "！", "？")

Origin = Literal["knowledge", "opening"]


@dataclass(frozen=True)
class BackgroundPair:
    """Something that may be said in small talk: a question and its answer, or a concept and its definition."""

    question: str
    answer: str
    origin: Origin = "knowledge"

    @property
    def text(self) -> str:
        """One line, as the prompt has it."""
        answer = " ".join(self.answer.split())
        cut = answer if len(answer) <= LONGEST_PAIR else answer[: LONGEST_PAIR - 1].rstrip() + "…"
        asked = " ".join(self.question.split())
        between = " " if asked.endswith(_ENDS) else "：" if language_of(asked) == "zh" else ": "
        return without_marks(f"{asked}{between}{cut}")


OPENINGS: dict[Lang, tuple[BackgroundPair, ...]] = {
    "en": (
        BackgroundPair("Hello!", "Hello, nice to see you.", "opening"),
        BackgroundPair("How are you?", "Fine, thank you, and ready for the next lecture.", "opening"),
        BackgroundPair(
            "What can you do?", "I answer questions about the course from its lectures and its FAQ.", "opening"
        ),
    ),
    "zh": (
        BackgroundPair("你好", "你好，很高兴见到你。", "opening"),
        BackgroundPair("最近怎么样", "挺好的，随时可以开始下一讲。", "opening"),
        BackgroundPair("你能做什么", "我可以根据课程视频和常见问题回答课程里的问题。", "opening"),
    ),
}


def choose_background(
    said: str, history: Sequence[Message], candidates: Sequence[BackgroundPair], lang: Lang
) -> tuple[BackgroundPair, ...]:
    """The pairs for the prompt, the best last. `history` oldest first, without what is said now.

    Equal scores stand in the order of the candidates, the openings after them.
    """
    turns = latest(history)
    weights = dialogue_weights(said, turns)
    pairs = list(dict.fromkeys((*candidates, *OPENINGS[lang])))
    scored = [(score(WEIGHTS[pair.origin], similarity(weights, pair.text), pair.text), pair) for pair in pairs]
    of_turns = [
        (score(turn_weight(back), similarity(weights, turn.content), turn.content), None)
        for back, turn in enumerate(reversed(turns))
    ]
    best = sorted([*of_turns, *scored], key=lambda item: -item[0])[:KEPT]
    return tuple(pair for value, pair in reversed(best) if pair is not None and value > 0)


def latest(history: Sequence[Message]) -> tuple[Message, ...]:
    """The last `TURNS_KEPT` turns of student and assistant; a client's system messages are none."""
    return tuple(turn for turn in history if turn.role != "system")[-TURNS_KEPT:]


def turn_weight(back: int) -> float:
    """w of a turn: 2 for the newest, falling towards 1."""
    return 1 + math.exp(-DECAY * back)


def score(weight: float, sim: float, text: str) -> float:
    """XDAI's ranking score, 0 or more."""
    return weight * sim * max(SHORTEST, len(text)) / SHORTEST


def dialogue_weights(said: str, turns: Sequence[Message]) -> dict[str, float]:
    """How much each term of the dialogue counts, 0..1: 1 when it is said now, e^(-0.2 i) when last said i turns ago."""
    weights: dict[str, float] = {}
    for back, text in enumerate([said, *(turn.content for turn in reversed(turns))]):
        for term in content_terms(text, strict=True):
            weights.setdefault(term, math.exp(-DECAY * back))
    return weights


def similarity(weights: dict[str, float], text: str) -> float:
    """The share of the dialogue's terms, by weight, that the text has, 0..1; 0 for a dialogue without terms."""
    whole = sum(weights.values())
    shared = sum(weights.get(term, 0.0) for term in content_terms(text, strict=True))
    return shared / whole if whole else 0.0
