"""The text that concepts are looked for in: what the lectures say, then what the documents say.

Belongs here: turning both into one row of sentences. Which of them are citable passages is in `sources/`.
"""

from collections.abc import Iterator, Sequence

from knowledge_graph.lake.records import Cue, DocumentSection
from knowledge_graph.text.layout import layout_of
from knowledge_graph.text.sentences import LectureSpan, sentences, split_sentences


def course_sentences(
    cues: Sequence[Cue], documents: Sequence[DocumentSection]
) -> tuple[list[LectureSpan], list[LectureSpan]]:
    """The sentences of the lectures, and those of the documents, whose `video_index` goes on after the last video."""
    spoken = sentences(cues)
    after = 1 + max((cue.video_index for cue in cues), default=-1)
    return spoken, list(_document_spans(documents, after))


def _document_spans(documents: Sequence[DocumentSection], after: int) -> Iterator[LectureSpan]:
    ordered = sorted(documents, key=lambda section: (section.document, section.section_index))
    numbers = {name: after + place for place, name in enumerate(dict.fromkeys(each.document for each in ordered))}
    for section in ordered:
        for block in layout_of(section.text):
            for text in split_sentences(block.text, section.lang) if block.kind != "code" else ():
                yield LectureSpan(
                    video_id=section.document,
                    video_title=section.heading or section.title,
                    video_index=numbers[section.document],
                    lang=section.lang,
                    start_ms=0,
                    end_ms=0,
                    text=text,
                    document=section.document,
                    page=section.page,
                    article=section.article,
                )
