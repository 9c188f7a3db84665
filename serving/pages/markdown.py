"""An answer's Markdown as HTML that can do nothing but be read.

`serving.assistant.guardrails.markup` has taken images, HTML and foreign links out of an answer already; here the
renderer makes none either, whatever it is given. HTML in the text is shown as text, and links go to this host or to a
reference.
"""

import re
from collections.abc import Collection, Mapping, MutableMapping, Sequence
from functools import cache
from html import escape
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

from knowledge_graph.lake.records import LANGS, Lang
from knowledge_graph.text.sentences import language_of
from serving.assistant.composing.wording import wording
from serving.pages.formulas import formula

LONGEST_HIGHLIGHTED = 20_000
"""Characters of one block of code; a longer one is shown in one colour. A choice."""

LONGEST_QUOTE: dict[Lang, int] = {"en": 420, "zh": 150}
"""Characters of a quote that is shown whole wherever it stands: five lines. A choice."""

_MATH = (
    (re.compile(r"\$\$(?!\$)(.{1,2000}?)\$\$", re.DOTALL), True),
    (re.compile(r"\\\[(.{1,2000}?)\\\]", re.DOTALL), True),
    (re.compile(r"\\\((.{1,2000}?)\\\)", re.DOTALL), False),
    (re.compile(r"\$(?![\s$])([^$\n]{1,2000}?)(?<![\s\\])\$(?!\d)"), False),
)
"""Formulas and whether they stand alone. Dollars as pandoc has them: `$5 and $6` is money."""

_ITEM = re.compile(r" {0,3}([-*+]|\d{1,3}[.)]) ")

_MARK = re.compile(r"\[(\d{1,2})\](?![(:])")


def render_markdown(
    text: str, *, cards: Mapping[int, str] | None = None, allowed: Collection[str] = (), read_on: str = ""
) -> str:
    """HTML of `text`. A mark `[1]` links to the element named `cards[1]`; links open only `allowed` addresses and paths
    of this host. With the words of a switch, `read_on`, long quotes behind the first show their first lines until it is
    set.
    """
    env = {"cards": cards or {}, "allowed": frozenset(allowed), "read_on": read_on}
    return str(_parser().render(_part_lists(text), env))


def _part_lists(text: str) -> str:
    """An empty line after a list, where a line follows that is neither indented nor an item: Markdown would take it for
    the end of the last item, and those who write one line per thought do not mean that.
    """
    lines: list[str] = []
    is_code = False
    for line in text.split("\n"):
        is_item = bool(lines) and _ITEM.match(lines[-1]) is not None
        if is_item and not is_code and line.strip() and not _ITEM.match(line) and not line.startswith(" "):
            lines.append("")
        is_code = is_code != line.lstrip().startswith(("```", "~~~"))
        lines.append(line)
    return "\n".join(lines)


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False, "breaks": True, "highlight": _highlight}).enable("table")
    parser.disable("image")
    parser.inline.ruler.before("escape", "formula", _formula_rule)
    parser.inline.ruler.before("link", "mark", _mark_rule)
    parser.add_render_rule("formula", _draw_formula)
    parser.add_render_rule("mark", _draw_mark)
    parser.add_render_rule("link_open", _draw_link)
    parser.add_render_rule("table_open", _open_table)
    parser.add_render_rule("table_close", _close_table)
    parser.core.ruler.push("quotes", _shorten_quotes)
    parser.add_render_rule("quote_open", _open_quote)
    parser.add_render_rule("quote_close", _close_quote)
    parser.core.ruler.push("nearby", _fold_nearby)
    parser.add_render_rule("nearby_open", _open_nearby)
    parser.add_render_rule("nearby_close", _close_nearby)
    return parser


@cache
def _leads() -> frozenset[str]:
    return frozenset(wording(lang).nearby for lang in LANGS)


@cache
def _ends() -> frozenset[str]:
    return frozenset(text for lang in LANGS for text in (wording(lang).hand_off, wording(lang).ask_ta))


_PART = re.compile(r"\*\*\d\. ")
"""How the next of several questions in one message begins."""


