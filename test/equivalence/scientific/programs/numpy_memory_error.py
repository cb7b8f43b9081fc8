import numpy as np

try:
    np.ones((10**9, 10**6))
except MemoryError as error:
    print(type(error).__name__, error)
