{# Whether a column holds sources of `pair_sources` alone. #}
{% test of_pair_sources(model, column_name) %}
select {{ column_name }}
from {{ model }}
where {{ column_name }} not in (
    {% for _, source in pair_sources() %}'{{ source }}'{{ ", " if not loop.last }}{% endfor %}
)
{% endtest %}
