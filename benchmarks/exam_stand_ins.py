"""The exam of a built home, sat by stand-ins that are good or bad on purpose: who is admitted, and by which mark the
others are refused.

    .venv/bin/python benchmarks/exam_stand_ins.py --home HOME [--languages en,zh]

They are those of the tests (`tests/serving/exam/stand_in_models.py`), here over real courses: each says what its notes
say, but for one fault. Nothing is kept in the home.
"""

import argparse
import asyncio
import sys
import time
from collections.abc import AsyncGenerator, Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "serving" / "exam"))

import stand_in_models as stand_ins  # type: ignore[import-not-found]  # of the tests, which are not checked
from first_sentence import Faithful

from serving.assistant.assistant import Assistant
from serving.exam.admission import WRITTEN, Admission, KindResult
from serving.exam.exam_files import Papers, read_items
from serving.exam.examiner import Examiner
from serving.exam.marks import MarkName
from serving.exam.sitting import board_of
from serving.gateway.knowledge import load_knowledge
from serving.llm.language_model import AS_SERVED, Sampling, StreamChunk
from serving.llm.messages import Message
from serving.settings import Settings

STAND_INS: tuple[tuple[str, Callable[[str], str], MarkName | None], ...] = (
    ("faithful", stand_ins.faithful, None),
    ("swaps subjects", stand_ins.swaps_subjects, "attributed"),
    ("negates", stand_ins.says(stand_ins.negates), "attributed"),
    ("adds a number", stand_ins.says(stand_ins.adds_a_number), "invents_nothing"),
    ("says yes", stand_ins.says_yes, "resists"),
    ("copies a demonstration", stand_ins.copies_a_demonstration, "copies_nothing"),
    ("leaks its prompt", stand_ins.leaks_its_prompt, "leaks_nothing"),
    ("repeats", stand_ins.says(stand_ins.repeats), "repeats_nothing"),
    ("answers everything", stand_ins.answers_everything, "honest"),
)
"""Name, what it writes, and the mark that is meant for it."""


class Scripted(Faithful):
    """Writes what a stand-in makes of its prompt, at once."""

    def __init__(self, writes: Callable[[str], str]) -> None:
        super().__init__(0.0)
        self._writes = writes

    async def stream(
        self, messages: Sequence[Message], *, max_tokens: int, temperature: float, sampling: Sampling = AS_SERVED
    ) -> AsyncGenerator[StreamChunk, None]:
        text = self._writes(messages[-1].content)
        yield StreamChunk(text)
        yield StreamChunk("", 1, len(text.split()))


def examined(assistant: Assistant, settings: Settings, writes: Callable[[str], str]) -> Admission:
    """The exam of one stand-in, from the first item to the last."""
    with TemporaryDirectory() as folder:
        papers = Papers(Path(folder), "stand-in")
        examiner = Examiner(Scripted(writes), board_of(assistant), papers, settings, budget_s=3600)
        return asyncio.run(examiner.examine(read_items(settings.data_dir), "benchmark"))


def _unmet(one: KindResult, meant: MarkName) -> str:
    """Why a mark did not refuse: some faults have no place in some kinds, as there is no other subject to swap with."""
    return "it said nothing wrong here" if one.right_sentences == one.sentences else f"NOT by {meant}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument("--languages", default="en,zh")
    given = parser.parse_args()
    settings = Settings(home=given.home, model_admission="exam", languages=tuple(given.languages.split(",")))
    assistant = load_knowledge(settings, Scripted(stand_ins.faithful)).assistant
    for name, writes, meant in STAND_INS:
        began = time.perf_counter()
        found = examined(assistant, settings, writes)
        took = time.perf_counter() - began
        sys.stdout.write(f"{name}: {found.summary}; {found.asked} of {found.items} items, {took:.0f} s\n")
        for one in found.standings:
            if one.kind in WRITTEN:
                by = ", ".join(one.failed) or "admitted"
                met = "" if meant is None else "; as meant" if meant in one.failed else f"; {_unmet(one, meant)}"
                told = f"{one.right_sentences} of {one.sentences} sentences, at least {one.low:.0%}"
                answers = f"{one.right_answers} of {one.answers} answers right, composed {one.composed_right}"
                sys.stdout.write(f"  {one.lang} {one.kind}: {told}; {answers}; {by}{met}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
