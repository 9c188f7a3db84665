{# Every pair names its entry, its course, which is one of `courses`, a question and an answer; `given` are more columns
that hold something in each row. One test and not one for each column: most of what a test takes is its start. #}
{% test whole_pairs(model, courses, given=[]) %}
select
    concat_ws(
        ', ',
        {% for column in ['origin_id', 'course_id', 'question', 'answer'] + given -%}
        case when {{ column }} is null then 'no {{ column }}' end,
        {% endfor -%}
        case when course_id not in (select course_id from {{ courses }}) then 'no such course' end
    ) as amiss,
    *
from {{ model }}
where amiss <> ''
{% endtest %}
