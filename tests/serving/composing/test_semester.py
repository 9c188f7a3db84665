"""A semester planned from the sample catalogue and its schedule: what is chosen, what is left out and why, what is
asked."""

import re
from dataclasses import asdict
from datetime import date
from pathlib import Path

import pytest
from asker import Asker
from catalog_rows import COURSES, SAMPLE, graph_of, sample_home, sample_records

from knowledge_graph.lake import schemas, tables
from knowledge_graph.lake.home import DataDir
from knowledge_graph.sources.course import read_course_card
from knowledge_graph.sources.folders import CourseFolder
from knowledge_graph.sources.schedule import read_schedule
from serving.assistant.answer import Answer
from serving.assistant.assistant import Assistant
from serving.assistant.composing.semester.calendar import next_term, read_term, terms_in
from serving.assistant.composing.semester.names import classes_named, programs_named
from serving.assistant.composing.semester.offers import Catalogues, catalogue_of
from serving.assistant.composing.semester.progress import amounts_in
from serving.assistant.composing.semester.wishes import read_wishes
from serving.index.search import SearchIndex
from serving.settings import Settings

TODAY = date(2026, 11, 24)
TITLES = {
    "COMP1100": "Foundations of Programming",
    "COMP1200": "Data Structures",
    "COMP3400": "Databases",
    "MATH1210": "Calculus I",
    "MATH1220": "Calculus II",
    "MATH1300": "Discrete Structures",
}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> DataDir:
    data_dir = sample_home(tmp_path_factory.mktemp("semester") / "home")
    folder = CourseFolder(SAMPLE, COURSES / SAMPLE)
    card = read_course_card(folder)[0]
    offerings, _ = read_schedule(folder, card)
    tables.write_table(data_dir.table("course_cards", SAMPLE), [asdict(card)], schemas.COURSE_CARDS)
    tables.write_table(data_dir.table("schedule", SAMPLE), [asdict(one) for one in offerings], schemas.SCHEDULE)
    return data_dir


def asker(data_dir: DataDir, today: date = TODAY) -> Asker:
    return Asker(
        Assistant(
            graph=graph_of(data_dir),
            index=SearchIndex.open(data_dir.index),
            intent=None,
            llm=None,
            settings=Settings(home=data_dir.root, model_admission="exam"),
            catalogues=Catalogues(data_dir),
            today=lambda: today,
        )
    )


@pytest.fixture
def ask(home: DataDir) -> Asker:
    return asker(home)


def chosen(answer: Answer) -> list[str]:
    return re.findall(r"\*\*([A-Z]{4} \d{4})", answer.text)


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
    ("today", "expected"),
    [(date(2026, 11, 24), "Spring 2027"), (date(2027, 2, 20), "Fall 2027"), (date(2030, 1, 1), "Fall 2027")],
)
def test_the_next_term_is_the_first_that_has_not_begun_or_the_last(today: date, expected: str) -> None:
    term = next_term(terms_in(["Fall 2027", "Spring 2027"]), today)
    assert term is not None
    assert term.label == expected


def test_the_next_of_terms_without_a_year_is_not_guessed() -> None:
    assert next_term(terms_in(["Fall", "Spring"]), TODAY) is None
    assert next_term(terms_in(["Fall"]), TODAY) == read_term("Fall")


@pytest.mark.parametrize(
    ("text", "month", "year"),
    [
        ("Spring 2027", 2, 2027),
        ("2026-2027学年第二学期", 2, 2027),
        ("2026-27 autumn", 9, 2026),
        ("2027年秋季", 9, 2027),
    ],
)
def test_terms_are_read(text: str, month: int, year: int) -> None:
    assert (read_term(text).month, read_term(text).year) == (month, year)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I passed COMP 1100 and want 12 credits", {"passed": ("COMP1100",), "least_credits": 12, "most_credits": 12}),
        ("after MATH 1300", {"passed": ("MATH1300",)}),
        (
            "I've completed COMP 1100, 1200 and Calculus II; I would like Databases and at most 15 credits",
            {
                "passed": ("COMP1100", "COMP1200", "MATH1220"),
                "wanted": ("COMP3400",),
                "most_credits": 15,
                "least_credits": None,
            },
        ),
        ("I haven't passed COMP 1200 yet but passed COMP 1100", {"missing": ("COMP1200",), "passed": ("COMP1100",)}),
        ("COMP 1100 已经修过了，不要周五的课", {"passed": ("COMP1100",), "free_days": (5,)}),
        (
            "我修过 COMP 1100，想选 COMP 1200，三门课",
            {"passed": ("COMP1100",), "wanted": ("COMP1200",), "most_classes": 3},
        ),
        ("I am a freshman, four classes", {"is_told": True, "most_classes": 4, "passed": ()}),
        ("I have 30 credits already, 12-15 credits please", {"least_credits": 12, "most_credits": 15}),
        ("I'm taking COMP 1100 now", {"taking": ("COMP1100",), "is_told": True}),
        ("anything without MATH 1210 please, not after 5 pm", {"avoided": ("MATH1210",), "not_after": 17 * 60}),
        ("I took COMP 1150", {"unknown": ("COMP 1150",), "is_told": False}),
        ("COMP 1100, MATH 1210", {"unclear": ("COMP1100", "MATH1210"), "is_told": False}),
    ],
)
def test_what_a_student_says_is_read(text: str, expected: dict[str, object]) -> None:
    found = read_wishes(text, TITLES)
    assert {name: getattr(found, name) for name in expected} == expected


