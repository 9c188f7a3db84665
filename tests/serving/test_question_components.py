"""Tables 1 and 2: the published counts reproduce the published shares, and other data stand beside them."""

from serving.evaluation.ratings.human_ratings import RatedFile, RatedRow, RatedSystem
from serving.evaluation.sets.data_statistics import ReferenceAnswers, statistics_table
from serving.evaluation.sets.labelled_data import AnsweredQuestion, AnsweredQuestions
from serving.evaluation.sets.question_components import PUBLISHED, Labelled, components_table, equal_leaves
from serving.evaluation.tables import markdown

AS_PUBLISHED = [category for category, (number, _) in PUBLISHED.items() for _ in range(number)]


def test_the_published_counts_give_every_published_share() -> None:
    assert len(AS_PUBLISHED) == 4002
    assert equal_leaves(AS_PUBLISHED) == 6
    table = components_table([Labelled("file", "the file", "Made here.", AS_PUBLISHED, blank=12)])
    for row in table.rows[:-1]:
        published, ours = (cell.text if isinstance(cell.text, str) else cell.text() for cell in (row[2], row[4]))
        assert published == ours, row[0]
    metrics = table.metrics()
    assert (metrics["file/chit_chat"], metrics["file/blank"], metrics["file/equal_counts"]) == (702, 12, 6)
    assert f"{metrics['file/emotional_of_chat']:.1%}" == "18.7%"


def test_without_questions_the_published_rows_stand_alone() -> None:
    table = components_table([])
    assert [row[0] for row in table.rows if not str(row[0]).startswith("—")] == [
        "knowledge questions",
        "chit-chat",
        "others",
        "all",
    ]
    assert "16% of chit-chat" in markdown(table)


def test_an_empty_set_is_shown_with_dashes() -> None:
    table = components_table([Labelled("file", "the file", "Empty.", [])])
    assert "file/simple.share" not in table.metrics()
    assert table.metrics()["file/all"] == 0


def test_what_the_files_hold_stands_below_what_is_printed() -> None:
    asked = [("q1", "simple", "a"), ("q1", "simple", "a"), ("q1", "complex", "b")]
    rows = tuple(AnsweredQuestion(str(n), q, "s", kind, a, n) for n, (q, kind, a) in enumerate(asked))  # type: ignore[arg-type]
    row = RatedRow("c", "工", "c", "q", "a", (1, 1, 1, 1, 1, None), (1, 1, 1, 1, 1, 12))
    systems = [RatedSystem("GLM", (RatedFile("GLM_1.csv", "", "1", "x", (row, row)),))]
    table = statistics_table(ReferenceAnswers.of(AnsweredQuestions(rows, 0, 0)), systems, courses=("c",))
    metrics = table.metrics()
    assert [metrics[f"qa/{name}"] for name in ("rows", "questions", "pairs", "simple", "complex")] == [3, 1, 2, 2, 1]
    assert (metrics["dialogue/courses"], metrics["dialogue/labels"]) == (1, 12)
    assert [row[:2] for row in table.rows][1] == ("Question answering", "in the file")


def test_without_files_table_2_is_the_printed_one_and_says_what_to_set() -> None:
    table = statistics_table(None, ())
    assert len(table.rows) == 2
    assert "COTEACH_EVAL_ANSWERS" in markdown(table)
    assert "COTEACH_EVAL_RATINGS" in markdown(table)
