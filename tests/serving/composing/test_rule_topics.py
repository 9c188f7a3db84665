"""Rules asked for in words that no rule has: the site was down, a mate, what lies on the desk."""

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import Mock

import course_rows as rows
import pytest
from asked_rows import asking, spoken
from asker import Asker

from knowledge_graph.graph.concept_graph import ConceptGraph
from knowledge_graph.lake import schemas, tables
from knowledge_graph.lake.home import DataDir
from serving.assistant.assistant import Assistant
from serving.assistant.composing.composed import ComposedStatement
from serving.assistant.composing.expected_replies import ASKS_A_PRICE
from serving.assistant.composing.lectures import CourseLectureIndex
from serving.assistant.composing.logistics import (
    _asks_when_due,
    _is_told_of_topic,
    _may_rule,
    _of_topics,
    is_about_the_course,
)
from serving.assistant.composing.material import MaterialLine, MaterialPiece
from serving.assistant.composing.request import Request
from serving.assistant.composing.rule_topics import TOPICS, is_of_another_skill, names_skill_of, topics_in
from serving.assistant.composing.stored import with_faq_of_topics
from serving.assistant.composing.terms import QuestionUnit, terms_of, units_of
from serving.assistant.retrieval.candidates import PairCandidate
from serving.index.schema import Entry, Locator
from serving.settings import Settings

RULES = {
    "1.1": "Participants should be able to write small programs. School mathematics is enough.",
    "3.3": "Programming assignments are submitted in Python 3 and are tested automatically.",
    "3.5": "The midterm takes sixty minutes and the final exam two hours. Both are taken online.",
    "4.1": "Work is due on Sundays at 23:59.",
    "4.2": "An assignment that is late loses ten points for each day after its deadline.",
    "4.3": "In the case of illness or another serious reason the coordinator can extend a deadline.",
    "2.5": "Somebody who leaves the run before the end of week four is treated as never enrolled.",
    "3.4": "A quiz can be taken twice. The higher score counts.",
    "3.7": "Of the ten quizzes the eight with the highest scores are used.",
    "4.6": "At most two late days can be used for one piece of work.",
    "4.7": "There are no late days for quizzes and exams.",
    "3.6": "If the connection fails during an exam, this is reported within a day.",
    "4.4": "If the platform was not available for two hours, the deadline moves by a day for everybody.",
    "5.1": "In both exams one handwritten sheet of paper may be used. All other material is forbidden.",
    "5.2": "There is no resit of the midterm.",
    "5.3": "The result of the resit replaces the result of the final exam, even if it is lower.",
    "6.1": "Participants may discuss an assignment. They may not share or copy code of graded work.",
    "6.2": "The coordinator may give a warning or grade the work with zero points. In a serious case the participant "
    "is excluded.",
    "7.1": "Participants who need an adjustment because of a disability ask the coordinator for it.",
    "7.2": "A certificate is issued with distinction if the final grade is at least 85%.",
    "8.1": "Questions are stored without a name and deleted after two years.",
}


@pytest.fixture
def asked_of_rules(tmp_path: Path, graph: ConceptGraph) -> Asker:
    passages = [
        rows.passage(
            f"r{article}",
            "Regulations",
            text,
            {**rows.NOWHERE, "document": "documents/rules.pdf", "article": article},
            source="document",
        )
        for article, text in RULES.items()
    ]
    data_dir = DataDir(tmp_path)
    tables.write_table(data_dir.table("passages", "ds"), passages, schemas.PASSAGES)
    index = rows.open_index(tmp_path, qa=[], passages=passages)
    settings = Settings(home=tmp_path, model_admission="exam")
    lectures = CourseLectureIndex(data_dir)
    return Asker(Assistant(graph=graph, index=index, intent=None, llm=None, settings=settings, lectures=lectures))


