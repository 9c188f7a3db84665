"""`LectureSentence`: what a lecture says, sentence by sentence, cleaned for reading, with its times. Pure.

Belongs here: the record and how it is made from cues. Where the topic changes is `chapters`', how much of its lecture a
sentence carries `weights`'.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from operator import attrgetter

from knowledge_graph.definitions.cleaning import clean_continued, clean_spoken
from knowledge_graph.lake.records import Cue, Lang
from knowledge_graph.sources.passages import without_translations
from knowledge_graph.text.sentences import LectureSpan, sentences
from knowledge_graph.transcripts.chapters import chapters
from knowledge_graph.transcripts.weights import centrality


@dataclass(frozen=True, slots=True)
class LectureSentence:
    """One row of `lake.LECTURE_SENTENCES`. Times are milliseconds from the start of the video.

    `position` and `chapter` count from 0 within the video. `weight`, 0..1, is how central the sentence is to its
    lecture. `text` is cleaned for showing by itself; the lecture's page has the words as they were said. `continued`
    is how it reads after the sentence before ("Then …"), where that is another text.
    """

    sentence_id: str
    course_id: str
    video_id: str
    video_title: str
    video_index: int
    position: int
    chapter: int
    lang: Lang
    start_ms: int
    end_ms: int
    text: str
    weight: float
    source: str = "subtitle"
    mode: str | None = None
    continued: str | None = None


def lecture_sentences(cues: Sequence[Cue], course_id: str) -> list[LectureSentence]:
    """The sentences of every video in lecture order; of bilingual cues those of the video's main language."""
    found: list[LectureSentence] = []
    for _, video in groupby(cues, key=attrgetter("video_index")):
        found += _of_video(sentences(list(without_repeats(without_translations(list(video))))), course_id)
    return found


SHORTEST_REPEAT: dict[Lang, int] = {"en": 12, "zh": 6}
"""Characters from which words at the end of a cue that open the next one were repeated by the captions, not by who
speaks. A choice."""


_SOUNDS = re.compile(
    r"[\[(](?:music|applause|laughter|laughs|sound|noise|inaudible|silence|cough|blank_audio)\b[^\])]{0,20}[\])]"
    r"|[\[(【（](?:音乐|掌声|笑声)[\])】）]",
    re.IGNORECASE,
)


def without_repeats(cues: Sequence[Cue]) -> Iterator[Cue]:
    """The cues of one video without sounds ("[Music]") and without the words that rolling captions show again at the
    beginning of the next cue."""
    before = ""
    for cue in cues:
        text = _SOUNDS.sub("", cue.text).strip()
        new = text[_repeat_length(before, text, SHORTEST_REPEAT[cue.lang]) :].lstrip()
        before = text
        if new:
            yield replace(cue, text=new)


def _repeat_length(before: str, text: str, shortest: int) -> int:
    """How many of the first characters of `text` are the last of `before`, in whole words; 0 for fewer than
    `shortest`."""
    for size in range(min(len(before), len(text)), shortest - 1, -1):
        if before.endswith(text[:size]) and not _cuts(text, size) and not _cuts(before, len(before) - size):
            return size
    return 0


def _cuts(text: str, place: int) -> bool:
    """Whether a Latin word goes on over this place."""
    around = text[max(0, place - 1) : place + 1]
    return len(around) == 2 and around.isascii() and around.isalnum()


def _of_video(spoken: Sequence[LectureSpan], course_id: str) -> list[LectureSentence]:
    shown = [(one, text) for one in spoken if (text := clean_spoken(one.text, one.lang))]
    texts = [text for _, text in shown]
    lang: Lang = shown[0][0].lang if shown else "en"
    weights = centrality(texts, lang)
    numbers = chapters(texts, [one.end_ms for one, _ in shown], lang)
    return [
        LectureSentence(
            sentence_id=f"{course_id}/{one.video_id}/{position}",
            course_id=course_id,
            video_id=one.video_id,
            video_title=one.video_title,
            video_index=one.video_index,
            position=position,
            chapter=numbers[position],
            lang=one.lang,
            start_ms=one.start_ms,
            end_ms=one.end_ms,
            text=text,
            weight=weights[position],
            continued=_unless(clean_continued(one.text, one.lang), text),
        )
        for position, (one, text) in enumerate(shown)
    ]


def _unless(text: str, same: str) -> str | None:
    return None if text == same else text
