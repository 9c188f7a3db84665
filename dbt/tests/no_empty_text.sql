-- A blank question is never found and a blank answer helps nobody.
select qa_id, question, answer
from {{ ref('qa_pairs') }}
where trim(question) = '' or trim(answer) = ''
