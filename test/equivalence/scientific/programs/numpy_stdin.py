import sys

import numpy as np

n, m = map(int, sys.stdin.readline().split())
a = np.loadtxt(sys.stdin, dtype=int, max_rows=n)
print(a.shape == (n, m), a.sum(axis=0), a.T.tolist())
