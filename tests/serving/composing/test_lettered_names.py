"""Names that are a kind with a letter behind, and what passages tell of one of them."""

from dataclasses import replace
from pathlib import Path

import course_rows as rows
import pytest
from asked_rows import spoken
from asker import Asker

from knowledge_graph.graph.concept_graph import ConceptGraph
from knowledge_graph.lake import schemas, tables
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.records import Cue
from knowledge_graph.transcripts.sentences import lecture_sentences
from serving.assistant.assistant import Assistant
from serving.assistant.composing.lectures import CourseLectureIndex
from serving.assistant.composing.lettered_names import LetteredName, find_lettered_kinds, set_apart_lettered
from serving.assistant.composing.lettered_passages import keep_told_of, units_as_lettered
from serving.assistant.composing.material import MaterialPiece
from serving.assistant.composing.terms import QuestionUnit, units_of
from serving.settings import Settings

SAID = (
    "Resin A is hard.",
    "Then resin B: it is soft.",
    "It melts at forty degrees.",
    "C, the cheap one, is for toys.",
    "You need ninety grams.",
    "Resin B is never used with resin C, D or E.",
)
KINDS = find_lettered_kinds(SAID)


def find_names(question: str) -> list[tuple[str, str]]:
    names, _, _ = set_apart_lettered(question, (), (), KINDS)
    return [(one.kind, one.letter) for one in names]


def of_resin(letter: str) -> LetteredName:
    return LetteredName("resin", letter, f"resin {letter}", (0, 7))


def lecture(*said: str) -> MaterialPiece:
    return spoken(*((text, 0.5) for text in said))


def test_a_kind_is_what_a_course_tells_apart_by_letters() -> None:
    assert KINDS["resin"] >= {"A", "B", "C"}


def test_what_has_an_article_before_it_is_a_letter_for_any_one() -> None:
    assert "matrix" not in find_lettered_kinds(["Take the matrix A.", "So a matrix B times the matrix A is one."])


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("how hard is resin E?", [("resin", "E")]),
        ("what is resin b12 used for", [("resin", "B12")]),
        ("is resin a liquid", []),
        ("what is glue B", []),
    ],
)
def test_a_letter_behind_such_a_kind_is_of_its_name(question: str, names: list[tuple[str, str]]) -> None:
    assert find_names(question) == names


def test_a_roman_numeral_is_such_a_letter() -> None:
    kinds = find_lettered_kinds(["Factor II is made in the liver.", "So is factor VIII.", "Factor V is not."])
    names, _, _ = set_apart_lettered("what is factor IX", (), (), kinds)
    assert [(one.kind, one.letter) for one in names] == [("factor", "IX")]


def test_a_letter_that_stands_behind_much_else_is_a_variable() -> None:
    assert "times" not in find_lettered_kinds(["B times A equals A times B.", "Both A and B, so A or B, by A over B."])


def test_a_kind_is_found_in_chinese() -> None:
    kinds = find_lettered_kinds(["树脂A很硬。", "树脂B很软。"])
    names, called, _ = set_apart_lettered("树脂E有什么用", (), (), kinds)
    assert [(one.kind, one.letter) for one in names] == [("树脂", "E")]
    assert called == ((0, 3),)


def test_a_name_is_one_unit_with_its_letter() -> None:
    _, called, mentions = set_apart_lettered("how much resin E", (), (), KINDS)
    units = units_of("how much resin E", mentions, lambda _: None, lambda _: 1.0, called=called)  # type: ignore[arg-type, return-value]
    assert [unit.label for unit in units] == ["resin E"]


@pytest.mark.parametrize(
    ("letter", "told"),
    [
        ("B", ["Then resin B: it is soft.", "It melts at forty degrees."]),
        ("C", ["C, the cheap one, is for toys.", "You need ninety grams."]),
    ],
)
def test_a_passage_is_kept_from_where_one_is_opened_to_where_another_is(letter: str, told: list[str]) -> None:
    (piece,) = keep_told_of([lecture(*SAID[:5])], [of_resin(letter)])
    assert [line.text for line in piece.lines] == told


