"""What is told before it gets its name: an example, the case of a rule; and the sentence on what a thing does."""

from dataclasses import replace
from types import SimpleNamespace

import pytest
from asked_rows import asking, spoken
from spoken_rows import one_lecture

from knowledge_graph.graph.concept_graph import ConceptGraph
from serving.assistant.composing import follow_up_answers, titled_examples
from serving.assistant.composing.composed import Composed, ComposedStatement
from serving.assistant.composing.deeds import ASKS_FOR_DEEDS, find_deeds
from serving.assistant.composing.explain import _lead_with_the_case, find_windows
from serving.assistant.composing.follow_up_answers import compose_unseen, leave_out_seen
from serving.assistant.composing.leading_cases import compose_leading_case
from serving.assistant.composing.lectures import CourseLectures
from serving.assistant.composing.material import CourseMaterialIndex
from serving.assistant.composing.request import Request
from serving.assistant.composing.terms import NEVER, QuestionUnit, terms_of, unit_of
from serving.assistant.composing.titled_examples import compose_aspect, is_name_of_it
from serving.assistant.composing.wording import wording
from serving.assistant.understanding.aspects import find_aspects
from serving.index.evidence import Evidence


def unit(name: str) -> QuestionUnit:
    return unit_of(name, lambda term: 2.0 if term == NEVER else 1.0)


def asked_of(question: str, name: str, *said: str, **more: object) -> Request:
    known = {
        "kind": "other",
        "course_id": "ml",
        "spoken": "en",
        "seen": "",
        "names": name,
        "graph": SimpleNamespace(mentions=lambda *_: (), concept=None),
        "material": SimpleNamespace(lectures=CourseLectures((one_lecture(*said),))),
        "pieces": (spoken(*((one, 0.5) for one in said)),),
    }
    return asking(question, unit(name), **(known | more))


EXAMPLE = ("Lamps hang in halls.", "Those who buy lamps also buy candles.", "That's mingling: a third thing is behind.")


def test_an_example_stands_before_the_sentence_that_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(titled_examples, "compose_explanation", lambda _: None)
    question = "give me an example of mingling"
    request = asked_of(question, "mingling", *EXAMPLE, "Now candles.", kind="aspect", aspects=find_aspects(question))
    found = compose_aspect(request)
    assert found is not None
    assert found.statements[0].text == " ".join(EXAMPLE)
    assert found.note


def test_an_example_that_was_shown_among_more_is_no_nothing_more() -> None:
    told = Composed("aspect", "partial", (ComposedStatement("Lamps."),), note="Perhaps.", is_whole=True)
    request = asking("an example", seen="Lamps. More.", wish="example", spoken="en")
    assert leave_out_seen(told, request) == told


@pytest.mark.parametrize(
    ("text", "is_no_more"), [("混杂很常见。举个例子，买灯的人也买蜡烛。", False), ("混杂很常见。", True)]
)
def test_an_example_in_what_was_shown_is_no_nothing_more(text: str, *, is_no_more: bool) -> None:
    told = Composed("aspect", "partial", (ComposedStatement(text, Evidence(1, "e", "subtitle", "ml", "", "")),))
    left = leave_out_seen(told, asking("举个例子", seen=text, wish="example", spoken="zh"))
    assert (left.note == wording("zh").no_more) is is_no_more


def test_an_example_is_told_once_more_where_nothing_else_names_the_thing(monkeypatch: pytest.MonkeyPatch) -> None:
    def said(text: str) -> Composed:
        return Composed("aspect", "partial", (ComposedStatement(text, Evidence(1, "e", "subtitle", "ml", "", "")),))

    monkeypatch.setattr(
        follow_up_answers, "compose", lambda asked: said("Chairs." if asked.seen else "Mingling, as of lamps.")
    )
    material = CourseMaterialIndex.__new__(CourseMaterialIndex)
    asked = Request(
        question="an example of mingling",
        kind="aspect",
        lang="en",
        spoken="en",
        units=(unit("mingling"),),
        aspects=(),
        concepts=(),
        stored=(),
        find_pieces=tuple,
        material=material,
        graph=ConceptGraph.from_rows([], [], []),
        wish="example",
        seen="Mingling, as of lamps.",
    )
    assert "as of lamps" in compose_unseen(asked).text
    assert "Chairs" in compose_unseen(replace(asked, wish="more")).text


