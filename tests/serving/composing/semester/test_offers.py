"""When classes are given, where and with how many seats: by the schedule, and which of them fit together."""

import pytest
from asker import Asker
from catalog_rows import SAMPLE
from semester_rows import chosen


def test_times_room_and_seats_are_those_of_the_schedule(ask: Asker) -> None:
    answer = ask("what days and time is data structures in fall 27", course_id=SAMPLE)
    assert answer.text == (
        "**COMP 1200 Data Structures**, Fall 2027: [1]\n\n"
        "- section 1: Mon Wed Fri 10:00–11:05; Harbour Hall 12; 40 seats left [1]"
    )
    assert (answer.coverage, [one.title for one in answer.references]) == ("full", ["schedule.csv: Fall 2027"])
    assert "full, no seats left" in ask("any seats left in cafe music in spring 2027?", course_id=SAMPLE).text


def test_when_an_exam_is_does_not_stand_in_a_schedule_of_meetings(ask: Asker) -> None:
    assert "10:00" not in ask("when is the final exam of COMP 1200?", course_id=SAMPLE).text


def test_a_term_that_the_schedule_does_not_have_is_said(ask: Asker) -> None:
    answer = ask("is operating systems offered in summer 2027?", course_id=SAMPLE)
    assert answer.text.startswith("The schedule has no such term; it has Spring 2027, Fall 2027.")
    assert answer.coverage == "partial"


def test_what_a_term_offers_is_listed_by_the_schedule(ask: Asker) -> None:
    answer = ask("which comp classes are offered in fall", course_id=SAMPLE)
    assert answer.text.startswith("By its schedule Fall 2027 offers:")
    assert "COMP 1200" in answer.text
    assert "COMP 3300" not in answer.text  # the schedule has it in spring alone
    assert "The schedule has no such term" in ask("which classes are offered in spring 2030", course_id=SAMPLE).text


def test_a_name_of_a_day_within_a_word_is_no_day(ask: Asker) -> None:
    assert "meet then" not in ask("any class on who is allowed to look at peoples data", course_id=SAMPLE).text


def test_the_classes_of_a_day_or_an_hour_are_those_of_the_schedule(ask: Asker) -> None:
    evening = ask("which classes meet in the evening in spring 2027", course_id=SAMPLE)
    assert chosen(evening) == ["COMP 2050", "COMP 5400"]
    assert "Tue 18:00–20:30; Library 2" in evening.text
    assert evening.references[0].title == "schedule.csv: Spring 2027"
    assert chosen(ask("any computing classes on Fridays in fall 2027?", course_id=SAMPLE)) == ["COMP 1100", "COMP 1200"]
    assert (
        "no class meets then in Fall 2027"
        in ask("which courses meet in the evening in fall 2027", course_id=SAMPLE).text
    )
    assert chosen(ask("2027年春季晚上有哪些课", course_id=SAMPLE)) == ["COMP 2050", "COMP 5400"]


def test_two_classes_of_which_one_has_a_title_of_one_word_are_fitted_together(ask: Asker) -> None:
    answer = ask("can I take databases and operating systems both in spring 2027", course_id=SAMPLE)
    assert answer.text.startswith("Yes, in Spring 2027 you can take COMP 3300 and COMP 3400 together")


@pytest.mark.parametrize("asked", ["is there still a seat in MUSC 1000?", "MUSC 1000还有座位吗"])
def test_one_seat_is_asked_for_as_well_as_several(ask: Asker, asked: str) -> None:
    assert "Spring 2027" in ask(asked, course_id=SAMPLE).text


def test_free_chairs_are_seats(ask: Asker) -> None:
    assert "no seats left" in ask("any chair left in MUSC 1000 in spring?", course_id=SAMPLE).text


@pytest.mark.parametrize(
    "question",
    [
        "is there still room in MUSC 1000 in spring 2027",
        "is there any space left in MUSC 1000 this spring?",
        "how much room is left in MUSC 1000 in spring 2027",
        "is MUSC 1000 still open in spring 2027",
    ],
)
def test_room_in_a_class_is_a_seat_and_a_class_still_open_has_one(ask: Asker, question: str) -> None:
    answer = ask(question, course_id=SAMPLE)
    assert (answer.coverage, "full, no seats left" in answer.text) == ("full", True)


