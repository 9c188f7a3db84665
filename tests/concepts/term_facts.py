"""The facts of a term about which nothing is remarkable; tests replace what they are about."""

from collections import Counter

from knowledge_graph.concepts.aliases import MergedTerm
from knowledge_graph.concepts.candidate import TermCandidate
from knowledge_graph.concepts.facts import Facts
from knowledge_graph.lake.records import Lang


def facts(name: str = "gradient descent", *aliases: str, lang: Lang = "en", count: int = 10) -> Facts:
    words = tuple(name.split(" "))
    one = TermCandidate(lang, name, words, count, Counter({name: count}), Counter({0: count}))
    return Facts(
        MergedTerm(one, name, aliases),
        words=len(words) if lang == "en" else max(1.0, len(name) / 2),
        c_value=5.0,
        alone=0.5,
        absorbed=0.0,
        rarest=4.5,
        keyness=1.0,
        association=0.5,
        clumping=0.5,
        spoken=1.0,
        spread=3,
        blocks=10,
        titled=False,
        asked=False,
        graded=0.0,
        looseness=0.0,
        generic_head=False,
        generic_alone=False,
        named=0,
        subject=0,
        proper=0.0,
        cut_off=0.0,
        counted=0.0,
        kin=0,
        extends=False,
        verbal=False,
    )
