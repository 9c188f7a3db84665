"""The page around a concept map: style, a few lines of script, and everything the picture says as a list.

Belongs here: HTML and words. What is shown is decided in `drawing.py`.
"""

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from knowledge_graph.graph.acyclic import Edge
from knowledge_graph.lake.records import Concept, Lang, Prerequisite, Span
from knowledge_graph.sources.videos import title_of
from knowledge_graph.text.time_code import time_code

_LONGEST_QUOTE = 300

_DARK = """--page: #14181f; --ink: #e6eaf0; --soft: #a3aebd;
  --box: #222b3a; --border: #5d7399; --rule: #323b49; --lit: #ffb27a; --lit-box: #4a2f1b;
  --c0: #7ea3da; --c1: #d69a72; --c2: #74b996; --c3: #bd93d1; --c4: #c2ab58; --c5: #dd8aa5;"""
_STYLE = """
:root { color-scheme: light dark; --page: #fff; --ink: #1c2430; --soft: #5b6675; --box: #eef3fb; --border: #7d92b5;
  --rule: #d9dfe8; --lit: #b3470b; --lit-box: #fdeadb;
  --c0: #4a6fa5; --c1: #a0522d; --c2: #3d7f5f; --c3: #86569b; --c4: #8a7420; --c5: #a34a68; }
@media screen and (prefers-color-scheme: dark) { :root:not([data-theme="light"]) { DARK } }
@media screen { :root[data-theme="dark"] { color-scheme: dark; DARK } }
:root[data-theme="light"] { color-scheme: light; }
body { margin: 0 auto; max-width: 1400px; padding: 1rem 1.5rem 3rem; background: var(--page); color: var(--ink);
  font: 16px/1.5 system-ui, "Noto Sans CJK SC", "Microsoft YaHei", sans-serif; }
h1 { margin: 0.3rem 0; font-size: 1.5rem; } h2 { margin: 2rem 0 0.5rem; font-size: 1.2rem; }
h3 { margin: 1.2rem 0 0; font-size: 1rem; }
p { margin: 0.3rem 0; max-width: 75ch; } .soft, cite { color: var(--soft); font-style: normal; font-size: 0.9rem; }
a { color: inherit; } .picture { overflow-x: auto; }
svg { display: block; margin: 1rem auto; max-width: 100%; height: auto; }
.c0 { --own: var(--c0); } .c1 { --own: var(--c1); } .c2 { --own: var(--c2); } .c3 { --own: var(--c3); }
.c4 { --own: var(--c4); } .c5 { --own: var(--c5); }
rect { fill: var(--box); stroke: var(--own); stroke-width: 1.3; }
svg text { fill: var(--ink); font-size: 14px; text-anchor: middle; dominant-baseline: central; }
.box { text-decoration: none; outline: none; cursor: pointer; }
.arrow { fill: none; stroke: var(--own); marker-end: url(#tip); }
#tip path { fill: var(--soft); fill: context-stroke; }
.picked .box { opacity: 0.3; } .picked .arrow { opacity: 0.1; } .picked .box.lit, .picked .arrow.lit { opacity: 1; }
.lit rect { fill: var(--lit-box); stroke: var(--lit); } .arrow.lit { stroke: var(--lit); }
.box:hover rect, .box:focus-visible rect { stroke-width: 3; }
.alone { display: flex; flex-wrap: wrap; gap: 0.5rem; padding: 0; list-style: none; }
.alone a { display: block; padding: 0.25rem 0.7rem; border: 1px dashed var(--border); border-radius: 7px;
  text-decoration: none; font-size: 14px; }
.concepts { padding: 0; list-style: none; }
.concepts > li { border-top: 1px solid var(--rule); padding-bottom: 0.8rem; }
.concepts > li:target { background: var(--lit-box); } blockquote { margin: 0.2rem 0 0.2rem 1rem; max-width: 75ch; }
@page { size: landscape; margin: 12mm; }
@media print { .hint { display: none; } svg { min-width: 0 !important; max-height: 85vh; }
  body { max-width: none; padding: 0; } .concepts > li { break-inside: avoid; } }
""".replace("DARK", _DARK)
_SCRIPT = """
const picture = document.querySelector("svg");
function light(box) {
  const keys = new Set(box ? [box.dataset.key, ...box.dataset.before.split(" ")] : []);
  picture.classList.toggle("picked", Boolean(box));
  for (const one of picture.querySelectorAll(".box")) one.classList.toggle("lit", keys.has(one.dataset.key));
  for (const one of picture.querySelectorAll(".arrow"))
    if (one.classList.toggle("lit", keys.has(one.dataset.from) && keys.has(one.dataset.to))) one.parentNode.append(one);
}
const first = picture?.querySelector(".box")?.getBoundingClientRect();
if (first) picture.parentElement.scrollLeft = first.x + first.width / 2 - innerWidth / 2;
if (picture) for (const box of picture.querySelectorAll(".box")) {
  for (const event of ["mouseenter", "focus"]) box.addEventListener(event, () => light(box));
  for (const event of ["mouseleave", "blur"]) box.addEventListener(event, () => light(null));
}
"""


