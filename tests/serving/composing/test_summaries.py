"""What is summarised: a lecture, a part of the course that several lectures teach, or the lectures of a week."""

import re
from dataclasses import replace
from types import SimpleNamespace
from typing import cast

import pytest
from course_rows import concept
from spoken_rows import one_lecture

from knowledge_graph.graph.concept_graph import ConceptGraph
from knowledge_graph.lake.records import Lang
from serving.assistant.composing.composed import Composed
from serving.assistant.composing.key_sentences import key_sentences
from serving.assistant.composing.kinds import _quote_count
from serving.assistant.composing.lectures import CourseLectures, SpokenLecture
from serving.assistant.composing.material import CourseMaterialIndex
from serving.assistant.composing.request import Request
from serving.assistant.composing.summary import compose_summary
from serving.assistant.composing.terms import QuestionUnit, terms_of
from serving.assistant.understanding.focus import Position
from serving.assistant.understanding.question_kind import question_kind

TITLES = {
    "1 - 1 - Welcome": ["A course begins here."],
    "2 - 1 - Kernels I": ["A kernel measures likeness."] * 3,
    "2 - 2 - Kernels II": ["A kernel can be Gaussian."] * 3,
    "2 - 3 - Using it": ["The kernel is chosen last."] * 3,
    "3 - 1 - Clustering": ["A cluster is a group."] * 3,
    "3 - 2 - Cluster": ["Here we go on with what we began.", "A cluster is a group of things that are alike."],
}


def lecture(index: int, video_id: str, said: list[str]) -> SpokenLecture:
    shown = one_lecture(*said, title=re.split(" - |/", video_id)[-1], index=index)
    return SpokenLecture(tuple(replace(one, video_id=video_id) for one in shown.sentences))


def ask(question: str, *words: str, document: str = "", titles: dict[str, list[str]] = TITLES) -> list[str]:
    found = composed(question, *words, document=document, titles=titles)
    return [] if found is None else [one.text for one in found.statements]


def composed(
    question: str,
    *words: str,
    document: str = "",
    titles: dict[str, list[str]] = TITLES,
    watched: str | None = None,
    spoken: Lang = "en",
) -> Composed | None:
    lectures = CourseLectures(tuple(lecture(index, *one) for index, one in enumerate(titles.items())))
    pieces = [SimpleNamespace(entry=SimpleNamespace(source="document", text=document))] if document else []
    request = SimpleNamespace(
        question=question,
        kind="summary",
        spoken=spoken,
        lang=spoken,
        graph=ConceptGraph.from_rows([concept("en:cluster", "cluster", None)], [], []),
        units=tuple(QuestionUnit(word, (terms_of(word),), 1.0, f"en:{word}") for word in words),
        names=", ".join(words),
        pieces=pieces,
        position=None if watched is None else Position("ml", watched, 0),
        course_id="ml",
        card=None,
        material=cast(CourseMaterialIndex, SimpleNamespace(lectures=lectures)),
    )
    return compose_summary(cast(Request, request))


@pytest.mark.parametrize("question", ["summarise the videos on kernels", "what is the lecture on kernels about"])
def test_what_several_lectures_of_one_part_teach_is_summarised_from_all_of_them(question: str) -> None:
    assert question_kind(question) == "summary"
    said = ask(question, "kernel")
    assert "Kernels I, Kernels II, Using it" in said[0]
    assert any(one.startswith("Using it, 00:00: The kernel is chosen last.") for one in said)


def test_what_one_lecture_teaches_is_summarised_from_that_one() -> None:
    assert "Clustering" in ask("summarise the lecture on clusters", "cluster")[0]


def test_a_lecture_that_is_named_by_its_title_is_summarised_alone() -> None:
    assert "Kernels II" in ask("summarise the lecture Kernels II", "Kernels II")[0]
    assert "Kernels I, Kernels II" not in ask("what is the video on using it about", "using it")[0]


