"""What a page makes of texts, without a browser: Markdown, formulas, labels, cards."""

from dataclasses import replace

import pytest

from knowledge_graph.lake.records import Lang
from serving.assistant.composing.wording import wording
from serving.assistant.generation.phrases import phrases
from serving.pages.chat_cards import cards, is_here, kind_of
from serving.pages.chat_start import choose, mode_of, taking_turns
from serving.pages.chat_turn import ShownTurn, answer_html, question_html
from serving.pages.formulas import formula
from serving.pages.markdown import render_markdown
from serving.pages.preferences import choose_lang, choose_theme
from serving.pages.provenance import further_notice, label_of, parts_of
from serving.pages.words import words

SAY = words("chat", "en")


def test_a_mark_leads_to_its_card_and_one_without_a_card_stays_text() -> None:
    html = render_markdown("Last in [1], and more [2].", cards={1: "ref-a-1"})
    assert html == '<p>Last in <a class="cite" href="#ref-a-1">1</a>, and more [2].</p>\n'


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "![picture](http://example.org/x.png)",
        "[here](javascript:alert(1))",
        "[there](http://example.org/)",
        "[there](//example.org/)",
        "<http://example.org/>",
        r"$\text{<img src=x onerror=alert(1)>}$",
        r"$\href{javascript:alert(1)}{x}$",
        r"$\includegraphics{http://example.org/x.png}$",
    ],
)
def test_nothing_that_is_written_becomes_a_script_an_image_or_a_link_elsewhere(text: str) -> None:
    html = render_markdown(text)
    assert not any(found in html for found in ("<script", "<img", "href=", 'src="', "<iframe", "<style"))


def test_links_of_this_host_and_of_references_open_in_a_tab_of_their_own() -> None:
    html = render_markdown("[a](/courses/ds/map) [b](https://example.org/s)", allowed=["https://example.org/s"])
    assert html.count('target="_blank" rel="noopener noreferrer"') == 2


@pytest.mark.parametrize("text", ["$x^2$", r"\(x^2\)", "$$x^2$$", r"\[x^2\]", "so $x^2$, and"])
def test_formulas_become_mathml(text: str) -> None:
    assert "<msup><mi>x</mi><mn>2</mn></msup>" in render_markdown(text)


@pytest.mark.parametrize("text", ["It costs $5 and $6.", "a $ b $ c", "`$x$`", "```\n$x$\n```"])
def test_money_and_code_are_no_formulas(text: str) -> None:
    assert "<math" not in render_markdown(text)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_an_answer_that_was_not_kept_says_so(lang: Lang) -> None:
    say = words("chat", lang)
    kept = ShownTurn("t", "What is a stack?", "Last in, first out.")
    assert say("not_kept") in answer_html(replace(kept, is_kept=False), say)
    assert say("not_kept") not in answer_html(kept, say)


def test_a_formula_that_cannot_be_read_is_shown_as_it_is_written() -> None:
    assert formula(r"\text{<b>x</b>}") == r"<code>\text{&lt;b&gt;x&lt;/b&gt;}</code>"
    assert formula("x" * 3000).startswith("<code>xxx")


def test_code_is_coloured_by_its_language() -> None:
    assert '<span class="k">def</span>' in render_markdown("```python\ndef f(): pass\n```")
    assert render_markdown("```nonsense\n<b>\n```") == '<pre><code class="language-nonsense">&lt;b&gt;\n</code></pre>\n'


def test_a_line_after_a_list_is_not_part_of_its_last_item() -> None:
    assert render_markdown("- one\n- two\nthree").endswith("</ul>\n<p>three</p>\n")
    assert render_markdown("```\n- one\ntwo\n```") == "<pre><code>- one\ntwo\n</code></pre>\n"


@pytest.mark.parametrize(
    ("shown", "kind", "told"),
    [
        ({"route": "direct", "source": "faq", "reviewer": "Ada"}, "reviewed", "From the FAQ, reviewed by Ada"),
        ({"route": "direct", "source": "faq", "reviewer": None}, "source", "From the FAQ"),
        ({"route": "direct", "source": "concept"}, "source", "From the course"),
        ({"route": "teach"}, "ai", "Written by AI from the course material"),
        ({"route": "teach", "degraded": True}, "material", "Put together from the course material"),
        (
            {"route": "teach", "coverage": "full", "kind": "plan"},
            "source",
            "From the catalogue and its schedule",
        ),
        ({"route": "teach", "coverage": "partial", "kind": "why"}, "source", "From the course material"),
        ({"route": "chat", "timings": {"first_token_ms": 9.0}}, "ai", "Written by AI"),
    ],
)
def test_an_answer_is_labelled_by_where_it_comes_from(shown: dict[str, object], kind: str, told: str) -> None:
    label = label_of(shown)
    assert (label.kind, SAY(label.key, reviewer=label.reviewer)) == (kind, told)


