"""What to know before a subject, where the graph knows no prerequisite: by what the lectures on it speak of."""

from collections import Counter
from dataclasses import replace
from functools import cache
from types import SimpleNamespace
from typing import Any, cast

import pytest
from spoken_rows import one_lecture

from knowledge_graph.graph.records import GraphConcept
from knowledge_graph.lake.records import Locator
from knowledge_graph.text.time_code import paragraph_start
from knowledge_graph.transcripts.sentences import LectureSentence
from serving.assistant.composing import contrast, study_before, taught_concepts
from serving.assistant.composing.comparison import _is_meant
from serving.assistant.composing.composed import ComposedStatement
from serving.assistant.composing.lecture_places import LecturePlace, find_places, says_what_is_needed
from serving.assistant.composing.lectures import CourseLectures, SpokenLecture
from serving.assistant.composing.material import MaterialLine, MaterialPiece
from serving.assistant.composing.request import Request
from serving.assistant.composing.semester.offers import NOTHING
from serving.assistant.composing.study_before import (
    _find_aim,
    _find_spoken_needs,
    _find_written_needs,
    _is_called,
    _is_taught_before,
    _other_than,
    _rarity,
    compose_background,
    compose_before,
)
from serving.assistant.composing.taught_concepts import names_title, place_of
from serving.assistant.composing.terms import NEVER, QuestionUnit, unit_of
from serving.assistant.composing.where import _says_much, keep_said_whole, teaches
from serving.index.evidence import from_definition
from serving.index.schema import Entry

TAUGHT = {
    "Gradient Descent": ["Gradient descent takes a number of steps.", "A number sets how long a step is."],
    "Linear Regression": ["A number of features gives a price.", "Gradient descent fits the line."],
    "Choosing the Number of Clusters": ["The number of clusters is chosen by eye.", "A number is chosen."],
    "Problem Motivation": ["Anomaly detection looks for odd engines.", "Anomaly detection needs a number."],
    "Gaussian Distribution": ["The Gaussian distribution has a variance.", "A number is its mean."],
    "The Algorithm": [
        "Anomaly detection fits a Gaussian distribution.",
        "Anomaly detection flags a small number.",
        "Anomaly detection is done.",
        "Anomaly detection ends.",
    ],
    "Diagnosing Bias vs. Variance": ["High bias is underfitting.", "High variance is overfitting."],
}


@cache
def lectures() -> CourseLectures:
    return CourseLectures(
        tuple(
            SpokenLecture(
                tuple(
                    LectureSentence(
                        f"{index}-{place}",
                        "ds",
                        f"v{index}",
                        title,
                        index,
                        place,
                        0,
                        "en",
                        place * 9_000,
                        place,
                        text,
                        0.5,
                    )
                    for place, text in enumerate(said)
                )
            )
            for index, (title, said) in enumerate(TAUGHT.items())
        )
    )


def concept(name: str) -> GraphConcept:
    return GraphConcept(f"en:{name}", name, (), "en", 0.9, None, "none", None, None, (), ("ds",))


def test_a_word_that_most_lectures_say_is_nobodys_background() -> None:
    assert _rarity(concept("number"), lectures()) == 0.0
    assert _rarity(concept("gradient descent"), lectures()) > 0.0


def test_a_concept_is_taught_where_a_lecture_is_called_by_it_or_first() -> None:
    for name, title in (("gradient descent", "Gradient Descent"), ("number", "Gradient Descent")):
        place = place_of(concept(name), lectures())
        assert place is not None
        assert place.lecture.title == title


def test_where_a_concept_is_taught_is_looked_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    found: Counter[str] = Counter()

    def find_nowhere(units: list[QuestionUnit], _: CourseLectures) -> list[LecturePlace]:
        found.update(one.label for one in units)
        return []

    monkeypatch.setattr(taught_concepts, "find_places", find_nowhere)
    taught = CourseLectures(lectures().lectures)
    for name in ("gradient descent", "number", "gradient descent", "number"):
        assert place_of(concept(name), taught) is None
    assert found == {"gradient descent": 1, "number": 1}
    place_of(concept("number"), CourseLectures(lectures().lectures))
    assert found["number"] == 2, "other lectures are looked through anew"


