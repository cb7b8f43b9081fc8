# Each package does some of the work, so that one that cannot be imported is found before it is offered.
import numpy as np
import pandas as pd
import scipy.linalg
import sympy

a, b = map(int, input().split())
matrix = np.array([[1.0, 1.0], [1.0, -1.0]])
x = scipy.linalg.solve(matrix, np.array([a + b, a - b]))
frame = pd.DataFrame({"x": x.round().astype(int)})
unknown = sympy.Symbol("unknown")
print(sympy.solve(unknown - int(frame["x"].sum()), unknown)[0])
