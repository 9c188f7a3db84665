"""What `coteach classify` does: reads questions from a file and writes how each is understood. Answers none."""

import json
import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from rich.console import Console

from knowledge_graph.graph.concept_graph import ConceptGraph
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.problems import CoteachError
from knowledge_graph.sources.bounded_report import BoundedTold
from knowledge_graph.sources.files import open_text
from models.intent.classifier import IntentClassifier
from models.versions import ModelBroken, ModelMissing
from orchestration.cli.output import output
from serving.assistant.understanding.form import question_form
from serving.assistant.understanding.intent import ServedScores
from serving.assistant.understanding.understand import DEFAULT_ALPHA, Understanding, understand_scored

BATCH = 64
"""Questions scored at once: more are no faster on two cores, and this many are held in memory. A choice."""

QUIET_SECONDS = 2.0
"""What is done sooner shows no progress."""

_FORM = '{"id": "...", "question": "...", "previous": "...", "course": "..."} (previous and course may be left out)'
_READ = "The model reads the name as a title; nothing of the course is known."
_HALF_CHARACTER = re.compile("[\ud800-\udfff]")


class ClassifyUnusable(CoteachError):
    """The questions cannot be read, or nothing is built to understand them with."""


@dataclass(frozen=True)
class InputLine:
    """One line of the input; its id is given back as it is. `previous` is the user's turn before, or empty.

    `course` is as the line names it: the intent model reads the title of one that is built, else the name itself.
    """

    question_id: str | int
    question: str
    previous: str
    course: str


class QuestionClassifier:
    """Understands questions in batches, with the graph of a home and its intent model, if there is one."""

    def __init__(self, graph: ConceptGraph, intent: IntentClassifier | None) -> None:
        self._graph = graph
        self._intent = intent
        self._titles = {card.course_id: card.title for card in graph.courses}

    @property
    def courses(self) -> list[str]:
        return sorted(self._titles)

    def understand(self, batch: Sequence[InputLine]) -> list[Understanding]:
        """One `Understanding` for each question, in order."""
        forms = [question_form(one.question, previous=one.previous) for one in batch]
        titles = [self._titles.get(one.course, one.course) for one in batch]
        turns = [(one.previous, title, form.stem) for one, title, form in zip(batch, titles, forms, strict=True)]
        scored: list[ServedScores | None] = [None] * len(turns)
        if self._intent is not None:
            scored = [*self._intent.classify_batch(turns)]
        return [
            understand_scored(
                one.question,
                form=form,
                scores=scores,
                graph=self._graph,
                alpha=self._intent.alpha_for(form.stem) if self._intent else DEFAULT_ALPHA,
                previous=one.previous,
                course_id=one.course if one.course in self._titles else None,
            )
            for one, form, scores in zip(batch, forms, scored, strict=True)
        ]


def classify_file(questions: Path, *, home: Path, course: str | None, out: Path | None) -> int:
    """Classify each line and write what was understood; return 0 when every line was read, 1 when some were left out.

    `course` is that of lines that name none. Raises `ClassifyUnusable` for a file that cannot be read, a home that
    holds no graph or a course that is not in it.
    """
    console = Console(stderr=True)
    reader = _reader(DataDir(home), console)
    _require_course(course, reader.courses, home)
    log = BoundedTold(questions.name)
    started, count, left_out = time.monotonic(), 0, 0
    with output(out) as sink:
        lines = read_questions(questions, course, reader.courses, log)
        for batch in _batches(lines):
            asked = [one for one in batch if one is not None]
            for one, understood in zip(asked, reader.understand(asked), strict=True):
                sink.write(json.dumps(_line(one, understood), ensure_ascii=False) + "\n")
            count, left_out = count + len(asked), left_out + len(batch) - len(asked)
            _tell_progress(console, started, count)
    for problem in log.problems:
        console.print(f"! {problem}", style="yellow", markup=False, highlight=False)
    place = f" -> {out}" if out else ""
    seconds = time.monotonic() - started
    console.print(f"{count:,} classified, {left_out:,} left out, {seconds:.1f} s{place}", highlight=False)
    return 1 if left_out else 0


def read_questions(
    path: Path, course: str | None, courses: Sequence[str], log: BoundedTold
) -> Iterator[InputLine | None]:
    """The questions of a JSON lines file, one by one; `None`, with a problem logged, for a line that is none.

    Raises `ClassifyUnusable` when the file cannot be read.
    """
    stream = open_text(path, log)
    if stream is None:
        raise ClassifyUnusable("; ".join(f"{path}: {each.message} {each.remedy}" for each in log.problems))
    with stream:
        for number, line in enumerate(stream, start=1):
            if line.strip():
                found = _read_line(line, course)
                if isinstance(found, str):
                    log.error(number, found, f"Write one question a line: {_FORM}.")
                elif found.course and found.course not in courses:
                    there = ", ".join(courses) or "none"
                    log.warning(number, f"No course '{found.course}' is built here.", f"There are: {there}. {_READ}")
                yield found if isinstance(found, InputLine) else None
    log.close()


def _read_line(line: str, course: str | None) -> InputLine | str:
    """The question of a line, or what is wrong with it. An empty question is one: it is classified as incomplete."""
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError):
        return "Not valid JSON."
    if not isinstance(fields, dict):
        return f"Expected an object, found {type(fields).__name__}."
    question_id, question, previous = fields.get("id"), fields.get("question"), fields.get("previous") or ""
    if not (isinstance(question_id, str) or type(question_id) is int) or not isinstance(question, str):
        return "The line has no 'id' or no 'question' with text."
    if not isinstance(previous, str):
        return f"'previous' is {type(previous).__name__}, not text."
    if any(_HALF_CHARACTER.search(str(text)) for text in (question_id, question, previous)):
        return "The line holds half a character (a lone surrogate), which cannot be written again."
    named = fields.get("course") or course or ""
    if not isinstance(named, str):
        return f"'course' is {type(named).__name__}, not text."
    return InputLine(question_id, question, previous, named)


def _line(asked: InputLine, understood: Understanding) -> dict[str, object]:
    return {
        "id": asked.question_id,
        "category": understood.category,
        "h": round(understood.h, 6),
        "form": understood.form,
        "options": [option._asdict() for option in understood.options],
        "complexity": understood.kind,
        "refusal": understood.refusal,
    }


def _reader(data_dir: DataDir, console: Console) -> QuestionClassifier:
    try:
        graph = ConceptGraph.load(data_dir)
    except FileNotFoundError as error:
        raise ClassifyUnusable(str(error)) from error
    try:
        intent = IntentClassifier.open(data_dir.intent)
    except (ModelMissing, ModelBroken) as error:
        console.print(f"! Categories are by rules alone: {error}", style="yellow", markup=False, highlight=False)
        return QuestionClassifier(graph, None)
    return QuestionClassifier(graph, intent)


def _batches(lines: Iterator[InputLine | None]) -> Iterator[list[InputLine | None]]:
    while batch := list(islice(lines, BATCH)):
        yield batch


def _tell_progress(console: Console, started: float, count: int) -> None:
    """A line that overwrites itself, on a terminal only."""
    if console.is_terminal and time.monotonic() - started > QUIET_SECONDS:
        console.print(f"{count:,} classified", end="\r", highlight=False)


def _require_course(course: str | None, courses: Sequence[str], home: Path) -> None:
    if course is not None and course not in courses:
        raise ClassifyUnusable(f"No course '{course}' is built in {home}; there are: {', '.join(courses) or 'none'}.")
