import threading
n = 0
lock = threading.Lock()
def work():
    global n
    for _ in range(1000):
        with lock:
            n += 1
ts = [threading.Thread(target=work) for _ in range(8)]
[t.start() for t in ts]
[t.join() for t in ts]
print(n, threading._shutdown_locks if hasattr(threading, '_shutdown_locks') and False else '')
