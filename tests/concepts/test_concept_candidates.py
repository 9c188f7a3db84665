"""The grammar of terms, counted on sentences tagged by hand."""

from dataclasses import replace

from knowledge_graph.concepts.candidate import TermCandidate, unpack_spots
from knowledge_graph.concepts.candidates import word_use
from knowledge_graph.concepts.counting import DOCUMENT_BLOCK, blocks_of
from knowledge_graph.concepts.counting import collect as count
from knowledge_graph.concepts.tagging import TaggedSentence
from knowledge_graph.lake.records import Lang
from knowledge_graph.text.sentences import LectureSpan


def tagged(line: str, *, video: int = 0, lang: Lang = "en") -> TaggedSentence:
    """From `word/TAG word/TAG`; words are joined by a space in English, by nothing in Chinese."""
    pairs = [item.rsplit("/", 1) for item in line.split(" ")]
    words = tuple(word for word, _ in pairs)
    glue = " " if lang == "en" else ""
    starts, at = [], 0
    for word in words:
        starts.append(at)
        at += len(word) + len(glue)
    sentence = LectureSpan(f"v{video}", "", video, lang, 0, 1, glue.join(words))
    return TaggedSentence(sentence, words, tuple(tag for _, tag in pairs), tuple(starts))


def collect(items: list[TaggedSentence], min_count: int) -> dict[str, TermCandidate]:
    return count(items, word_use(items), min_count, blocks=blocks_of(items))


def counts(*lines: str, lang: Lang = "en") -> dict[str, int]:
    return {c.normal: c.count for c in collect([tagged(line, lang=lang) for line in lines], 1).values()}


def test_a_noun_phrase_gives_itself_and_its_parts_that_end_in_a_noun() -> None:
    assert counts("a/DT balanced/JJ binary/JJ tree/NN") == {"balanced binary tree": 1, "binary tree": 1, "tree": 1}


def test_a_noun_sequence_gives_every_part_up_to_four_words() -> None:
    found = counts("hash/NN map/NN bucket/NN array/NN layout/NN")
    assert "hash map bucket array" in found
    assert "hash map bucket array layout" not in found


def test_plural_case_and_hyphen_are_one_candidate() -> None:
    found = counts("Priority/NN queues/NNS", "a/DT priority/NN queue/NN", "the/DT priority-queue/NN")
    assert found["priority queue"] == 3


def test_words_of_every_lecture_are_no_part_of_a_term() -> None:
    assert counts("next/JJ video/NN", "the/DT same/JJ heap/NN") == {"heap": 1}


def test_a_gerund_is_a_noun_where_the_course_uses_it_as_one() -> None:
    assert "hashing" in counts("hashing/VBG", "hashing/NN")
    assert "using" not in counts("using/VBG heaps/NNS")


def test_a_number_in_words_is_no_part_of_a_term() -> None:
    found = counts("ninety-five/JJ percent/NN", "nought/NN point/NN", "thirty-five/CD tribes/NNS", "twenty-fifth/NN")
    assert found == {"percent": 1, "point": 1, "tribe": 1}
    assert "two phase commit" in counts("two-phase/JJ commit/NN")
    assert "zero vector" in counts("the/DT zero/JJ vector/NN")


def test_a_dot_of_code_read_aloud_is_no_part_of_a_term() -> None:
    assert counts("t/NN dot/NN test/NN", "prop/NN dot/NN test/NN") == {"prop": 1, "test": 2}
    assert counts("the/DT dot/NN product/NN")["dot product"] == 1


def test_a_title_without_a_name_is_no_term() -> None:
    found = counts("Lord/NNP Justice/NNP Bow/NNP", "Mr/NNP Justice/NNP said/VBD")
    assert "lord justice bow" in found
    assert not {"lord justice", "mr justice"} & found.keys()


def test_what_follows_a_number_is_counted() -> None:
    found = collect([tagged("seven/CD kilometres/NNS of/IN road/NN"), tagged("kilometres/NNS of/IN road/NN")], 1)
    assert (found["en:kilometre"].counted, found["en:road"].counted) == (1, 0)


