"""`Turn`: one answer in the making. What is known of it so far, what was said, how long each part took."""

import asyncio
import time
import uuid
from collections.abc import Awaitable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from knowledge_graph.lake.records import Mode
from serving.assistant.graded_work.sessions import Ruling
from serving.assistant.guardrails.ending import Finish, Options
from serving.assistant.reflection.machine import Walk
from serving.assistant.reflection.verdicts import DraftVerdict
from serving.assistant.study_progress import FindProgress, StudyProgress, find_no_progress
from serving.assistant.understanding.focus import Position
from serving.assistant.understanding.follow_up_question import Resolved
from serving.llm.language_model import LlmTimeout
from serving.llm.messages import Message

Result = TypeVar("Result")


@dataclass(frozen=True)
class Usage:
    """Tokens that the model read and wrote, as its server counts them; 0 when it was not asked."""

    prompt_tokens: int = 0
    completion_tokens: int = 0

    def plus(self, other: "Usage") -> "Usage":
        return Usage(self.prompt_tokens + other.prompt_tokens, self.completion_tokens + other.completion_tokens)


@dataclass(frozen=True)
class Delta:
    """A part of an answer's text, in order; whether a model wrote it."""

    text: str
    is_by_ai: bool = False


@dataclass
class Turn:
    """A question on its way to an answer. `live` is true when text is shown while it is written; `deadline_s` is how
    long all that the model does for it may take.
    """

    question: str
    course_id: str | None
    history: Sequence[Message]
    position: Position | None
    live: bool
    deadline_s: float
    resolved: Resolved
    trace_id: str = field(default_factory=lambda: uuid.uuid4().hex)
    mode: Mode | None = None
    """Which catalogue expert is asked; `None` for all there is."""
    options: Options = field(default_factory=Options)
    choices: tuple[str, ...] = ()
    finish: Finish = "stop"
    """Why the text ended: `length` when it had reached its longest length."""
    started: float = field(default_factory=time.perf_counter)
    timings: dict[str, float] = field(default_factory=dict)
    parts: list[str] = field(default_factory=list)
    usage: Usage = field(default_factory=Usage)
    model: str | None = None
    error: str | None = None
    walk: Walk = field(default_factory=Walk)
    verdicts: list[DraftVerdict] = field(default_factory=list)
    rewordings: list[str] = field(default_factory=list)
    """Questions that were searched instead of the one asked, in order."""
    vector: NDArray[np.float32] | None = field(default=None, repr=False, compare=False)
    """The embedding of the question as it was last looked up, where there is one."""
    ruling: Ruling | None = None
    """The rule about graded work that the question stands under."""
    is_instead: bool = False
    """Whether the composed answer is given because too little of the model's may stand."""
    find_progress: FindProgress = find_no_progress
    _progress: StudyProgress | None = None

    @property
    def seconds(self) -> float:
        """Since the question came."""
        return time.perf_counter() - self.started

    @property
    def is_personal(self) -> bool:
        """Whether what is kept of the student was looked at for the answer, and there was any."""
        return self._progress is not None and not self._progress.is_empty

    async def progress(self) -> StudyProgress:
        """What is kept of the student, looked up once."""
        if self._progress is None:
            self._progress = await self.find_progress()
        return self._progress

    @property
    def text_so_far(self) -> str:
        """All that was shown so far."""
        return "".join(self.parts)

    async def in_time(self, work: Awaitable[Result]) -> Result:
        """The result, if it comes before the deadline. Raises `LlmTimeout` when it does not."""
        try:
            async with asyncio.timeout(max(0.0, self.deadline_s - self.seconds)):
                return await work
        except TimeoutError as error:
            raise LlmTimeout(f"The answer was not finished within {self.deadline_s:.0f} s.") from error

    def mark(self, name: str) -> None:
        """Note the time, in milliseconds since the question came; of a name that comes again the first time stays."""
        self.timings.setdefault(name, round(self.seconds * 1000, 2))

    def say(self, text: str) -> Delta:
        self.parts.append(text)
        return Delta(text, is_by_ai=self.model is not None and self.error is None and not self.is_instead)
