"""Each way in which a graph can be unsound is found."""

import pytest

from knowledge_graph.graph.soundness import Corpus, edge_findings
from knowledge_graph.lake.records import Cue, DocumentSection, Span

CUES = [
    Cue("c", "v1", "One", 0, 0, 0, 900, "Recall that a stack", "en"),
    Cue("c", "v1", "One", 0, 1, 1000, 1900, "is used by the call stack.", "en"),
    Cue("c", "v2", "Two", 1, 0, 0, 900, "Something else.", "en"),
]
SECTIONS = [
    DocumentSection("c", "syllabus.pdf", "Syllabus", 0, "k", 3, None, None, "Stacks come\nbefore queues.", "en")
]
KNOWN = frozenset({"en:stack", "en:call stack", "en:queue"})
SAID = Span("v1", 0, 1900, "Recall that a stack is used by the call stack.")
EDGE = ("en:stack", "en:call stack")


def test_a_graph_with_its_evidence_is_sound() -> None:
    written = Span(None, None, None, "Stacks come before queues.", "syllabus.pdf", 3)
    findings = edge_findings({EDGE: [SAID], ("en:stack", "en:queue"): [written]}, KNOWN, Corpus(CUES, SECTIONS))
    assert findings.sound


def test_a_cycle_is_found_and_named() -> None:
    edges = {
        ("en:stack", "en:call stack"): [SAID],
        ("en:call stack", "en:queue"): [SAID],
        ("en:queue", "en:stack"): [SAID],
    }
    findings = edge_findings(edges, KNOWN)
    assert sorted(findings.cycle) == ["en:call stack", "en:queue", "en:stack"]
    assert not findings.sound


def test_a_concept_before_itself_is_found() -> None:
    findings = edge_findings({("en:stack", "en:stack"): [SAID]}, KNOWN)
    assert (findings.self_loops, findings.cycle, findings.sound) == (("en:stack",), (), False)


def test_an_end_that_is_no_concept_is_found() -> None:
    findings = edge_findings({("en:stack", "en:heap"): [SAID]}, KNOWN)
    assert (findings.dangling, findings.sound) == ((("en:stack", "en:heap"),), False)


def test_an_edge_without_evidence_is_found() -> None:
    findings = edge_findings({EDGE: []}, KNOWN)
    assert (findings.without_evidence, findings.sound) == ((EDGE,), False)


def test_what_a_teacher_says_needs_no_evidence_in_the_text() -> None:
    assert edge_findings({EDGE: []}, KNOWN, stated={EDGE}).sound


@pytest.mark.parametrize(
    "span",
    [
        Span("v2", 0, 900, "Recall that a stack"),
        Span("v1", 1000, 1900, "Recall that a stack"),
        Span("v1", 0, 900, "is used by the call stack."),
        Span("v9", 0, 900, "Recall that a stack"),
        Span(None, None, None, "Recall that a stack"),
        Span("v1", 0, 900, " "),
        Span(None, None, None, "Stacks come before queues.", "syllabus.pdf", 4),
        Span(None, None, None, "Queues come first.", "syllabus.pdf", 3),
    ],
    ids=[
        "another video",
        "another time",
        "said just after",
        "no such video",
        "nowhere",
        "no words",
        "another page",
        "other words",
    ],
)
def test_evidence_that_does_not_open_at_its_words_is_found(span: Span) -> None:
    findings = edge_findings({EDGE: [SAID, span]}, KNOWN, Corpus(CUES, SECTIONS))
    assert (findings.not_opening, findings.sound) == ((EDGE,), False)


def mistyped(place: int, start_ms: int) -> list[Cue]:
    """Three cues of one lecture, one of them with a time that cannot be."""
    texts = ("Recall that a stack", "is used by", "the call stack.")
    times = [(1000 * at, 1000 * at + 900) for at in range(3)]
    times[place] = (start_ms, start_ms + 900)
    return [Cue("c", "v1", "One", 0, at, *times[at], text, "en") for at, text in enumerate(texts)]


@pytest.mark.parametrize("place", range(3))
@pytest.mark.parametrize("start_ms", [4_515_000, 360_015_000, 0])
def test_one_mistyped_time_does_not_make_a_graph_unsound(place: int, start_ms: int) -> None:
    cues = mistyped(place, start_ms)
    span = Span("v1", cues[0].start_ms, cues[-1].end_ms, " ".join(cue.text for cue in cues))
    assert edge_findings({EDGE: [span]}, KNOWN, Corpus(cues)).sound
    elsewhere = Span("v1", cues[0].start_ms, cues[-1].end_ms, "What nobody said")
    assert not edge_findings({EDGE: [elsewhere]}, KNOWN, Corpus(cues)).sound
