"""What a window announces and breaks off before, read on in its lecture: "the challenge is to …". Pure."""

from collections.abc import Iterator
from dataclasses import replace

from serving.assistant.composing.announcements import announces_more
from serving.assistant.composing.cues import ANOTHER_REASON, make_cue
from serving.assistant.composing.lectures import CourseLectures
from serving.assistant.composing.material import MaterialLine, MaterialPiece, line_of
from serving.assistant.composing.window import LENGTH, Window, is_heading, leads_away


def read_announced(window: Window, lectures: CourseLectures) -> Window:
    """A window with as much as a quote is long behind a sentence of it that announces something, in its passage or
    further in its lecture, as far as that speaks of the subject."""
    piece = window.piece
    announcing = [at for at in range(window.start, window.stop) if announces_more(piece.lines[at].text)]
    if not announcing or piece.entry.source != "subtitle":
        return window
    whole = LENGTH[piece.lang] * (OF_SEVERAL if window.is_announced else 1)
    room = whole - sum(piece.sizes[announcing[-1] + 1 : window.stop])
    piece = add_what_follows(piece, lectures, whole)
    stop = window.stop
    while stop < len(piece.lines) and not (leads_away(piece, stop) or _turns_to_another(piece, stop)):
        if room <= 0 and not (window.is_announced and _is_open_case(piece, announcing[-1], stop)):
            break
        room -= piece.sizes[stop]
        stop += 1
    return replace(window, piece=piece, stop=stop)


def _turns_to_another(piece: MaterialPiece, place: int) -> bool:
    """Whether a sentence goes over to another thing: a heading said aloud ("Queues."), "再看第二个结构"."""
    return is_heading(piece, place) or _TURNS_TO.match(piece.lines[place].text) is not None


def _is_open_case(piece: MaterialPiece, start: int, stop: int) -> bool:
    """Whether the last case that is told before a sentence has no verdict yet: "now if n is small …"; it comes within a
    few sentences."""
    last = next((at for at in range(stop - 1, start, -1) if _CASE.match(piece.lines[at].text)), None)
    told = "" if last is None else " ".join(line.text for line in piece.lines[last:stop])
    return last is not None and stop - last <= MOST_OF_CASE and _VERDICT.search(told) is None


_CASE = make_cue(r"(?:(?:so|and|now|but),? ){0,2}(?:if|when)\b|(?:如果|当)")
_VERDICT = make_cue(r"\b(?:then|use|using|choose|works? (?:well|fine|best))\b|[就用选]|适合")
MOST_OF_CASE = 5
"""Sentences of one case before its verdict. A choice."""

_TURNS_TO = make_cue(
    r"(?:再|下面|现在)(?:来)?看|下面|(?:(?:so|ok|now),? )?(?:now )?let['’]s (?:look at|turn to|move)\b"
)

OF_SEVERAL = 2
"""How many times as long as usual what is announced is that answers by itself: there are several uses, or cases. A
choice."""


def read_first_reason(window: Window, lectures: CourseLectures) -> Window:
    """A window that begins a passage of a lecture and gives "another reason", with as much of what is said right before
    the passage as a quote is long: the first reason."""
    piece, at = window.piece, window.piece.entry.locator
    lecture = lectures.by_id.get(at.video_id) if at is not None and at.video_id is not None else None
    is_further = any(ANOTHER_REASON.search(line.text) for line in window.own_lines)
    if window.start > 0 or lecture is None or not is_further:
        return window
    before: list[MaterialLine] = []
    room = LENGTH[piece.lang]
    for sentence in reversed(lecture.sentences):
        if sentence.start_ms < (piece.lines[0].start_ms or 0) and (room := room - len(sentence.text)) >= 0:
            before.insert(0, line_of(sentence))
    moved = len(before)
    return replace(
        window,
        piece=replace(piece, lines=(*before, *piece.lines)),
        stop=window.stop + moved,
        anchor=window.anchor + moved,
        key=window.key + moved if window.key >= 0 else -1,
    )


def add_what_follows(piece: MaterialPiece, lectures: CourseLectures, characters: int) -> MaterialPiece:
    """A passage of a lecture with the sentences behind its last one, until these have so many characters."""
    return replace(piece, lines=(*piece.lines, *_following(piece, lectures, characters)))


def _following(piece: MaterialPiece, lectures: CourseLectures, characters: int) -> Iterator[MaterialLine]:
    at = piece.entry.locator
    lecture = lectures.by_id.get(at.video_id) if at is not None and at.video_id is not None else None
    last = piece.lines[-1].start_ms
    if lecture is None or last is None:
        return
    for sentence in lecture.sentences:
        if sentence.start_ms > last and characters > 0:
            characters -= len(sentence.text)
            yield line_of(sentence)
