"""What a pronoun, an ordinal or "this video" in a question stands for.

Belongs here: rules for a question that points at something. What a fragment leaves out is in `follow_up_fragments.py`.
"""

import re
from dataclasses import replace

from knowledge_graph.lake.records import Lang
from serving.assistant.understanding.closed_words import BEFORE_OWNER, BEFORE_VERB, CLOSED_EN, CLOSED_ZH, NUMBERS
from serving.assistant.understanding.focus import Topic
from serving.assistant.understanding.follow_up_question import FOUND, FollowUpQuestion, Resolved, Rule, names_of, put_in

_OF_TWO = re.compile(
    r"\bbetween (?:them|these|those)\b|\bwhich of (?:them|these|those)\b|它们俩|两者|二者|这两|这俩", re.IGNORECASE
)
"""What can only stand for several concepts."""

_A_PLACE = re.compile(
    r"\b(?:my|park(?:ing)?|wi-?fi|rooms?|eat|lunch|submit|homeworks?|assignments?|exams?|deadlines?|grades?)\b"
    r"|停车|饭|住|我的|提交|作业|考试|成绩|报名",
    re.IGNORECASE,
)
"""With one of these "here" is a place, or the student's own work, and no moment of the video."""


def _this_video(asked: FollowUpQuestion) -> Resolved | None:
    match, title = asked.words.video.search(asked.text), asked.focus.video_title
    if match is None or not title:
        return None
    shown = f"视频《{title}》" if asked.is_zh else f'the video "{title}"'
    return Resolved(_put(asked.text, match, shown), (f"{match.group()} -> {title} (from the position)",), "position")


def _here(asked: FollowUpQuestion) -> Resolved | None:
    match = asked.words.here.search(asked.text)
    if match is None or asked.names.subjects or asked.focus.here is None or not asked.asks:
        return None
    if _A_PLACE.search(asked.text):
        return None
    return put_in(
        asked,
        lambda one: _put(asked.text, match, match.group() + (f"（{one.name}）" if asked.is_zh else f" ({one.name})")),
        what=match.group(),
        reason="position",
        topic=asked.focus.here,
    )


def _ordinal(asked: FollowUpQuestion) -> Resolved | None:
    match = asked.words.ordinal.search(asked.text)
    if match is None or asked.names.subjects or asked.is_elsewhere:
        return None
    topic = asked.focus.current
    names = asked.focus.listed or (names_of(topic.concepts, asked.graph) if topic and len(topic.concepts) > 1 else ())
    number = _number(match)
    if not names or number > len(names) or (match["side"] and len(names) != 2):
        return Resolved(asked.text, reason="no_focus")
    name = names[number - 1]
    found = FOUND["answer" if asked.focus.listed else "question"]
    return Resolved(_put(asked.text, match, name), (f"{match.group()} -> {name} ({found})",), "ordinal")


_IS_HAD = re.compile(
    r"(?:do|does|did|can|could|will|must|should) [\w' -]{3,50}? (?:have|need|use|get|contain|guarantee) "
    r"(?:it|them|one)\W*$",
    re.IGNORECASE,
)
"""What one thing has of another: "do all transformations have them?" """
_ONE = re.compile(r"\bone(?=\W*$)", re.IGNORECASE)


def _reference(asked: FollowUpQuestion) -> Resolved | None:
    """It, its, this algorithm, 它, 其, 这个: put in, when nothing before it can be what it stands for."""
    words, text = asked.words, asked.text
    is_had = _IS_HAD.match(asked.core) is not None
    pattern = _ONE if is_had and _ONE.search(text) else words.reference
    first = pattern.search(text)
    if first is None or not asked.asks or words.no_reference.search(text) or asked.is_elsewhere:
        return None
    before = text[: first.start()]
    if not is_had and (
        any(one.start < len(before) for one in asked.names.subjects) or not _can_lean(before, asked.lang)
    ):
        return None
    if _is_it_the_trade(first):
        return None
    topic, term = asked.focus.current, _term_asked_before(asked)
    if term and first.lastgroup != "both" and not words.many.search(first.group()):
        whole = pattern.sub(lambda one: _fill(one, first, term), text)
        return Resolved(whole, (f"{first.group()} -> {term} (from the previous question)",), "pronoun")
    if (first.lastgroup == "both" or _OF_TWO.search(text)) and (topic is None or len(topic.concepts) < 2):
        return Resolved(text, reason="no_focus")
    return put_in(
        asked,
        lambda subject: subject.fuller(pattern.sub(lambda one: _fill(one, first, subject.name), text)),
        what=first.group(),
        plural=words.many.search(first.group()) is not None,
        topic=_without_named(topic, asked) if is_had else topic,
        reason="pronoun",
        aspect=text,
    )


def _without_named(topic: Topic | None, asked: FollowUpQuestion) -> Topic | None:
    """The topic without the concepts that the question names itself, where that leaves any: who asks whether every
    matrix has one means no matrix."""
    left = tuple(key for key in topic.concepts if key not in asked.names.ids) if topic is not None else ()
    return replace(topic, concepts=left) if topic is not None and left else topic


