"""Experiments on the insights page: the groups with what they came to, and a warning when their sizes are wrong."""

from collections.abc import Sequence

from serving.pages.insights_figures import share
from serving.pages.insights_reading import ShownExperiment
from serving.pages.parts import block, chip, heading, text
from serving.pages.tables import show_table
from serving.pages.words import PageTexts

DOUBTFUL = 0.001
"""p below which group sizes are warned about, as is usual for sample-ratio checks. A choice."""


def show_experiments(shown: Sequence[ShownExperiment], say: PageTexts) -> None:
    with block("panel", tag="section"):
        heading(say("experiments"), 2)
        if not shown:
            text(say("no_experiments"), "muted")
        for one in shown:
            _experiment(one, say)


def _experiment(one: ShownExperiment, say: PageTexts) -> None:
    results = one.results
    is_running = one.experiment.state == "running"
    with block("line"):
        text(one.experiment.name, "name", tag="strong")
        chip(say("running" if is_running else "ended"), "good" if is_running else "")
    if results.sample_ratio is not None:
        is_doubtful = results.sample_ratio < DOUBTFUL
        told = say("ratio_warning" if is_doubtful else "ratio_good", p=f"{results.sample_ratio:.3g}")
        text(told, "warn" if is_doubtful else "small muted")
    people = sum(each.people for each in results.variants)
    weights = sum(each.weight for each in results.variants) or 1
    rows = [
        [
            each.name,
            str(each.people),
            f"{people * each.weight / weights:.0f}",
            share(each.coverage.rate.value),
            share(each.thumbs_up.rate.value),
        ]
        for each in results.variants
    ]
    head = [say("variant"), say("students"), say("expected"), say("coverage"), say("thumbs")]
    show_table(head, rows, numbers={1, 2, 3, 4})
