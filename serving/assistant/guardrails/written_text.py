"""What a model wrote, made fit to be shown or found unfit: whole sentences, nothing twice, no echo of the prompt. Pure.

Belongs here: what holds for any short text a model writes. Whether it is true, or fits an answer, is decided elsewhere.
"""

import re
from collections.abc import Iterable

from knowledge_graph.lake.records import Lang
from knowledge_graph.text.sentences import split_sentences
from serving.index.analysis import content_terms

LEAST_LETTERS = {"en": 20, "zh": 8}
"""A text with fewer letters explains nothing. A choice."""

LEAST_NEW_TERMS = 3
"""Terms beside those of the question that an explanation has at least; with fewer it only says it again. A choice."""

_VERDICTS = (
    "correct incorrect right wrong best true false answer option choice statement question explanation step because "
    "since therefore thus indeed not only also following given follows reason"
)
_VERDICTS_ZH = re.compile("正确|错误|答案|选项|选择|因为|所以|因此|题目|问题|解释|不是|应该")

ECHO_WORDS = 8
"""A run of so many words in common with the instructions is no accident."""

_ENDED = re.compile(r"[.!?…。！？][\"'”’)\]]*$")
_HEADING = re.compile(
    r"^(?:\W*+(?:(?:the )?(?:step[- ]by[- ]step )?(?:explanation|answer)(?: is)?|response|assistant"
    r"|解释|解析|答案?|回答)\s*+[:：]\s*+)+",
    re.IGNORECASE,
)
_MARKS = re.compile(r"(?m)^[ \t]*+(?:#{1,6}\s+|>\s+|\d{1,2}[.)、]\s+|[-*•]\s+)|\*\*|__|`{3}\w*")
_STEP = re.compile(r"^\W*(?:step \d{1,2}|第[一二三四五六七八九十\d]+步)\s*[:：.,，]?\s*", re.IGNORECASE)


def whole_sentences(text: str, lang: Lang, *, most: int, finished: bool) -> str:
    """At most the first `most` sentences, none twice, without headings and markup; empty when there is no whole one.

    `finished` says that the model stopped by itself: then its last words are a sentence even without a full stop.
    """
    bare = _HEADING.sub("", _MARKS.sub("", text).strip())
    kept: dict[str, str] = {}
    for sentence in split_sentences(bare, lang):
        kept.setdefault(_STEP.sub("", sentence).casefold(), sentence)
    found = list(kept.values())
    if found and not _ENDED.search(found[-1]):
        found[-1:] = [found[-1].rstrip(" ,;:，；：、") + ("。" if lang == "zh" else ".")] if finished else []
    return ("" if lang == "zh" else " ").join(found[:most])


def why_unusable(text: str, lang: Lang, *, question: str, instructions: Iterable[str] = ()) -> str | None:
    """Why a text explains nothing: it is too short, says the prompt, or the question again; `None` when it may do.

    `question` is all that the text is about, with options and answer. What is in evidence counts as new; single letters
    and words of judgement ("the correct answer") do not.
    """
    if sum(character.isalpha() for character in text) < LEAST_LETTERS[lang]:
        return "it is too short to explain anything"
    if any(echoes(text, one) for one in instructions):
        return "it repeats the instructions"
    said = content_terms(_VERDICTS_ZH.sub(" ", text), strict=True)
    new = {term for term in said if len(term) > 1} - set(content_terms(f"{question} {_VERDICTS}"))
    return "it only says the question again" if len(new) < LEAST_NEW_TERMS else None


def echoes(text: str, prompt: str) -> bool:
    """Whether `ECHO_WORDS` words of a prompt stand in the text in a row."""
    words, said = prompt.casefold().split(), " ".join(text.casefold().split())
    runs = (" ".join(words[at : at + ECHO_WORDS]) for at in range(len(words) - ECHO_WORDS + 1))
    return any(run in said for run in runs)
