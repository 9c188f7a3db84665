"""Asks ordinary questions of which it is known where in the lectures the answer stands.

    .venv/bin/python benchmarks/placed_questions.py --home HOME [--home HOME] [--per-course N] [FILE...]

`FILE` are the tables in `benchmarks/placed_questions/` by default, one a course; each course is asked in the first home
that has it. A language model wrote the questions while it read the lectures piece by piece, four a piece, as students
type, and named the sentences that answer each. No person read them through. A lecture may answer a question elsewhere
as well, so the shares are lower bounds: they compare two versions of coteach on the same questions, and say little by
themselves.

Printed for each course and for all: in how many answers the first place that is cited, and any of them, has the
sentences; how many are refused, stand without a doubt, begin with a yes or a no, or deny what the question takes for
granted, which none of these questions asks for. With `--keep FILE` every answer is written down, one JSON a line, and
with `--before FILE` such a file of another version is compared: how many answers found their place since, and lost it.
"""

import argparse
import asyncio
import csv
import json
import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from serving.assistant.assistant import Assistant
from serving.assistant.composing.wording import wording
from serving.gateway.knowledge import load_knowledge
from serving.settings import Settings

FOLDER = Path(__file__).parent / "placed_questions"
DOUBTS = (
    "probably not_direct nothing_of_part nothing_beside hardly_named only_named not_spoken_of not_together none_such "
    "no_aspect no_maker no_price partly"
).split()
"""Notes above an answer that doubt it."""


@dataclass(frozen=True)
class PlacedQuestion:
    """A question, and where a lecture answers it: from `start_ms` to `end_ms` of a video."""

    course: str
    question: str
    video: str
    start_ms: int
    end_ms: int


@dataclass(frozen=True)
class PlacedAnswer:
    """What became of one question: which of the cited places, from 1 on, has the sentences that answer (0: none); and
    what is said above the answer."""

    course: str
    question: str
    place: int
    is_refused: bool
    is_sure: bool
    is_verdict: bool
    is_denied: bool
    text: str


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--home", type=Path, action="append", required=True, help="may be given several times")
    parser.add_argument("--per-course", type=int, help="ask only every so many, to have this number of each")
    parser.add_argument("--keep", type=Path, help="write every answer to this file")
    parser.add_argument("--before", type=Path, help="a kept file to compare with")
    parser.add_argument("files", type=Path, nargs="*", default=sorted(FOLDER.glob("*.tsv")))
    given = parser.parse_args()
    assistants: dict[str, Assistant] = {}
    for home in given.home:
        knowledge = load_knowledge(Settings(home=home, kept_answers=0), None)
        assistants = dict.fromkeys(knowledge.course_ids, knowledge.assistant) | assistants
    answers = []
    for path in given.files:
        if (assistant := assistants.get(path.stem)) is not None:
            answers += asyncio.run(_ask(assistant, _every(read_placed_questions(path), given.per_course)))
            _report(path.stem, [one for one in answers if one.course == path.stem])
    _report("all", answers)
    if given.keep is not None:
        given.keep.write_text("".join(f"{json.dumps(asdict(one), ensure_ascii=False)}\n" for one in answers))
    if given.before is not None:
        _compare(answers, [PlacedAnswer(**json.loads(line)) for line in given.before.read_text().splitlines()])


def read_placed_questions(path: Path) -> list[PlacedQuestion]:
    """The questions of one course's table."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [
            PlacedQuestion(path.stem, row["question"], row["video"], int(row["start_ms"]), int(row["end_ms"]))
            for row in rows
        ]


def _every(questions: list[PlacedQuestion], most: int | None) -> list[PlacedQuestion]:
    return questions if most is None else questions[:: max(1, len(questions) // most)][:most]


async def _ask(assistant: Assistant, questions: Sequence[PlacedQuestion]) -> list[PlacedAnswer]:
    return [await _ask_one(assistant, one) for one in questions]


async def _ask_one(assistant: Assistant, asked: PlacedQuestion) -> PlacedAnswer:
    answer = await assistant.answer(asked.question, course_id=asked.course)
    cited = (reference.locator for reference in answer.references)
    places = (
        number
        for number, at in enumerate(cited, 1)
        if at is not None
        and at.video_id == asked.video
        and at.start_ms is not None
        and at.end_ms is not None
        and at.start_ms < asked.end_ms
        and at.end_ms > asked.start_ms
    )
    said, note = wording("en"), answer.text.split("\n", 1)[0]
    is_refused = answer.coverage in ("none", None)
    return PlacedAnswer(
        asked.course,
        asked.question,
        next(places, 0),
        is_refused,
        not is_refused and not is_doubted(answer.text),
        note in (said.yes, said.no),
        note == said.premise,
        answer.text,
    )


def is_doubted(text: str) -> bool:
    """Whether a doubt stands above an answer, as what a mistyped word was taken for may, too."""
    notes = tuple(getattr(wording("en"), name).split("{", 1)[0].rstrip() for name in DOUBTS)
    return any(paragraph.startswith(notes) for paragraph in text.split("\n\n", 2)[:2])


def _report(name: str, answers: Sequence[PlacedAnswer]) -> None:
    if answers:
        shares = {
            "the first place cited answers": (one.place == 1 for one in answers),
            "any": (one.place > 0 for one in answers),
            "refused": (one.is_refused for one in answers),
            "without a doubt": (one.is_sure for one in answers),
            "yes or no": (one.is_verdict for one in answers),
            "premise denied": (one.is_denied for one in answers),
        }
        told = ", ".join(f"{what} {_share(held)}" for what, held in shares.items())
        sys.stdout.write(f"{name}: {len(answers):,} asked; {told}\n")


def _share(held: Iterable[bool]) -> str:
    every = list(held)
    return f"{sum(every) / len(every):.4f}"


def _compare(answers: Sequence[PlacedAnswer], before: Sequence[PlacedAnswer]) -> None:
    places = {(one.course, one.question): one.place for one in before}
    pairs = [(places[key], one.place) for one in answers if (key := (one.course, one.question)) in places]
    for name, found in (("first place", {1}), ("any place", {new for pair in pairs for new in pair} - {0})):
        better = sum(new in found and old not in found for old, new in pairs)
        worse = sum(old in found and new not in found for old, new in pairs)
        sys.stdout.write(f"{name}: {better} answers have it since, {worse} lost it, of {len(pairs):,}\n")


if __name__ == "__main__":
    main()
