"""A team's own expectations in a build, and Great Expectations' pages of what broke them."""

import io
import re
from html import unescape
from pathlib import Path
from urllib.parse import unquote

import dagster as dg
import pytest
from rich.console import Console
from small_courses import FAQ, Place, write_course

from knowledge_graph.lake.problems import CoteachError
from knowledge_graph.lake.tables import read_rows
from orchestration.cli.data_docs_command import data_docs
from orchestration.definitions import defs
from orchestration.resources import DATA_DOCS_URL

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

CRITICAL = """faq:
  - type: expect_column_values_to_not_match_regex
    kwargs: {column: answer, regex: forum}
"""
WARNING = f"{CRITICAL}    severity: warning\n"
MISSING = "faq:\n  - {type: expect_column_values_to_be_unique, kwargs: {column: points}, severity: warning}\n"
MEETS = "faq_meets_expectations"


def build(root: Path, expectations: str) -> Place:
    place = Place(root)
    write_course(place.courses / "树 and trees", {"faq.csv": FAQ, "expectations.yaml": expectations})
    place.make("树 and trees", "course_card", "faq")
    return place


@pytest.fixture(scope="module")
def refused(tmp_path_factory: pytest.TempPathFactory) -> Place:
    return build(tmp_path_factory.mktemp("refused"), CRITICAL)


def test_a_row_that_a_team_does_not_want_is_not_published_and_named_with_its_value(refused: Place) -> None:
    check = refused.check("faq", MEETS, "树 and trees")
    assert (check.passed, check.severity) == (False, dg.AssetCheckSeverity.ERROR)
    assert "faq.csv:4, origin_id 'help'" in (check.description or "")
    assert "'In the forum.'" in (check.description or "")
    assert not refused.data_dir.table("faq", "树 and trees").exists()


def test_the_page_that_the_check_links_to_is_made_and_shows_key_and_value(
    refused: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COTEACH_HOME", str(refused.data_dir.root))
    printed = io.StringIO()
    assert data_docs(Console(file=printed, width=300), port=0, serve=False) == 0
    assert printed.getvalue().startswith("1 validations: ")
    link = refused.check("faq", MEETS, "树 and trees").metadata["data_docs"].value
    assert isinstance(link, str)
    page = refused.data_dir.data_docs / unquote(link.removeprefix(f"{DATA_DOCS_URL}/"))
    shown = unescape(page.read_text(encoding="utf-8"))
    assert "In the forum." in shown
    assert "help" in shown
    assert not re.findall(r'(?:src|<link[^>]*href)="https?:', shown)
    assert page.relative_to(refused.data_dir.data_docs).as_posix() in unquote(
        (refused.data_dir.data_docs / "index.html").read_text(encoding="utf-8")
    )


def test_a_warning_is_told_and_the_rows_are_published(tmp_path: Path) -> None:
    place = build(tmp_path, WARNING)
    check = place.check("faq", MEETS, "树 and trees")
    assert (check.passed, check.severity) == (False, dg.AssetCheckSeverity.WARN)
    assert len(read_rows(place.data_dir.table("faq", "树 and trees"))) == 3


def test_an_expectation_of_a_column_that_is_not_there_says_so(tmp_path: Path) -> None:
    check = build(tmp_path, MISSING).check("faq", MEETS, "树 and trees")
    assert "points" in (check.description or "")
    assert "rows unknown" not in (check.description or "")


def test_a_home_where_nothing_was_validated_says_what_to_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COTEACH_HOME", str(tmp_path))
    with pytest.raises(CoteachError, match="coteach build"):
        data_docs(Console(file=io.StringIO()), port=0, serve=False)


def course_job() -> dg.JobDefinition:
    """What Dagster's workers load by name."""
    return defs().resolve_job_def("course_build")


def test_a_run_that_a_check_stopped_is_run_again_from_its_failure_once_the_cause_is_mended(tmp_path: Path) -> None:
    place = Place(tmp_path)
    write_course(place.courses / "trees", {"faq.csv": FAQ, "expectations.yaml": CRITICAL})
    failed = place.make("trees", "course_card", "faq")
    assert not failed.succeeded
    (place.courses / "trees" / "expectations.yaml").unlink()
    with place.instance() as instance:
        again = dg.execute_job(
            dg.reconstructable(course_job),
            instance=instance,
            tags={"dagster/partition": "trees"},  # as the pages pass them on
            reexecution_options=dg.ReexecutionOptions.from_failure(failed.run_id, instance),
        )
        assert again.success
        assert {event.step_key for event in again.all_events if event.is_step_success} == {"faq"}
    assert len(read_rows(place.data_dir.table("faq", "trees"))) == 3
