import numpy as np
import pandas as pd

frame = pd.DataFrame({"a": range(100), "b": np.linspace(0, 1, 100), "c": list("xyzw") * 25})
print(frame)
print(frame.describe())
print(frame.dtypes, frame.head(3).to_string(), frame.memory_usage().to_dict())
frame.info()
