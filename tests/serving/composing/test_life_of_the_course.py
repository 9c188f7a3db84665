"""Questions for dates and rules in a course that has lectures alone: "final" said of anything else is no exam."""

import dataclasses
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import course_rows as rows
import pytest
from asked_rows import asking
from asker import Asker
from spoken_rows import one_lecture

from knowledge_graph.graph.concept_graph import ConceptGraph
from knowledge_graph.lake import schemas
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.records import CourseCard, Cue, Locator
from knowledge_graph.lake.tables import write_table
from knowledge_graph.transcripts.sentences import lecture_sentences
from serving.assistant.assistant import Assistant
from serving.assistant.composing import logistics
from serving.assistant.composing.composed import Composed, ComposedStatement
from serving.assistant.composing.composers import _explain_beside_life
from serving.assistant.composing.course_parts import is_of_another_part
from serving.assistant.composing.expected_replies import find_expected_pattern
from serving.assistant.composing.lectures import CourseLectureIndex, CourseLectures
from serving.assistant.composing.logistics import (
    _says_of_what,
    _speaks_of_the_course,
    compose_nearest_rule,
    is_about_the_course,
    lacks_a_price,
)
from serving.assistant.composing.material import CourseMaterialIndex, MaterialLine, MaterialPiece
from serving.assistant.composing.request import Request
from serving.assistant.composing.teachers import compose_lectures_of_teachers, compose_named_teacher
from serving.assistant.composing.terms import QuestionUnit, unit_of
from serving.assistant.composing.wording import wording
from serving.assistant.retrieval.candidates import PairCandidate
from serving.index.analysis import terms
from serving.index.evidence import Evidence
from serving.index.schema import Entry
from serving.index.search import SearchIndex
from serving.settings import Settings

SAID = [
    "We look at the final evaluation of the algorithm on the test set.",
    "These features then get fed to the output layer, and finally to the final network.",
    "The first portion is the training set, and the test set is worth 30% of the points in the final score.",
    "Submit your homework with the submission script, which asks for your password.",
]


@pytest.fixture
def lectures_alone(tmp_path: Path, graph: ConceptGraph) -> Asker:
    cues = [
        Cue("ds", "01 nets", "Nets", 0, place, 5_000 * place, 5_000 * place + 5_000, text, "en")
        for place, text in enumerate(SAID)
    ]
    at = {**rows.NOWHERE, "video_id": "01 nets", "video_title": "Nets", "start_ms": 0, "end_ms": 15_000}
    said = [dataclasses.asdict(one) for one in lecture_sentences(cues, "ds")]
    sentences = [{name: one[name] for name in schemas.LECTURE_SENTENCES.names} for one in said]
    write_table(DataDir(tmp_path).table("lecture_sentences", "ds"), sentences, schemas.LECTURE_SENTENCES)
    passage = rows.passage("01 nets", "Nets", " ".join(SAID), at)
    index = rows.open_index(tmp_path, qa=[], passages=[passage])
    settings = Settings(home=tmp_path, model_admission="exam")
    lectures = CourseLectureIndex(DataDir(tmp_path))
    return Asker(Assistant(graph=graph, index=index, intent=None, llm=None, settings=settings, lectures=lectures))


@pytest.mark.parametrize(
    "question",
    [
        "when is the final exam",
        "is there a final exam?",
        "is the final exam hard",
        "how many points is the final exam worth",
        "how is the final grade computed in the end",
    ],
)
def test_a_final_evaluation_is_no_final_exam(lectures_alone: Asker, question: str) -> None:
    answer = lectures_alone(question)
    assert (answer.coverage, answer.references) == ("none", ())
    assert "Taken as" not in answer.text


def test_what_a_lecture_does_say_of_homework_is_shown_as_near(lectures_alone: Asker) -> None:
    answer = lectures_alone("how do i submit the homework")
    assert answer.coverage == "partial"
    assert "submission script" in answer.text


@pytest.mark.parametrize(
    "question",
    [
        "how many weeks is this course",
        "how long are the lectures",
        "how long does the course take",
        "when does the term start",
    ],
)
def test_when_a_course_begins_and_how_long_it_is_belong_to_its_life(question: str) -> None:
    assert is_about_the_course(question)


def test_how_long_something_takes_does_not() -> None:
    assert not is_about_the_course("how long does merge sort take")


@pytest.mark.parametrize(
    "question", ["what language does the course use", "这门课用什么语言", "which languages can we use"]
)
def test_the_language_to_write_in_is_of_the_course(question: str) -> None:
    assert is_about_the_course(question)


