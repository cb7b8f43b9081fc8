import threading
ts = [threading.Thread(target=lambda: print(threading.current_thread().name)) for _ in range(3)]
for t in ts:
    t.start()
    t.join()
print([t.is_alive() for t in ts])