@pytest.mark.parametrize(
    ("question", "article"),
    [
        ("what's allowed on my desk during the final", "5.1"),
        ("can I bring a calculator to the midterm?", "5.1"),
        ("Are calculators ok in the final", "5.1"),
        ("can i give a mate my finished program once it is over", "6.1"),
        ("can my roommate and I write the homework together", "6.1"),
        ("is it ok to work with a friend on the homework", "6.1"),
        ("am i allowed to work with a friend", "6.1"),
        ("can we do the assignment in pairs", "6.1"),
        ("may we team up", "6.1"),
        ("is it ok to discuss exercises with classmates", "6.1"),
        ("can I take the course without programming experience", "1.1"),
        ("i have never programmed, is this course for me?", "1.1"),
        ("how much math do I need", "1.1"),
        ("do I need a background in math", "1.1"),
        ("what background is needed for this course", "1.1"),
        ("what programming language and background do I need for this course?", "1.1"),
        ("what happens if I get caught copying code", "6.2"),
        ("is there a penalty for handing in an assignment late", "4.2"),
        ("the site was down all sunday evening, is my homework late now?", "4.4"),
        ("my dog ate my laptop, can i get an extension", "4.3"),
        ("my internet went down in the middle of the final, what now?", "3.6"),
        ("i have dyslexia, do i get longer for the tests", "7.1"),
        ("If I do worse when I sit the final a second time, which result counts?", "5.3"),
        ("i failed the midterm, how do i register for its resit", "5.2"),
        ("what happens if i miss one of the quizzes", "3.7"),
        ("can i skip a quiz", "3.7"),
        ("can i use java", "3.3"),
        ("can we write the homework in c++", "3.3"),
        ("what score would earn me honours on the diploma", "7.2"),
        ("are my questions stored, or can I delete my data?", "8.1"),
    ],
)
def test_the_rule_for_a_situation_comes_first_in_whatever_words_it_is_told(
    asked_of_rules: Asker, question: str, article: str
) -> None:
    answer = asked_of_rules(question)
    assert answer.references[0].locator is not None
    assert answer.references[0].locator.article == article
    assert answer.text.startswith("The rules on this:")
    assert len(answer.references) <= 4


@pytest.mark.parametrize(
    ("question", "rule", "is_other"),
    [
        ("how much math do I need", "Participants can write small programs.", True),
        ("how much math do I need", "School mathematics is enough.", False),
        ("can i take it without programming and math", "Participants can write small programs.", False),
        ("数学要学到什么程度", "建议先修程序设计基础。", True),
        ("数学要学到什么程度", "高中数学够用。", False),
        ("没学过编程能学吗", "没有先修课。", False),
    ],
)
def test_a_rule_on_one_skill_says_nothing_of_another(question: str, rule: str, *, is_other: bool) -> None:
    assert is_of_another_skill(question, rule) is is_other
    assert not (is_other and names_skill_of(question, rule))


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("I work full time, can I follow the meetings?", "All meetings are in the evening."),
        ("我白天要上班，能参加吗", "课程都在晚上。"),
        ("what happens if we hand in a phase four days late", "Each day of delay costs a tenth of the points."),
        ("考试的时候断网了怎么办", "考试中网络中断的，一天内报告。"),
        ("my name is spelled wrong on the certificate, how do I get it fixed", "A wrong name is corrected for free."),
        ("证书上我的名字写错了", "证书上的姓名申请之后不能修改。"),
        ("If I fail this run do my assignment points count next time?", "Results are not carried over to a later run."),
        ("When is the application deadline", "Applications open on 1 November and close on 15 March."),
        ("where do I send my transcripts?", "Send transcripts to the registrar."),
        ("is it my last or the best one that counts", "The higher score counts."),
        ("测验没考好，证书还能拿到吗", "总评达到六十分为合格。"),
        ("考试没考好，分数是怎么算的", "总评按百分制计算：测验占百分之二十。"),
        ("how many attempts do I get on the quizzes", "A quiz can be taken twice."),
        ("how often can we resubmit an assignment?", "It can be handed in without limit before the deadline."),
        ("测验可以做几次", "每个测验可以作答两次。"),
        ("when do grades come out", "Marks are posted within two weeks after the exam."),
        ("how long until the midterm is graded?", "Results are published within ten working days."),
        ("什么时候出成绩", "成绩在考试结束后两周内公布。"),
        ("what's the late penalty", "Ten points are taken off for each day after the deadline."),
        ("is group work allowed?", "Each participant does the essay on their own."),
        ("can I use code that I found on stack overflow", "Text taken from others must be marked with their source."),
        ("I found a mistake in my grading", "Who disagrees with a mark writes to the office."),
        ("are calculators allowed?", "No calculator may be used in the exam."),
        ("is the exam online?", "The exam takes ninety minutes on paper."),
    ],
)
def test_a_situation_is_known_by_how_students_tell_it_and_rules_put_it(question: str, said: str) -> None:
    assert any(one.said.search(said) for one in topics_in(question))


