"""Faults that strict readers of 380 new answers found, each with the question that did."""

from dataclasses import replace
from types import SimpleNamespace

import pytest
from asked_rows import IN_PLACE, MERGE_SORT, asking, spoken
from course_rows import concept
from spoken_rows import one_lecture

from knowledge_graph.graph.concept_graph import ConceptGraph
from serving.assistant.composing import comparison, explain
from serving.assistant.composing.comparison import _are_told
from serving.assistant.composing.composed import Composed, ComposedStatement
from serving.assistant.composing.contrast import _contrasts_them, is_parallel
from serving.assistant.composing.cues import (
    AMOUNT,
    LIMITS,
    PLAIN_CUES,
    WHICH_VALUE,
    speaks_of_the_talk,
    wording_of,
    wording_of_written,
)
from serving.assistant.composing.definition import _by_sentence
from serving.assistant.composing.document_answers import _in_full, document_statement
from serving.assistant.composing.explain import _cue_of, _is_only_named
from serving.assistant.composing.found_units import strange_names, unit_as_named
from serving.assistant.composing.introduction import defining_patterns
from serving.assistant.composing.joined_answers import join
from serving.assistant.composing.key_sentences import key_sentences, readable
from serving.assistant.composing.lecture_list import list_lectures
from serving.assistant.composing.lecture_places import find_densest
from serving.assistant.composing.lectures import CourseLectures
from serving.assistant.composing.material import MaterialPiece, split_written_lines
from serving.assistant.composing.people import _find_named_units, compose_people
from serving.assistant.composing.premise import _HOW_TO
from serving.assistant.composing.sufficiency import sufficient
from serving.assistant.composing.terms import NEVER, QuestionUnit, unit_of, units_of
from serving.assistant.composing.where import _verb_of
from serving.assistant.composing.whole_names import says_whole
from serving.assistant.composing.window import Window, with_context
from serving.assistant.composing.windows import _whole, best_windows
from serving.assistant.composing.yes_no import settles
from serving.assistant.understanding.aspects import find_aspects
from serving.assistant.understanding.comparison_terms import find_compared
from serving.assistant.understanding.plain_wording import say_plainly
from serving.assistant.understanding.question_kind import QuestionKind, question_kind
from serving.index.evidence import Evidence
from serving.index.schema import Entry


def weigh(term: str) -> float:
    return 2.0 if term == NEVER else 1.0


def page(heading: str, text: str) -> MaterialPiece:
    entry = Entry("d", "passage", "document", "ds", "en", f"Scaffolds — {heading}", text)
    return MaterialPiece(entry, split_written_lines(entry), 1.0, 1.0)


def lecture(*texts: str) -> CourseLectures:
    return CourseLectures((one_lecture(*texts, title="Sorting"),))


@pytest.mark.parametrize(
    "line",
    ["Watch the video again and think back.", "Video Title: Firefighter", "Duration: 2min 43sec", "请观看下面的视频。"],
)
def test_a_line_that_sets_readers_a_task_or_names_a_film_answers_nothing(line: str) -> None:
    assert wording_of_written(line)[1]


def test_an_abbreviation_may_leave_out_the_small_words_of_its_name() -> None:
    found = _in_full("UDL").search("Universal Design for Learning (UDL) is a framework.")
    assert found is not None
    assert found[1] == "Universal Design for Learning"


def test_an_item_of_a_list_of_links_says_not_what_its_name_is() -> None:
    names, item = (
        frozenset({"graphic organizer"}),
        "- Graphic organizer: resources from another site\n- Charts: more of them",
    )
    assert document_statement(names, [page("Tools", item)]) is not None
    assert document_statement(names, [page("Additional Resources", item)]) is None


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("graphic organizer", "Graphic organizers are visual aids that help students think."),
        ("stereotype threat", "Stereotype threat occurs when a stereotype lowers a result."),
        ("dyscalculia", "Dyscalculia involves difficulty with numbers."),
    ],
)
def test_a_plural_and_a_verb_of_its_own_define(name: str, said: str) -> None:
    assert any(one.search(said) for one in defining_patterns((f"{name}s", name))[:2])


@pytest.mark.parametrize(
    "said",
    [
        "For example many use machine learning to mine what people click on.",
        "If you implement linear regression this turns out right anyway.",
        "Graphic organizers come in many shapes that students like.",
    ],
)
def test_a_sentence_that_only_has_a_name_does_not_define_it(said: str) -> None:
    names = ("machine learning", "linear regression", "graphic organizer", "graphic organizers")
    assert not any(one.search(said) for one in defining_patterns(names))


