"""Writes explanations of stored QA pairs in batch: only missing and stale ones, several at a time, resumable.

Kept in `lake/explanations.parquet`, one row per pair, rejected ones too, so that nothing is tried twice until the pair,
a prompt or the model changes. The table of pairs is only read: no stored answer is ever edited. What is taken of a
reply is `explaining`'s.
"""

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import pyarrow.parquet as pq

from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.problems import CoteachError
from knowledge_graph.lake.schemas import EXPLANATIONS
from knowledge_graph.lake.tables import read_rows, write_table
from serving.assistant.generation.choosing import explain_options
from serving.assistant.generation.explaining import (
    AI_MADE,
    PROMPTS,
    Explained,
    StoredPair,
    join_explanations,
    leaves_out,
    pair_messages,
    read_pair,
    why_contradicted,
)
from serving.llm.concurrency import for_each
from serving.llm.language_model import LanguageModel, LlmError, LlmRejected, LlmUseless
from serving.llm.model_client import open_model
from serving.llm.per_language import settings_per_language
from serving.settings import Settings

AT_ONCE = 8
"""Pairs that are explained at the same time: vLLM on two cores writes 58 tokens/s for eight, 13 for one."""

FLUSH_EVERY = 20
"""Explanations after which the table is written: a kill costs no more of them, and those being written."""

MAX_TOKENS = 200
"""Longest explanation. A choice."""

Row = Mapping[str, Any]
_READ = ["qa_id", "source", "course_id", "lang", "question", "answer", "explanation", "content_hash"]


class NoModelServer(CoteachError):
    """There is no model server to write explanations, or it stopped."""


@dataclass(frozen=True)
class ExplanationScope:
    """Which pairs are explained: of these sources and courses (none named: all), at most `limit` in one go."""

    sources: tuple[str, ...] = ("faq",)
    courses: tuple[str, ...] = ()
    limit: int | None = None


@dataclass(frozen=True)
class Maker:
    """What makes the explanations: another one makes those of the last stale."""

    model: str
    languages: tuple[str, ...]
    prompt: str = PROMPTS


@dataclass(frozen=True)
class Planned:
    """What there is to do. `kept` are the rows that stay; `skipped` pairs are in a language that is not the model's."""

    todo: tuple[StoredPair, ...]
    kept: tuple[Row, ...]
    reused: int
    skipped: int
    left: int


@dataclass(frozen=True)
class ExplanationReport:
    """What one run did, in pairs. `missing` had none when it began; `left` still have not, for the limit's sake."""

    rows: int
    """Rows of the whole table."""
    missing: int
    made: int
    rejected: int
    reused: int
    skipped: int
    left: int
    model: str
    seconds: float
    reasons: Mapping[str, int] = field(default_factory=dict)


def plan_explanations(pairs: Sequence[Row], before: Sequence[Row], scope: ExplanationScope, maker: Maker) -> Planned:
    """Which pairs lack an explanation or have a stale one, by id; rows of pairs that are gone or changed go."""
    hashes = {pair["qa_id"]: pair["content_hash"] for pair in pairs}
    kept = {row["qa_id"]: row for row in before if hashes.get(row["qa_id"]) == row["content_hash"]}
    asked = [pair for pair in pairs if not pair["explanation"] and _is_in(pair, scope)]
    spoken = [pair for pair in asked if (pair["lang"] or "en") in maker.languages]
    stale = [pair for pair in spoken if not _is_fresh(kept.get(pair["qa_id"]), maker)]
    chosen = sorted(stale, key=lambda pair: str(pair["qa_id"]))[: scope.limit]
    return Planned(
        todo=tuple(map(_to_stored_pair, chosen)),
        kept=tuple(kept[key] for key in sorted(kept)),
        reused=len(spoken) - len(stale),
        skipped=len(asked) - len(spoken),
        left=len(stale) - len(chosen),
    )


def explain_missing(data_dir: DataDir, *, scope: ExplanationScope, told: Callable[[str], None]) -> ExplanationReport:
    """Explain what lacks an explanation, with the model server of the settings.

    Raises `NoModelServer` when there is none, or when it stopped: what it wrote until then is kept.
    """
    settings = settings_per_language(Settings()).others
    model = open_model(settings)
    if model is None:
        raise NoModelServer("Explanations need a model server. Run `coteach explain`, or set COTEACH_LLM_URL.")

    async def run() -> ExplanationReport:
        try:
            name = fetch_model_name(settings.llm_urls[0], await model.model_name())
            return await explain_pairs(
                data_dir, model, scope=scope, maker=Maker(name, tuple(settings.languages)), told=told
            )
        finally:
            await model.aclose()

    try:
        return asyncio.run(run())
    except LlmError as error:
        raise NoModelServer(f"{error} What was explained is kept; run the same again to go on.") from error


async def explain_pairs(
    data_dir: DataDir, llm: LanguageModel, *, scope: ExplanationScope, maker: Maker, told: Callable[[str], None]
) -> ExplanationReport:
    """The same with a given model. Raises `LlmError` when its server is gone; nothing that was written is lost."""
    started = time.monotonic()
    before = read_rows(data_dir.explanations) if data_dir.explanations.exists() else []
    plan = plan_explanations(_pairs(data_dir.qa_pairs), before, scope, maker)
    table = _Table(data_dir.explanations, plan, maker)
    missing = len(plan.todo) + plan.left
    told(f"{missing:,} to explain with {maker.model}, {plan.reused:,} there already, {plan.skipped:,} not spoken")

    async def work(pair: StoredPair) -> None:
        table.add(pair, await explain_pair(llm, pair))
        if table.count % FLUSH_EVERY == 0:
            told(f"{table.count:,} of {len(plan.todo):,} explained, {table.rejection_count:,} of them rejected")

    try:
        await for_each(plan.todo, work, at_once=AT_ONCE)
    finally:
        table.write()
    return ExplanationReport(
        rows=table.size,
        missing=missing,
        made=table.count - table.rejection_count,
        rejected=table.rejection_count,
        reused=plan.reused,
        skipped=plan.skipped,
        left=plan.left,
        model=maker.model,
        seconds=time.monotonic() - started,
        reasons=table.reasons,
    )


