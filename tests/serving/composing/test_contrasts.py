"""Two things are told apart by sentences that contrast just these two, in what is asked of them."""

from dataclasses import replace
from types import SimpleNamespace
from typing import cast

import pytest
from asked_rows import asking, spoken
from spoken_rows import one_lecture

from serving.assistant.composing import compared_sides
from serving.assistant.composing.compared_sides import are_all_named, find_sides, is_named
from serving.assistant.composing.comparison import _is_spoken_of, _with_preferred_first
from serving.assistant.composing.contrast import (
    _ANNOUNCES,
    CONTRASTS,
    _contrasts_them,
    contrasts_plainly,
    find_contrasts,
    fits_question,
    is_parallel,
    is_plain_contrast,
    says_faster,
    tells_one_from_the_other,
)
from serving.assistant.composing.cues import answers_kind
from serving.assistant.composing.lectures import CourseLectures
from serving.assistant.composing.material import MaterialLine
from serving.assistant.composing.request import Request
from serving.assistant.composing.semester.sections import _CLASH
from serving.assistant.composing.terms import QuestionUnit, terms_of
from serving.assistant.composing.window import Window
from serving.assistant.understanding.aspects import find_aspects
from serving.index.analysis import terms
from serving.index.schema import Locator

NO_LECTURES = SimpleNamespace(lectures=CourseLectures())


@pytest.mark.parametrize(
    ("question", "asks_for_a_clash"),
    [
        ("does COMP 3300 clash with COMP 1200", True),
        ("can i take both without a clash", False),
        ("do they fit together", False),
        ("COMP 3300和COMP 1200会冲突吗", True),
        ("这两门课不冲突吧", False),
    ],
)
def test_a_clash_is_the_opposite_of_a_fit(question: str, asks_for_a_clash: bool) -> None:
    assert (_CLASH.search(question) is not None) is asks_for_a_clash


@pytest.mark.parametrize(
    ("line", "is_one"),
    [
        ("深度优先用栈，广度优先用队列。", True),
        ("A stack is last in, first out; a queue is first in, first out.", None),
        ("深度优先和广度优先都是遍历，这里不展开。", False),
    ],
)
def test_a_clause_for_each_thing_contrasts_them(line: str, is_one: bool | None) -> None:
    sides = tuple((QuestionUnit(name, (frozenset(terms(name)),), 1.0),) for name in ("深度优先", "广度优先"))
    assert is_parallel(line, sides) is bool(is_one)


@pytest.mark.parametrize(
    ("line", "is_plain"),
    [
        ("Unlike recall, precision looks at what was predicted.", True),
        ("Precision is higher than recall here.", True),
        ("Precision is greater than 0.5, and so is recall.", False),
        ("Precision is the same under both readings.", False),
        ("Recall is better than nothing.", False),
        ("The average of precision and recall is higher than before.", False),
    ],
)
def test_a_contrast_is_plain_where_it_is_one_of_what_is_compared(line: str, is_plain: bool) -> None:
    sides = tuple((QuestionUnit(name, (frozenset(terms(name)),), 1.0),) for name in ("precision", "recall"))
    window = cast("Window", SimpleNamespace(lines=(MaterialLine(line),)))
    assert contrasts_plainly(window, sides) is is_plain


@pytest.mark.parametrize(
    ("question", "is_turned"), [("a tree rather than a table", True), ("a tree or a table", False)]
)
def test_what_a_lecture_says_of_the_thing_to_be_taken_stands_before_what_it_says_of_the_other(
    question: str, is_turned: bool
) -> None:
    sides = tuple((QuestionUnit(name, (frozenset(terms(name)),), 1.0),) for name in ("tree", "table"))
    said = [
        Window(spoken((text, 1.0)), 0, 1, 0, 1.0, 1.0, 1.0, is_cued=True, has_aspect=True).statement
        for text in ("A table is simple to code.", "A tree is green.", "On the other hand, a tree keeps its order.")
    ]
    expected = [said[2], said[0], said[1]] if is_turned else said
    assert _with_preferred_first(said, sides, question) == expected
    assert _with_preferred_first(expected[::-1] if not is_turned else said[1:], sides, question)[0] is not said[0]


