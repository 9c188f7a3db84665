"""What `coteach evaluate` does and prints: answers to questions whose right answers are known, and their figures."""

import asyncio
import json
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path

from rich.console import Console

from knowledge_graph.lake.problems import CoteachError
from orchestration.cli.explain_command import serve_model
from orchestration.cli.output import read_kept_lines
from orchestration.cli.services import ending_cleanly
from serving.assistant.generation.explanations import fetch_model_name
from serving.evaluation.choice_answers import KnownAnswer, answer_known
from serving.evaluation.choice_questions import KnownQuestion, read_known_questions
from serving.evaluation.choice_scores import ChoiceScores, Share, score_choices
from serving.llm.language_model import LanguageModel, LlmError
from serving.llm.model_client import open_model
from serving.settings import ModelServerSettings, Settings

_PROGRESS_EVERY = 10


class EvaluationStopped(CoteachError):
    """The evaluation cannot begin or go on; the message says what is kept and what to do."""


def evaluate_choices(
    console: Console, questions: Path, *, out: Path, limit: int | None, track: bool, as_json: bool
) -> int:
    """Answer every question of a file that `out` does not answer yet, append to `out`, print figures over all of it."""
    settings, progress = Settings(), Console(stderr=True)
    known = read_known_questions(questions)
    spoken = [one for one in known.questions if one.lang in settings.languages]
    asked = spoken[:limit]
    _tell_passed_over(progress, known.other, known.broken, len(known.questions) - len(spoken), settings.languages)
    if not asked:
        raise EvaluationStopped("No question is in a language of the model. COTEACH_LANGUAGES says which it speaks.")
    with ending_cleanly(), ExitStack() as stack:
        url = stack.enter_context(serve_model(progress, settings, ModelServerSettings()))
        model = asyncio.run(_answer(progress, settings.model_copy(update={"llm_url": url}), asked, out))
    ids = {one.question_id for one in asked}
    answers = [one for one in read_answers(out) if one.id in ids]
    scores = score_choices(answers)
    facts = {"model": model, "questions": questions.name, **asdict(scores)}
    if as_json:
        console.print_json(json.dumps(facts, ensure_ascii=False))
    else:
        print_scores(console, model, scores)
    if track:
        _track(settings, questions, asked, model, scores)
    return 0


def read_answers(path: Path) -> list[KnownAnswer]:
    """The answers that a file holds; a line that a kill cut off is left out, here and in the file."""
    return read_kept_lines(path, _answer_of, _line)


def print_scores(console: Console, model: str, scores: ChoiceScores) -> None:
    """The figures as a person reads them."""
    lines = [
        ("accuracy", _display(scores.accuracy)),
        ("chance", f"{scores.chance:.3f}"),
        ("names an option", _display(scores.names_an_option)),
        ("every option explained", _display(scores.explains_every_option)),
        ("all by the model itself", _display(scores.explained_by_model)),
    ]
    console.print(f"  {model}", markup=False, highlight=False)
    for name, value in [*lines, *((subject, _display(share)) for subject, share in scores.subjects.items())]:
        console.print(f"  {name:32} {value}", markup=False, highlight=False)


async def _answer(progress: Console, settings: Settings, asked: Sequence[KnownQuestion], out: Path) -> str:
    """Answer what `out` does not, and return the model's name."""
    llm = open_model(settings)
    assert llm is not None
    try:
        model = fetch_model_name(settings.llm_urls[0], await llm.model_name())
        there = read_answers(out)
        if others := sorted({one.model for one in there} - {model}):
            raise EvaluationStopped(
                f"{out} holds answers of {', '.join(others)}, and the model served is {model}. Name another file."
            )
        done = {one.id for one in there}
        await _append(progress, llm, [one for one in asked if one.question_id not in done], out, model)
    except LlmError as error:
        raise EvaluationStopped(f"{error} What was answered is kept in {out}; run the same again to go on.") from error
    finally:
        await llm.aclose()
    return model


async def _append(progress: Console, llm: LanguageModel, left: Sequence[KnownQuestion], out: Path, model: str) -> None:
    """Answer what is left, a line for each as soon as it is known."""
    out.parent.mkdir(parents=True, exist_ok=True)
    started, count = time.monotonic(), 0
    with out.open("a", encoding="utf-8") as stream:

        def done(answer: KnownAnswer) -> None:
            nonlocal count
            stream.write(_line(answer))
            stream.flush()
            count += 1
            if count % _PROGRESS_EVERY == 0 or count == len(left):
                speed = (time.monotonic() - started) / count
                progress.print(f"  {count:,} of {len(left):,} answered, {speed:.1f} s each", highlight=False)

        await answer_known(llm, left, model=model, done=done)


def _tell_passed_over(progress: Console, other: int, broken: int, unspoken: int, languages: Sequence[str]) -> None:
    """What is not asked, and why."""
    for count, why in (
        (other, "are no multiple-choice questions"),
        (broken, "cannot be read"),
        (unspoken, f"are in a language that the model is not said to speak ({', '.join(languages)})"),
    ):
        if count:
            progress.print(f"! {count:,} {why}: passed over", style="yellow", markup=False, highlight=False)


def _track(
    settings: Settings, questions: Path, asked: Sequence[KnownQuestion], model: str, scores: ChoiceScores
) -> None:
    from models.tracking.choices import ChoiceRun, log_choice_run  # noqa: PLC0415  MLflow takes 4 s to load
    from models.tracking.recording import DataSet  # noqa: PLC0415

    shares = {
        "accuracy": scores.accuracy,
        "names_an_option": scores.names_an_option,
        "explains_every_option": scores.explains_every_option,
        "explained_by_model": scores.explained_by_model,
    }
    metrics = {name: share.value for name, share in shares.items()} | {"chance": scores.chance}
    metrics |= {"accuracy_low": scores.accuracy.low, "accuracy_high": scores.accuracy.high}
    record = ChoiceRun(
        name=f"{model} on {questions.name}",
        params={"model": model, "questions": questions.name, "count": scores.accuracy.of},
        metrics=metrics,
        tables={"subjects.json": {name: asdict(share) for name, share in scores.subjects.items()}},
        questions=DataSet.of_rows(questions.name, [asdict(one) for one in asked]),
    )
    log_choice_run(record, data_dir=settings.data_dir)


def _answer_of(line: str) -> KnownAnswer | None:
    try:
        fields = json.loads(line)
        fields.pop("right")
        return KnownAnswer(**fields)
    except (ValueError, TypeError, KeyError, AttributeError):
        return None


def _line(answer: KnownAnswer) -> str:
    return json.dumps(answer.fields(), ensure_ascii=False) + "\n"


def _display(share: Share) -> str:
    return f"{share.value:.3f} ({share.low:.3f} to {share.high:.3f}) of {share.of:,}"
