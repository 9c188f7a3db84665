"""Questions of classes, answered by their records: what comes before, credits, subjects, what became of one."""

import re

import pytest
from asker import Asker
from catalog_rows import SAMPLE
from semester_rows import chosen


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Do I need anything before I take Data & Society?", "all others need COMP 1100"),
        ("Which class asks for Discrete Structures as a prerequisite?", "COMP 3300"),
        ("credits of all mbio classes altogether?", "3 + 4 + 6 = 13"),
        ("when is databases in spring 2027", "10:00–11:40"),
        ("Can somebody who has never programmed take COMP 1100?", "open to everybody"),
        ("do i have to redo hist 1010 if i took it back in 2017", "need not repeat it"),
        ("I took COMP 1150 at another college. Where do I begin?", "begin with COMP 1200"),
        ("Which gives more credits, COMP 3400 or COMP 5400?", "Databases** (4 credits)"),
    ],
)
def test_what_students_ask_of_classes_in_words_of_their_own(ask: Asker, question: str, said: str) -> None:
    assert said in ask(question, course_id=SAMPLE).text


def test_what_no_record_speaks_of_is_told_above_the_record(ask: Asker) -> None:
    answer = ask("does COMP 1200 use rust", course_id=SAMPLE)
    assert answer.text.startswith("The material says nothing about rust.")
    assert "COMP 1200 Data Structures" in answer.text


def test_what_became_of_a_class_is_told_with_the_name_of_the_new_one(ask: Asker) -> None:
    answer = ask("they told me to take MBIO 2000, what is it now", course_id=SAMPLE)
    assert answer.text.startswith("**MBIO 2100 Coastal Ecology**\nReplaces MBIO 2000.")


def test_who_wants_to_walk_into_a_class_asks_what_comes_before(ask: Asker) -> None:
    answer = ask("can anybody just walk into COMP 2050 or do they want programming first", course_id=SAMPLE)
    assert "COMP 1100" in answer.text


def test_a_class_without_a_description_counts_all_the_same(ask: Asker) -> None:
    answer = ask("COMP 3300, MATH 1220 and MUSC 2300 in one term - how many credits?", course_id=SAMPLE)
    assert "4 + 4 + 1 = 9" in answer.text
    assert "MUSC 2300 Ensemble" in ask("what music classes are there", course_id=SAMPLE).text


def test_the_way_to_a_class_names_what_is_passed_before_in_order(ask: Asker) -> None:
    answer = ask("how do i work my way up to operating systems from zero?", course_id=SAMPLE)
    named = re.findall(r"^- (\w{4} \d{4})", answer.text, re.MULTILINE)
    assert named == ["COMP 1100", "COMP 1200", "MATH 1300", "COMP 3300"]
    assert len(answer.references) >= 4


def test_classes_of_a_subject_are_listed_by_name(ask: Asker) -> None:
    text = ask("which math courses do you have", course_id=SAMPLE).text
    assert re.findall(r"\*\*MATH (\d{4})", text) == ["1210", "1220", "1300", "1400", "2100", "4980"]
    titles = [one.title for one in ask("which computing classes are there?", course_id=SAMPLE).references]
    assert titles[:2] == ["COMP 1100 Foundations of Programming", "COMP 1200 Data Structures"]


def test_classes_that_need_one_are_named(ask: Asker) -> None:
    titles = [one.title for one in ask("which classes need calc 1 beforehand?", course_id=SAMPLE).references]
    assert {"MATH 1220 Calculus II", "MATH 2100 Linear Algebra"} <= set(titles)


def test_classes_of_so_many_credits_are_listed(ask: Asker) -> None:
    answer = ask("4 credit courses", course_id=SAMPLE)
    assert chosen(answer)[:2] == ["COMP 1100", "COMP 1200"]
    assert "COMP 2050" not in answer.text, "it has 3"


def test_classes_whose_records_name_no_prerequisite_are_listed_as_that(ask: Asker) -> None:
    answer = ask("which classes have no prereqs", course_id=SAMPLE)
    assert answer.text.startswith("The records of these classes name no prerequisite:")
    assert "COMP 1100" in answer.text
    assert "COMP 3300" not in answer.text


