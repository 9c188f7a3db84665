"""What a lecturer announces is the answer from there on, whole: what a thing is used for, when to take which; and what
is no answer begins none."""

from dataclasses import replace

import pytest
from asked_rows import PLACE, asking, spoken
from spoken_rows import one_lecture

from serving.assistant.composing.announcements import TELLS_USES, announces_more, find_announcement
from serving.assistant.composing.continuation import read_announced, read_first_reason
from serving.assistant.composing.contrast import find_contrasts
from serving.assistant.composing.cues import is_no_fact, speaks_of_the_talk, wording_of
from serving.assistant.composing.lectures import CourseLectures
from serving.assistant.composing.material import MaterialPiece
from serving.assistant.composing.opposites import says_condition, says_opposite
from serving.assistant.composing.terms import Coverage, QuestionUnit
from serving.assistant.composing.window import Window, with_context
from serving.assistant.composing.windows import best_windows
from serving.assistant.understanding.aspects import find_aspects
from serving.assistant.understanding.question_kind import question_kind

STACK = QuestionUnit("stack", (frozenset({"stack"}),), 1.0, "en:stack")
TREE = QuestionUnit("tree", (frozenset({"tree"}),), 1.0, "en:tree")
LIST = QuestionUnit("list", (frozenset({"list"}),), 1.0, "en:list")
STACK_ZH = QuestionUnit("栈", (frozenset({"栈"}),), 1.0, "zh:栈")


def nearest(piece: MaterialPiece, *units: QuestionUnit, asked: str) -> Window:
    return best_windows([piece], units, kind="aspect", aspects=find_aspects(asked), asked=asked)[0]


def in_lecture(piece: MaterialPiece, *said: str) -> tuple[MaterialPiece, CourseLectures]:
    """A passage with its place in a lecture of these sentences."""
    lecture = one_lecture(*said)
    place = replace(PLACE, video_id=lecture.video_id)
    return replace(piece, entry=replace(piece.entry, locator=place)), CourseLectures((lecture,))


USES = (
    "A stack is kept in an array, and push and pop take constant time.",
    "What is it good for?",
    "Here is the classic: brackets.",
    "Another use is the undo of an editor.",
)


@pytest.mark.parametrize("asked", ["what is a stack used for", "what are stacks good for"])
def test_the_answer_begins_where_the_use_is_announced(asked: str) -> None:
    piece = spoken((USES[0], 0.6), *((one, 0.5) for one in USES[1:]))
    window = nearest(piece, STACK, asked=asked)
    assert window.text == " ".join(USES[1:])
    assert with_context(window) == window


def test_a_use_of_it_is_of_what_is_named_right_before() -> None:
    piece = spoken((USES[0], 0.6), *((one, 0.5) for one in USES[1:]))
    assert not nearest(piece, TREE, asked="what is a tree used for").is_announced


def test_a_chinese_name_of_one_character_is_named_by_a_question_aloud() -> None:
    said = ("入栈和出栈都是常数时间。", "栈有什么用呢？", "我举三个例子。", "第一个是括号匹配，第二个是撤销。")
    piece = spoken((said[0], 0.6), *((one, 0.5) for one in said[1:]))
    assert nearest(piece, STACK_ZH, asked="栈有什么用").text.startswith("栈有什么用呢？")
    assert Coverage([STACK_ZH]).find_terms_in("栈有什么用呢？") == {"栈"}
    assert not Coverage([QuestionUnit("图", (frozenset({"图"}),), 1.0, "zh:图")]).find_terms_in("看一张地图")


@pytest.mark.parametrize(
    ("text", "tells"),
    [
        ("There are lots and lots of applications of trees.", True),
        ("Trees are everywhere: folders, menus, families.", True),
        ("It's widely used for system sorts.", True),
        ("The product is a very useful geometric tool for projections.", True),
        ("缓存的用途很广泛。", True),
        ("打印任务一般都用队列来管理。", True),
        ("解决延迟的办法之一是加缓存。", True),
        ("In many applications we have collections.", False),
        ("An operation that's used in so many situations is named.", False),
        ("We use two trees here.", False),
        ("有什么用户在等？", False),
    ],
)
def test_what_tells_a_use_is_known_by_its_words(text: str, tells: bool) -> None:
    assert (TELLS_USES.search(text) is not None) is tells


