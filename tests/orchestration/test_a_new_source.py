"""A source that coteach does not have is added as CONTRIBUTING.md says, in a copy of the checkout, and is asked."""

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
from small_courses import FAQ, STACKS, srt, write_course

from orchestration.project import PROJECT

MOST_PLACES = 6
COPIED = ("orchestration", "assets", "knowledge_graph", "models", "serving", "coteach", "dbt")
NOT_COPIED = shutil.ignore_patterns("target", "__pycache__")
LINKED = ("examples", ".cache")
QUESTION = "May I bring a wombat to the laboratory?"
ANSWER = "Only on Tuesdays, and on a leash."
THREADS = (
    {"id": "t1", "question": QUESTION, "answer": ANSWER, "url": "https://forum.example/t1"},
    {"id": "t2", "question": "Is there anybody?"},
)
BUILD_AND_ASK = """
import json, sys
from pathlib import Path

from answered_at_home import ask_at_home
from orchestration.definitions import defs
from knowledge_graph.lake.dbt_sources import DBT_SOURCES
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
    found |= {"again": place.build()[1]}
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
    forum = "".join(json.dumps(thread) + "\n" for thread in THREADS)
    write_course(home / "courses" / "zoology", {"01.srt": srt(STACKS), "faq.csv": FAQ, "forum.jsonl": forum})
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
def test_what_is_wrong_in_the_new_file_is_told_with_its_line(built: dict[str, Any]) -> None:
    assert "forum.jsonl:2: A thread without id, question or answer was left out." in built["told"]


@pytest.mark.slow
def test_the_new_source_is_planned_checked_and_read_by_hand_like_the_others(built: dict[str, Any]) -> None:
    assert "✓ forum  1 rows" in built["told"]
    assert "up to date" in built["again"]
    assert "forum" in built["by_hand"]
