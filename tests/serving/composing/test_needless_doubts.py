"""Exact answers that stand without a doubt, and answers that only seem to be any."""

from dataclasses import replace
from types import SimpleNamespace

import pytest
from asked_rows import asking, spoken
from spoken_rows import one_lecture

from knowledge_graph.graph.concept_graph import ConceptGraph
from serving.assistant.composing import sufficiency
from serving.assistant.composing.composed import ComposedStatement
from serving.assistant.composing.cues import ASKS_FOR_A_NAME
from serving.assistant.composing.explain import _hardly_named, doubt
from serving.assistant.composing.lectures import CourseLectures
from serving.assistant.composing.material import MaterialLine, MaterialPiece
from serving.assistant.composing.missing import find_property, is_of_another_property, names_property
from serving.assistant.composing.rule_topics import is_rule
from serving.assistant.composing.sufficiency import _answers_another_why, is_choice, is_said_opposite, sufficient
from serving.assistant.composing.terms import NEVER, QuestionUnit, is_name, terms_of, unit_of, units_of
from serving.assistant.composing.window import Window
from serving.assistant.composing.windows import best_windows
from serving.assistant.composing.yes_no import forbids
from serving.assistant.understanding.aspects import ASPECTS, find_aspects
from serving.index.evidence import from_entry
from serving.index.schema import Entry, Locator

GRAPH = ConceptGraph.from_rows([], [], [])
BUG = QuestionUnit("bug", (frozenset({"bug"}),), 1.0)
WORD = QuestionUnit("word", (frozenset({"word"}),), 1.0)
FAST = QuestionUnit("tree", (frozenset({"tree"}),), 1.0, "en:tree")
SORT = QuestionUnit("quicksort", (frozenset({"quicksort"}),), 1.0, "en:quicksort")
STABLE = QuestionUnit("stable", (frozenset({"stabl"}),), 1.0)


def weigh(term: str) -> float:
    return 2.0 if term == NEVER else 1.0


def whole(piece: MaterialPiece) -> Window:
    return Window(piece, 0, len(piece.lines), 0, 1.0, 1.0, 1.0, True, True)


@pytest.mark.parametrize(
    ("question", "asks"),
    [
        ("where does the word bug come from", True),
        ("bug这个词是怎么来的", True),
        ("算法这个名字的由来是什么", True),
        ("where do the words in a file come from", False),
        ("这个词是什么意思", False),
    ],
)
def test_where_a_name_comes_from_is_asked_of_the_name(question: str, *, asks: bool) -> None:
    assert (ASKS_FOR_A_NAME.search(question) is not None) is asks


@pytest.mark.parametrize(
    ("said", "covers"),
    [
        ("A moth was found in it, and this is where the term bug is from, by the way of its name.", "full"),
        ("这就是术语 bug 的来源。", "full"),
        ("A bug is hard to find in any name.", "partial"),
    ],
)
def test_what_says_where_a_name_comes_from_is_an_answer_however_little_else_it_names(said: str, covers: str) -> None:
    graph = SimpleNamespace(mentions=lambda *_: (), concept=None)
    request = asking("where does the word bug come from", BUG, WORD, kind="how", graph=graph)
    assert (sufficient(whole(spoken((said, 0.5))), request) == "full") is (covers == "full")


@pytest.mark.parametrize(("units", "covers"), [((BUG, WORD), "full"), ((BUG, WORD, STABLE), "partial")])
def test_what_likely_answers_stands_though_half_of_the_words_of_the_question_are_others(
    monkeypatch: pytest.MonkeyPatch, units: tuple[QuestionUnit, ...], covers: str
) -> None:
    monkeypatch.setattr(sufficiency, "likelihood", lambda *_: 0.9)
    graph = SimpleNamespace(mentions=lambda *_: (), concept=None)
    request = asking("how does a bug get into a stable word", *units, kind="how", graph=graph)
    assert sufficient(whole(spoken(("A bug gets in by night.", 0.9))), request) == covers


def test_the_opposite_that_is_turned_from_is_none() -> None:
    request = asking("why does a tree get slow", FAST)
    turned = spoken(("If a tree is even, it is fast.", 0.9), ("But one side may be a line.", 0.9))
    assert not is_said_opposite(whole(turned), request)
    assert is_said_opposite(whole(spoken(("If a tree is even, it is fast.", 0.9), ("It is a line.", 0.9))), request)