def _shorten_quotes(state: StateCore) -> None:
    """Of the paragraphs with a mark at their end, which are what one place says, all long ones but the first can be
    read in part: it is long to read on where the first has answered."""
    tokens: list[Token] = []
    quotes, mark = 0, ""
    for at, token in enumerate(state.tokens):
        is_paragraph = token.type == "paragraph_open" and token.level == 0 and bool(state.env["read_on"])
        text = state.tokens[at + 1] if is_paragraph else None
        if text is not None and text.content in _leads():
            state.tokens = [*tokens, *state.tokens[at:]]
            return
        if text is not None and _PART.match(text.content):
            quotes = 0
        elif text is not None and text.children and text.children[-1].type == "mark":
            quotes += 1
            if quotes > 1 and len(text.content) > LONGEST_QUOTE[language_of(text.content)]:
                mark = text.children[-1].content
                tokens.append(Token("quote_open", "div", 1))
        tokens.append(token)
        if mark and token.type == "paragraph_close":
            tokens.append(Token("quote_close", "div", -1, content=mark))
            mark = ""
    state.tokens = tokens


def _fold_nearby(state: StateCore) -> None:
    """What is only near to the question is folded under its lead: it is long, and the answer stands above it."""
    tokens, folded, lead = [], False, ""
    for at, token in enumerate(state.tokens):
        is_paragraph = token.type == "paragraph_open" and token.level == 0
        text = state.tokens[at + 1].content if is_paragraph else ""
        if lead:
            lead = "" if token.type == "paragraph_close" else lead
            continue
        if folded and is_paragraph and (text in _ends() or _PART.match(text)):
            tokens.append(Token("nearby_close", "details", -1))
            folded = False
        if is_paragraph and text in _leads():
            if folded:
                tokens.append(Token("nearby_close", "details", -1))
            opened = Token("nearby_open", "details", 1)
            opened.content = lead = text
            tokens.append(opened)
            folded = True
            continue
        tokens.append(token)
    if folded:
        tokens.append(Token("nearby_close", "details", -1))
    state.tokens = tokens


def _formula_rule(state: StateInline, silent: bool) -> bool:
    if state.src[state.pos] not in "$\\":
        return False
    for pattern, is_block in _MATH:
        if found := pattern.match(state.src, state.pos):
            if not silent:
                token = state.push("formula", "math", 0)
                token.content, token.meta = found[1].strip(), {"block": is_block}
            state.pos = found.end()
            return True
    return False


def _mark_rule(state: StateInline, silent: bool) -> bool:
    found = _MARK.match(state.src, state.pos)
    if found is None or int(found[1]) not in state.env["cards"]:
        return False
    if not silent:
        state.push("mark", "a", 0).content = found[1]
    state.pos = found.end()
    return True


Tokens = Sequence[Token]
Env = MutableMapping[str, Any]


def _draw_formula(self: RendererHTML, tokens: Tokens, at: int, options: Any, env: Env) -> str:
    return formula(tokens[at].content, block=bool(tokens[at].meta["block"]))


def _draw_mark(self: RendererHTML, tokens: Tokens, at: int, options: Any, env: Env) -> str:
    number = tokens[at].content
    return f'<a class="cite" href="#{escape(env["cards"][int(number)])}">{number}</a>'


def _draw_link(self: RendererHTML, tokens: Tokens, at: int, options: Any, env: Env) -> str:
    address = str(tokens[at].attrGet("href") or "")
    is_here = address.startswith("/") and not address.startswith(("//", "/\\"))
    if not is_here and address not in env["allowed"]:
        return "<a>"
    return f'<a href="{escape(address)}" target="_blank" rel="noopener noreferrer">'


def _open_table(self: RendererHTML, tokens: Tokens, at: int, options: Any, env: Env) -> str:
    return '<div class="table"><table>'


def _close_table(self: RendererHTML, tokens: Tokens, at: int, options: Any, env: Env) -> str:
    return "</table></div>"


def _open_quote(self: RendererHTML, tokens: Tokens, at: int, options: Any, env: Env) -> str:
    return '<div class="quote">'


def _close_quote(self: RendererHTML, tokens: Tokens, at: int, options: Any, env: Env) -> str:
    switch = f'<label><input type="checkbox" autocomplete="off">{escape(env["read_on"])}</label>'
    return f'<p class="quote-foot">{switch}{_draw_mark(self, tokens, at, options, env)}</p></div>'


def _open_nearby(self: RendererHTML, tokens: Tokens, at: int, options: Any, env: Env) -> str:
    return f'<details class="nearby"><summary>{escape(tokens[at].content.rstrip(":："))}</summary>'


def _close_nearby(self: RendererHTML, tokens: Tokens, at: int, options: Any, env: Env) -> str:
    return "</details>"


def _highlight(code: str, lang: str, attrs: str) -> str:
    """Code in colours by its language; plain where that is not known."""
    if not lang or len(code) > LONGEST_HIGHLIGHTED:
        return escape(code)
    try:
        lexer = get_lexer_by_name(lang)
    except ClassNotFound:
        return escape(code)
    return str(highlight(code, lexer, HtmlFormatter(nowrap=True)))
