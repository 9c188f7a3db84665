{# Whether a TA's approved answer stands in the place of an entry. #}
{% macro is_replaced(entry) -%}
exists (
    select 1 from {{ source('lake', 'ta_answers') }} as newer
    where newer.course_id = {{ entry }}.course_id and newer.replaces = {{ entry }}.origin_id
)
{%- endmacro %}
