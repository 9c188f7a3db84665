"""`coteach keys`: make, list and revoke keys without a gateway."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from orchestration.cli.main import app
from serving.store.keys import KeyUnknown, KeyUnusable, read_key


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("COTEACH_HOME", str(tmp_path / "home"))  # so that what the command sets goes with the test
    monkeypatch.setenv("COLUMNS", "160")

    def command(*arguments: str) -> str:
        result = CliRunner().invoke(app, ["keys", *arguments, "--home", str(tmp_path / "home")], catch_exceptions=False)
        assert result.exit_code == 0, result.output
        return result.output

    return command


def test_a_key_is_made_listed_and_revoked(run: Any) -> None:
    made = json.loads(
        run(
            "create",
            "--role",
            "ta",
            "--name",
            "王芳",
            "--course",
            "ds",
            "--course",
            "ml",
            "--per-minute",
            "5",
            "--json",
        )
    )
    shown = read_key(made["key"])
    assert shown is not None
    assert (made["role"], made["key_id"]) == ("ta", shown.key_id)
    (listed,) = json.loads(run("list", "--json"))
    assert (listed["name"], listed["courses"], listed["requests_per_minute"]) == ("王芳", ["ds", "ml"], 5)
    assert (listed["revoked_at"], shown.secret in run("list")) == (None, False)
    run("revoke", shown.key_id)
    (listed,) = json.loads(run("list", "--json"))
    assert listed["revoked_at"] is not None


def test_the_key_alone_is_on_the_first_line_to_be_copied(run: Any) -> None:
    assert read_key(run("create").splitlines()[0]) is not None


def test_a_ta_without_a_name_an_unknown_role_and_an_unknown_key_are_refused(run: Any) -> None:
    with pytest.raises(KeyUnusable, match="--name"):
        run("create", "--role", "ta")
    with pytest.raises(KeyUnusable, match="student, ta, teacher, admin"):
        run("create", "--role", "dean")
    with pytest.raises(KeyUnknown, match="keys list"):
        run("revoke", "nope")
