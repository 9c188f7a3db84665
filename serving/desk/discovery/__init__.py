"""FAQ discovery: what several students ask and the FAQ does not answer, proposed to TAs as entries.

`likeness` says which questions ask the same, `coverage` what the FAQ answers already, `groups` makes proposals of both,
`drafts` writes each one's entry. `reading` and `finding` are where the store and the home are read, `publishing` is
what a TA decides. What students wrote is shown to TAs alone.
"""
