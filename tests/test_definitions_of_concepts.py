"""Defining sentences told from mere mentions, and cleaned."""

from time import process_time

import pytest

from knowledge_graph.definitions.cleaning import clean_continued, clean_spoken
from knowledge_graph.definitions.define import define
from knowledge_graph.definitions.wordings import wording
from knowledge_graph.graph.showing import DEFINITION_FROM
from knowledge_graph.lake.records import Lang, Locator, Snippet
from knowledge_graph.text.matching import TermMatcher
from knowledge_graph.text.sentences import LectureSpan


def quality(text: str, term: str, lang: Lang = "en") -> float:
    start = text.index(term)
    return wording(text, start, start + len(term), lang).quality


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
        ("Overfitting occurs when a model fits the noise of the training set.", "Overfitting"),
        ("What memoization does is it stores the results of earlier calls.", "memoization"),
        ("Linear probing puts a colliding key into the next free slot.", "Linear probing"),
        ("Hash tables map keys to values in constant time.", "Hash tables"),
        ("When I say stable sort, I mean that equal keys keep their order.", "stable sort"),
        ("You can think of a stack as a pile of plates.", "stack"),
        ("What you can do with hashing is find a record in constant time.", "hashing"),
        ("Lambda is the load factor and it measures how full the table has grown.", "load factor"),
        (
            "In a depth-first search, we follow one path to the last vertex before trying the neighbours.",
            "depth-first search",
        ),
        ("We use a heap to find the smallest key quickly.", "heap"),
        ("A heap, has the property that every parent precedes its children.", "heap"),
        ("A stack is defined as a list with access at one end.", "stack"),
        ("The height would be the number of edges from the root down to the lowest leaf.", "height"),
        ("The topmost node is also called the root because every search begins in it.", "root"),
        ("This process of turning a key into an index is also called hashing.", "hashing"),
        ("The parameters of a hash table are its capacity and the load factor at which it grows.", "hash table"),
        ("The height of a tree with many nodes, that can be computed by adding one to the tallest subtree.", "height"),
        ("Binary trees have a root or a topmost node that is used to reach every other node.", "root"),
        ("For the problem of scheduling a heap keeps the urgent task on top.", "heap"),
        ("It follows because in a heap, we exchange a node with its parent until the order holds.", "heap"),
        ("If we take a heap, it is a complete binary tree of keys.", "heap"),
        ("At the root the key would be the smallest of the whole tree.", "root"),
        ("We can instead use the heap, or the priority queue, to find the smallest key quickly.", "priority queue"),
        ("You can solve a recurrence to find the running time of an algorithm.", "recurrence"),
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
        ("In the next video, I'd like to tell you about the heap.", "heap"),
        ("What the heap does is the following.", "heap"),
        ("Here on this slide the heap is drawn like this.", "heap"),
        ("The heap is faster than the list we saw last time.", "heap"),
        ("That's how you can implement a heap.", "heap"),
        ("A heap is a structure that's having a huge impact on industry and science.", "heap"),
        ("One such structure is what's called a heap.", "heap"),
        ("BST stands for binary search tree.", "BST"),
        ("For small inputs you might just use what's called a heap.", "heap"),
        ("Let us look at the setting of a heap that may have many equal keys.", "heap"),
        ("Heaps are really the two most popular structures for sorting numbers.", "Heaps"),
        ("Today you might even have a hard drive that has a terabyte of storage.", "hard drive"),
        ("Typically, in a heap, you wouldn't expect too many equal keys.", "heap"),
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
        ("总成本等于固定成本加可变成本", "总成本"),
        ("密度是质量除以体积", "密度"),
        ("边际收益MR是每多卖一单位所增加的收益", "边际收益"),
        ("对别人没有好处而只有坏处的，叫负外部性", "负外部性"),
        ("惯性定律说的是不受力的物体保持静止或匀速运动", "惯性定律"),
        ("那么队列就是一种先进先出的线性表", "队列"),
    ],
)
def test_a_chinese_sentence_that_says_what_a_term_is_defines_it(text: str, term: str) -> None:
    assert quality(text, term, "zh") >= 0.5


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("我们用栈来做这个", "栈"),
        ("什么是栈呢？", "栈"),
        ("栈也就意味着", "栈"),
        ("垄断厂商是不是想定多高的价就定多高？", "垄断厂商"),
        ("会计利润等于50减去35", "会计利润"),
        ("这个最早是由两位数学家提出来的，叫平衡树", "平衡树"),
    ],
)
def test_a_chinese_mention_question_or_fragment_defines_nothing(text: str, term: str) -> None:
    assert quality(text, term, "zh") < 0.5


