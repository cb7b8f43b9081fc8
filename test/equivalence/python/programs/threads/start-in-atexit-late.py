import atexit, threading, concurrent.futures
pool = concurrent.futures.ThreadPoolExecutor(1)
def late():
    try:
        pool.submit(print, 'x')
    except RuntimeError as e:
        print(e)
atexit.register(late)
