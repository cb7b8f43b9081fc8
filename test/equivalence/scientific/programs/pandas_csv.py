import sys

import pandas as pd

frame = pd.read_csv(sys.stdin, parse_dates=["day"])
print(frame.dtypes)
print(frame.set_index("day").resample("ME").sum(numeric_only=True))
frame.to_csv(sys.stdout, index=False)
print(frame.to_json(orient="records"))
