import multiprocessing

import numpy as np


def work(k):
    return int(np.arange(k).sum())


if __name__ == "__main__":
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        print(pool.map(work, [3, 10]))