def test_to_whom_a_class_is_open_is_no_question_for_its_seats(ask: Asker) -> None:
    assert "seats left" not in ask("is COMP 3300 still open to first years", course_id=SAMPLE).text


def test_what_gets_in_the_way_clashes(ask: Asker) -> None:
    answer = ask("does MATH 1300 get in the way of COMP 1200 in Spring 2027?", course_id=SAMPLE)
    assert answer.text.startswith("No")
    assert "11:45" in answer.text


def test_whether_two_classes_fit_is_worked_out_from_their_sections(ask: Asker) -> None:
    clashing = ask("can i take comp 1100 and calculus I together in spring 2027?", course_id=SAMPLE)
    assert clashing.text.startswith("No, in Spring 2027 the times of COMP 1100 and MATH 1210 clash")
    fitting = ask("can i take comp 1200 and math 1300 in the same semester, spring 2027?", course_id=SAMPLE)
    assert fitting.text.startswith("Yes, in Spring 2027 you can take COMP 1200 and MATH 1300 together")
    first = ask("can i fit section 1 of COMP 1200 and MATH 2100 into spring 2027?", course_id=SAMPLE)
    assert first.text.startswith("No, in Spring 2027 the times of COMP 1200 (section 1) and MATH 2100 clash")
    assert "they meet at the same time; with another section they fit" in first.text
    assert "every choice of sections meets at the same time" in clashing.text
    second = ask("can i fit section 2 of COMP 1200 and MATH 2100 into spring 2027?", course_id=SAMPLE)
    assert second.text.startswith("Yes, in Spring 2027")
    alone = ask("can i take palaeography and comp 3300 at the same time in spring 2027?", course_id=SAMPLE)
    assert (alone.coverage, "I found only COMP 3300" in alone.text) == ("partial", True)
    leading = ask("can i take comp 1100 and comp 1200 at the same time in spring 2027?", course_id=SAMPLE)
    assert "COMP 1200 Data Structures: it needs COMP 1100 first." in leading.text


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        (
            "Can I take Linear Algebra and Data Structures in the same term in fall 2027 or do they clash?",
            "Yes, in Fall 2027 you can take MATH 2100 and COMP 1200 together: they do not meet at the same time.",
        ),
        (
            "do MATH 2100 and COMP 1200 clash in fall 2027?",
            "No, in Fall 2027 MATH 2100 and COMP 1200 do not clash: they do not meet at the same time.",
        ),
    ],
)
def test_where_both_is_asked_the_verdict_is_on_taking_them(ask: Asker, question: str, verdict: str) -> None:
    assert ask(question, course_id=SAMPLE).text.startswith(verdict)


def test_what_counts_together_is_no_question_of_times(ask: Asker) -> None:
    answer = ask("can i count both Databases and Distributed Data?", course_id=SAMPLE)
    assert "may not both be counted" in answer.text


def test_the_term_in_which_a_class_is_given_is_its_schedules(ask: Asker) -> None:
    answer = ask("In which term of 2027 can I take Operating Systems?", course_id=SAMPLE)
    assert answer.text.startswith("**COMP 3300 Operating Systems**, Spring 2027:")
    assert "does not have it in Fall 2027, but in Spring 2027" in answer.text


def test_anything_in_the_evening_asks_for_classes(ask: Asker) -> None:
    assert "No lecture" not in ask("is anything taught in the evening", course_id=SAMPLE).text


def test_a_class_takes_the_place_of_the_one_that_was_asked_about(ask: Asker) -> None:
    answer = ask("how many credits is linear algebra?", "and for Discrete Structures?", course_id=SAMPLE)
    assert [one.title for one in answer.references] == ["MATH 1300 Discrete Structures"]
    answer = ask("Do I need calculus for linear algebra?", "what about Operating Systems?", course_id=SAMPLE)
    assert [one.title for one in answer.references] == ["COMP 3300 Operating Systems"]


def test_it_is_the_class_that_is_asked_about_and_not_the_one_that_was_taken(ask: Asker) -> None:
    answer = ask("I took HIST 1010 - can I get into Maps and Power, and when does it meet?", course_id=SAMPLE)
    assert "**2. when does it meet?**" in answer.text
    assert "HIST 3120" in answer.text.partition("**2.")[2]
    assert "HIST 2040" not in answer.text.partition("**2.")[2]
