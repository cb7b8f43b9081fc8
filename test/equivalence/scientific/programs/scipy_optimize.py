import numpy as np
from scipy.optimize import brentq, curve_fit, linprog, minimize

print(minimize(lambda x: (x[0] - 1) ** 2 + (x[1] + 2) ** 2, [0, 0]).x.round(4))
print(linprog([-1, -2], A_ub=[[1, 1]], b_ub=[4], bounds=[(0, 3), (0, 3)]).x)
print(round(brentq(np.cos, 0, 3), 10), curve_fit(lambda x, a: a * x, [1, 2, 3], [2, 4, 6])[0])
print(minimize(lambda x: x**4, [2.0], method="Nelder-Mead"))
