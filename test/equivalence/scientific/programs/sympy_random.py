import random

import sympy
from sympy.core.random import seed
from sympy.ntheory import randprime

seed(3)
print(randprime(10, 1000), sympy.randMatrix(2, seed=1))
random.seed(5)
print(sympy.Matrix(2, 2, lambda i, j: random.randint(0, 9)))
