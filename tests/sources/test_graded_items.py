"""Rules about graded work as teachers write them: what is read, and what is told of the rest."""

import time

import pytest
from course_files import WriteCourse

from knowledge_graph.lake.problems import Problem
from knowledge_graph.lake.records import GradedItem
from knowledge_graph.sources.course import CourseFolder, read_course_card
from knowledge_graph.sources.gold import read_gold
from knowledge_graph.sources.graded_items import LONGEST_ITEM, MOST_ITEMS, read_graded_items

QUEUE = "Implement a queue with two stacks."


def read(folder: CourseFolder) -> tuple[list[GradedItem], list[Problem]]:
    items, problems = read_graded_items(folder, read_course_card(folder)[0])
    return list(items), list(problems)


def card(*lines: str) -> str:
    return "\n".join(["title: Trees", "lang: en", "assessments:", *lines]) + "\n"


def entry(*lines: str) -> str:
    """A card with one good entry and these lines in it."""
    return card("  - name: Quiz", *(f"    {line}" for line in lines), f'    items: ["{QUEUE}"]')


def test_an_entry_is_read_with_its_times_in_utc(write_course: WriteCourse) -> None:
    times = ("opens: 2026-11-20T08:00:00+02:00", "closes: 2026-11-27T23:59:00Z", "allows: hints")
    items, problems = read(write_course({"course.yaml": entry(*times)}))
    assert problems == []
    assert items == [
        GradedItem(
            course_id="trees",
            assessment="Quiz",
            number=1,
            text=QUEUE,
            lang="en",
            allows="hints",
            opens="2026-11-20T06:00:00+00:00",
            closes="2026-11-27T23:59:00+00:00",
        )
    ]


def test_items_of_a_file_stand_between_blank_lines_and_keep_their_own_language(write_course: WriteCourse) -> None:
    text = card("  - {name: Quiz, allows: closed, file: gold/quiz.txt}")
    items, problems = read(
        write_course({"course.yaml": text, "gold/quiz.txt": f"{QUEUE}\nIn C.\n\n \n\n用两个队列实现一个栈并证明。\n\n"})
    )
    assert problems == []
    assert [(one.number, one.text, one.lang) for one in items] == [
        (1, f"{QUEUE}\nIn C.", "en"),
        (2, "用两个队列实现一个栈并证明。", "zh"),
    ]


def test_two_entries_of_one_name_number_their_items_on(write_course: WriteCourse) -> None:
    text = card(*(f'  - {{name: Quiz, allows: {one}, items: ["{QUEUE}"]}}' for one in ("hints", "closed")))
    items, _ = read(write_course({"course.yaml": text}))
    assert [(one.number, one.allows) for one in items] == [(1, "hints"), (2, "closed")]


def test_a_card_without_assessments_has_none(write_course: WriteCourse) -> None:
    assert read(write_course({"course.yaml": "title: Trees\n"})) == ([], [])
    assert read(write_course({"course.yaml": "assessments:\n"})) == ([], [])


@pytest.mark.parametrize(
    ("line", "said", "todo"),
    [
        (
            "allows: hint",
            "'allows' of 'Quiz' must be closed, references, hints, found 'hint'.",
            "Did you mean 'hints'?",
        ),
        ("allows: [hints]", "'allows' of an assessment must be text, found a list.", "Write 'allows: some words'."),
        ("note: x", "'allows' of 'Quiz' is missing.", "Until then it is closed."),
    ],
)
def test_what_is_not_allowed_for_certain_is_closed(write_course: WriteCourse, line: str, said: str, todo: str) -> None:
    items, problems = read(write_course({"course.yaml": entry(line)}))
    assert [one.allows for one in items] == ["closed"]
    found = next(one for one in problems if one.message == said)
    assert todo in found.remedy
    assert (found.file, found.severity) == ("course.yaml", "error")
    assert found.line in (4, 5)


