"""`/models`: which language models were examined, what each may write, and what failed. For TAs and teachers."""

import asyncio

from nicegui import ui

from serving.exam.admission import NEEDED, Admission, KindResult
from serving.exam.exam_files import newest
from serving.pages.frame import PATIENCE_SECONDS, frame
from serving.pages.parts import add_styles, block, chip, heading, text
from serving.pages.visits import TaVisit
from serving.pages.words import PageTexts, words


@ui.page("/models", response_timeout=PATIENCE_SECONDS)
async def model_card_page(visit: TaVisit) -> None:
    say = words("model_card", visit.lang)
    found = await asyncio.to_thread(newest, visit.service.data_dir)
    with frame(visit, say("title"), active="insights"):
        add_styles()
        heading(say("title"), 1)
        text(say(f"rule_{visit.service.settings.model_admission}"))
        if not found:
            text(say("none"), "empty")
        for one in found:
            _card(one, say)


def _card(found: Admission, say: PageTexts) -> None:
    """One model: its figures, then every kind of question with what it was refused by."""
    with block("card"):
        heading(found.model)
        text(say("share", share=f"{found.share:.0%}", needed=f"{NEEDED:.0%}", sentences=str(found.sentences)))
        text(say("asked", asked=str(found.asked), items=str(found.items), seconds=f"{found.seconds:.0f}"))
        for one in found.standings:
            _standing(one, say)


def _standing(one: KindResult, say: PageTexts) -> None:
    with block("part"):
        heading(f"{say(one.kind)} · {one.lang}", 3)
        chip(say("admitted") if one.is_admitted else say("refused"))
        text(
            say(
                "figures",
                right=str(one.right_sentences),
                sentences=str(one.sentences),
                low=f"{one.low:.0%}",
                answers=f"{one.right_answers}/{one.answers}",
                composed=f"{one.composed_right}/{one.answers}",
            )
        )
        if one.judged:
            text(say("judged", right=str(one.judged_right), judged=str(one.judged)))
        text(" · ".join(f"{name} {share:.0%}" for name, share in one.marks.items()), "quiet")
        for reason in one.reasons:
            text(reason)
        for example in one.examples:
            text(say("example", mark=example.mark, question=example.question))
            text(example.answer, "quote", tag="blockquote")
