"""What a search engine or an academic search is to this project: `Engine`. Another one is one more module."""

from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from knowledge_graph.lake.records import SearchQuery
from knowledge_graph.sources.web.errors import WebError

Answer = TypeVar("Answer", covariant=True)


@dataclass(frozen=True)
class EngineReply(Generic[Answer]):
    """Records in the engine's order. `error`: what failed on the way; they are then an earlier or a partial reply."""

    records: tuple[Answer, ...]
    error: WebError | None = None


class Engine(Protocol[Answer]):
    """Asks one service."""

    @property
    def name(self) -> str:
        """The address people know it by; problems are reported under it."""

    def ask(self, query: SearchQuery) -> EngineReply[Answer]:
        """What the service says to a query; raises `WebError` when there is nothing to give."""