@pytest.mark.parametrize(
    ("name", "is_before"),
    [("gradient descent", True), ("gaussian distribution", True), ("variance", False), ("bias", False)],
)
def test_what_a_part_of_the_course_rests_on_may_be_taught_in_it(name: str, is_before: bool) -> None:
    first, aside = lectures().by_id["v3"], {"v4"}
    assert _is_taught_before(concept(name), first, aside, lectures()) is is_before


def test_a_definition_from_a_lecture_without_the_other_side_is_of_another_thing() -> None:
    request = cast(Request, SimpleNamespace(material=SimpleNamespace(lectures=lectures())))
    sides = [(unit_of("bias", lambda _: 1.0),), (unit_of("variance", lambda _: 1.0),)]
    defined = replace(
        concept("variance"), definition="The width of the bell.", definition_locator=Locator(video_id="v4")
    )
    gaussian = ComposedStatement("The width of the bell.", from_definition(0, defined))
    own = replace(defined, definition_locator=Locator(video_id="v6"))
    assert not _is_meant(request, sides, gaussian)
    assert _is_meant(request, sides, ComposedStatement("It is overfitting.", from_definition(0, own)))
    assert _is_meant(request, [sides[1], (unit_of("mean", lambda _: 1.0),)], gaussian)


def test_a_lecture_is_called_by_a_name_that_the_glossary_knows() -> None:
    first = lectures().lectures[0]
    titled = SpokenLecture((replace(first.sentences[0], video_title="中央处理器"),))
    assert _is_called(titled, unit_of("CPU", lambda _: 1.0))
    assert not _is_called(titled, unit_of("内存", lambda _: 1.0))


def asking(question: str, names: list[tuple[str, str | None]], *, pieces: tuple[object, ...] = ()) -> Request:
    units = tuple(replace(unit_of(name, lambda _: 1.0), concept_id=key) for name, key in names)
    material = SimpleNamespace(lectures=lectures())
    return cast(
        Request,
        SimpleNamespace(
            question=question, units=units, material=material, pieces=pieces, kind="comparison", aspects=(), spoken="en"
        ),
    )


def test_places_of_a_chinese_name_are_those_that_say_it_whole() -> None:
    titles = {"特征值": ["矩阵和矩阵。", "矩阵有特征值。"], "求逆": ["这里讲逆矩阵。", "逆矩阵是唯一的。"]}
    taught = CourseLectures(tuple(one_lecture(*said, title=title) for title, said in titles.items()))
    units = tuple(unit_of(one, lambda _: 1.0) for one in ("逆", "矩阵"))
    units = (units[0], replace(units[1], concept_id="zh:矩阵"))
    question = "总结一下讲逆矩阵的那一集"
    request = cast(Request, SimpleNamespace(question=question, units=units, material=SimpleNamespace(lectures=taught)))
    assert [one.lecture.title for one in keep_said_whole(request, find_places(units, taught))] == ["求逆"]
    assert keep_said_whole(cast(Request, SimpleNamespace(**vars(request) | {"question": "矩阵的逆"})), []) == []


def test_places_of_a_concept_are_those_that_say_the_whole_name() -> None:
    request = asking("which video has the gaussian distribution", [("gaussian", "en:gaussian"), ("distribution", None)])
    places = find_places(request.units[:1], lectures())
    assert {one.lecture.title for one in keep_said_whole(request, places)} == {"Gaussian Distribution", "The Algorithm"}
    turned = asking("which video has the distribution gaussian", [("gaussian", "en:gaussian"), ("distribution", None)])
    assert keep_said_whole(turned, places) == []


def test_the_way_into_another_course_is_not_told_by_this_ones() -> None:
    request = asking("what do i need for your second course", [("calculus", None)])
    whole = SimpleNamespace(**vars(request), catalogue=NOTHING)
    assert compose_before(cast(Request, whole)) is None


