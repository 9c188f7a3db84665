"""What a run of the tests makes once."""

from multiprocessing import get_context
from pathlib import Path

import pytest
from prepared import prepare


class Factory:
    """As much of pytest's as is asked."""

    def __init__(self, base: Path) -> None:
        self._base = base

    def getbasetemp(self) -> Path:
        return self._base


def make(folder: Path) -> dict[str, int]:
    with (folder.parents[2] / "makings").open("a") as makings:
        makings.write("made\n")
    (folder / "home").mkdir()
    (folder / "home" / "rows").write_text("7")
    return {"rows": 7}


def ask(base: Path) -> None:
    assert prepare(Factory(base), "home", make).said == {"rows": 7}  # type: ignore[arg-type]


def test_processes_that_ask_at_once_make_it_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTEST_XDIST_WORKER", "gw0")
    context = get_context("fork")
    asking = [context.Process(target=ask, args=(tmp_path / f"popen-gw{number}",)) for number in range(3)]
    for one in asking:
        one.start()
    for one in asking:
        one.join()
    assert [one.exitcode for one in asking] == [0, 0, 0]
    assert (tmp_path / "makings").read_text() == "made\n"


def test_a_story_changes_its_copy_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYTEST_XDIST_WORKER", raising=False)
    found = prepare(Factory(tmp_path), "home", make)  # type: ignore[arg-type]
    (found.copy(tmp_path / "story") / "home" / "rows").write_text("8")
    assert (found.copy(tmp_path / "another") / "home" / "rows").read_text() == "7"


def test_what_could_not_be_made_is_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYTEST_XDIST_WORKER", raising=False)

    def fail(folder: Path) -> None:
        (folder / "half").touch()
        raise RuntimeError("no room")

    with pytest.raises(RuntimeError, match="no room"):
        prepare(Factory(tmp_path), "home", fail)  # type: ignore[arg-type]
    found = prepare(Factory(tmp_path), "home", make)  # type: ignore[arg-type]
    assert [path.name for path in found.folder.iterdir()] == ["home"]
