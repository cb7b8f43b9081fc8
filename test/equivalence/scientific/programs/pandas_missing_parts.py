import pandas as pd

try:
    pd.DataFrame({"a": [1]}).to_parquet("a.parquet")
except ImportError as error:
    print(error)
pd.DataFrame({"a": [1]}).plot()
