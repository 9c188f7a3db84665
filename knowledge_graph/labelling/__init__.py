"""Labels without labelled data: labelling functions vote, a label model learns how far to trust each, people only add.

Data programming (Ratner et al. 2016), used for concepts and for prerequisites. Import from `functions`, `model` and
`analysis`; what is voted on is not known here.
"""
