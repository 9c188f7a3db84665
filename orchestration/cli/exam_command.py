"""What `coteach model examine` does and prints: the server it takes, the exam with its progress, the result."""

import asyncio
import json
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import ExitStack, asynccontextmanager
from dataclasses import asdict, dataclass
from typing import TypeVar, get_args

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from knowledge_graph.lake.problems import CoteachError
from orchestration.cli.explain_command import serve_model
from orchestration.cli.services import counting, ending_cleanly
from serving.exam.ablation import FIGURES, TeachAblation, ablate, by_chain
from serving.exam.admission import Admission, KindResult
from serving.exam.exam_files import read_items
from serving.exam.examiner import ExamProgress
from serving.exam.marks import MarkName
from serving.exam.sitting import Sitting, sitting
from serving.exam.tracking import log_ablation, log_exam
from serving.gateway.knowledge import load_knowledge, missing_artefacts
from serving.llm.language_model import LlmError
from serving.llm.model_client import ServedModel, open_model
from serving.llm.per_language import settings_per_language
from serving.settings import ModelServerSettings, Settings

_INTERRUPTED = 130

ResultT = TypeVar("ResultT", Admission, TeachAblation)


@dataclass(frozen=True)
class ExamWish:
    """What a person asked for: the `model` at a URL or in a folder, `None` for the configured one, at most so many
    `seconds`; the exam though its result is known; the ablation in place of the exam; the model of a `language`."""

    model: str | None = None
    seconds: float | None = None
    is_again: bool = False
    is_ablation: bool = False
    language: str | None = None


def examine_model(console: Console, wish: ExamWish, *, as_json: bool) -> int:
    """Examine a model and print what it may write, or what each part of the Chain of Teach is worth to it."""
    model = wish.model
    changed = {} if wish.seconds is None else {"exam_seconds": wish.seconds}
    is_url = model is not None and model.startswith(("http://", "https://"))
    named = _settings_of(wish.language)
    settings = named.model_copy(update=changed | ({"llm_url": model, "llm_model": None} if is_url else {}))
    chosen = ModelServerSettings()
    if model is not None and not is_url:
        settings = settings.model_copy(update={"llm_url": None})
        chosen = chosen.model_copy(update={"llm": model, "vllm_port": 0})
    if missing := missing_artefacts(settings.data_dir):
        raise CoteachError(f"No exam in {settings.home}: {', '.join(missing)} missing. Run `coteach build` first.")
    progress = Console(stderr=True)
    with ending_cleanly(), ExitStack() as stack:
        counted = counting(settings, chosen)
        url = stack.enter_context(serve_model(progress, settings, chosen))
        try:
            asked = counted.model_copy(update={"llm_url": url})
            if wish.is_ablation:
                ablation = asyncio.run(_ablate(asked, progress))
                _print(console, ablation, as_json=as_json, show=print_ablation)
                return 0
            admission = asyncio.run(_examine(asked, progress, again=wish.is_again))
        except LlmError as error:
            raise CoteachError(
                f"The exam was given up: {error} What was answered is kept; run the same again to go on, when the "
                "server answers."
            ) from error
        except KeyboardInterrupt:
            progress.print("Stopped. What was answered is kept; run the same again to go on.", style="yellow")
            return _INTERRUPTED
    _print(console, admission, as_json=as_json, show=print_admission)
    return 0


def _settings_of(language: str | None) -> Settings:
    """The settings of the model that writes in a language. Raises `CoteachError` where it has none of its own."""
    models = settings_per_language(Settings())
    if language is None:
        return models.others
    if language not in models.own:
        raise CoteachError(f"No model of its own is named for {language!r}: set COTEACH_LLM_URL_{language.upper()}.")
    return models.own[language]


def _print(console: Console, found: ResultT, *, as_json: bool, show: Callable[[Console, ResultT], None]) -> None:
    if as_json:
        console.print_json(json.dumps(asdict(found), ensure_ascii=False))
    else:
        show(console, found)


async def hold_exam(settings: Settings, url: str, *, seconds: float) -> Admission:
    """The exam of the model at a URL, at most so long; what is known is not asked again."""
    asked = counting(settings, ModelServerSettings()).model_copy(update={"llm_url": url, "exam_seconds": seconds})
    return await _examine(asked, Console(stderr=True), again=False)


_PATIENCE_S = 60.0
"""Longest silence of a server that is asked eight items at once: nobody waits for the answer."""


@asynccontextmanager
async def _sat(settings: Settings) -> AsyncGenerator[tuple[ServedModel, Sitting]]:
    """The model that is served, and its exam as things are."""
    llm = open_model(settings.model_copy(update={"llm_stall_seconds": _PATIENCE_S}))
    if llm is None:
        raise CoteachError("No model server to examine. Name its URL or a model.")
    try:
        yield llm, await sitting(llm, settings)
    finally:
        await llm.aclose()


