from multiprocessing import Pool
def bad(x): raise ValueError(x)
if __name__ == '__main__':
    with Pool(1) as pool:
        try:
            pool.map(bad, [1])
        except ValueError as e:
            print(repr(e))
