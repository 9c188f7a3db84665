"""Course Hero's reviews of references beside ours: counts by verdict and by subject. Pure."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Literal

from models.statistics.intervals import wilson
from serving.evaluation.figures import COLOURS
from serving.evaluation.ratings.reference_review import LEAST_REVIEWS, PUBLISHED, ReferenceReview, ReviewCounts, count
from serving.evaluation.tables import Cell, MeasuredNumber, NumberedNote, Published, Table, metric_name
from serving.feedback.rating_forms import RELEVANCE

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_PUBLISHED_SHARES = {"relevant": "70.3%", "irrelevant": "22.1%", "ignored": "7.6%"}
_ABOVE = ("biology", "statistics", "management", "economics", "communications", "psychology")
_BELOW = ("mathematics", "finance")
_SHARES = ("of all rated", "without “I don't know”")
_NONE = "No review was found: write gold/reference_reviews.csv in a course folder, or rate references on the TAs' desk."

Judged = Literal["relevant", "irrelevant"]


def review_table(reviews: Sequence[ReferenceReview]) -> Table:
    """Table 4 with both denominators, and the seven ways it is made of (Figure 2a)."""
    found = count(reviews)
    return Table(
        name="reference_review",
        title="References as experts see them",
        source="Course Hero, Table 4",
        columns=("passages", "number", *_SHARES, "published", *(f"published, {name}" for name in _SHARES)),
        rows=(*_share_rows(found), *_ways(reviews, found)),
        notes=tuple(_review_notes(reviews, found)),
    )


def _share_rows(found: ReviewCounts) -> Iterator[tuple[Cell, ...]]:
    of_judged = wilson(PUBLISHED.relevant, PUBLISHED.judgement_count).value or 0.0
    without = {"relevant": f"{of_judged:.1%}", "irrelevant": f"{1 - of_judged:.1%}"}
    yield (
        "rated",
        MeasuredNumber("rated", found.rated, style="count"),
        "",
        MeasuredNumber("judged", found.judgement_count, style="count"),
        Published(f"{PUBLISHED.rated:,}"),
        "",
        Published(f"{PUBLISHED.judgement_count:,}"),
    )
    judged: tuple[Judged, ...] = ("relevant", "irrelevant")
    for verdict in judged:
        yield (
            verdict,
            MeasuredNumber(verdict, getattr(found, verdict), style="count"),
            MeasuredNumber.of(f"{verdict}/of_rated", found.of_rated(verdict)),
            MeasuredNumber.of(f"{verdict}/of_judged", found.of_judged(verdict)),
            Published(f"{getattr(PUBLISHED, verdict):,}"),
            Published(_PUBLISHED_SHARES[verdict]),
            Published(without[verdict]),
        )
    ignored = MeasuredNumber("ignored", found.ignored, style="count")
    share = MeasuredNumber.of("ignored/of_rated", found.of_rated("ignored"))
    yield ("ignored", ignored, share, "", Published(f"{PUBLISHED.ignored:,}"), Published("7.6%"), "")


def _ways(reviews: Sequence[ReferenceReview], found: ReviewCounts) -> Iterator[tuple[Cell, ...]]:
    counted = Counter(review.value for review in reviews)
    for choice in RELEVANCE.choices:
        number = MeasuredNumber(f"ways/{choice.value}", counted[choice.value], style="count")
        share = MeasuredNumber.of(f"ways/{choice.value}.share", wilson(counted[choice.value], found.rated))
        yield (choice.en, number, share, "", "", "", "")


def _review_notes(reviews: Sequence[ReferenceReview], found: ReviewCounts) -> Iterator[NumberedNote]:
    yield NumberedNote(
        "The paper's 70.3% counts “I don't know” below the line; without it the same counts give 76.1%, which it does "
        "not print. Its 700 questions with three passages each would be 2,100; 1,960 were rated."
    )
    if not found.rated:
        yield NumberedNote(_NONE)
        return
    reviewers = {review.reviewer for review in reviews}
    assisted = sum("ai-assisted" in review.reviewer.lower() for review in reviews)
    yield NumberedNote(
        "Here: {reviews} reviews, {reviewers} reviewers; {assisted} reviews are marked as AI-assisted by whoever wrote "
        "them; the paper's are by 43 subject matter experts. Intervals take reviews for independent.",
        {
            "reviews": MeasuredNumber("reviews", found.rated, style="count"),
            "reviewers": MeasuredNumber("reviewers", len(reviewers), style="count"),
            "assisted": MeasuredNumber("reviews_ai_assisted", assisted, style="count"),
        },
    )


def subject_table(counts: Mapping[str, ReviewCounts], hidden: int) -> Table:
    """Subjects in both orders of Figure 3: most relevant first, and most irrelevant first."""
    rows = [line for verdict in _orders() for line in _subject_lines(counts, verdict)]
    above, below = ", ".join(_ABOVE), ", ".join(_BELOW)
    rows.append(("over 80% relevant in the paper", Published(above), "", ""))
    rows.append(("over 50% irrelevant in the paper", Published(below), "", ""))
    told = (
        f"Subjects with fewer than {LEAST_REVIEWS} reviews of experts who knew are hidden, as in the paper: {{hidden}} "
        "here. Shares are of reviews without “I don't know”. The paper gives no references for mathematics since; here "
        "the list is a setting of the service, and mathematics is on it."
    )
    notes = [NumberedNote(told, {"hidden": MeasuredNumber("subjects_hidden", hidden, style="count")})]
    return Table(
        name="reference_subjects",
        title="Relevant and irrelevant references by subject",
        source="Course Hero, Figure 3",
        columns=("order", "subject", "share", "reviews"),
        rows=tuple(rows),
        notes=(*notes, *([] if counts else [NumberedNote("No subject has enough reviews here.")])),
    )


def paint_subjects(figure: "Figure", counts: Mapping[str, ReviewCounts]) -> None:
    """Two panels of bars with 95% intervals, as Figures 3a and 3b."""
    for axes, verdict, colour in zip(figure.subplots(1, 2), _orders(), (COLOURS[2], COLOURS[1]), strict=True):
        subjects = list(reversed(in_order(counts, verdict)))
        shares = [counts[subject].of_judged(verdict) for subject in subjects]
        values = [one.value or 0.0 for one in shares]
        below = [value - (one.low or 0.0) for value, one in zip(values, shares, strict=True)]
        above = [(one.high or 0.0) - value for value, one in zip(values, shares, strict=True)]
        axes.barh(subjects, values, xerr=[below, above], color=colour, height=0.6, error_kw={"lw": 0.8})
        axes.set_xlim(0, 1)
        axes.grid(visible=False, axis="y")
        axes.set_xlabel(f"share of {verdict} references")


def in_order(counts: Mapping[str, ReviewCounts], verdict: Judged) -> list[str]:
    """Subjects with the largest share first; by name where shares are equal."""
    return sorted(counts, key=lambda subject: (-(counts[subject].of_judged(verdict).value or 0.0), subject))


def _orders() -> tuple[Judged, Judged]:
    return ("relevant", "irrelevant")


def _subject_lines(counts: Mapping[str, ReviewCounts], verdict: Judged) -> Iterator[tuple[Cell, ...]]:
    for subject in in_order(counts, verdict):
        name = f"{metric_name(subject)}/{verdict}"
        share = MeasuredNumber.of(name, counts[subject].of_judged(verdict))
        yield (
            f"most {verdict} first",
            subject,
            share,
            MeasuredNumber(f"{name}.n", counts[subject].judgement_count, style="count"),
        )
