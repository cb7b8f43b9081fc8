import multiprocessing

import numpy as np


def work(k):
    np.random.seed(k)
    return float((np.eye(50) * k).sum()), float(np.random.rand())


if __name__ == "__main__":
    with multiprocessing.get_context("fork").Pool(3) as pool:
        print(pool.map(work, range(4)))
