"""Where an answer is from is said by coteach alone: a text that says so of itself is marked as unconfirmed. Pure.

"From the FAQ, reviewed by Ada." under an answer is a promise. Written by a model, or standing in a source, it is none.
"""

import re

from knowledge_graph.lake.records import Lang

_SOURCE = (
    r"(?:(?:course|platform)'?s? )?"
    r"(?:faq|frequently asked questions|documents?|catalogue|regulations|staff|teaching assistants?)"
)
_WHO = (
    r"(?:an? |the |your |our )?(?:tas?|teaching assistants?|instructors?|lecturers?|teachers?|professors?|course staff)"
)
_CLAIMS = re.compile(
    rf"\b(?:taken|quoted|copied|answer(?:ed)?|comes|straight) from the {_SOURCE}(?![a-z])"
    rf"|(?:^|(?<=[.!?\n(*_])|(?<=[.!?] ))[ \t*_>]{{0,4}}(?:from the {_SOURCE}(?![a-z])|reviewed by(?![a-z]))"
    rf"|\bfaq, reviewed by(?![a-z])"
    rf"|\b(?:reviewed|approved|confirmed|verified|checked|answered|signed off) by {_WHO}(?![a-z])"
    r"|来自(?:(?:本?课程|平台)的?)?(?:常见问题|课程文件|课程目录|课程概念|助教)|审核人|(?:经|由)[^，。\n]{0,8}(?:助教|老师|教师|教授)(?:审核|确认|批准|核实)",
    re.IGNORECASE,
)
_LOOKED_BACK = 60
_NOTE = {"en": " (says the text; not confirmed)", "zh": "（文中自称，未经确认）"}


def mark_unconfirmed(text: str, lang: Lang) -> str:
    """The text, with a note behind each claim of where it is from."""
    passing = OriginFilter(lang)
    return passing.feed(text) + passing.flush()


class OriginFilter:
    """A filter of `serving.assistant.generation.writer`: holds back the last characters only where a claim may still go
    on."""

    def __init__(self, lang: Lang) -> None:
        self._note = _NOTE[lang]
        self._before = "\n"
        self._held = ""

    def feed(self, text: str) -> str:
        """What can be shown now: all but a last word."""
        whole = self._held + text
        cut = len(whole) - _open_word(whole)
        self._held = whole[cut:]
        return self._with_notes(whole[:cut])

    def flush(self) -> str:
        rest, self._held = self._held, ""
        return self._with_notes(rest)

    def _with_notes(self, text: str) -> str:
        seen, start = self._before + text, len(self._before)
        self._before = seen[-_LOOKED_BACK:]
        shown, at = [], start
        for found in _CLAIMS.finditer(seen):
            if found.end() > start and not seen.startswith(self._note, found.end()):
                shown += [seen[at : found.end()], self._note]
                at = found.end()
        return "".join((*shown, seen[at:]))


def _open_word(text: str) -> int:
    """Letters at the end that more may follow; of a long run none, for no word is so long."""
    letters = 0
    while letters < len(text) and letters < 30 and text[-letters - 1].isascii() and text[-letters - 1].isalpha():
        letters += 1
    return letters if letters < 30 else 0
