-- A search reply is flattened into pairs (headline, text); LittleMu 3.2.2. The same page found by two queries is one pair.
select
    'search' as source,
    course_id,
    coalesce(url, md5(headline || text)) as origin_id,
    headline as question,
    text as answer,
    lang,
    {{ locator(url='url') }} as locator,
    fetched_at as updated_at
from {{ source('lake', 'web_snippets') }}
where trim(headline) <> '' and trim(text) <> ''
qualify row_number() over (partition by course_id, coalesce(url, md5(headline || text)) order by query, position) = 1
