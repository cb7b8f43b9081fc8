import queue, threading
q = queue.Queue()
def work():
    while (item := q.get()) is not None:
        print(item)
t = threading.Thread(target=work)
t.start()
for i in range(3): q.put(i)
q.put(None)
t.join()
