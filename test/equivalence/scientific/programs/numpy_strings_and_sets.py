import numpy as np

a = np.array(["pear", "apple", "fig", "apple"])
print(np.unique(a, return_counts=True), np.char.upper(a), np.isin(a, ["fig"]))
print(np.einsum("ij,jk->ik", np.arange(6).reshape(2, 3), np.arange(6).reshape(3, 2)))
print(np.polyfit([0, 1, 2], [1, 3, 7], 2).round(6), np.fft.fft([1, 0, 0, 0]), np.vectorize(lambda x: x * 2)([1, 2]))
