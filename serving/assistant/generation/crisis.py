"""Wordings in which a student speaks of harming themselves. No model answers them.

Rules in the first person, so that a course on suicide prevention or a killed process is not meant. They know some
wordings, not all: what they miss is still answered as distress, with a way to a person.
"""

import re

_ENGLISH = (
    r"(?:kill|unalive|hang|drown|shoot|poison|starv)(?:e|ing)? myself(?! in the foot)",
    r"end(?:ing)? (?:it all|my (?:own )?life(?! (?:insurance|science|cycle)))",
    r"tak(?:e|ing) my (?:own )?life",
    r"suicidal",
    r"(?:commit|attempt|think of|thinking (?:of|about)|thought (?:of|about)|consider(?:ing)?|plan(?:ning)?)"
    r" suicide(?! (?:rate|prevention|data|statistic|note|risk))",
    r"(?:want(?:ed)?|wish(?:ed)?|ready|prefer) (?:just )?to (?:just )?"
    r"(?:die(?! of\b)|be dead|not (?:be alive|exist|wake up))",
    r"wanna (?:just )?(?:die|be dead)",
    r"wish i (?:was|were) (?:dead|never born)",
    r"wish i (?:had never|had ?n'?t|was never|were never) been born",
    r"wish i (?:would ?n'?t|did ?n'?t|would never|could never) wake up",
    r"(?:rather|better off) (?:die|be dead|dead)",
    r"(?:hurt|harm|cut)(?:ting|ing)? myself",
    r"self[- ]?harm(?:ing|ed)?(?! (?:prevention|rate|data))",
    r"(?:don'?t|do not|didn'?t|no longer) (?:want to|wish to|wanna)"
    r" (?:live|be alive|be here any ?more|exist|wake up|go on living)(?! in\b)",
    r"(?:can'?t|can ?not|couldn'?t) (?:go on|keep on|stand|bear) (?:living|being alive)",
    r"(?:see|have|find|got|is|'?s) no (?:reason|point|sense) (?:to live|to go on living|in living|in being alive)",
    r"(?:have|got|see|is|'?s) nothing (?:left )?to live for",
    r"(?:tired|sick) of (?:living|life|being alive)",
)
"""What follows an "I" in the same sentence."""

_ENGLISH_ALONE = (
    r"(?:my )?life (?:is ?n'?t|is not|ain'?t|is no longer) worth (?:living|it)",
    r"(?:there(?:'?s| is| are) )?no (?:reason|point)s? (?:to live|in living|to go on living)",
    r"(?:everyone|everybody|the world|they|my (?:family|parents|friends)) (?:would|will|'?d) be better off without me",
    r"(?:don'?t|do not) (?:want to|wanna) (?:live|be alive)(?: any ?more)?",
    r"(?:just )?(?:want to|wanna) (?:die|kill myself|be dead)",
    r"(?:gonna|going to) (?:kms|kill myself|end it all)",
)
"""What says it without an "I" before it."""

_CHINESE = (
    r"想(?:去)?死(?![锁循机记区你您他她])",
    "自杀",
    "轻生",
    "自残",
    "自尽",
    "割腕",
    "不想(?:再)?活",
    "活不下去",
    "不想(?:再)?(?:活|待|呆)在(?:这个)?世(?:界)?上",
    "死了算了",
    "(?:去死|死掉|死了)(?:算了|就好了|更好)",
    "(?:结束|了结|放弃)(?:自己的?|我的?)?生命",
    "活着(?:也|真|真的|太|好)?(?:没有?(?:什么|啥)?(?:意思|意义|劲|希望)|太?累)",
    "(?:从楼上|从桥上|去|想|要)(?:跳楼|跳桥|跳下去)",
)
"""What follows 我 or 真 in the same sentence."""

_CHINESE_ALONE = (
    "(?:再也|真的|实在|已经|好|都)?不想(?:再)?活",
    "活不下去",
    "活着(?:也|真|真的|太|好)?(?:没有?(?:什么|啥)?(?:意思|意义|劲|希望)|太?累)",
    "(?:真|好|好想|只|就)?想(?:去)?死(?![锁循机记区你您他她])了?",
    "死了算了|不如死了",
)
"""What says it at the start of a message or a sentence, without a word for the one who speaks."""

_CRISIS = re.compile(
    rf"\bi(?:'?m|'?ll|'?ve|'?d)?\b[^.?!\n]{{0,60}}\b(?:{'|'.join(_ENGLISH)})\b"
    rf"|(?:^|[.,?!;\n]|\b(?:and|but|so|honestly|just)\b)\W{{0,3}}(?:{'|'.join(_ENGLISH_ALONE)})\b"
    rf"|(?:我|真的?)[^。？！\n]{{0,20}}(?:{'|'.join(_CHINESE)})"
    rf"|(?:^|[，。？！,.\n])\W{{0,3}}(?:{'|'.join(_CHINESE_ALONE)})",
    re.IGNORECASE,
)


def in_crisis(text: str) -> bool:
    """Whether the student speaks of harming themselves."""
    return _CRISIS.search(text.replace("’", "'")) is not None
