{{ config(location=var("made", var("home") ~ "/dbt") ~ "/qa_pairs.parquet") }}
-- Every source in one QA-pair form (LittleMu 3.2.2). The id is made of source, course and origin, so that it stays
-- when the text changes; the content hash tells that the text did.
--
-- The same question with the same answer, found twice in a course, is one pair: kept is that of the source people stand
-- behind the most (pair_sources), then the smallest origin; `also_from` names the others.
with pairs as (
    {% for model, _ in pair_sources() -%}
    select *, {{ loop.index }} as place from {{ ref(model) }}
    {{ "union all by name" if not loop.last }}
    {% endfor %}
),

identified as (
    select
        *,
        md5(concat_ws('|', source, course_id, origin_id)) as qa_id,
        hash({{ same_text('question') }}) as same_question,
        hash({{ same_text('answer') }}) as same_answer
    from pairs
),

copies as (
    select
        course_id,
        arg_min(qa_id, (place, origin_id)) as qa_id,
        list_sort(list(source || ':' || origin_id)) as origins
    from identified
    group by course_id, same_question, same_answer
)

select
    qa_id,
    pairs.source,
    pairs.course_id,
    pairs.lang,
    courses.subject,
    courses.domains,
    pairs.mode,
    pairs.section,
    pairs.question,
    pairs.answer,
    null::varchar as explanation,
    null::varchar as explanation_kind,
    pairs.locator,
    pairs.origin_id,
    list_filter(copies.origins, lambda origin: origin <> pairs.source || ':' || pairs.origin_id) as also_from,
    pairs.reviewer,
    sha256(len(pairs.question) || chr(10) || pairs.question || chr(10) || pairs.answer) as content_hash,
    pairs.updated_at
from identified as pairs
inner join copies using (qa_id)
inner join {{ ref('stg_courses') }} as courses on pairs.course_id = courses.course_id
order by qa_id