def test_a_heading_ends_what_is_told_of_one() -> None:
    said = ("Resin B is soft.", "It melts.", "Glue.", "You need ninety grams of glue.")
    (piece,) = keep_told_of([lecture(*said)], [of_resin("B")])
    assert [line.text for line in piece.lines] == ["Resin B is soft.", "It melts."]


def test_no_passage_is_kept_that_only_lists_it() -> None:
    assert keep_told_of([lecture("There are resins A, D and E.", "You need ninety grams.")], [of_resin("E")]) == []


def test_no_passage_is_kept_that_does_not_speak_of_the_kind() -> None:
    assert keep_told_of([lecture("E is the energy.")], [of_resin("E")]) == []


def test_what_follows_a_line_left_out_says_so() -> None:
    said = ("Resin B is soft.", "Resin C is not.", "Resin B is dear.")
    (piece,) = keep_told_of([lecture(*said)], [of_resin("B")])
    assert [line.after_gap for line in piece.lines] == [False, True]


def test_of_passages_that_overlap_the_longer_is_kept() -> None:
    whole = lecture("Resin B is soft.", "It melts.")
    part = replace(whole, lines=whole.lines[:1])
    assert keep_told_of([part, whole], [of_resin("B")]) == [whole]


def test_all_is_kept_of_a_question_without_such_a_name() -> None:
    piece = lecture(*SAID)
    assert keep_told_of([piece], []) == [piece]


def test_in_chinese_a_passage_is_kept_of_the_letter_alone_too() -> None:
    piece = lecture("树脂A很硬。", "B是软的。", "它会熔化。", "树脂C很便宜。")
    (kept,) = keep_told_of([piece], [LetteredName("树脂", "B", "树脂B", (0, 3))])
    assert [line.text for line in kept.lines] == ["B是软的。", "它会熔化。"]


@pytest.mark.parametrize(("letter", "is_known"), [("B", True), ("E", False)])
def test_a_name_is_known_where_a_passage_is_told_of_it(letter: str, *, is_known: bool) -> None:
    unit = QuestionUnit(f"resin {letter}", (frozenset({"resin", letter.lower()}),), 1.0)
    (found,) = units_as_lettered([unit], [of_resin(letter)], lambda: (lecture(*SAID),))
    assert found.is_known is is_known


@pytest.fixture
def of_resins(tmp_path: Path, graph: ConceptGraph) -> Asker:
    """A course of one lecture, which tells resins apart by letters."""
    data_dir, title = DataDir(tmp_path), "Resins"
    cues = [Cue("ds", "04", title, 4, at, 5000 * at, 5000 * at + 5000, one, "en") for at, one in enumerate(SAID)]
    names = schemas.LECTURE_SENTENCES.names
    sentences = [{name: getattr(one, name) for name in names} for one in lecture_sentences(cues, "ds")]
    tables.write_table(data_dir.table("lecture_sentences", "ds"), sentences, schemas.LECTURE_SENTENCES)
    where = {**rows.NOWHERE, "video_id": "04", "video_title": title, "start_ms": 0, "end_ms": 5000 * len(SAID)}
    index = rows.open_index(tmp_path, passages=[rows.passage("04", title, " ".join(SAID), where)])
    settings, lectures = Settings(home=tmp_path, model_admission="exam"), CourseLectureIndex(data_dir)
    return Asker(Assistant(graph=graph, index=index, intent=None, llm=None, settings=settings, lectures=lectures))


@pytest.mark.parametrize(
    ("question", "told", "untold"),
    [
        ("how is resin B used", "It melts at forty degrees.", "ninety grams"),
        ("how is resin C used", "You need ninety grams.", "forty degrees"),
        ("how much resin C do we need", "**You need ninety grams.**", "forty degrees"),
        ("how much resin B do we need", "I did not find the amount that is needed", "ninety grams"),
        ("how is resin F used", "The material of this course says nothing about resin F", "grams"),
    ],
)
def test_what_is_told_of_one_answers_for_no_other(of_resins: Asker, question: str, told: str, untold: str) -> None:
    text = of_resins(question).text
    assert told in text
    assert untold not in text
