# Honest: Computes with numpy.
# Expected: accepted.
# Environment: scientific
import sys

import numpy

numbers = numpy.array(sys.stdin.read().split()[1:], dtype=numpy.int64).reshape(-1, 2)
for value in numbers.sum(axis=1):
    print(value)
