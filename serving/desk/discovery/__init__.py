"""FAQ discovery: what several students ask and the FAQ does not answer, proposed to TAs as entries.

`similarity` says which questions ask the same, `coverage` what the FAQ answers already, `groups` makes proposals of
both, `drafts` writes each one's entry. `asked_questions` and `proposals` read the store and the home, `anonymization`
takes out names, `publishing` is what a TA decides. What students wrote is shown to TAs alone.
"""
