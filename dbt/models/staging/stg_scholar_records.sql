-- Scholars, papers and research trends as pairs. The same record found by two queries is one pair. LittleMu 3.2.2.
select
    'scholar' as source,
    course_id,
    record_id as origin_id,
    kind as section,
    question,
    answer,
    lang,
    {{ locator(url='url') }} as locator,
    fetched_at as updated_at
from {{ source('lake', 'scholar_records') }}
where trim(question) <> '' and trim(answer) <> ''
qualify row_number() over (partition by course_id, record_id order by query, position) = 1
