"""What `coteach model examine` does and prints: the server it takes, the exam with its progress, the result."""

import asyncio
import json
from contextlib import ExitStack
from dataclasses import asdict

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from knowledge_graph.lake.problems import CoteachError
from orchestration.cli.explain_command import served
from orchestration.cli.services import counting, ending_cleanly
from serving.exam.admission import Admission
from serving.exam.examiner import ExamProgress
from serving.exam.sitting import sitting
from serving.exam.tracking import log_exam
from serving.gateway.knowledge import load_knowledge, missing_artefacts
from serving.llm.model_client import open_model
from serving.settings import ModelServerSettings, Settings

_INTERRUPTED = 130


def examine_model(console: Console, model: str | None, *, seconds: float | None, again: bool, as_json: bool) -> int:
    """Examine the model at a URL or in a folder, by default the configured one, and print what it may write."""
    changed = {} if seconds is None else {"exam_seconds": seconds}
    is_url = model is not None and model.startswith(("http://", "https://"))
    settings = Settings().model_copy(update=changed | ({"llm_url": model, "llm_model": None} if is_url else {}))
    chosen = ModelServerSettings()
    if model is not None and not is_url:
        settings = settings.model_copy(update={"llm_url": None})
        chosen = chosen.model_copy(update={"llm": model, "vllm_port": 0})
    if missing := missing_artefacts(settings.data_dir):
        raise CoteachError(f"No exam in {settings.home}: {', '.join(missing)} missing. Run `coteach build` first.")
    progress = Console(stderr=True)
    with ending_cleanly(), ExitStack() as stack:
        counted = counting(settings, chosen)
        url = stack.enter_context(served(progress, settings, chosen))
        try:
            admission = asyncio.run(_examined(counted.model_copy(update={"llm_url": url}), progress, again=again))
        except KeyboardInterrupt:
            progress.print("Stopped. What was answered is kept; run the same again to go on.", style="yellow")
            return _INTERRUPTED
    if as_json:
        console.print_json(json.dumps(asdict(admission), ensure_ascii=False))
    else:
        print_admission(console, admission)
    return 0


async def hold_exam(settings: Settings, url: str, *, seconds: float) -> Admission:
    """The exam of the model at a URL, at most so long; what is known is not asked again."""
    asked = counting(settings, ModelServerSettings()).model_copy(update={"llm_url": url, "exam_seconds": seconds})
    return await _examined(asked, Console(stderr=True), again=False)


_PATIENCE_S = 60.0
"""Longest silence of a server that is asked eight items at once: nobody waits for the answer."""


async def _examined(settings: Settings, progress: Console, *, again: bool) -> Admission:
    llm = open_model(settings.model_copy(update={"llm_stall_seconds": _PATIENCE_S}))
    if llm is None:
        raise CoteachError("No model server to examine. Name its URL or a model.")
    try:
        held = await sitting(llm, settings)
        if held.known is not None and held.known.is_whole and not again:
            return held.known
        assistant = (await asyncio.to_thread(load_knowledge, settings, llm)).assistant
        with progress.status("The exam begins") as status:

            def told(now: ExamProgress) -> None:
                status.update(f"{now.asked} of at most {now.drawn} items, {now.seconds:.0f} s")

            admission = await held.hold(llm, assistant, told=told)
    finally:
        await llm.aclose()
    await asyncio.to_thread(log_exam, admission, data_dir=settings.data_dir)
    return admission


def print_admission(console: Console, admission: Admission) -> None:
    """A result as a person reads it."""
    console.print(f"[bold]{escape(admission.model)}[/bold]: {escape(admission.summary)}", highlight=False)
    table = Table("language", "kind", "answers", "right (composed)", "sentences", "right", "at least", "may write")
    for one in admission.standings:
        right = f"{one.right_answers} ({one.composed_right})"
        cells = (one.lang, one.kind, str(one.answers), right, str(one.sentences), f"{one.share:.0%}", f"{one.low:.0%}")
        table.add_row(*cells, "yes" if one.is_admitted else "no")
    console.print(table)
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