@pytest.mark.parametrize(
    ("text", "announces"),
    [
        ("The standard way to measure it is as follows.", True),
        ("When should we use one algorithm versus the other?", True),
        ("什么时候用链表呢？", True),
        ("When we use both, it is slow.", False),
        ("It is as slow as the one that follows the rule.", False),
    ],
)
def test_cases_and_ways_are_announced(text: str, announces: bool) -> None:
    assert announces_more(text) is announces


def test_a_list_of_uses_is_read_to_its_end_and_not_into_the_next_thing() -> None:
    more = ("In today's lecture, we're going to see that stacks are used in compilers.", "Queues.", "They are fair.")
    piece, lectures = in_lecture(spoken(*((one, 0.5) for one in USES)), *USES, *more)
    window = nearest(piece, STACK, asked="what is a stack used for")
    assert read_announced(window, lectures).text == " ".join((*USES[1:], more[0]))


def test_a_case_is_read_until_its_verdict() -> None:
    said = (
        "Trees and lists differ.",
        "When should we use which?",
        "If n is small, then lists are fine.",
        "Now if n is very large, " + "and by large a million is meant, " * 40,
        "That would be a million names.",
        "In that case use trees.",
        "Nobody asked for more.",
    )
    piece, lectures = in_lecture(spoken(*((one, 0.5) for one in said)), *said)
    asked = "when should i use a tree and when a list"
    window = nearest(piece, TREE, LIST, asked=asked)
    assert window.text.startswith(said[1])
    told = read_announced(replace(window, stop=4), lectures).text
    assert said[5] in told
    assert said[6] not in told


def test_when_to_take_which_is_the_contrast_that_is_asked_for() -> None:
    plain = spoken(("A tree and a list are similar, but trees grow.", 0.9), ("A tree has a root, unlike a list.", 0.8))
    told = ("Trees and lists both hold names.", "When should we use which?", "For few names lists are better.")
    cases = spoken(*((one, 0.3) for one in told))
    later = tuple(
        replace(one, start_ms=9000 + 1000 * at, end_ms=9900 + 1000 * at) for at, one in enumerate(cases.lines)
    )
    cases = replace(cases, entry=replace(cases.entry, entry_id="q"), lines=later)
    asked = "when is a tree a better choice than a list"
    request = asking(asked, TREE, LIST, pieces=(plain, cases), material=CourseLecturesOnly())
    assert find_contrasts(request, ((TREE,), (LIST,)))[0].text.startswith(told[1])


class CourseLecturesOnly:
    lectures = CourseLectures(())


@pytest.mark.parametrize(
    ("asked", "kind"),
    [
        ("when is a tree a better choice than a list", "comparison"),
        ("when would i use a list and not an array", "comparison"),
        ("what happens when i use a list and an array", "how"),
    ],
)
def test_when_to_take_one_and_not_the_other_compares(asked: str, kind: str) -> None:
    assert question_kind(asked) == kind


def test_what_is_good_for_something_asks_for_a_use_and_not_for_an_advantage() -> None:
    (aspect,) = find_aspects("what is a stack good for")
    assert aspect.key == "purpose"
    assert find_announcement([aspect]) is TELLS_USES
    assert [one.key for one in find_aspects("栈一般用在什么地方")] == ["purpose"]
    assert [one.key for one in find_aspects("what are the benefits of a stack")] == ["advantage"]


BIG = "what happens if i make lambda really big"


@pytest.mark.parametrize(
    ("asked", "text", "side"),
    [
        (BIG, "If lambda is small, we run a larger risk of overfitting.", -1),
        (BIG, "If lambda is large, we run a risk of bias.", 1),
        (BIG, "When lambda is small it fits, whereas if lambda is large it does not.", 1),
        ("如果步长太大会怎样", "如果步长太小，需要的步数就更多。", -1),
        ("is lambda big", "If lambda is small, the risk is larger.", 0),
    ],
)
def test_the_side_of_a_condition_is_that_of_the_condition_that_is_asked(asked: str, text: str, side: int) -> None:
    assert says_condition(asked, text) is (side > 0)
    assert says_opposite(asked, text) is (side < 0)


