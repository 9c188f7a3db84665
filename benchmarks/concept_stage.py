"""How long a course's concepts take beside spaCy's tagger alone, how that grows, and how much memory it needs.

    .venv/bin/python benchmarks/concept_stage.py [--course FOLDER] [--videos 10,100,1000] [--words 2400]

Lectures are generated from a seed: sentences of lecture English around terms that each video teaches, some new in every
video. `--course` measures a folder of real subtitles first. Peers on the same text, when they are installed (the
project needs neither): TopicRank of `pke-tool` (with `nltk`, `unidecode` and `future`), which tags words as we do, and
`yake`, which does not.
"""

import argparse
import importlib
import importlib.util
import multiprocessing
import random
import resource
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from itertools import groupby
from pathlib import Path

import networkx
import numpy as np
from spacy.lang.en.stop_words import STOP_WORDS
from spacy.language import Language

from knowledge_graph.concepts.extract import extract_concepts
from knowledge_graph.concepts.tagging import english_model, english_tagger
from knowledge_graph.lake.records import CourseCard, Cue
from knowledge_graph.sources.folders import CourseFolder
from knowledge_graph.sources.subtitles import read_subtitles
from knowledge_graph.text.sentences import sentences

SEED = 11
CARD = CourseCard("measured", "Measured", "en")
MOST_TIMES_TAGGER = 1.6
MOST_MEMORY_GB = 1.5
MOST_GROWTH = 1.15
_PEER_VIDEOS = 10
_WARM = 100  # cues
_TAGGED = 20_000  # sentences: a quarter of an hour of tagging saved in a course of 1,000 videos

_FRAMES = (
    "So what we are going to do is look at the {0} and see what it means for the {1}.",
    "A {0} is a {2} that keeps every {1} in order.",
    "Now, recall that the {1} depends on the {0} in a way that is easy to get wrong.",
    "If you take the {0}, you can see on this slide how the {2} changes over time.",
    "We call this the {0}, and it is one of the most important ideas in this course.",
    "I think that most of you have seen a {1} before, but let me say it again.",
    "The cost of the {0} grows with the size of the {2}, which is not what we want.",
    "Okay, let us go back to the {1} and try the same thing with a smaller {0}.",
    "You might ask yourself why the {0} works at all when the {1} is empty.",
    "That is all I wanted to say about the {2}, so in the next video we turn to the {0}.",
)
_SYLLABLES = (
    "ba",
    "cor",
    "den",
    "fi",
    "gra",
    "hel",
    "lum",
    "mon",
    "nas",
    "pro",
    "qui",
    "ser",
    "tan",
    "vel",
    "wex",
    "zo",
)
_HEADS = ("tree", "function", "network", "table", "model", "graph", "queue", "matrix", "rule", "process")


def lectures(videos: int, words: int) -> list[Cue]:
    """Cues of `videos` lectures of about `words` words, three seconds each."""
    random_ = random.Random(SEED)
    shared = [_term(random_) for _ in range(300)]
    cues = []
    for video in range(videos):
        taught = [*random_.sample(shared, 8), *(_term(random_) for _ in range(4))]
        said, place = 0, 0
        while said < words:
            text = random_.choice(_FRAMES).format(*random_.sample(taught, 3))
            cues.append(
                Cue(
                    "measured",
                    f"v{video}",
                    f"Video {video}",
                    video,
                    place,
                    place * 3000,
                    place * 3000 + 2900,
                    text,
                    "en",
                )
            )
            said, place = said + len(text.split()), place + 1
    return cues


def _term(random_: random.Random) -> str:
    stem = "".join(random_.choices(_SYLLABLES, k=random_.randint(2, 3)))
    return f"{stem} {random_.choice(_HEADS)}" if random_.random() < 0.7 else stem


