"""How often the right FAQ entry is found for a question asked in other words, beside plain BM25 on the same entries.

    .venv/bin/python benchmarks/faq_search.py HOME QUESTIONS.jsonl

Lines of QUESTIONS.jsonl are {"question", "course", "gold"}, gold being the `origin_id` of the entry that answers. The
two baselines score question and answer of every FAQ entry of the home as one text, frequencies and lengths counted over
all courses, and keep the course asked in. The last lines are times per search beside raw Tantivy's on the same index. A
home that was built with COTEACH_INDEX=lance is measured alike.
"""

import argparse
import json
import math
import statistics
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import tantivy
from large_index import milliseconds, raw_search

from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.tables import read_rows
from serving.index.search import SearchIndex
from serving.index.tantivy_reader import TantivyReader

K1, B = 1.2, 0.75
DEPTH = 10

Find = Callable[[str, str], Sequence[str]]
"""Course and question to the origins found, best first."""


@dataclass(frozen=True)
class Asked:
    """A question with the one entry that answers it."""

    question: str
    course_id: str
    gold: str


class Bm25:
    """BM25 over the FAQ entries of a home (Robertson and Zaragoza 2009, 3.9; idf as in Lucene, above 0)."""

    def __init__(self, home: DataDir, analyse: Callable[[str], list[str]]) -> None:
        rows = [row for row in read_rows(home.qa_pairs) if row["source"] == "faq"]
        documents = [analyse(f"{row['question']} {row['answer']}") for row in rows]
        average = statistics.fmean(map(len, documents))
        self._analyse = analyse
        self._origins = [(row["course_id"], row["origin_id"]) for row in rows]
        self._weights: dict[str, list[tuple[int, float]]] = defaultdict(list)
        for place, document in enumerate(documents):
            norm = K1 * (1 - B + B * len(document) / average)
            for term, count in Counter(document).items():
                self._weights[term].append((place, count * (K1 + 1) / (count + norm)))

    def find(self, course: str, question: str) -> list[str]:
        scores: dict[int, float] = defaultdict(float)
        for term in set(self._analyse(question)):
            found = self._weights.get(term, [])
            idf = math.log(1 + (len(self._origins) - len(found) + 0.5) / (len(found) + 0.5))
            for place, weight in found:
                scores[place] += idf * weight
        own = [place for place in scores if self._origins[place][0] == course]
        best = sorted(own, key=lambda place: (-scores[place], self._origins[place]))[:DEPTH]
        return [self._origins[place][1] for place in best]


def analyser(*filters: tantivy.Filter) -> Callable[[str], list[str]]:
    """Runs of letters and digits in lower case, through `filters`."""
    builder = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple()).filter(tantivy.Filter.lowercase())
    for one in filters:
        builder = builder.filter(one)
    analyze: Callable[[str], list[str]] = builder.build().analyze
    return analyze


def through_coteach(index: SearchIndex) -> Find:
    def find(course: str, question: str) -> list[str]:
        hits = index.search(question, course_id=course, sources=["faq"], k=DEPTH)
        return [hit.entry.origin_id or "" for hit in hits]

    return find


def ranks(find: Find, questions: Sequence[Asked]) -> list[int | None]:
    """The place of each question's answer, from 1; `None` when it is not among the first `DEPTH`."""
    found = [list(find(asked.course_id, asked.question)) for asked in questions]
    return [
        hits.index(asked.gold) + 1 if asked.gold in hits else None for asked, hits in zip(questions, found, strict=True)
    ]


def say(name: str, places: Sequence[int | None]) -> None:
    def share(most: int) -> float:
        return sum(place is not None and place <= most for place in places) / len(places)

    mrr = sum(1 / place for place in places if place) / len(places)
    sys.stdout.write(f"{name:26} hit@1 {share(1):.3f}   hit@5 {share(5):.3f}   MRR@{DEPTH} {mrr:.3f}\n")


def say_times(index: SearchIndex, questions: Sequence[Asked]) -> None:
    """Times of both, each in its second pass; of coteach alone where Tantivy is not the engine."""
    asked: list[tuple[str | None, str]] = [(each.course_id, each.question) for each in questions]
    find = through_coteach(index)
    if not isinstance(index.reader, TantivyReader):
        taken = milliseconds(find, asked)  # type: ignore[arg-type]
        cuts = statistics.quantiles(taken, n=100)
        sys.stdout.write(f"p50 of a search: {cuts[49]:.3f} ms, p95 {cuts[94]:.3f} ms\n")
        return
    raw = raw_search(index)
    for search in (find, raw):
        milliseconds(search, asked)  # type: ignore[arg-type]
    ours, floor = milliseconds(find, asked), milliseconds(raw, asked)  # type: ignore[arg-type]
    for name, part in (("p50", 50), ("p95", 95)):
        mine, least = (statistics.quantiles(taken, n=100)[part - 1] for taken in (ours, floor))
        sys.stdout.write(
            f"{name} of a search: coteach {mine:.3f} ms, raw Tantivy {least:.3f} ms, {mine / least:.2f}x\n"
        )


def main() -> int:
    """Print every figure."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("home", type=Path)
    parser.add_argument("questions", type=Path)
    options = parser.parse_args()
    home = DataDir(options.home)
    index = SearchIndex.open(home.index)
    lines = (json.loads(line) for line in options.questions.read_text(encoding="utf-8").splitlines())
    questions = [Asked(line["question"], line["course"], line["gold"]) for line in lines]
    sys.stdout.write(f"{len(questions)} questions, {index.counts()['qa'].get('faq', 0)} FAQ entries\n")
    say("coteach", ranks(through_coteach(index), questions))
    say("plain BM25", ranks(Bm25(home, analyser()).find, questions))
    say("BM25 with English stemming", ranks(Bm25(home, analyser(tantivy.Filter.stemmer("english"))).find, questions))
    say_times(index, questions)
    return 0


if __name__ == "__main__":
    sys.exit(main())
