"""A stored answer given as it stands, labelled with where it comes from. No model is called."""

from knowledge_graph.lake.records import Lang
from serving.assistant.generation.explaining import AI_MADE
from serving.assistant.generation.phrases import phrases
from serving.index.evidence import Evidence, source_of
from serving.index.schema import Entry


def direct_text(entry: Entry) -> str:
    """The stored answer, followed by its explanation when there is one; a model's is headed as such."""
    return "\n\n".join(part for part in (entry.text, _explanation(entry)) if part)


def _explanation(entry: Entry) -> str | None:
    if not entry.explanation or entry.explanation_kind != AI_MADE:
        return entry.explanation
    return f"{phrases('zh' if entry.lang == 'zh' else 'en').explained_by_ai}\n{entry.explanation}"


def provenance(entry: Entry, lang: Lang) -> str:
    """One sentence for the student that says what kind of source this is and who reviewed it."""
    said = phrases(lang)
    if entry.source == "faq" and entry.reviewer:
        return said.reviewed_by.format(reviewer=entry.reviewer)
    return said.from_source.get(source_of(entry), said.from_source["document"])


def provenance_of(evidence: Evidence, lang: Lang) -> str:
    """The same for what was found already."""
    said = phrases(lang)
    if evidence.source == "faq" and evidence.reviewer:
        return said.reviewed_by.format(reviewer=evidence.reviewer)
    return said.from_source.get(evidence.source, said.from_source["document"])
