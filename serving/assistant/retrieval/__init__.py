"""What may answer a question, ranked: one strategy a module behind `candidates.Strategy`, and what they are made of.

The direct decision (eq. 7) is `direct`'s and the same under every strategy.
"""
