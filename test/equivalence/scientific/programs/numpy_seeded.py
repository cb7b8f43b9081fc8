import random

import numpy as np

np.random.seed(0)
print(np.random.rand(3), np.random.randint(0, 100, 5), np.random.permutation(6))
random.seed(1)
print(random.random(), [random.randrange(10) for _ in range(5)])
generator = np.random.default_rng(42)
print(generator.normal(size=3), generator.choice(["a", "b", "c"], 4), generator.integers(0, 9, 4))
print(np.random.RandomState(7).standard_normal(2))
