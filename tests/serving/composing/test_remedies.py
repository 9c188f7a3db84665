"""What helps against what the answer before told is what the lecturer says behind it."""

from types import SimpleNamespace

import pytest
from asked_rows import asking
from spoken_rows import one_lecture

from knowledge_graph.lake.records import Locator
from serving.assistant.composing.lectures import CourseLectures, SpokenLecture
from serving.assistant.composing.material import MaterialPiece, line_of
from serving.assistant.composing.remedies import compose_remedy
from serving.assistant.composing.request import Request
from serving.assistant.understanding.wishes import wish_of
from serving.index.schema import Entry

LINES = one_lecture(
    "A line of trains grows slow when it is long.",
    "Each new train waits for all the others.",
    "So what do we do about it?",
    "We build a second track.",
)
CHINESE = one_lecture(
    "每个新的数都只能往右挂，最后变成一条斜线。", "查找就退化成线性的了。", "怎么办？", "让它保持平衡。"
)


def after(lecture: SpokenLecture) -> Request:
    """A request over one lecture, whose one passage is all of it."""
    lang = lecture.sentences[0].lang
    at = Locator(video_id=lecture.video_id, start_ms=0, end_ms=9_000)
    entry = Entry("p", "passage", "subtitle", "ml", lang, "Lecture", lecture.text, locator=at)
    piece = MaterialPiece(entry, tuple(map(line_of, lecture.sentences)))
    course = CourseLectures((lecture,))
    return asking(
        "q", kind="how", lang=lang, material=SimpleNamespace(lectures=course, pieces=lambda *_, **__: [piece])
    )


@pytest.mark.parametrize(
    ("lecture", "remedy"),
    [(LINES, "So what do we do about it? We build a second track."), (CHINESE, "怎么办？让它保持平衡。")],
)
def test_the_remedy_is_told_from_where_the_lecturer_comes_to_it(lecture: SpokenLecture, remedy: str) -> None:
    shown = f"**{lecture.sentences[0].text}** {lecture.sentences[1].text} [1]\n\nSomething else. [2]"
    found = compose_remedy(after(lecture), shown)
    assert found is not None
    assert [one.text for one in found.statements] == [remedy]
    assert found.statements[0].evidence is not None
    assert found.statements[0].evidence.locator is not None
    assert found.statements[0].evidence.locator.start_ms == 2000


def test_there_is_none_behind_what_was_not_shown_or_has_none() -> None:
    assert compose_remedy(after(LINES), "Something else. [1]") is None
    assert compose_remedy(after(one_lecture(*(one.text for one in LINES.sentences[:2]))), LINES.text) is None


@pytest.mark.parametrize(
    "text",
    [
        "那怎么解决",
        "怎么办呢？",
        "那要怎么避免这种情况",
        "so how do we fix that?",
        "what then",
        "how can we avoid this problem",
    ],
)
def test_a_remedy_is_wished_for_without_words_of_its_own(text: str) -> None:
    assert wish_of(text) == "remedy"


@pytest.mark.parametrize(
    "text", ["哈希冲突怎么解决", "how do we fix a leaking stack", "what is it then", "how do we do that"]
)
def test_what_names_its_own_trouble_wishes_for_no_remedy(text: str) -> None:
    assert wish_of(text) == ""
