{{ config(location=var("home") ~ "/dbt/qa_pairs.parquet") }}
-- Every source in one QA-pair form (LittleMu 3.2.2). The id is made of source, course and origin, so that it stays
-- when the text changes; the content hash tells that the text did.
with pairs as (
    select * from {{ ref('stg_concepts') }}
    union all by name
    select * from {{ ref('stg_faq') }}
    union all by name
    select * from {{ ref('stg_search_snippets') }}
    union all by name
    select * from {{ ref('stg_documents') }}
)

select
    md5(concat_ws('|', pairs.source, pairs.course_id, pairs.origin_id)) as qa_id,
    pairs.source,
    pairs.course_id,
    pairs.lang,
    courses.subject,
    courses.domains,
    pairs.question,
    pairs.answer,
    null::varchar as explanation,
    null::varchar as explanation_kind,
    pairs.locator,
    pairs.origin_id,
    pairs.reviewer,
    sha256(pairs.question || chr(10) || pairs.answer) as content_hash,
    pairs.updated_at
from pairs
inner join {{ ref('stg_courses') }} as courses using (course_id)
order by qa_id
