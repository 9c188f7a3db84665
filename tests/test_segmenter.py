"""Chinese words, and who never pays for them."""

import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from knowledge_graph.text.segmenter import chinese_segmenter, chinese_word_class, stands_as_words


def test_chinese_is_cut_into_words_and_nothing_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    chinese_segmenter.cache_clear()
    segmenter = chinese_segmenter()
    assert list(segmenter.cut("队列是先进先出的线性表")) == ["队列", "是", "先进先出", "的", "线性表"]
    assert "线性" in segmenter.cut_for_search("线性表")
    assert list(tmp_path.iterdir()) == []


def test_the_dictionary_says_what_a_word_is() -> None:
    assert chinese_word_class("希尔").startswith("n")
    assert chinese_word_class("搞懂") == "v"
    assert chinese_word_class("基数排序")
    assert chinese_word_class("希尔排序") == ""
    assert chinese_word_class("") == ""


def test_nothing_that_answers_loads_the_chinese_dictionary_before_it_is_needed() -> None:
    code = "import sys, serving.assistant.assistant, serving.gateway.app; print('jieba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "False"


@pytest.mark.parametrize(
    ("text", "stands"),
    [("我们讲快排算法", True), ("可以更快排序了", False), ("更快排序以后再讲快排", True), ("快排", True), ("", False)],
)
def test_a_name_stands_in_a_text_as_words_of_it(text: str, stands: bool) -> None:
    assert stands_as_words(text, "快排") is stands


def test_a_name_of_one_character_stands_where_it_is_in_no_longer_word() -> None:
    assert stands_as_words("栈有什么用", "栈")
    assert not stands_as_words("一大堆东西", "堆")
    assert not stands_as_words("看一张地图", "图")