@pytest.mark.parametrize(
    ("times", "kept", "said"),
    [
        (("closes: soon",), (None, None), "must be a date and time, found 'soon'"),
        (("opens: 2026-13-01",), (None, None), "must be a date and time, found '2026-13-01'"),
        (("opens: 9999-12-31T23:59:59-05:00",), (None, None), "beyond the years"),
        (("opens: 2026-11-27T08:00:00Z", "closes: 2026-11-20T08:00:00Z"), (None, None), "which is not after it opens"),
        (("closes: 2026-11-27",), (None, "2026-11-27T23:59:59+00:00"), "is a day without a time"),
        (("opens: 2026-11-27",), ("2026-11-27T00:00:00+00:00", None), "is a day without a time"),
        (("opens: 2026-11-27T08:00:00",), ("2026-11-27T08:00:00+00:00", None), "names no zone"),
    ],
)
def test_a_time_that_is_doubtful_never_shortens_the_rule(
    write_course: WriteCourse, times: tuple[str, ...], kept: tuple[str | None, str | None], said: str
) -> None:
    items, (problem,) = read(write_course({"course.yaml": entry("allows: hints", *times)}))
    assert (items[0].opens, items[0].closes) == kept
    assert said in problem.message
    assert problem.remedy


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("assessments: Assignment 3\n", "'assessments' must be a list, found text"),
        ("assessments: {name: x}\n", "'assessments' must be a list, found a mapping"),
        (card("  - hello"), "Entry 1 of 'assessments' is text"),
        (card('  - {allows: hints, items: ["a b c d"]}'), "An entry of 'assessments' has no name"),
        (card("  - {name: Quiz, allows: hints}"), "'Quiz' has no items"),
        (
            card("  - {name: Quiz, allows: hints, file: gold/no.txt}"),
            "The file 'gold/no.txt' of 'Quiz' is not in gold/",
        ),
        (card("  - {name: Quiz, allows: hints, file: faq.csv}"), "The file 'faq.csv' of 'Quiz' is not in gold/"),
        (card("  - {name: Quiz, allows: hints, file: ../x.txt}"), "The file '../x.txt' of 'Quiz' is not in gold/"),
        (card('  - {name: Quiz, allows: hints, items: ["?!"]}'), "An item of 'Quiz' has no words"),
        (card("  - {name: Quiz, allows: hints, items: [[a]]}"), "An item of 'Quiz' must be text, found a list"),
    ],
)
def test_one_bad_entry_is_told_and_the_next_is_read(write_course: WriteCourse, text: str, said: str) -> None:
    good = f'  - {{name: Good, allows: hints, items: ["{QUEUE}"]}}\n'
    is_listed = text.startswith("title")
    items, problems = read(write_course({"course.yaml": text + (good if is_listed else "")}))
    assert [one.assessment for one in items] == (["Good"] if is_listed else [])
    found = next(one for one in problems if said in one.message)
    assert found.severity == "error"
    assert found.line is not None
    assert found.remedy


def test_too_much_and_too_little_are_told(write_course: WriteCourse) -> None:
    items = "\n\n".join(
        ["queue?", "a b c d " * LONGEST_ITEM, *(f"item {n} of the long quiz" for n in range(MOST_ITEMS))]
    )
    text = card("  - {name: Quiz, allows: hints, file: gold/quiz.txt}")
    found, problems = read(write_course({"course.yaml": text, "gold/quiz.txt": items}))
    assert len(found) == MOST_ITEMS
    assert max(len(one.text) for one in found) == LONGEST_ITEM
    told = " ".join(str(one) for one in problems)
    assert "An item of 'Quiz' has 1 words: ordinary questions may be taken for it." in told
    assert "the first 8,000 are compared" in told
    assert f"'Quiz' has more than {MOST_ITEMS} items; the first {MOST_ITEMS} are used." in told


def test_a_long_file_of_items_takes_no_longer_than_its_first_ones(write_course: WriteCourse) -> None:
    """150,000 items took a minute before one was left out: for each, the lines before it were counted."""
    text = card("  - {name: Quiz, allows: hints, file: gold/quiz.txt}")
    folder = write_course({"course.yaml": text, "gold/quiz.txt": "one more item of it\n\n" * 150_000})
    began = time.process_time()
    found, _ = read(folder)
    assert time.process_time() - began < 5
    assert [one.number for one in found] == list(range(1, MOST_ITEMS + 1))


def test_a_key_that_is_not_known_is_told_with_the_one_that_was_meant(write_course: WriteCourse) -> None:
    _, (problem,) = read(write_course({"course.yaml": entry("allows: hints", "close: 2026-11-27T08:00:00Z")}))
    assert problem.message == "Unknown key 'close' of an assessment was ignored."
    assert problem.remedy == "Did you mean 'closes'?"


def test_the_card_and_the_gold_files_say_nothing_of_what_is_graded_work(write_course: WriteCourse) -> None:
    text = card("  - {name: Quiz, allows: hints, file: gold/quiz.txt}")
    folder = write_course({"course.yaml": text, "gold/quiz.txt": QUEUE, "gold/other.txt": "x"})
    found, problems = read_course_card(folder)
    assert problems == ()
    assert QUEUE not in repr(found)
    assert [one.file for one in read_gold(folder)[1]] == ["gold/other.txt"]


def test_what_is_wrong_with_the_yaml_is_told_once_by_the_card(write_course: WriteCourse) -> None:
    folder = write_course({"course.yaml": "assessments: [\n"})
    assert read(folder) == ([], [])
    assert len(read_course_card(folder)[1]) == 1
