-- A concept is the pair (concept, explanation); one without a definition fit to be shown answers nothing. LittleMu 3.2.2.
select
    'concept' as source,
    course_id,
    concept_id as origin_id,
    name as question,
    definition as answer,
    lang,
    definition_locator::{{ locator_type() }} as locator
from {{ source('lake', 'concepts') }}
where trim(name) <> '' and trim(definition) <> ''
    and coalesce(definition_confidence, 1) >= {{ var('definition_from') }}
