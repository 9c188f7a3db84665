"""Sentences over cues, and normal forms of terms, in English and Chinese.

Belongs here: everything about text that needs no model and no dictionary, so that the gateway can use it too.
Part-of-speech tagging is in `concepts/tagging.py`; finding known terms in a text is in `matching.py`.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter

from knowledge_graph.lake.records import Cue, Lang, Span
from knowledge_graph.text.time_code import paragraph_of

_STOP = re.compile(r"(?<![.!?…])[.!?…]++[\"'”’)\]]*+\s++|[。！？；]++[”’」』）]*+\s*+|(?<=[\u4e00-\u9fff])[!?;]++\s*+")
_ABBREVIATION = re.compile(r"\b(?:vs|e\.g|i\.e|etc|dr|mr|mrs|ms|prof|fig|eq|cf|st|ph\.d)\.\s*$", re.IGNORECASE)
_INITIAL = re.compile(r"(?<![\w'’])[A-Z]\.\s*$")
"""A letter for a name, where the text goes on in small letters: E. coli."""
_ELLIPSIS = re.compile(r"\.\.|…")
"""What a sentence pauses with: "we're never... ever going to"."""
_CJK = re.compile(r"[\u3400-\u9fff]")
_SPACE_IN_CJK = re.compile(r"(?<=[\u3400-\u9fff])\s+|(?<!\s)\s++(?=[\u3400-\u9fff])")
_HYPHENS = re.compile(r"[\s\-‐‑‒–—_/]+")

_PAUSE_MS = 900  # between clauses of read or spoken lectures pauses stay below this; a longer one ends a thought
_USUAL = {"en": 200, "zh": 40}  # characters of a sentence where captions carry no punctuation
_LONGEST = {"en": 600, "zh": 100}  # a longer stretch without a full stop has lost its punctuation

_LATIN_PLURALS = {
    "algae": "alga", "analyses": "analysis", "antennae": "antenna", "automata": "automaton", "bacteria": "bacterium",
    "chiasmata": "chiasma", "cilia": "cilium", "crises": "crisis", "cristae": "crista", "criteria": "criterion",
    "curricula": "curriculum", "diagnoses": "diagnosis", "emphases": "emphasis", "equilibria": "equilibrium",
    "flagella": "flagellum", "foci": "focus", "formulae": "formula", "fungi": "fungus", "genera": "genus",
    "grana": "granum", "hypotheses": "hypothesis", "indices": "index", "larvae": "larva", "loci": "locus",
    "matrices": "matrix", "maxima": "maximum", "metamorphoses": "metamorphosis", "minima": "minimum",
    "mitochondria": "mitochondrion", "momenta": "momentum", "nebulae": "nebula", "nuclei": "nucleus",
    "optima": "optimum", "ova": "ovum", "parentheses": "parenthesis", "phenomena": "phenomenon", "phyla": "phylum",
    "prognoses": "prognosis", "quanta": "quantum", "radii": "radius", "spectra": "spectrum", "stimuli": "stimulus",
    "stomata": "stoma", "strata": "stratum", "supernovae": "supernova", "synopses": "synopsis",
    "syntheses": "synthesis", "taxa": "taxon", "theses": "thesis", "vertebrae": "vertebra", "vertices": "vertex",
}  # fmt: skip
"""Plurals of the sciences that no English ending makes, and that are no other word."""
_IRREGULAR = _LATIN_PLURALS | {
    "axes": "axis", "bases": "basis", "biases": "bias", "caches": "cache", "children": "child", "cookies": "cookie",
    "feet": "foot", "halves": "half", "knives": "knife", "leaves": "leaf", "lenses": "lens", "men": "man",
    "mice": "mouse", "movies": "movie", "oases": "oasis", "quizzes": "quiz", "shoes": "shoe", "teeth": "tooth",
    "ties": "tie", "women": "woman",
}  # fmt: skip
_UNCHANGED = frozenset(
    "alias always atlas bayes bias canvas chaos cosmos does gas has kudos lens means news perhaps series species "
    "this thus was yes descartes stokes gauss keras pandas kubernetes dns gps ios css aws js os sms".split()
)


@dataclass(frozen=True, slots=True)
class LectureSpan:
    """One sentence of a lecture, from the start of its first cue to the end of its last; times in milliseconds.

    A document stands in the row of the lectures, after the last of them: `document` is set, `video_id` is its name,
    `video_title` the heading or title, and what has no meaning for it is 0.
    """

    video_id: str
    video_title: str
    video_index: int
    lang: Lang
    start_ms: int
    end_ms: int
    text: str
    document: str | None = None
    page: int | None = None
    article: str | None = None

    def span(self) -> Span:
        if self.document is not None:
            return Span(None, None, None, self.text, self.document, self.page, self.article)
        return Span(self.video_id, self.start_ms, self.end_ms, self.text)


def sentences(cues: Iterable[Cue]) -> list[LectureSpan]:
    """The sentences of all videos in lecture order.

    Cue lines run on: lines are joined, then cut at full stops. A stretch longer than speech runs without one is cut at
    pauses and cue ends instead, as Chinese captions rarely carry punctuation. Of a transcript without times no sentence
    goes on in the next paragraph.
    """
    ordered = sorted(cues, key=attrgetter("video_index", "video_id", "cue_index"))
    found: list[LectureSpan] = []
    for _, video in groupby(ordered, key=lambda cue: (cue.video_id, cue.lang, paragraph_of(cue.start_ms))):
        found.extend(_sentences_of_video(list(video)))
    return found


def split_sentences(text: str, lang: Lang) -> list[str]:
    """The sentences of written text, such as a document or a search reply."""
    flat = " ".join(text.split())
    return [piece for start, end in _cut(flat, [], lang) if (piece := flat[start:end].strip())]


def language_of(text: str) -> Lang:
    """`zh` when Chinese characters make up a tenth of the text or more, else `en`."""
    return "zh" if len(_CJK.findall(text)) * 10 > len(text) else "en"


def has_cjk(text: str) -> bool:
    return _CJK.search(text) is not None


def lower_text(text: str) -> str:
    """Lower case, character for character, so that offsets stay those of the text."""
    low = text.lower()
    if len(low) == len(text):
        return low
    return "".join(small if len(small := char.lower()) == 1 else char for char in text)


def normal_form(term: str, lang: Lang) -> str:
    """The form under which the surface forms of one term meet: `K-Means Clusterings` → `k means clustering`.

    Width and case are folded, hyphens become spaces, every English word becomes singular, spaces beside Chinese
    characters go. `f"{lang}:{normal_form(term, lang)}"` is the concept's id.
    """
    folded = unicodedata.normalize("NFKC", term).casefold().replace("’", "'")
    words = _HYPHENS.sub(" ", folded).strip().split(" ")
    if lang == "zh":
        return _SPACE_IN_CJK.sub("", " ".join(words))
    return " ".join(singular(word) for word in words)


def singular(word: str) -> str:
    """The singular of a lower-case English noun, by rule with the exceptions that lectures use."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) <= 3 or not word.endswith("s") or word in _UNCHANGED or word.endswith(("ss", "us", "is", "'s", "ics")):
        return word
    if word.endswith("ies"):
        return word[:-3] + "y" if len(word) > 4 else word[:-1]
    if word.endswith(("sses", "shes", "ches", "xes", "zzes", "uses", "oes")) and not word.endswith(("auses", "ouses")):
        return word[:-2]
    return word[:-1]


