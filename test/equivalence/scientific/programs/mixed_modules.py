# Which modules a program has by importing one of them is the same, as far as names in it go.
import numpy
import scipy

names = sorted(name for name in dir() if not name.startswith("_"))
print(names, "stats" in dir(scipy), scipy.stats.norm.mean())
import pandas as pd

print(pd.__version__, hasattr(pd, "np"), pd.DataFrame.__module__, numpy.__file__, numpy.core if False else "")
import matplotlib
