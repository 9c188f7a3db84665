select course_id, lang, subject, domains
from {{ source('lake', 'course_cards') }}
