import pandas as pd

frame = pd.DataFrame({"a": [1, 2, 3], "b": [1, 2, 3]})
part = frame[frame["a"] > 1]
part["b"] = 0
frame["a"][0] = 9
print(frame, part)
pd.Series([1, 2]).fillna(method="ffill")
