"""Systems side by side, and what each part of the pipeline is worth: the same questions with it and without it.

Belongs here: the two tables. What the measures are is `system_measures`', what the systems are `systems`'.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from serving.evaluation.systems.answered_systems import AnsweredSystem, of_name
from serving.evaluation.systems.system_answers import SystemAnswer
from serving.evaluation.systems.system_measures import LATENCIES, MEASURES, Measure, latency, pair_answers
from serving.evaluation.systems.systems import DEFAULT, SYSTEMS
from serving.evaluation.tables import Cell, MeasuredNumber, NumberedNote, Table

NOT_RUN = "not run"

_COMPARED = tuple(MEASURES)
_SHOWN_DIFFERENCES = (
    "answered",
    "hit_at_1",
    "recall_at_5",
    "mrr",
    "rougel",
    "citation_precision",
    "statement_recall",
    "unsupported",
)


@dataclass(frozen=True)
class PipelineAblation:
    """One part of the pipeline: the system that has it, and the one that lacks it and is the same otherwise."""

    slug: str
    part: str
    having: str
    lacking: str


ABLATIONS = (
    PipelineAblation("model", "a model that writes", "chain_of_teach", DEFAULT),
    PipelineAblation("material", "material before a model (LittleMu 4.1)", "tutor_prompt", "model_alone"),
    PipelineAblation("chain_of_teach", "Chain of Teach (LittleMu 3.3)", "chain_of_teach", "plain_prompt"),
    PipelineAblation("safeguards", "safeguards (Course Hero 2.1)", "chain_of_teach", "without_safeguards"),
    PipelineAblation("tutor_prompt", "the tutor's prompt (Course Hero 2.1)", "tutor_prompt", "plain_prompt"),
    PipelineAblation(
        "reflection", "reflection with new attempts (Maastricht 3.4)", "chain_of_teach", "without_reflection"
    ),
    PipelineAblation("rewording", "rewording and rank fusion (Maastricht 3.2)", "reworded", "chain_of_teach"),
    PipelineAblation("meaning", "meaning beside words: hybrid, not concept-aware", DEFAULT, "concept_aware"),
    PipelineAblation("fusion", "fusion of ranks, not of scores", "fused", DEFAULT),
    PipelineAblation("catalog_expert", "TF-IDF and titles, not hybrid (Tulane)", "catalog_expert", DEFAULT),
    PipelineAblation(
        "intent_context", "the intent model's context (LittleMu 3.2.1)", DEFAULT, "without_intent_context"
    ),
)


def comparison_table(systems: Sequence[AnsweredSystem]) -> Table:
    """A row for each system over all that it was asked of the courses, and one over what every system was asked."""
    shared = _common_courses(systems)
    rows: list[tuple[Cell, ...]] = []
    for name in SYSTEMS:
        answered = [one for one in systems if one.name == name]
        rows += [row for one in answered for row in _rows_of(one, shared)]
        if not answered:
            rows.append((name, NOT_RUN, *[""] * (1 + len(_COMPARED) + len(LATENCIES))))
    return Table(
        name="system_comparison",
        title="Systems side by side",
        source="LittleMu 4.1 (own ablations), Course Hero 3.3, Maastricht 3",
        columns=("system", "of", "asked", *(MEASURES[name].title for name in _COMPARED), "p50 ms", "p95 ms"),
        rows=tuple(rows),
        notes=(_about(), _note_on_measures(), _citations_published()),
    )


def ablation_table(systems: Sequence[AnsweredSystem]) -> Table:
    """A row for each part of the pipeline: the measures with it less those without it, over the same questions."""
    rows = tuple(_difference(one, systems) for one in ABLATIONS)
    return Table(
        name="system_ablations",
        title="What each part is worth",
        source="Parts on and off: Course Hero 2.1, LittleMu 3, Maastricht 3",
        columns=("part", "with less without", "asked", *(MEASURES[name].title for name in _SHOWN_DIFFERENCES)),
        rows=rows,
        notes=_ablation_notes(),
    )


def _common_courses(systems: Sequence[AnsweredSystem]) -> frozenset[str]:
    """The courses' questions that every system that answered was asked; empty where all were asked the same."""
    asked = [frozenset(row.question_id for row in one.rows if row.section == "course") for one in systems]
    return frozenset.intersection(*asked) if len(set(asked)) > 1 else frozenset()


