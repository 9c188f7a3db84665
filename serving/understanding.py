"""What a question asks for: chit-chat or knowledge, which concepts, how complex (LittleMu 3.2.1).

Pure, given the graph and the intent model. What to do about it is `serving.assistant`'s.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from knowledge_graph.graph import ConceptGraph
from knowledge_graph.graph_records import GraphConcept, Mention
from knowledge_graph.records import Lang
from knowledge_graph.text import language_of
from serving.index.analysis import content_terms
from serving.intent import Intent

COMPLEX_ABOVE = 0.5
"""A question is complex by the intent model when it is more likely so than not."""

Complexity = Literal["comparison", "method", "reason", "instance", "recommendation", "other"]

DEFAULT_ALPHA = 0.5
"""Used without a trained intent model, where h is 0 or 1 by rule."""

# Table 1 of LittleMu names the kinds; the first pattern that is found decides.
_KINDS: tuple[tuple[Complexity, re.Pattern[str]], ...] = (
    (
        "comparison",
        re.compile(
            r"\b(differences?|differ|compare[ds]?|comparison|versus|vs|better than|similarit(?:y|ies)|in common)\b"
            r"|区别|不同之处|有什么不同|有何不同|比较|对比|相比|异同|哪个更|哪一个更",
            re.IGNORECASE,
        ),
    ),
    ("reason", re.compile(r"\b(why|reasons?|how come|what causes?)\b|为什么|为何|原因|为啥|凭什么", re.IGNORECASE)),
    (
        "recommendation",
        re.compile(r"\b(recommend\w*|suggest\w*|should i|where to start)\b|推荐|建议|该先学|应该学", re.IGNORECASE),
    ),
    (
        "instance",
        re.compile(
            r"\b(examples?|instances?|applications?|used for|use cases?)\b|例子|举例|实例|应用|例如", re.IGNORECASE
        ),
    ),
    (
        "method",
        re.compile(
            r"\b(how (?:do|does|to|can|is|are|would)|steps?|implement\w*)\b|怎么|怎样|如何|步骤|方法", re.IGNORECASE
        ),
    ),
)

_GREETING = re.compile(
    r"^\W*(hi|hello|hey|good (morning|afternoon|evening|night)|thanks?( you)?( (so|very) much)?|thx|bye|goodbye|"
    r"how are you( doing)?( today)?|who are you|nice to meet you|"
    r"你好|您好|嗨|早上好|下午好|晚上好|谢谢(你|您)?|多谢|再见|拜拜|你是谁|在吗)"
    r"(\W*(there|everyone|coteach|teacher|a lot|again|老师|助教|呀|啊|吗))*\W*$",
    re.IGNORECASE,
)
_EMOTIONAL = re.compile(
    r"\bi(?:'m| am| feel)?\s+(?:\w+\s+)?(?:so\s+)?(sad|stressed|depressed|anxious|lonely|tired|desperate|overwhelmed)\b"
    r"|难过|压力(好|很|太)大|好累|焦虑|崩溃|不开心|想哭|郁闷",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"[?？]|^\W*(?:who|what|when|where|which|how|can|could|do|does|is|are|will|must|may)\b|谁|什么|怎|哪|吗|几|多少|何时",
    re.IGNORECASE,
)
_OF_THE_COURSE = re.compile(
    r"\b(?:course|class|lecture|exam|quiz|quizze|homework|assignment|grade|deadline|slide|certificate|instructor|teacher|"
    r"professor|lecturer|syllabus|video)s?\b|老师|教授|讲师|课|考试|测验|作业|成绩|证书|截止|讲义|视频",
    re.IGNORECASE,
)
_ABOUT_MEANING = frozenset(content_terms("mean meaning definition define concept term notion"))
_ABOUT_MEANING_ZH = re.compile(r"定义|意思|概念|含义|指")


@dataclass(frozen=True)
class Understanding:
    """One question, understood.

    `h`: chit-chat score 0..1. `kind` is `None` for a simple question. `defines` is the concept whose definition is all
    that is asked for ("what is X", "什么是X", "X"), `None` otherwise.
    """

    question: str
    lang: Lang
    h: float
    alpha: float
    category: str
    kind: Complexity | None
    concepts: tuple[GraphConcept, ...]
    defines: GraphConcept | None = None

    @property
    def is_chat(self) -> bool:
        """`h > alpha`; exactly alpha is a question.

        Whatever h says, so is what names a concept or asks about the course, unless it greets or is in distress: a
        small model makes up the teacher's name as readily as it makes small talk.
        """
        if self.h <= self.alpha:
            return False
        if _EMOTIONAL.search(self.question) or _GREETING.match(self.question):
            return True
        return not self.concepts and not (_ASKS.search(self.question) and _OF_THE_COURSE.search(self.question))

    @property
    def is_emotional(self) -> bool:
        return self.category == "emotional_chat"


def understand(
    question: str,
    *,
    graph: ConceptGraph,
    intent: Intent | None,
    previous: str = "",
    course_id: str | None = None,
    alpha: float | None = None,
) -> Understanding:
    """Intent, concepts and complexity of a question. `previous` is the user's turn before it.

    Concepts of other courses are left out when the course has any of those mentioned. Without an intent model only
    plain greetings and cries for comfort count as chat.
    """
    lang = language_of(question)
    mentions = graph.mentions(question)
    concepts = _concepts(mentions, graph, course_id)
    title = graph.course(course_id).title if course_id else ""
    h, category, is_complex = _intent(question, intent, previous, title)
    kind = complexity(question, is_complex=is_complex)
    defines = concepts[0] if len(concepts) == 1 and kind is None and _is_definition(question, mentions) else None
    limit = alpha if alpha is not None else DEFAULT_ALPHA if intent is None else intent.alpha
    return Understanding(question, lang, h, limit, category, kind, concepts, defines)


def complexity(question: str, *, is_complex: bool) -> Complexity | None:
    """The kind of a complex question by its wording; `other` when only the classifier calls it complex."""
    found = next((kind for kind, pattern in _KINDS if pattern.search(question)), None)
    return found or ("other" if is_complex else None)


def _intent(question: str, intent: Intent | None, previous: str, course: str) -> tuple[float, str, bool]:
    if intent is not None:
        scores = intent.classify(question, previous=previous, course=course)
        return scores.h, scores.category, scores.complex > COMPLEX_ABOVE
    if _EMOTIONAL.search(question):
        return 1.0, "emotional_chat", False
    return (1.0, "general_chat", False) if _GREETING.match(question) else (0.0, "simple", False)


def _concepts(mentions: Sequence[Mention], graph: ConceptGraph, course_id: str | None) -> tuple[GraphConcept, ...]:
    found = [graph.concept(key) for key in dict.fromkeys(mention.concept_id for mention in mentions)]
    own = [concept for concept in found if course_id in concept.course_ids]
    return tuple(own or found)


def _is_definition(question: str, mentions: Sequence[Mention]) -> bool:
    """Nothing is asked but what the mentioned concept means: no content word is left without it."""
    rest = question
    for mention in sorted(mentions, key=lambda found: found.start, reverse=True):
        rest = f"{rest[: mention.start]} {rest[mention.end :]}"
    rest = _ABOUT_MEANING_ZH.sub(" ", rest)
    return not [term for term in content_terms(rest, strict=True) if term not in _ABOUT_MEANING]