@pytest.mark.parametrize(
    ("question", "codes"),
    [
        ("is there a class about harbours that i can take without any prerequisites", ["HIST 2040"]),
        ("is there anything about music that doesn't need a prerequisite", ["MUSC 1000", "MUSC 2200"]),
        ("can you recommend a math class with no prereq", ["MATH 1210", "MATH 1300", "MATH 1400"]),
        ("有没有不需要先修课的历史课", ["HIST 1010", "HIST 2040"]),
    ],
)
def test_without_a_prerequisite_is_a_filter_in_every_form(ask: Asker, question: str, codes: list[str]) -> None:
    named = re.findall(r"[A-Z]{4} \d{4}", ask(question, course_id=SAMPLE).text)
    assert named
    assert set(named) <= set(codes)


def test_where_no_class_is_on_a_topic_those_without_a_prerequisite_stand_under_a_doubt(ask: Asker) -> None:
    text = ask("any class on basket weaving without prerequisites", course_id=SAMPLE).text
    assert text.startswith("I am not sure")
    assert "COMP 1100" in text
    assert "COMP 3300" not in text


def test_what_happens_without_a_prerequisite_asks_for_no_list(ask: Asker) -> None:
    text = ask("what happens if i take a class without prerequisites", course_id=SAMPLE).text
    assert "name no prerequisite" not in text


def test_a_code_that_the_catalogue_does_not_have_is_not_answered_by_another_record(ask: Asker) -> None:
    answer = ask("how many credits is COMP 9999?", course_id=SAMPLE)
    assert (answer.coverage, answer.references) == ("none", ())
    assert "COMP 9999" in answer.text


@pytest.mark.parametrize("question", ["is there a course on astrophysics", "courses about astrophysics"])
def test_a_subject_that_no_record_has_is_not_answered_by_what_is_near(ask: Asker, question: str) -> None:
    assert ask(question, course_id=SAMPLE).coverage == "none"


def test_two_that_are_not_counted_together_are_told_so_first(ask: Asker) -> None:
    answer = ask("can i take COMP 3400 and COMP 5400 both", course_id=SAMPLE)
    assert answer.text.startswith("COMP 3400 Databases: its record says that it is not counted together with COMP 5400")


@pytest.mark.parametrize("question", ["which classes are about history", "any courses in history?"])
def test_classes_about_a_subject_are_listed(ask: Asker, question: str) -> None:
    assert set(chosen(ask(question, course_id=SAMPLE))) == {"HIST 1010", "HIST 2040", "HIST 3120", "HIST 3990"}


@pytest.mark.parametrize(
    ("question", "sections"),
    [
        ("any classes already full in spring?", ["MUSC 1000"]),
        ("what starts before 9 in the morning in spring 2027", ["MATH 1220", "MATH 1400"]),
        ("what meets on wednesdays in spring 27 in the afternoon", ["COMP 3300", "HIST 3120", "MBIO 1100"]),
        (
            "list all computing classes that are scheduled for Fall 2027",
            "COMP 1100,COMP 1200,COMP 2050,COMP 3400".split(","),
        ),
        ("all the history classes pls", ["HIST 1010", "HIST 2040", "HIST 3120", "HIST 3990"]),
        ("which classes have Calculus I as their prerequisite?", ["MATH 1220", "MATH 2100"]),
        ("any computing classes after work hours next spring?", ["COMP 2050", "COMP 5400"]),
        ("which classes need somebody at the university to say yes first", ["COMP 3900", "MBIO 4800"]),
    ],
)
def test_classes_are_listed_by_what_is_asked_of_them(ask: Asker, question: str, sections: list[str]) -> None:
    assert chosen(ask(question, course_id=SAMPLE)) == sections


