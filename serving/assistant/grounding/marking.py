"""`SupportMarker`: marks unsupported sentences of a stream of text while it passes. Nothing is held back or dropped."""

import re
from collections.abc import Sequence

from serving.assistant.grounding.facts import missing
from serving.assistant.grounding.material import GroundingMaterial
from serving.assistant.grounding.sentences import readable, split
from serving.index.evidence import Evidence

_FENCE = "```"
_MAY_END = re.compile(r"[.!?…。！？；;\n]")
_LONGEST = 600
"""Characters kept of a sentence that does not end, such as a stream of noise."""


class SupportMarker:
    """Lets every token through at once; a sentence whose numbers, names or quotes are in no evidence gets `mark`.

    The mark follows the last character of the sentence, before the space or line break. Code between fences is never
    marked. What comes out, with the marks taken away, is what went in. One per answer.
    """

    def __init__(self, evidence: Sequence[Evidence], question: str, mark: str) -> None:
        self._material = GroundingMaterial.of(question, evidence)
        self._mark = mark
        self._sentence = ""
        self._fenced = False

    def feed(self, text: str) -> str:
        """The text, with a mark behind each unsupported sentence that it shows to be complete."""
        passed, whole = len(self._sentence), self._sentence + text
        if not _MAY_END.search(whole):
            self._sentence = whole[-_LONGEST:]
            return text
        ends, start = self._ends(whole), 0
        shown, at = [], passed
        for end in ends:
            if self._is_unsupported(whole[start:end]):
                place = max(end, passed)
                shown += [whole[at:place], self._mark]
                at = place
            start = end
        self._sentence = whole[start:][-_LONGEST:]
        return "".join((*shown, whole[at:]))

    def flush(self) -> str:
        """The mark of the last sentence, when it needs one."""
        held, self._sentence = self._sentence, ""
        return self._mark if self._is_unsupported(held) else ""

    @staticmethod
    def _ends(text: str) -> list[int]:
        """Where the complete sentences of a text end: those after which something follows, be it a space."""
        probe = text + "x" if text[-1:].isspace() else text
        return [piece.end for piece in split(readable(probe))[:-1]]

    def _is_unsupported(self, sentence: str) -> bool:
        fences = sentence.count(_FENCE)
        inside, self._fenced = self._fenced, self._fenced ^ (fences % 2 == 1)
        return not (inside or fences) and bool(missing(readable(sentence), self._material))
