"""Reading rating files: headers in three fashions, raters in two orders, and all that may be wrong with a file."""

from pathlib import Path

import pytest
from rating_files import CAPITALS, CHINESE, HEADER, six, write_ratings

from serving.evaluation.ratings.human_ratings import ASPECTS, HumanRatings, part_and_rater, read_human_ratings
from serving.evaluation.ratings.joined_ratings import join
from serving.evaluation.ratings.own_ratings import own_system


def told(found: HumanRatings) -> list[str]:
    return [f"{problem.file}:{problem.line} {problem.message}" for problem in found.problems]


def test_english_chinese_and_capitalised_headers_are_the_same_columns(tmp_path: Path) -> None:
    write_ratings(tmp_path / "A" / "A_1.csv", six(0, 1, 2))
    write_ratings(tmp_path / "A" / "A_2.csv", six(0, 1, 2), header=CHINESE, before=["17"])
    write_ratings(tmp_path / "B" / "B_1.csv", six(0, 1, 2), header=CAPITALS)
    found = read_human_ratings(tmp_path)
    assert not found.problems
    (first, second), (third,) = (system.files for system in found.systems)
    assert first.rows == second.rows == third.rows
    assert [row.scores for row in first.rows] == [(0,) * 6, (1,) * 6, (2,) * 6]


@pytest.mark.parametrize(
    ("stem", "system", "expected"),
    [
        ("GLM_2", "GLM", ("", "2")),
        ("GLM-130B_general_1", "GLM-130B", ("general", "1")),
        ("PLATO_XL_Specific_2", "PLATO-XL", ("specific", "2")),
        ("CPM2", "CPM2", ("", "1")),
        ("CPM2_1", "CPM2", ("", "1")),
    ],
)
def test_a_name_says_the_part_and_the_rater(stem: str, system: str, expected: tuple[str, str]) -> None:
    assert part_and_rater(stem, system) == expected


def test_folders_inside_the_folder_of_a_system_are_read_too(tmp_path: Path) -> None:
    for part, rater in (("general", "1"), ("general", "2"), ("specific", "1")):
        write_ratings(tmp_path / "CDial-GPT" / part / f"CDial-GPT_{part}_{rater}.csv", six(0, 1, 2))
    (system,) = (found := read_human_ratings(tmp_path)).systems
    assert not found.problems
    assert {part: len(files) for part, files in system.parts().items()} == {"general": 2, "specific": 1}
    assert system.files[0].name == "CDial-GPT/general/CDial-GPT_general_1.csv"


def test_a_folder_without_a_file_is_told_and_so_are_files_in_no_folder(tmp_path: Path) -> None:
    write_ratings(tmp_path / "loose" / "A_1.csv", six(0, 1))
    assert "found none" in told(read_human_ratings(tmp_path / "loose"))[0]
    (tmp_path / "empty" / "GLM").mkdir(parents=True)
    message = "Expected a CSV file for each rater in the folder of a system; found none."
    assert told(read_human_ratings(tmp_path / "empty")) == [f"GLM:None {message}"]


def test_numbers_may_have_a_point_and_answers_line_breaks(tmp_path: Path) -> None:
    path = tmp_path / "A" / "A_1.csv"
    path.parent.mkdir()
    path.write_text(
        f',{HEADER}\n0,工,heaps,"what is\na heap","a\n\ntree",0.0,1.0,2.0,2,1,0\n1,工,heaps,b,c,9,1,1,1,1,1\n'
    )
    (system,) = (found := read_human_ratings(tmp_path)).systems
    assert system.files[0].rows[0].scores == (0, 1, 2, 2, 1, 0)
    assert system.files[0].rows[0].question == "what is a heap"
    assert told(found) == ["A/A_1.csv:6 Expected 0, 1 or 2; found coherence 9."]


def test_a_rating_of_3_is_named_and_left_out_while_the_row_keeps_its_others(tmp_path: Path) -> None:
    write_ratings(tmp_path / "A" / "A_1.csv", [[1] * 6, [3, 2, 2, 2, 2, 2]])
    (system,) = (found := read_human_ratings(tmp_path)).systems
    assert told(found) == ["A/A_1.csv:3 Expected 0, 1 or 2; found coherence 3."]
    assert system.scores(0) == [1]
    assert system.scores(1) == [1, 2]
    assert system.numbers_of(0) == [1, 3]