def test_a_list_of_questions_to_readers_is_no_answer_as_a_whole() -> None:
    asks, tells = "- What format will you use?\n- What barriers do you expect?", "- It is taped.\n- It is seen at home."
    assert _whole(page("Reflect", asks)) is None
    assert _whole(page("Reflect", tells)) == (0, 2)


def test_two_words_that_a_sentence_only_lists_are_not_contrasted() -> None:
    sides = [(unit_of("engagement", weigh),), (unit_of("representation", weigh),)]
    assert not is_parallel("Offer options for engagement, representation, and action.", sides)
    assert is_parallel("Engagement is why one learns, representation is what.", sides)
    assert not _are_told(sides, [ComposedStatement("Practice must be engaging."), None])
    assert _are_told(sides, [ComposedStatement("Engagement is why one learns."), None])
    assert _are_told([(MERGE_SORT,), sides[0]], [None, None])
    named, other = "Engagement and representation stand here.", "However, one has to practice."
    (window,) = best_windows(
        [spoken((named, 0.9), (other, 0.8))], [each for side in sides for each in side], kind="other"
    )
    assert not _contrasts_them(window, sides, "")
    assert _contrasts_them(window, [(MERGE_SORT,), sides[1]], "which one should i use")


def test_a_yes_that_is_restricted_in_the_same_sentence_is_none() -> None:
    asked = asking("is merge sort in place", MERGE_SORT, IN_PLACE)
    assert settles(asked, "Merge sort is in place.") is True
    assert settles(asked, "Merge sort is in place, but on lists alone.") is None


@pytest.mark.parametrize(
    ("question", "kind"),
    [("Which page has the playdough activity?", "where"), ("which page has more rows", "other")],
)
def test_a_page_that_has_something_is_looked_for(question: str, kind: str) -> None:
    assert question_kind(question) == kind


def test_what_a_student_knows_already_is_not_looked_for() -> None:
    asked = "Why is heapsort rarely used in practice even though it's in place and n log n guaranteed?"
    assert say_plainly(asked) == "Why is heapsort rarely used in practice?"
    assert say_plainly("Can I pass even though I missed the midterm?").endswith("the midterm?")


def test_a_thing_of_the_students_own_is_not_what_the_course_must_name() -> None:
    server = QuestionUnit("web server", (frozenset({"web", "server"}),), 1.0, is_known=False)
    more = {"kind": "yes_no", "asked": "Can somebody crash my web server by its merge sort?"}
    assert strange_names(asking("q", server, MERGE_SORT, **more)) == []
    assert strange_names(asking("q", server, MERGE_SORT, kind="other", asked="What web server is it?")) == [
        "web server"
    ]


def test_a_chinese_name_is_said_with_blanks_and_capitals_or_without() -> None:
    assert says_whole("Dijkstra 算法的原始版本，构思于 1956 年", "dijkstra算法")
    assert not says_whole("Prim 算法的原始版本", "dijkstra算法")


@pytest.mark.parametrize(
    ("question", "is_asked"),
    [
        ("What epsilon should I use for gradient checking?", True),
        ("which learning rates should i try out", True),
        ("what is the learning rate", False),
    ],
)
def test_a_value_to_take_is_told_by_the_wording(question: str, is_asked: bool) -> None:
    assert (WHICH_VALUE.search(question) is not None) is is_asked


def test_the_opposite_of_what_is_asked_begins_no_answer_and_needs_a_doubt() -> None:
    small = ("If the rate of merge sort is too small, it takes long to end up in place.", 0.9)
    big = ("If the rate of merge sort is too big, it never ends up in place.", 0.88)
    asked = "what happens to merge sort in place if the rate is too big"
    piece = spoken(small, ("It is like a long walk.", 0.1), ("It is a walk of many days.", 0.1), big)
    window = best_windows([piece], [MERGE_SORT, IN_PLACE], kind="other", asked=asked)[0]
    assert piece.lines[window.anchor].text == big[0]
    alone = best_windows([spoken(small)], [MERGE_SORT, IN_PLACE], kind="other", asked=asked)[0]
    request = asking(asked, MERGE_SORT, IN_PLACE, kind="other", graph=SimpleNamespace(mentions=lambda *_: ()))
    assert sufficient(alone, request) != "full"


def test_what_is_said_to_be_something_else_begins_no_answer() -> None:
    piece = spoken(
        ("This merge sort has nothing to do with the one that works in place.", 0.95),
        ("We read it once and then we leave it alone for good.", 0.1),
        ("The other merge sort works in place by rotations.", 0.8),
    )
    window = best_windows([piece], [MERGE_SORT, IN_PLACE], kind="other")[0]
    assert piece.lines[window.anchor].text.startswith("The other merge sort")


