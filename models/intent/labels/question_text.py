"""What two question texts have in common, and what language one is in. Text alone; no labels, no files."""

import re

from knowledge_graph.lake.records import Lang

_SIGNS = re.compile(r"[\W_]+")
_CHINESE, _OTHER_LETTERS = re.compile("[\u3400-\u9fff]"), re.compile("[^\\W\\d_\u3400-\u9fff]")
_ASKED_AGAIN = re.compile(r"(?<![\s(（])[\s(（]*+换一换[)）]?$")
"""What the client of the public LittleMu data appends when a student asks for another answer to the same question."""
_LAST_SIGNS = ("换一换", "换一换）", "换一换)")


def question_key(question: str) -> str:
    """What makes two question texts the same: letters and digits only, in lower case."""
    asked = _ASKED_AGAIN.sub("", question) if question.endswith(_LAST_SIGNS) else question
    return _SIGNS.sub("", asked.lower()) or question.strip()


def language_of(text: str) -> Lang:
    """`zh` when at least 3 in 10 letters are Chinese characters, else `en`."""
    chinese = len(_CHINESE.findall(text))
    return "zh" if chinese and 0.7 * chinese >= 0.3 * len(_OTHER_LETTERS.findall(text)) else "en"
