# The registry of warnings shown once is a program's own.
import warnings

import numpy as np


def divide():
    return np.ones(2) / np.zeros(2)


print(divide(), divide())
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    divide()
    print([str(w.message) for w in caught], caught[0].lineno)
warnings.simplefilter("error")
divide()
