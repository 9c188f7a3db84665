"""What each labelling function says of a term, with the cases it is there for."""

from dataclasses import replace

import pytest
from term_facts import facts

from knowledge_graph.concepts.beliefs import BELIEFS
from knowledge_graph.concepts.facts import Facts
from knowledge_graph.concepts.functions import FUNCTIONS
from knowledge_graph.concepts.tagging import SEED

VOTE = {function.name: function.vote for function in FUNCTIONS}


PLAIN = facts()


def tagged(tag: str) -> Facts:
    one = facts("红黑树", lang="zh")
    one.term.candidate.first_tags[tag] = one.term.candidate.count
    return one


@pytest.mark.parametrize(
    ("name", "said_of", "vote"),
    [
        ("several_words", PLAIN, 1),
        ("several_words", facts("gradient"), -1),
        ("several_words", replace(facts("eigenvector"), rarest=1.9), 0),
        ("several_words", facts("mrna", "mRNA"), 0),
        ("several_words", facts("dna", "DNA"), 0),
        ("several_words", facts("the", "The"), -1),
        ("several_words", replace(facts("void"), introduced=True), 0),
        ("several_words", replace(facts("translation"), titled=True), 0),
        ("several_words", replace(facts("step"), titled=True, generic_alone=True), -1),
        ("several_words", facts("二叉树", lang="zh"), 1),
        ("several_words", facts("数组", lang="zh"), 0),
        ("frequent_and_whole", replace(PLAIN, c_value=30.0), 1),
        ("frequent_and_whole", replace(PLAIN, c_value=1.0), -1),
        ("hangs_together", replace(PLAIN, association=0.9), 1),
        ("hangs_together", replace(PLAIN, association=0.1), -1),
        ("hangs_together", facts("gradient"), 0),
        ("holds_a_technical_word", replace(PLAIN, rarest=3.0), 1),
        ("holds_a_technical_word", replace(PLAIN, rarest=5.5), -1),
        ("key_to_the_course", replace(PLAIN, keyness=2.0), 1),
        ("key_to_the_course", replace(PLAIN, keyness=0.1), -1),
        ("part_of_a_longer_term", replace(PLAIN, absorbed=0.9), -1),
        ("adds_to_a_term", replace(PLAIN, extends=True), -1),
        ("stands_alone", replace(PLAIN, alone=0.9), 1),
        ("begins_with_a_judgement", replace(PLAIN, graded=0.4), -1),
        ("begins_with_a_loose_word", replace(PLAIN, looseness=0.5), -1),
        ("begins_with_a_verb", replace(PLAIN, verbal=True), -1),
        ("cut_off", replace(PLAIN, cut_off=0.9), -1),
        ("is_a_unit", replace(PLAIN, counted=0.8), -1),
        ("is_a_unit", replace(PLAIN, counted=0.4), 0),
        ("is_a_unit", replace(facts("byte", count=2), counted=1.0), 0),
        ("latin_word_in_chinese", facts("int", lang="zh"), -1),
        ("latin_word_in_chinese", PLAIN, 0),
        ("pointed_out", tagged(SEED), 1),
        ("pointed_out", tagged("n"), 0),
        ("set_phrase", tagged("l"), -1),
        ("set_phrase", tagged("n"), 0),
        ("chain_of_words", facts("求 解 问题", lang="zh"), -1),
        ("chain_of_words", PLAIN, 0),
        ("ends_in_a_general_word", replace(PLAIN, generic_head=True), -1),
        ("general_word_alone", replace(facts("step"), generic_alone=True), -1),
        ("clumps", replace(PLAIN, clumping=2.0), 1),
        ("clumps", replace(PLAIN, clumping=0.0), -1),
        ("comes_back", replace(PLAIN, spread=9), 1),
        ("comes_back", replace(PLAIN, spread=1), -1),
        ("comes_back", replace(PLAIN, spread=1, blocks=1), 0),
        ("clumps", replace(PLAIN, clumping=0.0, blocks=1), 0),
        ("named_in_a_title", replace(PLAIN, titled=True), 1),
        ("asked_about", replace(PLAIN, asked=True), 1),
        ("called_so", replace(PLAIN, named=1), 1),
        ("has_an_introduction", replace(PLAIN, introduced=True), 1),
        ("defined_somewhere", replace(PLAIN, defined=True), 1),
        ("has_an_acronym", facts("support vector machine", "SVM"), 1),
        ("has_an_acronym", facts("SVM"), 0),
        ("has_kin", replace(PLAIN, kin=9), 1),
        ("proper_name", replace(PLAIN, proper=0.9), -1),
        ("proper_name", replace(facts("rna", "RNA"), proper=0.9), 0),
        ("holds_a_number", facts("4 node"), -1),
        ("near_the_subject", replace(PLAIN, closeness=0.9), 1),
        ("near_the_subject", replace(PLAIN, closeness=0.1), -1),
        ("near_the_subject", PLAIN, 0),
        ("kin_of_the_subject", replace(PLAIN, kin_of_anchors=3), 1),
        ("listed_with_the_subject", replace(PLAIN, listed=1), 1),
        ("of_the_papers", replace(PLAIN, spoken=0.1), -1),
        ("given_as_a_seed", replace(PLAIN, seed=True), 1),
    ],
)
def test_a_function_votes_on_what_it_knows(name: str, said_of: Facts, vote: int) -> None:
    assert VOTE[name](said_of) == vote


def test_every_function_has_a_reason_and_a_stated_belief() -> None:
    assert all(function.reason.endswith(".") for function in FUNCTIONS)
    assert set(BELIEFS) == set(VOTE)
