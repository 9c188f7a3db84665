"""Situations of a course's life that students put in many words, and the entry of the FAQ that says what holds."""

from pathlib import Path

import course_rows as rows
import pytest
from asked_rows import asking
from asker import Asker

from knowledge_graph.graph.concept_graph import ConceptGraph
from knowledge_graph.lake import schemas, tables
from knowledge_graph.lake.home import DataDir
from serving.assistant.assistant import Assistant
from serving.assistant.composing import yes_no
from serving.assistant.composing.composed import Composed, ComposedStatement
from serving.assistant.composing.lectures import CourseLectureIndex
from serving.assistant.composing.rule_topics import ATTENDANCE, EXAM_FORM, LATE, WEIGHTS, topics_in
from serving.assistant.composing.stored_replies import compose_stored_reply
from serving.assistant.composing.terms import unit_of
from serving.assistant.retrieval.candidates import PairCandidate
from serving.index.schema import Entry
from serving.settings import Settings

ATTEND = "Is attendance compulsory?"
GRADED = "How is the module graded?"
LOOKS = "What does the exam look like?"
SHEETS = "What happens if I hand in an exercise sheet late?"
HOURS = "When are the office hours?"
FAQ = {
    ATTEND: "Lectures are voluntary. Workshops on Friday are not: who misses more than two may not sit the exam.",
    GRADED: "The portfolio has 900 words. The portfolio counts 40% and the written exam 60%.",
    LOOKS: "It lasts two hours. It has nine questions, of which you answer five.",
    SHEETS: "Two marks are taken off for each working day that has begun.",
    HOURS: "Ines Caldera: Monday 9:00 to 10:00. Bo Sandvik: Thursday 15:00 to 16:00, online.",
}


def reply(question: str, *things: str) -> Composed | None:
    stored = tuple(
        PairCandidate(Entry(title, "qa", "faq", "ds", "en", title, text), 1.0) for title, text in FAQ.items()
    )
    units = [unit_of(one, lambda _: 1.0) for one in things]
    return compose_stored_reply(asking(question, *units, stored=stored, spoken="en", kind="logistics"))


@pytest.mark.parametrize(
    ("question", "things", "entry"),
    [
        ("do I have to attend class", ("attend",), ATTEND),
        ("do I have to attend on fridays", ("attend", "fridays"), ATTEND),
        ("what happens if I miss 3 workshops", ("miss", "3", "workshops"), ATTEND),
        ("how much does the portfolio count", ("portfolio", "count"), GRADED),
        ("how long is the exam", ("exam",), LOOKS),
        ("how many questions are in the exam", ("exam",), LOOKS),
        ("how long is the exam and how many questions do i have to answer", ("exam",), LOOKS),
        ("what happens if i hand in the sheet 2 days late", ("hand in", "sheet", "2", "days", "late"), SHEETS),
        ("how do i reach Bo", ("reach", "Bo"), HOURS),
    ],
)
def test_the_entry_on_the_situation_stands_without_a_doubt(question: str, things: tuple[str, ...], entry: str) -> None:
    found = reply(question, *things)
    assert found is not None
    assert entry in found.statements[0].text
    assert not found.note


@pytest.mark.parametrize(
    ("question", "things"),
    [
        ("do I have to attend the gym", ("attend", "gym")),
        ("how much does the essay count", ("essay", "count")),
        ("how much does the exam cost", ("exam", "cost")),
        ("how long is the midterm", ("midterm",)),
        ("how many essays are in the exam", ("exam",)),
        ("can I hand in my report 2 days late", ("hand in", "report", "2", "days", "late")),
        ("how do i reach Ada", ("reach", "Ada")),
        ("what is a portfolio", ("portfolio",)),
    ],
)
def test_an_entry_on_another_thing_is_none_for_it(question: str, things: tuple[str, ...]) -> None:
    assert reply(question, *things) is None


def test_two_entries_on_exams_are_told_by_none() -> None:
    other = PairCandidate(Entry("r", "qa", "faq", "ds", "en", "What does the resit exam look like?", "One hour."), 1.0)
    one = PairCandidate(Entry("e", "qa", "faq", "ds", "en", LOOKS, FAQ[LOOKS]), 1.0)
    exam = unit_of("exam", lambda _: 1.0)
    asked = asking("how long is the exam", exam, stored=(one, other), spoken="en", kind="logistics")
    assert compose_stored_reply(asked) is None