@pytest.mark.parametrize(
    ("said", "is_answer"),
    [
        (("Merge sort is stable, and it needs space.", "Today we learn of quicksort."), False),
        (
            ("Then why is quicksort used?", "Because it works within an array.", "An array is stable, so is a list."),
            False,
        ),
        (("Quicksort is never stable, for it swaps keys that are far apart.", "That puts equal ones anywhere."), True),
        (("Quicksort swaps keys that are far apart, and no order is kept.", "That puts equal ones anywhere."), None),
    ],
)
def test_a_why_not_is_answered_by_what_is_said_of_the_thing_itself(
    said: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, *, is_answer: bool | None
) -> None:
    monkeypatch.setattr("serving.assistant.composing.sufficiency.likelihood", lambda *_: 1.0)
    graph = SimpleNamespace(mentions=lambda text, _: "Merge" in text or "uicksort" in text, concept=None)
    request = asking("why is quicksort not stable", SORT, STABLE, kind="why", graph=graph)
    window = whole(spoken(*((one, 0.9) for one in said)))
    if is_answer is None:  # the words of the question are not said of anything
        assert not _answers_another_why(window, request)
    else:
        assert (sufficient(window, request) == "full") is is_answer


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("Is matrix multiplication commutative?", "commutative"),
        ("is a stack commutative", "commutative"),
        ("Why is matrix multiplication not commutative?", "commutative"),
        ("is it in the lecture", ""),
        ("is this a monoid", ""),
        ("what is dropout", ""),
    ],
)
def test_a_property_is_what_a_thing_is_said_to_be(question: str, name: str) -> None:
    assert find_property(question) == name


def test_a_property_of_the_same_kind_is_another_one() -> None:
    asked = "is the product commutative"
    assert is_of_another_property(asked, "This proves that the product is associative.")
    assert not is_of_another_property(asked, "The product is commutative and is associative.")
    assert not is_of_another_property(asked, "The product is expensive.")
    assert not is_of_another_property("what is a product", "This proves that the product is associative.")


def test_a_word_that_says_in_which_way_weighs_less_and_names_nothing() -> None:
    how, zero = units_of("what does it mean geometrically for zero", (), GRAPH.concept, weigh)
    assert how.weight < zero.weight
    assert not is_name("geometrically")
    (anomaly,) = units_of("anomaly", (), GRAPH.concept, weigh)
    assert anomaly.weight == zero.weight


def test_what_a_rule_denies_in_its_condition_it_does_not_forbid() -> None:
    final = QuestionUnit("final", (frozenset({"final"}),), 1.0)
    certificate = QuestionUnit("certificate", (frozenset({"certif"}),), 1.0)
    request = asking("I failed the final, can i still get a certificate?", final, certificate, kind="logistics")
    praised = spoken(("A certificate praises you if the final grade is high and no resit was taken.", 0.9))
    refused = spoken(("There is no certificate if the final grade is low.", 0.9))
    assert not forbids(best_windows([praised], request.units, kind="logistics")[0], request)
    assert forbids(best_windows([refused], request.units, kind="logistics")[0], request)


@pytest.mark.parametrize(
    ("text", "article", "is_one"),
    [
        ("Using a machine is no fraud.", None, False),
        ("Using a machine is not allowed.", None, True),
        ("不得使用计算器。", None, True),
        ("Ten points are taken off for each day.", "4.2", True),
    ],
)
def test_a_page_of_advice_lays_nothing_down(text: str, article: str | None, *, is_one: bool) -> None:
    place = Locator(document="page.html", article=article)
    entry = Entry("d", "passage", "document", "ds", "en", "Key ideas", text, locator=place)
    assert is_rule(ComposedStatement(text, from_entry(0, entry))) is is_one


@pytest.mark.parametrize(
    ("question", "labels"),
    [
        ("do I get a certificate when I'm done", ["certificate"]),
        ("do I get a certificate at the end", ["certificate"]),
        ("what stands at the end of a queue", ["queue", "stands", "end"]),
        ("why did they stop using relays", ["relays"]),
        ("when does the loop stop", ["loop", "stop"]),
    ],
)
def test_words_that_carry_nothing_are_not_missed(question: str, labels: list[str]) -> None:
    assert [unit.label for unit in units_of(question, (), GRAPH.concept, weigh)] == labels


def test_a_size_is_spoken_of_by_either_word_for_it() -> None:
    big = units_of("what if lambda is big", (), GRAPH.concept, weigh)[-1]
    assert big.measure_coverage(terms_of("Where lambda is large, it is stiff.")) == 1.0
    assert big.measure_coverage(terms_of("Where lambda is small, it is not.")) == 0.0


