{{ config(meta={'dagster': {'ref': {'name': 'qa_pairs'}}}) }}
-- Every staged pair is in the table: as a row of its own, or named in `also_from` of the row it equals.
with staged as (
    {% for model, _ in pair_sources() -%}
    select count(*) as pairs from {{ ref(model) }}
    {{ "union all" if not loop.last }}
    {% endfor %}
),

published as (
    select count(*) + coalesce(sum(len(also_from)), 0) as pairs from {{ ref('qa_pairs') }}
)

select (select sum(pairs) from staged) as staged_pairs, published.pairs as published_pairs
from published
where staged_pairs <> published_pairs
