"""Faults that questions by somebody who did not know the program have found, each with the question that did."""

import pytest
from asker import Asker

from knowledge_graph.graph.concept_graph import ConceptGraph
from serving.assistant.composing.catalogue_records import name_of
from serving.assistant.composing.premise import _BLAMES, _WHY_NOT, _denies_nothing, negations
from serving.assistant.composing.small_talk import occasion_of
from serving.assistant.composing.terms import stands_as_verb, units_of
from serving.assistant.understanding.aspects import find_aspects
from serving.assistant.understanding.follow_up_question import heads
from serving.assistant.understanding.plain_wording import say_plainly
from serving.assistant.understanding.question_kind import question_kind
from serving.assistant.understanding.spelling import Vocabulary, correct, is_foreign


@pytest.mark.parametrize(
    "question",
    ["what even is 'discrete structures', like what do you do in there", "how do you work out the height of a tree?"],
)
def test_what_is_done_in_a_class_is_no_question_about_the_assistant(question: str) -> None:
    assert occasion_of(question) is None


def test_what_do_you_do_alone_still_is() -> None:
    assert occasion_of("what do you do?") == "identity"


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("第三讲没去听，主要说了些什么，给我捋一捋", "summary"),
        ("I missed the lecture on trees, could you please tell me what it was about?", "summary"),
        ("is there stuff i have to watch before the one on trees?", "before"),
        ("he mentions 3 different ways people think about vectors, which ones were they", "list"),
        ("线性相关到底是什么意思，能用大白话讲讲吗", "definition"),
        ("第六讲留的那个作业你帮我做了吧", "task"),
        ("统计词频那道编程题给我一份能直接提交的c++", "task"),
        ("Please write my case study for the data ethics thing", "task"),
        ("tomorrow is the lecture with the rotations, anything i should go over again first?", "before"),
        ("im lost in the backprop video. what should have i watched before", "before"),
    ],
)
def test_the_kind_of_a_question_in_words_of_its_own(question: str, kind: str) -> None:
    assert question_kind(question) == kind


def test_a_message_in_a_third_language_is_not_put_right_word_by_word() -> None:
    spanish = "¿por qué hay que poner todas las variables en una escala parecida antes de usar el descenso?"
    words = Vocabulary.of(["hay today power user variables scale descent"] * 3)
    assert is_foreign(spanish, words)
    assert correct(spanish, words) is None
    assert not is_foreign("why do we put all of the features on a similar scale", words)


def test_a_message_in_a_third_language_is_told_which_are_read(composed_by: Asker) -> None:
    answer = composed_by("¿por qué hay que poner todas las cosas en una escala parecida?")
    assert answer.coverage == "none"
    assert "English and Chinese" in answer.text


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("The determinant is non-zero, meaning space does not get squished.", 2),
        ("Adding more data does not fix high bias.", 1),
        ("A stack is a list.", 0),
        ("这种排序是不稳定的。", 1),
        ("没有人说它不稳定。", 2),
    ],
)
def test_denials_are_counted_for_two_of_them_deny_nothing(text: str, count: int) -> None:
    assert negations(text) == count


def test_a_word_cut_off_at_its_stem_is_put_right_though_the_index_knows_the_stem() -> None:
    words = Vocabulary.of(["an eigenvalue of a matrix"] * 3)
    found = correct("what is an eigenvalu", words, knows=lambda word: word == "eigenvalu")
    assert found is not None
    assert found.words == ("eigenvalue",)


def test_a_name_from_code_is_two_words_of_the_subject() -> None:
    assert say_plainly("write gradientDescent.m") == "write gradient descent"
    assert say_plainly("use gradient_descent.m in iPhone") == "use gradient_descent.m in iPhone"


def test_of_a_thing_and_its_owner_the_thing_is_meant(graph: ConceptGraph) -> None:
    stack, queue = (graph.find(name) or "" for name in ("stack", "queue"))
    assert heads("what is the queue of a stack?", (queue, stack), graph) == (queue,)
    assert heads("what is a stack and a queue?", (stack, queue), graph) == (stack, queue)


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("History (BA) — requirements", "History"),
        ("COMP 2050 Data & Society", "Data & Society"),
        ("How to apply", "How to apply"),
    ],
)
def test_the_name_in_a_records_title(title: str, name: str) -> None:
    assert name_of(title) == name


def test_classes_that_need_one_are_found_from_it(composed_by: Asker) -> None:
    answer = composed_by("what can i take after COMP 1200?")
    assert "COMP 3300" in answer.text


def test_credits_of_several_classes_are_added_up(composed_by: Asker) -> None:
    answer = composed_by("how many credits are operating systems and distributed data together?")
    assert "4 + 3 = 7" in answer.text or "3 + 4 = 7" in answer.text


@pytest.mark.parametrize(
    "text",
    [
        "Are linear and logistic regression different algorithms or not?",
        "It doesn't just converge, it oscillates a little.",
        "The plot shows whether or not it has converged.",
        "这个办法不仅快，而且稳定。",
        "平衡二叉树是任意结点的左右子树高度之差不超过一的二叉搜索树。",
        "Each node has no more than two children.",
        "Feature scaling doesn't have to be too exact for the descent to run faster.",
    ],
)
def test_a_sentence_that_leaves_it_open_denies_nothing(text: str) -> None:
    assert _denies_nothing(text)


