import numpy as np

a = np.array([1.0, 0.0, -1.0])
print(a / 0)
print(np.log(a))
for _ in range(2):
    print(np.sqrt(a))
print(np.array([200], dtype=np.int8) if False else np.int8(100) + np.int8(100))
print(np.mean([]))
