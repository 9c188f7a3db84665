"""Which sentences of a lecture its summary shows: whole ones that name, conclude and reach to its end."""

from dataclasses import replace

import pytest
from spoken_rows import one_lecture

from serving.assistant.composing.key_sentences import key_sentences, readable
from serving.assistant.composing.lectures import SpokenLecture


def weighed(*said: tuple[str, float]) -> SpokenLecture:
    lecture = one_lecture(*(text for text, _ in said))
    weights = [weight for _, weight in said]
    return SpokenLecture(
        tuple(replace(one, weight=weight) for one, weight in zip(lecture.sentences, weights, strict=True))
    )


def shown(lecture: SpokenLecture, most: int) -> list[str]:
    return [one.text for one in key_sentences(lecture, most)]


PLAIN = "The error on the training set is small where the training set has few examples."


@pytest.mark.parametrize(
    "torn",
    [
        "Like character recognition system and give that the correct label as well.",
        "Going to give the correct output of the text detection and the segmentation.",
        "When going from text detection When we gave it perfect character segmentation, it went up.",
        "Using an algorithm like gradient descent to minimize that cost function.",
        "We measure the training error on the three examples that I've fit to my hypothesis 2.",
        "Theta zero equals 0 and theta one equals 1 in the hypothesis that is plotted for the housing prices.",
        "Take a moment to think about all the different vectors that you can get by scaling the two of them.",
    ],
)
def test_what_is_torn_or_of_something_unseen_counts_less(torn: str) -> None:
    one, other = (readable(sentence) for sentence in one_lecture(torn, PLAIN).sentences)
    assert one < 0.8 * other


@pytest.mark.parametrize(
    ("torn", "whole"),
    [
        (
            "会把代码放到一个中心服务器上，让团队里的人都能拿到它。",
            "程序员把代码放到一个中心服务器上，让团队里的人都能拿到它。",
        ),
        ("就像之前，先放一批床单到洗衣机等三十分钟洗完。", "两台机器同时工作，三十分钟可以洗完一批床单。"),
        ("如果写数组的第五个，会去内存地址 1000 取那个值。", "数组的下标从零开始，存的值在内存里是连续的。"),
    ],
)
def test_a_chinese_sentence_without_what_it_hangs_on_counts_less(torn: str, whole: str) -> None:
    one, other = (readable(sentence) for sentence in one_lecture(torn, whole).sentences)
    assert one < other


@pytest.mark.parametrize(
    "said",
    [
        '把函数打包成对象的思想叫 "面向对象编程"。',
        "允许操作的这一端叫栈顶，另一端叫栈底。",
        "长话短说，这些年处理器大大提高了速度。",
        "Just to summarize, the training error is small where the training set is small.",
        "In the high variance setting, getting more training data is likely to help.",
        "Our performance went up from 72 to 89 percent with perfect text detection.",
    ],
)
def test_what_names_sums_up_or_concludes_counts_more(said: str) -> None:
    plain = "对象里可以有别的对象，还有函数和变量。" if not said.isascii() else PLAIN
    one, other = (readable(sentence) for sentence in one_lecture(said, plain).sentences)
    assert one > other
    unnamed, plain_one = one_lecture("然而这些设备那时都不叫计算机。", "算盘这样的设备那时还没有按键。").sentences
    assert readable(unnamed) == readable(plain_one)


def test_a_sentence_is_shown_with_the_name_that_the_next_gives_to_it() -> None:
    swaps = "Compare the item with its parent, and swap them as long as it is smaller than that."
    assert shown(one_lecture(swaps, "This is called sift up.", PLAIN), 2) == [f"{swaps} This is called sift up.", PLAIN]


def test_chinese_captions_of_one_sentence_are_shown_together() -> None:
    said = [
        "为了少清空流水线 厂商开发了复杂的方法。",
        '来猜测哪条分支更有可能，叫"分支预测"。',
        "缓存离处理器很近 取数据不用空等。",
    ]
    assert (
        shown(one_lecture(*said), 2)[0]
        == '为了少清空流水线 厂商开发了复杂的方法 来猜测哪条分支更有可能，叫"分支预测"。'
    )
    whole = ["每个元素最多倒一次，所以分摊下来是常数级。", "还有一种叫优先队列，它看谁的优先级高。"]
    assert shown(one_lecture(*whole), 2) == whole


def test_a_chinese_caption_that_the_next_sentence_goes_on_with_is_left_out() -> None:
    said = [
        '源代码管理在团队里也叫"版本控制" 苹果这样的大型软件公司。',
        '会把代码放到一个中心服务器上 叫"代码仓库" 程序员想改一段代码时。',
        '不让流水线停工的排法 这叫 "乱序执行" 和你猜的一样，这种电路非常复杂。',
    ]
    assert shown(one_lecture(*said), 3) == [
        '源代码管理在团队里也叫"版本控制"。',
        '会把代码放到一个中心服务器上 叫"代码仓库"。',
        '不让流水线停工的排法 这叫 "乱序执行"。',
    ]


def test_a_summary_reaches_to_the_end_of_its_lecture_and_in_few_words_gives_what_weighs_most() -> None:
    early = ["Heaps keep the largest key on top.", "Trees have roots.", "Arrays hold nodes.", "Sinks go down."]
    late = ["Sorting takes the root away.", "Quick methods choose pivots.", "Merging needs space.", "Shells jump far."]
    lecture = weighed(*((one, 1.0) for one in early), *((one, 0.85) for one in late))
    assert any(one.position >= len(early) for one in key_sentences(lecture, 3))
    named = ("A bot that sorts the mail is called a mail bot.", 0.6)
    heaviest = weighed(("A learning algorithm learns from the data that it is given.", 1.0), named)
    assert shown(heaviest, 1) == [heaviest.sentences[0].text]
    assert readable(heaviest.sentences[1], damped=0.5) > readable(heaviest.sentences[0], damped=0.5)


def test_a_sum_that_its_speaker_withdraws_is_in_no_summary() -> None:
    kept = "The block is slower than the pellet by the ratio of their masses, and that is all."
    wrong = "So the speed of the pellet is two hundred times twenty three metres per second."
    for withdrawn in ("That can't be.", "Let me do that again.", "No, this is wrong, I took the wrong one."):
        lecture = weighed((kept, 0.5), (wrong, 1.0), (withdrawn, 0.1))
        assert shown(lecture, 1) == [kept]
    assert shown(weighed((kept, 0.5), (wrong, 1.0), ("It cannot be faster than sound.", 0.1)), 1) == [wrong]


def test_what_nobody_claims_any_more_stands_in_no_summary() -> None:
    doubted = "The error on the training set is always the one that counts most of all."
    for behind in ("Or is it?", "She took it back ten years later."):
        assert shown(weighed((doubted, 1.0), (behind, 0.1), (PLAIN, 0.5)), 1) == [PLAIN]