def test_a_number_is_that_of_the_lecture_and_not_of_a_week() -> None:
    assert "Kernels I" in ask("summarise lecture 2")[0]
    assert "Kernels I, Kernels II" in ask("summarise week 2")[0]
    assert ask("summarise week 9") == []


@pytest.mark.parametrize(
    "document",
    ["Week | Lectures | Quiz 1 | 1 Welcome | Q1 | 2 | 5 Clustering | Q2 |", "Week 1: Welcome. Week 2: Clustering."],
)
def test_the_lectures_of_a_week_are_those_that_a_document_lists(document: str) -> None:
    assert "Clustering" in ask("summarise week 2", document=document)[0]


def test_how_a_course_is_built_is_told_by_its_lectures() -> None:
    assert any(one.startswith("Clustering: ") for one in ask("how is the course structured?", "structure"))


def test_a_course_is_told_by_what_the_concepts_of_its_titles_are() -> None:
    assert "Cluster: A cluster is a group of things that are alike." in ask("what does the course cover?", "course")


def test_one_lecture_whose_title_alone_has_what_is_asked_about_is_summarised() -> None:
    assert "Using it" in ask("main points of the lecture on using", "using")[0]


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("tl;dr of lecture 2 - 2", "“Kernels II” in its own key sentences:"),
        ("summarise 3.1", "“Clustering” in its own key sentences:"),
        ("what did we do in chapter 2?", "This is taught in Kernels I, Kernels II, Using it. Their key sentences:"),
        ("summary of part 3", "This is taught in Clustering, Cluster. Their key sentences:"),
    ],
)
def test_a_part_of_the_course_is_known_by_its_number(question: str, first: str) -> None:
    assert ask(question)[0] == first


def test_a_subject_in_the_course_is_not_the_whole_course() -> None:
    assert ask("an overview of the kernel as it is treated in the course", "kernel")[0].startswith(
        "This is taught in Ker"
    )


def test_what_is_counted_aloud_is_told_from_there_on() -> None:
    said = ["There are three distinct ideas about kernels.", "One is a likeness.", "One is a map.", "One is a table."]
    lectures = CourseLectures((lecture(0, "1 - 1 - Kernels", ["Welcome to three weeks of it.", *said]),))
    request = SimpleNamespace(
        question="what were the 3 ways to think of a kernel?",
        units=(QuestionUnit("kernel", (terms_of("kernel"),), 1.0, None),),
        course_id="ml",
        material=SimpleNamespace(lectures=lectures),
    )
    found = _quote_count(cast(Request, request))
    assert found is not None
    assert found.statements[0].text == " ".join(said)
    request.question = "what were the 4 ways to think of a kernel?"
    assert _quote_count(cast(Request, request)) is None


def test_a_condition_that_the_next_sentence_takes_back_is_shown_with_it_and_a_sentence_is_not() -> None:
    said = [
        "If the algorithm has high bias give me a lot more training data for it to learn from.",
        "That doesn't actually help you get a lower error on the examples of the cross validation set.",
        "A learning curve shows both errors by the size of the training set, and so tells bias from variance.",
    ]
    shown = [one.text for one in key_sentences(lecture(0, "1 - 1 - Curves", said), 2)]
    assert shown == [f"{said[0]} {said[1]}", said[2]]
    wrong = ["The algorithm gets better with a lot more training data to learn from.", said[1], said[2]]
    assert [one.text for one in key_sentences(lecture(0, "1 - 1 - Curves", wrong), 2)] == wrong[1:]


