"""When the queue treats two questions as the same: their askers wait together and get one answer. Pure.

Careful rather than clever: case, width, spaces, plurals and the marks at the end do not count, every other character
does, for one answer goes to all of them.
"""

import hashlib
import json
import unicodedata

from knowledge_graph.text.sentences import language_of, normal_form

_ENDS = " \t\n?!.…,;:。，、；：！？¿¡"


def same_as(course_id: str | None, question: str) -> str:
    """The digest that the same question in the same course has, 64 hexadecimal digits."""
    return _digest("question", course_id or "", _fold(question))


def same_answer(answer_id: str) -> str:
    """The digest of what came back because its sources changed: it waits by itself."""
    return _digest("answer", answer_id)


def _fold(question: str) -> str:
    words = " ".join(unicodedata.normalize("NFKC", question).split())
    return normal_form(words.strip(_ENDS) or words, language_of(words))


def _digest(*parts: str) -> str:
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()
