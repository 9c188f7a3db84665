"""Behind a model that its exam refused: how many answers to the students' questions differ from those without a model.

    .venv/bin/python benchmarks/refused_model.py --home HOME

Asks the development questions of every built course twice and compares texts and references. As none differs, no mark
of them (right, cited, misleading) can: a model that is not admitted costs no point.
"""

import argparse
import asyncio
import sys
from collections import Counter
from collections.abc import AsyncGenerator, Sequence
from pathlib import Path

from first_sentence import Faithful
from written_answers import questions_of

from serving.assistant.answer import Answer
from serving.exam.admission import Admission
from serving.gateway.knowledge import load_knowledge
from serving.llm.language_model import AS_SERVED, LanguageModel, Sampling, StreamChunk
from serving.llm.messages import Message
from serving.settings import Settings

REFUSED = Admission("benchmark", "refused-stand-in", (), 1, 0, 1, 1, 0.0, None, None)


class Refused(Faithful):
    """Counts how often it is asked, and would say yes to everything."""

    asked = 0

    async def stream(
        self, messages: Sequence[Message], *, max_tokens: int, temperature: float, sampling: Sampling = AS_SERVED
    ) -> AsyncGenerator[StreamChunk, None]:
        self.asked += 1
        yield StreamChunk("Yes, of course.")


async def answers(home: Path, questions: Sequence[tuple[str, str]], model: LanguageModel | None) -> list[Answer]:
    settings = Settings(home=home, model_admission="exam")
    assistant = load_knowledge(settings, model, admission=lambda: REFUSED).assistant
    return [await assistant.answer(question, course_id=course_id) for course_id, question in questions]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument("--courses", type=Path, default=Path("examples/courses"))
    parser.add_argument("--questions", type=Path, default=Path("benchmarks/students"))
    given = parser.parse_args()
    questions = questions_of(given.courses, given.questions)
    model = Refused(0.0)
    without = asyncio.run(answers(given.home, questions, None))
    behind = asyncio.run(answers(given.home, questions, model))
    differ = [one for one, *pair in zip(questions, without, behind, strict=True) if _shown(pair[0]) != _shown(pair[1])]
    counts = ", ".join(f"{course_id} {count}" for course_id, count in Counter(one for one, _ in questions).items())
    sys.stdout.write(f"{len(questions)} questions ({counts}): {len(differ)} differ; asked {model.asked} times\n")
    sys.stdout.writelines(f"  {course_id}: {question}\n" for course_id, question in differ)


def _shown(answer: Answer) -> tuple[object, ...]:
    return answer.text, answer.references, answer.coverage


if __name__ == "__main__":
    main()
