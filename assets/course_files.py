"""What comes from outside: the files of each course and the label files, as external assets with observed versions."""

import dagster as dg

from orchestration.courses import EMBEDDER_SOURCE, INPUT_KINDS, LABEL_FILES, SEARCH_SERVICES, files_key
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
    "gold": "`gold/`: what people labelled to measure the graph by; nothing is learnt from it.",
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

label_files = dg.AssetSpec(
    LABEL_FILES,
    description="`intents/*.csv`: questions with the category a person gave them.",
    group_name="inputs",
    kinds={"csv"},
    owners=["team:teaching"],
)

search_services = dg.AssetSpec(
    SEARCH_SERVICES,
    description="The search engine and the academic search that are asked; none unless set.",
    group_name="inputs",
    kinds={"api"},
    owners=["team:teaching"],
)

embedder_source = dg.AssetSpec(
    EMBEDDER_SOURCE,
    description="The model that embeds texts, from a folder, a hub or behind a server, and how many it may embed.",
    group_name="inputs",
    kinds={"huggingface"},
    owners=["team:ml"],
)
