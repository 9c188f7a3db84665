"""`Understanding`: all that is known of a question before anything is looked up (LittleMu 3.2.1, Course Hero 2.3).

Pure, given the graph and the intent model. What to do about it is `serving.assistant.plan`'s and `serving.assistant`'s.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from knowledge_graph.graph.concept_graph import ConceptGraph
from knowledge_graph.graph.records import GraphConcept, Mention
from knowledge_graph.lake.records import Lang
from knowledge_graph.text.sentences import language_of
from serving.assistant.understanding.chat import is_emotional, is_exclamation, is_greeting
from serving.assistant.understanding.complexity import Complexity, complexity
from serving.assistant.understanding.form import Form, QuestionForm, question_form
from serving.assistant.understanding.intent import Intent, ServedScores
from serving.assistant.understanding.options import Option
from serving.assistant.understanding.refusals import Refusal, find_refusal, speaks_of_the_course
from serving.index.analysis import content_terms

COMPLEX_ABOVE = 0.5
"""A question is complex by the intent model when it is more likely so than not."""

DEFAULT_ALPHA = 0.5
"""Used without a trained intent model, where h is 0 or 1 by rule."""

_IS_ASKED = re.compile(
    r"[?？]|^\W*(?:who|what|when|where|which|how|can|could|do|does|is|are|will|must|may)\b"
    r"|\bcan you\b|谁|什么|怎|哪|吗|几|多少|何时",
    re.IGNORECASE,
)
_ABOUT_MEANING = frozenset(content_terms("mean meaning definition define concept term notion"))
_ABOUT_MEANING_ZH = re.compile(r"定义|意思|概念|含义|指")


@dataclass(frozen=True)
class Understanding:
    """One question, understood.

    `h`: chit-chat score 0..1. `kind` is `None` for a simple question. `defines` is the concept whose definition is all
    that is asked for ("what is X", "什么是X", "X"), `None` otherwise. `options` are those of a multiple-choice question
    and `stem` the question without them (of a reply with options alone: the question before it). `refusal` says why no
    answer should be sought; `None` when it should.
    """

    question: str
    lang: Lang
    h: float
    alpha: float
    category: str
    kind: Complexity | None
    concepts: tuple[GraphConcept, ...]
    defines: GraphConcept | None = None
    form: Form = "frq"
    options: tuple[Option, ...] = ()
    stem: str = ""
    refusal: Refusal | None = None

    @property
    def is_chat(self) -> bool:
        """`h > alpha`; exactly alpha is a question.

        Whatever h says, so is what names a concept or asks about the course, unless it greets: a small model makes up
        the teacher's name as readily as it makes small talk. Who is in distress is comforted, unless they ask about a
        concept or the course. What is refused is no chat either, and no question with options.
        """
        if self.refusal is not None or self.form == "mcq" or self.h <= self.alpha:
            return False
        if is_greeting(self.question) or _is_distress(self.question, names_concept=bool(self.concepts)):
            return True
        return not self.concepts and not (_IS_ASKED.search(self.question) and speaks_of_the_course(self.question))

    @property
    def is_emotional(self) -> bool:
        return self.category == "emotional_chat"

    @property
    def for_search(self) -> "Understanding":
        """The same, with the words to search by in the place of the question: stem and options without their marks."""
        if not self.options:
            return self
        return replace(self, question="\n".join([self.stem, *(option.text for option in self.options)]))


def understand(
    question: str,
    *,
    graph: ConceptGraph,
    intent: Intent | None,
    form: QuestionForm | None = None,
    previous: str = "",
    course_id: str | None = None,
    alpha: float | None = None,
) -> Understanding:
    """Intent, form, concepts and complexity of a question. `previous` is the user's turn before it.

    `form` is the question's own, where it is known already.

    Concepts of other courses are left out when the course has any of those mentioned. Without an intent model only
    plain greetings, exclamations and cries for comfort count as chat.
    """
    form = form or question_form(question, previous=previous)
    title = graph.course(course_id).title if course_id else ""
    scores = intent.classify(form.stem, previous=previous, course=title) if intent is not None else None
    limit = alpha_for(form, intent=intent, alpha=alpha)
    return understand_scored(
        question, form=form, scores=scores, graph=graph, previous=previous, course_id=course_id, alpha=limit
    )


def alpha_for(form: QuestionForm, *, intent: Intent | None, alpha: float | None) -> float:
    """Above which h is chit-chat: `alpha` where it is set, else what the model was calibrated to."""
    if alpha is not None:
        return alpha
    return DEFAULT_ALPHA if intent is None else intent.alpha_for(form.stem)


def understand_scored(
    question: str,
    *,
    form: QuestionForm,
    scores: ServedScores | None,
    graph: ConceptGraph,
    alpha: float,
    previous: str = "",
    course_id: str | None = None,
) -> Understanding:
    """As `understand`, for a question whose stem has been scored already: many are scored faster in a batch."""
    mentions = graph.mentions(question)
    concepts = _concepts(mentions, graph, course_id)
    h, category, is_complex = _intent(question, scores, names_concept=bool(concepts))
    kind = complexity(form.stem, is_complex=is_complex)
    is_definition = len(concepts) == 1 and kind is None and not form.options and _is_definition(question, mentions)
    return Understanding(
        question=question,
        lang=language_of(form.stem or question),
        h=h,
        alpha=alpha,
        category=category,
        kind=kind,
        concepts=concepts,
        defines=concepts[0] if is_definition else None,
        form=form.form,
        options=form.options,
        stem=form.stem,
        refusal=find_refusal(question, form=form, names_concept=bool(concepts), previous=previous),
    )


def _intent(question: str, scores: ServedScores | None, *, names_concept: bool) -> tuple[float, str, bool]:
    if scores is not None:
        return scores.h, scores.category, scores.complex > COMPLEX_ABOVE
    if _is_distress(question, names_concept=names_concept):
        return 1.0, "emotional_chat", False
    is_chat = is_greeting(question) or is_exclamation(question)
    return (1.0, "general_chat", False) if is_chat else (0.0, "simple", False)


def _is_distress(question: str, *, names_concept: bool) -> bool:
    """Whether it speaks of distress, and asks nothing about a concept or the course that could be answered."""
    is_about = names_concept or speaks_of_the_course(question)
    return is_emotional(question) and not (is_about and _IS_ASKED.search(question))


def _concepts(mentions: Sequence[Mention], graph: ConceptGraph, course_id: str | None) -> tuple[GraphConcept, ...]:
    found = [graph.concept(key) for key in dict.fromkeys(mention.concept_id for mention in mentions)]
    own = [concept for concept in found if course_id in concept.course_ids]
    return tuple(own or [one for one in found if any(graph.shares(each, course_id) for each in one.course_ids)])


def _is_definition(question: str, mentions: Sequence[Mention]) -> bool:
    """Nothing is asked but what the mentioned concept means: no content word is left without it."""
    rest = question
    for mention in sorted(mentions, key=lambda found: found.start, reverse=True):
        rest = f"{rest[: mention.start]} {rest[mention.end :]}"
    rest = _ABOUT_MEANING_ZH.sub(" ", rest)
    return not [term for term in content_terms(rest, strict=True) if term not in _ABOUT_MEANING]
