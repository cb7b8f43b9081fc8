import multiprocessing as mp
def work(q, n): q.put(n * n)
if __name__ == '__main__':
    mp.set_start_method('fork')
    q = mp.Queue()
    p = mp.Process(target=work, args=(q, 7))
    p.start()
    print(q.get())
    p.join()
    print(p.exitcode, mp.parent_process(), mp.current_process().name)