def test_who_is_asked_is_somebody_to_write_to() -> None:
    wanted = find_expected_pattern("who do i ask about my grade")
    assert wanted is not None
    assert wanted.search("A participant who disagrees first writes to the course coordinator.")
    assert not wanted.search("A participant passes with a final grade of at least 60%.")


@pytest.mark.parametrize("question", ["期末考试占多少分", "期末占多少", "how much does the final exam count"])
def test_what_something_counts_is_a_share(question: str) -> None:
    wanted = find_expected_pattern(question)
    assert wanted is not None
    assert all(map(wanted.search, ["期末考试占百分之四十。", "考试 40 分", "The exam is worth 40%."]))
    assert not wanted.search("比如学生假装成教授，访问期末考试的文件。操作系统会占大约 1 Mb 内存。")


@pytest.mark.parametrize("question", ["the length of the midterm?", "duration of the final exam", "期末考试时长"])
def test_how_long_an_exam_is_may_be_asked_by_a_noun(question: str) -> None:
    wanted = find_expected_pattern(question)
    assert wanted is not None
    assert wanted.search("The midterm takes sixty minutes.")
    assert not wanted.search("There is no resit of the midterm.")


@pytest.mark.parametrize(
    "question",
    ["what's the room of the exam", "where is the final exam", "which room is the class in", "期末考试的地点"],
)
def test_a_room_is_told_by_its_name_or_number(question: str) -> None:
    wanted = find_expected_pattern(question)
    assert wanted is not None
    assert all(map(wanted.search, ["It is in Hall B.", "Come to room 3.12.", "In the Olsen Theatre.", "明德楼203"]))
    assert not any(map(wanted.search, ["There is little room for error.", "Written exam, 40%", "In the exam room"]))


def test_a_percentage_is_no_number_of_another_thing() -> None:
    wanted = find_expected_pattern("代码查重超过百分之多少算抄袭")
    assert wanted is not None
    assert wanted.search("超过百分之三十算抄袭。")
    assert not wanted.search("第二次发现的，取消合格证书的申请资格。")


@pytest.mark.parametrize(
    ("line", "names_a_price"),
    [
        ("The certificate is issued free of charge.", True),
        ("The certificate is free.", True),
        ("A wrong name is corrected free of charge within one year after the certificate was issued.", False),
        ("The ideas carry over, so you are free to practise in any language.", False),
    ],
)
def test_a_price_is_of_the_thing_that_is_asked_about(line: str, names_a_price: bool) -> None:
    wanted = find_expected_pattern("is the certificate free")
    assert wanted is not None
    assert (wanted.search(line) is not None) is names_a_price


@pytest.mark.parametrize(
    ("question", "answer", "lacks"),
    [
        ("how much is the certificate", "**FAQ: How do I get the certificate?**\nYou pass the course.", True),
        ("how much is the certificate", "The certificate is free.", False),
        ("does the course cost anything", "**FAQ: Is the course free?**\nYes.", False),
        ("how do I get the certificate", "You pass the course.", False),
    ],
)
def test_what_names_no_price_does_not_answer_what_something_costs(question: str, answer: str, lacks: bool) -> None:
    found = Composed("logistics", "full", (ComposedStatement(answer),), score=1.0)
    assert lacks_a_price(asking(question), found) is lacks


def ruled(
    index: SearchIndex, question: str, meanings: list[float], cosines: list[float], words: float = 0.0
) -> Request:
    """A request of which rules were found with these meanings, and entries of the FAQ with these cosines."""
    [hit] = index.search("grade", kind="qa", course_id="ds", k=1)
    lines = (MaterialLine("A wrong name is corrected free of charge."),)
    faq, entry = replace(hit.entry, source="faq"), replace(hit.entry, source="document")
    request = SimpleNamespace(
        kind="other",
        question=question,
        spoken="en",
        units=(),
        catalogue=SimpleNamespace(classes={}),
        stored=[PairCandidate(faq, 0.4, 0.0, {"cosine": one}) for one in cosines],
        pieces=[MaterialPiece(entry, lines, words=words, meaning=one) for one in meanings],
    )
    return cast(Request, request)


