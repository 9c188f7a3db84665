"""The model's input, token by token."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

from models.intent.labels.pairs import PairEncoder

VOCABULARY = {"[PAD]": 0, "[UNK]": 1, "[CLS]": 2, "[SEP]": 3, ",": 4, "trees": 5, "hi": 6, "what": 7, "树": 8, "?": 9}


def pairs(max_length: int = 12) -> PairEncoder:
    tokenizer = Tokenizer(models.WordLevel(VOCABULARY, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    return PairEncoder(tokenizer, cls_id=2, sep_id=3, pad_id=0, max_length=max_length)


def test_previous_turn_and_course_come_before_the_question() -> None:
    assert pairs().encode("Hi", "Trees", "What 树?") == ([2, 6, 4, 5, 3, 7, 8, 9, 3], [0, 0, 0, 0, 0, 1, 1, 1, 1])


def test_without_context_the_first_segment_is_empty() -> None:
    assert pairs().encode("", "", "what") == ([2, 3, 7, 3], [0, 0, 1, 1])


def test_a_network_that_was_not_taught_the_course_does_not_read_it() -> None:
    found = replace(pairs(), reads_course=False)
    assert found.encode("Hi", "Trees", "What") == found.encode("Hi", "", "What")
    again = PairEncoder.from_settings(found.tokenizer, found.settings())
    assert again.encode("", "Trees", "What") == ([2, 3, 7, 3], [0, 0, 1, 1])


def test_a_network_that_was_not_taught_the_turn_before_does_not_read_it() -> None:
    found = replace(pairs(), reads_previous=False)
    assert found.encode("Hi", "Trees", "What") == found.encode("", "Trees", "What")
    again = PairEncoder.from_settings(found.tokenizer, found.settings())
    assert again.encode("Hi", "", "What") == found.encode("", "", "What")


def test_an_empty_question_is_still_an_input() -> None:
    assert pairs().encode("", "trees", "") == ([2, 5, 3, 3], [0, 0, 0, 1])


def test_when_both_are_long_the_end_of_the_context_and_the_start_of_the_question_stay() -> None:
    ids, _ = pairs(max_length=11).encode("hi " * 30 + "trees", "", "what " + "? " * 30)
    assert ids == [2, 6, 5, 3, 7, 9, 9, 9, 9, 9, 3]


def test_a_batch_is_padded_to_its_longest_row() -> None:
    batch = pairs().batch([("", "", "what"), ("hi", "", "what ?")])
    assert batch.input_ids.tolist() == [[2, 3, 7, 3, 0, 0], [2, 6, 3, 7, 9, 3]]
    assert batch.attention_mask.tolist() == [[1, 1, 1, 1, 0, 0], [1, 1, 1, 1, 1, 1]]
    assert batch.token_type_ids.tolist() == [[0, 0, 1, 1, 0, 0], [0, 0, 0, 1, 1, 1]]


@given(st.text(), st.text(), st.text())
def test_any_text_fits_the_model(previous: str, course: str, question: str) -> None:
    ids, segments = pairs().encode(previous, course, question)
    assert 3 <= len(ids) <= 12
    assert len(ids) == len(segments)
