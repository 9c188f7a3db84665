"""Facts that must hold of a graph before anything is built on it.

Belongs here: deciding them, for one course's edges and for the merged graph. The assets' blocking checks report them.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from knowledge_graph.graph.acyclic import Edge
from knowledge_graph.lake.records import Cue, DocumentSection, Span


@dataclass(frozen=True)
class EdgeFindings:
    """What is wrong with a set of edges; all empty and `cycle` empty when nothing is."""

    cycle: tuple[str, ...]
    """Ids along one cycle of two or more concepts."""
    self_loops: tuple[str, ...]
    dangling: tuple[Edge, ...]
    """Edges with an end that is no concept."""
    without_evidence: tuple[Edge, ...]
    not_opening: tuple[Edge, ...]
    """Edges with evidence whose words do not stand where it points."""

    @property
    def sound(self) -> bool:
        return not (self.cycle or self.self_loops or self.dangling or self.without_evidence or self.not_opening)


class Corpus:
    """The words of one course by where they stand."""

    def __init__(self, cues: Iterable[Cue], sections: Iterable[DocumentSection] = ()) -> None:
        self._cues: defaultdict[str, list[Cue]] = defaultdict(list)
        for cue in cues:
            self._cues[cue.video_id].append(cue)
        for video in self._cues.values():
            video.sort(key=lambda cue: cue.cue_index)
        self._texts: defaultdict[str, list[tuple[int | None, str]]] = defaultdict(list)
        for section in sections:
            self._texts[section.document].append((section.page, _flat(section.text)))

    def holds(self, span: Span) -> bool:
        """Whether the span's words are said in its video between its times, or stand in its document on its page."""
        words = _flat(span.text)
        if not words:
            return False
        if span.document is not None:
            pages = self._texts.get(span.document, [])
            return any(words in text for page, text in pages if span.page in (None, page))
        if span.video_id is None or span.start_ms is None or span.end_ms is None:
            return False
        cues = self._cues.get(span.video_id, [])
        between = [cue for cue in cues if span.start_ms <= cue.start_ms <= span.end_ms]
        return words in _text_of(between) or any(
            words in _text_of(run) for run in _runs(cues, span.start_ms, span.end_ms)
        )


def _runs(cues: Sequence[Cue], start_ms: int, end_ms: int) -> Iterator[Sequence[Cue]]:
    """The cues from each that begins at `start_ms` to the last that ends at `end_ms`, as the file has them.

    A time stamp that a person mistyped (00:75:15 for 00:15:15) makes times that run backwards: what is said one after
    the other still is.
    """
    ends = [place for place, cue in enumerate(cues) if cue.end_ms == end_ms]
    for place, cue in enumerate(cues):
        if cue.start_ms == start_ms and ends and ends[-1] >= place:
            yield cues[place : ends[-1] + 1]


def edge_findings(
    evidence: Mapping[Edge, Sequence[Span]],
    known: AbstractSet[str],
    corpus: Corpus | None = None,
    *,
    stated: AbstractSet[Edge] = frozenset(),
) -> EdgeFindings:
    """Look at accepted edges, each with its evidence; with a `corpus` also at where the evidence points.

    Edges that people `stated` need no evidence in the text.
    """
    import networkx as nx  # noqa: PLC0415  0.2 s, and the graph of most builds stays as it was

    loops = sorted(a for a, b in evidence if a == b)
    graph: nx.DiGraph[str] = nx.DiGraph(sorted((a, b) for a, b in evidence if a != b))
    cycle = () if nx.is_directed_acyclic_graph(graph) else tuple(edge[0] for edge in nx.find_cycle(graph))
    opening = (edge for edge, spans in evidence.items() if corpus and not all(map(corpus.holds, spans)))
    return EdgeFindings(
        cycle=cycle,
        self_loops=tuple(loops),
        dangling=tuple(sorted(edge for edge in evidence if not known >= set(edge))),
        without_evidence=tuple(sorted(edge for edge, spans in evidence.items() if not spans and edge not in stated)),
        not_opening=tuple(sorted(opening)),
    )


def _text_of(cues: Iterable[Cue]) -> str:
    return _flat(" ".join(cue.text for cue in cues))


def _flat(text: str) -> str:
    return "".join(text.split())
