"""What people say of the graph, applied to concepts and pairs that a machine found."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from knowledge_graph.lake.records import Concept, CourseCard, Lang, Span, Statement, StatementKind
from knowledge_graph.sources.terms import fold_name
from knowledge_graph.statements.applying import apply_to_concepts, collect_given_terms, resolve_pairs

CARD = CourseCard("ml", "Machine Learning", "en", domains=("computer science",))
GIVEN = replace(CARD, concepts="given")


def concept(name: str, rank: int, *aliases: str, lang: Lang = "en", **changes: object) -> Concept:
    found = Concept(
        course_id="ml",
        concept_id=f"{lang}:{fold_name(name)}",
        name=name,
        aliases=aliases,
        lang=lang,
        rank=rank,
        score=1 - rank / 10,
        definition=None,
        definition_kind="none",
        definition_locator=None,
        domains=("computer science",),
        mention_count=10,
        evidence=(Span(f"v{rank}", 0, 1_000, name),),
        votes={"frequent": 1},
    )
    return replace(found, **changes)


def teacher(kind: StatementKind, subject: str, other: str | None = None, definition: str | None = None) -> Statement:
    return Statement("ml", kind, "teacher", subject, other, definition, "graph.yaml", 1)


def dataset(kind: StatementKind, subject: str, other: str | None = None, definition: str | None = None) -> Statement:
    return Statement("ml", kind, "dataset", subject, other, definition, "concepts.jsonl", 2)


def seed(name: str, alias: str | None = None) -> Statement:
    return Statement("ml", "alias" if alias else "concept", "seed", name, alias, None, "seeds.txt", 3)


GRAD = concept("grad descent", 1, "gradient method")
STEEP = concept("steepest descent", 2, "steep descent")
STUFF = concept("bunch of stuff", 3)
FOUND = [GRAD, STEEP, STUFF]


def test_without_statements_nothing_changes() -> None:
    assert apply_to_concepts(FOUND, [], CARD).concepts == tuple(FOUND)


def test_a_rejected_concept_goes_and_ranks_close_up() -> None:
    applied = apply_to_concepts(FOUND, [teacher("no_concept", "Steepest Descents")], CARD)
    assert [(each.name, each.rank) for each in applied.concepts] == [("grad descent", 1), ("bunch of stuff", 2)]
    assert applied.problems == ()


def test_a_rejected_alias_is_taken_off_its_concept() -> None:
    applied = apply_to_concepts(FOUND, [teacher("no_concept", "gradient method")], CARD)
    assert applied.concepts[0] == replace(GRAD, aliases=())
    assert len(applied.concepts) == 3


def test_a_renamed_concept_keeps_its_id_and_its_old_name() -> None:
    (first, *_), problems = _applied(teacher("name", "grad descent", "gradient descent"))
    assert problems == []
    assert (first.name, first.aliases) == ("gradient descent", ("grad descent", "gradient method"))
    assert first.concept_id == "en:grad descent"


def test_a_concept_may_be_renamed_to_its_own_alias() -> None:
    (first, *_), _ = _applied(teacher("name", "grad descent", "gradient method"))
    assert (first.name, first.aliases) == ("gradient method", ("grad descent",))


def test_the_name_of_another_concept_cannot_be_taken_but_by_merging() -> None:
    concepts, problems = _applied(teacher("name", "grad descent", "steepest descent"))
    assert concepts == FOUND
    assert problems == [
        "graph.yaml:1: 'steepest descent' is the name of another concept; 'grad descent' was not renamed. "
        "Unite the two with 'merge: {name to keep: [other]}'."
    ]


def test_merging_unites_names_counts_evidence_and_votes() -> None:
    steep = replace(STEEP, definition="Going down.", definition_kind="subtitle", votes={"titled": 1, "frequent": -1})
    statements = [teacher("alias", "grad descent", "steepest descent"), teacher("alias", "grad descent", "LMS rule")]
    first, second = apply_to_concepts([GRAD, steep, STUFF], statements, CARD).concepts
    assert first.concept_id == "en:grad descent"
    assert first.aliases == ("LMS rule", "gradient method", "steep descent", "steepest descent")
    assert (first.mention_count, first.rank, first.score) == (20, 1, 0.9)
    assert (first.definition, first.definition_kind) == ("Going down.", "subtitle")
    assert [span.video_id for span in first.evidence] == ["v1", "v2"]
    assert first.votes == {"frequent": 1, "titled": 1}
    assert (second.name, second.rank) == ("bunch of stuff", 2)


def test_what_is_merged_into_a_worse_concept_gives_it_the_better_rank() -> None:
    first, second = apply_to_concepts(FOUND, [teacher("alias", "bunch of stuff", "grad descent")], CARD).concepts
    assert [(each.name, each.rank) for each in (first, second)] == [("bunch of stuff", 1), ("steepest descent", 2)]


def test_united_evidence_stands_in_lecture_order_and_is_at_most_five() -> None:
    spans = [Span(video, start, start + 1, "said") for video in ("v10", "v2") for start in (9, 5, 1)]
    a = concept("a", 1, evidence=tuple(spans[:3]))
    b = concept("b", 2, evidence=(*spans[3:], Span(None, None, None, "read", "notes.pdf", 3)))
    (united,) = apply_to_concepts([a, b], [teacher("alias", "a", "b")], CARD).concepts
    assert [(each.video_id, each.start_ms) for each in united.evidence] == [
        ("v2", 5), ("v2", 9), ("v10", 1), ("v10", 5), ("v10", 9),
    ]  # fmt: skip
    (ordered,) = apply_to_concepts(
        [a, b], [teacher("alias", "a", "b")], replace(CARD, video_order=("v10", "v2"))
    ).concepts
    assert [each.video_id for each in ordered.evidence] == ["v10", "v10", "v10", "v2", "v2"]


def test_merging_into_a_name_that_was_not_found_renames_what_was() -> None:
    (first, *_), problems = _applied(teacher("alias", "downhill method", "grad descent"))
    assert (first.name, first.concept_id, problems) == ("downhill method", "en:grad descent", [])
    assert "grad descent" in first.aliases


def test_an_alias_given_by_a_teacher_leaves_the_concept_that_had_it() -> None:
    (first, second, _), _ = _applied(teacher("alias", "steepest descent", "gradient method"))
    assert first.aliases == ()
    assert second.aliases == ("gradient method", "steep descent")


def test_renaming_and_merging_work_together_in_any_order_of_the_file() -> None:
    statements = [
        teacher("alias", "gradient descent", "steepest descent"),
        teacher("name", "grad descent", "gradient descent"),
    ]
    for order in (statements, statements[::-1]):
        (first, _), problems = _applied(*order)
        assert (first.name, first.concept_id, problems) == ("gradient descent", "en:grad descent", [])
        assert "steepest descent" in first.aliases


def test_an_added_concept_that_was_not_found_comes_last_with_its_definition() -> None:
    statements = [
        teacher("concept", "feature scaling", definition="One range for all."),
        teacher("alias", "feature scaling", "normalisation"),
    ]
    (*_, last), problems = _applied(*statements)
    assert problems == []
    assert (last.concept_id, last.name, last.aliases) == ("en:feature scaling", "feature scaling", ("normalisation",))
    assert (last.rank, last.score, last.mention_count, last.evidence) == (4, 0.7, 0, ())
    assert (last.definition, last.definition_kind) == ("One range for all.", "teacher")
    assert last.votes == {"teacher": 1}


def test_an_added_concept_that_nothing_says_or_defines_is_kept_and_told() -> None:
    (*_, last), problems = _applied(teacher("concept", "feature scaling"))
    assert last.name == "feature scaling"
    assert problems == [
        "graph.yaml:1: 'feature scaling' was added, but the course never says it and nothing defines it. "
        "Give it a definition, or an alias that the lectures use."
    ]


def test_an_accepted_concept_that_was_found_is_only_marked() -> None:
    concepts, problems = _applied(teacher("concept", "gradient method"))
    assert concepts == [replace(GRAD, votes={"frequent": 1, "teacher": 1}), STEEP, STUFF]
    assert problems == []


def test_a_teachers_definition_replaces_and_a_datasets_fills_in() -> None:
    defined = replace(GRAD, definition="Said.", definition_kind="subtitle")
    said = [dataset("concept", "grad descent", None, "Printed."), dataset("concept", "steepest descent", None, "Read.")]
    first, second, _ = apply_to_concepts([defined, STEEP, STUFF], said, CARD).concepts
    assert [(each.definition, each.definition_kind) for each in (first, second)] == [
        ("Said.", "subtitle"),
        ("Read.", "dataset"),
    ]
    said.append(teacher("concept", "grad descent", None, "Mine."))
    first, *_ = apply_to_concepts([defined, STEEP, STUFF], said, CARD).concepts
    assert (first.definition, first.votes["teacher"]) == ("Mine.", 1)


def test_concepts_of_a_dataset_are_merged_with_those_found_and_seeds_only_sought() -> None:
    statements = [dataset("concept", "learning rate"), dataset("concept", "steep descents"), seed("momentum")]
    concepts, problems = _applied(*statements)
    assert [each.name for each in concepts] == ["grad descent", "steepest descent", "bunch of stuff", "learning rate"]
    assert problems == []


def test_a_given_graph_holds_only_what_people_name() -> None:
    statements = [dataset("concept", "learning rate"), seed("steepest descent"), seed("momentum")]
    concepts = apply_to_concepts(FOUND, statements, GIVEN).concepts
    assert [(each.name, each.rank) for each in concepts] == [
        ("steepest descent", 1),
        ("learning rate", 2),
        ("momentum", 3),
    ]


def test_merging_into_a_given_concept_keeps_what_the_other_gathered() -> None:
    statements = [dataset("concept", "steepest descent"), teacher("alias", "steepest descent", "grad descent")]
    (only,) = apply_to_concepts(FOUND, statements, GIVEN).concepts
    assert (only.name, only.mention_count) == ("steepest descent", 20)


def test_what_a_teacher_renames_is_given_too() -> None:
    (only,) = apply_to_concepts(FOUND, [teacher("name", "grad descent", "descent")], GIVEN).concepts
    assert only.name == "descent"


def test_a_given_graph_that_nobody_gives_is_told() -> None:
    applied = apply_to_concepts(FOUND, [], GIVEN)
    assert applied.concepts == ()
    assert str(applied.problems[0]) == (
        "course.yaml: 'concepts' is given, but no file names a concept of the course. Add concepts.jsonl or seeds.txt."
    )


def test_a_teacher_rejects_what_a_dataset_names() -> None:
    concepts, problems = _applied(dataset("concept", "pencil"), teacher("no_concept", "pencils"))
    assert concepts == FOUND
    assert problems == []


def test_edits_of_what_does_not_exist_any_more_are_told_with_the_name_meant() -> None:
    concepts, problems = _applied(
        teacher("no_concept", "bunch of stuf"),
        teacher("name", "grad decent", "descent"),
        teacher("alias", "kernel", "kernel function"),
    )
    assert concepts == FOUND
    remedy = "Check the spelling, or remove the line if the course no longer speaks of it."
    assert problems == [
        "graph.yaml:1: No concept is called 'grad decent' (did you mean 'grad descent'?): "
        f"that 'grad decent' is shown as 'descent' has no effect. {remedy}",
        "graph.yaml:1: No concept is called 'kernel': "
        f"that 'kernel function' is another name of 'kernel' has no effect. {remedy}",
        "graph.yaml:1: No concept is called 'bunch of stuf' (did you mean 'bunch of stuff'?): "
        f"that 'bunch of stuf' is no concept has no effect. {remedy}",
    ]


def test_edits_that_the_machine_has_made_superfluous_are_no_problem() -> None:
    found = [concept("gradient descent", 1, "grad descent", "steepest descent")]
    statements = [
        teacher("name", "grad descent", "gradient descent"),
        teacher("alias", "gradient descent", "steepest descent"),
        teacher("concept", "gradient descent"),
    ]
    applied = apply_to_concepts(found, statements, CARD)
    assert [each.concept_id for each in applied.concepts] == ["en:gradient descent"]
    assert applied.concepts[0].aliases == ("grad descent", "steepest descent")
    assert applied.problems == ()


def test_an_alias_stays_with_the_concept_it_is_the_name_of_else_with_the_better_one() -> None:
    found = [concept("a", 1, "b", "shared"), concept("b", 2, "shared")]
    first, second = apply_to_concepts(found, [], CARD).concepts
    assert (first.aliases, second.aliases) == (("shared",), ())


def test_chinese_concepts_are_edited_by_name_too() -> None:
    card = replace(CARD, lang="zh")
    found = [concept("梯度下降法", 1, lang="zh"), concept("最速下降", 2, lang="zh")]
    statements = [
        teacher("name", "梯度下降法", "梯度下降"),
        teacher("alias", "梯度 下降", "最速下降"),
        teacher("concept", "BFS", None, "广度优先搜索。"),
    ]
    first, second = apply_to_concepts(found, statements, card).concepts
    assert (first.concept_id, first.name, first.aliases) == ("zh:梯度下降法", "梯度下降", ("最速下降", "梯度下降法"))
    assert (second.concept_id, second.lang) == ("zh:bfs", "zh")


def test_a_term_of_two_languages_is_rejected_and_merged_in_both() -> None:
    found = [concept("BFS", 1, lang="zh"), concept("BFS", 2), concept("search", 3)]
    assert [each.name for each in apply_to_concepts(found, [teacher("no_concept", "bfs")], CARD).concepts] == ["search"]
    (merged,) = apply_to_concepts(found, [teacher("alias", "search", "BFS")], CARD).concepts
    assert merged.mention_count == 30


def test_given_terms_are_what_extraction_looks_for() -> None:
    statements = [
        seed("2d tree"),
        seed("2d tree", "kd tree"),
        seed("pencil"),
        dataset("concept", "2D Trees", None, "A tree of points."),
        teacher("no_concept", "pencil"),
        teacher("concept", "栈"),
    ]
    chinese, tree = collect_given_terms(statements, CARD)
    assert (chinese.name, chinese.lang, chinese.concept_id) == ("栈", "zh", "zh:栈")
    assert (tree.names, tree.definition) == (("2D Trees", "kd tree"), "A tree of points.")
    assert tree.statement.given_by == "dataset"


def test_pairs_are_resolved_through_aliases() -> None:
    pairs, problems = resolve_pairs(
        FOUND, [teacher("prerequisite", "Gradient Methods", "steep descent"), dataset("no_prerequisite", "a", "b")]
    )
    assert {pair: each.kind for pair, each in pairs.items()} == {
        ("en:grad descent", "en:steepest descent"): "prerequisite"
    }
    assert [str(each) for each in problems] == [
        "concepts.jsonl: Pairs that name a concept which the course does not have: 1. "
        "Nothing to do, unless names are misspelt."
    ]


def test_a_teachers_word_on_a_pair_counts_more_than_a_labels() -> None:
    statements = [
        dataset("prerequisite", "steepest descent", "grad descent"),
        dataset("no_prerequisite", "grad descent", "steepest descent"),
        teacher("prerequisite", "grad descent", "steepest descent"),
    ]
    pairs, problems = resolve_pairs(FOUND, statements)
    assert {pair: each.given_by for pair, each in pairs.items()} == {
        ("en:grad descent", "en:steepest descent"): "teacher"
    }
    assert problems == ()


def test_pairs_that_a_teacher_cannot_mean_are_told() -> None:
    statements = [
        teacher("prerequisite", "grad descent", "steepest descent"),
        teacher("prerequisite", "steepest descent", "bunch of stuff"),
        teacher("prerequisite", "bunch of stuff", "gradient method"),
        teacher("prerequisite", "grad descent", "gradient method"),
        teacher("no_prerequisite", "octave", "grad descent"),
    ]
    pairs, problems = resolve_pairs(FOUND, statements)
    assert len(pairs) == 2
    assert [each.message for each in problems] == [
        "That 'bunch of stuff' comes before 'gradient method' closes a circle: "
        "en:grad descent → en:steepest descent → en:bunch of stuff.",
        "Both names are of one concept: that 'grad descent' comes before 'gradient method' has no effect.",
        "No concept is called 'octave': that 'octave' need not come before 'grad descent' has no effect.",
    ]


NAMES = st.sampled_from(["tree", "heap", "graph", "stack", "queue"])
KINDS: tuple[StatementKind, ...] = ("concept", "no_concept", "name", "alias")
STATEMENTS = st.lists(st.builds(teacher, st.sampled_from(KINDS), NAMES, NAMES), max_size=12)


@given(st.lists(NAMES, unique=True), STATEMENTS)
def test_whatever_is_said_names_are_unique_and_ranks_run_from_one(
    names: list[str], statements: list[Statement]
) -> None:
    found = [concept(name, rank) for rank, name in enumerate(names, 1)]
    applied = apply_to_concepts(found, statements, CARD).concepts
    said = [fold_name(name) for each in applied for name in (each.name, *each.aliases)]
    assert len(said) == len(set(said))
    assert [each.rank for each in applied] == list(range(1, len(applied) + 1))
    assert len({each.concept_id for each in applied}) == len(applied)


def _applied(*statements: Statement) -> tuple[list[Concept], list[str]]:
    applied = apply_to_concepts(FOUND, statements, CARD)
    return list(applied.concepts), [str(problem) for problem in applied.problems]


def test_accepting_a_concept_does_not_make_a_datasets_definition_the_teachers() -> None:
    defined = replace(GRAD, definition="Words of the lecture.", definition_kind="subtitle")
    statements = [
        teacher("concept", "grad descent"),
        dataset("concept", "grad descent", definition="Words of a dataset."),
    ]
    (first,) = apply_to_concepts([defined], statements, CARD).concepts
    assert (first.definition, first.definition_kind) == ("Words of the lecture.", "subtitle")
    assert first.votes["teacher"] == 1