@dataclass(frozen=True)
class MapPhrases:
    """What the page says in one language."""

    picture: str
    shown: str
    hint: str
    alone: str
    details: str
    first: str
    none: str
    probability: str
    follows: str
    undefined: str
    spoken_of: str
    page: str


_PHRASES: Mapping[Lang, MapPhrases] = {
    "en": MapPhrases(
        picture="Concept map: a concept stands below those that should be known before it",
        shown="{shown} of {known} concepts; prerequisites among them: {edges}. What stands above comes first.",
        hint="Point at a concept, or reach it with the Tab key, to see all that comes before it. Enter opens it.",
        alone="Not connected to the others by a known prerequisite: {count}",
        details="Concepts with their prerequisites and the evidence",
        first="First:",
        none="Nothing shown here comes before it.",
        probability="probability {value}",
        follows="not drawn: weaker than others, or follows from them",
        undefined="No definition found.",
        spoken_of="Spoken of in {where}.",
        page="page {number}",
    ),
    "zh": MapPhrases(
        picture="概念图：先修概念在上，后续概念在下",
        shown="共 {known} 个概念，图中为其中 {shown} 个及 {edges} 条先修关系。先学上方的概念，再学下方的概念。",
        hint="将鼠标移到某个概念上，或用 Tab 键选中，可以看到它的全部先修概念；按回车键查看详情。",
        alone="与其他概念之间没有已知先修关系：{count} 个",
        details="各概念的先修关系与依据",
        first="先学：",
        none="图中没有它的先修概念。",
        probability="概率 {value}",
        follows="图中未画出：较弱，或可由其他箭头推出",
        undefined="未找到定义。",
        spoken_of="见 {where}。",
        page="第 {number} 页",
    ),
}


def phrases(lang: Lang) -> MapPhrases:
    return _PHRASES[lang]


def in_colours(page: str, theme: str) -> str:
    """The page in the colours that a reader has chosen: `light` or `dark`; `auto` leaves it to the browser."""
    return page.replace("<html ", f'<html data-theme="{theme}" ', 1)


def page(
    *,
    title: str,
    lang: Lang,
    picture: str,
    concepts: Sequence[Concept],
    edges: Sequence[Prerequisite],
    arrows: Container[Edge],
    alone: Sequence[Concept],
    known: int,
    names: Mapping[str, str],
) -> str:
    """The whole page; `known` is how many concepts the course has, `concepts` are those shown, in teaching order,
    `names` what its lectures are called, by id."""
    words = phrases(lang)
    numbers = {concept.concept_id: number for number, concept in enumerate(concepts)}
    shown = words.shown.format(shown=len(concepts), known=known, edges=len(edges))
    items = "\n".join(_concept(concept, edges, arrows, numbers, lang, names) for concept in concepts)
    hint = f'<p class="soft hint">{words.hint}</p>\n<div class="picture">{picture}</div>' if picture else ""
    return f"""<!doctype html>
<html lang="{lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title)}</title>
<style>{_STYLE}</style>
</head>
<body>
<h1>{escape(title)}</h1>
<p>{shown}</p>
{hint}
{_alone(alone, numbers, lang, names)}
<h2>{words.details}</h2>
<ol class="concepts">
{items}
</ol>
<script>{_SCRIPT}</script>
</body>
</html>
"""