@pytest.mark.parametrize("cell", ["", "one", "-1", "0.5", "nan", "inf", "1e400", "12.0"])
def test_what_is_no_rating_counts_for_nothing(tmp_path: Path, cell: str) -> None:
    write_ratings(tmp_path / "A" / "A_1.csv", [[cell, 1, 1, 1, 1, 1]])
    (system,) = (found := read_human_ratings(tmp_path)).systems
    assert told(found) == [f"A/A_1.csv:2 Expected 0, 1 or 2; found coherence {cell or 'empty'}."]
    assert system.scores(0) == []


def test_a_file_without_a_column_is_named_and_left_out_and_the_others_are_read(tmp_path: Path) -> None:
    write_ratings(tmp_path / "A" / "A_1.csv", six(1))
    write_ratings(tmp_path / "A" / "A_2.csv", [[1] * 5], header=HEADER.removesuffix(",instructiveness"))
    found = read_human_ratings(tmp_path)
    assert [file.name for file in found.systems[0].files] == ["A/A_1.csv"]
    (message,) = told(found)
    assert message.startswith(f"A/A_2.csv:1 Expected the columns {', '.join(ASPECTS)}; instructiveness missing. Found:")


def test_another_number_of_rows_is_told(tmp_path: Path) -> None:
    write_ratings(tmp_path / "A" / "A_1.csv", six(1, 1, 2))
    write_ratings(tmp_path / "A" / "A_2.csv", six(1, 1))
    found = read_human_ratings(tmp_path)
    assert told(found) == [
        "A/A_2.csv:None Expected as many rows from every rater; found: A/A_1.csv has 3, A/A_2.csv has 2."
    ]


def test_two_files_of_one_rater_are_told(tmp_path: Path) -> None:
    for name in ("A_1", "A-1"):
        write_ratings(tmp_path / "A" / f"{name}.csv", six(1))
    found = read_human_ratings(tmp_path)
    assert len(found.systems[0].files) == 1
    assert told(found) == ["A/A_1.csv:None Expected one file of rater 1; found A/A-1.csv too."]


def test_empty_files_empty_folders_and_no_folder_are_told_not_raised(tmp_path: Path) -> None:
    (tmp_path / "A").mkdir()
    (tmp_path / "A" / "A_1.csv").write_text("")
    (tmp_path / "B").mkdir()
    found = read_human_ratings(tmp_path)
    assert found.systems == ()
    assert "Found: nothing." in told(found)[0]
    assert "found none" in told(read_human_ratings(tmp_path / "C"))[0]


def test_raters_are_joined_in_any_order_and_a_question_may_be_there_twice(tmp_path: Path) -> None:
    first = tmp_path / "A" / "A_1.csv"
    write_ratings(first, six(0, 1, 2))
    lines = first.read_text().splitlines()
    first.write_text("\n".join([*lines, lines[1].replace(",0", ",2")]))
    first.with_name("A_2.csv").write_text("\n".join([lines[0], *reversed(lines[1:]), lines[1].replace(",0", ",2")]))
    (system,) = read_human_ratings(tmp_path).systems
    joined = join("", system.files)
    assert sorted(answer.scores(0) for answer in joined) == [[0, 0], [1, 1], [2, 2], [2, 2]]


def test_an_answer_with_other_words_is_joined_by_its_question_and_one_without_partner_stays_alone(
    tmp_path: Path,
) -> None:
    first = write_ratings(tmp_path / "A" / "A_1.csv", six(0, 1))
    second = first.with_name("A_2.csv")
    second.write_text(first.read_text().replace("a0", "a zero").replace("q1,a1", "q7,a7"))
    (system,) = read_human_ratings(tmp_path).systems
    assert sorted(answer.scores(0) for answer in join("", system.files)) == [[0, 0], [1], [1]]


def test_ratings_of_the_store_are_a_system_joined_by_answer() -> None:
    turns = [{"trace_id": f"t{n}", "session": "s", "course_id": "heaps"} for n in range(2)]
    ratings = [
        {"trace_id": trace, "rater": rater, "form": "aspects", "item": aspect, "value": value}
        for trace, rater, value in (("t0", "x", "2"), ("t0", "y", "1"), ("t1", "y", "0"))
        for aspect in ASPECTS
    ]
    other = {"trace_id": "t0", "rater": "x", "form": "satisfaction", "item": "", "value": "1"}
    found = own_system([*ratings, other], turns)
    assert found is not None
    assert [answer.scores(0) for answer in join("", found.files)] == [[2, 1], [0]]
    assert own_system([other], turns) is None
    assert {row.category for file in found.files for row in file.rows} == {""}
    of_courses = own_system(ratings, turns, {"heaps": "工"})
    assert of_courses is not None
    assert {row.category for file in of_courses.files for row in file.rows} == {"工"}
