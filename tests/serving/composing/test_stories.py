"""Courses that tell stories: names recur, everything has a date, and the same thing is done by one and to another."""

from types import SimpleNamespace

import pytest
from asked_rows import asking, spoken
from course_rows import concept

from knowledge_graph.graph.concept_graph import ConceptGraph
from serving.assistant.composing.explain import _is_of_an_unknown_deed, _may_be_bold, mark_best
from serving.assistant.composing.question_subject import name_subject
from serving.assistant.composing.sufficiency import lacks_a_motive, lacks_a_number
from serving.assistant.composing.terms import NEVER, QuestionUnit, units_of
from serving.assistant.composing.window import Window
from serving.assistant.composing.yes_no import settles
from serving.assistant.understanding.question_kind import question_kind
from serving.index.analysis import terms

GRAPH = SimpleNamespace(mentions=lambda *_: (), concept=None)
FELDER = QuestionUnit("Felder", (frozenset({"felder"}),), 1.0, "en:felder")
LEFT = QuestionUnit("leave", (frozenset({"left"}), frozenset({"leav"})), 1.0)
SHOT = QuestionUnit("shot", (frozenset({"shot"}),), 1.0)
SHIPS = QuestionUnit("ships", (frozenset({"ship"}),), 1.0)
TREATY = QuestionUnit("Treaty", (frozenset({"treati"}),), 1.0, "en:treaty")
LAW = QuestionUnit("law", (frozenset({"law"}),), 1.0)
REVOLT = QuestionUnit("起义", (frozenset({"起义"}),), 1.0)
CAO = QuestionUnit("曹操", (frozenset({"曹操"}),), 1.0, "zh:曹操")


def said(*sentences: str) -> Window:
    piece = spoken(*((one, 0.9) for one in sentences))
    return Window(piece, 0, len(sentences), 0, 1.0, 1.0, 1.0, False, True)


@pytest.mark.parametrize(
    ("sentences", "lacks"),
    [
        (("Felder left the town in May.", "He took a single coach.", "The town was small."), True),
        (("He was afraid of the court, because it was his cousin's.", "Felder left the town in May."), False),
        (("Felder left the town in May.", "He wanted to be tried elsewhere."), False),
        (("Felder left the town.", "It was spring.", "His cousin stayed.", "She had a farm because of him."), True),
    ],
)
def test_why_somebody_did_something_is_told_beside_what_they_did(sentences: tuple[str, ...], *, lacks: bool) -> None:
    request = asking("why did Felder leave the town", FELDER, LEFT, kind="why", graph=GRAPH)
    assert lacks_a_motive(said(*sentences), request) is lacks
    custom = asking("why did Felder always leave the town", FELDER, LEFT, kind="why", graph=GRAPH)
    assert not lacks_a_motive(said(*sentences), custom)


@pytest.mark.parametrize(("sentence", "lacks"), [("曹操撤退了。", True), ("曹操担心后方，撤退了。", False)])
def test_of_a_person_it_is_so_in_chinese_too(sentence: str, *, lacks: bool) -> None:
    retreat = QuestionUnit("撤退", (frozenset(terms("撤退")),), 1.0)
    request = asking("曹操为什么撤退", CAO, retreat, kind="why", lang="zh", graph=GRAPH)
    assert lacks_a_motive(said(sentence), request) is lacks


@pytest.mark.parametrize(
    ("question", "units", "sentences", "lacks"),
    [
        ("how many times was Felder shot", (FELDER, SHOT), ("Felder was shot on the ninth of May 1848.",), True),
        ("how many times was Felder shot", (FELDER, SHOT), ("Felder was shot in 48.", "He had three sons."), True),
        ("how many times was Felder shot", (FELDER, SHOT), ("Felder was shot at by twelve men.",), False),
        ("how many ships did Felder keep", (FELDER, SHIPS), ("The king had ten ships.", "Felder had debts."), True),
        ("how many ships did Felder keep", (FELDER, SHIPS), ("Felder came home.", "He had ten ships."), False),
        ("how many bolts are there", (), ("There are nine bolts in it.",), False),
        ("what's the word limit of the report", (), ("Up to 10% over the limit is tolerated.",), True),
        ("what's the word limit of the report", (), ("Report: 1,500 words.",), False),
        ("which year was that (why did Felder leave)", (FELDER, LEFT), ("Felder left in May.",), True),
        ("which year was that (why did Felder leave)", (FELDER, LEFT), ("Felder left in May 1848.",), False),
        ("when was Felder shot", (FELDER, SHOT), ("The Felders were shot.", "It was bad."), True),
        ("when was Felder shot", (FELDER, SHOT), ("It was in 1848.", "Felder was shot.", "He was young."), False),
        ("when was Felder shot", (FELDER, SHOT), ("In 1848 a cousin was shot.", "Felder was ill."), True),
        ("when was the Treaty", (TREATY,), ("The Treaty.", "It is long.", "It is old.", "From 91 to 88."), False),
        ("起义死了多少人", (REVOLT,), ("起义发生在公元184年3月5日。",), True),
        ("那是哪一年", (), ("那年春天他出发了。",), True),
    ],
)
def test_a_number_counts_what_is_asked_and_is_no_date(
    question: str, units: tuple[QuestionUnit, ...], sentences: tuple[str, ...], *, lacks: bool
) -> None:
    assert lacks_a_number(said(*sentences), asking(question, *units, graph=GRAPH)) is lacks