def test_a_rule_that_no_text_has_a_word_of_is_not_made_up_from_the_nearest(asked_of_rules: Asker) -> None:
    for question in ("is attendance mandatory", "do i need a kayak for the assignment"):
        answer = asked_of_rules(question)
        assert (answer.coverage, answer.references) == ("none", ())


@pytest.mark.parametrize(
    "question",
    ["how much does the course cost", "is this course free", "can i get a refund", "how much is the certificate?"],
)
def test_no_rule_that_names_no_price_answers_what_it_costs(asked_of_rules: Asker, question: str) -> None:
    answer = asked_of_rules(question)
    assert (answer.coverage, answer.references) == ("none", ())


@pytest.mark.parametrize(
    ("question", "lack"),
    [
        ("do I have to pay for the certificate?", "names no price"),
        ("how high is the exam fee", "names no price"),
        ("when is the final exam?", "gives no date"),
        ("when is the midterm", "gives no date"),
    ],
)
def test_what_is_lacking_is_named_where_no_line_has_a_price_or_a_date(
    asked_of_rules: Asker, question: str, lack: str
) -> None:
    assert lack in asked_of_rules(question).text


def test_a_refund_is_denied_by_its_name_beside_the_rule_on_leaving(asked_of_rules: Asker) -> None:
    answer = asked_of_rules("Can I get a refund if I drop out in week 3?")
    assert answer.text.startswith("The material says nothing about refunds.")
    assert [one.locator.article for one in answer.references if one.locator is not None] == ["2.5"]


@pytest.mark.parametrize(
    ("question", "article"),
    [
        ("how many times can i take each quiz", "3.4"),
        ("how many goes do i get at a quiz", "3.4"),
        ("can I use late days on a quiz?", "4.7"),
    ],
)
def test_a_rule_that_says_all_that_is_asked_stands_without_a_doubt(
    asked_of_rules: Asker, question: str, article: str
) -> None:
    answer = asked_of_rules(question)
    assert answer.text.startswith(RULES[article])


def test_a_date_that_a_rule_gives_is_not_said_to_be_lacking(asked_of_rules: Asker) -> None:
    answer = asked_of_rules("when is work due?")
    assert "gives no date" not in answer.text
    assert "Sundays at 23:59" in answer.text


def test_paying_attention_and_what_a_lookup_costs_are_no_prices() -> None:
    asked = ("what does a lookup in a hash table cost", "do I have to pay attention to the order", "when is the exam?")
    asked += ("what do we have to pay for the flexibility of a linked list", "how much is the final exam worth")
    assert not any(ASKS_A_PRICE.search(one) for one in asked)


@pytest.mark.parametrize(
    ("question", "is_due"),
    [
        ("when is the final", True),
        ("when is the final homework due", True),
        ("when is high error due to variance?", False),
        ("when is the final layer used", False),
        ("期末是几号考？", True),
    ],
)
def test_what_is_due_to_something_or_final_is_not_asked_for_its_date(question: str, is_due: bool) -> None:
    assert _asks_when_due(question) is is_due


def test_what_an_operation_costs_is_no_price(asked_of_rules: Asker) -> None:
    assert not is_about_the_course("how much does a lookup cost", names_concept=True)
    assert not is_about_the_course("how expensive is a push")