def test_what_may_be_taken_again_is_told_by_whichever_record_says_it(ask: Asker) -> None:
    answer = ask("took atlantic world back in 2017, do i have to redo it", course_id=SAMPLE)
    assert answer.text.startswith("Students who took HIST 1010 before 2019 need not repeat it.")
    assert "May be repeated" in ask("can i take MBIO 4800 twice", course_id=SAMPLE).text
    assert "did not find whether it may be taken again" in ask("can i retake databases", course_id=SAMPLE).text


def test_it_is_the_class_that_was_named_by_its_title(ask: Asker) -> None:
    both = ask("What are the prerequisites of Maps and Power, and when does it meet in Spring 2027?", course_id=SAMPLE)
    assert "HIST 1010 or HIST 2040" in both.text
    assert "Wed 14:50–17:20" in both.text
    headed = ask("acoustics of rooms: how many credits and when is it in fall 2027", course_id=SAMPLE)
    assert "Credits: 3" in headed.text
    assert "Fri 9:00–11:30" in headed.text
    later = ask("how many credits is coastal ecology", "and when does it meet in spring 27?", course_id=SAMPLE)
    assert "Tue 13:00–17:00" in later.text


@pytest.mark.parametrize(
    "question",
    [
        "can i count both databases and distributed data towards my degree?",
        "do COMP 3400 and COMP 5400 both count?",
        "Can I get credit for both Databases and Distributed Data?",
    ],
)
def test_two_classes_of_which_one_alone_counts_are_denied_by_the_sentence_that_says_so(
    ask: Asker, question: str
) -> None:
    answer = ask(question, course_id=SAMPLE)
    assert answer.text == "No.\n\nCOMP 3400 and COMP 5400 may not both be counted. [1]"
    assert (answer.coverage, [one.title for one in answer.references]) == ("full", ["COMP 3400 Databases"])


def test_the_credits_of_two_classes_together_are_no_question_whether_both_count(ask: Asker) -> None:
    answer = ask("how many credits are COMP 3400 and COMP 5400 together", course_id=SAMPLE)
    assert answer.text.startswith("Their credits together: 4 + 3 = 7.")


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        (
            "can I take operating systems if I have only done data structures?",
            "No, not yet: by its record COMP 3300 Operating Systems needs MATH 1300 Discrete Structures first.",
        ),
        ("can i take COMP 3300 if i only have COMP 1200?", "No, not yet: by its record COMP 3300 "),
        (
            "can I take Calculus II without Calculus I?",
            "No, not yet: by its record MATH 1220 Calculus II needs MATH 1210",
        ),
        (
            "can I take linear algebra after calculus I?",
            "Yes: by its record you have passed the classes that MATH 2100 ",
        ),
    ],
)
def test_whether_a_class_may_be_taken_after_others_is_a_verdict_above_its_record(
    ask: Asker, question: str, verdict: str
) -> None:
    answer = ask(question, course_id=SAMPLE)
    assert answer.text.startswith(verdict)
    assert len(answer.references) == 1, "the record of the other class says nothing of it"


@pytest.mark.parametrize(
    "question",
    ["what are the prerequisites of COMP 3300", "can I take databases and operating systems in spring 2027?"],
)
def test_without_a_class_passed_there_is_no_verdict_on_taking_one(ask: Asker, question: str) -> None:
    assert "by its record" not in ask(question, course_id=SAMPLE).text


def test_the_grade_that_classes_need_is_looked_up_in_the_requirements_of_the_program(ask: Asker) -> None:
    answer = ask("what gpa / grade do i need in my computing classes, is a D ok?", course_id=SAMPLE)
    assert answer.text.startswith("No: the grade that is needed is C or better.")
    assert "A grade of C or better is needed in every class." in answer.text
    of_class = ask("what minimum grade do I need in COMP 1200?", course_id=SAMPLE)
    assert of_class.text.startswith("**Computing (BS)**\nA grade of C or better")
    enough = ask("is a B ok for the computing major?", course_id=SAMPLE)
    assert enough.text.startswith("Yes: the grade that is needed is C or better.")
    assert "did not find which grade" in ask("is a D enough in the marine biology major?", course_id=SAMPLE).text
