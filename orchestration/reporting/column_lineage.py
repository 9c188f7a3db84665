"""Which columns a table's columns are made of, for Dagster's pages: of a dbt model as its compiled SQL says, of an
asset of code as the asset says.

dagster-dbt's own needs every source to be a table of the database; these are Parquet files of the lake.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import dagster as dg
from sqlglot import exp, parse_one


@dataclass(frozen=True)
class _Query:
    """A query beside one of the tables it reads."""

    inner: Mapping[str, Sequence[exp.Expr]]
    """What its CTEs and sub-queries call by another name."""
    tables: Sequence[exp.Table]
    """Where it reads the table, but for conditions."""
    known: frozenset[str]
    """The columns of the table."""

    def origins(self, one: exp.Expr, passed: frozenset[str] = frozenset()) -> set[str]:
        """The columns of the table that an expression is made of."""
        found = set[str]()
        for column in one.find_all(exp.Column):
            if column.name in self.known and not self._is_of_another(column):
                found.add(column.name)
            elif column.name not in passed:
                for each in self.inner.get(column.name, ()):
                    found |= self.origins(each, passed | {column.name})
        return found

    def _is_of_another(self, column: exp.Column) -> bool:
        """Whether a column is said to be of another table than this, where both are joined."""
        beside = [table for table in self.tables if table.find_ancestor(exp.Select) is column.find_ancestor(exp.Select)]
        return bool(column.table and beside) and column.table not in {table.alias_or_name for table in beside}


def columns_read(sql: str, table: str, known: Collection[str]) -> dict[str, set[str]]:
    """For each column of a query's result, by name, the columns of `table` it derives from, through CTEs and joins.

    `table` is a model's name, or `/name/` of a folder of files; `known` are its columns.
    """
    query = _parse(sql)
    inner: dict[str, list[exp.Expr]] = {}
    for select in query.find_all(exp.Select):
        for one in select.selects:
            if isinstance(one, exp.Alias):
                inner.setdefault(one.alias, []).append(one)
    tables = [
        each
        for each in query.find_all(exp.Table)
        if (each.name == table or (table.startswith("/") and table in each.sql())) and not each.find_ancestor(exp.Where)
    ]
    read = _Query(inner, tables, frozenset(known if tables else ()))
    return {one.alias_or_name: read.origins(one) for one in query.selects}


def lineage_of(
    model: str, manifest: Mapping[str, Any], compiled: Path, columns: Mapping[str, Collection[str]]
) -> dg.TableColumnLineage | None:
    """The lineage of a model, given the columns of the lake's tables; `None` when its SQL is not there.

    A parent that is a model has the columns that its own SQL gives.
    """
    by_name = {node["name"]: node for node in manifest["nodes"].values() if node["resource_type"] == "model"}
    sql = _sql(by_name[model], compiled)
    if sql is None:
        return None
    deps: dict[str, list[dg.TableColumnDep]] = {}
    for parent in by_name[model]["depends_on"]["nodes"]:
        key, table, known = _parent(parent, manifest, compiled, columns)
        for column, names in columns_read(sql, table, known).items():
            deps.setdefault(column, []).extend(dg.TableColumnDep(key, name) for name in sorted(names))
    return dg.TableColumnLineage({column: found for column, found in deps.items() if found})


def declare_lineage(made_of: Mapping[str, str]) -> dict[str, Any]:
    """What Dagster's pages show of an asset that says of which columns each of its own is made: `title` of
    `subtitles.video_title documents.heading`. A column that is not named is made in no way that is known."""
    found = dg.TableColumnLineage(
        {
            column: [
                dg.TableColumnDep(dg.AssetKey(asset), name) for asset, _, name in map(_split_origin, origins.split())
            ]
            for column, origins in made_of.items()
        }
    )
    return {"dagster/column_lineage": found, "columns_made_of": show_lineage(found)}


def _split_origin(origin: str) -> tuple[str, str, str]:
    return origin.partition(".")


def show_lineage(lineage: dg.TableColumnLineage) -> dg.MarkdownMetadataValue:
    """The same as people read it: Dagster's own pages show column lineage in its paid edition only."""
    rows = [
        f"| {column} | {', '.join(f'{dep.asset_key.to_user_string()}.{dep.column_name}' for dep in deps)} |"
        for column, deps in lineage.deps_by_column.items()
    ]
    return dg.MetadataValue.md("\n".join(["| column | made of |", "|---|---|", *rows]))


def _parent(
    unique_id: str, manifest: Mapping[str, Any], compiled: Path, columns: Mapping[str, Collection[str]]
) -> tuple[dg.AssetKey, str, Collection[str]]:
    """The asset of a parent, how its table is called in SQL, and its columns."""
    if unique_id in manifest["sources"]:
        source = manifest["sources"][unique_id]
        key = dg.AssetKey(source["config"]["meta"]["dagster"]["asset_key"])
        return key, f"/{source['name']}/", columns.get(source["name"], ())
    node = manifest["nodes"][unique_id]
    sql = _sql(node, compiled)
    return (
        dg.AssetKey(node["name"]),
        node["name"],
        [] if sql is None else _parse(sql).named_selects,
    )


def _parse(sql: str) -> exp.Query:
    return cast(exp.Query, parse_one(sql, dialect="duckdb"))


def _sql(node: Mapping[str, Any], compiled: Path) -> str | None:
    path = compiled / "compiled" / node["package_name"] / node["original_file_path"]
    return path.read_text(encoding="utf-8") if path.is_file() else None