@pytest.mark.parametrize(
    ("text", "is_named"),
    [
        ("That's mingling: a third thing is behind.", True),
        ("And this is called mingling.", True),
        ("We call that mingling.", True),
        ("That's not mingling.", False),
        ("This is mingling control.", False),
        ("Mingling is bad.", False),
        ("That's how mingling works.", False),
    ],
)
def test_a_name_is_given_to_what_was_told(text: str, *, is_named: bool) -> None:
    assert is_name_of_it(text, [unit("mingling")]) is is_named


def test_a_name_is_given_so_in_chinese_too() -> None:
    assert is_name_of_it("这就叫混杂。", [unit("混杂")])
    assert not is_name_of_it("混杂很常见。", [unit("混杂")])
    assert not is_name_of_it("这就是我们常说的混杂溢出。", [unit("混杂")])


CASE = ("Reed v Marsh, 1866.", "A lamp is let for a year.", "The hall burns.", "That's the lamp rule.", "It is old.")


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        (CASE, " ".join(CASE[:4])),
        (("Ash v Oak, 1850.", "The lamp rule says no.", "It's from Reed v Marsh, 1866."), "Reed v Marsh, 1866."),
        (("Ash v Oak, 1850.", "The lamp rule says no."), None),
    ],
)
def test_a_rule_comes_from_the_case_told_before_its_name_or_behind_it(said: tuple[str, ...], shown: str | None) -> None:
    found = compose_leading_case(asked_of("which case established the lamp rule", "lamp rule", *said))
    assert (found and found.statements[0].text.endswith(shown or "")) == (shown and True)
    assert found is None or shown == found.statements[0].text or "Ash" not in found.statements[0].text
    assert compose_leading_case(asked_of("what is the lamp rule", "lamp rule", *said)) is None


def test_a_rule_comes_from_its_case_in_chinese_too() -> None:
    said = ("甲诉乙案，一八六六年。", "灯烧了。", "这就是灯规则。")
    found = compose_leading_case(asked_of("灯规则出自哪个案例", "灯规则", *said))
    assert found is not None
    assert found.statements[0].text.startswith("甲诉乙案")


@pytest.mark.parametrize(
    ("question", "said", "is_told"),
    [
        ("what does lampin do", ("Lampin is the light of plenty.", "Lampin does three things.", "It warms."), True),
        ("what does lampin do", ("Cells release lampin, which does the reverse.",), True),
        ("what does lampin do", ("Lampin does not help.",), False),
        ("what is lampin", ("Lampin does three things.",), False),
        ("灯素是做什么的", ("灯素是一种光。", "灯素的作用是升温。"), True),
    ],
)
def test_what_a_thing_does_is_told_by_the_sentence_that_says_so(
    question: str, said: tuple[str, ...], *, is_told: bool
) -> None:
    name = "灯素" if "灯素" in question else "lampin"
    found = find_deeds([name], CourseLectures((one_lecture(*said),)))
    assert (ASKS_FOR_DEEDS.search(question) is not None and bool(found)) is is_told
    assert not found or "light" not in found[0].text


def test_whether_a_rule_applies_to_something_is_told_where_that_is_named() -> None:
    said = (
        "The lamp rule says no.",
        *["The hall is high and cold, and people sit in it all evening with their coats on."] * 9,
        "Drawers we treat by the same idea.",
    )
    question = "does the lamp rule apply to drawers"
    request = asked_of(question, "drawers", *said, kind="yes_no")
    windows = find_windows(asked_of("what does the lamp rule say", "lamp rule", *said, kind="yes_no"), most=1)
    assert "Drawers" not in windows[0].text
    led = _lead_with_the_case(windows, request)
    assert terms_of("drawers") <= terms_of(led[0].text)
    assert _lead_with_the_case(led, request) == led