def test_a_part_that_is_called_a_comparison_of_one_side_compares_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def window(title: str) -> Any:
        entry = SimpleNamespace(title=title)
        return SimpleNamespace(piece=SimpleNamespace(entry=entry), statement=ComposedStatement(title))

    shown = [window("Diagnosing Bias vs. Variance"), window("Gaussian Distribution"), window("Lists vs. Arrays")]
    monkeypatch.setattr(contrast, "find_windows", lambda request, most: shown)
    sides = [(unit_of("bias", lambda _: 1.0),), (unit_of("spread", lambda _: 1.0),)]
    found = contrast.find_versus(asking("bias or spread", []), sides)
    assert [one.text for one in found] == ["Diagnosing Bias vs. Variance"]


@pytest.mark.parametrize(
    ("said", "is_said"),
    [
        ("But you also need to be comfortable with determinants.", True),
        ("Before you can understand heaps, you need to know what a complete tree is.", True),
        ("This video assumes that you're familiar with contour plots.", True),
        ("学堆之前要先掌握完全二叉树。", True),
        ("学这一讲之前，上一讲的静脉和动脉一定要搞清楚。", True),
        ("上一讲的构成要件大家必须记住，否则今天跟不上。", True),
        ("动脉一定要用力按住。", False),
        ("It is one of the key steps that you need to know.", False),
        ("You need to insert a key.", False),
    ],
)
def test_what_a_lecture_says_one_has_to_know_for_it_comes_first(said: str, is_said: bool) -> None:
    taught = CourseLectures((one_lecture("Hello.", said, title="Heap"), one_lecture(said, title="Other", index=1)))
    request = SimpleNamespace(material=SimpleNamespace(lectures=taught), course_id="ds")
    found = _find_spoken_needs(cast(Request, request), concept("heap"), None)
    assert [one.text for one in found] == ([said] if is_said else [])


def test_what_the_lecture_that_teaches_it_says_is_needed_counts_under_another_title() -> None:
    said = "You need to be comfortable with determinants."
    lecture = one_lecture(said, "An eigenvector keeps its direction.", title="Eigenvalues")
    request = SimpleNamespace(material=SimpleNamespace(lectures=CourseLectures((lecture,))), course_id="ml")
    here = LecturePlace(lecture, 1, lecture.sentences[1], is_titled=False)
    assert _find_spoken_needs(cast(Request, request), concept("eigenvector"), None) == []
    (found,) = _find_spoken_needs(cast(Request, request), concept("eigenvector"), here)
    assert found.text == said


def test_two_things_in_a_title_are_each_taught_there() -> None:
    register, memory = (
        one_lecture("寄存器在这里。", title="寄存器 & 内存"),
        one_lecture("寄存器很快。", title="CPU", index=1),
    )
    assert names_title(concept("寄存器"), register) == 1.0
    assert names_title(concept("寄存器"), memory) == 0.0


def test_the_normal_equation_is_no_normalization() -> None:
    equation = one_lecture("The normal equation needs no steps.", title="Normal Equation")
    scaling = one_lecture("We normalize the features.", "Mean normalization is done.", title="Features", index=1)
    taught = CourseLectures((equation, scaling))
    place = place_of(concept("normalization"), taught)
    assert place is not None
    assert place.lecture is scaling
    assert names_title(concept("normalization"), equation) == 0.0


def test_a_part_of_the_goal_is_no_background_and_one_thing_is_listed_once() -> None:
    listed = [concept(one) for one in ("heap order", "sorting order", "sorted order", "array")]
    assert [one.name for one in _other_than([frozenset({"heap"})], listed)] == ["sorting order", "array"]


def test_the_lecture_that_gives_a_thing_its_name_teaches_it_from_there() -> None:
    used = one_lecture("Hello.", "Take a shear.", "The shear fixes it.", title="Products", index=1)
    naming = one_lecture("Hello.", "A shear comes.", "This one has a special name, called a shear.", title="Maps")
    titled = one_lecture("Welcome.", "Shears are next.", "Shears.", "Shears again.", title="Shears", index=2)
    shear = [replace(unit_of("shear", lambda _: 1.0), is_known=True)]
    found = {one.lecture.title: one for one in find_places(shear, CourseLectures((naming, used, titled)))}
    assert list(found) == ["Shears", "Maps", "Products"]
    assert found["Maps"].first.text.endswith("called a shear.")
    assert found["Shears"].first.text == "Shears are next."
    assert (teaches(found["Maps"]), teaches(found["Products"])) == (True, False)


