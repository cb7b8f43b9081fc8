import threading
t = threading.Thread(target=lambda: 1 / 0, name='worker')
t.start()
t.join()
print('alive')