def test_speech_noise_is_cleaned_and_the_sentence_closed() -> None:
    spoken = "So, okay, um, a heap is, uh, a a tree , you know, with order"
    assert clean_spoken(spoken, "en") == "A heap is a tree with order."
    assert clean_spoken("栈是一种 线性表， 只在一端进出。", "zh") == "栈是一种线性表，只在一端进出。"
    assert clean_spoken("那么，嗯，栈是一种线性表", "zh") == "栈是一种线性表。"


@pytest.mark.parametrize(
    "said",
    [
        "Two- and four-processor machines are the most common.",
        "It improves labor- and data-intensive tasks.",
        "To repeat some statements many times, we need a loop.",
        "These are graphics Of course, not everything is a number.",
        "The computer memory looked like this.",
        "We read the first value, in this case, 307 and 239.",
        "Linear algebra, as a lot of you know, is one of those subjects.",
        "Now is another good time to pause.",
        "The number that that basis vector landed on is kept.",
        "My speed is roughly .03 Hertz.",
        "Shell's own idea works okay.",
        "Mergesort takes the rest in as well.",
        "Anoth er thing they did is to copy it.",
        "They are English actually Canadian.",
        "The interval is over in the right there.",
        "The hash value is six, six is empty.",
        "You could go around and around and get cheaper every time.",
        "The order would be broken right there.",
    ],
)
def test_what_only_sounds_like_a_stumble_stays(said: str) -> None:
    assert clean_spoken(said, "en") == said
    assert clean_continued(said, "en") == said


@pytest.mark.parametrize(
    ("spoken", "shown"),
    [
        ("And it turns out that that a heap is the is the usual choice, okay?", "A heap is the usual choice."),
        ("The matrix matrix product is what you, what you get, right?", "The matrix matrix product is what you get."),
        ("The lid is shut, of course, then it stays shut.", "The lid is shut, then it stays shut."),
        (
            "And you want to, want to see these peaks over there in the, in the picture.",
            "You want to see these peaks in the picture.",
        ),
        ("A heap, by the way, stands for a pret-, pretty old idea.", "A heap stands for a pretty old idea."),
        ("A heap is an ordered\x00 tree\u200b.", "A heap is an ordered tree."),
        ("Heap 🎉 of keys", "Heap 🎉 of keys."),
        ("And what a heap is, is, is a tree with order.", "A heap is a tree with order."),
        ("The last node - this one over here - holds the largest key.", "The last node holds the largest key."),
        ("So, er, the wall is, um, thin.", "The wall is thin."),
        ("It moves the valley, I mean, it moves the floor.", "It moves the valley, it moves the floor."),
        ("So it, it is a wall.", "It is a wall."),
        ("This alpha here is the load factor.", "This alpha is the load factor."),
        ("So long as the heap is small, it fits.", "So long as the heap is small, it fits."),
        ("First is the insertion, then the repair.", "First is the insertion, then the repair."),
        ("To introduce a bit more terminology, a leaf has no child.", "A leaf has no child."),
        ("The curve rises and flattens out again like so.", "The curve rises and flattens out again."),
        ("We get the slope, so.", "We get the slope."),
        (
            "A tank holds a tenth of a litre in all, hmm, let me see, no, about nine litres.",
            "A tank holds about nine litres.",
        ),
        ("It has twenty five, sorry, twenty six letters.", "It has twenty six letters."),
        ("Take five, no, six nodes now.", "Take six nodes now."),
        ("There are two sides, no, three.", "There are three sides."),
        ("It weighs two and a half kilos, excuse me, three kilos.", "It weighs three kilos."),
    ],
)
def test_stumbles_tags_and_control_characters_go_and_words_that_repeat_in_terms_stay(spoken: str, shown: str) -> None:
    assert clean_spoken(spoken, "en") == shown


