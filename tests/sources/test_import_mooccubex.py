"""The MOOCCubeX dump, laid out and worded as it is published, to course folders."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from knowledge_graph.lake.problems import CoteachError
from knowledge_graph.lake.records import CourseCard
from knowledge_graph.sources.course import CourseFolder, read_course_card
from knowledge_graph.sources.importing import mooccubex_files
from knowledge_graph.sources.importing.sources import import_courses
from knowledge_graph.sources.statements import read_statements

Rows = Sequence[object]
WriteDump = Callable[[dict[str, Rows]], Path]

COURSE = {
    "id": "C_1",
    "name": "数据结构",
    "field": ["计算机科学与技术"],
    "prerequisites": "C语言",
    "about": "讲栈和队列。",
    "resource": [
        {"titles": ["第二章 队列", "定义", "什么是队列"], "resource_id": "V_20", "chapter": "1.1.1"},
        {"titles": ["第一章 栈", "定义", "栈"], "resource_id": "V_10", "chapter": "2.1.1"},
        {"titles": ["第一章 栈", "练习"], "resource_id": "Ex_7", "chapter": "2.1.2"},
        {"titles": ["第一章 栈", "例子", "无字幕"], "resource_id": "V_30", "chapter": "2.1.3"},
    ],
}
OTHER = {"id": "C_2", "name": "心理学", "field": [], "prerequisites": "", "about": "", "resource": []}
DUMP: dict[str, Rows] = {
    "entities/course.json": [COURSE, OTHER],
    "entities/video.json": [
        {"ccid": "BBB", "name": "队列", "start": [1.5, 4.0], "end": [4.0, 6.25], "text": ["先进先出。", "就是队列。"]},
        {"ccid": "ZZZ", "name": "别的课", "start": [0], "end": [1], "text": ["无关"]},
        {"ccid": "AAA", "name": "栈", "start": [1500, 4000], "end": [4000, 6250], "text": ["后进先出。", "就是栈。"]},
    ],
    "entities/concept.json": [
        {"id": "K_栈_计算机科学与技术", "name": "栈", "context": "栈是一种线性表。"},
        {"id": "K_梦_心理学", "name": "梦", "context": "梦是……"},
    ],
    "relations/video_id-ccid.txt": ["V_10\tAAA", "V_20\tBBB", "V_30\tCCC", "V_99\tZZZ"],
    "relations/concept-course.txt": ["K_栈_计算机科学与技术\tC_1", "K_梦_心理学\tC_2"],
    "relations/concept-video.txt": ["K_队列_计算机科学与技术\tBBB", "K_梦_心理学\tZZZ"],
    "relations/course-field.json": [{"course_id": "C_1", "course_name": "数据结构", "field": ["软件工程"]}],
    "prerequisites/cs.json": [
        {"c1": "栈", "c2": "队列", "ground_truth": 1, "text_predict": 0.9, "graph_predict": 0.2},
        {"c1": "队列", "c2": "栈", "ground_truth": 0, "text_predict": 0.1, "graph_predict": 0.2},
        {"c1": "栈", "c2": "梦", "ground_truth": 1, "text_predict": 0.1, "graph_predict": 0.2},
    ],
}


@pytest.fixture
def write_dump(tmp_path: Path) -> WriteDump:
    """Write `{path: rows}`; a row that is no text becomes a line of JSON."""

    def write(files: dict[str, Rows]) -> Path:
        for name, rows in files.items():
            path = tmp_path / "dump" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            lines = [row if isinstance(row, str) else json.dumps(row, ensure_ascii=False) for row in rows]
            path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        return tmp_path / "dump"

    return write


def _rows(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_a_chosen_course_becomes_a_folder(write_dump: WriteDump, tmp_path: Path) -> None:
    (course,) = import_courses(write_dump(DUMP), tmp_path / "courses", only=["C_1"]).courses
    assert course.counts == {"videos": 2, "documents": 1, "concepts": 2, "prerequisites": 2}
    assert sorted(path.relative_to(course.folder).as_posix() for path in course.folder.rglob("*.*")) == [
        "concepts.jsonl",
        "course.yaml",
        "documents/About this course.md",
        "prerequisites.jsonl",
        "subtitles/01 - 第二章 队列/01 - 什么是队列.sjson",
        "subtitles/02 - 第一章 栈/01 - 栈.sjson",
    ]


def test_the_card_has_title_language_fields_and_teaching_order(write_dump: WriteDump, tmp_path: Path) -> None:
    (course,) = import_courses(write_dump(DUMP), tmp_path / "courses", only=["数据结构"]).courses
    card, problems = read_course_card(CourseFolder("C_1", course.folder))
    assert problems == ()
    assert (card.title, card.lang, card.domains) == ("数据结构", "zh", ("计算机科学与技术", "软件工程"))
    assert card.video_order == ("01 - 第二章 队列/01 - 什么是队列", "02 - 第一章 栈/01 - 栈")


def test_times_in_seconds_or_milliseconds_become_milliseconds(write_dump: WriteDump, tmp_path: Path) -> None:
    (course,) = import_courses(write_dump(DUMP), tmp_path / "courses", only=["C_1"]).courses
    found = [json.loads(path.read_text()) for path in sorted(course.folder.rglob("*.sjson"))]
    assert [each["start"] for each in found] == [[1500, 4000], [1500, 4000]]
    assert [each["end"] for each in found] == [[4000, 6250], [4000, 6250]]
    assert found[0]["text"] == ["先进先出。", "就是队列。"]


def test_concepts_and_labels_of_the_course_are_kept_for_later_stages(write_dump: WriteDump, tmp_path: Path) -> None:
    (course,) = import_courses(write_dump(DUMP), tmp_path / "courses", only=["C_1"]).courses
    assert _rows(course.folder / "concepts.jsonl") == [
        {"id": "K_栈_计算机科学与技术", "name": "栈", "definition": "栈是一种线性表。"},
        {"id": "K_队列_计算机科学与技术", "name": "队列", "definition": None},
    ]
    assert _rows(course.folder / "prerequisites.jsonl") == [
        {"prerequisite": "栈", "concept": "队列", "label": 1},
        {"prerequisite": "队列", "concept": "栈", "label": 0},
    ]


def test_given_concepts_are_read_back_without_a_problem_though_the_dump_is_long_winded(
    write_dump: WriteDump, tmp_path: Path
) -> None:
    concepts = [
        {"id": "K_栈_计算机科学与技术", "name": "栈", "context": "栈是一种线性表。" * 200},
        {"id": "K_栈_建筑学", "name": "栈", "context": "栈是房子。"},
    ]
    linked = ["K_栈_计算机科学与技术\tC_1", "K_栈_建筑学\tC_1"]
    files = {**DUMP, "entities/concept.json": concepts, "relations/concept-course.txt": linked}
    imported = import_courses(write_dump(files), tmp_path / "courses", only=["C_1"])
    (course,) = imported.courses
    found, problems = read_statements(CourseFolder("C_1", course.folder), CourseCard("C_1", "数据结构", "zh"))
    assert problems == ()
    assert [each.subject for each in found if each.kind == "concept"] == ["栈", "队列"]
    assert len(found[0].definition or "") == 1_000
    assert [problem.message for problem in imported.problems if problem.message[:1] == "1"] == [
        "1 concepts of one course have the name of another one and were left out.",
        "1 contexts were long; their first sentences were kept.",
    ]


def test_prerequisites_are_read_as_columns_too(write_dump: WriteDump, tmp_path: Path) -> None:
    columns = {
        "prerequisites/cs.json": [],
        "prerequisites/cs.tsv": ["c1\tc2\tground_truth", "栈\t队列\t1", "队列\t栈\t0"],
    }
    (course,) = import_courses(write_dump({**DUMP, **columns}), tmp_path / "courses", only=["C_1"]).courses
    assert [row["label"] for row in _rows(course.folder / "prerequisites.jsonl")] == [1, 0]


def test_two_imports_give_the_same_bytes(write_dump: WriteDump, tmp_path: Path) -> None:
    dump = write_dump(DUMP)
    one, two = (import_courses(dump, tmp_path / name, only=["C_1"]).courses[0].folder for name in ("one", "two"))
    assert {path.relative_to(one): path.read_bytes() for path in one.rglob("*.*")} == {
        path.relative_to(two): path.read_bytes() for path in two.rglob("*.*")
    }


def test_more_than_twenty_courses_are_not_imported_unasked(write_dump: WriteDump, tmp_path: Path) -> None:
    many = [{"id": f"C_{number}", "name": f"Course {number}", "resource": []} for number in range(21)]
    dump = write_dump({**DUMP, "entities/course.json": many})
    with pytest.raises(CoteachError, match=r"21 courses, .*Choose with --course ID .* C_0 \(Course 0\), C_1"):
        import_courses(dump, tmp_path / "courses")
    assert not (tmp_path / "courses").exists()


def test_an_unknown_course_gets_a_suggestion(write_dump: WriteDump, tmp_path: Path) -> None:
    with pytest.raises(CoteachError, match=r"no course 数据结够 among 2\. Did you mean 数据结构\?"):
        import_courses(write_dump(DUMP), tmp_path / "courses", only=["数据结够"])


def test_what_is_broken_or_missing_is_told_and_the_rest_imported(
    write_dump: WriteDump, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mooccubex_files, "LONGEST_LINE", 2_000)
    videos = [
        {"ccid": "BBB", "start": [1.0], "end": [2.0, 3.0], "text": ["x"]},
        '{"ccid": "AAA", "start": [1',
        {"ccid": "CCC", "start": [0], "end": [1], "text": ["x" * 3_000]},
        DUMP["entities/video.json"][2],
    ]
    dump = write_dump({**DUMP, "entities/video.json": videos})
    (dump / "relations/course-field.json").unlink()
    imported = import_courses(dump, tmp_path / "courses", only=["C_1"])
    assert [problem.message for problem in imported.problems] == [
        "video.json:1: video BBB: expected start, end and text of the same length; it was left out.",
        'video.json:2: expected a JSON object on the line, found \'{"ccid": "AAA", "start": [1\'.',
        "video.json:3: the line has over 2,000 bytes.",
        "C_1: 2 of 3 videos have no captions in the dump; they were left out.",
    ]
    assert imported.courses[0].counts["videos"] == 1
