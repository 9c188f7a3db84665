"""A semester planned from the sample catalogue and its schedule: what is chosen, what is left out and why, what is
asked."""

import re
from pathlib import Path

import pytest
from asker import Asker
from catalog_rows import SAMPLE, sample_home
from semester_rows import asker, chosen

from knowledge_graph.lake import schemas, tables
from knowledge_graph.lake.home import DataDir
from serving.assistant.composing.semester.offers import Catalogues


def test_what_was_passed_is_asked_for(ask: Asker) -> None:
    answer = ask("Plan my classes for the next semester", course_id=SAMPLE)
    assert (answer.kind, answer.route, answer.coverage) == ("plan", "clarify", "none")
    assert answer.text.startswith("Which classes have you passed?")
    again = ask(answer.choices[0], course_id=SAMPLE)
    assert chosen(again)[0] == "MATH 1210"
    assert again.route == "teach"


def test_a_plan_respects_what_is_needed_and_the_credits_and_cites_each_record(ask: Asker) -> None:
    answer = ask("plan my next semester, I passed COMP 1100 and want 12 credits", course_id=SAMPLE)
    assert answer.text.startswith("A plan for Spring 2027 by its schedule: 3 classes, 11 credits; ")
    assert chosen(answer) == ["COMP 1200", "MATH 1210", "HIST 1010"]
    assert [one.title for one in answer.references][:4] == [
        "schedule.csv: Spring 2027",
        "COMP 1200 Data Structures",
        "MATH 1210 Calculus I",
        "HIST 1010 The Atlantic World",
    ]
    assert "it builds on COMP 1100; it opens the way to COMP 3300, COMP 3400. [2]" in answer.text
    assert "COMP 3300 Operating Systems: it needs COMP 1200, MATH 1300 first." in answer.text
    assert "COMP 2050 Data & Society: with its 3 credits there would be more than 12." in answer.text
    assert "the next semester is Spring 2027" in answer.text
    assert "You wanted 12 credits and these are 11" in answer.text
    assert answer.coverage == "partial", "one credit is missing"


def test_clashes_are_kept_out_and_named(ask: Asker) -> None:
    answer = ask("Plan spring 2027. I passed COMP 1100, COMP 1200 and MATH 1300, at most 12 credits", course_id=SAMPLE)
    assert "COMP 3300" in chosen(answer)
    assert (
        "MATH 1400 Statistics for Scientists: it meets at the same time as MATH 1210 (Tue Thu 8:30–9:45)."
        in answer.text
    )


def test_the_program_the_student_names_comes_first(ask: Asker) -> None:
    answer = ask("I study computing and passed COMP 1200 and MATH 1300. Plan my next semester", course_id=SAMPLE)
    assert chosen(answer)[:2] == ["COMP 3300", "COMP 3400"]
    assert "Computing (BS) names it" in answer.text
    assert "you have also passed COMP 1100, which your classes need" in answer.text


def test_wanted_classes_that_cannot_be_taken_are_told_with_the_reason(ask: Asker) -> None:
    answer = ask("Plan spring; I passed COMP 1100 and want Port Cities, Databases and MUSC 1000", course_id=SAMPLE)
    assert "HIST 2040 Port Cities: the schedule does not have it in Spring 2027, but in Fall 2027." in answer.text
    assert "COMP 3400 Databases: it needs COMP 1200 first." in answer.text
    assert "MUSC 1000 Café Music and Études: it is full." in answer.text
    assert answer.coverage == "partial"


def test_two_classes_that_are_not_counted_together_are_not_both_planned(ask: Asker) -> None:
    answer = ask("Plan spring, I passed COMP 1200 and want COMP 3400 and COMP 5400", course_id=SAMPLE)
    assert len({"COMP 3400", "COMP 5400"} & set(chosen(answer))) == 1
    assert "its record says that it is not counted together with" in answer.text


def test_what_may_be_taken_is_listed_with_what_is_missing_for_more(ask: Asker) -> None:
    answer = ask("what can I take in spring after MATH 1300", course_id=SAMPLE)
    assert answer.text.startswith("What you may take in Spring 2027")
    assert "MATH 1300" not in chosen(answer)
    assert "COMP 3300 Operating Systems: it needs COMP 1200 first." in answer.text


def test_free_days_and_hours_are_kept_free(ask: Asker) -> None:
    answer = ask(
        "Plan my next semester: I passed COMP 1100, no Friday classes, nothing before 9:30 am", course_id=SAMPLE
    )
    planned = answer.text.split("Left out:")[0]
    assert " Fri " not in planned
    assert not re.search(r" [5-9]:\d\d–", planned)
    assert "COMP 1200 Data Structures: it meets at a time that you ruled out" in answer.text


