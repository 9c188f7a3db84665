"""The kind of a complex question by its wording (LittleMu 2.1 and Table 1), in English and Chinese."""

import re
from typing import Literal

Complexity = Literal["comparison", "method", "reason", "instance", "recommendation", "other"]

# Table 1 of LittleMu names the kinds; the first pattern that is found decides.
_KINDS: tuple[tuple[Complexity, re.Pattern[str]], ...] = (
    (
        "comparison",
        re.compile(
            r"\b(differences?|differ|compare[ds]?|comparison|versus|vs|better than|similarit(?:y|ies)|in common)\b"
            r"|\bdistinguish\b.{0,80}\b(?:from|between)\b"
            r"|区别|不同之处|有什么不同|有何不同|有什么差|差异|比较|对比|相比|异同|哪个更|哪一个更",
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
            r"\b(how (?:do|does|to|can|is|are|would|should)|steps?|implement\w*)\b|怎么|怎样|如何|步骤|方法",
            re.IGNORECASE,
        ),
    ),
)


def complexity(question: str, *, is_complex: bool) -> Complexity | None:
    """The kind of a complex question by its wording; `other` when only the classifier calls it complex."""
    found = next((kind for kind, pattern in _KINDS if pattern.search(question)), None)
    return found or ("other" if is_complex else None)