def test_how_a_thing_works_that_the_course_only_names_is_doubted() -> None:
    heaps = unit_of("heapsort", weigh)
    twice = lecture("You will hear of heapsort.", "Trees are next.", "Heapsort is fun.")
    often = lecture("Heapsort swaps.", "Heapsort sinks.", "Heapsort ends.", "Heapsort is done.")
    for course, is_named in ((twice, True), (often, False)):
        steps = unit_of("step", weigh)
        request = asking(
            "how does heapsort work, step by step", heaps, steps, kind="how", material=SimpleNamespace(lectures=course)
        )
        assert _is_only_named(request) is is_named


def test_a_place_is_the_first_from_which_much_is_said_and_not_the_fullest() -> None:
    said = (
        lecture("Now kd-trees.", "Kd-trees split.", *["Other."] * 100, *["Kd-trees again."] * 3).lectures[0].sentences
    )
    assert find_densest([one for one in said if "d-trees" in one.text]).start_ms == 0


def test_who_invented_it_comes_before_who_wrote_of_it() -> None:
    wrote = spoken(("Then Jon Bentley wrote a paper on quicksort.", 0.9))
    quicksort = unit_of("quicksort", weigh)
    course = lecture("So what is quicksort?", "This method was invented in 1961 by Tony Hoare.")
    request = asking(
        "who invented quicksort",
        quicksort,
        kind="people",
        pieces=(wrote,),
        stored=(),
        course_id="ds",
        spoken="en",
        material=SimpleNamespace(lectures=course),
        graph=ConceptGraph.from_rows([], [], []),
    )
    found = compose_people(request)
    assert found is not None
    assert "Tony Hoare" in found.statements[0].text


@pytest.mark.parametrize(("title", "is_told"), [("Swing valves", True), ("Swing valves and pumps", False)])
def test_who_came_up_with_this_made_what_the_lecture_is_called_after(title: str, *, is_told: bool) -> None:
    said = ("A swing valve has a lid.", *["Other."] * 9, "Ada Frost, who came up with this in 1937, was strict.")
    request = asking(
        "who came up with swing valves",
        unit_of("swing valve", weigh),
        kind="people",
        stored=(),
        course_id="ds",
        spoken="en",
        names="swing valve",
        material=SimpleNamespace(lectures=CourseLectures((one_lecture(*said, title=title),))),
        graph=ConceptGraph.from_rows([], [], []),
    )
    found = compose_people(request)
    assert (found is not None and "Ada Frost" in found.text) is is_told


def test_whose_version_is_asked_for_is_part_of_its_name() -> None:
    lamp = replace(unit_of("lamp", weigh), concept_id="en:lamp")
    course = lecture("There is Bronk's lamp.")
    request = asking(
        "who made Bronk's lamp",
        lamp,
        unit_of("bronk's", weigh),
        kind="people",
        material=SimpleNamespace(lectures=course),
    )
    assert [unit.label for unit in _find_named_units(request)] == ["lamp", "bronk's"]


@pytest.mark.parametrize(("asked", "is_told"), [("check valve", False), ("swing valve", True)])
def test_who_made_another_thing_of_its_kind_did_not_make_it(asked: str, *, is_told: bool) -> None:
    graph = ConceptGraph.from_rows(
        [concept(f"en:{name}", name, None) for name in ("check valve", "swing valve")], [], []
    )
    said = "The first one was made by Ada Frost in 1910, the swing valve."
    course = lecture("A check valve lets water through one way.", said, "A swing valve is a check valve with a lid.")
    request = asking(
        f"who invented the {asked}",
        unit_of(asked, weigh),
        kind="people",
        pieces=(spoken(("A check valve lets water through one way.", 0.9)),),
        stored=(),
        course_id="ds",
        spoken="en",
        names=asked,
        material=SimpleNamespace(lectures=course),
        graph=graph,
    )
    found = compose_people(request)
    assert found is not None
    assert ("Ada Frost" in found.statements[0].text) is is_told