def test_the_opposite_is_neither_first_nor_bold_nor_read_before() -> None:
    lam = QuestionUnit("lambda", (frozenset({"lambda"}),), 1.0)
    said = (
        ("If lambda is small, then we run a much larger risk of fitting too closely.", 0.9),
        ("If lambda is large, then we run the high risk of fitting the data badly.", 0.8),
        ("The curves show both of these cases side by side.", 0.3),
    )
    window = best_windows([spoken(*said)], [lam], kind="how", asked=BIG)[0]
    assert window.text.startswith(said[1][0])
    assert with_context(window, BIG).text.startswith(said[1][0])
    assert not (window.marked and window.piece.lines[window.key].text == said[0][0])


@pytest.mark.parametrize(
    ("asked", "text", "is_none"),
    [
        ("who was Ada Byron", "Imagine we're building a game where Ada Byron catches bugs.", True),
        ("阿达是谁", "想象一下，阿达在玩游戏。", True),
        ("how do i mix the cards", "Some take any place, and that doesn't really work.", True),
        ("how do i mix the cards", "That works for any number of cards.", False),
        ("why doesn't it work if i mix the cards so", "That doesn't really work, for some come up more often.", False),
        ("what is a game", "Imagine we're building a game.", False),
    ],
)
def test_a_story_is_no_fact_on_a_person_and_what_fails_no_way(asked: str, text: str, is_none: bool) -> None:
    assert is_no_fact(asked, text) is is_none


def test_of_a_person_no_story_is_told_and_nothing_before_the_name() -> None:
    ada = QuestionUnit("Ada", (frozenset({"ada"}),), 1.0)
    story = spoken(("Imagine a game where Ada has to catch all of the bugs.", 0.9), ("Ada has three nets.", 0.9))
    fact = spoken(("This held for all of them.", 0.2), ("This problem did not escape Ada, who wrote programs.", 0.6))
    fact = replace(fact, entry=replace(fact.entry, entry_id="q"))
    found = best_windows([story, fact], [ada], kind="other", most=3, asked="who was Ada and what did she do")
    assert [one.text for one in found] == ["This problem did not escape Ada, who wrote programs."]
    assert with_context(found[0]) == found[0]


def test_what_comes_in_later_videos_is_of_the_talk() -> None:
    for text in ("In later videos, we will build on this.", "Later, in this course, we talk about trees."):
        assert wording_of(text)[1]
        assert speaks_of_the_talk(text)


def test_the_first_reason_is_read_from_before_the_passage_that_gives_another() -> None:
    said = ("They are slow.", "The more states there are, the harder they are to tell apart.", "Noise adds to that.")
    further = "Another reason is that there was a whole branch of mathematics for it."
    piece, lectures = in_lecture(spoken((further, 0.9)), *said, further)
    piece = replace(piece, lines=(replace(piece.lines[0], start_ms=3000, end_ms=3900),))
    window = Window(piece, 0, 1, 0, 1.0, 1.0, 1.0, True, True)
    assert read_first_reason(window, lectures).text == " ".join((*said, further))
    plain = replace(piece, lines=(replace(piece.lines[0], text="A whole branch of mathematics was there."),))
    assert read_first_reason(replace(window, piece=plain), lectures).text == plain.lines[0].text


def test_what_does_not_work_comes_neither_first_nor_before_what_does() -> None:
    cards = QuestionUnit("cards", (frozenset({"card"}),), 1.0)
    said = (
        ("Some mix the cards by taking any place for each, and that doesn't really work.", 0.9),
        ("With that caveat the cards are done.", 0.8),
        ("Swap each of the cards with any of those before it.", 0.7),
    )
    asked = "how do i mix the cards"
    window = best_windows([spoken(*said)], [cards], kind="how", asked=asked)[0]
    assert window.text.startswith(said[2][0])
    assert with_context(replace(window, start=1, anchor=1), asked).text.startswith(said[1][0])