@pytest.mark.parametrize(
    ("sentence", "verdict"),
    [
        ("The first Treaty was a private bargain, and the second, of 43, was a law.", None),
        ("The Treaty was a law, and the bargain was a private one.", True),
        ("The Treaty was a law, while the bargain wasn't.", True),
        ("The Treaty was long, and it was a law.", True),
    ],
)
def test_a_verdict_is_of_the_thing_whose_clause_it_stands_in(sentence: str, *, verdict: bool | None) -> None:
    request = asking("was the Treaty a law", TREATY, LAW, graph=GRAPH)
    assert settles(request, sentence) is verdict


def test_who_did_what_no_text_has_is_not_who_is_named() -> None:
    strange = QuestionUnit("outbid", (frozenset({"outbid"}),), 1.0, is_known=False)
    assert _is_of_an_unknown_deed(asking("who outbid Felder", FELDER, strange))
    assert not _is_of_an_unknown_deed(asking("who shot Felder", FELDER, SHOT))
    assert not _is_of_an_unknown_deed(asking("what did Felder outbid", FELDER, strange))


@pytest.mark.parametrize(
    ("question", "sentence", "may_be"),
    [
        ("who was Felder", "Felder loves him very much.", False),
        ("who was Felder", "Felder was a tanner from the north.", True),
        ("where was Felder", "Felder loves him very much.", True),
    ],
)
def test_who_somebody_is_is_not_answered_in_bold_by_a_mere_name(question: str, sentence: str, *, may_be: bool) -> None:
    window = Window(spoken((sentence, 0.9)), 0, 1, 0, 1.0, 1.0, 1.0, True, True, key=0, marked=True)
    assert _may_be_bold(window, "", asking(question, FELDER, spoken="en")) is may_be
    assert not _may_be_bold(window, "I am not sure:", asking(question, FELDER, spoken="en"))


@pytest.mark.parametrize(
    ("kind", "marked"), [("why", [True, False]), ("how", [False, False]), ("list", [False, False])]
)
def test_one_sentence_is_in_bold_where_one_may_answer(kind: str, marked: list[bool]) -> None:
    window = Window(spoken(("Felder paid.", 0.9)), 0, 1, 0, 1.0, 1.0, 1.0, True, True, key=0, marked=True)
    request = asking("why was Felder paid", FELDER, kind=kind, spoken="en")
    assert [one.marked for one in mark_best([window, window], "", request)] == marked


@pytest.mark.parametrize("question", ["what did Felder argue?", "what does Felder claim"])
def test_what_somebody_says_is_asked_by_any_word_for_it(question: str) -> None:
    units = units_of(question, (), GRAPH.concept, lambda term: 2.0 if term == NEVER else 1.0)
    assert [unit.label.lower() for unit in units] == ["felder"]


def test_they_are_those_who_did_it_and_not_whom_they_did_it_to() -> None:
    graph = ConceptGraph.from_rows(
        [concept("en:tanner", "tanners", None), concept("en:felder", "felder", None)], [], []
    )
    before, question = "why did the tanners kill Felder", "what did they do wrong afterwards?"
    named = name_subject(question, before, graph, lambda _: True)
    assert named == "what did the tanners do wrong afterwards?"


@pytest.mark.parametrize(
    ("question", "is_order"),
    [
        ("what did the tanners do wrong afterwards?", False),
        ("what happened after the war", False),
        ("what did we learn after the war", True),
        ("what should I learn afterwards?", True),
    ],
)
def test_what_people_did_next_is_no_question_of_the_order_of_lectures(question: str, *, is_order: bool) -> None:
    assert (question_kind(question) == "after") is is_order
