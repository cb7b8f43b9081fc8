import atexit
import sys

import numpy as np

atexit.register(lambda: print("last", np.arange(3)))
print("first", file=sys.stderr)
sys.exit(np.int64(3))
