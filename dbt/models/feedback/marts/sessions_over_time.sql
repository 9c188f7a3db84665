-- Rounds of conversations by the period they began in (LittleMu, Figure 3b). A round is a question with its answer.
with each_session as (
    select
        session,
        arg_min(course_id, position) as course_id,
        min(asked_at) as began,
        count(*) as rounds
    from {{ ref('stg_turns') }}
    group by session
)

select
    course_id,
    period,
    {{ begins('began') }} as begins,
    count(*) as sessions,
    sum(rounds)::bigint as rounds,
    sum(rounds * rounds)::bigint as rounds_squared,
    avg(rounds) as mean_rounds
from each_session, {{ periods() }}
group by all