def test_a_window_that_begins_with_the_marked_sentence_has_the_aspect_of_that() -> None:
    entry = Entry("p", "passage", "subtitle", "ds", "en", "Trees", "", locator=Locator(video_id="v", start_ms=0))
    said = (
        ("For everyday work a tree is a useful help in finding a word in a long book.", 0.9),
        ("And of all that I say today about a tree that stays with you longest.", 1.0),
        ("A tree may be cut.", 0.1),
    )
    lines = tuple(MaterialLine(text, 1000 * at, 1000 * at + 900, near) for at, (text, near) in enumerate(said))
    piece = MaterialPiece(entry, lines, 1.0, 0.9)
    found = best_windows([piece], (FAST,), kind="aspect", aspects=find_aspects("what is a tree good for"))[0]
    assert found.start == found.key == 0
    assert found.has_aspect


@pytest.mark.parametrize(
    ("question", "is_one"),
    [
        ("static or kinetic friction, which is bigger", True),
        ("which is bigger, static or kinetic friction", True),
        ("is it static or kinetic", False),
    ],
)
def test_which_of_two_is_a_choice_wherever_it_is_asked(question: str, *, is_one: bool) -> None:
    assert is_choice(asking(question)) is is_one


@pytest.mark.parametrize(("key", "is_said"), [("example", False), ("drawback", True), ("worst_case", True)])
def test_that_an_example_is_lacking_is_not_said_of_a_text_that_may_give_one(key: str, *, is_said: bool) -> None:
    aspects = tuple(one for one in ASPECTS if one.key == key)
    request = asking("a tree", FAST, kind="aspect", aspects=aspects, names="a tree", spoken="en", concepts=())
    note = doubt(request, whole(spoken(("It is the line before the café.", 0.9))))
    assert ("did not find" in note) is is_said
    assert note


def test_an_enumeration_behind_a_colon_gives_examples() -> None:
    said = next(one.said for one in ASPECTS if one.key == "example")
    assert said.search("Queues are everywhere: cars at a bridge, letters in a box, calls to a doctor.")
    assert said.search("There are many kinds of food: apples, pears, plums.")
    assert not said.search("Remember: a queue has two ends.")


@pytest.mark.parametrize(
    ("question", "words", "is_doubted"),
    [
        ("小海狸为什么抱布偶不抱石头", ("小海狸", "抱布偶", "石头"), False),
        ("海狸区和浮木区坏了会怎样", ("海狸区", "浮木区"), False),
        ("小海狸怎么算", ("小海狸", "算"), True),
    ],
)
def test_a_text_that_has_all_of_much_that_is_asked_is_no_mere_name(
    question: str, words: tuple[str, ...], *, is_doubted: bool
) -> None:
    said = ("先讲海狸区，坏了就说不出来，再讲浮木区，坏了就听不懂。", "小海狸抱布偶，不抱石头，饿了才算是去一次。")
    units = [replace(unit_of(one, lambda _: 1.0), is_known=True) for one in words]
    material = SimpleNamespace(lectures=CourseLectures((one_lecture(*said),)))
    request = asking(question, *units, kind="why", lang="zh", material=material)
    window = whole(spoken((said[0], 0.5), (said[1], 0.5)))
    assert (_hardly_named(request, window) != "") is is_doubted


@pytest.mark.parametrize(
    ("said", "covers"),
    [
        (("Quicksort came first.", "It sat idle for twenty weeks, until a bug was found in it."), "full"),
        (("It sat idle for twenty weeks, until a bug was found in it.", "Quicksort came later."), "partial"),
        (("Quicksort came first.", "It sat idle until a bug was found in it, in twenty lines."), "partial"),
    ],
)
def test_a_number_of_what_is_counted_stands_right_behind_whose_it_is(said: tuple[str, ...], covers: str) -> None:
    graph = SimpleNamespace(mentions=lambda *_: (), concept=None)
    request = asking("how many weeks was quicksort idle for a bug", SORT, BUG, kind="other", graph=graph)
    piece = replace(spoken(*((one, 0.1) for one in said)), meaning=0.5)
    assert sufficient(whole(piece), request) == covers


def test_that_something_is_so_is_said_by_a_word_of_its_family_too() -> None:
    assert names_property("accurate", "They are vivid. Not for accuracy.")
    assert not names_property("accurate", "They are vivid, and accumulate.")
