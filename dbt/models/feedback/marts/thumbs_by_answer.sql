-- Thumbs by course and by what an answer was (Course Hero 2.3: multiple choice or not, with options or without).
with counted as (
    select
        course_id,
        route,
        form,
        has_options,
        source,
        count(*) filter (where thumb > 0) as up,
        count(*) filter (where thumb < 0) as down
    from {{ ref('stg_votes') }}
    group by all
)

select *, {{ shares('up', '(up + down)') }} from counted
