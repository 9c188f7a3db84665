"""Defining sentences told from mere mentions, and cleaned."""

import pytest

from knowledge_graph.concepts.definitions import clean_spoken, define, defining_quality
from knowledge_graph.matching import TermMatcher
from knowledge_graph.records import Lang, Locator, Section, Snippet
from knowledge_graph.text import Sentence


def quality(text: str, term: str, lang: Lang = "en") -> float:
    start = text.index(term)
    return defining_quality(text, start, start + len(term), lang)


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("A heap is a complete binary tree that keeps the smallest key on top.", "heap"),
        ("So, okay, a heap is basically a complete binary tree.", "heap"),
        ("Hashing refers to turning a key into an index.", "Hashing"),
        ("By amortized cost we mean the average over a sequence of operations.", "amortized cost"),
        ("The number of edges on the longest path is called the height.", "height"),
        ("The idea of memoization is to store results for later.", "memoization"),
        ("A queue (FIFO) is a list where elements leave in the order they came.", "queue"),
        ("Overfitting is when a model fits the noise of the training set.", "Overfitting"),
        ("A stack is defined as a list with access at one end.", "stack"),
    ],
)
def test_a_sentence_that_says_what_a_term_is_defines_it(text: str, term: str) -> None:
    assert quality(text, term) >= 0.5


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("We will use a heap in the next video.", "heap"),
        ("What is a heap?", "heap"),
        ("The root of a heap is a node.", "heap"),
        ("A heap is not a sorted list.", "heap"),
        ("The heap is very good.", "heap"),
        ("A heap is the same thing.", "heap"),
    ],
)
def test_a_mere_mention_or_praise_defines_nothing(text: str, term: str) -> None:
    assert quality(text, term) < 0.5


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("栈是一种后进先出的线性表", "栈"),
        ("所谓二叉树，就是每个结点最多有两个孩子的树", "二叉树"),
        ("哈希冲突是指两个关键字得到同一个地址", "哈希冲突"),
        ("每个结点的孩子的最大个数叫做度", "度"),
        ("红黑树是给结点涂上颜色的搜索树", "红黑树"),
        ("那么队列就是一种先进先出的线性表", "队列"),
    ],
)
def test_a_chinese_sentence_that_says_what_a_term_is_defines_it(text: str, term: str) -> None:
    assert quality(text, term, "zh") >= 0.5


@pytest.mark.parametrize(("text", "term"), [("我们用栈来做这个", "栈"), ("什么是栈呢？", "栈"), ("栈也就意味着", "栈")])
def test_a_chinese_mention_question_or_fragment_defines_nothing(text: str, term: str) -> None:
    assert quality(text, term, "zh") < 0.5


def test_speech_noise_is_cleaned_and_the_sentence_closed() -> None:
    spoken = "So, okay, um, a heap is, uh, a a tree , you know, with order"
    assert clean_spoken(spoken, "en") == "A heap is a tree with order."
    assert clean_spoken("栈是一种 线性表， 只在一端进出。", "zh") == "栈是一种线性表，只在一端进出。"
    assert clean_spoken("那么，嗯，栈是一种线性表", "zh") == "栈是一种线性表。"


HEAP = TermMatcher([("en:heap", "heap")])


def sentence(text: str, start_ms: int = 0, title: str = "Trees") -> Sentence:
    return Sentence("v1", title, 0, "en", start_ms, start_ms + 4000, 0, 1, text)


def section(text: str) -> Section:
    return Section("c", "notes.pdf", "Notes", 0, "5.1", 3, "5.1", None, text, "en")


def snippet(text: str) -> Snippet:
    return Snippet("c", "what is a heap", 1, "Heap", text, "https://example.org/heap", None, "en")


def test_the_lecture_comes_before_documents_and_search() -> None:
    found = define(
        HEAP,
        [sentence("We use heaps.", 0), sentence("A heap is a tree that keeps its smallest key on top.", 8000)],
        [section("A heap is a partially ordered tree of records.")],
        [snippet("A heap is a tree-based data structure.")],
    )
    assert found["en:heap"].kind == "subtitle"
    assert found["en:heap"].locator == Locator(video_id="v1", video_title="Trees", start_ms=8000, end_ms=12000)


def test_a_document_defines_what_the_lecture_does_not() -> None:
    found = define(HEAP, [sentence("We use heaps.")], [section("A heap is a partially ordered tree.")], [])
    assert found["en:heap"].kind == "document"
    assert found["en:heap"].locator == Locator(document="notes.pdf", page=3, article="5.1")


def test_a_search_reply_is_the_last_resort() -> None:
    found = define(HEAP, [], [section("Bring a heap.")], [snippet("A heap is a tree-based data structure.")])
    assert found["en:heap"].kind == "search"
    assert found["en:heap"].locator.url == "https://example.org/heap"


def test_of_two_equal_definitions_the_first_in_the_course_stays() -> None:
    found = define(
        HEAP, [sentence("A heap is a tree of keys.", 0), sentence("A heap is a pile of keys.", 9000)], [], []
    )
    assert found["en:heap"].text == "A heap is a tree of keys."


def test_the_video_named_after_the_concept_defines_it() -> None:
    found = define(
        HEAP, [sentence("A heap is a tree of keys."), sentence("A heap is a pile of keys.", 1, "Heaps")], [], []
    )
    assert found["en:heap"].text == "A heap is a pile of keys."


def test_a_chinese_definition_without_punctuation_begins_at_its_caption_line() -> None:
    line = "下面我们来看第一个 栈是一种后进先出的线性表 只在一端进出"
    said = Sentence("v1", "", 0, "zh", 0, 4000, 0, 1, line)
    found = define(TermMatcher([("zh:栈", "栈")]), [said], [], [])
    assert found["zh:栈"].text == "栈是一种后进先出的线性表 只在一端进出。"


def test_a_sentence_that_is_too_short_or_too_long_is_no_definition() -> None:
    assert define(HEAP, [sentence("A heap is a set."), sentence("A heap is a tree " + "of keys " * 60)], [], []) == {}
