-- Answers to students' questions that a TA approved. One that corrects another stands in its place (stg_faq too).
select
    'faq' as source,
    course_id,
    origin_id,
    null::varchar as section,
    question,
    answer,
    lang,
    {{ locator() }} as locator,
    reviewer,
    updated_at
from {{ source('lake', 'ta_answers') }} as answers
where trim(question) <> '' and trim(answer) <> '' and not {{ is_replaced('answers') }}
