"""Wording of small talk: greetings, laughter, agreement, distress. Rules, for what a student writes word for word.

Whether a question of another wording is small talk is the intent model's to say.
"""

import re

_GREETING = re.compile(
    r"^\W*(hi|hello|hey|good (morning|afternoon|evening|night)|thanks?( you)?( (so|very) much)?|thx|bye|goodbye|"
    r"how are you( doing)?( today)?|who are you|nice to meet you|"
    r"你好|您好|嗨|早上好|下午好|晚上好|谢谢(你|您)?|多谢|再见|拜拜|你是谁|在吗)"
    r"(\W*(there|everyone|coteach|teacher|a lot|again|老师|助教|呀|啊|吗))*\W*$",
    re.IGNORECASE,
)
_INTERJECTION = re.compile(
    r"lo+l|lmao|rofl|(?:ha){2,}h?|(?:he){2,}|xd|o?k|okok|okay|yes|yeah|yep|no|nope|wow|cool|nice|great|good|yay|oops|"
    r"hm+|mm+|a+h+|o+h+|hi+|he+y+|[哈呵嘿嘻]+|[嗯哦噢喔啊呃额唉哎呀]+|好的?吧?|是的?|对的?|没有?|不是|666+|233+|888+",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W_]+")
_EMOTICON = re.compile(
    r"[:;=8xX]['’]?-?[()DPpOo3/|\\]+|[(（]?[\^><⊙oOTQ][_.vA]?[\^><⊙oOTQ][)）]?|<3+|[\U0001f300-\U0001faff\u2600-\u27bf\ufe0f\u200d]+"
)
_EMOTIONAL = re.compile(
    r"\bi(?:'m| am| feel)?\s+(?:\w+\s+)?(?:so\s+)?(sad|stressed|depressed|anxious|lonely|tired|desperate|overwhelmed)\b"
    r"|难过|(?<![气液水油电管道内])压力(?:好|很|太)大(?!时|的|会)"
    r"|(?:我|快要?|心态|情绪|人都?|要)(?:好|都|真的)?崩溃|^\W*崩溃了?\W*$"
    r"|好累|焦虑(?!症)|不开心|想哭|郁闷",
    re.IGNORECASE,
)
_LONGEST_EXCLAMATION = 200
"""Characters; what is longer is no exclamation."""


def is_greeting(text: str) -> bool:
    """Whether nothing is said but a greeting, thanks or a farewell."""
    return _GREETING.match(text) is not None


def is_emotional(text: str) -> bool:
    """Whether the text speaks of distress."""
    return _EMOTIONAL.search(text) is not None


def is_exclamation(text: str) -> bool:
    """Whether nothing is said but laughter, agreement, an emoticon or emoji."""
    if len(text) > _LONGEST_EXCLAMATION:
        return False
    if all(_EMOTICON.fullmatch(part) for part in text.split()):
        return not text.isspace() and text != ""
    words = _WORD.findall(text)
    return bool(words) and all(_INTERJECTION.fullmatch(word) for word in words)


def is_small_talk(text: str) -> bool:
    """Whether the wording alone says that this is small talk."""
    return is_greeting(text) or is_exclamation(text) or is_emotional(text)
