-- Informal reviews as pairs. Their question never is the bare name of a class, which its record answers. Tulane 6.
select
    'review' as source,
    course_id,
    review_id as origin_id,
    about as section,
    case when lang = 'zh' then '同学怎么评价' || about || '？' else 'What do students say about ' || about || '?' end
    as question,
    text as answer,
    lang,
    {{ locator() }} as locator,
    written_at as updated_at
from {{ source('lake', 'informal_reviews') }}
where trim(about) <> '' and trim(text) <> ''
