"""Stage `intent`: labelled questions, split so that nothing leaks, and those that rules label where people did not."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict

import dagster as dg

from knowledge_graph.graph.concept_graph import ConceptGraph
from knowledge_graph.labelling.analysis import as_markdown
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.schemas import INTENT_EXAMPLES, INTENT_LABEL_HISTORY
from knowledge_graph.lake.tables import read_rows, write_table
from knowledge_graph.sources.bounded_report import BoundedTold
from models.intent.labels.conflicts import Conflict, conflicts, describe_conflict, tell_conflicts
from models.intent.labels.examples import IntentExample, make_labelled_examples, split, without_leaks
from models.intent.labels.files import LabelFile, LabelFiles, LabelRow, read_label_files
from models.intent.labels.history import LabelRecord, grown
from models.intent.labels.languages import tell_languages
from models.intent.labels.question_text import question_key
from models.intent.labels.weak_examples import WeakExamples, weak_examples
from orchestration.building.courses import LABEL_FILES
from orchestration.partitions import HOME_POOL
from orchestration.reporting.tables import Fact, clean_input_spec, write_and_report
from orchestration.resources import Inputs

SPLIT_SEED = 7
_SHOWN = 100
"""Conflicts that Dagster's pages show."""


@dg.asset(
    deps=[LABEL_FILES],
    check_specs=[clean_input_spec("intent_examples")],
    group_name="intent",
    kinds={"csv", "parquet"},
    owners=["team:ml"],
    pool=HOME_POOL,
    code_version="5",
)
def intent_examples(data_dir: dg.ResourceParam[DataDir], inputs: dg.ResourceParam[Inputs]) -> dg.MaterializeResult:
    """Questions with the category a person gave them (LittleMu, Table 1), each session dealt by a hash of its own.

    Where people gave none, and for the courses' FAQs, rules give one: `label_kind` is "weak", in train alone. FAQ and
    graph are read as they are now and not followed: a new course must not retrain anything (LittleMu, section 1).
    """
    told = BoundedTold()
    found = read_label_files(inputs.labels, told)
    differing = conflicts(found.rows)
    tell_conflicts(differing, told)
    tell_languages(found.rows, told)
    human = split(make_labelled_examples(found.rows), seed=SPLIT_SEED)
    weak = _weak(without_leaks(human), found, data_dir)
    history = _write_history(data_dir, found)
    return write_and_report(
        data_dir.intent_examples,
        [vars(example) for example in (*human, *weak.examples)],
        INTENT_EXAMPLES,
        metadata={
            "split_seed": SPLIT_SEED,
            "set_aside": len(human) - len(without_leaks(human)),
            **_counts(human, weak.examples),
            **_weak_facts(weak),
            "label_files": _file_table(found.files),
            "conflicts": len(differing),
            "conflict_list": _conflict_list(differing),
            "labels_superseded": sum(record.superseded_by is not None for record in history),
        },
        also=[data_dir.intent_label_history],
        problems=told.problems,
    )


def read_examples(data_dir: DataDir, *, weak: bool = False) -> list[IntentExample]:
    """The examples that `intent_examples` wrote and that leak nothing; those labelled by rules only when `weak` is set.

    Rows are set aside whose text is held out elsewhere (`without_leaks`): they keep their split in the table.
    """
    examples = without_leaks([IntentExample(**row) for row in read_rows(data_dir.intent_examples)])
    return [example for example in examples if weak or example.label_kind == "human"]


def faq_questions(data_dir: DataDir) -> list[LabelRow]:
    """The questions of every course's FAQ, as rows that nobody labelled."""
    rows = []
    for path in data_dir.tables("faq"):
        card = data_dir.table("course_cards", path.stem)
        title = read_rows(card)[0]["title"] if card.is_file() else ""
        for entry in read_rows(path):
            place = f"faq:{entry['course_id']}/{entry['origin_id']}"
            lang, file, line = entry["lang"], entry["file"], entry["row"]
            rows.append(LabelRow(place, entry["question"], "", title, "", None, lang, file, line))
    return rows


def _weak(human: Sequence[IntentExample], found: LabelFiles, data_dir: DataDir) -> WeakExamples:
    faq = faq_questions(data_dir)
    graph = ConceptGraph.load(data_dir) if data_dir.graph_concepts.is_file() else ConceptGraph.from_rows()
    return weak_examples(
        human,
        [*(row for row in found.rows if row.category is None), *faq],
        faq=[row.question for row in faq],
        names_concept=lambda text: bool(graph.mentions(text)),
        seed=SPLIT_SEED,
    )


def _write_history(data_dir: DataDir, found: LabelFiles) -> tuple[LabelRecord, ...]:
    path = data_dir.intent_label_history
    before = [LabelRecord(**row) for row in read_rows(path)] if path.is_file() else []
    history = grown(before, found)
    write_table(path, [vars(record) for record in history], INTENT_LABEL_HISTORY)
    return history


def _counts(human: Iterable[IntentExample], weak: Iterable[IntentExample]) -> dict[str, Fact]:
    by_people = Counter(f"category_{example.category}" for example in human)
    by_rules = Counter(f"weak_{example.category}" for example in weak)
    return {**dict(sorted(by_people.items())), **dict(sorted(by_rules.items()))}


def _weak_facts(weak: WeakExamples) -> dict[str, Fact]:
    figures = {f"weak_on_validation_{name}": value for name, value in asdict(weak.agreement).items()}
    tables = [f"**{name}**\n\n{as_markdown(reports)}" for name, reports in weak.reports.items()]
    return {
        "weak_examples": len(weak.examples),
        "weak_without_label": weak.questions - len(weak.examples),
        "weak_left_out": weak.left_out,
        **{name: value for name, value in figures.items() if value is not None},
        "weak_functions": dg.MetadataValue.md("\n\n".join(tables)),
    }


def _file_table(files: Sequence[LabelFile]) -> dg.MarkdownMetadataValue:
    lines = ["| file | version | encoding | columns |", "|---|---|---|---|"]
    for file in files:
        columns = ", ".join(f"{ours} ← {theirs}" for ours, theirs in file.columns.items()).replace("|", "\\|")
        lines.append(f"| {file.name} | {file.version} | {file.encoding} | {columns} |")
    return dg.MetadataValue.md("\n".join(lines))


def _conflict_list(found: Sequence[Conflict]) -> dg.MarkdownMetadataValue:
    return dg.MetadataValue.md("\n".join(f"- {describe_conflict(one)}" for one in found[:_SHOWN]) or "None.")


@dg.asset_check(asset=intent_examples, blocking=True)
def splits_do_not_leak(data_dir: dg.ResourceParam[DataDir]) -> dg.AssetCheckResult:
    """No session and no question text stands in two splits, and nothing is held out that a rule labelled."""
    homes: dict[str, set[str]] = {}
    examples = read_examples(data_dir, weak=True)
    for example in examples:
        groups = [f"question {question_key(example.question)}"]
        if example.session_id:
            groups.append(f"session {example.session_id}")
        for group in groups:
            homes.setdefault(group, set()).add(example.split)
    leaks = sorted(group for group, splits in homes.items() if len(splits) > 1)
    weak = sum(example.label_kind == "weak" and example.split != "train" for example in examples)
    return dg.AssetCheckResult(
        passed=not leaks and not weak, metadata={"leaks": leaks[:20], "groups": len(homes), "weak_held_out": weak}
    )
