"""Stage `intent`: labelled questions, split so that nothing leaks."""

from collections import Counter
from dataclasses import asdict

import dagster as dg

from knowledge_graph.home import DataDir
from knowledge_graph.lake import INTENT_EXAMPLES, read_rows
from models.intent.examples import IntentExample, question_key, read_intent_examples, split
from orchestration.automation import follow
from orchestration.courses import LABEL_FILES
from orchestration.reporting import clean_input_spec, write_and_report
from orchestration.resources import Inputs

SPLIT_SEED = 7


@dg.asset(
    deps=[LABEL_FILES],
    check_specs=[clean_input_spec("intent_examples")],
    group_name="intent",
    kinds={"csv", "parquet"},
    owners=["team:ml"],
    automation_condition=follow,
    code_version="1",
)
def intent_examples(data_dir: dg.ResourceParam[DataDir], inputs: dg.ResourceParam[Inputs]) -> dg.MaterializeResult:
    """Questions with the category a person gave them (LittleMu, Table 1), split by session and question text."""
    examples, problems = read_intent_examples(inputs.labels)
    rows = [asdict(example) for example in split(examples, seed=SPLIT_SEED)]
    counts = Counter(row["category"] for row in rows)
    return write_and_report(
        data_dir.intent_examples,
        rows,
        INTENT_EXAMPLES,
        metadata={"split_seed": SPLIT_SEED, **{f"category_{name}": count for name, count in sorted(counts.items())}},
        problems=problems,
    )


def read_examples(data_dir: DataDir) -> list[IntentExample]:
    """The examples as `intent_examples` wrote them."""
    return [IntentExample(**row) for row in read_rows(data_dir.intent_examples)]


@dg.asset_check(asset=intent_examples, blocking=True)
def splits_do_not_leak(data_dir: dg.ResourceParam[DataDir]) -> dg.AssetCheckResult:
    """No session and no question text stands in two splits."""
    homes: dict[str, set[str]] = {}
    for row in read_rows(data_dir.intent_examples):
        groups = [f"question {question_key(row['question'])}"]
        if row["session_id"]:
            groups.append(f"session {row['session_id']}")
        for group in groups:
            homes.setdefault(group, set()).add(row["split"])
    leaks = sorted(group for group, splits in homes.items() if len(splits) > 1)
    return dg.AssetCheckResult(passed=not leaks, metadata={"leaks": leaks[:20], "groups": len(homes)})
