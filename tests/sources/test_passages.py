"""Windows of a lecture and pieces of documents: whole cues, right times, stable ids."""

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowledge_graph.lake.records import CatalogRecord, CourseCard, Cue, DocumentSection, Lang, Mode
from knowledge_graph.sources.passages import MAX_SECONDS, catalog_passages, document_passages, subtitle_passages

CARD = CourseCard("trees", "Trees", "en", subject="CS")


def lecture(texts: list[str], *, seconds: int = 4, lang: Lang = "en") -> list[Cue]:
    return [
        Cue("trees", "01", "Trees", 0, place, place * seconds * 1000, (place + 1) * seconds * 1000, text, lang)
        for place, text in enumerate(texts)
    ]


def test_a_short_lecture_is_one_passage_with_its_times() -> None:
    (passage,) = subtitle_passages(lecture(["A tree has", "nodes."]), CARD)
    assert (passage.text, passage.title, passage.source, passage.subject) == (
        "A tree has nodes.",
        "Trees",
        "subtitle",
        "CS",
    )
    assert (passage.locator.video_id, passage.locator.start_ms, passage.locator.end_ms) == ("01", 0, 8000)


def test_windows_end_at_sentences_and_share_the_last_one() -> None:
    sentence = ["A tree is a graph without any", "cycle and with one root only."]
    passages = subtitle_passages(lecture(sentence * 30, seconds=2), CARD)
    assert len(passages) > 2
    assert all(passage.text.endswith("one root only.") for passage in passages)
    assert all(passage.text.startswith("A tree is") for passage in passages)
    for before, after in pairwise(passages):
        assert before.locator.end_ms is not None
        assert after.locator.start_ms == before.locator.end_ms - 4000


def test_slow_speech_is_cut_by_time() -> None:
    passages = subtitle_passages(lecture(["Well."] * 40, seconds=20), CARD)
    spans = [((each.locator.end_ms or 0) - (each.locator.start_ms or 0)) / 1000 for each in passages]
    assert max(spans) <= MAX_SECONDS


def test_chinese_windows_are_shorter_and_have_no_spaces_between_clauses() -> None:
    passages = subtitle_passages(
        lecture(["树是一种没有环的图，", "它只有一个根结点。"] * 40, seconds=1, lang="zh"), CARD
    )
    assert all(len(passage.text) <= 400 and " " not in passage.text for passage in passages)
    assert {passage.lang for passage in passages} == {"zh"}


def test_chinese_cues_without_punctuation_do_not_run_into_each_other() -> None:
    (passage,) = subtitle_passages(lecture(["树没有环", "它有一个根"], lang="zh"), CARD)
    assert passage.text == "树没有环 它有一个根"


def test_the_translation_of_a_cue_is_not_said_twice() -> None:
    chinese, english = (
        lecture(["树没有环。", "它有一个根。"], lang="zh"),
        lecture(["It has no cycle.", "It has a root."]),
    )
    both = [cue for pair in zip(chinese, english, strict=True) for cue in pair]
    (passage,) = subtitle_passages([*both, *lecture(["好。"] * 3, lang="zh")[2:]], CARD)
    assert passage.text == "树没有环。它有一个根。好。"


@given(st.lists(st.text("ab .", min_size=1, max_size=300), min_size=1, max_size=60), st.integers(1, 50))
def test_every_cue_is_in_a_passage(texts: list[str], seconds: int) -> None:
    cues = lecture(texts, seconds=seconds)
    spans = [(each.locator.start_ms or 0, each.locator.end_ms or 0) for each in subtitle_passages(cues, CARD)]
    assert all(any(start <= cue.start_ms and cue.end_ms <= end for start, end in spans) for cue in cues)


@given(
    st.lists(st.text("ab", min_size=1, max_size=80).map(lambda text: f"{text}."), min_size=1, max_size=80),
    st.integers(1, 30),
)
def test_passages_of_sentences_are_whole_cues_with_their_times(texts: list[str], seconds: int) -> None:
    cues = [replace(cue, text=f"{cue.cue_index}{cue.text}") for cue in lecture(texts, seconds=seconds)]
    passages = subtitle_passages(cues, CARD)
    for passage in passages:
        start, end = passage.locator.start_ms or 0, passage.locator.end_ms or 0
        inside = [cue for cue in cues if start <= cue.start_ms and cue.end_ms <= end]
        assert passage.text == " ".join(cue.text for cue in inside)
        assert (inside[0].start_ms, inside[-1].end_ms) == (start, end)
        assert end - start <= MAX_SECONDS * 1000 or len(inside) == 1
    assert [each.locator.start_ms for each in passages] == sorted({each.locator.start_ms for each in passages})


