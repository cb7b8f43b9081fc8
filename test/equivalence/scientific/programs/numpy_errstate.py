import numpy as np

print(np.geterr())
with np.errstate(all="raise"):
    try:
        np.ones(1) / 0
    except FloatingPointError as error:
        print(error)
np.seterr(divide="ignore")
print(np.ones(1) / 0, np.geterr())
