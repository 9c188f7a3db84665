"""What `shares_with` names and no course is, told with the line and the courses that there are."""

from pathlib import Path

import pytest

from knowledge_graph.sources.folders import CourseFolder
from knowledge_graph.sources.sharing import unknown_shares


def write_cards(folder: Path, **cards: str) -> list[CourseFolder]:
    for name, card in cards.items():
        (folder / name).mkdir()
        (folder / name / "course.yaml").write_text(card)
    return [CourseFolder(name, folder / name) for name in sorted(cards)]


def test_a_course_that_does_not_exist_is_told_with_its_line_and_the_courses_there_are(tmp_path: Path) -> None:
    found = write_cards(tmp_path, ml="title: ML\nshares_with:\n- trees\n- tres\n- xyz\n", trees="title: Trees\n")
    first, second = map(str, unknown_shares(found))
    assert first == (
        "ml/course.yaml:4: Expected the name of a course's folder under 'shares_with', found 'tres'; there are: "
        "ml, trees. Did you mean 'trees'? Write the name of its folder, or take it out; until then nobody is shown "
        "this course by that name."
    )
    assert second.startswith(
        "ml/course.yaml:5: Expected the name of a course's folder under 'shares_with', found 'xyz'"
    )
    assert "Did you mean" not in second


def test_a_single_name_without_a_list_is_looked_at_too(tmp_path: Path) -> None:
    (told,) = unknown_shares(write_cards(tmp_path, ml="shares_with: forest\n"))
    assert (told.line, "found 'forest'; there are: ml." in told.message) == (1, True)


@pytest.mark.parametrize(
    "card", ["title: ML\n", "shares_with: []\n", "shares_with:\n", "shares_with: [' trees ', ml]\n", "a: [\n"]
)
def test_what_names_no_other_course_is_not_told(tmp_path: Path, card: str) -> None:
    assert unknown_shares(write_cards(tmp_path, ml=card, trees="title: Trees\n")) == ()


def test_a_course_that_is_served_without_a_folder_exists(tmp_path: Path) -> None:
    found = write_cards(tmp_path, ml="shares_with: [old]\n")
    assert unknown_shares(found, ["old"]) == ()
    assert len(unknown_shares(found, ["older"])) == 1


def test_of_many_courses_some_are_named(tmp_path: Path) -> None:
    cards = {f"c{number:02}": "title: x\n" for number in range(30)} | {"ml": "shares_with: [zzz]\n"}
    (told,) = unknown_shares(write_cards(tmp_path, **cards))
    assert "there are: c00, c01, c02, c03, c04, c05, c06, c07 and 23 more." in told.message