HEAP = TermMatcher([("en:heap", "heap")])


def sentence(text: str, start_ms: int = 0, title: str = "Trees") -> LectureSpan:
    return LectureSpan("v1", title, 0, "en", start_ms, start_ms + 4000, text)


def written(text: str) -> LectureSpan:
    return LectureSpan("notes.pdf", "Notes", 1, "en", 0, 0, text, "notes.pdf", 3, "5.1")


def snippet(text: str) -> Snippet:
    return Snippet("c", "what is a heap", 1, "Heap", text, "https://example.org/heap", None, "en")


def test_the_lecture_comes_before_documents_and_search() -> None:
    found = define(
        HEAP,
        [
            sentence("We use heaps.", 0),
            sentence("A heap is a tree that keeps its smallest key on top.", 8000),
            written("A heap is a partially ordered tree of records."),
        ],
        [snippet("A heap is a tree-based data structure.")],
    )
    assert found["en:heap"].kind == "subtitle"
    assert found["en:heap"].locator == Locator(video_id="v1", video_title="Trees", start_ms=8000, end_ms=12000)


def test_a_document_defines_what_the_lecture_does_not() -> None:
    found = define(HEAP, [sentence("We use heaps."), written("A heap is a partially ordered tree.")], [])
    assert found["en:heap"].kind == "document"
    assert found["en:heap"].locator == Locator(document="notes.pdf", page=3, article="5.1")


def test_a_search_reply_is_the_last_resort() -> None:
    found = define(HEAP, [written("Bring a heap.")], [snippet("A heap is a tree-based data structure.")])
    assert found["en:heap"].kind == "search"
    assert found["en:heap"].locator.url == "https://example.org/heap"


def test_of_two_equal_definitions_the_first_in_the_course_stays() -> None:
    found = define(HEAP, [sentence("A heap is a tree of keys.", 0), sentence("A heap is a pile of keys.", 9000)], [])
    assert found["en:heap"].text == "A heap is a tree of keys."


def test_the_video_named_after_the_concept_defines_it() -> None:
    found = define(HEAP, [sentence("A heap is a tree of keys."), sentence("A heap is a pile of keys.", 1, "Heaps")], [])
    assert found["en:heap"].text == "A heap is a pile of keys."


def test_a_chinese_definition_without_punctuation_begins_at_its_caption_line() -> None:
    line = "下面我们来看第一个 栈是一种后进先出的线性表 只在一端进出"
    said = LectureSpan("v1", "", 0, "zh", 0, 4000, line)
    found = define(TermMatcher([("zh:栈", "栈")]), [said], [])
    assert found["zh:栈"].text == "栈是一种后进先出的线性表 只在一端进出。"


def test_a_sentence_that_is_too_short_or_too_long_is_no_definition() -> None:
    endless = "A heap is a tree" + "".join(f" of key number{n}" for n in range(40))
    assert define(HEAP, [sentence("A heap is a set."), sentence(endless)], []) == {}


def test_a_sentence_that_only_names_a_concept_is_joined_with_the_one_that_explains_it() -> None:
    found = define(
        HEAP, [sentence("One such structure is the heap."), sentence("It is a tree with ordered paths.")], []
    )
    assert found["en:heap"].text == "One such structure is the heap. It is a tree with ordered paths."


def test_a_description_is_joined_with_the_sentence_that_gives_it_its_name() -> None:
    described = "Every parent of this tree precedes its children in the given order."
    found = define(HEAP, [sentence(described), sentence("That's called a heap.", 5000)], [])
    assert (found["en:heap"].locator.start_ms, found["en:heap"].locator.end_ms) == (0, 9000)
    assert found["en:heap"].text == f"{described} That's called a heap."


