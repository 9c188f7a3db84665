"""Terms that people give: found in the text even where the grammar of terms would not look.

Belongs here: counting "divide and conquer" or "k nearest neighbours" once somebody says that they are concepts.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence

from knowledge_graph.concepts.aliases import MergedTerm, variant_key
from knowledge_graph.concepts.candidate import TermCandidate, spot
from knowledge_graph.concepts.tagging import TaggedSentence
from knowledge_graph.lake.records import LANGS
from knowledge_graph.text.matching import TermMatcher
from knowledge_graph.text.sentences import has_cjk, normal_form


class GivenNames:
    """Names that people say are concepts, in any spelling."""

    def __init__(self, names: Iterable[str]) -> None:
        self.names = tuple(dict.fromkeys(name for name in names if normal_form(name, "en")))
        self.chinese = tuple(name for name in self.names if has_cjk(name))
        self._ids = frozenset(f"{lang}:{normal_form(name, lang)}" for name in self.names for lang in LANGS)
        self._keys = {(lang, variant_key(lang, key.partition(":")[2])) for key in self._ids for lang in LANGS}

    def __contains__(self, concept_id: object) -> bool:
        return concept_id in self._ids

    def covers(self, term: MergedTerm) -> bool:
        """Whether one of the term's names was given."""
        lang = term.candidate.lang
        return any((lang, variant_key(lang, normal_form(name, lang))) in self._keys for name in term.names)


def include(
    found: dict[str, TermCandidate], tagged: Sequence[TaggedSentence], blocks: Sequence[int], given: GivenNames
) -> None:
    """Add to `found` the given names that the text says and the grammar skipped; `blocks` are the sentences'."""
    missing = [name for name in given.names if not any(f"{lang}:{normal_form(name, lang)}" in found for lang in LANGS)]
    matcher = TermMatcher((name, name) for name in missing)
    for at, item in enumerate(tagged if missing else ()):
        sentence = item.sentence
        for match in matcher.find(sentence.text):
            normal = normal_form(match.keys[0], sentence.lang)
            key = f"{sentence.lang}:{normal}"
            if key not in found:
                words = (normal,) if sentence.lang == "zh" else tuple(normal.split(" "))
                found[key] = TermCandidate(sentence.lang, normal, words)
            candidate = found[key]
            candidate.count += 1
            candidate.alone += 1
            candidate.spoken += sentence.document is None
            candidate.surfaces[sentence.text[match.start : match.end]] += 1
            candidate.blocks[blocks[at]] += 1
            first = bisect_right(item.starts, match.start) - 1
            candidate.spots.append(spot(at, first, max(first + 1, bisect_left(item.starts, match.end))))
