"""Which thing a name is of: one that goes on, one that no text has, one that is no noun."""

from types import SimpleNamespace

import pytest
from asked_rows import IN_PLACE, MERGE_SORT, asking, spoken
from spoken_rows import one_lecture

from knowledge_graph.graph.records import Mention
from serving.assistant.composing.composed import ComposedStatement
from serving.assistant.composing.definition import (
    _find_naming_sentence,
    _has_unknown_head,
    _with_next_word,
    naming_pattern,
)
from serving.assistant.composing.explain import _is_of_what_is_not_there
from serving.assistant.composing.found_units import (
    kinds_of_concepts,
    names_strange_doer,
    strange_names,
    unit_as_named,
    units_to_define,
)
from serving.assistant.composing.lectures import CourseLectures
from serving.assistant.composing.people import _give_statement
from serving.assistant.composing.sufficiency import names_longer
from serving.assistant.composing.terms import NEVER, QuestionUnit, speaks_of_its_names, stands_as_noun, unit_of
from serving.assistant.composing.window import Window
from serving.assistant.composing.windows import best_windows
from serving.index.analysis import terms


def test_a_word_alone_is_defined_where_it_is_named_as_a_word() -> None:
    pattern = naming_pattern({"rank"})
    assert pattern.search("So the word rank means the number of dimensions in the output.")
    assert not pattern.search("Rank two is the best that it can be.")


def test_a_name_that_goes_on_is_not_the_word_that_is_asked_about() -> None:
    pattern = naming_pattern({"vector"})
    assert pattern.search("Such a list of numbers is called a vector in this course.")
    assert not pattern.search("These sets of vectorish things are called vector spaces.")


def test_a_word_is_looked_for_with_the_one_behind_it() -> None:
    assert _with_next_word("dirty", "whats a dirty bit, is a dirty one bad") == ["dirty bit", "dirty one"]
    assert _with_next_word("vector", "what is a vector?") == []


def test_what_a_lecture_calls_the_definition_goes_before_what_it_calls_by_the_word_and_that_before_its_plan() -> None:
    said = (
        "Together they are called the basis of a system.",
        "The definition of a basis of a space is a set.",
    )
    lectures, unit = CourseLectures((one_lecture(*said),)), QuestionUnit("basis", (frozenset({"basi"}),), 1.0)
    request = asking("what is a basis", unit, material=SimpleNamespace(lectures=lectures), course_id="la")
    found = _find_naming_sentence(request, {"basis"})
    assert found is not None
    assert found.text == said[1]
    plain = ("Today we're going to talk about what is called a basis.", said[0])
    material = SimpleNamespace(lectures=CourseLectures((one_lecture(*plain),)))
    named = _find_naming_sentence(asking("what is a basis", unit, material=material, course_id="la"), {"basis"})
    assert named is not None
    assert named.text == plain[1]


@pytest.mark.parametrize(
    ("named", "is_another"),
    [
        (["binary search tree"], True),
        (["binary search tree", "binary search"], False),
        (["binary search algorithm"], False),
        (["randomised binary search"], False),
        ([], False),
    ],
)
def test_a_name_that_goes_on_is_of_another_thing(named: list[str], is_another: bool) -> None:
    graph = SimpleNamespace(
        mentions=lambda text, lang: [Mention(f"en:{one}", one, one, 0, len(one)) for one in named],
        concept=lambda key: SimpleNamespace(name=key.removeprefix("en:")),
    )
    search = QuestionUnit("binary search", (frozenset({"binari", "search"}),), 1.0, "en:binary search")
    (window,) = best_windows([spoken(("It takes few steps.", 1.0))], [], kind="other")
    assert names_longer(window, asking("binary search cost", search, graph=graph)) is is_another


@pytest.mark.parametrize(
    ("label", "question", "names_a_thing"),
    [
        ("textbook", "which textbook does Calculus I use", True),
        ("rust", "does COMP 1200 use rust", True),
        ("gpa", "what gpa do i need", True),
        ("foreign", "do history students need a foreign language", False),
        ("till", "i work till 5", False),
        ("lowest", "what is the lowest grade that is accepted", False),
    ],
)
def test_only_a_noun_is_told_to_be_missing(label: str, question: str, names_a_thing: bool) -> None:
    assert stands_as_noun(label, question) is names_a_thing