def test_two_kinds_of_one_chinese_concept_are_told_apart_by_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    concept = QuestionUnit("编程", (frozenset({"编程"}),), 1.0, "zh:编程")
    rest = {name: QuestionUnit(name, (frozenset({name}),), 1.0) for name in ("插线板", "面板")}

    def find_units(_: Request, text: str) -> tuple[QuestionUnit, ...]:
        return (concept, *(unit for name, unit in rest.items() if text.startswith(name)))

    monkeypatch.setattr(compared_sides, "_units", find_units)
    sides = find_sides(asking("插线板编程和面板编程有什么区别"))
    assert [[unit.label for unit in side] for side in sides] == [["编程", "插线板"], ["编程", "面板"]]


@pytest.mark.parametrize(
    ("question", "said", "fits"),
    [
        ("is quicksort slower than mergesort", "Against quicksort, mergesort will always be faster.", True),
        ("is quicksort slow or mergesort", "Against mergesort, quicksort will always be fast.", False),
        ("is quicksort slower than mergesort", "Quicksort is always faster than mergesort.", False),
        ("is quicksort slower than mergesort", "Quicksort is fine, but mergesort is always faster.", True),
        ("is quicksort slower than mergesort", "Quicksort is always faster.", False),
    ],
)
def test_of_two_that_are_named_the_one_is_faster_where_the_other_is_slower(
    question: str, said: str, *, fits: bool
) -> None:
    sides = tuple((QuestionUnit(name, (frozenset(terms(name)),), 1.0),) for name in ("quicksort", "mergesort"))
    window = cast("Window", SimpleNamespace(lines=(MaterialLine(said),), text=said))
    assert fits_question(window, sides, question) is fits


@pytest.mark.parametrize(
    ("said", "is_told"),
    [
        ("One is called quicksort, and the other is called mergesort.", True),
        ("Quicksort is one of them, like any other.", False),
    ],
)
def test_one_and_the_other_tells_two_things_apart(said: str, *, is_told: bool) -> None:
    sides = tuple((QuestionUnit(name, (frozenset(terms(name)),), 1.0),) for name in ("quicksort", "mergesort"))
    window = cast("Window", SimpleNamespace(lines=(MaterialLine(said),)))
    assert tells_one_from_the_other(window, sides) is is_told


def test_a_thing_whose_telling_words_are_shown_is_not_said_to_be_missing() -> None:
    original, model = (QuestionUnit(one, (frozenset(terms(one)),), 1.0) for one in ("original", "model"))
    side = (QuestionUnit("sort", (frozenset({"sort"}),), 1.0, "en:sort"), original, model)
    assert _is_spoken_of(side, terms_of("The original model is used more often."))
    assert not _is_spoken_of(side, terms_of("The new model is used more often."))
    assert not _is_spoken_of((original,), terms_of("The original model.")), "no concept of the course"


def test_a_contrast_in_something_else_is_none_of_what_is_asked() -> None:
    sides = tuple((QuestionUnit(name, (frozenset(terms(name)),), 1.0),) for name in ("quicksort", "mergesort"))
    speed = spoken(("Quicksort is faster than mergesort, because it does little for each compare.", 1.0))
    memory = spoken(("Mergesort takes more memory than quicksort, for it merges into another array.", 0.5))
    pieces = (speed, replace(memory, entry=replace(memory.entry, entry_id="q", locator=Locator(video_id="w"))))
    request = asking(
        "which uses more memory", *(unit for side in sides for unit in side), pieces=pieces, material=NO_LECTURES
    )
    assert len(find_contrasts(request, sides)) == 2
    asked = cast("Request", SimpleNamespace(**vars(request) | {"aspects": find_aspects("which uses more memory")}))
    (window,) = find_contrasts(asked, sides)
    assert "another array" in window.text


