"""What a question asks for and the material does not have, only names, or speaks of one by one."""

from types import SimpleNamespace

import pytest
from asked_rows import asking, spoken
from course_rows import concept

from knowledge_graph.graph.concept_graph import ConceptGraph
from knowledge_graph.text.layout import LayoutBlock
from knowledge_graph.text.sentences import split_sentences
from serving.assistant.composing.composer import weaken_claimed, without_thing
from serving.assistant.composing.material import MaterialLine, MaterialPiece
from serving.assistant.composing.missing import (
    find_apart,
    find_listed_name,
    find_missing_thing,
    find_unspoken,
    lacks_whole_name,
)
from serving.assistant.composing.premise import deny_premise
from serving.assistant.composing.request import Request
from serving.assistant.composing.sufficiency import is_choice
from serving.assistant.composing.terms import QuestionUnit, spelling_pattern, terms_of, unit_of, units_of
from serving.assistant.composing.window import Window
from serving.assistant.composing.windows import best_windows
from serving.assistant.composing.yes_no import forbids
from serving.index.schema import Entry

GRAPH = ConceptGraph.from_rows([concept("en:heap", "heap", None)], [], [])


def unit(label: str, concept_id: str | None = None, *, is_known: bool = True) -> QuestionUnit:
    return QuestionUnit(label, (terms_of(label),), 1.0, concept_id, is_known)


def page(title: str, *lines: str, is_list: bool = False) -> MaterialPiece:
    """A part of a document, its lines the items of a list or sentences."""
    block = LayoutBlock("item", "") if is_list else None
    entry = Entry(title, "passage", "document", "ds", "en", title, " ".join(lines))
    return MaterialPiece(entry, tuple(MaterialLine(one, block=block) for one in lines), 1.0, 0.6)


def request_on(
    question: str, *units: QuestionUnit, pieces: tuple[MaterialPiece, ...] = (), kind: str = "how"
) -> Request:
    return asking(question, *units, kind=kind, pieces=pieces, asked="", graph=GRAPH, spoken="en")


@pytest.mark.parametrize(
    ("pages", "name"),
    [
        ((page("Sorts", "Heap Folding", "Tree Bending", is_list=True),), "heap folding"),
        ((page("Sorts", "Heap Folding puts one half on the other", is_list=True),), ""),
        ((page("Sorts", "Heap Folding"),), ""),
        ((page("Heap Folding", "Heap Folding", "Halve it", is_list=True),), ""),
    ],
)
def test_what_only_stands_in_a_list_is_not_told_how_it_works(pages: tuple[MaterialPiece, ...], name: str) -> None:
    request = request_on("How does heap folding work?", unit("heap"), unit("folding"), pieces=pages)
    assert find_listed_name(request, pages[0].entry) == name
    assert find_listed_name(replace_kind(request, "why"), pages[0].entry) == ""


def replace_kind(request: Request, kind: str) -> Request:
    return request_on("Why is heap folding slow?", *request.units, pieces=request.pieces, kind=kind)


@pytest.mark.parametrize(
    ("question", "shown", "lacks"),
    [
        ("what is the formula of heap folding?", "A heap is a tree.", True),
        ("what is the formula of heap folding?", "The folding of a heap is a tree.", False),
        ("what is the formula of heap folding?", "Folding is rare. A heap is a tree.", True),
        ("the folding of a heap?", "We fold paper.", True),
        ("the folding of a heap?", "Folding is rare. A heap is a tree.", False),
        ("an empty folding?", "A heap is a tree.", False),
        ("how does the heap folding", "A heap is a tree.", False),
        ("what do we say about the big heap folding", "A heap is a tree.", True),
        ("is heap folding slow", "A heap is a tree.", False),
        ("what kinds of folding exist", "There are two of folding.", False),
        ("the edges of a 2x2 heap?", "A heap has edges.", False),
    ],
)
def test_a_name_with_which_a_question_ends_is_whole_in_what_probably_answers(
    question: str, shown: str, *, lacks: bool
) -> None:
    request = request_on(
        question, *(unit(one) for one in ("2x2", "heap", "empty", "folding", "exist") if one in question)
    )
    piece = spoken(*((one, 0.9) for one in split_sentences(shown, "en")))
    window = Window(piece, 0, len(piece.lines), 0, 1.0, 1.0, 1.0, is_cued=True, has_aspect=True)
    assert lacks_whole_name(request, [window]) is lacks