def test_a_symbol_that_stands_for_a_concept_carries_its_explanation() -> None:
    said = [
        sentence("This alpha here is a number that is called the load factor."),
        sentence("And what alpha does is, it measures how full the table has become."),
    ]
    found = define(TermMatcher([("en:load factor", "load factor")]), said, [])
    assert found["en:load factor"].text.endswith("What alpha does is, it measures how full the table has become.")


def test_sentences_of_different_videos_are_never_joined() -> None:
    other = LectureSpan("v2", "Lists", 1, "en", 0, 4000, "It is a tree with ordered paths.")
    assert define(HEAP, [sentence("One such structure is the heap."), other], []) == {}


def test_what_a_lecturer_says_of_the_lecture_is_left_out_when_the_rest_stands_alone() -> None:
    said = "Today I'd like to tell you about a structure called a heap, which keeps the smallest key on top."
    found = define(HEAP, [sentence(said)], [])
    assert found["en:heap"].text == "A structure called a heap keeps the smallest key on top."


def test_what_a_lecturer_announces_as_how_to_do_something_is_shown_without_the_announcement() -> None:
    said = "In this video we talk about the heap, or how to keep the smallest key on top of a tree."
    assert (
        define(HEAP, [sentence(said)], [])["en:heap"].text
        == "The heap, or how to keep the smallest key on top of a tree."
    )


def test_a_name_ends_what_is_shown_where_the_lecturer_goes_on_about_the_lecture() -> None:
    said = "A complete binary tree of keys is also called a heap and this is what we worked out on the previous slide."
    assert define(HEAP, [sentence(said)], [])["en:heap"].text == "A complete binary tree of keys is also called a heap."


def test_of_two_sentences_worded_alike_the_one_with_the_words_usually_beside_the_concept_is_taken() -> None:
    usual = [sentence(f"Insert the smallest key, then swap parent and child in the heap, step {n}.") for n in "abcd"]
    said = [*usual, sentence("A heap is a green mountain range."), sentence("A heap is a smallest-key parent tree.", 9)]
    assert define(HEAP, said, [])["en:heap"].text == "A heap is a smallest-key parent tree."


def test_what_no_sentence_defines_a_passage_explains() -> None:
    said = [
        sentence("To sort with the heap we compare each new leaf with every node on the path up to the root.", 4000),
        sentence("It lets parent and child trade places until their order is right again.", 8000),
        sentence("Tomorrow there is no class.", 12000),
    ]
    found = define(HEAP, [sentence("We sort."), *said], [])["en:heap"]
    assert found.text == f"{said[0].text} {said[1].text}"
    assert (found.locator.start_ms, found.locator.end_ms) == (4000, 12000)


def test_a_definition_comes_before_a_passage_that_explains() -> None:
    said = [
        sentence("To sort with the heap we compare each new leaf with every node on the path up to the root."),
        sentence("A heap is a tree that keeps its smallest key on top.", 9000),
    ]
    assert "en:heap" in define(HEAP, said, [])


@pytest.mark.parametrize(
    "spoken",
    [
        "Instead of trying to detect pedestrians, we detect text.",
        "In contrast to gradient descent it needs no learning rate.",
        "That is why it works.",
        "Notice the two conditions.",
        "You know what a variable is.",
        "Then come the linear structures.",
        "And so on down to the last one.",
        "Right-click on it.",
        "Go left, or go right.",
        "That's not quite right.",
        "And gates are made of transistors.",
        "Let's see what that looks like.",
        "It is useful to do so.",
    ],
)
def test_what_a_sentence_cannot_do_without_stays(spoken: str) -> None:
    assert clean_spoken(spoken, "en") == spoken


