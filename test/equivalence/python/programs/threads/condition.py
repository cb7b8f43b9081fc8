import threading
c = threading.Condition()
ready = []
def work():
    with c:
        ready.append(1)
        c.notify()
with c:
    t = threading.Thread(target=work); t.start()
    print(c.wait_for(lambda: ready, 5))
t.join()
