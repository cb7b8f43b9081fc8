import sys

import numpy as np

numbers = np.array(sys.stdin.buffer.read().split(), dtype=np.int64)
print(numbers[0], numbers[1:].sum(), np.sort(numbers)[::-1])
