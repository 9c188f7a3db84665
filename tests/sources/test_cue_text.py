"""What is said stays, what is not said goes."""

import pytest

from knowledge_graph.sources.cue_text import clean, join


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (["<i>A tree</i> has <font color='#fff'>nodes</font>."], "A tree has nodes."),
        ([r"{\an8}A tree"], "A tree"),
        (["<v Ann Lee>A tree"], "A tree"),
        (["A <00:00:01.500><c.yellow>tree</c>"], "A tree"),
        (["AT&amp;T &lt;3 &#39;x&#39;"], "AT&T <3 'x'"),
        (["if x < y and y > z"], "if x < y and y > z"),
        (["X<u>transpose X</u>"], "X transpose X"),
        (["n,,0,0,0,,线性组合"], "线性组合"),
        (["训\u200b练\x07样本"], "训练样本"),
        ([">> So what is a tree?"], "So what is a tree?"),
        (["A tree", "has nodes."], "A tree has nodes."),
        (["树有结点，", "也有边"], "树有结点，也有边"),
        (["学习", "machine learning", "的人"], "学习 machine learning 的人"),
        (["[MUSIC] Welcome back."], "Welcome back."),
        (["［音乐］大家好"], "大家好"),
        (["♪ Trees ♪"], "Trees"),
        (["矩阵 A[i] (end)"], "矩阵 A[i] (end)"),
        (["欢迎 (字幕翻译：某大学 某某,a@example.com )"], "欢迎"),
        (["异常情况 【某某字幕组】翻译：甲 校对：乙"], "异常情况"),
        (["(字幕修改合并：某大学 某某", "a@example.com )", "大家好"], "大家好"),
        (["翻译: 甲", "大家好"], "大家好"),
        (["So write to ann@example.com"], "So write to ann@example.com"),
        (["Translated by the compiler into code"], "Translated by the compiler into code"),
        (["把高级语言翻译成机器码"], "把高级语言翻译成机器码"),
        (["这里应为加 校对者注"], "这里应为加 校对者注"),
    ],
)
def test_the_words_of_a_cue(raw: list[str], text: str) -> None:
    assert join(clean(raw).lines) == text


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (["", "  "], "empty"),
        (["<i></i>"], "empty"),
        (["[Music]"], "marker"),
        (["（掌声）"], "marker"),
        (["♪♪"], "marker"),
        (["字幕：某某字幕组"], "credit"),
        (["Subtitles by Ann Lee"], "credit"),
        (["Captioned by: Ann", "www.opensubtitles.org"], "credit"),
    ],
)
def test_why_a_cue_was_dropped(raw: list[str], reason: str) -> None:
    assert clean(raw).dropped == reason


def test_entities_escaped_twice_are_undone_but_not_those_a_lecture_shows() -> None:
    assert clean(["It&amp;#39;s &amp;quot;a&amp;quot; &amp;amp; b"]).lines == ('It\'s "a" & b',)
    assert clean(["write &amp;lt;p&amp;gt; for &lt;p&gt;"]).lines == ("write &lt;p&gt; for <p>",)
