"""Questions that stop halfway: before they say what they ask, or without the code or figure they speak of.

A model completes such a question and answers its own completion (Course Hero 2).
"""

import re

_NUMBER = re.compile(r"[\d\s.,]+[?？]?")
_ASKING_ALONE = (
    re.compile(
        r"(?:please |so |and |but ){0,9}(?:what|why|how|when|where|who|which|define|explain|describe)"
        r"(?: (?:is|are|was|were|do|does|did|to|can|could|the|an?|of|exactly|meant by))*[\s.…?!]*",
        re.IGNORECASE,
    ),
    re.compile(
        r"(?:请问|请|那|那么)?(?:什么|为什么|为何|怎么|怎样|如何|哪个|哪些|多少|什么是|什么叫|请解释|解释一下)[\s。.…?？]*"
    ),
)
_NOTHING_AFTER = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\b(?:the|an|because|whether|versus|is a|are a|between|such as|as well as|e\.g\.|meant by)[\s.…?]*$",
        r"\bfor example[\s.…]*$",
        r"\w \w{1,60} (?<!logical )(?<!bitwise )(?<!boolean )(?<!operator )(?<!exclusive )(?<!inclusive )"
        r"(?-i:[Aa]nd|[Oo]r|[Tt]han)[ .…]*$",
        r"\b(?:of|in|with|between|for|than|as|by|and|or) an?[ .…]*$",
        r"\b(?:complexity|difference|definition|meaning|purpose|role|advantages?|disadvantages?|examples?|properties|"
        r"concept) (?:of|between|for)[ .…?]*$",
        r"\bdifferences? between an? [\w-]+(?: [\w-]+)?[\s.?]*$",
        r"(?:以及|因为|但是|而且|比如|例如|譬如|什么是|什么叫做?|之间|与其|(?:有什么|有何)?区别(?:在于|是))[\s.…。?？]*$",
    )
)
_SHOWN = re.compile(
    r"\b(?:following|below) (?:\w+ ){0,2}?(?:code|program|snippet|pseudocode|query|script|figure|diagram|passage|"
    r"paragraph|excerpt|equations?|expression)\b"
    r"|(?:下列|以下|下面|下述)(?:这段|的|一段)?(?:代码|程序|语句|图|表格|公式|方程|段落)",
    re.IGNORECASE,
)
_SOMETHING_SHOWN = re.compile(
    r"[\n;{}=<>`\"“'‘+*/\\^\[\]]|\(.|[:：]\s*\S|\d{2}|https?:"
    r"|\b(?:SELECT|INSERT INTO|UPDATE|DELETE FROM)\b|\b[a-z] is \d"
)
_LONGEST_AFTER_SHOWN = 60
"""Characters of the rest of the sentence that speaks of code; with more, the code may be there in words."""


def is_cut_off(text: str) -> bool:
    """Whether the question stops before it says what it asks, or speaks of code or a figure that is not there."""
    if _NUMBER.fullmatch(text) or any(one.fullmatch(text) for one in _ASKING_ALONE):
        return True
    if any(one.search(text) for one in _NOTHING_AFTER):
        return True
    shown = _SHOWN.search(text)
    if shown is None or len(text) - shown.end() > _LONGEST_AFTER_SHOWN:
        return False
    return _SOMETHING_SHOWN.search(text) is None
