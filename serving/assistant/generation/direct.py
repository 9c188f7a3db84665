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
    return _origin(source_of(entry), entry.reviewer, lang, is_platform=entry.is_platform)


def provenance_of(evidence: Evidence, lang: Lang) -> str:
    """The same for what was found already."""
    return _origin(evidence.source, evidence.reviewer, lang, is_platform=evidence.is_platform)


def _origin(source: str, reviewer: str | None, lang: Lang, *, is_platform: bool) -> str:
    said = phrases(lang)
    if source == "faq" and reviewer:
        return (said.reviewed_by_platform if is_platform else said.reviewed_by).format(reviewer=reviewer)
    return said.from_source.get("platform" if is_platform else source, said.from_source["document"])
