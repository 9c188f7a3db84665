"""What kind of answer a question asks for, in English and Chinese."""

import re
from typing import Literal

Expected = Literal["yes_no", "choice", "number", "name", "open"]

_NUMBER = re.compile(
    r"\b(?:how (?:many|much|old|far|long|tall|large|big|deep|high|often)|when"
    r"|(?:what|which) (?:year|date|day|number|percentage))\b"
    r"|多少|几(?!何|乎)|什么时候|何时|哪(?:一)?[年天]|多(?:大|长|远|高|久)",
    re.IGNORECASE,
)
_NAME = re.compile(r"\b(?:who|whom|whose)\b|谁|哪(?:位|个人)|什么人", re.IGNORECASE)
_CUES = "which|who|what|is|are|was|were|does|do"
_CHOICE = re.compile(rf"\b(?:{_CUES})\b(?:(?!\b(?:{_CUES}|or)\b).)*+\bor\b|还是", re.IGNORECASE)
_YES_NO = re.compile(
    r"^\W*(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|may|must)\b(?!.*\bor\b)"
    r"|吗\s*[？?]?\s*$|是否|能否|可否|是不是|有没有|能不能|对不对",
    re.IGNORECASE,
)
_SAYS_YES_OR_NO = re.compile(
    r"^\W*(?:yes|no|yep|nope|correct|incorrect|right|wrong|true|false|not)\b|^\W*(?:是|不|对|错|否|没|有|能|可以|会|正确)",
    re.IGNORECASE,
)


def find_expected(question: str) -> Expected:
    """What the answer should hold; `open` where nothing can be said."""
    for kind, pattern in _PATTERNS:
        if pattern.search(question):
            return kind
    return "open"


def says_yes_or_no(answer: str) -> bool:
    """Whether an answer begins by affirming or denying."""
    return _SAYS_YES_OR_NO.search(answer) is not None


_PATTERNS: tuple[tuple[Expected, re.Pattern[str]], ...] = (
    ("choice", _CHOICE),
    ("yes_no", _YES_NO),
    ("number", _NUMBER),
    ("name", _NAME),
)
