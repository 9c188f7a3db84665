"""What a model's Markdown may do: nothing. Rendered by two Markdown libraries and looked at as a browser would."""

from html.parser import HTMLParser
from itertools import pairwise

import mistune
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from serving.assistant.guardrails.addresses import web_addresses
from serving.assistant.guardrails.markup import MarkupFilter, defang

OURS = "https://example.org/s"

HARMLESS = frozenset(
    "p h1 h2 h3 h4 h5 h6 ul ol li code pre em strong del blockquote hr br table thead tbody tr th td a".split()
)


class Seen(HTMLParser):
    """Every active part of a page: elements that Markdown does not make, their attributes, and where links go."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.active: list[str] = []
        self.links: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        if tag == "a" and set(named) <= {"href", "title"}:
            self.links.append(named.get("href") or "")
        elif tag in HARMLESS:
            self.active += [f"{tag} {name}" for name in named if name not in ("class", "start", "style")]
        elif named or tag in ("img", "script", "svg", "iframe", "form", "input", "object", "style", "b", "i", "base"):
            self.active.append(tag)

    def handle_comment(self, data: str) -> None:
        self.active.append("comment")


def rendered(text: str) -> list[Seen]:
    """The text as two libraries render it, with raw HTML and with every address let through."""
    one = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    one.validateLink = lambda url: True  # type: ignore[method-assign]
    other = mistune.create_markdown(escape=False, renderer=mistune.HTMLRenderer(escape=False), plugins=["table"])
    return [Seen(one.render(text)), Seen(str(other(text)))]


def is_relative_word(link: str) -> bool:
    return not any(character in link for character in ":/\\&.?#")


def assert_inert(text: str) -> None:
    for seen in rendered(text):
        assert seen.active == []
        assert [link for link in seen.links if link != OURS and not is_relative_word(link)] == []


@pytest.mark.parametrize(
    "text",
    [
        "A stack is *last in*, **first out** [1]. See [2].",
        "# Steps\n\n1. Push `x`.\n2. Pop it.\n\n> A quote\n\n| a | b |\n|---|---|\n| 1 | 2 |",
        "a < b, b > c, x <= y, i<3, a << 2, x -> y, 1 < 2 > 0",
        "Use `List<int>`, `a < b` and `<img src=x>`.",
        "A List<int>, a Map<K, V> and #include <stdio.h>.",
        "```html\n<script>alert(1)</script>\n![x](http://evil.example/)\n```\nAs above.",
        "~~~\n<b>\n~~~",
        "$a_{i} < b_{i}$, \\(x^2\\), \\[ \\sum_{i=1}^{n} i \\] and $$\\frac{a}{b}$$",
        "a[0], a[i], f(x), a[i][j], x: int, dict[str, int]: a map",
        "Line one\nline two\n\n\nline three  \nend!",
        "http is a protocol: http, https and ftp; www too.",
        f"See [the source]({OURS}) or {OURS}.",
        "栈是后进先出的线性表 [1]。真的！比较 a < b（如图）：O(n²)。",
        "Wow! (really) 50 % ~ 100 % of 3 * 4 _ 5",
        "a \\ b \\\\ c \\alpha",
        "Run main.py, see e.g. stdio.h, 3.14, a.b.c and Node.js: x &lt; y &amp; z, AT&T.",
        "",
    ],
)
def test_text_without_active_parts_is_unchanged(text: str) -> None:
    assert defang(text, {OURS}) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("![a plate](http://evil.example/?q=1)", "a plate"),
        ("![a plate](https://example.org/s)", "a plate"),
        ("[click](http://evil.example/)", "click"),
        ('[click](http://evil.example/ "now")', "click"),
        ("[click](javascript:alert(1))", "click"),
        ("[click](java&#115;cript:alert(1))", "click"),
        ("[click](//evil.example)", "click"),
        ("[![a](http://evil.example/a)](http://evil.example)", "[a]"),
        ("a[i](x)", "a[i] (x)"),
        ("see http://evil.example/a?b=c.", "see evil[.]example/a?b=c."),
        ("see www.evil.example!", "see evil.example!"),
        ("见http://evil.example/a。", "见 evil[.]example/a。"),
        ("<http://evil.example/>", "evil[.]example/"),
        ("<javascript:alert(1)>", "javascript:alert(1)"),
        ("[here][r]\n\n[r]: http://evil.example", "[here][r]\n\n[r] : evil.example"),
        ("H<sub>2</sub>O", "H2O"),
        ("<script>alert(1)</script>done", "alert(1)done"),
        ("<img src=x\nonerror=alert(1)>ok", "ok"),
        ("a <!-- hidden <b> --> b", "a  b"),
        ("<your name>", "< your name>"),
        ("if a<b and c>d", "if a< b and c>d"),
        ("<img src=x onerror=alert(1)", "< img src=x onerror=alert(1)"),
        ("evil\u202etxt.\U000e0041\u200b", "eviltxt."),
        ("one\r\ntwo\rthree", "one\ntwo\nthree"),
        ("a\u00adb\u061cc\u180ed\u200ce\u200df\ufff9g\x85h\U000e0100i", "abcdefg\x85hi"),
        ("http\\://evil.example/a", "http ://evil[.]example/a"),
        ("http:\\/\\/evil.example/a", "http: /\\/evil[.]example/a"),
        ("www\\.evil.example", "www[.]evil[.]example"),
        ("http&#58;//evil.example/a", "http& #58;//evil[.]example/a"),
        ("&#104;ttp://evil.example/a", "& #104;ttp ://evil[.]example/a"),
        ("https&colon;//evil.example/a", "https& colon;//evil[.]example/a"),
        ("write to mailto:a@evil.example", "write to mailto :a@evil[.]example"),
        ("write to a@evil.example", "write to a@evil[.]example"),
        ("go to evil.com now", "go to evil[.]com now"),
        ("go to evil.example:8080/x", "go to evil[.]example:8080/x"),
        ("see sms://evil.example/x", "see sms ://evil[.]example/x"),
        ("as proven \\[7\\] and \\[ 7, 8\\]", "as proven (7) and ( 7, 8)"),
        ("as proven [&#55;]", "as proven [& #55;]"),
        ("as proven [7&#8203;]", "as proven [7]"),
    ],
)
def test_active_parts_become_their_text(text: str, shown: str) -> None:
    assert defang(text, {OURS}) == shown


@pytest.mark.parametrize(
    "text",
    [
        "<<b>img src=x onerror=alert(1)>",
        "<scr<script>ipt>alert(1)</scr</script>ipt>",
        "ht<b>tp://evil.example",
        "[a]<b>(javascript:x)",
        "[a](http://x)(javascript:y)",
        "][(javascript:x)](http://y)",
        "- ```\n  x\n  ```\n<img src=x onerror=alert(1)>",
        "- a\n  ```\n  x\n```\n<img src=x onerror=alert(1)>\n```",
        "```\ncode\r```\r<img src=x onerror=alert(1)>",
        "> ```\n<img src=x onerror=alert(1)>",
        "`foo\n# heading ` <img src=x onerror=alert(1)> `",
        "| a ` b | <img src=x onerror=alert(1)> ` |\n|---|---|\n| 1 | 2 |",
        "\\`<img src=x onerror=alert(1)>`",
        "\\<b>`<img src=x onerror=alert(1)>`",
        "<int>\n`<img src=x onerror=alert(1)>`",
        "`a`<b>`<img src=x onerror=alert(1)>`",
        "http://x`<img src=x onerror=alert(1)>``",
        "<img/src=x/onerror=alert(1)>",
        "<svg\tonload=alert(1)>",
        "<a href='javascript:alert(1)'>x</a>",
        "[a]: <javascript:alert(1)>\n[a]",
        "[a]:\njavascript:alert(1)\n\n[a]",
        "![" + "x" * 2000 + "](http://evil.example/)",
        "[" + "x" * 2000 + "](javascript:alert(1))",
        "[a](" + "x" * 2000 + ")",
        "<img " + "x" * 2000 + " src=x onerror=alert(1)>",
        "[a\n\nb](javascript:alert(1))",
        "!<b>[x](https://example.org/s)",
        "```a|\n|---|---|\n<img src=x onerror=alert(1)>",
        "[a]: >\n![a]",
        "[a]:\n~~~\n<script>alert(1)</script>",
    ],
)
def test_no_trick_makes_an_active_part(text: str) -> None:
    assert_inert(defang(text, {OURS}))


FRAGMENTS = st.sampled_from(
    [
        *"` `` ``` ~~~ < > <b> </b> <img src=x onerror=a> <script> <!-- --> <int> List<int> [ ] ( ) ![ ]( ]:".split(),
        *"! \\ | - # javascript:a http://evil.example/ www.evil.example https://example.org/s a x 1. ( : .".split(),
        *"[x](javascript:a) ![x](//e) <http://evil.example> ht tp://e & &lt; &#106; $ 栈".split(),
        *("\n", "\n\n", "\r", " ", "   ", "    ", "> ", "- ", "\t", "\n```\n", "\n~~~\n", "\n  ```\n"),
        *("<img src=x onerror=a>", "\n|---|---|\n"),
    ]
)
HOSTILE = st.lists(FRAGMENTS, max_size=24).map("".join)


@settings(max_examples=400, deadline=None)
@given(HOSTILE)
def test_nothing_active_is_ever_rendered(text: str) -> None:
    assert_inert(defang(text, {OURS}))


@settings(max_examples=300, deadline=None)
@given(HOSTILE, st.lists(st.integers(0, 200), max_size=6))
@example("<!-- a > b -->", [9])
@example("a\r\nb", [2])
@example("[x](http://evil.example/)", [2, 3, 4])
def test_where_the_stream_is_cut_does_not_matter(text: str, cuts: list[int]) -> None:
    assert streamed(text, cuts) == defang(text, {OURS})


@settings(max_examples=100, deadline=None)
@given(HOSTILE)
def test_letter_by_letter_is_the_same_as_at_once(text: str) -> None:
    assert streamed(text, list(range(len(text)))) == defang(text, {OURS})


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.sampled_from([*"ab h.,;?!()*_#>-+=/&%$^{}0189\n栈的。", " < ", "<3", "<="]), max_size=80).map("".join)
)
def test_text_without_brackets_and_tags_is_never_changed(text: str) -> None:
    assume("&#" not in text)  # which stands for a character, also for one that nobody sees
    assert defang(text) == text


@settings(max_examples=200, deadline=None)
@given(HOSTILE)
@example("```a <img src=x onerror=alert(1)>")
def test_a_line_without_code_is_inert_wherever_it_stands(text: str) -> None:
    line = " ".join(defang(text, code=False).split())
    assert_inert(f"[1] {line} {OURS}")
    assert_inert(f"- `a` {line} `b`")


@settings(max_examples=200, deadline=None)
@given(HOSTILE)
def test_doing_it_twice_is_inert_too(text: str) -> None:
    assert_inert(defang(defang(text, {OURS}), {OURS}))


def streamed(text: str, cuts: list[int]) -> str:
    passing = MarkupFilter({OURS})
    places = [0, *sorted(cut for cut in cuts if cut <= len(text)), len(text)]
    pieces = [text[start:end] for start, end in pairwise(places)]
    return "".join(passing.feed(piece) for piece in pieces) + passing.flush()


def test_ordinary_words_are_not_held_back() -> None:
    passing = MarkupFilter()
    assert [passing.feed(word) for word in ("A stack ", "is **last in**, ", "a < b ", "栈是 ")] == [
        "A stack ",
        "is **last in**, ",
        "a < b ",
        "栈是 ",
    ]


def test_a_stored_answer_names_its_own_addresses() -> None:
    text = "See https://example.org/s (and http://example.org/a_(b)), or https://example.org/s."
    assert web_addresses(text) == (OURS, "http://example.org/a_(b)")
    assert defang(text, web_addresses(text)) == text


@pytest.mark.parametrize(
    ("text", "closed"),
    [
        ("```python\nx = 1", "```python\nx = 1\n```"),
        ("```python\nx = 1\n", "```python\nx = 1\n```"),
        ("````\n```\n", "````\n```\n````"),
        ("~~~\na\n~~", "~~~\na\n~~\n~~~"),
        ("```", "```\n```"),
        ("```\nx\n```", "```\nx\n```"),
        ("a ``` b", "a ``` b"),
    ],
)
def test_a_code_block_that_is_left_open_is_closed(text: str, closed: str) -> None:
    assert defang(text) == closed
    letters = MarkupFilter()
    assert "".join(map(letters.feed, text)) + letters.flush() == closed
    assert defang(closed) == closed
