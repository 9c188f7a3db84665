"""How many corrupted answers `serving.assistant.grounding.attribution` catches, at which false alarms on right ones.

    .venv/bin/python benchmarks/attribution.py --home HOME [--show 20]

Right answers are FAQ answers, definitions and stretches of lectures of the built courses, each as it stands and said
in other words; corrupted ones are made from them (`serving.evaluation.corruptions`). The evidence is the text that an
answer was taken from among the four most like it of its course. Courses are dealt in two halves by a hash of their
name: what was looked at while the checker was written, and what was not.
"""

import argparse
import hashlib
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.records import Concept, Cue, FaqEntry, from_row
from knowledge_graph.lake.source_kinds import CourseTable
from knowledge_graph.lake.tables import read_rows
from knowledge_graph.text.sentences import sentences
from serving.assistant.grounding.attribution import SentenceVerdict, check_sentence
from serving.assistant.grounding.sentences import split
from serving.evaluation.corruptions import corruptions, reword
from serving.index.analysis import content_terms
from serving.index.evidence import Evidence

STRETCH = 2
"""Sentences of a lecture that make one answer."""
MOST = 60
"""Right answers of one kind of one course."""
LEAST_LETTERS, MOST_LETTERS = 50, 700
_DEAL = 112
"""Chosen so that both halves have English and Chinese, FAQs and lectures; before anything was measured."""


@dataclass(frozen=True)
class Right:
    """A right answer with what it was taken from."""

    course_id: str
    kind: str
    question: str
    text: str


@dataclass(frozen=True)
class Course:
    """What one course's answers are checked against."""

    course_id: str
    names: tuple[str, ...]
    answers: tuple[Right, ...]

    @property
    def is_held_out(self) -> bool:
        return int(hashlib.sha256(f"{_DEAL} {self.course_id}".encode()).hexdigest(), 16) % 2 == 1

    def evidence(self, right: Right) -> tuple[Evidence, ...]:
        """The answer's own text, and the three most like it by words, in an order that tells nothing."""
        said = set(content_terms(right.text))
        others = sorted(
            (one for one in self.answers if one.text != right.text),
            key=lambda one: (-len(said & set(content_terms(one.text))), one.text),
        )
        chosen = sorted([right, *others[:3]], key=lambda one: one.text)
        return tuple(
            Evidence(number, str(number), one.kind, self.course_id, one.question, one.text)
            for number, one in enumerate(chosen, 1)
        )


def read_course(home: DataDir, course_id: str) -> Course:
    """The right answers of a built course, spread over it."""
    concepts = [from_row(Concept, row) for row in _rows(home, "concepts", course_id)]
    names = tuple(dict.fromkeys(name for one in concepts for name in (one.name, *one.aliases)))
    faq = [from_row(FaqEntry, row) for row in _rows(home, "faq", course_id)]
    spoken = sentences(from_row(Cue, row) for row in _rows(home, "cues", course_id))
    runs = [spoken[at : at + STRETCH] for at in range(0, len(spoken) - STRETCH, STRETCH)]
    stretches = [(run[0].video_title, " ".join(one.text for one in run)) for run in runs]
    kinds = {
        "faq": [(one.question, one.answer) for one in faq],
        "definition": [(one.name, one.definition) for one in concepts if one.definition],
        "lecture": stretches,
    }
    answers = [
        Right(course_id, kind, question, " ".join(text.split()))
        for kind, found in kinds.items()
        for question, text in _spread(
            [pair for pair in found if LEAST_LETTERS * (1 - _dense(pair[1])) <= len(pair[1]) <= MOST_LETTERS]
        )
    ]
    return Course(course_id, names, tuple(answers))


def _dense(text: str) -> float:
    """Chinese says in one character what takes English two and a half."""
    return 0.6 if any("\u4e00" <= char <= "\u9fff" for char in text) else 0.0


def _spread(found: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    step = max(1, len(found) // MOST)
    return list(found[::step][:MOST])


def _rows(home: DataDir, table: CourseTable, course_id: str) -> Iterator[dict[str, object]]:
    path = home.table(table, course_id)
    return iter(read_rows(path)) if path.exists() else iter(())


def check(text: str, course: Course, evidence: Sequence[Evidence], question: str) -> list[SentenceVerdict]:
    """The verdict on every sentence of an answer."""
    return [
        check_sentence(piece.text, evidence, concepts=course.names, question=question, before=text[: piece.start])
        for piece in split(text)
    ]


def measure(course: Course, counts: "Counter[tuple[str, str]]", shown: list[str]) -> None:
    for right in course.answers:
        evidence = course.evidence(right)
        variants = [("right", right.text), ("reworded", reword(right.text))]
        variants += [(one.kind, one.text) for one in corruptions(right.text, course.names)]
        for kind, text in variants:
            if kind == "reworded" and text == right.text:
                continue
            verdicts = check(text, course, evidence, right.question)
            failed = next((one for one in verdicts if not one.may_stand), None)
            counts[kind, "n"] += 1
            counts[kind, "flagged"] += failed is not None
            counts[f"{kind} {failed.reason if failed else '-'}", "n"] += 1
            if (failed is not None) == (kind in ("right", "reworded")):
                why = f"{failed.reason}: {failed.said}" if failed else "passed"
                shown.append(f"{kind} [{why}] {text}\n     of: {right.text}")


def _tell(line: str) -> None:
    sys.stdout.write(f"{line}\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument("--show", type=int, default=0, help="mistakes of the first half to print")
    given = parser.parse_args()
    home = DataDir(given.home)
    counts: dict[bool, Counter[tuple[str, str]]] = defaultdict(Counter)
    shown: dict[bool, list[str]] = defaultdict(list)
    started = time.process_time()
    for course_id in (path.stem for path in home.tables("concepts")):
        course = read_course(home, course_id)
        measure(course, counts[course.is_held_out], shown[course.is_held_out])
        _tell(
            f"{course_id}: {len(course.answers)} right answers, {'held out' if course.is_held_out else 'developed on'}"
        )
    for held_out, found in sorted(counts.items()):
        _tell(f"\n{'held out' if held_out else 'developed on'}")
        for kind in ("right", "reworded", "subject", "comparative", "negation", "number"):
            n = found[kind, "n"]
            why = ", ".join(
                f"{key[0].split()[1]} {count}" for key, count in sorted(found.items()) if key[0].startswith(f"{kind} ")
            )
            _tell(f"  {kind:12} {n:5} flagged {found[kind, 'flagged'] / max(1, n):.3f}   {why}")
    _tell(f"{time.process_time() - started:.0f} s of processor time")
    for line in shown[False][:: max(1, len(shown[False]) // given.show)] if given.show else ():
        _tell(line)


if __name__ == "__main__":
    main()
