"""`Request`: one question as the composers see it: its kind, what it is about, and all that was found for it."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from knowledge_graph.graph.concept_graph import ConceptGraph
from knowledge_graph.graph.records import GraphConcept
from knowledge_graph.lake.records import CourseCard, Lang
from serving.assistant.composing.material import CourseMaterialIndex, MaterialPiece
from serving.assistant.composing.semester.offers import NOTHING, Catalogue
from serving.assistant.composing.terms import QuestionUnit, phrases, with_adjoining, with_articles
from serving.assistant.composing.wording import wording
from serving.assistant.retrieval.candidates import PairCandidate
from serving.assistant.study_progress import NO_PROGRESS, StudyProgress
from serving.assistant.understanding.aspects import Aspect
from serving.assistant.understanding.focus import Position
from serving.assistant.understanding.question_kind import QuestionKind
from serving.assistant.understanding.translation import names_in
from serving.assistant.understanding.wishes import Wish

FindPieces = Callable[[], tuple[MaterialPiece, ...]]
"""Looks the passages up, once."""
FindTexts = Callable[[], tuple[str, ...]]
"""The texts that were found for a question, looked up once."""


@dataclass(frozen=True)
class Request:
    """Everything a composer may use. Nothing here is looked up again.

    `question` stands alone and is in the language of the material (`lang`); `spoken` is the student's own language.
    `units` are what is asked about; `stored` the QA pairs found, best first; `find_pieces` looks the passages up once.
    """

    question: str
    kind: QuestionKind
    lang: Lang
    spoken: Lang
    units: tuple[QuestionUnit, ...]
    aspects: tuple[Aspect, ...]
    concepts: tuple[GraphConcept, ...]
    stored: tuple[PairCandidate, ...]
    find_pieces: FindPieces
    material: CourseMaterialIndex
    graph: ConceptGraph
    card: CourseCard | None = None
    position: Position | None = None
    wish: Wish = ""
    """What a follow-up wishes of the answer before; empty for a question of its own."""
    asked: str = ""
    """The question as the student put it, in their own language."""
    catalogue: Catalogue = NOTHING
    """The classes that may be taken, of a course that is a catalogue."""
    today: date | None = None
    """By which the next semester is told; `None` where nothing may depend on the day."""
    is_compared: bool = False
    """Whether the passages were compared with the question by meaning, so that none in common says something."""
    seen: str = ""
    """What the session has shown already, which a wish for more, or for it more simply, passes over."""
    progress: StudyProgress = NO_PROGRESS
    """What a study path goes by of the student; nothing for questions of other kinds."""

    @property
    def pieces(self) -> tuple[MaterialPiece, ...]:
        """The passages, best first. They are looked up when they are first asked for: a stored answer needs none."""
        return self.find_pieces()

    @property
    def course_id(self) -> str | None:
        return self.material.course_id

    @property
    def names(self) -> str:
        """What is asked about, as a sentence of ours says it."""
        named = [unit.label for unit in self.units if unit.concept_id is not None]
        labels = named or names_in(self.asked or self.question) or [unit.label for unit in self.units]
        asked = self.asked or self.question
        labels = with_adjoining(labels, self.units, asked)
        return wording(self.spoken).join(with_articles(phrases(labels, asked), asked))
