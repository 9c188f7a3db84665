"""Great Expectations' data docs, made of what it said of each table when a build last looked at it.

So a row that was refused is shown, though nothing was published of it.
"""

import json
import re
import shutil
from collections.abc import Sequence
from datetime import UTC, datetime
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import quote

from knowledge_graph.lake.expectations import Validation
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.tables import write_text_atomic

_SITE = "coteach"
_FROM_ELSEWHERE = re.compile(
    r"""<link\b[^>]*href="https?:[^>]*>|<script\b[^>]*src="https?:[^>]*>\s*</script>|<img\b[^>]*src="https?:[^>]*>"""
)
"""What pages would load from a dozen other hosts: whoever looks at a refused row tells nobody, and needs no network."""
_STYLES = """
body { font-family: system-ui, sans-serif; margin: 1rem 2rem; }
table { border-collapse: collapse; margin: .3rem 0; }
td, th { border: 1px solid #ccc; padding: .2rem .6rem; text-align: left; vertical-align: top; }
.fa-check-circle::before { content: "✓"; color: #1a7f37; }
.fa-times::before { content: "✗"; color: #b42318; }
.fa-exclamation-triangle::before { content: "!"; color: #9a6700; }
footer { display: none; }
"""
_INDEX = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Data docs</title><style>{styles}</style></head><body>
<h1>Data docs</h1>
<p>What Great Expectations said of each table when a build last looked at it. Failed ones first.</p>
<table><tr><th>table</th><th>course</th><th>result</th><th>met</th><th>when</th></tr>
{rows}
</table></body></html>
"""


def keep_validation(path: Path, validation: Validation | None) -> datetime | None:
    """Keep a table's validation as JSON, with when it was made; what was kept of a table without rows now goes."""
    if validation is None:
        path.unlink(missing_ok=True)
        return None
    when = datetime.now(UTC)
    path.parent.mkdir(parents=True, exist_ok=True)
    kept = {"validated_at": when.isoformat(), "result": validation.document}
    write_text_atomic(path, json.dumps(kept, ensure_ascii=False, sort_keys=True) + "\n")
    return when


def page_of(path: Path, when: datetime) -> str:
    """The address, within the site, of the page of a validation kept at `path`."""
    table, course_id = path.parent.name, path.stem
    return quote(f"validations/{table}/{course_id}/{when:%Y%m%dT%H%M%S.%fZ}/{course_id}.html")


def build_data_docs(data_dir: DataDir) -> int:
    """Make the pages anew; return of how many validations. One suite for each table, one run for each course."""
    from knowledge_graph.lake.lean_expectations import gx  # noqa: PLC0415  1.6 s; first, isort: skip
    from great_expectations.data_context.types.base import ProgressBarsConfig  # noqa: PLC0415

    data_docs = data_dir.data_docs.absolute()
    shutil.rmtree(data_docs, ignore_errors=True)
    data_docs.mkdir(parents=True)
    context = gx.get_context(mode="ephemeral")
    context.variables.progress_bars = ProgressBarsConfig(globally=False)
    site: Any = {
        "class_name": "SiteBuilder",
        "site_index_builder": {"class_name": "DefaultSiteIndexBuilder"},
        "show_how_to_buttons": False,
        "store_backend": {"class_name": "TupleFilesystemStoreBackend", "base_directory": str(data_docs)},
    }
    context.add_data_docs_site(_SITE, site)
    kept = sorted(data_dir.validations.glob("*/*.json"))
    for path in kept:
        _add(context, path)
    context.build_data_docs(site_names=[_SITE])
    for page in data_docs.rglob("*.html"):
        alone = _FROM_ELSEWHERE.sub("", page.read_text(encoding="utf-8"))
        page.write_text(alone.replace("</head>", f"<style>{_STYLES}</style></head>", 1), encoding="utf-8")
    (data_docs / "index.html").write_text(_index(kept), encoding="utf-8")
    return len(kept)


def _index(kept: Sequence[Path]) -> str:
    """The first page. Great Expectations' own shows nothing without scripts from other hosts."""
    rows = []
    for path in kept:
        told = json.loads(path.read_text(encoding="utf-8"))
        result, when = told["result"], datetime.fromisoformat(told["validated_at"])
        suite = f"expectations/{quote(path.parent.name)}.html"
        cells = (
            f'<a href="{suite}">{escape(path.parent.name)}</a>',
            f'<a href="{page_of(path, when)}">{escape(path.stem)}</a>',
            "✓ met" if result["success"] else "✗ <b>failed</b>",
            f"{result['statistics']['successful_expectations']} of {len(result['results'])}",
            f"{when:%Y-%m-%d %H:%M} UTC",
        )
        rows.append((result["success"], "".join(f"<td>{cell}</td>" for cell in cells)))
    lines = [f"<tr>{row}</tr>" for _, row in sorted(rows, key=lambda row: row[0])]
    return _INDEX.format(styles=_STYLES, rows="\n".join(lines))


def _add(context: Any, path: Path) -> None:
    """Add a kept validation to the stores that the pages are made of."""
    from knowledge_graph.lake.lean_expectations import gx  # noqa: PLC0415  first, isort: skip
    from great_expectations.core import RunIdentifier  # noqa: PLC0415
    from great_expectations.core.expectation_validation_result import (  # noqa: PLC0415
        ExpectationSuiteValidationResultSchema,
    )
    from great_expectations.data_context.types.resource_identifiers import (  # noqa: PLC0415
        ExpectationSuiteIdentifier,
        ValidationResultIdentifier,
    )

    table, course_id = path.parent.name, path.stem
    told = json.loads(path.read_text(encoding="utf-8"))
    for each in told["result"]["results"]:
        if first := each["result"].get("partial_unexpected_index_list"):
            each["result"]["unexpected_index_list"] = first  # the page shows keys of these alone
    result = ExpectationSuiteValidationResultSchema().load(told["result"])
    run = RunIdentifier(run_name=course_id, run_time=datetime.fromisoformat(told["validated_at"]))
    result.meta |= {"batch_spec": {}, "run_id": run, "active_batch_definition": {"data_asset_name": table}}
    of_suite = [_without_batch(each["expectation_config"]) for each in told["result"]["results"]]
    context.suites.add_or_update(gx.ExpectationSuite(name=table, expectations=of_suite))
    name = ValidationResultIdentifier(
        expectation_suite_identifier=ExpectationSuiteIdentifier(table),
        run_id=run,
        batch_identifier=course_id,
    )
    context.validation_results_store.set(name, result)


def _without_batch(config: dict[str, Any]) -> dict[str, Any]:
    kwargs = {key: value for key, value in config["kwargs"].items() if key != "batch_id"}
    return {"type": config["type"], "kwargs": kwargs, "severity": config.get("severity", "critical")}
