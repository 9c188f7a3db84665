"""Which columns are made of which, read off a model's SQL."""

import dagster as dg

from orchestration.reporting.column_lineage import columns_read, show_lineage

ENTRIES = """
select 'faq' as source, entries.id as origin_id, trim(question) as question, {'document': file} as locator
from '/lake/faq/*.parquet' as entries
where not exists (select 1 from '/lake/ta_answers/*.parquet' as newer where newer.question = entries.question)
"""
PAIRS = """
with pairs as (
    select *, 1 as place from "home"."main"."stg_faq"
    union all by name
    select *, 2 as place from "home"."main"."stg_documents"
),
identified as (select *, md5(source || origin_id) as qa_id from pairs)
select qa_id, pairs.lang, courses.subject, pairs.question, place
from identified as pairs inner join "home"."main"."stg_courses" as courses using (course_id)
"""
STAGED = ("source", "origin_id", "question", "lang", "course_id")


def test_expressions_and_other_names_lead_to_the_columns_of_the_file() -> None:
    found = columns_read(ENTRIES, "/faq/", ("id", "question", "file", "row"))
    assert found == {"source": set(), "origin_id": {"id"}, "question": {"question"}, "locator": {"file"}}


def test_a_table_that_only_a_condition_reads_gives_no_column() -> None:
    assert not any(columns_read(ENTRIES, "/ta_answers/", ("question", "id")).values())


def test_what_ctes_compute_is_followed_and_unions_have_every_table() -> None:
    for table in ("stg_faq", "stg_documents"):
        found = columns_read(PAIRS, table, STAGED)
        assert found["qa_id"] == {"source", "origin_id"}
        assert (found["lang"], found["question"], found["place"]) == ({"lang"}, {"question"}, set())


def test_a_joined_table_has_only_what_is_said_to_be_of_it() -> None:
    found = columns_read(PAIRS, "stg_courses", ("course_id", "lang", "subject"))
    assert (found["subject"], found["lang"]) == ({"subject"}, set())


def test_lineage_is_shown_as_a_table() -> None:
    lineage = dg.TableColumnLineage({"answer": [dg.TableColumnDep("faq", "answer"), dg.TableColumnDep("faq", "file")]})
    assert show_lineage(lineage).value.splitlines()[-1] == "| answer | faq.answer, faq.file |"
