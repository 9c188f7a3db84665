"""Names of two words or more that a student wrote in right words which are not the course's: "gradient decent", and
"quick sort" where the course writes "quicksort". Pure.

Belongs here: what two words beside each other tell that neither tells alone. Single words are in `spelling.py`. Nothing
is changed that the course says as it was typed.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise

from rapidfuzz.distance import OSA

from serving.assistant.understanding.spelling import SHORTEST_PART, SpellingCorrection
from serving.index.analysis import content_terms

SHORTEST = 5
"""Letters of the shortest word of a name that is taken for another one. A choice."""

_WORD = re.compile(r"[A-Za-z]+")
_PAIR = re.compile(r"(?<![\w'’-])(?P<first>[A-Za-z]+)(?P<joint>[ -])(?=(?P<second>[A-Za-z]+)(?![\w'’-]))")


@dataclass(frozen=True)
class WordPairs:
    """The words that stand right behind, and right before, each word in the names of a course, in lower case."""

    behind: Mapping[str, frozenset[str]]
    before: Mapping[str, frozenset[str]]

    @classmethod
    def of(cls, names: Iterable[str]) -> "WordPairs":
        behind, before = defaultdict(set), defaultdict(set)
        for name in names:
            for first, second in pairwise(_WORD.findall(name.lower())):
                behind[first].add(second)
                before[second].add(first)
        return cls(*({word: frozenset(others) for word, others in each.items()} for each in (behind, before)))

    def find_meant(self, first: str, second: str) -> tuple[str, str] | None:
        """The pair of a name of which one of two words is a letter away; `None` where it is not just one pair."""
        if second in self.behind.get(first, ()):
            return None
        found = [(first, one) for one in self.behind.get(first, ()) if _is_slip_of(second, one)]
        found += [(one, second) for one in self.before.get(second, ()) if _is_slip_of(first, one)]
        return found[0] if len(found) == 1 else None


def _is_slip_of(typed: str, word: str) -> bool:
    """Whether a word is another one with a mistake in one letter, and not with an ending."""
    is_ended = typed.startswith(word) or word.startswith(typed)
    is_alike = typed[0] == word[0] and len(typed) >= SHORTEST and not is_ended
    return is_alike and OSA.distance(typed, word, score_cutoff=1) == 1


def correct_names(
    question: str, pairs: WordPairs, words: Collection[str], *, says: Callable[[str], bool]
) -> SpellingCorrection | None:
    """The question with the names as the course writes them; `None` when nothing is to be changed.

    `words` are the course's own; `says` tells whether it has two words beside each other as they were typed. Of a name
    that is only written apart nothing is said to the student.
    """
    text, changed = question, []
    for found in reversed(list(_PAIR.finditer(question))):
        first, second = found["first"].lower(), found["second"].lower()
        end = found.end("second")
        if _may_be_joined(first, second) and first + second in words and not says(f"{first} {second}"):
            text = f"{text[: found.start()]}{first}{second}{text[end:]}"
        elif (meant := pairs.find_meant(first, second)) is not None and not says(f"{first} {second}"):
            text = f"{text[: found.start()]}{meant[0]}{found['joint']}{meant[1]}{text[end:]}"
            changed.append(" ".join(meant))
    return SpellingCorrection(text, tuple(reversed(changed))) if text != question else None


def _may_be_joined(*words: str) -> bool:
    """Whether each of some words is one of the subject, and long enough to make another with its neighbour."""
    return all(len(word) >= SHORTEST_PART and content_terms(word, strict=True) for word in words)