def test_lectures_of_one_title_are_told_apart_by_their_number() -> None:
    heaps, more, sorts = (
        one_lecture("Hello.", title=one, index=at) for at, one in enumerate(("Heaps", "Heaps", "Sorts"))
    )
    taught = CourseLectures((heaps, more, sorts))
    assert [taught.name_of(one) for one in taught.lectures] == ["Heaps (1/2)", "Heaps (2/2)", "Sorts"]


@pytest.mark.parametrize(
    ("said", "start_ms", "is_taught"),
    [
        ("Now we're going to look at KD trees.", 0, True),
        ("A search in a KD tree takes few steps.", 0, False),
        ("Later we look at KD trees.", 600_000, False),
        ("In the last lecture we discussed KD trees.", 0, False),
        ("今天我们讲静脉。", 0, True),
        ("上一讲讲了静脉，血从那里回来。", 0, False),
    ],
)
def test_a_lecture_teaches_what_it_says_at_once_that_it_is_about(said: str, start_ms: int, is_taught: bool) -> None:
    lecture = one_lecture(said)
    first = replace(lecture.sentences[0], start_ms=start_ms)
    assert teaches(LecturePlace(lecture, 1, first, is_titled=False)) is is_taught


@pytest.mark.parametrize(
    ("needed", "use", "defined"),
    [
        ("学这一讲之前，上一讲的血压一定要搞清楚。", "血压高了要看心电图。", "血压是血液对血管壁的压力。"),
        (
            "You should understand tort before this one.",
            "A tort is paid for here.",
            "A tort is a wrong done to another.",
        ),
    ],
)
def test_a_thing_is_taught_where_it_is_defined_and_not_where_a_lecture_builds_on_it(
    needed: str, use: str, defined: str
) -> None:
    first = one_lecture("Hello.", defined, title="First")
    later = one_lecture(needed, use, use, use, title="Later", index=1)
    taught = CourseLectures((first, later))
    name = "血压" if "血压" in defined else "tort"
    own = replace(concept(name), definition=defined, definition_kind="subtitle")
    own = replace(own, definition_locator=Locator(video_id=first.video_id, start_ms=1000))
    place = place_of(own, taught)
    assert place is not None
    assert place.lecture is first
    (there,) = (one for one in find_places(taught_concepts.as_units(own), taught) if one.lecture is later)
    assert there.first.text == use
    assert there.count == 3


def test_a_lecture_that_says_most_of_a_thing_before_it_is_defined_teaches_it() -> None:
    first = one_lecture("A tort is done.", "A tort is paid for.", title="First")
    later = one_lecture("A tort is a wrong done to another.", title="Later", index=1)
    at = Locator(video_id=later.video_id, start_ms=0)
    own = replace(concept("tort"), definition="A tort is a wrong.", definition_kind="subtitle", definition_locator=at)
    place = place_of(own, CourseLectures((first, later)))
    assert place is not None
    assert place.lecture is first


@pytest.mark.parametrize(
    ("said", "is_needed"),
    [
        (["You should be comfortable with recursion before you program it."], True),
        (["Before you go on, make sure that you know the invariant."], True),
        (["You should be comfortable with recursion."], False),
    ],
)
def test_what_is_needed_is_said_late_in_a_lecture_only_before_something(said: list[str], is_needed: bool) -> None:
    (sentence,) = one_lecture(*said).sentences
    assert says_what_is_needed(replace(sentence, start_ms=600_000)) is is_needed
    assert says_what_is_needed(sentence)
    assert says_what_is_needed(replace(sentence, start_ms=paragraph_start(2)))  # of a lecture without times


