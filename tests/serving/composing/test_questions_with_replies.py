"""A question that a lecturer asks and answers in a word is one sentence with its reply."""

import pytest

from knowledge_graph.lake.records import Lang
from serving.assistant.composing.asked_aloud import gives_reason_of_another
from serving.assistant.composing.cues import wording_of
from serving.assistant.composing.material import MaterialLine, MaterialPiece, join_replies
from serving.assistant.composing.reply_cues import is_taken_back, part_reply
from serving.assistant.composing.terms import Coverage, QuestionUnit, terms_of
from serving.assistant.grounding.negation import is_negated
from serving.index.schema import Entry, Locator


@pytest.mark.parametrize(
    ("asked", "reply"),
    [
        ("那么受了伤要不要马上冰敷？", "不一定。"),
        ("它有没有缺点？", "也有。"),
        ("正当防卫要负责任吗？", "不用，只要没有过当。"),
        ("静脉里的血会不会倒流呢？", "不会。"),
        ("静脉里的血为什么不倒流呢？", "因为有静脉瓣。"),
    ],
)
def test_a_short_reply_belongs_to_the_question_before_it(asked: str, reply: str) -> None:
    lines = [MaterialLine("前面讲完了。", 0, 900, 0.1), MaterialLine(asked, 1000, 1900, 0.8, (0.9, 0.1))]
    joined = join_replies([*lines, MaterialLine(reply, 2000, 2900, 0.2, (0.1, 0.5))], "zh")
    assert [line.text for line in joined] == ["前面讲完了。", f"{asked}{reply}"]
    assert (joined[1].start_ms, joined[1].end_ms, joined[1].meaning) == (1000, 2900, 0.8)
    assert joined[1].token_cosines == (0.9, 0.5)
    assert not wording_of(joined[1].text)[2], "it tells"


def test_an_english_reply_stands_behind_a_blank() -> None:
    joined = join_replies([MaterialLine("Is a contract void then?"), MaterialLine("No, not by itself.")], "en")
    assert [line.text for line in joined] == ["Is a contract void then? No, not by itself."]


@pytest.mark.parametrize(
    ("asked", "other"),
    [
        ("受了伤要不要马上冰敷？", "我们来看一个例子，有一个人摔了一跤。"),
        ("受了伤要不要马上冰敷？", "那么能不能热敷？"),
        ("什么是正当防卫？", "不法侵害正在进行的时候才有。"),
        ("受了伤要马上冰敷。", "不一定。"),
        ("为什么呢？", "因为有静脉瓣。"),
        ("Is a contract void then?", "Let us see."),
        ("What is void then?", "No contract is."),
    ],
)
def test_what_replies_with_no_yes_or_no_stays_apart(asked: str, other: str) -> None:
    lines = [MaterialLine(asked), MaterialLine(other)]
    assert join_replies(lines, "zh") == lines


@pytest.mark.parametrize(
    "text",
    [
        "这就叫富贵病，吃得越好，病反而越多，为什么呢？",
        "The longer the night, the more of them come into bloom, and why?",
    ],
)
def test_a_sentence_that_asks_for_its_reason_at_its_end_tells_something(text: str) -> None:
    assert not wording_of(text)[2]


@pytest.mark.parametrize("text", ["为什么呢？", "那么，为什么呢？", "Well, why?", "病多了，血压会怎么样？"])
def test_a_sentence_that_only_asks_does(text: str) -> None:
    assert wording_of(text)[2]


@pytest.mark.parametrize(
    ("text", "is_so"),
    [("它有没有好处？有。", False), ("是不是白跑了呢？不是，路也是走了。", True), ("这样做对不对？不对。", True)],
)
def test_what_asks_for_a_yes_or_a_no_denies_nothing_itself(text: str, *, is_so: bool) -> None:
    assert is_negated(text) is is_so


@pytest.mark.parametrize(
    ("said", "is_of_another"),
    [
        (("动脉的壁厚。", "静脉为什么会曲张？因为血流得太慢。"), True),
        (("静脉会曲张。", "为什么呢？", "因为血流得太慢。"), True),
        (("动脉的压力高。", "为什么呢？", "因为离心脏近。"), False),
        (("动脉为什么压力高？因为离心脏近。",), False),
        (("静脉会曲张。", "因为血流得太慢。"), False),
    ],
)
def test_a_reason_is_of_what_it_replies_to(said: tuple[str, ...], *, is_of_another: bool) -> None:
    entry = Entry("p", "passage", "subtitle", "yx", "zh", "血管", "".join(said), locator=Locator(video_id="v"))
    lines = tuple(MaterialLine(text, 1000 * at, 1000 * at + 900, 0.5) for at, text in enumerate(said))
    piece = MaterialPiece(entry, lines, 1.0, 0.5)
    covered = Coverage([QuestionUnit("动脉", (terms_of("动脉"),), 1.0)])
    terms = [covered.find_terms_in(line.text) for line in lines]
    assert gives_reason_of_another(piece, len(lines) - 1, terms, covered) is is_of_another


@pytest.mark.parametrize(
    ("told", "taken_back"),
    [
        ("So the tower leans.", "Or not?"),
        ("You might think that a promise binds.", "It doesn't."),
        ("We used to say that fat is bad.", "That's too simple."),
        ("She wrote that one must eat them together.", "She took it back ten years later."),
        ("Heavy people burn less.", "It's the other way about."),
        ("Bacon is as bad as smoking.", "Wrong."),
        ("很多人以为土豆有毒。", "其实不然。"),
        ("他说一天要吃三餐。", "后来他自己收回了这个说法。"),
    ],
)
def test_what_takes_a_sentence_back_in_a_few_words_belongs_to_it(told: str, taken_back: str) -> None:
    lang: Lang = "zh" if taken_back > "\u4e00" else "en"
    joined = join_replies([MaterialLine(told), MaterialLine(taken_back), MaterialLine("Then on.")], lang)
    assert len(joined) == 2
    assert part_reply(joined[0].text) == (told, taken_back)
    assert is_taken_back(joined[0].text)


@pytest.mark.parametrize(
    ("told", "other"),
    [
        ("So the tower leans.", "It doesn't fall for that."),
        ("So the tower leans.", "Right?"),
        ("The son wants to pull the tower down.", "He can't."),
        ("So the tower leans.", "That's never wrong."),
        ("So the tower leans.", "No tower is straight."),
        ("Two times two is five.", "That's wrong."),
        ("很多人以为土豆有毒。", "不过要看怎么放。"),
    ],
)
def test_what_says_more_or_only_asks_for_assent_stays_apart(told: str, other: str) -> None:
    lines = [MaterialLine(told), MaterialLine(other)]
    assert join_replies(lines, "en") == lines


def test_what_denies_something_is_only_said_again_by_another_denial() -> None:
    assert not is_taken_back("Silence isn't acceptance. It isn't.")
    assert is_taken_back("Silence isn't acceptance. Or is it?")


def test_a_question_with_its_condition_before_it_is_one_with_its_reply() -> None:
    asked = "If two towers lean, does it mean that they fall?"
    assert len(join_replies([MaterialLine(asked), MaterialLine("No, not necessarily.")], "en")) == 1
