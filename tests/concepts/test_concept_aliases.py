"""When two names are one concept."""

from collections import Counter

import pytest

from knowledge_graph.concepts.aliases import MergedTerm, display_name, merge
from knowledge_graph.concepts.candidate import TermCandidate, spot
from knowledge_graph.lake.records import Lang
from knowledge_graph.text.sentences import LectureSpan, normal_form


def candidates(*names: str, lang: Lang = "en") -> dict[str, TermCandidate]:
    found = {}
    for name in names:
        normal = normal_form(name, lang)
        one = TermCandidate(lang, normal, tuple(normal.split(" ")), 3, Counter({name: 3}), Counter({0: 3}))
        one.spots.append(spot(0, 0, 1))
        found[one.concept_id] = one
    return found


def said(*texts: str, lang: Lang = "en") -> list[LectureSpan]:
    return [LectureSpan("v", "", 0, lang, 0, 1, text) for text in texts]


def names(terms: list[MergedTerm]) -> dict[str, tuple[str, ...]]:
    return {term.concept_id: term.names for term in terms}


@pytest.mark.parametrize(
    "text",
    [
        "A BST (binary search tree) keeps order.",
        "A binary search tree (BST) keeps order.",
        "A binary search tree, or BST, keeps order.",
        "A binary search tree, also called a BST, keeps order.",
        "BST stands for binary search tree.",
    ],
)
def test_an_acronym_said_beside_its_expansion_is_an_alias(text: str) -> None:
    terms = merge(candidates("BST", "binary search tree", "black shiny tower"), said(text))
    assert names(terms)["en:binary search tree"] == ("binary search tree", "BST")
    assert terms[0].candidate.count == 6


def test_an_acronym_of_three_letters_joins_the_only_expansion_that_fits() -> None:
    terms = merge(candidates("SVM", "support vector machine"), said(""))
    assert names(terms) == {"en:support vector machine": ("support vector machine", "SVM")}


def test_an_acronym_that_fits_two_expansions_stays_alone() -> None:
    assert len(merge(candidates("BST", "binary search tree", "big square table"), said(""))) == 3


def test_a_word_in_small_letters_is_no_acronym() -> None:
    assert len(merge(candidates("tap", "test a program"), said(""))) == 2


def people(*names: str) -> dict[str, TermCandidate]:
    """Candidates that are proper names said inside a sentence, each alone as often as it is not part of the next."""
    found = candidates(*names)
    for one in found.values():
        one.spots.append(spot(0, 2, 3))
        one.proper, one.alone = one.count, 1
    return found


def test_a_person_with_and_without_a_title_is_one_and_keeps_the_capital() -> None:
    terms = merge(people("Lord Thornbury", "Thornbury", "Mr Justice Thornbury"), said(""))
    assert names(terms) == {"en:thornbury": ("Thornbury", "Lord Thornbury", "Mr Justice Thornbury")}
    assert terms[0].candidate.count == 3


def test_a_name_that_two_people_share_stays_alone() -> None:
    assert len(merge(people("Publius Varro", "Varro", "Gaius Varro"), said(""))) == 3


def test_a_word_that_is_said_in_one_name_alone_is_no_name_of_it() -> None:
    found = people("Grey Bay", "Bay")
    found["en:bay"].alone = 0
    assert len(merge(found, said(""))) == 2


def test_a_name_that_only_a_procedure_has_names_the_procedure() -> None:
    terms = merge(candidates("Kruskal's algorithm", "Kruskal"), said(""))
    assert names(terms) == {"en:kruskal's algorithm": ("kruskal's algorithm", "kruskal")}
    assert len(merge(candidates("Newton's method", "Newton's law", "Newton"), said(""))) == 3


def test_english_in_brackets_is_an_alias_of_the_chinese_term() -> None:
    terms = merge(candidates("二叉树", lang="zh"), said("我们讲的是二叉树（binary tree）的遍历", lang="zh"))
    assert terms[0].names == ("二叉树", "binary tree")


def test_english_in_brackets_after_a_longer_chinese_term_is_not_the_shorter_ones() -> None:
    terms = merge(candidates("梯度下降", lang="zh"), said("随机梯度下降(stochastic gradient descent)", lang="zh"))
    assert terms[0].names == ("梯度下降",)


def test_a_name_is_shown_in_lower_case_unless_it_is_proper() -> None:
    plain = TermCandidate("en", "gradient descent", ("gradient", "descent"), 3, Counter({"Gradient descent": 3}))
    proper = TermCandidate("en", "bayes rule", ("bayes", "rule"), 3, Counter({"Bayes rule": 1, "Bayes Rule": 2}))
    acronym = TermCandidate("en", "svm", ("svm",), 3, Counter({"SVM": 3}))
    assert [display_name(c) for c in (plain, proper, acronym)] == ["gradient descent", "Bayes Rule", "SVM"]


def test_the_singular_is_shown_even_where_the_plural_is_commoner() -> None:
    trees = TermCandidate("en", "tree", ("tree",), 5, Counter({"trees": 4, "tree": 1}))
    assert display_name(trees) == "tree"


def test_a_joined_and_a_spaced_spelling_are_one_concept() -> None:
    found = candidates("dataset", "data set", "Dijkstra's algorithm", "Dijkstra algorithm")
    found["en:data set"].count = 9
    assert names(merge(found, said("")))["en:data set"] == ("data set", "dataset")
    assert len(merge(found, said(""))) == 2


def test_two_writings_of_one_chinese_word_are_one_concept() -> None:
    found = candidates("叶结点", "叶节点", "二元樹", "二元树", lang="zh")
    assert len(merge(found, said("", lang="zh"))) == 2


def test_a_procedure_said_with_algorithm_behind_it_is_the_same_procedure() -> None:
    found = candidates("gradient descent", "gradient descent algorithm", "learning", "learning algorithm")
    found["en:gradient descent"].count = found["en:learning"].count = 9
    terms = names(merge(found, said("")))
    assert terms["en:gradient descent"] == ("gradient descent", "gradient descent algorithm")
    assert "en:learning algorithm" in terms


def test_an_acronym_is_shown_by_its_expansion_even_where_it_is_said_more_often() -> None:
    found = candidates("PCA", "principal component analysis")
    found["en:pca"].surfaces["PCA"] = found["en:pca"].count = 50
    assert merge(found, said(""))[0].name == "principal component analysis"


def test_a_name_that_is_mostly_said_with_algorithm_behind_it_stays_apart() -> None:
    found = candidates("gradient descent", "gradient descent algorithm")
    found["en:gradient descent"].count = found["en:gradient descent algorithm"].count = 9
    assert set(names(merge(found, said("")))) == {"en:gradient descent", "en:gradient descent algorithm"}
