"""What the taggers found is kept per video, and gives the same words as parsing again."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge_graph.concepts import tagging
from knowledge_graph.concepts.parses import Parse, Parses
from knowledge_graph.concepts.tagging import tag
from knowledge_graph.lake.records import Lang
from knowledge_graph.text.sentences import LectureSpan

LECTURES = {
    "v1": ["The K-means algorithm splits the training set.", "A cut - well, a split - is repeated."],
    "v2": ["Gradient descent follows the gradient."],
    "v3": ["栈是一种线性表。", "红黑树 is a search tree"],
}


def sentence(video: str, number: int, text: str) -> LectureSpan:
    lang: Lang = "zh" if video == "v3" else "en"
    return LectureSpan(video, video, int(video[1:]), lang, number * 1000, number * 1000 + 900, text)


def course(*videos: str) -> list[LectureSpan]:
    return [sentence(video, number, text) for video in videos for number, text in enumerate(LECTURES[video])]


def test_an_added_video_is_the_only_one_parsed(tmp_path: Path) -> None:
    path = tmp_path / "parses.parquet"
    before = Parses(path)
    list(tag(course("v1", "v3"), parses=before))
    before.save()
    after = Parses(path)
    found = list(tag(course("v1", "v2", "v3"), parses=after))
    assert (before.parsed, before.reused) == (2, 0)
    assert (after.parsed, after.reused) == (1, 2)
    assert found == list(tag(course("v1", "v2", "v3")))


def test_one_changed_word_parses_that_video_again(tmp_path: Path) -> None:
    first = Parses(tmp_path / "p")
    list(tag(course("v1", "v2"), parses=first))
    first.save()
    edited = [*course("v1")[:1], sentence("v1", 1, "A cut is repeated."), *course("v2")]
    second = Parses(tmp_path / "p")
    list(tag(edited, parses=second))
    assert (second.parsed, second.reused) == (1, 1)


def test_parses_of_videos_that_are_gone_are_forgotten(tmp_path: Path) -> None:
    for videos in (("v1", "v2"), ("v2",), ("v1",)):
        parses = Parses(tmp_path / "p")
        list(tag(course(*videos), parses=parses))
        parses.save()
    assert (parses.parsed, parses.reused) == (1, 0)


def test_same_lectures_give_the_same_file(tmp_path: Path) -> None:
    contents = []
    for name in ("one", "two"):
        parses = Parses(tmp_path / name)
        list(tag(course("v1", "v2", "v3"), parses=parses))
        parses.save()
        contents.append((tmp_path / name).read_bytes())
    assert contents[0] == contents[1]


def test_a_broken_file_of_parses_only_costs_time(tmp_path: Path) -> None:
    (tmp_path / "p").write_bytes(b"PAR1 no table")
    parses = Parses(tmp_path / "p")
    assert [item.words for item in tag(course("v2"), parses=parses)] == [
        ("Gradient", "descent", "follows", "the", "gradient", ".")
    ]
    parses.save()
    assert Parses(tmp_path / "p").of("other tagger", [], lambda texts: []) == []


def test_another_version_of_a_tagger_parses_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = Parses(tmp_path / "p")
    list(tag(course("v2"), parses=first))
    first.save()
    monkeypatch.setattr(tagging, "_version", lambda lang: "next year's")
    second = Parses(tmp_path / "p")
    list(tag(course("v2"), parses=second))
    assert (second.parsed, second.reused) == (1, 0)


def test_terms_given_later_are_kept_whole_without_parsing_again(tmp_path: Path) -> None:
    first = Parses(tmp_path / "p")
    list(tag(course("v3"), parses=first))
    first.save()
    second = Parses(tmp_path / "p")
    found = list(tag(course("v3"), ["红黑树"], parses=second))
    assert second.reused == 1
    assert ("红黑树", "seed") in [pair for item in found for pair in zip(item.words, item.tags, strict=True)]


def test_a_killed_build_loses_no_more_than_fifty_videos(tmp_path: Path) -> None:
    told: list[int] = []
    parses = Parses(tmp_path / "p", on_parsed=told.append)
    for number in range(60):
        parses.of("t", [f"text {number}"], lambda texts: [Parse(("NN",), (0,), (4,)) for _ in texts])
    again = Parses(tmp_path / "p")
    for number in range(60):
        again.of("t", [f"text {number}"], lambda texts: [Parse(("NN",), (0,), (4,)) for _ in texts])
    assert told == list(range(1, 61))
    assert (again.reused, again.parsed) == (50, 10)


words = st.lists(
    st.tuples(st.integers(0, 9), st.integers(0, 9), st.sampled_from(["NN", "x", "_SP", "-LRB-"])), max_size=4
)


@given(st.lists(words, max_size=4))
def test_what_is_kept_comes_back_as_it_was(
    tmp_path_factory: pytest.TempPathFactory, rows: list[list[tuple[int, int, str]]]
) -> None:
    parsed = [
        Parse(tuple(t for _, _, t in row), tuple(a for a, _, _ in row), tuple(b for _, b, _ in row)) for row in rows
    ]
    path = tmp_path_factory.mktemp("parses") / "p"
    first = Parses(path)
    first.of("t", ["text"], lambda texts: parsed)
    first.save()
    assert Parses(path).of("t", ["text"], lambda texts: pytest.fail("parsed again")) == parsed
