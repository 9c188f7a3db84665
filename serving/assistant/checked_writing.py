"""`CheckedWriting`: what an admitted model writes, sentence by sentence, each shown when the evidence bears it.

A sentence is held back until it is whole and checked; one that is unsupported, attributed to the wrong thing or
invented is left out. So nothing that a student has seen is taken back, and where too little may stand the composed
answer is given: nothing, or of a comparison one side alone.
"""

import asyncio
from collections.abc import AsyncGenerator, Collection
from contextlib import aclosing
from dataclasses import replace

import structlog

from serving.assistant.composing.terms import terms_of
from serving.assistant.generation.phrases import phrases
from serving.assistant.grounding.attribution import read_ahead
from serving.assistant.grounding.sentences import SentenceSpan, readable, split
from serving.assistant.plan import Plan
from serving.assistant.reflection.loop import Prepared
from serving.assistant.turn import Turn
from serving.exam.marks import judge_sentence
from serving.llm.language_model import LlmError, LlmUseless

log = structlog.get_logger(__name__)

MOST_LEFT_OUT = 3
"""Sentences that are left out before the first may stand: the model is not waited for any longer. A choice."""


class CheckedWriting:
    """Over one turn. While the model has written nothing yet, the evidence is read.

    `outcome` is the plan that the answer finally rests on, `left_out` what was not shown.
    """

    def __init__(self, prepared: Prepared, turn: Turn, *, names: Collection[str]) -> None:
        self._asked, self._plan, self._turn, self._names = prepared.asked, prepared.plan, turn, names
        self.outcome = prepared.plan
        self.left_out: list[str] = []
        self._shown: list[str] = []
        self._sides, self._waiting = _sides_of(prepared), ""
        self._reading: asyncio.Task[None] | None = None

    async def run(self, draft: AsyncGenerator[str, None]) -> AsyncGenerator[str, None]:
        """The sentences of the draft that may stand, as they are written; the composed answer where there are none."""
        held, failed = "", False
        self._reading = asyncio.create_task(asyncio.to_thread(read_ahead, self._plan.evidence, concepts=self._names))
        try:
            async with aclosing(draft) as texts:
                while (text := await self._turn.in_time(anext(texts, None))) is not None:
                    held += text
                    for piece in (ready := _whole(held)):
                        if shown := self._release(await self._check_sentence(piece.text)):
                            yield shown
                    held = held[ready[-1].end :] if ready else held
                    if self._is_hopeless:
                        break
        except LlmError as error:
            failed = not isinstance(error, LlmUseless)
            log.warning("model_failed", error=f"{type(error).__name__}: {error}", route=self._plan.route)
        if not failed and not self._is_hopeless:
            for piece in split(readable(held)):
                if shown := self._release(await self._check_sentence(piece.text)):
                    yield shown
        if last := self._end(failed=failed):
            yield last

    @property
    def _is_hopeless(self) -> bool:
        return not self._shown and len(self.left_out) >= MOST_LEFT_OUT

    @property
    def _known_question(self) -> str:
        """What may be said because it was asked: nothing of a question that may claim what is not so."""
        composed = self._plan.instead.composed if self._plan.instead is not None else None
        claims = composed is not None and composed.kind in ("yes_no", "logistics")
        return "" if claims else self._turn.resolved.question

    def _end(self, *, failed: bool) -> str:
        """What follows the model's sentences: what to watch first, or that it was cut off; all of the composed answer
        where too little stands."""
        if self._shown and not self._waiting:
            return f"\n\n{phrases(self._asked.lang).cut_off}" if failed else self._plan.suffix
        if (instead := self._plan.instead) is None:
            return ""
        self.outcome, self._turn.is_instead = instead, True
        return instead.text

    def _release(self, text: str) -> str:
        """What may be shown now: of a comparison nothing before every side is spoken of."""
        if not self._sides:
            return text
        self._waiting += text
        said = terms_of(self._waiting)
        if not all(any(name <= said for name in side) for side in self._sides):
            return ""
        text, self._waiting, self._sides = self._waiting, "", ()
        return text

    async def _check_sentence(self, sentence: str) -> str:
        """A sentence as it may be shown, empty where it may not. What claims nothing is shown behind what does."""
        if sentence in self._shown:
            return ""
        if self._reading is not None:
            await self._reading
        said = " ".join(self._shown)
        judged = judge_sentence(
            sentence, self._plan.evidence, question=self._known_question, names=self._names, before=said
        )
        if not judged.may_stand:
            self.left_out.append(sentence)
            log.info("sentence_left_out", ruling=judged.ruling, why=judged.why[:80])
            return ""
        if not judged.is_right and not self._shown:
            return ""
        self._shown.append(sentence)
        gap = "" if len(self._shown) == 1 else "\n" if sentence[:2] in ("- ", "* ") else _gap(self._asked.lang)
        return f"{gap}{sentence}"


def _sides_of(prepared: Prepared) -> tuple[tuple[frozenset[str], ...], ...]:
    """What a comparison compares, each by its names as terms; nothing of another question."""
    composed = prepared.plan.instead.composed if prepared.plan.instead is not None else None
    concepts = prepared.asked.concepts
    if composed is None or composed.kind != "comparison" or len(concepts) < COMPARED:
        return ()
    return tuple(tuple(terms_of(name) for name in (one.name, *one.aliases)) for one in concepts)


COMPARED = 2
"""Concepts of a question that are compared with each other."""


def _gap(lang: str) -> str:
    return "" if lang == "zh" else " "


def _whole(text: str) -> tuple[SentenceSpan, ...]:
    """The sentences of a text behind which something follows."""
    return split(readable(text + "x" if text[-1:].isspace() else text))[:-1]


def plan_for_model(written: Plan, composed: Plan) -> Plan | None:
    """The model's plan with the composed one behind it; `None` where the model would not be asked."""
    return replace(written, instead=composed) if written.messages and written.route == "teach" else None