@pytest.mark.parametrize(
    ("spoken", "shown"),
    [
        ("那么怎么办呢？", "怎么办呢？"),
        ("这个大家都懂了吗？", "这个大家都懂了吗？"),
        ("所以栈后进先出，对吧？", "栈后进先出。"),
        ("栈在同一端进出，后进先出；", "栈在同一端进出，后进先出。"),
        ("栈就是这样的啊。", "栈就是这样的。"),
        ("到底是不是？", "到底是不是？"),
        ("更复杂的问题呢？", "更复杂的问题呢？"),
        ("否则就要一直等啊等", "否则就要一直等啊等。"),
        ("啊，就是这样", "就是这样。"),
        ("好处是速度快", "好处是速度快。"),
        ("好了，我们讲栈", "我们讲栈。"),
        ("最后一个指针是空", "最后一个指针是空。"),
        ("最后，我们讲栈", "我们讲栈。"),
        ("那些数据很多", "那些数据很多。"),
        ("一共五个，不对，是六个", "一共六个。"),
        ("它等于十五，嗯，说错了，十六。", "它等于十六。"),
        ("这是一个数，不是两个数。", "这是一个数，不是两个数。"),
        ("他说：“这就是栈。”", "他说：“这就是栈。”"),
    ],
)
def test_chinese_keeps_what_it_says_and_an_end_is_closed_once(spoken: str, shown: str) -> None:
    assert clean_spoken(spoken, "zh") == shown


@pytest.mark.parametrize(
    "said",
    [
        "It takes lg, lg N in the worst case.",
        "It is dragged to the rough ER, and the protein goes out.",
        "Water rushes in, the balloon swells.",
        "Air flows through it, it turns, and it presses on the wall.",
        "They used heavy nitrogen, nitrogen fifteen.",
        "It divides within an hour or so.",
        "mRNA is a copy of a gene.",
        "p53 stops the cycle.",
        "Providing you know how to quit, you are fine.",
        "If you know the first week, you know this one.",
        "If I push the door, the door pushes me back.",
        "Add m a, m a is no force.",
        "It is three point eight, eight hundred and two in all.",
        "In nineteen sixty two, two more followed.",
        "I give two, two come back.",
        "The units are metres per second, per second.",
        "About a hundred, hundred and twenty will do.",
        "The word is spelled b e i i i n.",
        "The binary number is one one zero.",
        "The plant with a a is white.",
        "Sizes are extra small, small, medium and large.",
        "Heat the gases, gases expand.",
        "It is out of reach of wind, wind up there is weak.",
        "It comes back again, and again, and again.",
        "The cloud would stay up there.",
        "The rules are the same here and over there.",
        "g equals nine.",
        "a is the slope of v.",
        "i equals zero at first.",
        "If you know the key, stop.",
        "P feeds Q, Q feeds A, a third one feeds both.",
        "It ends if, a, the tenant pays or, b, the lease is over.",
        "The lease expressly says so.",
        "It joins the new to what you know.",
        "The list is sorted, and if so, the search is fast and will stay so.",
        'He wrote: "Heaps are fast."',
        "It is not five, no, six.",
        "It is in place five, no, six no, seven no.",
        "There are two of them, no two alike.",
    ],
)
def test_what_only_looks_like_a_stumble_or_a_filler_stays(said: str) -> None:
    assert clean_spoken(said, "en") == clean_continued(said, "en") == said


def test_what_joins_a_sentence_to_the_one_before_stays_where_that_is_shown_too() -> None:
    spoken = "But, um, then you know, it is, it is too slow, okay?"
    assert clean_spoken(spoken, "en") == "It is too slow."
    assert clean_continued(spoken, "en") == "But then it is too slow."
    assert clean_continued("So, okay. ", "en") == clean_spoken("Okay.", "en") == clean_spoken("Hmm.", "en") == ""
    assert clean_spoken("Recall from last time that a heap is a tree.", "en") == "A heap is a tree."


@pytest.mark.parametrize(
    "text",
    [
        "On this slide the heap lets parent and child trade places along the path from leaf to root.",
        "It is why we repair in the heap the path from the new leaf up to the root of the tree.",
        "Do we use the heap in order to repair the path from the new leaf up to the root?",
        "In these two cases the heap lets parent and child trade places along the path to the root.",
        "The heap is pretty useful and it is going to be small for most of the inputs of this kind.",
        "if the heap lets parent and child trade places along the path from leaf to root.",
    ],
)
def test_a_passage_that_points_elsewhere_asks_or_only_praises_explains_nothing(text: str) -> None:
    assert define(HEAP, [sentence(text)], []) == {}


