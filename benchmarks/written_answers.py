"""Answers that a model server really writes to the questions of built courses, to be marked by eye.

    .venv/bin/python benchmarks/written_answers.py --home HOME --url http://127.0.0.1:8100/v1 --out answers.jsonl

For each question (the development half of the student questions, and `gold/questions.jsonl`) the prompt is the one that
the assistant would send: the structured one, Chain of Teach, or the bare question without evidence, each at
temperature 0 and 0.7, dealt by a hash of the question. Nothing is filtered or graded; the evidence is what was found.
"""

import argparse
import asyncio
import hashlib
import json
import sys
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass
from pathlib import Path

from knowledge_graph.sources.folders import find_courses
from serving.assistant.generation.prompts import THINK, answer_in, of_course
from serving.gateway.knowledge import load_knowledge
from serving.index.evidence import Evidence
from serving.llm.client import LlmTimes, OpenAiModel
from serving.llm.language_model import (
    AS_SERVED,
    ChoiceProbabilities,
    Completion,
    LanguageModel,
    LlmUseless,
    Sampling,
    StreamChunk,
)
from serving.llm.messages import Message
from serving.settings import Settings

SETTINGS = (("context", 0.0), ("teach", 0.0), ("context", 0.7), ("teach", 0.7), ("bare", 0.0), ("bare", 0.7))
EACH = 2
"""Settings that one question is asked at."""
MOST_TOKENS = 110
AT_ONCE = 8


@dataclass(frozen=True)
class Asked:
    """One question at one setting."""

    course_id: str
    question: str
    prompt: str
    temperature: float
    messages: tuple[Message, ...]
    evidence: tuple[Evidence, ...]


class Eavesdropper:
    """A model that writes nothing and keeps what it was asked."""

    def __init__(self) -> None:
        self.messages: tuple[Message, ...] = ()

    def forget(self) -> None:
        self.messages = ()

    async def stream(
        self, messages: Sequence[Message], *, max_tokens: int, temperature: float, sampling: Sampling = AS_SERVED
    ) -> AsyncGenerator[StreamChunk, None]:
        self.messages = tuple(messages)
        if self.messages:
            raise LlmUseless("Only the prompt is wanted.")
        yield StreamChunk("")

    async def complete(
        self, messages: Sequence[Message], *, max_tokens: int = 256, temperature: float = 0.2
    ) -> Completion:
        raise LlmUseless("Only the prompt is wanted.")

    async def choose(self, messages: Sequence[Message], choices: Sequence[str]) -> ChoiceProbabilities:
        raise LlmUseless("Only the prompt is wanted.")

    async def count_tokens(self, text: str) -> int | None:
        return None

    async def model_name(self) -> str:
        return "none"

    async def is_alive(self) -> bool:
        return True


async def prompts(home: Path, questions: Sequence[tuple[str, str]]) -> list[Asked]:
    """The prompts of each question at the settings dealt to it; none where the assistant would ask no model."""
    found: list[Asked] = []
    for prompt in ("context", "teach"):
        heard = Eavesdropper()
        settings = Settings(
            home=home, model_admission="always", beta=1.0, alpha=1.0, graders=(), regenerations=0, rewrites=0,
            simple_prompt=prompt, complex_prompt=prompt,
        )  # fmt: skip
        assistant = load_knowledge(settings, heard).assistant
        for course_id, question in questions:
            heard.forget()
            answer = await assistant.answer(question, course_id=course_id)
            for kind, temperature in _dealt(question):
                if heard.messages and answer.evidence and (kind == prompt or (kind == "bare" and prompt == "teach")):
                    messages = heard.messages if kind == prompt else _bare(question)
                    found.append(Asked(course_id, question, kind, temperature, messages, answer.evidence[:6]))
    return found


def _dealt(question: str) -> list[tuple[str, float]]:
    first = int(_digest(question), 16) % len(SETTINGS)
    return [SETTINGS[(first + step) % len(SETTINGS)] for step in range(0, len(SETTINGS), len(SETTINGS) // EACH)]


def _bare(question: str) -> tuple[Message, ...]:
    system = THINK.fill_system(course=of_course(None), language=answer_in("en"))
    return Message("system", system), Message("user", THINK.fill(question=question))


async def write(llm: LanguageModel, asked: Sequence[Asked]) -> list[dict[str, object]]:
    """What the model writes, a row each, in order."""
    gate = asyncio.Semaphore(AT_ONCE)

    async def one(item: Asked) -> dict[str, object]:
        async with gate:
            said = await llm.complete(item.messages, max_tokens=MOST_TOKENS, temperature=item.temperature)
        sys.stderr.write(".")
        evidence = [{"id": each.evidence_id, "title": each.title, "text": each.text} for each in item.evidence]
        key = _digest(f"{item.course_id} {item.question} {item.prompt} {item.temperature}")
        return {
            "id": key, "course": item.course_id, "question": item.question, "prompt": item.prompt,
            "temperature": item.temperature, "answer": said.text.strip(), "evidence": evidence,
        }  # fmt: skip

    return list(await asyncio.gather(*map(one, asked)))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def questions_of(folder: Path, extra: Path | None) -> list[tuple[str, str]]:
    """Course and question: the student questions that may be looked at, and the questions of `gold/questions.jsonl`."""
    found: dict[tuple[str, str], None] = {}
    for course in find_courses(folder):
        files = [course.path / "gold" / "students.dev.jsonl", course.path / "gold" / "questions.jsonl"]
        files += [extra / f"{course.course_id}.dev.jsonl"] if extra else []
        for path in files:
            for line in path.read_text(encoding="utf-8").splitlines() if path.is_file() else ():
                row = json.loads(line)
                if not row.get("history"):
                    found[course.course_id, row["question"]] = None
    return list(found)


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument("--courses", type=Path, default=Path("examples/courses"))
    parser.add_argument("--questions", type=Path, default=Path("benchmarks/students"))
    parser.add_argument("--url", required=True)
    parser.add_argument("--most", type=int, default=10_000, help="questions of one course")
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    asked: list[tuple[str, str]] = []
    for course_id, question in questions_of(given.courses, given.questions):
        if sum(course == course_id for course, _ in asked) < given.most:
            asked.append((course_id, question))
    rows = await write(
        OpenAiModel(given.url, times=LlmTimes(first_token=600, stall=120, whole=900)), await prompts(given.home, asked)
    )
    lines = (json.dumps(row, ensure_ascii=False) for row in sorted(rows, key=lambda row: str(row["id"])))
    given.out.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    asyncio.run(main())
