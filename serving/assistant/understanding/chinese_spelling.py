"""Chinese names that a student typed with a wrong character of the same sound: 哈系表 for 哈希表. Pure.

Belongs here: how names sound, and which part of a question is put right. Chinese is typed by its sound, so that is how
it is mistyped. What the dictionary or the course has as it was typed is never changed.
"""

import importlib
import os
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from types import ModuleType

from knowledge_graph.text.segmenter import chinese_word_class, stands_as_words
from knowledge_graph.text.sentences import has_cjk
from serving.assistant.understanding.spelling import SpellingCorrection

Sound = tuple[str, ...]
SHORTEST, LONGEST = 2, 8
"""Characters of a name that is looked for by its sound. One alone sounds like dozens. A choice."""
LONGEST_QUESTION = 200
"""Characters of a message that is looked through: who writes more is understood without one name. A choice."""


_WORDS_ALONE = frozenset("吗呢吧啊呀嘛了的么是有在和也就都不会能")
"""Characters that are words by themselves, however they sound: 图灵机不是机器吗 is not on 机器码, nor 实验是谁做的
on 实验室."""


def names_by_sound(names: Iterable[str]) -> Mapping[Sound, str]:
    """Chinese names by their syllables without tones; of two that sound alike the one named first."""
    found: dict[Sound, str] = {}
    for name in names:
        if SHORTEST <= len(name) <= LONGEST and all(map(has_cjk, name)):
            found.setdefault(_sound_of(name), name)
    return found


def correct_by_sound(
    question: str, names: Mapping[Sound, str], *, says: Callable[[str], bool]
) -> SpellingCorrection | None:
    """The question with what sounds like a name, and shares a character with it, written as the name; `None` where
    there is nothing such. `says` tells whether the course has a text as it was typed."""
    if not names or len(question) > LONGEST_QUESTION or not has_cjk(question):
        return None
    sounds, changed, text = _sound_of(question), list[str](), question
    for size in range(min(LONGEST, len(question)), SHORTEST - 1, -1):
        for start in range(len(question) - size + 1):
            typed = question[start : start + size]
            name = names.get(sounds[start : start + size])
            if name is None or name == typed or typed not in text or not set(name) & set(typed):
                continue
            if any(one in _WORDS_ALONE for one, meant in zip(typed, name, strict=True) if one != meant):
                continue
            if chinese_word_class(typed) or not stands_as_words(question, typed) or says(typed):
                continue
            text = text.replace(typed, name)
            changed.append(name)
    return SpellingCorrection(text, tuple(changed)) if changed else None


def _sound_of(text: str) -> Sound:
    """A syllable for each character; what is not Chinese sounds like itself."""
    syllables: list[str] = _pinyin().lazy_pinyin(text, errors=list)
    return tuple(syllables) if len(syllables) == len(text) else tuple(text)


@cache
def _pinyin() -> ModuleType:
    """How single characters are read: 12 MB and 40 ms, at the first question in Chinese. Its phrases, by which names of
    places are read otherwise, would be 44 MB more."""
    os.environ.setdefault("PYPINYIN_NO_PHRASES", "true")
    os.environ.setdefault("PYPINYIN_NO_DICT_COPY", "true")
    return importlib.import_module("pypinyin")
