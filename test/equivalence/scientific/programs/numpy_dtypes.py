import numpy as np

t = np.dtype([("name", "U5"), ("n", "<i4"), ("x", "f8")])
rows = np.array([("ab", 1, 2.5), ("c", -3, 1e300)], dtype=t)
print(t, rows, rows["x"].dtype, rows.nbytes)
print(np.array(["2020-02-28", "2020-03-01"], dtype="datetime64[D]") - np.timedelta64(1, "D"))
print(np.array([300, -1]).astype(np.uint8), np.array([2**62]).dtype, np.result_type(np.int8, 3.0))
print(np.array([1, "a", None], dtype=object), np.array([1 + 2j]).conj())
