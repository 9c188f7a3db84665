-- Thumbs with what was asked and how it was answered.
select
    votes.thumb,
    votes.reasons,
    turns.person,
    turns.asked_at,
    turns.course_id,
    turns.route,
    turns.form,
    turns.has_options,
    turns.source,
    turns.experiment,
    turns.variant
from {{ ref('stg_feedback') }} as votes
inner join {{ ref('stg_turns') }} as turns using (trace_id)