@pytest.mark.parametrize(
    ("question", "shown"),
    [("跷跷板实验是谁做的", "林戈"), ("长河实验是谁做的", "奥布里"), ("浮力实验是谁提出的", "讲浮力的是格里")],
)
def test_who_made_one_thing_of_a_kind_made_no_other(question: str, shown: str) -> None:
    course = lecture(
        "讲实验。",
        "阿里·莫罗发现，老鼠不吃。",
        *["别的。"] * 5,
        "林戈一九七二年做了跷跷板实验。",
        "奥布里一九七四年做了长河。",
        *["别的。"] * 5,
        "讲浮力的是格里。",
        "他说话很快。",
        "他在平原上一九六〇年做了浮力实验。",
    )
    name, concept = question[: question.index("实验")], replace(unit_of("实验", weigh), concept_id="experiment")
    request = asking(
        question,
        replace(unit_of(name, weigh), weight=2 * concept.weight),
        concept,
        kind="people",
        pieces=(),
        stored=(),
        course_id="ds",
        spoken="zh",
        material=SimpleNamespace(lectures=course),
        graph=ConceptGraph.from_rows([], [], []),
    )
    found = compose_people(request)
    assert found is not None
    assert shown in found.statements[0].text
    assert "莫罗" not in found.statements[0].text


def test_who_made_a_thing_of_two_plain_words_is_told_beside_both_of_them() -> None:
    course = lecture("Ada Frost wrote the first book on grinding.", "Then Bron and Lark, 1871, stages of grinding.")
    grinding = replace(unit_of("grinding", weigh), concept_id="en:grinding")
    material = SimpleNamespace(lectures=course)
    request = asking("who came up with stages of grinding", grinding, unit_of("stages", weigh), material=material)
    assert [unit.label for unit in _find_named_units(request)] == ["grinding", "stages"]


def test_who_made_what_no_text_names_is_not_told_by_its_kind() -> None:
    course = lecture("讲实验。", "阿里·莫罗发现，老鼠不吃。")
    concept = replace(unit_of("实验", weigh), concept_id="experiment")
    unknown = replace(unit_of("跷跷板", weigh), weight=9.0, is_known=False)
    request = asking("跷跷板实验是谁做的", unknown, concept, kind="people", material=SimpleNamespace(lectures=course))
    assert _find_named_units(request) == [unknown]


def test_a_year_that_is_asked_for_beside_is_no_part_of_the_name() -> None:
    quicksort = replace(unit_of("quicksort", weigh), concept_id="en:quicksort")
    year = replace(unit_of("year", weigh), weight=3.0)
    course = lecture("Quicksort grows by the year.", *["Other."] * 9, "In 1961 Tony Hoare invented quicksort.")
    request = asking(
        "who made quicksort, which year was it",
        quicksort,
        year,
        kind="people",
        stored=(),
        course_id="ds",
        spoken="en",
        material=SimpleNamespace(lectures=course),
        graph=ConceptGraph.from_rows([], [], []),
    )
    found = compose_people(request)
    assert found is not None
    assert "Tony Hoare" in found.statements[0].text


def test_a_summary_says_nothing_twice_and_prefers_what_gives_a_name() -> None:
    plain = "The area of every region is changed by that one factor as well."
    names = "This factor is called the determinant of the transformation."
    one, two = (sentence for sentence in lecture(plain, names).lectures[0].sentences)
    assert readable(two) > readable(one)
    twice = lecture(
        "The map cuts all of the areas of the plane down to 1/2 of them.",
        "The map cuts all of the areas of the plane down to half of them.",
        "This is why a tree has a root and every node has one parent above it.",
    )
    assert [one.position for one in key_sentences(twice.lectures[0], 2)] == [0, 2]


@pytest.mark.parametrize(
    ("said", "is_of_it"),
    [
        ("In the next video, I'll show you how.", True),
        ("You now know how to do it.", True),
        ("If you know it already, it is okay to skip this video.", True),
        ("What I'm going to do is subtract the mean.", False),
        ("We're assuming that people who take this course know how to program.", False),
    ],
)
def test_what_speaks_of_the_lecture_is_told_from_what_speaks_in_it(said: str, is_of_it: bool) -> None:
    assert speaks_of_the_talk(said) is is_of_it


def test_a_size_that_the_course_does_not_have_is_doubted() -> None:
    piece = spoken(("Merge sort works in place of a matrix.", 1.0))
    (window,) = best_windows([piece], [MERGE_SORT, IN_PLACE], kind="other")
    graph = SimpleNamespace(mentions=lambda *_: [SimpleNamespace(concept_id="en:merge sort", name="merge sort")])
    large = QuestionUnit("4x4", (frozenset({"4x4"}),), 0.1, is_known=False)
    for units, coverage in (((MERGE_SORT, IN_PLACE), "full"), ((MERGE_SORT, IN_PLACE, large), "partial")):
        assert sufficient(window, asking("q", *units, kind="other", graph=graph)) == coverage


