import pandas as pd

print(pd.get_option("display.max_rows"), pd.get_option("display.width"), pd.options.mode.copy_on_write)
pd.set_option("display.precision", 2)
print(pd.Series([1.23456, 2.0]), pd.Timestamp("2024-05-06 07:08").tz_localize("Europe/Berlin"))
print(pd.date_range("2024-01-30", periods=3, freq="D"), pd.cut([1, 5, 9], 3), pd.Categorical(list("aab")))
pd.describe_option("display.precision")
