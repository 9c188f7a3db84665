"""Whether a sentence has what is to be worked out only as what something else is worked out by. Pure."""

import re
from functools import lru_cache
from re import Pattern

_WORKED_OUT = re.compile(
    r"\b(?:calculat(?:e|es|ing)|comput(?:e|es|ing)|work(?:ing)? out|determin(?:e|es|ing)) (?:(?:the|an?|my|its) )?"
    r"(?P<en>[a-z][\w -]{2,40}?)(?=\W*$|[?,.;]| (?:step|by|of|for|from|in|with|when|if|on|and|using)\b)"
    r"|\bhow (?:is|are) (?:the |an? )?(?P<passive>[a-z][\w -]{2,40}?) (?:calculated|computed|worked out|determined)\b"
    r"|(?:怎么|如何|怎样)(?:计算|算出?|求)(?P<zh>[^，。？?]{2,10})"
    r"|(?P<before>[^，。？?]{2,10}?)(?:是|该)?(?:怎么|如何|怎样)(?:计算|算|求)",
    re.IGNORECASE,
)
"""What a question wants to know how to work out."""


@lru_cache(maxsize=64)  # one question is read beside one sentence after another
def _find_worked_out(asked: str) -> Pattern[str] | None:
    """What finds it in a sentence, behind an operation or not."""
    found = _WORKED_OUT.search(asked)
    if found is None:
        return None
    name = re.escape(next(filter(None, found.groups())).strip().removesuffix("s"))
    return re.compile(rf"(?P<behind>{_OPERATION})?{name}(?P<result>{_RESULT})?", re.IGNORECASE)


_RESULT = (
    r"s?(?:['’]s| is| equals?| ?=) [^.?!]{0,60}?\b(?:divided|multiplied|times|minus|plus|over|root|squared)\b"
    r"|(?:就?是|等于)[^。？！]{0,30}?(?:除以|乘|减|加|开方|平方)"
)


_OPERATION = (
    r"\b(?:divided by|multiplied by|times|minus|plus|over|(?:root|sum|product) of) (?:(?:the|their|its|an?|both) )?"
    r"|(?:除以|乘以?|减去?|加上?)"
)


def is_result(asked: str, text: str) -> bool:
    """Whether a sentence says by which operation what is to be worked out is had."""
    wanted = _find_worked_out(asked)
    return wanted is not None and any(one["result"] and not one["behind"] for one in wanted.finditer(text))


def is_operand(asked: str, text: str) -> bool:
    """Whether a sentence names what is to be worked out only behind an operation: what is divided by the standard
    deviation is not that."""
    wanted = _find_worked_out(asked)
    named = list(wanted.finditer(text)) if wanted is not None else []
    return bool(named) and all(one["behind"] for one in named)
