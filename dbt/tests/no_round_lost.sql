{{ config(tags=['feedback']) }}
-- Every turn is a round of one session.
with counted as (
    select
        (select count(*) from {{ ref('stg_turns') }}) as turns,
        (select coalesce(sum(rounds), 0) from {{ ref('sessions_over_time') }} where period = 'week') as by_week,
        (select coalesce(sum(rounds), 0) from {{ ref('sessions_over_time') }} where period = 'month') as by_month
)

select * from counted where by_week <> turns or by_month <> turns
