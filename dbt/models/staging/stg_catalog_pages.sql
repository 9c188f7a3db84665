-- A class is the pair (code and title, description), a topic of a program the pair (program and topic, text). Tulane 2.I.
select
    'catalog' as source,
    course_id,
    record_id as origin_id,
    mode,
    if(mode = 'program', title, null) as section,
    concat_ws(' ', code, title) || coalesce(' — ' || topic, '') as question,
    text as answer,
    lang,
    {{ locator(url='url', document='if(url is null, page, null)') }} as locator,
    fetched_at as updated_at
from {{ source('lake', 'catalog_pages') }}
where trim(title) <> '' and trim(text) <> ''