@pytest.mark.parametrize(
    ("question", "labels"),
    [
        ("I have one evening, what do I revise before I watch clustering?", ["clustering"]),
        ("what do I need for clustering, I have one evening", ["evening", "clustering"]),
    ],
)
def test_only_what_stands_behind_before_is_aimed_at(question: str, labels: list[str]) -> None:
    units = [unit_of(one, lambda term: 2.0 if term == NEVER else 1.0) for one in ("evening", "clustering")]
    request = cast(Request, SimpleNamespace(question=question, units=units))
    assert [one.label for one in _find_aim(request)] == labels


@pytest.mark.parametrize(("name", "is_meant"), [("13 - Heaps", True), ("14 - Heaps", False), ("2 - 13 - Heaps", False)])
def test_what_a_document_wants_repeated_before_a_lecture_is_of_its_number(name: str, is_meant: bool) -> None:
    sentence = replace(one_lecture("Heaps.").sentences[0], video_id=name)
    entry = cast(
        Entry, SimpleNamespace(source="document", title="Syllabus — Before lecture 13", locator=None, lang="en")
    )
    piece = MaterialPiece(entry, (MaterialLine("Repeat trees."),))
    shown = SimpleNamespace(pieces=lambda *_, **__: [piece])
    request = cast(Request, SimpleNamespace(material=shown, lang="en"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(study_before, "quote_under_heading", lambda piece, lines: ComposedStatement(lines[0].text))
        found = _find_written_needs(request, SpokenLecture((sentence,)))
    assert [one.text for one in found] == (["Repeat trees."] if is_meant else [])


def test_the_one_place_that_says_much_of_a_story_is_probably_it() -> None:
    lecture = one_lecture("At a cocktail party two people speak.", "Two microphones record them.", "Now clustering.")
    place = LecturePlace(lecture, 0, lecture.sentences[0], is_titled=False)
    party, microphones, yacht = (unit_of(one, lambda _: 1.0) for one in ("party", "microphones", "yacht"))
    assert _says_much(place, [party, microphones, yacht])
    assert not _says_much(place, [party, yacht])
    assert not _says_much(place, [party, microphones, *[yacht] * 4])


@pytest.mark.parametrize(
    ("asked", "said", "is_shown"),
    [
        ([], "Prerequisites are some programming and a little school algebra.", True),
        ([], "The relevant background here is calculus.", False),
        (["calculus"], "The relevant background here is calculus.", True),
        (["background"], "The relevant background here is calculus.", False),
    ],
)
def test_a_later_lecture_says_what_the_course_builds_on_only_where_it_names_what_is_asked(
    asked: list[str], said: str, is_shown: bool
) -> None:
    titles = ["Welcome", "Vectors", "Cramer's rule"]
    taught = [one_lecture("Hello.", title=each, index=number) for number, each in enumerate(titles)]
    place = taught[2 if "calculus" in said else 0].sentences[0].video_id
    entry = cast(
        Entry,
        SimpleNamespace(
            entry_id="p", source="subtitle", title="Lecture", section=None, locator=Locator(video_id=place), text=said
        ),
    )
    piece = MaterialPiece(entry, (MaterialLine(said, 0, 1000),))
    units = [replace(unit_of(one, lambda _: 1.0), is_known=True) for one in asked]
    material = SimpleNamespace(
        pieces=lambda *_, **__: [piece], vector_of=lambda _: None, lectures=CourseLectures(tuple(taught))
    )
    request = cast(
        Request, SimpleNamespace(question="what background do I need", lang="en", units=units, material=material)
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(MaterialPiece, "evidence", lambda *_: None)
        patch.setattr(MaterialPiece, "lang", "en")
        assert (compose_background(request) is not None) is is_shown


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("what should I know before lecture 6?", ["Diagnosing Bias vs. Variance"]),
        ("what should I know before clustering?", []),
    ],
)
def test_what_a_lecture_leans_on_is_asked_for_by_its_number(
    question: str, asked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    found: list[str] = []

    def lean(request: Request, subject: object, together: list[SpokenLecture], lead: str) -> None:
        found.extend(one.title for one in together)
        assert together[0].title in lead

    monkeypatch.setattr(study_before, "_leant_on_in", lean)
    material = SimpleNamespace(lectures=lectures())
    study_before._of_numbered(cast(Request, SimpleNamespace(question=question, spoken="en", material=material)))
    assert found == asked