@pytest.mark.parametrize(
    ("question", "pages", "what"),
    [
        ("Is there a minor in dance?", (page("Minor in maths", "Maths."), page("Dance", "Steps.")), "minor in dance"),
        ("is there a minor in dance", (page("Minor in dance", "Steps."),), ""),
        ("what is a minor in dance", (page("Minor in maths", "Maths."), page("Dance", "Steps.")), ""),
        ("Is there a way to a minor in dance?", (page("Minor in maths", "Maths."), page("Dance", "Steps.")), ""),
        ("Is there any dance among them?", (page("Minor in maths", "Maths."), page("Dance", "Steps.")), ""),
    ],
)
def test_a_thing_is_missing_whose_parts_stand_in_no_text_together(
    question: str, pages: tuple[MaterialPiece, ...], what: str
) -> None:
    units = (unit("minor"), unit("dance"))
    assert find_missing_thing(request_on(question, *units, pieces=pages, kind="yes_no")) == what


def test_what_a_record_of_a_catalogue_is_need_not_be_said() -> None:
    pages = (page("Data", "Meets in the evening."), page("Music", "A program."))
    request = request_on("Is there an evening program?", unit("evening"), unit("program"), pieces=pages)
    assert find_missing_thing(request) == ""


@pytest.mark.parametrize(
    ("question", "what"), [("期末考试考几次？可以补考吗", "补考"), ("补考是什么", ""), ("作业还能交不", "")]
)
def test_leave_for_what_no_text_names_is_said_to_be_missing(question: str, what: str) -> None:
    request = request_on(question, unit("补考", is_known=False), unit("交不", is_known=False), kind="logistics")
    assert find_missing_thing(request) == what


def test_concepts_and_written_names_that_nothing_shown_speaks_of_are_told() -> None:
    heap, name = unit("heap", "en:heap"), unit("Zygmundi")
    request = request_on("Is a heap kept by Zygmundi of any style?", heap, name, unit("style"))
    assert find_unspoken(request, ["A tree has a root."]) == ["heap", "Zygmundi"]
    assert find_unspoken(request, ["A heap has a root.", "Zygmundi wrote it."]) == []
    assert find_apart(request, ["A heap has a root.", "Zygmundi wrote it."]) == ["heap", "Zygmundi"]
    assert find_apart(request, ["Zygmundi wrote of a heap."]) == []
    named = QuestionUnit("Zyg's algorithm", (frozenset({"zyg", "algorithm"}),), 1.0, "en:zyg")
    assert find_unspoken(request_on("how long does it take", named), ["An algorithm halts."]) == ["Zyg's algorithm"]


def test_a_name_within_the_wording_of_an_aspect_is_asked_about() -> None:
    assert without_thing("how long does dijkstra's algorithm take") == "how long take"
    assert without_thing("how long does inserting into a heap take") == "how long take"
    assert without_thing("time complexity") == "time complexity"


def test_a_thing_is_numbered_in_words_as_well_and_what_is_counted_is_not() -> None:
    assert frozenset({"three"}) in names_of("is it allowed in phase 3 of the work?", "3")
    assert names_of("does it run on 3 machines?", "3") == (frozenset({"3"}),)


def names_of(question: str, label: str) -> tuple[frozenset[str], ...]:
    found = units_of(question, (), GRAPH.concept, lambda term: 1.0)
    return next(one.names for one in found if one.label == label)


