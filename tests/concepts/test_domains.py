"""The domains of a course whose card gives none, and which of them a concept belongs to."""

import pytest

from knowledge_graph.concepts.academic_fields import ACADEMIC_FIELDS
from knowledge_graph.concepts.domains import infer_domains, with_domains
from knowledge_graph.lake.records import Concept, CourseCard, DefinitionKind, Lang, Span


def concept(name: str, rank: int = 1, *aliases: str, definition: str | None = None, said: str = "") -> Concept:
    evidence = (Span("v", 0, 1_000, said),) if said else ()
    kind: DefinitionKind = "subtitle" if definition else "none"
    return Concept("c", f"en:{name}", name, aliases, "en", rank, 0.5, definition, kind, None, (), 1, evidence, {})


def concepts(*names: str) -> list[Concept]:
    return [concept(name, rank) for rank, name in enumerate(names, 1)]


def test_given_domains_are_the_domains() -> None:
    card = CourseCard("c", "Introduction to Law", "en", domains=("ethics of trade",))
    assert infer_domains(card, concepts("tort", "plaintiff", "defendant")) == ("ethics of trade",)


@pytest.mark.parametrize(
    ("title", "lang", "domain"),
    [
        ("Introduction to Psychology", "en", "psychology"),
        ("Linear Algebra", "en", "mathematics"),
        ("Contract Law", "en", "law"),
        ("Software Engineering", "en", "computer science"),
        ("大学物理", "zh", "物理学"),
        ("数据结构", "zh", "计算机科学"),
        ("宏观经济学", "zh", "经济学"),
        ("管理学原理", "zh", "管理学"),
    ],
)
def test_a_title_tells_the_field_in_the_language_of_the_course(title: str, lang: Lang, domain: str) -> None:
    assert infer_domains(CourseCard("c", title, lang), []) == (domain,)


def test_the_names_of_the_best_concepts_tell_the_field_when_the_title_does_not() -> None:
    named = concepts("eigenvector", "determinant", "change of basis", "matrix multiplication")
    assert infer_domains(CourseCard("c", "Essence, part 1", "en"), named) == ("mathematics",)
    card = CourseCard("c", "第一部分", "zh")
    assert infer_domains(card, concepts("特征向量", "行列式", "基变换", "矩阵乘法")) == ("数学",)


def test_two_concepts_of_a_field_may_be_examples() -> None:
    card = CourseCard("c", "Underwater Basket Weaving", "en")
    assert infer_domains(card, concepts("protein", "enzyme", "basket")) == ("Underwater Basket Weaving",)


def test_a_few_concepts_among_many_are_below_the_floor() -> None:
    many = concepts("protein", "enzyme", "genome", "chromosome", *(f"pattern {number}" for number in range(96)))
    card = CourseCard("c", "Weaving", "en")
    assert infer_domains(card, many) == ("Weaving",)
    assert infer_domains(card, [*many[:99], concept("photosynthesis", 0)]) == ("biology",)


def test_a_second_field_counts_from_half_the_weight_of_the_first() -> None:
    card = CourseCard("c", "Part 1", "en")
    mathematics = ("eigenvector", "determinant", "matrix", "calculus", "theorem", "lemma")
    computing = ("compiler", "operating system", "hash table")
    assert infer_domains(card, concepts(*mathematics, *computing)) == ("mathematics", "computer science")
    assert infer_domains(card, concepts(*mathematics, "integral", *computing)) == ("mathematics",)


def test_a_subject_stays_a_domain_beside_its_field() -> None:
    card = CourseCard("c", "CS 229", "en", subject="machine learning")
    assert infer_domains(card, []) == ("machine learning", "computer science")
    assert infer_domains(CourseCard("c", "CS 229", "en", subject="Computer Science"), []) == ("computer science",)
    assert infer_domains(CourseCard("c", "Catalogue", "en", subject="university catalogue"), []) == (
        "university catalogue",
    )


def test_words_that_look_like_a_field_are_no_sign_of_it() -> None:
    named = concepts("law of large numbers", "Moore's law", "state of the art", "memory management", "version history")
    assert infer_domains(CourseCard("c", "Part 1", "en"), named) == ("Part 1",)


TWO = ("mathematics", "computer science")


def test_a_concept_belongs_to_the_fields_its_context_speaks_of() -> None:
    by_name = concept("determinant of a matrix")
    by_alias = concept("BFS", 1, "graph search algorithm")
    by_definition = concept("heap", definition="A heap is a data structure.")
    by_evidence = concept("slope", said="The slope is the derivative, says calculus.")
    by_both = concept("recursion", said="Recursion is induction; see the theorem.")
    found = with_domains([by_name, by_alias, by_definition, by_evidence, by_both], TWO)
    assert [each.domains for each in found] == [TWO[:1], TWO[1:], TWO[1:], TWO[:1], TWO]


def test_a_concept_whose_context_says_nothing_belongs_to_all() -> None:
    (found,) = with_domains([concept("example", said="Look at this.")], TWO)
    assert found.domains == TWO


def test_parts_of_one_field_and_domains_of_no_field_are_every_concepts() -> None:
    nested = ("computer science", "data structures", "algorithms")
    assert with_domains([concept("theorem")], nested)[0].domains == nested
    mixed = ("mathematics", "basket weaving", "computer science")
    assert with_domains([concept("theorem")], mixed)[0].domains == ("mathematics", "basket weaving")


def test_chinese_concepts_of_a_course_of_two_fields() -> None:
    found = with_domains([concept("行列式"), concept("快速排序", said="快速排序是一种算法")], ("数学", "计算机科学"))
    assert [each.domains for each in found] == [("数学",), ("计算机科学",)]


def test_every_field_has_words_of_its_own_in_both_languages() -> None:
    owners: dict[str, list[str]] = {}
    for field in ACADEMIC_FIELDS:
        assert len([word for word in field.words if word.isascii()]) >= 7
        assert len([word for word in field.words if not word.isascii()]) >= 6
        for word in field.words:
            owners.setdefault(word, []).append(field.en)
    assert {word: fields for word, fields in owners.items() if len(fields) > 1} == {}
