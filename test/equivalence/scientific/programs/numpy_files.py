import os

import numpy as np

np.savetxt("a.txt", np.eye(2), fmt="%d")
np.save("a.npy", np.arange(5))
np.savez("a.npz", x=np.arange(3), y=np.ones(2))
print(open("a.txt").read(), np.load("a.npy"), sorted(np.load("a.npz").files), sorted(os.listdir(".")))
