"""How scholars, papers and trends are put into words, in both languages: the one place for it."""

from dataclasses import dataclass

from knowledge_graph.lake.records import Lang

_NAMED_AUTHORS = 6
"""Authors named of a paper; the others are counted."""


@dataclass(frozen=True)
class Scholar:
    """Whole numbers are the service's own counts; `None` where it has none."""

    name: str
    institution: str
    works: int | None
    citations: int | None
    topics: tuple[str, ...]


@dataclass(frozen=True)
class Paper:
    authors: tuple[str, ...]
    year: int | None
    venue: str
    abstract: str
    doi: str


@dataclass(frozen=True)
class Trend:
    """`years` has (year, works), the earliest first; the last may be `unfinished`, the year of the count."""

    topic: str
    about: str
    years: tuple[tuple[int, int], ...]
    unfinished: int


def who_question(name: str, lang: Lang) -> str:
    return f"{name}是谁？" if lang == "zh" else f"Who is {name}?"


def trend_question(topic: str, lang: Lang) -> str:
    return f"研究趋势：{topic}" if lang == "zh" else f"Research trend: {topic}"


def scholar_answer(scholar: Scholar, lang: Lang) -> str:
    """Empty when nothing is known but the name."""
    works, citations = scholar.works, scholar.citations
    if lang == "zh":
        return _sentences_zh(
            f"{scholar.name}，所属机构：{scholar.institution}" if scholar.institution else "",
            f"OpenAlex 收录成果 {works:,} 项" if works else "",
            f"被引 {citations:,} 次" if citations else "",
            f"主要研究主题：{'；'.join(scholar.topics)}" if scholar.topics else "",
        )
    return _sentences(
        f"{scholar.name} is a researcher at {scholar.institution}" if scholar.institution else "",
        f"Works counted by OpenAlex: {works:,}" if works else "",
        f"Cited {citations:,} times" if citations else "",
        f"Main topics: {'; '.join(scholar.topics)}" if scholar.topics else "",
    )


def paper_answer(paper: Paper, lang: Lang) -> str:
    """Empty when neither authors nor an abstract are known: a title alone answers nothing."""
    if not paper.authors and not paper.abstract:
        return ""
    doi = f"DOI: {paper.doi}" if paper.doi else ""
    names, others = paper.authors[:_NAMED_AUTHORS], max(0, len(paper.authors) - _NAMED_AUTHORS)
    if lang == "zh":
        by = f"作者：{'、'.join(names)}{f'等 {len(paper.authors)} 人' if others else ''}" if names else ""
        year = f"年份：{paper.year}" if paper.year else ""
        venue = f"发表于：{paper.venue}" if paper.venue else ""
        facts = "；".join(filter(None, (by, year, venue)))
        return _sentences_zh(facts, f"摘要：{paper.abstract}" if paper.abstract else "") + doi
    by = f"By {', '.join(names)}{f' and {others} others' if others else ''}" if names else "A work"
    published = f"{f', {paper.year}' if paper.year else ''}{f', in {paper.venue}' if paper.venue else ''}"
    said = _sentences(f"{by}{published}", f"Abstract: {paper.abstract}" if paper.abstract else "")
    return f"{said} {doi}".rstrip()


def trend_answer(trend: Trend, lang: Lang) -> str:
    """Counts of works a year, as the service gives them; empty without any."""
    if not trend.years:
        return ""
    if lang == "zh":
        years = "，".join(f"{year} 年 {works:,} 项" for year, works in trend.years)
        partial = f"{trend.unfinished} 年尚未结束" if trend.years[-1][0] == trend.unfinished else ""
        return _sentences_zh(f"OpenAlex 收录的“{trend.topic}”每年成果数：{years}", partial, trend.about)
    years = ", ".join(f"{year}: {works:,}" for year, works in trend.years)
    partial = f"{trend.unfinished} is not over yet" if trend.years[-1][0] == trend.unfinished else ""
    return _sentences(f"Works on {trend.topic} by year, as OpenAlex counts them: {years}", partial, trend.about)


def _sentences(*parts: str) -> str:
    return " ".join(part if part.endswith((".", "!", "?")) else f"{part}." for part in parts if part)


def _sentences_zh(*parts: str) -> str:
    return "".join(part if part.endswith(("。", "！", "？", ".", "!", "?")) else f"{part}。" for part in parts if part)
