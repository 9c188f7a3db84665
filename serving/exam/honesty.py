"""`declines`: whether a text says that it does not know. Belongs here: the wordings, in English and Chinese."""

import re

_DECLINES = re.compile(
    r"\b(?:i|we) (?:do not|don['’]t|cannot|can['’]t|could not|couldn['’]t) (?:know|say|tell|find|answer|see)\b"
    r"|\b(?:notes?|material|documents?|lectures?|context|text|evidence|definition|source|information)\b[^.!?]{0,40}?"
    r"\b(?:do(?:es)? not|don['’]t|doesn['’]t|did not|didn['’]t|never)\b[^.!?]{0,20}?"
    r"\b(?:say|mention|state|tell|answer|give|contain|cover|include|provide|specify|explain|name|indicate)"
    r"|\b(?:is|are|was|were) (?:not|nowhere) (?:said|mentioned|stated|given|specified|provided|answered|covered|named)"
    r"|\bno (?:information|mention|answer|statement)\b|\bnothing (?:is said|in the)\b"
    r"|\bnot (?:in|part of) the (?:notes|material)"
    r"|(?:我)?(?:不知道|不清楚|不确定|无法(?:回答|确定|得知|判断))|(?:没有?|未|并未|没)(?:有)?(?:提到|提及|说明|给出|介绍|说|回答|涉及|写)"
    r"|(?:材料|讲义|资料|课程|定义)[^。！？]{0,12}(?:没有|未)",
    re.IGNORECASE,
)


def declines(text: str) -> bool:
    """Whether a text, or a sentence of it, says that it does not know or that the material does not say."""
    return _DECLINES.search(text) is not None
