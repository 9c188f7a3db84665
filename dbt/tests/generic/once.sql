{# No two rows of a model have the same values in `by`; null counts as a value. #}
{% test once(model, by) %}
select {{ by | join(', ') }} from {{ model }} group by all having count(*) > 1
{% endtest %}