def test_how_a_cost_grows_is_what_is_doubted_and_not_what_it_is_told_by() -> None:
    linear, sort = weaken_claimed([unit("linear"), unit("heap", "en:heap")])
    assert linear.weight < 1.0
    assert sort.weight == 1.0


def test_a_sign_may_be_spelled_and_its_algorithm_left_out() -> None:
    pattern = spelling_pattern(unit_of("A* algorithm", lambda term: 1.0))
    assert pattern is not None
    assert pattern.search("a cousin called A-star search")
    assert pattern.search("A* needs a guess")
    assert not pattern.search("an algorithm at work")
    tree = spelling_pattern(unit_of("B tree", lambda term: 1.0))
    assert tree is not None
    assert not tree.search("B")


@pytest.mark.parametrize(
    ("question", "said", "is_denied"),
    [
        ("why do we also weigh theta 0?", "We don't weigh theta 0 so the update differs, and k is not 1.", True),
        ("do we weigh theta 0?", "So we do not weigh theta 0.", True),
        ("why do we also weigh theta 0?", "If it is small we don't weigh theta 0.", False),
        ("why do we also weigh theta 0?", "We don't weigh theta 5 where x is 0.", False),
    ],
)
def test_what_one_does_not_do_denies_why_one_does_it(question: str, said: str, is_denied: bool) -> None:
    kind = "yes_no" if question.startswith("do") else "why"
    pieces = (spoken((said, 0.3)),)
    request = request_on(question, unit("weigh"), unit("theta 0"), pieces=pieces, kind=kind)
    assert (deny_premise(request) is not None) is is_denied


@pytest.mark.parametrize(
    ("question", "rule", "is_forbidden"),
    [
        ("I missed a quiz, can I use a joker for it?", "There are no jokers for quizzes.", True),
        ("I missed a quiz, can I use a joker for it?", "There are two jokers for quizzes.", False),
        ("I missed a quiz, can I use a joker for it?", "There are no jokers after May.", False),
        ("what is a joker for a quiz", "There are no jokers for quizzes.", False),
    ],
)
def test_a_rule_that_denies_what_leave_is_asked_for_needs_no_doubt(
    question: str, rule: str, is_forbidden: bool
) -> None:
    quiz = QuestionUnit("quiz", (terms_of("quiz"), terms_of("quizzes")), 1.0)
    request = request_on(question, unit("joker"), quiz, kind="logistics")
    (window,) = best_windows([page("Rules", rule)], request.units, kind="logistics")
    assert forbids(window, request) is is_forbidden


def test_of_two_things_what_says_less_of_the_other_is_no_opposite() -> None:
    assert is_choice(request_on("which is more exact, a heap or a tree?", unit("heap")))
    assert is_choice(request_on("堆还是树更快", unit("堆")))
    assert not is_choice(request_on("why is a heap more exact than a tree?", unit("heap")))


@pytest.mark.parametrize(
    ("question", "said", "what"),
    [
        ("could i make one out of two stacks?", "A stack has one end.", "two stacks"),
        ("how do you implement a queue using 2 stacks", "A queue has two ends.", "2 stacks"),
        ("could i make one out of two stacks?", "Take 2 stacks, one for each end.", ""),
        ("can you build a queue from two stacks", "The two-stack algorithm keeps both.", ""),
        ("how do two stacks differ", "A stack has one end.", ""),
        ("怎么用两个栈实现队列", "栈有一个口。", "两个栈"),
        ("怎么用两个栈实现队列", "用2个栈来做。", ""),
    ],
)
def test_several_things_of_which_something_is_to_be_made_are_missing(question: str, said: str, what: str) -> None:
    pieces = (page("Stacks", said),)
    material = SimpleNamespace(pieces=lambda *_, **__: pieces)
    request = asking(question, unit("stack"), kind="yes_no", pieces=pieces, material=material, asked="")
    assert find_missing_thing(request) == what
