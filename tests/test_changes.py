"""How two versions of a table differ."""

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowledge_graph.lake.changes import Changes, changes_between

SCHEMA = pa.schema([("id", pa.string()), ("text", pa.string()), ("names", pa.list_(pa.string()))])


def table(path: Path, rows: list[dict[str, Any]], schema: pa.Schema = SCHEMA) -> Path:
    path = path.with_suffix(".parquet")
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.Table.from_pylist(rows, schema=schema), path)
    return path


def row(key: str, text: str | None = "text", names: list[str] | None = None) -> dict[str, Any]:
    return {"id": key, "text": text, "names": names}


def test_added_changed_and_removed_rows_are_counted_apart(tmp_path: Path) -> None:
    before = table(tmp_path / "before", [row("same"), row("changed"), row("removed"), row("gone")])
    after = table(tmp_path / "after", [row("new"), row("changed", "other"), row("same")])
    assert changes_between(before, after, key="id") == Changes(added=1, changed=1, removed=2)


def test_everything_is_new_when_there_was_nothing_before(tmp_path: Path) -> None:
    after = table(tmp_path / "after", [row("a"), row("b")])
    assert changes_between(None, after, key="id") == Changes(added=2)


def test_the_order_of_rows_is_no_change(tmp_path: Path) -> None:
    rows = [row(str(number)) for number in range(50)]
    before, after = table(tmp_path / "before", rows), table(tmp_path / "after", rows[::-1])
    assert changes_between(before, after, key="id") == Changes()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (row("a", None), row("a", "")),
        (row("a", "x"), row("a", None)),
        (row("a", names=["x", "y"]), row("a", names=["y", "x"])),
    ],
    ids=["nothing is not empty", "a text that went", "another order"],
)
def test_a_small_difference_is_a_change(tmp_path: Path, old: dict[str, Any], new: dict[str, Any]) -> None:
    before, after = table(tmp_path / "before", [old]), table(tmp_path / "after", [new])
    assert changes_between(before, after, key="id") == Changes(changed=1)


def test_rows_of_other_columns_count_as_changed(tmp_path: Path) -> None:
    before = table(tmp_path / "before", [{"id": "a"}], pa.schema(list(SCHEMA)[:1]))
    after = table(tmp_path / "after", [row("a", None), row("b")])
    assert changes_between(before, after, key="id") == Changes(added=1, changed=1)


def test_a_path_with_a_quote_is_read(tmp_path: Path) -> None:
    before = table(tmp_path / "it's" / "before", [row("a")])
    after = table(tmp_path / "it's" / "after", [])
    assert changes_between(before, after, key="id") == Changes(removed=1)


tables = st.dictionaries(st.text("abc", min_size=1, max_size=2), st.one_of(st.none(), st.text(max_size=3)), max_size=8)


@settings(max_examples=30)
@given(tables, tables)
def test_the_counts_are_those_of_two_dictionaries(
    tmp_path_factory: pytest.TempPathFactory, old: dict[str, str | None], new: dict[str, str | None]
) -> None:
    folder = tmp_path_factory.mktemp("changes")
    before = table(folder / "before", [row(*each) for each in old.items()])
    after = table(folder / "after", [row(*each) for each in new.items()])
    changed = sum(old[key] != new[key] for key in old.keys() & new.keys())
    expected = Changes(len(new.keys() - old.keys()), changed, len(old.keys() - new.keys()))
    assert changes_between(before, after, key="id") == expected