def test_which_is_faster_is_told_though_something_of_each_is_asked_beside_it() -> None:
    sides = tuple((QuestionUnit(name, (frozenset(terms(name)),), 1.0),) for name in ("quicksort", "mergesort"))
    speed = spoken(("Quicksort is faster than mergesort in practice by a good deal.", 1.0))
    units = tuple(unit for side in sides for unit in side)
    for question, count in (("which is faster, and how much memory do they use", 1), ("which uses more memory", 0)):
        request = asking(question, *units, pieces=(speed,), material=NO_LECTURES)
        asked = cast("Request", SimpleNamespace(**vars(request) | {"aspects": find_aspects("how much memory")}))
        assert len(find_contrasts(asked, sides)) == count
        assert says_faster(find_contrasts(request, sides)[0], sides, asked) is (count == 1)


@pytest.mark.parametrize("text", ["我们比较一下深度优先和广度优先。", "Now let's compare the two."])
def test_what_announces_a_comparison_is_none(text: str) -> None:
    assert _ANNOUNCES.search(text)


@pytest.mark.parametrize("text", ["对比一下，动脉的管壁厚，静脉的管壁薄。", "比较一下：静脉里的血流得慢。"])
def test_a_comparison_that_follows_in_the_same_sentence_is_one(text: str) -> None:
    assert not _ANNOUNCES.search(text)


@pytest.mark.parametrize(
    "text", ["浓度是溶质占溶液的百分比。", "效率是有用功和总功之比。", "它的比重、比率和比值都不变。"]
)
def test_a_ratio_compares_nothing(text: str) -> None:
    assert CONTRASTS.search(text) is None
    assert not is_plain_contrast(text)
    assert not answers_kind(text, "comparison")


@pytest.mark.parametrize(
    "text",
    [
        "过失和故意不是一回事。",
        "抢劫是另外一回事。",
        "这两个罪很多同学搞混。",
        "要分清过失和故意。",
        "动脉比静脉厚。",
        "所以负推力不是阻力，它是推力。",
        "Then there is glazing, which sounds the same, and is the opposite.",
        "Icing is with sugar, please don't mix them up.",
    ],
)
def test_what_is_said_not_to_be_the_same_is_contrasted(text: str) -> None:
    assert is_plain_contrast(text)


def test_what_is_compared_is_named_right_before_the_comparison() -> None:
    sides = tuple((QuestionUnit(name, (frozenset(terms(name)),), 1.0),) for name in ("动脉", "静脉"))
    beside = (QuestionUnit("管壁", (frozenset(terms("管壁")),), 1.0),)
    other = spoken(("动脉跟静脉的流向不同，一个从心脏出来，一个回到心脏去，这一点考试经常会考到。", 0.9))
    told = spoken(
        ("再看静脉，血是这样流回来的，我们在图上可以看得很清楚。", 0.2), ("比较一下，动脉的管壁厚得多。", 0.8)
    )
    told = replace(told, entry=replace(told.entry, entry_id="q", lang="zh", locator=Locator(video_id="w")))
    other = replace(other, entry=replace(other.entry, lang="zh"))
    units = (*(unit for side in sides for unit in side), *beside)
    material = SimpleNamespace(lectures=CourseLectures())
    request = asking("动脉和静脉在管壁上有什么不同", *units, pieces=(other, told), lang="zh", material=material)
    first, *_ = find_contrasts(request, sides)
    assert "比较一下" in first.text
    assert first.text.startswith("再看静脉")


def test_a_thing_whose_name_begins_the_others_is_named_beside_it() -> None:
    sides = tuple((QuestionUnit(name, (frozenset(terms(name)),), 1.0),) for name in ("价格", "价格指数"))
    assert are_all_named(sides, "价格和价格指数不是一回事。")
    assert not are_all_named(sides, "价格指数今年涨了。")


def test_a_prefix_makes_another_thing_of_what_is_compared() -> None:
    side = (QuestionUnit("batch training", (frozenset(terms("batch training")),), 1.0),)
    assert is_named(side, "Batch training reads everything.")
    assert is_named(side, "Unlike mini-batch training, batch training reads everything.")
    assert not is_named(side, "Mini-batch training reads some of it.")