def test_a_class_that_is_named_without_a_role_is_asked_about(ask: Asker) -> None:
    answer = ask("Plan my next semester: COMP 1100", course_id=SAMPLE)
    assert answer.text == "Have you passed COMP 1100, or do you want to take it? I do not want to guess."
    assert "COMP 1200" in chosen(ask(answer.choices[0], course_id=SAMPLE))
    assert "Which classes have you passed?" in ask(answer.choices[1], course_id=SAMPLE).text


def test_an_answer_to_what_was_asked_goes_on_with_the_plan(ask: Asker) -> None:
    answer = ask(
        "Plan my next semester", "COMP 1100 and MATH 1210", "and no Fridays, at most 8 credits", course_id=SAMPLE
    )
    assert chosen(answer) == ["MATH 1220", "HIST 1010"]


def test_a_question_of_its_own_after_a_plan_is_no_part_of_it(ask: Asker) -> None:
    answer = ask("Plan my next semester", "What are the prerequisites of COMP 3300?", course_id=SAMPLE)
    assert answer.kind != "plan"


def test_chinese_questions_get_a_chinese_plan(ask: Asker) -> None:
    answer = ask("帮我安排下学期的课，我修过 COMP 1100 和 MATH 1210，想选 COMP 1200，最多8学分", course_id=SAMPLE)
    assert answer.text.startswith("按时间表排的Spring 2027选课方案：2门课，共8学分")
    assert chosen(answer) == ["COMP 1200", "MATH 1220"]
    assert "周一 周三 10:00–11:15" not in answer.text.split("没有选的课")[0] or "周五" in answer.text
    assert (
        "COMP 3300 Operating Systems：要先修MATH 1300。" in answer.text or "要先修COMP 1200、MATH 1300" in answer.text
    )


def test_a_term_that_the_schedule_lacks_is_said(ask: Asker) -> None:
    answer = ask("Plan winter 2031, I passed COMP 1100", course_id=SAMPLE)
    assert answer.text == "The schedule has no such term; it has Spring 2027, Fall 2027."


def test_nothing_is_planned_without_a_schedule_or_a_catalogue(home: DataDir, tmp_path: Path) -> None:
    bare = sample_home(tmp_path / "home")
    question = "Plan my classes for the next semester"
    assert "This course has no catalogue with a schedule" in asker(bare)(question, course_id=SAMPLE).text
    card = tables.read_rows(home.table("course_cards", SAMPLE))
    tables.write_table(bare.table("course_cards", SAMPLE), card, schemas.COURSE_CARDS)
    answer = asker(bare)(question, course_id=SAMPLE)
    assert answer.text.startswith("This catalogue has no schedule of when classes are offered")
    assert (answer.route, answer.coverage) == ("ask_ta", "none")


def test_a_damaged_schedule_costs_no_answer(home: DataDir, tmp_path: Path) -> None:
    data_dir = sample_home(tmp_path / "home")
    tables.write_table(
        data_dir.table("course_cards", SAMPLE),
        tables.read_rows(home.table("course_cards", SAMPLE)),
        schemas.COURSE_CARDS,
    )
    path = data_dir.table("schedule", SAMPLE)
    path.parent.mkdir(parents=True)
    path.write_bytes(b"PAR1 not a table")
    assert asker(data_dir)("Plan my next semester", course_id=SAMPLE).coverage == "none"


def test_a_new_schedule_is_seen(home: DataDir) -> None:
    catalogues = Catalogues(home)
    before = catalogues.of(SAMPLE)
    assert catalogues.of(SAMPLE) is before
    path = home.table("schedule", SAMPLE)
    tables.write_table(path, tables.read_rows(path), schemas.SCHEDULE)
    assert catalogues.of(SAMPLE) is not before


@pytest.mark.parametrize(
    ("question", "classes"),
    [
        (
            "I have passed COMP 1100, COMP 1200 and Discrete Structures and want 8 credits of computing in Spring "
            "2027. What should I take?",
            ["COMP 3300", "COMP 3400"],
        ),
        (
            "plan my spring 2027 pls. cs major, passed comp 1100 and calc 1, i want 7 credits of the required classes",
            ["COMP 1200", "MATH 2100"],
        ),
        (
            "marine bio student, only passed life in the sea so far. what required stuff can i do in spring 27, 7 "
            "credits",
            ["MBIO 2100", "MATH 1400"],
        ),
        (
            "I am doing the Mathematics Minor and have passed MATH 1210. Please plan 6 credits of mathematics for me "
            "for Fall 2027.",
            ["MATH 2100", "MATH 1300"],
        ),
    ],
)
def test_a_plan_keeps_to_the_subject_or_the_program_that_is_wanted(
    ask: Asker, question: str, classes: list[str]
) -> None:
    answer = ask(question, course_id=SAMPLE)
    assert chosen(answer) == classes
    assert "HIST" not in answer.text


def test_what_a_student_has_was_passed(ask: Asker) -> None:
    answer = ask("plan my next semester, I have COMP 1100 and MATH 1210, 12 credits", course_id=SAMPLE)
    assert "do you want to take it" not in answer.text
    assert "COMP 1200" in answer.text
