-- Thumbs of all courses by the time of the question, its form, and whether options were given.
with counted as (
    select
        period,
        {{ begins('asked_at') }} as begins,
        form,
        has_options,
        count(*) filter (where thumb > 0) as up,
        count(*) filter (where thumb < 0) as down
    from {{ ref('stg_votes') }}, {{ periods() }}
    group by all
)

select *, {{ shares('up', '(up + down)') }} from counted