def test_what_a_class_must_have_needed_counts_as_passed() -> None:
    catalogue = catalogue_of(sample_records(), [], read_course_card(CourseFolder(SAMPLE, COURSES / SAMPLE))[0])
    assert catalogue.implied(frozenset({"COMP3300"})) == {"COMP3300", "COMP1200", "COMP1100", "MATH1300"}
    assert catalogue.implied(frozenset({"HIST3120"})) == {"HIST3120"}, "either of two may have been passed"


@pytest.mark.parametrize(
    ("question", "keys"),
    [
        ("what do i need before calc 2?", ["MATH1220"]),
        ("when does Calculus I meet", ["MATH1210"]),
        ("can i take calculus in spring", []),  # "i" is no number
        ("cafe music, any seats?", ["MUSC1000"]),
        ("comp-3300 after data structures?", ["COMP3300", "COMP1200"]),
        ("data & society", ["COMP2050"]),
        ("what is data", []),
    ],
)
def test_classes_are_known_by_code_title_and_title_cut_short(home: DataDir, question: str, keys: list[str]) -> None:
    catalogue = Catalogues(home).of(SAMPLE)
    assert [one.key for one in classes_named(question, catalogue)] == keys


def test_times_room_and_seats_are_those_of_the_schedule(ask: Asker) -> None:
    answer = ask("what days and time is data structures in fall 27", course_id=SAMPLE)
    assert answer.text == (
        "**COMP 1200 Data Structures**, Fall 2027: [1]\n\n"
        "- section 1: Mon Wed Fri 10:00–11:05; Harbour Hall 12; 40 seats left [1]"
    )
    assert (answer.coverage, [one.title for one in answer.references]) == ("full", ["schedule.csv: Fall 2027"])
    assert "full, no seats left" in ask("any seats left in cafe music in spring 2027?", course_id=SAMPLE).text


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


def test_a_name_of_a_day_within_a_word_is_no_day(ask: Asker) -> None:
    assert "meet then" not in ask("any class on who is allowed to look at peoples data", course_id=SAMPLE).text


def test_what_no_record_speaks_of_is_told_above_the_record(ask: Asker) -> None:
    answer = ask("does COMP 1200 use rust", course_id=SAMPLE)
    assert answer.text.startswith("The material says nothing about rust.")
    assert "COMP 1200 Data Structures" in answer.text


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


@pytest.mark.parametrize(
    "question",
    [
        "do i need both databases and operating systems for the computing degree",
        "Are Databases and Operating Systems both required for Computing (BS)?",
    ],
)
def test_whether_a_program_wants_both_is_its_pages_to_say(ask: Asker, question: str) -> None:
    answer = ask(question, course_id=SAMPLE)
    assert "One of COMP 3300 and COMP 3400" in answer.text
    assert "Harbour Hall" not in answer.text


def test_two_classes_of_which_one_has_a_title_of_one_word_are_fitted_together(ask: Asker) -> None:
    answer = ask("can I take databases and operating systems both in spring 2027", course_id=SAMPLE)
    assert answer.text.startswith("Yes, in Spring 2027 the times of COMP 3300, COMP 3400 fit")


@pytest.mark.parametrize("question", ["is there a program in the evening", "is there an evening program?"])
def test_a_program_is_known_by_what_its_page_says(ask: Asker, question: str) -> None:
    answer = ask(question, course_id=SAMPLE)
    assert answer.text.startswith("**Data Ethics Certificate")
    assert "All meetings are in the evening." in answer.text


def test_a_program_that_there_is_not_is_told_so(ask: Asker) -> None:
    assert ask("do you have a law degree", course_id=SAMPLE).text.startswith("The catalogue has no page of such")


