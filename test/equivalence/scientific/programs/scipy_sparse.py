import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import shortest_path
from scipy.sparse.linalg import spsolve

m = sp.csr_matrix(np.array([[4.0, 1, 0], [1, 3, 0], [0, 0, 2]]))
print(m, spsolve(m, np.array([1.0, 2, 3])), shortest_path(m))
spsolve(sp.csr_matrix((2, 2)), np.ones(2))
