-- A section with a heading is the pair (heading, text); sections without one are cited as passages only.
select
    'document' as source,
    course_id,
    document || '#' || section_key as origin_id,
    title as section,
    heading as question,
    text as answer,
    lang,
    {{ locator(document='document', page='page', article='article') }} as locator
from {{ source('lake', 'documents') }}
where trim(heading) <> '' and trim(text) <> ''