def _rows_of(system: AnsweredSystem, shared: frozenset[str]) -> list[tuple[Cell, ...]]:
    courses = [one for one in system.rows if one.section == "course"]
    public = [one for one in system.rows if one.section == "public"]
    both = [one for one in courses if one.question_id in shared]
    groups = [("all", "all of the courses", courses)] if len(both) < len(courses) else []
    groups += [("shared", "those asked of all", both), ("public", "the public set", public)]
    return [_row(system, key, label, rows) for key, label, rows in groups if rows]


def _row(system: AnsweredSystem, key: str, label: str, rows: Sequence[SystemAnswer]) -> tuple[Cell, ...]:
    prefix = f"{system.slug}/{key}"
    measured = [_number(f"{prefix}/{name}", MEASURES[name], rows) for name in _COMPARED]
    timed = [MeasuredNumber(f"{prefix}/{name}", latency(rows, part), digits=0) for name, part in LATENCIES.items()]
    return (system.label, label, MeasuredNumber(f"{prefix}/asked", len(rows), style="count"), *measured, *timed)


def _number(metric: str, measure: Measure, rows: Sequence[SystemAnswer]) -> MeasuredNumber:
    """Without its interval: differences have theirs, and a table of this width has no room."""
    return MeasuredNumber(metric, measure.of(rows).value, style=measure.style, digits=1)


def _difference(ablation: PipelineAblation, systems: Sequence[AnsweredSystem]) -> tuple[Cell, ...]:
    having = of_name(systems, ablation.having)
    lacking = of_name(systems, ablation.lacking, having.model if having else None)
    names = f"{ablation.having} − {ablation.lacking}"
    if having is None or lacking is None:
        return (ablation.part, names, NOT_RUN, *[""] * len(_SHOWN_DIFFERENCES))
    first, second = (
        [one for one in each.rows if one.section == "course" and one.was_asked] for each in (having, lacking)
    )
    asked = MeasuredNumber(f"{ablation.slug}/asked", len(pair_answers(first, second)), style="count")
    found = [
        MeasuredNumber.of(f"{ablation.slug}/{name}", MEASURES[name].between(first, second))
        for name in _SHOWN_DIFFERENCES
    ]
    return (ablation.part, names, asked, *found)


def _about() -> NumberedNote:
    listed = "; ".join(f"{one.name}: {one.about}" for one in SYSTEMS.values())
    return NumberedNote(f"The systems. {listed}.")


def _note_on_measures() -> NumberedNote:
    return NumberedNote(
        "Systems with a model are asked a fixed sample in the languages that it speaks, for an answer takes it "
        "seconds; their times are of several questions at once, those of the others of one at a time. hit@1, recall@5 "
        "and MRR look at the answer given and the candidates as ranked, as many as the assistant keeps. Gold "
        "references are the references shown that the gold set names; a lecture that says the same counts as wrong "
        "there, so it is a lower bound. Whether a sentence is supported is measured by the checker that also looks at "
        "drafts: by words, an automatic proxy, not people's judgement. Unsupported answers are counted where there is "
        "a model; what is stored or assembled in its place counts as supported. Systems without a model cite what they "
        "quote: their citation precision tells of assembly, not of writing. Statement recall counts against an "
        "answer what the program adds from the graph without a mark, such as the domain of a concept."
    )


def _citations_published() -> NumberedNote:
    return NumberedNote(
        "Course Hero (3.3) quotes, for generative search engines as people judged them, 74.5% citation precision and "
        "51.5% statement recall."
    )


def _ablation_notes() -> tuple[NumberedNote, ...]:
    return (
        NumberedNote(
            "Percentage points, with the 95% interval of the paired bootstrap over questions; where it holds 0, the "
            "questions show no difference. Course Hero prints one figure of this kind: its safeguards cut "
            "hallucinations by 10%."
        ),
        NumberedNote(
            "An unsupported answer is one that the checker does not find in its evidence: an automatic proxy of "
            "hallucination. The same checker is one of the safeguards and of reflection, so by this measure they look "
            "better than people would find them. The questions stand alone, with no turn before them: of the intent "
            "model's context only the course is missing. Questions with options are not among them, so votes by form "
            "(Course Hero 2.3) have no offline side here."
        ),
    )
