-- Answered of asked (Course Hero 2.2), by course. A period with small talk alone has no share.
with counted as (
    select
        course_id,
        period,
        {{ begins('asked_at') }} as begins,
        count(*) filter (where is_question) as asked,
        count(*) filter (where is_answered) as answered
    from {{ ref('stg_turns') }}, {{ periods() }}
    group by all
)

select *, {{ shares('answered', 'asked') }} from counted
