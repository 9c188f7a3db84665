"""What `coteach evaluate answers` does: many answers over a home's own courses, each checked against the promises."""

import asyncio
import json
import time
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path

from rich.console import Console

from knowledge_graph.graph.concept_graph import ConceptGraph
from knowledge_graph.graph.records import GraphConcept
from orchestration.cli.evaluate_command import EvaluationStopped
from orchestration.cli.explain_command import serve_model
from orchestration.cli.output import read_kept_lines
from orchestration.cli.services import ending_cleanly
from serving.assistant.assistant import Assistant
from serving.assistant.generation.explanations import fetch_model_name
from serving.evaluation.audited_answers import AuditedAnswer, AuditScores, answer_audited, fields_of, score_audits
from serving.evaluation.course_questions import CourseQuestion, course_questions
from serving.gateway.knowledge import load_knowledge
from serving.llm.language_model import LlmError
from serving.llm.model_client import open_model
from serving.settings import ModelServerSettings, Settings

_PROGRESS_EVERY = 10


def evaluate_answers(console: Console, *, count: int, seed: int, out: Path, as_json: bool) -> int:
    """Ask `count` questions about the courses' concepts, append each answer to `out`, print what came of all of them.

    What `out` answers in the same course is not asked again. Returns 1 when a promise was broken, and when the server
    was away or too slow for some questions: those are not kept. Raises `EvaluationStopped` when `out` holds another
    model's answers.
    """
    settings, progress = Settings(), Console(stderr=True)
    with ending_cleanly(), ExitStack() as stack:
        url = stack.enter_context(serve_model(progress, settings, ModelServerSettings()))
        asked = settings.model_copy(update={"llm_url": url})
        answers, missing = asyncio.run(_answer(progress, asked, count, seed, out))
    scores = score_audits(answers)
    if as_json:
        console.print_json(json.dumps(asdict(scores)))
    else:
        print_audit(console, scores)
    if missing:
        progress.print(
            f"! {missing:,} questions without an answer: the model server was away or too slow. Run the same again to "
            "ask them.",
            style="yellow",
            highlight=False,
        )
    return 0 if scores.holds and not missing else 1


def read_audits(path: Path) -> list[AuditedAnswer]:
    """The answers that a file holds; a line that a kill cut off is left out, here and in the file."""
    return read_kept_lines(path, _read, _line)


def print_audit(console: Console, scores: AuditScores) -> None:
    """The figures as a person reads them."""
    routes = ", ".join(f"{route} {count}" for route, count in scores.routes.items())
    for name, value in (
        ("answers", f"{scores.answers:,} ({scores.generated:,} by a model; {routes})"),
        ("given from the material instead", f"{scores.degraded:,}"),
        ("citations that do not resolve", f"{scores.unresolved:,} of {scores.citations + scores.unresolved:,}"),
        ("quotes in no evidence", f"{scores.invented:,} of {scores.quotes:,}"),
        ("verdicts that are none", f"{scores.no_verdicts:,} of {scores.verdicts:,}"),
    ):
        console.print(f"  {name:32} {value}", markup=False, highlight=False)


async def _answer(
    progress: Console, settings: Settings, count: int, seed: int, out: Path
) -> tuple[list[AuditedAnswer], int]:
    """The answers to the questions, asked now or before, and how many questions have none."""
    llm = open_model(settings)
    assert llm is not None
    knowledge = load_knowledge(settings, llm)
    asked = course_questions(_concepts(knowledge.graph), lang=settings.languages[0], count=count, seed=seed)
    try:
        served_by = fetch_model_name(settings.llm_urls[0], await llm.model_name())
        there = _read_answers(out, served_by)
        left = [one for one in asked if (one.course_id, one.question) not in there]
        await _append(progress, knowledge.assistant, left, out, served_by)
    except LlmError as error:
        raise EvaluationStopped(f"{error} What was answered is kept in {out}; run the same again to go on.") from error
    finally:
        await llm.aclose()
    there = _read_answers(out, served_by)
    found = [there[key] for one in asked if (key := (one.course_id, one.question)) in there]
    return found, len(asked) - len(found)


def _concepts(graph: ConceptGraph) -> list[GraphConcept]:
    """Every concept once; several can have one name."""
    ids = dict.fromkeys(key for name in graph.names() for key in graph.candidates(name))
    return [graph.concept(key) for key in ids]


def _read_answers(out: Path, model: str) -> dict[tuple[str, str], AuditedAnswer]:
    """The answers that a file holds, by course and question; they must be of the model served."""
    found = read_audits(out)
    if others := sorted({one.served for one in found} - {model}):
        raise EvaluationStopped(
            f"{out} holds answers of {', '.join(others)}, and the model served is {model}. Name another file."
        )
    return {(one.course_id, one.question): one for one in found}


async def _append(
    progress: Console, assistant: Assistant, left: list[CourseQuestion], out: Path, served_by: str
) -> None:
    """Answer what is left, a line for each as soon as it is known; none where the server was away."""
    out.parent.mkdir(parents=True, exist_ok=True)
    started, count = time.monotonic(), 0
    with out.open("a", encoding="utf-8") as stream:

        def done(answer: AuditedAnswer) -> None:
            nonlocal count
            if answer.was_asked:
                stream.write(_line(answer))
                stream.flush()
            count += 1
            if count % _PROGRESS_EVERY == 0 or count == len(left):
                speed = (time.monotonic() - started) / count
                progress.print(f"  {count:,} of {len(left):,} answered, {speed:.1f} s each", highlight=False)

        await answer_audited(assistant, left, served=served_by, done=done)


def _read(line: str) -> AuditedAnswer | None:
    try:
        fields = json.loads(line)
        tuples = {name: tuple(value) for name, value in fields.items() if isinstance(value, list)}
        return AuditedAnswer(**fields | tuples)
    except (ValueError, TypeError, AttributeError):
        return None


def _line(answer: AuditedAnswer) -> str:
    return json.dumps(fields_of(answer), ensure_ascii=False) + "\n"