def definition_line(concept: Concept, lang: Lang, names: Mapping[str, str]) -> str:
    """The definition and where it stands, on one line of text; empty when there is none."""
    if not concept.definition:
        return ""
    at = concept.definition_locator
    if at is None:
        return concept.definition
    span = Span(at.video_id, at.start_ms, at.end_ms, "", at.document, at.page, at.article)
    where = _where(span, lang, names, at.video_title) or at.url
    return f"{concept.definition} ({where})" if where else concept.definition


def _alone(concepts: Sequence[Concept], numbers: Mapping[str, int], lang: Lang, names: Mapping[str, str]) -> str:
    if not concepts:
        return ""
    links = "\n".join(
        f'<li><a href="#concept-{numbers[concept.concept_id]}" title="{escape(definition_line(concept, lang, names))}">'
        f"{escape(concept.name)}</a></li>"
        for concept in concepts
    )
    heading = phrases(lang).alone.format(count=len(concepts))
    return f'<h2>{heading}</h2>\n<ul class="alone">\n{links}\n</ul>'


def _concept(
    concept: Concept,
    edges: Sequence[Prerequisite],
    arrows: Container[Edge],
    numbers: Mapping[str, int],
    lang: Lang,
    names: Mapping[str, str],
) -> str:
    words = phrases(lang)
    own = sorted(
        (e for e in edges if e.concept_id == concept.concept_id), key=lambda e: (-e.probability, e.prerequisite)
    )
    before = "\n".join(_edge(edge, arrows, numbers, lang, names) for edge in own)
    needs = f"<p>{words.first}</p>\n<ul>\n{before}\n</ul>" if own else f'<p class="soft">{words.none}</p>'
    introduced = f'<span class="soft">{escape(_introduction(concept, lang, names))}</span>'
    defined = escape(definition_line(concept, lang, names)) or introduced
    number = numbers[concept.concept_id]
    return f'<li id="concept-{number}"><h3>{escape(concept.name)}</h3>\n<p>{defined}</p>\n{needs}</li>'


def _introduction(concept: Concept, lang: Lang, names: Mapping[str, str]) -> str:
    """Where a concept without a definition to show is spoken of."""
    words = phrases(lang)
    where = next((_where(span, lang, names) for span in concept.evidence), "")
    return words.spoken_of.format(where=where) if where else words.undefined


def _edge(
    edge: Prerequisite, arrows: Container[Edge], numbers: Mapping[str, int], lang: Lang, names: Mapping[str, str]
) -> str:
    words = phrases(lang)
    notes = [words.probability.format(value=f"{edge.probability:.2f}")]
    if (edge.prerequisite_id, edge.concept_id) not in arrows:
        notes.append(words.follows)
    quotes = "".join(_quote(span, lang, names) for span in edge.evidence)
    link = f'<a href="#concept-{numbers[edge.prerequisite_id]}">{escape(edge.prerequisite)}</a>'
    return f'<li>{link} <span class="soft">({"; ".join(notes)})</span>{quotes}</li>'


def _quote(span: Span, lang: Lang, names: Mapping[str, str]) -> str:
    text = span.text if len(span.text) <= _LONGEST_QUOTE else span.text[: _LONGEST_QUOTE - 1] + "…"
    return f"<blockquote>{escape(text)} <cite>{escape(_where(span, lang, names))}</cite></blockquote>"


def _where(span: Span, lang: Lang, names: Mapping[str, str], title: str | None = None) -> str:
    """`03:12–03:20, Stacks`, or `notes.pdf, page 4, 5.1`."""
    if span.video_id is not None:
        times = [time_code(at) for at in (span.start_ms, span.end_ms) if at is not None]
        name = names.get(span.video_id) or title or title_of(span.video_id)
        return ", ".join(filter(None, ("–".join(dict.fromkeys(times)), name)))
    number = phrases(lang).page.format(number=span.page) if span.page is not None else None
    return ", ".join(filter(None, (span.document, number, span.article)))