@given(st.integers(1, 4), st.lists(st.integers(1, 6), min_size=1, max_size=40))
def test_passages_end_where_a_sentence_does_when_sentences_are_short(seconds: int, lengths: list[int]) -> None:
    words = [word for length in lengths for word in [*["so a tree has nodes and"] * (length - 1), "it ends here."]]
    assert all(each.text.endswith("here.") for each in subtitle_passages(lecture(words, seconds=seconds), CARD))


def section(text: str) -> DocumentSection:
    return DocumentSection("trees", "documents/rules.pdf", "Rules", 4, "5.1", 3, "5.1", "Resits", text, "en")


def test_a_section_of_five_thousand_characters_is_one_passage() -> None:
    (passage,) = document_passages([section("x" * 5000)], CARD)
    assert (passage.title, len(passage.text)) == ("Rules — 5.1 Resits", 5000)
    locator = passage.locator
    assert (locator.document, locator.page, locator.article) == ("documents/rules.pdf", 3, "5.1")


def test_a_longer_section_is_split_at_five_thousand_with_a_hundred_of_overlap() -> None:
    text = "".join(chr(ord("a") + place % 26) for place in range(9950))
    assert [passage.text for passage in document_passages([section(text)], CARD)] == [
        text[:5000],
        text[4900:9900],
        text[9800:],
    ]


@pytest.mark.parametrize(
    ("length", "borders"),
    [
        (1, [(0, 1)]),
        (5_000, [(0, 5_000)]),
        (5_001, [(0, 5_000), (4_900, 5_001)]),
        (9_900, [(0, 5_000), (4_900, 9_900)]),
        (9_901, [(0, 5_000), (4_900, 9_900), (9_800, 9_901)]),
    ],
)
def test_the_borders_of_pieces_are_exact(length: int, borders: list[tuple[int, int]]) -> None:
    text = digits(length)
    found = [passage.text for passage in document_passages([section(text)], CARD)]
    assert found == [text[start:end] for start, end in borders]


@settings(max_examples=50, deadline=None)
@given(st.integers(1, 40_000))
def test_pieces_cover_the_text_and_overlap_by_a_hundred(length: int) -> None:
    text = digits(length)
    pieces = [passage.text for passage in document_passages([section(text)], CARD)]
    assert pieces[0] + "".join(piece[100:] for piece in pieces[1:]) == text
    assert all(before[-100:] == after[:100] and len(before) == 5_000 for before, after in pairwise(pieces))
    assert all(len(piece) > 100 for piece in pieces[1:])


def digits(length: int) -> str:
    """A text in which every place is different."""
    return "".join(f"{place:07d}" for place in range(length // 7 + 1))[:length]


def record(mode: Mode, text: str, *, code: str | None = None, topic: str | None = None) -> CatalogRecord:
    return CatalogRecord("trees", mode, f"{code}{topic}", code, "Biology", topic, text, "bio.html", None, None, "en")


def test_a_class_is_one_passage_however_long_and_a_program_is_split() -> None:
    text = digits(9_000)
    records = [record("class", text, code="BIOL 1134"), record("program", text, topic="requirements")]
    assert [(each.mode, each.title, len(each.text)) for each in catalog_passages(records, CARD)] == [
        ("class", "BIOL 1134 Biology", 9_000),
        ("program", "Biology — requirements", 5_000),
        ("program", "Biology — requirements", 4_100),
    ]


def test_a_record_is_found_at_its_address_or_in_its_file() -> None:
    saved = record("class", "Cells.", code="BIOL 1134")
    (passage, live) = catalog_passages([saved, replace(saved, url="https://example.edu/biol")], CARD)
    assert (passage.source, passage.locator.document, passage.locator.url) == ("catalog", "bio.html", None)
    assert (live.locator.document, live.locator.url) == (None, "https://example.edu/biol")


def test_classes_of_a_page_with_the_same_words_are_two_and_the_same_class_is_one() -> None:
    research = record("class", "Independent work.", code="BIOL 4910")
    passages = catalog_passages([research, replace(research, code="CHEM 4910"), research], CARD)
    assert [each.title for each in passages] == ["BIOL 4910 Biology", "CHEM 4910 Biology"]
    assert passages[0].content_hash == passages[1].content_hash


def test_lectures_and_documents_have_no_mode() -> None:
    passages = [*subtitle_passages(lecture(["A tree."]), CARD), *document_passages([section("A rule.")], CARD)]
    assert {passage.mode for passage in passages} == {None}


def test_ids_depend_on_place_and_words_only() -> None:
    cues = lecture(["A tree has nodes."])
    first, again = subtitle_passages(cues, CARD), subtitle_passages(cues, CARD)
    assert first == again
    (other,) = subtitle_passages(lecture(["A tree has edges."]), CARD)
    assert other.passage_id != first[0].passage_id
    assert len(first[0].passage_id) == 16
    assert len(first[0].content_hash) == 64