@pytest.mark.parametrize(
    ("meanings", "cosines", "words", "told"),
    [
        ([0.63, 0.37], [], 0.0, "free of charge"),
        ([0.63, 0.5], [], 0.0, None),
        ([0.42, 0.36], [], 0.81, "free of charge"),
        ([0.3, 0.0], [], 0.9, None),
        ([], [0.51, 0.36], 0.0, "FAQ: "),
        ([], [0.51, 0.47], 0.0, None),
        ([], [], 0.0, None),
    ],
)
def test_the_rule_that_stands_out_in_meaning_is_shown_under_a_doubt(
    index: SearchIndex, meanings: list[float], cosines: list[float], words: float, told: str | None
) -> None:
    found = compose_nearest_rule(ruled(index, "can her name be put right?", meanings, cosines, words))
    assert (found is None) == (told is None)
    if found is not None and told is not None:
        assert told in found.statements[0].text
        assert (found.coverage, bool(found.note), bool(found.after)) == ("partial", True, True)


@pytest.mark.parametrize(
    ("said", "is_shown"), [("Each assignment to x is a definition.", False), ("The deadline of A1 is Friday.", True)]
)
def test_a_slide_on_the_subject_is_no_rule_of_the_course(index: SearchIndex, said: str, is_shown: bool) -> None:
    request = ruled(index, "can i hand in assignment 1 late", [0.63, 0.37], [])
    slide = Locator(document="documents/deck.pptx", page=16)
    pieces = [replace(one, entry=replace(one.entry, locator=slide, text=said)) for one in request.pieces]
    of_slides = cast(Request, SimpleNamespace(**(vars(request) | {"pieces": pieces})))
    assert (compose_nearest_rule(of_slides) is not None) is is_shown


@pytest.mark.parametrize(
    ("question", "spoken", "is_told"),
    [
        ("who is Ada Byron?", "en", True),
        ("so who's byron", "en", True),
        ("Ada Byron是谁", "zh", True),
        ("who is Ada Byron's husband", "en", False),
        ("who is Grace", "en", False),
        ("who is a", "en", False),
    ],
)
def test_whoever_teaches_is_known_by_name(question: str, spoken: str, is_told: bool) -> None:
    card = CourseCard("ds", "Data structures", "en", instructors=("Ada Byron", "Alan"))
    told = compose_named_teacher(
        cast(Request, SimpleNamespace(asked=question, question=question, spoken=spoken, card=card))
    )
    assert (told is not None and "Ada Byron" in told.statements[0].text) is is_told
    assert compose_named_teacher(cast(Request, SimpleNamespace(asked=question, question=question, card=None))) is None


@pytest.mark.parametrize(
    ("question", "is_told"),
    [
        ("林小舟老师教哪几讲", True),
        ("第三讲是谁上的", True),
        ("林老师上哪几讲", True),
        ("which lectures does Ada Byron teach?", True),
        ("林小舟老师办公室在哪", False),
        ("第三讲讲了谁的理论", False),
    ],
)
def test_who_gives_which_lectures_is_told_by_the_line_that_says_so(question: str, *, is_told: bool) -> None:
    lines = (
        ("Lectures 1 to 4 are given by Ada Byron.",) if question.isascii() else ("任课教师：林小舟（第一至四讲）。",)
    )
    entry = Entry("p", "passage", "document", "ds", "zh", "大纲", lines[0], locator=None)
    piece = MaterialPiece(entry, tuple(MaterialLine(text) for text in ("本课三个学分。", *lines)), words=1.0)
    card = CourseCard("ds", "数据结构", "zh", instructors=("林小舟", "Ada Byron"))
    material = SimpleNamespace(pieces=lambda *_, **__: (piece,))
    request = SimpleNamespace(asked=question, question=question, spoken="zh", lang="zh", card=card, material=material)
    told = compose_lectures_of_teachers(cast(Request, request))
    assert (told is not None and told.statements[0].text == lines[0]) is is_told


def test_an_entry_whose_answer_is_on_the_situation_is_quoted_in_doubt() -> None:
    entries = (
        Entry("f1", "qa", "faq", "ds", "zh", "作业迟交怎么办？", "每迟一天扣一成。"),
        Entry("f2", "qa", "faq", "ds", "zh", "期末考什么？", "期末考试闭卷，一百分钟。"),
    )
    asked = {"units": (unit_of("期末", lambda _: 1.0),), "kind": "logistics", "spoken": "zh", "lang": "zh"}
    stored = [PairCandidate(one, 0.4) for one in entries]
    request = SimpleNamespace(question="期末可以带小抄吗", stored=stored, **asked)
    told = logistics._quote_on_topic(cast(Request, request))
    assert told is not None
    assert (told.coverage, told.note) == ("partial", wording("zh").faq_noted)
    assert "闭卷" in told.statements[0].text
    other = SimpleNamespace(question="期末考试难吗", stored=stored, **asked)
    assert logistics._quote_on_topic(cast(Request, other)) is None


