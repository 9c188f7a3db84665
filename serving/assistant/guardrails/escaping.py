"""What others wrote, made harmless before it enters a prompt: it cannot close a tag, start a turn or fake a citation.

Belongs here: text in, text out. Used by `prompts.Template` for every value, so that no prompt can forget it. What a
text *says* is not judged here; a model may still be talked into something, which is why routes, citations and verdicts
are never taken from its words.
"""

import re
from xml.sax.saxutils import escape

from knowledge_graph.text.invisible import visible, without_invisible

_BARRED = re.compile(r"[<＜]([|｜][^<>＜＞|｜\n]{1,40}[|｜])[>＞]")
_NAMED = re.compile(
    r"[<＜](/?(?:s|bos|eos|pad|unk|sop|eop|eod|start_of_turn|end_of_turn|think|tool_call|tool_response))[>＞]",
    re.IGNORECASE,
)
_DOUBLED = re.compile(r"[<＜]{2}(/?SYS)[>＞]{2}", re.IGNORECASE)
_BRACKETED = re.compile(
    r"[\[［](/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|[gs]MASK))[\]］]", re.IGNORECASE
)
_SPEAKER = re.compile(
    r"^([ \t]*(?:#{1,6}[ \t]*)?\**"
    r"(?:system|assistant|user|human|ai|instructions?|response|系统|助手|助理|用户|人类)\**)[ \t]*[:：]",
    re.IGNORECASE | re.MULTILINE,
)
AFTER_CODE = r"[A-Za-z0-9_)\]]"
"""A character before a bracket that makes it an index as often as a citation: `a[3]`, `f(x)[1]`, `a[0][1]`."""

_NOTE = r"[ \t\n]{0,8}(?!0+[ \t\n]{0,8}\\?[\]】］])0{0,16}(\d{1,3})[ \t\n]{0,8}(?:†[^\]】］\n]{0,40})?"
_MARK = re.compile(rf"(?<!{AFTER_CODE})\\?\[{_NOTE}\\?\]|[【［]{_NOTE}[】］]")


class Xml(str):
    """Text that is XML already, made by this package from escaped parts: a template fills it in as it is."""

    __slots__ = ()


def neutralise(text: str) -> str:
    """The visible text with every marker of a chat template broken up by spaces, and no line that names a speaker.

    `<|im_start|>` becomes `< |im_start| >`, `[INST]` `[ INST ]`, `</s>` `< /s >`: a tokenizer no longer takes them for
    its own. `System: …` at the start of a line becomes `System - …`. Doing it twice changes nothing more.
    """
    text = _BARRED.sub(r"< \1 >", visible(text))
    text = _NAMED.sub(r"< \1 >", text)
    text = _DOUBLED.sub(r"< < \1 > >", text)
    text = _BRACKETED.sub(r"[ \1 ]", text)
    return _SPEAKER.sub(r"\1 -", text)


def xml_text(text: str) -> Xml:
    """The neutralised text as the content of an element; full-width angle brackets count as angle brackets."""
    return Xml(escape(neutralise(text).replace("＜", "<").replace("＞", ">")))


def xml_attribute(text: str) -> Xml:
    """The same as the value of an attribute between double quotes, on one line."""
    flat = " ".join(neutralise(text).replace("＜", "<").replace("＞", ">").split())
    return Xml(escape(flat, {'"': "&quot;"}))


def element(name: str, *lines: Xml, **attributes: str) -> Xml:
    """`<name a="…">`, the lines, `</name>`, each on a line of its own. `name` and attribute names are ours."""
    opened = "".join(f' {key}="{xml_attribute(value)}"' for key, value in attributes.items())
    return Xml("\n".join((f"<{name}{opened}>", *lines, f"</{name}>")))


def without_marks(text: str) -> str:
    """Material whose own `[3]` reads `(3)`: a footnote of a web page must not pass for a citation of this turn.

    So do `【3】`, `［3］` and `【3†source】`. A mark right after a Latin word or a bracket stays, as in `a[3]`, and so
    does a list such as `[1, 3, 5]`: there it is code or data as often as a footnote. `[0007]`, `\\[7\\]` and a mark
    with characters that nobody sees are marks too.
    """
    return _MARK.sub(lambda found: f"({found[1] or found[2]})", without_invisible(text))
