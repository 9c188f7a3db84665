-- Why: each reason's share of all thumbs of its kind, those without a reason too (Course Hero 1).
with votes as (
    select thumb, count(*) as votes from {{ ref('stg_votes') }} group by thumb
),

reasons as (
    select thumb, unnest(list_distinct(reasons)) as reason from {{ ref('stg_votes') }}
),

counted as (
    select thumb, reason, count(*) as given, any_value(votes.votes) as votes
    from reasons
    inner join votes using (thumb)
    group by thumb, reason
)

select *, {{ shares('given', 'votes') }} from counted
