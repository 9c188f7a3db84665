"""Pages in three dimensions: the same space as the expert's, never mirrored, and a picture with the question in it."""

from functools import partial

import numpy as np
import pytest
from sklearn.feature_extraction.text import TfidfVectorizer

from serving.assistant.retrieval.catalog_expert import space_terms
from serving.assistant.retrieval.tf_idf import TfIdf
from serving.evaluation.catalog.projection import FEWEST, page_text, paint_projection, project, shorten_title
from serving.evaluation.figures import draw
from serving.index.schema import Entry


def page(key: str, title: str, text: str) -> Entry:
    return Entry(key, "qa", "catalog", "ds", "en", title, text, section=title)


PAGES = [
    page("c1", "Computing", "Programs, data and machines; a major in computing."),
    page("c2", "Computing requirements", "Twelve classes in computing and machines."),
    page("h1", "History", "Ports, sugar, letters and old maps."),
    page("h2", "History requirements", "Nine classes in history and one on maps."),
    page("m1", "Music", "Choirs, rooms and echoes."),
    page("m2", "Music requirements", "A recital of the choir and eight classes."),
]


def test_a_question_lies_nearest_to_the_pages_that_speak_of_it() -> None:
    found = project(PAGES, "computing major")
    assert found is not None
    apart = np.linalg.norm(found.pages - found.question, axis=1)
    assert {PAGES[place].entry_id for place in np.argsort(apart)[:2]} == {"c1", "c2"}


def test_the_shares_of_the_variance_fall_and_are_parts_of_one() -> None:
    found = project(PAGES, "computing")
    assert found is not None
    first, second, third = found.explained
    assert 1 > first >= second >= third > 0
    assert first + second + third <= 1


def test_the_order_of_the_pages_mirrors_nothing() -> None:
    there, back = project(PAGES, "maps"), project(PAGES[::-1], "maps")
    assert there is not None
    assert back is not None
    assert back.pages[::-1] == pytest.approx(there.pages, abs=1e-6)
    assert back.question == pytest.approx(there.question, abs=1e-6)


def test_the_space_is_the_one_the_expert_compares_in() -> None:
    texts = [page_text(entry) for entry in PAGES]
    vectorizer = TfidfVectorizer(analyzer=space_terms)
    matrix = vectorizer.fit_transform(texts)
    ours = TfIdf([space_terms(text) for text in texts]).cosines(space_terms("old maps of music"))
    theirs = (matrix @ vectorizer.transform(["old maps of music"]).T).toarray().ravel()
    assert ours == pytest.approx(theirs)


def test_too_few_pages_and_pages_that_are_all_the_same_have_no_projection() -> None:
    assert project(PAGES[: FEWEST - 1], "maps") is None
    assert project([page(str(n), "Maps", "the same four words again") for n in range(9)], "maps") is None


def test_the_picture_is_the_same_every_time_and_needs_nothing_retrieved() -> None:
    found = project(PAGES, "computing")
    assert found is not None
    with_two, with_none = (
        partial(paint_projection, found=found, entries=PAGES, retrieved=ids, question="computing")
        for ids in (["c2", "c1", "gone"], [])
    )
    assert draw(with_two) == draw(with_two)
    assert draw(with_none) != draw(with_two)


def test_a_long_title_is_cut() -> None:
    assert shorten_title("Ethics", 10) == "Ethics"
    assert shorten_title("Ethics of machines", 10) == "Ethics of…"
