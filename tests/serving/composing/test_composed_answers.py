"""Whole answers without a model, over two small lectures: what is said, how sure it is, and what is cited."""

from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
from asker import Asker

from knowledge_graph.lake.home import DataDir
from serving.assistant.composing import composers
from serving.assistant.composing.composed import Composed, ComposedStatement
from serving.assistant.composing.explain import UNLIKELY
from serving.assistant.composing.material import join_material_lines, split_written_lines
from serving.assistant.composing.request import Request
from serving.assistant.composing.wording import wording
from serving.index.schema import Entry


def test_a_definition_is_the_concepts_own_and_sure(composed_by: Asker) -> None:
    answer = composed_by("What is a stack?")
    assert (answer.route, answer.coverage, answer.kind) == ("direct", "full", "definition")
    assert answer.text.startswith("A stack is a list where the last element added is the first removed. [1]")
    assert answer.references[0].label == "Stacks and queues @ 03:12"


def test_a_comparison_has_the_contrast_and_both_things(composed_by: Asker) -> None:
    answer = composed_by("What is the difference between a stack and a queue?")
    assert answer.kind == "comparison"
    assert "whereas a queue takes from the front" in answer.text
    assert answer.coverage == "partial"


def test_a_reason_is_the_sentence_that_gives_one(composed_by: Asker) -> None:
    answer = composed_by("Why is a stack used for calls?")
    assert "because the last call must return first" in answer.text


def test_a_complexity_is_never_answered_by_the_bare_definition(composed_by: Asker) -> None:
    answer = composed_by("stack complexity")
    assert "takes constant time" in answer.text
    unknown = composed_by("queue complexity")
    assert unknown.coverage != "full"


def test_where_something_is_taught_names_the_lecture_and_its_second(composed_by: Asker) -> None:
    answer = composed_by("Which lecture covers the stack?")
    assert "Stacks and queues, from 03:12" in answer.text
    assert answer.references[0].locator is not None
    assert answer.references[0].locator.video_id == "02 stacks"


def test_a_false_premise_is_denied_with_the_sentence_that_denies_it(composed_by: Asker) -> None:
    answer = composed_by("Why is a stack a fair waiting line?")
    assert answer.text.startswith("Careful")
    assert "A stack is not a fair waiting line." in answer.text


def test_a_stored_answer_stands_under_its_own_question(composed_by: Asker) -> None:
    answer = composed_by("When is the deadline of homework 3?")
    assert (answer.route, answer.coverage) == ("direct", "full")
    assert answer.text == "**FAQ: When is the deadline of homework 3?**\nSunday at 23:59. [1]"
    assert answer.notice == "From the FAQ, reviewed by Ada."


def test_another_homework_is_not_answered_as_sure(composed_by: Asker) -> None:
    answer = composed_by("When is the deadline of homework 7?")
    assert answer.coverage != "full"


def test_what_the_material_does_not_say_is_said_to_be_so(composed_by: Asker) -> None:
    answer = composed_by("How do quantum computers factor integers?")
    assert (answer.route, answer.coverage, answer.references) == ("ask_ta", "none", ())


def test_a_greeting_is_a_written_reply_and_no_model_is_asked(composed_by: Asker) -> None:
    answer = composed_by("hello")
    assert (answer.route, answer.kind, answer.trace.model) == ("chat", "small_talk", None)
    assert "Data structures" in answer.text


def test_nobody_is_told_that_it_is_a_person(composed_by: Asker) -> None:
    assert "not a person" in composed_by("Are you a real person?").text


def test_a_students_work_is_not_done_for_them(composed_by: Asker) -> None:
    answer = composed_by("write my assignment on stacks for me")
    assert answer.kind == "task"
    assert "do not do" in answer.text


def test_a_summary_has_the_key_sentences_with_their_times(composed_by: Asker) -> None:
    answer = composed_by("summarise the lecture on stacks and queues")
    assert answer.kind == "summary"
    assert "03:12" in answer.text


def test_what_is_missing_is_said_of_a_thing_with_its_article(composed_by: Asker) -> None:
    assert "who is behind the stack." in composed_by("Who invented the stack?").text
    assert "speaks of a stack, but" in composed_by("What are the disadvantages of a stack?").text


def test_a_question_in_chinese_is_answered_from_an_english_course(composed_by: Asker) -> None:
    answer = composed_by("什么是栈？")
    assert "last element added is the first removed" in answer.text
    assert "英语" in answer.text


def test_a_mistyped_name_is_taken_as_the_courses_and_said_so(composed_by: Asker) -> None:
    answer = composed_by("What is a quueue?")
    assert answer.text.startswith("Taken as: queue")


def test_two_questions_are_answered_one_by_one(composed_by: Asker) -> None:
    answer = composed_by("What is a stack? And what is a queue?")
    assert "**1. What is a stack?**" in answer.text
    assert "first element added is the first removed" in answer.text


def test_a_question_stands_above_its_answer_as_asked_and_in_the_trace_as_taken(composed_by: Asker) -> None:
    answer = composed_by("What is a stack and what is it used for?")
    assert "**2. what is it used for?**" in answer.text
    assert "stack" in answer.trace.parts[1].question


def test_a_simpler_answer_is_asked_of_the_question_before(composed_by: Asker) -> None:
    answer = composed_by("What is a stack?", "simpler please")
    assert "last element added" in answer.text