def test_a_possessive_joins_two_nouns() -> None:
    assert "dijkstra 's algorithm" in counts("Dijkstra/NNP 's/POS algorithm/NN")


def test_chinese_terms_are_noun_sequences_of_two_to_ten_characters() -> None:
    found = counts("二叉/n 搜索/v 树/n 的/uj 结点/n", lang="zh")
    assert "二叉搜索树" in found
    assert "树" not in found


def test_a_participle_belongs_to_a_name_where_it_stands_between_article_and_noun() -> None:
    named = ["a/DT spanning/VBG tree/NN", "the/DT spanning/VBG tree/NN"]
    assert counts(*named)["spanning tree"] == 2
    assert "computing tree" not in counts("we/PRP are/VBP computing/VBG trees/NNS", *named)


def test_what_points_at_one_thing_is_no_chinese_term() -> None:
    assert counts("该/n 算法/n", "一棵/n 树/n", "数组/n 中/n", lang="zh") == {"算法": 1, "数组": 1}


def test_program_code_in_a_chinese_text_gives_no_terms() -> None:
    assert counts("Console/eng WriteLine/eng 输出/v Array/eng", lang="zh") == {}


def test_chinese_function_words_break_a_term() -> None:
    assert counts("这个/r 东西/n 是/v 链表/n", lang="zh") == {"链表": 1}


def test_rare_candidates_are_dropped() -> None:
    assert set(collect([tagged("heap/NN"), tagged("heap/NN queue/NN")], 2)) == {"en:heap"}


def test_nesting_is_counted_over_different_longer_candidates() -> None:
    lines = ["binary/JJ tree/NN"] * 3 + ["search/NN tree/NN"] * 2 + ["tree/NN"] * 4
    tree: TermCandidate = collect([tagged(line) for line in lines], 1)["en:tree"]
    assert (tree.count, tree.containers, tree.nested_count, tree.largest_container) == (9, 2, 5, 3)


def test_a_read_out_list_of_nouns_is_no_term() -> None:
    assert counts(" ".join(["node/NN"] * 50)) == {}


def test_a_whole_noun_phrase_is_told_from_a_part_of_one() -> None:
    found = collect([tagged("a/DT binary/JJ tree/NN"), tagged("a/DT tree/NN")], 1)
    assert (found["en:tree"].count, found["en:tree"].alone) == (2, 1)
    assert found["en:binary tree"].alone == 1


def test_wording_that_names_a_term_is_counted() -> None:
    found = collect([tagged("this/DT is/VBZ called/VBN a/DT heap/NN"), tagged("known/VBN as/IN treap/NN")], 1)
    assert [found[key].named for key in ("en:heap", "en:treap")] == [1, 1]


def test_terms_that_stand_in_one_list_know_each_other() -> None:
    found = collect([tagged("stacks/NNS and/CC queues/NNS")], 1)
    assert found["en:stack"].joined == {"en:queue": 1}


def test_a_term_behind_a_letter_is_cut_off() -> None:
    found = collect([tagged("an/DT n/SYM dimensional/JJ vector/NN"), tagged("a/DT vector/NN")], 1)
    assert (found["en:dimensional vector"].cut_off, found["en:vector"].cut_off) == (1, 0)


def test_every_occurrence_is_kept_with_its_place() -> None:
    found = collect([tagged("a/DT heap/NN"), tagged("the/DT binary/JJ heap/NN")], 1)
    assert unpack_spots(found["en:heap"].spots).tolist() == [[0, 1, 2], [1, 2, 3]]


def test_a_document_is_cut_into_blocks_as_lectures_are_into_videos() -> None:
    one = tagged("a/DT heap/NN")
    written = TaggedSentence(replace(one.sentence, document="notes.md"), one.words, one.tags, one.starts)
    assert len(collect([written] * (2 * DOCUMENT_BLOCK), 1)["en:heap"].blocks) == 2
