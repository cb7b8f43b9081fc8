import atexit, threading
def start():
    t = threading.Thread(target=lambda: print('thread at exit'))
    t.start()
    t.join()
atexit.register(start)
