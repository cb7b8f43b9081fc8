import numpy as np

print(np.arange(24).reshape(2, 3, 4))
print(repr(np.linspace(0, 1, 7)))
print(np.array([1.5, np.nan, np.inf, -0.0]), np.float32(1) / 3, repr(np.float64(0.1)), repr(np.int8(5)))
print(np.arange(2000))
with np.printoptions(precision=3, suppress=True):
    print(np.array([1e-10, 1.23456789, 1e5]))
print(np.get_printoptions())
