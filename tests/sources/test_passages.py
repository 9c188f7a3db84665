"""Windows of a lecture and pieces of documents: whole cues, right times, stable ids."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from knowledge_graph.records import CourseCard, Cue, Lang, Section
from knowledge_graph.sources.passages import MAX_SECONDS, document_passages, subtitle_passages

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


def section(text: str) -> Section:
    return Section("trees", "documents/rules.pdf", "Rules", 4, 3, "5.1", "Resits", text, "en")


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


def test_ids_depend_on_place_and_words_only() -> None:
    cues = lecture(["A tree has nodes."])
    first, again = subtitle_passages(cues, CARD), subtitle_passages(cues, CARD)
    assert first == again
    (other,) = subtitle_passages(lecture(["A tree has edges."]), CARD)
    assert other.passage_id != first[0].passage_id
    assert len(first[0].passage_id) == 16
    assert len(first[0].content_hash) == 64
