"""Stage `explanations`: what a model wrote to explain stored answers that have no explanation (Course Hero 2.4).

Not part of `coteach build`, and started by nobody but a person: it takes a model server and, on a CPU, seconds for each
pair. The module that asks the model is imported inside, for it loads the gateway's client libraries (1.5 s).
"""

from dataclasses import asdict
from typing import TYPE_CHECKING

import dagster as dg
from pydantic import Field

from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.schemas import EXPLANATIONS
from orchestration.partitions import HOME_POOL
from orchestration.reporting.tables import show_ids, table_result

if TYPE_CHECKING:
    from serving.assistant.generation.explanations import ExplanationReport


class Explaining(dg.Config):
    """What a person can choose for one run."""

    limit: int | None = Field(None, description="At most so many pairs; default all.")
    courses: list[str] = Field(default_factory=list, description="Only pairs of these courses; default all.")
    sources: list[str] = Field(default=["faq"], description="Only pairs of these sources.")


@dg.asset(
    deps=["qa_pairs"],
    group_name="qa_pairs",
    kinds={"vllm"},
    owners=["team:serving"],
    pool=HOME_POOL,
    code_version="3",
)
def explanations(
    context: dg.AssetExecutionContext, config: Explaining, data_dir: dg.ResourceParam[DataDir]
) -> dg.MaterializeResult:
    """Explanations by AI of QA pairs that have none; only missing and stale ones are made, those not taken are kept."""
    from serving.assistant.generation.explanations import ExplanationScope, explain_missing  # noqa: PLC0415

    scope = ExplanationScope(tuple(config.sources), tuple(config.courses), config.limit)
    report = explain_missing(data_dir, scope=scope, told=context.log.info)
    context.log.info(_summary(report))
    return table_result(data_dir.explanations, report.rows, EXPLANATIONS, metadata=asdict(report))


def _summary(report: "ExplanationReport") -> str:
    reasons = "; ".join(f"{count:,} × {reason}" for reason, count in sorted(report.reasons.items()))
    return (
        f"{report.made:,} made, {report.rejected:,} rejected, {report.reused:,} there already, {report.skipped:,} in a "
        f"language that is not the model's, {report.left:,} left, {report.seconds:.0f} s. Rejected: {reasons or 'none'}"
    )


@dg.asset_check(asset=explanations, blocking=True)
def explanations_contradict_no_answer(data_dir: dg.ResourceParam[DataDir]) -> dg.AssetCheckResult:
    """No explanation that can be shown speaks against the answer it stands under, by the rules of today."""
    from serving.assistant.generation.explanations import contradictions  # noqa: PLC0415

    found = contradictions(data_dir)
    return dg.AssetCheckResult(passed=not found, metadata={"contradictions": show_ids(found)})


@dg.asset_check(asset=explanations, blocking=True)
def stored_answers_are_unchanged(data_dir: dg.ResourceParam[DataDir]) -> dg.AssetCheckResult:
    """Every pair still has the question and the answer that its source gave it."""
    from serving.assistant.generation.explanations import find_edited_pairs  # noqa: PLC0415

    found = find_edited_pairs(data_dir)
    return dg.AssetCheckResult(passed=not found, metadata={"edited": show_ids(found)})
