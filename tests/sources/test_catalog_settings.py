"""`catalog.yaml`: defaults, what it may say, and every defect told with its line."""

import pytest
from course_files import WriteCourse

from knowledge_graph.sources.catalog.settings import CatalogSettings, read_settings, settings_of
from knowledge_graph.sources.fields import ProblemLog


def settings(text: str) -> tuple[CatalogSettings, list[str]]:
    told = ProblemLog("catalog.yaml")
    return settings_of(text, told), [f"{problem.line}: {problem.message}" for problem in told.problems]


def test_an_empty_file_gives_the_defaults_without_a_problem() -> None:
    found, problems = settings("")
    assert (found.programs, found.classes, found.delay_seconds, found.max_pages) == ((), (), 1.0, 5_000)
    assert found.code.match("CMPS 1100")
    assert not found.code.match("CCS 2350")
    assert found.heading_code.match("CCS 2350")
    assert problems == []


def test_every_key_is_read_and_a_single_link_is_a_list_of_one() -> None:
    found, problems = settings(
        "programs: https://a.example/programs/\n"
        "classes: [https://a.example/classes/, https://a.example/more/]\n"
        "stay_within: [https://a.example/]\n"
        "code_pattern: '[A-Z]{2}-\\d{3}'\n"
        "delay_seconds: 0.5\n"
        "max_pages: 10\n"
        "tabs: {home: [Start], requirements: [What You Need]}\n"
        "leave_out: [Colloquium]\n"
    )
    assert problems == []
    assert found.programs == ("https://a.example/programs/",)
    assert found.classes == ("https://a.example/classes/", "https://a.example/more/")
    assert found.stay_within == ("https://a.example/",)
    assert found.code.match("AB-123")
    assert found.heading_code.match("CCS 2350") is None
    assert (found.delay_seconds, found.max_pages) == (0.5, 10)
    assert found.topic_of(" What you  need: ") == "requirements"
    assert found.is_special("Spring colloquium in Physics")
    assert not found.is_special("Independent Study")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (
            "programs: [ftp://a.example/]",
            "1: 'programs': expected addresses with http:// or https://, found 'ftp://a.example/'.",
        ),
        ("classes: {a: b}", "1: 'classes': expected text, found a list or a mapping."),
        ("delay_seconds: -1", "1: 'delay_seconds': expected a number from 0 to 3600, found '-1'."),
        ("max_pages: many", "1: 'max_pages': expected a number from 1 to 100000, found 'many'."),
        ("max_pages: 0", "1: 'max_pages': expected a number from 1 to 100000, found '0'."),
        ("code_pattern: '[A-Z'", "1: 'code_pattern': unterminated character set at position 0."),
        ("leave_out: ['(']", "1: 'leave_out': missing ), unterminated subpattern at position 0."),
        (
            "tabs: [home]",
            "1: 'tabs': expected 'topic: [names of its tab]', such as 'requirements: [Degree Requirements]'.",
        ),
        ("\npages: 3", "2: Unknown key 'pages' was ignored."),
        ("- one", "1: Expected lines of the form 'key: value'."),
    ],
)
def test_a_defect_is_told_with_its_line_and_the_default_is_used(text: str, problem: str) -> None:
    found, problems = settings(text)
    assert problems == [problem]
    assert (found.programs, found.delay_seconds, found.max_pages) == ((), 1.0, 5_000)
    assert found.is_special("Independent Study")


def test_a_pattern_that_fits_nothing_written_is_refused() -> None:
    found, problems = settings("code_pattern: '[A-Z]*'")
    assert "would begin a class" in problems[0]
    assert found.code.match("CMPS 1100")


def test_broken_yaml_is_told_once() -> None:
    _, problems = settings("programs: [a\nclasses: b")
    assert len(problems) == 1
    assert "Not valid YAML" in problems[0]


@pytest.mark.parametrize(
    ("title", "special"),
    [
        ("Independent Study", True),
        ("Independent Study in Comparative Cultural Studies", True),
        ("Special Problems", True),
        ("Senior Honors Thesis", True),
        ("Sel Top-Computer Science", True),
        ("Directed Readings", True),
        ("Photosynthesis", False),
        ("Independence and Its Discontents", False),
        ("毕业论文", True),
    ],
)
def test_special_classes_are_known_by_whole_words_of_their_title(title: str, special: bool) -> None:
    assert settings("")[0].is_special(title) is special


def test_the_course_folder_says_which_file_it_is(write_course: WriteCourse) -> None:
    told = ProblemLog()
    folder = write_course({"catalog.yml": "max_pages: 7", "catalog.yaml": "max_pages: 5"})
    assert read_settings(folder, told).max_pages == 5
    assert [problem.message for problem in told.problems] == ["catalog.yml was not read, because both exist."]


def test_a_start_link_with_an_impossible_port_is_told_and_not_followed() -> None:
    found, problems = settings("programs: https://a.example:99999/p/\n")
    assert (found.programs, problems) == ((), ["1: 'programs': Port out of range 0-65535."])