async def _examine(settings: Settings, progress: Console, *, again: bool) -> Admission:
    async with _sat(settings) as (llm, held):
        if held.known is not None and held.known.is_whole and not again:
            return held.known
        assistant = (await asyncio.to_thread(load_knowledge, settings, llm)).assistant
        with progress.status("The exam begins") as status:

            def show_progress(now: ExamProgress) -> None:
                status.update(f"{now.asked} of at most {now.drawn} items, {now.seconds:.0f} s")

            admission = await held.hold(llm, assistant, told=show_progress)
    await asyncio.to_thread(log_exam, admission, data_dir=settings.data_dir)
    return admission


async def _ablate(settings: Settings, progress: Console) -> TeachAblation:
    chained = by_chain(settings)
    async with _sat(chained) as (llm, held):
        assistant = (await asyncio.to_thread(load_knowledge, chained, llm)).assistant
        with progress.status("The ablation begins") as status:

            def show_progress(now: ExamProgress) -> None:
                status.update(f"{now.asked} of {now.drawn} items with and without each part, {now.seconds:.0f} s")

            items = held.papers.keep_unseen(read_items(settings.data_dir))
            found = await ablate(llm, assistant, items, held.papers, chained, told=show_progress)
    await asyncio.to_thread(log_ablation, found, data_dir=settings.data_dir)
    return found


def print_ablation(console: Console, ablation: TeachAblation) -> None:
    """What each part of the Chain of Teach is worth to a model, as a person reads it."""
    console.print(f"[bold]{escape(ablation.model)}[/bold]: {ablation.asked} items with and without each part")
    table = Table("Chain of Teach", *(name.replace("_", " ") for name in FIGURES))
    for row in ablation.rows:
        cells = [_percent(row.figures[name].value) for name in FIGURES]
        table.add_row("whole" if row.part is None else f"without {row.part}", *cells)
        if row.part is not None:
            lost = (row.differences[name] for name in FIGURES)
            table.add_row(
                "  the part's worth",
                *(f"{_points(one.value)} ({_points(one.low)} to {_points(one.high)})" for one in lost),
                style="dim",
            )
    console.print(table)
    if ablation.asked < ablation.drawn:
        console.print(
            f"  {ablation.drawn - ablation.asked} of {ablation.drawn} items were not answered in every row: run it "
            "again to go on",
            style="dim",
        )


def _marks(spoken: Sequence[KindResult]) -> Table:
    """A table of the share of answers that pass each mark, by language and kind."""
    table = Table(f"{spoken[0].lang}: passed", *(one.kind[:6] for one in spoken))
    table.columns[0].no_wrap = True
    names: tuple[MarkName, ...] = get_args(MarkName)
    for name in names:
        table.add_row(name, *(f"{one.marks.get(name, 0):.0%}" for one in spoken))
    return table


def _percent(value: float | None) -> str:
    return "–" if value is None else f"{value:.0%}"


def _points(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:+.0f}"


def print_admission(console: Console, admission: Admission) -> None:
    """A result as a person reads it."""
    console.print(f"[bold]{escape(admission.model)}[/bold]: {escape(admission.summary)}", highlight=False)
    is_judged = any(one.judged for one in admission.standings)
    table = Table("", "kind", "answers", "right (composed)", "sentences", "right", "at least", "may write")
    if is_judged:
        table.add_column("judge")
    for one in admission.standings:
        right = f"{one.right_answers} ({one.composed_right})"
        cells = (one.lang, one.kind, str(one.answers), right, str(one.sentences), f"{one.share:.0%}", f"{one.low:.0%}")
        judged = (f"{one.judged_right} of {one.judged}",) if is_judged else ()
        table.add_row(*cells, "yes" if one.is_admitted else "no", *judged)
    table.columns[1].no_wrap = True
    console.print(table)
    for lang in dict.fromkeys(one.lang for one in admission.standings):
        console.print(_marks([one for one in admission.standings if one.lang == lang]))
    for one in admission.standings:
        if one.reasons:
            console.print(f"  {one.lang} {one.kind}: {escape('; '.join(one.reasons))}", highlight=False)
    speed = "" if admission.tokens_per_second is None else f", {admission.tokens_per_second:.0f} tokens/s for each"
    first = "" if admission.first_token_s is None else f", first token after {admission.first_token_s:.1f} s"
    left = "" if admission.is_whole else "; time was up before all were asked: run it again to go on"
    console.print(
        f"  {admission.asked} of {admission.items} items asked, {admission.seconds:.0f} s{first}{speed}{left}",
        style="dim",
        highlight=False,
    )
