"""`ModelExam`: whether the served model may write, followed while the gateway runs.

A model without a result is examined in the background while answers are composed. A changed model, prompt or course has
another key, and so no result: its admission ends at once.
"""

import asyncio
import fcntl
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import structlog

from knowledge_graph.lake.problems import CoteachError
from serving.assistant.assistant import Assistant
from serving.exam.admission import Admission
from serving.exam.sitting import Sitting, sitting
from serving.gateway.errors import GatewayError
from serving.llm.language_model import LanguageModel, LlmError
from serving.llm.model_client import ServedModel
from serving.llm.per_language import PerLanguage, settings_per_language
from serving.settings import Settings

log = structlog.get_logger(__name__)

LOOK_SECONDS = 10.0
"""How often it is looked whether the model, the prompts or the courses are others."""


class ModelExam:
    """Over the model server of one gateway; nobody is examined where an admission is not asked for."""

    def __init__(self, settings: Settings, llm: LanguageModel | None) -> None:
        self._settings, self._llm = settings, llm
        self._key: str | None = None
        self.current: Admission | None = None

    async def follow(self, assistant: Callable[[], Awaitable[Assistant]]) -> None:
        """Look again and again; what cannot be asked now is tried the next time."""
        if self._settings.model_admission == "always":
            log.warning("model_writes_unexamined", setting="COTEACH_MODEL_ADMISSION=always", remedy="set it to exam")
        if self._settings.model_admission != "exam" or self._llm is None or not self._settings.languages:
            return
        while True:
            try:
                await self._look(self._llm, assistant)
            except (LlmError, GatewayError, CoteachError) as error:
                log.info("model_not_examined", reason=str(error), retry_seconds=LOOK_SECONDS)
            except Exception:
                log.exception("model_not_examined", retry_seconds=LOOK_SECONDS)
            await asyncio.sleep(LOOK_SECONDS)

    async def _look(self, llm: LanguageModel, assistant: Callable[[], Awaitable[Assistant]]) -> None:
        if not await llm.is_alive():
            return
        held = await sitting(llm, self._settings)
        if held.key == self._key:
            return
        self.current = None
        answering = await assistant()
        found = held.known or await self._held(held, llm, answering)
        if found is not None:
            self.current, self._key = found, held.key
            log.info("model_examined", model=found.model, result=found.summary)

    async def _held(self, held: Sitting, llm: LanguageModel, answering: Assistant) -> Admission | None:
        """The result of an exam held now; `None` where another gateway of the home holds it."""
        with _alone(held.papers.folder) as is_alone:
            if not is_alone:
                return None
            log.info("model_exam_begins", model=held.papers.model, seconds=self._settings.exam_seconds)
            found = await held.hold(llm, answering)
            await asyncio.to_thread(_log, found, self._settings)
            return found


def exams_of(settings: Settings, models: PerLanguage[ServedModel | None]) -> PerLanguage[ModelExam]:
    """The exam of each model, in the languages that it writes in."""
    asked = settings_per_language(settings)
    own = {lang: ModelExam(asked.of(lang), model) for lang, model in models.own.items()}
    return PerLanguage(ModelExam(asked.others, models.others), own)


def _log(found: Admission, settings: Settings) -> None:
    """Keep the exam in MLflow, where that is installed; the base install has none."""
    try:
        from serving.exam.tracking import log_exam  # noqa: PLC0415  MLflow takes 4 s, and may be missing
    except ModuleNotFoundError as error:
        log.info("model_exam_not_logged", reason=str(error))
        return
    log_exam(found, data_dir=settings.data_dir)


@contextmanager
def _alone(folder: Path) -> Iterator[bool]:
    """Whether no other process holds an exam of this model."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ".lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
            return
        yield True
