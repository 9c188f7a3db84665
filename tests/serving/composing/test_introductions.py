"""What something is, is told with the sentence in which a lecture introduces it, not with any that names it."""

import pytest
from test_summaries import lecture

from serving.assistant.composing.defining_cues import defines
from serving.assistant.composing.introduction import introduction
from serving.assistant.composing.lectures import CourseLectures


def told(said: dict[str, list[str]], *names: str, titled: tuple[str, ...] = ()) -> str:
    lectures = CourseLectures(tuple(lecture(index, *one) for index, one in enumerate(said.items())))
    return " ".join(one.text for one in introduction(names, lectures, titled=titled))


def test_the_sentence_that_says_what_it_is_wins_over_one_that_uses_the_word() -> None:
    said = [
        "Recall is very useful in practice for us.",
        "We compute recall again in the next exercise.",
        "Recall is the number of true positives divided by the number of actual positives.",
    ]
    assert told({"1 - 1 - Metrics": said}, "recall").startswith("Recall is the number")


def test_what_something_is_as_large_as_does_not_say_what_it_is() -> None:
    said = ["Pushing takes time proportional to N if the text, stacks is size N - one, and that is much."]
    assert told({"13 - Stacks": said}, "stack", "stacks", titled=("13 - Stacks",)) == ""


def test_a_name_that_is_given_introduces_it() -> None:
    said = ["Some trees stay low.", "A group of such latches is called a register.", "A register is fast."]
    assert told({"1 - 1 - Memory": said}, "register").startswith("A group of such latches")


def test_what_a_lecture_says_that_it_will_talk_about_is_introduced_by_what_it_does() -> None:
    said = {
        "1 - Pumps": ["There is another method for tanks, called the siphon methods, in some books."],
        "2 - Siphon": ["We'll talk about the siphon, which for some tanks gives us a better way to drain them."],
    }
    assert told(said, "siphon", titled=("2 - Siphon",)).startswith("We'll talk")


def test_what_it_does_is_not_said_of_it_where_the_sentence_breaks_off_behind_that() -> None:
    said = ["Lime helps, it keeps the water clean."]
    assert told({"1 - Lime": said}, "lime", titled=("1 - Lime",)) == ""
    assert told({"1 - Lime": ["Lime helps us to keep the water clean."]}, "lime", titled=("1 - Lime",)) != ""


def test_the_lecture_named_after_it_is_believed_first() -> None:
    said = {
        "1 - 1 - Overview": ["The heap is a tree that we will meet much later in this course."],
        "2 - 1 - Heaps": ["A heap is a tree in which no child is larger than its parent."],
    }
    assert "no child is larger" in told(said, "heap", titled=("2 - 1 - Heaps",))


def test_it_is_read_from_what_it_leans_on() -> None:
    said = [
        "Caches are fast.",
        "Now the copy in the cache differs from the real one.",
        "This mismatch has to be recorded.",
        "For this purpose each block has a special flag, called the dirty bit.",
    ]
    assert told({"1 - 1 - Memory": said}, "dirty bit") == " ".join(said[1:])
    going_on = [*said[:2], "And one trick that saves time: a dirty bit is a flag that each block has."]
    assert told({"1 - 1 - Memory": going_on}, "dirty bit") == going_on[2]


def test_what_one_of_them_is_introduces_nothing() -> None:
    said = ["That heap is a tree of seven nodes.", "Now that heap is a tree of six nodes."]
    assert told({"1 - 1 - Heaps": said}, "heap") == ""
    assert told({"1 - 1 - Heaps": ["Recall that a heap is a tree with an order."]}, "heap") != ""


