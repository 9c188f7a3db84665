"""`Course`: a course of a home, asked and searched in this process."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from knowledge_graph.lake.problems import CoteachError
from serving.gateway.knowledge import Knowledge, load_knowledge, missing_artefacts
from serving.gateway.links import reference_path
from serving.llm.messages import Message
from serving.llm.model_client import open_models
from serving.settings import Settings


@dataclass(frozen=True)
class Reference:
    """A source of an answer. `path` is where a gateway shows it, or an address of the web; `None` when nothing does."""

    number: int
    label: str
    source: str
    path: str | None


@dataclass(frozen=True)
class Answer:
    """An answer with its sources. `coverage` is `full`, `partial`, `none`, or `None` where nothing was composed."""

    text: str
    references: tuple[Reference, ...]
    route: str
    kind: str | None
    coverage: str | None
    notice: str
    trace_id: str


@dataclass(frozen=True)
class Hit:
    """Something of the material that was found; a higher score is nearer."""

    id: str
    title: str
    text: str
    source: str
    score: float


@dataclass(frozen=True)
class Step:
    """A concept to know before another."""

    concept: str
    definition: str | None


class Course:
    """One course of a home, or all of them. Open it once; asking is safe from one thread at a time."""

    def __init__(self, knowledge: Knowledge, course_id: str | None) -> None:
        self._knowledge = knowledge
        self.course_id = course_id

    @classmethod
    def open(cls, home: str | Path, course_id: str | None = None) -> "Course":
        """The course of this id in a home that `coteach build` made; without an id all its courses.

        Settings are read from the environment, as for the command line. Raises `CoteachError` for a home that is not
        built and for an unknown course.
        """
        settings = Settings(home=Path(home))
        if missing := missing_artefacts(settings.data_dir):
            raise CoteachError(f"Nothing to answer from in {home}: {', '.join(missing)} missing. Run `coteach build`.")
        models = open_models(settings)
        knowledge = load_knowledge(settings, models.others, own_models=models.own)
        if course_id is not None and course_id not in knowledge.course_ids:
            listed = ", ".join(knowledge.course_ids) or "none"
            raise CoteachError(f"The course '{course_id}' does not exist; there are: {listed}.")
        return cls(knowledge, course_id)

    @property
    def course_ids(self) -> list[str]:
        """The courses that are asked."""
        return [self.course_id] if self.course_id is not None else self._knowledge.course_ids

    def ask(self, question: str, *, history: Sequence[tuple[str, str]] = ()) -> Answer:
        """Answer one question. `history` are the questions and answers before it, oldest first."""
        said = [
            message
            for asked, answered in history
            for message in (Message("user", asked), Message("assistant", answered))
        ]
        answering = self._knowledge.assistant.answer(question, course_id=self.course_id, history=said)
        found = asyncio.run(answering)
        return Answer(
            text=found.text,
            references=tuple(
                Reference(one.number, one.label, one.source, reference_path(one)) for one in found.references
            ),
            route=found.route,
            kind=found.kind or None,
            coverage=found.coverage,
            notice=found.notice,
            trace_id=found.trace.trace_id,
        )

    def search(self, query: str, *, k: int = 10) -> list[Hit]:
        """The stored question-answer pairs whose words are nearest to the query, best first."""
        hits = self._knowledge.index.search(query, course_id=self.course_id, k=k)
        return [
            Hit(one.entry.entry_id, one.entry.title, one.entry.text, one.entry.source, round(one.score, 4))
            for one in hits
        ]

    def path(self, concept: str, *, known: Sequence[str] = ()) -> list[Step]:
        """What to learn before a concept, in order, without what is `known`. `CoteachError` for an unknown name."""
        graph = self._knowledge.graph
        ids = [graph.find(name) for name in (concept, *known)]
        for name, found in zip((concept, *known), ids, strict=True):
            if found is None:
                raise CoteachError(f"There is no concept '{name}'.")
        goal, *settled = [found for found in ids if found is not None]
        steps = graph.study_path(goal, settled, course_id=self.course_id)
        return [Step(one.concept.name, one.concept.definition) for one in steps]
