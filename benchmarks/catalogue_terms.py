"""Two ways to compare a catalogue's pages with a question: the index's own terms, and the paper's prepared texts.

    .venv/bin/python benchmarks/catalogue_terms.py HOME QUESTIONS.jsonl [COURSE]

Prepared as in the paper (Tulane 2.II): spaCy's lemmas in lower case, no stop words, no punctuation, the names of
programs, classes and concepts whole ("Computer Science Major" gives `computer_science_major` and, behind it, its
lemmas). The score is the expert's own for both: TF-IDF cosine plus the share of the question's words in the title
(`serving/assistant/retrieval/catalog_expert.py`). Asked are the questions of the file whose gold is pages of the
course, and each page by its title, whole and without its rarest word. Printed: the share of first places that are
right, the mean reciprocal rank, and which questions one way finds first and the other does not.
"""

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path

from knowledge_graph.text.lean_spacy import spacy  # first, isort: skip
from spacy.lang.zh.stop_words import STOP_WORDS
from spacy.tokens import Doc

from knowledge_graph.concepts.tagging import chinese_tagger, english_tagger
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.records import CatalogRecord, Concept, Lang, from_row
from knowledge_graph.lake.tables import read_rows
from knowledge_graph.text.matching import TermMatcher
from serving.assistant.retrieval.catalog_expert import space_terms, title_score
from serving.assistant.retrieval.tf_idf import TfIdf
from serving.index.analysis import content_terms
from serving.index.schema import Entry
from serving.index.search import SearchIndex

MOST = 50_000
_BATCH = 8
"""Texts a batch: of 5,000 characters each, 8 take 72 MB while they are tagged, at 9,300 words/s; 32 take 281 MB."""
_WORD = re.compile(r"[^\W_]+(?:[+#]+|(?:['’.,&][^\W_]+)*)")
"""What is left of a word without its punctuation: c++, 3.0, o'reilly. `_` is for names alone."""

_Words = list[tuple[int, str]]
"""Where a word begins in its text (0-based), and its lemma."""

Terms = Callable[[Sequence[str]], list[list[str]]]
"""The terms of each of some texts."""


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("home", type=Path)
    parser.add_argument("questions", type=Path)
    parser.add_argument("course", nargs="?", default="university-catalog")
    given = parser.parse_args()
    data_dir = DataDir(given.home)
    listed = SearchIndex.open(data_dir.index).list_pairs(course_id=given.course, mode=None, most=MOST)
    entries = [one for one in listed if one.source == "catalog"]
    names = name_matcher(known_names(*_named(data_dir, given.course)))
    prepare = as_prepared(names)
    sets = {"questions": questions_of(given.questions, entries), "titles": by_title(entries)}
    sets["titles without a word"] = without_rarest(sets["titles"])
    for name, asked in sets.items():
        mine = ranks(entries, asked, lambda texts: [space_terms(one) for one in texts], content_terms)
        papers = ranks(entries, asked, prepare, lambda text: prepare([text])[0])
        sys.stdout.write(f"{name}: {len(asked)} asked of {len(entries)} pages\n{report(mine, papers)}")


def report(mine: Sequence[int], papers: Sequence[int]) -> str:
    """First places and mean reciprocal ranks of both ways, and the questions that only one of them finds first."""
    lines = []
    for way, found in (("index terms", mine), ("prepared texts", papers)):
        size = max(1, len(found))
        first, mean = sum(one == 1 for one in found) / size, sum(1 / one for one in found) / size
        lines.append(f"  {way:15} first right {first:.3f}, MRR {mean:.3f}")
    pairs = list(zip(mine, papers, strict=True))
    won, lost = sum(a > 1 == b for a, b in pairs), sum(a == 1 < b for a, b in pairs)
    lines.append(f"  prepared texts find first what index terms do not: {won}; the other way round: {lost}")
    return "\n".join(lines) + "\n"


def _named(data_dir: DataDir, course_id: str) -> tuple[list[CatalogRecord], list[Concept]]:
    records = [from_row(CatalogRecord, row) for row in read_rows(data_dir.table("catalog_pages", course_id))]
    path = data_dir.table("concepts", course_id)
    return records, [from_row(Concept, row) for row in read_rows(path)] if path.is_file() else []


def questions_of(path: Path, entries: Sequence[Entry]) -> list[tuple[str, frozenset[str]]]:
    """Questions with the ids of the pages that answer them; those without one of `entries` are left out."""
    known = {one.origin_id: one.entry_id for one in entries}
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    found = [(row["question"], frozenset(known[one] for one in row.get("gold", ()) if one in known)) for row in rows]
    return [(question, gold) for question, gold in found if gold]