def measured(cues: Sequence[Cue]) -> tuple[float, float, int, float]:
    """Seconds of the tagger alone, seconds of the stage, concepts, and peak memory (GB) of this process.

    Seconds of the processor, so that other programs do not count; what a process loads once counts for neither. The
    tagger is measured before and behind the stage, on at most `_TAGGED` sentences spread over the course, scaled to
    all of them.
    """
    nlp = english_tagger()
    texts = [sentence.text for sentence in sentences(cues)]
    some = texts[:: -(-len(texts) // _TAGGED)]
    list(nlp.pipe(texts[:500]))
    extract_concepts(cues[:_WARM], CARD)
    alone = [_tagger_seconds(nlp, some)]
    started = time.process_time()
    found = extract_concepts(cues, CARD).concepts
    stage = time.process_time() - started
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    alone.append(_tagger_seconds(nlp, some))
    return statistics.mean(alone) * len(texts) / len(some), stage, len(found), peak


def _tagger_seconds(nlp: Language, texts: Sequence[str]) -> float:
    started = time.process_time()
    for _ in nlp.pipe(texts, batch_size=256):
        pass
    return time.process_time() - started


def generated(job: tuple[int, int]) -> tuple[float, float, int, float]:
    return measured(lectures(*job))


def real(folder: Path) -> tuple[float, float, int, float]:
    return measured(cues_of(folder))


def cues_of(folder: Path) -> Sequence[Cue]:
    return read_subtitles(CourseFolder(CARD.course_id, folder), CARD).cues


def yake_seconds(cues: Sequence[Cue]) -> float:
    """Terms of up to three words, as YAKE's own default, from all lectures as one text."""
    extractor = importlib.import_module("yake").KeywordExtractor(lan="en", n=3, top=400)
    text = " ".join(cue.text for cue in cues)
    started = time.process_time()
    extractor.extract_keywords(text)
    return time.process_time() - started


def pke_seconds(cues: Sequence[Cue]) -> float:
    """TopicRank a lecture at a time, behind the parts of spaCy's model that pke asks for.

    pke was last released in 2021: its stop words are spaCy's here, for NLTK's would have to be downloaded, and PageRank
    goes by the name that networkx has for it today.
    """
    corpus = importlib.import_module("nltk.corpus")
    corpus.stopwords.__dict__.update(_fileids=["english"], words=lambda *_: sorted(STOP_WORDS))
    importlib.import_module("networkx").__dict__["pagerank_scipy"] = networkx.pagerank
    ranker = importlib.import_module("pke").unsupervised.TopicRank
    nlp = english_model(exclude=["ner", "parser", "senter"])
    nlp.add_pipe("sentencizer")
    texts = [" ".join(cue.text for cue in group) for _, group in groupby(cues, key=lambda cue: cue.video_id)]
    started = time.process_time()
    for text in texts:
        ranked = ranker()
        ranked.load_document(input=text, language="en", spacy_model=nlp)
        ranked.candidate_selection()
        ranked.candidate_weighting()
        ranked.get_n_best(n=20)
    return time.process_time() - started


PEERS: tuple[tuple[str, Callable[[Sequence[Cue]], float]], ...] = (("pke", pke_seconds), ("yake", yake_seconds))


def peers(name: str, cues: Sequence[Cue]) -> None:
    extract_concepts(cues[:_WARM], CARD)  # loads what is loaded once
    started = time.process_time()
    extract_concepts(cues, CARD)
    ours = time.process_time() - started
    for package, seconds in PEERS:
        found = importlib.util.find_spec(package)
        figure = (
            f"{seconds(cues) / ours:.1f} times our {ours:.1f} s" if found else "not installed, so no peer in this run"
        )
        say(f"{package} on {name}: {figure}")


def say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def main() -> int:
    """Print every figure; return 1 when one is beyond its bound."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--course", type=Path)
    parser.add_argument("--videos", default="10,100,1000")
    parser.add_argument("--words", type=int, default=2400)
    options = parser.parse_args()
    if options.course and not cues_of(options.course):
        parser.error(f"--course {options.course}: expected a folder with subtitles (.srt, .vtt), found none there")
    held = []
    with multiprocessing.get_context("spawn").Pool(1, maxtasksperchild=1) as pool:
        if options.course:
            held.append(tell(options.course.name, pool.apply(real, (options.course,))))
        sizes = [int(size) for size in options.videos.split(",")]
        seconds = []
        for size in sizes:
            figures = pool.apply(generated, ((size, options.words),))
            held.append(tell(f"{size:,} generated videos", figures))
            seconds.append(figures[1])
    if len(sizes) > 1:
        slope = float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0])
        held.append(slope <= MOST_GROWTH)
        say(f"growth: seconds ~ videos^{slope:.2f} (bound {MOST_GROWTH}; 1 is linear)")
    if options.course:
        peers(options.course.name, cues_of(options.course))
    else:
        peers(f"{_PEER_VIDEOS} generated videos", lectures(_PEER_VIDEOS, options.words))
    return 0 if all(held) else 1


def tell(name: str, figures: tuple[float, float, int, float]) -> bool:
    tagger, stage, count, memory = figures
    good = stage <= MOST_TIMES_TAGGER * tagger and memory <= MOST_MEMORY_GB
    say(
        f"{name:26} {count:4} concepts   {stage:7.1f} s = {stage / tagger:.2f} x tagger alone ({tagger:.1f} s)   "
        f"peak {memory:.2f} GB{'' if good else '   MISSED'}"
    )
    return good


if __name__ == "__main__":
    sys.exit(main())
