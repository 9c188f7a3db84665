-- What serving.feedback.experiment_results.Sums takes, for each variant and measure: over the people of a variant with at least
-- one trial, x trials and y successes each. A variant that nobody met has zeros.
with trials as (
    select 'coverage' as measure, experiment, variant, person, count(*) as x, count(*) filter (where is_trial_answer) as y
    from {{ ref('stg_turns') }}
    where experiment is not null and is_trial_question
    group by all

    union all

    select 'thumbs_up', experiment, variant, person, count(*), count(*) filter (where thumb > 0)
    from {{ ref('stg_votes') }}
    where experiment is not null
    group by all
),

sums as (
    select
        measure,
        experiment,
        variant,
        count(*) as people,
        sum(x)::bigint as x,
        sum(y)::bigint as y,
        sum(x * x)::bigint as xx,
        sum(x * y)::bigint as xy,
        sum(y * y)::bigint as yy
    from trials
    group by all
),

exposed as (
    select experiment, variant, count(*) as exposed from {{ ref('stg_exposures') }} group by all
)

select
    variants.experiment,
    variants.variant,
    variants.place,
    variants.weight,
    coalesce(exposed.exposed, 0) as exposed,
    measure,
    {% for sum in ['people', 'x', 'y', 'xx', 'xy', 'yy'] -%}
    coalesce(sums.{{ sum }}, 0) as {{ sum }}{{ "," if not loop.last }}
    {% endfor %}
from {{ ref('stg_experiments') }} as variants
cross join (values ('coverage'), ('thumbs_up')) as measures (measure)
left join exposed using (experiment, variant)
left join sums using (experiment, variant, measure)
