"""What comes from outside: files, services, the store and the answering code, as external assets with versions."""

from collections.abc import Mapping

import dagster as dg

from knowledge_graph.lake.source_kinds import INPUT_FILES
from orchestration.building.courses import (
    ANSWERING,
    EMBEDDER_SOURCE,
    EVALUATION_FILES,
    INDEX_PLACE,
    INTENT_SETTINGS,
    LABEL_FILES,
    LANGUAGE,
    SEARCH_SERVICES,
    files_key,
)
from orchestration.building.decisions import GRAPH_EDITS, REVIEWED_ANSWERS, TURNS
from orchestration.partitions import courses

_DESCRIPTIONS: Mapping[str, str] = {
    **{kind: files.description for kind, files in INPUT_FILES.items()},
    LANGUAGE.path[-1]: "The language that a course's texts are in, as detected in a sample of them.",
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
    for kind in _DESCRIPTIONS
]

shared_inputs = [
    dg.AssetSpec(key, description=description, group_name="inputs", kinds={kind}, owners=[owner])
    for key, kind, owner, description in (
        (LABEL_FILES, "csv", "team:teaching", "`intents/*.csv`: questions with the category a person gave them."),
        (
            *(INTENT_SETTINGS, "yaml", "team:ml"),
            "`intent.yaml` beside the labels, and `COTEACH_ALBERT`: how the intent model is trained, and from what.",
        ),
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
        (
            *(INDEX_PLACE, "lancedb", "team:serving"),
            "The engine of the search index and where it keeps it; Tantivy in the home unless set.",
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
