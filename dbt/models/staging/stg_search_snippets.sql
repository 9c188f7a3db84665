-- A search reply is flattened into pairs (headline, text); LittleMu 3.2.2. A live reply to a query stands for the
-- recorded one. The same page found by two queries is one pair.
with live as (
    select * from {{ source('lake', 'web_snippets') }}
),

replies as (
    select * from live
    union all by name
    select recorded.*
    from {{ source('lake', 'search_snippets') }} as recorded
    anti join live on recorded.course_id = live.course_id and recorded.query = live.query
)

select
    'search' as source,
    course_id,
    coalesce(url, md5(headline || text)) as origin_id,
    headline as question,
    text as answer,
    lang,
    {{ locator(url='url') }} as locator,
    fetched_at as updated_at
from replies
where trim(headline) <> '' and trim(text) <> ''
qualify row_number() over (partition by course_id, coalesce(url, md5(headline || text)) order by query, position) = 1
