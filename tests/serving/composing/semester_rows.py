"""The sample catalogue with its schedule: a home of both, who is asked over it, and which classes an answer names."""

import re
from dataclasses import asdict
from datetime import date
from pathlib import Path

from asker import Asker
from catalog_rows import COURSES, SAMPLE, graph_of, sample_home

from knowledge_graph.lake import schemas, tables
from knowledge_graph.lake.home import DataDir
from knowledge_graph.sources.course import read_course_card
from knowledge_graph.sources.folders import CourseFolder
from knowledge_graph.sources.schedule import read_schedule
from serving.assistant.answer import Answer
from serving.assistant.assistant import Assistant
from serving.assistant.composing.semester.offers import Catalogues
from serving.index.search import SearchIndex
from serving.settings import Settings

TODAY = date(2026, 11, 24)


def semester_home(root: Path) -> DataDir:
    data_dir = sample_home(root)
    folder = CourseFolder(SAMPLE, COURSES / SAMPLE)
    card = read_course_card(folder)[0]
    offerings, _ = read_schedule(folder, card)
    tables.write_table(data_dir.table("course_cards", SAMPLE), [asdict(card)], schemas.COURSE_CARDS)
    tables.write_table(data_dir.table("schedule", SAMPLE), [asdict(one) for one in offerings], schemas.SCHEDULE)
    return data_dir


def asker(data_dir: DataDir, today: date = TODAY) -> Asker:
    return Asker(
        Assistant(
            graph=graph_of(data_dir),
            index=SearchIndex.open(data_dir.index),
            intent=None,
            llm=None,
            settings=Settings(home=data_dir.root, model_admission="exam"),
            catalogues=Catalogues(data_dir),
            today=lambda: today,
        )
    )


def chosen(answer: Answer) -> list[str]:
    return re.findall(r"\*\*([A-Z]{4} \d{4})", answer.text)
