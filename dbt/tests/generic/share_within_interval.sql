{# 0 <= low <= share <= high <= 1, and null only where nothing was counted. #}
{% test share_within_interval(model, n) %}
select *
from {{ model }}
where ({{ n }} > 0 and (share is null or low is null or high is null))
    or ({{ n }} = 0 and (share is not null or low is not null or high is not null))
    or low < 0 or low > share + 1e-12 or share > high + 1e-12 or high > 1
{% endtest %}