def test_lectures_that_share_a_title_are_summarised_together_and_told_apart() -> None:
    titles = {
        "01 - 1 Union find": ["Two sites are connected."] * 2,
        "02 - 2 Union find": ["A root stands for its tree."] * 2,
        "03 - Shell sort": ["A sort puts things in order."] * 2,
    }
    said = ask("overview of the union find lectures", "union find", titles=titles)
    assert said[0] == "This is taught in 1 Union find, 2 Union find. Their key sentences:"
    assert any(one.startswith("2 Union find, 00:00: A root stands for its tree.") for one in said)
    assert "“Shell sort”" in ask("tldr of shell sort", "shell sort", titles=titles)[0]
    same = {f"{number} - Union find": ["Two sites are connected."] for number in (1, 2)}
    lead = ask("sum up union find", "union find", titles=same)[0]
    assert lead.startswith("2 lectures are called “Union find”: Union find (1/2), Union find (2/2).")


OVERVIEWS = {
    "01 - Overview": ["A process is a program that runs."] * 3,
    "02 - Overview": ["An inode is a record of a file."] * 3,
}
IN_FOLDERS = {
    "Graphs/Introduction": ["A graph is a set of vertices with edges."] * 3,
    "Sorting/Introduction": ["A sort puts elements in order."] * 3,
    "Sorting/Quicksort": ["The pivot parts the list in two."] * 3,
}


@pytest.mark.parametrize(
    ("question", "word", "titles", "lead"),
    [
        ("What does the lecture Overview cover?", "overview", OVERVIEWS, "Overview (1/2), Overview (2/2)"),
        ("What is the “Overview” lecture about?", "overview", OVERVIEWS, "Overview (1/2), Overview (2/2)"),
        (
            "What does the lecture Introduction cover?",
            "introduction",
            IN_FOLDERS,
            "Introduction (Graphs), Introduction (Sorting)",
        ),
    ],
)
def test_a_title_that_several_lectures_have_is_said_to_be_of_all_of_them(
    question: str, word: str, titles: dict[str, list[str]], lead: str
) -> None:
    found = ask(question, word, titles=titles)
    assert found[0] == f"2 lectures are called “{word.capitalize()}”: {lead}. Their key sentences:"
    for one in lead.split(", "):
        assert any(said.startswith(f"{one}, 00:00: ") for said in found)


@pytest.mark.parametrize(
    ("question", "titles", "watched", "called", "other"),
    [
        ("what is the lecture Overview (2/2) about", OVERVIEWS, None, "Overview (2/2)", "Overview (1/2)"),
        ("what is the lecture Overview about", OVERVIEWS, "02 - Overview", "Overview (2/2)", "Overview (1/2)"),
        (
            "what does the video Introduction (Sorting) cover",
            IN_FOLDERS,
            "Graphs/Introduction",
            "Introduction (Sorting)",
            "Introduction (Graphs)",
        ),
        (
            "what does the Introduction lecture in sorting cover",
            IN_FOLDERS,
            None,
            "Introduction (Sorting)",
            "Introduction (Graphs)",
        ),
    ],
)
def test_the_lecture_that_is_meant_is_named_and_the_others_of_its_title_too(
    question: str, titles: dict[str, list[str]], watched: str | None, called: str, other: str
) -> None:
    title = called.partition(" (")[0]
    found = composed(question, title.lower(), titles=titles, watched=watched)
    assert found is not None
    assert found.statements[0].text == f"“{called}” in its own key sentences:"
    assert found.after == f"Also called “{title}”: {other}."


def test_it_is_said_in_chinese_too() -> None:
    titles = {f"第{number}章/绪论": ["图是由顶点和边组成的。"] * 3 for number in (1, 2)}
    found = composed("绪论这一讲讲了什么", "绪论", titles=titles, spoken="zh")
    assert found is not None
    assert found.statements[0].text.startswith("有 2 讲都叫《绪论》：绪论 (第1章)、绪论 (第2章)。")


def test_a_title_of_its_own_is_told_without_an_addition() -> None:
    found = composed("what is the lecture Quicksort about", "quicksort", titles=IN_FOLDERS)
    assert found is not None
    assert (found.statements[0].text, found.after) == ("“Quicksort” in its own key sentences:", "")
