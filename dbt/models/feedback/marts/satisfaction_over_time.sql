-- Answers that satisfy, of those experts looked at, by the time of the question (LittleMu 4.2.3 and Figure 3b).
with counted as (
    select
        course_id,
        period,
        {{ begins('asked_at') }} as begins,
        count(*) as answers,
        round(sum(satisfying), 9) as satisfying
    from {{ ref('stg_ratings') }}
    inner join {{ ref('stg_turns') }} using (trace_id), {{ periods() }}
    group by all
)

select *, {{ shares('satisfying', 'answers') }} from counted