def test_what_became_of_a_class_is_told_with_the_name_of_the_new_one(ask: Asker) -> None:
    answer = ask("they told me to take MBIO 2000, what is it now", course_id=SAMPLE)
    assert answer.text.startswith("**MBIO 2100 Coastal Ecology**\nReplaces MBIO 2000.")


def test_who_wants_a_program_and_has_classes_has_passed_them(ask: Asker) -> None:
    question = "I want the mathematics minor and have MATH 1210, MATH 1220 and MATH 1300. How many classes are left?"
    assert "5 − 3 = 2 are left" in ask(question, course_id=SAMPLE).text


def test_free_chairs_are_seats(ask: Asker) -> None:
    assert "no seats left" in ask("any chair left in MUSC 1000 in spring?", course_id=SAMPLE).text


def test_what_gets_in_the_way_clashes(ask: Asker) -> None:
    answer = ask("does MATH 1300 get in the way of COMP 1200 in Spring 2027?", course_id=SAMPLE)
    assert answer.text.startswith("No")
    assert "11:45" in answer.text


def test_who_wants_to_walk_into_a_class_asks_what_comes_before(ask: Asker) -> None:
    answer = ask("can anybody just walk into COMP 2050 or do they want programming first", course_id=SAMPLE)
    assert "COMP 1100" in answer.text


def test_a_class_without_a_description_counts_all_the_same(ask: Asker) -> None:
    answer = ask("COMP 3300, MATH 1220 and MUSC 2300 in one term - how many credits?", course_id=SAMPLE)
    assert "4 + 4 + 1 = 9" in answer.text
    assert "MUSC 2300 Ensemble" in ask("what music classes are there", course_id=SAMPLE).text


def test_whether_two_classes_fit_is_worked_out_from_their_sections(ask: Asker) -> None:
    clashing = ask("can i take comp 1100 and calculus I together in spring 2027?", course_id=SAMPLE)
    assert clashing.text.startswith("No, in Spring 2027 the times of COMP 1100, MATH 1210 clash")
    fitting = ask("can i take comp 1200 and math 1300 in the same semester, spring 2027?", course_id=SAMPLE)
    assert fitting.text.startswith("Yes, in Spring 2027 the times of COMP 1200, MATH 1300 fit")
    first = ask("can i fit section 1 of COMP 1200 and MATH 2100 into spring 2027?", course_id=SAMPLE)
    assert first.text.startswith("No, in Spring 2027 the times of COMP 1200 (section 1), MATH 2100 clash")
    assert "they meet at the same time; with another section they fit" in first.text
    assert "every choice of sections meets at the same time" in clashing.text
    second = ask("can i fit section 2 of COMP 1200 and MATH 2100 into spring 2027?", course_id=SAMPLE)
    assert second.text.startswith("Yes, in Spring 2027")
    alone = ask("can i take palaeography and comp 3300 at the same time in spring 2027?", course_id=SAMPLE)
    assert (alone.coverage, "I found only COMP 3300" in alone.text) == ("partial", True)
    leading = ask("can i take comp 1100 and comp 1200 at the same time in spring 2027?", course_id=SAMPLE)
    assert "COMP 1200 Data Structures: it needs COMP 1100 first." in leading.text


def test_what_counts_together_is_no_question_of_times(ask: Asker) -> None:
    answer = ask("can i count both Databases and Distributed Data?", course_id=SAMPLE)
    assert "may not both be counted" in answer.text


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


def test_a_code_that_the_catalogue_does_not_have_is_not_answered_by_another_record(ask: Asker) -> None:
    answer = ask("how many credits is COMP 9999?", course_id=SAMPLE)
    assert (answer.coverage, answer.references) == ("none", ())
    assert "COMP 9999" in answer.text


@pytest.mark.parametrize("question", ["is there a course on astrophysics", "courses about astrophysics"])
def test_a_subject_that_no_record_has_is_not_answered_by_what_is_near(ask: Asker, question: str) -> None:
    assert ask(question, course_id=SAMPLE).coverage == "none"


def test_what_a_degree_needs_is_no_background_of_any_class(ask: Asker) -> None:
    assert not ask("what do i need for a cs degree", course_id=SAMPLE).text.startswith("**History")


def test_a_program_that_no_page_is_about_is_declined_with_those_that_there_are(ask: Asker) -> None:
    for question in ("is there a nursing program", "do you offer a degree in chemistry"):
        answer = ask(question, course_id=SAMPLE)
        assert answer.text.startswith("The catalogue has no page of such a program.")
        assert "**Computing (BS)**" in answer.text
    assert "no page of such" not in ask("do you offer a minor in mathematics", course_id=SAMPLE).text
    for question in ("what majors are there?", "what can i major in here", "what can I study here?"):
        assert "**History (BA)**" in ask(question, course_id=SAMPLE).text


