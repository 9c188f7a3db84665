"""What an answer quoted is found in the lecture or document as it is now, wherever the passages are cut."""

from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import course_rows as rows
import pytest

from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.records import CourseCard, Cue, DocumentSection
from knowledge_graph.lake.schemas import CUES, DOCUMENTS, LECTURE_SENTENCES
from knowledge_graph.lake.tables import write_table
from knowledge_graph.sources.passages import subtitle_passages
from knowledge_graph.transcripts.sentences import lecture_sentences
from serving.assistant.composing.lectures import CourseLectureIndex
from serving.assistant.composing.material import join_material_lines, line_of
from serving.desk.course_tables import CourseTables
from serving.desk.lineage.quotable_texts import QuotableTexts, text_digest
from serving.store.tables.conversation import RestsOn

MORE = (" and", " tells", " why", " it", " needs", " little", " time")
LECTURE = [
    f"Sentence number {number} says something about heap operation {number}{''.join(MORE[: number * number % 7])}."
    for number in range(60)
]
CARD = CourseCard("ds", "Data structures", "en", "computing", ())


def spoken(said: Sequence[str], *, later_ms: int = 0, lasts_ms: int = 5_000) -> list[Cue]:
    times = [(lasts_ms * n + later_ms, lasts_ms * (n + 1) + later_ms) for n in range(len(said))]
    return [Cue("ds", "05 heaps", "Heaps", 0, n, *times[n], one, "en") for n, one in enumerate(said)]


def texts(folder: Path, cues: Sequence[Cue], sections: Sequence[DocumentSection] = ()) -> QuotableTexts:
    data_dir = DataDir(folder)
    listed = [asdict(one) for one in lecture_sentences(cues, "ds")]
    write_table(data_dir.table("lecture_sentences", "ds"), listed, LECTURE_SENTENCES)
    write_table(data_dir.table("cues", "ds"), [asdict(one) for one in cues], CUES)
    write_table(data_dir.table("documents", "ds"), [asdict(one) for one in sections], DOCUMENTS)
    return QuotableTexts(CourseLectureIndex(data_dir), CourseTables(data_dir))


def quoted(text: str, **where: Any) -> RestsOn:
    named = {"trace_id": "t", "entry_id": "gone", "source": "subtitle", "course_id": "ds"}
    return RestsOn(**named, text_sha256=text_digest(text), **where)


def of_lecture(text: str, start: int, stop: int) -> RestsOn:
    return quoted(text, video_id="05 heaps", start_ms=5_000 * start, end_ms=5_000 * stop)


EDITED = [LECTURE[0] + " And this sentence is longer now, as somebody heard the recording again.", *LECTURE[1:]]
"""The first sentence says more: the edges of the passages behind it move."""


def test_one_longer_cue_changes_the_passages_behind_it_and_none_of_their_sentences(tmp_path: Path) -> None:
    before, after = subtitle_passages(spoken(LECTURE), CARD), subtitle_passages(spoken(EDITED), CARD)
    moved = [one for one in before if one.passage_id not in {other.passage_id for other in after}]
    assert len(moved) > 3
    now = texts(tmp_path, spoken(EDITED))
    says = [
        now.hold(quoted(one.text, video_id="05 heaps", start_ms=one.locator.start_ms, end_ms=one.locator.end_ms))
        for one in moved
    ]
    assert says == [False] + [True] * (len(moved) - 1)


@pytest.mark.parametrize(("later_ms", "lasts_ms"), [(0, 5_000), (7_000, 5_000), (0, 4_990)])
def test_neighbouring_sentences_are_found_also_where_the_lecture_is_timed_otherwise(
    tmp_path: Path, later_ms: int, lasts_ms: int
) -> None:
    now = texts(tmp_path, spoken(EDITED, later_ms=later_ms, lasts_ms=lasts_ms))
    shown = join_material_lines([line_of(one) for one in lecture_sentences(spoken(LECTURE), "ds")[20:24]], "en")
    assert now.hold(of_lecture(shown, 20, 24))
    assert not now.hold(of_lecture(LECTURE[20].replace("heap", "tree"), 20, 21))


def test_a_quote_with_a_sentence_left_out_is_found_until_a_sentence_of_it_changes(tmp_path: Path) -> None:
    sentences = lecture_sentences(spoken(LECTURE), "ds")
    lines = [line_of(sentences[20]), replace(line_of(sentences[22]), continued=None, after_gap=True)]
    text = join_material_lines(lines, "en")
    assert " … " in text
    assert texts(tmp_path / "a", spoken(EDITED)).hold(of_lecture(text, 20, 23))
    other = [*EDITED[:21], "Nobody quoted this.", *EDITED[22:]]
    assert texts(tmp_path / "b", spoken(other)).hold(of_lecture(text, 20, 23))
    changed = [*EDITED[:22], "This was quoted.", *EDITED[23:]]
    assert not texts(tmp_path / "c", spoken(changed)).hold(of_lecture(text, 20, 23))


def test_a_document_says_what_was_quoted_of_it_while_another_sentence_is_edited(tmp_path: Path) -> None:
    def section(text: str) -> DocumentSection:
        return DocumentSection("ds", "documents/rules.md", "Rules", 0, "a", None, None, "Late work", text, "en")

    kept, edited = "Late work loses a tenth of its points. Ask before the deadline.", "Hand in on paper."
    now = texts(tmp_path, spoken(LECTURE), [section(f"{kept} {edited}")])
    assert now.hold(quoted(kept, document="documents/rules.md"))
    assert not now.hold(quoted(kept, document="documents/other.md"))
    assert not now.hold(quoted("Hand in by mail.", document="documents/rules.md"))


def test_what_is_of_no_course_or_of_a_lecture_that_is_not_there_is_not_said(tmp_path: Path) -> None:
    now = texts(tmp_path, spoken(LECTURE))
    assert not now.hold(quoted(LECTURE[3], video_id="06 graphs", start_ms=0, end_ms=1))
    assert not now.hold(RestsOn(trace_id="t", entry_id="w", source="search", text_sha256=text_digest(rows.STACK)))