async def explain_pair(llm: LanguageModel, pair: StoredPair) -> Explained:
    """One explanation; of a multiple-choice pair one that speaks of every option.

    Raises `LlmError` when the server is gone or too slow; what it will not or cannot write of this pair is rejected.
    """
    try:
        reply = await llm.complete(pair_messages(pair), max_tokens=MAX_TOKENS, temperature=0)
    except (LlmUseless, LlmRejected) as error:
        return Explained.reject(f"{type(error).__name__}: {error}")
    finished = reply.completion_tokens is not None and reply.completion_tokens < MAX_TOKENS
    explained = read_pair(reply.text, pair, finished=finished)
    if pair.choice is None:
        return explained
    question, answer = pair.choice
    if explained.text is not None and not leaves_out(explained.text, question):
        return explained
    try:
        return join_explanations(await explain_options(llm, question, answer, temperature=0), pair.lang)
    except LlmRejected as error:
        return Explained.reject(f"{type(error).__name__}: {error}")


def fetch_model_name(url: str, name: str) -> str:
    """Which model a server serves: vLLM tells the folder or hub id behind the name; the name itself elsewhere."""
    try:
        listed = httpx.get(f"{url.rstrip('/')}/models", timeout=5).json()["data"]
        root = next(str(one.get("root") or name) for one in listed if one["id"] == name)
    except (httpx.HTTPError, ValueError, KeyError, TypeError, StopIteration):
        return name
    return Path(root).name if root.startswith("/") else root


def contradictions(data_dir: DataDir) -> list[str]:
    """Ids of pairs whose explanation speaks against the answer, with how; of pairs as they are now."""
    pairs = {pair["qa_id"]: pair for pair in _pairs(data_dir.qa_pairs)}
    found = []
    for row in read_rows(data_dir.explanations):
        pair = pairs.get(row["qa_id"])
        if row["status"] == "made" and pair is not None and pair["content_hash"] == row["content_hash"]:
            reason = why_contradicted(row["explanation"], _to_stored_pair(pair))
            found += [f"{row['qa_id']}: {reason}"] if reason else []
    return found


def find_edited_pairs(data_dir: DataDir) -> list[str]:
    """Ids of pairs whose question or answer is another than the sources gave dbt; sorted."""
    made = data_dir.dbt_output / "qa_pairs.parquet"
    if not made.exists():
        return []
    texts = ["qa_id", "question", "answer"]
    given, published = (pq.ParquetFile(path).read(columns=texts).to_pylist() for path in (made, data_dir.qa_pairs))
    known = {pair["qa_id"]: pair for pair in given}
    return sorted(pair["qa_id"] for pair in published if known.get(pair["qa_id"]) != pair)


class _Table:
    """The rows on their way into the file."""

    def __init__(self, path: Path, plan: Planned, maker: Maker) -> None:
        self._path, self._maker = path, maker
        self._rows = {row["qa_id"]: row for row in plan.kept}
        self.count = 0
        self.reasons: dict[str, int] = {}

    @property
    def size(self) -> int:
        return len(self._rows)

    @property
    def rejection_count(self) -> int:
        return sum(self.reasons.values())

    def add(self, pair: StoredPair, explained: Explained) -> None:
        self._rows[pair.qa_id] = _row(pair, explained, self._maker)
        self.count += 1
        if explained.reason is not None:
            kind = explained.reason.partition(":")[0].partition("'")[0].strip()
            self.reasons[kind] = self.reasons.get(kind, 0) + 1
        if self.count % FLUSH_EVERY == 0:
            self.write()

    def write(self) -> None:
        write_table(self._path, [self._rows[key] for key in sorted(self._rows)], EXPLANATIONS)


def _row(pair: StoredPair, explained: Explained, maker: Maker) -> Row:
    return {
        "qa_id": pair.qa_id,
        "course_id": pair.course_id,
        "source": pair.source,
        "lang": pair.lang,
        "status": explained.status,
        "explanation": explained.text,
        "explanation_kind": AI_MADE if explained.text is not None else None,
        "reason": explained.reason,
        "content_hash": pair.content_hash,
        "prompt": maker.prompt,
        "model": maker.model,
        "made_at": datetime.now(UTC).isoformat(timespec="seconds"),
    }


def _pairs(path: Path) -> list[dict[str, Any]]:
    if not path.exists():
        raise CoteachError(f"No QA pairs in {path}. Run `coteach build` first.")
    rows: list[dict[str, Any]] = pq.ParquetFile(path).read(columns=_READ).to_pylist()
    return rows


def _to_stored_pair(pair: Row) -> StoredPair:
    return StoredPair(
        qa_id=pair["qa_id"],
        question=pair["question"],
        answer=pair["answer"],
        lang="zh" if pair["lang"] == "zh" else "en",
        content_hash=pair["content_hash"],
        course_id=pair["course_id"],
        source=pair["source"],
    )


def _is_in(pair: Row, scope: ExplanationScope) -> bool:
    return pair["source"] in scope.sources and (not scope.courses or pair["course_id"] in scope.courses)


def _is_fresh(row: Row | None, maker: Maker) -> bool:
    return row is not None and (row["prompt"], row["model"]) == (maker.prompt, maker.model)