def test_a_short_word_is_defined_where_a_lecture_names_the_thing_so() -> None:
    course = lecture("The cache has a flag, called the dirty bit.", "Put memory on the processor, called a cache.")
    request = asking(
        "what is cache",
        unit_of("cache", weigh),
        kind="definition",
        pieces=(),
        course_id="cs",
        graph=None,
        material=SimpleNamespace(lectures=course),
    )
    found = _by_sentence(request)
    assert found is not None
    assert found.statements[0].text.startswith("Put memory on the processor")


def test_whether_one_thing_is_just_another_compares_them() -> None:
    assert question_kind("Isn't the cross product just an area?") == "comparison"
    assert find_compared("Isn't the cross product just an area?") == ("cross product", "area")
    assert find_compared("isn't a queue the same as a stack?") == ("queue", "stack")


def test_what_the_first_of_two_questions_was_told_is_not_told_again_behind_the_second_answer() -> None:
    said = [ComposedStatement(f"S{at}.", Evidence(at, str(at), "faq", "ds", "", "")) for at in range(3)]
    first, second = (Composed("other", "partial", tuple(each)) for each in ((said[0], said[1]), (said[2], said[1])))
    shown = [one.text for one in join([("a", first), ("b", second)], "en").statements]
    assert shown == ["**1. a**", "S0.", "S1.", "**2. b**", "S2."]
    repeated = [one.text for one in join([("a", first), ("b", first)], "en").statements]
    assert repeated == ["**1. a**", "**2. b**", "S0.", "S1."]


@pytest.mark.parametrize(
    ("question", "is_asked"),
    [("how are negative numbers stored?", True), ("how is merge sort faster than a tie", False)],
)
def test_how_something_is_done_takes_nothing_for_granted(question: str, is_asked: bool) -> None:
    assert (_HOW_TO.search(question) is not None) is is_asked


def test_a_denied_verb_is_nothing_that_is_asked_about() -> None:
    nothing = ConceptGraph.from_rows([], [], [])
    units = units_of("why wasn't ascii enough for them", (), nothing.concept, weigh)
    assert [one.label for one in units] == ["ascii"]


def test_a_contrast_the_other_way_round_is_doubted(monkeypatch: pytest.MonkeyPatch) -> None:
    sides = [(unit_of("table", weigh),), (unit_of("tree", weigh),)]
    (window,) = best_windows(
        [spoken(("A table is better than a tree for plain keys.", 0.9))], [*sides[0], *sides[1]], kind="other"
    )
    told = {
        "find_sides": sides,
        "find_contrasts": [window],
        "_of_each": [None, None],
        "find_windows": [],
        "document_comparison": None,
    }
    for name, value in told.items():
        monkeypatch.setattr(comparison, name, lambda *_, value=value, **__: value)
    for question, is_doubted in (
        ("when is a table worse than a tree", True),
        ("when is a table better than a tree", False),
    ):
        nothing = SimpleNamespace(lectures=CourseLectures())
        found = comparison.compose_comparison(asking(question, kind="comparison", spoken="en", material=nothing))
        assert found is not None
        assert (found.note != "") is is_doubted


def test_a_window_of_a_page_has_the_sentence_before_it_of_its_own_paragraph_alone() -> None:
    text = "Tools differ.\nFor more complex math, Desmos helps. Graphs can be heard by those who are blind.\nIt is old."
    piece = page("Tools", text)
    window = Window(piece, 2, 3, 2, 1.0, 1.0, 1.0, is_cued=True, has_aspect=True)
    assert with_context(window).text.startswith("For more complex math, Desmos helps. Graphs")
    first = Window(piece, 1, 2, 1, 1.0, 1.0, 1.0, is_cued=True, has_aspect=True)
    assert with_context(first).start == 1