@pytest.mark.parametrize(
    "question",
    [
        "how does a stack work together with a queue",
        "why is the tree copied before the node is deleted",
        "what is a hash table",
        "how many attempts does binary search need",
        "how does a calculator add two numbers",
        "how many times does the inner loop run",
        "where does my code go from the stack to the heap",
        "when are the results of a comparison used",
        "can a queue be shared by two threads",
        "what is the identity matrix",
        "what is an anonymous function",
        "what is differential privacy",
        "what is a file extension",
        "how do the two solutions work together",
        "what happens when a server is down",
        "why does the system crash when my memory is full",
        "what if a node died during replication",
        "do we use the parameters in the test set",
        "how do we take the minimum at the final step",
        "what does it mean to drop out a unit",
        "which of my units drop out in training, and at which rate",
        "when do we apply the chain rule",
        "which of my two pointers comes last",
        "does the last element count in our loop",
        "how do I quit vim",
        "should i use a for loop in octave",
        "can we use python lists as stacks",
        "i have 78% overall but only 45% in the final exam, have i passed",
        "what is github",
        "can we make two pointers work together",
        "do I need to know calculus to derive the gradient",
        "what happens if i have no base case",
        "归纳法没有基础情形会怎么样",
        "匿名函数是什么",
        "什么是身份验证",
        "如果服务器挂了怎么办",
        "栈是什么",
    ],
)
def test_a_question_on_the_subject_tells_of_no_situation(question: str) -> None:
    assert topics_in(question) == ()


@pytest.mark.parametrize(
    "question",
    [
        "考试能带计算器吗",
        "作业能跟室友一起写吗",
        "网站打不开交不了作业怎么办",
        "我发烧了能不能延期",
        "每周得花多少时间在这门课上",
        "我可以和同学一起做吗",
        "我没学过编程，能学吗",
        "我不会高等数学可以学吗",
        "没有基础能听懂吗",
        "数学不好跟得上吗",
    ],
)
def test_a_situation_is_told_in_chinese_too(question: str) -> None:
    assert is_about_the_course(question)


def test_every_situation_says_what_to_look_for_in_both_languages() -> None:
    for topic in TOPICS:
        for lang in ("en", "zh"):
            assert topic.said.search(topic.query[lang]), topic.query[lang]


def test_a_slide_that_has_the_words_of_a_rule_is_none() -> None:
    slide = Entry("p", "passage", "document", "ds", "en", "Pointers", "Many languages have pointers, such as C++.")
    slide = replace(slide, locator=Locator(document="documents/compilers.pptx"))
    assert not _may_rule(slide)
    assert _may_rule(replace(slide, locator=Locator(document="documents/rules.pdf")))
    assert _may_rule(replace(slide, text="Homework is due on Sunday, in C++."))


def test_where_a_language_is_only_spoken_of_is_no_rule_on_it() -> None:
    (topic,) = topics_in("can i use java")
    assert not topic.said.search("In Java it's the ArrayList, in C++ it's the vector.")
    assert topic.said.search("Starter code and grader use Python 3.")


def test_a_word_that_begins_like_learning_is_left_whole() -> None:
    [unit] = units_of("学完有学分吗", (), Mock(), lambda _: 1.0)
    assert unit.label == "学分"


def test_how_an_exam_works_is_told_by_how_long_it_takes_and_where(asked_of_rules: Asker) -> None:
    text = asked_of_rules("how is the midterm held?").text
    assert text.startswith("The rules on this:\n\nThe midterm takes sixty minutes")
    assert "resit" not in text


LATE_AT_THE_EXAM = next(one for one in TOPICS if one.said.search("迟到的学生不得入场。"))
AIDS = next(one for one in TOPICS if one.said.search("考试可以携带词典。"))


@pytest.mark.parametrize(
    "question",
    [
        "考试迟到十分钟还能进考场吗？",
        "可以提前交卷吗",
        "多久可以交卷",
        "Can I still get into the exam 20 minutes late?",
        "what if i am late for the exam",
    ],
)
def test_who_comes_late_to_an_exam_or_leaves_it_early_asks_when_one_is_admitted(question: str) -> None:
    assert LATE_AT_THE_EXAM in topics_in(question)
    assert AIDS not in topics_in(question)


