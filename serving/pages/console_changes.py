"""What changed under an approved answer: the old and the new text of each unit, side by side, with the words that
differ marked."""

from collections.abc import Sequence
from html import escape

from nicegui import ui

from serving.desk.difference import DifferencePiece, difference
from serving.pages.parts import block, heading, text
from serving.pages.words import PageTexts
from serving.store.tables.review import ReviewedSource


def show_changes(sources: Sequence[ReviewedSource], say: PageTexts) -> None:
    """`sources` are those whose `changed_to` is set."""
    with block("changes", tag="section"):
        heading(say("changed_title"), 2)
        for source in sources:
            text(source.label, "name", tag="strong")
            now = source.changed_to or ""
            pieces = difference(source.text, now)
            with block("beside"):
                with block("text-was"):
                    text(say("changed_was"), "small muted")
                    ui.html(mark_old(pieces), sanitize=False)
                with block("text-now"):
                    text(say("changed_now"), "small muted")
                    if now:
                        ui.html(mark_new(pieces), sanitize=False)
                    else:
                        text(say("changed_removed"), "warn")


def mark_old(pieces: Sequence[DifferencePiece]) -> str:
    """The old text as markup, in `<del>` what the new one has not got."""
    return "".join(_within("del", piece.old, differs=piece.op != "equal") for piece in pieces)


def mark_new(pieces: Sequence[DifferencePiece]) -> str:
    """The new text as markup, in `<ins>` what the old one had not got."""
    return "".join(_within("ins", piece.new, differs=piece.op != "equal") for piece in pieces)


def _within(tag: str, words: str, *, differs: bool) -> str:
    return f"<{tag}>{escape(words)}</{tag}>" if differs and words.strip() else escape(words)
