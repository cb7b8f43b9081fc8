import pandas as pd

frame = pd.DataFrame({"a": [1]})
print(frame["a"].sum())
frame["missing"]
