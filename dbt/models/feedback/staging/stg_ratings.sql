-- Answers that experts found satisfying or not, one row per answer: the mean of its experts (LittleMu 4.2.3).
select
    trace_id,
    count(*) as raters,
    avg(value::integer) as satisfying
from {{ source('logs', 'ratings') }}
where form = 'satisfaction'
group by trace_id
