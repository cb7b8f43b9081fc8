import numpy as np

a = np.array([[4.0, 1, 2], [1, 3, 0], [2, 0, 5]])
print(np.linalg.solve(a, [1, 2, 3]))
print(np.linalg.eigvalsh(a), np.linalg.det(a))
u, s, v = np.linalg.svd(a)
print(s, np.allclose(u @ np.diag(s) @ v, a))
print((np.arange(40000.0).reshape(200, 200) @ np.ones((200, 200))).sum())
