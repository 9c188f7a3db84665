"""What a window announces and breaks off before, read on in its lecture: "the challenge is to …". Pure."""

from collections.abc import Iterator
from dataclasses import replace

from serving.assistant.composing.cues import announces_more
from serving.assistant.composing.lectures import CourseLectures
from serving.assistant.composing.material import MaterialLine, MaterialPiece, line_of
from serving.assistant.composing.window import LENGTH, Window, leads_away


def read_announced(window: Window, lectures: CourseLectures) -> Window:
    """A window with as much as a quote is long behind a sentence of it that announces something, in its passage or
    further in its lecture, as far as that speaks of the subject."""
    piece = window.piece
    announcing = [at for at in range(window.start, window.stop) if announces_more(piece.lines[at].text)]
    if not announcing or piece.entry.source != "subtitle":
        return window
    room = LENGTH[piece.lang] - sum(piece.sizes[announcing[-1] + 1 : window.stop])
    piece = add_what_follows(piece, lectures, LENGTH[piece.lang])
    stop = window.stop
    while room > 0 and stop < len(piece.lines) and not leads_away(piece, stop):
        room -= piece.sizes[stop]
        stop += 1
    return replace(window, piece=piece, stop=stop)


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
