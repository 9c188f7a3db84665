"""`coteach lti`: an LMS registered, connected, removed, without a gateway."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from orchestration.cli.main import app
from serving.store.platforms import CourseTaken, PlatformUnknown, PlatformUnusable

MOODLE = (
    *("--issuer", "https://moodle.example.edu", "--client-id", "AbC123"),
    *("--auth-url", "https://moodle.example.edu/mod/lti/auth.php"),
    *("--jwks-url", "https://moodle.example.edu/mod/lti/certs.php"),
)


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("COTEACH_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("COTEACH_PUBLIC_URL", "https://ta.example.edu/")
    monkeypatch.setenv("COLUMNS", "220")

    def command(*arguments: str) -> str:
        result = CliRunner().invoke(app, [*arguments, "--home", str(tmp_path / "home")], catch_exceptions=False)
        assert result.exit_code == 0, result.output
        return result.output

    return command


def added(run: Any, *more: str) -> str:
    platform: str = json.loads(run("lti", "add", *MOODLE, "--course", "ds", *more, "--json"))["platform_id"]
    return platform


def test_an_lms_is_registered_connected_listed_and_removed_and_the_audit_has_all_of_it(run: Any) -> None:
    platform = added(run, "--name", "Moodle", "--frame", "https://other.example.edu")
    run("lti", "allow", platform, "--deployment", "1")
    run("lti", "connect", platform, "--deployment", "1", "--context", "42", "--course", "ds")
    (told,) = json.loads(run("lti", "list", "--json"))["platforms"]
    assert (told["deployments"], told["courses"], told["highest_role"]) == (["1"], ["ds"], "teacher")
    assert told["origins"] == ["https://moodle.example.edu", "https://other.example.edu"]
    assert [(one["context_id"], one["course_id"]) for one in told["connected"]] == [("42", "ds")]
    assert "42 = ds" in run("lti", "list")
    run("lti", "disconnect", platform, "--context", "42")
    run("lti", "remove", platform)
    assert json.loads(run("lti", "list", "--json"))["platforms"] == []
    acts = [row["act"] for row in json.loads(run("audit", "--json"))]
    assert sorted(acts) == [
        "lti.context.connect",
        "lti.context.disconnect",
        "lti.platform.add",
        "lti.platform.change",
        "lti.platform.remove",
    ]


def test_what_an_lms_may_open_must_be_said_once(run: Any) -> None:
    with pytest.raises(PlatformUnusable, match="--all-courses"):
        run("lti", "add", *MOODLE)
    with pytest.raises(PlatformUnusable, match="not both"):
        run("lti", "add", *MOODLE, "--course", "ds", "--all-courses")
    with pytest.raises(PlatformUnusable, match="found 'admin'"):
        added(run, "--highest-role", "admin")
    with pytest.raises(PlatformUnusable, match="student, ta, teacher, admin"):
        added(run, "--highest-role", "dean")


def test_an_unknown_lms_and_a_course_that_it_may_not_open_are_refused(run: Any) -> None:
    platform = added(run, "--deployment", "1")
    with pytest.raises(PlatformUnknown, match="lti list"):
        run("lti", "remove", "nope")
    with pytest.raises(CourseTaken, match="'ml' is not among them"):
        run("lti", "connect", platform, "--deployment", "1", "--context", "42", "--course", "ml")


def test_a_registration_link_is_below_our_own_address_and_its_token_in_no_audit(run: Any) -> None:
    link = run("lti", "invite", "--course", "ds", "--hours", "2").splitlines()[0]
    token = link.removeprefix("https://ta.example.edu/lti/register/")
    assert len(token) == 43
    assert token not in run("audit", "--json")


def test_the_addresses_to_type_into_an_lms_are_told_and_need_https(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    told = json.loads(run("lti", "addresses", "--json"))
    assert told == {name: f"https://ta.example.edu/lti/{path}" for name, path in PATHS.items()}
    monkeypatch.setenv("COTEACH_PUBLIC_URL", "http://ta.example.edu")
    with pytest.raises(PlatformUnusable, match="COTEACH_PUBLIC_URL"):
        run("lti", "addresses")


PATHS = {"login": "login", "launch": "launch", "keys": "jwks"}


def test_rotating_keys_tells_an_id_and_nothing_of_the_key(run: Any) -> None:
    first, second = (run("lti", "rotate-keys") for _ in range(2))
    told = json.loads(run("lti", "list", "--json"))["keys"]
    assert [f"Made {one['kid']}.\n" for one in told] == [first, second]
    assert [set(one) for one in told] == [{"kid", "signs_from", "published_until"}] * 2
    run("lti", "rotate-keys", "--lost")
    assert len(json.loads(run("audit", "--json"))) == 3
