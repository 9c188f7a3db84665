"""`grade_resolution`: does an answer answer what was asked, whether or not it is right. By words, numbers and names.

Its weights are choices: what is asked for is there or not, something new is said or not, the subject is kept or not.
"""

import math
import re

from models.embedding.embedder import Embedder
from serving.assistant.grounding.embedding import cosine, knows
from serving.assistant.grounding.names import names
from serving.assistant.grounding.numbers import numbers
from serving.assistant.grounding.questions import Expected, find_expected, says_yes_or_no
from serving.assistant.grounding.sentences import MOST_READ, readable, subject_terms
from serving.assistant.grounding.verdict import GroundingVerdict
from serving.index.confidence import share

RESOLVED_CUT = 0.5
"""From here on an answer counts as one. A choice."""

CERTAIN = (0.3, 0.7)
"""Between these a language model may be asked. A choice."""

SHORT = 8
"""Content terms up to which an answer need not repeat the subject: "Memphis" answers where. A choice."""

_ABSTAINS = re.compile(
    r"\b(?:i (?:do not|don['’]t|cannot|can['’]t) (?:know|tell|say|answer|find)"
    r"|(?:does|do) not (?:say|mention|state|specify)"
    r"|(?:is|are|it['’]s) (?:unclear|unknown|not (?:clear|known|mentioned|stated|given|specified))"
    r"|(?:no|not enough) information|unable to answer)\b"
    r"|不知道|不清楚|不确定|无法(?:回答|确定|判断)|没有(?:提到|提及|说明|相关信息)|未(?:提及|提到|说明)",
    re.IGNORECASE,
)
_ONE = re.compile(r"\b(?:one|first|second|once|none|zero)\b|一", re.IGNORECASE)


def grade_resolution(question: str, answer: str, *, embedder: Embedder | None = None) -> GroundingVerdict:
    """The verdict for any two texts. Empty answers, abstentions and repeated questions are certain to fail."""
    question, answer = readable(question), readable(answer)[:MOST_READ]
    said = subject_terms(answer)
    if not any(char.isalnum() for char in answer) or _ABSTAINS.search(answer) or _repeats(question, answer):
        return GroundingVerdict(0.0, RESOLVED_CUT, True)
    asked = subject_terms(question)
    if not asked:
        return GroundingVerdict(RESOLVED_CUT, RESOLVED_CUT, False)
    kind = find_expected(question)
    is_new = bool(set(said) - set(asked))
    odds = 2 * _holds(kind, question, answer) + (0.5 if is_new or kind in ("yes_no", "choice") else -1.0)
    odds += _on_subject(question, answer, asked, said, embedder)
    score = 1 / (1 + math.exp(-odds))
    return GroundingVerdict(score, RESOLVED_CUT, not CERTAIN[0] <= score < CERTAIN[1])


def _holds(kind: Expected, question: str, answer: str) -> float:
    """1 when what is asked for is there, -1 when it is not, 0 when that cannot be told."""
    if kind == "number":
        known = {number.value for number in numbers(question)}
        return 1.0 if any(number.value not in known for number in numbers(answer)) or _ONE.search(answer) else -1.0
    if kind == "name":
        return 1.0 if names(answer) or answer.lstrip(" \"“'")[:1].isupper() else 0.0
    if kind == "yes_no":
        return 1.0 if says_yes_or_no(answer) else 0.0
    if kind == "choice":
        return 1.0 if set(subject_terms(question)) & set(subject_terms(answer)) else -1.0
    return 0.0


def _on_subject(question: str, answer: str, asked: list[str], said: list[str], embedder: Embedder | None) -> float:
    """From -1.5, another subject, to 1.5, the same; 0 for answers too short to say."""
    if len(said) <= SHORT and not set(said) & set(asked):
        return 0.0
    kept = min(1.0, 2 * share(asked, said, lambda _: 1.0))
    if embedder is not None and knows(embedder, question) and knows(embedder, answer):
        vectors = embedder.encode([question, answer])
        near = cosine(vectors[0], vectors[1])
        kept = max(kept, near) if math.isfinite(near) else kept
    return 3 * kept - 1.5


def _repeats(question: str, answer: str) -> bool:
    return " ".join(answer.lower().split()) == " ".join(question.lower().split())
