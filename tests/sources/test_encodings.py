"""Bytes as lecture files really come, and the text a person would read in them."""

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge_graph.sources.encodings import decode, decode_name


@pytest.mark.parametrize(
    ("text", "written_as", "read_as"),
    [
        ("A tree has nodes.", "utf-8", "utf-8"),
        ("A tree has nodes.", "utf-8-sig", "utf-8"),
        ("A tree 树", "utf-16", "utf-16-le"),
        ("A tree 树", "utf-32", "utf-32-le"),
        ("1\n00:00:01,000 --> 00:00:02,000\n二叉树\n", "utf-16-le", "utf-16-le"),
        ("1\n00:00:01,000 --> 00:00:02,000\n二叉树\n", "utf-16-be", "utf-16-be"),
        ("好", "gbk", "gb18030"),
        ("链表", "gbk", "gb18030"),
        ("第一讲 为什么需要数据结构？", "gbk", "gb18030"),
        ("同时", "gbk", "gb18030"),
        ("資料結構與演算法，今天我們來學習", "gbk", "gb18030"),
        ("資料結構與演算法，今天我們來學習", "big5", "big5"),
        ("“Don’t panic” — it’s only a tree", "cp1252", "cp1252"),
        ("a naïve search", "cp1252", "cp1252"),
        ("été créée à Paris", "cp1252", "cp1252"),
        ("θ is the angle", "utf-8", "utf-8"),
    ],
)
def test_text_comes_back_as_it_was_written(text: str, written_as: str, read_as: str) -> None:
    decoded = decode(text.encode(written_as))
    assert (decoded.text, decoded.encoding, decoded.defect) == (text, read_as, None)


def test_a_gbk_file_with_english_lines_is_chinese() -> None:
    text = "Hello and welcome to the course.\n大家好，欢迎来到数据结构课程。\n" * 20
    assert decode(text.encode("gbk")).text == text


def test_a_character_cut_in_half_at_the_end_does_not_change_the_encoding() -> None:
    decoded = decode("数据结构与算法".encode()[:-1])
    assert decoded.encoding == "utf-8"
    assert decoded.text.startswith("数据结构与算")
    assert decoded.defect == "1 place(s) are not valid utf-8; each was replaced by \N{REPLACEMENT CHARACTER}."


def test_an_odd_number_of_utf16_bytes_is_told_and_the_rest_read() -> None:
    decoded = decode("tree 树".encode("utf-16")[:-1])
    assert decoded.text.startswith("tree ")
    assert decoded.defect is not None


def test_mojibake_is_mended_and_said_so() -> None:
    decoded = decode("It’s a tree, “naïve”".encode().decode("cp1252", errors="replace").encode())
    assert decoded.text.startswith("It’s a tree, “naïve")
    assert decoded.is_repaired


def test_chinese_mojibake_is_mended() -> None:
    assert decode("数据结构".encode().decode("latin-1").encode()).text == "数据结构"


def test_formulas_and_accents_are_not_taken_for_mojibake() -> None:
    text = "Â is a matrix, θ₁ ≤ 3 × 10², naïve"
    assert decode(text.encode()).text == text


@pytest.mark.parametrize(
    "words",
    [
        "Les étudiants qui échouent à l'examen doivent être réinscrits « à temps ».",
        "Prüfungsordnung für Größen über 10 °C; Straße, Äpfel",
        "¿Cómo está usted? ¡Muy bien, señor! Él habló.",
        "The fee is 30 £ © 2020",
    ],
)
def test_a_page_in_latin1_that_says_it_is_utf8_is_read_as_written(words: str) -> None:
    page = f'<html><head><meta charset="utf-8"></head><body><p>{words}</p></body></html>'
    decoded = decode(page.encode("latin-1"))
    assert (decoded.text, decoded.encoding, decoded.defect) == (page, "cp1252", None)


def test_one_stray_byte_does_not_make_a_french_page_cyrillic() -> None:
    decoded = decode("Les élèves de l'école ont été reçus à l'examen. ".encode("latin-1") * 5 + b"\x81")
    assert decoded.text.startswith("Les élèves de l'école")
    assert decoded.defect == "1 place(s) are not valid cp1252; each was replaced by \N{REPLACEMENT CHARACTER}."


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        (b"week 1/01.srt", "week 1/01.srt"),
        ("第一讲.srt".encode(), "第一讲.srt"),
        ("第一讲 二叉树.srt".encode("gbk"), "第一讲 二叉树.srt"),
        ("été.srt".encode("latin-1"), "été.srt"),
        (b"\xff\xfe\xff.srt", "\\xff\\xfe\\xff.srt"),
    ],
)
def test_a_file_name_is_shown_in_whole_characters(name: bytes, shown: str) -> None:
    assert decode_name(os.fsdecode(name)) == shown


@given(st.binary(max_size=60).filter(lambda name: b"\0" not in name))
def test_any_file_name_can_be_stored_and_printed(name: bytes) -> None:
    assert decode_name(os.fsdecode(name)).encode("utf-8") is not None


@given(st.binary(max_size=200))
def test_no_bytes_make_it_raise(data: bytes) -> None:
    decoded = decode(data)
    assert isinstance(decoded.text, str)
    assert decode(data) == decoded