def test_a_term_with_and_without_its_kind_share_a_definition() -> None:
    terms = TermMatcher(
        [("en:binary search", "binary search"), ("en:binary search algorithm", "binary search algorithm")]
    )
    said = [
        sentence("Run the binary search algorithm."),
        sentence("Binary search refers to halving a sorted range until the key is found.", 9000),
    ]
    found = define(terms, said, [])
    assert found["en:binary search algorithm"].text == found["en:binary search"].text
    assert found["en:binary search algorithm"].confidence < DEFINITION_FROM <= found["en:binary search"].confidence


def test_a_word_said_twice_in_a_name_is_the_same_thing() -> None:
    terms = TermMatcher([("en:tree rotation", "tree rotation"), ("en:tree tree rotation", "tree tree rotation")])
    said = [
        sentence("Here comes a tree tree rotation."),
        sentence("A tree rotation is an exchange of a node with its child that keeps the order.", 9000),
    ]
    found = define(terms, said, [])
    assert found["en:tree tree rotation"].text == found["en:tree rotation"].text


def test_a_sentence_that_counts_parts_is_joined_with_the_one_that_names_them() -> None:
    said = [
        sentence("Heap sort is an iterative algorithm and it does two things."),
        sentence("First is building the tree, and second is taking the largest key away."),
    ]
    found = define(TermMatcher([("en:heap sort", "heap sort")]), said, [])
    assert found["en:heap sort"].text.endswith("taking the largest key away.")


def test_a_formula_read_aloud_before_its_name_defines_it() -> None:
    said = [
        sentence("We define it as follows: The share of used slots is equal to the number of keys over the slots."),
        sentence("This is called the load factor."),
    ]
    found = define(TermMatcher([("en:load factor", "load factor")]), said, [])
    assert found["en:load factor"].text.startswith("The share of used slots is equal to")


def test_a_definition_that_people_give_wins() -> None:
    said = [sentence("A heap is a tree that keeps its smallest key on top.")]
    found = define(HEAP, said, [], given={"en:heap": "A tree in heap order.", "en:trie": "A tree of letters."})
    assert (found["en:heap"].text, found["en:heap"].kind) == ("A tree in heap order.", "dataset")
    assert found["en:trie"].text == "A tree of letters."


def test_a_weak_definition_of_the_lecture_gives_way_to_an_explicit_one_in_writing() -> None:
    weak, explicit = (
        "In a heap, we swap two entries of this tree here.",
        "A heap is a partially ordered tree of records.",
    )
    assert define(HEAP, [sentence(weak)], [])["en:heap"].kind == "subtitle"
    assert define(HEAP, [sentence(weak), written(explicit)], [])["en:heap"].kind == "document"


@pytest.mark.parametrize(
    "noise",
    [
        "heap " * 10_000,
        "a heap is " * 5_000,
        "heap is a " + "x" * 50_000,
        "heap" + ", ab cd" * 140 + " is a tree",
        "栈 " * 25_000,
        "栈是" * 25_000,
        "😀" * 50_000 + " heap is a tree",
        "a " * 190 + "heap is a list of keys",
        "what a heap is, is " * 2_500,
        "The heap lets us see. " * 40,
        "the process of " * 60 + "is called a heap",
        "for those of you who " * 2_000 + "heap",
    ],
)
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_hostile_text_takes_no_more_than_a_moment(noise: str, lang: Lang) -> None:
    terms = TermMatcher([("en:heap", "heap"), ("zh:栈", "栈")])
    begun = process_time()
    define(terms, [LectureSpan("v1", "", 0, lang, 0, 1, noise)], [])
    clean_spoken(noise, lang)
    assert process_time() - begun < 2