def test_a_denial_introduces_nothing() -> None:
    assert told({"1 - 1 - Heaps": ["A heap is not sorted."]}, "heap") == ""


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("dot product", ["For two lists of one length, taking their dot product means adding up products of pairs."]),
        ("cross product", ["The cross product of v and w, written with a cross, is the area of this parallelogram."]),
        (
            "path compression",
            ["That's the idea of path compression.", "This idea is that every node on the path points to the root."],
        ),
    ],
)
def test_what_one_gets_by_it_or_the_idea_behind_it_introduces_it(name: str, said: list[str]) -> None:
    other = f"There are many applications of the {name}."
    assert " ".join(said) in told({"1 - 1 - Basics": [other, *said]}, name)
    assert told({"1 - 1 - Basics": [other, said[0][:30]]}, name) == ""


def test_a_question_about_what_was_said_before_is_not_read_with_the_answer() -> None:
    said = ["What can we do about this?", "There's an idea called gradient checking that finds all of these bugs."]
    assert told({"1 - 1 - Nets": said}, "gradient checking") == said[1]
    said[0] = "How do we find a wrong derivative?"
    assert told({"1 - 1 - Nets": said}, "gradient checking") == " ".join(said)


def test_a_longer_chinese_name_is_another_thing() -> None:
    said = ["这叫内存保护。", "内存是一种断电以后就会丢失数据的存储器。"]
    assert told({"1 - 1 - 内存": said}, "内存").startswith("内存是一种")


@pytest.mark.parametrize(
    "said",
    [
        "这些特殊向量就被称为变换的“特征向量”。",
        "满足它的向量叫做一个特征向量。",
        "我们称它们是“特征向量”的，另一种说法以后再讲。",
        "“特征向量”代表着变换中方向相同的向量。",
    ],
)
def test_a_chinese_name_that_is_given_introduces_it(said: str) -> None:
    assert said in told({"1 - 1 - 特征值": ["特征向量有很多用处。", said]}, "特征向量")


def test_without_lectures_nothing_is_introduced() -> None:
    assert introduction(["heap"], CourseLectures()) == ()


def test_a_hyphen_and_a_blank_are_the_same() -> None:
    said = ["We run k means twice.", "K Means is an iterative algorithm and it does two things."]
    assert told({"1 - 1 - Clustering": said}, "k-means").startswith("K Means is an iterative")


def test_what_it_is_for_wins_over_a_comparison() -> None:
    said = [
        "Gradient descent is a more general algorithm and is used everywhere.",
        "We use an algorithm called gradient descent for minimizing a cost function.",
    ]
    assert told({"1 - 1 - Descent": said}, "gradient descent").startswith("We use an algorithm called")


def test_a_longer_name_is_another_thing() -> None:
    assert told({"1 - 1 - Networks": ["This node is sometimes called the bias unit of the layer."]}, "bias") == ""


def test_a_question_that_says_what_it_means_introduces_it() -> None:
    said = ["High precision would be good.", "We call it precision - and what that says is, what fraction has cancer?"]
    assert told({"1 - 1 - Metrics": said}, "precision").startswith("We call it precision")


def test_what_ends_something_else_is_no_part_of_it() -> None:
    said = ["So that's the first part of the definition.", "This alpha is a number that is called the learning rate."]
    assert told({"1 - 1 - Descent": said}, "learning rate").startswith("This alpha is a number")


def test_what_is_put_off_is_left_out() -> None:
    said = ["A heap is a tree in which no child is larger than its parent.", "I will say more about this a bit later."]
    assert told({"1 - 1 - Heaps": said}, "heap") == said[0]


def test_when_a_problem_comes_says_more_than_that_one_runs_into_it() -> None:
    said = [
        "Algorithms can run into a problem called overfitting that can cause them to perform poorly.",
        "The problem of over fitting comes when the hypothesis fits the training set alone.",
        "There are ways to avoid over-fitting.",
    ]
    assert told({"7 - 1 - Fitting": said}, "overfitting", "over-fitting").startswith(
        "The problem of over fitting comes when"
    )


def test_the_term_is_said_to_refer_to_something() -> None:
    said = ["Classification is used a lot.", "The term classification refers to predicting a discrete value."]
    assert told({"1 - 1 - Learning": said}, "classification").startswith("The term classification refers")