def plural(word: str) -> str:
    """The regular plural of a lower-case English noun, for finding mentions."""
    if word.endswith(("s", "x", "z", "ch", "sh")):
        return word + "es"
    if word.endswith("y") and len(word) > 2 and word[-2] not in "aeiou":
        return word[:-1] + "ies"
    return word + "s"


def _sentences_of_video(cues: Sequence[Cue]) -> Iterator[LectureSpan]:
    starts: list[int] = []
    parts: list[str] = []
    kept: list[Cue] = []
    length = 0
    for cue in cues:
        if part := " ".join(cue.text.split()):
            starts.append(length)
            parts.append(part)
            kept.append(cue)
            length += len(part) + 1
    text = " ".join(parts)
    joints = [(starts[n], kept[n].start_ms - kept[n - 1].end_ms) for n in range(1, len(kept))]
    at = 0
    for start, end in _cut(text, joints, kept[0].lang if kept else "en"):
        while at + 1 < len(starts) and starts[at + 1] <= start:
            at += 1
        last = at
        while last + 1 < len(starts) and starts[last + 1] < end:
            last += 1
        if piece := text[start:end].strip():
            yield _sentence(kept[at], kept[last], piece)


def _sentence(first: Cue, last: Cue, text: str) -> LectureSpan:
    return LectureSpan(
        video_id=first.video_id,
        video_title=first.video_title,
        video_index=first.video_index,
        lang=first.lang,
        start_ms=first.start_ms,
        end_ms=max(first.end_ms, last.end_ms),
        text=text,
    )


def _cut(text: str, joints: Sequence[tuple[int, int]], lang: Lang) -> Iterator[tuple[int, int]]:
    """Character ranges of the sentences; `joints` are (offset, pause before it) of the cues after the first."""
    start, at = 0, 0
    for stop in [*_full_stops(text), len(text)]:
        inside: list[tuple[int, int]] = []
        while at < len(joints) and joints[at][0] < stop:
            if joints[at][0] > start:
                inside.append(joints[at])
            at += 1
        yield from _cut_long(text, start, stop, inside, lang)
        start = stop


def _full_stops(text: str) -> Iterator[int]:
    for match in _STOP.finditer(text):
        is_open = _ELLIPSIS.match(match.group()) is not None or _INITIAL.search(text[: match.end()], match.start() - 2)
        goes_on = is_open and text[match.end() : match.end() + 1].islower()
        if not (goes_on or _ABBREVIATION.search(text, max(0, match.start() - 6), match.start() + 1)):
            yield match.end()


def _cut_long(
    text: str, start: int, stop: int, joints: Sequence[tuple[int, int]], lang: Lang
) -> Iterator[tuple[int, int]]:
    """Cut a stretch without full stops at pauses, at cue ends near the usual length, and at worst at a space."""
    if stop - start <= _LONGEST[lang]:
        yield start, stop
        return
    ends = [offset for offset, _ in joints[1:]] + [stop]
    for (offset, pause), end in zip(joints, ends, strict=False):
        if pause >= _PAUSE_MS or end - start > _USUAL[lang]:
            yield from _cut_hard(text, start, offset, lang)
            start = offset
    yield from _cut_hard(text, start, stop, lang)


def _cut_hard(text: str, start: int, stop: int, lang: Lang) -> Iterator[tuple[int, int]]:
    while stop - start > _LONGEST[lang]:
        space = text.rfind(" ", start + 1, start + _LONGEST[lang])
        end = space + 1 if space > 0 else start + _LONGEST[lang]
        yield start, end
        start = end
    yield start, stop
