#: {"limits": {"cpu_ms": 20000}}
import multiprocessing as mp
def work(n): print('child', n, __name__, flush=True)
if __name__ == '__main__':
    mp.set_start_method('forkserver')
    p = mp.Process(target=work, args=(7,))
    p.start()
    p.join()
    print(p.exitcode)
