"""Where something is taught: which lecture comes first, and from when."""

from dataclasses import replace
from types import SimpleNamespace
from typing import cast

import pytest
from course_rows import concept
from spoken_rows import one_lecture

from knowledge_graph.graph.concept_graph import ConceptGraph
from knowledge_graph.lake.records import Lang
from serving.assistant.composing.lecture_places import find_places
from serving.assistant.composing.lectures import CourseLectures, SpokenLecture
from serving.assistant.composing.material import CourseMaterialIndex
from serving.assistant.composing.request import Request
from serving.assistant.composing.terms import QuestionUnit, terms_of
from serving.assistant.composing.where import _verb_of, compose_where, in_teaching_order, phrase_subject

FAR_MS = 200_000


def far_apart(*said: str, title: str = "Lecture", index: int = 0) -> SpokenLecture:
    """A lecture of which each sentence is said minutes after the one before."""
    near = one_lecture(*said, title=title, index=index)
    return SpokenLecture(
        tuple(replace(one, start_ms=FAR_MS * at, end_ms=FAR_MS * at + 900) for at, one in enumerate(near.sentences))
    )


def unit(label: str, *, is_concept: bool = True) -> QuestionUnit:
    return QuestionUnit(label, (terms_of(label),), 1.0, label if is_concept else None)


def asking(question: str, lectures: CourseLectures, *units: QuestionUnit, spoken: Lang = "en") -> Request:
    material = cast(CourseMaterialIndex, SimpleNamespace(lectures=lectures, course_id="ml"))
    return Request(
        question=question,
        kind="where",
        lang=spoken,
        spoken=spoken,
        units=units,
        aspects=(),
        concepts=(),
        stored=(),
        find_pieces=lambda: (),
        material=material,
        graph=ConceptGraph.from_rows(
            [concept(one.concept_id, one.label, None) for one in units if one.concept_id is not None], [], []
        ),
    )


def found(question: str, lectures: CourseLectures, *units: QuestionUnit, spoken: Lang = "en") -> list[tuple[str, str]]:
    composed = compose_where(asking(question, lectures, *units, spoken=spoken))
    items = composed.statements if composed is not None else ()
    return [(one.evidence.title, one.evidence.text) for one in items if one.evidence is not None]


def test_the_lecture_with_the_definition_teaches_a_thing_however_seldom_it_names_it() -> None:
    lectures = CourseLectures((one_lecture("We saw a splay.", title="Trees"),))
    at = {"video_id": "0 - Trees", "start_ms": 0, "end_ms": 900}
    of_course = {"definition_locator": at, "definition_course_id": "ml"}
    for is_defined in (False, True):
        row = concept("splay", "splay", "A splay is a tree.", **(of_course if is_defined else {}))
        graph = ConceptGraph.from_rows([row], [], [])
        request = replace(asking("where is splay taught", lectures, unit("splay")), graph=graph)
        composed = compose_where(request)
        assert composed is not None
        assert ("is explained here" in composed.statements[0].text) is is_defined


def test_the_lecture_that_defines_a_thing_comes_before_a_later_one_that_says_more_of_it() -> None:
    first = one_lecture(*["We saw a splay."] * 3, title="Trees")
    later = one_lecture(*["We use a splay."] * 5, title="Caches", index=1)
    at = {"video_id": first.video_id, "start_ms": 0, "end_ms": 900}
    for is_defined, title in ((False, "Caches"), (True, "Trees")):
        more = {"definition_locator": at, "definition_course_id": "ml"} if is_defined else {}
        graph = ConceptGraph.from_rows([concept("splay", "splay", "A splay is a tree.", **more)], [], [])
        asked = replace(asking("where is splay taught", CourseLectures((first, later)), unit("splay")), graph=graph)
        composed = compose_where(asked)
        assert composed is not None
        assert next(one.evidence.title for one in composed.statements if one.evidence is not None) == title


KERNELS = CourseLectures(
    (
        one_lecture("Kernels make new features.", "We use kernels with the SVM.", title="Kernels I"),
        one_lecture(*["The kernels of the SVM are many."] * 3, title="Kernels II", index=1),
        one_lecture(*["An SVM takes kernels."] * 9, title="Using An SVM", index=2),
    )
)


@pytest.mark.parametrize("question", ["which lecture is on SVM kernels", "where are kernels for SVM taught"])
def test_the_lectures_called_by_what_is_looked_for_come_first_from_where_they_speak_of_it(question: str) -> None:
    places = found(question, KERNELS, unit("SVM"), unit("kernels"))
    assert [title for title, _ in places] == ["Kernels I", "Kernels II", "Using An SVM"]
    assert places[0][1] == "Kernels make new features."


def test_what_is_put_together_from_a_question_is_not_named() -> None:
    said = one_lecture(*["Some people learn seeing with the tongue."] * 5, title="Neurons")
    units = [replace(unit(name), concept_id=None) for name in ("seeing", "tongue")]
    asked = asking("where does he talk about seeing with your tongue", CourseLectures((said,)), *units)
    composed = compose_where(asked)
    assert composed is not None
    assert composed.statements[0].text == "This is spoken of here:"