def test_code_from_a_place_with_a_concepts_name_is_asked_of_the_rules() -> None:
    assert is_about_the_course("can i use code from stack overflow", names_concept=True)
    assert not is_about_the_course("which code causes a stack overflow", names_concept=True)


@pytest.mark.parametrize("question", ["手机能带进考场吗", "考场里可以用词典吗", "是开卷考试吗"])
def test_what_may_be_brought_into_an_exam_asks_for_aids(question: str) -> None:
    assert AIDS in topics_in(question)
    assert LATE_AT_THE_EXAM not in topics_in(question)


@pytest.mark.parametrize("question", ["作业晚交一天扣几分", "I handed in my homework two days late", "考场在哪里"])
def test_late_homework_and_the_place_of_an_exam_are_something_else(question: str) -> None:
    assert LATE_AT_THE_EXAM not in topics_in(question)
    assert AIDS not in topics_in(question)


@pytest.mark.parametrize(
    ("question", "titles"),
    [
        ("报告晚交三天会怎么样？", ["报告迟交怎么办？", "实验晚交扣分吗？"]),
        ("报告写多长？", ["报告怎么写？", "报告迟交怎么办？", "实验晚交扣分吗？"]),
        ("我生病了怎么办？", ["报告怎么写？", "报告迟交怎么办？", "实验晚交扣分吗？"]),
    ],
)
def test_of_the_faq_the_entry_on_the_situation_is_the_near_one(question: str, titles: list[str]) -> None:
    entries = [
        Entry(title, "qa", "faq", "zhenduan", "zh", title, "见说明。", locator=Locator())
        for title in ("报告怎么写？", "报告迟交怎么办？", "实验晚交扣分吗？")
    ]
    request = Request(
        question=question,
        kind="logistics",
        lang="zh",
        spoken="zh",
        units=(),
        aspects=(),
        concepts=(),
        stored=tuple(PairCandidate(entry, 1.0) for entry in entries),
        find_pieces=lambda: (),
        material=Mock(),
        graph=Mock(),
    )
    assert [one.entry.title for one in with_faq_of_topics(request).stored] == titles


def written(key: str, text: str) -> MaterialPiece:
    return MaterialPiece(Entry(key, "passage", "document", "ds", "zh", "Rules", text), (MaterialLine(text),), 1.0, 0.5)


@pytest.mark.parametrize(("question", "first"), [("能不能和同学一起写作业", "a"), ("抄作业会怎么样", "b")])
def test_of_the_rules_for_one_situation_that_on_what_leave_is_asked_for_comes_first(question: str, first: str) -> None:
    rules = [
        written("b", "不得公开作业的代码，抄袭记零分。"),
        written("a", "可以与同学讨论思路，代码必须自己写，不得抄袭。"),
    ]
    units = tuple(QuestionUnit(one, (terms_of(one),), 1.0) for one in ("同学", "自己") if one[0] in question + "自")
    units = (*units, QuestionUnit("作业", (terms_of("作业"),), 1.0))
    material = SimpleNamespace(pieces=lambda *_, **__: rules)
    found = _of_topics(asking(question, *units, kind="logistics", lang="zh", material=material))
    assert found[0].piece.entry.entry_id == first


@pytest.mark.parametrize(
    ("said", "near", "is_told"),
    [
        ("I recommend that you do the exercises in Octave and not in Python.", 0.9, True),
        ("I recommend that you do the exercises in Octave and not in Python.", 0.2, False),
        ("Python is a language.", 0.9, False),
    ],
)
def test_a_lecture_that_speaks_of_the_situation_and_means_it_tells_of_it(
    said: str, near: float, *, is_told: bool
) -> None:
    units = tuple(QuestionUnit(one, (terms_of(one),), 1.0) for one in ("octave", "python"))
    question = "can I do the homework in python instead of octave"
    request = asking(question, *units, kind="logistics", pieces=(spoken((said, near)),))
    assert _is_told_of_topic(ComposedStatement(said), request) is is_told
