"""Chinese terms the course points out itself, kept whole where jieba would cut them up."""

from knowledge_graph.concepts.seeds import seed_terms
from knowledge_graph.concepts.tagging import SEED, tag
from knowledge_graph.text.sentences import LectureSpan


def said(*texts: str, title: str = "") -> list[LectureSpan]:
    return [LectureSpan("v", title, 0, "zh", 0, 1, text) for text in texts]


def words(text: str, *terms: str) -> list[tuple[str, str]]:
    (item,) = tag(said(text), terms)
    return [(word, tag_) for word, tag_ in zip(item.words, item.tags, strict=True) if tag_ == SEED or word == "是"]


def test_a_defined_term_is_a_seed_when_it_is_said_again() -> None:
    spoken = said("红黑树是给结点涂色的搜索树。", "我们用红黑树。", "跳表是一种链表。")
    assert seed_terms(spoken, []) == ["红黑树"]


def test_a_term_that_is_called_so_is_a_seed() -> None:
    assert seed_terms(said("这个值叫做装填因子，", "装填因子太大就要扩容"), []) == ["装填因子"]


def test_the_parts_of_a_title_are_seeds_even_of_one_character() -> None:
    assert seed_terms(said("栈和队列", "队列和栈", title="第3讲 栈与队列"), []) == ["栈", "队列"]


def test_what_a_question_asks_for_is_a_seed() -> None:
    assert seed_terms(said("哈希表很快", "用哈希表"), ["什么是哈希表？"]) == ["哈希表"]


def test_pronouns_and_words_of_teaching_are_no_seeds() -> None:
    assert seed_terms(said("这个是一种方法，问题是一个", "这个问题是一种", title="小结"), []) == []


def test_a_seed_stays_one_word_and_the_rest_of_the_cut_words_stays_too() -> None:
    assert words("哈希表是一种结构", "哈希表") == [("哈希表", SEED), ("是", "v")]


def test_a_seed_of_one_character_is_no_part_of_a_longer_word() -> None:
    assert words("图的遍历", "图") == [("图", SEED)]
    assert words("图书馆", "图") == []


def test_letters_joined_to_a_noun_are_a_seed() -> None:
    assert seed_terms(said("B+树是平衡的。", "数据库用B+树。"), []) == ["B+树"]


def test_what_points_at_one_thing_is_no_seed() -> None:
    assert seed_terms(said("该算法是一种贪心算法。", "该算法很快。"), []) == []