def test_what_seems_to_answer_how_a_thing_works_that_is_only_named_stands_under_a_doubt(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    heaps = unit_of("heapsort", weigh)
    (window,) = best_windows([spoken(("You will hear of heapsort.", 0.9))], [heaps], kind="how")
    monkeypatch.setattr(explain, "find_windows", lambda *_, **__: [window])
    monkeypatch.setattr(explain, "sufficient", lambda *_: "full")
    told = {
        "kind": "how",
        "asked": "",
        "pieces": (),
        "spoken": "en",
        "names": "",
        "catalogue": SimpleNamespace(classes={}),
    }
    for course, is_doubted in (
        (lecture("You will hear of heapsort."), True),
        (lecture("Heapsort swaps.", "Heapsort sinks.", "Heapsort ends.", "Heapsort is done."), False),
    ):
        graph = SimpleNamespace(mentions=lambda *_: ())
        asked = asking("how does heapsort work", heaps, material=SimpleNamespace(lectures=course), graph=graph, **told)
        found = explain.compose_explanation(asked)
        assert found is not None
        assert (found.note != "") is is_doubted


@pytest.mark.parametrize(("score", "first"), [(9.5, "likely"), (8.5, "best")])
def test_what_likely_answers_is_shown_before_what_is_better_only_where_it_is_nearly_as_good(
    monkeypatch: pytest.MonkeyPatch, score: float, first: str
) -> None:
    heaps = unit_of("heapsort", weigh)
    best, likely = (
        replace(window, score=value)
        for said, value in (("This best heapsort swaps.", 10.0), ("This likely heapsort swaps.", score))
        for window in best_windows([spoken((said, 0.9))], [heaps], kind="why")
    )
    monkeypatch.setattr(explain, "find_windows", lambda *_, **__: [best, likely])
    monkeypatch.setattr(explain, "not_overlapping", lambda windows, _: list(windows))
    monkeypatch.setattr(explain, "sufficient", lambda window, _: "full" if window is likely else "partial")
    told = {"kind": "why", "asked": "", "pieces": (), "spoken": "en", "names": ""}
    told |= {"catalogue": SimpleNamespace(classes={})}
    course, graph = lecture("Heapsort swaps."), SimpleNamespace(mentions=lambda *_: ())
    asked = asking("why does heapsort swap", heaps, material=SimpleNamespace(lectures=course), graph=graph, **told)
    found = explain.compose_explanation(asked)
    assert found is not None
    assert first in found.statements[0].text


@pytest.mark.parametrize(
    ("question", "kind", "cue"),
    [
        ("why can't we use the squared error", "why", LIMITS),
        ("why do we use the squared error", "why", PLAIN_CUES["why"]),
        ("what epsilon should I use", "other", AMOUNT),
        ("how does it work", "how", None),
    ],
)
def test_what_is_looked_for_beside_the_kinds_own_wording(question: str, kind: str, cue: object) -> None:
    assert _cue_of(asking(question, kind=kind)) is cue


def test_a_further_passage_of_another_lecture_speaks_of_what_is_asked() -> None:
    popular = unit_of("popular", weigh)
    first, other = (
        best_windows([spoken((text, near))], [MERGE_SORT, popular], kind="why")[0]
        for text, near in (("Merge sort is stable.", 0.9), ("They are simple, so they became popular.", 0.5))
    )
    of_another = replace(other, piece=replace(other.piece, entry=replace(other.piece.entry, title="Machines")))
    request = asking("why is merge sort popular", MERGE_SORT, popular)
    assert explain._leaves_subject(of_another, first, request)
    assert not explain._leaves_subject(other, first, request), "the same lecture goes on about it"
    assert not explain._leaves_subject(of_another, of_another, request)


def test_what_gives_the_amount_is_looked_for_by_the_thing_that_is_counted() -> None:
    asked = "how many rotations does it need"
    pieces = (spoken(("At most two rotations.", 0.9)),)
    cue = _cue_of(asking(asked, kind="other", pieces=pieces))
    assert cue is not None
    assert cue is not AMOUNT
    assert cue.search("At most two rotations.")
    assert _cue_of(asking(asked, kind="other", pieces=())) is AMOUNT


@pytest.mark.parametrize(
    ("said", "leans"),
    [
        ("Really 8000 bits.", True),
        ("However, a heap is faster.", True),
        ("和内存有点不同", True),
        ("为了解决这个问题，每个国家都发明了编码", True),
        ("和是两个数相加的结果", False),
        ("为了解决背包问题，可以用动态规划", False),
        ("By doing this the computer got better than him.", True),
        ("To minimize the effects of these flushes, processors guess.", True),
        ("Quicksort doesn't do that.", True),
        ("既然指令完成了，可以关掉所有线路。", True),
        ("By the way of induction the claim holds.", False),
        ("Quicksort doesn't do that much work.", False),
        ('叫 "脏位" - 这可能是最贴切的名字。', True),
        ('"从那时起，每当电脑出了问题，我们就说它出了 bug"。', True),
        ("叫人来看看机器。", False),
        ("For this purpose the cache has a flag.", True),
        ("At that point the array is half full.", True),
        ("You use that for things that go around and around.", True),
        ("PNG is a format, and if you do this it will be saved.", True),
        ("You know that a heap is a tree.", False),
        ("We call it off.", False),
        ("使 Unix 大受欢迎。", True),
        ("因此它更快。", True),
        ("使用数组更快。", False),
        ("在这之后数组是有序的。", True),
    ],
)
def test_a_sentence_that_points_back_leans_on_the_one_before(said: str, leans: bool) -> None:
    assert wording_of(said)[0] is leans


@pytest.mark.parametrize(
    ("question", "said", "covers"),
    [
        ("how do I sort in place without merge sort", "Merge sort sorts in place, list by list.", "partial"),
        ("how do I sort in place without merge sort", "Merge sort cannot sort in place.", "full"),
        ("how do I sort in place by merge sort", "Merge sort sorts in place, list by list.", "full"),
        ("why doesn't merge sort work in place", "Merge sort in place needs another list.", "full"),
    ],
)
def test_what_is_not_so_or_done_without_is_answered_by_what_denies(question: str, said: str, covers: str) -> None:
    window = best_windows([spoken((said, 1.0))], [MERGE_SORT, IN_PLACE], kind="how")[0]
    graph = SimpleNamespace(mentions=lambda *_: (), concept=None)
    request = asking(question, MERGE_SORT, IN_PLACE, kind="how", graph=graph)
    assert sufficient(window, request) == covers


@pytest.mark.parametrize(("kind", "covers"), [("yes_no", "partial"), ("how", "full")])
def test_whether_one_concept_is_another_is_not_answered_by_what_names_one_of_them(
    kind: QuestionKind, covers: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("serving.assistant.composing.sufficiency.likelihood", lambda *_: 1.0)
    minor = replace(unit_of("regression", lambda _: 0.5), concept_id="en:regression")
    window = best_windows([spoken(("Merge sort works in place.", 1.0))], [MERGE_SORT, minor], kind=kind)[0]
    graph = SimpleNamespace(mentions=lambda *_: (), concept=None)
    request = asking("isn't merge sort just regression", MERGE_SORT, minor, kind=kind, graph=graph)
    assert sufficient(window, request) == covers


def test_a_window_that_speaks_of_hardly_half_of_the_question_is_doubted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("serving.assistant.composing.sufficiency.likelihood", lambda *_: 1.0)
    mac = QuestionUnit("mac", (frozenset({"mac"}),), 2.0, is_known=False)
    window = best_windows([spoken(("Merge sort works in place.", 1.0))], [MERGE_SORT, mac], kind="how")[0]
    graph = SimpleNamespace(mentions=lambda *_: (), concept=None)
    for units, covers in (((MERGE_SORT, mac), "partial"), ((MERGE_SORT,), "full")):
        assert sufficient(window, asking("how do I run merge sort on a mac", *units, kind="how", graph=graph)) == covers


def test_digits_before_trees_make_another_kind_of_them_and_count_none() -> None:
    trees = ConceptGraph.from_rows([concept("en:tree", "tree", None)], [], [])
    found = units_of("2-3 trees", trees.mentions("2-3 trees"), trees.concept, weigh)
    assert [unit.label for unit in found] == ["2-3 trees"]
    clusters = units_of("K trees", trees.mentions("K trees"), trees.concept, weigh)
    assert [unit.label for unit in clusters if unit.concept_id] == ["trees"]


def test_what_the_course_hardly_names_is_compared_under_a_doubt() -> None:
    card = unit_of("card", weigh)
    course = lecture("You name it: cards, disks, screens.", "Merge sort merges.", "So it goes.")
    request = asking("how does a card differ from merge sort", material=SimpleNamespace(lectures=course))
    assert comparison._is_one_only_named(request, [(card,), (MERGE_SORT,)])
    assert not comparison._is_one_only_named(request, [(MERGE_SORT,), (MERGE_SORT,)]), "a concept of the course"
    often = lecture("A card draws.", "The card is fast.", "Cards heat up.")
    told = asking("how does a card differ from merge sort", material=SimpleNamespace(lectures=often))
    assert not comparison._is_one_only_named(told, [(card,), (MERGE_SORT,)])


def test_a_chinese_name_across_two_words_names_nothing() -> None:
    (unit,) = units_of("快速排序", (), ConceptGraph.from_rows([], [], []).concept, weigh)
    assert not unit_as_named(unit, lambda: ("这下可以更快排序了！",), CourseLectures()).is_known
    assert unit_as_named(unit, lambda: ("接着讲快排算法。",), CourseLectures()).is_known


def test_the_sentence_that_says_the_reason_begins_the_answer_to_why() -> None:
    near = ("Merge sort in place is like a walk of many steps.", 0.6)
    reason = ("Another reason that merge sort is not in place is the second list.", 0.5)
    filling = ("It is a walk of many days.", 0.1)
    piece = spoken(near, filling, filling, reason)
    kinds: tuple[QuestionKind, ...] = ("why", "other")
    starts = {
        kind: piece.lines[best_windows([piece], [MERGE_SORT, IN_PLACE], kind=kind)[0].anchor].text for kind in kinds
    }
    assert starts == {"why": reason[0], "other": near[0]}


@pytest.mark.parametrize(
    ("question", "keys"),
    [
        ("does heapsort use extra memory?", ["extra_space"]),
        ("is merge sort in place", ["extra_space"]),
        ("需要额外的空间吗", ["extra_space"]),
        ("how much memory does it use", ["space"]),
    ],
)
def test_extra_space_is_another_thing_than_space(question: str, keys: list[str]) -> None:
    assert [one.key for one in find_aspects(question)] == keys
    assert ("extra_space" in keys) is (find_aspects(question)[0].said.search("it has caches in memory") is None)


def test_of_which_kind_something_is_compares_nothing() -> None:
    assert question_kind("Isn't PCA basically a fix for overfitting?") != "comparison"
    assert find_compared("isn't a queue just a kind of stack") == ()
    assert find_compared("isn't a red-black tree just a 2-3 tree in disguise?") == ("red-black tree", "2-3 tree")


def test_a_view_of_a_thing_is_nothing_that_the_course_must_name() -> None:
    for word, is_strange in (("dangerous", False), ("commutative", True)):
        unit = QuestionUnit(word, (frozenset({word}),), 1.0, is_known=False)
        asked = f"is merge sort {word}"
        assert strange_names(asking(asked, MERGE_SORT, unit, asked=asked, kind="yes_no")) == [word] * is_strange


def test_chat_words_of_wishing_are_spelled_out() -> None:
    assert say_plainly("when shud i use it bcoz idk") == "when should i use it because idk"


@pytest.mark.parametrize(
    ("question", "is_list"),
    [
        ("Which lectures are there?", True),
        ("list all the videos of this course", True),
        ("what lectures does this course have", True),
        ("有哪些讲", True),
        ("列出所有视频", True),
        ("which lectures cover hashing", False),
        ("what lecture should I watch first", False),
        ("show me the videos on graphs", False),
        ("这门课有哪些参考书", False),
    ],
)
def test_the_lectures_of_a_course_are_listed_for_who_asks_for_them_alone(question: str, is_list: bool) -> None:
    course = CourseLectures(tuple(one_lecture("Keys are sorted.", title=title) for title in ("Sorting", "Heaps")))
    spoken_in = "zh" if not question.isascii() else "en"
    material = SimpleNamespace(lectures=course)
    found = list_lectures(asking(question, material=material, course_id="ds", spoken=spoken_in))
    assert (found is not None) is is_list
    if found is not None:
        assert [one.text for one in found.statements[1:]] == ["Sorting", "Heaps"]
        assert found.coverage == "full"
    assert list_lectures(asking(question, material=SimpleNamespace(lectures=CourseLectures()))) is None


@pytest.mark.parametrize(("names", "verb"), [("hashing", "is"), ("heaps", "are"), ("a stack and a queue", "are")])
def test_one_thing_is_explained_and_several_are(names: str, verb: str) -> None:
    assert _verb_of(names) == verb


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("how much is the final worth", "how much does the final count"),
        ("What percentage of the grade is the final exam?", "how much does the final exam count?"),
        ("what's the weight of the midterm", "how much does the midterm count"),
        ("how much is that worth reading", "how much is that worth reading"),
    ],
)
def test_what_something_is_worth_is_how_much_it_counts(said: str, meant: str) -> None:
    assert say_plainly(said) == meant


@pytest.mark.parametrize(("heading", "covers"), [("Uses of pointers", "partial"), ("Merge sort", "full")])
def test_a_slide_on_something_else_that_lists_a_thing_gives_no_reason_for_it(heading: str, covers: str) -> None:
    slide = page(heading, "Merge sort, dead code, live variables and scheduling.")
    near = replace(slide, lines=tuple(replace(line, meaning=1.0) for line in slide.lines))
    (window,) = best_windows([near], [MERGE_SORT], kind="why")
    graph = SimpleNamespace(mentions=lambda *_: (SimpleNamespace(concept_id="en:merge sort", name="x"),), concept=None)
    request = asking("why do we need merge sort", MERGE_SORT, kind="why", graph=graph)
    assert sufficient(window, request) == covers