@pytest.mark.parametrize(
    ("nearest", "with_concept", "is_declined"),
    [(0.6, False, True), (0.75, False, False), (0.6, True, True), (0.67, True, False), (0.0, False, False)],
)
def test_what_is_near_to_a_thing_that_no_text_names_is_about_something_else(
    nearest: float, with_concept: bool, is_declined: bool
) -> None:
    relu = QuestionUnit("relu", (frozenset({"relu"}),), 1.0, is_known=False)
    units = (relu, MERGE_SORT) if with_concept else (relu, IN_PLACE)
    asked = asking("how does relu work", *units, kind="how", asked="", catalogue=SimpleNamespace(classes={}))
    assert strange_names(asked) == ["relu"]
    piece = spoken(("Merge sort needs a place.", nearest))
    window = Window(piece, 0, 1, 0, 1.0, 1.0, 1.0, is_cued=True, has_aspect=True)
    assert _is_of_what_is_not_there([window], asked) is is_declined


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("why does dropout reduce overfitting", ["dropout"]),
        ("what does dropout do in a network", ["dropout"]),
        ("why is dropout better than merge sort", ["dropout"]),
        ("how do i add dropout", []),
        ("how does dropout schmidt work on that", []),
    ],
)
def test_a_thing_that_no_text_names_is_named_as_such_where_it_is_asked_what_it_does(
    question: str, names: list[str]
) -> None:
    dropout = QuestionUnit("dropout", (frozenset({"dropout"}),), 1.0, is_known=False)
    request = asking(question, dropout, MERGE_SORT, kind="why", asked="")
    assert strange_names(request) == names
    assert names_strange_doer(request) is bool(names)


@pytest.mark.parametrize(
    ("question", "is_head"), [("what does dropout do in a stack", True), ("what does a stack do with dropout", False)]
)
def test_what_an_unknown_thing_does_is_not_what_the_known_one_is(question: str, *, is_head: bool) -> None:
    dropout = QuestionUnit("dropout", (frozenset({"dropout"}),), 1.0, is_known=False)
    assert _has_unknown_head(asking(question, dropout, MERGE_SORT)) is is_head


def test_a_line_of_code_names_no_thing() -> None:
    arr = QuestionUnit("arr", (frozenset({"arr"}),), 1.0, is_known=False)
    assert strange_names(asking("why is reading arr[i] fast", arr, kind="why", asked="")) == []


def test_a_name_tells_what_is_defined_from_others() -> None:
    algorithm = QuestionUnit("algorithm", (frozenset({"algorithm"}),), 1.0, "en:algorithm")
    kruskal = QuestionUnit("kruskal's", (frozenset({"kruskal"}),), 6.0)
    assert speaks_of_its_names([algorithm, kruskal], "Kruskal's algorithm uses union-find.")
    assert not speaks_of_its_names([algorithm, kruskal], "Algorithms are all around us.")
    assert speaks_of_its_names([algorithm, IN_PLACE], "Algorithms are all around us.")  # "place" is any word


@pytest.mark.parametrize(
    ("question", "text", "is_doubted"),
    [
        ("第一个编程语言是谁发明的", "委员会开发一种通用编程语言，Grace Hopper 担任顾问。", True),
        ("who invented the first stack", "The first stack was built by Ada King.", False),
        ("软件工程这说法最早是谁叫起来的", "这个词由工程师玛格丽特·汉密尔顿创造。", False),
        ("who invented the stack", "The stack was invented by Ada King.", False),
    ],
)
def test_who_made_a_thing_did_not_make_the_first_of_its_kind(question: str, text: str, is_doubted: bool) -> None:
    asked = asking(question, spoken="en", kind="people")
    assert bool(_give_statement(asked, ComposedStatement(text), 0.7).note) is is_doubted


@pytest.mark.parametrize(
    ("said", "question", "unknown"),
    [
        (
            ("Then came Johannes Berg.", "So the three laws.", "The second law, it is short."),
            "what are berg's laws",
            [],
        ),
        (("The three laws.", "The laws are short."), "what are berg's laws", ["berg's laws"]),
        (("A stone is grey.", "It speeds up in a fall."), "how fast does a stone fall in the end", []),
        (("A stone is grey.", "It speeds up in a fall."), "what is the stone fall", ["stone fall"]),
        (("Her arms are heavy.", "The fall is deep."), "where does the extra fall come from", []),
        (("The fall is negative here.",), "can a positive fall stop", []),
    ],
)
def test_only_a_name_that_no_text_has_makes_another_thing_of_a_concept(
    said: tuple[str, ...], question: str, unknown: list[str]
) -> None:
    label = "laws" if "laws" in question else "fall"
    concept = QuestionUnit(label, (frozenset(terms(label)),), 1.0, f"en:{label}")
    words = ("berg's", "stone", "extra", "positive")
    units = [QuestionUnit(one, (frozenset(terms(one)),), 1.0) for one in words if one in question]
    found = kinds_of_concepts((*units, concept), question, tuple, CourseLectures((one_lecture(*said),)))
    assert [one.label for one in found if not one.is_known] == unknown


def test_what_is_called_after_somebody_is_told_under_a_title_with_the_name_or_soon_after_it() -> None:
    def weigh(term: str) -> float:
        return 2.0 if term == NEVER else 1.0

    whole = unit_of("berg's second law", weigh)
    parts = tuple(unit_of(one, weigh) for one in ("berg's", "second", "law"))
    far = ("Berg was born here.", *["It rains."] * 60, "The second law, it is short.")
    for lecture, is_known in (
        (one_lecture(*far), False),
        (one_lecture(*far[1:], title="Berg's laws"), True),
        (one_lecture(far[0], far[-1]), True),
    ):
        found = units_to_define(parts, whole, tuple, CourseLectures((lecture,)))
        assert all(one.is_known for one in found) is is_known
        assert unit_as_named(whole, tuple, CourseLectures((lecture,))).is_known is is_known
