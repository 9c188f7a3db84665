"""The history of labels: nothing is forgotten, nothing is noted twice."""

from models.intent.labels.categories import Category
from models.intent.labels.files import LabelFile, LabelFiles, LabelRow
from models.intent.labels.history import LabelRecord, grown


def row(id: str, category: Category | None, *, question: str = "what is it", line: int = 2) -> LabelRow:
    return LabelRow(id, question, "", "", "", category, "en", "intents/a.csv", line)


def files(*rows: LabelRow, earlier: tuple[LabelRow, ...] = (), version: str = "v1") -> LabelFiles:
    return LabelFiles(list(rows), list(earlier), [LabelFile("intents/a.csv", version, "utf-8", {})])


def told(history: tuple[LabelRecord, ...]) -> list[tuple[str, int, str, str, int | None, bool]]:
    return [(r.example_id, r.number, r.category, r.file_version, r.superseded_by, r.in_force) for r in history]


def test_the_first_build_notes_every_label_with_its_place() -> None:
    history = grown([], files(row("a/2", "simple", line=3), row("a/1", "other"), row("a/3", None)))
    assert history == (
        LabelRecord("a/1", 1, "what is it", "other", "intents/a.csv", 2, "v1"),
        LabelRecord("a/2", 1, "what is it", "simple", "intents/a.csv", 3, "v1"),
    )


def test_a_label_that_changes_between_builds_supersedes_the_earlier_one() -> None:
    first = grown([], files(row("a/1", "simple")))
    second = grown(first, files(row("a/1", "complex", line=9), version="v2"))
    assert told(second) == [("a/1", 1, "simple", "v1", 2, False), ("a/1", 2, "complex", "v2", None, True)]
    assert (second[0].line, second[1].line) == (2, 9)


def test_the_same_labels_again_change_nothing_though_the_file_did() -> None:
    first = grown([], files(row("a/1", "simple")))
    assert grown(first, files(row("a/1", "simple", line=7), version="v2")) == first


def test_a_label_that_comes_back_is_a_new_one() -> None:
    history = grown([], files(row("a/1", "simple")))
    for category, version in (("complex", "v2"), ("simple", "v3")):
        history = grown(history, files(row("a/1", category), version=version))  # type: ignore[arg-type]
    assert [(r.category, r.superseded_by) for r in history] == [("simple", 2), ("complex", 3), ("simple", None)]


def test_two_labels_in_one_file_are_noted_in_their_order_and_only_once() -> None:
    now = files(row("a/1", "complex", line=5), earlier=(row("a/1", "simple"),))
    first = grown([], now)
    assert told(first) == [("a/1", 1, "simple", "v1", 2, False), ("a/1", 2, "complex", "v1", None, True)]
    assert grown(first, now) == first
    assert grown(first, files(row("a/1", "complex"), version="v2")) == first


def test_a_row_that_is_gone_is_no_longer_in_force_and_may_come_back() -> None:
    first = grown([], files(row("a/1", "simple")))
    gone = grown(first, files())
    assert told(gone) == [("a/1", 1, "simple", "v1", None, False)]
    assert grown(gone, files(row("a/1", None))) == gone
    assert grown(gone, files(row("a/1", "simple"))) == first


def test_another_question_under_the_same_id_is_noted() -> None:
    first = grown([], files(row("a/1", "simple")))
    second = grown(first, files(row("a/1", "simple", question="something else"), version="v2"))
    assert [(r.question, r.superseded_by) for r in second] == [("what is it", 2), ("something else", None)]
