import numpy as np


def multiply(a, b):
    return a @ b


multiply(np.ones((2, 3)), np.ones((2, 3)))
