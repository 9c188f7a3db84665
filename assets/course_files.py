"""What comes from outside: files, services, the store and the answering code, as external assets with versions."""

import dagster as dg

from orchestration.courses import (
    ANSWERING,
    EMBEDDER_SOURCE,
    EVALUATION_FILES,
    INPUT_KINDS,
    LABEL_FILES,
    SEARCH_SERVICES,
    files_key,
)
from orchestration.decisions import GRAPH_EDITS, REVIEWED_ANSWERS, TURNS
from orchestration.partitions import courses

_DESCRIPTIONS = {
    "card": "`course.yaml`: title, language, subject, domains, policy.",
    "subtitles": "Lecture subtitles as teachers have them.",
    "faq": "Questions with the answers people stand behind.",
    "search_snippets": "Recorded search replies.",
    "scholar_records": "Recorded replies of an academic search.",
    "catalog_pages": "Start links and saved pages of a university's catalogue.",
    "documents": "Regulations, syllabuses and other documents.",
    "statements": "What people say of the graph: `seeds.txt`, `graph.yaml`, a dataset's concepts and prerequisites.",
    "gold": "`gold/`: what people labelled to measure by; only the cut of references is learnt from it.",
}

course_files = [
    dg.AssetSpec(
        files_key(kind),
        description=_DESCRIPTIONS[kind],
        partitions_def=courses,
        group_name="inputs",
        kinds={"file"},
        owners=["team:teaching"],
    )
    for kind in INPUT_KINDS
]

shared_inputs = [
    dg.AssetSpec(key, description=description, group_name="inputs", kinds={kind}, owners=[owner])
    for key, kind, owner, description in (
        (LABEL_FILES, "csv", "team:teaching", "`intents/*.csv`: questions with the category a person gave them."),
        (
            *(EVALUATION_FILES, "file", "team:ml"),
            "Questions, answers, ratings and releases that the settings name for the evaluation; none unless set.",
        ),
        (
            *(ANSWERING, "python", "team:ml"),
            "The code and the settings that answer students. Systems are asked again when it changes.",
        ),
        (
            *(SEARCH_SERVICES, "api", "team:teaching"),
            "The search engine and the academic search that are asked; none unless set.",
        ),
        (
            *(EMBEDDER_SOURCE, "huggingface", "team:ml"),
            "The model that embeds texts, from a folder, a hub or behind a server, and how many it may embed.",
        ),
    )
]

store_parts = [
    dg.AssetSpec(
        key,
        description=description,
        partitions_def=partitions,
        group_name="inputs",
        kinds={"sqlalchemy"},
        owners=["team:teaching"],
    )
    for key, description, partitions in (
        (REVIEWED_ANSWERS, "Answers that TAs approved in the console, in the gateway's store.", courses),
        (GRAPH_EDITS, "Corrections of the graph that teachers made in the console.", courses),
        (TURNS, "What students asked and how it was answered. Read by schedules, not whenever it changes.", None),
    )
]