def test_lectures_called_by_a_thing_that_teach_it_come_in_the_order_of_the_course() -> None:
    lectures = CourseLectures(
        (
            one_lecture(*["A shear slants."] * 3, title="Shear"),
            one_lecture(*["A shear has an inverse."] * 5, title="Shear Inverse", index=1),
        )
    )
    assert [title for title, _ in found("where is shear explained", lectures, unit("shear"))] == [
        "Shear",
        "Shear Inverse",
    ]


MAKERS = CourseLectures(
    (
        one_lecture(
            "继电器会磨损。",
            "1947 年，贝尔实验室的三位科学家。",
            "发明了晶体管。",
            "晶体管是开关。",
            "晶体管小。",
            title="电子计算机",
        ),
        one_lecture(*["晶体管装在芯片上。"] * 9, title="集成电路", index=1),
    )
)


def test_who_made_it_is_told_first_and_from_where_it_is_said() -> None:
    places = found("哪一集讲到晶体管是谁发明的？", MAKERS, unit("晶体管"), spoken="zh")
    assert [title for title, _ in places] == ["电子计算机", "集成电路"]
    assert places[0][1].startswith("1947 年")
    said = ["So what is quicksort?", "It sorts.", "This method was invented in 1961 by Tony Hoare.", "Good."]
    used = one_lecture(*["Quicksort will be used. Somebody here will invent a better one."] * 5, title="Use", index=1)
    taught = CourseLectures((one_lecture(*said, title="Quicksort"), used))
    assert found("where does he say who invented quicksort", taught, unit("quicksort"))[0] == ("Quicksort", said[2])
    assert found("哪一集讲晶体管", MAKERS, unit("晶体管"), spoken="zh")[0][0] == "集成电路"


def test_a_lecture_that_says_at_once_what_it_is_about_teaches_it_from_there() -> None:
    said = ["Now we're going to look at KD trees.", "Points lie in the plane.", "This is known as a KD tree."]
    places = find_places([unit("KD tree")], CourseLectures((far_apart(*said),)))
    assert places[0].first.text == said[0]


def test_a_name_that_is_given_late_is_no_beginning() -> None:
    said = [*["A shear slants the plane."] * 4, *["Points move."] * 4, "That is called a shear."]
    first = find_places([unit("shear")], CourseLectures((far_apart(*said),)))[0].first
    assert first.position < 4


def test_what_is_spoken_of_begins_with_the_first_of_a_run() -> None:
    said = [("A landmark is picked.", at) for at in (0, 80_000, *range(150_000, 156_000, 1_000))]
    near = one_lecture(*(text for text, _ in said))
    lecture = SpokenLecture(tuple(replace(one, start_ms=at) for one, (_, at) in zip(near.sentences, said, strict=True)))
    assert find_places([unit("landmark")], CourseLectures((lecture,)))[0].first.start_ms == 0


def test_a_chinese_name_is_found_within_a_longer_one_that_is_named() -> None:
    lecture = far_apart("洗床单。", '这种思想叫 "面向对象编程"。', *["面向对象很好用。"] * 3, title="软件工程")
    place = find_places([unit("面向对象")], CourseLectures((lecture,)))[0]
    assert (place.count, place.first.position) == (4, 1)


def test_things_that_are_listed_and_never_named_together_each_have_their_place() -> None:
    said = [*['函数打包叫 "面向对象"。'] * 3, *["文档写好。"] * 3, *["接口 API 让团队合作。"] * 3]
    lectures = CourseLectures((far_apart(*said, title="软件工程"),))
    units = (unit("API", is_concept=False), unit("面向对象"))
    texts = [text for _, text in found("讲API和面向对象的是哪一集", lectures, *units, spoken="zh")]
    assert texts == [said[-1], said[0]]


def test_a_lecture_called_by_what_is_looked_for_teaches_it_whatever_it_is_of() -> None:
    titled = one_lecture(*["The determinant scales areas."] * 3, title="Determinant")
    passing = one_lecture("The determinant of a matrix gives a number.", title="Cross products", index=1)
    lectures = CourseLectures((titled, passing))
    units = (unit("determinant"), unit("matrix"))
    assert found("which video explains the determinant of a matrix", lectures, *units)[0][0] == "Determinant"


def test_listed_things_begin_where_the_first_of_them_does() -> None:
    said = ["A relay is a switch.", *["It clicks."] * 5, *["A tube is faster than a relay."] * 3]
    lectures = CourseLectures((far_apart(*said, title="Switches"),))
    texts = [text for _, text in found("which lecture covers relay and tube", lectures, unit("relay"), unit("tube"))]
    assert texts == [said[0]]