def by_title(entries: Sequence[Entry]) -> list[tuple[str, frozenset[str]]]:
    """Each page asked for by its title, without its code."""
    bare = [(re.sub(r"^[A-Z]{2,5}\s*\d{3,5}\W*", "", one.title), one.entry_id) for one in entries]
    titles: dict[str, set[str]] = {}
    for title, entry_id in bare:
        titles.setdefault(title, set()).add(entry_id)
    return [(title, frozenset(ids)) for title, ids in sorted(titles.items()) if title]


def without_rarest(asked: Sequence[tuple[str, frozenset[str]]]) -> list[tuple[str, frozenset[str]]]:
    """The titles of more than one word, each without the word that the fewest titles have."""
    counts = Counter(word for title, _ in asked for word in set(title.lower().split()))
    found = []
    for title, gold in asked:
        words = title.split()
        rarest = min(words, key=lambda word: (counts[word.lower()], word))
        if rest := [word for word in words if word != rarest]:
            found.append((" ".join(rest), gold))
    return found


def ranks(
    entries: Sequence[Entry],
    asked: Sequence[tuple[str, frozenset[str]]],
    terms: Terms,
    words: Callable[[str], Sequence[str]],
) -> list[int]:
    """The place of the first right page of each question, from 1; pages that tie stand by id."""
    space = TfIdf(terms([f"{one.section or ''}\n{one.title}\n{one.text}" for one in entries]))
    titles = [frozenset(words(one.title)) for one in entries]
    found = []
    for question, gold in asked:
        cosines, own = space.cosines(terms([question])[0]).tolist(), words(question)
        scores = [cosine + title_score(own, title) for cosine, title in zip(cosines, titles, strict=True)]
        ordered = sorted(zip(scores, entries, strict=True), key=lambda each: (-each[0], each[1].entry_id))
        found.append(next(place for place, (_, one) in enumerate(ordered, 1) if one.entry_id in gold))
    return found


def as_prepared(names: TermMatcher) -> Terms:
    """The paper's terms of texts."""
    return lambda texts: [text.split() for text in prepared(texts, "en", names)]


def known_names(records: Iterable[CatalogRecord], concepts: Iterable[Concept] = ()) -> list[str]:
    """The names to keep whole, sorted: titles of programs, codes and titles of classes, concepts with their aliases."""
    names = {name for record in records for name in (record.title, record.code) if name}
    names |= {name for concept in concepts for name in (concept.name, *concept.aliases)}
    return sorted(names)


def name_matcher(names: Iterable[str]) -> TermMatcher:
    """Finds the names in a text by any case, hyphens and plural; each is known by its words joined with `_`."""
    return TermMatcher((whole, name) for name in sorted(set(names)) if (whole := "_".join(_bare(name))))


def prepared(texts: Sequence[str], lang: Lang, names: TermMatcher) -> Iterator[str]:
    found = _english(texts) if lang == "en" else map(_chinese, texts)
    for text, words in zip(texts, found, strict=True):
        yield _written(text, words, names)


def _written(text: str, words: _Words, names: TermMatcher) -> str:
    """The words in their order, each name before its first word; a name that is one of its words is written once."""
    known = set(words)
    wholes = [(match.start, min(match.keys)) for match in names.find(text)]
    pieces = [(start, 0, whole) for start, whole in wholes if (start, whole) not in known]
    pieces += [(start, 1, word) for start, word in words]
    return " ".join(piece for _, _, piece in sorted(pieces, key=lambda piece: piece[:2]))


def _english(texts: Sequence[str]) -> Iterator[_Words]:
    rules = _lemma_rules() if texts else ()
    # Lower case comes first, as in the paper: spaCy leaves "Majors" in a title as it is and makes "majors" "major".
    for doc in english_tagger().pipe(map(_lowered, texts), batch_size=_BATCH) if texts else ():
        for rule in rules:
            rule(doc)
        kept = (token for token in doc if not (token.is_stop or token.is_punct or token.is_space))
        yield [(token.idx, word) for token in kept for word in _bare(token.lemma_)]


@cache
def _lemma_rules() -> tuple[Callable[[Doc], Doc], ...]:
    """What turns the tagger's parts of speech into lemmas: two parts of the same model, over the same vocabulary."""
    tagger = english_tagger()
    unused = ["vocab", "tokenizer", "tok2vec", "tagger", "parser", "senter", "ner"]
    return tuple(rule for _, rule in spacy.load(tagger.path, vocab=tagger.vocab, exclude=unused).pipeline)


def _chinese(text: str) -> _Words:
    """jieba's words; Chinese words are their own lemmas. Stop words are spaCy's list."""
    found: _Words = []
    at = 0
    for word, _ in chinese_tagger().cut(text):
        if word not in STOP_WORDS:
            found += [(at, bare) for bare in _bare(word)]
        at += len(word)
    return found


def _bare(word: str) -> list[str]:
    return _WORD.findall(word.lower())


def _lowered(text: str) -> str:
    """Lower case, character for character, so that offsets stay those of the text."""
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(low if len(low := character.lower()) == 1 else character for character in text)


if __name__ == "__main__":
    main()