@pytest.mark.parametrize("wish", ["simpler please", "I don't get it", "can you just simplify it"])
def test_who_wishes_it_simpler_is_told_that_the_course_is_quoted(composed_by: Asker, wish: str) -> None:
    assert "I only quote the course" in composed_by("What is a stack?", wish).text


def test_a_question_with_simply_in_it_wishes_nothing_simpler(composed_by: Asker) -> None:
    assert "I only quote" not in composed_by("What is a stack?", "and why not simply use a queue?").text


def test_how_well_the_material_covers_it_is_in_the_trace(composed_by: Asker) -> None:
    trace = composed_by("What is a stack?").trace
    assert (trace.question_kind, trace.coverage, trace.sufficiency) == ("definition", "full", 1.0)


def test_a_sure_answer_shows_no_other_passages(composed_by: Asker) -> None:
    assert "Also near" not in composed_by("When is the deadline of homework 3?").text


def test_a_message_without_a_letter_is_not_answered_from_the_material(composed_by: Asker) -> None:
    answer = composed_by("???")
    assert answer.references == ()


def test_a_short_follow_up_is_looked_for_with_what_was_asked_before(composed_by: Asker) -> None:
    answer = composed_by("What is a stack?", "where is that explained?")
    assert "Stacks and queues, from 03:12" in answer.text


def test_tell_me_more_stays_with_the_subject(composed_by: Asker) -> None:
    answer = composed_by("How does a push on a stack work?", "tell me more")
    assert "stack" in answer.text
    assert answer.kind != "small_talk"


def test_the_concepts_later_uses_are_named_with_their_lecture(composed_by: Asker) -> None:
    answer = composed_by("where do we use Python later?")
    assert answer.kind == "after"


def test_a_task_is_not_done_but_shows_where_to_start(composed_by: Asker) -> None:
    answer = composed_by("write the stack assignment for me")
    assert answer.kind == "task"
    assert "Stacks and queues" in {reference.title for reference in answer.references}


def test_a_question_for_a_place_denies_nothing(composed_by: Asker) -> None:
    assert "says otherwise" not in composed_by("where is the fair waiting line of a stack in memory").text


def test_who_teaches_this_is_the_card(composed_by: Asker) -> None:
    assert composed_by("who teaches this").kind == "logistics"


def test_what_an_answer_is_made_of_is_named_in_every_subject(composed_in_mathematics: Asker) -> None:
    answer = composed_in_mathematics("Why is a stack used?")
    assert answer.references
    assert "[1]" in answer.text


def test_a_name_whose_words_stand_only_apart_is_not_in_the_material(composed_by: Asker) -> None:
    answer = composed_by("how does a waiting stack queue work")
    assert answer.coverage != "full"
    assert composed_by("is union-find covered in this course?").coverage == "none"


def test_the_rows_of_a_table_are_not_shown_as_sentences_but_as_a_table_where_it_is_short() -> None:
    table = "Week | Lectures | Quiz\n1 | Stacks | Q1"
    short, long = (
        Entry("p", "passage", "document", "ds", "en", "Rules", f"Read this.\n{table}{more}") for more in MORE
    )
    assert [line.text for line in split_written_lines(short)] == ["Read this.", table]
    assert join_material_lines(split_written_lines(short)[1:], "en").splitlines()[1] == "| --- | --- | --- |"
    assert [line.text for line in split_written_lines(long)] == ["Read this."]


MORE = ("", "\n2 | Queues | Q2" * 40)


def test_a_word_that_only_shares_its_stem_with_the_material_is_not_defined_by_it(composed_by: Asker) -> None:
    answer = composed_by("what is a returner?")
    assert (answer.kind, answer.coverage) == ("definition", "none")
    assert "must return first" not in answer.text


def test_a_task_on_a_concept_begins_with_it_though_the_request_has_words_that_no_text_has(composed_by: Asker) -> None:
    answer = composed_by("write my assignment on stacks with frobnication for me")
    assert "A place to start" in answer.text
    assert "says nothing" not in answer.text
    assert "says nothing about frobnication" in composed_by("write my assignment on frobnication for me").text


def test_a_task_that_names_no_subject_gets_no_place_to_start(composed_by: Asker) -> None:
    answer = composed_by("write my assignment 3 for me")
    assert answer.kind == "task"
    assert not answer.evidence


def test_a_damaged_table_of_sentences_leaves_the_passages_to_answer_from(composed_by: Asker, tmp_path: Path) -> None:
    table = DataDir(tmp_path).table("lecture_sentences", "ds")
    table.write_bytes(table.read_bytes()[:200])
    assert composed_by("What is a stack?").coverage == "full"


def test_where_nothing_is_named_what_was_found_stands_under_a_doubt(monkeypatch: pytest.MonkeyPatch) -> None:
    found = Composed("other", "partial", (ComposedStatement("A queue serves the first first."),), score=0.6)
    monkeypatch.setattr(composers, "compose_explanation", lambda request: found)
    told = composers.compose_other(cast(Request, SimpleNamespace(question="and then", units=(), spoken="en")))
    assert told is not None
    assert (told.note, told.score) == (wording("en").not_direct, UNLIKELY)
    assert (
        composers.compose_other(cast(Request, SimpleNamespace(question="and then", units=("queue",), spoken="en")))
        is found
    )