def test_the_formula_of_a_thing_is_where_both_are_spoken_of() -> None:
    said = ["A shear slants the plane.", *["A shear keeps areas."] * 4, "This is the formula of the shear."]
    request = asking("which lecture has the shear formula", CourseLectures((far_apart(*said),)), unit("shear"))
    places = find_places(request.units, request.material.lectures)
    assert [one.first.text for one in in_teaching_order(request, places)] == [said[-1]]


def test_what_is_asked_for_is_named_in_an_english_sentence() -> None:
    units = (unit("precision"), unit("recall"))
    assert phrase_subject(asking("where are precision and recall taught", KERNELS, *units)) == "precision and recall"
    fast = (unit("quicksort"), unit("fast", is_concept=False))
    assert phrase_subject(asking("where does he say why quicksort is fast", KERNELS, *fast)) == "quicksort"
    assert (_verb_of("cost function for neural networks"), _verb_of("precision and recall")) == ("is", "are")


def test_a_word_with_the_same_stem_and_what_is_said_to_be_something_else_teach_nothing() -> None:
    lectures = CourseLectures(
        (
            one_lecture("We formulate it precisely.", "More precisely, it is small.", "Said precisely.", title="One"),
            one_lecture(
                "This has nothing to do with precision.", *["Precision is another thing."] * 3, title="Two", index=1
            ),
            one_lecture(*["Precision counts what is right."] * 3, title="Three", index=2),
        )
    )
    taught = found("where is precision taught", lectures, unit("precision"))
    assert [title for title, _ in taught] == ["Three"]


def test_a_chinese_thing_that_a_lecture_names_as_it_says_what_it_is_is_taught_there() -> None:
    said = '程序和数据存在一起，叫 "图林堡结构"。'
    for sentence, is_taught in ((said, True), ("它不同于图林堡结构。", False)):
        lectures = CourseLectures((one_lecture(sentence, title="早期"),))
        thing = replace(unit("图林·堡结构", is_concept=False), names=(terms_of("图林堡结构"),))
        asked = asking("哪一集讲了图林·堡结构", lectures, thing, spoken="zh")
        composed = compose_where(asked)
        assert composed is not None
        assert ("没有找到专门讲解" not in composed.statements[0].text) is is_taught


@pytest.mark.parametrize(
    ("name", "said", "begins"),
    [
        (
            "frost heave",
            [
                "There are three: rain wash, frost heave, and slides.",
                "Frost heave lifts the stones.",
                "So frost heave it is.",
            ],
            1,
        ),
        (
            "inflation",
            ["First taxes, inflation and debt.", "Debt is old.", "Now, inflation.", "It is inflation that hurts."],
            2,
        ),
        ("tides", ["Tides, currents, and waves are next.", "The tides follow the moon.", "We measure tides."], 1),
    ],
)
def test_a_list_that_names_a_thing_is_not_where_it_is_taught(name: str, said: list[str], begins: int) -> None:
    lectures = CourseLectures((one_lecture(*said, title="Change"),))
    assert found(f"where is {name} explained", lectures, unit(name))[0][1] == said[begins]


def test_of_a_lecture_that_is_called_by_two_things_the_second_begins_where_it_is_taken_up() -> None:
    said = [
        "Today supply and demand.",
        "Supply is what is sold.",
        "Demand is what people want.",
        "Demand falls with the price.",
    ]
    for title, begins in (("Supply and demand", 2), ("Demand", 0)):
        lectures = CourseLectures((one_lecture(*said, title=title),))
        assert found("where is demand explained", lectures, unit("demand"))[0][1] == said[begins]


def test_of_lectures_that_speak_of_a_thing_the_one_that_says_what_it_is_comes_first() -> None:
    using = one_lecture(*["One pays with a bond again."] * 9, title="Markets")
    defining = one_lecture(
        "A bond is a loan to a state.", "A bond is traded.", "Each bond ends.", title="Loans", index=1
    )
    thing = unit("bond", is_concept=False)
    assert [title for title, _ in found("where is a bond explained", CourseLectures((using, defining)), thing)] == [
        "Loans",
        "Markets",
    ]


def test_a_thing_that_a_lecture_defines_is_taught_there_however_seldom_it_names_it() -> None:
    lectures = CourseLectures((one_lecture("A fjord is a valley that the sea has filled.", title="Coasts"),))
    composed = compose_where(asking("where is fjord explained", lectures, unit("fjord", is_concept=False)))
    assert composed is not None
    assert "is explained here" in composed.statements[0].text


def test_a_name_keeps_the_particle_with_which_it_ends() -> None:
    lectures = CourseLectures((one_lecture(*["Warming up raises the pulse."] * 3, title="Sport"),))
    for question, name in (("where is warming up explained", "warming up"), ("where is warming explained", "warming")):
        composed = compose_where(asking(question, lectures, unit("warming", is_concept=False)))
        assert composed is not None
        assert composed.statements[0].text.startswith(f"{name} is")