@pytest.mark.parametrize(
    "beside",
    [
        "The full concept of the determinant allows for negative values.",
        "Whenever the orientation of space is inverted, the determinant will be negative.",
        "Determinants are something that's introduced early in a course on space.",
    ],
)
def test_what_is_only_said_of_it_or_when_it_is_taught_introduces_nothing(beside: str) -> None:
    naming = "A special scaling factor, by which a transformation changes any area, is called the determinant of it."
    titled = ("1 - 1 - Determinant",)
    assert told({titled[0]: ["Hello.", beside, naming]}, "determinant", titled=titled).startswith("A special scaling")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("linked list", "With these we can create a linked list, which is a flexible data structure that grows."),
        ("linked list", "Think of a linked list, a data structure for things that come and go."),
        ("operating system", "Operating systems , or OS for short, are just programs."),
    ],
)
def test_what_stands_behind_a_comma_says_what_it_is(name: str, said: str) -> None:
    other = f"When people use a {name}, they rarely look at how it is done."
    assert told({"1 - 1 - Basics": [other, said]}, name).startswith(said[:30])


def test_what_is_made_of_this_one_behind_a_comma_is_not_it() -> None:
    assert told({"1 - 1 - Basics": ["Given this data set, a method that is used is to split it."]}, "data set") == ""


def test_praise_says_less_than_what_it_is() -> None:
    said = [
        "Machine learning is one of the most exciting technologies of our time.",
        "Well, machine learning is a field that grew out of artificial intelligence.",
    ]
    found = told({"1 - 1 - Machine learning": said}, "machine learning", titled=("1 - 1 - Machine learning",))
    assert found.startswith("Well, machine learning is a field")


def test_what_is_to_be_proved_of_it_introduces_nothing() -> None:
    said = [*["We go on."] * 130, "I remember one homework problem that asked us to prove that merging is associative."]
    assert told({"1 - 1 - Merging": said}, "merging", titled=("1 - 1 - Merging",)) == ""


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("GDP", "GDP, gross domestic product, is the value of all that a country makes in a year."),
        ("mRNA", "Messenger RNA, or mRNA, is the copy of a gene that leaves the nucleus."),
        ("tRNA", "Transfer RNA, tRNA, brings the parts of which a protein is made."),
        ("CPI", "The consumer price index (CPI) follows the prices of a basket of goods."),
        ("erosion", "Erosion is the loss of soil by wind and water."),
        ("tariff", "A tariff is a tax that is paid at the border."),
        ("cortisol", "Under stress one makes cortisol, a substance that raises the blood sugar."),
    ],
)
def test_what_a_thing_of_any_science_is_introduces_it(name: str, said: str) -> None:
    others = [f"We spoke of {name} before.", f"{name} deposits are a thing that matters here, too."]
    assert told({"1 - 1 - Basics": [others[0], said, others[1]]}, name).startswith(said)


def test_a_list_that_has_a_short_form_does_not_say_what_that_stands_for() -> None:
    assert told({"1 - 1 - Basics": ["The export, ECB, and taxes matter to all of us in this union."]}, "ECB") == ""


@pytest.mark.parametrize(
    ("said", "is_told"),
    [
        ("密度是2.7克。", False),
        ("密度是八千米。", False),
        ("密度是一种物理量。", True),
        ("密度就是质量除以体积。", True),
        ("密度D是每单位体积的质量。", True),
    ],
)
def test_the_value_of_an_example_does_not_say_what_a_thing_is(said: str, *, is_told: bool) -> None:
    assert defines(said, ["密度"]) is is_told


@pytest.mark.parametrize("behind", ["That's too simple.", "Or is it?", "It isn't."])
def test_what_the_next_sentence_takes_back_introduces_nothing(behind: str) -> None:
    said = ["A siphon is a machine that works by the weight of the air.", behind]
    assert told({"1 - Siphons": [said[0]]}, "siphon").startswith(said[0])
    assert told({"1 - Siphons": said}, "siphon") == ""