@pytest.mark.parametrize(
    ("words", "is_told"), [(("熬夜", "背书"), True), (("计算器",), False), (("熬夜", "带"), False)]
)
def test_what_the_lectures_say_of_the_subject_answers_what_only_sounds_like_a_rule(
    words: tuple[str, ...], *, is_told: bool
) -> None:
    said = ("先讲一个故事。", "熬夜背书，等于白背，因为睡着了才记得牢。", "计算器也是一样。")
    place = Locator(video_id="v", start_ms=0, end_ms=60_000)
    entry = Entry("p", "passage", "subtitle", "ds", "zh", "记忆", "".join(said), locator=place)
    lines = tuple(MaterialLine(text, 1000 * at, 1000 * at + 900, 0.6) for at, text in enumerate(said))
    piece = MaterialPiece(entry, lines, 1.0, 0.6)
    units = tuple(unit_of(one, lambda _: 1.0) for one in ("明天", "考试", *words))
    units = tuple(dataclasses.replace(one, is_known=True) for one in units)
    request = Request(
        question=f"明天考试，{''.join(words)}有用吗",
        kind="logistics",
        lang="zh",
        spoken="zh",
        units=units,
        aspects=(),
        concepts=(),
        stored=(),
        find_pieces=lambda: (piece,),
        material=cast(CourseMaterialIndex, SimpleNamespace(lectures=CourseLectures((one_lecture(*said),)))),
        graph=ConceptGraph.from_rows([], [], []),
    )
    found = _explain_beside_life(request)
    assert (found is not None) is is_told
    if found is not None:
        assert "白背" in found.statements[0].text
        assert found.note
    assert _explain_beside_life(dataclasses.replace(request, kind="yes_no")) is None


@pytest.mark.parametrize(
    ("text", "meaning", "lang", "may_answer"),
    [
        ("I have some friends who work on this too.", 0.51, "en", False),
        ("Work with a friend if you like.", 0.8, "en", True),
        ("I have some friends who work on this too.", 0.51, "zh", True),
        ("Friends may hand in one homework.", 0.1, "en", True),
    ],
)
def test_a_lecture_says_something_of_the_course_where_it_means_it(
    text: str, meaning: float, lang: str, may_answer: bool
) -> None:
    at = Locator(video_id="v")
    evidence = SimpleNamespace(locator=at, text=text, source="subtitle", title="Centers", document=None)
    piece = SimpleNamespace(lines=(MaterialLine(text, meaning=meaning),))
    unit = QuestionUnit("friend", (frozenset({"friend"}),), 1.0)
    request = SimpleNamespace(units=(unit,), lang=lang, is_compared=True, pieces=(piece,))
    said = ComposedStatement(text, cast(Evidence, evidence))
    assert _speaks_of_the_course(said, cast(Request, request)) is may_answer


def test_the_length_of_an_exam_is_not_that_of_a_video() -> None:
    assert not _says_of_what("how long are the videos", "The midterm takes sixty minutes.")
    assert _says_of_what("how long are the videos", "Each video takes ten minutes.")
    assert not _says_of_what("how long are the lectures", "Lecturers: Ada Brandt. Two runs a year.")
    assert _says_of_what("how long is it", "The midterm takes sixty minutes.")
    assert not _says_of_what("视频有多长", "期中考试一个小时。")


@pytest.mark.parametrize(
    ("asked", "rule", "is_other"),
    [
        ("quiz", "A participant may take one resit of the final exam.", True),
        ("quiz", "A quiz can be taken twice.", False),
        ("quiz", "If the connection fails during an exam, this is reported.", True),
        ("midterm", "If the connection fails during an exam, this is reported.", False),
        ("midterm", "The resit replaces the final exam.", True),
        ("quiz", "Illness is reported within five days.", False),
        ("quiz", "The coordinator reports this to the board.", False),
        ("homework", "Hand in the report by Friday.", True),
        ("report", "Hand in the report by Friday.", False),
        ("report", "An assignment may be late by two days.", True),
        ("essay", "The report has five parts.", True),
    ],
)
def test_the_rule_of_another_part_of_the_course_is_no_rule_on_this(asked: str, rule: str, is_other: bool) -> None:
    parts = [QuestionUnit(asked, (frozenset(terms(asked)),), 1.0)]
    assert is_of_another_part(rule, parts) is is_other
    assert not is_of_another_part(rule, [])