@pytest.mark.parametrize(
    ("word", "question"),
    [
        ("fetch", "what do I store bookings in if I often have to fetch everything between two dates"),
        ("restarts", "Is it of any use before it restarts?"),
        ("snoozed", "what if I really snoozed it"),
    ],
)
def test_what_somebody_does_is_no_thing_that_the_material_lacks(word: str, question: str) -> None:
    assert stands_as_verb(word, question)


@pytest.mark.parametrize(
    ("word", "question"),
    [("nullity", "what is the nullity of a matrix"), ("Kubernetes", "how does it compare to Kubernetes")],
)
def test_a_thing_that_is_asked_about_is_no_verb(word: str, question: str) -> None:
    assert not stands_as_verb(word, question)


def test_a_question_for_what_is_not_good_blames_as_one_for_what_is_bad() -> None:
    assert _BLAMES.search("why is the squared error not a good cost for classification?")
    assert not _BLAMES.search("why is the squared error a good cost?")


def test_a_why_not_with_its_subject_between_is_negated_itself() -> None:
    assert _WHY_NOT.search("why should you not use accuracy")
    assert not _WHY_NOT.search("why does it converge when the rate is not small")


@pytest.mark.parametrize("word", ["normalization", "normalize", "generative", "processor"])
def test_a_term_whose_stem_is_a_word_of_questions_is_asked_about(word: str) -> None:
    units = units_of(f"what is batch {word}", (), lambda _: pytest.fail("no concept"), lambda term: 1.0)
    assert word in [unit.label for unit in units]


def test_the_code_of_a_class_is_no_mistyped_word() -> None:
    assert correct("what is math 2100, and is biol 1010 hard", Vocabulary.of(["bill bill math math"])) is None


def test_an_english_question_about_abbreviations_is_no_other_language() -> None:
    assert not is_foreign("what is tf idf", Vocabulary.of(["trees"]))


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("is there something i should rewatch before the cross product", "before"),
        ("In which later lecture do we need priority queues, and for what?", "after"),
        ("which later lectures need priority queues?", "after"),
        ("what were the 3 ways to think about a vector again", "list"),
        ("第四讲太长不看版", "summary"),
        ("这门课整体讲了些什么，几句话说说", "summary"),
        ("Which classes do I have to pass before I can write the Honors Thesis?", "before"),
        ("which topics build on arrays", "after"),
        ("which lectures need linked lists", "after"),
        ("what lectures do i need for the exam", "where"),
        ("before k-means what do i need", "before"),
        ("what before AVL trees", "before"),
        ("what do i need to know to be let into your second course", "before"),
        ("想直接跳去看讲CPU那集，得先补哪些内容不然看不懂？", "before"),
        ("How do I get an order in which every prerequisite comes first?", "how"),
        ("isnt pca just linear regression in disguise? where do they differ", "comparison"),
        ("where do i find the children of entry i in the heap array", "other"),
        ("where can i find heaps explained", "where"),
        ("can my roommate and I write the homework together", "yes_no"),
    ],
)
def test_more_kinds_of_questions_in_words_of_their_own(question: str, kind: str) -> None:
    assert question_kind(question) == kind


def test_a_word_with_a_prefix_is_no_slip() -> None:
    words = Vocabulary.of(["reach the end"] * 3)
    assert correct("should i rewatch it", words) is None


def test_what_to_try_next_asks_for_no_lecture() -> None:
    assert question_kind("my predictor makes huge errors, which options are there to try next?") != "after"
    assert question_kind("what should i learn next?") == "after"


def test_when_something_gets_slow_asks_for_its_worst_case() -> None:
    assert [one.key for one in find_aspects("when does quicksort get slow?")] == ["worst_case"]


def test_another_kind_of_a_concept_is_not_told_as_the_concept(composed_by: Asker) -> None:
    answer = composed_by("whats a FULL stack (not the empty one, i got that)")
    assert answer.coverage == "none"
    assert "FULL stack" in answer.text


def test_a_person_is_not_told_by_what_is_called_after_them(composed_by: Asker) -> None:
    answer = composed_by("who was Cramer actually")
    assert (answer.coverage, answer.references) == ("none", ())


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("should i use a stack or a queue for this", "comparison"),
        ("should I take an ordinary classifier or anomaly detection", "comparison"),
        ("should i hand it in on time", "yes_no"),
    ],
)
def test_which_of_two_to_take_compares_them(question: str, kind: str) -> None:
    assert question_kind(question) == kind


@pytest.mark.parametrize(
    ("question", "aspects"),
    [("until when can I apply for the autumn?", []), ("when can I apply Bayes?", ["when to use"])],
)
def test_until_when_something_is_open_is_not_when_to_use_it(question: str, aspects: list[str]) -> None:
    assert [one.en for one in find_aspects(question)] == aspects


def test_a_long_english_term_that_is_said_once_is_meant_and_a_slip_that_is_said_once_is_not() -> None:
    words = Vocabulary.of(["By osmosis, in a salinne solution, ions move."])
    corrected = correct("what is osmossis", words)
    assert corrected is not None
    assert corrected.words == ("osmosis",)
    assert correct("a salinnne one", words) is None
