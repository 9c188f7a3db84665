"""A source that coteach does not have is added as CONTRIBUTING.md says, in a copy of the checkout, and is asked.

Beside it stands a dbt model of a team's own.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from forum_source import ADDED_LINES, NEW_FILES, add_forum
from small_courses import EXAMS, FAQ, STACKS, srt, write_course

from orchestration.project import PROJECT

MOST_PLACES = 6
COPIED = ("orchestration", "assets", "knowledge_graph", "models", "serving", "coteach", "dbt")
NOT_COPIED = shutil.ignore_patterns("target")
"""What Python compiled comes along: the copy keeps the times of the files, and compiles what is added alone."""
LINKED = ("examples", ".cache")
QUESTION = "May I bring a wombat to the laboratory?"
ANSWER = "Only on Tuesdays, and on a leash."
THREADS = (
    {"id": "t1", "question": QUESTION, "answer": ANSWER, "url": "https://forum.example/t1"},
    {"id": "t2", "question": "Is there anybody?"},
    {"id": "t3", "question": "When is the homework due?", "answer": "On Sunday at noon."},
    {"id": "t4", "question": "How are exams graded?", "answer": "Out of ten points."},
)
"""The third says what the FAQ says, the fourth what a document says."""
OWN_MART = {
    "longest_answers.sql": "select course_id, max(len(answer)) as characters from {{ ref('qa_pairs') }} group by all",
    "longest_answers.yml": """version: 2
models:
  - name: longest_answers
    description: The length of the longest answer of each course.
    columns:
      - {name: course_id, data_type: varchar}
      - name: characters
        data_type: bigint
        data_tests: [{accepted_values: {arguments: {values: [1], quote: false}, config: {severity: warn}}}]
""",
}
"""A model of one's own, beside the product's marts, with a contract as they have and a test that does not hold."""
BUILD_AND_ASK = """
import json, sys
from pathlib import Path

from answered_at_home import ask_at_home
from orchestration.definitions import defs
from knowledge_graph.lake.dbt_sources import DBT_SOURCES
from knowledge_graph.lake.tables import read_rows
from small_courses import Place

place = Place(Path(sys.argv[1]))
code, printed = place.build()
told = ask_at_home(place.data_dir, [sys.argv[2]], "zoology")[0] if code == 0 else None
found = {"code": code, "printed": printed, "by_hand": sorted(DBT_SOURCES)}
if told is not None:
    answer = told.answer
    found |= {"text": answer.text, "notice": answer.notice, "route": answer.route}
    found["sources"] = [one.source for one in answer.references]
    found["urls"] = [one.locator.url for one in answer.references]
    origins = place.pairs("zoology")
    found["pairs"] = [[source, origin, row["also_from"]] for (source, origin), row in origins.items()]
    found |= {"again": place.build()[1]}
    shown = place.metadata("longest_answers", None)
    found |= {"mart_rows": shown["dagster/row_count"].value, "mart_sample": shown["sample"].value}
    mart = place.data_dir.own_marts / "longest_answers.parquet"
    found |= {"mart": read_rows(mart)}
    mart.unlink()
    found |= {"mended": place.build()[0], "is_back": mart.is_file()}
Path(sys.argv[3]).write_text(json.dumps(found))
"""


def places() -> list[str]:
    """The paths that open the numbered list of "A new source", with `forum` for the name."""
    text = (PROJECT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    section = text.split("**A new source.**", 1)[1].split("\n**", 1)[0]
    return [path.replace("NAME", "forum") for path in re.findall(r"^\d\. `([^`]+)`", section, re.MULTILINE)]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What came of a build with the forum, and of a question that only the forum answers."""
    root = tmp_path_factory.mktemp("new-source")
    checkout, home, found = root / "checkout", root / "place", root / "found.json"
    for name in COPIED:
        shutil.copytree(PROJECT / name, checkout / name, ignore=NOT_COPIED)
    for name in LINKED:
        (checkout / name).symlink_to(PROJECT / name)
    add_forum(checkout)
    for name, text in OWN_MART.items():
        (checkout / "dbt" / "models" / "marts" / name).write_text(text)
    forum = "".join(json.dumps(thread) + "\n" for thread in THREADS)
    write_course(
        home / "courses" / "zoology",
        {"01.srt": srt(STACKS), "faq.csv": FAQ, "documents/exams.md": EXAMS, "forum.jsonl": forum},
    )
    write_course(home / "courses" / "botany", {"forum.jsonl": ""})
    command = [sys.executable, "-c", BUILD_AND_ASK, str(home), QUESTION, str(found)]
    path = os.pathsep.join([str(checkout), str(Path(__file__).parent)])
    done = subprocess.run(
        command, env=os.environ | {"PYTHONPATH": path}, cwd=checkout, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
    result: dict[str, Any] = json.loads(found.read_text()) | {"told": done.stderr}
    assert result["code"] == 0, done.stderr
    return result


def test_a_new_source_is_in_as_few_places_as_contributing_says() -> None:
    assert sorted(places()) == sorted({*NEW_FILES, *ADDED_LINES})
    assert len(places()) <= MOST_PLACES


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_question_is_answered_from_the_new_source_and_says_so(built: dict[str, Any]) -> None:
    assert ANSWER in built["text"]
    assert built["route"] == "direct"
    assert built["notice"] == "From the forum."
    assert built["sources"] == ["forum"]
    assert built["urls"] == ["https://forum.example/t1"]


@pytest.mark.slow
def test_the_new_source_stands_in_trust_where_the_last_place_puts_it(built: dict[str, Any]) -> None:
    of_forum = {origin for source, origin, _ in built["pairs"] if source == "forum"}
    assert of_forum == {"t1", "t4"}, "what the FAQ says too is the FAQ's, what a document says too is the forum's"
    also = {(source, origin): others for source, origin, others in built["pairs"]}
    assert also["faq", "due"] == ["forum:t3"]
    assert len(also["forum", "t4"]) == 1
    assert also["forum", "t4"][0].startswith("document:documents/exams.md#")


@pytest.mark.slow
def test_what_is_wrong_in_the_new_file_is_told_with_its_line(built: dict[str, Any]) -> None:
    assert "forum.jsonl:2: A thread without id, question or answer was left out." in built["told"]


@pytest.mark.slow
def test_the_new_source_is_planned_checked_and_read_by_hand_like_the_others(built: dict[str, Any]) -> None:
    assert "✓ forum  3 rows" in built["told"]
    assert "up to date" in built["again"]
    assert "forum" in built["by_hand"]


@pytest.mark.slow
def test_a_model_of_ones_own_lands_in_the_lake_and_is_seen_in_dagster_by_itself(built: dict[str, Any]) -> None:
    assert [row["course_id"] for row in built["mart"]] == ["zoology"]
    assert built["mart_rows"] == 1
    assert "| zoology |" in built["mart_sample"]


@pytest.mark.slow
def test_a_mart_of_ones_own_that_is_lost_is_made_again_by_the_next_build(built: dict[str, Any]) -> None:
    assert built["mended"] == 0
    assert built["is_back"]


@pytest.mark.slow
def test_a_test_of_dbt_that_fails_names_the_rows_by_key_and_value(built: dict[str, Any]) -> None:
    (mart,) = built["mart"]
    assert f"course_id zoology, characters {mart['characters']}" in built["told"]
