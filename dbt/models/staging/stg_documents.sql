-- A section with a heading is the pair (heading, text); sections without one are cited as passages only.
select
    'document' as source,
    course_id,
    document || '#' || section_index as origin_id,
    heading as question,
    text as answer,
    lang,
    {{ locator(document='document', page='page', article='article') }} as locator,
    null::varchar as reviewer,
    null::varchar as updated_at
from {{ source('lake', 'documents') }}
where trim(heading) <> '' and trim(text) <> ''