def test_what_is_better_than_both_contrasts_neither_with_the_other() -> None:
    sides = tuple((QuestionUnit(name, (frozenset(terms(name)),), 1.0),) for name in ("quicksort", "mergesort"))
    third = spoken(("Radix sort can be faster than both quicksort and faster than mergesort.", 1.0))
    pair = spoken(("In contrast to quicksort, what mergesort does is to merge.", 0.5))
    pieces = (third, replace(pair, entry=replace(pair.entry, entry_id="q", locator=Locator(video_id="w"))))
    request = asking(
        "difference between them", *(unit for side in sides for unit in side), pieces=pieces, material=NO_LECTURES
    )
    assert [window.text for window in find_contrasts(request, sides)] == [pair.lines[0].text]


@pytest.mark.parametrize(
    ("label", "text", "names_it"),
    [
        ("comparator", "An array of comparable things.", False),
        ("comparator", "We pass two comparators.", True),
        ("comparable", "A comparator compares two keys.", False),
        ("assembler", "Assembly is a language.", False),
        ("hash table", "Hash tables are fast.", True),
        ("sorting", "We sort the keys.", True),
    ],
)
def test_of_the_words_of_one_verb_each_names_a_thing_of_its_own(label: str, text: str, names_it: bool) -> None:
    assert is_named((QuestionUnit(label, (frozenset(terms(label)),), 1.0),), text) is names_it


def concepts(*names: str) -> tuple[tuple[QuestionUnit, ...], ...]:
    return tuple((QuestionUnit(name, (frozenset(terms(name)),), 1.0, f"id:{name}"),) for name in names)


@pytest.mark.parametrize(
    ("said", "names", "is_contrast"),
    [
        (
            ("Unlike a queue, a stack has one end.", "It is short.", "It is old.", "A heap comes later."),
            "stack heap",
            False,
        ),
        (("A stack is faster but smaller.", "The heap is of another kind.", "Both are old."), "stack heap", True),
        (("不同的是，栈只有一端。", "队列有两端。", "以后再讲别的。", "堆是一棵树。"), "堆 栈", False),
        (("不同的是，栈只有一端。", "堆是一棵树。", "以后再讲别的。"), "堆 栈", True),
    ],
)
def test_what_contrasts_one_of_the_things_with_a_third_is_no_contrast_of_them(
    said: tuple[str, ...], names: str, is_contrast: bool
) -> None:
    sides = concepts(*names.split())
    piece = spoken(*((one, 0.9) for one in said))
    window = Window(piece, 0, len(said), 0, 1.0, 1.0, 1.0, True, True)
    assert _contrasts_them(window, sides, "what is the difference") is is_contrast
    assert _contrasts_them(window, sides, "which one should i use")


def test_that_one_is_faster_is_said_plainly_and_answers_which_is_better() -> None:
    sides = concepts("stack", "heap")
    piece = spoken(("A stack is faster but it is also too slow.", 0.9), ("And that in another way than a heap.", 0.8))
    window = Window(piece, 0, 2, 0, 1.0, 1.0, 1.0, True, True)
    assert contrasts_plainly(window, sides)
    asked = asking("which one is better in the worst case", *(unit for side in sides for unit in side))
    assert says_faster(window, sides, asked)
    assert not says_faster(window, sides, asking("how are they kept in memory"))
    third = spoken(("The average of stack and heap is higher here, and a list is better.", 0.9))
    assert not contrasts_plainly(Window(third, 0, 1, 0, 1.0, 1.0, 1.0, True, True), sides)


def test_a_contrast_is_read_on_to_its_other_half() -> None:
    sides = concepts("stack", "heap")
    said = (
        "A stack and a heap differ.",
        "A stack keeps the last.",
        "A heap, in contrast, keeps the least.",
        "We stop.",
    )
    lecture = one_lecture(*said)
    piece = spoken(*((one, 0.9) for one in said[:2]))
    place = replace(piece.entry.locator or Locator(), video_id=lecture.video_id)
    piece = replace(piece, entry=replace(piece.entry, locator=place))
    material = SimpleNamespace(lectures=CourseLectures((lecture,)))
    request = asking("difference", *(unit for side in sides for unit in side), pieces=(piece,), material=material)
    (window,) = find_contrasts(request, sides)
    assert window.text == " ".join(said[:3])