@pytest.mark.parametrize(
    ("question", "title", "text", "things"),
    [
        ("期末占百分之几", "成绩怎么构成？", "总评由作业40%和期末60%组成。", ("期末", "百分之几")),
        ("期末考试多长时间", "期末考试是什么形式？", "笔试，九十分钟。", ("期末考试", "多长时间")),
        ("必须出勤吗", "考勤怎么算？", "缺课三次以上不得参加考试。", ("必须出勤",)),
    ],
)
def test_chinese_situations_have_their_entry_too(question: str, title: str, text: str, things: tuple[str, ...]) -> None:
    units = [unit_of(one, lambda _: 1.0) for one in things]
    stored = (PairCandidate(Entry(title, "qa", "faq", "ds", "zh", title, text), 1.0),)
    found = compose_stored_reply(asking(question, *units, stored=stored, spoken="zh", lang="zh", kind="logistics"))
    assert found is not None
    assert title in found.statements[0].text


@pytest.mark.parametrize(
    ("question", "topic"),
    [
        ("do I have to attend the workshops", ATTENDANCE),
        ("what happens if I miss 3 tutorials", ATTENDANCE),
        ("what if i miss an R session", ATTENDANCE),
        ("how many tutorials can I miss", ATTENDANCE),
        ("how much does the portfolio count", WEIGHTS),
        ("how much does the portfolio count for my grade", WEIGHTS),
        ("how long is the exam", EXAM_FORM),
        ("how many questions does the exam have", EXAM_FORM),
        ("my data report is late, can i still hand it in", LATE),
        ("平时作业占多少分", WEIGHTS),
        ("期末考试要考多久", EXAM_FORM),
    ],
)
def test_a_situation_is_told_by_many_wordings(question: str, topic: object) -> None:
    assert topic in topics_in(question)


@pytest.mark.parametrize(
    "question",
    [
        "how much does each neuron contribute to the output of my network",
        "what should I attend to in attention",
        "堆排序要占多少额外内存",
        "how much does each case count in the mean",
        "I missed the lecture on heaps, what was it about?",
        "can I keep my data report private? it is a file",
    ],
)
def test_subjects_have_no_such_situation(question: str) -> None:
    assert not topics_in(question)


@pytest.fixture
def asked_of_life(tmp_path: Path, graph: ConceptGraph) -> Asker:
    pairs = [rows.pair(f"f{place}", "faq", *one) for place, one in enumerate(FAQ.items())]
    rules = {
        "11": "Hand in the report by Friday. An extension is given only with a medical certificate.",
        "12": "The midterm takes sixty minutes. It is taken online.",
    }
    passages = [
        rows.passage(
            f"r{article}",
            "Rules for the report",
            text,
            {**rows.NOWHERE, "document": "documents/rules.pdf", "article": article},
            source="document",
        )
        for article, text in rules.items()
    ]
    data_dir = DataDir(tmp_path)
    tables.write_table(data_dir.table("passages", "ds"), passages, schemas.PASSAGES)
    index = rows.open_index(tmp_path, qa=pairs, passages=passages)
    settings = Settings(home=tmp_path, model_admission="exam")
    lectures = CourseLectureIndex(data_dir)
    return Asker(Assistant(graph=graph, index=index, intent=None, llm=None, settings=settings, lectures=lectures))


@pytest.mark.parametrize(
    ("question", "entry"),
    [
        ("do i need to come to class", ATTEND),
        ("do I have to be there on Fridays", ATTEND),
        ("can i skip the workshop lectures", ATTEND),
        ("when can i talk to Bo", HOURS),
        ("when is Ines Caldera available", HOURS),
        ("how long is the exam and how many qs do i have to answer", LOOKS),
    ],
)
def test_students_put_it_in_other_words_than_the_faq(asked_of_life: Asker, question: str, entry: str) -> None:
    answer = asked_of_life(question)
    assert answer.text.startswith(f"**FAQ: {entry}**")


def test_a_report_is_no_exercise_sheet(asked_of_life: Asker) -> None:
    answer = asked_of_life("can I hand in my report late")
    assert "medical certificate" in answer.text
    assert answer.coverage == "partial"
    assert not answer.text.startswith("**FAQ")
    assert "sheet late?" in asked_of_life("can I hand in the exercise sheet late").text


def test_the_room_of_an_exam_that_nothing_names_is_not_known(asked_of_life: Asker) -> None:
    assert asked_of_life("whats the room of the exam").coverage == "none"


def test_a_question_that_names_nothing_is_answered_by_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    near = Composed("yes_no", "partial", (ComposedStatement("They go there on Monday."),))
    monkeypatch.setattr(yes_no, "compose_explanation", lambda _: near)
    assert yes_no.compose_yes_no(asking("do they even go there")) is None


def test_how_many_there_are_is_told_by_no_rule_that_counts_something_else(asked_of_life: Asker) -> None:
    answer = asked_of_life("how many questions will the midterm have")
    assert not answer.text.startswith("The rules on this")
