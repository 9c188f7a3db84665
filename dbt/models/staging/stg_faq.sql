select
    'faq' as source,
    course_id,
    origin_id,
    section,
    question,
    answer,
    lang,
    {{ locator(document='file') }} as locator,
    reviewer,
    updated_at
from {{ source('lake', 'faq') }} as entries
where trim(question) <> '' and trim(answer) <> '' and not {{ is_replaced('entries') }}
