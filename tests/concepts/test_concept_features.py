"""Measures of a term against cases worked by hand."""

import math
from collections import Counter

import pytest

from knowledge_graph.concepts.candidate import TermCandidate
from knowledge_graph.concepts.candidates import WordUse, word_use
from knowledge_graph.concepts.course_words import Course, course_of
from knowledge_graph.concepts.features import (
    TermShapes,
    absorption,
    association,
    c_value,
    clumping,
    extends,
    gradability,
    keyness,
    length,
    looseness,
    rarest,
    verbal,
    zipf,
)
from knowledge_graph.concepts.tagging import TaggedSentence, tag
from knowledge_graph.lake.records import Cue, Lang
from knowledge_graph.text.sentences import LectureSpan, sentences

USE = WordUse({}, {}, {"large": 0.4, "linear": 0.05})


def candidate(term: str, count: int, *, tag: str = "NN", lang: Lang = "en") -> TermCandidate:
    normal = term.replace(" ", "") if lang == "zh" else term
    one = TermCandidate(lang, normal, tuple(term.split(" ")), count=count, blocks=Counter({0: count}))
    one.first_tags[tag] = count
    return one


def nested(term: str, count: int, *, nested_count: int, containers: int, largest: int) -> TermCandidate:
    one = candidate(term, count)
    one.nested_count, one.containers, one.largest_container = nested_count, containers, largest
    return one


def course(**counts: int) -> Course:
    words = {("en", word): count for word, count in counts.items()}
    return Course(10, 10_000, words, True, USE, frozenset(), frozenset())


def test_the_c_value_of_a_term_that_is_never_nested_is_its_weighted_frequency() -> None:
    assert c_value(candidate("binary search tree", 8)) == pytest.approx((0.1 + math.log2(3)) * 8)


def test_the_c_value_takes_off_the_mean_frequency_of_the_longer_terms() -> None:
    # f(a) = 20, nested in 2 longer terms that occur 6 and 4 times: (0.1 + log2(2)) * (20 - (6 + 4) / 2)
    one = nested("search tree", 20, nested_count=10, containers=2, largest=6)
    assert c_value(one) == pytest.approx(1.1 * 15)


def test_two_chinese_characters_are_as_long_as_one_word() -> None:
    assert [length(candidate(term, 1, lang="zh")) for term in ("树", "数组", "二叉树", "深度 优先 搜索")] == [
        1,
        1,
        1.5,
        3,
    ]


def test_a_term_that_lives_in_one_longer_term_is_absorbed() -> None:
    assert absorption(nested("descent", 100, nested_count=100, containers=1, largest=100)) == 1.0
    assert absorption(nested("tree", 100, nested_count=50, containers=1, largest=50)) == 0.0


def test_a_technical_word_is_rarer_than_an_everyday_one() -> None:
    assert zipf("centroid", "en") < 3.5 < 5 < zipf("thing", "en")


def test_a_word_that_general_language_lacks_is_a_find_where_an_english_course_says_it_often() -> None:
    heapsort = candidate("heapsort", 16)
    assert rarest(heapsort, course(heapsort=16)) < zipf("centroid", "en")
    assert rarest(heapsort, course(heapsort=3)) == zipf("heapsort", "en") == 4.0
    assert rarest(candidate("heapsort demo", 9), course(heapsort=16, demo=40)) < zipf("centroid", "en")
    assert keyness(heapsort, course(heapsort=16)) > keyness(heapsort, course(heapsort=3)) + 3
    chinese = candidate("前序遍历", 16, lang="zh")
    often = Course(10, 10_000, {("zh", "前序遍历"): 16}, True, USE, frozenset(), frozenset())
    assert rarest(chinese, often) == zipf("前序遍历", "zh")


def test_keyness_is_the_logarithm_of_how_much_more_often_a_word_is_said_here() -> None:
    # 50 of 10,000 words are 5,000,000 of 10^9: log10 is 6.699
    assert keyness(candidate("gradient", 50), course(gradient=50)) == pytest.approx(
        math.log10(5e6) - zipf("gradient", "en")
    )


def test_words_that_only_ever_meet_each_other_have_association_one_and_chance_has_none() -> None:
    assert association(candidate("neural network", 20), course(neural=20, network=20)) == pytest.approx(1.0)
    # 1 of 10,000 together, 100 of 10,000 each: exactly chance
    assert association(candidate("good table", 1), course(good=100, table=100)) == pytest.approx(0.0)


def test_clumping_is_the_residual_idf_in_bits() -> None:
    # 20 occurrences in 1 of 10 videos; a Poisson word would be in 10 * (1 - e^-2) = 8.65 of them
    assert clumping(candidate("heap", 20), 10) == pytest.approx(math.log2(10 * (1 - math.exp(-2))))
    everywhere = TermCandidate("en", "data", ("data",), count=20, blocks=Counter(dict.fromkeys(range(10), 2)))
    assert clumping(everywhere, 10) < 0
    assert clumping(candidate("heap", 20), 1) == 0


def test_only_an_adjective_at_the_beginning_is_graded() -> None:
    assert gradability(candidate("large number", 3, tag="JJ"), USE) == 0.4
    assert gradability(candidate("linear function", 3, tag="JJ"), USE) == 0.05
    assert gradability(candidate("large number", 3, tag="NNP"), USE) == 0.0


def test_an_everyday_adjective_that_goes_with_anything_is_loose() -> None:
    loose = [candidate(f"huge {noun}", 2, tag="JJ") for noun in ("step", "effect", "number", "difference")]
    tight = [candidate(f"hidden {noun}", 20, tag="JJ") for noun in ("layer", "unit", "node", "state")]
    shapes = TermShapes.of([*loose, *tight])
    assert looseness(loose[0], shapes) == pytest.approx(4 / 8)
    assert looseness(tight[0], shapes) == pytest.approx(4 / 80)


def test_a_verb_that_opens_phrases_and_ends_none_is_no_part_of_a_name() -> None:
    done = [candidate(f"采用 {noun}", 2, tag="v", lang="zh") for noun in ("数组", "链表", "队列")]
    named = [candidate("排序 算法", 2, tag="v", lang="zh"), candidate("选择 排序", 2, tag="v", lang="zh")]
    shapes = TermShapes.of([*done, *named])
    assert verbal(done[0], shapes)
    assert not verbal(named[0], shapes)


def test_a_word_added_to_a_commoner_term_makes_no_other_term() -> None:
    known = [candidate("gradient descent", 20), candidate("gradient descent update", 3), candidate("data set", 20)]
    shapes = TermShapes.of(known)
    assert extends(known[1], shapes)
    assert not extends(candidate("batch gradient descent", 3), shapes)
    assert not extends(candidate("data structure", 3), TermShapes.of([*known, candidate("data", 90)]))


def test_titles_and_questions_name_whole_words() -> None:
    said = LectureSpan("v", "Gradient Descents", 0, "en", 0, 1, "gradient")
    known = course_of([TaggedSentence(said, ("gradient",), ("NN",), (0,))], USE, 1, ["What is SVD?"])
    assert ("en", "gradient descent") in known.titled
    assert ("en", "radient") not in known.titled
    assert ("en", "svd") in known.asked


def test_both_halves_of_a_hyphenated_word_are_counted() -> None:
    cues = [Cue("c", "v", "", 0, n, n, n + 1, "The K-means method ends.", "en") for n in range(3)]
    items = list(tag(sentences(cues)))
    counts = course_of(items, word_use(items), 1, ()).word_counts
    assert (counts["en", "k"], counts["en", "mean"] + counts["en", "means"]) == (3, 3)