def test_two_that_are_not_counted_together_are_told_so_first(ask: Asker) -> None:
    answer = ask("can i take COMP 3400 and COMP 5400 both", course_id=SAMPLE)
    assert answer.text.startswith("COMP 3400 Databases: its record says that it is not counted together with COMP 5400")


@pytest.mark.parametrize("question", ["which classes are about history", "any courses in history?"])
def test_classes_about_a_subject_are_listed(ask: Asker, question: str) -> None:
    assert set(chosen(ask(question, course_id=SAMPLE))) == {"HIST 1010", "HIST 2040", "HIST 3120", "HIST 3990"}


def test_what_a_program_needs_and_how_to_apply_are_told_without_doubt(ask: Asker) -> None:
    for question in ("how many credits is the computing major", "how do i apply"):
        assert not ask(question, course_id=SAMPLE).text.startswith("I am not sure")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("36 credits in computing and 12 in mathematics", [(36, "credit", "computing"), (12, "credit", "mathematics")]),
        ("Thirty credits, among them two recitals", [(30, "credit", "")]),
        ("i have 22 of the cs majors comp credits", [(22, "credit", "cs majors comp")]),
        ("Twenty-four credits", [(24, "credit", "")]),
        ("COMP 1100 in 2027", []),
    ],
)
def test_amounts_are_read_with_what_they_are_of(text: str, found: list[tuple[int, str, str]]) -> None:
    assert [(one.number, one.unit, one.of) for one in amounts_in(text)] == found


@pytest.mark.parametrize(
    ("question", "sums"),
    [
        ("i have 22 of the cs majors comp credits, how many are missing", ["36 − 22 = 14"]),
        ("i have 5 credits in math already, how many more do i need for the computing major", ["12 − 5 = 7"]),
        ("got 19 credits in music & sound, how many to go", ["30 − 19 = 11"]),
        (
            "I have passed four history classes, one of them at the 3000 level. How many do I still need for the "
            "History BA?",
            ["10 − 4 = 6", "4 − 1 = 3"],
        ),
    ],
)
def test_what_is_left_of_a_program_is_worked_out_from_its_page(ask: Asker, question: str, sums: list[str]) -> None:
    answer = ask(question, course_id=SAMPLE)
    assert re.findall(r"\d+ − \d+ = \d+", answer.text) == sums
    assert answer.references[0].title.endswith("requirements")


@pytest.mark.parametrize(
    ("question", "titles"),
    [
        ("what does the cs degree want", ["Computing (BS)"]),
        ("is the marine bio major hard", ["Marine Biology (BS)"]),
        ("compare the math minor and the data ethics cert", ["Mathematics Minor", "Data Ethics Certificate"]),
        ("which classes are about history", []),
        ("a class in computing", []),
        ("how do the history degree and the music degree differ", ["History (BA)", "Music & Sound (BA)"]),
        ("computing vs marine bio, what do i have to take", ["Computing (BS)", "Marine Biology (BS)"]),
    ],
)
def test_programs_are_known_by_the_beginnings_of_their_words(home: DataDir, question: str, titles: list[str]) -> None:
    assert programs_named(question, Catalogues(home).of(SAMPLE)) == titles


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


def test_what_is_left_counts_passed_classes_of_the_subject_alone_and_ends_at_none(ask: Asker) -> None:
    minor = "I want the mathematics minor. How many classes are left? "
    assert "5 − 2 = 3" in ask(f"{minor}I have MATH 1210, MATH 1220 and COMP 1100.", course_id=SAMPLE).text
    assert "−" not in ask(f"{minor}Must I take MATH 2100?", course_id=SAMPLE).text
    enough = ask("i have 40 of the cs majors comp credits, how many are missing", course_id=SAMPLE).text
    assert enough.startswith("Computing (BS) asks for 36 credits in computing; by what you told me none are left.")


def test_the_term_in_which_a_class_is_given_is_its_schedules(ask: Asker) -> None:
    answer = ask("In which term of 2027 can I take Operating Systems?", course_id=SAMPLE)
    assert answer.text.startswith("**COMP 3300 Operating Systems**, Spring 2027:")
    assert "does not have it in Fall 2027, but in Spring 2027" in answer.text


def test_what_a_student_has_was_passed(ask: Asker) -> None:
    answer = ask("plan my next semester, I have COMP 1100 and MATH 1210, 12 credits", course_id=SAMPLE)
    assert "do you want to take it" not in answer.text
    assert "COMP 1200" in answer.text


def test_anything_in_the_evening_asks_for_classes(ask: Asker) -> None:
    assert "No lecture" not in ask("is anything taught in the evening", course_id=SAMPLE).text
