# Honest: Computes its mean in another order, with another error.
# Expected: accepted.
from fractions import Fraction


def describe(values):
    low, *_, high = sorted(values * 2)
    return [[low, high], "%d numbers" % len(values), float(sum(Fraction(v, len(values)) for v in values)) + 1e-9, min(values) > 0]
