import pandas as pd

frame = pd.DataFrame({"k": list("abcab"), "v": [1, 2, 3, 4, 5], "w": [0.5, None, 2.5, 1.0, 3.0]})
print(frame.groupby("k").agg({"v": ["sum", "mean"], "w": "count"}))
print(frame.pivot_table(index="k", values="v", aggfunc="max"))
print(frame.merge(pd.DataFrame({"k": ["a", "b"], "z": [10, 20]}), how="left"))
print(frame.sort_values(["w", "k"], ascending=False).reset_index(drop=True).fillna(0))