_ONE_THAT_IS_SO = re.compile(
    r"\b(?:an?|the) (?!(?:first|second|third|last|next|previous|following|other|former|latter|same|only|right|wrong"
    r"|correct|new|old|whole|best|\w+er)\b)(?P<kind>[a-z][\w-]+) (?P<one>ones?)\b",
    re.IGNORECASE,
)


def _one_that_is_so(asked: FollowUpQuestion) -> Resolved | None:
    """What does a negative one mean? One of what the previous question is of: a negative determinant."""
    match = _ONE_THAT_IS_SO.search(asked.text)
    if match is None or asked.names.subjects or asked.is_elsewhere or not asked.asks:
        return None
    start, end = match.span("one")
    found = put_in(
        asked, lambda one: f"{asked.text[:start]}{one.name}{asked.text[end:]}", what=match.group(), reason="pronoun"
    )
    is_of_a_kind = asked.focus.current is not None and not any(
        name.istitle() for name in names_of(asked.focus.current.concepts, asked.graph)
    )  # of what has a name of its own there is one
    return found if found.is_changed and is_of_a_kind else None


_ASKED_TERM = re.compile(
    r"^(?:(?:so|and|ok|okay|but|hi|hello)\W+)*(?:what(?:'s| is| are| does)|define|explain)(?: an?| the)? "
    r"(?!(?:the|my|your|our|this|that|these|those|it)\b)(?!.*(?:\d|\b(?:about|for|on|in|of|with|to)\W*$))"
    r"(?P<en>[\w-]+(?: [\w-]+){0,2}?)(?: means?)?\W*$"
    r"|^(?:请问)?(?:什么是|啥是|何谓|解释一?下?)(?P<zh>[^，。？！?!\s]{2,12}?)[？?。]*$"
    r"|^(?P<zh2>[^，。？！?!\s]{2,12}?)(?:是什么|是啥|是什么意思|指什么)[？?。]*$",
    re.IGNORECASE,
)
"""A question for what one thing is, named in one to three words."""


def _term_asked_before(asked: FollowUpQuestion) -> str:
    """What the previous question asked about, where that is no concept of the course: a pronoun means it rather than
    what the answer spoke of; empty for any other question."""
    if asked.focus.current is not None and asked.focus.current.origin != "answer":
        return ""
    return find_asked_term(asked.focus.previous)


def find_asked_term(question: str) -> str:
    """The one thing of which a question asks what it is, in one to three words; empty for any other question."""
    found = _ASKED_TERM.match(question)
    return (found["en"] or found["zh"] or found["zh2"]) if found is not None else ""


def _which(asked: FollowUpQuestion) -> Resolved | None:
    """Which one is faster? Said of the two or more that were named together."""
    topic = asked.focus.current
    if asked.names.subjects or not asked.words.which.fullmatch(asked.core) or asked.is_elsewhere:
        return None
    if topic is None or len(topic.concepts) < 2:
        return None
    zh, core = asked.is_zh, asked.core
    names = " or ".join(names_of(topic.concepts, asked.graph))
    return put_in(
        asked,
        lambda subject: f"{subject.name}{core}？" if zh else f"{core}, {names}?",
        plural=True,
        reason="pronoun",
    )


POINTING: tuple[Rule, ...] = (_this_video, _here, _ordinal)
PRONOUNS: tuple[Rule, ...] = (_one_that_is_so, _reference, _which)


def _can_lean(before: str, lang: Lang) -> bool:
    """Whether nothing in `before` can be what a pronoun after it stands for: it holds closed-class words and one verb.

    An unknown word counts as a verb after "I", "you", "to" and the like, and as an aspect before "of".
    """
    if lang == "zh":
        return CLOSED_ZH.fullmatch(before) is not None
    words = re.findall(r"[\w'’-]+", before.lower().replace("’", "'"))
    return all(
        word in CLOSED_EN
        or (at > 0 and words[at - 1] in BEFORE_VERB)
        or (words[at + 1 : at + 2] and words[at + 1] in BEFORE_OWNER)
        for at, word in enumerate(words)
    )


def _is_it_the_trade(match: re.Match[str]) -> bool:
    """Whether "IT" is information technology, and not the pronoun in a text that is all in capitals."""
    return match.group() == "IT" and not match.string.isupper()


def _fill(match: re.Match[str], first: re.Match[str], name: str) -> str:
    """A name for the first pronoun and for the same word again; another pronoun may stand for something else."""
    is_same = match.group().lower() == first.group().lower() and not _is_it_the_trade(match)
    return _stand_in(match, name) if is_same else match.group()


def _stand_in(match: re.Match[str], name: str) -> str:
    """A name in the place of a pronoun, in the pronoun's form."""
    if match.group().lower() == "one":
        return f"{'an' if name[0].lower() in 'aeiou' else 'a'} {name}"
    if match.lastgroup == "own":
        return f"{name}'s" if match.group().isascii() else f"{name}的"
    return f"{name} is" if match.lastgroup == "be" else name


def _number(match: re.Match[str]) -> int:
    """The place that an ordinal names, from 1; 0 is the last."""
    said = (match["side"] or match["n"] or "last").lower()
    digits = re.match(r"\d+", said)
    return int(digits.group()) if digits else NUMBERS[said]


def _put(text: str, match: re.Match[str], name: str) -> str:
    return f"{text[: match.start()]}{name}{text[match.end() :]}"
