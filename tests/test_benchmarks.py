"""The benchmarks that make their own data still run: a table that a stage reads anew is missing in them at once."""

import json
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from catalog_rows import COURSES, SAMPLE, sample_home
from course_rows import write_home

BENCHMARKS = Path(__file__).resolve().parents[1] / "benchmarks"

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]


def printed(name: str, *arguments: str, **environment: str) -> str:
    """What a benchmark prints. Its ratios, and so its exit code, mean nothing at such a size."""
    command = [sys.executable, str(BENCHMARKS / name), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=os.environ | environment)
    assert "Traceback" not in done.stderr, done.stderr[-2000:]
    return done.stdout


def test_no_answer_is_cut_while_two_gateways_are_restarted_one_after_the_other(tmp_path: Path) -> None:
    home = write_home(tmp_path)
    asked = ("--rate", "10", "--seconds", "1", "--question", "What is a stack?", "--question", "What is a queue?")
    found = printed("rolling_restart.py", *asked, COTEACH_HOME=str(home))
    assert "cut: 0" in found, found
    assert re.search(r"'whole': [1-9]", found), found
    assert re.search(r"'stream': [1-9]", found), found


def test_the_way_of_a_question_is_followed_to_the_models_client(tmp_path: Path) -> None:
    found = printed("hops.py", "--home", str(write_home(tmp_path)), "--course", "ds")
    assert re.search(r"[1-9]\d* functions in [1-9]\d* files before the model is called", found), found
    assert re.search(r"\d async generators of \d files pass its tokens on", found), found
    assert "serving/gateway/answers.py _event_stream" in found
    assert "serving/assistant/generation/writer.py write" in found


def test_the_large_table_is_built_by_dbt_with_all_tests() -> None:
    assert "dbt build of 5,000 QA pairs, tests included" in printed("large_table.py", "--pairs", "5000")


def test_the_large_index_is_built_searched_and_updated() -> None:
    assert "changed 1000, updated in place: True" in printed("large_index.py", "--pairs", "21000", "--queries", "100")


def test_both_ways_to_compare_a_catalogue_are_measured(tmp_path: Path) -> None:
    home = sample_home(tmp_path / "home").root
    found = printed("catalogue_terms.py", str(home), str(COURSES / SAMPLE / "gold" / "questions.jsonl"))
    sets = re.findall(r"^(\w[\w ]*): (\d+) asked of (\d+) pages$", found, re.MULTILINE)
    assert [name for name, _, _ in sets] == ["questions", "titles", "titles without a word"]
    assert int(sets[0][1]) >= 30
    shares = re.findall(
        r"^  (index terms|prepared texts) +first right ([01]\.\d+), MRR ([01]\.\d+)$", found, re.MULTILINE
    )
    assert len(shares) == 6, found
    assert all(float(first) >= 0.8 for _, first, _ in shares[:4]), found


def test_the_direct_decision_is_measured_by_source_on_labelled_questions(tmp_path: Path) -> None:
    home = write_home(tmp_path)
    asked = (
        ("When is the deadline of homework 3?", "faq#1"),
        ("Where do I hand in homework?", "faq#1"),
        ("What is a stack?", "en:stack"),
    )
    questions = tmp_path / "questions.jsonl"
    rows = [json.dumps({"question": question, "gold": [gold], "course": "ds"}) for question, gold in asked]
    questions.write_text("\n".join(rows), encoding="utf-8")
    found = printed("beta_by_source.py", str(home), str(questions))
    assert re.search(r"^concept +best of 1, above beta 1, wrong 0 .*too few labels", found, re.MULTILINE), found
    assert re.search(r"^faq +best of 2, above beta 2, wrong 1 .*too few labels", found, re.MULTILINE), found


def test_what_exports_become_is_printed_by_format_kind_and_reason(tmp_path: Path) -> None:
    manifest = """<manifest><metadata/><organizations/><resources>
      <resource identifier="a" type="webcontent" href="stacks.html"><file href="stacks.html"/></resource>
      <resource identifier="b" type="webcontent" href="empty.html"><file href="empty.html"/></resource>
      <resource identifier="c" type="imsqti_xmlv1p2/imscc_xmlv1p1/assessment"><file href="quiz.xml"/></resource>
    </resources></manifest>"""
    export = tmp_path / "course.imscc"
    with zipfile.ZipFile(export, "w") as packed:
        packed.writestr("imsmanifest.xml", manifest)
        packed.writestr("stacks.html", "<p>A stack is a list.</p>")
        packed.writestr("empty.html", "<p></p>")
    entries = tmp_path / "faq.csv"
    entries.write_text("question,answer\nWhen?,On Sunday.\nWhere?,Online.\n")
    old = tmp_path / "old"
    old.mkdir()
    (old / "moodle.xml").write_text("<MOODLE_BACKUP/>")
    rows = printed("course_imports.py", *map(str, (export, entries, old))).splitlines()[2:]
    quizzes = "quizzes whose file is not there or cannot be read: 1"
    assert rows[0] == f"| Common Cartridge | `course.imscc` | documents: 1 | pages without text: 1; {quizzes} |  |"
    assert rows[1].startswith("| FAQ bank | `faq.csv` | questions: 2 | nothing |")
    assert rows[2].startswith("| refused | `old` | old: a backup of Moodle 1.9. Restore it")
    assert len(rows) == 3
