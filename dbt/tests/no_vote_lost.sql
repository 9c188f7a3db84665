{{ config(tags=['feedback']) }}
-- Every thumb is counted once by answer, once by week and once by month.
with counted as (
    select
        (select count(*) from {{ ref('stg_feedback') }}) as votes,
        (select coalesce(sum(up + down), 0) from {{ ref('thumbs_by_answer') }}) as by_answer,
        (select coalesce(sum(up + down), 0) from {{ ref('thumbs_over_time') }} where period = 'week') as by_week,
        (select coalesce(sum(up + down), 0) from {{ ref('thumbs_over_time') }} where period = 'month') as by_month
)

select * from counted where by_answer <> votes or by_week <> votes or by_month <> votes
