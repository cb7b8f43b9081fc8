import numpy as np

print(np.__version__, hasattr(np, "float"), hasattr(np, "bool"))
print(np.in1d([1, 2], [2]))
np.int