@pytest.mark.parametrize("route", ["clarify", "refuse", "ask_ta", "chat"])
def test_our_own_sentences_carry_no_label(route: str) -> None:
    assert label_of({"route": route}).kind == "none"


def test_what_is_asked_back_carries_no_label() -> None:
    assert label_of({"route": "clarify", "coverage": "none", "kind": "plan"}).kind == "none"


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_an_explanation_that_a_model_wrote_is_labelled_apart_from_its_answer(lang: str) -> None:
    heading = phrases("zh" if lang == "zh" else "en").explained_by_ai
    parts = parts_of(f"Sunday.\n\n{heading}\nBecause.", {"route": "direct", "source": "faq", "reviewer": "Ada"})
    assert [(one.label.kind, one.text) for one in parts] == [("reviewed", "Sunday."), ("ai", "Because.")]


def test_what_a_model_began_is_labelled_apart_from_the_material_behind_it() -> None:
    text = f"Half a thought {phrases('en').cut_off} The material."
    parts = parts_of(text, {"route": "teach", "degraded": True})
    assert [(one.label.key, one.text[:4]) for one in parts] == [("begun_by_ai", "Half"), ("from_material", "(The")]


def test_a_notice_is_shown_only_for_what_the_label_does_not_say() -> None:
    said = phrases("en")
    assert further_notice({"notice": said.reviewed_by.format(reviewer="Ada"), "reviewer": "Ada"}) == ""
    assert further_notice({"notice": f"{said.generated} No references for you."}) == "No references for you."


def test_an_answer_has_three_parts_under_labels_of_their_own() -> None:
    text = f"Sunday.\n\n{phrases('en').explained_by_ai}\nBecause."
    reference = {"number": 1, "label": "FAQ: When?", "title": "When?", "source": "faq", "url": "/courses/ds/faq/1"}
    shown = {"route": "direct", "source": "faq", "reviewer": "Ada", "references": [reference]}
    html = answer_html(ShownTurn("t", "When?", text, shown=shown), SAY)
    places = [html.index(told) for told in ("reviewed by Ada", "Explanation written by AI", "Where this is found")]
    assert places == sorted(places)


def test_a_question_is_plain_text() -> None:
    assert "&lt;b&gt;*bold*&lt;/b&gt;" in question_html("<b>*bold*</b>", SAY)


def test_cards_of_this_host_open_beside_and_those_of_the_web_in_a_new_tab() -> None:
    here = {"number": 1, "label": "Stacks", "title": "Stacks", "locator": {"video_id": "1"}, "url": "/courses/ds/v?t=1"}
    web = {"number": 2, "label": "Web", "title": "<b>", "locator": {"url": "https://x.org"}, "url": "https://x.org"}
    bad = {"number": 3, "label": "Bad", "title": "", "url": "javascript:alert(1)"}
    html = cards("t", [here, web, bad], SAY, heading="References")
    assert 'href="/courses/ds/v?t=1" data-panel="Stacks"' in html
    assert 'href="https://x.org" target="_blank" rel="noopener noreferrer"' in html
    assert "javascript:" not in html
    assert "&lt;b&gt;" in html


def test_what_a_card_opens_is_told_by_its_locator() -> None:
    assert [
        kind_of(one) for one in ({"locator": {"video_id": "1"}}, {"source": "faq"}, {"locator": {"document": "d"}})
    ] == [
        "video",
        "faq",
        "document",
    ]


@pytest.mark.parametrize(
    ("address", "here"), [("/courses/x", True), ("//x", False), ("/\\x", False), ("http://x", False)]
)
def test_only_paths_are_of_this_host(address: str, here: bool) -> None:
    assert is_here(address) is here


def test_examples_take_turns() -> None:
    assert taking_turns([["a", "b"], [], ["c", "a", "d"]], 3) == ("a", "c", "b")


