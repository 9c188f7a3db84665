"""Whether an approved answer stands first for a question in other words, and for none that only looks like it.

    .venv/bin/python benchmarks/approved_wordings.py HOME [LABELS]

HOME is a built home with the two sample courses. Every answer of LABELS (`labels/approved_wordings.yaml`) is approved
at once, none is in the index. What is printed: for each half and language how many rewordings are answered by the
approved answer first, how many show it further down, and how many other questions get it first, each of which is named.
"""

import argparse
import asyncio
import sys
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import yaml

from knowledge_graph.lake.records import Lang
from models.embedding.embedder import Embedder
from serving.assistant.assistant import Assistant
from serving.desk.approved_answers import PREFIX, Approved, ApprovedWording, Decisions, entry_id
from serving.desk.meanings import Meanings, WordingVectors
from serving.desk.overlay import Overlay
from serving.gateway.knowledge import load_knowledge
from serving.index.analysis import content_terms
from serving.index.schema import Entry
from serving.settings import Settings

LABELS = Path(__file__).with_name("labels") / "approved_wordings.yaml"


@dataclass(frozen=True)
class Asked:
    """A question to a course; `meant` is the number of the answer that it asks for, `near` of the one it is like."""

    text: str
    course_id: str
    half: str
    near: int
    is_meant: bool


def answer_of(number: int) -> str:
    """What is shown of an approved answer and of nothing else."""
    return f"Approved answer number {number}, written by a person."


def approved(number: int, item: dict[str, Any]) -> Approved:
    origin_id, course_id, question = f"{PREFIX}{number}", item["course"], item["question"]
    lang: Lang = "zh" if course_id == "shujujiegou" else "en"
    entry = Entry(
        entry_id(course_id, origin_id),
        "qa",
        "faq",
        course_id,
        lang,
        question,
        answer_of(number),
        origin_id=origin_id,
        reviewer="Ada",
    )
    return Approved(entry, (ApprovedWording(question, tuple(content_terms(question))),))


def questions_of(items: list[dict[str, Any]]) -> list[Asked]:
    return [
        Asked(text, item["course"], item["half"], number, is_meant)
        for number, item in enumerate(items)
        for is_meant, texts in ((True, item["reworded"]), (False, item["others"]))
        for text in texts
    ]


async def place_in(assistant: Assistant, asked: Asked) -> str:
    """Where the answer near to a question stands in what is answered: `first`, `below` or `absent`."""
    answer = await assistant.answer(asked.text, course_id=asked.course_id)
    sought = answer_of(asked.near)
    if sought not in answer.text:
        return "absent"
    before = answer.text.partition(sought)[0]
    return "first" if len([line for line in before.splitlines() if line.strip()]) <= 1 else "below"


def meanings_of(decided: Decisions, embedder: Embedder | None) -> dict[str, Meanings]:
    vectors = WordingVectors()
    vectors.use(embedder)
    while vectors.add(decided.approved.values()):
        pass
    return vectors.of(decided.by_course)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("home", type=Path)
    parser.add_argument("labels", type=Path, nargs="?", default=LABELS)
    given = parser.parse_args()
    items = yaml.safe_load(given.labels.read_text(encoding="utf-8"))
    decided = Decisions({str(number): approved(number, item) for number, item in enumerate(items)})
    overlay = Overlay.of(decided)
    knowledge = load_knowledge(Settings(home=given.home, model_admission="never"), None, reviewed=lambda: overlay)
    overlay = replace(overlay, meanings=meanings_of(decided, knowledge.dense.embedder if knowledge.dense else None))
    counted: Counter[tuple[str, str, bool, str]] = Counter()
    for asked in questions_of(items):
        place = asyncio.run(place_in(knowledge.assistant, asked))
        lang = "zh" if asked.course_id == "shujujiegou" else "en"
        counted[asked.half, lang, asked.is_meant, place] += 1
        if (place == "first") != asked.is_meant:
            told = "missed" if asked.is_meant else "WRONG"
            sys.stdout.write(f"{asked.half} {lang} {told} ({place}): {asked.text}\n")
    for half in ("chosen", "measured"):
        for lang in ("en", "zh"):
            for is_meant, name in ((True, "reworded"), (False, "others")):
                places = {place: counted[half, lang, is_meant, place] for place in ("first", "below", "absent")}
                sys.stdout.write(f"{half} {lang} {name}: {places}\n")


if __name__ == "__main__":
    main()
