"""The tables of traffic: its shape beside that of the evaluation questions, and what is found for either. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, get_args

from knowledge_graph.lake.records import Lang
from models.statistics.intervals import wilson
from serving.assistant.retrieval.evaluating import BUCKETS, bucket
from serving.evaluation.figures import COLOURS
from serving.evaluation.release.paired_comparison import PairedMeasure, compare
from serving.evaluation.release.traffic_answers import GoldRank, values
from serving.evaluation.release.traffic_shape import LETTERS, LIMIT, POSITIONS, PUBLISHED, Profile
from serving.evaluation.tables import Cell, MeasuredNumber, NumberedNote, Published, Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_LANGS: tuple[Lang, ...] = get_args(Lang)
_WORDS = {"en": "English", "zh": "Chinese"}
_SHARES = (
    ("question_marks", "Turns with a question mark"),
    ("repeats", "Turns that repeat an earlier one"),
    ("single", "Sessions of one turn"),
    ("points_back", "Turns with a pronoun that points back"),
    ("fragments", "Turns without a mark or word of a question"),
    ("multiple_choice", "Multiple choice, of turns whose form is known"),
)

SOLA = (Published("79.2%"), Published("52.3%"), Published("-26.9 points"))
"""Recall@3 of another assistant, on other courses: of questions as its makers wrote them and as its students did."""


@dataclass(frozen=True)
class TrafficShapes:
    """The shape that is wanted, of own logs or the published one, and those of the questions and the reshaped ones.

    `far` and `reshaped_far` are distances to it by part.
    """

    wanted: Profile
    is_own: bool
    written: Profile
    reshaped: Profile
    far: Mapping[str, float]
    reshaped_far: Mapping[str, float]


def shape_table(shapes: TrafficShapes | None) -> Table:
    """Length, form and turns of traffic, of the golden questions, and of the same reshaped."""
    columns = ("", "Traffic", "Questions as written", "Reshaped")
    if shapes is None:
        note = NumberedNote("No course has labelled questions (gold/questions.jsonl): nothing was reshaped.")
        rows: tuple[tuple[Cell, ...], ...] = ()
        return Table("traffic_shape", "The shape of traffic", _SOURCE, columns, rows, (note,))
    return Table("traffic_shape", "The shape of traffic", _SOURCE, columns, tuple(_shape_rows(shapes)), _notes(shapes))


@dataclass(frozen=True)
class TrafficComparison:
    """The same questions as written and as reshaped, in one order, and the noise floor of each measure."""

    written: Sequence[GoldRank]
    reshaped: Sequence[GoldRank]
    floors: Mapping[str, float]
    strategy: str
    reshapings: int


def retrieval_table(asked: TrafficComparison | None) -> Table:
    """What is found, by the characters of the reshaped question, with a paired test of each row."""
    columns = (
        "Characters, reshaped", "Questions", "Hit@1 as written", "reshaped", "Recall@3 as written", "reshaped",
        "difference", "p", "MRR@10 as written", "reshaped",
    )  # fmt: skip
    title = "Found for questions as written, and in the shape of traffic"
    if asked is None:
        note = NumberedNote("No course has labelled questions (gold/questions.jsonl): nothing was asked.")
        return Table("traffic_retrieval", title, _SOURCE, columns, (), (note,))
    rows = [_row_of(slug, told, compared) for slug, told, compared in groups(asked)]
    dash = "–"
    rows.append(("SOLA, its own questions", dash, dash, dash, SOLA[0], SOLA[1], SOLA[2], dash, dash, dash))
    return Table("traffic_retrieval", title, _SOURCE, columns, tuple(rows), _notes_of(asked))


def groups(asked: TrafficComparison) -> list[tuple[str, str, tuple[PairedMeasure, ...]]]:
    """A slug, a heading and the comparisons of all questions, of each language, and of each length after reshaping."""
    both = list(zip(asked.written, asked.reshaped, strict=True))
    chosen = [("all", "all", both)]
    chosen += [(lang, _WORDS[lang], [pair for pair in both if pair[0].golden.lang == lang]) for lang in _LANGS]
    chosen += [
        (f"characters_{name.replace('+', '_or_more').replace('-', '_')}", name,
         [pair for pair in both if bucket(pair[1].question) == name])
        for name in BUCKETS[1:]
    ]  # fmt: skip
    return [(slug, told, _compare(pairs, asked.floors)) for slug, told, pairs in chosen if pairs]


def paint(figure: "Figure", *, asked: TrafficComparison) -> None:
    """Recall@3 by length, as written beside reshaped, with 95 % intervals."""
    axes = figure.subplots()
    parts = [part for part in groups(asked) if part[0] == "all" or part[0].startswith("characters")]
    for side, (name, colour) in enumerate((("as written", COLOURS[0]), ("reshaped", COLOURS[1]))):
        for place, (_, _, compared) in enumerate(parts):
            one = _measure(compared, "recall_at_3")
            share = one.after if side else one.before
            found = wilson(share * one.questions, one.questions)
            errors = [[share - (found.low or 0.0)], [(found.high or 0.0) - share]]
            label = name if place == 0 else None
            axes.bar(place + 0.4 * side - 0.2, share, 0.38, color=colour, label=label, zorder=2)
            axes.errorbar(place + 0.4 * side - 0.2, share, yerr=errors, color="#333333", capsize=3, zorder=3)
    axes.set_xticks(range(len(parts)), [f"{told}\n({compared[0].questions})" for _, told, compared in parts])
    axes.set_xlabel("characters of the reshaped question (questions)")
    axes.set_ylabel("recall@3")
    axes.set_ylim(0, 1.05)
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, 1.14), ncols=2, frameon=False)


_SOURCE = "SOLA's comparison of test questions with real ones; the shape of LittleMu's public log"


def _shape_rows(shapes: TrafficShapes) -> list[tuple[Cell, ...]]:
    sides = {"traffic": shapes.wanted, "written": shapes.written, "reshaped": shapes.reshaped}
    rows: list[tuple[Cell, ...]] = []
    for lang in _LANGS:
        for place, share in enumerate(POSITIONS):
            if lang in shapes.reshaped.counts:
                cells = [_length(side, profile, lang, place, shapes) for side, profile in sides.items()]
                rows.append((f"{_WORDS[lang]}: characters that {share:.0%} do not exceed", *cells))
    for name, told in _SHARES:
        cells = [_share(f"{side}/{name}", getattr(one, name), one, shapes) for side, one in sides.items()]
        rows.append((told, *cells))
    rows.append(("Turns of a session", *(_turns(f"{side}/turns", one, shapes) for side, one in sides.items())))
    far = [MeasuredNumber(f"{side}/distance", max(parts.values()), digits=3)
           for side, parts in (("written", shapes.far), ("reshaped", shapes.reshaped_far))]  # fmt: skip
    return [*rows, ("Distance to the traffic (0 to 1)", "–", *far)]


def _length(side: str, profile: Profile, lang: Lang, place: int, shapes: TrafficShapes) -> Cell:
    value = profile.lengths_in(lang)[place]
    if side == "traffic" and not shapes.is_own:
        return Published(f"{value:.0f}") if lang in profile.lengths else Published(f"{value:.0f} ({LETTERS} × Chinese)")
    return MeasuredNumber(f"{side}/{lang}/characters_p{POSITIONS[place] * 100:.0f}", value, style="count")


def _share(metric: str, value: float | None, profile: Profile, shapes: TrafficShapes) -> Cell:
    if value is None:
        return "–"
    if profile is PUBLISHED and not shapes.is_own:
        return Published(f"{value:.1%}")
    return MeasuredNumber(metric, value, style="percent", digits=1)


def _turns(metric: str, profile: Profile, shapes: TrafficShapes) -> Cell:
    is_published = profile is PUBLISHED and not shapes.is_own
    return Published(f"{profile.turns:.2f}") if is_published else MeasuredNumber(metric, profile.turns)


def _notes(shapes: TrafficShapes) -> tuple[NumberedNote, ...]:
    told = (
        "Traffic: the turns of this home's own logs, {count} of them."
        if shapes.is_own
        else "This home has too few turns of its own: traffic is the shape of LittleMu's public log (THU-KEG/VTA, "
        "4,002 questions in Chinese), as counted once in its intent file."
    )
    numbers = (
        {"count": MeasuredNumber("traffic/turns_counted", shapes.wanted.count, style="count")} if shapes.is_own else {}
    )
    return (
        NumberedNote(told, numbers),
        NumberedNote(
            "Reshaped by rules, without a model: courtesies, words of a question and what carries no subject are left "
            "out, some questions are asked in two turns, some turns are repeated. Students' spelling mistakes and "
            "words of their own are not imitated. The distance is that of the part that is farthest off; at most "
            f"{LIMIT} counts as the same shape. Pronouns, fragments and multiple choice are shown and not matched."
        ),
    )


def _compare(pairs: Sequence[tuple[GoldRank, GoldRank]], floors: Mapping[str, float]) -> tuple[PairedMeasure, ...]:
    before, after = values([pair[0] for pair in pairs]), values([pair[1] for pair in pairs])
    return compare(before, after, floors=floors)


def _measure(compared: Sequence[PairedMeasure], name: str) -> PairedMeasure:
    return next(one for one in compared if one.measure == name)


def _row_of(slug: str, told: str, compared: Sequence[PairedMeasure]) -> tuple[Cell, ...]:
    hit, recall, mrr = (_measure(compared, name) for name in ("hit_at_1", "recall_at_3", "mrr_at_10"))
    apart = recall.difference
    return (
        told,
        MeasuredNumber(f"{slug}/questions", hit.questions, style="count"),
        *(MeasuredNumber(f"{slug}/{side}/hit_at_1", value, style="percent", digits=1)
          for side, value in (("written", hit.before), ("reshaped", hit.after))),
        *(MeasuredNumber.of(f"{slug}/{side}/recall_at_3", wilson(value * recall.questions, recall.questions))
          for side, value in (("written", recall.before), ("reshaped", recall.after))),
        MeasuredNumber(f"{slug}/recall_at_3_difference", apart.value, apart.low, apart.high, style="percent", digits=1),
        MeasuredNumber(f"{slug}/recall_at_3_p", recall.p_holm, digits=3),
        *(MeasuredNumber(f"{slug}/{side}/mrr_at_10", value, digits=3)
          for side, value in (("written", mrr.before), ("reshaped", mrr.after))),
    )  # fmt: skip


def _notes_of(asked: TrafficComparison) -> tuple[NumberedNote, ...]:
    floors = {name: MeasuredNumber(f"floor/{name}", value, digits=3) for name, value in asked.floors.items()}
    return (
        NumberedNote(
            f"Strategy {asked.strategy}, retrieval alone, no intent model, no answer written. Recall@3: something that "
            "answers is among the first three. Both columns of a row are the same questions. p: McNemar's exact test, "
            "after Holm's correction over the three measures of a row; the intervals of differences are those of a "
            "paired bootstrap. Repeats are asked once. The rules never take all words by which "
            "a source is known: what students ask in words of their own is harder, and the gap of real traffic likely "
            "larger."
        ),
        NumberedNote(
            "Noise floor: {n} equally good reshapings of the same questions differ among themselves by up to "
            "{hit_at_1} of hit@1, {recall_at_3} of recall@3 and {mrr_at_10} of MRR@10 in 95 of 100 pairs.",
            {"n": MeasuredNumber("floor/reshapings", asked.reshapings, style="count"), **floors},
        ),
    )