def test_the_course_is_the_first_that_is_wanted_and_open() -> None:
    from knowledge_graph.lake.records import CourseCard

    courses = [CourseCard("ds", "Data structures", "en"), CourseCard("zh", "数据结构", "zh")]
    assert choose(courses, [None, "secret", "zh"], all_at_once=True) == "zh"
    assert choose(courses, [None], all_at_once=True) is None
    assert choose(courses, [None], all_at_once=False) == "ds"
    assert choose(courses[:1], [], all_at_once=True) == "ds"


def test_an_expert_is_asked_only_where_there_is_a_catalogue() -> None:
    assert [mode_of("class", has_catalogue=True), mode_of("class", has_catalogue=False)] == ["class", None]
    assert mode_of("<script>", has_catalogue=True) is None


@pytest.mark.parametrize(
    ("cookie", "accepted", "lang"),
    [
        ("zh", "en", "zh"),
        ("xx", "zh-CN,zh;q=0.9,en;q=0.8", "zh"),
        ("", "fr, en;q=0.3, zh;q=0.7", "zh"),
        ("", "zh;q=0", "en"),
        ("", "en;q=oops", "en"),
        ("", "", "en"),
    ],
)
def test_the_language_is_the_one_chosen_else_the_browsers(cookie: str, accepted: str, lang: str) -> None:
    assert choose_lang({"coteach_lang": cookie}, accepted) == lang


def test_colours_that_are_none_of_ours_follow_the_device() -> None:
    assert [choose_theme({"coteach_theme": one}) for one in ("dark", "light", "pink")] == ["dark", "light", "auto"]


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_what_is_only_near_is_folded_under_its_lead(lang: Lang) -> None:
    said = wording(lang)
    html = render_markdown(
        f"The answer.\n\n{said.nearby}\n\nA passage. [2]\n\nAnother.\n\n{said.hand_off}", cards={2: "card"}
    )
    above, folded = html.split('<details class="nearby">')
    folded, below = folded.split("</details>")
    assert "The answer." in above
    assert folded.startswith(f"<summary>{said.nearby.rstrip(':：')}</summary>")
    assert all(text in folded for text in ("A passage.", "Another.", 'href="#card"'))
    assert said.hand_off in below


def test_each_part_of_a_message_has_a_fold_of_its_own() -> None:
    said = wording("en")
    html = render_markdown(f"**1. One?**\n\nYes.\n\n{said.nearby}\n\nA.\n\n**2. Two?**\n\nNo.\n\n{said.nearby}\n\nB.")
    assert html.count("<details") == html.count("</details>") == 2
    assert html.index("</details>") < html.index("2. Two?")


FIRST, LONG, SHORT = (
    f"{name} {'goes on ' * times}[{at}]" for at, name, times in ((1, "A", 90), (2, "B", 90), (3, "C", 9))
)


def test_a_long_quote_behind_the_first_can_be_read_on() -> None:
    html = render_markdown("\n\n".join((FIRST, LONG, SHORT)), cards={1: "a", 2: "b", 3: "c"}, read_on="Read on")
    assert html.count('<div class="quote">') == html.count("Read on") == 1
    above, quote = html.split('<div class="quote">')
    quote, below = quote.split("</div>")
    assert "A goes on" in above
    assert "C goes on" in below
    assert quote.startswith("<p>B goes on")
    assert quote.endswith('<a class="cite" href="#b">2</a></p>')


@pytest.mark.parametrize(
    "text",
    [
        f"{FIRST}\n\n{LONG.removesuffix(' [2]')}",
        f"**1. One?**\n\n{FIRST}\n\n**2. Two?**\n\n{LONG}",
        f"{FIRST}\n\n{wording('en').nearby}\n\n{LONG}",
    ],
)
def test_what_is_no_further_quote_of_an_answer_is_whole(text: str) -> None:
    assert "quote" not in render_markdown(text, cards={1: "a", 2: "b"}, read_on="Read on")


@pytest.mark.parametrize(
    ("route", "coverage", "is_long"), [("teach", "partial", True), ("direct", "full", False), ("teach", None, False)]
)
def test_only_what_is_composed_of_quotes_can_be_read_on(route: str, coverage: str | None, *, is_long: bool) -> None:
    references = [{"number": one, "title": "T", "source": "subtitle", "label": "T"} for one in (1, 2)]
    shown = {"route": route, "coverage": coverage, "references": references}
    html = answer_html(ShownTurn("t", "q", f"{FIRST}\n\n{LONG}", shown=shown), SAY)
    assert ('class="quote"' in html) is is_long
